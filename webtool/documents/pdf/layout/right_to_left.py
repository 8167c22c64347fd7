"""Right-to-left text of a PDF page, which is stored as it is seen. In: runs from left to right. Out: reading order.

A line that runs from right to left is reversed, except the numbers and Latin words in it. In any other line only the
right-to-left parts are reversed. This is Unicode's algorithm (UAX 9) with one level of embedding.
Tests: tests/documents/pdf/test_layout.py, tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from webtool.lean import patterns
from webtool.lean.patterns import Match

Run = tuple[str, str]  # text, and the URL that it links to or ""

_RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_ARABIC_DIGITS = "\u0660-\u0669\u06f0-\u06f9"
_LATIN = "A-Za-z\u00b2\u00b3\u00b9\u2070-\u209c\u00c0-\u024f"
STRONG_RTL = patterns.compile(f"[{_RTL}]")
_is_arabic = patterns.compile("[\u0600-\u065f\u066e-\u06ef\u06fa-\u08ff\ufb50-\ufdff\ufe70-\ufefc]").search
_RTL_RUN = patterns.compile(f"[{_RTL}](?:[^A-Za-z\u00c0-\u024f]*[{_RTL}])?")
_BETWEEN = patterns.compile(f"[^{_RTL}]+|[{_ARABIC_DIGITS}.,:/\u066b\u066c]+")  # stretches without letters of it
_has_latin = patterns.compile(f"[{_LATIN}]").search
_SIGNS = "#$%\u00a2-\u00a5\u00b0\u2030\u20a0-\u20cf"  # of a number: "$25", "40 %" (class ET of UAX 9)
_NUMBER = f"[0-9]+(?:[.,:/][0-9]+)*|[{_ARABIC_DIGITS}]+(?:[.,:/\u066b\u066c][{_ARABIC_DIGITS}]+)*"
_NUMBERS = patterns.compile(_NUMBER)
_NUMBERS_WITH_SIGNS = patterns.compile(f"[{_SIGNS}]*[0-9]+(?:[-+.,:/][0-9]+)*[{_SIGNS}]*|{_NUMBER}")
_WORDS = patterns.compile(f"(?s)[0-9{_LATIN}](?:.*[0-9{_LATIN}{_SIGNS}])?")
_PRESENTED = patterns.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+[\u0591-\u05c7\u064b-\u0652]*")  # presentation forms
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
        for match in _RTL_RUN.finditer(text):
            start, end = match.span()
            letters[start:end] = _reversed(match.group(), urls[start:end])
    return [(_PRESENTED.sub(_without_presentation_forms, text), url) for text, url in joined_by_url(letters)]


def _runs_right_to_left(text: str) -> bool:
    """Return whether a line runs from right to left: its end has the full stop, else most letters are of that kind."""
    if text[-1] in _STOPS or text[0] in _STOPS:
        return text[-1] not in _STOPS
    return 2 * len(STRONG_RTL.findall(text)) >= sum(letter.isalpha() for letter in text)


def _without_presentation_forms(match: Match[str]) -> str:
    return unicodedata.normalize("NFKC", match.group())


def _reversed(text: str, urls: list[str]) -> list[Run]:
    """Return the letters of right-to-left text reversed, each with its URL; numbers and Latin words stay in order.

    Brackets are mirrored if the text has them as they look: "(" at the left of a word and ")" at its right.
    """
    looks = text if _closes_first(text) else text.translate(_MIRRORED)
    letters = list(zip(looks, urls))[::-1]
    length = len(text)
    for start, end in _left_to_right(text):
        letters[length - end : length - start] = zip(text[start:end], urls[start:end])
    return letters


def _closes_first(text: str) -> bool:
    """Return whether brackets have the letters of reading order, not of their shapes: the first of a pair closes."""
    places = [(text.find(opener), text.find(closer)) for opener, closer in zip(_OPENERS, _CLOSERS)]
    return any(0 <= closer < opener for opener, closer in places)


def _left_to_right(text: str) -> list[tuple[int, int]]:
    """Return where the numbers and Latin words of a text begin and end.

    Latin words with what is between them are one: "Python 3.11". Numbers without Latin words are read from right to
    left one by one. In Hebrew they have their signs ("40%"), after Arabic letters signs are on the other side ("%40").
    """
    numbers = _NUMBERS if _is_arabic(text) else _NUMBERS_WITH_SIGNS
    places = []
    for stretch in _BETWEEN.finditer(text):
        start, end = stretch.span()
        runs = [_WORDS.search(text, start, end)] if _has_latin(text, start, end) else numbers.finditer(text, start, end)
        places += [_with_closers(text, *run.span()) for run in runs if run]
    return places


def _with_closers(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range with the brackets after it that close one inside it: f(x) is not f(x."""
    for opener, closer in zip(_OPENERS, _CLOSERS):
        if text[end : end + 1] == closer and text.count(opener, start, end) > text.count(closer, start, end):
            return start, end + 1
    return start, end
