"""Text that passes as it is: markdown, plain text, JSON, CSV, XML. In: a Source. Out: a Document with the same text.

Charset as browsers find it: byte order mark, HTTP, else UTF-8 where it is valid, else windows-1252. XML may name its
own (XML 1.0 section 4.3.3); a `<meta>` inside a text is an example of one, not a declaration.
"""

from __future__ import annotations

import re

from webtool.documents import Document, Source

_XML_ENCODING = re.compile(rb"""<\?xml[^>]{1,200}?encoding\s*=\s*["']([A-Za-z][\w.:-]{0,40})["']""")
_ATX_HEADING = re.compile(r"^ {0,3}#[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$", re.M)
_SETEXT_HEADING = re.compile(r"^(\S.*)\n=+[ \t]*$", re.M)
_FRONT_MATTER_TITLE = re.compile(r"\A---\n(?:.*\n){0,40}?title:[ \t]*[\"']?(.+?)[\"']?[ \t]*\n")
_HEAD = 65536


def convert(source: Source) -> Document:
    """The text with unified line ends; markdown's first heading is its title."""
    text = decode(source.body, source.content_type, source.kind)
    title = _title(text) if source.kind == "markdown" else ""
    return Document(title, text, source.kind)


def decode(body: bytes, content_type: str | None, kind: str = "text") -> str:
    """Bytes to text without byte order mark and with LF line ends. Never fails: bad bytes become U+FFFD."""
    text = body.decode(_codec(body, content_type, kind), "replace")
    if text.startswith("\ufeff"):
        text = text[1:]
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _codec(body: bytes, content_type: str | None, kind: str) -> str:
    if body.startswith(b"\xef\xbb\xbf"):
        return "utf-8"
    if body.startswith((b"\xfe\xff", b"\xff\xfe")):
        return "utf-16"
    declared = _charset(content_type)
    if not declared and kind in ("xml", "feed", "sitemap", "opml"):
        match = _XML_ENCODING.match(body[:400].lstrip())
        declared = match.group(1).decode("ascii") if match else ""
    if declared and _is_codec(declared):
        return declared
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as exc:
        # A body cut at max_bytes may end inside a character.
        return "utf-8" if exc.start > len(body) - 4 and exc.reason == "unexpected end of data" else "cp1252"
    return "utf-8"


def _charset(content_type: str | None) -> str:
    match = re.search(r"""charset\s*=\s*["']?\s*([\w.:-]+)""", content_type or "", re.I)
    return match.group(1) if match else ""


def _is_codec(label: str) -> bool:
    import codecs

    try:
        return bool(codecs.lookup(label)._is_text_encoding)
    except (LookupError, ValueError):
        return False


def _title(text: str) -> str:
    head = text[:_HEAD]
    for pattern in (_FRONT_MATTER_TITLE, _ATX_HEADING, _SETEXT_HEADING):
        match = pattern.search(head)
        if match:
            return match.group(1).strip()
    return ""
