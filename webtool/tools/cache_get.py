"""cache_get: a stored page by its hash. Reads the cache file only."""

from __future__ import annotations

import json

from webtool.answers import parts, tokens
from webtool.cache.freshness import stored_headers
from webtool.cache.front_matter import with_header
from webtool.cache.snapshot import Snapshot
from webtool.cache.store import Cache
from webtool.context import Context, Result, add_notes
from webtool.errors import CacheError, CacheMiss
from webtool.lean.typing import Any
from webtool.pages import choosing, policy, reading
from webtool.pages.again import again
from webtool.pages.wanted import Page, Wanted
from webtool.tools import web_open

TITLE = "Stored page"
ANNOTATIONS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
SCHEMA = {
    "name": "cache_get",
    "description": "Read a page that was opened before, by its hash.",
    "parameters": {
        "type": "object",
        "properties": {
            "hash": {"type": "string", "description": "As in web_open's result"},
            "offset": {"type": "integer", "minimum": 1, "default": 1},
            "max_tokens": {"type": "integer", "minimum": 1},
            **choosing.TYPES,
        },
        "required": ["hash"],
    },
}
FLAG_HELP = {
    "offset": "First line wanted",
    "hash": "As in the answer of open --json; its first six digits or more will do",
    **choosing.FLAG_HELP,
}
OUTPUT_SCHEMA = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("hash", "url", "final_url", "mode", "fetched_at", "markdown", "raw", "title"), web_open.TEXT),
        "next_offset": {"type": "integer"},
    },
    "required": ["hash", "url", "final_url", "mode", "fetched_at"],
}
_SHORTEST_PREFIX = 6
# Columns that are given as they are, where they hold anything.
_METADATA = (
    "hash", "url", "final_url", "mode", "content_type", "status_code", "fetched_at", "expires_at", "etag",
    "last_modified", "title", "extractor_name", "extractor_version", "siteconfig_id", "fetch_ms", "extract_ms",
)  # fmt: skip


def run(
    ctx: Context,
    *,
    hash: str,  # noqa: A002
    offset: int = 1,
    max_tokens: int = 0,
    left_out: bool = False,
    with_: list[int] | None = None,
    select: str = "",
    drop: str = "",
    **part: Any,
) -> Result:
    """The stored page, or the part of it (answers.parts) that is asked for. Raises CacheMiss and CacheError."""
    is_part = parts.is_asked(part)
    choosing.check(select, drop)
    cache = require_cache(ctx)
    snapshot = find(cache, hash)
    page = Page(snapshot)
    if with_ or select or drop:
        wanted = Wanted(snapshot.url, snapshot.mode, with_groups=tuple(with_ or ()), select=select, drop=drop)
        page = again(ctx, cache, snapshot, wanted)
    snapshot = page.snapshot._replace(markdown=parts.viewed(page.snapshot.markdown, part))
    data = metadata(snapshot)
    if is_part:
        return web_open.part_of(ctx, page._replace(snapshot=snapshot), data, part, (offset, max_tokens))
    if max_tokens and snapshot.title:
        data["title"] = tokens.shortened(snapshot.title)
    is_raw = snapshot.mode == "raw"
    lines = tokens.part_of((snapshot.text if is_raw else snapshot.markdown) or "", offset, max_tokens)
    text = data["raw" if is_raw else "markdown"] = lines.text if is_raw else with_header(snapshot, lines.text)
    said, notes = reading.members(reading.kept(snapshot), left_out, with_)
    data.update(said)
    add_notes(data, (*page.notes, *notes, *web_open.paging(data, lines)))
    return Result(text + reading.listed(data), data)


def require_cache(ctx: Context) -> Cache:
    """The cache. Raises CacheError where there is none."""
    if ctx.cache is None:
        raise CacheError(
            "There is no cache: it is off, no home folder is known, or its file cannot be used",
            hint="Set WEBTOOL_CACHE=on and WEBTOOL_CACHE_PATH to a file in a writable folder.",
        )
    return ctx.cache


def find(cache: Cache, key: str) -> Snapshot:
    """The snapshot under a hash, or under the one hash that begins so. Raises CacheMiss and CacheError."""
    key = key.strip().lower()
    snapshot = cache.get(key, strict=True)
    if snapshot is None and len(key) >= _SHORTEST_PREFIX:
        matches = cache.hashes(key, 2)
        snapshot = cache.get(matches[0], strict=True) if len(matches) == 1 else None
    if snapshot is None:
        raise CacheMiss(f"Nothing is stored under {key[:80]!r}", hint="Open the page again with web_open.")
    return snapshot


def metadata(snapshot: Snapshot) -> dict[str, object]:
    """What is known about a stored page, without its text."""
    data = {name: getattr(snapshot, name) for name in _METADATA if getattr(snapshot, name) is not None}
    data.update(policy.signals(snapshot))
    headers = {name: value for name, value in stored_headers(snapshot).items() if not name.startswith(":")}
    if headers:
        data["headers"] = headers
    if snapshot.links_json:
        data["links_count"] = len(json.loads(snapshot.links_json))
    return data
