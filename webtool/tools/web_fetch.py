"""web_fetch: a page as markdown, whole or by lines.

pages.open_page does the work; here the markdown is counted and cut into lines. Later parts of a page come from the
snapshot that the first part was cut from, so that they fit together.
"""

from __future__ import annotations

import time

from webtool import pages
from webtool.cache import freshness
from webtool.context import Context, Result
from webtool.errors import InvalidArgument

SCHEMA = {
    "name": "web_fetch",
    "description": "Fetches content from a specified URL and returns it as markdown. Converts HTML to markdown using"
    " html.parser. Supports pagination via offset and limit parameters similar to file_read.",
    "parameters": {
        "type": "object",
        "properties": {
            "url": {"type": "string", "format": "uri", "description": "The URL to fetch content from"},
            "offset": {
                "type": "integer",
                "description": "Line number to start reading from (1-based)",
                "minimum": 1,
            },
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
        },
        "required": ["url"],
    },
}
HOST_MEMBERS = ("url", "offset", "limit")
FILE_MEMBER = "url"
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
) -> Result:
    """Fetch the page and return the lines asked for. Raises WebtoolError."""
    if timeout_ms is not None:
        ctx.deadline = min(ctx.deadline, time.monotonic() + timeout_ms / 1000)
    accept_age = freshness.TTL_PARTS if offset > 1 else 0.0
    page = pages.open_page(ctx, pages.Wanted(url, mode, max_bytes, accept_age=accept_age, ttl=freshness.TTL_PARTS))
    snapshot = page.snapshot
    content = snapshot.text or "" if mode == "raw" else (snapshot.markdown or "").rstrip("\n")
    return _part(content, offset, limit, {"url": snapshot.final_url, "title": snapshot.title or ""}, page.notes)


def _part(content: str, offset: int, limit: int | None, head: dict[str, object], notes: tuple[str, ...]) -> Result:
    lines = content.split("\n") if content else []
    part = lines[offset - 1 : None if limit is None else offset - 1 + limit]
    data: dict[str, object] = {"success": True, **head, "content": "\n".join(part)}
    data["lines_read"] = len(part)
    data["total_lines"] = len(lines)
    if part and offset - 1 + len(part) < len(lines):
        data["next_offset"] = offset + len(part)
        last = offset + len(part) - 1
        notes = (*notes, f"lines {offset} to {last} of {len(lines)}; go on with offset {last + 1}")
    elif lines and not part:
        notes = (*notes, f"offset {offset} is past the end; there are {len(lines)} lines")
    if notes:
        data["note"] = "; ".join(notes)
    return Result("\n".join(part), data)


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
