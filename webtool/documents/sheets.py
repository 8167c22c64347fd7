"""Write sheets of cells as markdown tables; xlsx and ods share it. In: a Book of Sheets. Out: markdown.

Empty rows divide a sheet into several tables, unless a table goes on below them, and empty columns are left out. A
single cell between empty rows becomes a paragraph. There may be hundreds of thousands of cells, so the markdown is
written directly, without a tree.
Tests: tests/documents/test_office.py, tests/documents/test_bounds.py
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from webtool.documents import Source, tree
from webtool.errors import counted
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.lean.records import NamedTuple
from webtool.markdown import escape, escape_text
from webtool.running.budget import Budget, Spent

MAX_SHEETS = 500  # of one document; the rest is left out, with a note
MAX_CELLS = 300_000  # of one document; the rest is left out, with a note
_MAX_NAME = 200  # characters of a sheet's name, the rest is cut; Excel allows 31
_MAX_COLUMNS = 16384  # that can be hidden; Excel has as many
_MAX_HIDING_WORK = 4 * _MAX_COLUMNS  # columns hidden in one sheet, repetitions included; later ones stay visible
_MAX_EMPTY_ROWS = 2  # inside of one table
# What counts as a number: "1,234.50", "($5)", "12 %", "2024-05-01".
_NUMBER = patterns.compile(
    r"\(?[-+−]?[$€£¥]?\d{1,20}(?:[.,  ]\d{1,20}){0,9}\)?[ %]{0,2}|\d{4}-\d\d-\d\d(?:[T ].{1,20})?"
)
_CLOCK_CHECK_MASK = 0x3F  # the deadline is checked every 64 rows
_CELL_SYNTAX = 3  # characters of table syntax for each cell, also for empty ones
# A table becomes a list if its syntax has more characters than _MIN_SPARSE_SYNTAX and than _MIN_SPARSE_RATIO * text.
_MIN_SPARSE_SYNTAX = 100_000
_MIN_SPARSE_RATIO = 20


class Row(NamedTuple):
    """A row of cells, or a gap of empty rows."""

    number: int  # from 0; -1 for a gap
    cells: dict[int, str]  # markdown by column, without empty cells


class Sheet:
    """One sheet: its name, its rows from the top, and the comments and drawings that follow its cells."""

    def __init__(self, name: str) -> None:
        self.name = name[:_MAX_NAME]
        self.rows: list[Row] = []
        self.hidden_columns: set[int] = set()
        self.filtered_rows = 0  # rows that a filter hides, which are shown
        self.hidden_cells = 0  # cells left out because their row or column is hidden
        self.comments: list[str] = []  # markdown list items
        self.blocks: list[str] = []  # markdown of text boxes and charts
        self.last_row = -1  # number from 0 of the last row so far, also if it is hidden
        self._hiding_work = _MAX_HIDING_WORK  # columns that may still be hidden

    def hide_columns(self, start: int, stop: int) -> None:
        """Leave out the columns range(start, stop). A hostile sheet hides the same ones many times."""
        columns = range(start, min(stop, _MAX_COLUMNS))
        self._hiding_work -= len(columns)
        if self._hiding_work > 0:
            self.hidden_columns.update(columns)

    def add_row(self, number: int, cells: dict[int, str]) -> None:
        """Append a row by its number from 0. Missing numbers before it count as one empty row."""
        if number > self.last_row + 1 and self.rows:
            self.rows.append(Row(-1, {}))
        self.skip_row(number)
        self.rows.append(Row(number, {column: text for column, text in cells.items() if text}))

    def skip_row(self, number: int) -> None:
        """Leave out a hidden row. It does not divide tables as an empty row does."""
        self.last_row = number

    def add_comment(self, place: str, text: str, author: str) -> None:
        """Append a comment on a cell; `place` is its name, e.g. "B7"."""
        inline = " ".join(escape_text.text(text).split())
        if inline:
            by_author = f" ({escape_text.text(' '.join(author.split())[: tree.MAX_AUTHOR])})" if author.strip() else ""
            self.comments.append(f"- {place}{by_author}: {inline}")

    def add_block(self, block: Element) -> None:
        """Append a block of a drawing, unless it is empty."""
        text = tree.markdown([block]).strip("\n")
        if text:
            self.blocks.append(text)


def cell_markdown(text: str, url: str = "") -> str:
    """Return a cell's text as markdown for a table: escaped, on one line, linked to `url` if there is one."""
    if not text:
        return ""
    if text.isalnum() and not url:
        return text
    escaped = escape_text.link_text(text.strip()) if url else escape_text.text(text.strip())
    inline = escaped.replace("|", "\\|")
    if "\n" in inline:
        inline = "<br>".join(part.strip() for part in inline.split("\n") if part.strip())
    return f"[{inline}]({escape.destination(url).replace('|', '%7C')})" if url else inline


class Book:
    """The sheets of one document, and how much may still be read."""

    def __init__(self, source: Source, sheet_count: int) -> None:
        self.source = source
        self.sheets: list[Sheet] = []  # those that were read
        self.hidden_sheets = 0
        self.cells_left = MAX_CELLS
        self._sheet_count = sheet_count  # of all sheets of the document
        self._rows = 0

    def end_row(self) -> None:
        """Count a row. Raises Spent after the deadline and after MAX_CELLS."""
        self._rows += 1
        if self.cells_left <= 0 or (not self._rows & _CLOCK_CHECK_MASK and self.source.is_late()):
            raise Spent

    def is_full(self) -> bool:
        """Return whether no further sheet may be read; a note then says why."""
        if self.cells_left <= 0 or self.source.budget.is_spent:
            self.source.add_note(f"Only the first {MAX_CELLS - max(0, self.cells_left):,} cells are shown.")
            return True
        if self.source.is_late():
            last = f", the last up to row {self.sheets[-1].last_row + 1:,}" if self.sheets else ""
            read = f"{len(self.sheets):,} of {self._sheet_count:,} sheets"
            self.source.add_note(f"Only {read} were read before the deadline{last}.")
            return True
        return False

    def markdown(self) -> str:
        """Write the sheets, each below its name as a heading; those so far if the budget ends.

        The readers took the text of the cells from the source's budget; the bars of the tables have a budget of their
        own, as large. What is left out is added to the source's notes.
        """
        source, sheets = self.source, self.sheets
        if self._sheet_count > MAX_SHEETS:
            source.add_note(f"Only the first {MAX_SHEETS:,} of {self._sheet_count:,} sheets are read.")
        source.leave_out(self.hidden_sheets, "hidden sheet")
        source.leave_out(sum(sheet.hidden_cells for sheet in sheets), "cell", " in hidden rows or columns")
        filtered = sum(sheet.filtered_rows for sheet in sheets)
        if filtered:
            source.add_note(f"Shown though a filter hides them: {counted(filtered, 'row')}.")
        parts: list[str] = []
        syntax_budget = Budget(source.budget.limit)
        try:
            for sheet in sheets:
                parts.extend(_sheet(sheet, syntax_budget))  # extend() keeps the parts before Spent
        except Spent:
            source.budget.left = min(source.budget.left, -1)  # below 0 is "spent": convert() notes that the text is cut
        return "\n\n".join(parts) + "\n" if parts else ""


def _sheet(sheet: Sheet, budget: Budget) -> Iterator[str]:
    """Yield a sheet's heading, its tables, drawings and comments as markdown. Raises Spent."""
    blocks: list[list[Row]] = []
    for is_filled, rows in groupby(sheet.rows, key=lambda row: bool(row.cells)):
        block = list(rows)
        if is_filled and blocks and _continues(blocks[-1], block):
            blocks[-1].extend(block)
        elif is_filled:
            blocks.append(block)
    if blocks or sheet.blocks or sheet.comments:
        yield f"## {escape.heading(escape_text.text(sheet.name))}"
    for block in blocks:
        yield _block(block, budget)
    yield from sheet.blocks
    if sheet.comments:
        yield "Comments:\n\n" + "\n".join(sheet.comments)


def _continues(table: list[Row], block: list[Row]) -> bool:
    """Return whether rows below at most two empty ones belong to the table above them.

    They do if they have a number in a column where the table has a word in its head and a number in its last row:

    Item | Qty
    Bolt | 5
    (empty)
    Nut  | 7
    """
    (_, head), (last_number, last), (number, first) = table[0], table[-1], block[0]
    if len(table) < 2 or number - last_number > _MAX_EMPTY_ROWS + 1 or not first.keys() <= head.keys():
        return False
    numbers = [column for column, text in first.items() if _NUMBER.fullmatch(text)]
    return any(_NUMBER.fullmatch(last.get(column, "")) and not _NUMBER.fullmatch(head[column]) for column in numbers)


def _block(rows: list[Row], budget: Budget) -> str:
    """Write rows as a table; as a list of cells if nearly all of the table would be empty. Raises Spent."""
    columns = sorted({column for _, row in rows for column in row})
    if len(columns) == 1 and len(rows) == 1:
        return escape.paragraph(rows[0].cells[columns[0]])
    syntax_size = _CELL_SYNTAX * len(columns) * len(rows)
    text_size = sum(len(text) for _, row in rows for text in row.values())
    if syntax_size > max(_MIN_SPARSE_SYNTAX, _MIN_SPARSE_RATIO * text_size):
        budget.take(2 * _CELL_SYNTAX * sum(len(row) for _, row in rows))
        cells = [(number, column, row[column]) for number, row in rows for column in sorted(row)]
        return "\n".join(f"- {place_name(number, column)}: {text}" for number, column, text in cells)
    budget.take(syntax_size)
    lines = ["| " + " | ".join([row.get(column, "") for column in columns]) + " |" for _, row in rows]
    lines.insert(1, "| " + " | ".join(["---"] * len(columns)) + " |")
    return "\n".join(lines)


# Names of cells

_REFERENCE = patterns.compile(r"([A-Z]{1,3})([0-9]{1,7})")


def place_name(row: int, column: int) -> str:
    """Return the name of a cell by row and column from 0: (6, 1) -> "B7"."""
    return f"{_column_name(column)}{row + 1}"


def _column_name(column: int) -> str:
    """Return the letters of a column from 0: 0 -> "A", 26 -> "AA"."""
    letters = ""
    column += 1
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def cell_position(reference: str) -> tuple[int, int] | None:
    """Return row and column from 0: "B7" -> (6, 1). None for another form."""
    match = _REFERENCE.fullmatch(reference)
    if not match:
        return None
    column = 0
    for letter in match.group(1):
        column = column * 26 + ord(letter) - 64
    return int(match.group(2)) - 1, column - 1


# A string, the name of a sheet or of a table's column: none of them is changed. Or, with groups, the name of a cell, in
# which the sign "$" fixes the column or the row after it.
_CELL_NAME = patterns.compile(
    r"\"[^\"]*\"|'[^']*'|\[[^\[\]]*\]|(?<![\w.$])(?P<column_sign>\$?)([A-Z]{1,3})(?P<row_sign>\$?)([0-9]{1,7})(?![\w.(!])"
)


def moved_formula(formula: str, rows: int, columns: int) -> str:
    """Return a formula as Excel copies it to another cell: "A1*$B$1", moved by a row, is "A2*$B$1"."""

    def move(match: Match[str]) -> str:
        position = cell_position(f"{match[2]}{match[4]}") if match[2] else None
        if position is None:
            return match[0]
        row, column = position
        row += 0 if match["row_sign"] else rows
        column += 0 if match["column_sign"] else columns
        if min(row, column) < 0:
            return "#REF!"
        return f"{match['column_sign']}{_column_name(column)}{match['row_sign']}{row + 1}"

    return _CELL_NAME.sub(move, formula)
