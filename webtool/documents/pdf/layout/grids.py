"""Tables that are drawn with lines. In: path operators; a page's spans. Out: thin Rects; Segments, the other spans.

Lines that touch make a grid; a grid with at least two rows and columns and text in them is a table, and each span goes
into the cell that its middle is in; of cells without a line between them, into the first. A table stands among the
page's segments as one line for each of its rows. Specification: ISO 32000-1 section 8.5 (paths).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from webtool.documents.pdf.layout.gutters import as_lines
from webtool.documents.pdf.layout.lines import Segment, segments
from webtool.documents.pdf.layout.ruled import ruled_tables
from webtool.documents.pdf.state import Matrix, Rect, Span
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

Line = tuple[float, float, float]  # place, from, to
Cell = tuple[int, int]

MAX_RULINGS = 20_000  # of one page, as they are painted
THIN = 3.0  # points: a filled rectangle no thicker than this is a line
_SHORTEST = 6.0
_MAX_POINTS = 20
_PATH = patterns.compile(
    rb"([-+.\d]{1,20})\s{1,9}([-+.\d]{1,20})(?:\s{1,9}([-+.\d]{1,20})\s{1,9}([-+.\d]{1,20}))?\s{1,9}(re|[ml])(?=\s|\Z)"
    rb"|(?<![^\s])([SsfFBbn]\*?)(?=\s|\Z)"
)
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


def painted(data: bytes, ctm: Matrix) -> list[Rect]:
    """The upright and level lines in a run of path operators (ISO 32000-1 section 8.5); clipping paints nothing."""
    if (ctm[1] or ctm[2]) and (ctm[0] or ctm[3]):
        return []
    found: list[Rect] = []
    boxes: list[Rect] = []
    lines: list[list[tuple[float, float]]] = []
    for match in _PATH.finditer(data):
        paint = match.group(6)
        if paint:
            if paint[:1] != b"n":
                found.extend(_rulings(boxes, lines, paint[:1] in b"SsBb"))
            boxes, lines = [], []
            continue
        try:
            numbers = [float(text) for text in match.groups()[:4] if text is not None]
        except ValueError:
            continue
        operator = match.group(5)
        if operator == b"re" and len(numbers) == 4:
            x, y, width, height = numbers
            boxes.append(_box([_moved(x, y, ctm), _moved(x + width, y + height, ctm)]))
        elif operator == b"m":
            lines.append([_moved(numbers[-2], numbers[-1], ctm)])
        elif operator == b"l" and lines and len(lines[-1]) < _MAX_POINTS:
            lines[-1].append(_moved(numbers[-2], numbers[-1], ctm))
    return found


def _moved(x: float, y: float, ctm: Matrix) -> tuple[float, float]:
    return x * ctm[0] + y * ctm[2] + ctm[4], x * ctm[1] + y * ctm[3] + ctm[5]


def _box(points: list[tuple[float, float]]) -> Rect:
    xs, ys = zip(*points)
    return min(xs), min(ys), max(xs), max(ys)


def _rulings(boxes: list[Rect], lines: list[list[tuple[float, float]]], is_stroke: bool) -> list[Rect]:
    """What painting a path leaves: thin shapes where it is filled, its sides where they are drawn."""
    candidates: list[Rect] = []
    for outer, box in zip([None, *boxes], boxes):
        is_frame = outer is not None and not is_stroke and _is_frame(outer, box)
        if is_frame or (is_stroke and not _is_thin(box)):
            left, bottom, right, top = box
            candidates.extend(((left, bottom, right, bottom), (left, top, right, top)))
            candidates.extend(((left, bottom, left, top), (right, bottom, right, top)))
        else:
            candidates.append(box)
    for points in lines:
        sides = zip(points, points[1:]) if is_stroke else [points]
        candidates.extend(_box(list(side)) for side in sides)
    return [line for line in candidates if _is_thin(line)]


def _is_frame(outer: Rect, inner: Rect) -> bool:
    """Whether there is only a thin frame between two boxes of one path: a border that is filled instead of drawn."""
    steps = (inner[0] - outer[0], inner[1] - outer[1], outer[2] - inner[2], outer[3] - inner[3])
    return max(steps) > 0 and all(-0.1 <= step <= THIN for step in steps)


def _is_thin(box: Rect) -> bool:
    width, height = box[2] - box[0], box[3] - box[1]
    return min(width, height) <= THIN and max(width, height) > _SHORTEST
