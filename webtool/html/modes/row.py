"""Insertion modes of a table's rows: "in table body", "in row" and "in cell". Spec: the HTML Standard, 13.2.6.4.13 to
13.2.6.4.15.
"""

from __future__ import annotations

from webtool.html import formatting
from webtool.html.elements import PLAIN_END, TABLE_BODY_CONTEXT, TABLE_ROW_CONTEXT, TABLE_SCOPE
from webtool.html.modes import Mode, end_in, ignore, register, start_in
from webtool.html.modes.body import eof as body_eof
from webtool.html.modes.table import ROW_PARTS, body_characters, body_end, body_start, table_characters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.html.treebuilder import TreeBuilder

# "in table body"


def _tbody_tr(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.clear_back_to(TABLE_BODY_CONTEXT)
    tb.insert_element(name, attrs)
    tb.switch("in row")


def _tbody_cell(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    _tbody_tr(tb, "tr", {})
    tb.handle_starttag(name, attrs)


def _tbody_end(tb: TreeBuilder, name: str) -> None:
    if tb.has_in_scope(name, TABLE_SCOPE):
        tb.clear_back_to(TABLE_BODY_CONTEXT)
        tb.pop()
        tb.switch("in table")


def _close_tbody(tb: TreeBuilder) -> bool:
    if not any(tb.has_in_scope(name, TABLE_SCOPE) for name in ("tbody", "thead", "tfoot")):
        return False
    tb.clear_back_to(TABLE_BODY_CONTEXT)
    tb.pop()
    tb.switch("in table")
    return True


def _tbody_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    if _close_tbody(tb):
        tb.handle_starttag(name, attrs)


def _tbody_table_end(tb: TreeBuilder, name: str) -> None:
    if _close_tbody(tb):
        tb.handle_endtag(name)


def _in_table_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    start_in(tb, "in table", name, attrs)


def _in_table_end(tb: TreeBuilder, name: str) -> None:
    end_in(tb, "in table", name)


# "in row"


def _row_cell(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.clear_back_to(TABLE_ROW_CONTEXT)
    tb.insert_element(name, attrs)
    tb.switch("in cell")
    formatting.insert_marker(tb)


def _close_row(tb: TreeBuilder) -> bool:
    if not tb.has_in_scope("tr", TABLE_SCOPE):
        return False
    tb.clear_back_to(TABLE_ROW_CONTEXT)
    tb.pop()
    tb.switch("in table body")
    return True


def _row_tr_end(tb: TreeBuilder, _name: str) -> None:
    _close_row(tb)


def _row_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    if _close_row(tb):
        tb.handle_starttag(name, attrs)


def _row_table_end(tb: TreeBuilder, name: str) -> None:
    if _close_row(tb):
        tb.handle_endtag(name)


def _row_tbody_end(tb: TreeBuilder, name: str) -> None:
    if tb.has_in_scope(name, TABLE_SCOPE) and _close_row(tb):
        tb.handle_endtag(name)


# "in cell"


def _cell_cell_end(tb: TreeBuilder, name: str) -> None:
    if tb.has_in_scope(name, TABLE_SCOPE):
        tb.generate_implied_end_tags()
        tb.pop_until(name)
        formatting.clear_to_last_marker(tb)
        tb.switch("in row")


def _close_cell(tb: TreeBuilder) -> None:
    tb.generate_implied_end_tags()
    tb.pop_until("td", "th")
    formatting.clear_to_last_marker(tb)
    tb.switch("in row")


def _cell_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    if tb.has_in_scope("td", TABLE_SCOPE) or tb.has_in_scope("th", TABLE_SCOPE):
        _close_cell(tb)
        tb.handle_starttag(name, attrs)


def _cell_table_end(tb: TreeBuilder, name: str) -> None:
    if tb.has_in_scope(name, TABLE_SCOPE):
        _close_cell(tb)
        tb.handle_endtag(name)


register(
    Mode("in table body", table_characters, _in_table_start, _in_table_end, body_eof),
    {"tr": _tbody_tr, "th td": _tbody_cell, "caption col colgroup tbody tfoot thead": _tbody_start},
    {
        "tbody tfoot thead": _tbody_end,
        "table": _tbody_table_end,
        "body caption col colgroup html td th tr": ignore,
    },
)
register(
    Mode("in row", table_characters, _in_table_start, _in_table_end, body_eof),
    {"th td": _row_cell, "caption col colgroup tbody tfoot thead tr": _row_start},
    {
        "tr": _row_tr_end,
        "table": _row_table_end,
        "tbody tfoot thead": _row_tbody_end,
        "body caption col colgroup html td th": ignore,
    },
)
_CELL = register(
    Mode("in cell", body_characters, body_start, body_end, body_eof),
    {ROW_PARTS: _cell_start},
    {
        "td th": _cell_cell_end,
        "body caption col colgroup html": ignore,
        "table tbody tfoot thead tr": _cell_table_end,
    },
)
_CELL.plain_end = PLAIN_END
