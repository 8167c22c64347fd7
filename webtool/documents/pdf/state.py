"""What the interpreter of content streams keeps: graphics state, marked content, spans.

Specification: ISO 32000-1 sections 8.3 (coordinates), 8.4.1 and 9.3.1 (graphics and text state), 14.6 (marked content).
"""

from __future__ import annotations

from webtool.documents.pdf import fonts
from webtool.lean.records import NamedTuple

Matrix = tuple[float, float, float, float, float, float]
Rect = tuple[float, float, float, float]  # left, bottom, right, top

PAGINATION = -2  # the tag of text that the file marks as a running head or a page number
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Span(NamedTuple):
    """Text shown in one go. Turned by `angle` degrees, so that x runs along the text and y upwards from it."""

    x: float
    y: float
    end: float
    size: float
    text: str
    font: fonts.Font
    angle: int
    tag: int


class State:
    """The graphics state, as far as text goes (sections 8.4.1 and 9.3.1)."""

    ctm = IDENTITY
    font: fonts.Font | None = None
    size = char_space = word_space = leading = rise = 0.0
    scale = 1.0

    def copy(self) -> State:
        other = State()
        other.__dict__.update(self.__dict__)
        return other


class Mark(NamedTuple):
    """A marked-content sequence (section 14.6). `text` replaces what is shown in it; None where nothing does.

    `tag` is the number of its content in the structure tree, PAGINATION, or -1.
    """

    is_hidden: bool
    text: str | None
    tag: int


def multiply(first: Matrix, second: Matrix) -> Matrix:
    """The matrix that applies `first`, then `second`."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)
