"""cache_info: show what the cache holds, and how often it helped. A command for people; MCP does not list it.

Tests: tests/tools/test_cache_get.py
"""

from __future__ import annotations

from webtool.context import Context, Result

SCHEMA = {
    "name": "cache_info",
    "description": "Show where the cache lies, what it holds and how often it helped.",
    "parameters": {"type": "object", "properties": {}},
}


def run(ctx: Context) -> Result:
    """Give path, size, numbers of rows and counters. Raises CacheError."""
    data = ctx.require_cache().info(strict=True)
    counters: dict[str, int] = data.get("counters", {})  # type: ignore[assignment]
    lines = [f"{name}: {'none' if value is None else value}" for name, value in data.items() if name != "counters"]
    lines += [f"{name}: {value}" for name, value in counters.items()]
    return Result("\n".join(lines), data)
