"""Read runs of path operators: the lines and bullets that a page draws, and white text that nobody sees.

In: runs of path operators, images and white spans of a page. Out: rulings, dots, and the spans that nobody sees.

A run is a slice of the page's bytes that the interpreter hands over without parsing it. `1 g 0 0 9 9 re f 0 g` sets
white, paints a box and sets black. With each run come the matrix from its coordinates to the page's (`ctm`), whether
the fill colour is white before it (`was_white`), and whether the colour space is grey, RGB or CMYK (`is_known_space`).

A ruling is an upright or level line, or a filled rectangle as thin as one. layout/tables.py makes tables of rulings. A
dot is a disc, circle or square as small as the bullet of a list item, which browsers draw. Other curves, slanted lines
and filled areas are ignored.

A span is a run of letters that the page draws at once. A white span can be read on a dark area or on a picture. So it
is unseen if every area that was painted there before it is white. In doubt the text is kept: an area counts as the
whole box around its path, and a colour counts as dark if its colour space is not known. Runs are searched for areas at
the end of a page, and only if it has white spans.
Specification: ISO 32000-1 sections 8.5 (paths), 8.6 (colours).
Tests: tests/documents/pdf/test_layout.py, tests/documents/pdf/test_unseen_text.py
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webtool.documents import unseen
from webtool.documents.pdf.state import Matrix, Rect
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

Point = tuple[float, float]

MAX_RULINGS = 20_000  # of one page; later ones are ignored
MAX_THICKNESS = 3.0  # points of a filled rectangle that is a line
_MIN_LENGTH = 6.0  # points; shorter lines are parts of signs and pictures
MAX_DOTS = 5000  # of one page; later ones are ignored
_MIN_DOT, _MAX_DOT = 1.5, 10.0  # points; width and height of a dot
_MAX_DOT_DIFFERENCE = 0.2  # share of the height; a dot is about as wide as high
_MAX_DISC_RUN = 4000  # bytes of a run with curves that is searched for dots; a longer one is a drawing
_MAX_SQUARE_RUN = 100  # bytes of a run without curves that is searched for dots; a longer one is a table
_MAX_POINTS = 20  # of one polyline; later ones are ignored
EVERYWHERE: Rect = (-1e9, -1e9, 1e9, 1e9)
MAX_PAINTINGS = 50_000  # runs, images and areas of one page; on a page with more, no white text counts as unseen
_MAX_COMPARISONS = 2_000_000  # of white spans with boxes; with more, no white text counts as unseen
_MAX_TAIL = 100_000  # bytes at the end of a run of operators that are searched for its last colour
# The numbers that mean white before each colour operator: grey, RGB and CMYK (no ink).
_WHITE = {b"g": (1.0,), b"rg": (1.0, 1.0, 1.0), b"k": (0.0, 0.0, 0.0, 0.0)}
_WHITE_BY_COUNT = {len(white): white for white in _WHITE.values()}  # for `sc` and `scn`, which take 1, 3 or 4 numbers
_NUMBER = r"(?<![-+.\d])[-+.\d]+\s+"  # a whole one: from inside a number of 90,000 digits no search begins
_COLOUR = patterns.compile(rf"((?:{_NUMBER}){{1,4}})(rg|g|k|scn?)(?=\s|\Z)".encode())  # "1 0 0 rg"
_OPERATION = patterns.compile(rf"((?:{_NUMBER}){{0,6}})([A-Za-z]+\*?)".encode())  # "0 0 9 9 re", "f*"
_PAINTING = (b"S", b"s", b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"n")
# A path that is one rectangle and is used as a clip: `0 0 9 9 re W n`.
_CLIP = patterns.compile(rb"(?:\A\s*|(?<=[SsfFBbn*])\s+)((?:[-+.\d]+\s+){4})re\s+W\*?\s+n(?=\s|\Z)")


def rulings(data: bytes, ctm: Matrix) -> list[Rect]:
    """Return the rulings that a run paints; [] under a matrix that slants."""
    is_upright, is_quarter_turned = not (ctm[1] or ctm[2]), not (ctm[0] or ctm[3])
    if not is_upright and not is_quarter_turned:
        return []
    result: list[Rect] = []
    boxes: list[Rect] = []
    polylines: list[list[Point]] = []
    for match in _OPERATION.finditer(data):
        operator = match.group(2)
        if operator in _PAINTING:
            if operator != b"n":  # n ends a path without painting it
                result.extend(_painted(boxes, polylines, is_stroke=operator[:1] in b"SsBb"))
            boxes, polylines = [], []
        elif operator == b"re":
            box = _numbers(match.group(1).split()[-4:])
            if len(box) == 4:
                x, y, width, height = box
                boxes.append(box_around([transformed(x, y, ctm), transformed(x + width, y + height, ctm)]))
        elif operator in (b"m", b"l"):
            point = _numbers(match.group(1).split()[-2:])
            if len(point) == 2 and operator == b"m":
                polylines.append([transformed(point[0], point[1], ctm)])
            elif len(point) == 2 and polylines and len(polylines[-1]) < _MAX_POINTS:
                polylines[-1].append(transformed(point[0], point[1], ctm))
    return result


def _numbers(texts: Sequence[bytes]) -> list[float]:
    """Return the values of numbers; [] if one is malformed, such as 9-9."""
    try:
        return list(map(float, texts))
    except ValueError:
        return []


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
    for outer, box in zip([None, *boxes], boxes):  # each box after the one before it: a frame is two boxes
        is_frame = outer is not None and not is_stroke and _is_frame(outer, box)
        if is_frame or (is_stroke and not _is_thin(box)):
            left, bottom, right, top = box
            candidates.extend(((left, bottom, right, bottom), (left, top, right, top)))
            candidates.extend(((left, bottom, left, top), (right, bottom, right, top)))
        else:
            candidates.append(box)
    for points in polylines:
        sides = zip(points, points[1:]) if is_stroke else [points]  # stroked: each side; filled: the outline
        candidates.extend(box_around(list(side)) for side in sides)
    return [line for line in candidates if _is_thin(line)]


def _is_frame(outer: Rect, inner: Rect) -> bool:
    """Return whether two boxes of a filled path leave only a thin frame: a border that is filled, not stroked."""
    widths = (inner[0] - outer[0], inner[1] - outer[1], outer[2] - inner[2], outer[3] - inner[3])  # of the four sides
    return max(widths) > 0 and all(-0.1 <= width <= MAX_THICKNESS for width in widths)


def _is_thin(box: Rect) -> bool:
    width, height = box[2] - box[0], box[3] - box[1]
    return min(width, height) <= MAX_THICKNESS and max(width, height) > _MIN_LENGTH


def dots(run: bytes, ctm: Matrix, was_white: bool, is_known_space: bool) -> Iterator[Rect]:
    """Yield the boxes of the dots that a run fills or draws in another colour than white."""
    has_curves = b" c" in run
    if len(run) > (_MAX_DISC_RUN if has_curves else _MAX_SQUARE_RUN):
        return
    for box in _dark_boxes(run, ctm, was_white, is_known_space, with_lines=True):
        width, height = box[2] - box[0], box[3] - box[1]
        if _MIN_DOT <= height <= _MAX_DOT and abs(width - height) <= _MAX_DOT_DIFFERENCE * height:
            yield box


# White text


def _sets_white(operator: bytes, numbers: Sequence[bytes], is_known_space: bool) -> bool:
    """Return whether an operator sets white or nearly white; sc and scn never do if the space is unknown."""
    white = _WHITE.get(operator)
    if white is None and is_known_space:
        white = _WHITE_BY_COUNT.get(len(numbers))
    if white is None:
        return False
    values = _numbers(numbers[-len(white) :])
    if len(values) < len(white):
        return False
    darkness = min(1.0, max(abs(value - target) for value, target in zip(values, white)))
    shade = f"{255 - round(255 * darkness):02x}"  # "ff" is white
    return bool(unseen.reason(f"#{shade * 3}", unseen.PAGE))


def ends_white(run: bytes, was_white: bool, is_known_space: bool) -> bool:
    """Return whether the fill colour is white after a run."""
    last = None
    for match in _COLOUR.finditer(run[-_MAX_TAIL:]):
        last = match
    return _sets_white(last.group(2), last.group(1).split(), is_known_space) if last else was_white


def clipped(clip: Rect | None, run: bytes, ctm: Matrix) -> Rect | None:
    """Return a clip (None is the whole page) after a run: cut by each rectangle of _CLIP, not by other shapes."""
    for match in _CLIP.finditer(run):
        numbers = _numbers(match.group(1).split())
        if not numbers:
            continue
        x, y, width, height = numbers
        box = box_around([transformed(x + w, y + h, ctm) for w in (0, width) for h in (0, height)])
        if clip is None:
            clip = box
        else:
            clip = (max(clip[0], box[0]), max(clip[1], box[1]), min(clip[2], box[2]), min(clip[3], box[3]))
    return clip


def _dark_boxes(
    run: bytes, ctm: Matrix, was_white: bool, is_known_space: bool, *, with_lines: bool = False
) -> Iterator[Rect]:
    """Yield the boxes around the areas that a run fills with another colour than white.

    `with_lines` takes paths that are drawn as lines (S, B) as well, whatever colour fills them. Lines count as black
    until the run sets their colour.
    """
    is_white, has_white_lines = was_white, False
    points: list[Point] = []  # corners and curve points of the current path, on the page
    for match in _OPERATION.finditer(run):
        numbers, operator = match.group(1).split(), match.group(2)
        if operator in (b"g", b"rg", b"k", b"sc", b"scn"):
            is_white = _sets_white(operator, numbers, is_known_space)
        elif operator in (b"G", b"RG", b"K", b"SC", b"SCN"):
            has_white_lines = _sets_white(operator.lower(), numbers, is_known_space)
        elif operator in (b"re", b"m", b"l", b"c", b"v", b"y"):
            values = _numbers(numbers)
            if operator == b"re" and len(values) >= 4:
                x, y, width, height = values[-4:]
                values = [x, y, x + width, y + height, x + width, y, x, y + height]
            points.extend(transformed(x, y, ctm) for x, y in zip(values[::2], values[1::2]))
        elif operator[:1] in b"fFBbSsn":
            is_filled = operator[:1] in b"fFBb" and not is_white
            is_stroked = with_lines and operator[:1] in b"SsBb" and not has_white_lines
            if points and (is_filled or is_stroked):
                yield box_around(points)
            points = []


class _Run(NamedTuple):
    """A run, data[start:end], with the state before it. See the module's docstring for the last three fields."""

    data: bytes
    start: int
    end: int
    ctm: Matrix
    was_white: bool
    is_known_space: bool


class _WhiteSpan(NamedTuple):
    number: int  # index among the page's spans
    x: float  # of its middle
    y: float
    paintings_before: int  # how many paintings came before it; only these can be its background


class Backgrounds:
    """The paintings of one page and its white spans. The interpreter adds both in the order of the page."""

    def __init__(self) -> None:
        self._paintings: list[_Run | Rect] = []
        self._white: list[_WhiteSpan] = []

    def add_path(self, run: tuple[bytes, int, int], ctm: Matrix, was_white: bool, is_known_space: bool) -> None:
        """Add a run, given as data, start and end."""
        if len(self._paintings) < MAX_PAINTINGS:
            self._paintings.append(_Run(*run, ctm, was_white, is_known_space))

    def add_image(self, ctm: Matrix) -> None:
        """Add an image, which fills the unit square of its coordinates."""
        self.add_box(box_around([transformed(x, y, ctm) for x in (0, 1) for y in (0, 1)]))

    def add_box(self, box: Rect) -> None:
        """Add an area that counts as dark."""
        if len(self._paintings) < MAX_PAINTINGS:
            self._paintings.append(box)

    def add_white(self, number: int, x: float, y: float) -> None:
        """Add a white span by its index among the page's spans and its middle."""
        self._white.append(_WhiteSpan(number, x, y, len(self._paintings)))

    def unseen(self) -> set[int]:
        """Return the numbers of the white spans without a dark background."""
        if not self._white or len(self._paintings) >= MAX_PAINTINGS:
            return set()
        boxes: list[tuple[int, Rect]] = []  # dark boxes, each with the index of its painting
        for index, painting in enumerate(self._paintings):
            if isinstance(painting, _Run):
                data, start, end, ctm, was_white, is_known_space = painting
                boxes.extend((index, box) for box in _dark_boxes(data[start:end], ctm, was_white, is_known_space))
            else:
                boxes.append((index, painting))
            if len(boxes) * len(self._white) > _MAX_COMPARISONS:
                return set()
        return {
            span.number
            for span in self._white
            if not any(
                left <= span.x <= right and bottom <= span.y <= top
                for index, (left, bottom, right, top) in boxes
                if index < span.paintings_before
            )
        }
