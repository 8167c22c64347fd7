"""Fetch URLs over HTTP under the guard's rules. In: Request, deadline, bounds. Out: Response, or an error.

Hops sends one request over a pooled or new connection. Client joins hops to a fetch: it follows redirects and retries
once. Words used here: a hop is one request with its response; an endpoint is a server named in the user's settings,
such as a search API.

The guard checks the URL of every hop and every address that it resolves to; only checked addresses are dialled. Every
wait ends by the deadline, and every buffer has a limit. A status of 400 or above is a response: webtool.net.statuses
turns it into an error. The pure decisions are in guard, exchange, decode, redirects and proxies.
Tests: tests/net/test_client.py
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from webtool import urls
from webtool.errors import Cancelled, WebtoolError
from webtool.net import messages, proxies, redirects, request_headers
from webtool.net.connector import Connector, Pool
from webtool.net.dial import Network, Socket, Watch
from webtool.net.guard import EndpointGuard, Guard
from webtool.net.messages import CutShort, Request, Response
from webtool.net.receiving import ConnectionLost, Limits, send_and_receive
from webtool.net.redirects import Cookies
from webtool.net.statuses import FAILED, UNANSWERED, retry_delay
from webtool.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.bulk.warc.recorder import Recorder

IDEMPOTENT = frozenset(("GET", "HEAD"))


class Hops:
    """Sends single requests under one guard. Thread-safe; connections are kept alive and shared between threads."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], network: Network | None, guard: Guard) -> None:
        self._settings = settings
        self._environ = environ
        self._network = network or Network()
        self._guard = guard
        self._connector = Connector(settings, environ, self._network, self._guard)
        self._pool = Pool()
        self._base_headers = request_headers.base_headers(settings)
        self._host_headers = request_headers.HostHeaders(settings, environ)
        self.recorder: Recorder | None = None  # writes every exchange to a WARC file

    def widen(self, count: int) -> None:
        """Raise the limit of open connections to one origin to `count`; never lowers it."""
        self._pool.per_origin = max(self._pool.per_origin, count)

    def close(self) -> None:
        """Close all idle connections and the recorder."""
        self._pool.close()
        if self.recorder is not None:
            self.recorder.close()

    def send(
        self, request: Request, url: urls.Url, cookies: Cookies, limits: Limits, is_second: bool = False
    ) -> Response:
        """Send one request; once more if the connection was lost before the first byte and the method is idempotent."""
        try:
            return self._hop(request, url, cookies, limits)
        except ConnectionLost as lost:
            if is_second or request.method not in IDEMPOTENT:
                raise lost.error from lost
        return self.send(request, url, cookies, limits, is_second=True)

    def _hop(self, request: Request, url: urls.Url, cookies: Cookies, limits: Limits) -> Response:
        """Send one request over a pooled or new connection and read its response."""
        proxy = proxies.choose(url, self._environ)
        key = (url.scheme, url.host, url.effective_port, proxy)
        connection = self._pool.take(key, limits.watch)
        was_idle = connection is not None
        reusable = None  # the connection, once it may carry a further request
        try:
            if connection is None:
                connection = self._connector.open(url, proxy, limits.watch)
            message = self._message(request, url, proxy, cookies)
            response, is_reusable = self._exchange(connection, message, request.method, url, limits)
            if was_idle and response.status == 408:  # RFC 9110 section 15.5.9: it closes the idle connection
                raise ConnectionLost(CutShort("the server closed the kept connection (HTTP 408)"))
            reusable = connection if is_reusable else None
            if proxy is not None and url.scheme == "http":
                return response._replace(proxy=proxy.shown)
            return response
        except (WebtoolError, ConnectionLost) as exc:
            error = exc.error if isinstance(exc, ConnectionLost) else exc
            error.url = error.url or urls.redact(url.without_fragment)
            if proxy is not None:
                proxies.name_proxy(error, proxy)
            raise
        finally:
            if connection is not None and reusable is None:
                connection.close()
            self._pool.give(key, reusable)

    def _exchange(
        self, connection: Socket, message: bytes, method: str, url: urls.Url, limits: Limits
    ) -> tuple[Response, bool]:
        """Send the message and receive the response, through a recorder's tap if there is a recorder."""
        if self.recorder is None:
            return send_and_receive(connection, message, method, url.without_fragment, limits)
        tap = self.recorder.tap(connection, url)
        try:
            response, is_reusable = send_and_receive(tap, message, method, url.without_fragment, limits)
        except (WebtoolError, ConnectionLost) as exc:
            tap.end(exc.error if isinstance(exc, ConnectionLost) else exc)
            raise
        tap.end(response)
        return response, is_reusable

    def _message(self, request: Request, url: urls.Url, proxy: proxies.Proxy | None, cookies: Cookies) -> bytes:
        """Return the request's bytes.

        Of equal names the last wins: webtool's own fields, the chain's cookies, the hosts file, the request. Cookies of
        the hosts file and of the chain are joined.
        """
        fields = {name.lower(): (name, value) for name, value in self._base_headers}
        chain_cookies = cookies.header(url)
        if chain_cookies:
            fields["cookie"] = ("Cookie", chain_cookies)
        for name, value in self._host_headers.for_url(url):
            if name.lower() == "cookie" and chain_cookies:
                value = f"{value}; {chain_cookies}"
            fields[name.lower()] = (name, value)
        for name, value in request.headers:
            fields[name.lower()] = (name, value)
        target = url.target
        if proxy is not None and url.scheme == "http":
            target = f"{url.origin}{url.target}"
            if proxy.authorization:
                fields["proxy-authorization"] = ("Proxy-Authorization", proxy.authorization)
        pairs = [("Host", url.netloc), *fields.values(), ("Connection", "keep-alive")]
        return messages.request_bytes(request.method, target, pairs, request.body)


_MAX_RESTING_HOSTS = 256  # hosts with a remembered Retry-After; when full, all are forgotten


class Client(Hops):
    """Fetches URLs under one set of settings. Thread-safe; connections are kept alive and shared between threads."""

    def __init__(
        self, settings: Settings, environ: Mapping[str, str], network: Network | None = None, guard: Guard | None = None
    ) -> None:
        super().__init__(settings, environ, network, guard or Guard(settings))
        self._endpoints: dict[str, Hops] = {}  # by origin
        self._resting_until: dict[str, float] = {}  # by host: monotonic time until which it asked us to wait

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
        """Return the final response: redirects followed, content codings removed.

        `deadline` is a reading of time.monotonic(). `max_bytes` counts decoded bytes; a longer body raises
        FetchTooLarge, or is cut there if `cut`. `check_hop` is called with each URL before it is dialled and may raise.
        Raises InvalidUrl, SsrfBlocked, NetworkError, TlsError, FetchTimeout, FetchTooLarge, Cancelled; and HttpError
        for a redirect without a usable target. Any other status of 400 or above is returned.
        """
        watch = Watch(deadline, is_cancelled)
        limits = Limits(watch, self._settings.max_bytes if max_bytes is None else max_bytes, cut)
        chain = redirects.Chain(self._settings.max_redirects if max_redirects is None else max_redirects)
        try:
            return self._follow(request, chain, limits, check_hop)
        except (*UNANSWERED, Cancelled) as error:
            if not error.message.startswith(FAILED):  # check_hop may have fetched robots.txt and failed
                error.rephrase(FAILED + error.message)
            raise

    def _follow(
        self, request: Request, chain: redirects.Chain, limits: Limits, check_hop: Callable[[str], None] | None
    ) -> Response:
        started_at = time.monotonic()
        while True:
            url = self._checked(request.url, chain, check_hop)
            response = self._with_retries(request, url, chain.cookies, limits)
            following = chain.follow(request, url, response)
            if following is None:
                elapsed = int((time.monotonic() - started_at) * 1000)
                visited, hops = tuple(chain.visited), tuple(chain.hops)
                return response._replace(redirects=visited, hops=hops, elapsed_ms=elapsed)
            request = following

    def ask(self, request: Request, *, deadline: float, is_cancelled: Callable[[], bool] | None = None) -> Response:
        """Return the first response, of any status, from an endpoint that the user's own settings name.

        The endpoint may have a private address. No redirect is followed, and its connections are not shared with
        fetch(), so that no page can reach a private address through them.
        """
        started_at = time.monotonic()
        limits = Limits(Watch(deadline, is_cancelled), self._settings.max_bytes, cut=False)
        url = urls.parse(request.url)
        urls.require_http(url)
        endpoint = self._endpoints.get(url.origin)
        if endpoint is None:
            hops = Hops(self._settings, self._environ, self._network, EndpointGuard(self._settings))
            endpoint = self._endpoints.setdefault(url.origin, hops)
        try:
            response = endpoint.send(request, url, Cookies(), limits)
        except WebtoolError as error:
            error.url = f"{url.origin}{url.path}"  # without the query, which may hold the user's key
            raise
        return response._replace(elapsed_ms=int((time.monotonic() - started_at) * 1000))

    def close(self) -> None:
        """Close all idle connections, those to endpoints too."""
        super().close()
        for endpoint in self._endpoints.values():
            endpoint.close()

    def _checked(self, text: str, chain: redirects.Chain, check_hop: Callable[[str], None] | None) -> urls.Url:
        """Parse a URL and check that it may be fetched; an error names the redirect that leads there."""
        try:
            url = self._guard.check_url(text)
        except WebtoolError as error:
            chain.name_redirect(error, text)
            raise
        if check_hop is not None:
            check_hop(url.without_fragment)
        return url

    def _with_retries(self, request: Request, url: urls.Url, cookies: Cookies, limits: Limits) -> Response:
        """Send one request; a second time if the server asks to come back shortly (429 or 503 with Retry-After)."""
        is_repeatable = request.method in IDEMPOTENT
        wait = self._resting_until.get(url.host or "", 0.0) - time.monotonic()
        if 0 < wait < limits.watch.deadline - time.monotonic() - 1:
            limits.watch.sleep(wait, "the time for which the server asked another request to wait did not pass")
        response = self.send(request, url, cookies, limits)
        left = limits.watch.deadline - time.monotonic()
        delay = retry_delay(response.status, response.headers, left) if is_repeatable else None
        if delay is None:
            return response
        if len(self._resting_until) >= _MAX_RESTING_HOSTS:
            self._resting_until.clear()
        self._resting_until[url.host or ""] = time.monotonic() + delay
        limits.watch.sleep(delay, "the time for which the server asked to wait did not pass")
        return self.send(request, url, cookies, limits, is_second=True)
