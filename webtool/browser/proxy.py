"""A forward proxy on loopback that is the browser's only way out. In: a `dial` that checks and connects.

Out: bytes both ways, and in `refusals` why a host was not reached. Spec: RFC 9110 section 9.3.6 (CONNECT), RFC 9112
sections 3.2.2 and 9.6. One request a connection: what a browser sends next may be for another host, which `dial` must
see. A refused plain request is closed without an answer: a page could take an answer for the host's own.
"""

from __future__ import annotations

import _socket
import socket
import threading
import time
from collections.abc import Callable
from functools import partial

from webtool.browser.dialer import Route, proxy_fields
from webtool.browser.heads import (
    ABSOLUTE_FORM,
    Refused,
    body_length,
    final_head,
    read_head,
    request_line,
    rewritten,
    send_body,
    split_authority,
)
from webtool.errors import NetworkError, WebtoolError
from webtool.lean.patterns import Match
from webtool.net.dial import ready
from webtool.running.threads import start_thread

Dial = Callable[[str, str, int, float], Route]

MAX_CONNECTIONS = 128  # a browser opens at most 32 to one proxy, and as many for WebSockets again
MAX_REFUSALS = 1000
HEAD_WAIT = 30.0
DIAL_WAIT = 20.0
IDLE_WAIT = 120.0
STUCK_AFTER = 1.5  # seconds that a connection lasts at least before a page that runs out of time may end it
SEND_WAIT = 30.0
_CHUNK = 1 << 16


class Proxy:
    """Serves until close(). `dial(scheme, host, port, deadline)` gives a Route or raises WebtoolError."""

    def __init__(self, dial: Dial, *, max_bytes: int) -> None:
        self._dial = dial
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._sockets: set[_socket.socket] = set()
        self._servers: dict[_socket.socket, tuple[tuple[str, int], float]] = {}  # where to, and since when
        self._refusals: dict[tuple[str, int], WebtoolError] = {}
        self._slots = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._is_closed = False
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=MAX_CONNECTIONS)
        self.port: int = self._listener.getsockname()[1]
        self._acceptor = threading.Thread(target=self._accept_all, name="webtool-proxy", daemon=True)
        self._acceptor.start()

    def refusal(self, host: str, port: int) -> WebtoolError | None:
        """Why the last connection to this host and port did not come about; None where it did."""
        with self._lock:
            return self._refusals.get((host.lower(), port))

    def hang_up(self, places: set[tuple[str, int]]) -> None:
        """End what has been connected to these hosts and ports for a while: what waits for it goes on without."""
        before = time.monotonic() - STUCK_AFTER
        with self._lock:
            stuck = [one for one, (place, since) in self._servers.items() if place in places and since < before]
        for one in stuck:
            _shut(one)

    def close(self) -> None:
        """Stop serving and close every connection."""
        with self._lock:
            self._is_closed = True
            sockets = list(self._sockets)
        for one in sockets:
            _shut(one)
        try:  # wake the acceptor: closing a socket that a thread accepts on does not, everywhere
            socket.create_connection(("127.0.0.1", self.port), 1.0).close()
        except OSError:
            pass
        self._acceptor.join(1.0)
        self._listener.close()

    def _accept_all(self) -> None:
        while True:
            self._slots.acquire()
            try:
                client, _ = self._listener.accept()
            except OSError:
                self._slots.release()
                if self._is_closed:
                    return
                time.sleep(0.05)  # out of descriptors: they come back when connections end
                continue
            if self._is_closed:
                client.close()
                return
            if not start_thread(partial(self._serve, client)):
                client.close()
                self._slots.release()

    def _serve(self, client: _socket.socket) -> None:
        try:
            if self._keep(client):
                client.settimeout(HEAD_WAIT)
                self._answer(client)
        except (OSError, Refused):
            pass
        finally:
            self._drop(client)
            self._slots.release()

    def _answer(self, client: _socket.socket) -> None:
        head, rest = read_head(client)
        method, target = request_line(head)
        if method == b"CONNECT":
            host, port = split_authority(target, 0)
            self._tunnel(client, host, port, rest)
            return
        absolute = ABSOLUTE_FORM.fullmatch(target)
        if absolute is None:
            raise Refused
        self._forward(client, absolute, head, rest)

    def _tunnel(self, client: _socket.socket, host: str, port: int, rest: bytes) -> None:
        try:
            server = self._connect("https", host, port).connection
        except Refused:
            client.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            raise
        try:
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            server.sendall(rest)
            relay(client, server, self._max_bytes)
        finally:
            self._drop(server)

    def _forward(self, client: _socket.socket, target: Match[bytes], head: bytes, rest: bytes) -> None:
        length = body_length(head)
        route = self._connect("http", *split_authority(target[1], 80))
        server = route.connection
        try:
            if route.upstream is None:
                path = target[2] if target[2].startswith(b"/") else b"/" + target[2]
                server.sendall(rewritten(head, path))
            else:
                server.sendall(rewritten(head, target[0], proxy_fields(route.upstream)))
            send_body(client, server, rest, length)
            answer, body = final_head(server)
            client.sendall(answer + body)
            relay(client, server, self._max_bytes, upload=False)
        finally:
            self._drop(server)

    def _connect(self, scheme: str, host: str, port: int) -> Route:
        key = (host.lower(), port)
        try:
            route = self._dial(scheme, host, port, time.monotonic() + DIAL_WAIT)
        except WebtoolError as exc:
            self._note(key, exc)
            raise Refused from exc
        server = route.connection
        if not self._keep(server):
            raise Refused
        # A page may name our own port where the settings let loopback through: that would go round for ever.
        if self._is_ours(server):
            self._drop(server)
            self._note(key, NetworkError(f"{host}:{port} is the browser's own proxy", retryable=False))
            raise Refused
        server.settimeout(SEND_WAIT)
        with self._lock:
            self._refusals.pop(key, None)
            self._servers[server] = key, time.monotonic()
        return route

    def _is_ours(self, server: _socket.socket) -> bool:
        try:
            address: tuple[str, int] = server.getpeername()[:2]
        except OSError:
            return False  # gone already: reading and writing find out
        return address == ("127.0.0.1", self.port)

    def _note(self, key: tuple[str, int], error: WebtoolError) -> None:
        with self._lock:
            if len(self._refusals) >= MAX_REFUSALS:
                self._refusals.pop(next(iter(self._refusals)))
            self._refusals[key] = error

    def _keep(self, one: _socket.socket) -> bool:
        with self._lock:
            if not self._is_closed:
                self._sockets.add(one)
                return True
        one.close()
        return False

    def _drop(self, one: _socket.socket) -> None:
        with self._lock:
            self._sockets.discard(one)
            self._servers.pop(one, None)
        one.close()


def relay(client: _socket.socket, server: _socket.socket, max_bytes: int, *, upload: bool = True) -> None:
    """Copy both ways (without `upload` only to the client) until an end, IDLE_WAIT without a byte, or max_bytes."""
    while max_bytes > 0:
        readable = ready((client.fileno(), server.fileno()), IDLE_WAIT, "POLLIN")
        if not readable:
            return
        for source in (one for one in (client, server) if one.fileno() in readable):
            data = source.recv(_CHUNK)
            if not data:
                _end_writing(client)
                return
            if source is server:
                client.sendall(data)
            elif upload:
                server.sendall(data)
            max_bytes -= len(data)


def _end_writing(one: _socket.socket) -> None:
    try:
        one.shutdown(socket.SHUT_WR)
    except OSError:
        return


def _shut(one: _socket.socket) -> None:
    """Wake the thread that waits on the socket; its own thread closes it."""
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
