"""Decode documents that are text already: markdown, plain text, JSON, CSV, XML. In: a Source. Out: a Document.

The text stays as it is, except characters that deceive readers. The charset is found as for pages: byte order mark,
Content-Type, XML declaration (XML 1.0 section 4.3.3), else UTF-8 if it is valid, else a guess from the bytes, which a
note reports, else windows-1252. A `<meta>` in a plain text is ignored: it is an example, not a declaration.
Tests: tests/documents/test_text.py
"""

from __future__ import annotations

from webtool.documents import Document, Source, formats
from webtool.documents.sniff import RESOURCE_HEADER, utf_16_of
from webtool.html.encoding import Decoded, charset_of, read_as
from webtool.html.labels import encoding_for_label
from webtool.lean import patterns
from webtool.markdown.invisible import without_deception

_XML_ENCODING = patterns.compile(rb"""<\?xml[^>]{1,200}?encoding\s*=\s*["']([A-Za-z][\w.:-]{0,40})["']""")
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_UTF_16 = {b"<\0?\0": "utf-16le", b"\0<\0?": "utf-16be"}  # XML 1.0, appendix F: "<?" without a byte order mark
_MAX_TITLE_LINES = 200  # at the start of a markdown text, which are searched for its title
_MAX_TITLE_CHARACTERS = 200 * _MAX_TITLE_LINES


def convert(source: Source) -> Document:
    """Return the text with LF line ends; a markdown text gets a title."""
    text = read(source)
    title = title_of(text) if source.kind == "markdown" else ""
    return Document(title, text, source.kind)


def read(source: Source) -> str:
    """Decode a source and remove what would deceive its reader; add a note if the encoding was guessed."""
    decoded = _decoded(source.body, source.content_type, source.kind)
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
    return _with_lf(_decoded(body, content_type, kind).text)


def _decoded(body: bytes, content_type: str | None, kind: str) -> Decoded:
    return read_as(body, _declared(body, content_type, kind))


def _with_lf(text: str) -> str:
    """Return a text with LF line ends and without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _declared(body: bytes, content_type: str | None, kind: str) -> str | None:
    """Return the declared encoding of a text, under the Encoding Standard's name, or None."""
    for bom, name in _BOMS:
        if body.startswith(bom):
            return name
    row = formats.of_kind(kind)
    is_xml = row is not None and row.is_xml
    if is_xml and body[:4] in _UTF_16:
        return _UTF_16[body[:4]]
    label = charset_of(content_type) if content_type else None
    if label:
        return label
    if is_xml:
        match = _XML_ENCODING.match(body[:400].lstrip())
        label = encoding_for_label(match.group(1).decode("ascii")) if match else None
        if label:
            return label
    return utf_16_of(body[:RESOURCE_HEADER]) or None


def title_of(text: str) -> str:
    """Return the title of a markdown text: from the front matter, else its first level-1 heading (CommonMark 4.2, 4.3).

    Only the first lines are searched. "" without a title.
    """
    lines = text[:_MAX_TITLE_CHARACTERS].split("\n", _MAX_TITLE_LINES)[:_MAX_TITLE_LINES]
    in_front_matter = lines[0].rstrip() == "---"
    for number, line in enumerate(lines):
        if in_front_matter:
            if line.startswith("title:"):
                return line[6:].strip().strip("\"'")
            in_front_matter = number == 0 or line.rstrip() != "---"
        elif line.startswith("# "):
            return line[2:].strip().rstrip("#").rstrip()
        elif number and line.startswith("=") and not line.rstrip().strip("=") and lines[number - 1].strip():
            return lines[number - 1].strip()
    return ""
