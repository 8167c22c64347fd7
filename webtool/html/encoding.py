"""Determine the encoding of a page and decode it.

In: bytes and the Content-Type header. Out: the encoding's name, as in the Encoding Standard, and the text.

The sources, in this order: byte order mark, Content-Type, what the page declares in its first bytes (a meta element or
an XML declaration), UTF-8 if the bytes are valid UTF-8, a guess from the bytes (guessing.py), windows-1252.
Spec: the HTML Standard, 13.2.3.2 (determining the character encoding, prescan a byte stream, get an XML encoding) and
2.5 (extracting a character encoding from a meta element).
Tests: tests/html/test_encoding.py, tests/html/test_prescan.py
"""

from __future__ import annotations

import codecs

from webtool.html.decoding import decode_as, encoding_for_label
from webtool.html.tags import read_tag
from webtool.lean import media_types, patterns
from webtool.lean.records import NamedTuple

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
# Bytes that windows-1252 does not define: signs that the text, which declares nothing, has another encoding.
_UNDEFINED = dict.fromkeys((0x81, 0x8D, 0x8F, 0x90, 0x9D), "\ufffd")
_MIN_SURPLUS = 20  # bytes that valid UTF-8 needs beyond one a character to overrule another declared encoding
MAX_PRESCAN = 16384  # bytes that are looked at; browsers begin with 1,024 and start over if a meta element comes later
_CHARSET = patterns.compile(
    "(?i)charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*))"
)
_TAG = patterns.compile("</?[A-Za-z]")
_XML = patterns.compile("<\\?xml[^>]*?encoding[\0- ]*=[\0- ]*(?:\"([^\">\0- ]*)\"|'([^'>\0- ]*)')[^>]*>")

_UTF_16 = ("utf-16be", "utf-16le")


def sniff_encoding(data: bytes, content_type: str | None = None) -> str:
    """Return the encoding of an HTML page: the standard's name in lower case ("utf-8", "windows-1252", "gbk").

    `data` is the whole body, `content_type` the header's whole value. Bytes that are all ASCII and declare nothing are
    "windows-1252", as in browsers. Cost: a look at the beginning; if nothing or not UTF-8 is declared, one pass.
    """
    return choose(data, declared(data, content_type))[0]


class Decoded(NamedTuple):
    """The text of bytes, and how they were read."""

    text: str  # without a byte order mark; undecodable bytes are U+FFFD
    encoding: str
    note: str  # a sentence for the reader if the encoding was guessed or differs from the declared one; else ""


def read(data: bytes, content_type: str | None = None) -> Decoded:
    """Decode an HTML page. Never raises."""
    return read_as(data, declared(data, content_type))


def read_as(data: bytes, label: str | None) -> Decoded:
    """Decode a text whose declared encoding is `label`; None if none is declared."""
    name, note = choose(data, label)
    for bom, encoding in _BOMS:
        if encoding == name and data.startswith(bom):
            data = data[len(bom) :]
    text = decode_as(data, name)
    if label is None and name == "windows-1252" and not data.isascii():
        text = text.translate(_UNDEFINED)
    return Decoded(text, name, note)


def decode(data: bytes, content_type: str | None = None) -> tuple[str, str]:
    """Return the text, without a byte order mark, and the encoding's name. Undecodable bytes become U+FFFD."""
    return read(data, content_type)[:2]


def choose(data: bytes, label: str | None) -> tuple[str, str]:
    """Return the encoding of bytes and a note for the reader, "" if there is nothing to tell.

    `label` is the declared encoding, None if none is declared. Valid UTF-8 with many letters beyond ASCII overrules
    another declaration: a text in another encoding is never valid UTF-8 for so long. Without a declaration, bytes that
    are not UTF-8 are judged by guessing.py; if they look like Western European text, they are windows-1252.
    """
    if label is not None:
        if label != "utf-8" and not data.isascii() and _utf_8_surplus(data) >= _MIN_SURPLUS:
            return "utf-8", f"The declared charset {label} is wrong: the bytes are UTF-8 and are read so."
        return label, ""
    if data.isascii():
        if b"\x1b$" not in data:
            return "windows-1252", ""  # UTF-8 would give the same text, but browsers name their default
    elif _utf_8_surplus(data) > 0:
        return "utf-8", ""
    from webtool.html import guessing  # imported late: nearly every page declares its encoding or is UTF-8

    name = guessing.guess(data)
    if name is None:
        return "windows-1252", ""
    return name, f"No charset is declared: the text is read as {name}, a guess from its bytes."


def _utf_8_surplus(data: bytes) -> int:
    """Return how many bytes valid UTF-8 has beyond one for each character; 0 if the bytes are not UTF-8.

    A character that is cut off at the end is not counted: b"abc\xe9" gives 0, and "\u00fc" with half of the next one 1.
    """
    try:
        text, read_bytes = codecs.utf_8_decode(data, "strict", False)
    except UnicodeDecodeError:
        return 0
    return read_bytes - len(text)


def charset_of(content_type: str) -> str | None:
    """Return the charset parameter of a Content-Type as an encoding's name, or None if it is missing or unknown."""
    charset = media_types.extract(content_type)[1]
    return encoding_for_label(charset) if charset else None


def declared(data: bytes, content_type: str | None) -> str | None:
    """Return the encoding of a byte order mark, of Content-Type or of the page itself, or None."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding
    name = charset_of(content_type) if content_type else None
    if name:
        return name
    return prescan(data)


def prescan(data: bytes) -> str | None:
    """Return the encoding that the first MAX_PRESCAN bytes declare, or None.

    A meta element that is cut off there does not count. If the file itself ends inside a meta element, it counts if
    its last value is complete: `<meta charset="utf-8"`.
    """
    text = data[:MAX_PRESCAN].decode("latin-1").replace("\r", "\n")
    if text.startswith("<\0?\0x\0"):
        return "utf-16le"
    if text.startswith("\0<\0?\0x"):
        return "utf-16be"
    is_whole = len(data) <= MAX_PRESCAN and text.endswith(('"', "'", " ", "\n", "\t", "\f"))
    return _first_meta(text + ">" if is_whole else text) or _xml_encoding(text)


def _first_meta(text: str) -> str | None:
    """Return the encoding of the first meta element that declares one, or None."""
    position = text.find("<")
    while position >= 0:
        if text.startswith("<!--", position):
            position = _after(text, "-->", position + 2)
        elif _TAG.match(text, position):
            tag, position = read_tag(text, position + 1)
            name, is_end_tag, attributes, _ = tag or ("", False, None, False)
            encoding = _declared_by(attributes or {}) if name == "meta" and not is_end_tag else None
            if encoding:
                return encoding
        elif text.startswith(("<!", "</", "<?"), position):
            position = _after(text, ">", position + 1)
        else:
            position += 1
        if position >= 0:
            position = text.find("<", position)
    return None


def _after(text: str, end: str, position: int) -> int:
    """Return the position after the next `end`, or -1."""
    index = text.find(end, position)
    return index if index < 0 else index + len(end)


def _declared_by(attributes: dict[str, str]) -> str | None:
    """Return the encoding that a meta element declares, by charset or by http-equiv, or None."""
    if "charset" in attributes:
        name = encoding_for_label(attributes["charset"])
    elif attributes.get("http-equiv", "").lower() == "content-type":
        match = _CHARSET.search(attributes.get("content", ""))
        name = encoding_for_label(match.group(1) or match.group(2) or match.group(3) or "") if match else None
    else:
        return None
    if name in _UTF_16:
        return "utf-8"
    return "windows-1252" if name == "x-user-defined" else name


def _xml_encoding(text: str) -> str | None:
    """Return the encoding of an XML declaration at the beginning, or None."""
    match = _XML.match(text)
    if not match:
        return None
    name = encoding_for_label(match.group(1) or match.group(2) or "")
    return "utf-8" if name in _UTF_16 else name
