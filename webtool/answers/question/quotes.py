"""Whether a page says what somebody quotes from it. In: markdown, a quote. Out: a verdict, and where.

"verbatim": the quote stands there letter for letter, in the markdown or in what a reader sees of it. "normalised": it
does once white space and typography are made plain on both sides. "absent": it does not; the nearest passage is named.
A quote may not begin or end inside a longer word: a page that says 35 does not say 3. A page is prepared once for all
quotes that are asked of it in a row.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from functools import lru_cache

from webtool.answers.reading import as_read
from webtool.answers.words import fold, has_unspaced, is_unspaced, words
from webtool.errors import InvalidArgument
from webtool.lean import patterns

VERBATIM, NORMALISED, ABSENT = "verbatim", "normalised", "absent"
MAX_QUOTE = 20_000
"""Characters of a quote."""
_KEPT_PAGES = 64
_MAX_NEAREST = 400  # characters of the nearest passage

_block_marks = patterns.compile(r"(?m)^[ \t]*(?:(?:[-*+>]|#{1,6}|[0-9]{1,9}[.)])[ \t]+)+").sub
_delimiters = patterns.compile(r"(?m)^[ \t|:-]*-[ \t|:-]*$").sub
_PLAIN = {
    # One kind of quote: a quote inside another has the other kind of marks.
    **dict.fromkeys(
        map(ord, '"\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb'), "'"
    ),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-"),
    **dict.fromkeys(map(ord, "`\u00ad\u200b\u200c\u200d\u2060\ufeff"), ""),
    ord("|"): " ",
}
_dashes = patterns.compile(r" ?--* ?").sub  # with spaces or without, -- for a dash
_dots = patterns.compile(r" ?\.(?: ?\.){2,}").sub  # an ellipsis, closed up or not
_references = patterns.compile(r" ?\[(?:\^[\w-]{1,30}|[0-9]{1,3}|[a-z])\]").sub  # numbers of footnotes
_space_between = patterns.compile(r"\s+").sub


def verify(markdown: str, quote: str) -> dict[str, object]:
    """`verdict`, and `lines` [first, last] where it stands; for an absent quote `nearest` and that passage's lines.

    Raises InvalidArgument for an empty quote or one of more than MAX_QUOTE characters. Cost: linear in the page.
    """
    quote = quote.strip()
    if not any(map(str.isalnum, quote)) or len(quote) > MAX_QUOTE:
        problem = "is longer than a quote" if len(quote) > MAX_QUOTE else "has no words"
        raise InvalidArgument(f"verify {problem}", hint=f"Give the sentence, in at most {MAX_QUOTE} characters.")
    at = _place(markdown, quote)
    if at >= 0:
        first = markdown.count("\n", 0, at) + 1
        return {"verdict": VERBATIM, "lines": [first, first + quote.count("\n")]}
    return _prepared(markdown).verify(quote)


def _place(text: str, quote: str) -> int:
    """Where the quote begins, -1 for nowhere; never inside a word."""
    at = text.find(quote)
    while at >= 0:
        end = at + len(quote)
        if not (at and _is_inside(text[at - 1], text[at])) and not (
            end < len(text) and _is_inside(text[end - 1], text[end])
        ):
            return at
        at = text.find(quote, end)
    return -1


def _is_inside(before: str, after: str) -> bool:
    return before.isalnum() and after.isalnum() and not is_unspaced(before) and not is_unspaced(after)


def plain(text: str) -> str:
    """The text with its white space and typography made plain: NFKC, one kind of quote, dashes without spaces,
    single spaces, no footnote numbers."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_PLAIN))
    text = " ".join(text.translate(_PLAIN).split())
    if "[" in text:
        text = _references("", text)
    if "-" in text:
        text = _dashes("-", text)
    if ". ." in text or " .." in text or "...." in text:
        text = _dots("...", text)
    if text.isascii() or not has_unspaced(text):
        return text
    # Between characters that need no spaces a line end is none.
    return _space_between(lambda space: "" if _is_between(text, *space.span()) else " ", text)


def _is_between(text: str, start: int, end: int) -> bool:
    return bool(start and end < len(text) and is_unspaced(text[start - 1]) and is_unspaced(text[end]))


class _Page:
    """One page, made plain line by line so that places are lines."""

    def __init__(self, markdown: str) -> None:
        self._lines = markdown.split("\n")
        read = _block_marks("", _delimiters("", as_read(markdown)))
        self._read = read
        self._starts: list[int] = []
        pieces: list[str] = []
        length = 0
        is_dense = bool(has_unspaced(read))
        for line in read.split("\n"):
            piece = plain(line)
            if piece and pieces and not self._is_joined(pieces[-1][-1], piece[0], is_dense):
                piece = " " + piece
            self._starts.append(length)
            if piece:
                pieces.append(piece)
                length += len(piece)
        self._plain = "".join(pieces)
        self._words: list[tuple[str, int]] | None = None

    @staticmethod
    def _is_joined(before: str, after: str, is_dense: bool) -> bool:
        """Whether a line end is nothing: beside a dash, and between characters that need no spaces."""
        return "-" in (before, after) or bool(is_dense and is_unspaced(before) and is_unspaced(after))

    def verify(self, quote: str) -> dict[str, object]:
        """The verdict on a quote that is not in the markdown as it stands."""
        at = _place(self._read, quote)
        if at >= 0:
            first = self._read.count("\n", 0, at) + 1
            return {"verdict": VERBATIM, "lines": [first, first + quote.count("\n")]}
        for wanted in self._forms(quote):
            at = _place(self._plain, wanted)
            if at >= 0:
                return {"verdict": NORMALISED, "lines": [self._line_at(at), self._line_at(at + len(wanted) - 1)]}
        return {"verdict": ABSENT, **self._nearest(quote)}

    @staticmethod
    def _forms(quote: str) -> list[str]:
        """What to look for: the quote as read, as it is written, and without what frames it: "...so it went..."."""
        read, written = plain(_block_marks("", as_read(quote))), plain(quote)
        bare = read.strip("' ")
        for mark in ("[...]", "..."):
            bare = bare.removeprefix(mark).removesuffix(mark)
        return [form for form in dict.fromkeys((read, written, bare.strip("' "))) if any(map(str.isalnum, form))]

    def _line_at(self, place: int) -> int:
        return bisect_right(self._starts, place)

    def _nearest(self, quote: str) -> dict[str, object]:
        """The lines that share most words with the quote, as close together as its own. Cost: linear."""
        wanted = words(fold(quote))
        page = self._page_words()
        room = len(wanted) + len(wanted) // 4 + 1
        inside: dict[str, int] = dict.fromkeys(wanted, 0)
        best, best_end, shared = 0, -1, 0
        hits: list[int] = []
        start = 0
        for index, (word, _) in enumerate(page):
            if word not in inside:
                continue
            hits.append(index)
            inside[word] += 1
            shared += inside[word] == 1
            while hits[start] <= index - room:
                gone = page[hits[start]][0]
                inside[gone] -= 1
                shared -= inside[gone] == 0
                start += 1
            if shared > best:
                best, best_end, best_start = shared, index, hits[start]
        if best_end < 0:
            return {}
        first, last = page[best_start][1], page[best_end][1]
        text = " ".join(as_read("\n".join(self._lines[first - 1 : last])).split())
        if len(text) > _MAX_NEAREST:
            text = _around(text, page[best_start][0])
        return {"nearest": text, "lines": [first, last]}

    def _page_words(self) -> list[tuple[str, int]]:
        if self._words is None:
            lines = self._read.split("\n")
            self._words = [(word, number) for number, line in enumerate(lines, 1) for word in words(fold(line))]
        return self._words


_prepared = lru_cache(maxsize=_KEPT_PAGES)(_Page)


def _around(text: str, word: str) -> str:
    """A long passage's part that begins a little before a word."""
    start = max(0, fold(text).find(word) - 40) if text.isascii() else 0
    return (
        ("…" if start else "") + text[start : start + _MAX_NEAREST] + ("…" if start + _MAX_NEAREST < len(text) else "")
    )
