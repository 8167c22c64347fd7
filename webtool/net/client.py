"""The guarded HTTP client, the only place that opens sockets. In: Request, deadline, bounds. Out: Response or error.

Every hop is checked by the guard, resolved once, and dialled at an address that was checked; every wait ends by the
deadline; every buffer has a bound. Statuses of 400 and above are responses: webtool.net.statuses makes errors of them.
The decisions live in guard, exchange, decode, redirects, proxies and retries, all pure; this module joins them.
"""

from __future__ import annotations

import _socket
import time

from webtool import hosts, urls
from webtool.errors import FetchTimeout, FetchTooLarge, NetworkError, WebtoolError
from webtool.net import exchange, identity, proxies, redirects
from webtool.net.cookies import Cookies
from webtool.net.decode import BodyDecoder
from webtool.net.dial import Network, describe
from webtool.net.guard import Guard
from webtool.net.messages import Headers, Request, Response
from webtool.net.pool import Pool
from webtool.net.retries import retry_delay
from webtool.net.transfer import receive, send
from webtool.net.watch import Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Mapping

    from webtool.net.pool import Socket
    from webtool.settings import Settings

_IDEMPOTENT = frozenset(("GET", "HEAD"))
_PINNED_SECONDS = (
    30.0  # robots.txt and page, or the pages of a batch, share one look-up; no answer can change meanwhile
)
_MAX_PINNED = 256
_PROXY_LOOKUP = 1.0  # seconds for the resolver to say whether a name that a proxy will resolve is a private one


class _Died(Exception):
    """The connection ended before any byte of the answer: it may be tried once more."""

    def __init__(self, error: NetworkError) -> None:
        super().__init__(error.message)
        self.error = error


class _Limits:
    """The bounds of one fetch."""

    def __init__(self, watch: Watch, max_bytes: int, cut: bool) -> None:
        self.watch = watch
        self.max_bytes = max_bytes
        self.cut = cut


class Client:
    """Fetches URLs under one set of settings. Thread-safe; connections are kept alive and shared between threads."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], network: Network | None = None) -> None:
        self._settings = settings
        self._environ = environ
        self._network = network or Network()
        self._guard = Guard(settings)
        self._pool = Pool()
        self._base_headers = identity.base_headers(settings)
        self._host_headers = identity.HostHeaders(settings, environ)
        self._context: ssl.SSLContext | None = None
        self._has_silent_resolver = False
        self._pinned: dict[str, tuple[list[hosts.Address], float]] = {}
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
        limits = _Limits(watch, self._settings.max_bytes if max_bytes is None else max_bytes, cut)
        most = self._settings.max_redirects if max_redirects is None else max_redirects
        visited: list[str] = []
        cookies = Cookies()
        while True:
            url = self._guard.check_url(request.url)
            if check_hop is not None:
                check_hop(url.without_fragment)
            response = self._with_retries(request, url, cookies, limits)
            following = redirects.next_request(request, response)
            if following is None:
                elapsed = int((time.monotonic() - begun) * 1000)
                return response._replace(redirects=tuple(visited), elapsed_ms=elapsed)
            cookies.store(url, response.headers)
            visited.append(url.without_fragment)
            _check_chain(following, visited, most, cookies)
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

    def _with_retries(self, request: Request, url: urls.Url, cookies: Cookies, limits: _Limits) -> Response:
        """One hop: tried again once where the connection died silently, or the server asks to come back shortly."""
        is_repeatable = request.method in _IDEMPOTENT
        try:
            response = self._hop(request, url, cookies, limits)
        except _Died as died:
            if not is_repeatable:
                raise died.error from died
            response = self._last_try(request, url, cookies, limits)
        left = limits.watch.remaining("no time left after an answer")
        delay = retry_delay(response.status, response.headers, left) if is_repeatable else None
        if delay is None:
            return response
        limits.watch.sleep(delay, "the server asked to come back later")
        return self._last_try(request, url, cookies, limits)

    def _last_try(self, request: Request, url: urls.Url, cookies: Cookies, limits: _Limits) -> Response:
        try:
            return self._hop(request, url, cookies, limits)
        except _Died as died:
            raise died.error from died

    def _hop(self, request: Request, url: urls.Url, cookies: Cookies, limits: _Limits) -> Response:
        """Send one request over a pooled or new connection and read its answer."""
        proxy = proxies.choose(url, self._environ)
        key = (url.scheme, url.host, url.effective_port, proxy)
        connection = self._pool.take(key, limits.watch)
        kept = None
        try:
            if connection is None:
                connection = self._open(url, proxy, limits.watch)
            response, is_reusable = self._exchange(
                connection, self._message(request, url, proxy, cookies), request, url, limits
            )
            kept = connection if is_reusable else None
            return response
        except (WebtoolError, _Died) as exc:
            error = exc.error if isinstance(exc, _Died) else exc
            error.url = error.url or urls.redact(url.without_fragment)
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
        return exchange.request_bytes(request.method, target, pairs, request.body)

    def _open(self, url: urls.Url, proxy: proxies.Proxy | None, watch: Watch) -> Socket:
        """A new connection to the origin, or to the proxy and through it."""
        host = url.host or ""
        if proxy is None:
            connection = self._connected(url, watch)
            return self._encrypted(connection, host, watch) if url.scheme == "https" else connection
        from webtool.net import tunnel

        self._check_proxied(url, watch)
        context = self.tls_context() if "https" in (url.scheme, proxy.scheme) else None
        return tunnel.connect(self._network, url, proxy, context, watch)

    def _connected(self, url: urls.Url, watch: Watch) -> _socket.socket:
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

    def _check_proxied(self, url: urls.Url, watch: Watch) -> None:
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

    def _encrypted(self, connection: _socket.socket, host: str, watch: Watch) -> ssl.SSLSocket:
        from webtool.net import tls

        try:
            return tls.wrap(connection, host, self.tls_context(), watch)
        except BaseException:
            connection.close()
            raise

    def tls_context(self) -> ssl.SSLContext:
        """The one context of this client. Raises TlsError where the settings name unusable certificates."""
        if self._context is None:
            from webtool.net import tls

            self._context = tls.make_context(self._environ, self._settings.tls_relaxed)
        return self._context

    def _exchange(
        self, connection: Socket, message: bytes, request: Request, url: urls.Url, limits: _Limits
    ) -> tuple[Response, bool]:
        """Send and receive; the second value says whether the connection may be used again."""
        reader = exchange.ResponseReader(request.method)
        try:
            send(connection, message, limits.watch)
            return _read(connection, reader, url, limits)
        except OSError as exc:
            error = NetworkError(f"Failed to fetch URL: {describe(exc)}")
            if not reader.has_begun:
                raise _Died(error) from exc
            raise error from exc
        except NetworkError as exc:
            if not reader.has_begun:
                raise _Died(exc) from exc
            raise


def _check_chain(following: Request, visited: list[str], most: int, cookies: Cookies) -> None:
    if len(visited) > most:
        raise redirects.RedirectError(
            f"Failed to fetch URL: more than {most} redirects",
            hint="The site may want cookies or a login. The setting max_redirects allows more.",
        )
    if visited.count(following.url) > (1 if cookies else 0) and following.method == "GET":
        raise redirects.RedirectError(
            "Failed to fetch URL: the redirects go in a circle", hint="The site may want cookies or a login."
        )


def _read(connection: Socket, reader: exchange.ResponseReader, url: urls.Url, limits: _Limits) -> tuple[Response, bool]:
    head: exchange.Head | None = None
    body: _Body | None = None
    is_ragged = False
    doing = "no answer from the server"
    while True:
        data, is_ragged = _receive(connection, reader, limits.watch, doing)
        events = reader.feed(data) if data else iter((reader.eof(),))
        for event in events:
            if isinstance(event, exchange.Head):
                head, doing = event, "the body did not end"
                body = _Body(event.headers, limits)
            elif isinstance(event, exchange.Data):
                assert body is not None
                if body.add(event.data):
                    continue
                return _response(url, head, body, is_cut=True), False
            else:
                assert body is not None
                body.finish()
                return _response(url, head, body, is_ragged), event.keeps_alive
        if reader.has_begun and head is None:
            doing = "the headers did not end"


def _receive(connection: Socket, reader: exchange.ResponseReader, watch: Watch, doing: str) -> tuple[bytes, bool]:
    """Bytes, and whether TLS ended without saying so, which only matters where that end is the body's end."""
    try:
        return receive(connection, watch, doing), False
    except OSError as exc:
        if reader.is_close_delimited and hasattr(connection, "do_handshake"):
            from webtool.net import tls

            if tls.is_ragged_end(exc):
                return b"", True
        raise


def _response(url: urls.Url, head: exchange.Head | None, body: _Body, is_cut: bool) -> Response:
    assert head is not None
    is_partial = head.status == 206
    return Response(
        url.without_fragment, head.status, head.reason, head.headers, body.joined(), truncated=is_cut or is_partial
    )


class _Body:
    """The decoded body as it grows, under the limits."""

    def __init__(self, headers: Headers, limits: _Limits) -> None:
        codings = [word for value in headers.get_all("content-encoding") for word in value.split(",")]
        transfer = [name for name in exchange.transfer_codings(headers) if name != "chunked"]
        self._decoder = BodyDecoder(codings + transfer)
        self._limits = limits
        self._pieces: list[bytes] = []
        self._size = 0
        if not self._decoder.names and not limits.cut and not transfer:
            length = exchange.content_length(headers) if "transfer-encoding" not in headers else None
            if length is not None and length > limits.max_bytes:
                raise self._too_large(f"{length} bytes")

    def add(self, data: bytes) -> bool:
        """Decode and keep; False where the limit is reached and the rest is not wanted. Raises FetchTooLarge."""
        for piece in self._decoder.push(data):
            self._limits.watch.remaining("the body did not end")
            self._pieces.append(piece)
            self._size += len(piece)
            if self._size > self._limits.max_bytes:
                if not self._limits.cut:
                    raise self._too_large("more bytes than that")
                return False
        return True

    def _too_large(self, size: str) -> FetchTooLarge:
        return FetchTooLarge(
            f"Failed to fetch URL: the body has {size}; the limit is {self._limits.max_bytes} bytes after decoding",
            hint="Ask for a smaller page, or raise max_bytes.",
        )

    def finish(self) -> None:
        """Raises NetworkError where a coding's stream is not complete."""
        self._decoder.finish()

    def joined(self) -> bytes:
        """The body, at most max_bytes of it."""
        body = b"".join(self._pieces)
        return body if len(body) <= self._limits.max_bytes else body[: self._limits.max_bytes]
