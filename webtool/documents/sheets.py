"""Sheets of cells as markdown tables, written directly: there may be hundreds of thousands of cells. In: rows of texts.

Out: markdown. Empty rows part a sheet into tables, empty columns are left out, and a row alone with one cell is a
paragraph. Shared by the spreadsheet formats.
"""

from __future__ import annotations

from webtool.markdown import escape

MAX_CELLS = 300_000  # of one document; more is cut, with a note


class Sheet:
    """One sheet: its name, and rows from the top, each a dict from column (0-based) to the cell's markdown.

    `blocks` are what stands beside the cells, as markdown: text boxes and charts.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.rows: list[dict[int, str]] = []
        self.comments: list[str] = []
        self.blocks: list[str] = []
        self._last = -1

    def add_row(self, number: int, cells: dict[int, str]) -> None:
        """Append a row by its 0-based number; rows left out in between count as one empty row."""
        if number > self._last + 1 and self.rows:
            self.rows.append({})
        self.skip_row(number)
        self.rows.append({column: text for column, text in cells.items() if text})

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


def markdown(sheets: list[Sheet]) -> str:
    """The sheets, each under its name as a heading."""
    parts: list[str] = []
    for sheet in sheets:
        blocks = [_block(rows) for rows in _parted(sheet.rows)] + sheet.blocks
        if sheet.comments:
            blocks.append("Comments:\n\n" + "\n".join(sheet.comments))
        if blocks:
            parts.append(f"## {escape.heading(escape.text(sheet.name))}")
            parts.extend(blocks)
    return "\n\n".join(parts) + "\n" if parts else ""


def _parted(rows: list[dict[int, str]]) -> list[list[dict[int, str]]]:
    """Runs of rows that are not empty."""
    parts: list[list[dict[int, str]]] = []
    is_open = False
    for row in rows:
        if row and not is_open:
            parts.append([])
        if row:
            parts[-1].append(row)
        is_open = bool(row)
    return parts


def _block(rows: list[dict[int, str]]) -> str:
    columns = sorted({column for row in rows for column in row})
    if len(columns) == 1 and len(rows) == 1:
        return escape.paragraph(rows[0][columns[0]])
    lines = [_line(row, columns) for row in rows]
    lines.insert(1, "| " + " | ".join(["---"] * len(columns)) + " |")
    return "\n".join(lines)


def _line(row: dict[int, str], columns: list[int]) -> str:
    return "| " + " | ".join([row.get(column, "") for column in columns]) + " |"
