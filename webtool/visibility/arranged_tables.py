"""Find tables that style sheets make of boxes. In: containers with possible rows. Out: kinds TABLE, ROW and CELL.

A container is a table if all of its visible children are possible rows, and their children look like cells: short
texts, in columns. Rows of a real `display: table-row` need no more than that. Other rows (flex containers, or a class
name such as "specs__row") must have equal numbers of cells and no pictures. The first column with a text must have one
in every row. Rows and columns together must be at least MIN_ROWS_AND_COLUMNS.
Specification: CSS 2 section 17.
Tests: tests/visibility/test_arranged.py
"""

from __future__ import annotations

from collections.abc import Container

from webtool.html.node import CELL, ROW, TABLE, Element

BOXES = frozenset(("div", "section", "article", "main", "header", "footer", "aside", "form", "fieldset", "body", "p"))
_WITHOUT_TEXT = frozenset((
    "head", "script", "style", "template", "noscript", "link", "meta", "#comment", "svg", "math",
))  # fmt: skip
_NOT_IN_CELL = frozenset((
    "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "pre", "blockquote", "form", "input", "select",
    "textarea", "article", "section", "nav", "header", "footer", "iframe", "video", "button", "figure", "hr",
))  # fmt: skip

MIN_ROWS = 2
MAX_COLUMNS = 12
MIN_ROWS_AND_COLUMNS = 5  # of a table of flex boxes: two rows of two boxes may be anything
MAX_CELL = 160  # characters; a box with more text is not the cell of a table
_MAX_CELL_NODES = 40  # a box with more nodes is not the cell of a table
_MAX_CHILDREN = 3000  # children of one container that are arranged

Rows = dict[Element, str]  # possible row -> its display


def shown_children(element: Element, hidden: Container[Element]) -> list[Element]:
    """Return the child elements that may show text."""
    children = [node for node in element.children[:_MAX_CHILDREN] if isinstance(node, Element)]
    return [node for node in children if node.tag not in _WITHOUT_TEXT and node not in hidden]


def add_tables(
    kinds: dict[Element, str], rows: dict[Element, Rows], numbers: dict[Element, int], hidden: Container[Element]
) -> None:
    """Add the kinds of boxes that make tables. `rows` has the possible rows of each container.

    `numbers` give the document order: an outer container comes first, and its cells become no tables.
    """
    for container, displays in sorted(rows.items(), key=lambda item: numbers.get(item[0], -1)):
        if len(displays) < MIN_ROWS or container in kinds or container.tag not in BOXES:
            continue
        children = shown_children(container, hidden)
        if len(children) != len(displays) or not all(child in displays for child in children):
            continue
        if _has_text_of_its_own(container):
            continue
        is_table = all(display == "table-row" for display in displays.values())
        cells = [shown_children(row, hidden) for row in children]
        columns = _columns(cells, hidden, is_table=is_table)
        if len(columns) > 1 and (is_table or len(cells) + len(columns) >= MIN_ROWS_AND_COLUMNS):
            kinds[container] = TABLE
            kinds.update(dict.fromkeys(children, ROW))
            for row in cells:
                kinds.update((row[column], CELL) for column in columns if column < len(row))


def _columns(rows: list[list[Element]], hidden: Container[Element], *, is_table: bool) -> list[int]:
    """Return the numbers of the columns that hold something, or [] if the rows do not make a table.

    `is_table` says that the rows have `display: table-row`.
    """
    widths = {len(row) for row in rows}
    width = max(widths)
    if 0 in widths or not 2 <= width <= MAX_COLUMNS or (len(widths) > 1 and not is_table):
        return []
    if any(row[0].parent is not None and _has_text_of_its_own(row[0].parent) for row in rows):
        return []
    lengths = [[_cell_length(cell, hidden, may_have_pictures=is_table) for cell in row] for row in rows]
    if any(length is None for row in lengths for length in row):
        return []
    columns = [column for column in range(width) if any(column < len(row) and row[column] for row in lengths)]
    if columns and not is_table and not all(row[columns[0]] for row in lengths):
        return []
    return columns


def _has_text_of_its_own(element: Element) -> bool:
    """Return whether a container has text outside of its rows, or a row outside of its cells."""
    return any(node.tag is None and node.text.strip() for node in element.children)


def _cell_length(cell: Element, hidden: Container[Element], *, may_have_pictures: bool) -> int | None:
    """Return the characters of text in a cell, a picture counts as one; None if it holds more than a cell does."""
    if cell.tag in _NOT_IN_CELL:
        return None
    nodes = length = 0
    stack = [cell]
    while stack:
        for node in stack.pop().children:
            nodes += 1
            tag = node.tag
            if tag is None:
                length += len(node.text.strip())
            elif node in hidden:
                pass  # a hidden button in each row shows nothing
            elif tag in _NOT_IN_CELL or (tag == "img" and not may_have_pictures):
                return None
            elif tag == "img":
                length += 1
            elif tag not in _WITHOUT_TEXT:
                stack.append(node)  # type: ignore[arg-type]
            if nodes > _MAX_CELL_NODES or length > MAX_CELL:
                return None
    return length
