"""What an element's role or class says that its tag does not: ARIA tables, lists and headings, callouts. In: the
renderer and an element that opens. Out: what to call when it closes, or None. Specification: WAI-ARIA 1.2.
"""

from __future__ import annotations

from webtool.markdown import blocks, callouts, tables
from webtool.markdown.handlers.blocks import end_quote, open_heading_of
from webtool.markdown.handlers.lists import open_item, open_list
from webtool.markdown.handlers.tables import end_table, open_cell, open_row
from webtool.markdown.naming import short_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.html.node import Element
    from webtool.markdown.render import Handler, Opened, Renderer


def open_callout(r: Renderer, element: Element) -> Opened:
    """A quote that begins with its kind."""
    kind = callouts.kind_of(element.attrs["class"])
    r.flush()
    if r.flat:
        return r.flush, None
    r.writer.open(blocks.QUOTE, "> ", "> ")
    r.writer.block(blocks.ALERT, f"[!{kind}]")
    r.lists.append(None)
    return end_quote, r


def open_callout_title(r: Renderer, element: Element) -> Opened:
    """The line is left out where it says the kind again."""
    text = "".join(short_text(element).split()).strip(":").lower()
    if text in callouts.KINDS or not text:
        return None
    r.flush()
    return _end_title, (r, r.open_format("strong"))


def _end_title(state: tuple[Renderer, Opened]) -> None:
    r, opened = state
    if opened is not None and opened[0] is not None:
        opened[0](opened[1])
    r.flush()


def _open_table(r: Renderer, element: Element) -> Opened:
    r.flush()
    if r.flat or r.grid is not None or not _has_rows(element):
        return r.flush, None
    r.grid = tables.Grid(r.page.fills)
    return end_table, r


def _has_rows(element: Element) -> bool:
    """Whether there is a row with two cells among the first elements; rows may stand in groups."""
    stack, seen = [element], 0
    while stack and seen < _MAX_NODES:
        for node in stack.pop().children:
            seen += 1
            role = node.attrs.get("role", "")
            if role == "row":
                return sum(child.attrs.get("role") in _CELLS for child in node.children) > 1
            if node.tag is not None and role in ("rowgroup", "presentation", "none", ""):
                stack.insert(0, node)  # type: ignore[arg-type]
    return False


_MAX_NODES = 60
_CELLS = frozenset(("cell", "gridcell", "columnheader", "rowheader"))


def _open_cell(r: Renderer, element: Element) -> Opened:
    if r.grid is None or r.flat:
        r.flush()
        return r.flush, None
    return open_cell(r, element)


def _open_heading(r: Renderer, element: Element) -> Opened:
    level = element.attrs.get("aria-level", "").strip()
    return open_heading_of(r, element, int(level) if level in ("1", "2", "3", "4", "5", "6") else 2)


def _open_item(r: Renderer, element: Element) -> Opened:
    if not r.lists or r.lists[-1] is None:
        r.flush()
        return r.flush, None
    return open_item(r, element)


# "@" before a role, "#" before what a class says (callouts.py): no tag begins so.
MEANINGS: dict[str, Handler] = {
    "#callout": open_callout,
    "#callout-title": open_callout_title,
    "@heading": _open_heading,
    "@list": open_list,
    "@listitem": _open_item,
    "@table": _open_table,
    "@grid": _open_table,
    "@treegrid": _open_table,
    "@row": open_row,
    **dict.fromkeys(["@" + role for role in _CELLS], _open_cell),
}
