"""Find the tables of data on a page, with their rows. In: a cut page. Out: a Grid for each table.

A table holds data if the markdown writer would write it as a table and its cells hold few blocks each. Other tables
lay out a page: one cell for the menu, one for the text.
Tests: tests/extraction/rules/test_whole_units.py
"""

from __future__ import annotations

from itertools import accumulate, islice

from webtool.extraction.page.blocks import Grid, Page
from webtool.markdown import table_kind

MAX_BLOCKS_IN_CELL = 2  # on average; a table with more in its cells is layout
_STEPS_TO_TABLE = 4  # from a th cell up to its table: cell, row, body, table


def find(page: Page) -> list[Grid]:
    """Return the tables of data in document order; they are found once for each page."""
    if page.grids is None:
        page.grids = _find(page) if "table" in page.by_tag else []
    return page.grids


def of_data(page: Page) -> set[int]:
    """Return the containers that are tables of data, or tables with a th cell, even if their cells hold whole texts."""
    tables = {grid.table for grid in find(page)}
    for cell in page.by_tag.get("th", ()):
        around = islice(page.around(cell), _STEPS_TO_TABLE)
        tables.update([outer for outer in around if page.element[outer].tag == "table"][:1])
    return tables


def _find(page: Page) -> list[Grid]:
    cells = cells_before(page)
    table_of: list[int] = []  # for each container the table of data around it, or -1
    rows: dict[int, list[int]] = {}
    for i, element in enumerate(page.element):
        first, last = page.first[i], page.last[i]
        table = table_of[page.parent[i]] if page.parent[i] >= 0 else -1
        if element.tag == "table":
            is_plain = first < last and last - first <= MAX_BLOCKS_IN_CELL * (cells[last] - cells[first])
            table = i if is_plain and table_kind.kind_of(element) == table_kind.DATA else -1
            if table == i:
                rows[i] = []
        elif table >= 0 and element.tag == "tr":
            rows[table].append(i)
        table_of.append(table)
    return [Grid(table, tuple(rows_of_table)) for table, rows_of_table in rows.items()]


def cells_before(page: Page) -> list[int]:
    """Return a running total over the blocks: how many blocks so far begin a table cell.

    A block in nested tables belongs to the innermost cell.
    """
    if not page.by_tag.keys() & {"td", "th"}:
        return [0] * (len(page.blocks) + 1)
    cell_of: list[int] = []  # for each container the innermost cell around it, or -1
    for i, element in enumerate(page.element):
        if element.tag in ("td", "th"):
            cell_of.append(i)
        else:
            cell_of.append(cell_of[page.parent[i]] if i else -1)
    cells = [cell_of[block.container] for block in page.blocks]
    begins = [cell >= 0 and cell != before for before, cell in zip([-1, *cells], cells)]
    return [0, *accumulate(begins)]
