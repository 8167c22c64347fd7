"""Requests to endpoints that the user's own settings name: search providers. In: Request. Out: the first Response.

An endpoint may be on loopback or in a private network (a proxy, a SearXNG instance): the user who sets it means it. So
exactly its scheme, host and port pass, and nothing else does: no redirect is followed, and the connections are kept
apart from those of fetches, so that no page gets past the guard over one of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from webtool import urls
from webtool.errors import SsrfBlocked, WebtoolError
from webtool.net.cookies import Cookies
from webtool.net.dial import Network
from webtool.net.guard import Guard
from webtool.net.hops import Hops
from webtool.net.messages import Request, Response
from webtool.net.receiving import Limits
from webtool.net.watch import Watch
from webtool.settings import Settings
from webtool.urls import hosts


class EndpointGuard(Guard):
    """Lets one origin through, wherever it is, and no other."""

    def __init__(self, settings: Settings, origin: str) -> None:
        super().__init__(settings)
        self._origin = origin

    def check_url(self, text: str) -> urls.Url:
        """The parsed URL, if it belongs to the endpoint's origin. Raises InvalidUrl, SsrfBlocked."""
        url = urls.parse(text)
        urls.require_http(url)
        if url.origin != self._origin:
            raise SsrfBlocked(f"{url.host} is not the endpoint that the settings name")
        return url

    def check_address(self, address: hosts.Address, host: str) -> None:
        """Any address is the endpoint's own business."""

    def check_proxied_name(self, host: str) -> None:
        """Any name too."""


class EndpointClient(Hops):
    """A client for one origin."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], network: Network, origin: str) -> None:
        super().__init__(settings, environ, network, EndpointGuard(settings, origin))

    def ask(self, request: Request, *, deadline: float, is_cancelled: Callable[[], bool] | None = None) -> Response:
        """The first response, whatever its status; a connection that died unused is replaced once."""
        begun = time.monotonic()
        limits = Limits(Watch(deadline, is_cancelled), self._settings.max_bytes, cut=False)
        url = self._guard.check_url(request.url)
        try:
            response = self._send(request, url, Cookies(), limits)
        except WebtoolError as error:
            error.url = f"{url.origin}{url.path}"  # what was asked there is the user's, not a page's
            raise
        return response._replace(elapsed_ms=int((time.monotonic() - begun) * 1000))
