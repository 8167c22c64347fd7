"""Blocks cut into units: what an excerpt is put together from. In: a Page of blocks. Out: Units in the page's order.

A unit is a sentence or a few short ones, a list item, a table row, some lines of code. Small units let an excerpt of a
few hundred tokens hold a dozen places of a page instead of two. Each knows its lines and its block.
"""

from __future__ import annotations

from webtool.answers.blocks import CODE, HEADING, LABEL, ROW, Block, Page
from webtool.answers.reading import as_read
from webtool.answers.words import has_unspaced
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

_SHORT = 90  # characters; a shorter sentence takes the next one with it
_LONG = 420  # a longer sentence is cut at a line end or a space
_DENSE = 3  # a character of a script without spaces says as much as that many others
_MAX_ROW = 1200  # a longer table row is cut like a sentence
_CODE_LINES, _CODE_SIZE = 6, 360
_ABBREVIATION = 12  # characters in which one is looked for
MAX_UNITS = 60000

# A sentence ends at a full stop, its quotes and brackets, and white space; in scripts without spaces, at the stop.
_ends = patterns.compile(
    "[.!?\u2026\u0964]+[\"'\u201d\u2019\u00bb)\\]]*\\s+|[\u3002\uff01\uff1f]+[\u300d\u300f\u201d\uff09]*\\s*"
).finditer
_is_abbreviation = patterns.compile(
    r"(?:\b\w|\b(?:e\.g|i\.e|etc|vs|cf|Mr|Mrs|Ms|Dr|St|No|approx|z\.B|d\.h|bzw|ca|Nr|Fig|т\.е|т\.д|стр|см))\.\s+\Z"
).search
_quote_marks = patterns.compile(r"(?m)^[ \t]*(?:>[ \t]?)+").sub
_CLAUSES = ("\n", "; ", ", ", "\uff1b", "\uff0c", "\u3001", " ")


class Unit(NamedTuple):
    """The smallest part of a page that is given."""

    text: str
    """As read, with line ends only in code."""
    first: int
    last: int
    block: int
    """The place of its block."""


def cut(page: Page) -> list[Unit]:
    """The units of a page. Headings are none: they stand over the units that they have below them. Cost: linear."""
    units: list[Unit] = []
    for number, block in enumerate(page.blocks):
        if block.kind == CODE:
            units += _code(page, block, number)
        elif block.kind not in (HEADING, LABEL):
            units += _prose(page, block, number)
        if len(units) > MAX_UNITS:
            break
    return units[:MAX_UNITS]


def _code(page: Page, block: Block, number: int) -> list[Unit]:
    """Groups of lines, cut at empty ones where there are some; the fences are left out."""
    units: list[Unit] = []
    last = block.last
    if last > block.first and not page.lines[last - 1].strip(" \t>`~"):
        last -= 1
    start, size = block.first + 1, 0
    for line in range(start, last + 1):
        text = page.lines[line - 1]
        size += len(text)
        is_full = line - start + 1 >= _CODE_LINES or size >= _CODE_SIZE
        if is_full or line == last or (not text.strip() and line - start >= 2):
            body = "\n".join(page.lines[start - 1 : line]).strip("\n")
            units += [Unit(piece, start, line, number) for piece in _pieces(body) if piece.strip()]
            start, size = line + 1, 0
    return units


def _pieces(text: str) -> list[str]:
    """The text in pieces of bounded length: one line may be as long as a page."""
    most = _LONG * _DENSE
    return [text[at : at + most] for at in range(0, len(text), most)]


def _prose(page: Page, block: Block, number: int) -> list[Unit]:
    text = "\n".join(page.lines[block.first - 1 : block.last])
    text = as_read(_quote_marks("", text) if ">" in text else text)
    if block.kind == ROW:
        text = " | ".join(cell.strip() for cell in text.strip().strip("|").split("|"))
        ends = [len(text)] if len(text) <= _MAX_ROW else _sentence_ends(text)
    else:
        ends = _sentence_ends(text)
    units: list[Unit] = []
    line, done = block.first, 0
    for end in ends:
        piece = text[done:end]
        inner = piece.strip()
        if any(map(str.isalnum, inner)):
            first = line + piece[: len(piece) - len(piece.lstrip())].count("\n")
            units.append(Unit(" ".join(inner.split()), first, first + inner.count("\n"), number))
        line += piece.count("\n")
        done = end
    return units


def _sentence_ends(text: str) -> list[int]:
    """Where units end: behind a sentence that is long enough, and inside one that is too long."""
    density = _DENSE if has_unspaced(text) else 1
    short, long = _SHORT // density, _LONG // density
    ends: list[int] = []
    start = 0
    for match in _ends(text):
        end = match.end()
        goes_on = text[end : end + 1].islower() or _is_abbreviation(text, max(start, end - _ABBREVIATION), end)
        if end - start >= short and not goes_on:
            ends += [*_cuts(text, start, end, long), end]
            start = end
    if ends and len(text) - start < short // 2:
        ends[-1] = len(text)  # a few last words go with the sentence before them
    elif start < len(text):
        ends += [*_cuts(text, start, len(text), long), len(text)]
    return ends


def _cuts(text: str, start: int, end: int, long: int) -> list[int]:
    cuts: list[int] = []
    while end - start > long:
        places = (text.rfind(mark, start + long // 3, start + long) for mark in _CLAUSES)
        start = next((place + 1 for place in places if place >= 0), start + long)
        cuts.append(start)
    return cuts
