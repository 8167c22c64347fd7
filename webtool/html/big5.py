"""List the characters that the Encoding Standard's Big5 has and Python's codec lacks: Hong Kong's rows and a few more.

In: two bytes. Out: a character, or None. Source: the standard's index (section 12.1.1).

Tests: tests/html/test_encoding.py
"""

from __future__ import annotations

# First two bytes -> the characters of these and the following codes.
_EXTENSIONS = {
    0x877A: "㡵𡵓𣚞𦀡㻬𥣞㫵竼龗𤅡𨤍𣇪𠪊𣉞䌊蒄龖鐯䤰蘓墖靊鈘秐",
    0x87B4: "稲晠権袝瑌篅枂稬剏遆㓦珄𥶹瓆鿇垳䤯呌䄱𣚎堘穲𧭥讏", 0x87CC: "䚮𦺈䆁𥶙箮𢒼鿈𢓁𢓉𢓌鿉蔄𣖻䂴鿊䓡𪷿拁灮鿋",
    0x8E69: "箸", 0xA3E1: "€",
    0x8E6F: "簆", 0x8E7E: "糎", 0x8EAB: "緒", 0x8EB4: "縝", 0x8ECD: "者", 0x8ED0: "耨",
    0x8F57: "菁", 0x8F69: "蒨", 0x8F6E: "萏", 0x8FCB: "覦覩", 0x8FFE: "起", 0x906D: "都",
    0x907A: "銹", 0x90DC: "靜", 0x90F1: "響", 0x91BF: "鼖", 0x9244: "蔃", 0x92AF: "兙兛兝兞",
    0x92C8: "鍮", 0x92D1: "瑹", 0x9447: "浧", 0x94CA: "禛", 0x95D9: "邗", 0x9644: "靝",
    0x96ED: "瀞", 0x96FC: "嬨", 0x9B76: "爁", 0x9B78: "矗", 0x9B7B: "纇", 0x9BC6: "駖",
    0x9BDE: "釔", 0x9BEC: "惞", 0x9BF6: "澶", 0x9C42: "輶", 0x9C53: "侻", 0x9C62: "營",
    0x9C68: "鄄", 0x9C6B: "鷰", 0x9C77: "菏", 0x9CBC: "尐秣", 0x9CD0: "婧", 0x9D57: "輋",
    0x9D5A: "筑", 0x9DC4: "拐", 0x9EA9: "恢", 0x9EEF: "痹", 0x9EFD: "汊", 0x9F60: "鬮",
    0x9F66: "鼗", 0x9FCB: "僭", 0x9FD8: "弌", 0xA063: "蠏", 0xA077: "拎", 0xA0D5: "瑨",
    0xA0DF: "煢", 0xA0E4: "牐", 0xA3C0: "␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗",
    0xA3D8: "␘␙␚␛␜␝␞␟␡", 0xC6CF: "廴", 0xC6D3: "无", 0xC6D5: "癶", 0xC6D7: "隶", 0xC6DE: "〃仝",
    0xFA5F: "倩", 0xFA66: "偽", 0xFABD: "包", 0xFAC5: "卄", 0xFAD5: "卿", 0xFB48: "嘅",
    0xFBB8: "婷", 0xFBF3: "幵", 0xFBF9: "廐", 0xFC4F: "彘", 0xFC6C: "悤", 0xFCB9: "撐",
    0xFCE2: "晴", 0xFCF1: "杞", 0xFDB7: "沜渝", 0xFDBB: "港", 0xFDF1: "煮", 0xFE52: "猪",
    0xFE6F: "瑜", 0xFEAA: "瓩", 0xFEDD: "砉",
}  # fmt: skip

# Characters of Python's table -> those that the standard's index has for the same bytes.
OTHERS = {
    0x2022: 0x2027, 0xFF64: 0xFE51, 0x203E: 0xAF, 0x223C: 0xFF5E, 0x2641: 0x2295, 0x2609: 0x2299, 0xA5: 0xFFE5,
    0xA2: 0xFFE0, 0xA3: 0xFFE1,
}  # fmt: skip
_characters: dict[int, str] = {}  # pointer -> character; filled at the first call


def character(lead: int, trail: int) -> str | None:
    """Return the character of two bytes that Python's decoder refuses, or None."""
    if not _characters:
        for start, text in _EXTENSIONS.items():
            first = _pointer(start >> 8, start & 255)
            _characters.update({first + index: char for index, char in enumerate(text)})
    return _characters.get(_pointer(lead, trail))


def _pointer(lead: int, trail: int) -> int:
    """Return the index's pointer for two bytes (section 12.1.1), or -1 if the second byte is not valid."""
    if not 0x40 <= trail <= 0x7E and not 0xA1 <= trail <= 0xFE:
        return -1
    return (lead - 0x81) * 157 + trail - (0x40 if trail < 0x7F else 0x62)
