"""Collect the cells of a data table and write it as a GFM table.

In: rows and cells as markdown. Out: the table as text. table_kind.py decides whether a table has data.

A GFM table has one header row and no spans. So the first row becomes the header. The places that a spanning cell covers
are empty; those of a header cell repeat its value, because each column and row has its own header.
Specification: HTML Standard section 4.9 (spans are clamped to 1,000 columns and 65,534 rows), GFM 4.10.
Tests: tests/markdown/test_tables.py
"""

from __future__ import annotations

from webtool.lean import patterns

_MAX_COLUMNS = 1000  # largest colspan; larger ones are clamped, like rowspans to _MAX_ROWS
_MAX_ROWS = 65534
_MAX_ALIGNED_ROWS = 20  # rows whose cells may give the alignment of their columns
_MAX_REPEATED = 20000  # characters that repeated headers may add to one table; later ones are left empty
# A mark at the beginning of the text of a header cell, in the places that it covers to the right. Whether a column is
# written is known at the end only, so _line() decides whether the text is repeated.
_REPEATED = "\x00"
MAX_FILLED = 200000  # places that spanning cells may fill in one document; further ones are not filled
_DELIMITERS = {"": "---", "left": ":---", "center": ":---:", "right": "---:"}
_begins_with_digits = patterns.compile(r"\s*\+?([0-9]+)").match
_text_align = patterns.compile(r"(?i)text-align\s*:\s*(left|right|center)").search


class Allowance:
    """Count down the places that spanning cells may still fill in all tables of a document."""

    def __init__(self) -> None:
        self.places = MAX_FILLED


class Grid:
    """Collect the cells of one data table. A cell is (column, text, alignment), counted from column 0."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._rows: list[list[tuple[int, str, str]]] = []
        self._covered: dict[int, tuple[int, str]] = {}  # column -> (rows that a cell above still covers, its text)
        self._group: object = None  # the row group of the open row
        self._column = 0  # of the next cell
        self._starts: set[int] = set()  # columns in which some cell begins
        self.has_head = False  # the first row has header cells
        self._repeatable = _MAX_REPEATED  # characters that repeated headers may still add
        self._row: list[tuple[int, str, str]] = []  # the open row
        # For each row its ARIA number. A row without one has that of the row before it, the first row 0.
        self._order: list[int] = []
        self._numbered: dict[int, list[tuple[int, str, str]]] = {}  # ARIA number -> row

    def begin_row(self, number: int | None = None, group: object = None) -> None:
        """Begin a row: a tr of a row group (thead, tbody, tfoot), or an ARIA row with its number.

        A span ends with its row group: <th rowspan=2> in a thead of one row covers nothing in the body. Numbered rows
        are written in the order of their numbers; a number that comes again continues its row.
        """
        if group is not self._group:
            self._group = group
            self._covered.clear()
        if number is not None and number in self._numbered:
            self._row = self._numbered[number]
        else:
            self._row = []
            self._rows.append(self._row)
            if number is not None:
                self._numbered[number] = self._row
            elif self._order:
                number = self._order[-1]
            self._order.append(number or 0)
        self._column = self._row[-1][0] + 1 if self._row else 0
        self._cover()

    def end_row(self) -> None:
        """End a row: places to the right of its last cell that are covered from above are filled."""
        for column in sorted(column for column in self._covered if column >= self._column):
            if column in self._covered:  # false after the allowance has ended
                self._cover_one(column)

    def _cover(self) -> None:
        """Fill the places from the current column on that a cell above covers."""
        while self._column in self._covered:
            self._cover_one(self._column)
            self._column += 1

    def _cover_one(self, column: int) -> None:
        """Fill one place that a cell above covers."""
        rows, text = self._covered[column]
        self._allowance.places -= 1
        if self._allowance.places < 0:
            self._covered.clear()
            return
        self._row.append((column, self._again(text), ""))
        if rows <= 1:
            del self._covered[column]
        else:
            self._covered[column] = (rows - 1, text)

    def _again(self, text: str) -> str:
        """Return the text of a repeated header, or "" if repetitions would add too much."""
        if len(text) > self._repeatable:
            return ""
        self._repeatable -= len(text)
        return text

    def add(self, text: str, attrs: dict[str, str], *, is_header: bool) -> None:
        """Add a cell; `text` is inline markdown on one line, in which no bar is escaped yet."""
        if not self._rows:
            self.begin_row()
        if is_header and len(self._rows) == 1:
            self.has_head = True
        if not attrs and not self._covered:  # true for nearly every cell
            self._starts.add(self._column)
            self._row.append((self._column, text.replace("|", "\\|"), ""))
            self._column += 1
            return
        stated = span(attrs["aria-colindex"], _MAX_COLUMNS) - 1 if "aria-colindex" in attrs else -1
        if stated >= 0 and self._numbered:
            self._column = stated  # the cells of a numbered row come in any order
        self._cover()
        self._column = max(self._column, stated)  # a grid may leave out columns that are scrolled out of view
        colspan = attrs.get("colspan", attrs.get("aria-colspan"))
        rowspan = attrs.get("rowspan", attrs.get("aria-rowspan"))
        columns = span(colspan, _MAX_COLUMNS) if colspan is not None else 1
        columns = min(columns, max(self._allowance.places, 1))
        self._allowance.places -= columns - 1
        rows = span(rowspan, _MAX_ROWS) if rowspan is not None else 1
        alignment = alignment_of(attrs)
        text = text.replace("|", "\\|")
        repeated = text if is_header else ""
        first = self._column
        self._starts.add(first)
        for column in range(first, first + columns):
            if column > first and column in self._covered:
                break
            self._row.append((column, text if column == first else _REPEATED + repeated, alignment))
            if rows > 1:
                self._covered[column] = (rows - 1, repeated)
            self._column = column + 1
        self._cover()

    def markdown(self) -> str:
        """Return the GFM table, "" if no cell has a text. The grid is empty afterwards."""
        if self._numbered:
            order = sorted(range(len(self._rows)), key=self._order.__getitem__)
            self._rows = [sorted(self._rows[place], key=lambda cell: cell[0]) for place in order]
        columns = sorted(self._starts)  # a column in which no cell begins is left out
        place_of = {column: place for place, column in enumerate(columns)}
        delimiters = [_DELIMITERS[alignment] for alignment in self._alignments(columns)]
        has_text, width = False, 0
        lines = [""]  # the first two lines are replaced by head and delimiters, once the width is known
        head: list[str] = []
        self._rows.reverse()
        while self._rows:  # frees each row after writing it: cells take four times the memory of the text
            row = self._line(self._rows.pop(), place_of)
            if row:
                has_text, width = has_text or any(row), max(width, len(row))
                head = head or row
                lines.append("| " + " | ".join(row) + " |")
        if not has_text:
            return ""
        head += [""] * (width - len(head))
        delimiters = delimiters[:width] + ["---"] * (width - len(delimiters))
        lines[:2] = ["| " + " | ".join(row) + " |" for row in (head, delimiters)]
        return "\n".join(lines)

    def _line(self, row: list[tuple[int, str, str]], place_of: dict[int, int]) -> list[str]:
        """Return the texts of a row's cells; `place_of` maps columns to places in the line."""
        cells: list[str] = []
        for column, text, _ in row:
            place = place_of.get(column)
            if place is None:
                continue
            if text.startswith(_REPEATED):
                text = self._again(text[1:])
            if place < len(cells):  # a row that is continued by its ARIA number may have two cells for one column
                if text != cells[place]:
                    cells[place] = f"{cells[place]} {text}".strip()
                continue
            while len(cells) < place:
                cells.append("")
            cells.append(text)
        return cells

    def _alignments(self, columns: list[int]) -> list[str]:
        """Return the alignment of each column: the first one given in the first rows."""
        alignments: dict[int, str] = {}
        for row in self._rows[:_MAX_ALIGNED_ROWS]:
            for column, _, alignment in row:
                if alignment and column not in alignments:
                    alignments[column] = alignment
        return [alignments.get(column, "") for column in columns]


def span(value: str, maximum: int) -> int:
    """Return the number in a colspan (`maximum` is _MAX_COLUMNS) or a rowspan (_MAX_ROWS), at most `maximum`.

    A rowspan of 0 reaches to the end of its row group, so it counts as _MAX_ROWS; begin_row() ends it there. A colspan
    of 0 counts as 1.
    """
    match = _begins_with_digits(value[:40])
    if not match:
        return 1
    number = int(match[1])
    if number == 0:
        return maximum if maximum == _MAX_ROWS else 1
    return min(number, maximum)


def alignment_of(attrs: dict[str, str]) -> str:
    """Return "left", "right", "center" or "" from the align attribute or the style."""
    value = attrs.get("align", "").strip().lower()
    match = _text_align(attrs.get("style", "")) if "style" in attrs else None
    if match:
        value = match[1].lower()
    return value if value in _DELIMITERS else ""
