"""Insertion modes of a document's beginning: "initial", "before html", "before head". Spec: the HTML Standard,
13.2.6.4.1 to 13.2.6.4.3.
"""

from __future__ import annotations

from webtool.html.doctype import DoctypeToken, quirks_mode
from webtool.html.modes import Leaving, Mode, TreeBuilder, comment_on_document, ignore, register, start_html
from webtool.html.node import Doctype

# "initial"


def initial_doctype(tb: TreeBuilder, token: DoctypeToken) -> None:
    """Append the document type and choose the document's mode."""
    tb.document.append(Doctype(token.name, token.public_id, token.system_id))
    tb.document.quirks = quirks_mode(token) == "quirks"
    tb.switch("before html")


def _leave_initial(tb: TreeBuilder) -> None:
    tb.document.quirks = True
    tb.switch("before html")


# "before html"


def _before_html_html(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.insert_element(name, attrs)
    tb.switch("before head")


def _make_html(tb: TreeBuilder) -> None:
    tb.insert_element("html", {})
    tb.switch("before head")


# "before head"


def _before_head_head(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.head = tb.insert_element(name, attrs)
    tb.switch("in head")


def _make_head(tb: TreeBuilder) -> None:
    tb.head = tb.insert_element("head", {})
    tb.switch("in head")


_initial = Leaving(_leave_initial)
_INITIAL = register(Mode("initial", _initial.characters, _initial.start, _initial.end, _initial.eof), {}, {})
_INITIAL.comment = comment_on_document
_before_html = Leaving(_make_html)
_BEFORE_HTML = register(
    Mode("before html", _before_html.characters, _before_html.start, ignore, _before_html.eof),
    {"html": _before_html_html},
    {"head body html br": _before_html.end},
)
_BEFORE_HTML.comment = comment_on_document
_before_head = Leaving(_make_head)
register(
    Mode("before head", _before_head.characters, _before_head.start, ignore, _before_head.eof),
    {"html": start_html, "head": _before_head_head},
    {"head body html br": _before_head.end},
)
