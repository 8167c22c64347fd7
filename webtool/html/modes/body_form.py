"""Define the start tags of forms and their controls in the insertion mode "in body".

Each rule is a function of the tree builder, a tag name and attributes; FORM_RULES says which tags it is for.

Spec: the HTML Standard, 13.2.6.4.7.

Tests: tests/html/modes/test_body.py
"""

from __future__ import annotations

from webtool.html import formatting
from webtool.html.modes import TreeBuilder
from webtool.html.tokenizer import RCDATA


def _form(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a form, unless one is open; it becomes the form element pointer."""
    template_content = tb.is_template_content()
    if tb.form is not None and not template_content:
        return
    tb.close_p()
    form = tb.insert_element(name, attrs)
    if not template_content:
        tb.form = form


def _button(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a button; an open button is closed first."""
    if tb.has_in_scope("button"):
        tb.generate_implied_end_tags()
        tb.pop_until("button")
    formatting.reconstruct(tb)
    tb.insert_element(name, attrs)
    tb.frameset_ok = False


def _input(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert an input; an open select is closed first."""
    if _is_fragment_of_select(tb):
        return
    if tb.has_in_scope("select"):
        tb.pop_until("select")
    formatting.reconstruct(tb)
    tb.insert_void(name, attrs)
    if attrs.get("type", "").lower() != "hidden":
        tb.frameset_ok = False


def _is_fragment_of_select(tb: TreeBuilder) -> bool:
    """Whether a fragment with the context select is parsed."""
    return tb.context is not None and tb.context.tag == "select" and tb.context.namespace == "html"


def _textarea(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a textarea, whose content is RCDATA; a line feed directly after the tag is ignored."""
    tb.start_text(name, attrs, RCDATA)
    tb.skip_newline()
    tb.frameset_ok = False


def _select(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a select; an open select is closed instead."""
    if _is_fragment_of_select(tb):
        return
    if tb.has_in_scope("select"):
        tb.pop_until("select")
        return
    formatting.reconstruct(tb)
    tb.insert_element(name, attrs)
    tb.frameset_ok = False


def _option(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert an option or optgroup; an open option is closed first."""
    if tb.has_in_scope("select"):
        tb.generate_implied_end_tags("optgroup" if name == "option" else "")
    elif tb.stack[-1].tag == "option":
        tb.pop()
    formatting.reconstruct(tb)
    tb.insert_element(name, attrs)


def _selectedcontent(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a selectedcontent, to be filled when the tree is complete."""
    formatting.reconstruct(tb)
    tb.selectedcontents.append(tb.insert_element(name, attrs))


FORM_RULES = {
    "form": _form, "button": _button, "input": _input, "textarea": _textarea, "select": _select,
    "option optgroup": _option, "selectedcontent": _selectedcontent,
}  # fmt: skip
