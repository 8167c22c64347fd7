"""OpenDocument tables. In: a table:table. Out: an element.

Specification: OASIS OpenDocument 1.2 part 1, section 9.
"""

from __future__ import annotations

from webtool.documents import NODE
from webtool.documents.odf.inline import NOTES, SKIPPED
from webtool.documents.tree import element, linked, table
from webtool.running.budget import Spent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element as XmlElement

    from webtool.documents.odf.inline import Inlines
    from webtool.documents.tree import Child
    from webtool.html.node import Element
    from webtool.running.budget import Budget

MAX_REPEATED = 1000  # cells that say they are repeated; the rest is padding up to the sheet's edge
_PARAGRAPHS = ("text:p", "text:h")


def table_of(node: XmlElement, inlines: Inlines, budget: Budget) -> Element:
    """A table:table as a table; what its cells hold becomes lines of the cell."""
    rows: list[list[list[Child]]] = []
    try:
        for row in _rows(node):
            rows.append([])
            for cell in row:
                if cell.tag in ("table:table-cell", "table:covered-table-cell"):
                    times = _repeated(cell, "table:number-columns-repeated")
                    budget.take(NODE * times)
                    rows[-1].append(_cell(cell, inlines))
                    rows[-1].extend([] for _ in range(times - 1))
    except Spent:
        pass  # the rows so far; the note says so
    return table(rows)


def _cell(cell: XmlElement, inlines: Inlines) -> list[Child]:
    children: list[Child] = []
    for paragraph in _paragraphs(cell):
        runs = list(inlines.runs(paragraph))
        if "".join(run.text for run in runs).strip():
            children.extend([element("br")] if children else [])
            children.extend(linked(runs))
    return children


def _rows(node: XmlElement) -> Iterator[XmlElement]:
    """Rows of a table, in and outside of header rows and row groups (section 9.1)."""
    stack = [iter(node)]
    while stack:
        for found in stack[-1]:
            if found.tag == "table:table-row":
                yield found
            elif found.tag in ("table:table-header-rows", "table:table-rows", "table:table-row-group"):
                stack.append(iter(found))
                break
        else:
            stack.pop()


def _paragraphs(cell: XmlElement) -> Iterator[XmlElement]:
    """The paragraphs of a cell and of the text boxes in it, not those of notes, which are written elsewhere."""
    stack = [iter(cell)]
    while stack:
        for node in stack[-1]:
            if node.tag in _PARAGRAPHS:
                yield node
            if node.tag not in SKIPPED and node.tag not in NOTES:
                stack.append(iter(node))
                break
        else:
            stack.pop()


def _repeated(node: XmlElement, name: str) -> int:
    text = node.get(name, "1")
    return min(int(text), MAX_REPEATED) if text.isdigit() and len(text) < 10 and int(text) else 1
