"""A SearXNG instance. In: a Query and a position (a page, from 1). Out: the Request; the Page or error in a Response.

The instance must have `json` among its `search.formats`; most public ones have not. Its texts are plain already.
Specification: https://docs.searxng.org/dev/search_api.html.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool import urls
from webtool.errors import ApiError, AuthInvalid, Blocked, InvalidArgument, RateLimited, WebtoolError
from webtool.net.messages import Request, Response
from webtool.net.statuses import retry_after
from webtool.providers import forms, payload
from webtool.providers.dates import iso_date
from webtool.providers.domains import with_operators
from webtool.providers.results import (
    MAX_TITLE,
    Account,
    Page,
    Query,
    SearchResult,
    age_limit,
    plain,
    require_length,
    result,
)

NAME = "SearXNG"
OPTIONS = frozenset(("offset", "freshness", "search_lang", "country", "safesearch"))
MAX_COUNT = 20
FURTHER_PAGES = 4
"""Pages asked for beyond the first: a page has no fixed size here, and asking costs nobody money."""
MAX_CHARACTERS = 2000
_FRESHNESS = {"pd": "day", "pw": "week", "pm": "month", "py": "year"}
_SAFESEARCH = {"off": "0", "moderate": "1", "strict": "2"}
# SearXNG knows languages as `de` or `de-AT`; these are other names of the same.
_LANGUAGES = {"jp": "ja", "zh-hans": "zh-CN", "zh-hant": "zh-TW"}
# The limiter of an instance answers 429 to clients that do not accept HTML or names no language.
_HEADERS = (
    ("Accept", "application/json, text/html;q=0.9, */*;q=0.8"),
    ("Sec-Fetch-Dest", "document"),
    ("Sec-Fetch-Mode", "navigate"),
    ("Sec-Fetch-Site", "none"),
)
_JSON_OFF = "The instance must list json under search.formats in its settings.yml; run your own, or use another one."


def first(query: Query) -> int:
    """The position of the first page wanted."""
    return 1 + int(str(query.options.get("offset") or 0))


def request(query: Query, account: Account, position: int) -> Request:
    """The request for one page. Raises InvalidArgument for a query that is too long."""
    require_length(query.text, MAX_CHARACTERS, NAME)
    text = with_operators(query.text, query.allowed_domains, query.blocked_domains, MAX_CHARACTERS)
    pairs = [("q", text), ("format", "json"), ("pageno", str(position))]
    age = age_limit(query, _FRESHNESS, NAME)
    pairs += [("time_range", age)] if age else []
    language = _language(query.options)
    pairs += [("language", language)] if language else []
    if query.options.get("safesearch") in _SAFESEARCH:
        pairs.append(("safesearch", _SAFESEARCH[str(query.options["safesearch"])]))
    spoken = ("Accept-Language", f"{language}, en;q=0.5" if language else "en")
    return Request(_page_url(account.endpoint, pairs), headers=(*_HEADERS, spoken, *account.headers))


def _page_url(endpoint: str, pairs: list[tuple[str, str]]) -> str:
    """The instance's search page with these parameters behind those that its base URL has itself."""
    base = urls.parse(endpoint)
    path = base.path.rstrip("/")
    query = "&".join(filter(None, (base.query, forms.encode(pairs))))
    return base._replace(path=path if path.endswith("/search") else f"{path}/search", query=query, fragment=None).href


def _language(options: Mapping[str, object]) -> str:
    """The language as SearXNG spells it, `de` or `de-AT`; "" for none. A country counts only beside a language."""
    wanted = str(options.get("search_lang") or "").lower()
    language, _, region = _LANGUAGES.get(wanted, wanted).partition("-")
    country = str(options.get("country") or "").upper()
    if not region and country != "ALL":
        region = country
    return f"{language}-{region.upper()}" if language and len(region) == 2 else language


def unused(options: Mapping[str, object]) -> dict[str, str]:
    """Options that are known and yet do nothing in this search, each with the reason."""
    if options.get("country") and not options.get("search_lang"):
        return {"country": "it counts only beside search_lang"}
    return {}


def results(response: Response, _query: Query, position: int, now: float) -> Page:
    """The page in the response. Raises WebtoolError for what is not a page of results."""
    if response.status != 200:
        raise error_for(response)
    members = payload.decode_leniently(response)
    if members is None or not isinstance(members.get("results"), list):
        raise ApiError(f"{NAME} answered without a list of results in JSON", hint=_JSON_OFF, status_code=200)
    found = payload.items(members["results"])
    kept = [one for one in (_result(item, now) for item in found) if one is not None]
    silent = _engines(members.get("unresponsive_engines"))
    if not found and members.get("unresponsive_engines"):
        raise ApiError(
            f"{NAME}: no engine of the instance answered: {silent or 'no reason given'}",
            hint="Try again in a while, or look at the instance's engines.",
            retryable=True,
        )
    notes = (f"engines of the instance that did not answer: {silent}",) if silent else ()
    # A page has no fixed size and the answer does not say whether another follows: an empty one is the end.
    return Page(kept, position + 1 if kept else None, notes=notes)


def _result(item: Mapping[str, object], now: float) -> SearchResult | None:
    published = iso_date(item.get("publishedDate"), now) or iso_date(item.get("pubdate"), now)
    return result(item.get("url"), plain(item.get("title"), MAX_TITLE), plain(item.get("content")), published)


def _engines(value: object) -> str:
    """The answer's [["name", "reason"], ...] as text."""
    pairs = value if isinstance(value, list) else []
    listed = [": ".join(plain(part, 60) for part in pair[:2]) for pair in pairs if isinstance(pair, list)]
    return ", ".join(listed[:5]) + (f" and {len(listed) - 5} more" if len(listed) > 5 else "")


def error_for(response: Response) -> WebtoolError:
    """The error that a response other than 200 tells."""
    status = response.status
    kind, hint = _ERRORS.get(status, (ApiError, "Check WEBTOOL_SEARXNG_URL and the instance."))
    wait = retry_after(response.headers) if kind is RateLimited else None
    passing = status >= 500 or None
    said = f"{NAME} answered with status {status}"
    return kind(said, hint=hint, status_code=status, retry_after=wait, retryable=passing)


_ERRORS: dict[int, tuple[type[WebtoolError], str]] = {
    400: (InvalidArgument, "The instance did not take an option of this search."),
    401: (AuthInvalid, "Put name and password of the instance into WEBTOOL_SEARXNG_URL."),
    403: (Blocked, _JSON_OFF),
    429: (RateLimited, "The instance refused: wait, or put this address on its limiter's pass list (limiter.toml)."),
}
