"""cache_purge: delete stored pages: the expired ones, or those that meet all given criteria.

Tests: tests/tools/test_cache_get.py
"""

from __future__ import annotations

from webtool.context import Context, Result

TITLE = "Purge cache"
ANNOTATIONS = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False}
SCHEMA = {
    "name": "cache_purge",
    "description": "Delete stored pages that meet all the given criteria; without any, the expired ones.",
    "parameters": {
        "type": "object",
        "properties": {
            "older_than_days": {"type": "number", "minimum": 0, "description": "Fetched longer ago than this"},
            "domain": {"type": "string", "description": "Of this domain or its sub-domains"},
            "max_entries": {"type": "integer", "minimum": 0, "description": "Keep this many of the newest"},
        },
    },
}
OUTPUT_SCHEMA = {"type": "object", "properties": {"deleted": {"type": "integer"}}, "required": ["deleted"]}


def run(
    ctx: Context, *, older_than_days: float | None = None, domain: str | None = None, max_entries: int | None = None
) -> Result:
    """Delete pages and give their number. Raises CacheError."""
    deleted = ctx.require_cache().purge(older_than_days, domain, max_entries, strict=True)
    return Result(f"deleted: {deleted}", {"deleted": deleted})
