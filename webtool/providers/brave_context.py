"""Write requests to Brave's LLM Context and read its answers: passages of pages, chosen for a model.

In: a Query and a position (always 0, there is one page only). Out: a Request, and the Page or error in a Response. The
first passage of a result becomes its description, the others its extra snippets. Key and errors are those of brave.py.
Specification: https://api-dashboard.search.brave.com/app/documentation/llm-context.

Tests: tests/test_settings_surfaces.py
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.errors import InvalidArgument
from webtool.net.messages import Request, Response
from webtool.providers import brave, payload
from webtool.providers.dates import iso_date
from webtool.providers.results import MAX_EXTRA_SNIPPETS, MAX_TITLE, Account, Page, Query, SearchResult, checked, plain

NAME = "Brave LLM Context"
OPTIONS = frozenset(("freshness", "country", "search_lang", "goggles"))
MAX_COUNT = 50  # results of the only page


def first(query: Query) -> int:
    """Return the only position. Raises InvalidArgument for an offset."""
    if query.options.get("offset"):
        raise InvalidArgument(
            f"offset is {query.options['offset']}; {NAME} has one page only",
            hint="Leave offset out and raise count, or set WEBTOOL_BRAVE_API=web.",
        )
    return 0


def request(query: Query, account: Account, _position: int) -> Request:
    """Return the request. Raises InvalidArgument for a query longer than Brave accepts."""
    brave.require_length(query.text)
    pairs = [("q", query.text), ("maximum_number_of_urls", str(min(query.limit, MAX_COUNT)))]
    supported = {name: value for name, value in query.options.items() if name in OPTIONS}
    pairs += [*brave.options(supported), *brave.goggles(query)]
    headers = (("Accept", "application/json"), ("X-Subscription-Token", account.key), *account.headers)
    return Request(payload.with_query(account.endpoint, pairs), headers=headers)


def results(response: Response, _query: Query, _position: int, now: float) -> Page:
    """Return the page in the response. Raises WebtoolError if it is not a page of passages."""
    if response.status != 200:
        raise brave.error_for(response)
    members = payload.decode(response, NAME)
    sources = payload.mapping(members.get("sources"))
    items = payload.items(payload.mapping(members.get("grounding")).get("generic"))
    usable = [result for result in (_result(item, sources, now) for item in items) if result is not None]
    return Page(usable, None, response.headers.get("x-request-id"))


def _result(item: Mapping[str, object], sources: Mapping[str, object], now: float) -> SearchResult | None:
    """Return one result, or None if it has no usable URL. `sources` has title and dates by URL."""
    source = payload.mapping(sources.get(str(item.get("url"))))
    ages = source.get("age")
    dates = (iso_date(age, now) for age in ages) if isinstance(ages, list) else ()
    passages = item.get("snippets")
    texts = [plain(text) for text in passages] if isinstance(passages, list) else []
    texts = [text for text in texts if text][: MAX_EXTRA_SNIPPETS + 1] or [""]
    title = plain(item.get("title") or source.get("title"), MAX_TITLE)
    return checked(item.get("url"), title, texts[0], next(filter(None, dates), None), tuple(texts[1:]))
