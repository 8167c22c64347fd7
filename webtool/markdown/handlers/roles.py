"""Open elements by what their role, class or style sheet makes of them: ARIA tables, lists and headings, notes, tabs.

In: the renderer and an element. Out: (close, argument), PLAIN, or None to skip the content (see handlers/__init__.py).
MEANINGS has the handlers by key: "@" and a role, or "#" and the meaning of a class (meanings.py). Elements that a style
sheet arranges have a kind: BLOCK, ITEM, TABLE and others, which webtool.visibility.arranged finds.
Specification: WAI-ARIA 1.2.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from collections.abc import Container

from webtool.html.elements import role_of
from webtool.html.node import BLOCK, CELL, ITEM, NOTE, ROW, STRUCK, TABLE, Element, Node, Text, short_text
from webtool.markdown import blocks, footnotes, naming, tables
from webtool.markdown.handlers import attributes
from webtool.markdown.handlers import blocks as block_handlers
from webtool.markdown.handlers.embedded import open_icon, open_picture
from webtool.markdown.handlers.inline import end_each, open_code_span, open_lowered, open_raised
from webtool.markdown.handlers.lists import open_item, open_list, open_note
from webtool.markdown.handlers.tables import end_table, open_box_cell, open_row
from webtool.markdown.layout import TASK_BOXES
from webtool.markdown.meanings import BLOCKS
from webtool.markdown.render import PLAIN, Handler, Opened, Renderer

TABLES = frozenset(("table", "grid", "treegrid"))
CELLS = frozenset(("cell", "gridcell", "columnheader", "rowheader"))
_SENTENCE_ENDS = (".", "\u3002")
_MAX_HEADING = 80  # characters of a paragraph in a heading; with a longer one the element is not a heading
_LABELS = ("label", footnotes.NUMBER)  # classes of a note's number: of docutils, of Substack
# Signs that belong to the next box, "$" "12", or to the one before, "12" "%": no space is written between the boxes.
_NO_SPACE_AFTER = frozenset("$€£¥#@/([{«“‘-–−+~≈<>")
_NO_SPACE_BEFORE = frozenset(".,:;!?)]}%°’”»/")


def _open_table(r: Renderer, element: Element) -> Opened:
    """Open an ARIA table or grid, if one of its rows has at least two cells."""
    r.flush()
    if r.flat or r.grid is not None:
        return r.flush, None
    rows, headers = _rows_in(element, r.hidden)
    if not rows:
        return r.flush, None
    r.grid = tables.Grid(r.page.allowance)
    return _end_table, (r, element.attrs.get("aria-rowcount", ""), rows - headers, headers)


def _end_table(state: tuple[Renderer, str, int, int]) -> None:
    """Write the table, and how many rows there are in all: grids keep only the rows in view in the page."""
    r, row_count, shown_rows, headers = state
    end_table(r)
    count = int(row_count[:9]) - headers if row_count.isdecimal() and row_count.isascii() else 0
    if count > shown_rows:
        r.writer.block(blocks.PARAGRAPH, f"*Showing {shown_rows:,} of {count:,} rows*")


def _rows_in(element: Element, hidden: Container[Element]) -> tuple[int, int]:
    """Return the number of rows in a grid and the number of header rows among them, or (0, 0) if no row has two cells.

    Rows may be inside groups and boxes without a role. A row may come in parts, which have its number.
    """
    cells: dict[str, int] = {}
    headers: set[str] = set()
    stack, row = [(iter(element.children), "")], ""
    while stack:
        rest, row = stack[-1]
        for node in rest:
            role = role_of(node.attrs) if node.tag is not None else ""
            if node.tag is None or node in hidden or role in TABLES:
                continue
            if role == "row":
                name = node.attrs.get("aria-rowindex", f"#{len(cells)}")
                cells.setdefault(name, 0)
                stack.append((iter(node.children), name))
                break
            if role in CELLS:
                if row:
                    cells[row] += 1
                    if role == "columnheader":
                        headers.add(row)
            elif node.children:
                stack.append((iter(node.children), row))
                break
        else:
            stack.pop()
    return (len(cells), len(headers)) if max(cells.values(), default=0) > 1 else (0, 0)


def _open_heading(r: Renderer, element: Element) -> Opened:
    """Open an element with the role heading.

    If it has paragraphs that are sentences or long texts, the role is wrong, and it is opened as a block.
    """
    texts = [short_text(node).strip() for node in element.children if node.tag == "p"]
    if any(text[-1:] in _SENTENCE_ENDS or len(text) > _MAX_HEADING for text in texts):
        return block_handlers.open_block(r, Element(element.tag))  # without the role, which would lead here again
    return block_handlers.open_heading_of(r, element, block_handlers.level_of(element, 2))


def _open_item(r: Renderer, element: Element) -> Opened:
    """Open an element with the role listitem; outside a list it is a block."""
    if not r.lists or r.lists[-1] is None:
        r.flush()
        return r.flush, None
    return open_item(r, element)


def _open_footnote(r: Renderer, element: Element) -> Opened:
    """Open a note of docutils or Substack, without the label before its text."""
    numbers = [node for node in element.children if node.attrs and node.attrs.get("class") in _LABELS]
    names = (node.attrs["id"] for node in (element, *numbers) if "id" in node.attrs)
    label = None if r.flat else r.note_label(element, next(names, ""))
    if label is None:
        return PLAIN
    r.flush()
    opened = open_note(r, label)
    r.walk([node for node in element.children if node not in numbers])
    end_each((opened,))
    return None


def _open_note_in_text(r: Renderer, element: Element) -> Opened:
    """Write a note of LaTeXML, which is at the place of its reference, in brackets and without its number."""
    nodes = [node for node in element.children if node.tag != "sup"]
    names = {name for node in nodes for name in node.attrs.get("class", "").split() if node.tag is not None}
    if "ltx_note_type" in names and all(_is_mark_of_note(node) for node in nodes):
        return None  # a second mark of a note that is elsewhere
    r.run.append(" (")
    r.walk(nodes)
    r.run.append(")")
    return None


def _is_mark_of_note(node: Node) -> bool:
    """Whether a node of a LaTeXML note is its number, the word "footnotemark: ", or blank."""
    names = node.attrs.get("class", "").split() if node.tag is not None else []
    return "ltx_note_type" in names or "ltx_tag_note" in names or not node.text.strip()


def _open_mark(_: Renderer, element: Element) -> Opened:
    """Open a line number or LaTeXML's item marker: it is skipped unless it has letters."""
    text = short_text(element).strip().strip("().")
    return PLAIN if any(map(str.isalpha, text)) else None


def _open_checked(r: Renderer, element: Element) -> Opened:
    """Write a task box that is drawn as an icon."""
    r.run.add_box(TASK_BOXES["checkbox-on" in element.attrs["class"].split()])
    return None


def _open_apart(r: Renderer, _: Element) -> Opened:
    """Open an inline box with a space before and after it."""
    r.run.append(" ")
    return r.run.append, " "


def _open_preserved(r: Renderer, element: Element) -> Opened:
    """Open an element whose class preserves its white space."""
    return attributes.open_box(r, element.tag in BLOCKS, True)


def _open_panel(r: Renderer, element: Element) -> Opened:
    """Open the panel of a tab: the tab's text is written above it."""
    r.flush()
    label = "" if r.flat else naming.tab_of(element, r.labels)
    if label:
        r.write_span("strong", label)
        r.flush()
    return r.flush, None


def _open_classifier(r: Renderer, element: Element) -> Opened:
    """Open docutils' classifier of a term: the colon before it comes from a style sheet."""
    is_of_term = element.parent is not None and element.parent.tag == "dt"
    if is_of_term and r.run and ":" not in (str(part).strip() for part in r.run[-2:]):
        r.run.append(" : ")
    return PLAIN


def open_arranged(r: Renderer, element: Element) -> Opened:
    """Open a box that a style sheet arranges, with what its tag makes of it inside."""
    kind = r.arranged[element]
    if r.preserve or r.code:  # there only the page's own spaces and line ends count
        return _by_tag(r, element)
    if kind in _ARRANGED:
        return _ARRANGED[kind](r, element)
    if attributes.is_icon(element):
        return _by_tag(r, element)
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
    rule = r.page.handlers.get(element.tag)
    if rule is not None:
        return rule(r, element)
    return attributes.open_by_attributes(r, element) if element.attrs else PLAIN


def _is_apart(r: Renderer, element: Element) -> bool:
    """Whether an item needs a space before it. Between a sign and its number it does not."""
    run = r.run
    if not run or (type(run[-1]) is str and run[-1][-1:].isspace()):
        return False
    last = next((token for token in reversed(run[-8:]) if isinstance(token, str)), "").rstrip()[-1:]
    first = short_text(element).strip()[:1]
    if not (first and last):
        return True
    return last not in _NO_SPACE_AFTER and first not in _NO_SPACE_BEFORE


def _open_arranged_table(r: Renderer, _: Element) -> Opened:
    """Open boxes that a style sheet makes a table of."""
    r.flush()
    if r.flat or r.grid is not None:
        return r.flush, None
    r.grid = tables.Grid(r.page.allowance)
    return end_table, r


def _open_arranged_note(r: Renderer, element: Element) -> Opened:
    """Open a footnote found by its links, without the link back and the punctuation after it."""
    notes = r.notes
    if notes is None or r.flat:
        return _by_tag(r, element)
    r.flush()
    opened = open_note(r, notes.blocks[element])
    nodes = element.children
    first = next((i for i, node in enumerate(nodes) if node.tag is not None or node.text.strip()), 0)
    following = nodes[first + 1 : first + 2]
    if following and nodes[first] in notes.back_links and following[0].tag is None:
        nodes = [Text(following[0].text.lstrip(".:)] ")), *nodes[first + 2 :]]
    r.walk(nodes)
    end_each((opened,))
    return None


_ARRANGED = {TABLE: _open_arranged_table, ROW: open_row, CELL: open_box_cell, NOTE: _open_arranged_note}

# "@" before a role, "#" before the meaning of a class: no tag begins with these.
MEANINGS: dict[str, Handler] = {
    "#callout": block_handlers.open_callout, "#callout-title": block_handlers.open_callout_title,
    "#titled": block_handlers.open_titled, "#classifier": _open_classifier, "@heading": _open_heading,
    "@list": open_list, "@directory": open_list, "@listitem": _open_item,
    "@table": _open_table, "@grid": _open_table, "@treegrid": _open_table, "@row": open_row,
    "@blockquote": block_handlers.open_quote, "@code": open_code_span, "@img": open_picture, "@icon": open_icon,
    "@doc-footnote": _open_footnote, "@tabpanel": _open_panel, "#note": _open_note_in_text, "#mark": _open_mark,
    "#numbers": _open_mark, "#checked": _open_checked, "#unchecked": _open_checked, "#apart": _open_apart,
    "#preserved": _open_preserved, "@superscript": open_raised, "@subscript": open_lowered,
    "#table": _open_arranged_table, "#row": open_row, "#cell": open_box_cell,  # boxes that LaTeXML makes of spans
    "#arranged": open_arranged,
    **dict.fromkeys(["@" + role for role in CELLS], open_box_cell),
}  # fmt: skip
