"""Jupyter notebooks as markdown. In: a Source. Out: a Document.

Markdown cells as they are, code in fences, what it printed in fences without a language; of results the text form.
Specification: nbformat 4, and 3, where cells stand in worksheets.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents import Document, Source
from webtool.documents.text import cleaned, decode, title_of
from webtool.html import parse_html
from webtool.lean import patterns
from webtool.lean.typing import Any
from webtool.markdown import to_markdown

MAX_CELLS = 10_000
MAX_OUTPUT = 20_000  # characters of one output
_CONTROL = patterns.compile("\x1b\\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f]")
_OVERWRITTEN = patterns.compile(r"[^\r\n]{1,2000}\r(?=[^\r\n])")
_DISPLAYED = patterns.compile(r"(?:<IPython\.core\.display\.\w+ object>)?\s*\Z")
_FENCES = patterns.compile("`{3,}")
_EMBEDDED = patterns.compile(r"!\[([^\]\n]{0,500})\]\((?:attachment:|data:)[^)\n]*\)")


def convert(source: Source) -> Document:
    """The notebook's cells in order. Raises ExtractFailed for what is not a notebook."""
    import json

    try:
        book = json.loads(decode(source.body, source.content_type, "json"))
    except (ValueError, RecursionError) as exc:
        raise source.failed(f"is not JSON: {exc}") from exc
    cells = list(_cells(book if isinstance(book, dict) else {}))
    if not cells:
        raise source.failed("has no cells")
    metadata = _dict(book.get("metadata"))
    name = _dict(metadata.get("language_info")).get("name") or _dict(metadata.get("kernelspec")).get("language")
    language = name if isinstance(name, str) and name.isalnum() else ""
    parts = [part for cell in cells[:MAX_CELLS] for part in _cell(cell, language)]
    text = cleaned(source, "\n\n".join(parts) + "\n")
    note = f"Only the first {MAX_CELLS:,} of {len(cells):,} cells are shown." if len(cells) > MAX_CELLS else ""
    return Document(title_of(text), text, source.kind, note)


def _cells(book: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for sheet in [book, *_list(book.get("worksheets"))]:
        cells = _list(sheet.get("cells")) if isinstance(sheet, dict) else []
        yield from (cell for cell in cells if isinstance(cell, dict))


def _cell(cell: dict[str, Any], language: str) -> Iterator[str]:
    source = _text(cell.get("source", cell.get("input")))
    kind = cell.get("cell_type")
    if kind == "code":
        if source.strip():
            yield _fenced(source, language)
        for output in _list(cell.get("outputs")):
            rich = _rich(_dict(_dict(output).get("data")))
            shown = rich or _output(_dict(output)).strip("\n")
            shown = shown[:MAX_OUTPUT] + ("\n…" if len(shown) > MAX_OUTPUT else "")
            if shown.strip():
                yield shown if rich else _fenced(shown)
    elif source.strip():
        level = cell.get("level", 1)  # nbformat 3 has heading cells
        head = f"{'#' * (level if type(level) is int and 0 < level < 7 else 1)} " if kind == "heading" else ""
        yield head + _without_embedded(source).strip("\n")


def _without_embedded(source: str) -> str:
    """Markdown with the text of pictures that are inside the file in their place.

    Only what has a closing bracket behind it is looked at: else each picture would be followed to the line's end.
    """
    lines = []
    for line in source.split("\n") if "](" in source else [source]:
        end = line.rfind(")") + 1
        lines.append(_EMBEDDED.sub(r"\1", line[:end]) + line[end:])
    return "\n".join(lines)


def _rich(data: dict[str, Any]) -> str:
    """The markdown of what has no text but the name of the class that displays it; "" for all else."""
    if not _DISPLAYED.match(_text(data.get("text/plain"))):
        return ""
    said = _without_embedded(_text(data.get("text/markdown") or data.get("text/latex")))
    return (said or to_markdown(parse_html(_text(data.get("text/html"))))).strip("\n")


def _output(output: dict[str, Any]) -> str:
    """What an output shows as text: a stream, a result, an error with its name and message."""
    if output.get("output_type") == "error" or "ename" in output:
        return f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
    data = _dict(output.get("data"))
    found = data.get("text/plain", output.get("text"))
    # A progress bar goes back to the beginning of its line.
    return _CONTROL.sub("", _OVERWRITTEN.sub("", _text(found)))


def _fenced(text: str, language: str = "") -> str:
    longest = max((len(match) for match in _FENCES.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.strip(chr(10))}\n{fence}"


def _text(value: object) -> str:
    """A string, or a list of its lines."""
    if isinstance(value, list):
        return "".join(item for item in value if isinstance(item, str))
    return value if isinstance(value, str) else ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
