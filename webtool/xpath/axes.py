"""The axes of XPath over our tree. In: a node. Out: nodes. Spec: XPath 1.0 section 2.2.

Axes are generators in proximity order: reverse axes (ancestor, preceding ...) begin next to the context node. Who
goes through them counts what they yield; steps that yield nothing are counted here, by the Work that they are given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from webtool.html.node import Doctype, Text
from webtool.xpath.data import AnyNode, Attribute, Work

REVERSE = frozenset(("ancestor", "ancestor-or-self", "preceding", "preceding-sibling"))


def children(node: AnyNode, _work: Work) -> Iterator[AnyNode]:
    """The children but the doctype, which is not a node in XPath."""
    return (child for child in node.children if type(child) is not Doctype)


def descendants(node: AnyNode, _work: Work | None = None) -> Iterator[AnyNode]:
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


def _self(node: AnyNode, _work: Work) -> Iterator[AnyNode]:
    yield node


def _descendant_or_self(node: AnyNode, _work: Work | None = None) -> Iterator[AnyNode]:
    yield node
    yield from descendants(node)


def _parent(node: AnyNode, _work: Work) -> Iterator[AnyNode]:
    if node.parent is not None:
        yield node.parent


def _ancestors(node: AnyNode, _work: Work) -> Iterator[AnyNode]:
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def _ancestor_or_self(node: AnyNode, work: Work) -> Iterator[AnyNode]:
    yield node
    yield from _ancestors(node, work)


def _following_siblings(node: AnyNode, work: Work) -> Iterator[AnyNode]:
    if node.parent is None or isinstance(node, Attribute):
        return
    row = node.parent.children
    for place in range(work.place(node) + 1, len(row)):
        if type(row[place]) is not Doctype:
            yield row[place]


def _preceding_siblings(node: AnyNode, work: Work) -> Iterator[AnyNode]:
    if node.parent is None or isinstance(node, Attribute):
        return
    row = node.parent.children
    for place in range(work.place(node) - 1, -1, -1):
        if type(row[place]) is not Doctype:
            yield row[place]


def _following(node: AnyNode, work: Work) -> Iterator[AnyNode]:
    # From an attribute libxml2 starts behind its element, not inside as the recommendation has it; site rules are
    # written against libxml2.
    start: AnyNode = node.parent if isinstance(node, Attribute) else node
    for one in _ancestor_or_self(start, work):
        work.spend(1)
        for sibling in _following_siblings(one, work):
            yield from _descendant_or_self(sibling)


def _preceding(node: AnyNode, work: Work) -> Iterator[AnyNode]:
    start: AnyNode = node.parent if isinstance(node, Attribute) else node
    for one in _ancestor_or_self(start, work):
        work.spend(1)
        for sibling in _preceding_siblings(one, work):
            yield from _backwards(sibling, work)


def _backwards(top: AnyNode, work: Work) -> Iterator[AnyNode]:
    """A node and all below, in reverse document order."""
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


def _none(_node: AnyNode, _work: Work) -> Iterator[AnyNode]:
    return iter(())


AXES: dict[str, Callable[[AnyNode, Work], Iterator[AnyNode]]] = {
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
