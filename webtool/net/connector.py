"""Open connections to a URL's origin, directly or through a proxy: resolve, check, dial, encrypt. Keep idle ones.

In: a Url that the guard has checked, its proxy or None, a Watch. Out: a socket over which the request is sent.
Only addresses that the guard has checked are dialled. The proxy itself may have a private address, because the operator
of webtool named it. A resolved address is pinned for 30 seconds, so that it cannot change between robots.txt and its
page. For https through a proxy the CONNECT method opens a tunnel (RFC 9110 section 9.3.6).

A Connector opens connections. A Pool keeps idle ones for reuse, and limits how many are in use for one origin at a
time. Each take() is followed by one give(), which returns the connection or reports it closed, and wakes a thread that
waits for this origin.
Tests: tests/net/test_connector.py, tests/net/test_client.py
"""

from __future__ import annotations

import _thread
import time
from collections.abc import Mapping

from webtool import urls
from webtool.errors import FetchTimeout, NetworkError, WebtoolError
from webtool.lean.typing import Any
from webtool.net import exchange, messages, proxies
from webtool.net.dial import Network, Socket, Watch, ready
from webtool.net.guard import Guard
from webtool.net.messages import CutShort, Malformed
from webtool.net.proxies import Proxy
from webtool.net.receiving import receive, send
from webtool.settings import Settings
from webtool.urls import hosts

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket
    import ssl

_PINNED_SECONDS = 30.0  # a resolved name is not looked up again for this long
_MAX_PINNED = 256  # pinned names; when full, all are forgotten
_MAX_PROXY_LOOKUP = 1.0  # seconds to check by our own resolver a name that a proxy will resolve


class Connector:
    """Opens connections under one set of settings. Thread-safe."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], network: Network, guard: Guard) -> None:
        self._settings = settings
        self._environ = environ
        self._network = network
        self._guard = guard
        self._context: ssl.SSLContext | None = None
        self._has_silent_resolver = False  # our resolver timed out once: only the proxy resolves names here
        self._pinned: dict[str, tuple[list[hosts.Address], float]] = {}

    def open(self, url: urls.Url, proxy: Proxy | None, watch: Watch) -> Socket:
        """Return a new connection. Raises SsrfBlocked, NetworkError, TlsError, FetchTimeout, Cancelled."""
        if proxy is None:
            context = self._tls_context() if url.scheme == "https" else None
            connection = self.connected(url, watch)
            if context is None:
                return connection
            from webtool.net import tls

            return tls.wrap(connection, url.host or "", context, watch)

        self.check_proxied(url, watch)
        context = self._tls_context() if "https" in (url.scheme, proxy.scheme) else None
        return connect_through(self._network, url, proxy, context, watch)

    def connected(self, url: urls.Url, watch: Watch) -> _socket.socket:
        """Return an unencrypted connection to the URL's own host."""
        try:
            return self._network.connect(self._addresses(url, watch), url.effective_port, watch)
        except WebtoolError:
            self._pinned.pop(url.host or "", None)
            raise

    def _addresses(self, url: urls.Url, watch: Watch) -> list[hosts.Address]:
        """Return the checked addresses of the URL's host, resolved now or pinned before."""
        host = url.host or ""
        literal = hosts.parse_address(host)
        if literal is not None:
            return [literal]  # the guard has checked it with the URL
        now = time.monotonic()
        pinned = self._pinned.get(host)
        if pinned is not None and now < pinned[1]:
            return pinned[0]
        addresses = self._guard.check_answers(host, self._network.resolve(host, url.effective_port, watch))
        if len(self._pinned) >= _MAX_PINNED:
            self._pinned.clear()
        self._pinned[host] = (addresses, now + _PINNED_SECONDS)
        return addresses

    def check_proxied(self, url: urls.Url, watch: Watch) -> None:
        """Check a host that a proxy will resolve: if our resolver knows the name too, its addresses must be public."""
        host = url.host or ""
        self._guard.check_proxied_name(host)
        if hosts.parse_address(host) is not None or self._has_silent_resolver:
            return
        short = Watch(min(watch.deadline, time.monotonic() + _MAX_PROXY_LOOKUP), watch.is_cancelled)
        try:
            answers = self._network.resolve(host, url.effective_port, short)
        except NetworkError:
            return
        except FetchTimeout:
            self._has_silent_resolver = True
            return
        self._guard.check_answers(host, answers)

    def _tls_context(self) -> ssl.SSLContext:
        """Return the TLS context, made on first use. Raises TlsError if the settings name unusable certificates."""
        if self._context is None:
            from webtool.net import tls

            self._context = tls.make_context(self._environ, self._settings.tls_relaxed)
        return self._context


_NO_PROXY = "What listens there is not an HTTP proxy: the operator of webtool must correct or unset the variable."


def connect_through(
    network: Network, url: urls.Url, proxy: Proxy, context: ssl.SSLContext | None, watch: Watch
) -> Socket:
    """Return a connection to the URL's origin through the proxy. Pass `context` if the proxy or the origin uses TLS."""
    try:
        plain = network.connect(resolve_proxy(network, proxy, watch), proxy.port, watch)
    except (NetworkError, FetchTimeout) as error:
        proxies.unreachable(error, proxy, url.host or "")
        raise
    if context is None:
        return plain
    from webtool.net import tls

    # TLS to the proxy itself, if its URL begins with https:. TLS to the origin then runs inside it.
    outer = tls.wrap(plain, proxy.host, context, watch) if proxy.scheme == "https" else None
    try:
        if outer is None:
            open_tunnel(plain, url, proxy, watch)
            return tls.wrap(plain, url.host or "", context, watch)
        if url.scheme == "http":
            return outer
        open_tunnel(outer, url, proxy, watch)
        return tls.Tunnel(outer, url.host or "", context, watch)
    except BaseException:
        (outer or plain).close()
        raise


def resolve_proxy(network: Network, proxy: Proxy, watch: Watch) -> list[hosts.Address]:
    """Return the addresses of the proxy itself, public or private."""
    literal = hosts.parse_address(proxy.host)
    if literal is not None:
        return [literal]
    parsed = map(hosts.parse_address, network.resolve(proxy.host, proxy.port, watch))
    return [address for address in parsed if address is not None]


def open_tunnel(connection: Socket, url: urls.Url, proxy: Proxy, watch: Watch) -> None:
    """Ask the proxy for a tunnel to the URL's origin (CONNECT); any 2xx answer opens it. Raises NetworkError."""
    authority = f"{url.host}:{url.effective_port}"
    fields = [("Host", authority)]
    if proxy.authorization:
        fields.append(("Proxy-Authorization", proxy.authorization))
    reader = exchange.ResponseReader("CONNECT")
    try:
        send(connection, messages.request_bytes("CONNECT", authority, fields), watch)
        status = _status(connection, reader, watch)
    except Malformed as error:
        error.rephrase(f"{proxy.shown} does not answer like a proxy: {error.message}", _NO_PROXY)
        raise
    except OSError as exc:
        raise CutShort("the proxy ended the connection instead of opening the tunnel") from exc
    if not 200 <= status < 300:
        raise _refused(status, proxy)


def _status(connection: Socket, reader: exchange.ResponseReader, watch: Watch) -> int:
    while True:
        data = receive(connection, watch, "no answer from the proxy")
        if not data:
            raise CutShort("the proxy closed the connection without an answer")
        for event in reader.feed(data):
            if isinstance(event, exchange.Head):
                return event.status


def _refused(status: int, proxy: Proxy) -> NetworkError:
    hints = {
        407: f"The operator of webtool must put user and password into {proxy.source}: http://user:password@host:port.",
        403: "The proxy's rules forbid this host; only the operator of the proxy can change that. Use another source.",
    }
    return NetworkError(
        f"{proxy.shown} refused the tunnel with HTTP {status}",
        hint=hints.get(status, f"The proxy cannot reach the host, or refuses to; {proxy.source} names the proxy."),
        retryable=status in (429, 500, 502, 503, 504),
    )


Key = tuple[Any, ...]  # scheme, host, port, proxy

MAX_PER_ORIGIN = 6  # connections in use, as in browsers; more requests to the origin wait. Client.widen() raises it.
MAX_IDLE = 64  # idle connections to all origins; when full, a connection is closed after use
MAX_IDLE_SECONDS = 20.0  # an older idle connection is closed instead of reused


class Pool:
    """Idle connections by key, and the number of connections in use. Thread-safe."""

    def __init__(self) -> None:
        self.per_origin = MAX_PER_ORIGIN
        self._lock = _thread.allocate_lock()
        self._idle: dict[Key, list[tuple[Socket, float]]] = {}  # each with the time at which it was given back
        self._in_use: dict[Key, int] = {}  # how many
        self._waiters: dict[Key, list[Any]] = {}  # locks, which are released to wake the threads that wait for them
        self._is_closed = False

    def take(self, key: Key, watch: Watch) -> Socket | None:
        """Return an idle connection, or None: the caller may open one. Waits while the origin is at its limit."""
        while True:
            with self._lock:
                connection = self._pop(key)
                if connection is not None or self._in_use.get(key, 0) < self.per_origin:
                    self._in_use[key] = self._in_use.get(key, 0) + 1
                    return connection
                waiter = _thread.allocate_lock()
                waiter.acquire()
                self._waiters.setdefault(key, []).append(waiter)
            try:
                watch.acquire(waiter, "other requests to the same host were not done")
            except BaseException:
                self._forget(key, waiter)
                raise

    def give(self, key: Key, connection: Socket | None) -> None:
        """End one use: keep the connection for later; None means that it was closed or never opened."""
        with self._lock:
            count = self._in_use.get(key, 0) - 1
            if count > 0:
                self._in_use[key] = count
            else:
                self._in_use.pop(key, None)
            has_room = not self._is_closed and sum(map(len, self._idle.values())) < MAX_IDLE
            if connection is not None and has_room:
                self._idle.setdefault(key, []).append((connection, time.monotonic()))
                connection = None
            self._wake(key)
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """Close every idle connection; those in use are closed when they are given back."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, {}
        for connections in idle.values():
            for connection, _ in connections:
                connection.close()

    def _pop(self, key: Key) -> Socket | None:
        """Return the newest usable idle connection, or None. One with bytes to read, or at its end, is not usable."""
        connections = self._idle.get(key, [])
        while connections:
            connection, idle_since = connections.pop()
            is_fresh = time.monotonic() - idle_since < MAX_IDLE_SECONDS
            if is_fresh and not ready([connection.fileno()], 0, "POLLIN"):
                return connection
            connection.close()
        self._idle.pop(key, None)
        return None

    def _wake(self, key: Key) -> None:
        """Wake the thread that has waited longest for this key. Call with the lock held."""
        waiters = self._waiters.get(key)
        if waiters:
            waiters.pop(0).release()
        if not waiters:
            self._waiters.pop(key, None)

    def _forget(self, key: Key, waiter: Any) -> None:
        """Remove a thread that gave up waiting; if it was woken already, wake the next one instead."""
        with self._lock:
            waiters = self._waiters.get(key, [])
            if waiter in waiters:
                waiters.remove(waiter)
            else:
                self._wake(key)
