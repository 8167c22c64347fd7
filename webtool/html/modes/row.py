"""Define the insertion modes of a table's rows: "in table body", "in row" and "in cell".

Spec: the HTML Standard, 13.2.6.4.13 to 13.2.6.4.15.
"""

from __future__ import annotations

from webtool.html import formatting
from webtool.html.elements import PLAIN_END, TABLE_BODY_CONTEXT, TABLE_ROW_CONTEXT, TABLE_SCOPE
from webtool.html.modes import Leaving, Mode, TreeBuilder, end_by, ignore, register, start_by
from webtool.html.modes.body import IN_BODY
from webtool.html.modes.table import ROW_PARTS, implying, opening, table_characters

# "in table body"


def _tbody_end(tb: TreeBuilder, name: str) -> None:
    """Close a table body with this name."""
    _close_tbody(tb, name)


def _close_tbody(tb: TreeBuilder, *names: str) -> bool:
    """Close the open table body, one of `names` if given; return False if none is in table scope."""
    if not any(tb.has_in_scope(name, TABLE_SCOPE) for name in names or ("tbody", "thead", "tfoot")):
        return False
    tb.clear_back_to(TABLE_BODY_CONTEXT)
    tb.pop()
    tb.switch("in table")
    return True


# "in row"

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


# "in cell"


def _cell_cell_end(tb: TreeBuilder, name: str) -> None:
    """Close the cell with this name."""
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
register(
    Mode("in table body", table_characters, start_by("in table"), end_by("in table"), IN_BODY.eof),
    {"tr": _tbody_tr, "th td": implying(_tbody_tr, "tr"), "caption col colgroup tbody tfoot thead": _tbody.start},
    {"tbody tfoot thead": _tbody_end, "table": _tbody.end, "body caption col colgroup html td th tr": ignore},
)
_row = Leaving(_close_row)
register(
    Mode("in row", table_characters, start_by("in table"), end_by("in table"), IN_BODY.eof),
    {"th td": _row_cell, "caption col colgroup tbody tfoot thead tr": _row.start},
    {
        "tr": _row.own_end,
        "table": _row.end,
        "tbody tfoot thead": _row_tbody_end,
        "body caption col colgroup html td th": ignore,
    },
)
_CELL = register(
    Mode("in cell", IN_BODY.characters, IN_BODY.other_start, IN_BODY.other_end, IN_BODY.eof),
    {**IN_BODY.start, ROW_PARTS: _cell_start},
    {
        **IN_BODY.end,
        "td th": _cell_cell_end,
        "body caption col colgroup html": ignore,
        "table tbody tfoot thead tr": _cell_table_end,
    },
)
_CELL.plain_end = PLAIN_END
