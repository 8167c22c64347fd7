"""OpenDocument tables. In: a table:table, or its rows. Out: an element, or the cells.

Specification: OASIS OpenDocument 1.2 part 1, section 9.
"""

from __future__ import annotations

from webtool.documents import NODE
from webtool.documents.odf.inline import NOTES, SKIPPED
from webtool.documents.tree import cell, table
from webtool.documents.xmltree import integer, outermost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element as XmlElement

    from webtool.documents.odf.inline import Inlines
    from webtool.documents.tree import Child
    from webtool.html.node import Element
    from webtool.running.budget import Budget

MAX_REPEATED = 1000  # cells that say they are repeated; the rest is padding up to the sheet's edge
_CELLS = ("table:table-cell", "table:covered-table-cell")
_ROW_GROUPS = ("table:table-header-rows", "table:table-rows", "table:table-row-group")


def table_of(node: XmlElement, inlines: Inlines, budget: Budget) -> Element:
    """A table:table as a table, with the rows in and outside of header rows and row groups (section 9.1).

    What its cells hold, text boxes too, becomes lines of the cell; notes are written elsewhere.
    """
    return table(_cells(row, inlines, budget) for row in outermost(node, ("table:table-row",), _ROW_GROUPS))


def _cells(row: XmlElement, inlines: Inlines, budget: Budget) -> Iterator[list[Child]]:
    for item, times in repeated_cells(row):
        budget.take(NODE * min(times, MAX_REPEATED))
        found = outermost(item, ("text:p", "text:h"), skipped=SKIPPED | set(NOTES), nested=True)
        yield cell(list(inlines.runs(paragraph)) for paragraph in found)
        yield from ([] for _ in range(min(times, MAX_REPEATED) - 1))


def repeated_cells(row: XmlElement) -> Iterator[tuple[XmlElement, int]]:
    """The cells of a row, each with how often it stands there."""
    for item in row:
        if item.tag in _CELLS:
            yield item, integer(item.get("table:number-columns-repeated"), 1) or 1
