"""Decode bytes by the name of an encoding; find the name for a label.

In: bytes and a name of the Encoding Standard in lower case, or a label such as "latin1". Out: the text, or the name.
Python's codecs differ from the standard in some bytes; the tables of this module correct them.
Spec: the Encoding Standard, sections 4.2 (names and labels), 6, 9 to 14 (decoders; 12.1: Big5).
Tests: tests/html/test_labels.py, tests/html/test_encoding.py
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping

from webtool.html.elements import ASCII_SPACE
from webtool.lean import datafiles

# Name -> its labels.
_LABELS = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "ibm866": "866 cp866 csibm866 ibm866",
    "iso-8859-2": "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
    "iso-8859-3": "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
    "iso-8859-4": "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
    "iso-8859-5": "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
    "iso-8859-6": "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e "
    "iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
    "iso-8859-7": "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
    "iso_8859-7:1987 sun_eu_greek",
    "iso-8859-8": "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 "
    "iso_8859-8 iso_8859-8:1988 visual",
    "iso-8859-8-i": "csiso88598i iso-8859-8-i logical",
    "iso-8859-10": "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso-8859-13": "iso-8859-13 iso8859-13 iso885913",
    "iso-8859-14": "iso-8859-14 iso8859-14 iso885914",
    "iso-8859-15": "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
    "iso-8859-16": "iso-8859-16",
    "koi8-r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8-u": "koi8-ru koi8-u",
    "macintosh": "csmacintosh mac macintosh x-mac-roman",
    "windows-874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    "windows-1252": "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 "
    "iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
    "windows-1254": "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 "
    "windows-1254 x-cp1254",
    "x-mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gbk": "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk",
    "gb18030": "gb18030",
    "big5": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc-jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "iso-2022-jp": "csiso2022jp iso-2022-jp",
    "shift_jis": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "euc-kr": "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 "
    "windows-949",
    "replacement": "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement",
    "utf-16be": "unicodefffe utf-16be",
    "utf-16le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
    "x-user-defined": "x-user-defined",
    **{f"windows-{page}": f"cp{page} windows-{page} x-cp{page}" for page in (1250, 1251, 1253, 1255, 1256, 1257, 1258)},
}

# Name -> Python's codec, if that is called differently.
CODECS = {
    "iso-8859-8-i": "iso-8859-8", "macintosh": "mac_roman", "windows-874": "cp874", "x-mac-cyrillic": "mac_cyrillic",
    "gbk": "gb18030", "big5": "big5hkscs", "euc-jp": "euc_jp", "iso-2022-jp": "iso2022_jp_ext", "shift_jis": "cp932",
    "euc-kr": "cp949",
}  # fmt: skip

_names: dict[str, str] = {}  # label -> name; filled at the first call
# Characters of Python's table -> those that the standard's index has for the same bytes.
_BIG5_SIGNS = {
    0x2022: 0x2027, 0xFF64: 0xFE51, 0x203E: 0xAF, 0x223C: 0xFF5E, 0x2641: 0x2295, 0x2609: 0x2299, 0xA5: 0xFFE5,
    0xA2: 0xFFE0, 0xA3: 0xFFE1,
}  # fmt: skip
# Characters that the standard's Big5 has and Python's codec lacks: Hong Kong's rows and a few more (section 12.1.1).
# Pointer -> character; filled at the first call. A line of big5.txt has the characters of two bytes and the next codes.
_extra: dict[int, str] = {}

# Corrections: code points of Python's tables -> those of the standard's indexes.
# Six signs of JIS X 0208 have the forms of Microsoft's tables.
_JIS_SIGNS = {0x301C: 0xFF5E, 0x2016: 0x2225, 0x2212: 0xFF0D, 0xA2: 0xFFE0, 0xA3: 0xFFE1, 0xAC: 0xFFE2}
# GB 18030-2005 moved these out of the private use area; Python's table has the old code points.
_GB_SIGNS = {0xE5E5: 0x3000, 0xE7C7: 0x1E3F, 0xE81E: 0x9FB4, 0xE826: 0x9FB5, 0xE82B: 0x9FB6, 0xE82C: 0x9FB7}
_GB_SIGNS.update({0xE832: 0x9FB8, 0xE843: 0x9FB9, 0xE854: 0x9FBA, 0xE864: 0x9FBB, 0xE78E: 0xFE12, 0xE78F: 0xFE11})
_GB_SIGNS.update({0xE78D: 0xFE10, **{0xE790 + index: 0xFE13 + index for index in range(7)}})
_CORRECTIONS: Mapping[str, dict[int, int]] = {
    "big5": _BIG5_SIGNS,
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


def encoding_for_label(label: str) -> str | None:
    """Return the name of an encoding, in lower case, for a label; None if the label is unknown."""
    if not _names:
        _names.update((text, name) for name, labels in _LABELS.items() for text in labels.split())
    return _names.get(label.strip(ASCII_SPACE).lower())


def _big5_character(lead: int, trail: int) -> str | None:
    """Return the character of two bytes that Python's decoder refuses, or None."""
    if not _extra:
        for line in datafiles.read(__name__, "big5.txt").decode("utf-8").splitlines():
            start, text = line.split(" ")
            first = _big5_pointer(int(start[:2], 16), int(start[2:], 16))
            _extra.update({first + index: char for index, char in enumerate(text)})
    return _extra.get(_big5_pointer(lead, trail))


def _big5_pointer(lead: int, trail: int) -> int:
    """Return the index's pointer for two bytes (section 12.1.1), or -1 if the second byte is not valid."""
    if not 0x40 <= trail <= 0x7E and not 0xA1 <= trail <= 0xFE:
        return -1
    return (lead - 0x81) * 157 + trail - (0x40 if trail < 0x7F else 0x62)


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
    extension = _big5_character(lead, pair[1]) if name == "big5" and len(pair) > 1 else None
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
