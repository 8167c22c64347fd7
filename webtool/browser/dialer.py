"""The browser's connections under the same rules as ours. In: scheme, host, port, deadline. Out: a connected Route.

Every host goes through the guard, is resolved here and dialled at the address that was checked. Where the environment
names an upstream proxy, the name is checked as far as it can be and the proxy resolves it, as for a plain fetch.
"""

from __future__ import annotations

import socket

from webtool.errors import NetworkError
from webtool.lean.records import NamedTuple
from webtool.net import proxies
from webtool.net.dial import Network
from webtool.net.guard import Guard
from webtool.net.watch import Watch
from webtool.urls import hosts

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket
    from collections.abc import Mapping

    from webtool import urls
    from webtool.settings import Settings

MAX_PROXY_HEAD = 65536


class Route(NamedTuple):
    """A connection towards a host. `upstream` is the proxy that still expects absolute-form requests, if any."""

    connection: _socket.socket
    upstream: proxies.Proxy | None = None


class Dialer:
    """Connects under one set of settings; safe from many threads."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], network: Network | None = None) -> None:
        self._guard = Guard(settings)
        self._environ = environ
        self._network = network or Network()

    def __call__(self, scheme: str, host: str, port: int, deadline: float) -> Route:
        """A connection to scheme://host:port. Raises InvalidUrl, SsrfBlocked, NetworkError, FetchTimeout."""
        authority = f"[{host}]" if ":" in host else host
        url = self._guard.check_url(f"{scheme}://{authority}:{port}/")
        watch = Watch(deadline)
        upstream = proxies.choose(url, self._environ)
        if upstream is None:
            return Route(self._direct(url, watch))
        self._guard.check_proxied_name(url.host or "")
        connection = self._to_proxy(upstream, watch)
        if scheme == "http":
            return Route(connection, upstream)
        try:
            _ask_for_tunnel(connection, f"{url.host}:{url.effective_port}", upstream, watch)
        except BaseException:
            connection.close()
            raise
        return Route(connection)

    def _direct(self, url: urls.Url, watch: Watch) -> _socket.socket:
        host, port = url.host or "", url.effective_port
        address = hosts.parse_address(host)
        answers = [str(address)] if address is not None else self._network.resolve(host, port, watch)
        return self._network.connect(self._guard.check_answers(host, answers), port, watch)

    def _to_proxy(self, proxy: proxies.Proxy, watch: Watch) -> _socket.socket:
        """The operator of webtool named the proxy, so it may be private."""
        if proxy.scheme != "http":
            raise NetworkError(
                "Rendered pages cannot go through an https:// proxy",
                hint="Name the proxy with http:// in https_proxy and http_proxy.",
                retryable=False,
            )
        address = hosts.parse_address(proxy.host)
        answers = [str(address)] if address is not None else self._network.resolve(proxy.host, proxy.port, watch)
        addresses = [found for found in map(hosts.parse_address, answers) if found is not None]
        return self._network.connect(addresses, proxy.port, watch)


def proxy_fields(proxy: proxies.Proxy) -> bytes:
    """The header fields that the upstream proxy itself is to see."""
    return f"Proxy-Authorization: {proxy.authorization}\r\n".encode() if proxy.authorization else b""


def _ask_for_tunnel(connection: _socket.socket, authority: str, proxy: proxies.Proxy, watch: Watch) -> None:
    """RFC 9110 section 9.3.6: any 2xx answer makes the connection a tunnel."""
    doing = "no answer from the proxy"
    head = f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n".encode() + proxy_fields(proxy) + b"\r\n"
    answer = b""
    try:
        connection.settimeout(watch.remaining(doing))
        connection.sendall(head)
        while b"\r\n\r\n" not in answer and len(answer) < MAX_PROXY_HEAD:
            connection.settimeout(watch.remaining(doing))
            # A byte at a time would be slow and more would take the tunnel's first bytes; those are ours to begin.
            chunk = connection.recv(4096)
            if not chunk:
                break
            answer += chunk
    except socket.timeout:
        watch.remaining(doing)
        raise NetworkError(f"{doing}") from None
    except OSError as exc:
        raise NetworkError(f"the proxy ended the connection ({exc.strerror})") from exc
    status = answer.partition(b"\r\n")[0].split(b" ")[1:2]
    if not status or not status[0].startswith(b"2"):
        shown = status[0].decode("ascii", "replace")[:3] if status else "nothing"
        raise NetworkError(f"the proxy answered {shown} to CONNECT", retryable=False)
