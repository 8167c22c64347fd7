"""Define the end tags of the insertion mode "in body"; body.py has its start tags.

Each rule is a function of the tree builder and a tag name; END_RULES says which tags it is for.
Spec: the HTML Standard, 13.2.6.4.7.
"""

from __future__ import annotations

from itertools import islice

from webtool.html import formatting
from webtool.html.elements import BUTTON_SCOPE, DEFAULT_SCOPE, HEADINGS, LIST_ITEM_SCOPE, SPECIAL_ANYWHERE
from webtool.html.insertion import MAX_SEARCH
from webtool.html.modes import EndRule, TreeBuilder, end_by


def _body_end(tb: TreeBuilder, _name: str) -> None:
    """Switch to "after body"."""
    if tb.has_in_scope("body"):
        tb.switch("after body")


def _html_end(tb: TreeBuilder, name: str) -> None:
    """Switch to "after body" and process the tag there."""
    if tb.has_in_scope("body"):
        tb.switch("after body")
        tb.handle_endtag(name)


def _block_end(tb: TreeBuilder, name: str) -> None:
    if tb.has_in_scope(name):
        tb.generate_implied_end_tags()
        tb.pop_until(name)


def _form_end(tb: TreeBuilder, _name: str) -> None:
    """Close the form of the form element pointer; elements inside it stay open."""
    if tb.is_template_content():
        _block_end(tb, "form")
        return
    form, tb.form = tb.form, None
    if form is not None and tb.is_in_scope(form, DEFAULT_SCOPE):
        tb.generate_implied_end_tags()
        del tb.stack[tb.stack_index(form)]


def _p_end(tb: TreeBuilder, _name: str) -> None:
    """Close a p; without an open one, an empty p is inserted."""
    if not tb.open_p or not tb.has_in_scope("p", BUTTON_SCOPE):
        tb.insert_element("p", {})
        tb.open_p += 1
    tb.close_p()


def _item_end(tb: TreeBuilder, name: str) -> None:
    """Close an li, dd or dt that is in scope."""
    if tb.has_in_scope(name, LIST_ITEM_SCOPE if name == "li" else DEFAULT_SCOPE):
        tb.generate_implied_end_tags(name)
        tb.pop_until(name)


def _heading_end(tb: TreeBuilder, _name: str) -> None:
    """Close the open heading, of whatever level."""
    if any(tb.has_in_scope(name) for name in HEADINGS):
        tb.generate_implied_end_tags()
        tb.pop_until(*HEADINGS)


def _formatting_end(tb: TreeBuilder, name: str) -> None:
    """Close a formatting element, by the adoption agency algorithm if it is misnested."""
    stack, entries = tb.stack, tb.formatting
    if entries and entries[-1] is stack[-1] and stack[-1].tag == name:  # the usual case: nothing is misnested
        stack.pop()
        entries.pop()
        return
    if not formatting.adoption_agency(tb, name):
        ordinary_end(tb, name)


def _marked_end(tb: TreeBuilder, name: str) -> None:
    """Close an applet, marquee or object, and the formatting inside it."""
    if tb.has_in_scope(name):
        tb.generate_implied_end_tags()
        tb.pop_until(name)
        formatting.clear_to_last_marker(tb)


def ordinary_end(tb: TreeBuilder, name: str) -> None:
    """Process any other end tag: close the nearest element with its name, unless a special element is between."""
    stack = tb.stack
    node = stack[-1]
    if node.tag == name:
        tb.pop()
        return
    if name not in tb.seen:
        return
    for node in islice(reversed(stack), MAX_SEARCH):
        tag = node.tag
        if tag == name and node.namespace == "html":
            tb.generate_implied_end_tags(name)
            tb.pop_to(tb.stack_index(node))
            return
        if tag in SPECIAL_ANYWHERE and tb.is_special(node):
            return


END_RULES: dict[str, EndRule] = {
    "template": end_by("in head"),
    "body": _body_end,
    "html": _html_end,
    "address article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer "
    "header hgroup listing main menu nav ol pre search section select summary ul": _block_end,
    "form": _form_end,
    "p": _p_end,
    "li dd dt": _item_end,
    "h1 h2 h3 h4 h5 h6": _heading_end,
    "a b big code em font i nobr s small strike strong tt u": _formatting_end,
    "applet marquee object": _marked_end,
    "br": lambda tb, _: tb.handle_starttag("br", {}),
}
