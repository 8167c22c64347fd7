"""Find the lines of a page that match. In: markdown, and words or /a regular expression/. Out: lines with context.

Words match a line that has all of them, in any case and typography. A pattern has Python's syntax and may have the
flags i (ignore case) and s; it is matched in linear time against each line as it is written.
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.answers.automaton import Automaton
from webtool.answers.blocks import LABEL_LEVEL, parse
from webtool.answers.budget import shortened
from webtool.answers.words import fold
from webtool.errors import InvalidArgument
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.answer_types import Match

MAX_MATCHES = 50
_CONTEXT = 2  # lines shown before and after a match
_MAX_LINE = 500  # characters of a line; of a longer one the part with the match is shown
_MAX_PIECES = 200  # pieces of a long line that are searched for the match
_delimited = patterns.compile(r"(?s)/(.+)/([a-zA-Z]*)\Z").match


class Found(NamedTuple):
    """The result of a search."""

    matches: list[dict[str, object]]
    """line, text (with two lines around it), heading; at most MAX_MATCHES."""
    total: int


def search(markdown: str, pattern: str) -> Found:
    """Return the lines that match. Raises InvalidArgument for a bad pattern. Cost: linear in the page."""
    is_match = _matcher(pattern)
    page = parse(markdown)
    numbers = [number for number, line in enumerate(page.lines, 1) if is_match(line)]
    headings = [(heading.line, index) for index, heading in enumerate(page.headings) if heading.level < LABEL_LEVEL]
    matches: list[dict[str, object]] = []
    headings_above = 0
    for number in numbers[:MAX_MATCHES]:
        while headings_above < len(headings) and headings[headings_above][0] <= number:
            headings_above += 1
        path = page.path(headings[headings_above - 1][1]) if headings_above else []
        first = max(0, number - 1 - _CONTEXT)
        shown = [_short(line, is_match) for line in page.lines[first : number + _CONTEXT]]
        matches.append({"line": number, "text": "\n".join(shown).strip("\n"), "heading": " > ".join(path)})
    return Found(matches, len(numbers))


def find(markdown: str, pattern: str) -> list[Match]:
    """Return the first 50 lines that match: line, text (with two lines around it), heading. Raises InvalidArgument."""
    return search(markdown, pattern).matches  # type: ignore[return-value]


def _matcher(pattern: str) -> Callable[[str], bool]:
    """Return the test of a line for words or /a pattern/."""
    delimited = _delimited(pattern.strip())
    if delimited:
        return _by_pattern(delimited[1], delimited[2])
    words = fold(pattern).split()
    if not words:
        raise InvalidArgument("find has no words", hint="Give words, or /a regular expression/i.")
    return lambda line: all(map(fold(line).__contains__, words))


def _by_pattern(pattern: str, letters: str) -> Callable[[str], bool]:
    """Return the test of a line for a pattern; `letters` are its flags. m, u, g and y are allowed without effect."""
    import re

    flags = 0
    for letter in letters:
        if letter not in "imsugy":
            raise InvalidArgument(f"there is no flag {letter!r}", hint="i ignores case; every line is searched anyway.")
        flags |= {"i": re.IGNORECASE, "s": re.DOTALL}.get(letter, 0)
    return Automaton(pattern, flags).has_match


def _short(line: str, is_match: Callable[[str], bool]) -> str:
    """Return a line, or of a long one the first piece that matches, else its beginning. Pieces overlap by half."""
    if len(line) <= _MAX_LINE:
        return line
    step = _MAX_LINE // 2
    for start in range(0, min(len(line), _MAX_PIECES * step), step):
        piece = line[start : start + _MAX_LINE]
        if is_match(piece):
            return ("…" if start else "") + piece + ("…" if start + _MAX_LINE < len(line) else "")
    return shortened(line, _MAX_LINE)
