"""web_open: give one page as markdown of its main content, or in another mode.

pages.open_page() opens it and pages.answer builds the members; this module has the schema, and what only web_open
gives: the page's links and notes about a body that was cut.
Tests: tests/tools/test_web_open.py
"""

from __future__ import annotations

import time

from webtool import pages
from webtool.answers import budget
from webtool.cache.tables import Snapshot
from webtool.context import Context, Result, add_notes
from webtool.errors import InvalidArgument, cut
from webtool.lean import jsontext
from webtool.lean.typing import Any
from webtool.pages import answer as page_answer
from webtool.pages import policy
from webtool.settings import Settings
from webtool.urls.hosts import percent_decode

TITLE = "Open page"
ANNOTATIONS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": True}
MODE = {"type": "string", "enum": ["readable", "full", "raw", "rendered"], "default": "readable"}
DEFAULT_TIMEOUT_MS = 20000
SCHEMA = {
    "name": "web_open",
    "description": "Open a web page, PDF, Office file, feed or notebook as markdown, kept in a cache. readable: its"
    " main content; full: all of it; raw: the body as it is; rendered: what a browser shows (off unless WEBTOOL_RENDER"
    " is set). For one fact ask with query or find, for tables sql; outline lists sections and tables. One of outline,"
    " section, find, query, verify, sql per call. A long page gives next_offset: call again with it.",
    "parameters": {
        "type": "object",
        "properties": {
            "url": {"type": "string", "description": "http(s) URL"},
            "mode": MODE,
            "max_bytes": {"type": "integer", "default": 5242880, "minimum": 1},
            "force_refresh": {"type": "boolean", "default": False},
            "timeout_ms": {"type": "integer", "default": DEFAULT_TIMEOUT_MS, "minimum": 1},
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
            **page_answer.PARAMETERS,
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
        **page_answer.FACT_PROPERTIES,
    },
    "required": ["url", "final_url", "content_type", "fetched_at", "mode", "hash"],
}
FILE_MEMBER = "url"
FLAG_HELP = {
    "url": "Address of the page (https if it has no scheme), a file, or - for standard input",
    "mode": "readable: the main content; full: the whole page; raw: the body as it is; rendered: what a browser shows",
    "max_bytes": "Largest body to accept, in bytes after decoding",
    "timeout_ms": "Milliseconds for the whole page",
    "force_refresh": "Ask the server even if a fresh copy is stored",
    "accept": "Accept header field to send",
    "use_siteconfig": "Use the extraction rules of the site",
    "siteconfig_id": "Use the site rules of this id",
    "extract": 'Limits of the rule-based extraction: {"char_threshold": N, "max_top_candidates": N}',
    **page_answer.FLAG_HELP,
}
CLI_OPTIONS = {"screenshot": True}
CLI_HELP = {"--screenshot FILE.png": "Save a picture of the page as a browser shows it (needs WEBTOOL_RENDER)"}
_MAX_ACCEPT = 1000  # characters; a longer Accept header field is refused
_LINKS_DIVISOR = 5  # links get at most a fifth of an answer's tokens
_MIN_TOKENS_FOR_LINKS = 1000  # a shorter answer has no links beside its text
_MEMBER_TOKENS = 200  # what the members besides text and links take


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
    """Open the page; give its lines, or the part that `members` ask for (pages.answer). Raises WebtoolError."""
    choice = page_answer.read_choice(members)
    if timeout_ms is None and ctx.settings.deadline == Settings().deadline:  # the user chose no deadline of their own
        timeout_ms = DEFAULT_TIMEOUT_MS
    if timeout_ms is not None:
        ctx.deadline = min(ctx.deadline, time.monotonic() + timeout_ms / 1000)
    max_bytes = max_bytes or ctx.settings.max_bytes
    request = pages.PageRequest(
        url,
        mode,
        max_bytes,
        accept=_checked_accept(accept or ""),
        force=force_refresh,
        thresholds=extract or {},
        use_siteconfig=use_siteconfig,
        siteconfig_id=siteconfig_id or "",
        **choice.request_fields(offset),
    )
    page = pages.open_page(ctx, request)
    ctx.report.update(cache_hit=page.cache_hit, status=page.snapshot.status_code)
    if choice.is_part:
        answer = page_answer.Answer(page, choice, _head(page.snapshot))
        return answer.part_result(ctx, page_answer.text_of(page, choice), offset, max_tokens)
    result = whole_answer(page, choice, offset, max_tokens, max_bytes)
    section = section_in(url)
    if section and offset == 1 and mode != "raw" and not ctx.is_person:  # the command line opens the section itself
        add_notes(result.data, [f"this is the whole page; for the part that #{cut(section, 80)} names, pass section"])
    return result


def section_in(url: str) -> str:
    """Return a URL's section: `https://a.example/guide#install` -> install; "" for none, `#/path`, `#:~:text=`."""
    name = percent_decode(url.partition("#")[2])
    return "" if name[:1] in ("!", "/", ":") else name


def whole_answer(page: pages.Page, choice: page_answer.Choice, offset: int, max_tokens: int, max_bytes: int) -> Result:
    """Return the page from line `offset` on, with its links. Mode raw gives at most `max_bytes` bytes of text."""
    snapshot = page.snapshot
    text = page_answer.text_of(page, choice)
    is_cut = False
    if snapshot.mode == "raw":
        text = text.encode("utf-8", "replace")[:max_bytes].decode("utf-8", "ignore")
        is_cut = len(text) < len(snapshot.text or "")
    links, omitted = _links(snapshot, max_tokens)
    answer = page_answer.Answer(page, choice, _head(snapshot))
    data = answer.data
    lines = answer.add_lines(text, offset, _text_tokens(max_tokens, links))
    if snapshot.title:
        data["title"] = budget.shortened(snapshot.title) if max_tokens else snapshot.title
    if links or (snapshot.links_json and not omitted):
        data["links"] = links
    data["hash"] = snapshot.hash
    if snapshot.status_code:
        data["status_code"] = snapshot.status_code
    answer.add_facts()
    answer.add_paging(lines)
    if omitted:
        answer.notes.append("1 more link is in the text" if omitted == 1 else f"{omitted} more links are in the text")
    if page.stale:
        data["stale"] = True
    if is_cut or (snapshot.raw_truncated and len(snapshot.raw_bytes or b"") >= max_bytes):
        answer.notes.append(f"raw ends after max_bytes ({max_bytes})")
    elif snapshot.raw_truncated:  # TLS was closed without close_notify
        answer.notes.append("the connection ended without saying that this was all: the end may be missing")
    return answer.result()


def _head(snapshot: Snapshot) -> dict[str, object]:
    """Return the members that say which page it is."""
    return {
        "url": snapshot.url,
        "final_url": snapshot.final_url,
        "content_type": snapshot.content_type or "",
        "fetched_at": snapshot.fetched_at,
        "mode": snapshot.mode,
        **policy.signals(snapshot),
    }


def _links(snapshot: Snapshot, max_tokens: int) -> tuple[list[dict[str, object]], int]:
    """Return as many of the page's links as their share of the answer holds, and the number of the others."""
    links: Any = jsontext.loads(snapshot.links_json) if snapshot.links_json else []
    if not max_tokens:
        return links, 0
    sizes = (budget.estimate_tokens(f"{link.get('text', '')}{link.get('href', '')}") + 8 for link in links)
    room = max_tokens // _LINKS_DIVISOR if max_tokens > _MIN_TOKENS_FOR_LINKS else 0
    shown = budget.count_fitting(sizes, room)
    return links[:shown], len(links) - shown


def _text_tokens(max_tokens: int, links: list[dict[str, object]]) -> int:
    """Return the tokens that are left for the text, 0 for an unlimited answer."""
    if not max_tokens:
        return 0
    return max(max_tokens - budget.estimate_tokens(jsontext.dumps(links)) - _MEMBER_TOKENS, max_tokens // 4, 1)


def _checked_accept(accept: str) -> str:
    """Return the Accept header field without outer white space. Raises InvalidArgument if it is not printable ASCII.

    It is sent as given, so it must not be able to end its line (RFC 9110 section 5.5).
    """
    if len(accept) > _MAX_ACCEPT or not all(" " <= character <= "~" for character in accept):
        raise InvalidArgument(
            "accept is not a header field value", hint="Give media types in ASCII, such as text/html, */*;q=0.1."
        )
    return accept.strip()


def after_command(ctx: Context, options: dict[str, str], members: dict[str, object]) -> None:
    """Save a picture of the page if the command line has --screenshot; the page is opened once more."""
    if "screenshot" in options:
        if ctx.local is not None:
            raise InvalidArgument("a picture can be taken of URLs, not of files", hint="Leave out --screenshot.")
        from webtool.output import write_file
        from webtool.pages import rendering

        write_file(options["screenshot"], rendering.screenshot(ctx, str(members["url"])))
