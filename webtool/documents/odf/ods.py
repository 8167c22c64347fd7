"""OpenDocument tables, and spreadsheets. In: a table:table, or content.xml and its body. Out: an element, or markdown.

Cells show the text that the program stored with them. Specification: OASIS OpenDocument 1.2 part 1, section 9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from webtool.documents import NODE, Source, tree
from webtool.documents.odf.inline import NOTES, SHAPES, SKIPPED, Inlines
from webtool.documents.sheets import MAX_CELLS, MAX_SHEETS, Sheet, cell_markdown, markdown, place_name
from webtool.documents.xmltree import child_text, children, integer, outermost
from webtool.html.node import Element as HtmlElement
from webtool.lean.typing import XmlElement as Element
from webtool.running.budget import Budget, Spent

MAX_REPEATED = 1000  # cells that say they are repeated; the rest is padding up to the sheet's edge
_CELLS = ("table:table-cell", "table:covered-table-cell")
_ROW_GROUPS = ("table:table-header-rows", "table:table-rows", "table:table-row-group")
_MAX_DRAWN = 200  # of one sheet
_HIDDEN = ("collapse", "filter")


def table_of(node: Element, inlines: Inlines, budget: Budget) -> HtmlElement:
    """A table:table as a table, with the rows in and outside of header rows and row groups (section 9.1).

    What its cells hold, text boxes too, becomes lines of the cell; notes are written elsewhere.
    """
    return tree.table(_contents(row, inlines, budget) for row in outermost(node, ("table:table-row",), _ROW_GROUPS))


def _contents(row: Element, inlines: Inlines, budget: Budget) -> Iterator[list[tree.Child]]:
    for item, times in repeated_cells(row):
        budget.take(NODE * min(times, MAX_REPEATED))
        found = outermost(item, ("text:p", "text:h"), skipped=SKIPPED | set(NOTES), nested=True)
        yield tree.cell(list(inlines.runs(paragraph)) for paragraph in found)
        yield from ([] for _ in range(min(times, MAX_REPEATED) - 1))


def repeated_cells(row: Element) -> Iterator[tuple[Element, int]]:
    """The cells of a row, each with how often it stands there."""
    for item in row:
        if item.tag in _CELLS:
            yield item, integer(item.get("table:number-columns-repeated"), 1) or 1


def sheets(source: Source, content: Element, body: Element, drawn: Callable[[list[Element]], list[HtmlElement]]) -> str:
    """The visible sheets of a content.xml, each under its name; the source's notes say what was left out.

    `drawn` makes blocks of the text boxes and charts that stand on a sheet.
    """
    hidden = _hidden_styles(content)
    made: list[Sheet] = []
    left = MAX_CELLS
    away = 0
    listed = children(body, "table:table")
    for found in listed[:MAX_SHEETS]:
        if found.get("table:style-name") in hidden:
            away += 1
            continue
        sheet = Sheet(found.get("table:name", ""))
        made.append(sheet)
        try:
            left = _fill(sheet, found, left, source.budget)
            frames = [node for tag in ("draw:frame", *SHAPES) for node in found.iter(tag)][:_MAX_DRAWN]
            sheet.blocks.extend(filter(None, (tree.markdown([block]).strip("\n") for block in drawn(frames))))
        except Spent:
            break
        if left <= 0:
            break
    if left <= 0:
        source.add_note(f"Only the first {MAX_CELLS:,} cells are shown.")
    return markdown(made, source, len(listed), away)


def _hidden_styles(content: Element) -> set[str | None]:
    """Names of the styles of tables that are not displayed (section 20.267)."""
    return {
        style.get("style:name")
        for style in content.iter("style:style")
        if any(item.get("table:display") == "false" for item in children(style, "style:table-properties"))
    }


def _fill(sheet: Sheet, found: Element, left: int, budget: Budget) -> int:
    """Add the rows of a table; how many cells are left to add. Raises Spent."""
    number = column = 0
    for item in found.iter("table:table-column"):
        times = integer(item.get("table:number-columns-repeated"), 1) or 1
        if item.get("table:visibility") in _HIDDEN:
            sheet.hide(column, column + times)
        column += times
    for row in found.iter("table:table-row"):
        cells = _cells(row, number, sheet, budget)
        times = integer(row.get("table:number-rows-repeated"), 1) or 1
        if row.get("table:visibility") in _HIDDEN:
            sheet.unseen += len(cells)
            sheet.skip_row(number + times - 1)
        elif cells:
            for step in range(min(times, MAX_REPEATED)):
                left -= len(cells)
                budget.take(sum(map(len, cells.values())) if step else 0)
                sheet.add_row(number + step, cells)
                if left <= 0:
                    return left
        number += times
    return left


def _cells(row: Element, number: int, sheet: Sheet, budget: Budget) -> dict[int, str]:
    """Texts by column; a repeated cell counts each time. The sheet gets the comments (section 14.1). Raises Spent."""
    cells: dict[int, str] = {}
    column = 0
    for cell, times in repeated_cells(row):
        for comment in children(cell, "office:annotation"):
            text = "\n".join("".join(_texts(line)) for line in children(comment, "text:p"))
            sheet.add_comment(place_name(number, column), text, child_text(comment, "dc:creator"))
        text = "\n".join("".join(_texts(paragraph)) for paragraph in children(cell, "text:p"))
        url = next((link.get("xlink:href", "") for link in cell.iter("text:a")), "")
        if text and cell.tag == "table:table-cell":
            inline = cell_markdown(text, url if "://" in url else "")
            for step in range(min(times, MAX_REPEATED)):
                budget.take(len(inline))
                if column + step in sheet.hidden:
                    sheet.unseen += 1
                else:
                    cells[column + step] = inline
        column += times
    return cells


def _texts(paragraph: Element) -> Iterator[str]:
    for node in paragraph.iter():
        if node.tag in ("text:s", "text:tab", "text:line-break"):
            yield " "
        if node.text and node.tag != "office:annotation":
            yield node.text
        if node.tail and node is not paragraph:
            yield node.tail
