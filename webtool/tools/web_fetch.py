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
from webtool.pages import apart, choosing, policy, reading

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
    left_out: bool = False,
    with_: list[int] | None = None,
    select: str = "",
    drop: str = "",
    **part: Any,
) -> Result:
    """Fetch the page and return the lines, or the part (answers.parts), asked for. Raises WebtoolError."""
    is_part = parts.is_asked(part)
    choosing.check(select, drop)
    if timeout_ms is not None:
        ctx.deadline = min(ctx.deadline, time.monotonic() + timeout_ms / 1000)
    accept_age = freshness.TTL_PARTS if offset > 1 or is_part or with_ else 0.0
    wanted = pages.Wanted(url, mode, max_bytes, accept_age=accept_age, ttl=freshness.TTL_PARTS)
    page = pages.open_page(ctx, wanted._replace(select=select, drop=drop, with_groups=tuple(with_ or ())))
    snapshot = page.snapshot
    content = snapshot.text or "" if mode == "raw" else parts.viewed(snapshot.markdown, part).rstrip("\n")
    head: dict[str, object] = {"url": snapshot.final_url, "title": snapshot.title or "", **policy.signals(snapshot)}
    if is_part:
        given = apart.part(ctx, content, part, offset, max_tokens)
        head.update(hash=snapshot.hash, fetched_at=snapshot.fetched_at)
        return _given(given, head, page.notes)
    told, notes = reading.members(reading.kept(snapshot), left_out, with_)
    if mode == "readable" and snapshot.status_code:
        head["status_code"] = snapshot.status_code
    shown = tokens.part_of(content, offset, max_tokens)
    result = _lines(shown, limit, {**head, **told}, (*page.notes, *notes))
    return result._replace(text=result.text + reading.listed(result.data))


def _given(given: parts.Given, head: dict[str, object], notes: tuple[str, ...]) -> Result:
    data: dict[str, object] = {"success": True, **head}
    if given.is_text:
        data["content"] = given.text
    data.update(given.members)
    add_notes(data, (*notes, *given.notes))
    return Result(given.text, data)


def _lines(part: tokens.Part, limit: int | None, head: dict[str, object], notes: tuple[str, ...]) -> Result:
    """The lines of a part, at most `limit` of them, and where to go on."""
    is_past = part.first > part.total
    lines = [] if is_past else part.text.split("\n")[:limit]
    data: dict[str, object] = {"success": True, **head, "content": "\n".join(lines)}
    data["lines_read"] = len(lines)
    data["total_lines"] = part.total
    last = part.first + len(lines) - 1
    if part.cut_line:
        notes = (*notes, f"line {part.cut_line} is longer than max_tokens and ends early: give more max_tokens")
    if lines and last < part.total:
        data["next_offset"] = last + 1
        notes = (*notes, f"lines {part.first} to {last} of {part.total}; go on with offset {last + 1}")
    elif is_past and part.total:
        notes = (*notes, f"offset {part.first} is past the end; there are {part.total} lines")
    add_notes(data, notes)
    return Result("\n".join(lines), data)


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
