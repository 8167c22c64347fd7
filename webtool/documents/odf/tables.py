"""Read OpenDocument tables and sheets. In: table:table. Out: an HTML table, or the markdown of all sheets.

Cells of a sheet show the text that the program stored with them; dates are in ISO 8601, as in xlsx. Rows and cells may
be repeated by a number.
Specification: OASIS OpenDocument 1.2 part 1, section 9.
Tests: tests/documents/test_office.py, tests/documents/test_beside_the_text.py, tests/documents/test_bounds.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from webtool.documents import NODE_COST, Source, runs, tree
from webtool.documents.odf.content import NOTES, SHAPES, SKIPPED, Inlines
from webtool.documents.odf.styles import Styles, reason_of
from webtool.documents.runs import web_url
from webtool.documents.sheets import MAX_SHEETS, Book, Sheet, cell_markdown, place_name
from webtool.documents.xmltree import child_text, children, integer, outermost
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.typing import XmlElement
from webtool.running.budget import Budget, Spent

MAX_REPEATED = 1000  # times that a row or a cell is repeated; more is padding up to the edge of the sheet
_CELLS = ("table:table-cell", "table:covered-table-cell")
_ROW_GROUPS = ("table:table-header-rows", "table:table-rows", "table:table-row-group")
_MAX_DRAWN = 200  # frames and shapes of one sheet; the rest is left out
_HIDDEN = ("collapse", "filter")
_MAX_UNSEEN_RANGES = 100  # of columns of one sheet; the text of cells in later ones is shown
_DATE = patterns.compile(r"(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)|\Z)")


def table_of(node: XmlElement, inlines: Inlines, budget: Budget) -> Element:
    """Return a table:table as an HTML table (section 9.1); each paragraph of a cell becomes a line of it."""
    is_on_page = inlines.is_on_page
    inlines.is_on_page = False  # a cell may have a colour, on which white text is seen
    table = tree.table(_row(row, inlines, budget) for row in outermost(node, ("table:table-row",), _ROW_GROUPS))
    inlines.is_on_page = is_on_page
    return table


def _row(row: XmlElement, inlines: Inlines, budget: Budget) -> Iterator[tree.Cell]:
    """Yield the cells of a table row. Raises Spent."""
    for item, times in repeated_cells(row):
        columns = min(times, MAX_REPEATED)
        budget.take(NODE_COST * columns)
        paragraphs = outermost(item, ("text:p", "text:h"), skipped=SKIPPED | set(NOTES), nested=True)
        content = runs.cell(list(inlines.runs(paragraph)) for paragraph in paragraphs)
        yield from tree.spanning(content, columns)


def repeated_cells(row: XmlElement) -> Iterator[tuple[XmlElement, int]]:
    """Yield the cells of a row, each with the number of columns that it fills."""
    for item in row:
        if item.tag in _CELLS:
            yield item, integer(item.get("table:number-columns-repeated"), 1) or 1


def _columns(table: XmlElement) -> Iterator[tuple[XmlElement, int, int]]:
    """Yield the elements of a table's columns, each with its first column from 0 and the column after its last."""
    stop = 0
    for item in table.iter("table:table-column"):
        start, stop = stop, stop + (integer(item.get("table:number-columns-repeated"), 1) or 1)
        yield item, start, stop


class _Unseen:
    """Knows the cells of a table whose style hides their text, as white text does."""

    def __init__(self, table: XmlElement, styles: Styles) -> None:
        self._styles = styles
        # White text may be on a colour that a condition gives.
        self._is_on_page = next(table.iter("calcext:conditional-formats"), None) is None
        self._columns: list[tuple[int, int, str]] = []  # ranges of columns whose default style hides text
        for item, start, stop in _columns(table):
            style = item.get("table:default-cell-style-name", "")
            if len(self._columns) < _MAX_UNSEEN_RANGES and self._reason(style):
                self._columns.append((start, stop, style))

    def _reason(self, style: str) -> str:
        return reason_of(self._styles.formats(style)[0], self._is_on_page)

    def reason(self, cell: XmlElement, row: XmlElement, column: int) -> str:
        """Return why the text of a cell is not seen, or "": its own style counts, else that of its row or column."""
        style = cell.get("table:style-name") or row.get("table:default-cell-style-name")
        if self._columns and not style:
            style = next((name for start, stop, name in self._columns if start <= column < stop), "")
        return self._reason(style or "")


def sheets(
    source: Source, body: XmlElement, styles: Styles, blocks_of: Callable[[list[XmlElement]], list[Element]]
) -> str:
    """Write the visible sheets, each below its name. `blocks_of` gives the blocks of a sheet's boxes and charts."""
    tables = children(body, "table:table")
    book = Book(source, len(tables))
    for table in tables[:MAX_SHEETS]:
        if table.get("table:style-name") in styles.hidden_sheets:
            book.hidden_sheets += 1
            continue
        sheet = Sheet(table.get("table:name", ""))
        book.sheets.append(sheet)
        try:
            _fill(sheet, table, book, _Unseen(table, styles))
            frames = [node for tag in ("draw:frame", *SHAPES) for node in table.iter(tag)][:_MAX_DRAWN]
            for block in blocks_of(frames):
                sheet.add_block(block)
        except Spent:
            pass  # the book is full
        if book.is_full():
            break
    return book.markdown()


def _fill(sheet: Sheet, table: XmlElement, book: Book, unseen_cells: _Unseen) -> None:
    """Add the rows of a table. Raises Spent."""
    number = 0
    budget = book.source.budget
    for item, start, stop in _columns(table):
        if item.get("table:visibility") in _HIDDEN:
            sheet.hide_columns(start, stop)
    for row in table.iter("table:table-row"):
        cells = _cells(row, number, sheet, book.source, unseen_cells)
        times = integer(row.get("table:number-rows-repeated"), 1) or 1
        if cells and row.get("table:visibility") == "filter":
            sheet.filtered_rows += 1
        if row.get("table:visibility") == "collapse":
            sheet.hidden_cells += len(cells)
            sheet.skip_row(number + times - 1)
        elif cells:
            for step in range(min(times, MAX_REPEATED)):
                book.cells_left -= len(cells)
                if step:  # _cells() took the text of the first row
                    budget.take(sum(map(len, cells.values())))
                sheet.add_row(number + step, cells)
                book.end_row()
        number += times


def _cells(row: XmlElement, number: int, sheet: Sheet, source: Source, unseen_cells: _Unseen) -> dict[int, str]:
    """Return the visible cells of a row as markdown by column; add its comments to the sheet. Raises Spent."""
    cells: dict[int, str] = {}
    column = 0
    for cell, times in repeated_cells(row):
        for comment in children(cell, "office:annotation"):  # section 14.1
            sheet.add_comment(place_name(number, column), _text_of(comment), child_text(comment, "dc:creator"))
        text = _text_of(cell)
        text = (text and _date_of(cell)) or text
        url = next((link.get("xlink:href", "") for link in cell.iter("text:a")), "")
        is_filled = text and cell.tag == "table:table-cell"
        if is_filled and (reason := unseen_cells.reason(cell, row, column)):
            source.hide(len(text.split()), reason)
        elif is_filled:
            inline = cell_markdown(text, web_url(url))
            for step in range(min(times, MAX_REPEATED)):
                source.budget.take(len(inline))
                if column + step in sheet.hidden_columns:
                    sheet.hidden_cells += 1
                else:
                    cells[column + step] = inline
        column += times
    return cells


def _date_of(cell: XmlElement) -> str:
    """Return a cell's date (section 19.372) as "2024-05-02 13:45:00", without the time at midnight; "" for others."""
    match = _DATE.match(cell.get("office:date-value", ""))
    return " ".join(part for part in match.groups() if part and part != "00:00:00") if match else ""


def _text_of(node: XmlElement) -> str:
    """Return the paragraphs of a cell or a comment as lines."""
    return "\n".join("".join(_texts(paragraph)) for paragraph in children(node, "text:p"))


def _texts(paragraph: XmlElement) -> Iterator[str]:
    """Yield the pieces of a paragraph's text, without the comments in it."""
    for node in paragraph.iter():
        if node.tag in ("text:s", "text:tab", "text:line-break"):
            yield " "
        if node.text and node.tag != "office:annotation":
            yield node.text
        if node.tail and node is not paragraph:
            yield node.tail
