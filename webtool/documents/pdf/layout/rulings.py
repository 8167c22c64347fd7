"""Lines that a page paints, upright and level ones. In: path operators. Out: thin Rects, for grids.py.

Specification: ISO 32000-1 section 8.5.
"""

from __future__ import annotations

from webtool.documents.pdf.state import Matrix, Rect
from webtool.lean import patterns

MAX_RULINGS = 20_000  # of one page, as they are painted
THIN = 3.0  # points: a filled rectangle no thicker than this is a line
_SHORTEST = 6.0
_MAX_POINTS = 20

_PATH = patterns.compile(
    rb"([-+.\d]{1,20})\s{1,9}([-+.\d]{1,20})(?:\s{1,9}([-+.\d]{1,20})\s{1,9}([-+.\d]{1,20}))?\s{1,9}(re|[ml])(?=\s|\Z)"
    rb"|(?<![^\s])([SsfFBbn]\*?)(?=\s|\Z)"
)


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
        is_frame = outer is not None and not is_stroke and (_is_frame(outer, box) or _is_frame(box, outer))
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
