"""Give XPath's data model over the HTML tree: attribute nodes, string-values, order, axes. In, out: nodes, text.

Work holds the state of one evaluation: its budget, and indexes of the tree that are built at their first use (order,
ids, places among siblings). Each visited node costs one unit of the budget. Spec: XPath 1.0 sections 2.2 and 5.

Axes are generators in proximity order: reverse axes (ancestor, preceding ...) start next to the context node. The
caller charges the budget for each node yielded. Nodes that are visited but not yielded are charged here. Doctypes are
not in XPath's data model, and are skipped.
Tests: tests/xpath/test_xpath.py
"""

from __future__ import annotations

from itertools import islice

from webtool.html.node import NO_ATTRS, Doctype, Element, Node, Text, by_id, elements
from webtool.lean.typing import Callable, Iterator, Union

AnyNode = Union[Node, "Attribute"]

_FEW = 8  # siblings; up to this many, a search is as fast as an index
_CHARACTERS_PER_NODE = 64  # characters of text that cost as much of the budget as one node


class XPathError(ValueError):
    """An expression cannot be parsed or evaluated. The message says why and where."""


class Budget:
    """The number of nodes that may still be visited. Several evaluations may share one."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


class Work:
    """The state of one evaluation: its budget, and indexes of the tree."""

    def __init__(self, node: AnyNode, budget: Budget, expression: str) -> None:
        while node.parent is not None:
            node = node.parent
        self.root: Element = node  # type: ignore[assignment]
        self._budget = budget
        self._expression = expression  # for messages
        self.spend(1)  # for the context node; raises at once if other evaluations have used up the budget
        self._order: dict[AnyNode, int] = {}
        self._ids: dict[str, Element] | None = None
        self._rows: dict[AnyNode, dict[AnyNode, int]] = {}

    def spend(self, amount: int) -> None:
        """Charge the budget for visited nodes. Raises XPathError when it is used up."""
        self._budget.left -= amount
        if self._budget.left < 0:
            raise XPathError(f"too much work on this page: {self._expression!r}")

    def read(self, text: str) -> str:
        """Charge the budget for a text, if it is long, and return the text."""
        if len(text) > _CHARACTERS_PER_NODE:
            self.spend(len(text) // _CHARACTERS_PER_NODE)
        return text

    def string_value(self, node: AnyNode) -> str:
        """Return the string-value of a node: the text of an element with all below, a text, comment or attribute."""
        if not node.children:  # the text of an element without children is ""
            self.spend(1)
            return self.read(node.text)
        parts: list[str] = []
        stack: list[AnyNode] = [node]
        visited = 0
        while stack:
            current = stack.pop()
            visited += 1
            if current.tag is None:
                parts.append(current.text)
            elif current.children:
                stack.extend(current.children[::-1])
        self.spend(visited)
        return self.read("".join(parts))

    def named_below(self, node: AnyNode, name: str) -> list[AnyNode]:
        """Return the descendant elements with this name ("*": any name), in document order."""
        matching: list[AnyNode] = []
        outer: list[Iterator[Node]] = []  # unfinished rows of children of the elements around the current row
        row, visited, is_any = iter(node.children), len(node.children), name == "*"
        while True:
            for child in row:
                tag = child.tag
                if tag is None:  # a text
                    continue
                if tag == name or (is_any and tag[0] not in "#!"):  # neither "#comment" nor "!doctype"
                    matching.append(child)
                if child.children:
                    visited += len(child.children)
                    outer.append(row)
                    row = iter(child.children)
                    break
            else:
                if not outer:
                    self.spend(visited)
                    return matching
                row = outer.pop()

    def in_order(self, nodes: list[AnyNode]) -> list[AnyNode]:
        """Return each of the nodes once, in document order."""
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
        """Return the sort key of a node in document order. Attributes follow their element directly."""
        if isinstance(node, Attribute):
            return self._order[node.parent], 1 + node.place
        return self._order[node], 0

    def ids(self) -> dict[str, Element]:
        """Return the elements of the tree by id. Of equal ids the first one in document order counts."""
        if self._ids is None:
            visited = list(elements(self.root))
            self.spend(len(visited))
            self._ids = by_id(visited)
        return self._ids

    def place(self, node: Node) -> int:
        """Return the index of a node among its parent's children."""
        parent: Element = node.parent  # type: ignore[assignment]
        if len(parent.children) <= _FEW:
            return parent.children.index(node)
        if parent not in self._rows:
            self._rows[parent] = {child: place for place, child in enumerate(parent.children)}
            self.spend(len(parent.children))
        return self._rows[parent][node]


class Attribute:
    """An attribute node. `parent` is its element, `place` its index among the element's attributes."""

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


# --- Axes ---

Axis = Callable[[AnyNode, Work], Iterator[AnyNode]]
REVERSE = frozenset(("ancestor", "ancestor-or-self", "preceding", "preceding-sibling"))


def _children(node: AnyNode, _work: Work) -> Iterator[AnyNode]:
    return (child for child in node.children if type(child) is not Doctype)


def _descendant_or_self(node: AnyNode, _work: Work) -> Iterator[AnyNode]:
    yield node
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


def _ancestor_or_self(node: AnyNode, _work: Work) -> Iterator[AnyNode]:
    ancestor: AnyNode | None = node
    while ancestor is not None:
        yield ancestor
        ancestor = ancestor.parent


def _siblings(step: int) -> Axis:
    """Return the axis of the siblings after a node (step 1) or before it (step -1)."""

    def siblings(node: AnyNode, work: Work) -> Iterator[AnyNode]:
        if node.parent is None or isinstance(node, Attribute):
            return
        row = node.parent.children
        for place in range(work.place(node) + step, len(row) if step > 0 else -1, step):
            if type(row[place]) is not Doctype:
                yield row[place]

    return siblings


def _beside(siblings: Axis, through: Axis) -> Axis:
    """Return the axis following or preceding: the subtrees of the siblings of a node and of its ancestors."""

    def beside(node: AnyNode, work: Work) -> Iterator[AnyNode]:
        # From an attribute, libxml2 starts after the attribute's element; the recommendation starts inside it. We
        # follow libxml2, because site rules are written for it.
        for ancestor in _ancestor_or_self(node.parent if isinstance(node, Attribute) else node, work):
            work.spend(1)
            for sibling in siblings(ancestor, work):
                yield from through(sibling, work)

    return beside


def _backwards(top: AnyNode, work: Work) -> Iterator[AnyNode]:
    """Yield a node and all below it in reverse document order."""
    stack = [(top, reversed(top.children))]
    while stack:
        node, rest = stack[-1]
        for child in rest:
            if type(child) is not Doctype:
                # Charge the way down. The caller charges the yield on the way up, and may stop early: preceding::*[1].
                work.spend(1)
                stack.append((child, reversed(child.children)))
                break
        else:
            stack.pop()
            yield node


def _attributes(node: AnyNode, _work: Work) -> Iterator[AnyNode]:
    if not isinstance(node, (Text, Attribute)):
        for place, (name, value) in enumerate(node.attrs.items()):
            yield Attribute(node, name, value, place)  # type: ignore[arg-type]


_following_siblings, _preceding_siblings = _siblings(1), _siblings(-1)
AXES: dict[str, Axis] = {
    "ancestor": lambda node, work: islice(_ancestor_or_self(node, work), 1, None),
    "ancestor-or-self": _ancestor_or_self,
    "attribute": _attributes,
    "child": _children,
    "descendant": lambda node, work: islice(_descendant_or_self(node, work), 1, None),
    "descendant-or-self": _descendant_or_self,
    "following": _beside(_following_siblings, _descendant_or_self),
    "following-sibling": _following_siblings,
    "namespace": lambda node, work: iter(()),  # noqa: ARG005
    "parent": lambda node, work: iter((node.parent,) if node.parent is not None else ()),  # noqa: ARG005
    "preceding": _beside(_preceding_siblings, _backwards),
    "preceding-sibling": _preceding_siblings,
    "self": lambda node, work: iter((node,)),  # noqa: ARG005
}
