"""Character maps of composite fonts and ToUnicode. In: a CMap stream's bytes or a predefined CMap's name. Out: a CMap.

Ranges stay ranges: a hostile file may map four thousand million codes in one line. Predefined CMaps whose codes are
Unicode or a national charset need no table, because Python has codecs for those.
Specification: ISO 32000-1 sections 9.7.5 and 9.10.3; Adobe Technical Note 5014 for the operators.
"""

from __future__ import annotations

from bisect import bisect_right
from unicodedata import bidirectional

from webtool.documents.pdf.objects import END, Keyword, Name, PdfError, read_object
from webtool.lean.typing import Any

MAX_ENTRIES = 200_000
_MAX_TEXT = 64  # bytes of UTF-16 that one code may stand for
_NESTED = 300  # ranges that begin inside of others: at most this many are looked at for one code

# Codecs of the predefined CMaps, by how their names begin (ISO 32000-1 table 118).
_CODECS = {
    "90ms-RKSJ-": "cp932", "90pv-RKSJ-": "cp932", "83pv-RKSJ-": "cp932", "Add-RKSJ-": "cp932", "Ext-RKSJ-": "cp932",
    "GBK2K-": "gb18030", "GBKp-EUC-": "gbk", "GBK-EUC-": "gbk", "GBpc-EUC-": "gbk", "GB-EUC-": "gb2312",
    "HKscs-B5-": "big5hkscs", "ETenms-B5-": "cp950", "ETen-B5-": "cp950", "B5pc-": "cp950",
    "KSCms-UHC-": "cp949", "KSCpc-EUC-": "cp949", "KSC-EUC-": "euc_kr", "EUC-": "euc_jp",
}  # fmt: skip
_UNICODE_CODECS = {"-UCS2-": "utf-16-be", "-UTF16-": "utf-16-be", "-UTF32-": "utf-32-be"}


class _Targets:
    """What codes stand for: some one by one, others in ranges, which may lie in each other."""

    def __init__(self) -> None:
        self.single: dict[int, Any] = {}
        self.ranges: list[tuple[int, int, Any]] = []
        self._starts: list[int] = []

    def sort(self) -> None:
        """Make the ranges searchable; done once, after reading."""
        self.ranges.sort(key=lambda entry: entry[0])
        self._starts = [entry[0] for entry in self.ranges]

    def find(self, code: int) -> tuple[Any, int]:
        """What a code, or the first of its range, stands for, and how far behind that it is; None where none does.

        Of ranges around a code the one that begins last counts.
        """
        if code in self.single:
            return self.single[code], 0
        start = bisect_right(self._starts, code) - 1
        found = (
            self.ranges[position]
            for position in range(start, max(-1, start - _NESTED), -1)
            if code <= self.ranges[position][1]
        )
        return next(((target, code - first) for first, _, target in found), (None, 0))


class CMap:
    """Codes to texts (ToUnicode) or to CIDs. `codec` is set for predefined CMaps, whose codes are text already."""

    def __init__(self) -> None:
        self.texts = _Targets()
        self.cids = _Targets()
        self.codec = ""
        self.entries = 0
        self.is_vertical = False
        self._codespaces: list[tuple[int, int, int]] = []

    @property
    def is_two_byte(self) -> bool:
        """Whether all codes are two bytes long, as nearly always."""
        return all(length == 2 for length, _, _ in self._codespaces) and self.codec in ("", "utf-16-be")

    def text(self, code: int) -> str | None:
        """The text of a code; None where the map does not have it."""
        text, step = self.texts.find(code)
        last = ord(text[-1]) + step if text else 0
        if not last or last > 0x10FFFF or 0xD800 <= last <= 0xDFFF:
            return None
        return f"{text[:-1]}{chr(last)}"

    def cid(self, code: int) -> int:
        """The CID of a code; 0, the undefined character, where the map does not have it."""
        cid, step = self.cids.find(code)
        return 0 if cid is None else cid + step

    def split(self, data: bytes) -> list[int]:
        """The codes in a string, by the codespace ranges; two bytes each where there are none."""
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
        shortest = min(length for length, _, _ in self._codespaces)
        for length in range(1, 5):
            code = int.from_bytes(data[position : position + length], "big")
            for size, low, high in self._codespaces:
                if size == length and low <= code <= high:
                    return code, length
        return int.from_bytes(data[position : position + shortest], "big"), shortest

    def add(self, section: str, operands: list[Any]) -> None:
        """The operands between `begin<section>` and `end<section>`."""
        targets = self.cids if section.startswith("cid") else self.texts
        for entry in zip(*[iter(operands)] * (3 if section in ("bfrange", "cidrange") else 2)):
            low, high, target = entry[0], entry[-2], entry[-1]
            if type(low) is not bytes or type(high) is not bytes:
                continue
            first, last = int.from_bytes(low, "big"), int.from_bytes(high, "big")
            if section == "codespacerange":
                if type(target) is bytes and 1 <= len(low) <= 4 and len(self._codespaces) < 100:
                    self._codespaces.append((len(low), first, int.from_bytes(target, "big")))
            elif type(target) is (int if targets is self.cids else bytes) and target != b"":
                found: Any = as_shown(_utf16(target)) if type(target) is bytes else target
                if len(entry) == 2:
                    targets.single[first] = found
                else:  # some producers map all codes to themselves, from 0, which is not a character to begin with
                    targets.ranges.append((first, last, "\0" if found == "" else found))
            elif type(target) is list and section == "bfrange":
                pairs = zip(range(first, last + 1), target)
                targets.single.update((code, as_shown(_utf16(text))) for code, text in pairs if type(text) is bytes)


def read(data: bytes, max_entries: int = MAX_ENTRIES) -> CMap:
    """The CMap in a stream, with at most `most` entries. What cannot be understood is passed over."""
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
    """The CMap of this name. Identity, and whatever is unknown, takes two-byte codes for CIDs."""
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
    """The text of one code of a predefined CMap."""
    try:
        if codec == "jis":  # two bytes of JIS X 0208: EUC-JP with the high bits off
            return (code | 0x8080).to_bytes(2, "big").decode("euc_jp")
        if codec.startswith("utf-16"):
            return code.to_bytes(4 if code > 0xFFFF else 2, "big").decode(codec)
        if codec.startswith("utf-32"):
            return chr(code)
        return code.to_bytes(max(1, (code.bit_length() + 7) // 8), "big").decode(codec)
    except (ValueError, OverflowError):
        return ""


def _split_by_codec(data: bytes, codec: str) -> list[int]:
    if codec == "jis" or codec.startswith("utf-32"):
        size = 2 if codec == "jis" else 4
        return [int.from_bytes(data[position : position + size], "big") for position in range(0, len(data), size)]
    codes = []
    for letter in data.decode(codec, "replace"):
        codes.append(int.from_bytes(letter.encode(codec, "replace"), "big"))
    return codes


def as_shown(text: str) -> str:
    """The letters of one glyph from left to right: a ligature of Arabic is written from its right."""
    return text[::-1] if len(text) > 1 and bidirectional(text[0]) in ("R", "AL") else text


def _utf16(data: bytes) -> str:
    if len(data) == 1:
        return chr(data[0])
    return data[:_MAX_TEXT].decode("utf-16-be", "replace").replace("\0", "")


# The map of fonts whose codes are Unicode already; their files name Identity-H where the map should be.
UNICODE = read(b"1 beginbfrange <0000> <FFFF> <0000> endbfrange")
