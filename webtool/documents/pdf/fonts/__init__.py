"""Fonts: from the bytes of a string to text and width. In: a font dictionary. Out: a Font.

For each code the ToUnicode map wins, then Differences and the named encoding, then what the font program says.
Specification: ISO 32000-1 sections 9.6 to 9.10.
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.documents.pdf.fonts import cmaps, collections, encodings, fontfiles, glyphs, widths
from webtool.documents.pdf.objects import Name, PdfError, Stream
from webtool.documents.pdf.objects.file import PdfFile
from webtool.lean.typing import Any

_BOLD = ("bold", "black", "heavy", "demi", "cmbx", "cmssbx")
_FORCE_BOLD = 1 << 18  # table 123
_NONSYMBOLIC = 1 << 5
_FIXED_PITCH = 1
UNKNOWN = "\ufffd"  # a glyph that nothing in the file gives a text
_USUAL_SPACE = 3  # the glyph of a space in most TrueType fonts
_FEW_MISSING = 60  # glyphs at the end, which a font that was cut down may lack
_OTHER_ORDERS = frozenset(
    ("calibri", "cambria", "candara", "consolas", "constantia", "corbel", "segoe", "aptos", "symbol", "dings")
)
_UNWANTED = ("\0", "\ufffd", "")
_STOPS = frozenset(b",.")  # where text fonts of TeX have them, and those of formulas do not


class Font:
    """One font. `measure` is all that showing text needs."""

    def __init__(self, name: str, flags: int = 0, weight: float = 400) -> None:
        plain = name.lower()
        self.name = name
        self.is_bold = any(word in plain for word in _BOLD) or bool(flags & _FORCE_BOLD) or weight >= 600
        self.is_fixed_pitch = bool(flags & _FIXED_PITCH) or "courier" in plain or "mono" in plain
        self.is_vertical = False
        self.scale = 0.001  # of one unit of width in text space; Type 3 fonts have their own
        self.texts: Any = [""] * 256
        self.widths: Any = [500.0] * 256
        self.cmap: cmaps.CMap | None = None

    def measure(self, data: bytes) -> tuple[str, float, int, int]:
        """Text, width in units of the font size, number of characters, number of single-byte spaces."""
        if self.cmap is None:
            width = sum(map(self.widths.__getitem__, data))
            return "".join(map(self.texts.__getitem__, data)), width * self.scale, len(data), data.count(b" ")
        codes = self.cmap.split(data)
        width = sum(map(self.widths.__getitem__, codes))
        spaces = codes.count(32) if not self.cmap.is_two_byte else 0
        return "".join(map(self.texts.__getitem__, codes)), width * self.scale, len(codes), spaces


class _ByCode(dict):  # type: ignore[type-arg]
    """Texts or widths of a composite font by code, worked out on first use."""

    def __init__(self, find: Callable[[int], Any]) -> None:
        self._find = find

    def __missing__(self, code: int) -> Any:
        self[code] = found = self._find(code)
        return found


def load(file: PdfFile, attrs: dict[str, Any]) -> Font:
    """The font of a font dictionary; a damaged one gives what can be read of it."""
    kind = file.resolve(attrs.get("Subtype"))
    if kind == "Type0":
        return _composite(file, attrs)
    descriptor = file.dict_of(attrs.get("FontDescriptor"))
    font = _named(file, attrs, descriptor)
    font.texts = _simple_texts(file, attrs, descriptor, font.name)
    listed, is_fixed_pitch = widths.simple_widths(file, attrs, descriptor)
    font.widths = listed or widths.standard_widths(font.name, font.is_bold, font.is_fixed_pitch)
    font.is_fixed_pitch = font.is_fixed_pitch or is_fixed_pitch
    if kind == "Type3":
        matrix = file.numbers_of(attrs.get("FontMatrix"))
        font.scale = abs(matrix[0]) if len(matrix) == 6 and matrix[0] else 0.001
    return font


def _named(file: PdfFile, attrs: dict[str, Any], descriptor: dict[str, Any]) -> Font:
    name = str(file.resolve(attrs.get("BaseFont")) or file.resolve(descriptor.get("FontName")) or "")
    flags = file.resolve(descriptor.get("Flags"))
    weight = file.resolve(descriptor.get("FontWeight"))
    weight = weight if type(weight) in (int, float) else 400
    return Font(name.rpartition("+")[2], flags if type(flags) is int else 0, weight)


def _to_unicode(file: PdfFile, attrs: dict[str, Any]) -> cmaps.CMap | None:
    value = file.resolve(attrs.get("ToUnicode"))
    if type(value) is Stream:
        return _read_cmap(file, value)
    return cmaps.UNICODE if type(value) is Name and value.startswith("Identity") else None


def _read_cmap(file: PdfFile, stream: Stream) -> cmaps.CMap | None:
    """A CMap, which fonts may share; None where it cannot be read, or other fonts' tables leave no room for it."""
    if id(stream) not in file.cmaps:
        room = file.take_entries(cmaps.MAX_ENTRIES)
        try:
            made = cmaps.read(file.decode(stream), room) if room else None
        except PdfError:
            made = None
        file.take_entries(-room + (made.entries if made else 0))
        file.cmaps[id(stream)] = made, stream  # kept, so that no other gets its id
    found: cmaps.CMap | None = file.cmaps[id(stream)][0]
    return found


def _simple_texts(file: PdfFile, attrs: dict[str, Any], descriptor: dict[str, Any], name: str) -> list[str]:
    encoding = file.resolve(attrs.get("Encoding"))
    texts = _base_encoding(file, encoding, attrs, descriptor, name)
    if type(encoding) is dict:
        _apply_differences(file, encoding, texts, "Dingbats" in name)
    to_unicode = _to_unicode(file, attrs)
    if to_unicode:
        for code in range(256):
            text = to_unicode.text(code)
            if text is not None and text not in _UNWANTED:
                texts[code] = text
    return texts


def _base_encoding(
    file: PdfFile, encoding: Any, attrs: dict[str, Any], descriptor: dict[str, Any], name: str
) -> list[str]:
    """The named encoding, else the font's own, else the standard one (section 9.6.6, table 114)."""
    base = file.resolve(encoding.get("BaseEncoding")) if type(encoding) is dict else encoding
    if type(base) is Name and base in encodings.BASE_ENCODINGS:
        return list(encodings.BASE_ENCODINGS[base])
    if name.startswith("Symbol"):
        return list(encodings.SYMBOL)
    if "Dingbats" in name:
        return list(encodings.DINGBATS)
    flags = file.resolve(descriptor.get("Flags"))
    is_plain = type(flags) is int and flags & _NONSYMBOLIC  # which has the standard encoding, where none is named
    is_truetype = file.resolve(attrs.get("Subtype")) == "TrueType"
    texts = list(encodings.WIN_ANSI if is_truetype and not is_plain else encodings.STANDARD)
    for code, text in _built_in(file, descriptor).items():
        if text and 0 <= code < 256:
            texts[code] = text
    return texts


def _built_in(file: PdfFile, descriptor: dict[str, Any]) -> dict[int, str]:
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
    code = 0
    numbered: list[int] = []
    for item in file.list_of(encoding.get("Differences")):
        item = file.resolve(item)
        if type(item) is int:
            code = item
        elif type(item) is Name:
            if 0 <= code < 256:
                # TeX's bitmap fonts name their glyphs by the codes, as Zapf's Dingbats do by other numbers.
                is_number = item[:1] == "a" and item[1:].isdecimal() and not is_dingbats
                text = "" if is_number else glyphs.text_of(item)
                numbered.extend([code] * is_number)
                # Names such as g37 say nothing: what the base encoding has is the better guess. A space shows nothing,
                # whatever its name is.
                texts[code] = text or ("" if item == ".notdef" and code != 32 else texts[code])
            code += 1
    if not _STOPS.isdisjoint(numbered):
        is_cork = max(numbered) > 0x7F or not any(map(encodings.OT1.__getitem__, numbered))
        table = encodings.CORK if is_cork else encodings.OT1
        texts[:] = [table[code] or text if code in numbered else text for code, text in enumerate(texts)]


def _composite(file: PdfFile, attrs: dict[str, Any]) -> Font:
    descendants = file.list_of(attrs.get("DescendantFonts"))
    descendant = file.dict_of(descendants[0]) if descendants else {}
    descriptor = file.dict_of(descendant.get("FontDescriptor"))
    font = _named(file, attrs, descriptor)
    encoding = file.resolve(attrs.get("Encoding"))
    cmap = cmaps.predefined(encoding if type(encoding) is Name else Name("Identity-H"))
    if type(encoding) is Stream:
        cmap = _read_cmap(file, encoding) or cmap
    to_unicode = _to_unicode(file, attrs)
    default = file.resolve(descendant.get("DW"))
    font.cmap = cmap
    font.is_vertical = cmap.is_vertical
    collection = file.text_of(file.dict_of(descendant.get("CIDSystemInfo")).get("Ordering"))
    usual = float(default) if type(default) is int else 1000.0
    by_cid = widths.cid_widths(file, descendant)
    by_glyph: list[dict[int, str]] = []  # read for the first code that nothing else gives a text

    def text(code: int) -> str:
        found = to_unicode.text(code) if to_unicode else None
        if found is not None and found not in _UNWANTED:
            return found
        if cmap.codec:
            return cmaps.text_by_codec(code, cmap.codec)
        cid = cmap.cid(code) or code
        found = collections.text(collection, cid)
        if not found and not by_glyph:
            # Some producers write a frame with nothing in it.
            is_silent = to_unicode is None or not (to_unicode.texts.single or to_unicode.texts.ranges)
            made = _texts_of_program(file, descendant, descriptor, is_silent)
            by_glyph.append(made if file.take_entries(len(made)) == len(made) else {})
        return found or by_glyph[0].get(cid, UNKNOWN)

    def width(code: int) -> float:
        if cmap.codec and code < 0x80:
            return usual / 2
        return by_cid.get(code if cmap.codec else cmap.cid(code) or code, usual)

    font.texts, font.widths = _ByCode(text), _ByCode(width)
    font.is_fixed_pitch = font.is_fixed_pitch or widths.is_fixed_pitch(list(by_cid.values()))
    return font


def _texts_of_program(
    file: PdfFile, descendant: dict[str, Any], descriptor: dict[str, Any], is_silent: bool
) -> dict[int, str]:
    """What the font program says; where all are silent, the order that glyphs usually have."""
    stream = file.resolve(descriptor.get("FontFile2")) or file.resolve(descriptor.get("FontFile3"))
    is_truetype = file.resolve(descendant.get("Subtype")) == "CIDFontType2"
    try:
        data = file.decode(stream) if type(stream) is Stream else b""
        by_glyph = fontfiles.truetype_texts(data)
        mapping = file.resolve(descendant.get("CIDToGIDMap"))
        if type(mapping) is Stream:
            table = file.decode(mapping)[:131072]
            pairs = ((at // 2, table[at] << 8 | table[at + 1]) for at in range(0, len(table) - 1, 2))
            by_cid = {cid: glyph for cid, glyph in pairs if glyph}
            if by_glyph or not is_silent:
                return {cid: by_glyph[glyph] for cid, glyph in by_cid.items() if glyph in by_glyph}
            if _USUAL_SPACE not in by_cid and 32 in by_cid:  # the CIDs are Unicode: that is what the map is for
                return {cid: chr(cid) for cid in by_cid if not 0xD800 <= cid <= 0xDFFF}
            is_usual = 2 * sum(cid < len(glyphs.MACINTOSH_ORDER) for cid in by_cid) > len(by_cid)
        else:
            is_usual = _is_in_usual_order(descriptor, data)
        if not by_glyph and is_silent and is_truetype and is_usual:
            return dict(enumerate(glyphs.MACINTOSH_ORDER))
    except PdfError:
        return {}
    return by_glyph


def _is_in_usual_order(descriptor: dict[str, Any], data: bytes) -> bool:
    """Whether a TrueType font's glyphs are numbered as in most: not in newer families, nor in renumbered subsets."""
    if data:
        return fontfiles.count_of_glyphs(data) >= len(glyphs.MACINTOSH_ORDER) - _FEW_MISSING
    name = str(descriptor.get("FontName", "")).lower()
    return not any(family in name for family in _OTHER_ORDERS)
