"""cache_get: give a stored page, found by its hash. Reads the cache file only.

Groups and CSS selectors change how a page is converted: for these it is converted again from its stored body.
Tests: tests/tools/test_cache_get.py
"""

from __future__ import annotations

import json

from webtool import urls
from webtool.answers import budget
from webtool.cache.freshness import stored_headers
from webtool.cache.store import Cache
from webtool.cache.tables import Snapshot
from webtool.context import Context, Result
from webtool.errors import CacheMiss, InvalidArgument, quoted
from webtool.lean.typing import Any
from webtool.pages import answer as page_answer
from webtool.pages import in_worker, policy
from webtool.pages.request import Page, PageRequest
from webtool.pages.stored_copies import choices_of, rows_of, source_of
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
            **page_answer.PARAMETER_TYPES,
        },
        "required": ["hash"],
    },
}
FLAG_HELP = {
    "offset": "First line to show",
    "hash": "As in the answer of open --json; its first six digits are enough",
    **page_answer.FLAG_HELP,
}
OUTPUT_SCHEMA = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("hash", "url", "final_url", "mode", "fetched_at", "markdown", "raw", "title"), web_open.TEXT),
        "next_offset": {"type": "integer"},
    },
    "required": ["hash", "url", "final_url", "mode", "fetched_at"],
}
_MIN_PREFIX = 6  # digits; a shorter beginning of a hash finds nothing
# Snapshot columns that are members of the answer, unless they are empty.
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
    """Give the lines of the page, or the part that `members` ask for (pages.answer). Raises CacheMiss, CacheError."""
    choice = page_answer.read_choice(members)
    cache = ctx.require_cache()
    snapshot = find(cache, hash)
    page = Page(snapshot)
    if choice.groups or choice.select or choice.drop:
        request = PageRequest(snapshot.url, snapshot.mode, **choice.request_fields(1))
        page = _converted_again(ctx, snapshot, request)
    text = page_answer.text_of(page, choice)
    answer = page_answer.Answer(page, choice, metadata(page.snapshot))
    if choice.is_part:
        return answer.part_result(ctx, text, offset, max_tokens)
    if max_tokens and page.snapshot.title:
        answer.data["title"] = budget.shortened(page.snapshot.title)
    lines = answer.add_lines(text, offset, max_tokens)
    answer.add_facts()
    answer.add_paging(lines)
    return answer.result()


def _converted_again(ctx: Context, stored: Snapshot, request: PageRequest) -> Page:
    """Convert the stored body, perhaps of another mode, with groups or elements. Raises CacheMiss without one."""
    others = [] if stored.mode == "rendered" else rows_of(ctx, stored.url)
    copies = [copy for copy in (stored, *others) if copy.raw_bytes is not None]
    copy = next((copy for copy in copies if copy.fetched_at == stored.fetched_at), None)
    if copy is None:
        raise CacheMiss(
            f"The body of this page is not stored (mode {stored.mode}), so it cannot be written in another way",
            hint=f"Open {stored.url} again with web_open and the same members.",
            url=stored.url,
        )
    choices = choices_of(stored)
    request = request._replace(
        use_siteconfig=bool(choices.pop("use_siteconfig", True)),
        siteconfig_id=str(choices.pop("siteconfig_id", "")),
        thresholds=choices,
    )
    offline = ctx.derive(settings=ctx.settings._replace(offline=True))
    converted = in_worker.convert(offline, request, source_of(copy))
    snapshot = stored._replace(**converted.columns)  # type: ignore[arg-type]
    return Page(snapshot, cache_hit=True, notes=converted.notes)


def find(cache: Cache, key: str) -> Snapshot:
    """Return the snapshot of a hash, or of the only hash that begins with `key`. Raises CacheMiss and CacheError.

    A resource of the MCP server, resource://cache/HASH, is read as its hash.
    """
    key = key.strip().lower().removeprefix("resource://cache/")
    snapshot = cache.get(key, strict=True)
    if snapshot is None and len(key) >= _MIN_PREFIX:
        matches = cache.hashes(key, 2)
        snapshot = cache.get(matches[0], strict=True) if len(matches) == 1 else None
    if snapshot is None and len(key) < _MIN_PREFIX:
        hint = "webtool recall and the member hash of an opened page show hashes."
        raise InvalidArgument(f"hash is {quoted(key)}: give {_MIN_PREFIX} or more of its digits", hint=hint)
    if snapshot is None:
        raise CacheMiss(f"Nothing is stored under {urls.shortened(key)!r}", hint="Open the page again with web_open.")
    return snapshot


def metadata(snapshot: Snapshot) -> dict[str, object]:
    """Return what is known about a stored page, without its text: URLs, times, validators, headers, signals."""
    data = {name: getattr(snapshot, name) for name in _METADATA if getattr(snapshot, name) is not None}
    data.update(policy.signals(snapshot))
    headers = {name: value for name, value in stored_headers(snapshot).items() if not name.startswith(":")}
    if headers:
        data["headers"] = headers
    if snapshot.links_json:
        data["links_count"] = len(json.loads(snapshot.links_json))
    return data
