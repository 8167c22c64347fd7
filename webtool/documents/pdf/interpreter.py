"""Content streams to spans of text with positions. In: a page's content and resources. Out: a list of Spans.

Only what moves or shows text is carried out; paths, colours and images are passed over. Form XObjects are run on a
stack of frames, each form at most a bounded number of times.
Specification: ISO 32000-1 sections 8.4, 8.10, 9.3, 9.4, 14.6.
"""

from __future__ import annotations

import time
from math import atan2, degrees, hypot

from webtool import patterns
from webtool.documents.pdf import fonts
from webtool.documents.pdf.objects import (
    CONTENT_TOKEN,
    END,
    Keyword,
    Name,
    PdfError,
    Ref,
    Stream,
    read_object,
    token_value,
    word_value,
)
from webtool.documents.pdf.rulings import MAX_RULINGS, Ruling, painted
from webtool.documents.pdf.state import IDENTITY, Frame, Mark, Span, State, multiply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from webtool.documents.pdf.file import PdfFile
    from webtool.documents.pdf.state import Matrix

MAX_FORM_DEPTH = 12
MAX_FORMS = 2000  # forms run for one page
MAX_SPANS = 100_000  # of one page
MAX_STATES = 500  # nested q
_MAX_DRAWING = 100_000  # bytes of path operators in a row; longer ones are pictures, not the lines of a table
WORD_GAP = 0.16  # of the font size: a wider gap is a space between words
# Ghostscript writes a space between two letters as character spacing; longer strings with much of it are letterspaced.
_SPACED_OUT = 3
_FAR_GAP = 0.8  # a gap wider than this ends the span, so that columns can be told apart


# Runs of path and colour operators, which a page may have by the million.
_GRAPHICS = patterns.compile(rb"(?:[\s\d.+-]*(?:re|rg|RG|SC|sc|scn|SCN|[mlcvyhSsfFBbnWwJjMgGkK]|[fBbW]\*)(?=[\s]))+")
_INLINE_IMAGE_END = patterns.compile(rb"[\x00\t\n\x0c\r ]EI(?=[\x00\t\n\x0c\r /<\[(]|\Z)")


class Interpreter:
    """Runs the content of pages of one file; fonts are kept from page to page."""

    def __init__(self, file: PdfFile) -> None:
        self._file = file
        self._fonts: dict[Any, tuple[fonts.Font, Any]] = {}
        self._hidden_groups = _hidden_groups(file)
        self._start_page()

    def _start_page(self) -> None:
        self.spans: list[Span] = []
        self.rulings: list[Ruling] = []
        self._state = State()
        self._states: list[State] = []
        self._marks: list[Mark] = []
        self._frames: list[Frame] = []
        self._forms_run = 0
        self._carried_out = 0
        self._deadline: float | None = None
        self.is_cut = False
        self._matrix: Matrix = IDENTITY
        self._line: Matrix = IDENTITY

    def run(self, content: bytes, resources: dict[str, Any], deadline: float | None = None) -> list[Span]:
        """The spans of one page in the order in which they are shown; those before the deadline where it passes."""
        self._start_page()
        self._deadline = deadline
        self._frames = [Frame(content, resources, -1, 0, 0)]
        while self._frames:
            self._run_frame(self._frames[-1])
        return self.spans

    def _run_frame(self, frame: Frame) -> None:
        """Carry out one stream's operators up to its end, or to one that invokes a form."""
        data, at = frame.data, frame.at
        start = at
        operands: list[Any] = []
        while True:
            found = CONTENT_TOKEN.match(data, at)
            assert found is not None  # every part of the pattern is optional
            kind = found.lastindex
            at = found.end()
            if kind == 1:
                operands.append(float(found.group(1)))
                continue
            if kind != 7:
                value, at = token_value(found, data)
                if value is END:
                    break
                if kind == 4:
                    value, at = _composite(data, at, value)
                operands.append(value)
                continue
            word = found.group(7)
            operator = OPERATORS.get(word)
            if operator is not None:
                frame.at = at
                try:
                    operator(self, operands)
                except (TypeError, ValueError, IndexError, AttributeError, OverflowError):
                    pass  # operands missing or of the wrong type: the operator has no effect, as in other readers
                if self._frames[-1] is not frame:
                    return
            elif word == b"BI":
                at = _after_inline_image(data, at)
            else:
                value = word_value(word)
                if type(value) is not Keyword:
                    operands.append(value)
                    continue
                at = self._pass_over(data, start, at)
            operands = []
            start = at
            self._carried_out += 1
            if not self._carried_out & 0x7FF and self._is_over():
                break
        self._leave(frame)

    def _pass_over(self, data: bytes, start: int, at: int) -> int:
        """The position after a run of path operators that begins with the one from `start` to `at`."""
        graphics = _GRAPHICS.match(data, start)
        if not graphics or graphics.end() < at:
            return at
        if len(self.rulings) < MAX_RULINGS and graphics.end() - start < _MAX_DRAWING:
            self.rulings.extend(painted(graphics.group(), self._state.ctm))
        return graphics.end()

    def _is_over(self) -> bool:
        """Whether the page has more text than is read, or the time is up."""
        is_late = self._deadline is not None and time.monotonic() > self._deadline
        self.is_cut = self.is_cut or is_late or len(self.spans) > MAX_SPANS
        return self.is_cut

    def _leave(self, frame: Frame) -> None:
        """Back to the stream that invoked this one, with its graphics state and marked content."""
        self._frames.pop()
        if len(self._states) > frame.states:
            self._state = self._states[frame.states]
            del self._states[frame.states :]
        del self._marks[frame.marks :]

    # Graphics state, section 8.4.4

    def save(self, _operands: list[Any]) -> None:
        if len(self._states) < MAX_STATES:
            self._states.append(self._state.copy())

    def restore(self, _operands: list[Any]) -> None:
        if len(self._states) > self._frames[-1].states + (self._frames[-1].form >= 0):
            self._state = self._states.pop()

    def concatenate(self, operands: list[Any]) -> None:
        self._state.ctm = multiply(_matrix(operands), self._state.ctm)

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

    def set_char_space(self, operands: list[Any]) -> None:
        self._state.char_space = float(operands[-1])

    def set_word_space(self, operands: list[Any]) -> None:
        self._state.word_space = float(operands[-1])

    def set_scale(self, operands: list[Any]) -> None:
        self._state.scale = float(operands[-1]) / 100

    def set_leading(self, operands: list[Any]) -> None:
        self._state.leading = float(operands[-1])

    def set_rise(self, operands: list[Any]) -> None:
        self._state.rise = float(operands[-1])

    def move(self, operands: list[Any]) -> None:
        tx, ty = float(operands[-2]), float(operands[-1])
        a, b, c, d, e, f = self._line
        self._matrix = self._line = (a, b, c, d, tx * a + ty * c + e, tx * b + ty * d + f)

    def move_with_leading(self, operands: list[Any]) -> None:
        self._state.leading = -float(operands[-1])
        self.move(operands)

    def set_matrix(self, operands: list[Any]) -> None:
        self._matrix = self._line = _matrix(operands)

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
        for item in items:
            if type(item) is bytes:
                text, width, count, spaces = font.measure(item)
                if 1 < count <= _SPACED_OUT and state.char_space > WORD_GAP * abs(state.size):
                    text = text if count > 2 and text.isupper() else " ".join(text)
                parts.append(text)
                gap = 0.0
                if font.is_vertical:
                    width = float(count)
                at += (width * state.size + count * state.char_space + spaces * state.word_space) * state.scale
                shown = at
            elif type(item) in (int, float):
                shift = -item / 1000 * state.size * state.scale
                gap += shift / (abs(state.size * state.scale) or 1.0)
                at += shift
                if abs(gap) > _FAR_GAP or not parts:
                    self._emit(parts, start, shown)
                    parts = []
                    start = at
                elif gap > WORD_GAP and parts and not parts[-1].endswith(" "):
                    parts.append(" ")
        self._emit(parts, start, shown)
        self._advance(at)

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
            text = replacement
        font = self._state.font
        if not text or hidden or font is None:
            return
        a, b, c, d, e, f = multiply(self._matrix, self._state.ctm)
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
        for mark in self._marks:
            if mark.is_hidden:
                return True, None, -1
            if mark.tag >= 0:
                tag = mark.tag
            if mark.text is not None:
                replacement = mark.text
                mark.text = ""  # the replacement stands once for the whole sequence
        return False, replacement, tag

    # Marked content, section 14.6

    def begin_marked(self, _operands: list[Any]) -> None:
        self._marks.append(Mark(False, None, -1))

    def begin_marked_with(self, operands: list[Any]) -> None:
        role, properties = operands[-2], operands[-1]
        reference = None
        if type(properties) is Name:
            reference = self._resource("Properties", properties)
            properties = self._file.dict_of(reference)
        if type(properties) is not dict:
            self._marks.append(Mark(False, None, -1))
            return
        is_hidden = role == "Artifact" and properties.get("Type") == "Pagination"
        if role == "OC" and type(reference) is Ref:
            is_hidden = reference.number in self._hidden_groups
        actual = properties.get("ActualText")
        number = properties.get("MCID", -1)
        text = self._file.text_of(actual) if actual is not None else None
        self._marks.append(Mark(is_hidden, text, number if type(number) is int and self._is_page() else -1))

    def end_marked(self, _operands: list[Any]) -> None:
        if len(self._marks) > self._frames[-1].marks:
            self._marks.pop()

    def _is_page(self) -> bool:
        return len(self._frames) == 1

    # XObjects, section 8.10

    def invoke(self, operands: list[Any]) -> None:
        reference = self._resource("XObject", operands[-1])
        form = self._file.resolve(reference)
        if type(form) is not Stream or self._file.resolve(form.attrs.get("Subtype")) != "Form":
            return
        identity = reference.number if type(reference) is Ref else id(form)
        self._forms_run += 1
        is_inside_itself = any(frame.form == identity for frame in self._frames)
        if is_inside_itself or self._forms_run > MAX_FORMS or len(self._frames) > MAX_FORM_DEPTH:
            return
        try:
            data = self._file.decode(form)
        except PdfError:
            return
        resources = self._file.dict_of(form.attrs.get("Resources")) or self._frames[-1].resources
        self._frames.append(Frame(data, resources, identity, len(self._states), len(self._marks)))
        self._states.append(self._state.copy())
        matrix = self._file.numbers_of(form.attrs.get("Matrix"))
        if len(matrix) == 6:
            self._state.ctm = multiply(_matrix(matrix), self._state.ctm)

    def _resource(self, kind: str, name: Any) -> Any:
        return self._file.dict_of(self._frames[-1].resources.get(kind)).get(name)

    def _font(self, reference: Any) -> fonts.Font | None:
        key = reference.number if type(reference) is Ref else id(reference)
        if key not in self._fonts:
            attrs = self._file.dict_of(reference)
            if not attrs:
                return fonts.Font("")
            self._fonts[key] = (fonts.load(self._file, attrs), reference)  # kept, so that no other gets its id
        return self._fonts[key][0]


OPERATORS: dict[bytes, Callable[[Interpreter, list[Any]], None]] = {
    b"q": Interpreter.save,
    b"Q": Interpreter.restore,
    b"cm": Interpreter.concatenate,
    b"gs": Interpreter.graphics_state,
    b"BT": Interpreter.begin_text,
    b"Tf": Interpreter.set_font,
    b"Tc": Interpreter.set_char_space,
    b"Tw": Interpreter.set_word_space,
    b"Tz": Interpreter.set_scale,
    b"TL": Interpreter.set_leading,
    b"Ts": Interpreter.set_rise,
    b"Td": Interpreter.move,
    b"TD": Interpreter.move_with_leading,
    b"Tm": Interpreter.set_matrix,
    b"T*": Interpreter.next_line,
    b"Tj": Interpreter.show,
    b"TJ": Interpreter.show_items,
    b"'": Interpreter.show_on_next_line,
    b'"': Interpreter.show_with_spacing,
    b"BMC": Interpreter.begin_marked,
    b"BDC": Interpreter.begin_marked_with,
    b"EMC": Interpreter.end_marked,
    b"Do": Interpreter.invoke,
}


def _composite(data: bytes, at: int, bracket: bytes) -> tuple[Any, int]:
    """The array or dictionary whose opening bracket ends at a position; null for a closing bracket."""
    if bracket not in (b"[", b"<<"):
        return None, at
    try:
        return read_object(data, at - len(bracket))
    except PdfError:
        return None, len(data)


def _matrix(operands: list[Any]) -> Matrix:
    a, b, c, d, e, f = map(float, operands[-6:])
    return (a, b, c, d, e, f)


def _after_inline_image(data: bytes, at: int) -> int:
    """The position after EI (section 8.9.7); its bytes may hold anything, so a white space must come before it."""
    start = data.find(b"ID", at)
    match = _INLINE_IMAGE_END.search(data, start + 2) if start >= 0 else None
    return match.end() if match else len(data)


def _hidden_groups(file: PdfFile) -> set[int]:
    """Numbers of the optional content groups that are off by default (section 8.11.4)."""
    defaults = file.dict_of(file.dict_of(file.root.get("OCProperties")).get("D"))
    return {group.number for group in file.list_of(defaults.get("OFF")) if type(group) is Ref}
