"""Check whether a page has a quote. In: markdown, a quote. Out: a verdict, and where.

    verbatim     the page has the quote letter for letter, in its markdown or in the text that a reader sees
    normalised   it has it once white space and typography are made plain on both sides
    absent       it does not have it; the nearest passage is named

A quote must not begin or end inside a longer word: a page with "35" does not have the quote "3". Prepared pages are
cached, so that many quotes of one page cost one preparation.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from functools import lru_cache
from itertools import groupby

from webtool.answers.reading import as_read
from webtool.answers.words import DASHES, DOUBLE_QUOTES, SINGLE_QUOTES, fold, has_unspaced, is_unspaced, words
from webtool.errors import InvalidArgument
from webtool.lean import patterns
from webtool.lean.characters import is_alnum, is_new

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.answer_types import Verdict

VERBATIM, NORMALISED, ABSENT = "verbatim", "normalised", "absent"
MAX_QUOTE = 20_000  # characters; a longer quote is refused
_MAX_CACHED_PAGES = 64
# Matches inside of words that are searched for overlapping ones. After these, each match is skipped whole: searching
# 20,000 letters "a" for 10,000 would take quadratic time.
_MAX_OVERLAPS = 1_000
_MAX_NEAREST = 400  # characters of the nearest passage; the rest is cut
_CHARACTERS_BEFORE = 40  # shown before the first shared word of a nearest passage that was cut

# Marks at the beginning of a line, which quotes lose too: "> - ", "## ". Numbers are not among them: a page with
# "A great book" does not have the quote "1984. A great book".
_block_marks = patterns.compile(r"(?m)^[ \t]*(?:(?:[-*+>]|#{1,6})[ \t]+)+").sub
_list_numbers = patterns.compile(r"(?m)^[ \t]*(?:[0-9]{1,9}[.)][ \t]+(?:[-*+>][ \t]+)*)+").sub
_marks_of_lines = patterns.compile(r"(?:\A|\s)[-*+>#]+\s").search  # "- 5" may be the item of a list, "-5" is a number
_delimiters = patterns.compile(r"(?m)^(?=[ \t|:]*-)[ \t|:-]+$").sub  # the row |---|:-:| of a table
_PLAIN = {
    # One kind of quote: a quote inside another has the other kind of marks.
    **dict.fromkeys(map(ord, '"' + SINGLE_QUOTES + DOUBLE_QUOTES), "'"),
    **dict.fromkeys(map(ord, DASHES), "-"),
    **dict.fromkeys(map(ord, "`\u00ad\u200b\u200c\u200d\u2060\ufeff"), ""),
    ord("|"): " ",
}
_dashes = patterns.compile(r" ?--* ?").sub  # with spaces or without, -- for a dash
_dots = patterns.compile(r" ?\.(?: ?\.){2,}").sub  # an ellipsis, closed up or not
_references = patterns.compile(r" ?\[(?:\^[\w-]{1,30}|[0-9]{1,3}|[a-z])\]").sub  # numbers of footnotes
_space_between = patterns.compile(r"\s+").sub


def verify(markdown: str, quote: str) -> Verdict:
    """Return `verdict` and `lines` [first, last]; for an absent quote `nearest`, a passage, and its lines.

    Raises InvalidArgument unless is_quote(). Cost: linear in the page.
    """
    quote = quote.strip()
    if not is_quote(quote):
        problem = "is longer than a quote" if len(quote) > MAX_QUOTE else "has no words"
        raise InvalidArgument(f"verify {problem}", hint=f"Give the sentence, in at most {MAX_QUOTE} characters.")
    start = _find_whole(markdown, quote)
    if start >= 0:
        first = markdown.count("\n", 0, start) + 1
        return {"verdict": VERBATIM, "lines": [first, first + quote.count("\n")]}
    return _prepared(markdown).verify(quote)  # type: ignore[return-value]


def is_quote(quote: str) -> bool:
    """Return whether a text has at most MAX_QUOTE characters and a word.

    A character that this Python's Unicode tables do not know yet counts as a word.
    """
    return len(quote.strip()) <= MAX_QUOTE and any(char.isalnum() or is_new(char) for char in quote)


def _find_whole(text: str, quote: str) -> int:
    """Return where the quote begins as whole words, or -1: "no no" in "Piano no no" at 6, not at 3."""
    start, overlaps = text.find(quote), 0
    while start >= 0:
        end = start + len(quote)
        if not (_is_inside_word(text, start) or _is_inside_word(text, end)):
            return start
        overlaps += 1
        start = text.find(quote, start + 1 if overlaps < _MAX_OVERLAPS else end)
    return -1


def _is_inside_word(text: str, place: int) -> bool:
    """Return whether a place is inside a word or a number such as 1,000; never in scripts without spaces."""
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if is_alnum(before) and is_alnum(after):
        return not is_unspaced(before) and not is_unspaced(after)
    sign = place if after in ".," else place - 1  # where the sign of a number such as 1,000 would be
    return text[sign] in ".," and text[sign - 1 : sign].isdigit() and text[sign + 1 : sign + 2].isdigit()


def _nfkc(text: str) -> str:
    """Return the NFKC of a text; characters that only some Pythons know stay as they are."""
    if not any(map(is_new, set(text))):
        return unicodedata.normalize("NFKC", text)
    runs = ((is_unknown, "".join(run)) for is_unknown, run in groupby(text, is_new))
    return "".join(run if is_unknown else unicodedata.normalize("NFKC", run) for is_unknown, run in runs)


def plain(text: str, *, has_references: bool = False) -> str:
    """Return the text with plain white space and typography.

    NFKC, one kind of quotation mark, dashes without spaces, single spaces. Numbers of footnotes stay if
    `has_references`.
    """
    if not text.isascii():
        text = _nfkc(text.translate(_PLAIN))
    text = " ".join(text.translate(_PLAIN).split())
    if "[" in text and not has_references:
        text = _references("", text)
    if "-" in text:
        text = _dashes("-", text)
    if ". ." in text or " .." in text or "...." in text:
        text = _dots("...", text)
    if text.isascii() or not has_unspaced(text):
        return text
    # Between characters of scripts without spaces, a line end is not a space.
    return _space_between(
        lambda space: "" if is_unspaced(text, space.start() - 1) and is_unspaced(text, space.end()) else " ", text
    )


class _PlainText:
    """A text made plain line by line, so that a position in the plain text gives a line."""

    def __init__(self, text: str, *, has_references: bool) -> None:
        self._starts: list[int] = []  # by line: its position in the plain text
        pieces: list[str] = []
        length = 0
        is_dense = bool(has_unspaced(text))
        for line in text.split("\n"):
            piece = plain(line, has_references=has_references)
            if piece and pieces:
                before, after = pieces[-1][-1], piece[0]
                # A line end counts as nothing at a dash and in scripts without spaces.
                is_joined = "-" in (before, after) or (is_dense and is_unspaced(before) and is_unspaced(after))
                piece = piece if is_joined else " " + piece
            self._starts.append(length)
            if piece:
                pieces.append(piece)
                length += len(piece)
        self._text = "".join(pieces)

    def lines_of(self, quote: str) -> list[int]:
        """Return the first and last line of a plain quote; [] if the text does not have it."""
        start = _find_whole(self._text, quote)
        if start < 0:
            return []
        return [bisect_right(self._starts, start), bisect_right(self._starts, start + len(quote) - 1)]


def _lines_of(forms: list[str], texts: list[_PlainText]) -> list[int]:
    """Return the first and last line of the first form of a quote that one of the texts has; [] without one."""
    return next(filter(None, (text.lines_of(form) for form in forms for text in texts)), [])


class _Page:
    """One page: its markdown, and what a reader sees of it, on lines of the same numbers."""

    def __init__(self, markdown: str) -> None:
        self._lines = markdown.split("\n")
        self._marked = as_read(markdown)
        numbered = _block_marks("", _delimiters("", self._marked))
        self._visible = _list_numbers("", numbered)
        # A reader may quote "Tie the rope. Let go." of "1. Tie the rope.\n2. Let go.", or the numbers too.
        texts = dict.fromkeys((self._visible, numbered))
        # A reader may leave out numbers of footnotes, but not replace one: arr[1] is not arr[2].
        self._written = [_PlainText(text, has_references=True) for text in texts]
        self._plain = [_PlainText(text, has_references=False) for text in texts if _references("", text) != text]
        self._with_marks: _PlainText | None = None  # the text with the marks of lines; None until asked for
        self._words: list[tuple[str, int]] | None = None  # each word and its line; None until asked for

    def verify(self, quote: str) -> dict[str, object]:
        """Return the verdict on a quote that is not in the markdown letter for letter."""
        start = _find_whole(self._visible, quote)
        if start >= 0:
            first = self._visible.count("\n", 0, start) + 1
            return {"verdict": VERBATIM, "lines": [first, first + quote.count("\n")]}
        forms = _plain_forms(quote, has_references=True)
        lines = _lines_of(forms, [*self._written, *self._plain])
        if not lines and any("[" in form for form in forms):  # the quote may have numbers that the page lacks
            lines = _lines_of(_plain_forms(quote), self._written)
        if not lines and _marks_of_lines(quote):  # these may be signs, or quoted in one line
            if self._with_marks is None:
                self._with_marks = _PlainText(self._marked, has_references=True)
            lines = _lines_of(forms, [self._with_marks])
        return {"verdict": NORMALISED, "lines": lines} if lines else {"verdict": ABSENT, **self._nearest(quote)}

    def _nearest(self, quote: str) -> dict[str, object]:
        """Return the passage that shares most words with the quote, in a window hardly longer. Cost: linear."""
        quote_words = words(fold(quote))
        page = self._page_words()
        window = len(quote_words) + len(quote_words) // 4 + 1
        counts: dict[str, int] = dict.fromkeys(quote_words, 0)  # of the quote's words inside the window
        best, best_end, shared = 0, -1, 0
        hits: list[int] = []  # indexes of the page's words that the quote has
        start = 0  # index in `hits` of the first one inside the window
        for index, (word, _) in enumerate(page):
            if word not in counts:
                continue
            hits.append(index)
            counts[word] += 1
            shared += counts[word] == 1
            while hits[start] <= index - window:
                left_behind = page[hits[start]][0]
                counts[left_behind] -= 1
                shared -= counts[left_behind] == 0
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
            lines = self._visible.split("\n")
            self._words = [(word, number) for number, line in enumerate(lines, 1) for word in words(fold(line))]
        return self._words


def _plain_forms(quote: str, *, has_references: bool = False) -> list[str]:
    """Return plain forms of a quote: as a reader sees it, as it is written, and without ellipses around it.

    "> *so it went*..." -> "so it went...", "> *so it went*...", "so it went".
    """
    visible = plain(_block_marks("", as_read(quote)), has_references=has_references)
    bare = visible.strip("' ")
    for mark in ("[...]", "..."):
        bare = bare.removeprefix(mark).removesuffix(mark)
    written = plain(quote, has_references=has_references)
    return [form for form in dict.fromkeys((visible, written, bare.strip("' "))) if is_quote(form)]


_prepared = lru_cache(maxsize=_MAX_CACHED_PAGES)(_Page)


def _around(text: str, word: str) -> str:
    """Return the part of a long passage that begins a little before a word; its beginning if not ASCII."""
    start = max(0, fold(text).find(word) - _CHARACTERS_BEFORE) if text.isascii() else 0
    end = start + _MAX_NEAREST
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
