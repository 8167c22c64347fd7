"""How boxes are written that a style sheet makes: lines, items, tables. In: the renderer and an element that opens,
whose kind webtool.visibility.arranged tells. Out: what to call when it closes, or None.
"""

from __future__ import annotations

from webtool.html.node import BLOCK, CELL, ITEM, NOTE, ROW, STRUCK, TABLE, Element, Text, short_text
from webtool.markdown import tables
from webtool.markdown.handlers.inline import end_each
from webtool.markdown.handlers.lists import open_note
from webtool.markdown.handlers.tables import end_table, open_box_cell, open_row
from webtool.markdown.layout import Span
from webtool.markdown.render import PLAIN, Opened, Renderer

_BEGINS, _ENDS = frozenset("$€£¥#@/([{«“‘-–−+~≈<>"), frozenset(".,:;!?)]}%°’”»/")  # nothing stands apart from these


def open_arranged(r: Renderer, element: Element) -> Opened:
    """A box, with what its tag makes of it inside."""
    kind = r.arranged[element]
    if r.preserve or r.code:
        return _by_tag(r, element)
    if kind in _TABLES:
        return _TABLES[kind](r, element)
    if kind == BLOCK:
        r.flush()
        inner = _by_tag(r, element)
        return None if inner is None else (end_each, (inner, (r.flush, None)))
    if _is_apart(r, element):
        r.run.append(" ")
    inner = _by_tag(r, element)
    if kind == STRUCK and inner is not None:
        return end_each, (r.open_format("del", tag="s"), inner)
    if inner is None or kind == ITEM:
        return inner
    return end_each, (inner, (r.run.append, " "))


def _by_tag(r: Renderer, element: Element) -> Opened:
    rule = r.page.rules.get(element.tag)
    if rule is not None:
        return rule(r, element)
    return r.by_attributes(element) if element.attrs else PLAIN


def _is_apart(r: Renderer, element: Element) -> bool:
    """Whether an item needs a space before it: not between a sign and its number."""
    run = r.run
    if not run or (type(run[-1]) is str and run[-1][-1:].isspace()):
        return False
    last = next((token for token in reversed(run[-8:]) if isinstance(token, str)), "").rstrip()[-1:]
    first = short_text(element).strip()[:1]
    return last not in _BEGINS and first not in _ENDS if first and last else not isinstance(run[-1], Span)


def _open_table(r: Renderer, _: Element) -> Opened:
    r.flush()
    if r.flat or r.grid is not None:
        return r.flush, None
    r.grid = tables.Grid(r.page.fills)
    return end_table, r


def _open_note(r: Renderer, element: Element) -> Opened:
    """A footnote that only links tell, without the link back and the sign behind it."""
    notes = r.page.notes
    if notes is None or r.flat:
        return _by_tag(r, element)
    r.flush()
    close, argument = open_note(r, notes.blocks[element])  # type: ignore[misc]
    nodes = element.children
    first = next((i for i, node in enumerate(nodes) if node.tag is not None or node.text.strip()), 0)
    behind = nodes[first + 1 : first + 2]
    if behind and nodes[first] in notes.back_links and behind[0].tag is None:
        nodes = [Text(behind[0].text.lstrip(".:)] ")), *nodes[first + 2 :]]
    r.walk(nodes)
    close(argument)  # type: ignore[misc]
    return None


# Boxes that LaTeXML makes of spans.
BY_CLASS = {"#table": _open_table, "#row": open_row, "#cell": open_box_cell}
_TABLES = {TABLE: _open_table, ROW: open_row, CELL: open_box_cell, NOTE: _open_note}
