"""Cut blocks into units, of which an excerpt is put together. In: a Page of blocks. Out: Units in the page's order.

A unit is a sentence or a few short ones, a list item, a table row, some lines of code, or a heading. As units are
small, an excerpt of a few hundred tokens can hold a dozen places of a page instead of two.

Tests: tests/answers/question/test_excerpt.py
"""

from __future__ import annotations

from webtool.answers.blocks import CODE, HEADING, LABEL, LINES, ROW, Block, Page
from webtool.answers.reading import as_read
from webtool.answers.tables import cells
from webtool.answers.words import unspaced_runs
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

_MIN_UNIT = 90  # characters; a shorter sentence is joined with the next one
_MAX_UNIT = 420  # characters; a longer sentence is cut at a line end, comma or space
_DENSITY = 3  # limits are divided by this for a text in a script without spaces, whose characters say more
_UNSPACED_SHARE = 0.25  # a text with a larger share of characters without spaces counts as being in such a script
_MAX_CODE_LINE = 1260  # characters; a longer line of code is cut: it may be as long as a page
_MIN_RECORD = 45  # characters; a shorter line of a log, of values or of an address is joined with the next
_MAX_ROW = 1200  # characters; a longer table row is cut like a sentence
_MAX_CODE_LINES, _MAX_CODE = 6, 360  # a unit of code ends at this many lines or characters
_MAX_ABBREVIATION = 12  # characters before the end of a sentence in which an abbreviation is looked for
MAX_UNITS = 60000  # of a page; the rest of the page is ignored

# A sentence ends after a full stop, closing quotes and brackets, and white space; in scripts without spaces, after the
# full stop and closing quotes.
_ends = patterns.compile(
    "[.!?\u2026\u0964]+[\"'\u201d\u2019\u00bb)\\]]*\\s+|[\u3002\uff01\uff1f]+[\u300d\u300f\u201d\uff09]*\\s*"
).finditer
# "J. " and "e.g. " end no sentence.
_is_abbreviation = patterns.compile(
    r"(?:\b[^\W\d_]|\b(?:e\.g|i\.e|etc|vs|cf|Mr|Mrs|Ms|Dr|St|No|approx|z\.B|d\.h|bzw|ca|Nr|Fig|т\.е|т\.д|стр|см))\.\s+\Z"
).search
_quote_marks = patterns.compile(r"(?m)^[ \t]*(?:>[ \t]?)+").sub
_CLAUSES = ("\n", "; ", ", ", "\uff1b", "\uff0c", "\u3001", " ")


class Unit(NamedTuple):
    """The smallest part of a page that an excerpt can have."""

    text: str  # as a reader sees it; line ends only in code, and in blocks whose lines are records
    first: int
    last: int
    block: int  # the index of its block


def cut(page: Page, lines: frozenset[int] = frozenset()) -> list[Unit]:
    """Return the units of a page, or of its blocks that have one of these lines. Cost: linear."""
    units: list[Unit] = []
    for number, block in enumerate(page.blocks):
        if lines and lines.isdisjoint(range(block.first, block.last + 1)):
            continue
        if block.kind == CODE:
            units += _code(page, block, number)
        elif block.kind in (HEADING, LABEL):
            units.append(Unit(page.headings[block.heading].title, block.first, block.last, number))
        else:
            units += _prose(page, block, number)
        if len(units) > MAX_UNITS:
            break
    return units[:MAX_UNITS]


def _code(page: Page, block: Block, number: int) -> list[Unit]:
    """Return groups of lines of a code block without its fences, cut at empty lines if possible.

    The first line is a fence: CODE is a fenced block. The last line is one unless the page ends inside the block.
    """
    units: list[Unit] = []
    last = block.last
    if last > block.first and not page.lines[last - 1].strip(" \t>`~"):
        last -= 1
    start, size = block.first + 1, 0
    for line in range(start, last + 1):
        text = page.lines[line - 1]
        size += len(text)
        is_full = line - start + 1 >= _MAX_CODE_LINES or size >= _MAX_CODE
        if is_full or line == last or (not text.strip() and line - start >= 2):
            body = "\n".join(page.lines[start - 1 : line]).strip("\n")
            pieces = (body[place : place + _MAX_CODE_LINE] for place in range(0, len(body), _MAX_CODE_LINE))
            units += [Unit(piece, start, line, number) for piece in pieces if piece.strip()]
            start, size = line + 1, 0
    return units


def _prose(page: Page, block: Block, number: int) -> list[Unit]:
    """Return the units of a block of text.

    a row of a table      one unit; sentences if it is long
    a row of a CSV file   one unit, as it is written; its lines if it is long
    LINES (records)       lines
    any other block       sentences
    """
    text = "\n".join(page.lines[block.first - 1 : block.last])
    keeps_lines = block.kind == LINES or page.is_values
    if block.kind != ROW:
        text = as_read(_quote_marks("", text) if ">" in text else text)
    elif not page.is_values:
        text = row_text(text)
    if block.kind == ROW and len(text) <= _MAX_ROW:
        ends = [len(text)]
    else:
        ends = _line_ends(text) if keeps_lines else _sentence_ends(text)
    units: list[Unit] = []
    line, done = block.first, 0
    for end in ends:
        piece = text[done:end]
        inner = piece.strip()
        has_words = any(map(str.isalnum, inner))
        if not has_words and end < len(text):
            continue  # signs alone belong to the words after them
        if has_words:
            first = line + piece[: len(piece) - len(piece.lstrip())].count("\n")
            shown = "\n".join(map(str.rstrip, inner.split("\n"))) if keeps_lines else " ".join(inner.split())
            units.append(Unit(shown, first, first + inner.count("\n"), number))
        line += piece.count("\n")
        done = end
    return units


def row_text(line: str) -> str:
    """Return a table row as a reader sees it, without outer bars; a bar inside a cell stays escaped."""
    return " | ".join(cell.replace("|", "\\|") for cell in cells(line))


def _line_ends(text: str) -> list[int]:
    """Return where units of records end: after lines that are long enough together, and in a line that is too long."""
    ends: list[int] = []
    start = end = 0
    for line in text.split("\n"):
        end = min(end + len(line) + 1, len(text))
        if end - start >= _MIN_RECORD or end == len(text):
            ends += [*_cuts(text, start, end, _MAX_UNIT), end]
            start = end
    return ends


def _sentence_ends(text: str) -> list[int]:
    """Return where units end: after a sentence that is long enough, and inside one that is too long."""
    unspaced = len(text) - len(unspaced_runs("", text))
    density = _DENSITY if unspaced > _UNSPACED_SHARE * len(text) else 1
    min_length, max_length = _MIN_UNIT // density, _MAX_UNIT // density
    ends: list[int] = []
    start = 0
    for match in _ends(text):
        end = match.end()
        goes_on = text[end : end + 1].islower() or _is_abbreviation(text, max(start, end - _MAX_ABBREVIATION), end)
        if end - start >= min_length and not goes_on:
            ends += [*_cuts(text, start, end, max_length), end]
            start = end
    if ends and len(text) - start < min_length // 2:
        ends[-1] = len(text)  # a few last words are joined with the sentence before them
    elif start < len(text):
        ends += [*_cuts(text, start, len(text), max_length), len(text)]
    return ends


def _cuts(text: str, start: int, end: int, max_length: int) -> list[int]:
    """Return where to cut a sentence of more than `max_length` characters: at a line end, clause or space."""
    cuts: list[int] = []
    while end - start > max_length:
        places = (text.rfind(mark, start + max_length // 3, start + max_length) for mark in _CLAUSES)
        start = next((place + 1 for place in places if place >= 0), start + max_length)
        cuts.append(start)
    return cuts
