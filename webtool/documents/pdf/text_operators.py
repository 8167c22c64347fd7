"""Operators that set the graphics and text state, place text and show it. In: operands. Out: Spans.

Specification: ISO 32000-1 sections 8.4 (graphics state), 9.3 (text state), 9.4 (text objects).
"""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, degrees, hypot

from webtool.documents.pdf import fonts
from webtool.documents.pdf.fonts.cmaps import as_shown
from webtool.documents.pdf.layout.lines import ACCENTS, MIN_WORD_GAP, accented
from webtool.documents.pdf.objects import Ref
from webtool.documents.pdf.objects.file import PdfFile
from webtool.documents.pdf.state import IDENTITY, Mark, Matrix, Span, State, multiply
from webtool.lean.typing import Any
from webtool.running.budget import Budget

_MAX_FONTS = 5000
MAX_STATES = 500  # nested q
# Ghostscript writes a space between two letters as character spacing; longer strings with much of it are letterspaced.
_SPACED_OUT = 3
_MAX_STRING = 32_767  # bytes of one string, annex C.2
_BACKWARDS = -0.15  # TeX shows an accent, goes back by so much at least, and shows its letter
_FAR_SPACE = 1.2  # of the font size
_NO_SPACE = 0.05  # of the font size
_FAR_GAP = 0.8  # a gap wider than this ends the span, so that columns can be distinguished


class TextOperators:
    """What text operators change; the interpreter of content streams carries out the others and calls these."""

    def __init__(self, file: PdfFile, budget: Budget) -> None:
        self._file = file
        self.budget = budget
        self._fonts: dict[Any, tuple[fonts.Font, Any]] = {}
        self._start_page()

    def _start_page(self) -> None:
        self.spans: list[Span] = []
        self.unseen = 0  # words on layers that are off
        self._state = State()
        self._states: list[State] = []
        self._marks: list[Mark] = []
        self._resources: dict[str, Any] = {}
        self._forms: list[int] = []  # that are being run, each inside of the one before
        self._floors = 0, 0  # how many states and marks there were when the innermost form began
        self._matrix: Matrix = IDENTITY
        self._line: Matrix = IDENTITY

    # Graphics state, section 8.4.4

    def save(self, _operands: list[Any]) -> None:
        if len(self._states) < MAX_STATES:
            self._states.append(self._state.copy())

    def restore(self, _operands: list[Any]) -> None:
        if len(self._states) > self._floors[0]:
            self._state = self._states.pop()

    def concatenate(self, operands: list[Any]) -> None:
        self._state.ctm = multiply(matrix_of(operands), self._state.ctm)

    def graphics_state(self, operands: list[Any]) -> None:
        attrs = self._file.dict_of(self._resource("ExtGState", operands[-1]))
        font = self._file.list_of(attrs.get("Font"))
        if len(font) == 2:
            self._state.font = self._font(font[0])
            self._state.size = float(self._file.resolve(font[1]))

    # Text state and positioning, sections 9.3 and 9.4.2

    def begin_text(self, _operands: list[Any]) -> None:
        self._matrix = self._line = IDENTITY

    def set_font(self, operands: list[Any]) -> None:
        self._state.size = float(operands[-1])
        self._state.font = self._font(self._resource("Font", operands[-2]))

    def move(self, operands: list[Any]) -> None:
        tx, ty = float(operands[-2]), float(operands[-1])
        a, b, c, d, e, f = self._line
        self._matrix = self._line = (a, b, c, d, tx * a + ty * c + e, tx * b + ty * d + f)

    def move_with_leading(self, operands: list[Any]) -> None:
        self._state.leading = -float(operands[-1])
        self.move(operands)

    def set_matrix(self, operands: list[Any]) -> None:
        self._matrix = self._line = matrix_of(operands)

    def next_line(self, _operands: list[Any]) -> None:
        self.move([0, -self._state.leading])

    # Showing text, section 9.4.3

    def show(self, operands: list[Any]) -> None:
        if type(operands[-1]) is bytes:
            self._show_items(operands[-1:])

    def show_on_next_line(self, operands: list[Any]) -> None:
        self.next_line(operands)
        self.show(operands)

    def show_with_spacing(self, operands: list[Any]) -> None:
        self._state.word_space = float(operands[-3])
        self._state.char_space = float(operands[-2])
        self.show_on_next_line(operands)

    def show_items(self, operands: list[Any]) -> None:
        if type(operands[-1]) is list:
            self._show_items(operands[-1])

    def _show_items(self, items: list[Any]) -> None:
        """Strings and the distances between them; a far one begins a new span."""
        state = self._state
        font = state.font
        if font is None:
            return
        parts: list[str] = []
        start = at = shown = gap = 0.0
        if state.word_space > _FAR_SPACE * abs(state.size) and font.cmap is None:
            items = self._apart(items, font)
        for item in items:
            if type(item) is bytes:
                text, width, count, spaces = font.measure(item[:_MAX_STRING])
                self.budget.take(len(text))
                if spaces and state.char_space < 0 and self._space(font) < _NO_SPACE:
                    text = text.replace(" ", "")  # Ghostscript goes back with it from one letter to the next
                if 1 < count <= _SPACED_OUT and state.char_space > MIN_WORD_GAP * abs(state.size):
                    text = text if count > 2 and text.isupper() else " ".join(text)
                if gap < _BACKWARDS and parts and parts[-1][-1:] in ACCENTS:
                    text = accented(text, (0,), parts[-1][-1])
                    parts[-1] = parts[-1][:-1]
                parts.append(text)
                gap = 0.0
                if font.is_vertical:
                    width = float(count)
                at += (width * state.size + count * state.char_space + spaces * state.word_space) * state.scale
                shown = at - min(state.char_space, 0.0) * state.scale
            elif type(item) in (int, float):
                shift = -item / 1000 * state.size * state.scale
                gap += shift / (abs(state.size * state.scale) or 1.0)
                at += shift
                if abs(gap) > _FAR_GAP or not parts:
                    self._emit(parts, start, shown)
                    parts = []
                    start = at
                elif gap > MIN_WORD_GAP and parts and not parts[-1].endswith(" "):
                    parts.append(" ")
        self._emit(parts, start, shown)
        self._advance(at)

    def _apart(self, items: list[Any], font: fonts.Font) -> list[Any]:
        """Items whose strings have distances for their spaces: these are so wide that they part the cells of a row."""
        space = self._space(font)
        parted: list[Any] = []
        for item in items:
            words = item[:_MAX_STRING].split(b" ") if type(item) is bytes else [item]
            parted.append(words[0])
            for word in words[1:]:
                parted.extend((-1000 * space, word))
        return parted

    def _space(self, font: fonts.Font) -> float:
        """The width of a space in units of the font size."""
        state = self._state
        return font.measure(b" ")[1] + (state.char_space + state.word_space) / (state.size or 1.0)

    def _advance(self, distance: float) -> None:
        a, b, c, d, e, f = self._matrix
        if self._state.font is not None and self._state.font.is_vertical:
            self._matrix = (a, b, c, d, e - distance * c, f - distance * d)
        else:
            self._matrix = (a, b, c, d, e + distance * a, f + distance * b)

    def _emit(self, parts: list[str], start: float, end: float) -> None:
        """Add what was shown between two distances from the current point, in the page's own directions."""
        text = "".join(parts)
        hidden, replacement, tag = self._mark()
        if replacement is not None:
            text = as_shown(replacement)
        font = self._state.font
        if hidden:
            self.unseen += len(text.split())
        if not text or hidden or font is None:
            return
        a, b, c, d, e, f = multiply(self._matrix, self._state.ctm)
        if self._state.size < 0:  # as if the text were turned around
            a, b, c, d, start, end = -a, -b, -c, -d, -start, -end
        size = abs(self._state.size) * (hypot(c, d) or hypot(a, b))
        rise = self._state.rise
        e, f = e + rise * c, f + rise * d
        if font.is_vertical:
            a, b = -c, -d
        length = hypot(a, b)
        if not 0.1 < size < 10000 or not length or not abs(end) < 1e6 or not abs(e) + abs(f) < 1e6:
            return
        angle = round(degrees(atan2(b, a))) % 360
        # Coordinates along and across the direction in which the text runs.
        along, across = (e * a + f * b) / length, (f * a - e * b) / length
        self.spans.append(Span(along + start * length, across, along + end * length, size, text, font, angle, tag))

    def _mark(self) -> tuple[bool, str | None, int]:
        """Whether marked content hides what is shown, what replaces it, and its number in the structure tree."""
        tag = -1
        replacement = None
        for at, mark in enumerate(self._marks):
            if mark.is_hidden:
                return True, None, -1
            if mark.tag != -1:
                tag = mark.tag
            if mark.text is not None:
                replacement = mark.text
                self._marks[at] = mark._replace(text="")  # the replacement stands once for the whole sequence
        return False, replacement, tag

    def _resource(self, kind: str, name: Any) -> Any:
        return self._file.dict_of(self._resources.get(kind)).get(name)

    def _font(self, reference: Any) -> fonts.Font | None:
        key = reference.number if type(reference) is Ref else id(reference)
        if key not in self._fonts and len(self._fonts) >= _MAX_FONTS:
            return fonts.Font("")
        if key not in self._fonts:
            attrs = self._file.dict_of(reference)
            if not attrs:
                return fonts.Font("")
            self._fonts[key] = (fonts.load(self._file, attrs), reference)  # kept, so that no other gets its id
        return self._fonts[key][0]


def setter(name: str, divisor: float = 1) -> Callable[[TextOperators, list[Any]], None]:
    """The operator that sets one number of the text state (section 9.3, table 105)."""

    def carry_out(operators: TextOperators, operands: list[Any]) -> None:
        setattr(operators._state, name, float(operands[-1]) / divisor)

    return carry_out


def matrix_of(operands: list[Any]) -> Matrix:
    """The matrix that six numbers are."""
    a, b, c, d, e, f = map(float, operands[-6:])
    return (a, b, c, d, e, f)
