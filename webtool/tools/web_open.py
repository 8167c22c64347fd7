"""web_open: one page as markdown of its main content, or as it is.

pages.open_page opens it; here are the schema, the header block, and the part of a long page that was asked for.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from webtool import pages
from webtool.answers import parts, tokens
from webtool.cache.front_matter import with_header
from webtool.cache.snapshot import Snapshot
from webtool.context import Context, Result, add_notes
from webtool.errors import InvalidArgument
from webtool.lean import jsontext
from webtool.lean.typing import Any
from webtool.pages import choosing, in_worker, policy, reading

TITLE = "Open page"
ANNOTATIONS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": True}
MODE = {"type": "string", "enum": ["readable", "full", "raw", "rendered"], "default": "readable"}
SCHEMA = {
    "name": "web_open",
    "description": "Open a web page, PDF, Office file, feed or notebook as markdown, kept in a cache. readable: its"
    " main content; full: all of it; raw: the body as it is; rendered: what a browser shows (off unless WEBTOOL_RENDER"
    " is set). For one fact ask with query or find; outline lists the sections. A long page gives next_offset: call"
    " again with it.",
    "parameters": {
        "type": "object",
        "properties": {
            "url": {"type": "string", "description": "http(s) URL"},
            "mode": MODE,
            "max_bytes": {"type": "integer", "default": 5242880, "minimum": 1},
            "force_refresh": {"type": "boolean", "default": False},
            "timeout_ms": {"type": "integer", "default": 20000, "minimum": 1},
            "accept": {"type": "string"},
            "use_siteconfig": {"type": "boolean", "default": True},
            "siteconfig_id": {"type": "string"},
            "extract": {
                "type": "object",
                "properties": {
                    "char_threshold": {"type": "integer", "minimum": 0},
                    "max_top_candidates": {"type": "integer", "minimum": 1},
                },
            },
            "offset": {"type": "integer", "minimum": 1, "default": 1, "description": "First line wanted"},
            "max_tokens": {"type": "integer", "minimum": 1, "description": "Cut longer answers (MCP: at 12000)"},
            **choosing.PROPERTIES,
        },
        "required": ["url"],
    },
}
LINKS = {"type": "array", "items": {"type": "object", "description": "text, href"}}
TEXT = {"type": "string"}
OUTPUT_SCHEMA = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("url", "final_url", "content_type", "fetched_at", "mode", "raw", "markdown", "title"), TEXT),
        "links": LINKS,
        "hash": TEXT,
        "next_offset": {"type": "integer"},
        "status_code": {"type": "integer"},
        **reading.PROPERTIES,
    },
    "required": ["url", "final_url", "content_type", "fetched_at", "mode", "hash"],
}
FILE_MEMBER = "url"
FLAG_HELP = {
    "url": "Address of the page (https where it has no scheme), a file, or - for standard input",
    "mode": "readable: the main content; full: the whole page; raw: the body as it is; rendered: what a browser shows",
    "max_bytes": "Largest body to accept, in bytes after decoding",
    "timeout_ms": "Milliseconds for the whole page",
    "force_refresh": "Ask the server even where a fresh copy is stored",
    "accept": "Accept header field to send",
    "use_siteconfig": "Use the extraction rules of the site",
    "siteconfig_id": "Use these site rules",
    "extract": 'Limits of the rule-based extraction: {"char_threshold": N, "max_top_candidates": N}',
    **choosing.FLAG_HELP,
}
CLI_OPTIONS = {"screenshot": True}
CLI_HELP = {"--screenshot FILE.png": "Save a picture of the page as a browser shows it (needs WEBTOOL_RENDER)"}
# An Accept header field is sent as given, so it must not be able to end its line (RFC 9110 section 5.5).
_MAX_ACCEPT = 1000
_LINKS_SHARE = 5  # links get at most this fraction of an answer's tokens
_FEW_TOKENS = 1000  # an answer as short as this has no room for links beside its text


def run(
    ctx: Context,
    *,
    url: str,
    mode: str = "readable",
    max_bytes: int | None = None,
    force_refresh: bool = False,
    timeout_ms: int | None = None,
    accept: str | None = None,
    use_siteconfig: bool = True,
    siteconfig_id: str | None = None,
    extract: dict[str, object] | None = None,
    offset: int = 1,
    max_tokens: int = 0,
    **members: Any,
) -> Result:
    """Open the page. `members` are those of pages.choosing. Raises WebtoolError."""
    choice = choosing.choice(members)
    if timeout_ms is not None:
        ctx.deadline = min(ctx.deadline, time.monotonic() + timeout_ms / 1000)
    max_bytes = max_bytes or ctx.settings.max_bytes
    wanted = pages.Wanted(
        url,
        mode,
        max_bytes,
        accept=_checked_accept(accept or ""),
        force=force_refresh,
        thresholds=extract or {},
        use_siteconfig=use_siteconfig,
        siteconfig_id=siteconfig_id or "",
        **choice.of_page(offset),
    )
    page = pages.open_page(ctx, wanted)
    ctx.report.update(cache_hit=page.cache_hit, status=page.snapshot.status_code)
    page = page._replace(snapshot=page.snapshot._replace(markdown=parts.viewed(page.snapshot.markdown, choice.part)))
    if choice.is_part:
        return part_of(ctx, page, _head(page.snapshot), choice.part, (offset, max_tokens))
    return answer(page, offset, max_tokens, max_bytes, (choice.left_out, choice.groups))


def part_of(
    ctx: Context, page: pages.Page, data: dict[str, object], asked: Mapping[str, Any], bounds: tuple[int, int]
) -> Result:
    """The part of the page that was asked for, beside `data`, which says which page it is. `bounds` is the offset and
    the most tokens."""
    snapshot = page.snapshot
    is_raw = snapshot.mode == "raw"
    given = in_worker.part(ctx, (snapshot.text if is_raw else snapshot.markdown) or "", asked, *bounds)
    if given.is_text:
        data["raw" if is_raw else "markdown"] = given.text if is_raw else with_header(snapshot, given.text)
    if snapshot.title:
        data["title"] = tokens.shortened(snapshot.title)
    data.update(given.members, hash=snapshot.hash)
    if page.stale:
        data["stale"] = True
    notes = [*page.notes, *given.notes]
    if given.is_missed and snapshot.mode == "readable":
        notes.append("only the main content was searched: web_fetch, or mode full, searches the whole page")
    add_notes(data, notes)
    return Result(str(data.get("markdown", given.text)), data)


def _head(snapshot: Snapshot) -> dict[str, object]:
    return {
        "url": snapshot.url,
        "final_url": snapshot.final_url,
        "content_type": snapshot.content_type or "",
        "fetched_at": snapshot.fetched_at,
        "mode": snapshot.mode,
        **policy.signals(snapshot),
    }


def answer(
    page: pages.Page, offset: int, max_tokens: int, max_bytes: int, receipt: tuple[bool, tuple[int, ...]] = (False, ())
) -> Result:
    """The members of one opened page, from line `offset` on; `receipt` is what left_out and with said."""
    snapshot, notes = page.snapshot, list(page.notes)
    data = _head(snapshot)
    links, omitted = _links(snapshot, max_tokens)
    is_raw = snapshot.mode == "raw"
    whole = snapshot.markdown or ""
    if is_raw:
        whole = (snapshot.text or "").encode("utf-8", "replace")[:max_bytes].decode("utf-8", "ignore")
    part = tokens.part_of(whole, offset, _room(max_tokens, links))
    data["raw" if is_raw else "markdown"] = part.text if is_raw else with_header(snapshot, part.text)
    if snapshot.title:
        data["title"] = snapshot.title if not max_tokens else tokens.shortened(snapshot.title)
    if links or (snapshot.links_json and not omitted):
        data["links"] = links
    data["hash"] = snapshot.hash
    if snapshot.status_code:
        data["status_code"] = snapshot.status_code
    said, about = reading.members(reading.kept(snapshot), *receipt)
    data.update(said)
    notes += about
    notes += tokens.paging(part)
    if part.next_offset is not None:
        data["next_offset"] = part.next_offset
    if omitted:
        notes.append(f"{omitted} more links are in the text")
    if page.stale:
        data["stale"] = True
    is_cut = is_raw and len(whole) < len(snapshot.text or "")
    if is_cut or (snapshot.raw_truncated and len(snapshot.raw_bytes or b"") >= max_bytes):
        notes.append(f"raw ends after max_bytes ({max_bytes})")
    elif snapshot.raw_truncated:  # TLS did not say that this was the end
        notes.append("the connection ended without saying that this was all: the end may be missing")
    add_notes(data, notes)
    return Result((part.text if is_raw else str(data["markdown"])) + reading.listed(data), data)


def _links(snapshot: Snapshot, max_tokens: int) -> tuple[list[dict[str, object]], int]:
    """The page's links, as many as their share of the answer holds, and the number of the others."""
    links: Any = jsontext.loads(snapshot.links_json) if snapshot.links_json else []
    if not max_tokens:
        return links, 0
    sizes = (tokens.estimate(f"{link.get('text', '')}{link.get('href', '')}") + 8 for link in links)
    kept = tokens.count_fitting(sizes, max_tokens // _LINKS_SHARE if max_tokens > _FEW_TOKENS else 0)
    return links[:kept], len(links) - kept


def _room(max_tokens: int, links: list[dict[str, object]]) -> int:
    """Tokens left for the text; the members around it take some 200."""
    if not max_tokens:
        return 0
    return max(max_tokens - tokens.estimate(jsontext.dumps(links)) - 200, max_tokens // 4, 1)


def _checked_accept(accept: str) -> str:
    if len(accept) > _MAX_ACCEPT or not all(" " <= character <= "~" for character in accept):
        raise InvalidArgument(
            "accept is not a header field value", hint="Give media types in ASCII, such as text/html, */*;q=0.1."
        )
    return accept.strip()


def after_command(ctx: Context, options: dict[str, str], members: dict[str, object]) -> None:
    """What --screenshot adds to the command: the page once more, as a picture."""
    if "screenshot" in options:
        if ctx.local is not None:
            raise InvalidArgument("a picture can be taken of URLs, not of files", hint="Leave out --screenshot.")
        from webtool.output import write_file
        from webtool.pages import rendering

        write_file(options["screenshot"], rendering.screenshot(ctx, str(members["url"])))
