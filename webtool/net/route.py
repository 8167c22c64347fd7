"""A connection that leads to a URL's origin: resolve, check, dial, encrypt; directly or through a proxy.

In: a checked Url, the proxy for it, a Watch. Out: a socket to send the request over. Only addresses that the guard has
checked are dialled. An answer of the resolver holds for half a minute, so that it cannot change between two requests.
"""

from __future__ import annotations

import time

from webtool.errors import FetchTimeout, NetworkError, WebtoolError
from webtool.net.watch import Watch
from webtool.urls import hosts

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket
    import ssl
    from collections.abc import Mapping

    from webtool import urls
    from webtool.net.dial import Network
    from webtool.net.guard import Guard
    from webtool.net.pool import Socket
    from webtool.net.proxies import Proxy
    from webtool.settings import Settings

_PINNED_SECONDS = 30.0  # robots.txt and its page, or the pages of a batch, share one look-up
_MAX_PINNED = 256
_PROXY_LOOKUP = 1.0  # seconds for our resolver to say whether a name that a proxy will resolve is a private one


class Connector:
    """Opens connections under one set of settings; safe from many threads."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], network: Network, guard: Guard) -> None:
        self._settings = settings
        self._environ = environ
        self._network = network
        self._guard = guard
        self._context: ssl.SSLContext | None = None
        self._has_silent_resolver = False
        self._pinned: dict[str, tuple[list[hosts.Address], float]] = {}

    def open(self, url: urls.Url, proxy: Proxy | None, watch: Watch) -> Socket:
        """A new connection. Raises SsrfBlocked, NetworkError, TlsError, FetchTimeout, Cancelled."""
        if proxy is None:
            context = self._tls_context() if url.scheme == "https" else None
            connection = self.connected(url, watch)
            if context is None:
                return connection
            from webtool.net import tls

            return tls.wrap(connection, url.host or "", context, watch)
        from webtool.net import tunnel

        self.check_proxied(url, watch)
        context = self._tls_context() if "https" in (url.scheme, proxy.scheme) else None
        return tunnel.connect(self._network, url, proxy, context, watch)

    def connected(self, url: urls.Url, watch: Watch) -> _socket.socket:
        """A connection to the URL's own host, not encrypted."""
        try:
            return self._network.connect(self._addresses(url, watch), url.effective_port, watch)
        except WebtoolError:
            self._pinned.pop(url.host or "", None)
            raise

    def _addresses(self, url: urls.Url, watch: Watch) -> list[hosts.Address]:
        host = url.host or ""
        literal = hosts.parse_address(host)
        if literal is not None:
            return [literal]  # the guard has judged it with the URL
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
        """The proxy resolves the name; where our resolver knows it too, its answers must be public."""
        host = url.host or ""
        self._guard.check_proxied_name(host)
        if hosts.parse_address(host) is not None or self._has_silent_resolver:
            return
        short = Watch(min(watch.deadline, time.monotonic() + _PROXY_LOOKUP), watch.is_cancelled)
        try:
            answers = self._network.resolve(host, url.effective_port, short)
        except NetworkError:
            return
        except FetchTimeout:
            self._has_silent_resolver = True  # behind some proxies no name ever resolves: do not wait each time
            return
        self._guard.check_answers(host, answers)

    def _tls_context(self) -> ssl.SSLContext:
        """The one context of this client. Raises TlsError where the settings name unusable certificates."""
        if self._context is None:
            from webtool.net import tls

            self._context = tls.make_context(self._environ, self._settings.tls_relaxed)
        return self._context
