"""Load fonts, which turn the bytes of a string into text and width. In: a font dictionary. Out: a Font.

A string consists of character codes. The text of a code comes from the first of these that has it: the ToUnicode map,
the Differences and the named encoding, the font program. A simple font has one-byte codes. A composite font (Type0) has
codes of any length; its CMap gives each a CID, the number of a glyph in a collection of characters.
Specification: ISO 32000-1 sections 9.6 to 9.10.
Tests: tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.documents.pdf.fonts import cmaps, encodings, fontfiles
from webtool.documents.pdf.objects import Name, PdfError, Stream
from webtool.documents.pdf.objects.file import PdfFile
from webtool.lean.typing import Any

_BOLD_NAMES = ("bold", "black", "heavy", "demi", "cmbx", "cmssbx")
_MIN_BOLD_WEIGHT = 600  # of a font descriptor: 400 is regular, 700 bold
_FIXED_PITCH, _NONSYMBOLIC, _FORCE_BOLD = 1, 1 << 5, 1 << 18  # flags of a font descriptor, table 123
UNKNOWN = "\ufffd"  # the text of a glyph whose text is nowhere in the file
_SPACE_GLYPH = 3  # the glyph of a space in most TrueType fonts
_MAX_MISSING_GLYPHS = 60  # a subset of a font may lack this many glyphs at the end
# Families whose glyphs are not in the order of most TrueType fonts.
_OTHER_ORDERS = frozenset(
    ("calibri", "cambria", "candara", "consolas", "constantia", "corbel", "segoe", "aptos", "symbol", "dings")
)
# A subset is renumbered if its glyphs have new codes, one after another; see _is_renumbered().
_MIN_RENUMBERED = 4  # with fewer glyphs without a telling name, a subset is not renumbered
_MAX_FIRST_RENUMBERED = 0x23  # renumbering begins at this code or before: Quartz at 33, others at 0 or 1
_MIN_RENUMBERED_SHARE = 0.85  # share of the codes between the first and the last one that have a glyph
_NO_TEXT = ("\0", "\ufffd", "")  # values of ToUnicode maps that mean nothing
_STOPS = frozenset(b",.")  # codes that text fonts of TeX use for comma and period, and fonts for formulas do not


class Font:
    """One font. `texts` and `widths` are by code; `cmap` divides strings into codes, None for one-byte codes."""

    def __init__(self, name: str, flags: int = 0, weight: float = 400) -> None:
        plain = name.lower()
        self.name = name
        self.is_bold = (
            any(word in plain for word in _BOLD_NAMES) or bool(flags & _FORCE_BOLD) or weight >= _MIN_BOLD_WEIGHT
        )
        self.is_fixed_pitch = bool(flags & _FIXED_PITCH) or "courier" in plain or "mono" in plain
        self.is_vertical = False
        self.scale = 0.001  # font sizes in one unit of width; Type 3 fonts have a value of their own
        self.texts: Any = [""] * 256
        self.widths: Any = [500.0] * 256
        self.cmap: cmaps.CMap | None = None

    def measure(self, data: bytes) -> tuple[str, float, int, int]:
        """Return text, width in font sizes, number of characters and number of single-byte spaces of a string."""
        if self.cmap is None:
            width = sum(map(self.widths.__getitem__, data))
            return "".join(map(self.texts.__getitem__, data)), width * self.scale, len(data), data.count(b" ")
        codes = self.cmap.split(data)
        width = sum(map(self.widths.__getitem__, codes))
        spaces = codes.count(32) if not self.cmap.is_two_byte else 0
        return "".join(map(self.texts.__getitem__, codes)), width * self.scale, len(codes), spaces


class _ByCode(dict):  # type: ignore[type-arg]
    """Texts or widths of a composite font by code, computed on first use."""

    def __init__(self, find: Callable[[int], Any]) -> None:
        self._find = find

    def __missing__(self, code: int) -> Any:
        self[code] = value = self._find(code)
        return value


def load(file: PdfFile, attrs: dict[str, Any]) -> Font:
    """Return the font of a font dictionary, as far as it can be read."""
    kind = file.resolve(attrs.get("Subtype"))
    if kind == "Type0":
        return _composite(file, attrs)
    descriptor = file.dict_of(attrs.get("FontDescriptor"))
    font = _without_texts(file, attrs, descriptor)
    font.texts = _simple_texts(file, attrs, descriptor, font.name)
    listed, is_fixed_pitch = fontfiles.simple_widths(file, attrs, descriptor)
    font.widths = listed or fontfiles.standard_widths(font.name, font.is_bold, font.is_fixed_pitch)
    font.is_fixed_pitch = font.is_fixed_pitch or is_fixed_pitch
    if kind == "Type3":
        matrix = file.numbers_of(attrs.get("FontMatrix"))
        font.scale = abs(matrix[0]) if len(matrix) == 6 and matrix[0] else 0.001
    return font


def _without_texts(file: PdfFile, attrs: dict[str, Any], descriptor: dict[str, Any]) -> Font:
    """Return a font with name, flags and weight only."""
    name = str(file.resolve(attrs.get("BaseFont")) or file.resolve(descriptor.get("FontName")) or "")
    flags = file.resolve(descriptor.get("Flags"))
    weight = file.resolve(descriptor.get("FontWeight"))
    weight = weight if type(weight) in (int, float) else 400
    return Font(name.rpartition("+")[2], flags if type(flags) is int else 0, weight)


def _to_unicode(file: PdfFile, attrs: dict[str, Any]) -> cmaps.CMap | None:
    """Return the map from codes to texts, if the font has one."""
    value = file.resolve(attrs.get("ToUnicode"))
    if type(value) is Stream:
        return _read_cmap(file, value)
    return cmaps.UNICODE if type(value) is Name and value.startswith("Identity") else None


def _read_cmap(file: PdfFile, stream: Stream) -> cmaps.CMap | None:
    """Return a CMap, which fonts may share; None if it is damaged or the file's limit on entries is reached."""
    if id(stream) not in file.cmaps:
        room = file.take_entries(cmaps.MAX_ENTRIES)
        try:
            new = cmaps.read(file.decode(stream), room) if room else None
        except PdfError:
            new = None
        file.take_entries(-room + (new.entries if new else 0))
        file.cmaps[id(stream)] = new, stream
    cmap: cmaps.CMap | None = file.cmaps[id(stream)][0]
    return cmap


def _simple_texts(file: PdfFile, attrs: dict[str, Any], descriptor: dict[str, Any], name: str) -> list[str]:
    """Return the text of each of the 256 codes of a simple font."""
    encoding = file.resolve(attrs.get("Encoding"))
    texts = _base_encoding(file, encoding, attrs, descriptor, name)
    if type(encoding) is dict:
        _apply_differences(file, encoding, texts, "Dingbats" in name)
    to_unicode = _to_unicode(file, attrs)
    if to_unicode:
        for code in range(256):
            text = to_unicode.text(code)
            if text is not None and text not in _NO_TEXT:
                texts[code] = text
    return texts


def _base_encoding(
    file: PdfFile, encoding: Any, attrs: dict[str, Any], descriptor: dict[str, Any], name: str
) -> list[str]:
    """Return the named encoding, else that of the font program over the standard one (section 9.6.6, table 114)."""
    base = file.resolve(encoding.get("BaseEncoding")) if type(encoding) is dict else encoding
    if type(base) is Name and base in encodings.BASE_ENCODINGS:
        return list(encodings.BASE_ENCODINGS[base])
    if name.startswith("Symbol"):
        return list(encodings.SYMBOL)
    if "Dingbats" in name:
        return list(encodings.DINGBATS)
    flags = file.resolve(descriptor.get("Flags"))
    is_plain = type(flags) is int and flags & _NONSYMBOLIC  # then the standard encoding is the default
    is_truetype = file.resolve(attrs.get("Subtype")) == "TrueType"
    texts = list(encodings.WIN_ANSI if is_truetype and not is_plain else encodings.STANDARD)
    for code, text in _built_in(file, descriptor).items():
        if text and 0 <= code < 256:
            texts[code] = text
    return texts


def _built_in(file: PdfFile, descriptor: dict[str, Any]) -> dict[int, str]:
    """Return the texts by code that the font program declares."""
    readers = (
        ("FontFile", fontfiles.type1_encoding),
        ("FontFile3", fontfiles.cff_encoding),
        ("FontFile2", fontfiles.truetype_codes),
    )
    for key, reader in readers:
        stream = file.resolve(descriptor.get(key))
        if type(stream) is Stream:
            try:
                return reader(file.decode(stream))
            except PdfError:
                return {}
    return {}


def _apply_differences(file: PdfFile, encoding: dict[str, Any], texts: list[str], is_dingbats: bool) -> None:
    """Change the texts of the codes in Differences, by the names of their glyphs: [65 /alpha /beta] -> 65 is "α"."""
    code = 0
    numbered: list[int] = []  # codes of glyphs with a number as name: "a65"
    nameless: list[int] = []  # codes of glyphs whose name does not tell their text: "g37"
    for item in file.list_of(encoding.get("Differences")):
        item = file.resolve(item)
        if type(item) is int:
            code = item
        elif type(item) is Name:
            if 0 <= code < 256:
                # TeX's bitmap fonts name a glyph by its code, "a65". In Zapf Dingbats such names mean something else.
                is_number = item[:1] == "a" and item[1:].isdecimal() and not is_dingbats
                text = "" if is_number else encodings.text_of_glyph(item)
                if text:
                    texts[code] = text
                elif is_number:
                    numbered.append(code)
                elif item != ".notdef":
                    nameless.append(code)  # the text of the base encoding stays: it is the better guess
                elif code != 32:  # the glyph of a space may be called .notdef, since it shows nothing
                    texts[code] = ""
            code += 1
    if _is_renumbered(nameless):
        texts[:] = [UNKNOWN if code in nameless else text for code, text in enumerate(texts)]
    if not _STOPS.isdisjoint(numbered):  # a text font of TeX, in one of its two usual encodings
        is_cork = max(numbered) > 0x7F or not any(map(encodings.OT1.__getitem__, numbered))
        table = encodings.CORK if is_cork else encodings.OT1
        texts[:] = [table[code] or text if code in numbered else text for code, text in enumerate(texts)]


def _is_renumbered(nameless: list[int]) -> bool:
    """Return whether a subset is renumbered, so that the codes of glyphs without a telling name mean no letters.

    /Differences [33 /g18 /g152 /g7 ...] numbers glyphs one after another. A text in a named encoding leaves gaps: it
    does not use nearly every code from "!" on.
    """
    codes = set(nameless)
    if len(codes) < _MIN_RENUMBERED or min(codes) > _MAX_FIRST_RENUMBERED:
        return False
    width = max(codes) - min(codes) + 1
    return len(codes) > _MIN_RENUMBERED_SHARE * width and not codes.issuperset(range(0x30, 0x7B))


def _composite(file: PdfFile, attrs: dict[str, Any]) -> Font:
    """Return a composite font, whose texts and widths are computed on first use."""
    descendants = file.list_of(attrs.get("DescendantFonts"))
    descendant = file.dict_of(descendants[0]) if descendants else {}
    descriptor = file.dict_of(descendant.get("FontDescriptor"))
    font = _without_texts(file, attrs, descriptor)
    encoding = file.resolve(attrs.get("Encoding"))
    cmap = cmaps.predefined(encoding if type(encoding) is Name else Name("Identity-H"))
    if type(encoding) is Stream:
        cmap = _read_cmap(file, encoding) or cmap
    to_unicode = _to_unicode(file, attrs)
    default = file.resolve(descendant.get("DW"))
    font.cmap = cmap
    font.is_vertical = cmap.is_vertical
    collection = file.text_of(file.dict_of(descendant.get("CIDSystemInfo")).get("Ordering"))
    usual = float(default) if type(default) in (int, float) else 1000.0
    by_cid = fontfiles.cid_widths(file, descendant)
    # Some producers write an empty map.
    has_map = to_unicode is not None and bool(to_unicode.texts.single or to_unicode.texts.ranges)
    of_program: dict[int, str] | None = None  # texts by CID, read for the first code without another text

    def text(code: int) -> str:
        nonlocal of_program
        mapped = to_unicode.text(code) if to_unicode else None
        if mapped is not None and mapped not in _NO_TEXT:
            return mapped
        if cmap.codec:
            return cmaps.text_by_codec(code, cmap.codec)
        cid = cmap.cid(code) or code
        character = cmaps.text_of_cid(collection, cid)
        if character:
            return character
        if of_program is None:
            of_program = _texts_of_program(file, descendant, descriptor, has_map)
            if file.take_entries(len(of_program)) < len(of_program):
                of_program = {}
        return of_program.get(cid, UNKNOWN)

    def width(code: int) -> float:
        if cmap.codec and code < 0x80:
            return usual / 2
        return by_cid.get(code if cmap.codec else cmap.cid(code) or code, usual)

    font.texts, font.widths = _ByCode(text), _ByCode(width)
    font.is_fixed_pitch = font.is_fixed_pitch or fontfiles.is_fixed_pitch(list(by_cid.values()))
    return font


def _texts_of_program(
    file: PdfFile, descendant: dict[str, Any], descriptor: dict[str, Any], has_map: bool
) -> dict[int, str]:
    """Return texts by CID from the font program; if neither it nor a ToUnicode map has any, by the order of glyphs."""
    stream = file.resolve(descriptor.get("FontFile2")) or file.resolve(descriptor.get("FontFile3"))
    try:
        data = file.decode(stream) if type(stream) is Stream else b""
        glyphs = _glyphs_by_cid(file, descendant)
    except PdfError:
        return {}
    by_glyph = fontfiles.truetype_texts(data)
    if by_glyph or has_map:
        if glyphs is None:
            return by_glyph
        return {cid: by_glyph[glyph] for cid, glyph in glyphs.items() if glyph in by_glyph}
    if glyphs is None:
        is_usual = _is_in_usual_order(descriptor, data)
    elif 32 in glyphs and _SPACE_GLYPH not in glyphs:  # a CID is the code point of its character
        return {cid: chr(cid) for cid in glyphs if not 0xD800 <= cid <= 0xDFFF}
    else:
        is_usual = 2 * sum(cid < len(encodings.MACINTOSH_ORDER) for cid in glyphs) > len(glyphs)
    is_truetype = file.resolve(descendant.get("Subtype")) == "CIDFontType2"
    return dict(enumerate(encodings.MACINTOSH_ORDER)) if is_truetype and is_usual else {}


def _glyphs_by_cid(file: PdfFile, descendant: dict[str, Any]) -> dict[int, int] | None:
    """Return the glyph of each CID by CIDToGIDMap (table 117); None if a CID is the number of its glyph."""
    mapping = file.resolve(descendant.get("CIDToGIDMap"))
    if type(mapping) is not Stream:
        return None
    table = file.decode(mapping)[:131072]
    pairs = ((index // 2, table[index] << 8 | table[index + 1]) for index in range(0, len(table) - 1, 2))
    return {cid: glyph for cid, glyph in pairs if glyph}


def _is_in_usual_order(descriptor: dict[str, Any], data: bytes) -> bool:
    """Return whether glyphs are numbered as in most TrueType fonts: not in newer families or renumbered subsets."""
    if data:
        return fontfiles.count_of_glyphs(data) >= len(encodings.MACINTOSH_ORDER) - _MAX_MISSING_GLYPHS
    name = str(descriptor.get("FontName", "")).lower()
    return not any(family in name for family in _OTHER_ORDERS)
