"""web_fetch: a page as markdown, whole or by lines.

pages.open_page does the work; here the markdown is counted and cut into lines. Later parts of a page come from the
snapshot that the first part was cut from, so that they fit together.
"""

from __future__ import annotations

import time

from webtool import pages
from webtool.answers import parts, tokens
from webtool.cache import freshness
from webtool.context import Context, Result, add_notes
from webtool.errors import InvalidArgument
from webtool.lean.typing import Any
from webtool.pages import choosing, in_worker, policy, reading

SCHEMA = {
    "name": "web_fetch",
    "description": "Fetches content from a specified URL and returns it as markdown. Converts HTML to markdown using"
    " html.parser. Supports pagination via offset and limit parameters similar to file_read.",
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
            **choosing.PROPERTIES,
        },
        "required": ["url"],
    },
}
HOST_MEMBERS = ("url", "offset", "limit")
FILE_MEMBER = "url"
FLAG_HELP = choosing.FLAG_HELP
CLI_OPTIONS = {"demo": False, "ignore_robots": False}
CLI_HELP = {
    "--demo": "Serve a built-in page on loopback and fetch it",
    "--ignore-robots": "Do not ask robots.txt (your own click, on a terminal)",
}


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
    """Fetch the page and return the lines, or what of it is asked for (pages.choosing). Raises WebtoolError."""
    choice = choosing.choice(members)
    if timeout_ms is not None:
        ctx.deadline = min(ctx.deadline, time.monotonic() + timeout_ms / 1000)
    page = pages.open_page(ctx, pages.Wanted(url, mode, max_bytes, ttl=freshness.TTL_PARTS, **choice.of_page(offset)))
    snapshot = page.snapshot
    content = snapshot.text or "" if mode == "raw" else parts.viewed(snapshot.markdown, choice.part).rstrip("\n")
    data: dict[str, object] = {"success": True, "url": snapshot.final_url, "title": snapshot.title or ""}
    data.update(policy.signals(snapshot))
    if choice.is_part:
        given = in_worker.part(ctx, content, choice.part, offset, max_tokens)
        data.update(hash=snapshot.hash, fetched_at=snapshot.fetched_at)
        data.update({"content": given.text} if given.is_text else {}, **given.members)
        add_notes(data, (*page.notes, *given.notes))
        return Result(given.text, data)
    if mode == "readable" and snapshot.status_code:
        data["status_code"] = snapshot.status_code
    told, notes = reading.members(reading.kept(snapshot), choice.left_out, choice.groups)
    part = tokens.part_of(content, offset, max_tokens, limit)
    data.update(told, content=part.text, lines_read=part.length, total_lines=part.total)
    if part.next_offset is not None:
        data["next_offset"] = part.next_offset
    add_notes(data, (*page.notes, *notes, *tokens.paging(part)))
    return Result(part.text + reading.listed(data), data)


def prepare_command(options: dict[str, str], members: dict[str, object]) -> tuple[dict[str, object], dict[str, object]]:
    """What --ignore-robots means: the members and the settings they change."""
    changes: dict[str, object] = {}
    if "ignore_robots" in options:
        from webtool.output import is_terminal

        if not any(is_terminal(fd) for fd in (0, 1, 2)):
            raise InvalidArgument(
                "--ignore-robots is for a person at a terminal", hint="A script decides with WEBTOOL_RESPECT_ROBOTS=0."
            )
        changes["respect_robots"] = False
    return members, changes
