"""Write requests to Google and read its answers: the Custom Search JSON API, and Vertex AI Search.

In: a Query and a position: the number of the first result, from 1; for Vertex ("offset", 10), the number of results
before it, or ("pageToken", "x1"). Out: a Request, and the Page or error in a Response.

Google closed the Custom Search JSON API to new projects and ends it on 2027-01-01. Its replacement is Vertex AI Search
(Discovery Engine), which searches the sites of the user's own search app, not the whole web. Its method searchLite
accepts an API key; `search` would need OAuth.
Specification: https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list, and
https://docs.cloud.google.com/generative-ai-app-builder/docs/reference/rest (servingConfigs.searchLite).
Tests: tests/providers/test_google.py, tests/providers/test_vertex.py
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.errors import ApiError, AuthInvalid, InvalidArgument, QuotaExceeded, RateLimited, WebtoolError
from webtool.lean import patterns
from webtool.net.messages import Request, Response
from webtool.net.statuses import retry_after
from webtool.providers import credentials, payload
from webtool.providers.payload import iso_date, leading_date, seconds
from webtool.providers.queries import is_traditional, with_operators
from webtool.providers.results import (
    MAX_TITLE,
    Account,
    Engine,
    Page,
    Query,
    SearchResult,
    checked,
    hint_for_unknown_error,
    plain,
    plain_from_html,
    require_length,
)
from webtool.settings import Settings

NAME, VERTEX_NAME = "Google", "Vertex AI Search"
VERTEX_OPTIONS = frozenset(("offset", "start", "country", "search_lang", "safesearch"))
OPTIONS = VERTEX_OPTIONS | {"freshness", "ui_lang"}
MAX_COUNT = 10  # results of one page
MAX_RESULTS = 100  # the API returns no further results of a query
MAX_START = MAX_RESULTS - MAX_COUNT + 1  # number of the first result of the last page
MAX_CHARACTERS = 2048  # of a query
ENDS_ON = "2027-01-01"
ENDING = (
    f"Google closed the Custom Search JSON API to new projects and ends it for all on {ENDS_ON}. Its replacement is "
    "Vertex AI Search: create a search app for your sites and set GOOGLE_SEARCH_ENGINE_ID to its serving config "
    "(projects/.../servingConfigs/...)"
)
_FILTERED_PAGE_SIZE = 25  # results asked of Vertex if domain lists will drop some; the API allows no more
_VERTEX_DOMAIN = "discoveryengine.googleapis.com"
# A resource name; no part of it can leave the path. A project id may contain a colon (example.com:project).
_RESOURCE = patterns.compile(r"projects(?:/[A-Za-z0-9_~:-][A-Za-z0-9_.~:-]*)+")
_REGION = patterns.compile(r"/locations/(us|eu)/")
# The host before a full resource name, as consoles show it: "//eu-discoveryengine.googleapis.com/projects/..."
_VERTEX_HOST = patterns.compile(r"\A//(?:\w+-)?discoveryengine\.googleapis\.com/")
_DATE_RESTRICTIONS = {"pd": "d1", "pw": "w1", "pm": "m1", "py": "y1"}
_LANGUAGES = {"jp": "ja", "nb": "no", "nn": "no", "he": "iw"}  # Google has one Norwegian, and Hebrew's older code


def account(settings: Settings, secrets: Mapping[str, str]) -> Account:
    """Return where to ask: Vertex AI Search if the engine id is a serving config's name, else Custom Search."""
    key, engine_id = secrets["GOOGLE_SEARCH_API_KEY"], secrets["GOOGLE_SEARCH_ENGINE_ID"]
    if resource_name(engine_id).startswith("projects/"):  # projects/.../servingConfigs/...
        return credentials.at_setting(settings, "vertex_url", key, engine_id)._replace(engine=VERTEX)
    return credentials.at_setting(settings, "google_url", key, engine_id)


def resource_name(engine_id: str) -> str:
    """Return an engine id without the host before it."""
    return _VERTEX_HOST.sub("", engine_id)


# --- Custom Search JSON API ---


def first(query: Query) -> int:
    """Return the number of the first result: the option `start`, else that of the page after `offset` pages."""
    return min(_first_number(query), MAX_START)


def _first_number(query: Query) -> int:
    start = query.options.get("start")
    return int(str(start)) if start else 1 + query.offset * query.limit


def request(query: Query, account: Account, position: int) -> Request:
    """Return the request for one page. The URL contains the key, so redact it before showing the URL."""
    require_length(query.text, MAX_CHARACTERS, NAME)
    allowed, blocked = query.allowed_domains, query.blocked_domains
    pairs = [("key", account.key), ("cx", account.engine_id)]
    site = []
    # A single site has a parameter of its own; several are appended to the query, which shortens what fits into it.
    if len(allowed) == 1:
        site, allowed = [("siteSearch", allowed[0]), ("siteSearchFilter", "i")], ()
    elif not allowed and len(blocked) == 1:
        site, blocked = [("siteSearch", blocked[0]), ("siteSearchFilter", "e")], ()
    pairs.append(("q", with_operators(query.text, allowed, blocked, MAX_CHARACTERS)))
    pairs += [("num", str(min(query.limit, MAX_COUNT, MAX_RESULTS + 1 - position))), ("start", str(position))]
    pairs += site + _options(query.options)
    headers = (("Accept", "application/json"), *account.headers)
    return Request(payload.with_query(account.endpoint, pairs), headers=headers)


def _options(options: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return the options of a search as Google's parameters: freshness pw -> dateRestrict w1, country US -> gl us."""
    freshness = str(options.get("freshness") or "")
    pairs = []
    if freshness in _DATE_RESTRICTIONS:
        pairs.append(("dateRestrict", _DATE_RESTRICTIONS[freshness]))
    elif freshness:
        first_day, _, last_day = freshness.replace("-", "").partition("to")  # 2024-01-01to2024-02-01
        pairs.append(("sort", f"date:r:{first_day}:{last_day}"))
    language = str(options.get("search_lang") or "").lower()
    if language:
        pairs.append(("lr", f"lang_{_language(language)}"))
    for name, value in (("gl", str(options.get("country") or "").lower()), ("hl", str(options.get("ui_lang") or ""))):
        if value and value != "all":
            pairs.append((name, value))
    if options.get("safesearch"):
        pairs.append(("safe", "off" if options["safesearch"] == "off" else "active"))
    return pairs


def _language(code: str) -> str:
    """Return Google's name of a language, for Chinese that of its script: `en-gb` -> en, `zh-hk` -> zh-TW."""
    language = code.partition("-")[0]
    if language == "zh":
        return "zh-TW" if is_traditional(code) else "zh-CN"
    return _LANGUAGES.get(language, language)


def results(response: Response, _query: Query, position: int, now: float) -> Page:
    """Return the page in the response. Raises WebtoolError if it is not a page of results."""
    if response.status != 200:
        raise error_for(response)
    members = payload.decode(response, NAME)
    items = payload.items(members.get("items"))  # absent if nothing was found
    usable = list(filter(None, (_result(item, now) for item in items)))
    next_pages = payload.items(payload.mapping(members.get("queries")).get("nextPage"))
    next_start = next_pages[0].get("startIndex") if next_pages else None
    has_next = isinstance(next_start, int) and position < next_start <= MAX_START and bool(items)
    corrected = plain(payload.mapping(members.get("spelling")).get("correctedQuery")) or None
    return Page(usable, next_start if has_next else None, None, corrected)


def _result(item: Mapping[str, object], now: float) -> SearchResult | None:
    # `title` and `snippet` are plain text: a tag or entity in them is text of the page.
    snippet = plain(item.get("snippet"))
    published = published_in(item.get("pagemap"), now) or leading_date(snippet, now)
    return checked(item.get("link"), plain(item.get("title"), MAX_TITLE), snippet, published)


# Names of meta elements with the date of publication, the most reliable first; then those with the last change.
_META_NAMES = (
    "article:published_time og:published_time datepublished citation_publication_date citation_date date pubdate "
    "publishdate dc.date dc.date.issued dcterms.created dcterms.date sailthru.date parsely-pub-date creationdate"
).split()
_CHANGE_NAMES = ("article:modified_time", "og:updated_time", "moddate", "last-modified")
_MICRODATA_NAMES = ("datepublished", "datecreated", "uploaddate")


def published_in(pagemap: object, now: float) -> str | None:
    """Return the date of publication in a result's pagemap, or None.

    Meta elements come first, then microdata, then the date of the last change.
    """
    types = payload.mapping(pagemap)
    metatags = next(iter(payload.items(types.get("metatags"))), {})
    microdata = [next(iter(payload.items(value)), {}) for name, value in types.items() if name != "metatags"]
    candidates = [metatags.get(name) for name in _META_NAMES]
    candidates += [members.get(name) for members in microdata for name in _MICRODATA_NAMES]
    candidates += [metatags.get(name) for name in _CHANGE_NAMES]
    return next(filter(None, (iso_date(candidate, now) for candidate in candidates if candidate)), None)


# --- Vertex AI Search ---


def vertex_first(query: Query) -> tuple[str, object]:
    """Return the position of the first page."""
    return "offset", 0 if _is_filtered(query) else _first_number(query) - 1


def _skipped(query: Query) -> int:
    """Return how many allowed results come before the first one asked for: Vertex's own numbers count the others too.

    With `allowed_domains`, result 11 is the eleventh on these domains, wherever Vertex lists it.
    """
    return _first_number(query) - 1 if _is_filtered(query) else 0


def _is_filtered(query: Query) -> bool:
    return bool(query.allowed_domains or query.blocked_domains)


def vertex_request(query: Query, account: Account, position: tuple[str, object]) -> Request:
    """Return the request for one page. Raises AuthInvalid for an engine id that is not a resource name."""
    name = resource_name(account.engine_id).strip("/")
    if not _RESOURCE.fullmatch(name) or "/servingConfigs/" not in name:
        raise AuthInvalid(
            "GOOGLE_SEARCH_ENGINE_ID begins with projects/ but is not a resource name of a serving config",
            hint="Copy it whole: projects/P/locations/global/collections/C/engines/E/servingConfigs/default_search.",
        )
    endpoint, region = account.endpoint, _REGION.search(name)
    if region:  # apps in the multi-regions us and eu have their own host name
        endpoint = endpoint.replace(f"//{_VERTEX_DOMAIN}", f"//{region[1]}-{_VERTEX_DOMAIN}", 1)
    url = f"{endpoint.rstrip('/')}/{name}:searchLite?{payload.form([('key', account.key)])}"
    headers = (("Accept", "application/json"), ("Content-Type", "application/json"), *account.headers)
    return Request(url, "POST", headers, payload.json_body(_vertex_body(query, position)))


def _vertex_body(query: Query, position: tuple[str, object]) -> dict[str, object]:
    """Return the members of the request. searchLite documents no filter by site: webtool drops other sites itself."""
    body: dict[str, object] = {
        "query": query.text,
        "pageSize": _FILTERED_PAGE_SIZE if _is_filtered(query) else min(query.limit, MAX_COUNT),
        "contentSearchSpec": {"snippetSpec": {"returnSnippet": True}},
    }
    kind, value = position
    if value:
        body[kind] = value
    if query.options.get("safesearch"):
        body["safeSearch"] = query.options["safesearch"] != "off"
    if query.options.get("search_lang"):
        body["languageCode"] = "ja" if query.options["search_lang"] == "jp" else query.options["search_lang"]
    country = str(query.options.get("country") or "").lower()
    if country and country != "all":
        body["params"] = {"user_country_code": country}
    return body


def vertex_results(response: Response, _query: Query, position: tuple[str, object], now: float) -> Page:
    """Return the page in the response. Raises WebtoolError if it is not a page of results."""
    if response.status != 200:
        raise error_for(response, VERTEX_NAME)
    members = payload.decode(response, VERTEX_NAME)
    documents = [payload.mapping(item.get("document")) for item in payload.items(members.get("results"))]
    usable = list(filter(None, (_vertex_result(document, now) for document in documents)))
    token = payload.string(members.get("nextPageToken"))
    request_id = plain(members.get("attributionToken"), 200) or None
    altered = plain(members.get("correctedQuery")) or None
    has_next = token and token != position[1]
    return Page(usable, ("pageToken", token) if has_next else None, request_id, altered)


def _vertex_result(document: Mapping[str, object], now: float) -> SearchResult | None:
    data = payload.mapping(document.get("derivedStructData"))
    snippet = next(iter(payload.items(data.get("snippets"))), {})
    is_usable = snippet.get("snippet_status", "SUCCESS") == "SUCCESS"
    description = plain_from_html(snippet.get("snippet")) if is_usable else ""
    published = published_in(data.get("pagemap"), now) or leading_date(description, now)
    return checked(data.get("link"), plain(data.get("title"), MAX_TITLE), description, published)


# --- The engines and the errors of both APIs ---


ENGINE = Engine(NAME, OPTIONS, MAX_COUNT, first, request, results)
VERTEX = Engine(VERTEX_NAME, VERTEX_OPTIONS, MAX_COUNT, vertex_first, vertex_request, vertex_results, skipped=_skipped)


def error_for(response: Response, provider: str = NAME) -> WebtoolError:
    """Return the error in a response with a status other than 200.

    Google's own codes decide, the most specific first; then the status.
    """
    error = payload.mapping((payload.decode_leniently(response) or {}).get("error"))
    details = payload.items(error.get("details"))
    reasons = [payload.string(each.get("reason")) for each in (*details, *payload.items(error.get("errors")))]
    reasons += [payload.string(error.get("status")), str(response.status)]
    text = f"{provider}: {plain(error.get('message'), 400) or f'it answered with status {response.status}'}"
    if _NO_ACCESS in text:
        return AuthInvalid(f"{text} {ENDING}.", hint=_NO_ACCESS_HINT, status_code=response.status)
    errors = _VERTEX_ERRORS if provider == VERTEX_NAME else _CUSTOM_SEARCH_ERRORS
    known = (errors[reason] for reason in reasons if reason in errors)
    kind, hint = next(known, (ApiError, hint_for_unknown_error(response.status, "the endpoint setting")))
    wait = None
    # Google reports the quota of the day as a rate limit too. Only the limit's name tells it: QueriesPerDayPerProject.
    limits = [payload.string(payload.mapping(detail.get("metadata")).get("quota_limit")) for detail in details]
    is_daily = "per day" in text.lower() or "perday" in " ".join(limits).lower()
    if kind is RateLimited and is_daily:
        kind, hint = _DAILY_QUOTA
    elif kind is RateLimited:
        waits = [retry_after(response.headers), *[seconds(detail.get("retryDelay")) for detail in details]]
        wait = next((wait for wait in waits if wait is not None), None)
    is_retryable = response.status >= 500 or None  # None: as the class of the error says
    return kind(text, hint=hint, status_code=response.status, retry_after=wait, retryable=is_retryable)


_NO_ACCESS = "does not have the access to Custom Search JSON API"
_NO_ACCESS_HINT = "No setting solves this. Use Vertex AI Search, or search with another provider."
_BAD_KEY: tuple[type[WebtoolError], str] = (
    AuthInvalid,
    "Check GOOGLE_SEARCH_API_KEY: that it exists, has not expired and is allowed to use this API from here.",
)
_FORBIDDEN = (AuthInvalid, "Check the key and its project.")
_NOT_FOUND = (AuthInvalid, "Check GOOGLE_SEARCH_ENGINE_ID and the endpoint setting.")
_INVALID = (InvalidArgument, "Check GOOGLE_SEARCH_ENGINE_ID, and the options of the request.")
_TOO_FAST = (RateLimited, "Wait a minute, then try again.")
_DAILY_QUOTA: tuple[type[WebtoolError], str] = (
    QuotaExceeded,
    "The queries of this day are used up until midnight Pacific time: search with another provider until then.",
)
_REFUSED = (ApiError, "searchLite serves apps with public website data only: check the search app.")
_CODES = (
    (
        _BAD_KEY,
        "API_KEY_INVALID API_KEY_EXPIRED API_KEY_SERVICE_BLOCKED API_KEY_HTTP_REFERRER_BLOCKED "
        "API_KEY_IP_ADDRESS_BLOCKED CONSUMER_INVALID keyInvalid keyExpired UNAUTHENTICATED 401",
    ),
    (_FORBIDDEN, "SERVICE_DISABLED BILLING_DISABLED accessNotConfigured PERMISSION_DENIED 403"),
    (_TOO_FAST, "RATE_LIMIT_EXCEEDED rateLimitExceeded userRateLimitExceeded RESOURCE_EXHAUSTED 429"),
    (_DAILY_QUOTA, "dailyLimitExceeded quotaExceeded"),
    (_NOT_FOUND, "NOT_FOUND 404 410"),
    (_INVALID, "INVALID_ARGUMENT 400"),
)
_ERRORS: dict[str, tuple[type[WebtoolError], str]] = {code: kind for kind, codes in _CODES for code in codes.split()}
_VERTEX_ERRORS: dict[str, tuple[type[WebtoolError], str]] = {**_ERRORS, "FAILED_PRECONDITION": _REFUSED}
_CUSTOM_SEARCH_ERRORS: dict[str, tuple[type[WebtoolError], str]] = {
    code: (kind, f"{hint} {ENDING}.") if (kind, hint) in (_FORBIDDEN, _NOT_FOUND) else (kind, hint)
    for code, (kind, hint) in _ERRORS.items()
}
