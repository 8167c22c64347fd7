"""Read character maps of composite fonts and ToUnicode maps; translate CIDs of Asian collections.

In: a stream's bytes, or a predefined name; a collection's name and a CID. Out: a CMap; a text.
A CMap divides strings into codes and maps each to a CID or a text. Ranges are stored as ranges, since one line of a
hostile file may map four billion codes. Predefined CMaps whose codes are Unicode or a national charset need no table:
Python has codecs for them.

Fonts without a ToUnicode map may only name the collection of their CIDs: Adobe's for Chinese, Japanese and Korean. The
collections number the characters of the national standards in the order of their codes, with a few gaps. So a list of
runs (collections.txt) and Python's codecs replace tables of 20,000 entries. Characters outside of the standards are
left to the font.
Specification: ISO 32000-1 sections 9.7.3, 9.7.5 and 9.10.3; Adobe Technical Notes 5014 for the operators, 5078
(Japan1), 5079 (GB1), 5080 (CNS1), 5093 (Korea1) for the collections.
Tests: tests/documents/pdf/test_glyphs.py, tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

from bisect import bisect_right
from unicodedata import bidirectional

from webtool.documents.pdf.objects import END, Keyword, Name, PdfError, read_object
from webtool.lean import datafiles
from webtool.lean.typing import Any

MAX_ENTRIES = 200_000  # of one map; the rest is ignored
_MAX_TEXT = 64  # bytes of UTF-16 for one code; the rest is cut
_MAX_NESTED = 300  # ranges that are searched for one code; only hostile files overlap more

# Codecs of the predefined CMaps, by the beginning of the CMap's name (ISO 32000-1 table 118).
_CODECS = {
    "90ms-RKSJ-": "cp932", "90pv-RKSJ-": "cp932", "83pv-RKSJ-": "cp932", "Add-RKSJ-": "cp932", "Ext-RKSJ-": "cp932",
    "GBK2K-": "gb18030", "GBKp-EUC-": "gbk", "GBK-EUC-": "gbk", "GBpc-EUC-": "gbk", "GB-EUC-": "gb2312",
    "HKscs-B5-": "big5hkscs", "ETenms-B5-": "cp950", "ETen-B5-": "cp950", "B5pc-": "cp950",
    "KSCms-UHC-": "cp949", "KSCpc-EUC-": "cp949", "KSC-EUC-": "euc_kr", "EUC-": "euc_jp",
}  # fmt: skip
_UNICODE_CODECS = {"-UCS2-": "utf-16-be", "-UTF16-": "utf-16-be", "-UTF32-": "utf-32-be"}


class _Targets:
    """The values of codes: for single codes, and for ranges, which may overlap."""

    def __init__(self) -> None:
        self.single: dict[int, Any] = {}
        self.ranges: list[tuple[int, int, Any]] = []  # first and last code, value of the first
        self._starts: list[int] = []

    def sort(self) -> None:
        """Sort the ranges for find(), after all are read."""
        self.ranges.sort(key=lambda entry: entry[0])
        self._starts = [entry[0] for entry in self.ranges]

    def find(self, code: int) -> tuple[Any, int]:
        """Return the value of a code or of its range's first code, and the distance; (None, 0) without one."""
        if code in self.single:
            return self.single[code], 0
        start = bisect_right(self._starts, code) - 1
        for index in range(start, max(-1, start - _MAX_NESTED), -1):
            first, last, value = self.ranges[index]
            if code <= last:
                return value, code - first
        return None, 0


class CMap:
    """A map from codes to texts (ToUnicode) or to CIDs. `codec` is set if the codes are text in a charset."""

    def __init__(self) -> None:
        self.texts = _Targets()
        self.cids = _Targets()
        self.codec = ""
        self.entries = 0
        self.is_vertical = False
        self._codespaces: list[tuple[int, int, int]] = []  # length in bytes, first and last code

    @property
    def is_two_byte(self) -> bool:
        """Whether all codes have two bytes, as in nearly all fonts."""
        return all(length == 2 for length, _, _ in self._codespaces) and self.codec in ("", "utf-16-be")

    def text(self, code: int) -> str | None:
        """Return the text of a code; None if the map does not have it."""
        text, step = self.texts.find(code)
        last = ord(text[-1]) + step if text else 0
        if not last or last > 0x10FFFF or 0xD800 <= last <= 0xDFFF:
            return None
        return f"{text[:-1]}{chr(last)}"

    def cid(self, code: int) -> int:
        """Return the CID of a code; 0, the undefined character, if the map does not have it."""
        cid, step = self.cids.find(code)
        return 0 if cid is None else cid + step

    def split(self, data: bytes) -> list[int]:
        """Return the codes in a string: by the codespace ranges, else two bytes each."""
        if self.codec and not self.is_two_byte:
            return _split_by_codec(data, self.codec)
        if self.is_two_byte:
            return [data[position] << 8 | data[position + 1] for position in range(0, len(data) - 1, 2)]
        codes = []
        position = 0
        while position < len(data):
            code, length = self._code_at(data, position)
            codes.append(code)
            position += length
        return codes

    def _code_at(self, data: bytes, position: int) -> tuple[int, int]:
        """Return the code at a position and its length; in no range, that of the shortest range."""
        shortest = min(length for length, _, _ in self._codespaces)
        for length in range(1, 5):
            code = int.from_bytes(data[position : position + length], "big")
            for size, low, high in self._codespaces:
                if size == length and low <= code <= high:
                    return code, length
        return int.from_bytes(data[position : position + shortest], "big"), shortest

    def add(self, section: str, operands: list[Any]) -> None:
        """Add the operands between `begin<section>` and `end<section>`; malformed entries are skipped."""
        targets = self.cids if section.startswith("cid") else self.texts
        size = 3 if section in ("bfrange", "cidrange") else 2
        for entry in zip(*[iter(operands)] * size):  # (first code, last code, target) or (code, target)
            low, high, target = entry[0], entry[-2], entry[-1]
            if type(low) is not bytes or type(high) is not bytes:
                continue
            first, last = int.from_bytes(low, "big"), int.from_bytes(high, "big")
            if section == "codespacerange":
                if type(target) is bytes and 1 <= len(low) <= 4 and len(self._codespaces) < 100:
                    self._codespaces.append((len(low), first, int.from_bytes(target, "big")))
            elif target != b"" and type(target) is (int if targets is self.cids else bytes):
                value: Any = as_shown(_utf16(target)) if type(target) is bytes else target
                if size == 2:
                    targets.single[first] = value
                else:  # some producers map all codes to themselves, starting with 0, whose text is empty
                    targets.ranges.append((first, last, "\0" if value == "" else value))
            elif type(target) is list and section == "bfrange":
                pairs = zip(range(first, last + 1), target)
                targets.single.update((code, as_shown(_utf16(text))) for code, text in pairs if type(text) is bytes)


def read(data: bytes, max_entries: int = MAX_ENTRIES) -> CMap:
    """Read a CMap of at most `max_entries` entries; unknown operators are skipped."""
    cmap = CMap()
    operands: list[Any] = []
    section = ""
    position = entries = 0
    while True:
        try:
            value, position = read_object(data, position)
        except PdfError:
            break
        if value is END or entries > max_entries:
            break
        if type(value) is not Keyword:
            operands.append(value)
            entries += len(value) if type(value) is list else 1
            continue
        word = value.decode("latin-1")
        if word.startswith("begin"):
            section = word[5:]
        elif word.startswith("end") and word[3:] == section:
            cmap.add(section, operands)
        elif word == "def" and len(operands) >= 2 and operands[-2] == "WMode":
            cmap.is_vertical = operands[-1] == 1
        operands = []
    cmap.texts.sort()
    cmap.cids.sort()
    cmap.entries = entries
    return cmap


def predefined(name: Name) -> CMap:
    """Return the predefined CMap of a name. For Identity and unknown names, two-byte codes are CIDs."""
    cmap = CMap()
    cmap.is_vertical = name.endswith("-V") or name == "V"
    if name in ("H", "V"):
        cmap.codec = "jis"
    elif name.startswith("Uni"):
        cmap.codec = next((codec for part, codec in _UNICODE_CODECS.items() if part in name), "")
    else:
        cmap.codec = next((codec for start, codec in _CODECS.items() if name.startswith(start)), "")
    return cmap


def text_by_codec(code: int, codec: str) -> str:
    """Return the text of a code in a charset; "" if it is invalid, such as half of a surrogate pair."""
    try:
        if codec == "jis":  # two bytes of JIS X 0208: EUC-JP with the high bits off
            return (code | 0x8080).to_bytes(2, "big").decode("euc_jp")
        if codec.startswith("utf-16"):
            return code.to_bytes(4 if code > 0xFFFF else 2, "big").decode(codec)
        if codec.startswith("utf-32"):
            return code.to_bytes(4, "big").decode(codec)
        return code.to_bytes(max(1, (code.bit_length() + 7) // 8), "big").decode(codec)
    except (ValueError, OverflowError):
        return ""


def _split_by_codec(data: bytes, codec: str) -> list[int]:
    """Return the codes in a string of a charset."""
    if codec == "jis" or codec.startswith("utf-32"):
        size = 2 if codec == "jis" else 4
        return [int.from_bytes(data[position : position + size], "big") for position in range(0, len(data), size)]
    codes = []
    for letter in data.decode(codec, "replace"):
        codes.append(int.from_bytes(letter.encode(codec, "replace"), "big"))
    return codes


def as_shown(text: str) -> str:
    """Return the letters of one glyph from left to right; an Arabic ligature is mapped to letters in reading order."""
    return text[::-1] if len(text) > 1 and bidirectional(text[0]) in ("R", "AL") else text


def _utf16(data: bytes) -> str:
    if len(data) == 1:
        return chr(data[0])
    return data[:_MAX_TEXT].decode("utf-16-be", "replace").replace("\0", "")


# For fonts whose codes are Unicode: their ToUnicode is a name, Identity-H, instead of a map.
UNICODE = read(b"1 beginbfrange <0000> <FFFF> <0000> endbfrange")


# Collections

# Runs of CIDs by collection: first CID, place of its character among the codes of the national standard, length.
_RUNS: dict[str, list[tuple[int, ...]]] = {}
for _line in datafiles.read(__name__, "collections.txt").decode("ascii").splitlines():
    _name, *_runs = _line.split()
    _RUNS.setdefault(_name, []).extend(tuple(map(int, run.split(","))) for run in _runs)
# Characters in their forms for vertical lines: the first CID, the characters.
_VERTICAL = {
    "Japan1": (
        7887, "、。￣＿ー—‐～∥｜…‥（）〔〕［］｛｝〈〉《》「」『』【】＝ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ",
    ),
    "GB1": (573, "，。、：；！？（）〔〕〈〉《》「」『』〖〗【】｛｝—…＿"),
    "Korea1": (8056, "、。‥–—‖～〔〕〈〉《》「」『』【】〓！（），．：；＜＝＞？［］＿｛｜｝￣"),
}  # fmt: skip
_COLLECTION_CODECS = {"Japan1": "euc_jp", "GB1": "gb2312", "Korea1": "euc_kr", "CNS1": "big5hkscs"}
_BIG5_ROW = 157  # codes in a row: 63 from 0x40, 94 from 0xA1; the other standards have 94 from 0xA1
# Latin letters and kana of proportional or half width, outside of the standards: first CID, first code, length.
_LETTERS = {
    "Japan1": ((1, 0x20, 95), (231, 0x20, 95), (327, 0xFF61, 63)),
    "GB1": ((1, 0x20, 95), (814, 0x21, 94)),
    "Korea1": ((1, 0x20, 95), (8094, 0x20, 95)),
    "CNS1": ((1, 0x20, 95), (13648, 0x20, 95)),
}
_STARTS = {name: [run[0] for run in runs] for name, runs in _RUNS.items()}


def text_of_cid(collection: str, cid: int) -> str:
    """Return the character of a CID; "" if it is not in the national standard, or for another collection."""
    for first, code, count in _LETTERS.get(collection, ()):
        if first <= cid < first + count:
            return chr(code + cid - first)
    start, letters = _VERTICAL.get(collection, (0, ""))
    if start <= cid < start + len(letters):
        return letters[cid - start]
    index = bisect_right(_STARTS.get(collection, ()), cid) - 1
    if index < 0:
        return ""
    first, place, count = _RUNS[collection][index]
    return _by_place(collection, place + cid - first) if cid < first + count else ""


def _by_place(collection: str, place: int) -> str:
    """Return the character at a place among the codes of a national standard: 0 is the first code."""
    row, cell = divmod(place, _BIG5_ROW if collection == "CNS1" else 94)
    lead = 0xA1 + row
    trail = cell + 0xA1
    if collection == "CNS1":  # Big5
        trail = cell + (0x40 if cell < 63 else 0x62)
    try:
        return bytes((lead, trail)).decode(_COLLECTION_CODECS[collection])
    except ValueError:
        return ""
