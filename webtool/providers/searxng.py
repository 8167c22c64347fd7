"""Write requests to a SearXNG instance and read its answers.

In: a Query and a position (the number of a page, from 1). Out: a Request, and the Page or error in a Response. The
instance must list `json` under `search.formats`, which most public ones do not. Its texts are plain text already.
Specification: https://docs.searxng.org/dev/search_api.html.
Tests: tests/providers/test_searxng.py
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool import urls
from webtool.errors import ApiError, AuthInvalid, Blocked, InvalidArgument, RateLimited, WebtoolError, abridged
from webtool.net.messages import Request, Response
from webtool.net.statuses import retry_after
from webtool.providers import payload
from webtool.providers.payload import iso_date
from webtool.providers.queries import with_operators
from webtool.providers.results import (
    MAX_TITLE,
    Account,
    Engine,
    Page,
    Query,
    SearchResult,
    age_limit,
    checked,
    plain,
    require_length,
)

NAME = "SearXNG"
OPTIONS = frozenset(("offset", "freshness", "search_lang", "country", "safesearch"))
MAX_COUNT = 20  # results expected of one page; its size is not fixed
MAX_CHARACTERS = 2000  # of a query
_MAX_ANSWERS = 5  # direct answers and boxes of one page; the rest is dropped
_MAX_ATTRIBUTES = 8  # lines of a box without text: "Population: 3,676,000"
_FRESHNESS = {"pd": "day", "pw": "week", "pm": "month", "py": "year"}
_SAFESEARCH = {"off": "0", "moderate": "1", "strict": "2"}
# Other names of languages that SearXNG writes as `de` or `de-AT`.
_LANGUAGES = {"jp": "ja", "zh-hans": "zh-CN", "zh-hant": "zh-TW"}
# The limiter of an instance answers 429 to clients that do not accept HTML or do not name a language.
_HEADERS = (
    ("Accept", "application/json, text/html;q=0.9, */*;q=0.8"),
    ("Sec-Fetch-Dest", "document"),
    ("Sec-Fetch-Mode", "navigate"),
    ("Sec-Fetch-Site", "none"),
)
_JSON_OFF = "The instance must list json under search.formats in its settings.yml; run your own, or use another one."


def first(query: Query) -> int:
    """Return the number of the first page to ask for. The option `offset` counts pages to skip, not results."""
    return 1 + query.offset


def request(query: Query, account: Account, position: int) -> Request:
    """Return the request for one page. Raises InvalidArgument for a query that is too long."""
    require_length(query.text, MAX_CHARACTERS, NAME)
    text = with_operators(query.text, query.allowed_domains, query.blocked_domains, MAX_CHARACTERS)
    pairs = [("q", text), ("format", "json"), ("pageno", str(position))]
    age = age_limit(query, _FRESHNESS, NAME)
    if age:
        pairs.append(("time_range", age))
    language = _language(query.options)
    if language:
        pairs.append(("language", language))
    if query.options.get("safesearch") in _SAFESEARCH:
        pairs.append(("safesearch", _SAFESEARCH[str(query.options["safesearch"])]))
    accepted = ("Accept-Language", f"{language}, en;q=0.5" if language else "en")
    return Request(_page_url(account.endpoint, pairs), headers=(*_HEADERS, accepted, *account.headers))


def _page_url(endpoint: str, pairs: list[tuple[str, str]]) -> str:
    """Return the URL of the instance's search page, with these parameters after those of its base URL.

    `https://x.example/searx?a=1` -> `https://x.example/searx/search?a=1&q=...`. Parameters of the base URL that this
    search sets itself are replaced, as other programs want `.../search?q=<query>` in their settings.
    """
    base = urls.parse(endpoint)
    path = base.path.rstrip("/")
    if not path.endswith("/search"):
        path = f"{path}/search"
    names = {name for name, _ in pairs}
    kept = [part for part in (base.query or "").split("&") if part and part.partition("=")[0] not in names]
    query = "&".join((*kept, payload.form(pairs)))
    return base._replace(path=path, query=query, fragment=None).href


def _language(options: Mapping[str, object]) -> str:
    """Return the language as SearXNG writes it, `de` or `de-AT`; "" if none is given.

    The country is used only together with a language.
    """
    code = str(options.get("search_lang") or "").lower()
    language, _, region = _LANGUAGES.get(code, code).partition("-")
    country = str(options.get("country") or "").upper()
    if not region and country != "ALL":
        region = country
    return f"{language}-{region.upper()}" if language and len(region) == 2 else language


def unused(options: Mapping[str, object]) -> dict[str, str]:
    """Return the supported options that have no effect in this search, each with the reason."""
    if options.get("country") and not options.get("search_lang"):
        return {"country": "it needs search_lang"}
    return {}


def results(response: Response, _query: Query, position: int, now: float) -> Page:
    """Return the page in the response. Raises WebtoolError if it is not a page of results."""
    if response.status != 200:
        raise error_for(response)
    members = payload.decode_leniently(response)
    if members is None or not isinstance(members.get("results"), list):
        raise ApiError(f"{NAME} answered without a list of results in JSON", hint=_JSON_OFF, status_code=200)
    items = payload.items(members["results"])
    usable = list(filter(None, (_result(item, now) for item in items)))
    silent = _silent_engines(members.get("unresponsive_engines"))
    answers = _answers(members)
    if not items and not answers and members.get("unresponsive_engines"):
        raise ApiError(
            f"{NAME}: no engine of the instance answered: {silent or 'no reason given'}",
            hint="Try again in a while, or look at the instance's engines.",
            retryable=True,
        )
    notes = (f"engines of the instance that did not answer: {silent}",) if silent else ()
    # The answer does not say whether another page follows, and pages differ in size: only an empty page is the end.
    return Page(usable, position + 1 if items else None, notes=notes, answers=answers)


def _result(item: Mapping[str, object], now: float) -> SearchResult | None:
    published = iso_date(item.get("publishedDate"), now) or iso_date(item.get("pubdate"), now)
    return checked(item.get("url"), plain(item.get("title"), MAX_TITLE), plain(item.get("content")), published)


def _answers(members: Mapping[str, object]) -> tuple[SearchResult, ...]:
    """Return the direct answers (objects, or plain text of older versions) and the boxes about a thing, with text."""
    listed = members.get("answers")
    rows = [{"answer": row} if isinstance(row, str) else row for row in (listed if isinstance(listed, list) else [])]
    boxes = [_box("", plain(row.get("answer")), row.get("url")) for row in payload.items(rows)]
    for box in payload.items(members.get("infoboxes")):
        pairs = payload.items(box.get("attributes"))[:_MAX_ATTRIBUTES]
        facts = [(plain(pair.get("label"), 60), plain(pair.get("value"), 200)) for pair in pairs]
        # The value of an attribute may be missing: some have a picture in its place.
        text = plain(box.get("content")) or "; ".join(f"{label}: {value}" for label, value in facts if value)
        boxes.append(_box(plain(box.get("infobox"), MAX_TITLE), text, box.get("id")))
    return tuple([box for box in boxes if box.description][:_MAX_ANSWERS])


def _box(title: str, text: str, address: object) -> SearchResult:
    """Return a direct answer; its URL is empty if the address is not a usable one."""
    linked = checked(address, title, text)
    return SearchResult(title, linked.url if linked else "", text)


def _silent_engines(value: object) -> str:
    """Name the first five engines that did not answer: `[["bing", "timeout"]]` -> `bing: timeout`."""
    pairs = value if isinstance(value, list) else []
    texts = [": ".join(plain(part, 60) for part in pair[:2]) for pair in pairs if isinstance(pair, list)]
    return abridged(texts, 5)


ENGINE = Engine(NAME, OPTIONS, MAX_COUNT, first, request, results, unused, further_pages=4)


def error_for(response: Response) -> WebtoolError:
    """Return the error in a response with a status other than 200."""
    status = response.status
    kind, hint = _ERRORS.get(status, (ApiError, "Check WEBTOOL_SEARXNG_URL and the instance."))
    wait = retry_after(response.headers) if kind is RateLimited else None
    is_retryable = status >= 500 or None  # None: as the class of the error says
    text = f"{NAME} answered with status {status}"
    return kind(text, hint=hint, status_code=status, retry_after=wait, retryable=is_retryable)


_ERRORS: dict[int, tuple[type[WebtoolError], str]] = {
    400: (InvalidArgument, "The instance does not accept an option of this search."),
    401: (AuthInvalid, "Put name and password of the instance into WEBTOOL_SEARXNG_URL."),
    403: (Blocked, _JSON_OFF),
    429: (RateLimited, "The instance refused: wait, or put this address on its limiter's pass list (limiter.toml)."),
}
