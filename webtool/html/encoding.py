"""Which encoding a page has: its bytes and Content-Type in; the Encoding Standard's name, or the text, out.

Order: byte order mark, Content-Type, the meta prescan, UTF-8 if the bytes are valid as that, windows-1252. The prescan
goes on to PRESCAN bytes: browsers look at 1,024, but read a later meta too and start over.
Spec: the HTML Standard, 13.2.3.2 (prescan a byte stream); the Encoding Standard, sections 4.2, 6 and 9 to 14.
"""

from __future__ import annotations

import re

from webtool.html.labels import CODECS, encoding_for_label

PRESCAN = 16384

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))

_CHARSET = re.compile("charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*))", re.I)
_META_TAG = re.compile("<meta[\t\n\f\r /]", re.I)
_ANY_TAG = re.compile("</?[a-zA-Z][^\t\n\f\r >]*")
_ATTRIBUTE_NAME = re.compile("[\t\n\f\r /]*(?:(>)|(=?[^\t\n\f\r />=]*))")
_EQUALS = re.compile("[\t\n\f\r ]*=[\t\n\f\r ]*")
_UNQUOTED = re.compile("[^\t\n\f\r >]*")
_SURROGATES = re.compile("[\ud800-\udfff]")
_XML = re.compile("<\\?xml[^>]*?encoding[\x00-\x20]*=[\x00-\x20]*(?:\"([^\">]*)\"|'([^'>]*)')", re.A)


def sniff_encoding(data: bytes, content_type: str | None = None) -> str:
    """The encoding of an HTML page, as the Encoding Standard's name in lower case ("utf-8", "windows-1252", "gbk").

    `content_type` is the header's whole value. Cost: one look at the first 16 KB, and a UTF-8 check of all where nothing
    is declared.
    """
    return _declared(data, content_type) or ("utf-8" if _is_utf8(data) else "windows-1252")


def decode(data: bytes, content_type: str | None = None) -> tuple[str, str]:
    """The text, without a byte order mark, and the encoding's name. Undecodable bytes become U+FFFD."""
    name = _declared(data, content_type)
    if name is None:
        try:
            return data.decode("utf-8"), "utf-8"
        except UnicodeDecodeError as error:
            # A multi-byte character cut off at the very end is no reason to read the rest as something else.
            cut = error.reason == "unexpected end of data" and error.start >= len(data) - 3
            name = "utf-8" if cut and error.start > 0 and _has_multibyte(data[: error.start]) else "windows-1252"
    for bom, encoding in _BOMS:
        if data.startswith(bom) and encoding == name:
            data = data[len(bom) :]
            break
    return decode_as(data, name), name


def decode_as(data: bytes, name: str) -> str:
    """Decode by the encoding of that name; never raises."""
    if name == "replacement":
        return "\ufffd" if data else ""
    if name == "x-user-defined":
        return data.decode("latin-1").translate({byte: 0xF700 + byte for byte in range(0x80, 0x100)})
    if name == "windows-1252" or name in _FILLED:
        return _decode_single_byte(data, name)
    return data.decode(CODECS.get(name, name), "replace")


def _declared(data: bytes, content_type: str | None) -> str | None:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding
    if content_type:
        match = _CHARSET.search(content_type)
        name = encoding_for_label(match.group(1) or match.group(2) or match.group(3) or "") if match else None
        if name:
            return name
    return prescan(data[:PRESCAN])


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        cut = error.reason == "unexpected end of data" and error.start >= len(data) - 3
        return bool(cut and error.start > 0 and _has_multibyte(data[: error.start]))
    return True


def _has_multibyte(data: bytes) -> bool:
    return not data.isascii()


def prescan(data: bytes) -> str | None:
    """Prescan a byte stream to determine its encoding: the name that a meta element declares, or None."""
    text = data.decode("latin-1")
    if text.startswith("<\0?\0x\0"):
        return "utf-16le"
    if text.startswith("\0<\0?\0x"):
        return "utf-16be"
    position = 0
    while True:
        position = text.find("<", position)
        if position < 0:
            return _xml_declaration(text)
        if text.startswith("<!--", position):
            end = text.find("-->", position + 2)
            if end < 0:
                return _xml_declaration(text)
            position = end + 3
            continue
        if _META_TAG.match(text, position):
            name, position = _meta(text, position + 5)
            if name:
                return name
            continue
        match = _ANY_TAG.match(text, position)
        if match:
            position = match.end()
            while True:
                attribute, position = _attribute(text, position)
                if attribute is None:
                    break
        elif text[position + 1 : position + 2] in ("!", "/", "?"):
            end = text.find(">", position)
            if end < 0:
                return _xml_declaration(text)
            position = end
        else:
            position += 1


def _xml_declaration(text: str) -> str | None:
    """The encoding that an XML declaration at the very beginning names; browsers heed it where no meta does."""
    match = _XML.match(text)
    if not match:
        return None
    name = encoding_for_label(match.group(1) or match.group(2) or "")
    return "utf-8" if name in ("utf-16be", "utf-16le") else name


def _meta(text: str, position: int) -> tuple[str | None, int]:
    """The attributes of a meta element, from behind its name: the encoding it declares, if any."""
    seen: set[str] = set()
    got_pragma = False
    need_pragma: bool | None = None
    charset: str | None = None
    while True:
        attribute, position = _attribute(text, position)
        if attribute is None:
            break
        name, value = attribute
        if name in seen:
            continue
        seen.add(name)
        if name == "http-equiv":
            got_pragma = value == "content-type"
        elif name == "content" and charset is None:
            charset = _encoding_from_content(value)
            if charset is not None:
                need_pragma = True
        elif name == "charset":
            charset = encoding_for_label(value)
            need_pragma = False
    if charset is None or need_pragma is None or (need_pragma and not got_pragma):
        return None, position
    if charset in ("utf-16be", "utf-16le"):
        return "utf-8", position
    return ("windows-1252" if charset == "x-user-defined" else charset), position


def _encoding_from_content(value: str) -> str | None:
    """Extract a character encoding from a meta element (urls-and-fetching, 2.5)."""
    match = _CHARSET.search(value)
    return encoding_for_label(match.group(1) or match.group(2) or match.group(3) or "") if match else None


def _attribute(text: str, position: int) -> tuple[tuple[str, str] | None, int]:
    """Get an attribute: name and value in lower case, and the position behind; None at the tag's end."""
    match = _ATTRIBUTE_NAME.match(text, position)
    assert match is not None
    position = match.end()
    if match.group(1) or position >= len(text):
        return None, position
    name = match.group(2).lower()
    match = _EQUALS.match(text, position)
    if not match:
        return (name, ""), position
    position = match.end()
    quote = text[position : position + 1]
    if quote in ('"', "'"):
        end = text.find(quote, position + 1)
        if end < 0:
            return None, len(text)
        return (name, text[position + 1 : end].lower()), end + 1
    match = _UNQUOTED.match(text, position)
    assert match is not None
    return (name, match.group().lower()), match.end()


# Bytes that Python's codecs refuse and the standard's indexes map to C1 controls or others.
_FILLED: dict[str, dict[int, int]] = {
    "windows-874": {},
    "windows-1250": {},
}


def _decode_single_byte(data: bytes, name: str) -> str:
    return data.decode(CODECS.get(name, name), "replace")
