"""Brave's LLM Context: passages of pages, picked for a model, instead of a line about each. Same key, same errors.

In: a Query and a position (there is one page only). Out: the Request; the Page or error in a Response. A result's
first passage is its description, the others its extra snippets.
Specification: https://api-dashboard.search.brave.com/app/documentation/llm-context.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.errors import InvalidArgument
from webtool.net.messages import Request, Response
from webtool.providers import brave, forms, payload
from webtool.providers.dates import iso_date
from webtool.providers.results import MAX_EXTRA_SNIPPETS, MAX_TITLE, Account, Page, Query, SearchResult, plain, result

NAME = "Brave LLM Context"
OPTIONS = frozenset(("freshness", "country", "search_lang", "goggles"))
MAX_COUNT = 50


def first(query: Query) -> int:
    """The only position. Raises InvalidArgument for an offset."""
    if query.options.get("offset"):
        raise InvalidArgument(
            f"offset is {query.options['offset']}; {NAME} has one page only",
            hint="Leave offset out and raise count, or set WEBTOOL_BRAVE_API=web.",
        )
    return 0


def request(query: Query, account: Account, _position: int) -> Request:
    """The request. Raises InvalidArgument for a query longer than Brave takes."""
    brave.require_length(query.text)
    pairs = [("q", query.text), ("maximum_number_of_urls", str(min(query.limit, MAX_COUNT)))]
    wanted = {name: value for name, value in query.options.items() if name in OPTIONS}
    pairs += [*brave.options(wanted), *brave.goggles(query)]
    headers = (("Accept", "application/json"), ("X-Subscription-Token", account.key), *account.headers)
    return Request(forms.with_query(account.endpoint, pairs), headers=headers)


def results(response: Response, _query: Query, _position: int, now: float) -> Page:
    """The page in the response. Raises WebtoolError for what is not a page of passages."""
    if response.status != 200:
        raise brave.error_for(response)
    members = payload.decode(response, NAME)
    sources = payload.mapping(members.get("sources"))
    found = payload.items(payload.mapping(members.get("grounding")).get("generic"))
    kept = [one for one in (_result(item, sources, now) for item in found) if one is not None]
    return Page(kept, None, response.headers.get("x-request-id"))


def _result(item: Mapping[str, object], sources: Mapping[str, object], now: float) -> SearchResult | None:
    source = payload.mapping(sources.get(str(item.get("url"))))
    ages = source.get("age")
    dates = (iso_date(age, now) for age in ages) if isinstance(ages, list) else ()
    passages = item.get("snippets")
    texts = [plain(text) for text in passages] if isinstance(passages, list) else []
    texts = [text for text in texts if text][: MAX_EXTRA_SNIPPETS + 1] or [""]
    title = plain(item.get("title") or source.get("title"), MAX_TITLE)
    return result(item.get("url"), title, texts[0], next(filter(None, dates), None), tuple(texts[1:]))
