"""web_extract: give the main content of HTML that the caller has. Uses neither network nor cache.

The command line may give a file of any kind that web_fetch reads: all of a document that is not HTML is main content.
Tests: tests/tools/test_web_extract.py
"""

from __future__ import annotations

from webtool.answers import budget, parts
from webtool.cache.tables import Snapshot
from webtool.context import Context, Result, add_notes
from webtool.pages import answer as page_answer
from webtool.pages import in_worker, stored_copies
from webtool.tools.web_open import LINKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from webtool.documents import Document
    from webtool.extraction import Extraction

TITLE = "Extract main content"
ANNOTATIONS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
SCHEMA = {
    "name": "web_extract",
    "description": "Extract the main content of the given HTML as markdown.",
    "parameters": {
        "type": "object",
        "properties": {
            "html": {"type": "string"},
            "base_url": {"type": "string", "description": "Makes links absolute"},
            "strategy": {
                "type": "string",
                "enum": ["readability", "dom_smoothie", "plain_text"],
                "default": "readability",
            },
            "to_markdown": {"type": "boolean", "default": True, "description": "false: text only"},
            "max_tokens": {"type": "integer", "minimum": 1},
            **page_answer.PARAMETER_TYPES,
        },
        "required": ["html"],
    },
}
FILE_MEMBER = "html"
FLAG_HELP = {
    "html": "FILE of any kind that fetch reads, or - for stdin; --html gives HTML itself. Many files: --batch",
    "strategy": "readability: by the learned model; dom_smoothie: by rules; plain_text: all text",
    "to_markdown": "Print markdown, not plain text",
    **page_answer.FLAG_HELP,
}
OUTPUT_SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "markdown": {"type": "string"},
        "text": {"type": "string"},
        "links": LINKS,
        "strategy_used": {"type": "string"},
    },
    "required": ["markdown", "links", "strategy_used"],
}

_MEMBER_TOKENS = 100  # what the members besides title, texts and links take


def run(
    ctx: Context,
    *,
    html: str,
    base_url: str | None = None,
    strategy: str = "readability",
    to_markdown: bool = True,
    max_tokens: int = 0,
    **members: Any,
) -> Result:
    """Extract the text, or the part of it that `members` ask for (pages.answer). Raises ExtractFailed."""
    choice = page_answer.read_choice(members)
    options = (base_url or None, strategy, choice.groups, choice.select, choice.drop, ctx.settings.debug)
    data, facts = _extracted(ctx, html, options)
    fact_members, notes = page_answer.facts_members(facts, choice.left_out and not choice.is_part, choice.groups)
    data.update(fact_members)
    add_notes(data, notes)
    data["markdown"] = parts.viewed(str(data["markdown"]), choice.part)
    if choice.is_part:
        text = str(data["markdown" if to_markdown else "text"]).rstrip("\n")
        whole = ""  # all text of the page, through which a query and a find look too
        if ctx.local is None and strategy == "readability" and to_markdown:
            url, body = base_url or "", html.encode("utf-8", "replace")
            page = Snapshot("", url, url, "readable", "text/html; charset=utf-8", None, "", raw_bytes=body)
            whole = page_answer.whole_text(ctx, page, choice)
        part = in_worker.give_part(ctx, text, choice.part, 1, max_tokens, whole)
        del data["text"]
        data.update(markdown=part.text if part.is_text else "", links=[], **part.members)
        add_notes(data, part.notes)
        return Result(part.text, data, part.about)
    if not to_markdown:
        data["markdown"] = ""
    if max_tokens:
        _fit(data, max_tokens)
    return Result(str(data["markdown"] or data.get("text", "")) + page_answer.left_out_list(data), data)


def _extracted(ctx: Context, html: str, options: tuple[object, ...]) -> tuple[dict[str, object], dict[str, object]]:
    """Return the members of the whole answer, and the extraction's facts. `options` are those of extract_html()."""
    if ctx.local is not None:
        from webtool.pages import local_file

        html_or_document = local_file.html_or_document(ctx, ctx.local)
        if not isinstance(html_or_document, str):
            return _document_members(html_or_document), {}
        html = html_or_document
    result: tuple[Extraction, tuple[str, ...], list[str]]
    result = ctx.compute("webtool.pages.conversion:extract_html", html, *options)  # type: ignore[assignment]
    extraction, notes, changes = result
    for line in changes:
        ctx.warn(line)
    data: dict[str, object] = {"title": extraction.title} if extraction.title else {}
    data["markdown"] = extraction.markdown
    data["text"] = extraction.text
    data["links"] = list(extraction.links)
    data["strategy_used"] = extraction.strategy_used
    add_notes(data, notes)
    if extraction.strategy_used == "select":
        return data, stored_copies.page_facts(extraction)
    return data, stored_copies.extraction_facts(extraction)


def _document_members(document: Document) -> dict[str, object]:
    data: dict[str, object] = {"title": document.title} if document.title else {}
    data["markdown"] = data["text"] = document.markdown
    data["links"] = []
    data["strategy_used"] = document.kind
    if document.note:
        add_notes(data, [document.note])
    elif not document.markdown.strip():
        add_notes(data, ["the document has no text"])
    return data


def _fit(data: dict[str, object], max_tokens: int) -> None:
    """Bring the answer below max_tokens: drop "text" if the markdown is there, then links, then the end of the text."""
    if "title" in data:
        data["title"] = budget.shortened(str(data["title"]))
    room = max_tokens - _MEMBER_TOKENS
    if _size(data) > room and data["markdown"]:
        del data["text"]
    if _size(data) > room:
        data["links"] = []
    if _size(data) > room:
        name = "markdown" if data["markdown"] else "text"
        lines = budget.take_lines(str(data[name]), 1, max(room, 1))
        data[name] = lines.text
        add_notes(data, [f"cut after {max_tokens} tokens: call again with more max_tokens, or with less html"])


def _size(data: dict[str, object]) -> int:
    links: list[dict[str, str]] = data["links"]  # type: ignore[assignment]
    texts = [str(data.get(name, "")) for name in ("title", "markdown", "text")]
    return sum(map(budget.estimate_tokens, texts)) + sum(budget.estimate_tokens(f"{link}") for link in links)
