"""Translate CIDs of Adobe's Chinese, Japanese and Korean collections. In: a collection's name, a CID. Out: its text.

Fonts without a ToUnicode map may only name the collection of their CIDs. The collections number the characters of the
national standards in the order of their codes, with a few gaps. So a list of runs and Python's codecs replace tables of
20,000 entries. Characters outside of the standards are left to the font.
Specification: Adobe Technical Notes 5078 (Japan1), 5079 (GB1), 5080 (CNS1), 5093 (Korea1); ISO 32000-1 section 9.7.3.
Tests: tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

from bisect import bisect_right

# Runs: the first CID, the index of its character among the codes of the standard, the length of the run.
_RUNS = {
    "Japan1": (
        (633, 0, 108), (741, 119, 8), (749, 135, 7), (756, 153, 15), (771, 175, 8), (780, 203, 10), (790, 220, 26),
        (816, 252, 26), (842, 282, 83), (925, 376, 86), (1011, 470, 24), (1035, 502, 24), (1059, 564, 33),
        (1092, 612, 33), (1125, 1410, 2965), (4090, 4418, 3388),
    ),
    "GB1": (
        (96, 0, 94), (190, 110, 50), (240, 162, 10), (250, 174, 12), (262, 188, 177), (439, 376, 86), (525, 470, 24),
        (549, 502, 53), (602, 564, 33), (635, 612, 33), (668, 658, 32), (700, 694, 38), (738, 755, 76),
        (940, 1410, 3755), (4695, 5170, 3008),
    ),
    "Korea1": (
        (101, 0, 163), (264, 188, 145), (409, 334, 52), (461, 391, 10), (471, 408, 24), (495, 440, 24), (519, 470, 68),
        (587, 564, 79), (666, 658, 4), (671, 665, 8), (679, 674, 255), (934, 940, 86), (1020, 1034, 33),
        (1053, 1082, 33), (1086, 1410, 2350),
    ),
    "CNS1": (
        (99, 0, 25), (128, 29, 119), (249, 150, 254), (506, 5872, 30), (537, 5902, 25), (595, 471, 1412),
        (2007, 1884, 424), (2432, 2308, 1876), (4309, 4184, 387), (4696, 4572, 525), (5222, 5097, 189),
        (5411, 5287, 84), (5496, 5371, 54), (5552, 5427, 90), (5642, 5518, 354), (5996, 6280, 10), (6006, 6291, 33),
        (6040, 6324, 48), (6088, 6373, 46), (6135, 6419, 167), (6302, 6587, 1840), (8143, 8428, 108), (8251, 8537, 537),
        (8789, 9075, 100), (8890, 9175, 399), (9289, 9575, 1637), (10927, 11212, 146), (11074, 11358, 287),
        (11362, 11645, 116), (11478, 11762, 137), (11615, 11900, 104), (11720, 12004, 222), (11942, 12227, 198),
        (12140, 12426, 82), (12222, 12509, 86), (12309, 12595, 8), (12317, 12604, 153), (12470, 12758, 56),
        (12527, 12814, 113), (12641, 12927, 142), (12784, 13069, 45), (12829, 13115, 71), (12901, 13186, 194),
        (13095, 13381, 490), (13586, 13871, 43), (13630, 13917, 11), (13642, 13928, 4), (13743, 25, 4),
        (13747, 5927, 7), (13754, 5935, 302), (14056, 13932, 41),
    ),
}  # fmt: skip
# Characters in their forms for vertical lines: the first CID, the characters.
_VERTICAL = {
    "Japan1": (
        7887, "、。￣＿ー—‐～∥｜…‥（）〔〕［］｛｝〈〉《》「」『』【】＝ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ",
    ),
    "GB1": (573, "，。、：；！？（）〔〕〈〉《》「」『』〖〗【】｛｝—…＿"),
    "Korea1": (8056, "、。‥–—‖～〔〕〈〉《》「」『』【】〓！（），．：；＜＝＞？［］＿｛｜｝￣"),
}  # fmt: skip
_CODECS = {"Japan1": "euc_jp", "GB1": "gb2312", "Korea1": "euc_kr", "CNS1": "big5hkscs"}
_BIG5_ROW = 157  # 63 codes from 40, 94 from A1; the other standards have rows of 94
# Latin letters and kana of proportional or half width, outside of the standards: first CID, first code, length.
_LETTERS = {
    "Japan1": ((1, 0x20, 95), (231, 0x20, 95), (327, 0xFF61, 63)),
    "GB1": ((1, 0x20, 95), (814, 0x21, 94)),
    "Korea1": ((1, 0x20, 95), (8094, 0x20, 95)),
    "CNS1": ((1, 0x20, 95), (13648, 0x20, 95)),
}
_STARTS = {name: [run[0] for run in runs] for name, runs in _RUNS.items()}


def text(collection: str, cid: int) -> str:
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
    """Return the character with an index among the codes of a standard."""
    row, cell = divmod(place, _BIG5_ROW if collection == "CNS1" else 94)
    lead = 0xA1 + row
    trail = cell + 0xA1
    if collection == "CNS1":  # Big5
        trail = cell + (0x40 if cell < 63 else 0x62)
    try:
        return bytes((lead, trail)).decode(_CODECS[collection])
    except ValueError:
        return ""
