"""Turn a response with an error status into an HttpError with a hint, and decide whether to retry. Pure.

In: Response. Out: HttpError; seconds to wait before the one retry, or None. A bot wall is a page that a protection
service (Cloudflare, DataDome ...) sends instead of the site's page. The table WALLS lists the headers and texts by
which each is recognised. Some challenge pages have status 200: these are recognised too, so that they are not returned
as the page. Spec: RFC 9110 sections 10.2.3 (Retry-After), 15.5 and 15.6, RFC 6585, RFC 7725.
Tests: tests/net/test_statuses.py
"""

from __future__ import annotations

from webtool import urls
from webtool.errors import FetchTimeout, FetchTooLarge, HttpError, NetworkError
from webtool.lean import dates
from webtool.lean.records import NamedTuple
from webtool.net.messages import Headers, Response

FAILED = "Failed to fetch URL: "  # begins the message of every fetch without a page; other errors get it in client.py
UNANSWERED = (NetworkError, FetchTimeout, FetchTooLarge, HttpError)  # errors of a fetch that the guard allowed
_OTHER_SOURCE = "Look for the same text elsewhere (a search, an archive, an API of the site)."
_HINTS = {
    400: "The server does not understand the request; check the URL's path and query.",
    401: "The page needs a login. Headers or netrc for this host can be given in the hosts file.",
    402: f"The page has a paywall. {_OTHER_SOURCE}",
    403: f"The server refuses this page to us; asking again will not help. {_OTHER_SOURCE}",
    404: "The server does not have this page. Check the URL, or search for the page's title.",
    405: "The server does not take GET here; the URL is probably not a page but an API's.",
    406: f"The server has no form of this page that we take. {_OTHER_SOURCE}",
    407: "The proxy wants credentials; the operator of webtool must put them into http_proxy: http://user:password@host.",
    408: "The server gave up waiting; try again.",
    410: "The page is gone for good. Look for a copy in an archive.",
    412: f"The server sets a condition that this request does not meet. {_OTHER_SOURCE}",
    414: "The URL is too long for the server; leave out what the page does not need.",
    421: "The server is not the one for this host; try the host with or without www, or https instead of http.",
    429: "Too many requests: wait before asking this site again.",
    451: f"Withheld for legal reasons. {_OTHER_SOURCE}",
    500: "The server failed; the same request may work later.",
    501: "The server cannot do this; asking again will not help.",
    502: "A gateway before the server failed; try again in a minute.",
    503: "The server is overloaded or down for maintenance; try again later.",
    504: "A gateway waited in vain for the server; try again in a minute.",
    511: "This network wants a login first: open any page in a browser and sign in there, then try again.",
}
# Hints for statuses that are not in _HINTS, by their first digit (RFC 9110 section 15).
_CLASS_HINTS = {
    4: f"The server refuses the request; asking again will not help. Check the URL. {_OTHER_SOURCE}",
    5: "The server failed; the same request may work later.",
}
_NO_STATUS = f"HTTP knows no such status; some sites keep programs out with one. {_OTHER_SOURCE}"
# Fields, and beginnings of the Server field, that mean that a proxy wrote the response itself.
_PROXY_FIELDS = ("x-squid-error", "proxy-agent", "proxy-authenticate")
_PROXIES = ("squid", "tinyproxy", "privoxy", "mitmproxy", "proxy.py", "polipo", "ccproxy")
_RETRYABLE = frozenset((408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529))
_MAX_SEARCHED = 32768  # bytes of the body searched for signs of a bot wall
_WALL_HINT = (
    "The site keeps programs out here; asking again will not help. Look for the same text elsewhere (a search, an "
    "archive, an API or feed of the site), or use rendered mode if it is enabled."
)


class Wall(NamedTuple):
    """The signs of one bot wall; any one of them is enough. Texts are compared in lower case."""

    name: str
    headers: tuple[tuple[str, str], ...]  # (name, part of the value); "" is any value; counts on an error status
    challenges: tuple[bytes, ...]  # texts of challenge pages only, so they count with status 200 too
    markers: tuple[bytes, ...] = ()  # texts that count on an error status only


WALLS = (
    Wall("Cloudflare", (("cf-mitigated", ""),), (b"<title>just a moment...</title>", b"cf_chl_opt"), (
        b"/cdn-cgi/challenge-platform/", b"cf-browser-verification", b"cf-error-details",
        b"attention required! | cloudflare", b"cf-turnstile",
    )),
    Wall("DataDome", (("x-datadome", ""), ("x-dd-b", ""), ("server", "datadome")), (b"geo.captcha-delivery.com",), (
        b"captcha-delivery.com", b"geo.captcha-delivery", b"datadome",
    )),
    Wall("Akamai", (("server", "akamaighost"), ("x-akamai-session-info", "")), (b"sec-if-cpt-container",), (
        b"errors.edgesuite.net", b"/_sec/cp_challenge/", b"akam-sw.js",
    )),
    Wall("PerimeterX (HUMAN)", (("x-px", ""), ("x-px-authorization", "")), (b"px-captcha",), (
        b"_pxappid", b"captcha.px-cdn.net", b"client.perimeterx.net", b"press &amp; hold",
    )),
    Wall("Imperva", (("x-iinfo", ""), ("x-cdn", "imperva"), ("x-cdn", "incapsula")), (
        b"request unsuccessful. incapsula incident id",
    ), (b"_incapsula_resource", b"incapsula incident id", b"request unsuccessful. incapsula")),
    Wall("AWS WAF", (("x-amzn-waf-action", ""),), (b"awswafcookiedomainlist",), (b"awswaf.com", b"gokuprops")),
    Wall("Kasada", (("x-kpsdk-ct", ""), ("x-kpsdk-r", "")), (), (
        b"kpsdk", b"/149e9513-01fa-4fb0-aad4-566afd725d1b/",
    )),
    Wall("F5", (("x-cnection", ""),), (), (b"the requested url was rejected. please consult with your administrator",)),
    Wall("Sucuri", (("x-sucuri-block", ""),), (), (b"sucuri website firewall - access denied",)),
    Wall("Vercel", (("x-vercel-mitigated", ""),), (b"<title>vercel security checkpoint</title>",)),
    Wall("Anubis", (), (b"/.within.website/x/cmd/anubis",), (b"making sure you&#39;re not a bot", b"anubis_challenge")),
    Wall("a captcha", (), (), (
        b"g-recaptcha", b"hcaptcha.com/1/api.js", b"h-captcha", b"are you a robot?", b"verify you are human",
        b"verifying you are human", b"unusual traffic from your computer network",
    )),
)  # fmt: skip
_WALL_STATUSES = frozenset((401, 403, 405, 406, 412, 418, 429, 456, 503))  # error statuses that bot walls send
_MAX_CHALLENGE_PAGE = 20000  # bytes; a longer page with status 200 is not a challenge


def error_for(response: Response) -> HttpError:
    """Return the error for a response with status 400 or above, or for a challenge page."""
    wall = find_wall(response)
    reason = f" {response.reason[:80]}" if response.reason.isprintable() and response.reason else ""
    message = f"{FAILED}HTTP {response.status}{reason}"
    hint = _HINTS.get(response.status) or _CLASS_HINTS.get(response.status // 100, _NO_STATUS)
    wait = retry_after(response.headers)
    if wait is not None and response.status in _RETRYABLE:
        hint = f"The server asks to come back in {wait:g} s; until then fetch something else."
    if wall is not None:
        message += f", {wall}" if wall.startswith("a ") else f", a bot wall of {wall}"
        hint = _WALL_HINT
    if response.proxy and is_of_proxy(response):
        message = f"{response.proxy} answered HTTP {response.status}{reason} itself, in the place of the server"
        hint = f"That proxy does not let the page through or cannot reach it; other pages may work. {_OTHER_SOURCE}"
    elif response.proxy:
        message += f" (through {response.proxy})"
    extra_fields = {} if wall is None else {"bot_wall": wall}
    return HttpError(
        message,
        hint=hint,
        url=urls.redact(response.url),
        status_code=response.status,
        retry_after=wait,
        retryable=response.status in _RETRYABLE and wall is None,
        **extra_fields,
    )


def is_of_proxy(response: Response) -> bool:
    """Return whether the proxy wrote this response itself: by Proxy-Status (RFC 9209) or signs of known proxies."""
    headers = response.headers
    proxy_statuses = ",".join(headers.get_all("proxy-status")).replace(" ", "")  # "squid; error=dns_timeout"
    if response.status == 407 or ";error" in proxy_statuses:
        return True
    server = (headers.get("server") or "").lower()
    return any(name in headers for name in _PROXY_FIELDS) or server.startswith(_PROXIES)


def challenge_error(response: Response) -> HttpError | None:
    """Return the error for a bot wall's page with a status below 400; None for any other page."""
    return error_for(response) if response.status < 400 and find_wall(response) else None


def find_wall(response: Response) -> str | None:
    """Return the name of the bot wall that answered instead of the site; None for the site's own response."""
    start = response.body[:_MAX_SEARCHED].lower()
    if response.status < 400:
        if len(response.body) > _MAX_CHALLENGE_PAGE or response.media_type not in ("text/html", ""):
            return None
        return next((wall.name for wall in WALLS if any(text in start for text in wall.challenges)), None)
    if response.status not in _WALL_STATUSES:
        return None
    headers = response.headers
    for wall in WALLS:
        has_header = any(part in (headers.get(name) or "").lower() for name, part in wall.headers if name in headers)
        if has_header or any(text in start for text in wall.challenges + wall.markers):
            return wall.name
    return None


MAX_RETRY_WAIT = 5.0  # seconds; with a longer Retry-After the fetch fails and the caller decides
_MIN_LEFT = 1.0  # seconds that must be left for the second response


def retry_after(headers: Headers) -> float | None:
    """Return Retry-After in seconds, None if absent or malformed. A date is compared with the response's own Date."""
    value = (headers.get("retry-after") or "").strip()
    if value.isascii() and value.isdigit() and len(value) < 10:
        return float(value)
    sent_at = dates.from_http(headers.get("date"), 0.0)
    retry_at = dates.from_http(value, 0.0) if sent_at is not None else None
    return None if sent_at is None or retry_at is None else max(0.0, retry_at - sent_at)


def retry_delay(status: int, headers: Headers, left: float) -> float | None:
    """Return the seconds to wait before the one retry of a 429 or 503, or None. `left`: seconds to the deadline."""
    if status not in (429, 503):
        return None
    seconds = retry_after(headers)
    if seconds is None or seconds > min(MAX_RETRY_WAIT, left - _MIN_LEFT):
        return None
    return max(seconds, 0.1)
