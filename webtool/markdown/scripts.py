"""Write exponents and indices, for which GFM has no markup.

In: the text of a sup or sub element, and whether it follows a base (a number, letter or bracket). Out: the text in
Unicode's superscripts or subscripts if it has at most one letter and all characters exist there; else after ^ or _,
as in "2^(n-1)", which would read as "2n-1" otherwise. Ordinals ("1st"), trademark signs and marks of notes ("[a]", "*")
stay plain; numbers of notes ("1, 2") do not.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from itertools import islice

from webtool.html.node import Element, nodes_below
from webtool.lean import patterns
from webtool.lean.characters import is_alnum, is_new

# Tag -> the sign before its text.
SIGNS = {"sup": "^", "sub": "_"}
_TABLES = {
    "^": str.maketrans(
        "0123456789+-\u2212\u2013=()abcdefghijklmnoprstuvwxyz",
        "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b\u207b\u207b\u207c\u207d\u207e"
        "\u1d43\u1d47\u1d9c\u1d48\u1d49\u1da0\u1d4d\u02b0\u2071\u02b2\u1d4f\u02e1\u1d50\u207f\u1d52\u1d56\u02b3"
        "\u02e2\u1d57\u1d58\u1d5b\u02b7\u02e3\u02b8\u1dbb",
    ),
    "_": str.maketrans(
        "0123456789+-\u2212\u2013=()aehijklmnoprstuvx",
        "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089\u208a\u208b\u208b\u208b\u208c\u208d\u208e"
        "\u2090\u2091\u2095\u1d62\u2c7c\u2096\u2097\u2098\u2099\u2092\u209a\u1d63\u209b\u209c\u1d64\u1d65\u2093",
    ),
}
_BOXES = frozenset(("i", "em", "b", "strong", "var", "span", "font", "small", "cite", "u", "bdi", "mark"))
_MAX_TEXT = 40  # characters of an exponent or index; longer texts are written as they are
_MAX_NODES = 60  # nodes inside a sup or sub; holds() returns "more" if it has more
_ORDINAL = patterns.compile(r"(?i)st|nd|rd|th|er|ers|re|e|es|ème|ère|o|os|a|mme|me|lle|gr")
_NOTE_MARK = patterns.compile(r"\[[^\[\]]*\]|[*\u2020\u2021\u00a7\u00b6#\u00ae\u00a9\u2122\u2120\u2032\u2033\u00b0]+")
_is_list_of_numbers = patterns.compile(r"[0-9]{1,3}(?:,\s*[0-9]{1,3})*,?").fullmatch
_ABBREVIATIONS = {"TM": "\u2122", "SM": "\u2120", "R": "\u00ae"}


def holds(element: Element) -> str:
    """Return what a sup or sub element contains: "text", "scripts" (other sup or sub elements), or "more"."""
    tags = [node.tag for node in islice(nodes_below(element), _MAX_NODES + 1)]
    if len(tags) > _MAX_NODES or any(tag is not None and tag not in _BOXES and tag not in SIGNS for tag in tags):
        return "more"
    return "text" if SIGNS.keys().isdisjoint(tags) else "scripts"


def written(sign: str, raw: str, *, has_base: bool) -> str | None:
    """Return `raw` as a superscript (sign "^") or subscript ("_"), or None if it should be written as it is."""
    text = " ".join(raw.split())
    if not text or len(text) > _MAX_TEXT:
        return None
    if sign == "^":
        is_exponent = has_base and len(text) == 1 and text != "R"  # x^e; "Acme" with a raised R has a trademark sign
        if (text in _ABBREVIATIONS or _ORDINAL.fullmatch(text)) and not is_exponent:
            return _ABBREVIATIONS.get(text, text)
        if _NOTE_MARK.fullmatch(text):
            return None
    table = _TABLES[sign]
    # With more than one letter Unicode's signs are hard to read. Letters that only newer Pythons know are not counted,
    # so that all Pythons write the same.
    if sum(char.isalpha() and not is_new(char) for char in text) <= 1 and all(ord(char) in table for char in text):
        return text.translate(table)
    if _is_list_of_numbers(text):
        return text.translate(table)
    if not has_base:
        return None
    return f"{sign}{text}" if len(text) == 1 or all(map(is_alnum, text)) else f"{sign}({text})"


def is_base(before: str) -> bool:
    """Whether a text ends in something that can have an exponent: a number, a letter or a bracket."""
    return bool(before) and (is_alnum(before[-1]) or before[-1] in ")]}|'\u2032")
