"""Define the values of the interpreter of content streams: matrices, spans, graphics state, marked content.

Specification: ISO 32000-1 sections 8.3 (coordinates), 8.4.1 and 9.3.1 (graphics and text state), 14.6 (marked content).
Tests: tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

from webtool.documents.pdf import fonts
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

Matrix = tuple[float, float, float, float, float, float]
Rect = tuple[float, float, float, float]  # left, bottom, right, top

UNTAGGED = -1  # the tag of text without an element in the structure tree
PAGINATION = -2  # the tag of text that the file marks as a running head or page number
ANNOTATION = -3  # the tag of text that an annotation shows, such as the value of a form field
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Span(NamedTuple):
    """Text that one operator shows. Coordinates are points, turned so that x runs along the text and y upwards."""

    x: float
    y: float  # of the baseline
    end: float
    size: float  # of the font
    text: str
    font: fonts.Font
    angle: int  # degrees by which the text is turned
    tag: int  # MCID in the structure tree, UNTAGGED, PAGINATION or ANNOTATION


class State:
    """The parts of the graphics state that text needs (sections 8.4.1 and 9.3.1)."""

    ctm = IDENTITY
    font: fonts.Font | None = None
    size = char_space = word_space = leading = rise = 0.0
    scale = alpha = 1.0
    mode = 0.0  # how text is rendered: 3 not at all, 7 as a clip (table 106)
    is_white = False  # the fill colour
    is_known_space = True  # the numbers of sc and scn are gray, RGB or CMYK
    clip: Rect | None = None  # the box around the visible area, None for the page

    def copy(self) -> State:
        """Return a copy, for the operator q."""
        other = State()
        other.__dict__.update(self.__dict__)
        return other


class Mark(NamedTuple):
    """A marked-content sequence (section 14.6)."""

    is_hidden: bool
    text: str | None  # ActualText, which replaces what is shown; None without it, "" once it was taken
    tag: int  # MCID in the structure tree, UNTAGGED or PAGINATION
    was_taken: bool = False  # whether a span has the ActualText: further glyphs only make that span wider


def matrix_of(operands: list[Any]) -> Matrix:
    """Return the last six operands as a matrix."""
    a, b, c, d, e, f = map(float, operands[-6:])
    return (a, b, c, d, e, f)


def multiply(first: Matrix, second: Matrix) -> Matrix:
    """Return the matrix that applies `first`, then `second`."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)
