"""Text that passes as it is: markdown, plain text, JSON, CSV, XML. In: a Source. Out: a Document with the same text.

Charset as browsers find it: byte order mark, HTTP, else UTF-8 where it is valid, else windows-1252. XML may name its
own (XML 1.0 section 4.3.3); a `<meta>` inside a text is an example of one, not a declaration.
"""

from __future__ import annotations

from webtool.documents import Document, Source, formats
from webtool.html.encoding import charset_of, decode_as
from webtool.html.labels import encoding_for_label
from webtool.lean import patterns
from webtool.markdown.invisible import without_deception

_XML_ENCODING = patterns.compile(rb"""<\?xml[^>]{1,200}?encoding\s*=\s*["']([A-Za-z][\w.:-]{0,40})["']""")
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_UTF_16 = {b"<\0?\0": "utf-16le", b"\0<\0?": "utf-16be"}  # XML 1.0, appendix F: without a mark
_TITLE_LINES = 200


def convert(source: Source) -> Document:
    """The text with unified line ends; markdown's first heading is its title."""
    text = read(source)
    title = title_of(text) if source.kind == "markdown" else ""
    return Document(title, text, source.kind)


def read(source: Source) -> str:
    """The text of a source, without what would deceive its reader."""
    return cleaned(source, decode(source.body, source.content_type, source.kind))


def cleaned(source: Source, text: str) -> str:
    """`text` without what would deceive its reader; a note says so."""
    text, had_any = without_deception(text)
    if had_any:
        source.add_note("Characters that deceive (turned directions, unseen tags, terminal sequences) were removed.")
    return text


def decode(body: bytes, content_type: str | None, kind: str = "text") -> str:
    """Bytes to text without byte order mark and with LF line ends. Never fails: bad bytes become U+FFFD."""
    text = decode_as(body, _encoding(body, content_type, kind))
    if text.startswith("\ufeff"):
        text = text[1:]
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _encoding(body: bytes, content_type: str | None, kind: str) -> str:
    """The Encoding Standard's name of a text's encoding."""
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
    return _guess(body)


def _guess(body: bytes) -> str:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as exc:
        # A long body that was cut may end inside a character.
        is_cut = exc.start > max(1000, len(body) - 4) and exc.reason == "unexpected end of data"
        return "utf-8" if is_cut else "windows-1252"
    return "utf-8"


def title_of(text: str) -> str:
    """The title of the front matter, else the first heading (CommonMark 4.2, 4.3) among the first lines."""
    lines = text[: 200 * _TITLE_LINES].split("\n", _TITLE_LINES)[:_TITLE_LINES]
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
