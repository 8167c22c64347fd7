"""Find white text on a white page. In: path operators, images and white spans of a page. Out: the unseen spans.

White letters are seen on a dark area or a picture. So a white span is unseen only if nothing but white was painted at
its place before. Areas are taken as the boxes around their paths, and colours in unknown spaces as dark: a doubt keeps
the text.
Specification: ISO 32000-1 sections 8.5 (paths), 8.6 (colours).
Tests: tests/documents/pdf/test_unseen_text.py
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from webtool.documents import unseen
from webtool.documents.pdf.rulings import box_around, transformed
from webtool.documents.pdf.state import Matrix, Rect
from webtool.lean import patterns

EVERYWHERE: Rect = (-1e9, -1e9, 1e9, 1e9)
MAX_PAINTINGS = 50_000  # of one page; with more, no white text counts as unseen
_MAX_COMPARISONS = 2_000_000  # of white spans with boxes; with more, no white text counts as unseen
_MAX_TAIL = 100_000  # bytes at the end of a run of operators that are searched for its last colour
_WHITE = {b"g": (1.0,), b"rg": (1.0, 1.0, 1.0), b"k": (0.0, 0.0, 0.0, 0.0)}
_BY_COUNT = {len(white): white for white in _WHITE.values()}
_COLOUR = patterns.compile(rb"((?:[-+.\d]+\s+){1,4})(rg|g|k|scn?)(?=\s|\Z)")
_OPERATION = patterns.compile(rb"((?:[-+.\d]+\s+){0,6})([A-Za-z]+\*?)")
# A rectangle that is the whole path, as a clip: `0 0 9 9 re W n`.
_CLIP = patterns.compile(rb"(?:\A\s*|(?<=[SsfFBbn*])\s+)((?:[-+.\d]+\s+){4})re\s+W\*?\s+n(?=\s|\Z)")


def is_white(operator: bytes, numbers: Sequence[bytes], is_known_space: bool) -> bool:
    """Return whether a colour operator sets white; False for sc and scn in a space whose numbers are not known."""
    white = _WHITE.get(operator)
    if white is None:
        white = _BY_COUNT.get(len(numbers)) if is_known_space else None
    try:
        values = [float(text) for text in numbers[-len(white or ()) :]]
    except ValueError:
        return False
    if white is None or len(values) < len(white):
        return False
    ink = [abs(value - target) for value, target in zip(values, white)]
    shade = f"{255 - min(255, round(255 * max(ink))):02x}"
    return bool(unseen.reason(f"#{shade * 3}", unseen.PAGE))


def last_colour(run: bytes, was_white: bool, is_known_space: bool) -> bool:
    """Return whether the fill colour is white after a run of path operators."""
    last = None
    for match in _COLOUR.finditer(run[-_MAX_TAIL:]):
        last = match
    return is_white(last.group(2), last.group(1).split(), is_known_space) if last else was_white


def clipped(clip: Rect | None, run: bytes, ctm: Matrix) -> Rect | None:
    """Return a clip after the rectangles with which a run of path operators clips; other paths clip nothing."""
    for match in _CLIP.finditer(run):
        x, y, width, height = map(float, match.group(1).split())
        box = box_around([transformed(x + w, y + h, ctm) for w in (0, width) for h in (0, height)])
        if clip is None:
            clip = box
        else:
            clip = (max(clip[0], box[0]), max(clip[1], box[1]), min(clip[2], box[2]), min(clip[3], box[3]))
    return clip


def _dark_boxes(run: bytes, ctm: Matrix, white: bool, is_known_space: bool) -> Iterator[Rect]:
    """Yield the boxes around the areas that a run of path operators fills with another colour than white."""
    points: list[tuple[float, float]] = []
    for match in _OPERATION.finditer(run):
        numbers, operator = match.group(1).split(), match.group(2)
        if operator in (b"g", b"rg", b"k", b"sc", b"scn"):
            white = is_white(operator, numbers, is_known_space)
        elif operator in (b"re", b"m", b"l", b"c", b"v", b"y"):
            try:
                values = [float(text) for text in numbers]
            except ValueError:
                continue
            if operator == b"re" and len(values) >= 4:
                x, y, width, height = values[-4:]
                values = [x, y, x + width, y + height, x + width, y, x, y + height]
            points.extend(transformed(x, y, ctm) for x, y in zip(values[::2], values[1::2]))
        elif operator[:1] in b"fFBbSsn":
            if points and operator[:1] in b"fFBb" and not white:
                yield box_around(points)
            points = []


class Grounds:
    """What one page has painted so far, and its white spans. The interpreter adds both in their order."""

    def __init__(self) -> None:
        self._paintings: list[tuple[bytes, int, int, Matrix, bool, bool] | Rect] = []
        self._white: list[tuple[int, float, float, int]] = []  # number of a span, its place, paintings before it

    def add_path(self, run: tuple[bytes, int, int], ctm: Matrix, white: bool, is_known_space: bool) -> None:
        """Add a run of path operators, given as data, start and end. It is read only if the page has white text."""
        if len(self._paintings) < MAX_PAINTINGS:
            self._paintings.append((*run, ctm, white, is_known_space))

    def add_image(self, ctm: Matrix) -> None:
        """Add an image, which fills the unit square."""
        self.add_box(box_around([transformed(x, y, ctm) for x in (0, 1) for y in (0, 1)]))

    def add_box(self, box: Rect) -> None:
        """Add a painted area."""
        if len(self._paintings) < MAX_PAINTINGS:
            self._paintings.append(box)

    def add_white(self, number: int, x: float, y: float) -> None:
        """Add a white span by its number and its middle."""
        self._white.append((number, x, y, len(self._paintings)))

    def unseen(self) -> set[int]:
        """Return the numbers of the white spans that have nothing dark behind them."""
        if not self._white or len(self._paintings) >= MAX_PAINTINGS:
            return set()
        boxes: list[tuple[int, Rect]] = []
        for number, painting in enumerate(self._paintings):
            if len(painting) == 4:
                boxes.append((number, painting))
            else:
                data, start, end, ctm, white, is_known_space = painting
                boxes.extend((number, box) for box in _dark_boxes(data[start:end], ctm, white, is_known_space))
            if len(boxes) * len(self._white) > _MAX_COMPARISONS:
                return set()
        return {
            number
            for number, x, y, before in self._white
            if not any(b[0] <= x <= b[2] and b[1] <= y <= b[3] for order, b in boxes if order < before)
        }
