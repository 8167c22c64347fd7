"""Connect for the browser under the rules of plain fetches. In: scheme, host, port, deadline. Out: a connected Route.

The guard checks every host. The name is resolved here, and the address that was checked is dialled. If the
environment names an upstream proxy, that proxy resolves the name, and only the name itself can be checked.

Tests: tests/browser/test_proxy.py
"""

from __future__ import annotations

import _socket
from collections.abc import Mapping

from webtool.errors import NetworkError
from webtool.lean.records import NamedTuple
from webtool.net import connector, proxies
from webtool.net.connector import Connector
from webtool.net.dial import Network, Watch
from webtool.net.guard import Guard
from webtool.settings import Settings


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
            raise NetworkError(
                "Rendered pages cannot go through an https:// proxy",
                hint="Name the proxy with http:// in https_proxy and http_proxy.",
                retryable=False,
            )
        return self._network.connect(connector.resolve_proxy(self._network, proxy, watch), proxy.port, watch)


def proxy_fields(proxy: proxies.Proxy) -> bytes:
    """Return the header field that authorises us at the upstream proxy, or b""."""
    return f"Proxy-Authorization: {proxy.authorization}\r\n".encode() if proxy.authorization else b""
