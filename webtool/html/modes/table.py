"""Define the insertion modes of tables, from "in table" and "in table text" to "in row" and "in cell".

Content that does not belong into a table is "fostered": it is inserted before the table (foster parenting, 13.2.6.1).
Spec: the HTML Standard, 13.2.6.4.9 to 13.2.6.4.15.
Tests: tests/html/modes/test_table.py, tests/html/modes/test_row.py
"""

from __future__ import annotations

from webtool.html import formatting, modes
from webtool.html.elements import (
    FOSTERED_FROM,
    PLAIN_END,
    TABLE_BODY_CONTEXT,
    TABLE_CONTEXT,
    TABLE_ROW_CONTEXT,
    TABLE_SCOPE,
)  # fmt: skip
from webtool.html.modes import Leaving, Mode, StartRule, TreeBuilder
from webtool.html.modes.body import IN_BODY

_TEXT_FROM = FOSTERED_FROM | {"template"}  # current nodes at which characters begin the mode "in table text"


def table_characters(tb: TreeBuilder, data: str) -> None:
    """Process characters in a table: white space is inserted, other text is fostered."""
    if tb.stack[-1].tag in _TEXT_FROM:
        tb.original_mode = tb.mode
        tb.table_text = []
        tb.switch("in table text")
        tb.mode.characters(tb, data)
    else:
        _fostered_characters(tb, data)


def _fostered_characters(tb: TreeBuilder, data: str) -> None:
    tb.fostering = True
    IN_BODY.characters(tb, data)
    tb.fostering = False


def _table_other_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Process any other start tag as in body, with foster parenting."""
    tb.fostering = True
    modes.start_in(tb, "in body", name, attrs)
    tb.fostering = False


def _table_other_end(tb: TreeBuilder, name: str) -> None:
    """Process any other end tag as in body, with foster parenting."""
    tb.fostering = True
    modes.end_in(tb, "in body", name)
    tb.fostering = False


def _table_caption(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a caption; a marker keeps formatting inside it."""
    tb.clear_back_to(TABLE_CONTEXT)
    formatting.insert_marker(tb)
    tb.insert_element(name, attrs)
    tb.switch("in caption")


def opening(context: frozenset[str], mode: str) -> StartRule:
    """Return a rule for start tags of table parts: clear the stack back to the context, insert, switch to `mode`."""

    def rule(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
        tb.clear_back_to(context)
        tb.insert_element(name, attrs)
        tb.switch(mode)

    return rule


def implying(rule: StartRule, implied: str) -> StartRule:
    """Return the rule for a start tag before which another one (`implied`) was omitted: `<table><td>` lacks <tbody>."""

    def both(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
        rule(tb, implied, {})
        tb.handle_starttag(name, attrs)

    return both


_colgroup = opening(TABLE_CONTEXT, "in column group")
_table_body = opening(TABLE_CONTEXT, "in table body")


def _close_table(tb: TreeBuilder) -> bool:
    """Close the open table; return False if none is in table scope."""
    if not tb.has_in_scope("table", TABLE_SCOPE):
        return False
    tb.pop_until("table")
    tb.reset_insertion_mode()
    return True


def _table_input(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a hidden input; any other is fostered."""
    if attrs.get("type", "").lower() == "hidden":
        tb.insert_void(name, attrs)
    else:
        _table_other_start(tb, name, attrs)


def _table_form(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a form that ends at once, unless one is open."""
    if tb.is_template_content():
        tb.insert_void(name, attrs)
    elif tb.form is None:
        tb.form = tb.insert_element(name, attrs)
        tb.stack.pop()


def flush_table_text(tb: TreeBuilder) -> None:
    """Insert the pending table characters: white space as it is, anything else before the table."""
    data = "".join(tb.table_text)
    if tb.has_null:
        data = data.replace("\0", "")
    tb.mode = tb.original_mode
    if not data:
        return
    if data.strip(modes.SPACE_CR):
        _fostered_characters(tb, data)
    else:
        tb.insert_text(data)


def _text_comment(tb: TreeBuilder, data: str) -> None:
    """Insert the pending text, then the comment."""
    flush_table_text(tb)
    tb.handle_comment(data)


def _close_caption(tb: TreeBuilder) -> bool:
    """Close the caption; return False if none is in table scope."""
    if not tb.has_in_scope("caption", TABLE_SCOPE):
        return False
    tb.generate_implied_end_tags()
    tb.pop_until("caption")
    formatting.clear_to_last_marker(tb)
    tb.switch("in table")
    return True


def _close_colgroup(tb: TreeBuilder) -> bool:
    """Close the column group; return False if it is not the current node."""
    if tb.stack[-1].tag != "colgroup":
        return False
    tb.stack.pop()
    tb.switch("in table")
    return True


ROW_PARTS = "caption col colgroup tbody td tfoot th thead tr"

_table = Leaving(_close_table)
modes.register(
    Mode("in table", table_characters, _table_other_start, _table_other_end, IN_BODY.eof),
    {
        "caption": _table_caption,
        "colgroup": _colgroup,
        "col": implying(_colgroup, "colgroup"),
        "tbody tfoot thead": _table_body,
        "td th tr": implying(_table_body, "tbody"),
        "table": _table.start,
        "style script template": modes.start_by("in head"),
        "input": _table_input,
        "form": _table_form,
    },
    {"table": _table.own_end, "body html " + ROW_PARTS: modes.ignore, "template": modes.end_by("in head")},
)
_table_text = Leaving(flush_table_text)
_TABLE_TEXT = modes.register(
    Mode(
        "in table text",
        lambda tb, data: tb.table_text.append(data),
        _table_text.start,
        _table_text.end,
        _table_text.eof,
    ),
    {},
    {},
)
_TABLE_TEXT.comment = _text_comment
_in_caption = Leaving(_close_caption)
_CAPTION = modes.register(
    Mode("in caption", IN_BODY.characters, IN_BODY.other_start, IN_BODY.other_end, IN_BODY.eof),
    {ROW_PARTS: _in_caption.start},
    {
        "caption": _in_caption.own_end,
        "table": _in_caption.end,
        "body col colgroup html tbody td tfoot th thead tr": modes.ignore,
    },
    others=IN_BODY,
)
_CAPTION.plain_end = PLAIN_END
_in_colgroup = Leaving(_close_colgroup, keeps_space=True)  # it cannot be closed in a template or fragment
modes.register(
    Mode("in column group", _in_colgroup.characters, _in_colgroup.start, _in_colgroup.end, IN_BODY.eof),
    {"html": modes.start_html, "col": modes.insert_void, "template": modes.start_by("in head")},
    {"colgroup": _in_colgroup.own_end, "col": modes.ignore, "template": modes.end_by("in head")},
)


def _tbody_end(tb: TreeBuilder, name: str) -> None:
    """Close the table body with this name."""
    if tb.has_in_scope(name, TABLE_SCOPE):
        _close_tbody(tb)


def _close_tbody(tb: TreeBuilder) -> bool:
    """Close the open table body; return False if none is in table scope."""
    if not any(tb.has_in_scope(name, TABLE_SCOPE) for name in ("tbody", "thead", "tfoot")):
        return False
    tb.clear_back_to(TABLE_BODY_CONTEXT)
    tb.pop()
    tb.switch("in table")
    return True


_row_opening = opening(TABLE_ROW_CONTEXT, "in cell")


def _row_cell(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a cell; a marker keeps formatting inside it."""
    _row_opening(tb, name, attrs)
    formatting.insert_marker(tb)


def _close_row(tb: TreeBuilder) -> bool:
    """Close the open row; return False if none is in table scope."""
    if not tb.has_in_scope("tr", TABLE_SCOPE):
        return False
    tb.clear_back_to(TABLE_ROW_CONTEXT)
    tb.pop()
    tb.switch("in table body")
    return True


def _row_tbody_end(tb: TreeBuilder, name: str) -> None:
    """Close the row, and then the table body with this name."""
    if tb.has_in_scope(name, TABLE_SCOPE):
        _row.end(tb, name)


def _cell_cell_end(tb: TreeBuilder, name: str) -> None:
    if tb.has_in_scope(name, TABLE_SCOPE):
        _close_cell(tb, name)


def _close_cell(tb: TreeBuilder, *names: str) -> None:
    """Close the open cell, with one of these names, and the formatting inside it."""
    tb.generate_implied_end_tags()
    tb.pop_until(*names)
    formatting.clear_to_last_marker(tb)
    tb.switch("in row")


def _cell_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Close the cell, and process a start tag of a table part again."""
    if tb.has_in_scope("td", TABLE_SCOPE) or tb.has_in_scope("th", TABLE_SCOPE):
        _close_cell(tb, "td", "th")
        tb.handle_starttag(name, attrs)


def _cell_table_end(tb: TreeBuilder, name: str) -> None:
    """Close the cell, and process the end tag of a table part again."""
    if tb.has_in_scope(name, TABLE_SCOPE):
        _close_cell(tb, "td", "th")
        tb.handle_endtag(name)


_tbody_tr = opening(TABLE_BODY_CONTEXT, "in row")
_tbody = Leaving(_close_tbody)
modes.register(
    Mode("in table body", table_characters, modes.start_by("in table"), modes.end_by("in table"), IN_BODY.eof),
    {"tr": _tbody_tr, "th td": implying(_tbody_tr, "tr"), "caption col colgroup tbody tfoot thead": _tbody.start},
    {
        "tbody tfoot thead": _tbody_end,
        "table": _tbody.end,
        "body caption col colgroup html td th tr": modes.ignore,
    },
)
_row = Leaving(_close_row)
modes.register(
    Mode("in row", table_characters, modes.start_by("in table"), modes.end_by("in table"), IN_BODY.eof),
    {"th td": _row_cell, "caption col colgroup tbody tfoot thead tr": _row.start},
    {
        "tr": _row.own_end,
        "table": _row.end,
        "tbody tfoot thead": _row_tbody_end,
        "body caption col colgroup html td th": modes.ignore,
    },
)
_CELL = modes.register(
    Mode("in cell", IN_BODY.characters, IN_BODY.other_start, IN_BODY.other_end, IN_BODY.eof),
    {ROW_PARTS: _cell_start},
    {
        "td th": _cell_cell_end,
        "body caption col colgroup html": modes.ignore,
        "table tbody tfoot thead tr": _cell_table_end,
    },
    others=IN_BODY,
)
_CELL.plain_end = PLAIN_END
