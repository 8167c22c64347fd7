"""Find the lines that a page draws: edges of tables. In: path operators and the current matrix. Out: thin Rects.

A ruling is an upright or level line, or a filled rectangle as thin as one. Curves, slanted lines and filled areas are
ignored. layout/tables.py makes tables of rulings.
Specification: ISO 32000-1 section 8.5 (paths).
Tests: tests/documents/pdf/test_layout.py
"""

from __future__ import annotations

from webtool.documents.pdf.state import Matrix, Rect
from webtool.lean import patterns

Point = tuple[float, float]

MAX_RULINGS = 20_000  # of one page; later ones are ignored
MAX_THICKNESS = 3.0  # points of a filled rectangle that is a line
_MIN_LENGTH = 6.0  # points; shorter lines are parts of signs and pictures
_MAX_POINTS = 20  # of one polyline; later ones are ignored
# Groups: up to four numbers, then re, m or l; or a painting operator.
_PATH = patterns.compile(
    rb"([-+.\d]{1,20})\s{1,9}([-+.\d]{1,20})(?:\s{1,9}([-+.\d]{1,20})\s{1,9}([-+.\d]{1,20}))?\s{1,9}(re|[ml])(?=\s|\Z)"
    rb"|(?<![^\s])([SsfFBbn]\*?)(?=\s|\Z)"
)


def rulings(data: bytes, ctm: Matrix) -> list[Rect]:
    """Return the rulings that a run of path operators paints; [] under a matrix that slants."""
    if (ctm[1] or ctm[2]) and (ctm[0] or ctm[3]):
        return []
    result: list[Rect] = []
    boxes: list[Rect] = []
    polylines: list[list[Point]] = []
    for match in _PATH.finditer(data):
        paint = match.group(6)
        if paint:
            if paint[:1] != b"n":  # which only clips
                result.extend(_painted(boxes, polylines, is_stroke=paint[:1] in b"SsBb"))
            boxes, polylines = [], []
            continue
        try:
            numbers = [float(text) for text in match.groups()[:4] if text is not None]
        except ValueError:
            continue
        operator = match.group(5)
        if operator == b"re" and len(numbers) == 4:
            x, y, width, height = numbers
            boxes.append(box_around([transformed(x, y, ctm), transformed(x + width, y + height, ctm)]))
        elif operator == b"m":
            polylines.append([transformed(numbers[-2], numbers[-1], ctm)])
        elif operator == b"l" and polylines and len(polylines[-1]) < _MAX_POINTS:
            polylines[-1].append(transformed(numbers[-2], numbers[-1], ctm))
    return result


def transformed(x: float, y: float, ctm: Matrix) -> Point:
    """Return a point in the coordinates of the page."""
    return x * ctm[0] + y * ctm[2] + ctm[4], x * ctm[1] + y * ctm[3] + ctm[5]


def box_around(points: list[Point]) -> Rect:
    """Return the rectangle around points."""
    xs, ys = zip(*points)
    return min(xs), min(ys), max(xs), max(ys)


def _painted(boxes: list[Rect], polylines: list[list[Point]], is_stroke: bool) -> list[Rect]:
    """Return the rulings of a path: its sides if it is stroked, itself if it is filled and thin."""
    candidates: list[Rect] = []
    for outer, box in zip([None, *boxes], boxes):
        is_frame = outer is not None and not is_stroke and _is_frame(outer, box)
        if is_frame or (is_stroke and not _is_thin(box)):
            left, bottom, right, top = box
            candidates.extend(((left, bottom, right, bottom), (left, top, right, top)))
            candidates.extend(((left, bottom, left, top), (right, bottom, right, top)))
        else:
            candidates.append(box)
    for points in polylines:
        sides = zip(points, points[1:]) if is_stroke else [points]
        candidates.extend(box_around(list(side)) for side in sides)
    return [line for line in candidates if _is_thin(line)]


def _is_frame(outer: Rect, inner: Rect) -> bool:
    """Return whether two boxes of a filled path leave only a thin frame: a border that is filled, not stroked."""
    steps = (inner[0] - outer[0], inner[1] - outer[1], outer[2] - inner[2], outer[3] - inner[3])
    return max(steps) > 0 and all(-0.1 <= step <= MAX_THICKNESS for step in steps)


def _is_thin(box: Rect) -> bool:
    width, height = box[2] - box[0], box[3] - box[1]
    return min(width, height) <= MAX_THICKNESS and max(width, height) > _MIN_LENGTH
