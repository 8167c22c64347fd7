"""Tables that are drawn with lines. In: painted lines of a page, its spans. Out: tables as Segments, the other spans.

Lines that touch make a grid; a grid with at least two rows and columns and text in them is a table, and each span goes
into the cell that its middle is in. A table stands among the page's segments as one line for each of its rows.
"""

from __future__ import annotations

from bisect import bisect_right

from webtool import patterns
from webtool.documents.pdf.lines import Segment, segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from webtool.documents.pdf.lines import Rect
    from webtool.documents.pdf.state import Matrix, Span
else:
    from webtool.records import NamedTuple

MAX_RULINGS = 20_000  # of one page, as they are painted
_MAX_LINES = 300  # in one direction, once those on one another are one
_MAX_CELLS = 5000
_THIN = 3.0  # points: a filled rectangle no thicker than this is a line
_TOUCH = 3.0  # points between the ends of lines that touch all the same
_SHORTEST = 6.0
_MAX_POINTS = 20

_PATH = patterns.compile(
    rb"([-+.\d]{1,20})\s{1,9}([-+.\d]{1,20})(?:\s{1,9}([-+.\d]{1,20})\s{1,9}([-+.\d]{1,20}))?\s{1,9}(re|[ml])(?=\s|\Z)"
    rb"|(?<![^\s])([SsfFBbn]\*?)(?=\s|\Z)"
)


class Ruling(NamedTuple):
    """A painted line, upright or level: from (left, bottom) to (right, top)."""

    left: float
    bottom: float
    right: float
    top: float


def painted(data: bytes, ctm: Matrix) -> list[Ruling]:
    """The upright and level lines in a run of path operators (ISO 32000-1 section 8.5); clipping paints nothing."""
    if (ctm[1] or ctm[2]) and (ctm[0] or ctm[3]):
        return []
    found: list[Ruling] = []
    boxes: list[Ruling] = []
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


def _box(points: list[tuple[float, float]]) -> Ruling:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Ruling(min(xs), min(ys), max(xs), max(ys))


def _rulings(boxes: list[Ruling], lines: list[list[tuple[float, float]]], is_stroke: bool) -> list[Ruling]:
    """What painting a path leaves: thin shapes where it is filled, its sides where they are drawn."""
    candidates: list[Ruling] = []
    for box in boxes:
        if not is_stroke or _is_thin(box):
            candidates.append(box)
            continue
        left, bottom, right, top = box
        candidates.extend((Ruling(left, bottom, right, bottom), Ruling(left, top, right, top)))
        candidates.extend((Ruling(left, bottom, left, top), Ruling(right, bottom, right, top)))
    for points in lines:
        sides = zip(points, points[1:]) if is_stroke else [points]
        candidates.extend(_box(list(side)) for side in sides)
    return [line for line in candidates if _is_thin(line)]


def _is_thin(box: Ruling) -> bool:
    width, height = box.right - box.left, box.top - box.bottom
    return min(width, height) <= _THIN and max(width, height) > _SHORTEST


def tables(rulings: list[Ruling], spans: list[Span], links: list[tuple[Rect, str]]) -> tuple[list[Segment], list[Span]]:
    """Tables as segments, and the spans that are in none of them."""
    upright = _merged([(line.left, line.bottom, line.top) for line in rulings if line.right - line.left <= _THIN])
    level = _merged([(line.bottom, line.left, line.right) for line in rulings if line.right - line.left > _THIN])
    made: list[Segment] = []
    if 2 < len(upright) <= _MAX_LINES and 2 < len(level) <= _MAX_LINES:
        for columns, rows in _grids(upright, level):
            found, spans = _table(columns, rows, spans, links)
            made.extend(found)
    return made, spans


def _merged(lines: list[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """Lines as (place, from, to), those on one another joined."""
    result: list[tuple[float, float, float]] = []
    open_lines: list[tuple[float, float, float]] = []
    for line in sorted(lines):
        for index, (place, start, end) in enumerate(open_lines):
            if line[0] - place <= _THIN and line[1] <= end + _TOUCH and line[2] >= start - _TOUCH:
                open_lines[index] = (place, min(start, line[1]), max(end, line[2]))
                break
        else:
            result.extend(old for old in open_lines if line[0] - old[0] > _THIN)
            open_lines = [old for old in open_lines if line[0] - old[0] <= _THIN][-50:]
            open_lines.append(line)
    return sorted(result + open_lines)


def _grids(
    upright: list[tuple[float, float, float]], level: list[tuple[float, float, float]]
) -> list[tuple[list[float], list[float]]]:
    """Places of the upright and the level lines of each grid: lines that cross or touch belong together."""
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
    grids: dict[int, tuple[list[float], list[float]]] = {}
    for index in range(len(owner)):
        grid = grids.setdefault(root(index), ([], []))
        is_upright = index < len(upright)
        places = grid[0] if is_upright else grid[1]
        place = upright[index][0] if is_upright else level[index - len(upright)][0]
        if not places or place - places[-1] > 2 * _THIN:
            places.append(place)
    return [(xs, ys) for xs, ys in grids.values() if len(xs) > 2 and len(ys) > 2 and len(xs) * len(ys) <= _MAX_CELLS]


def _table(
    xs: list[float], ys: list[float], spans: list[Span], links: list[tuple[Rect, str]]
) -> tuple[list[Segment], list[Span]]:
    rows: list[list[list[Span]]] = [[[] for _ in xs[1:]] for _ in ys[1:]]
    outside: list[Span] = []
    for span in spans:
        column = bisect_right(xs, (span.x + span.end) / 2) - 1
        row = len(ys) - 1 - bisect_right(ys, span.y + 0.3 * span.size)
        if 0 <= column < len(xs) - 1 and 0 <= row < len(ys) - 1:
            rows[row][column].append(span)
        else:
            outside.append(span)
    filled = [row for row in rows if sum(1 for cell in row if cell) > 1]
    if len(filled) < 2 or 2 * len(filled) < len(rows):
        return [], spans
    cells = [[segments(cell, links) for cell in row] for row in rows if any(row)]
    size = next(segment.size for row in cells for cell in row for segment in cell)
    lines: list[Segment] = []
    for number in range(len(ys) - 1):
        y = (ys[len(ys) - 2 - number] + ys[len(ys) - 1 - number]) / 2
        lines.append(
            Segment(xs[0], y, xs[-1], size, [("\u00a0", "")], "", False, False, -1, cells if not number else [])
        )
    return lines, outside
