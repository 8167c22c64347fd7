"""The tables of data on a page: their rows and header rows. In: a cut page. Out: Grid, one for each such table.

A table is one of data where the markdown writer would write it as a table, and its cells hold few blocks each.
"""

from __future__ import annotations

from itertools import accumulate, islice

from webtool.lean.records import NamedTuple
from webtool.markdown import table_kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.extraction.page.blocks import Page

_STEPS_TO_TABLE = 4  # from a cell: row, body, table
MOST_IN_CELL = 2
"""Blocks a cell holds on average where a table is one of data."""


class Grid(NamedTuple):
    """One table of data; numbers are those of the page's containers."""

    table: int
    rows: tuple[int, ...]
    header: tuple[int, ...]
    """The first rows, as far as they are in a thead or hold nothing but th cells, and the caption."""


def find(page: Page) -> list[Grid]:
    """The tables of data in document order."""
    if page.grids is None:
        page.grids = _find(page) if "table" in page.by_tag else []
    return page.grids


def of_data(page: Page) -> set[int]:
    """The tables of data, those with whole texts beside a header cell among them."""
    found = {grid.table for grid in find(page)}
    for i in page.by_tag.get("th", ()):
        found.update([at for at in islice(page.around(i), _STEPS_TO_TABLE) if page.element[at].tag == "table"][:1])
    return found


def _find(page: Page) -> list[Grid]:
    cells = cells_before(page)
    table_of: list[int] = []
    rows: dict[int, list[int]] = {}
    captions: dict[int, int] = {}
    for i, element in enumerate(page.element):
        first, last = page.first[i], page.last[i]
        outer = table_of[page.parent[i]] if page.parent[i] >= 0 else -1
        if element.tag == "table":
            is_plain = first < last and last - first <= MOST_IN_CELL * (cells[last] - cells[first])
            outer = i if is_plain and table_kind.kind_of(element) == table_kind.DATA else -1
            if outer == i:
                rows[i] = []
        elif outer >= 0 and element.tag == "tr":
            rows[outer].append(i)
        elif outer >= 0 and element.tag == "caption":
            captions[outer] = i
        table_of.append(outer)
    return [
        Grid(table, tuple(found), _header(page, found) + ((captions[table],) if table in captions else ()))
        for table, found in rows.items()
    ]


def _header(page: Page, rows: list[int]) -> tuple[int, ...]:
    count = 0
    for row in rows:
        element = page.element[row]
        cells = [child.tag for child in element.children if child.tag in ("td", "th")]
        is_head = element.parent is not None and element.parent.tag == "thead"
        if not is_head and (not cells or "td" in cells):
            break
        count += 1
    return tuple(rows[:count])


def cells_before(page: Page) -> list[int]:
    """Running total over the blocks: how many begin a cell of a table, the innermost one where tables are nested."""
    if not page.by_tag.keys() & {"td", "th"}:
        return [0] * (len(page.blocks) + 1)
    cell: list[int] = []
    for i, element in enumerate(page.element):
        cell.append(i if element.tag in ("td", "th") else cell[page.parent[i]] if i else -1)
    places = [cell[block.container] for block in page.blocks]
    return [0, *accumulate([this >= 0 and this != last for last, this in zip([-1, *places], places)])]
