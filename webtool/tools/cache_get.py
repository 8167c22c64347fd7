"""cache_get: a stored page by its hash. Reads the cache file only."""

from __future__ import annotations

import json

from webtool.answers import parts, tokens
from webtool.cache.freshness import stored_headers
from webtool.cache.front_matter import with_header
from webtool.cache.snapshot import Snapshot
from webtool.cache.store import Cache
from webtool.context import Context, Result, add_notes
from webtool.errors import CacheMiss
from webtool.lean.typing import Any
from webtool.pages import choosing, in_worker, policy, reading
from webtool.pages.request import Page, Wanted, choices_of, key_of
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
_WITH_BODY = ("readable", "full", "raw")
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
    **members: Any,
) -> Result:
    """The stored page, or what of it is asked for (pages.choosing). Raises CacheMiss and CacheError."""
    choice = choosing.choice(members)
    cache = ctx.require_cache()
    snapshot = find(cache, hash)
    page = Page(snapshot)
    if choice.groups or choice.select or choice.drop:
        page = _again(ctx, cache, snapshot, Wanted(snapshot.url, snapshot.mode, **choice.of_page(1)))
    snapshot = page.snapshot._replace(markdown=parts.viewed(page.snapshot.markdown, choice.part))
    data = metadata(snapshot)
    if choice.is_part:
        return web_open.part_of(ctx, page._replace(snapshot=snapshot), data, choice.part, (offset, max_tokens))
    if max_tokens and snapshot.title:
        data["title"] = tokens.shortened(snapshot.title)
    is_raw = snapshot.mode == "raw"
    lines = tokens.part_of((snapshot.text if is_raw else snapshot.markdown) or "", offset, max_tokens)
    text = data["raw" if is_raw else "markdown"] = lines.text if is_raw else with_header(snapshot, lines.text)
    said, notes = reading.members(reading.kept(snapshot), choice.left_out, choice.groups)
    data.update(said)
    if lines.next_offset is not None:
        data["next_offset"] = lines.next_offset
    add_notes(data, (*page.notes, *notes, *tokens.paging(lines)))
    return Result(text + reading.listed(data), data)


def _again(ctx: Context, cache: Cache, kept: Snapshot, wanted: Wanted) -> Page:
    """The page with groups added back, or elements chosen, made from the body that was stored with it, or with the same
    page in another mode; nothing is fetched. Raises CacheMiss where no body is stored."""
    body = kept.raw_bytes
    for mode in _WITH_BODY if kept.mode in _WITH_BODY else ():
        if body is None:
            other = cache.get(key_of(kept.url, Wanted(kept.url, mode)))
            body = other.raw_bytes if other is not None and other.fetched_at == kept.fetched_at else None
    if body is None:
        raise CacheMiss(
            f"The body of this page is not stored (mode {kept.mode}), so it cannot be written in another way",
            hint=f"Open {kept.url} again with web_open and the same members.",
            url=kept.url,
        )
    choices = choices_of(kept)
    wanted = wanted._replace(
        use_siteconfig=bool(choices.pop("use_siteconfig", True)),
        siteconfig_id=str(choices.pop("siteconfig_id", "")),
        thresholds=choices,
    )
    offline = ctx.derive(settings=ctx.settings._replace(offline=True))
    made = in_worker.convert(offline, wanted, body, kept.content_type, kept.final_url)
    return Page(kept._replace(**made.columns), cache_hit=True, notes=made.notes)  # type: ignore[arg-type]


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
