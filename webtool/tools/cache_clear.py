"""cache_clear: empty the cache. A command for people; MCP does not list it.

At a terminal the command asks first; elsewhere it needs `yes`.
Tests: tests/tools/test_cache_get.py
"""

from __future__ import annotations

import os

from webtool import settings
from webtool.context import Context, Result
from webtool.errors import CacheError, InvalidArgument, counted
from webtool.output import ask

ANNOTATIONS = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False}
SCHEMA = {
    "name": "cache_clear",
    "description": "Delete every stored page, search and robots.txt.",
    "parameters": {
        "type": "object",
        "properties": {"yes": {"type": "boolean", "default": False, "description": "Delete without a question"}},
    },
}


def run(ctx: Context, *, yes: bool = False) -> Result:
    """Delete everything, and the addresses of the last search. Raises InvalidArgument without `yes`, CacheError."""
    if not yes:
        raise InvalidArgument(
            "cache clear deletes every stored page, and nobody confirmed it",
            hint="Add --yes (yes: true). cache purge deletes some of the pages.",
        )
    deleted = ctx.require_cache().clear()
    try:
        os.unlink(settings.last_search_path(ctx.settings, ctx.environ))
    except FileNotFoundError:
        pass  # nothing was searched before
    except OSError as exc:
        raise CacheError(
            f"the cache is empty, but the addresses of the last search could not be deleted: {exc.strerror or exc}",
            hint=f"Delete {exc.filename} yourself.",
        ) from exc
    return Result(f"deleted: {counted(deleted, 'page')}", {"deleted": deleted})


def prepare_command(
    _options: dict[str, str], members: dict[str, object]
) -> tuple[dict[str, object], dict[str, object]]:
    """Ask the person at the terminal, unless --yes is given. Return the arguments for run(), and changed settings."""
    if "yes" not in members and ask("Delete every stored page and search?"):
        members = {**members, "yes": True}
    return members, {}
