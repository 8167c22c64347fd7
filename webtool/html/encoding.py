"""Determine the encoding of a page and decode it.

In: bytes and the Content-Type header. Out: the encoding's name, as in the Encoding Standard, and the text.

The sources, in this order: byte order mark, Content-Type, what the page declares at its beginning (prescan.py), UTF-8
if the bytes are valid UTF-8, a guess from the bytes (guessing.py), windows-1252. Python's codecs differ from the
standard in some bytes; those are corrected here.
Spec: the HTML Standard, 13.2.3.2 (determining the character encoding); the Encoding Standard, sections 4.2, 6, 9 to 14.
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping

from webtool.html.labels import BIG5_SIGNS, CODECS, big5_character, encoding_for_label
from webtool.lean import media_types
from webtool.lean.records import NamedTuple

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
# Bytes that windows-1252 does not define: signs that the text, which declares nothing, has another encoding.
_UNDEFINED = dict.fromkeys((0x81, 0x8D, 0x8F, 0x90, 0x9D), "\ufffd")
_MIN_UTF_8 = 20  # bytes that valid UTF-8 needs beyond one a character to overrule another declared encoding


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
        if label != "utf-8" and not data.isascii() and _is_clearly_utf_8(data):
            return "utf-8", f"The declared charset {label} is wrong: the bytes are UTF-8 and are read so."
        return label, ""
    if data.isascii():
        if b"\x1b$" not in data:
            return "windows-1252", ""  # UTF-8 would give the same text, but browsers name their default
    elif _is_utf_8(data):
        return "utf-8", ""
    from webtool.html import guessing  # imported late: nearly every page declares its encoding or is UTF-8

    name = guessing.guess(data)
    if name is None:
        return "windows-1252", ""
    return name, f"No charset is declared: the text is read as {name}, a guess from its bytes."


def _is_utf_8(data: bytes) -> bool:
    """Whether bytes are valid UTF-8; a character that is cut off at the end does not make them another encoding."""
    try:
        text, read_bytes = codecs.utf_8_decode(data, "strict", False)
    except UnicodeDecodeError:
        return False
    is_whole = read_bytes == len(data)
    return is_whole or not text.isascii()  # "abc\xe9" is cut, too, but no other character speaks for UTF-8


def _is_clearly_utf_8(data: bytes) -> bool:
    """Whether bytes are valid UTF-8 with many characters beyond ASCII."""
    try:
        text, read_bytes = codecs.utf_8_decode(data, "strict", False)
    except UnicodeDecodeError:
        return False
    return read_bytes - len(text) >= _MIN_UTF_8


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
    from webtool.html.prescan import prescan  # imported late: most servers name the charset

    return prescan(data)


def decode_as(data: bytes, name: str) -> str:
    """Decode by the encoding of this name, as the standard says. Never raises."""
    if name == "replacement":
        return "\ufffd" if data else ""
    if name == "x-user-defined":
        return data.decode("latin-1").translate({byte: 0xF700 + byte for byte in range(0x80, 0x100)})
    codec = CODECS.get(name, name)
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        if name.startswith(("utf", "iso-2022")):
            return data.decode(codec, "replace")
        text = _decode_in_parts(data, codec, name) if name in _MULTI_BYTE else _decode_single_byte(data, codec, name)
    corrections = _CORRECTIONS.get(name)
    return text.translate(corrections) if corrections else text


# Corrections: code points of Python's tables -> those of the standard's indexes.
# Six signs of JIS X 0208 have the forms of Microsoft's tables.
_JIS_SIGNS = {0x301C: 0xFF5E, 0x2016: 0x2225, 0x2212: 0xFF0D, 0xA2: 0xFFE0, 0xA3: 0xFFE1, 0xAC: 0xFFE2}
# GB 18030-2005 moved these out of the private use area; Python's table has the old code points.
_GB_SIGNS = {0xE5E5: 0x3000, 0xE7C7: 0x1E3F, 0xE81E: 0x9FB4, 0xE826: 0x9FB5, 0xE82B: 0x9FB6, 0xE82C: 0x9FB7}
_GB_SIGNS.update({0xE832: 0x9FB8, 0xE843: 0x9FB9, 0xE854: 0x9FBA, 0xE864: 0x9FBB, 0xE78E: 0xFE12, 0xE78F: 0xFE11})
_GB_SIGNS.update({0xE78D: 0xFE10, **{0xE790 + index: 0xFE13 + index for index in range(7)}})
_CORRECTIONS: Mapping[str, dict[int, int]] = {
    "big5": BIG5_SIGNS,
    "gbk": _GB_SIGNS,
    "gb18030": _GB_SIGNS,
    "koi8-u": {0x255D: 0x045E, 0x256C: 0x040E},
    "euc-jp": _JIS_SIGNS,
    "iso-2022-jp": _JIS_SIGNS,
    "shift_jis": {0xA0: 0xFFFD, 0xF8F0: 0xFFFD, 0xF8F1: 0xFFFD, 0xF8F2: 0xFFFD, 0xF8F3: 0xFFFD},
}
_MULTI_BYTE = frozenset(("gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr"))
_CHUNK = 4096  # bytes decoded at once; after an error the rest of the chunk is decoded again
# Bytes of single-byte encodings that Python's tables lack.
_SINGLE_BYTE_EXTRA = {"windows-1255": {0xCA: "\u05ba"}}


def _decode_single_byte(data: bytes, codec: str, name: str) -> str:
    """Decode bytes that Python's table partly lacks. In the windows encodings C1 controls are kept as themselves."""
    extra = _SINGLE_BYTE_EXTRA.get(name, {})
    table = {0xDC00 + byte: extra.get(byte, "\ufffd") for byte in range(0x80, 0x100)}
    if name.startswith("windows"):
        table.update({0xDC00 + byte: chr(byte) for byte in range(0x80, 0xA0)})
    every = bytes(range(0x100)).decode(codec, "surrogateescape").translate(table)
    return codecs.charmap_decode(data, "strict", every)[0]  # a fortieth of the time of str.translate


def _decode_in_parts(data: bytes, codec: str, name: str) -> str:
    """Decode with one U+FFFD for every bad sequence; an ASCII byte in a bad sequence is kept."""
    parts: list[str] = []
    position = 0
    while position < len(data):
        chunk = data[position : position + _CHUNK]
        try:
            parts.append(chunk.decode(codec))
            read = len(chunk)
        except UnicodeDecodeError as error:
            read = error.start
            parts.append(chunk[:read].decode(codec))
            if read < _CHUNK - 4:  # later in the chunk, a character may only be cut by its end
                text, length = _bad_sequence(chunk[read : read + 3], name)
                parts.append(text)
                read += length
        position += read
    return "".join(parts)


def _bad_sequence(begin: bytes, name: str) -> tuple[str, int]:
    """Return the replacement for a bad sequence, and how many bytes it has. `begin` has its first three bytes."""
    lead, pair = begin[0], begin[:2]
    if name == "euc-jp":
        return _bad_japanese(begin)
    if lead == 0x80 and name in ("gbk", "gb18030"):
        return "\u20ac", 1
    extension = big5_character(lead, pair[1]) if name == "big5" and len(pair) > 1 else None
    if extension:
        return extension, 2
    if len(pair) < 2 or pair[1] < 0x80 or not 0x81 <= lead <= 0xFE:
        return "\ufffd", 1
    return "\ufffd", 2


def _bad_japanese(begin: bytes) -> tuple[str, int]:
    """Return the replacement for a bad sequence of EUC-JP, and how many bytes it has.

    Sequences begin with 8E, 8F or A1 to FE, and have three bytes after 8F. Characters of JIS X 0208 that Python's table
    lacks, such as circled digits, are looked up at the same cell of Shift_JIS.
    """
    lead = begin[0]
    if not (lead in (0x8E, 0x8F) or 0xA1 <= lead <= 0xFE) or len(begin) < 2 or begin[1] < 0x80:
        return "\ufffd", 1
    row, cell = lead - 0xA1, begin[1] - 0xA1
    if not 0 <= cell < 94:
        return "\ufffd", 2
    if lead == 0x8F:
        return "\ufffd", 3 if begin[2:] >= b"\x80" else 2
    if row < 0:
        return "\ufffd", 2
    first = row // 2 + (0x81 if row < 62 else 0xC1)
    has_odd_row = row % 2 == 1
    if has_odd_row:
        trail = cell + 0x9F
    else:  # the trail byte 0x7F is skipped
        trail = cell + 0x40 if cell < 63 else cell + 0x41
    text = bytes((first, trail)).decode("cp932", "replace")
    return text if len(text) == 1 else "\ufffd", 2
