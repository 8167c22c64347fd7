"""Decode character references; lower the letters of names and replace NUL characters in them.

In: text with "&". Out: decoded text. The longest of the named character references wins. In an attribute value, a
reference without its semicolon before "=" or an alphanumeric character stays as it is: `?a=1&copy2`.

The 106 names that need no semicolon and the most common others are in this module. The whole table of 2,231 names is
the standard library's, and is imported when a page needs it.
Spec: the HTML Standard, 13.2.5.72 to 13.2.5.80 (character reference states) and 13.5; the Infra Standard, 4.6, for
ASCII lower case.
"""

from __future__ import annotations

from webtool.lean import patterns
from webtool.lean.patterns import Match

REFERENCE = patterns.compile(r"&(?:#([0-9]+|[xX][0-9a-fA-F]+);?|([a-zA-Z][a-zA-Z0-9]*;?))")

_LATIN_1 = (
    "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute "
    "micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig "
    "Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash "
    "Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute "
    "ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc "
    "uuml yacute thorn yuml"
)

# Names that are recognised without a semicolon too: those of Latin-1 and a few of ASCII.
LEGACY = dict(zip(_LATIN_1.split(), map(chr, range(0xA0, 0x100))))
LEGACY.update(amp="&", AMP="&", lt="<", LT="<", gt=">", GT=">", quot='"', QUOT='"', COPY="\xa9", REG="\xae")

_COMMON = {
    "apos;": "'", "ndash;": "\u2013", "mdash;": "\u2014", "lsquo;": "\u2018", "rsquo;": "\u2019", "sbquo;": "\u201a",
    "ldquo;": "\u201c", "rdquo;": "\u201d", "bdquo;": "\u201e", "hellip;": "\u2026", "bull;": "\u2022",
    "lsaquo;": "\u2039", "rsaquo;": "\u203a", "larr;": "\u2190", "uarr;": "\u2191", "rarr;": "\u2192",
    "darr;": "\u2193", "trade;": "\u2122", "euro;": "\u20ac", "minus;": "\u2212", "ensp;": "\u2002",
    "emsp;": "\u2003", "thinsp;": "\u2009", "zwnj;": "\u200c", "zwj;": "\u200d", "dagger;": "\u2020",
    "check;": "\u2713", "le;": "\u2264", "ge;": "\u2265", "num;": "#", "lpar;": "(", "rpar;": ")", "colon;": ":",
    "comma;": ",", "period;": ".", "sol;": "/", "equals;": "=", "nbsp;": "\xa0", "infin;": "\u221e",
}  # fmt: skip

MAX_LEGACY = 6  # characters of the longest name in LEGACY: brvbar, frac12, Agrave


def decode_text(text: str) -> str:
    """Replace the character references of a text."""
    return REFERENCE.sub(_in_text, text)


def decode_attribute(value: str) -> str:
    """Replace the character references of an attribute's value, by the stricter rules for attributes."""
    value = value.replace("&quot;", '"')  # JSON has hundreds of them
    if value.count("&") == value.count("&amp;"):
        return value.replace("&amp;", "&")
    return REFERENCE.sub(_in_attribute, value)


def _in_text(match: Match[str]) -> str:
    number, name = match.groups()
    if number is not None:
        return _character(number)
    if name[-1] == ";":
        value = LEGACY.get(name[:-1]) or named(name)
        if value:
            return value
    for length in range(min(len(name), MAX_LEGACY), 1, -1):
        value = LEGACY.get(name[:length])
        if value:
            return value + name[length:]
    return match.group()


def _in_attribute(match: Match[str]) -> str:
    number, name = match.groups()
    if number is not None:
        return _character(number)
    if name[-1] == ";":
        return LEGACY.get(name[:-1]) or named(name) or match.group()
    end = match.end()
    # A longer name is a query parameter such as &copy2, and so is a name before "=".
    if name in LEGACY and not match.string.startswith("=", end):
        return LEGACY[name]
    return match.group()


def named(name: str) -> str | None:
    """Return the characters of a name with its semicolon, or None if no such name exists."""
    value = _COMMON.get(name)
    if value is None and len(name) <= 33:  # CounterClockwiseContourIntegral; is the longest
        from html.entities import html5  # imported late: it costs more than a small page, and few pages need it

        value = html5.get(name)
    return value


def _character(number: str) -> str:
    """Return the character of a numeric reference; U+FFFD if it is not a valid one."""
    if number[0] in "xX":
        digits, base = number[1:].lstrip("0"), 16
    else:
        digits, base = number.lstrip("0"), 10
    if not digits or len(digits) > 7:  # int() refuses thousands of digits
        return "\ufffd"
    code = int(digits, base)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    if 0x80 <= code < 0xA0:  # means the windows-1252 character (13.2.5.80)
        return bytes((code,)).decode("cp1252", "ignore") or chr(code)
    return chr(code)


def ascii_lower(text: str) -> str:
    """Return text with A to Z in lower case. str.lower() would also change the length of some other letters."""
    if text.isascii():
        return text.lower()
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


def without_null(text: str) -> str:
    """Return text with U+FFFD for every null, as everywhere except in character data."""
    return text.replace("\0", "\ufffd") if "\0" in text else text
