"""web_fetch: give a page as markdown, whole or by lines.

pages.open_page() opens it and pages.answer builds the members. Later parts of a page come from the same snapshot as the
first part, so that they fit together.
Tests: tests/tools/test_parts.py
"""

from __future__ import annotations

import time

from webtool import pages
from webtool.cache import freshness
from webtool.context import Context, Result
from webtool.lean.typing import Any
from webtool.pages import answer as page_answer
from webtool.pages import policy

SCHEMA = {
    "name": "web_fetch",
    "description": "Fetches content from a specified URL and returns it as markdown. Converts HTML to markdown using"
    " a built-in HTML parser. Supports pagination via offset and limit parameters similar to file_read.",
    "parameters": {
        "type": "object",
        "properties": {
            "url": {"type": "string", "format": "uri", "description": "The URL to fetch content from"},
            "offset": {"type": "integer", "description": "Line number to start reading from (1-based)", "minimum": 1},
            "limit": {"type": "integer", "description": "Maximum number of lines to return", "minimum": 1},
            "mode": {
                "type": "string",
                "description": "full: the whole document (default); readable: its main content; raw: the body as it is",
                "enum": ["full", "readable", "raw"],
            },
            "max_bytes": {
                "type": "integer",
                "description": "Largest body to accept, in bytes after decoding (default 5242880)",
                "minimum": 1,
            },
            "timeout_ms": {
                "type": "integer",
                "description": "Milliseconds for the whole fetch (default 25000)",
                "minimum": 1,
            },
            "max_tokens": {
                "type": "integer",
                "description": "Cut the answer after about this many tokens, at four bytes each (query: 800)",
                "minimum": 1,
            },
            **page_answer.PARAMETERS,
        },
        "required": ["url"],
    },
}
HOST_MEMBERS = ("url", "offset", "limit")
FILE_MEMBER = "url"
FLAG_HELP = page_answer.FLAG_HELP
CLI_OPTIONS = {"demo": False}
CLI_HELP = {"--demo": "Serve a built-in page on loopback and fetch it"}


def run(
    ctx: Context,
    *,
    url: str,
    offset: int = 1,
    limit: int | None = None,
    mode: str = "full",
    max_bytes: int | None = None,
    timeout_ms: int | None = None,
    max_tokens: int = 0,
    **members: Any,
) -> Result:
    """Fetch the page; give its lines, or the part that `members` ask for (pages.answer). Raises WebtoolError."""
    choice = page_answer.read_choice(members)
    if timeout_ms is not None:
        ctx.deadline = min(ctx.deadline, time.monotonic() + timeout_ms / 1000)
    request = pages.PageRequest(url, mode, max_bytes, ttl=freshness.TTL_PARTS, **choice.request_fields(offset))
    page = pages.open_page(ctx, request)
    snapshot = page.snapshot
    text = page_answer.text_of(page, choice)
    data: dict[str, object] = {"success": True, "url": snapshot.final_url, "title": snapshot.title or ""}
    data.update(policy.signals(snapshot))
    answer = page_answer.Answer(page, choice, data, "content")
    if choice.is_part:
        data.update(hash=snapshot.hash, fetched_at=snapshot.fetched_at)
        part = answer.add_part(ctx, text, offset, max_tokens)
        return answer.result(part.text, part.about)
    if mode == "readable" and snapshot.status_code:
        data["status_code"] = snapshot.status_code
    answer.add_facts()
    lines = answer.add_lines(text, offset, max_tokens, limit)
    data.update(lines_read=lines.length, total_lines=lines.total)
    answer.add_paging(lines)
    return answer.result()
