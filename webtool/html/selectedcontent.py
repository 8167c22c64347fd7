"""Fill selectedcontent elements when the tree is complete: each shows what is chosen in the select around it.

In: the selectedcontent elements that were parsed, in document order. Out: the first one of each select, outside of the
options, has a copy of the chosen option's contents. Searches and copies together are limited by the size of the tree.
Spec: the HTML Standard, 4.10.10.2 (clone an option into selectedcontent).
"""

from __future__ import annotations

from webtool.html.node import Element, Node, flattened, rebuilt

MAX_SELECTS = 100  # selects that are filled, more than any page has; their list is searched for each element


def fill(elements: list[Element], budget: int) -> None:
    """Fill the elements; `budget` is the number of nodes that may be looked at and copied in all."""
    filled: list[Element] = []
    for element in elements:
        select = _select_around(element)
        if select is None or "multiple" in select.attrs or any(select is done for done in filled):
            continue
        filled.append(select)
        if len(filled) > MAX_SELECTS:
            return
        option, seen = _chosen_option(select, budget)
        budget -= seen
        if option is None or budget <= 0 or _is_inside(option, element):
            continue
        copy = flattened(option)
        budget -= len(copy)
        if budget > 0:
            element.children = []
            for node in tuple(rebuilt(copy).children):
                element.append(node)


def _select_around(element: Element) -> Element | None:
    """Return the select that the element belongs to; None inside an option or another selectedcontent."""
    node = element.parent
    while node is not None:
        if node.namespace == "html":
            if node.tag == "select":
                return node
            if node.tag in ("option", "selectedcontent"):
                return None
        node = node.parent
    return None


def _chosen_option(select: Element, budget: int) -> tuple[Element | None, int]:
    """Return the option that is selected at first, or None, and how many nodes were looked at."""
    first: Element | None = None
    last: Element | None = None
    visited = 0
    rest: list[Node] = list(reversed(select.children))
    while rest and visited < budget:
        node = rest.pop()
        visited += 1
        if node.tag == "option" and node.namespace == "html":
            if "selected" in node.attrs:
                last = node
            if first is None and not _is_disabled(node):
                first = node
        elif not (node.tag == "select" and node.namespace == "html"):
            rest.extend(reversed(node.children))
    return last or first, visited


def _is_inside(node: Element | None, ancestor: Element) -> bool:
    while node is not None and node is not ancestor:
        node = node.parent
    return node is ancestor


def _is_disabled(option: Element) -> bool:
    parent = option.parent
    in_disabled_group = parent is not None and parent.tag == "optgroup" and "disabled" in parent.attrs
    return in_disabled_group or "disabled" in option.attrs
