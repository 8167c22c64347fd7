"""Read the annotations of a page: links, form fields, stamps, text boxes and comments. In: a page's attributes.

Out: rectangles with URLs; appearance streams, each with the matrix that places it; readers' comments. A form field
without a usable appearance gets one that shows its value, so that its text is at its place on the page.
Specification: ISO 32000-1 sections 12.5.3 (flags), 12.5.5 (appearance streams), 12.5.6.2 (markup annotations, whose
Contents are the text of a note's window), 12.5.6.5 (links), 12.7 (forms).
Tests: tests/documents/pdf/test_annots.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents.pdf.layout import clean
from webtool.documents.pdf.objects import PdfError, Stream
from webtool.documents.pdf.objects.file import PdfFile
from webtool.documents.pdf.outline import Layers
from webtool.documents.pdf.paths import box_around, transformed
from webtool.documents.pdf.state import IDENTITY, Matrix, Rect, matrix_of, multiply
from webtool.documents.tree import remark
from webtool.lean.typing import Any

MAX_ANNOTATIONS = 2000  # of one page; the rest is ignored
_HIDDEN_FLAGS = 2 | 32  # table 165: hidden, no view
_WITHOUT_TEXT = frozenset(("Link", "Popup"))
_COMMENTING = frozenset((
    "Text", "Highlight", "Underline", "StrikeOut", "Squiggly", "Caret", "Ink", "Square", "Circle", "Line", "Polygon",
    "PolyLine", "FileAttachment",
))  # fmt: skip
_MAX_FIELD_DEPTH = 10  # parents of a field that are searched for an attribute
_RADIO, _PUSH_BUTTON = 1 << 15, 1 << 16  # table 226
_COMBO = 1 << 17  # table 230
_MAX_CHOICES = 200  # of a list field that are shown; the rest is left out
_MAX_URL = 4096  # bytes; a longer URL is ignored, since each line in its rectangle would have a copy
_MAX_SIGN_STRETCH = 1000  # per cent by which the sign of a check box may be stretched to fill its box
_SHOWING = (b"Tj", b"TJ", b"'", b'"', b"Do")  # operators that show text or a form
_EMPTY: tuple[object, ...] = (None, b"", b"\xfe\xff", [])  # values of a field without text; \xfe\xff marks UTF-16
_MAX_SHOWN = 2000  # letters of the generated appearance of a value; its whole text is its ActualText


def links(file: PdfFile, attrs: dict[str, Any]) -> list[tuple[Rect, str]]:
    """Return the rectangles of links to the web and to email addresses."""
    result: list[tuple[Rect, str]] = []
    for kind, annotation in _annotations(file, attrs):
        box = rectangle(file, annotation.get("Rect")) if kind == "Link" else None
        target = file.resolve(file.dict_of(annotation.get("A")).get("URI"))
        url = file.text_of(target) if isinstance(target, bytes) and len(target) <= _MAX_URL else ""
        if box and url.lower().startswith(("http://", "https://", "mailto:")):
            result.append((box, url))
    return result


def appearances(file: PdfFile, attrs: dict[str, Any], layers: Layers) -> Iterator[tuple[Stream, Matrix]]:
    """Yield the visible appearance streams of a page, each with its matrix.

    A field without one gets one that shows its value. So do check boxes and radio buttons, which show their states in
    many ways, not all of them as text.
    """
    for kind, annotation in _annotations(file, attrs):
        box = rectangle(file, annotation.get("Rect"))
        if kind in _WITHOUT_TEXT or not box or layers.is_hidden(annotation.get("OC")):
            continue
        sign = _state_sign(file, annotation) if kind == "Widget" else ""
        if sign:
            yield _form_with(sign, box, _MAX_SIGN_STRETCH)
            continue
        form = file.resolve(file.dict_of(annotation.get("AP")).get("N"))  # the normal appearance
        if type(form) is dict:  # one stream for each state of a check box
            form = file.resolve(form.get(str(file.resolve(annotation.get("AS")))))
        value = _value(file, annotation) if kind == "Widget" else ""
        if kind == "FreeText" and "AP" not in annotation:
            value = file.text_of(annotation.get("Contents"))
        if type(form) is Stream and not (value and _is_blank(file, form)):
            yield form, _fitting_matrix(file, form, box)
        elif value:
            yield _form_with(value, box)


def comments(file: PdfFile, attrs: dict[str, Any]) -> list[str]:
    """Return the comments in notes and text markup of a page: "Author: words"."""
    result: list[str] = []
    for kind, annotation in _annotations(file, attrs):
        author, words = (clean(file.text_of(annotation.get(key))) for key in ("T", "Contents"))
        comment = remark(author, words) if kind in _COMMENTING else ""
        if comment:
            result.append(comment)
    return result


def _annotations(file: PdfFile, attrs: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the annotations of a page that are not hidden, each with its subtype."""
    for annotation in map(file.dict_of, file.list_of(attrs.get("Annots"))[:MAX_ANNOTATIONS]):
        flags = file.resolve(annotation.get("F"))
        if not (type(flags) is int and flags & _HIDDEN_FLAGS):
            yield str(file.resolve(annotation.get("Subtype"))), annotation


def rectangle(file: PdfFile, value: Any) -> Rect | None:
    """Return a rectangle as left, bottom, right, top (section 7.9.5); None if the value is not one."""
    box = file.numbers_of(value)
    if len(box) != 4:
        return None
    left, right = sorted((box[0], box[2]))
    bottom, top = sorted((box[1], box[3]))
    return left, bottom, right, top


def _fitting_matrix(file: PdfFile, form: Stream, box: Rect) -> Matrix:
    """Return the matrix that fits a form's bounding box into the annotation's rectangle (algorithm 8.1)."""
    bounds = rectangle(file, form.attrs.get("BBox"))
    if not bounds:
        return IDENTITY
    numbers = file.numbers_of(form.attrs.get("Matrix"))
    matrix = matrix_of(numbers) if len(numbers) == 6 else IDENTITY
    corners = [transformed(x, y, matrix) for x in (bounds[0], bounds[2]) for y in (bounds[1], bounds[3])]
    left, bottom, right, top = box_around(corners)
    across = (box[2] - box[0]) / (right - left) if right > left else 1.0
    up = (box[3] - box[1]) / (top - bottom) if top > bottom else 1.0
    to_origin = 1.0, 0.0, 0.0, 1.0, -left, -bottom
    return multiply(to_origin, (across, 0.0, 0.0, up, box[0], box[1]))


def _is_blank(file: PdfFile, form: Stream) -> bool:
    """Return whether an appearance shows nothing: some programs leave it to the viewer (NeedAppearances)."""
    try:
        content = file.decode(form)
    except PdfError:
        return True
    return not any(operator in content for operator in _SHOWING)


def _inherited(file: PdfFile, field: dict[str, Any], key: str) -> Any:
    """Return an attribute of a field or its parents (section 12.7.3.1); None if it is missing."""
    for _ in range(_MAX_FIELD_DEPTH):
        if key in field:
            return file.resolve(field[key])
        field = file.dict_of(field.get("Parent"))
    return None


def _value(file: PdfFile, field: dict[str, Any]) -> str:
    """Return the value of a text or choice field; for a list without one, all its choices."""
    kind, flags = _inherited(file, field, "FT"), _inherited(file, field, "Ff")
    value = _inherited(file, field, "V") if kind in ("Tx", "Ch") else None
    if kind == "Ch" and value in _EMPTY and not (type(flags) is int and flags & _COMBO):
        value = file.list_of(_inherited(file, field, "Opt"))[:_MAX_CHOICES]
    if type(value) is not list:
        return file.text_of(value)
    # A choice is a text, or a pair of the value that a program exports and the text that a reader sees.
    shown = [pair[1] if len(pair) > 1 else item for item, pair in zip(value, map(file.list_of, value))]
    return "\n".join(filter(None, map(file.text_of, shown)))


def _state_sign(file: PdfFile, field: dict[str, Any]) -> str:
    """Return the state of a check box or a radio button (section 12.7.4.2) as a character; "" for other fields."""
    flags = _inherited(file, field, "Ff")
    flags = flags if type(flags) is int else 0
    if _inherited(file, field, "FT") != "Btn" or flags & _PUSH_BUTTON:
        return ""
    states = file.resolve(file.dict_of(field.get("AP")).get("N"))
    state = str(_inherited(file, field, "AS" if "AS" in field else "V") or "Off")
    is_on = state != "Off" and (type(states) is not dict or state in states)
    off, on = "◯◉" if flags & _RADIO else "☐☑"
    return on if is_on else off


def _form_with(value: str, box: Rect, max_stretch: float = 100) -> tuple[Stream, Matrix]:
    """Return a form that shows a value in a box, with the value as ActualText, and the matrix that moves it there.

    Its letters are placeholders that are stretched to fill the box, by at most `max_stretch` percent.
    """
    left, bottom, right, top = box
    size = max(4.0, min(10.0, (top - bottom) * 0.8))
    code = value.encode("utf-16-be").hex()
    letter_width = (right - left) / size / max(1, len(value))  # in ems; an "x" has 0.5 of its own
    stretch = min(max_stretch, 100 * letter_width * 2)
    text = f"/Span << /ActualText <feff{code}> >> BDC BT /F {size} Tf {stretch:.0f} Tz 2 {size / 4} Td"
    font = {"Type": "Font", "Subtype": "Type1", "BaseFont": "Helvetica"}
    content = f"{text} ({'x' * min(len(value), _MAX_SHOWN)}) Tj ET EMC".encode()
    return Stream({"Resources": {"Font": {"F": font}}}, lambda: content), (1.0, 0.0, 0.0, 1.0, left, bottom)
