"""Define the encodings of simple fonts and of text strings: lists of 256 texts by code, "" for an undefined code.

Specification: ISO 32000-1 annex D (Standard, MacRoman, WinAnsi, PDFDoc, Symbol, ZapfDingbats).
Tests: tests/documents/pdf/test_glyphs.py
"""

from __future__ import annotations

_ASCII = "".join(map(chr, range(0x20, 0x7F)))


def _table(**runs: str) -> list[str]:
    """Return texts by code from runs of characters; the name of a run is "x" and its first code, U+0000 undefined."""
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


def _dingbats() -> list[str]:
    """Return the encoding of the font Zapf Dingbats."""
    table = _table(
        x20=" " + "".join(map(chr, range(0x2701, 0x275F))),
        xA1="".join(map(chr, range(0x2761, 0x2768))) + "♣♦♥♠" + "".join(map(chr, range(0x2460, 0x246A))),
        xB6="".join(map(chr, range(0x2776, 0x2795))) + "→↔↕" + "".join(map(chr, range(0x2798, 0x27BF))),
    )
    # Signs that Unicode has in other blocks.
    for code, letter in zip(b"%*+Hlnstuw", "☎☛☞★●■▲▼◆◗"):
        table[code] = letter
    return table


DINGBATS = _dingbats()

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
