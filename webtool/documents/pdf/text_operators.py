"""Carry out the operators that place and show text. In: the operands of operators. Out: Spans.

Each operator is a method that takes the list of operands. Missing or wrong operands raise exceptions, which the
interpreter ignores. Glyphs are measured to find where text ends and where a gap between two strings is a space.
Distances are multiples of the font size unless they say otherwise.
Specification: ISO 32000-1 sections 8.4 (graphics state), 9.3 (text state), 9.4 (text objects).
Tests: tests/documents/pdf/test_layout.py, tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, degrees, hypot

from webtool.documents import unseen
from webtool.documents.pdf import fonts
from webtool.documents.pdf.fonts.cmaps import as_shown
from webtool.documents.pdf.layout import ACCENTS, MIN_WORD_GAP, accented
from webtool.documents.pdf.objects import Ref
from webtool.documents.pdf.objects.file import PdfFile
from webtool.documents.pdf.paths import Backgrounds
from webtool.documents.pdf.state import IDENTITY, UNTAGGED, Mark, Matrix, Rect, Span, State, matrix_of, multiply
from webtool.lean.typing import Any
from webtool.running.budget import Budget

_MAX_FONTS = 5000  # of one file; later ones show no text
MAX_STATES = 500  # nested q operators; deeper ones are ignored
# Ghostscript writes a space between two letters as character spacing. Longer strings with such spacing are headings.
_MAX_SPACED_STRING = 3
_MAX_STRING = 32_767  # bytes of one string, the rest is ignored; annex C.2
_MAX_ACCENT_STEP = -0.15  # TeX shows an accent, goes back at least this far, and shows the letter below it
_MIN_CELL_SPACE = 1.2  # word spacing that separates the cells of a row
_MAX_NO_SPACE = 0.05  # total width of a space that separates nothing
_MIN_CLIP = 0.5  # points; a clip that is lower or narrower shows no text
_FILLING_MODES = (0, 4)  # render modes (table 106) that only fill the letters
_INVISIBLE_MODES = (3, 7)  # render modes that paint nothing
_MIN_FAR_GAP = 0.8  # a wider gap ends the span, so that columns can be found


Line = tuple[float, float, float, float]  # x and y of its two ends


class TextOperators:
    """The operators for text and graphics state. The interpreter, a subclass, calls them and has all others."""

    def __init__(self, file: PdfFile, budget: Budget) -> None:
        self._file = file
        self.budget = budget
        self._fonts: dict[Any, tuple[fonts.Font, Any]] = {}  # each with its object, so that the id stays taken
        self._start_page()

    def _start_page(self) -> None:
        """Reset all state for a new page."""
        self.spans: list[Span] = []
        self.hidden: dict[str, int] = {}  # words that are not seen, by reason
        self._backgrounds = Backgrounds()
        self._invisible: list[int] = []  # numbers of spans in an invisible mode
        self._replaced = -1  # number of the last span whose text is an ActualText
        self._state = State()
        self._states: list[State] = []  # saved by the innermost form
        self._unsaved = 0  # open q operators that were ignored
        self._marks: list[Mark] = []
        self._ignored_marks = 0  # open ones that are nested too deep
        self._outer_marks = 0  # number of marks from outside of the innermost form, which it may not end
        self._resources: dict[str, Any] = {}
        self._forms: list[int] = []  # ids of the running forms, innermost last
        self._matrix: Matrix = IDENTITY  # text matrix
        self._line: Matrix = IDENTITY  # text line matrix

    # Graphics state, section 8.4.4

    def save(self, _operands: list[Any]) -> None:
        """q: save the graphics state."""
        if len(self._states) < MAX_STATES:
            self._states.append(self._state.copy())
        else:
            self._unsaved += 1

    def restore(self, _operands: list[Any]) -> None:
        """Q: restore the graphics state."""
        if self._unsaved:
            self._unsaved -= 1
        elif self._states:
            self._state = self._states.pop()

    def concatenate(self, operands: list[Any]) -> None:
        """cm: change the transformation matrix."""
        self._state.ctm = multiply(matrix_of(operands), self._state.ctm)

    def graphics_state(self, operands: list[Any]) -> None:
        """gs: set the font and the opacity of a graphics state dictionary."""
        attrs = self._file.dict_of(self._resource("ExtGState", operands[-1]))
        alpha = self._file.resolve(attrs.get("ca"))
        if type(alpha) in (int, float):
            self._state.alpha = float(alpha)
        font = self._file.list_of(attrs.get("Font"))
        if len(font) == 2:
            self._state.font = self._font(font[0])
            self._state.size = float(self._file.resolve(font[1]))

    # Text state and positioning, sections 9.3 and 9.4.2

    def begin_text(self, _operands: list[Any]) -> None:
        """BT: reset the text matrices."""
        self._matrix = self._line = IDENTITY

    def set_font(self, operands: list[Any]) -> None:
        """Tf: set font and size."""
        self._state.size = float(operands[-1])
        self._state.font = self._font(self._resource("Font", operands[-2]))

    def move(self, operands: list[Any]) -> None:
        """Td: move to the start of the next line."""
        tx, ty = float(operands[-2]), float(operands[-1])
        a, b, c, d, e, f = self._line
        self._matrix = self._line = (a, b, c, d, tx * a + ty * c + e, tx * b + ty * d + f)

    def move_with_leading(self, operands: list[Any]) -> None:
        """TD: move to the next line and set the leading."""
        self._state.leading = -float(operands[-1])
        self.move(operands)

    def set_matrix(self, operands: list[Any]) -> None:
        """Tm: set the text matrices."""
        self._matrix = self._line = matrix_of(operands)

    def next_line(self, _operands: list[Any]) -> None:
        """T*: move to the next line by the leading."""
        self.move([0, -self._state.leading])

    # Showing text, section 9.4.3

    def show(self, operands: list[Any]) -> None:
        """Tj: show a string."""
        if type(operands[-1]) is bytes:
            self._show_items(operands[-1:])

    def show_on_next_line(self, operands: list[Any]) -> None:
        """': move to the next line and show a string."""
        self.next_line(operands)
        self.show(operands)

    def show_with_spacing(self, operands: list[Any]) -> None:
        """ ": set the spacing, move to the next line and show a string."""
        self._state.word_space = float(operands[-3])
        self._state.char_space = float(operands[-2])
        self.show_on_next_line(operands)

    def show_items(self, operands: list[Any]) -> None:
        """TJ: show strings with distances between them."""
        if type(operands[-1]) is list:
            self._show_items(operands[-1])

    def _show_items(self, items: list[Any]) -> None:
        """Show strings and distances, which are thousandths of the font size. A far distance ends the span.

        A gap between two strings becomes a space. The text position moves to the end. Raises Spent.
        """
        state = self._state
        font = state.font
        if font is None:
            return
        parts: list[str] = []  # of the span
        start = shown_end = 0.0  # distances from the text position to both ends of the span
        position = 0.0  # distance from the text position to the next glyph
        gap = 0.0  # since the last string, in font sizes
        if state.word_space > _MIN_CELL_SPACE * abs(state.size) and font.cmap is None:
            items = self._split_at_spaces(items, font)
        for item in items:
            if type(item) is bytes:
                text, width, count, spaces = font.measure(item[:_MAX_STRING])
                self.budget.take(len(text))
                text = self._with_spaces_as_seen(text, count, spaces, font)
                if gap < _MAX_ACCENT_STEP and parts and parts[-1][-1:] in ACCENTS:
                    text = accented(text, (0,), parts[-1][-1])
                    parts[-1] = parts[-1][:-1]
                parts.append(text)
                gap = 0.0
                if font.is_vertical:
                    width = float(count)
                position += (width * state.size + count * state.char_space + spaces * state.word_space) * state.scale
                shown_end = position - min(state.char_space, 0.0) * state.scale
            elif type(item) in (int, float):
                shift = -item / 1000 * state.size * state.scale
                gap += shift / (abs(state.size * state.scale) or 1.0)
                position += shift
                if abs(gap) > _MIN_FAR_GAP or not parts:
                    if parts:
                        self._emit(parts, start, shown_end)
                    parts = []
                    start = position
                elif gap > MIN_WORD_GAP and parts and not parts[-1].endswith(" "):
                    parts.append(" ")
        if parts:
            self._emit(parts, start, shown_end)
        self._advance(position)

    def _with_spaces_as_seen(self, text: str, count: int, spaces: int, font: fonts.Font) -> str:
        """Return a string's text without spaces that have no width, and with spaces for wide letter spacing.

        Ghostscript writes both: it moves back over a space between two letters, and puts a space between two letters by
        spacing them. A capitalised string of three or more letters is letterspaced, so it stays one word.
        """
        state = self._state
        if spaces and state.char_space < 0 and self._width_of_space(font) < _MAX_NO_SPACE:
            text = text.replace(" ", "")
        if 1 < count <= _MAX_SPACED_STRING and state.char_space > MIN_WORD_GAP * abs(state.size):
            text = text if count > 2 and text.isupper() else " ".join(text)
        return text

    def _split_at_spaces(self, items: list[Any], font: fonts.Font) -> list[Any]:
        """Replace the spaces of strings by distances: they are so wide that they separate the cells of a row."""
        space = self._width_of_space(font)
        result: list[Any] = []
        for item in items:
            words = item[:_MAX_STRING].split(b" ") if type(item) is bytes else [item]
            result.append(words[0])
            for word in words[1:]:
                result.extend((-1000 * space, word))
        return result

    def _width_of_space(self, font: fonts.Font) -> float:
        """Return how far a space moves the text, in font sizes."""
        state = self._state
        _text, width, _count, _spaces = font.measure(b" ")
        return width + (state.char_space + state.word_space) / (state.size or 1.0)

    def _advance(self, distance: float) -> None:
        a, b, c, d, e, f = self._matrix
        if self._state.font is not None and self._state.font.is_vertical:
            self._matrix = (a, b, c, d, e - distance * c, f - distance * d)
        else:
            self._matrix = (a, b, c, d, e + distance * a, f + distance * b)

    def _emit(self, parts: list[str], start: float, end: float) -> None:
        """Append a span for text between two distances from the text position; hidden text is only counted."""
        text = "".join(parts)
        mark = self._take_mark()
        if mark.text is not None:
            text = as_shown(mark.text)
        font = self._state.font
        state = self._state
        if mark.is_hidden:
            self.hide(text, unseen.OUTSIDE)
            return
        if font is None or not (text or mark.was_taken):
            return
        # (a, b) is the direction of the text, (c, d) the upward direction of its letters, (x, y) the text position.
        a, b, c, d, x, y = multiply(self._matrix, state.ctm)
        if state.size < 0:  # the same as text turned by 180 degrees
            a, b, c, d, start, end = -a, -b, -c, -d, -start, -end
        height = hypot(c, d)
        size = abs(state.size) * (height or hypot(a, b))
        x, y = x + state.rise * c, y + state.rise * d
        stretch = state.scale * hypot(a, b) / height if height else 1.0
        if font.is_vertical:
            a, b, stretch = -c, -d, 1.0
        length = hypot(a, b)
        is_on_paper = size < 10000 and abs(end) < 1e6 and abs(x) + abs(y) < 1e6  # False for "not a number", too
        if not length or not is_on_paper:
            return
        ends = (x + start * a, y + start * b, x + end * a, y + end * b)
        reason = self._reason_unseen(ends, size, abs(stretch))
        if reason:
            self.hide(text, reason)
            return
        angle = round(degrees(atan2(b, a))) % 360
        # Coordinates along and across the direction of the text.
        along, across = (x * a + y * b) / length, (y * a - x * b) / length
        if mark.was_taken:
            self._widen_last(along + end * length, across, angle)
            return
        if state.is_white and state.mode in _FILLING_MODES:
            self._backgrounds.add_white(len(self.spans), (ends[0] + ends[2]) / 2, (ends[1] + ends[3]) / 2)
        if state.mode in _INVISIBLE_MODES:
            self._invisible.append(len(self.spans))
        if mark.text is not None:
            self._replaced = len(self.spans)
        self.spans.append(Span(along + start * length, across, along + end * length, size, text, font, angle, mark.tag))

    def _widen_last(self, end: float, y: float, angle: int) -> None:
        """Let the last span end where these glyphs end, if its text stands for them too and it is on their line."""
        if self._replaced != len(self.spans) - 1 or not self.spans:  # the text was hidden
            return
        last = self.spans[-1]
        if last.angle == angle and abs(last.y - y) < 0.5 * last.size:
            self.spans[-1] = last._replace(end=max(last.end, end))

    def _reason_unseen(self, ends: Line, size: float, stretch: float) -> str:
        """Return why a text between two points is not seen (too small, narrow, transparent or clipped), or ""."""
        reason = unseen.reason("", "", size, stretch, self._state.alpha)
        clip = self._state.clip
        return unseen.CLIPPED if not reason and clip is not None and _is_outside(clip, ends, size) else reason

    def hide(self, text: str, reason: str) -> None:
        """Count the words of a text that is left out since nobody sees it."""
        self.hidden[reason] = self.hidden.get(reason, 0) + len(text.split())

    def _take_mark(self) -> Mark:
        """Return all open marks as one, in which the innermost counts. A replacement is taken once, then it is ""."""
        text: str | None = None
        tag, was_taken = UNTAGGED, False
        for index, mark in enumerate(self._marks):
            if mark.is_hidden:
                return Mark(True, None, UNTAGGED)
            if mark.tag != UNTAGGED:
                tag = mark.tag
            if mark.text is not None:
                text, was_taken = mark.text, mark.was_taken
                self._marks[index] = mark._replace(text="", was_taken=was_taken or text != "")
        return Mark(False, text, tag, was_taken)

    def _resource(self, kind: str, name: Any) -> Any:
        """Return a resource of the current stream, e.g. ("Font", "F1")."""
        return self._file.dict_of(self._resources.get(kind)).get(name)

    def _font(self, reference: Any) -> fonts.Font | None:
        """Return a font, which is loaded once; an empty one if it is missing or there are too many."""
        key = reference.number if type(reference) is Ref else id(reference)
        if key not in self._fonts and len(self._fonts) >= _MAX_FONTS:
            return fonts.Font("")
        if key not in self._fonts:
            attrs = self._file.dict_of(reference)
            if not attrs:
                return fonts.Font("")
            self._fonts[key] = fonts.load(self._file, attrs), reference
        return self._fonts[key][0]


def _is_outside(clip: Rect, ends: Line, size: float) -> bool:
    """Return whether a line of text from one point to another lies outside of a clip, or the clip is empty."""
    left, bottom, right, top = clip
    if right - left < _MIN_CLIP or top - bottom < _MIN_CLIP:
        return True
    x, y, x2, y2 = ends
    is_beside = max(x, x2) + size < left or min(x, x2) - size > right
    return is_beside or max(y, y2) + size < bottom or min(y, y2) - size > top


def setter(name: str, divisor: float = 1) -> Callable[[TextOperators, list[Any]], None]:
    """Return an operator that sets one number of the text state (section 9.3, table 105)."""

    def set_number(operators: TextOperators, operands: list[Any]) -> None:
        setattr(operators._state, name, float(operands[-1]) / divisor)

    return set_number
