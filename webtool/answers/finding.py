"""Lines of a page that match. In: markdown, words or /a regular expression/. Out: the lines, with those around them.

Words match a line that holds all of them, whatever their case and typography; a pattern is Python's, with the flags
i (ignore case) and s, and is matched in linear time against each line as it is written.
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

MAX_MATCHES = 50
_AROUND = 2  # lines before and behind
_MAX_LINE = 500  # characters of a line that are shown
_delimited = patterns.compile(r"(?s)/(.+)/([a-zA-Z]*)\Z").match


class Found(NamedTuple):
    """What a search gave."""

    matches: list[dict[str, object]]
    """line, text (with two lines around it), heading; at most MAX_MATCHES."""
    total: int


def search(markdown: str, pattern: str) -> Found:
    """The lines that match. Raises InvalidArgument for a pattern that cannot be used. Cost: linear in the page."""
    matches = _matcher(pattern)
    page = parse(markdown)
    numbers = [number for number, line in enumerate(page.lines, 1) if matches(line)]
    headings = [(heading.line, place) for place, heading in enumerate(page.headings) if heading.level < LABEL_LEVEL]
    found: list[dict[str, object]] = []
    above = 0
    for number in numbers[:MAX_MATCHES]:
        while above < len(headings) and headings[above][0] <= number:
            above += 1
        path = page.path(headings[above - 1][1]) if above else []
        first = max(0, number - 1 - _AROUND)
        around = page.lines[first : number + _AROUND]
        text = "\n".join(line if len(line) <= _MAX_LINE else _short(line, matches) for line in around).strip("\n")
        found.append({"line": number, "text": text, "heading": " > ".join(path)})
    return Found(found, len(numbers))


def find(markdown: str, pattern: str) -> list[dict[str, object]]:
    """The first 50 lines that match: line, text (with two lines around it), heading. Raises InvalidArgument."""
    return search(markdown, pattern).matches


def _matcher(pattern: str) -> Callable[[str], bool]:
    delimited = _delimited(pattern.strip())
    if delimited:
        return _by_pattern(delimited[1], delimited[2])
    wanted = fold(pattern).split()
    if not wanted:
        raise InvalidArgument("find has no words", hint="Give words, or /a regular expression/i.")
    return lambda line: all(map(fold(line).__contains__, wanted))


def _by_pattern(pattern: str, letters: str) -> Callable[[str], bool]:
    import re

    flags = 0
    for letter in letters:
        if letter not in "imsugy":
            raise InvalidArgument(f"there is no flag {letter!r}", hint="i ignores case; every line is searched anyway.")
        flags |= {"i": re.IGNORECASE, "s": re.DOTALL}.get(letter, 0)
    return Automaton(pattern, flags).has_match


def _short(line: str, matches: Callable[[str], bool]) -> str:
    """A long line's part with the match: the first piece that matches, else its beginning."""
    step = _MAX_LINE // 2
    for start in range(0, min(len(line), 200 * step), step):
        piece = line[start : start + _MAX_LINE]
        if matches(piece):
            return ("…" if start else "") + piece + ("…" if start + _MAX_LINE < len(line) else "")
    return shortened(line, _MAX_LINE)
