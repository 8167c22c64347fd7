"""web_search: search with the providers that are set up, and cache the answer for some hours.

webtool.providers.chain asks one provider after the other; this module caches answers and builds the result. A cached
answer is used if provider, endpoint, query and all options are the same.
Tests: tests/tools/test_web_search.py
"""

from __future__ import annotations

import json
from collections.abc import Callable

from webtool.cache.tables import digest
from webtool.context import Context, Result, add_notes
from webtool.errors import CacheMiss
from webtool.providers import chain, queries
from webtool.providers import results as provider_results
from webtool.providers.results import Answer, Query, SearchResult
from webtool.providers.table import PROVIDERS

TITLE = "Search the web"
ANNOTATIONS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": True}
SCHEMA = {
    "name": "web_search",
    "description": "Search the web: titles, URLs and descriptions. The default finds pages of the last 7 days only.",
    "parameters": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 2},
            "count": {"type": "integer", "default": 10, "minimum": 1, "maximum": 20},
            "offset": {"type": "integer", "default": 0, "minimum": 0, "maximum": 9, "description": "Pages to skip"},
            "freshness": {
                "type": "string",
                "default": "pw",
                "description": "pd, pw, pm, py (day to year), YYYY-MM-DDtoYYYY-MM-DD, or any",
            },
            "country": {"type": "string", "description": "e.g. US"},
            "search_lang": {"type": "string", "description": "e.g. en"},
            "ui_lang": {"type": "string", "description": "e.g. en-US"},
            "safesearch": {"type": "string", "enum": ["off", "moderate", "strict"], "default": "moderate"},
            "extra_snippets": {"type": "boolean", "default": True},
            "goggles": {"type": "string", "description": "Brave Goggles: a URL or rules"},
            "domain_allowlist": {"type": "array", "items": {"type": "string"}, "description": "Only these domains"},
            "max_tokens": {"type": "integer", "minimum": 1},
        },
        "required": ["query"],
    },
}
UNLISTED = {"blocked_domains": queries.PROPERTIES["blocked_domains"]}
FLAG_HELP = {
    "query": "What to search for; plain words are the query too",
    "count": "Number of results",
    "freshness": "Age of the pages: pd, pw, pm, py (a day to a year), YYYY-MM-DDtoYYYY-MM-DD, or any (the default)",
    "safesearch": "Filter for adult content",
    "extra_snippets": "More excerpts of each page, where the provider has them",
    "domain_allowlist": "Only results from these domains",
    "max_tokens": provider_results.MAX_TOKENS_PROPERTY["description"],
}
CLAMPED = ("count",)
OUTPUT_SCHEMA = {
    "type": "object",
    "properties": {
        "answers": {"type": "array", "items": {"type": "object", "description": "title, url, text"}},
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    **{name: {"type": "string"} for name in ("title", "url", "description")},
                    "extra_snippets": {"type": "array", "items": {"type": "string"}},
                    "source": {"type": "string"},
                    "rank": {"type": "integer"},
                },
                "required": ["title", "url", "description", "source", "rank"],
            },
        },
        "query": {
            "type": "object",
            "properties": {"original": {"type": "string"}, "more_results_available": {"type": "boolean"}},
            "required": ["original"],
        },
        "debug": {"type": "object", "properties": {"request_id": {"type": "string"}}},
    },
    "required": ["results", "query", "debug"],
}
# Freshness: seconds for which an answer is cached. A search for pages of today is asked again after an hour.
_TTL = {"pd": 3600.0, "pw": 6 * 3600.0, "pm": 12 * 3600.0, "py": 24 * 3600.0}
_OTHER_TTL = 6 * 3600.0  # seconds, for any other freshness
_ROWS = ("results", "answers")  # fields of an Answer that hold SearchResults


def run(
    ctx: Context,
    *,
    query: str,
    count: int = 10,
    offset: int = 0,
    freshness: str | None = None,
    country: str | None = None,
    search_lang: str | None = None,
    ui_lang: str | None = None,
    safesearch: str = "moderate",
    extra_snippets: bool = True,
    goggles: str | None = None,
    domain_allowlist: list[str] | None = None,
    max_tokens: int = 0,
    blocked_domains: list[str] | None = None,
) -> Result:
    """Search the web, or give a cached answer. Raises WebtoolError."""
    options: dict[str, object] = {
        "offset": offset,
        "country": country or None,
        "search_lang": search_lang or None,
        "ui_lang": ui_lang or None,
        "safesearch": safesearch,
        "extra_snippets": extra_snippets,
        "goggles": goggles or None,
    }

    allowed_domains = queries.canonical(domain_allowlist or (), "domain_allowlist")

    def query_for(provider: str) -> Query:
        age = _default_age(ctx, provider) if freshness is None else freshness
        return queries.checked(query, count, allowed_domains, blocked_domains, freshness=age or None, **options)

    answer = _cached(ctx, query_for)
    notes: tuple[str, ...] = ()
    is_cached = answer is not None
    if answer is None:
        answer, notes = _ask_and_cache(ctx, query_for)
    if freshness is None and not ctx.is_person and not _default_age(ctx, answer.provider):
        notes += (
            f"{answer.provider} was asked for pages of any age: few of its engines can tell; freshness pw asks those",
        )
    ctx.report.update(cache_hit=is_cached, status=200, provider=answer.provider)
    data = _members(answer, query, is_cached)
    add_notes(data, (*notes, *answer.notes))
    return provider_results.fitted(answer, data, max_tokens)


def _default_age(ctx: Context, provider: str) -> str:
    """Return the freshness used if the caller gives none: any age for a person, else as the table of providers says."""
    if ctx.is_person:
        return ""
    return PROVIDERS[provider].default_age if provider in PROVIDERS else "pw"


def _cached(ctx: Context, query_for: Callable[[str], Query]) -> Answer | None:
    """Return the cached answer of the first provider that has one. Raises CacheMiss if offline without one."""
    if ctx.cache is not None:
        names = chain.providers(ctx)
        for provider in names:
            key = digest(_cache_key_text(ctx, names, provider, query_for(provider)))
            row = ctx.cache.get_search(key, ctx.now())
            answer = _from_json(row.response_json) if row is not None else None
            if answer is not None:
                return answer
    if ctx.settings.offline:
        raise CacheMiss("this search is not in the cache", hint="Search again without --offline (WEBTOOL_OFFLINE).")
    return None


def _ask_and_cache(ctx: Context, query_for: Callable[[str], Query]) -> tuple[Answer, tuple[str, ...]]:
    """Return a new answer, which is cached, and notes about providers that failed before it."""
    names = chain.providers(ctx)
    answer, notes = chain.search(ctx, names, query_for)
    if ctx.cache is not None:
        provider_query = query_for(answer.provider)
        key_text = _cache_key_text(ctx, names, answer.provider, provider_query)
        members = answer._asdict()
        for name in _ROWS:
            members[name] = [row._asdict() for row in members[name]]
        ttl = _TTL.get(str(provider_query.options.get("freshness")), _OTHER_TTL)
        ctx.cache.put_search(digest(key_text), key_text, json.dumps(members, ensure_ascii=False), ctx.now(), ttl)
    return answer, notes


def _cache_key_text(ctx: Context, names: tuple[str, ...], provider: str, query: Query) -> str:
    """Return all that distinguishes one search from another, as JSON: the query, the provider, and its settings.

    The providers before it in `names` are part of it: once a better one is set up, it is asked.
    """
    endpoint, *other_settings = PROVIDERS[provider].settings
    members = {**query._asdict(), "provider": provider, "endpoint": getattr(ctx.settings, endpoint)}
    members["after"] = names[: names.index(provider)]
    members.update({name.removeprefix(f"{provider}_"): getattr(ctx.settings, name) for name in other_settings})
    return json.dumps(members, sort_keys=True, ensure_ascii=False)


def _members(answer: Answer, query: str, is_cached: bool) -> dict[str, object]:
    about: dict[str, object] = {"original": query, "more_results_available": answer.more_results_available}
    if answer.altered:
        about["altered"] = answer.altered
    debug: dict[str, object] = {"request_id": answer.request_id} if answer.request_id else {}
    debug["cache_hit"] = is_cached
    if answer.ignored:
        debug["ignored"] = list(answer.ignored)
    rows = [_result(result, rank, answer.provider) for rank, result in enumerate(answer.results, 1)]
    boxes = provider_results.answer_members(answer)
    return {**boxes, "results": rows, "query": about, "debug": debug, "source": answer.provider}


def _result(result: SearchResult, rank: int, provider: str) -> dict[str, object]:
    members: dict[str, object] = {"title": result.title, "url": result.url, "description": result.description}
    if result.extra_snippets:
        members["extra_snippets"] = list(result.extra_snippets)
    if result.published_date:
        members["published_date"] = result.published_date
    return {**members, "source": provider, "rank": rank}


def _from_json(text: str) -> Answer | None:
    """Return a cached answer, or None if it is damaged or was written by an incompatible version."""
    try:
        members = json.loads(text)
        for name in _ROWS:
            members[name] = [
                SearchResult(**{**row, "extra_snippets": tuple(row["extra_snippets"])}) for row in members[name]
            ]
        members.update({name: tuple(members[name]) for name in ("answers", "ignored", "notes")})
        return Answer(**members)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
