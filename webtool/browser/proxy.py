"""Serve the forward proxy on loopback that is the browser's only way to the network. In: settings, as a Dialer.

Out: bytes both ways; refusal() says why a host was not reached. The guard checks every host. A Dialer resolves the
name and connects to the address that was checked. If the environment names an upstream proxy, that proxy resolves the
name, and only the name itself can be checked.

https goes through CONNECT tunnels (RFC 9110 section 9.3.6), http through requests in absolute form (RFC 9112 section
3.2.2). Each http connection serves one request, because the next may be for another host, which the guard must check.
A refused http request is closed without a response: a page could take a response for the host's own. A server is the
socket towards a host; a place is its (host, port).
"""

from __future__ import annotations

import _socket
import socket
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial

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
from webtool.lean.records import NamedTuple
from webtool.net import connector, proxies
from webtool.net.connector import Connector
from webtool.net.dial import Network, Watch, ready
from webtool.net.guard import Guard
from webtool.running.threads import start_thread
from webtool.settings import Settings

MAX_CONNECTIONS = 128  # a browser opens at most 32 connections to one proxy, and 32 more for WebSockets
MAX_REFUSALS = 1000  # hosts whose refusal is remembered; the oldest is dropped
HEAD_WAIT = 30.0  # seconds for the browser to send a request head
DIAL_WAIT = 20.0  # seconds to check, resolve and connect
IDLE_WAIT = 120.0  # seconds without a byte after which a connection is closed
STUCK_AFTER = 1.5  # seconds; hang_up() spares younger connections
SEND_WAIT = 30.0  # seconds for a server to take or send data
_CHUNK = 1 << 16  # bytes read at once


class Route(NamedTuple):
    """A connection towards a host. `upstream` is the proxy that still expects absolute-form requests, if any."""

    connection: _socket.socket
    upstream: proxies.Proxy | None = None


class Dialer:
    """Connects under the rules of plain fetches; safe from many threads."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], network: Network | None = None) -> None:
        self._guard = Guard(settings)
        self._environ = environ
        self._network = network or Network()
        self._connector = Connector(settings, environ, self._network, self._guard)

    def __call__(self, scheme: str, host: str, port: int, deadline: float) -> Route:
        """Connect to scheme://host:port. Raises InvalidUrl, SsrfBlocked, NetworkError, FetchTimeout."""
        authority = f"[{host}]" if ":" in host else host
        url = self._guard.check_url(f"{scheme}://{authority}:{port}/")
        watch = Watch(deadline)
        upstream = proxies.choose(url, self._environ)
        if upstream is None:
            return Route(self._connector.connected(url, watch))
        self._connector.check_proxied(url, watch)
        connection = self._to_proxy(upstream, watch)
        if scheme == "http":
            return Route(connection, upstream)
        try:
            connector.open_tunnel(connection, url, upstream, watch)
        except BaseException:
            connection.close()
            raise
        return Route(connection)

    def _to_proxy(self, proxy: proxies.Proxy, watch: Watch) -> _socket.socket:
        """Connect to the upstream proxy. Its address may be private, because the user configured it."""
        if proxy.scheme != "http":
            hint = "Name the proxy with http:// in https_proxy and http_proxy."
            raise NetworkError("Rendered pages cannot go through an https:// proxy", hint=hint, retryable=False)
        return self._network.connect(connector.resolve_proxy(self._network, proxy, watch), proxy.port, watch)


Dial = Callable[[str, str, int, float], Route]  # a Dialer


class Proxy:
    """Serves until close(). `dial(scheme, host, port, deadline)` gives a Route or raises WebtoolError."""

    def __init__(self, dial: Dial, *, max_bytes: int) -> None:
        self._dial = dial
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._sockets: set[_socket.socket] = set()
        self._servers: dict[_socket.socket, tuple[tuple[str, int], float]] = {}  # server -> place, time of connecting
        self._refusals: dict[tuple[str, int], WebtoolError] = {}
        self._slots = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._is_closed = False
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=MAX_CONNECTIONS)
        self.port: int = self._listener.getsockname()[1]
        self._acceptor = threading.Thread(target=self._accept_all, name="webtool-proxy", daemon=True)
        self._acceptor.start()

    def refusal(self, host: str, port: int) -> WebtoolError | None:
        """Return why the last connection to this host and port failed, or None if it succeeded."""
        with self._lock:
            return self._refusals.get((host.lower(), port))

    def hang_up(self, places: set[tuple[str, int]]) -> None:
        """Close connections to `places` that are older than STUCK_AFTER seconds, so that their requests fail."""
        before = time.monotonic() - STUCK_AFTER
        with self._lock:
            servers = list(self._servers.items())
        for server, (place, since) in servers:
            if place in places and since < before:
                _shut(server)

    def close(self) -> None:
        """Stop serving and close every connection."""
        with self._lock:
            self._is_closed = True
            sockets = list(self._sockets)
        for sock in sockets:
            _shut(sock)
        try:  # wake the accepting thread by a connection: on some systems, closing its socket does not wake it
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
                time.sleep(0.05)  # no descriptor is free until a connection ends
                continue
            if self._is_closed:
                client.close()
                return
            if not start_thread(partial(self._serve, client)):
                client.close()
                self._slots.release()

    def _serve(self, client: _socket.socket) -> None:
        """Serve one connection of the browser, on its own thread."""
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
                authorization = route.upstream.authorization
                fields = f"Proxy-Authorization: {authorization}\r\n".encode() if authorization else b""
                server.sendall(rewritten(head, target[0], fields))
            send_body(client, server, rest, length)
            answer, body = final_head(server)
            client.sendall(answer + body)
            relay(client, server, self._max_bytes, upload=False)
        finally:
            self._drop(server)

    def _connect(self, scheme: str, host: str, port: int) -> Route:
        """Return a connected Route. Raises Refused, after noting why for refusal()."""
        key = (host.lower(), port)
        try:
            route = self._dial(scheme, host, port, time.monotonic() + DIAL_WAIT)
        except WebtoolError as exc:
            self._note(key, exc)
            raise Refused from exc
        server = route.connection
        if not self._keep(server):
            raise Refused
        # If the settings allow loopback, a page could name our own port, and the proxy would call itself for ever.
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
            return False  # the connection is closed already: reading or writing will report it
        return address == ("127.0.0.1", self.port)

    def _note(self, key: tuple[str, int], error: WebtoolError) -> None:
        with self._lock:
            if len(self._refusals) >= MAX_REFUSALS:
                self._refusals.pop(next(iter(self._refusals)))
            self._refusals[key] = error

    def _keep(self, sock: _socket.socket) -> bool:
        """Register a socket, so that close() ends it. After close(), close the socket and return False."""
        with self._lock:
            if not self._is_closed:
                self._sockets.add(sock)
                return True
        sock.close()
        return False

    def _drop(self, sock: _socket.socket) -> None:
        """Close a socket and forget it."""
        with self._lock:
            self._sockets.discard(sock)
            self._servers.pop(sock, None)
        sock.close()


def relay(client: _socket.socket, server: _socket.socket, max_bytes: int, *, upload: bool = True) -> None:
    """Copy both ways until one side ends, IDLE_WAIT passes without a byte, or max_bytes are copied.

    Without `upload`, bytes from the client are read and dropped.
    """
    while max_bytes > 0:
        readable = ready((client.fileno(), server.fileno()), IDLE_WAIT, "POLLIN")
        if not readable:
            return
        for source in (client, server):
            if source.fileno() not in readable:
                continue
            data = source.recv(_CHUNK)
            if not data:
                _shut(client, socket.SHUT_WR)  # the browser gets what is still under way; callers close both sockets
                return
            if source is server:
                client.sendall(data)
            elif upload:
                server.sendall(data)
            max_bytes -= len(data)


def _shut(sock: _socket.socket, how: int = socket.SHUT_RDWR) -> None:
    """Shut a socket down, which wakes the thread that serves it. That thread closes it."""
    try:
        sock.shutdown(how)
    except OSError:
        return
