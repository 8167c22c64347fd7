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
STRONG_RTL = patterns.compile(f"[{_RTL}]")
_RTL_RUN = patterns.compile(f"[{_RTL}](?:[^A-Za-z\u00c0-\u024f]*[{_RTL}])?")
_LTR_RUN = patterns.compile(
    "[\u0660-\u0669\u06f0-\u06f9]+(?:[.,:/\u066b\u066c][\u0660-\u0669\u06f0-\u06f9]+)*|"  # Arabic numbers
    r"[A-Za-z0-9²³¹\u2070-\u209c\u00c0-\u024f](?:[^\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]*[A-Za-z0-9%²³¹\u2070-\u209c\u00c0-\u024f])?"
)
_PRESENTED = patterns.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+[\u0591-\u05c7\u064b-\u0652]*")  # presentation forms
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
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

    Brackets are mirrored.
    """
    mirrored = text[::-1].translate(_MIRRORED)
    letters = list(zip(mirrored, urls[::-1]))
    for match in _LTR_RUN.finditer(mirrored):  # put back in order from left to right
        start, end = match.span()
        word = match.group()[::-1].translate(_MIRRORED)
        word_urls = [url for _, url in letters[start:end]]
        letters[start:end] = zip(word, word_urls[::-1])
    return letters
