"""Google's Custom Search JSON API. In: a Query and a position (`start`, from 1). Out: the Request; the Page or error in a
Response. The errors of Vertex AI Search have the same form and are read here too.

Google closed the API to new projects and ends it on 2027-01-01; webtool.search.vertex is what Google names instead.
Specification: https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list.
"""

from __future__ import annotations

from webtool.errors import ApiError, AuthInvalid, InvalidArgument, QuotaExceeded, RateLimited, WebtoolError
from webtool.net.messages import Request
from webtool.search import forms, payload, retrying
from webtool.search.dates import iso_date, leading_date
from webtool.search.domains import with_operators
from webtool.search.results import MAX_TITLE, Page, plain, result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from webtool.net.messages import Response
    from webtool.search.results import Account, Query, SearchResult

NAME = "Google"
OPTIONS = frozenset(("offset", "start", "freshness", "country", "search_lang", "ui_lang", "safesearch"))
MAX_COUNT = 10
MAX_START = 91
MAX_CHARACTERS = 2048
ENDS_ON = "2027-01-01"
ENDING = (
    f"Google closed the Custom Search JSON API to new projects and ends it for all on {ENDS_ON}. Its replacement is "
    "Vertex AI Search: create a search app for your sites and set GOOGLE_SEARCH_ENGINE_ID to its serving config "
    "(projects/.../servingConfigs/...)"
)
_RESTRICTIONS = {"pd": "d1", "pw": "w1", "pm": "m1", "py": "y1"}
# Google restricts Chinese by script and calls Norwegian plain "no".
_LANGUAGES = {"zh": "zh-CN", "zh-hans": "zh-CN", "zh-hant": "zh-TW", "jp": "ja", "nb": "no"}


def first(query: Query) -> int:
    """The position of the first page wanted: `start`, or else `offset` pages further."""
    start = query.options.get("start") or 1 + int(str(query.options.get("offset") or 0)) * min(query.count, MAX_COUNT)
    return min(int(str(start)), MAX_START)


def request(query: Query, account: Account, position: int) -> Request:
    """The request for one page. The key travels in the URL: redact it wherever the URL is shown."""
    if len(query.text) > MAX_CHARACTERS:
        raise InvalidArgument(
            f"query has {len(query.text)} characters", hint=f"Google takes at most {MAX_CHARACTERS}: shorten the query."
        )
    allowed, blocked = query.allowed_domains, query.blocked_domains
    pairs = [("key", account.key), ("cx", account.engine_id)]
    site = []
    # One site can be told by parameter, which costs nothing of the query; the others go behind the query.
    if len(allowed) == 1:
        site, allowed = [("siteSearch", allowed[0]), ("siteSearchFilter", "i")], ()
    elif not allowed and len(blocked) == 1:
        site, blocked = [("siteSearch", blocked[0]), ("siteSearchFilter", "e")], ()
    pairs.append(("q", with_operators(query.text, allowed, blocked, MAX_CHARACTERS)))
    # No result beyond the hundredth is given out.
    pairs += [("num", str(min(query.count, MAX_COUNT, 101 - position))), ("start", str(position))]
    url = f"{account.endpoint}{'&' if '?' in account.endpoint else '?'}{forms.encode(pairs + site + _options(query.options))}"
    return Request(url, headers=(("Accept", "application/json"), *account.headers))


def _options(options: Mapping[str, object]) -> list[tuple[str, str]]:
    freshness = str(options.get("freshness") or "")
    pairs = []
    if freshness in _RESTRICTIONS:
        pairs.append(("dateRestrict", _RESTRICTIONS[freshness]))
    elif freshness:
        pairs.append(("sort", "date:r:" + freshness.replace("-", "").replace("to", ":")))
    language = str(options.get("search_lang") or "").lower()
    if language:
        pairs.append(("lr", f"lang_{_LANGUAGES.get(language, language.partition('-')[0])}"))
    for name, value in (("gl", str(options.get("country") or "").lower()), ("hl", str(options.get("ui_lang") or ""))):
        if value and value != "all":
            pairs.append((name, value))
    if options.get("safesearch"):
        pairs.append(("safe", "off" if options["safesearch"] == "off" else "active"))
    return pairs


def results(response: Response, query: Query, position: int, now: float) -> Page:
    """The page in the response. Raises WebtoolError for what is no page of results."""
    if response.status != 200:
        raise error_for(response)
    members = payload.decode(response, NAME)
    found = payload.items(members.get("items"))  # left out where nothing was found
    kept = [one for one in (_result(item, now) for item in found) if one is not None]
    following = next(iter(payload.items(payload.mapping(members.get("queries")).get("nextPage"))), {}).get("startIndex")
    is_usable = isinstance(following, int) and position < following <= MAX_START
    corrected = plain(payload.mapping(members.get("spelling")).get("correctedQuery")) or None
    return Page(kept, following if is_usable and found else None, None, corrected)


def _result(item: Mapping[str, object], now: float) -> SearchResult | None:
    # `title` and `snippet` are plain text: what looks like a tag or an entity in them is what the page shows.
    snippet = plain(item.get("snippet"))
    published = published_in(item.get("pagemap"), now) or leading_date(snippet, now)
    return result(item.get("link"), plain(item.get("title"), MAX_TITLE), snippet, published)


# Names that pages give the date of publication, surest first; then those of the last change.
_META_NAMES = (
    "article:published_time",
    "og:published_time",
    "datepublished",
    "citation_publication_date",
    "citation_date",
    "date",
    "pubdate",
    "publishdate",
    "dc.date",
    "dc.date.issued",
    "dcterms.created",
    "dcterms.date",
    "sailthru.date",
    "parsely-pub-date",
    "creationdate",
)
_CHANGE_NAMES = ("article:modified_time", "og:updated_time", "moddate", "last-modified")
_MICRODATA_NAMES = ("datepublished", "datecreated", "uploaddate")


def published_in(pagemap: object, now: float) -> str | None:
    """The date of publication in a result's pagemap: metatags, then microdata, then the last change."""
    types = payload.mapping(pagemap)
    metatags = next(iter(payload.items(types.get("metatags"))), {})
    microdata = [next(iter(payload.items(value)), {}) for name, value in types.items() if name != "metatags"]
    candidates = [metatags.get(name) for name in _META_NAMES]
    candidates += [members.get(name) for members in microdata for name in _MICRODATA_NAMES]
    candidates += [metatags.get(name) for name in _CHANGE_NAMES]
    return next(filter(None, (iso_date(candidate, now) for candidate in candidates if candidate)), None)


def error_for(response: Response, provider: str = NAME) -> WebtoolError:
    """The error that a response other than 200 tells: by ErrorInfo and reason, then by status."""
    body = payload.decode_leniently(response)
    error = payload.mapping((body or {}).get("error"))
    said = plain(error.get("message"), 400) or f"it answered with status {response.status}"
    for reason in [*_reasons(error), str(response.status)]:
        make = _ERRORS.get(reason)
        if make is not None:
            return make(f"{provider}: {said}", error, response)
    return _unknown(f"{provider}: {said}", error, response)


def _reasons(error: Mapping[str, object]) -> list[str]:
    """What Google calls the error, most specific first."""
    told = [payload.string(detail.get("reason")) for detail in payload.items(error.get("details"))]
    told += [payload.string(fault.get("reason")) for fault in payload.items(error.get("errors"))]
    told.append(payload.string(error.get("status")))
    return ["noAccess" if _has_no_access(error) else "", *told]


def _has_no_access(error: Mapping[str, object]) -> bool:
    return "does not have the access to Custom Search JSON API" in payload.string(error.get("message"))


def _bad_key(text: str, error: Mapping[str, object], response: Response) -> WebtoolError:
    hint = "Check GOOGLE_SEARCH_API_KEY: that it exists, has not expired and is allowed to use this API from here."
    return AuthInvalid(text, hint=hint, status_code=response.status)


def _no_access(text: str, error: Mapping[str, object], response: Response) -> WebtoolError:
    hint = "No setting cures this. Use Vertex AI Search, or search with Brave or DuckDuckGo."
    return AuthInvalid(f"{text} {ENDING}.", hint=hint, status_code=response.status)


def _forbidden(text: str, error: Mapping[str, object], response: Response) -> WebtoolError:
    return AuthInvalid(text, hint=f"Check the key and its project. {ENDING}.", status_code=response.status)


def _not_found(text: str, error: Mapping[str, object], response: Response) -> WebtoolError:
    hint = f"Check GOOGLE_SEARCH_ENGINE_ID and the endpoint setting. {ENDING}."
    return AuthInvalid(text, hint=hint, status_code=response.status)


def _precondition(text: str, error: Mapping[str, object], response: Response) -> WebtoolError:
    hint = "searchLite serves apps with public website data only: check the kind of the search app."
    return ApiError(text, hint=hint, status_code=response.status)


def _invalid(text: str, error: Mapping[str, object], response: Response) -> WebtoolError:
    hint = "Check GOOGLE_SEARCH_ENGINE_ID, and the options of the request."
    return InvalidArgument(text, hint=hint, status_code=response.status)


def _quota(text: str, error: Mapping[str, object], response: Response) -> WebtoolError:
    hint = "The day's queries are used up until midnight Pacific time: search with another provider until then."
    return QuotaExceeded(text, hint=hint, status_code=response.status)


def _rate_limited(text: str, error: Mapping[str, object], response: Response) -> WebtoolError:
    """Google says "rate limit" for the day's quota too; only the limit's name tells them apart."""
    details = payload.items(error.get("details"))
    limits = [payload.string(payload.mapping(detail.get("metadata")).get("quota_limit")) for detail in details]
    if "per day" in text.lower() or any("perday" in limit.lower() for limit in limits):
        return _quota(text, error, response)
    delays = (retrying.seconds(detail.get("retryDelay")) for detail in details)
    wait = retrying.retry_after(response)
    wait = next((delay for delay in delays if delay is not None), None) if wait is None else wait
    return RateLimited(text, retry_after=wait, hint="Wait a minute, then try again.", status_code=response.status)


def _unknown(text: str, error: Mapping[str, object], response: Response) -> WebtoolError:
    is_passing = response.status >= 500
    hint = "Try again in a while." if is_passing else "Check the endpoint setting, or search with another provider."
    return ApiError(text, hint=hint, retryable=is_passing, status_code=response.status)


_ERRORS = {
    "noAccess": _no_access,
    "API_KEY_INVALID": _bad_key,
    "API_KEY_EXPIRED": _bad_key,
    "API_KEY_SERVICE_BLOCKED": _bad_key,
    "API_KEY_HTTP_REFERRER_BLOCKED": _bad_key,
    "API_KEY_IP_ADDRESS_BLOCKED": _bad_key,
    "CONSUMER_INVALID": _bad_key,
    "keyInvalid": _bad_key,
    "keyExpired": _bad_key,
    "SERVICE_DISABLED": _forbidden,
    "BILLING_DISABLED": _forbidden,
    "accessNotConfigured": _forbidden,
    "RATE_LIMIT_EXCEEDED": _rate_limited,
    "dailyLimitExceeded": _quota,
    "quotaExceeded": _quota,
    "rateLimitExceeded": _rate_limited,
    "userRateLimitExceeded": _rate_limited,
    "FAILED_PRECONDITION": _precondition,
    "UNAUTHENTICATED": _bad_key,
    "PERMISSION_DENIED": _forbidden,
    "NOT_FOUND": _not_found,
    "RESOURCE_EXHAUSTED": _rate_limited,
    "INVALID_ARGUMENT": _invalid,
    "400": _invalid,
    "401": _bad_key,
    "403": _forbidden,
    "404": _not_found,
    "410": _not_found,
    "429": _rate_limited,
}
