"""The data model of XPath over our tree: attribute nodes, axes, document order. Spec: XPath 1.0 section 5.

Axes are generators in proximity order: reverse axes (ancestor, preceding ...) begin next to the context node.
"""

from __future__ import annotations

from webtool.html.node import Doctype, Text, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Union

    from webtool.html.node import Element, Node

    AnyNode = Union[Node, "Attribute"]

REVERSE = frozenset(("ancestor", "ancestor-or-self", "preceding", "preceding-sibling"))


class Attribute:
    """An attribute node; `parent` is the element that has it."""

    __slots__ = ("name", "parent", "text")
    tag = "@"
    children: tuple[Node, ...] = ()

    def __init__(self, parent: Element, name: str, text: str) -> None:
        self.parent = parent
        self.name = name
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Attribute) and self.parent is other.parent and self.name == other.name

    def __hash__(self) -> int:
        return hash((id(self.parent), self.name))

    def __repr__(self) -> str:
        return f"@{self.name}={self.text!r}"


def string_value(node: AnyNode) -> str:
    """The text of an element and all below, of a text node, comment or attribute."""
    return node.text


def order(root: Element) -> dict[int, int]:
    """Place in document order by id(), of every node of the tree; attributes come right behind their element."""
    places: dict[int, int] = {}
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        places[id(node)] = len(places)
        stack.extend(reversed(node.children))
    return places


def children(node: AnyNode) -> Iterator[AnyNode]:
    """The children but the doctype, which is no node in XPath."""
    return (child for child in node.children if type(child) is not Doctype)


def descendants(node: AnyNode) -> Iterator[AnyNode]:
    """All below, in document order."""
    stack = [iter(node.children)]
    while stack:
        for child in stack[-1]:
            if type(child) is Doctype:
                continue
            yield child
            if child.children:
                stack.append(iter(child.children))
                break
        else:
            stack.pop()


def _self(node: AnyNode) -> Iterator[AnyNode]:
    yield node


def _descendant_or_self(node: AnyNode) -> Iterator[AnyNode]:
    yield node
    yield from descendants(node)


def _parent(node: AnyNode) -> Iterator[AnyNode]:
    if node.parent is not None:
        yield node.parent


def _ancestors(node: AnyNode) -> Iterator[AnyNode]:
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def _ancestor_or_self(node: AnyNode) -> Iterator[AnyNode]:
    yield node
    yield from _ancestors(node)


def _siblings(node: AnyNode) -> tuple[list[Node], int]:
    """The parent's children and the node's place among them; identity counts, equal texts are not the same node."""
    if node.parent is None or isinstance(node, Attribute):
        return [], 0
    row = node.parent.children
    return row, next(place for place, one in enumerate(row) if one is node)


def _following_siblings(node: AnyNode) -> Iterator[AnyNode]:
    row, place = _siblings(node)
    return (one for one in row[place + 1 :] if type(one) is not Doctype)


def _preceding_siblings(node: AnyNode) -> Iterator[AnyNode]:
    row, place = _siblings(node)
    return (one for one in reversed(row[:place]) if type(one) is not Doctype)


def _following(node: AnyNode) -> Iterator[AnyNode]:
    # From an attribute libxml2 starts behind its element, not inside as the recommendation has it; site rules are
    # written against libxml2.
    start: AnyNode = node.parent if isinstance(node, Attribute) else node
    for one in _ancestor_or_self(start):
        for sibling in _following_siblings(one):
            yield from _descendant_or_self(sibling)


def _preceding(node: AnyNode) -> Iterator[AnyNode]:
    start: AnyNode = node.parent if isinstance(node, Attribute) else node
    for one in _ancestor_or_self(start):
        for sibling in _preceding_siblings(one):
            yield from reversed(list(_descendant_or_self(sibling)))


def _attributes(node: AnyNode) -> Iterator[AnyNode]:
    if not isinstance(node, (Text, Attribute)):
        for name, value in node.attrs.items():
            yield Attribute(node, name, value)  # type: ignore[arg-type]


def _none(_node: AnyNode) -> Iterator[AnyNode]:
    return iter(())


AXES: dict[str, Callable[[AnyNode], Iterator[AnyNode]]] = {
    "ancestor": _ancestors,
    "ancestor-or-self": _ancestor_or_self,
    "attribute": _attributes,
    "child": children,
    "descendant": descendants,
    "descendant-or-self": _descendant_or_self,
    "following": _following,
    "following-sibling": _following_siblings,
    "namespace": _none,
    "parent": _parent,
    "preceding": _preceding,
    "preceding-sibling": _preceding_siblings,
    "self": _self,
}


def id_index(root: Element) -> dict[str, Element]:
    """Elements by their id; the first one in document order has it."""
    found: dict[str, Element] = {}
    for event, node in walk(root):
        if event == "open" and "id" in node.attrs:
            found.setdefault(node.attrs["id"], node)  # type: ignore[arg-type]
    return found
