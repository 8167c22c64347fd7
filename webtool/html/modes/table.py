"""Insertion modes of tables: "in table", "in table text", "in caption" and "in column group"; those of rows and cells
are in row.py. Spec: the HTML Standard, 13.2.6.4.9 to 13.2.6.4.12.
"""

from __future__ import annotations

from webtool.html import formatting
from webtool.html.elements import (
    FOSTERED_FROM,
    PLAIN_END,
    TABLE_CONTEXT,
    TABLE_SCOPE,
)
from webtool.html.modes import (
    MODES,
    SPACE_CR,
    Mode,
    end_in,
    ignore,
    leading_space,
    register,
    space_only,
    start_html,
    start_in,
)
from webtool.html.modes.body import eof as body_eof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.html.treebuilder import TreeBuilder

_TEXT_FROM = FOSTERED_FROM | {"template"}

# "in table"


def table_characters(tb: TreeBuilder, data: str) -> None:
    """Characters in a table: white space is its own, other text is fostered."""
    if tb.stack[-1].tag in _TEXT_FROM:
        tb.original_mode = tb.mode
        tb.table_text = []
        tb.switch("in table text")
        tb.mode.characters(tb, data)
    else:
        _fostered_characters(tb, data)


def _fostered_characters(tb: TreeBuilder, data: str) -> None:
    tb.fostering = True
    MODES["in body"].characters(tb, data)
    tb.fostering = False


def _table_other_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.fostering = True
    start_in(tb, "in body", name, attrs)
    tb.fostering = False


def _table_other_end(tb: TreeBuilder, name: str) -> None:
    tb.fostering = True
    end_in(tb, "in body", name)
    tb.fostering = False


def _table_caption(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.clear_back_to(TABLE_CONTEXT)
    formatting.insert_marker(tb)
    tb.insert_element(name, attrs)
    tb.switch("in caption")


def _table_colgroup(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.clear_back_to(TABLE_CONTEXT)
    tb.insert_element(name, attrs)
    tb.switch("in column group")


def _table_col(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    _table_colgroup(tb, "colgroup", {})
    tb.handle_starttag(name, attrs)


def _table_body(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.clear_back_to(TABLE_CONTEXT)
    tb.insert_element(name, attrs)
    tb.switch("in table body")


def _table_row(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    _table_body(tb, "tbody", {})
    tb.handle_starttag(name, attrs)


def _table_table(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    if tb.has_in_scope("table", TABLE_SCOPE):
        tb.pop_until("table")
        tb.reset_insertion_mode()
        tb.handle_starttag(name, attrs)


def _table_end(tb: TreeBuilder, _name: str) -> None:
    if tb.has_in_scope("table", TABLE_SCOPE):
        tb.pop_until("table")
        tb.reset_insertion_mode()


def _table_in_head(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    start_in(tb, "in head", name, attrs)


def _template_end(tb: TreeBuilder, name: str) -> None:
    end_in(tb, "in head", name)


def _table_input(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    if attrs.get("type", "").lower() == "hidden":
        tb.insert_void(name, attrs)
    else:
        _table_other_start(tb, name, attrs)


def _table_form(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    if tb.is_template_content():
        tb.insert_void(name, attrs)
    elif tb.form is None:
        tb.form = tb.insert_element(name, attrs)
        tb.stack.pop()


# "in table text"


def _text_characters(tb: TreeBuilder, data: str) -> None:
    tb.table_text.append(data)


def flush_table_text(tb: TreeBuilder) -> None:
    """Another token follows: white space is inserted, anything else goes before the table."""
    data = "".join(tb.table_text)
    if tb.has_null:
        data = data.replace("\0", "")
    tb.mode = tb.original_mode
    if not data:
        return
    if data.strip(SPACE_CR):
        _fostered_characters(tb, data)
    else:
        tb.insert_text(data)


def _text_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    flush_table_text(tb)
    tb.handle_starttag(name, attrs)


def _text_end(tb: TreeBuilder, name: str) -> None:
    flush_table_text(tb)
    tb.handle_endtag(name)


def _text_comment(tb: TreeBuilder, data: str) -> None:
    flush_table_text(tb)
    tb.handle_comment(data)


def _text_eof(tb: TreeBuilder) -> bool:
    flush_table_text(tb)
    return False


# "in caption"


def _close_caption(tb: TreeBuilder) -> bool:
    if not tb.has_in_scope("caption", TABLE_SCOPE):
        return False
    tb.generate_implied_end_tags()
    tb.pop_until("caption")
    formatting.clear_to_last_marker(tb)
    tb.switch("in table")
    return True


def _caption_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    if _close_caption(tb):
        tb.handle_starttag(name, attrs)


def _caption_end(tb: TreeBuilder, _name: str) -> None:
    _close_caption(tb)


def _caption_table_end(tb: TreeBuilder, name: str) -> None:
    if _close_caption(tb):
        tb.handle_endtag(name)


def body_characters(tb: TreeBuilder, data: str) -> None:
    """Characters by the rules of "in body"."""
    MODES["in body"].characters(tb, data)


def body_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """A start tag by the rules of "in body"."""
    start_in(tb, "in body", name, attrs)


def body_end(tb: TreeBuilder, name: str) -> None:
    """An end tag by the rules of "in body"."""
    end_in(tb, "in body", name)


# "in column group"


def _close_colgroup(tb: TreeBuilder) -> bool:
    if tb.stack[-1].tag != "colgroup":
        return False
    tb.stack.pop()
    tb.switch("in table")
    return True


def _colgroup_characters(tb: TreeBuilder, data: str) -> None:
    space = leading_space(data)
    if space:
        tb.insert_text(data[:space])
    if space == len(data):
        return
    if _close_colgroup(tb):
        tb.handle_data(data[space:])
    else:  # of a template or a fragment
        space_only(tb, data[space:])


def _colgroup_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    if _close_colgroup(tb):
        tb.handle_starttag(name, attrs)


def _colgroup_end(tb: TreeBuilder, name: str) -> None:
    if _close_colgroup(tb):
        tb.handle_endtag(name)


def _colgroup_colgroup_end(tb: TreeBuilder, _name: str) -> None:
    _close_colgroup(tb)


def _colgroup_col(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.insert_void(name, attrs)


ROW_PARTS = "caption col colgroup tbody td tfoot th thead tr"

register(
    Mode("in table", table_characters, _table_other_start, _table_other_end, body_eof),
    {
        "caption": _table_caption,
        "colgroup": _table_colgroup,
        "col": _table_col,
        "tbody tfoot thead": _table_body,
        "td th tr": _table_row,
        "table": _table_table,
        "style script template": _table_in_head,
        "input": _table_input,
        "form": _table_form,
    },
    {"table": _table_end, "body html " + ROW_PARTS: ignore, "template": _template_end},
)
_TABLE_TEXT = register(Mode("in table text", _text_characters, _text_start, _text_end, _text_eof), {}, {})
_TABLE_TEXT.comment = _text_comment
_CAPTION = register(
    Mode("in caption", body_characters, body_start, body_end, body_eof),
    {ROW_PARTS: _caption_start},
    {
        "caption": _caption_end,
        "table": _caption_table_end,
        "body col colgroup html tbody td tfoot th thead tr": ignore,
    },
)
register(
    Mode("in column group", _colgroup_characters, _colgroup_start, _colgroup_end, body_eof),
    {"html": start_html, "col": _colgroup_col, "template": _table_in_head},
    {"colgroup": _colgroup_colgroup_end, "col": ignore, "template": _template_end},
)
_CAPTION.plain_end = PLAIN_END
