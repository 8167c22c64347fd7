"""Sheets of cells as markdown tables, written directly: there may be hundreds of thousands of cells. In: rows of texts.

Out: markdown. Empty rows part a sheet into tables, empty columns are left out, and a row alone with one cell is a
paragraph. Shared by the spreadsheet formats.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from webtool.documents import Source
from webtool.markdown import escape
from webtool.running.budget import Budget, Spent

Row = tuple[int, dict[int, str]]  # number from 0, texts by column

MAX_SHEETS = 500
_MAX_NAME = 200  # characters; Excel allows 31
_MAX_COLUMNS = 16384  # as many as Excel has
MAX_CELLS = 300_000  # of one document; more is cut, with a note
_FRAME = 3  # characters that a table has for each cell, empty ones too
_LARGE = 100_000
_SPARSE = 20  # a larger share of frame than this, to text, says nothing


class Sheet:
    """One sheet: its name, and rows from the top with their numbers, each a dict from column to the cell's markdown.

    `blocks` are what stands beside the cells, as markdown: text boxes and charts.
    """

    def __init__(self, name: str) -> None:
        self.name = name[:_MAX_NAME]
        self.rows: list[Row] = []
        self.unseen = 0  # cells in hidden rows and columns
        self.hidden: set[int] = set()  # columns
        self.comments: list[str] = []
        self.blocks: list[str] = []
        self._last = -1
        self._work = 4 * _MAX_COLUMNS

    def hide(self, first: int, after: int) -> None:
        """Leave out columns, from 0; a hostile sheet hides the same ones over and over."""
        columns = range(first, min(after, _MAX_COLUMNS))
        self._work -= len(columns)
        if self._work > 0:
            self.hidden.update(columns)

    def add_row(self, number: int, cells: dict[int, str]) -> None:
        """Append a row by its 0-based number; rows left out in between count as one empty row."""
        if number > self._last + 1 and self.rows:
            self.rows.append((-1, {}))
        self.skip_row(number)
        self.rows.append((number, {column: text for column, text in cells.items() if text}))

    def add_comment(self, place: str, text: str, author: str) -> None:
        """Append what somebody said of a cell, e.g. B7."""
        inline = " ".join(escape.text(text).split())
        if inline:
            said_by = f" ({escape.text(' '.join(author.split())[:100])})" if author.strip() else ""
            self.comments.append(f"- {place}{said_by}: {inline}")

    def skip_row(self, number: int) -> None:
        """Leave out a row that is hidden: it is not an empty one."""
        self._last = number


def cell_markdown(text: str, url: str = "") -> str:
    """A cell's text for a table: escaped, on one line, its link made one."""
    if not text:
        return ""
    if text.isalnum() and not url:
        return text
    inline = escape.text(text.strip()).replace("|", "\\|")
    if "\n" in inline:
        inline = "<br>".join(part.strip() for part in inline.split("\n") if part.strip())
    if url:
        label = inline.replace("[", "\\[").replace("]", "\\]")
        return f"[{label}]({escape.destination(url).replace('|', '%7C')})"
    return inline


def place_name(row: int, column: int) -> str:
    """The name of a cell, e.g. B7 for row 6 and column 1, both from 0."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row + 1}"


def markdown(sheets: list[Sheet], source: Source, listed: int, hidden: int) -> str:
    """The sheets, each under its name as a heading; as many blocks of cells as the budget has room for.

    The cells' text was taken from it before; what stands between them counts anew. The source's notes say what is left
    out of the sheets that are listed.
    """
    if listed > MAX_SHEETS:
        source.add_note(f"Only the first {MAX_SHEETS:,} of {listed:,} sheets are read.")
    source.leave_out(hidden, "hidden sheet")
    source.leave_out(sum(sheet.unseen for sheet in sheets), "cell", " in hidden rows or columns")
    parts: list[str] = []
    frames = Budget(source.budget.limit)
    try:
        for sheet in sheets:
            parts.extend(_sheet(sheet, frames))  # what came before an end of the budget is kept
    except Spent:
        source.budget.left = min(source.budget.left, -1)
    return "\n\n".join(parts) + "\n" if parts else ""


def _sheet(sheet: Sheet, budget: Budget) -> Iterator[str]:
    # Runs of rows that are not empty.
    blocks = [list(rows) for is_filled, rows in groupby(sheet.rows, key=lambda row: bool(row[1])) if is_filled]
    if blocks or sheet.blocks or sheet.comments:
        yield f"## {escape.heading(escape.text(sheet.name))}"
    for rows in blocks:
        yield _block(rows, budget)
    yield from sheet.blocks
    if sheet.comments:
        yield "Comments:\n\n" + "\n".join(sheet.comments)


def _block(rows: list[Row], budget: Budget) -> str:
    """A table; a list of cells where a table would be nearly empty. Raises Spent."""
    columns = sorted({column for _, row in rows for column in row})
    if len(columns) == 1 and len(rows) == 1:
        return escape.paragraph(rows[0][1][columns[0]])
    frame = _FRAME * len(columns) * len(rows)
    if frame > _LARGE and frame > _SPARSE * sum(len(text) for _, row in rows for text in row.values()):
        budget.take(2 * _FRAME * sum(len(row) for _, row in rows))
        return "\n".join(f"- {place_name(number, at)}: {row[at]}" for number, row in rows for at in sorted(row))
    budget.take(frame)
    lines = ["| " + " | ".join([row.get(column, "") for column in columns]) + " |" for _, row in rows]
    lines.insert(1, "| " + " | ".join(["---"] * len(columns)) + " |")
    return "\n".join(lines)
