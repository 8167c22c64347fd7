"""One request and its response, over a pooled or a new connection. In: Request, its URL, bounds. Out: Response.

The guard is asked for each address before it is dialled. Redirects and retries are the business of webtool.net.client.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool import urls
from webtool.errors import WebtoolError
from webtool.net import heads, identity, proxies
from webtool.net.cookies import Cookies
from webtool.net.dial import Network
from webtool.net.guard import Guard
from webtool.net.messages import CutShort, Request, Response
from webtool.net.pool import Pool, Socket
from webtool.net.receiving import ConnectionLost, Limits, send_and_receive
from webtool.net.route import Connector
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
        self._base_headers = identity.base_headers(settings)
        self._host_headers = identity.HostHeaders(settings, environ)
        self.recorder: Recorder | None = None
        """What keeps all that goes over the wire; None keeps nothing."""

    def widen(self, count: int) -> None:
        """Let that many connections be open to one origin, if that is more than usual."""
        self._pool.per_origin = max(self._pool.per_origin, count)

    def close(self) -> None:
        """Close all idle connections."""
        self._pool.close()
        if self.recorder is not None:
            self.recorder.close()

    def send(
        self, request: Request, url: urls.Url, cookies: Cookies, limits: Limits, is_second: bool = False
    ) -> Response:
        """One request, sent again once where a kept connection died before it was used and the method allows it."""
        try:
            return self._hop(request, url, cookies, limits)
        except ConnectionLost as lost:
            if is_second or request.method not in IDEMPOTENT:
                raise lost.error from lost
        return self.send(request, url, cookies, limits, is_second=True)

    def _hop(self, request: Request, url: urls.Url, cookies: Cookies, limits: Limits) -> Response:
        """Send one request over a pooled or new connection and read its answer."""
        proxy = proxies.choose(url, self._environ)
        key = (url.scheme, url.host, url.effective_port, proxy)
        connection = self._pool.take(key, limits.watch)
        was_idle, kept = connection is not None, None
        try:
            if connection is None:
                connection = self._connector.open(url, proxy, limits.watch)
            message = self._message(request, url, proxy, cookies)
            response, is_reusable = self._exchange(connection, message, request.method, url, limits)
            if was_idle and response.status == 408:  # RFC 9110 section 15.5.9: said to the idle connection, not to us
                raise ConnectionLost(CutShort("the server closed the kept connection (HTTP 408)"))
            kept = connection if is_reusable else None
            return response._replace(proxy=proxy.shown) if proxy is not None and url.scheme == "http" else response
        except (WebtoolError, ConnectionLost) as exc:
            error = exc.error if isinstance(exc, ConnectionLost) else exc
            error.url = error.url or urls.redact(url.without_fragment)
            if proxy is not None:
                proxies.name_proxy(error, proxy)
            raise
        finally:
            if connection is not None and kept is None:
                connection.close()
            self._pool.give(key, kept)

    def _exchange(
        self, connection: Socket, message: bytes, method: str, url: urls.Url, limits: Limits
    ) -> tuple[Response, bool]:
        """send_and_receive(), with the recorder listening where there is one."""
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
