"""Through a proxy: connect to it, and for https ask it for a tunnel (CONNECT).

In: URL, Proxy. Out: a socket over which the request is sent. The proxy itself may be on a private address, as whoever
runs webtool named it; the target was checked before. Spec: RFC 9110 section 9.3.6.
"""

from __future__ import annotations

from webtool import hosts
from webtool.errors import NetworkError
from webtool.net import exchange
from webtool.net.transfer import receive, send

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable

    from webtool import urls
    from webtool.net.dial import Network
    from webtool.net.pool import Socket
    from webtool.net.proxies import Proxy
    from webtool.net.watch import Watch

_WAITING = "no answer from the proxy"


def connect(network: Network, url: urls.Url, proxy: Proxy, context: ssl.SSLContext | None, watch: Watch) -> Socket:
    """A connection that leads to the URL's origin. `context` is needed where either end speaks TLS."""
    literal = hosts.parse_address(proxy.host)
    if literal is not None:
        addresses = [literal]
    else:
        parsed = map(hosts.parse_address, network.resolve(proxy.host, proxy.port, watch))
        addresses = [address for address in parsed if address is not None]
    plain = network.connect(addresses, proxy.port, watch)
    if context is None:
        return plain
    from webtool.net import tls

    if proxy.scheme == "https":
        outer = tls.wrap(plain, proxy.host, context, watch)
        if url.scheme == "http":
            return outer
        return _closing_on_error(outer, lambda: _tls_in_tls(outer, url, proxy, context, watch))
    _closing_on_error(plain, lambda: _ask(plain, url, proxy, watch))
    return tls.wrap(plain, url.host or "", context, watch)


def _tls_in_tls(outer: ssl.SSLSocket, url: urls.Url, proxy: Proxy, context: ssl.SSLContext, watch: Watch) -> Socket:
    from webtool.net import tls

    _ask(outer, url, proxy, watch)
    return tls.Tunnel(outer, url.host or "", context, watch)


def _closing_on_error(connection: Socket, action: Callable[[], Socket]) -> Socket:
    try:
        return action()
    except BaseException:
        connection.close()
        raise


def _ask(connection: Socket, url: urls.Url, proxy: Proxy, watch: Watch) -> Socket:
    authority = f"{url.host}:{url.effective_port}"
    fields = [("Host", authority)]
    if proxy.authorization:
        fields.append(("Proxy-Authorization", proxy.authorization))
    reader = exchange.ResponseReader("CONNECT")
    try:
        send(connection, exchange.request_bytes("CONNECT", authority, fields), watch)
        status = _status(connection, reader, watch)
    except OSError as exc:
        raise NetworkError(f"Failed to fetch URL: the proxy {proxy.host} ended the connection") from exc
    if not 200 <= status < 300:
        raise _refused(status, proxy)
    return connection


def _status(connection: Socket, reader: exchange.ResponseReader, watch: Watch) -> int:
    while True:
        data = receive(connection, watch, _WAITING)
        if not data:
            raise NetworkError("Failed to fetch URL: the proxy closed the connection without an answer")
        for event in reader.feed(data):
            if isinstance(event, exchange.Head):
                return event.status


def _refused(status: int, proxy: Proxy) -> NetworkError:
    hints = {
        407: "Put user and password into the proxy variable: http://user:password@host:port.",
        403: "The proxy's rules forbid this host; only whoever runs the proxy can change that.",
    }
    return NetworkError(
        f"Failed to fetch URL: the proxy {proxy.host} refused the tunnel with HTTP {status}",
        hint=hints.get(status, "Look at the proxy, or unset the proxy variable."),
        retryable=status in (429, 500, 502, 503, 504),
    )
