"""Put the letters of right-to-left lines in reading order. In: runs of letters from left to right. Out: runs to read.

A PDF stores right-to-left text as it is seen. A line that runs from right to left is reversed, except the numbers and
Latin words in it. In any other line only the right-to-left parts are reversed. This is Unicode's algorithm (UAX 9) with
one level of embedding. With capitals for Hebrew letters:

    as seen             what happens                              in reading order
    .12 TA NOITATS      the line is reversed, "12" is not         STATION AT 12.
    see NOITATS now     only the Hebrew part is reversed          see STATION now
Tests: tests/documents/pdf/test_layout.py, tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from unicodedata import normalize

from webtool.lean import patterns

Run = tuple[str, str]  # text, and the URL that it links to or ""

# Hebrew, Arabic and their neighbours, with their marks, digits and presentation forms.
_RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
STRONG_RTL = patterns.compile(f"[{_RTL}]")
_is_arabic = patterns.compile("[\u0600-\u065f\u066e-\u06ef\u06fa-\u08ff\ufb50-\ufdff\ufe70-\ufefc]").search
_PRESENTED = patterns.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+[\u0591-\u05c7\u064b-\u0652]*")  # presentation forms
_RTL_PART = patterns.compile(f"[{_RTL}](?:[^A-Za-z\u00c0-\u024f]*[{_RTL}])?")  # "NOITATS" in "see NOITATS now"

_LATIN = "A-Za-z\u00b2\u00b3\u00b9\u2070-\u209c\u00c0-\u024f"  # with superscripts and subscripts: "m²"
_has_latin = patterns.compile(f"[{_LATIN}]").search
_SIGNS = "#$%\u00a2-\u00a5\u00b0\u2030\u20a0-\u20cf"  # of a number: "$25", "40 %" (class ET of UAX 9)
_LATIN_WORDS = patterns.compile(f"(?s)[0-9{_LATIN}](?:.*[0-9{_LATIN}{_SIGNS}])?")  # "Python 3.11" in "(Python 3.11)"
_ARABIC_DIGITS = "\u0660-\u0669\u06f0-\u06f9"
_NUMBER = f"[0-9]+(?:[.,:/][0-9]+)*|[{_ARABIC_DIGITS}]+(?:[.,:/\u066b\u066c][{_ARABIC_DIGITS}]+)*"  # "3.11", "9:30"
_NUMBERS = patterns.compile(_NUMBER)
_NUMBERS_WITH_SIGNS = patterns.compile(f"[{_SIGNS}]*[0-9]+(?:[-+.,:/][0-9]+)*[{_SIGNS}]*|{_NUMBER}")  # "$25", "10-12%"
# What may have to stay in order: text without right-to-left characters, or a number in Arabic digits, which are among
# these characters.
_STRETCH_TO_KEEP = patterns.compile(f"[^{_RTL}]+|[{_ARABIC_DIGITS}.,:/\u066b\u066c]+")

_OPENERS, _CLOSERS = "([{<\u00ab", ")]}>\u00bb"
_MIRRORED = str.maketrans(_OPENERS + _CLOSERS, _CLOSERS + _OPENERS)
_STOPS = ".,:;!?،؛؟"


def joined_by_url(runs: Iterable[Run]) -> list[Run]:
    """Join neighbouring runs that have one URL."""
    return [("".join([text for text, _ in group]), url) for url, group in groupby(runs, key=itemgetter(1))]


def in_reading_order(runs: list[Run]) -> list[Run]:
    """Return runs with right-to-left letters in reading order; the input has letters from left to right."""
    text = "".join([text for text, _ in runs])
    urls = [url for text, url in runs for _ in text]
    if _runs_right_to_left(text):
        letters = _reversed(text, urls)
    else:
        letters = list(zip(text, urls))
        for match in _RTL_PART.finditer(text):
            start, end = match.span()
            letters[start:end] = _reversed(match.group(), urls[start:end])
    runs = joined_by_url(letters)
    return [(_PRESENTED.sub(lambda match: normalize("NFKC", match.group()), text), url) for text, url in runs]


def _runs_right_to_left(text: str) -> bool:
    """Return whether a line, as seen, runs from right to left.

    It ends where its full stop is: ".NOITATS EHT" ends on the left. Without a stop at either side, a line whose letters
    are mostly from right to left runs in their direction.
    """
    if text[-1] in _STOPS or text[0] in _STOPS:
        return text[-1] not in _STOPS
    return 2 * len(STRONG_RTL.findall(text)) >= sum(letter.isalpha() for letter in text)


def _reversed(text: str, urls: list[str]) -> list[Run]:
    """Return the letters of right-to-left text reversed, each with its URL; numbers and Latin words stay in order.

        as seen              "12 CBA"    the number is at 0 to 2
        reversed             "ABC 21"    the number is at 4 to 6: counted from the end
        with the number      "ABC 12"

    Brackets are mirrored if the text has the letters of their shapes: "(" at the left of a word and ")" at its right.
    """
    looks = text if _has_brackets_in_reading_order(text) else text.translate(_MIRRORED)
    letters = list(zip(looks, urls))[::-1]
    length = len(text)
    for start, end in _left_to_right(text):
        letters[length - end : length - start] = zip(text[start:end], urls[start:end])
    return letters


def _has_brackets_in_reading_order(text: str) -> bool:
    """Return whether a text, as seen, has closing brackets first: ")CBA(" is read as "(ABC)", "(CBA)" has shapes."""
    places = [(text.find(opener), text.find(closer)) for opener, closer in zip(_OPENERS, _CLOSERS)]
    return any(0 <= closer < opener for opener, closer in places)


def _left_to_right(text: str) -> list[tuple[int, int]]:
    """Return where the parts of a right-to-left text begin and end that are read from left to right.

    "Python 3.11 CBA"    one part, from the first Latin letter or digit to the last
    "12 - 15 CBA"        two parts, "12" and "15": from right to left, 15 is read first
    "40% CBA"            one part with its sign; after Arabic letters the sign does not belong to it: "%40"
    """
    numbers = _NUMBERS if _is_arabic(text) else _NUMBERS_WITH_SIGNS
    places = []
    for stretch in _STRETCH_TO_KEEP.finditer(text):
        start, end = stretch.span()
        has_latin = _has_latin(text, start, end)
        parts = [_LATIN_WORDS.search(text, start, end)] if has_latin else numbers.finditer(text, start, end)
        places += [_with_closers(text, *part.span()) for part in parts if part]
    return places


def _with_closers(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range with the bracket after it if that closes one inside the range: "f(x" becomes "f(x)"."""
    for opener, closer in zip(_OPENERS, _CLOSERS):
        if text[end : end + 1] == closer and text.count(opener, start, end) > text.count(closer, start, end):
            return start, end + 1
    return start, end
