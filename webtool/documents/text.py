"""Decode documents that are text: markdown, plain text, JSON, CSV, XML, notebooks. In: a Source. Out: a Document.

A text stays as it is, except characters that deceive readers. The charset is found as for pages: byte order mark, NUL
bytes of UTF-16, Content-Type, XML declaration (XML 1.0 section 4.3.3), else UTF-8 if it is valid, else a guess from the
bytes, which a note reports, else windows-1252. A declared UTF-16 is ignored if the bytes are UTF-8. A `<meta>` in a
plain text is ignored: it is an example, not a declaration.

The markdown cells of a Jupyter notebook stay as they are. Code becomes a fenced block with the notebook's language. An
output becomes a fenced block without a language, in its text form; if it has only a rich form (a table as HTML), it
becomes markdown. Specification: nbformat 4, and 3, whose cells are in worksheets.
Tests: tests/documents/test_text.py, tests/documents/test_notebook.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents import Document, Source, formats
from webtool.documents.sniff import RESOURCE_HEADER, UTF_8_BOM, is_utf_8, utf_16_of
from webtool.html import parse_html
from webtool.html.decoding import encoding_for_label
from webtool.html.encoding import charset_of, read_as
from webtool.lean import patterns
from webtool.lean.typing import Any
from webtool.markdown import to_markdown
from webtool.markdown.invisible import without_deception

_XML_ENCODING = patterns.compile(rb"""<\?xml[^>]{1,200}?encoding\s*=\s*["']([A-Za-z][\w.:-]{0,40})["']""")
_MAX_TITLE_LINES = 200  # at the start of a markdown text, which are searched for its title
_MAX_TITLE_CHARACTERS = 200 * _MAX_TITLE_LINES  # of those lines together
# Opens a code block, which a line of as many of these characters or more closes; but "```a``` b" is a paragraph.
_FENCE = patterns.compile(r"(`{3,})[^`]*\Z|(~{3,})")
_CLOSING = patterns.compile(r"(?<=\s)#+\Z")  # "# Title ##", but not "# About C#"


def convert(source: Source) -> Document:
    """Return the text with LF line ends; a markdown text gets a title. Raises ExtractFailed for a bad notebook."""
    if source.kind == "notebook":
        return _notebook(source)
    text = read(source)
    title = title_of(text) if source.kind == "markdown" else ""
    return Document(title, text, source.kind)


def read(source: Source) -> str:
    """Decode a source and remove what would deceive its reader; add a note if the encoding was guessed."""
    decoded = read_as(source.body, _declared(source.body, source.content_type, source.kind))
    if decoded.note:
        source.add_note(decoded.note)
    return cleaned(source, _with_lf(decoded.text))


def cleaned(source: Source, text: str) -> str:
    """Remove characters that would deceive a reader, such as reversed directions; add a note if there were any."""
    text, was_changed = without_deception(text)
    if was_changed:
        source.add_note("Characters that deceive (turned directions, unseen tags, terminal sequences) were removed.")
    return text


def decode(body: bytes, content_type: str | None, kind: str = "text") -> str:
    """Decode bytes to text with LF line ends, without byte order mark. Never fails: bad bytes become U+FFFD."""
    return _with_lf(read_as(body, _declared(body, content_type, kind)).text)


def _with_lf(text: str) -> str:
    """Return a text with LF line ends and without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _declared(body: bytes, content_type: str | None, kind: str) -> str | None:
    """Return the declared encoding of a text, under the Encoding Standard's name, or None."""
    if body.startswith(UTF_8_BOM):
        return "utf-8"
    head, row = body[:RESOURCE_HEADER], formats.of_kind(kind)
    if utf_16 := utf_16_of(head):
        return utf_16
    name = charset_of(content_type) if content_type else None
    if not name and row is not None and row.is_xml:
        match = _XML_ENCODING.match(head.lstrip())
        name = encoding_for_label(match.group(1).decode("ascii")) if match else None
    return None if name and name.startswith("utf-16") and is_utf_8(head) else name


def title_of(text: str) -> str:
    """Return a markdown text's title: `title:` in its front matter, else its first level-1 heading, else ""."""
    lines = text[:_MAX_TITLE_CHARACTERS].split("\n", _MAX_TITLE_LINES)[:_MAX_TITLE_LINES]
    in_front_matter = lines[0].rstrip() == "---"
    fence = ""  # of the code block that is open
    above = ""  # the line above, stripped
    for number, line in enumerate(lines):
        stripped = line.strip()
        if in_front_matter:
            if line.startswith("title:"):
                return line[6:].strip().strip("\"'")
            in_front_matter = number == 0 or line.rstrip() != "---"
        elif line.startswith(("    ", "\t")):
            pass  # indented code
        elif fence:
            is_end = stripped.startswith(fence) and not stripped.strip(fence[0])
            fence = "" if is_end else fence
        elif match := _FENCE.match(stripped):
            fence = match[1] or match[2]
        elif stripped.startswith("# "):
            return _CLOSING.sub("", stripped[1:]).strip()
        elif above and stripped and not stripped.strip("="):
            return above
        above = stripped
    return ""


# Notebooks

MAX_CELLS = 10_000  # of a notebook; the rest is left out, with a note
MAX_OUTPUT = 20_000  # characters of one output; the rest is cut
# Terminal colours and other control characters.
_CONTROL = patterns.compile("[\x00-\x08\x0b-\x1f](?:(?<=\x1b)\\[[0-9;?]*[A-Za-z])?")
# The text form of an output that has only a rich form.
_NO_TEXT_FORM = patterns.compile(r"(?:<IPython\.core\.display\.\w+ object>)?\s*\Z")
_FENCES = patterns.compile("`{3,}")
_LANGUAGE = patterns.compile(r"[\w+#.-]{1,40}")  # "python", "C++", "C#"
# Pictures inside the file.
_EMBEDDED = patterns.compile(r"!\[([^\]\n]{0,500})\]\((?:attachment:|data:)[^)\n]*\)")


def _notebook(source: Source) -> Document:
    """Convert the cells of a notebook in order. Raises ExtractFailed if the file is not a notebook."""
    import json

    try:
        book = json.loads(decode(source.body, source.content_type, "json"))
    except (ValueError, RecursionError) as exc:
        raise source.failed(f"is not JSON: {exc}") from exc
    book = _dict(book)
    parents = [book, *map(_dict, _list(book.get("worksheets")))]
    cells = [cell for parent in parents for cell in _list(parent.get("cells")) if isinstance(cell, dict)]
    if not cells:
        raise source.failed("has no cells")
    metadata = _dict(book.get("metadata"))
    name = _dict(metadata.get("language_info")).get("name") or _dict(metadata.get("kernelspec")).get("language")
    language = name if isinstance(name, str) and _LANGUAGE.fullmatch(name) else ""
    parts = [part for cell in cells[:MAX_CELLS] for part in _cell(cell, language)]
    text = cleaned(source, "\n\n".join(parts) + "\n")
    note = f"Only the first {MAX_CELLS:,} of {len(cells):,} cells are shown." if len(cells) > MAX_CELLS else ""
    return Document(title_of(text), text, source.kind, note)


def _cell(cell: dict[str, Any], language: str) -> Iterator[str]:
    """Yield a cell as markdown, and its outputs."""
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
        text = _without_embedded(source).strip("\n")
        if kind == "heading":  # of nbformat 3
            level = cell.get("level", 1)
            text = f"{'#' * (level if type(level) is int and 0 < level < 7 else 1)} {text}"
        yield text


def _without_embedded(source: str) -> str:
    """Replace pictures inside the file by their alternative texts: "![a tide](attachment:1.png)" -> "a tide".

    A line is searched only up to its last ")": otherwise each picture without one would be read to the line's end.
    """
    if "](" not in source:
        return source
    lines = []
    for line in source.split("\n"):
        end = line.rfind(")") + 1
        lines.append(_EMBEDDED.sub(lambda match: match[1], line[:end]) + line[end:])
    return "\n".join(lines)


def _rich(data: dict[str, Any]) -> str:
    """Return the markdown of an output whose text form only names a class (<IPython.core...HTML object>); else ""."""
    if not _NO_TEXT_FORM.match(_text(data.get("text/plain"))):
        return ""
    text = _without_embedded(_text(data.get("text/markdown") or data.get("text/latex")))
    html = "" if text else _text(data.get("text/html"))
    return (to_markdown(parse_html(html)) if html else text).strip("\n")


def _output(output: dict[str, Any]) -> str:
    """Return the text of an output: a stream, a result, or an error with its name and message."""
    if output.get("output_type") == "error" or "ename" in output:
        return f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
    data = _dict(output.get("data"))
    text = _text(data.get("text/plain", output.get("text")))
    if "\r" in text:  # progress bars overwrite the text before it: "10 %\r20 %" -> "20 %"
        text = "\n".join([line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n")])
    return "" if _NO_TEXT_FORM.match(text) else _CONTROL.sub("", text)


def _fenced(text: str, language: str = "") -> str:
    """Return a fenced code block; its fence is longer than all runs of backticks in the text."""
    longest = max((len(match) for match in _FENCES.findall(text)), default=2)
    fence, body = "`" * (longest + 1), text.strip("\n")
    return f"{fence}{language}\n{body}\n{fence}"


def _text(value: object) -> str:
    """Return a string, which notebooks also write as a list of lines; "" for any other value."""
    if isinstance(value, list):
        return "".join(item for item in value if isinstance(item, str))
    return value if isinstance(value, str) else ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
