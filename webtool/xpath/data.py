"""The data model of XPath over our tree: attribute nodes, string-values, document order. Spec: XPath 1.0 section 5.

What one evaluation looks at is counted against a budget.
"""

from __future__ import annotations

from collections.abc import Iterator

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
        self._order: dict[AnyNode, int] = {}
        self._ids: dict[str, Element] | None = None
        self._rows: dict[AnyNode, dict[AnyNode, int]] = {}

    def spend(self, amount: int) -> None:
        """Count nodes that were looked at. Raises XPathError when the budget is used up."""
        self._budget.left -= amount
        if self._budget.left < 0:
            raise XPathError(f"too much work on this page: {self._text!r}")

    def read(self, text: str) -> str:
        """Count a text, which may be long."""
        if len(text) > _CHARACTERS_PER_NODE:
            self.spend(len(text) // _CHARACTERS_PER_NODE)
        return text

    def string_value(self, node: AnyNode) -> str:
        """The text of an element and all below, of a text node, comment or attribute."""
        if not node.children:
            self.spend(1)
            return self.read(node.text)
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
        self.spend(looked_at)
        return self.read("".join(parts))

    def named_below(self, node: AnyNode, name: str) -> list[AnyNode]:
        """The descendant elements of a name ("*": of any), in document order."""
        found: list[AnyNode] = []
        rest: list[Iterator[Node]] = []
        at, looked_at, is_any = iter(node.children), len(node.children), name == "*"
        while True:
            for one in at:
                tag = one.tag
                if tag is None:
                    continue
                if tag == name or (is_any and tag[0] not in "#!"):
                    found.append(one)
                if one.children:
                    looked_at += len(one.children)
                    rest.append(at)
                    at = iter(one.children)
                    break
            else:
                if not rest:
                    self.spend(looked_at)
                    return found
                at = rest.pop()

    def in_order(self, nodes: list[AnyNode]) -> list[AnyNode]:
        """Each node once, in document order."""
        if len(nodes) < 2:
            return nodes
        if not self._order:
            stack: list[Node] = [self.root]
            while stack:
                node = stack.pop()
                self._order[node] = len(self._order)
                stack.extend(reversed(node.children))
            self.spend(len(self._order))
        return sorted(dict.fromkeys(nodes), key=self._place_of)

    def _place_of(self, node: AnyNode) -> tuple[int, int]:
        """Attributes come right behind their element."""
        if isinstance(node, Attribute):
            return self._order[node.parent], 1 + node.place
        return self._order[node], 0

    def ids(self) -> dict[str, Element]:
        """Elements of the tree by id."""
        if self._ids is None:
            self._ids = by_id(self.root)
            self.spend(len(self._ids))
        return self._ids

    def place(self, node: Node) -> int:
        """The place among the parent's children."""
        around: Element = node.parent  # type: ignore[assignment]
        if len(around.children) <= _FEW:
            return around.children.index(node)
        if around not in self._rows:
            self._rows[around] = {one: place for place, one in enumerate(around.children)}
            self.spend(len(around.children))
        return self._rows[around][node]


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
