"""Walk the axes of XPath over the HTML tree. In: a node. Out: an iterator of nodes. Spec: XPath 1.0 section 2.2.

Axes are generators in proximity order: reverse axes (ancestor, preceding ...) start next to the context node. The
caller charges the budget for each node yielded. Nodes that are visited but not yielded are charged here. Doctypes are
not in XPath's data model, and are skipped.

Tests: tests/xpath/test_xpath.py
"""

from __future__ import annotations

from itertools import islice

from webtool.html.node import Doctype, Text
from webtool.lean.typing import Callable, Iterator
from webtool.xpath.data import AnyNode, Attribute, Work

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
    at: AnyNode | None = node
    while at is not None:
        yield at
        at = at.parent


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
