"""web_extract: the main content of HTML that the caller has. No network, no cache."""

from __future__ import annotations

from webtool.answers import parts, tokens
from webtool.context import Context, Result, add_notes
from webtool.pages import choosing, in_worker, reading
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
            **choosing.TYPES,
        },
        "required": ["html"],
    },
}
FILE_MEMBER = "html"
FLAG_HELP = {
    "html": "The HTML itself; a plain word is a file, of HTML or any kind that fetch reads, - is stdin; many: --batch",
    "strategy": "readability: by the learned model; dom_smoothie: by rules; plain_text: all text",
    "to_markdown": "Print markdown, not plain text",
    **choosing.FLAG_HELP,
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
    """Extract; of that, what is asked for (pages.choosing). Raises ExtractFailed."""
    choice = choosing.choice(members)
    how = (html, base_url or None, strategy, choice.groups, choice.select, choice.drop)
    data, said = _extracted(ctx, how)
    told, notes = reading.members(said, choice.left_out and not choice.is_part, choice.groups)
    data.update(told)
    add_notes(data, notes)
    data["markdown"] = parts.viewed(str(data["markdown"]), choice.part)
    if choice.is_part:
        text = str(data["markdown" if to_markdown else "text"])
        given = in_worker.part(ctx, text, choice.part, 1, max_tokens)
        del data["text"]
        data.update(markdown=given.text if given.is_text else "", links=[], **given.members)
        add_notes(data, given.notes)
        return Result(given.text, data)
    if not to_markdown:
        data["markdown"] = ""
    if max_tokens:
        _fit(data, max_tokens)
    return Result(str(data["markdown"] or data.get("text", "")) + reading.listed(data), data)


def _extracted(ctx: Context, how: tuple[object, ...]) -> tuple[dict[str, object], dict[str, object]]:
    """The members of the whole answer, and what is told of the choice."""
    if ctx.local is not None:
        from webtool.pages import local_file

        read = local_file.html_or_document(ctx, ctx.local)
        if not isinstance(read, str):
            return _document(read), {}
        how = (read, *how[1:])
    made: tuple[Extraction, tuple[str, ...]]
    made = ctx.compute("webtool.pages.conversion:extracted", *how)  # type: ignore[assignment]
    found, notes = made
    data: dict[str, object] = {"title": found.title} if found.title else {}
    data["markdown"] = found.markdown
    data["text"] = found.text
    data["links"] = list(found.links)
    data["strategy_used"] = found.strategy_used
    add_notes(data, notes)
    return data, reading.of_page(found) if found.strategy_used == "select" else reading.of(found)


def _document(read: Document) -> dict[str, object]:
    """The members for a document that is not HTML: all of it is its main content."""
    data: dict[str, object] = {"title": read.title} if read.title else {}
    data["markdown"] = data["text"] = read.markdown
    data["links"] = []
    data["strategy_used"] = read.kind
    note = read.note or ("" if read.markdown.strip() else "the document has no text")
    add_notes(data, [note] if note else [])
    return data


def _fit(data: dict[str, object], max_tokens: int) -> None:
    """Bring the answer below the limit: the text that the markdown holds too goes first, then links, then the end."""
    if "title" in data:
        data["title"] = tokens.shortened(str(data["title"]))
    room = max_tokens - 100
    if _size(data) > room and data["markdown"]:
        del data["text"]
    if _size(data) > room:
        data["links"] = []
    if _size(data) > room:
        name = "markdown" if data["markdown"] else "text"
        part = tokens.part_of(str(data[name]), 1, max(room, 1))
        data[name] = part.text
        add_notes(data, [f"cut after {max_tokens} tokens: call again with more max_tokens, or with less html"])


def _size(data: dict[str, object]) -> int:
    links: list[dict[str, str]] = data["links"]  # type: ignore[assignment]
    texts = [str(data.get(name, "")) for name in ("title", "markdown", "text")]
    return sum(map(tokens.estimate, texts)) + sum(tokens.estimate(f"{link}") for link in links)
