"""cache_info: what the cache holds, and how often it helped. A command for people; agents have no use for it."""

from __future__ import annotations

from webtool.context import Context, Result

TITLE = "Cache information"
ANNOTATIONS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
SCHEMA = {
    "name": "cache_info",
    "description": "Show where the cache lies, what it holds and how often it helped.",
    "parameters": {"type": "object", "properties": {}},
}


def run(ctx: Context) -> Result:
    """Path, size, numbers of rows, counters. Raises CacheError."""
    data = ctx.require_cache().info(strict=True)
    counters: dict[str, int] = data.get("counters", {})  # type: ignore[assignment]
    lines = [f"{name}: {'none' if value is None else value}" for name, value in data.items() if name != "counters"]
    lines += [f"{name}: {value}" for name, value in counters.items()]
    return Result("\n".join(lines), data)
