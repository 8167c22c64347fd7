"""Through a proxy: connect to it, and for https ask it for a tunnel (CONNECT).

In: URL, Proxy. Out: a socket over which the request is sent. The proxy itself may be on a private address, as who
runs webtool named it; the target was checked before. Spec: RFC 9110 section 9.3.6.
"""

from __future__ import annotations

from webtool.errors import FetchTimeout, NetworkError
from webtool.net import exchange, heads, proxies
from webtool.net.messages import CutShort, Malformed
from webtool.net.receiving import receive, send
from webtool.urls import hosts

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl

    from webtool import urls
    from webtool.net.dial import Network
    from webtool.net.pool import Socket
    from webtool.net.proxies import Proxy
    from webtool.net.watch import Watch

_WAITING = "no answer from the proxy"
_NO_PROXY = "What listens there is not an HTTP proxy: the operator of webtool must correct or unset the variable."


def connect(network: Network, url: urls.Url, proxy: Proxy, context: ssl.SSLContext | None, watch: Watch) -> Socket:
    """A connection that leads to the URL's origin. `context` is needed where either end speaks TLS."""
    try:
        plain = network.connect(addresses_of(network, proxy, watch), proxy.port, watch)
    except (NetworkError, FetchTimeout) as error:
        proxies.unreachable(error, proxy, url.host or "")
        raise
    if context is None:
        return plain
    from webtool.net import tls

    outer = tls.wrap(plain, proxy.host, context, watch) if proxy.scheme == "https" else None
    try:
        if outer is None:
            ask(plain, url, proxy, watch)
            return tls.wrap(plain, url.host or "", context, watch)
        if url.scheme == "http":
            return outer
        ask(outer, url, proxy, watch)
        return tls.Tunnel(outer, url.host or "", context, watch)
    except BaseException:
        (outer or plain).close()
        raise


def addresses_of(network: Network, proxy: Proxy, watch: Watch) -> list[hosts.Address]:
    """Where the proxy itself is, public or not."""
    literal = hosts.parse_address(proxy.host)
    if literal is not None:
        return [literal]
    parsed = map(hosts.parse_address, network.resolve(proxy.host, proxy.port, watch))
    return [address for address in parsed if address is not None]


def ask(connection: Socket, url: urls.Url, proxy: Proxy, watch: Watch) -> None:
    """Make the connection a tunnel to the URL's origin: any 2xx answer makes it one."""
    authority = f"{url.host}:{url.effective_port}"
    fields = [("Host", authority)]
    if proxy.authorization:
        fields.append(("Proxy-Authorization", proxy.authorization))
    reader = exchange.ResponseReader("CONNECT")
    try:
        send(connection, heads.request_bytes("CONNECT", authority, fields), watch)
        status = _status(connection, reader, watch)
    except Malformed as error:
        error.rephrase(f"{proxy.shown} does not answer as one: {error.message}", _NO_PROXY)
        raise
    except OSError as exc:
        raise CutShort("the proxy ended the connection instead of opening the tunnel") from exc
    if not 200 <= status < 300:
        raise _refused(status, proxy)


def _status(connection: Socket, reader: exchange.ResponseReader, watch: Watch) -> int:
    while True:
        data = receive(connection, watch, _WAITING)
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
        hint=hints.get(status, f"The proxy cannot reach the host, or does not want to; {proxy.source} names it."),
        retryable=status in (429, 500, 502, 503, 504),
    )
