"""Read what font programs and font dictionaries declare of characters: their texts and their widths.

In: a font file's bytes, a font dictionary. Out: texts by code or by glyph; widths by code or CID, in thousandths of the
font size. Texts are read only if the PDF itself names no encoding. A damaged font gives an empty result. Three formats
are read: Type 1, CFF and TrueType or OpenType. Widths show where a text ends, and so where a gap is a space.
Specifications: Adobe Type 1 Font Format section 2.3; CFF, Technical Note 5176; OpenType `cmap`; ISO 32000-1 sections
9.2.4, 9.6.2.2 (standard fonts), 9.7.4.3 (widths of CIDs).
Tests: tests/documents/pdf/test_glyphs.py, tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from webtool.documents.pdf.fonts.encodings import STANDARD, text_of_glyph
from webtool.documents.pdf.objects.file import PdfFile
from webtool.lean import datafiles, patterns
from webtool.lean.typing import Any

_TYPE1_ENTRY = patterns.compile(rb"dup\s{1,9}(\d{1,3})\s{0,9}/([^\s/()<>\[\]{}%]{1,60})\s{1,9}put")

# CFF appendix A: standard strings 0 to 228, as texts. 1 to 149 are those of StandardEncoding, in order.
_STANDARD_STRINGS: list[str] = [
    "",
    *[text for text in STANDARD if text],
    *"¹¬µ™Ð½±Þ¼÷¦°þ¾²®−ð×³©ÁÂÄÀÅÃÇÉÊËÈÍÎÏÌÑÓÔÖÒÕŠÚÛÜÙÝŸŽáâäàåãçéêëèíîïìñóôöòõšúûüùýÿž",
]
_CHARSET, _ENCODING, _CHAR_STRINGS, _ROS = 15, 16, 17, 0xC1E  # operators of a Top DICT (section 9); ROS: a CID font
_FIRST_OWN_STRING = 391  # string id of a CFF font's first own string
_MAX_CODES = 65536  # of a TrueType cmap; further ones are ignored, and those in two segments count twice


def type1_encoding(data: bytes) -> dict[int, str]:
    """Return texts by code of a Type 1 font's own encoding; {} if it uses StandardEncoding."""
    encrypted_at = data.find(b"eexec")
    clear = data[:encrypted_at] if encrypted_at > 0 else data[:65536]
    table = {}
    for code, name in _TYPE1_ENTRY.findall(clear):
        table[int(code)] = text_of_glyph(name.decode("latin-1"))
    return table


def _or_empty(read: Callable[[bytes], dict[int, str]]) -> Callable[[bytes], dict[int, str]]:
    """Decorate a reader so that it returns {} for a damaged font."""

    def careful(data: bytes) -> dict[int, str]:
        try:
            return read(data)
        except (LookupError, struct.error, ValueError):
            return {}

    return careful


@_or_empty
def cff_encoding(data: bytes) -> dict[int, str]:
    """Return texts by code of a bare CFF font's own encoding; {} for CID fonts and predefined encodings."""
    _, position = _cff_index(data, data[2])
    tops, position = _cff_index(data, position)
    strings, _ = _cff_index(data, position)
    top = _cff_dict(tops[0])
    encoding_at = top.get(_ENCODING, 0)
    if _ROS in top or encoding_at in (0, 1):
        return {}
    glyphs_at = top[_CHAR_STRINGS]
    glyph_count = int.from_bytes(data[glyphs_at : glyphs_at + 2], "big")
    names = _cff_charset(data, top.get(_CHARSET, 0), min(glyph_count, 65535))
    texts = dict(enumerate(_STANDARD_STRINGS))
    own = (text_of_glyph(name.decode("latin-1")) for name in strings)
    texts.update(enumerate(own, _FIRST_OWN_STRING))
    codes = _cff_codes(data, encoding_at)
    return {code: texts.get(names[glyph], "") for code, glyph in codes if glyph < len(names)}


def _cff_index(data: bytes, position: int) -> tuple[list[bytes], int]:
    """Return the items of an INDEX (section 5) and the position after it."""
    count = int.from_bytes(data[position : position + 2], "big")
    if not count:
        return [], position + 2
    size = data[position + 2]
    base = position + 3
    offsets = [int.from_bytes(data[base + step * size : base + step * size + size], "big") for step in range(count + 1)]
    start = base + (count + 1) * size - 1
    if offsets[-1] > len(data):
        raise ValueError("an index runs past the end")
    return [data[start + low : start + high] for low, high in zip(offsets, offsets[1:])], start + offsets[-1]


def _cff_dict(data: bytes) -> dict[int, int]:
    """Return the last operand of each operator of a DICT (section 4); real numbers count as 0."""
    table: dict[int, int] = {}
    last = position = 0
    while position < len(data):
        byte = data[position]
        position += 1
        if byte <= 21:
            if byte == 12:
                byte = 0xC00 | data[position]
                position += 1
            table[byte] = last
        elif byte == 28:
            last, position = struct.unpack_from(">h", data, position)[0], position + 2
        elif byte == 29:
            last, position = struct.unpack_from(">i", data, position)[0], position + 4
        elif byte == 30:
            last = 0  # a real number, which ends with the half byte F
            while data[position] & 0xF != 0xF and data[position] >> 4 != 0xF:
                position += 1
            position += 1
        elif 32 <= byte <= 246:
            last = byte - 139
        elif byte <= 250:
            last, position = (byte - 247) * 256 + data[position] + 108, position + 1
        elif byte <= 254:
            last, position = -(byte - 251) * 256 - data[position] - 108, position + 1
    return table


def _cff_charset(data: bytes, position: int, count: int) -> list[int]:
    """Return string ids by glyph (section 13); positions 0 to 2 name predefined charsets, all read as ISOAdobe."""
    if position <= 2:
        return list(range(min(count, 229)))
    kind = data[position]
    position += 1
    names = [0]
    while len(names) < count:
        first = int.from_bytes(data[position : position + 2], "big")
        position += 2
        further = 0  # how many string ids follow the first of a range: format 1 says it in one byte, format 2 in two
        if kind:
            further = int.from_bytes(data[position : position + kind], "big")
            position += kind
        names.extend(range(first, first + min(further, count - len(names)) + 1))
        if position > len(data):
            raise ValueError("a charset runs past the end")
    return names


def _cff_codes(data: bytes, position: int) -> list[tuple[int, int]]:
    """Return pairs of code and glyph of an encoding (section 12)."""
    kind = data[position] & 0x7F
    count = data[position + 1]
    if kind == 0:
        return [(data[position + 2 + step], step + 1) for step in range(count)]
    codes = []
    glyph = 1
    for step in range(count):
        first, further = data[position + 2 + 2 * step], data[position + 3 + 2 * step]
        for code in range(first, first + further + 1):
            codes.append((code, glyph))
            glyph += 1
    return codes


@_or_empty
def truetype_texts(data: bytes) -> dict[int, str]:
    """Return texts by glyph from a TrueType or OpenType font's `cmap`: a Unicode one, else that of Mac OS Roman."""
    codes = _cmap(data, _UNICODE)
    if codes:
        return {glyph: chr(code) for code, glyph in sorted(codes.items(), reverse=True) if glyph}
    return {glyph: _MAC_ROMAN[code] for code, glyph in _cmap(data, _MACINTOSH).items() if glyph and code < 256}


def count_of_glyphs(data: bytes) -> int:
    """Return the number of glyphs of a TrueType font (OpenType `maxp`); 0 if it is damaged or has no `maxp`."""
    try:
        position = _table_at(data, b"maxp")
        if position < 0:
            return 0
        return int(struct.unpack_from(">H", data, position + 4)[0])
    except struct.error:
        return 0


@_or_empty
def truetype_codes(data: bytes) -> dict[int, str]:
    """Return texts by code of a symbolic TrueType font: code -> glyph by (3,0) or (1,0), glyph -> text by Unicode."""
    by_glyph = truetype_texts(data)
    return {code & 0xFF: by_glyph[glyph] for code, glyph in _cmap(data, _SYMBOL).items() if glyph in by_glyph}


# Platform and encoding of the sub-tables of `cmap`, the preferred one first.
_UNICODE = ((3, 10), (0, 4), (0, 6), (3, 1), (0, 3), (0, 2), (0, 1), (0, 0))
_SYMBOL = ((3, 0), (1, 0))
_MACINTOSH = ((1, 0),)
_MAC_ROMAN = bytes(range(256)).decode("mac_roman")


def _cmap(data: bytes, preferred: tuple[tuple[int, int], ...]) -> dict[int, int]:
    """Return glyphs by code of the first of the preferred sub-tables that exists."""
    base = _table_at(data, b"cmap")
    if base < 0:
        return {}
    positions = {}
    for step in range(min(struct.unpack_from(">H", data, base + 2)[0], 100)):
        platform, encoding, offset = struct.unpack_from(">HHI", data, base + 4 + 8 * step)
        positions[platform, encoding] = base + offset
    return next((_sub_table(data, positions[key]) for key in preferred if key in positions), {})


def _table_at(data: bytes, tag: bytes) -> int:
    """Return the position of a table of an OpenType font, or -1."""
    for step in range(min(struct.unpack_from(">H", data, 4)[0], 100)):
        if data[12 + 16 * step : 16 + 16 * step] == tag:
            return int(struct.unpack_from(">I", data, 20 + 16 * step)[0])
    return -1


def _sub_table(data: bytes, position: int) -> dict[int, int]:
    """Return glyphs by code of a sub-table of format 0, 4, 6 or 12."""
    kind = struct.unpack_from(">H", data, position)[0]
    if kind == 0:
        return dict(enumerate(data[position + 6 : position + 262]))
    if kind == 4:
        return _segments(data, position)
    if kind == 6:
        first, count = struct.unpack_from(">HH", data, position + 6)
        return {first + step: glyph for step, glyph in enumerate(struct.unpack_from(f">{count}H", data, position + 10))}
    return _groups(data, position) if kind == 12 else {}


def _segments(data: bytes, position: int) -> dict[int, int]:
    """Read format 4, up to _MAX_CODES."""
    count = struct.unpack_from(">H", data, position + 6)[0] // 2
    ends = struct.unpack_from(f">{count}H", data, position + 14)
    starts = struct.unpack_from(f">{count}H", data, position + 16 + 2 * count)
    deltas = struct.unpack_from(f">{count}H", data, position + 16 + 4 * count)
    offsets_at = position + 16 + 6 * count
    offsets = struct.unpack_from(f">{count}H", data, offsets_at)
    codes: dict[int, int] = {}
    left = _MAX_CODES
    for step in range(count):
        left -= max(0, ends[step] - starts[step] + 1)
        if left < 0:
            break
        for code in range(starts[step], ends[step] + 1):
            glyph = code
            if offsets[step]:
                where = offsets_at + 2 * step + offsets[step] + 2 * (code - starts[step])
                glyph = int.from_bytes(data[where : where + 2], "big")
            if glyph or not offsets[step]:
                codes[code] = (glyph + deltas[step]) & 0xFFFF
    return codes


def _groups(data: bytes, position: int) -> dict[int, int]:
    """Read format 12, up to _MAX_CODES."""
    codes: dict[int, int] = {}
    left = _MAX_CODES
    for step in range(min(struct.unpack_from(">I", data, position + 12)[0], 20000)):
        first, last, glyph = struct.unpack_from(">III", data, position + 16 + 12 * step)
        left -= max(0, last - first + 1)
        if left < 0 or last > 0x10FFFF:
            break
        codes.update((code, glyph + code - first) for code in range(first, last + 1))
    return codes


_MAX_CIDS = 65536  # of one range or list of widths; the rest of it is ignored
_MAX_ITEMS = 200_000  # of a W array; the rest is ignored
_USUAL_WIDTH = 556.0  # of the digits and many letters of Helvetica, for codes that no table lists

# Widths of characters 32 to 126 of the standard fonts (from their AFM files), for fonts without Widths.
_STANDARD: dict[str, list[float]] = {}
for _line in datafiles.read(__name__, "standard_widths.txt").decode("ascii").splitlines():
    _name, *_widths = _line.split()
    _STANDARD[_name] = list(map(float, _widths))


def simple_widths(file: PdfFile, attrs: dict[str, Any], descriptor: dict[str, Any]) -> tuple[list[float], bool]:
    """Return the widths by code of a simple font, [] if it lists none, and whether they are all the same."""
    missing = file.resolve(descriptor.get("MissingWidth"))
    listed = [file.resolve(width) for width in file.list_of(attrs.get("Widths"))[:256]]
    first = file.resolve(attrs.get("FirstChar"))
    if not listed or type(first) is not int:
        return [], False
    widths = [float(missing) if type(missing) in (int, float) and missing else 500.0] * 256
    for code, width in enumerate(listed, first):
        if 0 <= code < 256 and type(width) in (int, float):
            widths[code] = float(width)
    return widths, is_fixed_pitch(listed)


def is_fixed_pitch(widths: list[Any]) -> bool:
    """Return whether all characters have the same width, of 400 to 700: full-width CJK fonts do not count."""
    used = {width for width in widths if width}
    return len(used) == 1 and len(widths) >= 8 and 400 <= max(used) <= 700


def standard_widths(name: str, is_bold: bool, is_fixed_pitch: bool) -> list[float]:
    """Return the widths by code of a font without Widths: those of the standard font that its name resembles."""
    if is_fixed_pitch:
        return [600.0] * 256
    if "times" in name.lower() or "serif" in name.lower():
        listed = _STANDARD["Times-Bold" if is_bold else "Times-Roman"]
    else:
        listed = _STANDARD["Helvetica-Bold" if is_bold else "Helvetica"]
    return [_USUAL_WIDTH] * 32 + listed + [_USUAL_WIDTH] * (256 - 32 - len(listed))


def cid_widths(file: PdfFile, descendant: dict[str, Any]) -> dict[int, float]:
    """Return the widths by CID of a W array (section 9.7.4.3): `first [w w w]` or `first last w`."""
    widths: dict[int, float] = {}
    items = [file.resolve(item) for item in file.list_of(descendant.get("W"))[:_MAX_ITEMS]]
    index = 0
    left = file.take_entries(2 * _MAX_CIDS)  # entries that may be added, since a hostile file repeats ranges
    while index + 1 < len(items) and left > 0:
        first, second = items[index], items[index + 1]
        if type(first) is int and type(second) is list:
            left -= len(second)
            numbers = ((cid, file.resolve(width)) for cid, width in enumerate(second[:_MAX_CIDS], first))
            widths.update((cid, float(width)) for cid, width in numbers if type(width) in (int, float))
            index += 2
        elif type(first) is int and type(second) is int and index + 2 < len(items):
            if type(items[index + 2]) in (int, float) and first <= second:
                last = min(second, first + _MAX_CIDS - 1)
                left -= last - first
                widths.update(dict.fromkeys(range(first, last + 1), float(items[index + 2])))
            index += 3
        else:
            index += 1
    file.take_entries(-max(0, left))
    return widths
