"""cache_search: search the full text of stored pages. Nothing is fetched.

cache.full_text finds the pages; answers.question.excerpt takes a passage from each. A search adds pages to the index
that it lacks. No stored page changes, and no answer of another tool, so readOnlyHint is true.
Tests: tests/tools/test_cache_search.py
"""

from __future__ import annotations

import time

from webtool.answers import budget
from webtool.answers.question import excerpt
from webtool.cache.full_text import Found, Hit
from webtool.context import Context, Result, add_notes

TITLE = "Search stored pages"
ANNOTATIONS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
SCHEMA = {
    "name": "cache_search",
    "description": "Full-text search over pages opened before, offline.",
    "parameters": {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
            "domain": {"type": "string", "description": "Host or parent domain"},
            "max_tokens": {"type": "integer", "minimum": 1, "default": 2000, "description": "For all passages"},
        },
        "required": ["query"],
    },
}
FLAG_HELP = {
    "query": "Words that the pages have",
    "limit": "At most this many pages",
    "domain": "Only pages of this host or what is below it",
    "max_tokens": "Most tokens of all passages together (four bytes each)",
}
OUTPUT_SCHEMA = {
    "type": "object",
    "properties": {"results": {"type": "array", "items": {"type": "object"}}},
    "required": ["results"],
}
_MAX_INDEXING = 5.0  # seconds for adding pages that are not in the index yet; the rest waits for the next search
_RESERVE = 5.0  # seconds before the deadline that indexing leaves for the search itself
_MIN_PASSAGE_TOKENS = 30


def run(ctx: Context, *, query: str, limit: int = 10, domain: str | None = None, max_tokens: int = 2000) -> Result:
    """Search the stored pages; the passages share `max_tokens`. Raises CacheError."""
    until = min(time.monotonic() + _MAX_INDEXING, ctx.deadline - _RESERVE)
    search = ctx.require_cache().recall(query, limit, domain or "", until)
    room = max(max_tokens // max(len(search.hits), 1), min(max_tokens, _MIN_PASSAGE_TOKENS))
    results = [
        _result(hit, query, room if room * number <= max_tokens else 0) for number, hit in enumerate(search.hits, 1)
    ]
    data: dict[str, object] = {"results": results}
    add_notes(data, _notes(search))
    return Result("\n\n".join(map(_shown, results)), data, "" if results else "nothing found")


def _result(hit: Hit, query: str, max_tokens: int) -> dict[str, object]:
    """Return the members for one page. Its passage has at most `max_tokens`; with 0 it is empty."""
    passage, first_line = excerpt.glance(hit.text, query, max_tokens) if max_tokens else ("", 1)
    return {
        "title": budget.shortened(hit.title or ""),
        "url": hit.url,
        "hash": hit.hash,
        "fetched_at": hit.fetched_at,
        "passage": passage,
        "first_line": first_line,
    }


def _notes(search: Found) -> list[str]:
    """Return notes about an index that is incomplete or missing."""
    notes = []
    if search.pending:
        notes.append(f"{search.pending} stored pages are not in the index yet: search again to go on with them")
    if not search.is_indexed:
        notes.append(
            "there is no index (it needs zlib, and FTS5 in SQLite): the newest pages were read through, word for word"
        )
    return notes


def _shown(result: dict[str, object]) -> str:
    """Return one result for a reader: title, URL, time and hash, passage."""
    dated = f"{result['fetched_at']}  {str(result['hash'])[:12]}"
    lines = (result["title"], result["url"], dated, result["passage"])
    return "\n".join(str(line) for line in lines if line)
