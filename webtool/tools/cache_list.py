"""cache_list: list the stored pages, newest first. A command for people; MCP lists its resources instead.

Tests: tests/tools/test_cache_get.py
"""

from __future__ import annotations

from webtool import urls
from webtool.cache.store import Row
from webtool.context import Context, Result

SCHEMA = {
    "name": "cache_list",
    "description": "List the stored pages, newest first.",
    "parameters": {
        "type": "object",
        "properties": {
            "limit": {"type": "integer", "default": 50, "minimum": 1, "maximum": 10000, "description": "Pages to list"},
            "offset": {"type": "integer", "default": 0, "minimum": 0, "description": "Pages to skip"},
        },
    },
}
_DIGITS = 12  # of a hash; cache get takes these


def run(ctx: Context, *, limit: int = 50, offset: int = 0) -> Result:
    """Give hash, time, mode, size and address of each page. Raises CacheError."""
    cache = ctx.require_cache()
    total = int(str(cache.info(strict=True)["snapshots"]))
    rows = [row._replace(url=urls.redact(row.url)) for row in cache.listing(limit, offset)]
    pages = [{**row._asdict(), "title": row.title or ""} for row in rows]
    data: dict[str, object] = {"pages": pages, "total": total}
    if offset + limit < total:
        data["next_offset"] = offset + limit
        data["note"] = f"pages {offset + 1} to {offset + limit} of {total}: go on with offset {offset + limit}"
    return Result("\n".join(map(_line, rows)) if rows else "the cache holds no pages", data)


def _line(row: Row) -> str:
    """Return a line such as `3f9a6c012345  2026-11-26 21:40  readable    12 KB  https://example.com/`."""
    day = row.fetched_at[:16].replace("T", " ")
    return f"{row.hash[:_DIGITS]}  {day:<16}  {row.mode:<8}  {-(-row.size // 1024):>5} KB  {row.url}"
