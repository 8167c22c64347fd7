"""Run content streams to get text with positions. In: a page's content and resources. Out: Spans and rulings.

Only operators that place or show text are carried out, and paths are searched for rulings. Colours, clips and images
count only where they hide text (paths.py). Form XObjects are run at the place where they are invoked, inside each
other up to a bound. Text operators are in text_operators.py.
Specification: ISO 32000-1 sections 7.8.2 (content streams), 8.10 (forms), 14.6 (marked content).
Tests: tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from webtool.documents import unseen
from webtool.documents.pdf import objects, paths
from webtool.documents.pdf.objects import CONTENT_TOKEN, END, Keyword, Name, PdfError, Ref, Stream, operand, word_value
from webtool.documents.pdf.objects.file import PdfFile
from webtool.documents.pdf.outline import Layers
from webtool.documents.pdf.state import (
    ANNOTATION,
    PAGINATION,
    UNTAGGED,
    Mark,
    Matrix,
    Rect,
    Span,
    State,
    matrix_of,
    multiply,
)
from webtool.documents.pdf.text_operators import TextOperators, setter
from webtool.lean import patterns
from webtool.lean.typing import Any
from webtool.running.budget import Budget, Spent

MAX_FORM_DEPTH = 12  # forms inside each other; deeper ones are not run
MAX_FORMS = 2000  # run for one page; later ones are not run
MAX_SPANS = 100_000  # of one page; then reading stops and the page is cut
_MAX_OPERANDS = 1000  # before an operator, of which the last ones are kept; no operator takes more than six
_MAX_MARKS = 200  # nested marked-content sequences; deeper ones are ignored
_MAX_DRAWING = 100_000  # bytes of consecutive path operators; longer runs are pictures, without lines of tables
_DEVICE_SPACES = ("DeviceGray", "DeviceRGB", "DeviceCMYK", "G", "RGB", "CMYK")
_KNOWN_FAMILIES = ("ICCBased", "CalGray", "CalRGB", *_DEVICE_SPACES)
_CLOCK_CHECK_MASK = 0x7FF  # the bounds and the clock are checked every 2,048 operators
# Some path and colour operators, of which a page may have millions: "0 0 9 9 re f 0 g ". Each repetition takes memory,
# so their number is bounded.
_GRAPHICS = patterns.compile(
    rb"(?:[\s\d.+-]*(?:re|rg|RG|SC|sc|scn|SCN|[mlcvyhSsfFBbnWwJjMgGkK]|[fBbW]\*)(?=[\s])){1,1000}"
)
_INLINE_IMAGE_END = patterns.compile(rb"[\x00\t\n\x0c\r ]EI(?=[\x00\t\n\x0c\r /<\[(]|\Z)")


class Interpreter(TextOperators):
    """Runs the content of a file's pages. Fonts are shared by all pages; everything else starts anew with each.

    After run(), `spans`, `rulings` and `dots` have the page's text, lines and signs that may be bullets. `is_cut` says
    that the page was not read to its end, `has_images` that it has pictures.
    """

    def __init__(self, file: PdfFile, budget: Budget) -> None:
        super().__init__(file, budget)
        self.layers = Layers(file)

    def _start_page(self) -> None:
        super()._start_page()
        self.rulings: list[Rect] = []
        self.dots: list[Rect] = []
        self._forms_run = 0
        self._carried_out = 0
        self._deadline = float("inf")  # of the monotonic clock
        self.is_cut = False
        self.has_images = False

    def run(
        self,
        content: bytes,
        resources: dict[str, Any],
        deadline: float,
        appearances: Iterable[tuple[Stream, Matrix]],
    ) -> list[Span]:
        """Return a page's spans in operator order, up to the deadline; then those of its annotations' appearances."""
        self._start_page()
        self._deadline = deadline
        try:
            self._resources = resources
            self._run_stream(content)
            for form, matrix in appearances:
                if self.is_cut:
                    break
                self._states, self._unsaved, self._resources = [], 0, resources
                self._marks, self._ignored_marks = [], 0
                self._run_appearance(form, matrix)
        except Spent:
            self.is_cut = True
        return self._seen_spans()

    def _run_appearance(self, form: Stream, matrix: Matrix) -> None:
        """Run the appearance of an annotation. Spaces separate the words of a field from the text around it."""
        self._state = State()
        self._state.ctm = matrix
        first = len(self.spans)
        self._run_form(form, id(form))
        spans = [span._replace(tag=ANNOTATION) for span in self.spans[first:]]
        if spans:
            spans[0] = spans[0]._replace(text=f" {spans[0].text}")
            spans[-1] = spans[-1]._replace(text=f"{spans[-1].text} ")
        self.spans[first:] = spans

    def _seen_spans(self) -> list[Span]:
        """Return the spans without white on white, and without OCR's invisible ones beside other text."""
        reasons = dict.fromkeys(self._backgrounds.unseen(), unseen.SAME_COLOUR)
        if not self.has_images and len(self._invisible) < len(self.spans):
            reasons.update(dict.fromkeys(self._invisible, unseen.TRANSPARENT))
        if not reasons:
            return self.spans
        for number, reason in reasons.items():
            self.hide(self.spans[number].text, reason)
        self.spans = [span for number, span in enumerate(self.spans) if number not in reasons]
        return self.spans

    def _run_stream(self, data: bytes) -> None:
        """Carry out the operators of one stream."""
        end = 0  # of the last token
        start = 0  # of the operands before the next operator
        number_group, word_group = objects.NUMBER, objects.WORD
        operands: list[Any] = []
        while True:
            if len(operands) > _MAX_OPERANDS:
                del operands[: -_MAX_OPERANDS // 2]
                if self._must_stop():
                    break
            token = CONTENT_TOKEN.match(data, end)
            assert token is not None  # every part of the pattern is optional
            kind = token.lastindex
            end = token.end()
            if kind is None and end < len(data):
                continue  # only comments so far
            if kind == number_group:
                operands.append(float(token.group(number_group)))
                continue
            if kind != word_group:
                value, end = operand(token, data)
                if value is END:
                    break
                operands.append(value)
                continue
            word = token.group(word_group)
            operator = OPERATORS.get(word)
            if operator is not None:
                try:
                    operator(self, operands)
                except (TypeError, ValueError, IndexError, AttributeError, OverflowError):
                    pass  # operands missing or of the wrong type: the operator has no effect, as in other readers
            elif word == b"BI":
                self.has_images = True
                self._backgrounds.add_image(self._state.ctm)
                end = _end_of_inline_image(data, end)
            else:
                value = word_value(word)
                if type(value) is not Keyword:
                    operands.append(value)
                    continue
                end = self._take_graphics(data, start, end, word, operands)
            operands = []
            start = end
            self._carried_out += 1
            if not self._carried_out & _CLOCK_CHECK_MASK and self._must_stop():
                break

    def _must_stop(self) -> bool:
        """Return whether the page is cut: time is up, or it has too many spans."""
        self.is_cut = self.is_cut or time.monotonic() > self._deadline or len(self.spans) > MAX_SPANS
        return self.is_cut

    def _take_graphics(self, data: bytes, start: int, end: int, word: bytes, operands: list[Any]) -> int:
        """Return the end of a run of path and colour operators; keep its lines, colour, clip and paint.

        `word` is the operator that ends at `end`, with its operands from `start` on. If it begins no run, only what it
        says of colours counts, and `end` is returned.
        """
        state = self._state
        run_end = start
        while graphics := _GRAPHICS.match(data, run_end):
            run_end = graphics.end()
        if run_end < end:
            if word == b"sh":
                self._backgrounds.add_box(paths.EVERYWHERE)
            elif word == b"cs":
                state.is_known_space, state.is_white = self._is_known_space(operands[-1:]), False
            elif word in (b"sc", b"scn"):  # a pattern
                state.is_white = False
            return end
        run = data[start:run_end]
        if len(self.dots) < paths.MAX_DOTS:
            self.dots.extend(paths.dots(run, state.ctm, state.is_white, state.is_known_space))
        self._backgrounds.add_path((data, start, run_end), state.ctm, state.is_white, state.is_known_space)
        if b"g" in run or b"k" in run or b"sc" in run:
            state.is_white = paths.ends_white(run, state.is_white, state.is_known_space)
        if b"W" in run:
            state.clip = paths.clipped(state.clip, run, state.ctm)
        if len(self.rulings) < paths.MAX_RULINGS and run_end - start < _MAX_DRAWING:
            self.rulings.extend(paths.rulings(run, state.ctm))
        return run_end

    def _is_known_space(self, operands: list[Any]) -> bool:
        """Return whether the numbers of a colour space are gray, RGB or CMYK."""
        name = operands[0] if operands and type(operands[0]) is Name else Name("")
        if name in _DEVICE_SPACES:
            return True
        family = self._file.list_of(self._resource("ColorSpace", name))[:1]
        return bool(family) and self._file.resolve(family[0]) in _KNOWN_FAMILIES

    # Marked content, section 14.6

    def begin_marked(self, operands: list[Any]) -> None:
        """BMC and BDC: start a marked-content sequence."""
        role, properties = operands[-2:] if len(operands) > 1 else (None, None)
        reference = None
        if type(properties) is Name:
            reference = self._resource("Properties", properties)
            properties = self._file.dict_of(reference)
        if type(properties) is not dict:
            properties = {}
        is_hidden = role == "OC" and self.layers.is_hidden(reference)
        actual = properties.get("ActualText")
        text = self._file.text_of(actual) if actual is not None else None
        self.budget.take(len(text or ""))
        number = properties.get("MCID", -1)
        tag = number if type(number) is int and number >= 0 and not self._forms else UNTAGGED
        if role == "Artifact" and properties.get("Type") == "Pagination":  # table 330
            tag = PAGINATION
        if len(self._marks) < _MAX_MARKS:
            self._marks.append(Mark(is_hidden, text, tag))
        else:
            self._ignored_marks += 1

    def end_marked(self, _operands: list[Any]) -> None:
        """EMC: end a marked-content sequence, but none that started outside of the form."""
        if self._ignored_marks:
            self._ignored_marks -= 1
        elif len(self._marks) > self._outer_marks:
            self._marks.pop()

    # XObjects, section 8.10

    def invoke(self, operands: list[Any]) -> None:
        """Do: run a form, or note an image."""
        reference = self._resource("XObject", operands[-1])
        form = self._file.resolve(reference)
        kind = self._file.resolve(form.attrs.get("Subtype")) if type(form) is Stream else None
        if kind == "Image":
            self.has_images = True
            self._backgrounds.add_image(self._state.ctm)
        if type(form) is Stream and kind == "Form":
            self._run_form(form, reference.number if type(reference) is Ref else id(form))

    def _run_form(self, form: Stream, identity: int) -> None:
        """Run a form's content, then restore the graphics state and marked content; a form never runs itself."""
        self._forms_run += 1
        if identity in self._forms or self._forms_run > MAX_FORMS or len(self._forms) >= MAX_FORM_DEPTH:
            return
        try:
            data = self._file.decode(form)
        except PdfError:
            return
        outer = self._state, self._states, self._unsaved, self._resources, self._outer_marks, self._ignored_marks
        mark_count = len(self._marks)
        if self.layers.is_hidden(form.attrs.get("OC")):
            self._marks.append(Mark(True, None, UNTAGGED))
        self._outer_marks, self._ignored_marks = len(self._marks), 0
        self._forms.append(identity)
        self._state, self._states, self._unsaved = self._state.copy(), [], 0
        self._resources = self._file.dict_of(form.attrs.get("Resources")) or self._resources
        matrix = self._file.numbers_of(form.attrs.get("Matrix"))
        if len(matrix) == 6:
            self._state.ctm = multiply(matrix_of(matrix), self._state.ctm)
        self._run_stream(data)
        del self._marks[mark_count:]
        self._forms.pop()
        self._state, self._states, self._unsaved, self._resources, self._outer_marks, self._ignored_marks = outer


def _end_of_inline_image(data: bytes, start: int) -> int:
    """Return the end of an inline image (section 8.9.7). Its data may contain "EI" without white space around it."""
    data_start = data.find(b"ID", start)
    match = _INLINE_IMAGE_END.search(data, data_start + 2) if data_start >= 0 else None
    return match.end() if match else len(data)


OPERATORS: dict[bytes, Callable[[Interpreter, list[Any]], None]] = {
    b"q": Interpreter.save, b"Q": Interpreter.restore, b"cm": Interpreter.concatenate,
    b"gs": Interpreter.graphics_state, b"BT": Interpreter.begin_text, b"Tf": Interpreter.set_font,
    b"Tc": setter("char_space"), b"Tw": setter("word_space"), b"Tz": setter("scale", 100), b"TL": setter("leading"),
    b"Ts": setter("rise"), b"Tr": setter("mode"), b"Td": Interpreter.move, b"TD": Interpreter.move_with_leading,
    b"Tm": Interpreter.set_matrix, b"T*": Interpreter.next_line, b"Tj": Interpreter.show,
    b"TJ": Interpreter.show_items, b"'": Interpreter.show_on_next_line, b'"': Interpreter.show_with_spacing,
    b"BMC": Interpreter.begin_marked, b"BDC": Interpreter.begin_marked, b"EMC": Interpreter.end_marked,
    b"Do": Interpreter.invoke,
}  # fmt: skip
