"""Read OpenDocument tables and spreadsheets. In: a table:table, or content.xml and its body. Out: an element, markdown.

Cells show the text that the program stored with them. Rows and cells may be repeated by a number.
Specification: OASIS OpenDocument 1.2 part 1, section 9.
Tests: tests/documents/test_office.py, tests/documents/test_bounds.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from webtool.documents import NODE, Source, runs, tree
from webtool.documents.odf.inline import NOTES, SHAPES, SKIPPED, Inlines
from webtool.documents.sheets import MAX_SHEETS, Book, Sheet, cell_markdown, place_name
from webtool.documents.xmltree import child_text, children, integer, outermost
from webtool.html.node import Element as HtmlElement
from webtool.lean.typing import XmlElement as Element
from webtool.running.budget import Budget, Spent

MAX_REPEATED = 1000  # times that a row or a cell is repeated; more is padding up to the edge of the sheet
_CELLS = ("table:table-cell", "table:covered-table-cell")
_ROW_GROUPS = ("table:table-header-rows", "table:table-rows", "table:table-row-group")
_MAX_DRAWN = 200  # frames and shapes of one sheet; the rest is left out
_HIDDEN = ("collapse", "filter")


def table_of(node: Element, inlines: Inlines, budget: Budget) -> HtmlElement:
    """Return a table:table as an HTML table, with rows inside and outside of row groups (section 9.1).

    Each paragraph of a cell, also in text boxes, becomes a line of the cell.
    """
    is_on_page, inlines.is_on_page = inlines.is_on_page, False  # a cell may have a colour
    table = tree.table(_row(row, inlines, budget) for row in outermost(node, ("table:table-row",), _ROW_GROUPS))
    inlines.is_on_page = is_on_page
    return table


def _row(row: Element, inlines: Inlines, budget: Budget) -> Iterator[tree.Cell]:
    for item, times in repeated_cells(row):
        columns = min(times, MAX_REPEATED)
        budget.take(NODE * columns)
        paragraphs = outermost(item, ("text:p", "text:h"), skipped=SKIPPED | set(NOTES), nested=True)
        content = runs.cell(list(inlines.runs(paragraph)) for paragraph in paragraphs)
        yield from tree.spanning(content, columns)


def repeated_cells(row: Element) -> Iterator[tuple[Element, int]]:
    """Yield the cells of a row, each with the number of columns that it fills."""
    for item in row:
        if item.tag in _CELLS:
            yield item, integer(item.get("table:number-columns-repeated"), 1) or 1


def sheets(
    source: Source, content: Element, body: Element, blocks_of: Callable[[list[Element]], list[HtmlElement]]
) -> str:
    """Write the visible sheets of a content.xml, each below its name; notes say what was left out.

    `blocks_of` returns the blocks of the text boxes and charts on a sheet.
    """
    hidden_styles = _hidden_styles(content)
    tables = children(body, "table:table")
    book = Book(source, len(tables))
    for table in tables[:MAX_SHEETS]:
        if table.get("table:style-name") in hidden_styles:
            book.hidden_sheets += 1
            continue
        sheet = Sheet(table.get("table:name", ""))
        book.sheets.append(sheet)
        try:
            _fill(sheet, table, book)
            frames = [node for tag in ("draw:frame", *SHAPES) for node in table.iter(tag)][:_MAX_DRAWN]
            for block in blocks_of(frames):
                sheet.add_block(block)
        except Spent:
            pass  # the book is full
        if book.is_full():
            break
    return book.markdown()


def _hidden_styles(content: Element) -> set[str | None]:
    """Return the names of table styles that hide their sheets (section 20.267)."""
    return {
        style.get("style:name")
        for style in content.iter("style:style")
        if any(item.get("table:display") == "false" for item in children(style, "style:table-properties"))
    }


def _fill(sheet: Sheet, table: Element, book: Book) -> None:
    """Add the rows of a table. Raises Spent."""
    number = column = 0
    budget = book.source.budget
    for item in table.iter("table:table-column"):
        times = integer(item.get("table:number-columns-repeated"), 1) or 1
        if item.get("table:visibility") in _HIDDEN:
            sheet.hide_columns(column, column + times)
        column += times
    for row in table.iter("table:table-row"):
        cells = _cells(row, number, sheet, budget)
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


def _cells(row: Element, number: int, sheet: Sheet, budget: Budget) -> dict[int, str]:
    """Return the visible cells of a row as markdown by column; add its comments to the sheet. Raises Spent."""
    cells: dict[int, str] = {}
    column = 0
    for cell, times in repeated_cells(row):
        for comment in children(cell, "office:annotation"):  # section 14.1
            sheet.add_comment(place_name(number, column), _text_of(comment), child_text(comment, "dc:creator"))
        text = _text_of(cell)
        url = next((link.get("xlink:href", "") for link in cell.iter("text:a")), "")
        if text and cell.tag == "table:table-cell":
            inline = cell_markdown(text, url if "://" in url else "")
            for step in range(min(times, MAX_REPEATED)):
                budget.take(len(inline))
                if column + step in sheet.hidden_columns:
                    sheet.hidden_cells += 1
                else:
                    cells[column + step] = inline
        column += times
    return cells


def _text_of(node: Element) -> str:
    """Return the paragraphs of a cell or a comment as lines."""
    return "\n".join("".join(_texts(paragraph)) for paragraph in children(node, "text:p"))


def _texts(paragraph: Element) -> Iterator[str]:
    """Yield the pieces of a paragraph's text, without the comments in it."""
    for node in paragraph.iter():
        if node.tag in ("text:s", "text:tab", "text:line-break"):
            yield " "
        if node.text and node.tag != "office:annotation":
            yield node.text
        if node.tail and node is not paragraph:
            yield node.tail
