"""Follow redirects, with the cookies that they set. Pure.

In: a request and its response. Out: the next Request, or None if the response is final. The guard decides whether the
next URL may be fetched. A Chain remembers one fetch: the URLs visited and the cookies. Cookies are needed because some
sites set one and redirect to see it come back. They live as long as the chain, and are sent only to the host that set
them or to its domain. Public suffixes are not known here. So a site may set a cookie for .co.uk, and other
hosts below co.uk get it if the chain leads to them. Nothing of the user's is in it.

Spec: RFC 9110 section 15.4 (redirects); RFC 6265 sections 4.1, 5.1.3 and 5.2 (cookies), without Path, and with Expires
only where it removes a cookie.
Tests: tests/net/test_redirects.py
"""

from __future__ import annotations

from webtool import urls
from webtool.errors import HttpError, InvalidUrl, NetworkError, WebtoolError
from webtool.lean import dates
from webtool.lean.records import NamedTuple
from webtool.net.messages import Headers, Malformed, Request, Response
from webtool.urls import Url, hosts

FOLLOWED = frozenset((301, 302, 303, 307, 308))  # statuses whose Location is followed
_CONDITIONAL = frozenset(("if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range"))
_BODY_FIELDS = frozenset(("content-type", "content-encoding", "content-language", "content-location"))
# Fields sent to another origin too; all others may be secrets (credentials, cookies, keys) for the first origin only.
_HARMLESS = frozenset(("accept", "accept-language", "user-agent", "range"))
_MAX_EPOCH = 7 * 86400.0  # seconds; servers write a time near 0 to remove a cookie
_MAX_COOKIES = 50  # of one chain; further ones are ignored
_MAX_COOKIE_LENGTH = 4096  # characters of name and value; a longer cookie is ignored


class RedirectError(NetworkError):
    """The chain of redirects is too long or circular. Reported as a NetworkError."""

    retryable = False


def next_request(request: Request, response: Response) -> Request | None:
    """Return a redirect's request, None for a final response. Raises HttpError, NetworkError, InvalidUrl."""
    if response.status in (305, 306):
        raise HttpError(
            f"HTTP {response.status}, a redirect to a proxy, which is not followed",
            hint="The site must change this. Look for the same text elsewhere.",
            status_code=response.status,
        )
    if response.status == 304 and not any(name.lower() in _CONDITIONAL for name, _ in request.headers):
        raise Malformed("HTTP 304 (not modified), although the request was not conditional")
    if response.status not in FOLLOWED:
        return None
    location = (response.headers.get("location") or "").strip()
    if not location:
        hint = "The site is broken here. Open its start page, or search for the title of the page."
        raise HttpError(f"HTTP {response.status}, a redirect without a target", hint=hint, status_code=response.status)
    return _redirected(request, response.status, target(request.url, location).without_fragment)


def target(base: str, location: str) -> urls.Url:
    """Resolve a Location. Servers send UTF-8 in it, which the header parser has decoded as Latin-1."""
    try:
        location = location.encode("latin-1").decode("utf-8")
    except UnicodeError:
        pass
    url = urls.parse(location, base)
    if url.scheme not in ("http", "https"):
        raise InvalidUrl(
            f"{urls.shortened(url.href)!r} has the scheme {url.scheme[:20]}; only http and https are fetched",
            hint="The page leads to an application. Look for another source.",
        )
    return url


def _redirected(request: Request, status: int, url: str) -> Request:
    """Return the request for another URL: without conditional fields, and on another origin without secrets."""
    method, body = request.method, request.body
    headers = tuple(pair for pair in request.headers if pair[0].lower() not in _CONDITIONAL)
    # Sections 15.4.2 to 15.4.4: 303 is retrieved with GET; for 301 and 302 a POST becomes a GET, as all browsers do.
    if (status == 303 and method != "HEAD") or (status in (301, 302) and method == "POST"):
        method, body = "GET", b""
        headers = tuple(pair for pair in headers if pair[0].lower() not in _BODY_FIELDS)
    if urls.parse(request.url).origin != urls.parse(url).origin:
        headers = tuple(pair for pair in headers if pair[0].lower() in _HARMLESS)
    return Request(url, method, headers, body)


class Chain:
    """The redirects of one fetch: URLs, their statuses and fields, and cookies."""

    def __init__(self, max_redirects: int) -> None:
        self.visited: list[str] = []  # URLs that redirected
        self.hops: list[tuple[int, Headers]] = []  # status and fields of each
        self.cookies = Cookies()
        self._max_redirects = max_redirects

    def follow(self, request: Request, url: urls.Url, response: Response) -> Request | None:
        """Return the next request, None for a final response. Raises as next_request(), and RedirectError."""
        try:
            following = next_request(request, response)
            if following is not None:
                self.cookies.store(url, response.headers)
                self.visited.append(url.without_fragment)
                self.hops.append((response.status, response.headers))
                self._check(following)
        except WebtoolError as error:
            error.url = urls.redact(url.without_fragment)
            if isinstance(error, InvalidUrl):
                error.rephrase(
                    f"{urls.shortened(error.url)} redirects to a URL that cannot be fetched: {error.message}"
                )
            raise
        return following

    def name_redirect(self, error: WebtoolError, text: str) -> None:
        """Add to the error of a forbidden URL the page that redirects to it."""
        error.url = urls.redact(text)
        if self.visited:
            error.rephrase(f"{urls.shortened(self.visited[-1])} redirects to {urls.shortened(text)}: {error.message}")

    def _check(self, following: Request) -> None:
        """Raise if the chain is too long or circular. With cookies, one return to a URL is allowed."""
        shown = urls.shortened(following.url)
        if len(self.visited) > self._max_redirects:
            plural = "" if self._max_redirects == 1 else "s"
            raise RedirectError(
                f"more than {self._max_redirects} redirect{plural}; the next one leads to {shown}",
                hint="Open that address itself, or raise the setting max_redirects. The site may want cookies or a "
                "login.",
            )
        allowed_returns = 1 if self.cookies else 0
        if self.visited.count(following.url) > allowed_returns and following.method == "GET":
            hint = "The site may want cookies or a login, which the hosts file can give. Or look for another source."
            raise RedirectError(f"the redirects go in a circle, back to {shown}", hint=hint)


class _Cookie(NamedTuple):
    value: str
    needs_tls: bool


class Cookies:
    """Cookies by domain and name. A domain with a leading dot includes the hosts below it."""

    def __init__(self) -> None:
        self._cookies: dict[tuple[str, str], _Cookie] = {}

    def __bool__(self) -> bool:
        return bool(self._cookies)

    def store(self, url: Url, headers: Headers) -> None:
        """Store the cookies that a response sets; malformed or too long ones are ignored."""
        for field in headers.get_all("set-cookie"):
            pair, _, rest = field.partition(";")
            name, equals, value = map(str.strip, pair.partition("="))
            if not equals or not name or len(pair) > _MAX_COOKIE_LENGTH or not pair.isascii() or not pair.isprintable():
                continue
            words = (word.partition("=") for word in rest.split(";"))
            attributes = {name.strip().lower(): value.strip() for name, _, value in words}
            domain = _domain(url.host or "", attributes.get("domain", ""))
            if _is_removal(attributes, headers.get("date")):
                self._cookies.pop((domain, name), None)
            elif domain and (len(self._cookies) < _MAX_COOKIES or (domain, name) in self._cookies):
                self._cookies[domain, name] = _Cookie(value, "secure" in attributes)

    def header(self, url: Url) -> str:
        """Return the value of the Cookie field for a URL, "" without cookies."""
        is_secure = url.scheme == "https"
        host = url.host or ""
        return "; ".join(
            f"{name}={cookie.value}"
            for (domain, name), cookie in self._cookies.items()
            if (is_secure or not cookie.needs_tls) and _covers(domain, host)
        )


def _is_removal(attributes: dict[str, str], sent: str | None) -> bool:
    """Return whether a cookie ends before the response was sent, by Max-Age, else by Expires: `Thu, 01 Jan 1970 ...`.

    Without a Date field, only dates in the first days of 1970 are known to be past.
    """
    age = attributes.get("max-age", "")
    if age.removeprefix("-").isdigit():
        return age.startswith("-") or not age.strip("0")
    now = dates.from_http(sent, 0.0) or _MAX_EPOCH
    expires = attributes.get("expires", "")
    ends = [dates.from_http(text, now) for text in (expires, expires.replace("-", " "))]  # "Thu, 01-Jan-1970 ..."
    return any(end is not None and end <= now for end in ends)


def _domain(host: str, domain: str) -> str:
    """Return a cookie's domain: the host, `.domain` with hosts below it, "" if rejected (such as one without a dot)."""
    domain = domain.lower().removeprefix(".")
    if not domain:
        return host
    if "." not in domain or hosts.parse_address(host) is not None:
        return host if domain == host else ""
    return f".{domain}" if _covers(f".{domain}", host) else ""


def _covers(domain: str, host: str) -> bool:
    return f".{host}".endswith(domain) if domain.startswith(".") else host == domain
