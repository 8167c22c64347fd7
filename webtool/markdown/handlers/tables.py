"""Open tables, rows and cells.

In: the renderer and an element. Out: (close, argument), PLAIN, or None to skip the content (see handlers/__init__.py).

A data table fills a tables.Grid, and its caption comes before it. Of a layout table only the content is written, of a
code table the code. Which kind a table is decides webtool.markdown.table_kind.
Tests: tests/markdown/test_tables.py
"""

from __future__ import annotations

from webtool.html.elements import HEADINGS, role_of
from webtool.html.node import Element, Node, around, short_text
from webtool.lean.characters import is_alnum
from webtool.markdown import blocks, code, inline, meanings, table_kind, tables
from webtool.markdown.handlers.blocks import write_code
from webtool.markdown.meanings import BLOCKS, LISTS
from webtool.markdown.render import Opened, Renderer

# CSS 2 section 17.2: the header group is above all other rows, the footer group below them.
_RANKS = {"caption": -1, "thead": 0, "tfoot": 2}
_COLUMNS = {"two-column-summary": 2, "three-column-summary": 3, "four-column-summary": 4}


def open_table(r: Renderer, element: Element) -> Opened:
    """Open a table by its kind. A table inside a cell is only content."""
    r.flush()
    if r.flat or r.grid is not None:
        return r.flush, None
    kind = table_kind.kind_of(element, r.hidden)
    if kind == table_kind.CODE:
        text, language = code.code_table(element, r.hidden)
        if text.strip():
            write_code(r, text, "diff" if "diff" in element.attrs.get("class", "") else language)
        return None
    if kind == table_kind.LAYOUT:
        return r.flush, None
    r.grid = tables.Grid(r.page.allowance)
    ranks = [_rank(node) for node in element.children if node.tag is not None]
    if ranks == sorted(ranks):
        return end_table, r
    r.walk(sorted(element.children, key=_rank))
    end_table(r)
    return None


def _rank(node: Node) -> int:
    """Return the place of a table's child: caption and texts, header, rows and bodies, footer."""
    return -1 if node.tag is None else _RANKS.get(node.tag, 1)


def end_table(r: Renderer) -> None:
    """Write the table.

    Headers that stay in view while scrolling are a table of their own, and the rows are the next table: the rows of a
    table without headers are appended to a table of headers only, directly before it, with as many columns.
    """
    r.flush()
    grid, r.grid = r.grid, None
    text = grid.markdown() if grid is not None else ""
    if not text:
        return
    # Only the first lines are cut out: a table may be most of the page.
    first = text.index("\n")
    second = text.find("\n", first + 1)
    head, delimiters = text[:first], text[first + 1 : second if second > 0 else len(text)]
    has_head = grid.has_head and any(map(is_alnum, head))  # type: ignore[union-attr]
    columns = delimiters.count("|") - 1
    if not has_head and r.head_above == (len(r.writer.out), columns):
        rows = [text[second + 1 :]] if second > 0 else []
        r.writer.add_rows("\n".join(rows if grid.has_head else [head, *rows]))  # type: ignore[union-attr]
    else:
        r.writer.block(blocks.TABLE, text)
    width = head.rstrip("| ").count(" | ") + 1  # without an empty last cell above the scroll bar
    r.head_above = (len(r.writer.out), width) if has_head and second < 0 else None


def open_row(r: Renderer, row: Element) -> Opened:
    """Open a row of the data table; outside a data table it is a line."""
    if r.grid is not None and not r.flat:
        if row.tag == "tr":
            r.grid.begin_row(group=row.parent)
        else:
            number = row.attrs.get("aria-rowindex", "")
            r.grid.begin_row(int(number[:9]) if number.isdecimal() and number.isascii() else None)
        return _end_row, r
    r.flush()
    return r.flush, None


def _end_row(r: Renderer) -> None:
    if r.grid is not None and not r.flat:
        r.grid.end_row()


def open_cell(r: Renderer, element: Element) -> Opened:
    """Open a cell of the data table. In a layout table it is a line if it has blocks, else a part of the row's line."""
    if r.grid is None or r.flat:
        if element.attrs.get("class") == "icon" and meanings.repeats_callout_kind(short_text(element) or "note"):
            return None  # Asciidoctor's cell with the kind of a callout, or, without a text, with its icon
        if not r.flat and table_kind.is_sign(element):
            r.flush()
            r.run.add_sign(short_text(element).strip())
            return None
        has_blocks = any(node.tag in BLOCKS or node.tag in HEADINGS or node.tag in LISTS for node in element.children)
        if r.flat or not has_blocks:
            r.run.append(" ")
            return r.run.append, " "
        if r.run.waits():
            r.run.append(" ")
        else:
            r.flush()
        return r.flush, None
    r.flat = True
    return _end_cell, (r, element)


def open_box_cell(r: Renderer, element: Element) -> Opened:
    """Open a cell by its role or style; outside a data table it is a line of its own."""
    if r.grid is None or r.flat:
        r.flush()
        return r.flush, None
    return open_cell(r, element)


def _end_cell(state: tuple[Renderer, Element]) -> None:
    r, element = state
    r.flat = False
    text = r.run.take_line(inline.CELL)
    if r.grid is not None:
        r.grid.add(text, element.attrs, is_header=_is_header(element))


def open_columns(r: Renderer, element: Element) -> Opened:
    """Open a grid of boxes that javadoc's style sheet arranges in rows of two to four columns."""
    r.flush()
    if r.flat or r.grid is not None:
        return r.flush, None
    r.grid = tables.Grid(r.page.allowance)
    columns = next(_COLUMNS[name] for name in element.attrs["class"].split() if name in _COLUMNS)
    cells = [node for node in element.children if isinstance(node, Element) and node not in r.hidden]
    for index, cell in enumerate(cells):
        if index % columns == 0:
            r.grid.begin_row()
        r.flat = True
        r.walk(cell.children)
        _end_cell((r, cell))
    end_table(r)
    return None


def _is_header(cell: Element) -> bool:
    """Whether a cell is a header, by its tag, its role, or a thead around it."""
    if cell.tag == "th" or role_of(cell.attrs) in ("columnheader", "rowheader"):
        return True
    group_of_row = [box.tag for box in around(cell, 2)][1:]  # the first box is the row
    return group_of_row == ["thead"]
