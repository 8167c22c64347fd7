"""Keep or remove elements of a page by CSS selectors. In: a tree and selectors. Out: the changed tree.

`drop` takes matching elements out. `select` keeps matching elements with all that is in them, and their ancestors
without other content: a selected list item stays in its list. Both leave the head alone, as it has the title, the base
URL of links and the style rules; `drop` never removes html and body either.
Tests: tests/pages/test_elements.py
"""

from __future__ import annotations

from webtool.css.elements import Positions
from webtool.css.selector_parser import selectors_of
from webtool.css.selector_text import split_list
from webtool.css.selectors import Selector
from webtool.errors import ExtractFailed, InvalidArgument, quoted
from webtool.html.node import Document, Element, elements

_MAX_SELECTORS = 1000  # characters of one list of selectors; a longer one is refused
_MAX_TESTS = 5_000_000  # elements times selectors of one page; more raises ExtractFailed


def choose(root: Document, select: str, drop: str) -> None:
    """Change the tree. Raises ExtractFailed if `select` matches nothing. Cost: elements times selectors, bounded."""
    if drop:
        dropped = {element for element in matching(root, "drop", drop) if not _is_protected(element)}
        for parent in {element.parent for element in dropped if element.parent is not None}:
            parent.children[:] = [child for child in parent.children if child not in dropped]
    if select:
        selected = matching(root, "select", select)
        if not selected:
            raise ExtractFailed(f"select finds nothing: {select[:80]}", hint="Open the page without it and look.")
        _keep_only(root, selected)


def _is_protected(element: Element) -> bool:
    """Return whether `drop` must not remove the element: it is html, body, the head, or directly in the head."""
    if element.tag in ("html", "head", "body"):
        return True
    return element.parent is not None and element.parent.tag == "head"


def check(name: str, selectors: str) -> None:
    """Raise InvalidArgument if the selectors of argument `name` are too long or not CSS."""
    _compiled(name, selectors, Positions())


def matching(root: Document, name: str, selectors: str) -> list[Element]:
    """Return the elements that match, in document order. `name` is the argument's name for error messages.

    Raises InvalidArgument for bad selectors, ExtractFailed if they take too long.
    """
    positions = Positions()
    compiled = _compiled(name, selectors, positions)
    matches, tests_left = [], _MAX_TESTS
    for node in elements(root):
        if node.tag[0] != "#":
            tests_left -= len(compiled)
            if tests_left < 0 or positions.budget_of_has < 0:
                raise ExtractFailed(f"{name} takes too long on this page", hint="Use a simpler selector.")
            if any(selector.matches(node) for selector in compiled):
                matches.append(node)
    return matches


def _compiled(name: str, selectors: str, positions: Positions) -> list[Selector]:
    """Parse a list of selectors. `positions` counts the positions that pseudo-classes such as :nth-child compute."""
    if len(selectors) > _MAX_SELECTORS:
        raise InvalidArgument(f"{name} is longer than {_MAX_SELECTORS} characters", hint="Use a simpler selector.")
    compiled: list[Selector] = []
    for text in split_list(selectors):
        parsed = selectors_of(text, positions)
        if not parsed:
            raise InvalidArgument(
                f"{name}: the selector {quoted(text.strip())} is not understood",
                hint="Give CSS selectors, such as 'main > p, .note'.",
            )
        compiled += parsed
    return compiled


def _keep_only(root: Document, selected: list[Element]) -> None:
    """Remove every node except the selected elements, their ancestors and the head. Cost: linear."""
    kept_ids = set(map(id, selected))
    ancestor_ids: set[int] = set()
    for element in selected:
        ancestor = element.parent
        while ancestor is not None and id(ancestor) not in ancestor_ids:
            ancestor_ids.add(id(ancestor))
            ancestor = ancestor.parent
    stack: list[Element] = [root]
    while stack:
        element = stack.pop()
        if id(element) in kept_ids or element.tag == "head":
            continue
        element.children = [
            child
            for child in element.children
            if id(child) in kept_ids or id(child) in ancestor_ids or child.tag == "head"
        ]
        stack += [child for child in element.children if isinstance(child, Element)]
