"""Read the cells of a sheet from XML events: there may be a million, so no tree is made. In: events. Out: a Sheet.

A cell (x:c) has a type and the index of a style; its x:v is a number, or the index of a shared string. Formats turns a
number into the text that Excel shows; Workbook has what all sheets share.
Specification: ECMA-376 part 1, clauses 18.3.1 (cells), 18.8.30 (numFmt, and the built-in formats).
Tests: tests/documents/test_office.py
"""

from __future__ import annotations

from webtool.documents import number_formats, unseen
from webtool.documents.sheets import Book, Sheet, cell_markdown
from webtool.documents.xmltree import attribute, child, children, integer
from webtool.lean import patterns
from webtool.lean.typing import XmlElement as Element
from webtool.running.budget import Spent

_REFERENCE = patterns.compile(r"([A-Z]{1,3})([0-9]{1,7})")
# The formats that are known by number alone; dates and times are in ISO 8601.
_BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)", 41: "#,##0;(#,##0);-",
    42: '"$"#,##0;"$"(#,##0);"$"-', 43: "#,##0.00;(#,##0.00);-", 44: '"$"#,##0.00;"$"(#,##0.00);"$"-', 48: "##0.0E+0",
    22: "yyyy-mm-dd hh:mm", 46: "[h]:mm:ss",
    **dict.fromkeys((14, 15, 16, 17, 27, 28, 29, 30, 31, 36, *range(50, 59)), "yyyy-mm-dd"),
    **dict.fromkeys((18, 19, 20, 21, 32, 33, 34, 35, 45, 47), "hh:mm:ss"),
}  # fmt: skip
_MAX_CODE = 1000  # characters of a format code, the rest is ignored; Excel allows 255


class Formats:
    """Number formats by the index of a cell's style (clause 18.8.45). `is_1904` changes the epoch of dates."""

    def __init__(self, root: Element | None, is_1904: bool) -> None:
        self._is_1904 = is_1904
        codes = dict(_BUILT_IN)
        self._codes: list[str] = []
        self.reasons: dict[str, str] = {}  # by index of a style: why its text is not seen
        if root is None:
            return
        for item in root.iter("x:numFmt"):
            codes[integer(item.get("numFmtId"))] = item.get("formatCode", "")[:_MAX_CODE]
        fonts, fills = children(root, "x:fonts", "x:font"), children(root, "x:fills", "x:fill")
        for index, item in enumerate(children(root, "x:cellXfs", "x:xf")):
            number, fill = integer(item.get("fontId"), -1), integer(item.get("fillId"), -1)
            if 0 <= number < len(fonts):
                reason = _reason(fonts[number], fills[fill] if 0 <= fill < len(fills) else None)
                self.reasons.update({str(index): reason} if reason else {})
        self._codes = [codes.get(integer(item.get("numFmtId")), "") for item in children(root, "x:cellXfs", "x:xf")]

    def text(self, value: str, style: int) -> str:
        """Return a number as its format shows it."""
        code = self._codes[style] if 0 <= style < len(self._codes) else ""
        return number_formats.format_value(value, code, self._is_1904)


def _reason(font: Element, fill: Element | None) -> str:
    """Return why the text of cells with a font and a fill is not seen, or "" (clauses 18.8.22 and 18.8.20)."""
    pattern = child(fill, "x:patternFill")
    ground = unseen.PAGE
    if pattern is not None and pattern.get("patternType", "none") != "none":
        ground = _colour(child(pattern, "x:fgColor")) if pattern.get("patternType") == "solid" else ""
    points = attribute(font, "x:sz", "val")
    is_number = points.replace(".", "", 1).isdecimal() and len(points) < 10
    return unseen.reason(_colour(child(font, "x:color")), ground, float(points) if is_number else 12.0)


def _colour(node: Element | None) -> str:
    """Return a colour as "#rrggbb"; "" if it is not known. The first colour of a theme is usually white."""
    if node is None:
        return ""
    if node.get("theme") == "0" and not node.get("tint"):
        return unseen.PAGE
    return unseen.hexadecimal_colour(node.get("rgb", "")[-6:])


class Workbook:
    """State that all sheets share: strings, formats, and the book that bounds them."""

    def __init__(self, strings: list[str], formats: Formats, book: Book) -> None:
        self.strings = strings
        self.formats = formats
        self.book = book

    def take(self, text: str, url: str) -> str:
        """Count one cell and return it as markdown. Raises Spent after MAX_CELLS or at the end of the budget."""
        self.book.cells_left -= 1
        if self.book.cells_left < 0:
            raise Spent
        self.book.source.budget.take(len(text) + len(url))
        return cell_markdown(text, url)

    def value(self, kind: str, style: str, raw: str) -> str:
        """Return a cell's text by its type (18.18.11 ST_CellType) and the index of its style."""
        if kind == "s":
            index = integer(raw.strip(), -1)
            return self.strings[index] if 0 <= index < len(self.strings) else ""
        if kind == "b":
            return "TRUE" if raw.strip() == "1" else "FALSE"
        if kind == "n":
            return self.formats.text(raw.strip(), integer(style, 0))
        return raw


class SheetReader:
    """XML handlers that fill a Sheet from x:row, x:c, x:v and x:is.

    `links` are URLs by row and column, from 0. `filtered` are the numbers of rows that a filter may hide, from 0.
    `has_grounds`: a picture or rules may colour cells.
    """

    def __init__(
        self,
        workbook: Workbook,
        sheet: Sheet,
        links: dict[tuple[int, int], str],
        filtered: range = range(0),
        has_grounds: bool = False,
    ) -> None:
        self._filtered = filtered
        self._has_grounds = has_grounds
        self.sheet = sheet
        self._workbook = workbook
        self._links = links
        self._row = -1
        self._is_hidden = False
        self._cells: dict[int, str] = {}
        self._columns: dict[str, int] = {}  # numbers of columns by their letters
        # The open cell: its column, type, style, and the pieces of its value and of its formula.
        self._column = -1
        self._kind = self._style = ""
        self._parts: list[str] = []
        self._formula: list[str] = []
        self._target: list[str] | None = None  # takes the next text
        self._in_phonetic = False

    def start(self, name: str, attrs: dict[str, str]) -> None:
        """Handle the start of an element."""
        if name == "x:c":
            self._column = self._column_of(attrs.get("r", ""))
            self._kind, self._style = attrs.get("t", "n"), attrs.get("s", "")
            self._parts, self._formula = [], []
        elif name in ("x:v", "x:t"):
            self._target = None if self._in_phonetic else self._parts
        elif name == "x:f":
            self._target = self._formula
        elif name == "x:rPh":
            self._in_phonetic = True
        elif name == "x:row":
            self._row = integer(attrs.get("r"), self._row + 2) - 1
            self._is_hidden = attrs.get("hidden") in ("1", "true")
            if self._is_hidden and self._row in self._filtered:
                self._is_hidden = False
                self.sheet.filtered_rows += 1
            self._cells = {}
            self._column = -1
        elif name == "x:col" and attrs.get("hidden") in ("1", "true"):
            self.sheet.hide_columns(integer(attrs.get("min"), 1) - 1, integer(attrs.get("max"), 1))

    def text(self, text: str) -> None:
        """Handle character data."""
        if self._target is not None:
            self._target.append(text)

    def end(self, name: str) -> None:
        """Handle the end of an element. Raises Spent after the last cell that may be read."""
        if name in ("x:v", "x:t", "x:f"):
            self._target = None
        elif name == "x:rPh":
            self._in_phonetic = False
        elif name == "x:c":
            self._end_cell()
        elif name == "x:row" and self._is_hidden:
            self.sheet.skip_row(self._row)
        elif name == "x:row":
            self.end_row()
            self._workbook.book.end_row()

    def end_row(self) -> None:
        """Append the row that is being read, whole or not."""
        self.sheet.add_row(self._row, self._cells)
        self._cells = {}

    def _column_of(self, reference: str) -> int:
        """Return the column of a cell from 0 by its name; the next column for a cell without one."""
        letters = reference.rstrip("0123456789")
        if letters not in self._columns or letters == reference:
            position = cell_position(reference)
            if position is None:
                return self._column + 1
            self._columns[letters] = position[1]
        return self._columns[letters]

    def _end_cell(self) -> None:
        """Store the open cell in its row, unless it is empty or hidden. Raises Spent."""
        if not (self._parts or self._formula):
            return
        if self._column in self.sheet.hidden_columns or self._is_hidden:
            self.sheet.hidden_cells += 1
            return
        if self._parts:
            text = self._workbook.value(self._kind, self._style, "".join(self._parts))
        else:  # the program did not store a result
            text = f"={''.join(self._formula)}"
        reason = self._workbook.formats.reasons.get(self._style)
        if reason and not (self._has_grounds and reason == unseen.SAME_COLOUR):
            self._workbook.book.source.hide(len(text.split()), reason)
            return
        self._cells[self._column] = self._workbook.take(text, self._links.get((self._row, self._column), ""))


def cell_position(reference: str) -> tuple[int, int] | None:
    """Return row and column from 0: "B7" -> (6, 1). None for another form."""
    match = _REFERENCE.match(reference)
    if not match:
        return None
    column = 0
    for letter in match.group(1):
        column = column * 26 + ord(letter) - 64
    return int(match.group(2)) - 1, column - 1
