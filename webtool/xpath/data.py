"""The data model of XPath over our tree: attribute nodes, string-values, document order. Spec: XPath 1.0 section 5.

What one evaluation looks at is counted against a budget.
"""

from __future__ import annotations

from webtool.html.node import NO_ATTRS, Element, Node, by_id
from webtool.lean.typing import Union
from webtool.xpath.lexer import XPathError

AnyNode = Union[Node, "Attribute"]

_FEW = 8  # siblings among which looking is as fast as knowing
_CHARACTERS_PER_NODE = 64  # so much text costs as much of the budget as one node


class Budget:
    """How many nodes may still be looked at; one budget may serve several evaluations."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


class Work:
    """One evaluation's budget, and what it has found out about the tree, each when it is first asked for."""

    def __init__(self, node: AnyNode, budget: Budget, text: str) -> None:
        while node.parent is not None:
            node = node.parent
        self.root: Element = node  # type: ignore[assignment]
        self._budget = budget
        self._text = text
        self._order: dict[int, int] = {}
        self._ids: dict[str, Element] | None = None
        self._rows: dict[int, dict[int, int]] = {}

    def spend(self, amount: int) -> None:
        """Count nodes that were looked at. Raises XPathError when the budget is used up."""
        self._budget.left -= amount
        if self._budget.left < 0:
            raise XPathError(f"too much work on this page: {self._text!r}")

    def string_value(self, node: AnyNode) -> str:
        """The text of an element and all below, of a text node, comment or attribute."""
        if not node.children:
            text: str = node.text
            self.spend(1 + len(text) // _CHARACTERS_PER_NODE)
            return text
        parts: list[str] = []
        stack: list[AnyNode] = [node]
        looked_at = 0
        while stack:
            one = stack.pop()
            looked_at += 1
            if one.tag is None:
                parts.append(one.text)
            elif one.children:
                stack.extend(one.children[::-1])
        text = "".join(parts)
        self.spend(looked_at + len(text) // _CHARACTERS_PER_NODE)
        return text

    def order(self) -> dict[int, int]:
        """Place in document order by id(), of every node of the tree."""
        if not self._order:
            self._order = order(self.root)
            self.spend(len(self._order))
        return self._order

    def ids(self) -> dict[str, Element]:
        """Elements of the tree by id."""
        if self._ids is None:
            self._ids = by_id(self.root)
            self.spend(len(self._ids))
        return self._ids

    def place(self, node: Node) -> int:
        """The place among the parent's children; identity counts, equal texts are not the same node."""
        row = node.parent.children  # type: ignore[union-attr]
        if len(row) <= _FEW:
            return next(place for place, one in enumerate(row) if one is node)
        places = self._rows.get(id(node.parent))
        if places is None:
            places = self._rows[id(node.parent)] = {id(one): place for place, one in enumerate(row)}
            self.spend(len(row))
        return places[id(node)]


class Attribute:
    """An attribute node; `parent` is the element that has it, `place` its place among the element's attributes."""

    __slots__ = ("name", "parent", "place", "text")
    tag = "@"
    attrs = NO_ATTRS
    children: tuple[Node, ...] = ()

    def __init__(self, parent: Element, name: str, text: str, place: int = 0) -> None:
        self.parent = parent
        self.name = name
        self.text = text
        self.place = place

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Attribute) and self.parent is other.parent and self.name == other.name

    def __hash__(self) -> int:
        return hash((id(self.parent), self.name))

    def __repr__(self) -> str:
        return f"@{self.name}={self.text!r}"


def order(root: Element) -> dict[int, int]:
    """Place in document order by id(), of every node of the tree; attributes come right behind their element."""
    places: dict[int, int] = {}
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        places[id(node)] = len(places)
        stack.extend(reversed(node.children))
    return places


def named_below(node: AnyNode, name: str) -> tuple[list[AnyNode], int]:
    """The descendant elements of a name ("*": of any), in document order, and how many nodes were looked at."""
    found: list[AnyNode] = []
    stack: list[AnyNode] = list(node.children[::-1])
    looked_at = 0
    while stack:
        one = stack.pop()
        looked_at += 1
        tag = one.tag
        if tag is None:
            continue
        if tag == name or (name == "*" and tag[0] not in "#!"):
            found.append(one)
        if one.children:
            stack += one.children[::-1]
    return found, looked_at
