"""The encodings of simple fonts and of text strings, and the texts of glyph names.

In: bytes of a text string; a name from a font's Differences, charset or built-in encoding. Out: text, "" if unknown.
An encoding is a list of 256 texts by code, "" for an undefined code. Glyph names are parsed by the Adobe Glyph List
Specification (section 2): "f_i" has two parts, "A.sc" a suffix, "uni0041" a code. Most of the list itself follows
rules: a letter with the name of its accent ("eacute"), a Greek letter, a number for a Cyrillic one ("afii10017").
glyph_names.txt has the rest.
Specification: ISO 32000-1 annex D (Standard, MacRoman, WinAnsi, PDFDoc, Symbol, ZapfDingbats).
Tests: tests/documents/pdf/test_glyphs.py
"""

from __future__ import annotations

import unicodedata

from webtool.lean import datafiles, patterns

_ASCII = "".join(map(chr, range(0x20, 0x7F)))


def _table(**runs: str) -> list[str]:
    """Return texts by code from runs of characters: x41="AB" gives 0x41 the text "A". U+0000 is left out."""
    table = [""] * 256
    for name, letters in runs.items():
        for code, letter in enumerate(letters, int(name[1:], 16)):
            table[code] = "" if letter == "\0" else letter
    return table


STANDARD = _table(
    x20=_ASCII.replace("'", "’").replace("`", "‘"),
    xA1="¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ\0–†‡·\0¶•‚„”»…‰\0¿",
    xC1="`´ˆ˜¯˘˙¨\0˚¸\0˝˛ˇ—",
    xE1="Æ\0ª\0\0\0\0ŁØŒº",
    xF1="æ\0\0\0ı\0\0łøœß",
)
# Annex D.2, note 3: unused WinAnsi codes are bullets; A0 and AD are a space and a hyphen.
WIN_ANSI = _table(x20=_ASCII + "•" + bytes(range(0x80, 0x100)).decode("cp1252", "replace").replace("\ufffd", "•"))
WIN_ANSI[0xA0] = " "
WIN_ANSI[0xAD] = "-"
MAC_ROMAN = _table(x20=_ASCII, x80=bytes(range(0x80, 0x100)).decode("mac_roman"))
MAC_ROMAN[0xCA] = " "
PDF_DOC = _table(
    x09="\t\n",
    x0D="\r",
    x18="˘ˇˆ˙˝˛˚˜" + _ASCII,
    x80="•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\0€" + "".join(map(chr, range(0xA1, 0x100))),
)
PDF_DOC[0xAD] = ""
SYMBOL = _table(
    x20=" !∀#∃%&∋()∗+,−./0123456789:;<=>?",
    x40="≅ΑΒΧ∆ΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
    x61="αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    xA0="€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵",
    xC0="ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓",
    xE0="◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
)

# Encodings of TeX's text fonts: the ligatures of the older one (OT1), and the Cork encoding (T1).
OT1 = _table(x0B="ﬀﬁﬂﬃﬄ")
CORK = _table(
    x0D="‚‹›“”„«»–—",
    x19="ı\0ﬀﬁﬂﬃﬄ",
    x20=_ASCII.replace("'", "’").replace("`", "‘") + "-",
    x80="ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£",
    xC0="".join(map(chr, range(0xC0, 0xD7))) + "Œ" + "".join(map(chr, range(0xD8, 0xDF))) + "ẞ",
    xE0="".join(map(chr, range(0xE0, 0xF7))) + "œ" + "".join(map(chr, range(0xF8, 0xFF))) + "ß",
)


DINGBATS = _table(
    x20=" " + "".join(map(chr, range(0x2701, 0x275F))),
    xA1="".join(map(chr, range(0x2761, 0x2768))) + "♣♦♥♠" + "".join(map(chr, range(0x2460, 0x246A))),
    xB6="".join(map(chr, range(0x2776, 0x2795))) + "→↔↕" + "".join(map(chr, range(0x2798, 0x27BF))),
)
for _code, _sign in zip(b"%*+Hlnstuw", "☎☛☞★●■▲▼◆◗"):  # which Unicode has in other blocks
    DINGBATS[_code] = _sign

BASE_ENCODINGS = {
    "StandardEncoding": STANDARD,
    "WinAnsiEncoding": WIN_ANSI,
    "MacRomanEncoding": MAC_ROMAN,
    "PDFDocEncoding": PDF_DOC,
}


def text_string(data: bytes) -> str:
    """Decode a text string (section 7.9.2.2): UTF-16 or UTF-8 by its byte order mark, else PDFDocEncoding."""
    if data.startswith(b"\xfe\xff"):
        text = data[2:].decode("utf-16-be", "replace")
    elif data.startswith(b"\xff\xfe"):
        text = data[2:].decode("utf-16-le", "replace")
    elif data.startswith(b"\xef\xbb\xbf"):
        text = data[3:].decode("utf-8", "replace")
    else:
        text = "".join([PDF_DOC[code] for code in data])
    # Note 2: the name of a language may be between two escape characters.
    return "".join(text.split("\x1b")[::2]).replace("\0", "").strip()


# Glyph names

_ACCENTS = {
    "acute": "\u0301", "grave": "\u0300", "circumflex": "\u0302", "dieresis": "\u0308", "tilde": "\u0303",
    "ring": "\u030a", "caron": "\u030c", "cedilla": "\u0327", "ogonek": "\u0328", "macron": "\u0304",
    "breve": "\u0306", "dotaccent": "\u0307", "dot": "\u0307", "hungarumlaut": "\u030b", "dblacute": "\u030b",
    "commaaccent": "\u0327", "dotbelow": "\u0323", "hookabove": "\u0309", "tonos": "\u0301", "horn": "\u031b",
}  # fmt: skip
_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lamda mu nu xi omicron pi rho sigma tau upsilon phi chi"
    " psi omega"
)
# First number of a run of afii names, its length, its first code point: Cyrillic and Hebrew.
_AFII_RUNS = (
    (10017, 6, 0x410), (10024, 26, 0x416), (10065, 6, 0x430), (10072, 26, 0x436), (10051, 11, 0x402),
    (10099, 11, 0x452), (57664, 27, 0x5D0),
)  # fmt: skip

_UNI = patterns.compile(r"uni((?:[0-9A-F]{4})+)\Z")
_U = patterns.compile(r"u([0-9A-F]{4,6})\Z")
_ACCENT = "|".join(sorted(_ACCENTS, key=len, reverse=True))
_ACCENTED = patterns.compile(rf"([A-Za-z]|[A-Z]?[a-z]{{2,7}}?)({_ACCENT})({_ACCENT})?\Z")  # "acircumflexgrave"
_SUFFIXED = patterns.compile(r"([A-Za-z]+?)(?:oldstyle|small|superior|inferior|sc|taboldstyle)\Z")


def _known() -> dict[str, str]:
    """Return all names that are not parsed: letters, Greek, Cyrillic, Hebrew and those of glyph_names.txt."""
    entries = datafiles.read(__name__, "glyph_names.txt").decode("utf-8").split()  # "exclam=!", "acutecomb=U+0301"
    table = dict(entry.split("=", 1) for entry in entries)
    table.update({name: chr(int(text[2:], 16)) for name, text in table.items() if text[:2] == "U+"})
    table.update(dict.fromkeys(("space", "nonbreakingspace", "nbspace", "controlSTX", "spacehackarabic"), " "))
    table.update((letter, letter) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    for name in _GREEK.split():
        short = "lambda" if name == "lamda" else name
        table.setdefault(short, unicodedata.lookup(f"GREEK SMALL LETTER {name}"))
        table.setdefault(short.capitalize(), unicodedata.lookup(f"GREEK CAPITAL LETTER {name}"))
    for first, length, code in _AFII_RUNS:
        for step in range(length):
            table[f"afii{first + step}"] = chr(code + step)
    return table


NAMES = _known()

# Texts by glyph of most TrueType fonts (OpenType `post`: standard Macintosh order); the first three show nothing.
MACINTOSH_ORDER = ["", "", " ", *bytes((*range(0x20, 0x7F), *range(0x80, 0x100))).decode("mac_roman")]
MACINTOSH_ORDER += "ŁłŠšŽž¦ÐðÝýÞþ−×¹²³½¼¾₣ĞğİŞşĆćČčđ"


def text_of_glyph(name: str) -> str:
    """Return the text of a glyph name: "eacute" -> "é", "f_i.alt" -> "fi"; "" for an unknown name."""
    text = NAMES.get(name)
    if text is not None:
        return text
    base = name.partition(".")[0]
    if not base:
        return ""
    return "".join([_component(part) for part in base.split("_")[:20]])


def _component(name: str) -> str:
    """Return the text of one part of a glyph name."""
    if name in NAMES:
        return NAMES[name]
    if len(name) > 60:
        return ""
    match = _UNI.match(name)
    if match:
        digits = match.group(1)
        return "".join(_character(digits[index : index + 4]) for index in range(0, len(digits), 4))
    match = _U.match(name)
    if match:
        return _character(match.group(1))
    text = _accented(name)
    match = _SUFFIXED.match(name)
    if text or not match:
        return text
    # Small capitals, old-style figures and superior letters are written as normal ones.
    return NAMES.get(match[1]) or NAMES.get(match[1].lower(), "")


def _character(digits: str) -> str:
    """Return the character of a hexadecimal code; "" for a surrogate or no character."""
    code = int(digits, 16)
    return "" if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF else chr(code)


def _accented(name: str) -> str:
    """Return a letter with one or two accents: "eacute" -> "é"; "" if Unicode has no such character."""
    match = _ACCENTED.match(name)
    if not match:
        return ""
    base = "i" if match.group(1) == "dotlessi" else NAMES.get(match.group(1), "")
    composed = unicodedata.normalize("NFC", base + _ACCENTS[match.group(2)] + _ACCENTS.get(match.group(3), ""))
    return composed if base and len(composed) == 1 else ""
