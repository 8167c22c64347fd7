"""Insertion modes of a document's beginning: "initial", "before html", "before head". Spec: the HTML Standard,
13.2.6.4.1 to 13.2.6.4.3.
"""

from __future__ import annotations

from webtool.html.doctype import DoctypeToken, quirks_mode
from webtool.html.modes import Mode, comment_on_document, ignore, leading_space, register, start_html
from webtool.html.node import Doctype

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.html.treebuilder import TreeBuilder

# "initial"


def initial_doctype(tb: TreeBuilder, token: DoctypeToken) -> None:
    """Append the document type and choose the document's mode."""
    tb.document.append(Doctype(token.name, token.public_id, token.system_id))
    tb.document.quirks = quirks_mode(token) == "quirks"
    tb.switch("before html")


def _initial_characters(tb: TreeBuilder, data: str) -> None:
    space = leading_space(data)
    if space < len(data):
        _leave_initial(tb)
        tb.handle_data(data[space:] if space else data)


def _initial_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    _leave_initial(tb)
    tb.handle_starttag(name, attrs)


def _initial_end(tb: TreeBuilder, name: str) -> None:
    _leave_initial(tb)
    tb.handle_endtag(name)


def _initial_eof(tb: TreeBuilder) -> bool:
    _leave_initial(tb)
    return False


def _leave_initial(tb: TreeBuilder) -> None:
    tb.document.quirks = True
    tb.switch("before html")


# "before html"


def _before_html_characters(tb: TreeBuilder, data: str) -> None:
    space = leading_space(data)
    if space < len(data):
        _make_html(tb)
        tb.handle_data(data[space:] if space else data)


def _before_html_html(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.insert_element(name, attrs)
    tb.switch("before head")


def _before_html_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    _make_html(tb)
    tb.handle_starttag(name, attrs)


def _before_html_end(tb: TreeBuilder, name: str) -> None:
    _make_html(tb)
    tb.handle_endtag(name)


def _before_html_eof(tb: TreeBuilder) -> bool:
    _make_html(tb)
    return False


def _make_html(tb: TreeBuilder) -> None:
    tb.insert_element("html", {})
    tb.switch("before head")


# "before head"


def _before_head_characters(tb: TreeBuilder, data: str) -> None:
    space = leading_space(data)
    if space < len(data):
        _make_head(tb)
        tb.handle_data(data[space:] if space else data)


def _before_head_head(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.head = tb.insert_element(name, attrs)
    tb.switch("in head")


def _before_head_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    _make_head(tb)
    tb.handle_starttag(name, attrs)


def _before_head_end(tb: TreeBuilder, name: str) -> None:
    _make_head(tb)
    tb.handle_endtag(name)


def _before_head_eof(tb: TreeBuilder) -> bool:
    _make_head(tb)
    return False


def _make_head(tb: TreeBuilder) -> None:
    tb.head = tb.insert_element("head", {})
    tb.switch("in head")


_INITIAL = register(Mode("initial", _initial_characters, _initial_start, _initial_end, _initial_eof), {}, {})
_INITIAL.comment = comment_on_document
_BEFORE_HTML = register(
    Mode("before html", _before_html_characters, _before_html_start, ignore, _before_html_eof),
    {"html": _before_html_html},
    {"head body html br": _before_html_end},
)
_BEFORE_HTML.comment = comment_on_document
register(
    Mode("before head", _before_head_characters, _before_head_start, ignore, _before_head_eof),
    {"html": start_html, "head": _before_head_head},
    {"head body html br": _before_head_end},
)
