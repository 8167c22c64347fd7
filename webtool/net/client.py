"""The guarded HTTP client, the only place that opens sockets. In: Request, deadline, bounds. Out: Response or error.

Every hop is checked by the guard, resolved once, and dialled at an address that was checked; every wait ends by the
deadline; every buffer has a bound. Statuses of 400 and above are responses: webtool.net.statuses makes errors of them.
The decisions live in guard, exchange, decode, redirects, proxies and retries, all pure; this module joins them.
"""

from __future__ import annotations

import time

from webtool import urls
from webtool.errors import WebtoolError
from webtool.net import heads, identity, proxies, redirects
from webtool.net.broken import CutShort
from webtool.net.dial import Network
from webtool.net.guard import Guard
from webtool.net.pool import Pool
from webtool.net.receiving import Died, Limits, converse
from webtool.net.retries import retry_delay
from webtool.net.route import Router
from webtool.net.watch import Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from webtool.net.cookies import Cookies
    from webtool.net.messages import Request, Response
    from webtool.settings import Settings

IDEMPOTENT = frozenset(("GET", "HEAD"))


class Client:
    """Fetches URLs under one set of settings. Thread-safe; connections are kept alive and shared between threads."""

    def __init__(
        self,
        settings: Settings,
        environ: Mapping[str, str],
        network: Network | None = None,
        guard: Guard | None = None,
    ) -> None:
        self._settings = settings
        self._environ = environ
        self._network = network or Network()
        self._guard = guard or Guard(settings)
        self._router = Router(settings, environ, self._network, self._guard)
        self._pool = Pool()
        self._base_headers = identity.base_headers(settings)
        self._host_headers = identity.HostHeaders(settings, environ)
        self._endpoints: dict[str, Any] = {}  # EndpointClient by origin

    def fetch(
        self,
        request: Request,
        *,
        deadline: float,
        max_bytes: int | None = None,
        check_hop: Callable[[str], None] | None = None,
        is_cancelled: Callable[[], bool] | None = None,
        cut: bool = False,
        max_redirects: int | None = None,
    ) -> Response:
        """The final response, redirects followed, content codings undone.

        `deadline` is a reading of time.monotonic(); `max_bytes` counts after decoding, and with `cut` the body ends
        there instead of raising FetchTooLarge. `check_hop` is called with each URL before it is dialled and may raise.
        Raises InvalidUrl, SsrfBlocked, NetworkError, TlsError, FetchTimeout, FetchTooLarge, Cancelled, and HttpError
        only for redirects that lead nowhere.
        """
        begun = time.monotonic()
        watch = Watch(deadline, is_cancelled)
        limits = Limits(watch, self._settings.max_bytes if max_bytes is None else max_bytes, cut)
        most = self._settings.max_redirects if max_redirects is None else max_redirects
        chain = redirects.Chain(most)
        while True:
            url = self._checked(request.url, chain, check_hop)
            response = self._with_retries(request, url, chain.cookies, limits)
            following = chain.follow(request, url, response)
            if following is None:
                elapsed = int((time.monotonic() - begun) * 1000)
                visited, hops = tuple(chain.visited), tuple(chain.hops)
                return response._replace(redirects=visited, hops=hops, elapsed_ms=elapsed)
            request = following

    def ask(self, request: Request, *, deadline: float, is_cancelled: Callable[[], bool] | None = None) -> Response:
        """The first response of an endpoint that the user's own settings name, public or not: webtool.net.endpoints."""
        from webtool.net.endpoints import EndpointClient

        origin = urls.parse(request.url).origin
        if origin not in self._endpoints:
            self._endpoints.setdefault(origin, EndpointClient(self._settings, self._environ, self._network, origin))
        response: Response = self._endpoints[origin].ask(request, deadline=deadline, is_cancelled=is_cancelled)
        return response

    def close(self) -> None:
        """Close all idle connections."""
        self._pool.close()
        for endpoint in self._endpoints.values():
            endpoint.close()

    def _checked(self, text: str, chain: redirects.Chain, check_hop: Callable[[str], None] | None) -> urls.Url:
        """The parsed URL, if it may be fetched."""
        try:
            url = self._guard.check_url(text)
        except WebtoolError as error:
            chain.blame(error, text)
            raise
        if check_hop is not None:
            check_hop(url.without_fragment)
        return url

    def _with_retries(self, request: Request, url: urls.Url, cookies: Cookies, limits: Limits) -> Response:
        """One hop: tried again once where the connection died silently, or the server asks to come back shortly."""
        is_repeatable = request.method in IDEMPOTENT
        try:
            response = self._hop(request, url, cookies, limits)
        except Died as died:
            if not is_repeatable:
                raise died.error from died
            response = self._last_try(request, url, cookies, limits)
        left = limits.watch.deadline - time.monotonic()
        delay = retry_delay(response.status, response.headers, left) if is_repeatable else None
        if delay is None:
            return response
        limits.watch.sleep(delay, "the time for which the server asked to wait did not pass")
        return self._last_try(request, url, cookies, limits)

    def _last_try(self, request: Request, url: urls.Url, cookies: Cookies, limits: Limits) -> Response:
        try:
            return self._hop(request, url, cookies, limits)
        except Died as died:
            raise died.error from died

    def _hop(self, request: Request, url: urls.Url, cookies: Cookies, limits: Limits) -> Response:
        """Send one request over a pooled or new connection and read its answer."""
        proxy = proxies.choose(url, self._environ)
        key = (url.scheme, url.host, url.effective_port, proxy)
        connection = self._pool.take(key, limits.watch)
        was_idle, kept = connection is not None, None
        try:
            if connection is None:
                connection = self._router.open(url, proxy, limits.watch)
            message = self._message(request, url, proxy, cookies)
            response, is_reusable = converse(connection, message, request.method, url.without_fragment, limits)
            if was_idle and response.status == 408:  # RFC 9110 section 15.5.9: said to the idle connection, not to us
                raise Died(CutShort("Failed to fetch URL: the server closed the kept connection (HTTP 408)"))
            kept = connection if is_reusable else None
            return response
        except (WebtoolError, Died) as exc:
            error = exc.error if isinstance(exc, Died) else exc
            error.url = error.url or urls.redact(url.without_fragment)
            if proxy is not None:
                proxies.blame(error, proxy)
            raise
        finally:
            if connection is not None and kept is None:
                connection.close()
            self._pool.give(key, kept)

    def _message(self, request: Request, url: urls.Url, proxy: proxies.Proxy | None, cookies: Cookies) -> bytes:
        """The request's bytes: later headers win over earlier ones of the same name."""
        fields = {name.lower(): (name, value) for name, value in self._base_headers}
        own = cookies.header(url)
        if own:
            fields["cookie"] = ("Cookie", own)
        for name, value in self._host_headers.for_url(url):
            if name.lower() == "cookie" and own:
                value = f"{value}; {own}"
            fields[name.lower()] = (name, value)
        for name, value in request.headers:
            fields[name.lower()] = (name, value)
        target = url.target
        if proxy is not None and url.scheme == "http":
            target = f"{url.origin}{url.target}"
            if proxy.authorization:
                fields["proxy-authorization"] = ("Proxy-Authorization", proxy.authorization)
        pairs = [("Host", url.netloc), *fields.values(), ("Connection", "keep-alive")]
        return heads.request_bytes(request.method, target, pairs, request.body)
