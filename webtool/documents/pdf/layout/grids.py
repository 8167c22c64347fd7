"""Tables that are drawn with lines. In: painted lines of a page, its spans. Out: tables as Segments, the other spans.

Lines that touch make a grid; a grid with at least two rows and columns and text in them is a table, and each span goes
into the cell that its middle is in; of cells without a line between them, into the first. A table stands among the
page's segments as one line for each of its rows.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from webtool.documents.pdf.layout.gutters import as_lines
from webtool.documents.pdf.layout.lines import Segment, segments
from webtool.documents.pdf.layout.ruled import ruled_tables
from webtool.documents.pdf.layout.rulings import THIN
from webtool.documents.pdf.state import Rect, Span
from webtool.lean.records import NamedTuple

Line = tuple[float, float, float]  # place, from, to
Cell = tuple[int, int]

_MAX_LINES = 300  # in one direction, once those on one another are one
_MAX_CELLS = 5000
_TOUCH = 3.0  # points between the ends of lines that touch all the same


class _Grid(NamedTuple):
    """Lines that touch; `xs` and `ys` are the places where they lie."""

    xs: list[float]
    ys: list[float]
    upright: list[Line]
    level: list[Line]

    @property
    def is_table(self) -> bool:
        """Whether there are at least two rows and columns, and not too many."""
        return len(self.xs) > 2 and len(self.ys) > 2 and len(self.xs) * len(self.ys) <= _MAX_CELLS


def tables(rulings: list[Rect], spans: list[Span], links: list[tuple[Rect, str]]) -> tuple[list[Segment], list[Span]]:
    """Tables as segments, and the spans that are in none of them."""
    upright = _merged([(left, bottom, top) for left, bottom, right, top in rulings if right - left <= THIN])
    level = _merged([(bottom, left, right) for left, bottom, right, _ in rulings if right - left > THIN])
    made: list[Segment] = []
    if len(upright) > _MAX_LINES or not 2 < len(level) <= _MAX_LINES:
        return made, spans
    alone: list[Line] = []
    for grid in _grids(upright, level):
        if grid.is_table:
            found, spans = _table(grid, spans, links)
            made.extend(found)
        elif not grid.upright:
            alone.extend(grid.level)
    if len(alone) > 2:
        found, spans = ruled_tables(sorted(alone, reverse=True), spans, links)
        made.extend(found)
    return made, spans


def _merged(lines: list[Line]) -> list[Line]:
    """Lines, those on one another joined."""
    result: list[Line] = []
    open_lines: list[Line] = []
    for line in sorted(lines):
        for index, (place, start, end) in enumerate(open_lines):
            if line[0] - place <= THIN and line[1] <= end + _TOUCH and line[2] >= start - _TOUCH:
                open_lines[index] = (place, min(start, line[1]), max(end, line[2]))
                break
        else:
            result.extend(old for old in open_lines if line[0] - old[0] > THIN)
            open_lines = [old for old in open_lines if line[0] - old[0] <= THIN][-50:]
            open_lines.append(line)
    return sorted(result + open_lines)


def _grids(upright: list[Line], level: list[Line]) -> list[_Grid]:
    """Grids: lines that cross or touch belong together."""
    owner = list(range(len(upright) + len(level)))

    def root(index: int) -> int:
        while owner[index] != index:
            owner[index] = owner[owner[index]]
            index = owner[index]
        return index

    for i, (x, bottom, top) in enumerate(upright):
        for j, (y, left, right) in enumerate(level, len(upright)):
            if left - _TOUCH <= x <= right + _TOUCH and bottom - _TOUCH <= y <= top + _TOUCH:
                owner[root(i)] = root(j)
    grids: dict[int, _Grid] = {}
    for index, line in enumerate([*upright, *level]):
        grid = grids.setdefault(root(index), _Grid([], [], [], []))
        is_upright = index < len(upright)
        places = grid.xs if is_upright else grid.ys
        (grid.upright if is_upright else grid.level).append(line)
        if not places or line[0] - places[-1] > 2 * THIN:
            places.append(line[0])
    return list(grids.values())


def _table(grid: _Grid, spans: list[Span], links: list[tuple[Rect, str]]) -> tuple[list[Segment], list[Span]]:
    xs, ys = grid.xs, grid.ys
    rows: list[list[list[Span]]] = [[[] for _ in xs[1:]] for _ in ys[1:]]
    first = _first_of_merged(grid)
    outside: list[Span] = []
    for span in spans:
        column = bisect_right(xs, (span.x + span.end) / 2) - 1
        row = len(ys) - 1 - bisect_right(ys, span.y + 0.3 * span.size)
        if 0 <= column < len(xs) - 1 and 0 <= row < len(ys) - 1:
            row, column = first[row, column]
            rows[row][column].append(span)
        else:
            outside.append(span)
    cells = [[segments(cell, links) for cell in row] for row in rows if any(row)]
    filled = sum(sum(map(bool, row)) > 1 for row in cells)
    if filled < 2 or 2 * filled < len(rows):
        return [], spans
    return as_lines(cells, xs[0], xs[-1], [(low + high) / 2 for low, high in zip(ys, ys[1:])][::-1]), outside


def _first_of_merged(grid: _Grid) -> dict[Cell, Cell]:
    """For each cell the one at the left or above that no line parts it from, itself where there is none."""
    xs, ys = grid.xs, grid.ys
    last = len(ys) - 2
    has_left: set[Cell] = set()
    has_top: set[Cell] = set()
    for x, bottom, top in grid.upright:
        column = _nearest(xs, x)
        has_left.update((last - row, column) for row in _between(ys, bottom, top))
    for y, left, right in grid.level:
        row = last + 1 - _nearest(ys, y)
        has_top.update((row, column) for column in _between(xs, left, right))
    first: dict[Cell, Cell] = {}
    for row in range(last + 1):
        for column in range(len(xs) - 1):
            cell = row, column
            if column and cell not in has_left:
                first[cell] = first[row, column - 1]
            elif row and cell not in has_top:
                first[cell] = first[row - 1, column]
            else:
                first[cell] = cell
    return first


def _nearest(places: list[float], place: float) -> int:
    """The index of the last place that a line belongs to."""
    return max(0, bisect_right(places, place + THIN) - 1)


def _between(places: list[float], start: float, end: float) -> range:
    """Indexes of the spaces between places whose middle a line covers."""
    middles = [(low + high) / 2 for low, high in zip(places, places[1:])]
    return range(bisect_left(middles, start), bisect_right(middles, end))
