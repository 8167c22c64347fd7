"""web_search: search with whichever provider is set up, and keep the answer for a while.

webtool.providers.chain asks the providers; here are the kept answers, and the form of the result.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from webtool.cache.snapshot import digest
from webtool.context import Context, Result, add_notes
from webtool.errors import CacheMiss
from webtool.providers import chain, domains, driver, results
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
                "description": "pd, pw, pm, py (day to year), YYYY-MM-DDtoYYYY-MM-DD, or empty for any age",
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
UNLISTED = {"blocked_domains": domains.PROPERTIES["blocked_domains"]}
FLAG_HELP = {
    "query": "What to search for; plain words are the query too",
    "count": "Number of results",
    "freshness": 'Age of the pages: pd, pw, pm, py (a day to a year), YYYY-MM-DDtoYYYY-MM-DD, or "" for any',
    "safesearch": "Filter for adult content",
    "extra_snippets": "More excerpts of each page, where the provider has them",
    "domain_allowlist": "Only results from these domains",
    "max_tokens": results.MAX_TOKENS["description"],
}
CLAMPED = ("count",)
OUTPUT_SCHEMA = {
    "type": "object",
    "properties": {
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
# Seconds that an answer is kept, by freshness: what is to be new today is asked for again within the hour.
_TTL = {"pd": 3600.0, "pw": 6 * 3600.0, "pm": 12 * 3600.0, "py": 24 * 3600.0}
_OTHER_TTL = 6 * 3600.0


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
    """Search. Raises WebtoolError."""
    options: dict[str, object] = {
        "offset": offset,
        "country": country or None,
        "search_lang": search_lang or None,
        "ui_lang": ui_lang or None,
        "safesearch": safesearch,
        "extra_snippets": extra_snippets,
        "goggles": goggles or None,
    }

    def query_for(provider: str) -> Query:
        age = _default_age(provider) if freshness is None else freshness
        return driver.checked_query(
            query, count, domain_allowlist, blocked_domains, {**options, "freshness": age or None}
        )

    answer = _kept(ctx, query_for)
    notes: tuple[str, ...] = ()
    is_kept = answer is not None
    if answer is None:
        answer, notes = _asked(ctx, query_for)
    if freshness is None and not _default_age(answer.provider):
        notes += (
            f"{answer.provider} was asked for pages of any age: few of its engines can tell; freshness pw asks those",
        )
    ctx.report.update(cache_hit=is_kept, status=200, provider=answer.provider)
    data = _members(answer, query, is_kept)
    add_notes(data, (*notes, *answer.notes))
    return results.fitted(answer, data, max_tokens)


def _default_age(provider: str) -> str:
    """Return the freshness used if the caller gives none, as the table of providers says."""
    return PROVIDERS[provider].default_age if provider in PROVIDERS else "pw"


def after_command(ctx: Context, options: dict[str, str], members: dict[str, object]) -> None:
    """A person who wonders where the older pages are has not read the schema."""
    if "freshness" not in members and "quiet" not in options and _default_age(str(ctx.report.get("provider"))):
        ctx.warn('these are pages of the last 7 days; --freshness py finds those of a year, --freshness "" all')


def _kept(ctx: Context, query_for: Callable[[str], Query]) -> Answer | None:
    """A kept answer to the very same question, of the first provider that has one."""
    for provider in chain.providers(ctx) if ctx.cache is not None else ():
        kept = ctx.cache.get_search(digest(_question(ctx, provider, query_for(provider))), ctx.now())  # type: ignore[union-attr]
        answer = _from_json(kept.response_json) if kept is not None else None
        if answer is not None:
            return answer
    if ctx.settings.offline:
        raise CacheMiss("this search is not in the cache", hint="Search again without --offline.")
    return None


def _asked(ctx: Context, query_for: Callable[[str], Query]) -> tuple[Answer, tuple[str, ...]]:
    """A new answer, which is kept, and notes on the providers that gave none."""
    answer, notes = chain.search(ctx, chain.providers(ctx), query_for)
    if ctx.cache is not None:
        wanted = query_for(answer.provider)
        question = _question(ctx, answer.provider, wanted)
        kept = {**answer._asdict(), "results": [result._asdict() for result in answer.results]}
        ttl = _TTL.get(str(wanted.options.get("freshness")), _OTHER_TTL)
        ctx.cache.put_search(digest(question), question, json.dumps(kept, ensure_ascii=False), ctx.now(), ttl)
    return answer, notes


def _question(ctx: Context, provider: str, wanted: Query) -> str:
    """All that makes one question another, as text."""
    endpoint, *others = PROVIDERS[provider].settings
    asked = {**wanted._asdict(), "provider": provider, "endpoint": getattr(ctx.settings, endpoint)}
    asked.update({name.removeprefix(f"{provider}_"): getattr(ctx.settings, name) for name in others})
    return json.dumps(asked, sort_keys=True, ensure_ascii=False)


def _members(answer: Answer, query: str, is_kept: bool) -> dict[str, object]:
    about: dict[str, object] = {"original": query, "more_results_available": answer.more_results_available}
    if answer.altered:
        about["altered"] = answer.altered
    debug: dict[str, object] = {"request_id": answer.request_id} if answer.request_id else {}
    debug["cache_hit"] = is_kept
    if answer.ignored:
        debug["ignored"] = list(answer.ignored)
    results = [_result(result, rank, answer.provider) for rank, result in enumerate(answer.results, 1)]
    return {"results": results, "query": about, "debug": debug, "source": answer.provider}


def _result(result: SearchResult, rank: int, provider: str) -> dict[str, object]:
    members: dict[str, object] = {"title": result.title, "url": result.url, "description": result.description}
    if result.extra_snippets:
        members["extra_snippets"] = list(result.extra_snippets)
    if result.published_date:
        members["published_date"] = result.published_date
    return {**members, "source": provider, "rank": rank}


def _from_json(text: str) -> Answer | None:
    """The kept answer; None where it is damaged, or another version wrote it."""
    try:
        members = json.loads(text)
        kept = [SearchResult(**{**one, "extra_snippets": tuple(one["extra_snippets"])}) for one in members["results"]]
        return Answer(
            **{**members, "results": kept, "ignored": tuple(members["ignored"]), "notes": tuple(members["notes"])}
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
