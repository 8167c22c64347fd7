"""A parsed expression on a tree. In: tuples of grammar.py, a context node. Out: a value. Spec: XPath 1.0 sections 2, 3.

Evaluation recurses over the expression, whose nesting is bounded, never over the page; every node looked at is counted
against a budget, because an expression such as //a[.//b] may look at each node many times.
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.html.node import Text
from webtool.lean.records import NamedTuple
from webtool.xpath import axes, data
from webtool.xpath.conversions import ARITHMETIC, Conversions, Value
from webtool.xpath.data import AnyNode, Attribute
from webtool.xpath.functions import FUNCTIONS
from webtool.xpath.steps import TooLong, Tree

_WHOLE = ("below", "below by parent")
_IN_ORDER = ("attribute", "self")  # axes that keep the order of the nodes they start from


class Context(NamedTuple):
    """The context of a predicate or function: section 1."""

    node: AnyNode
    position: int = 1
    size: int = 1


class Evaluation(Conversions):
    """One evaluation of an expression."""

    def value(self, tree: Tree, node: AnyNode) -> Value:
        """The value with `node` as context node."""
        return self._value(tree, Context(node))

    def _value(self, tree: Tree, context: Context) -> Value:
        self.work.spend(1)
        kind = tree[0]
        if kind in ("number", "literal"):
            return tree[1]  # type: ignore[no-any-return]
        if kind == "path":
            return self._path(tree, context)
        if kind == "call":
            arguments = [self._value(argument, context) for argument in tree[2]]
            return FUNCTIONS[str(tree[1])].call(self, context, arguments)
        if kind == "filter":
            nodes = self.nodes(self._value(tree[1], context))
            return self._filtered(nodes, tree[2])
        if len(tree) == 2:
            return -self.number(self._value(tree[1], context))
        return self._operation(str(kind), tree, context)

    def _operation(self, operator: str, tree: Tree, context: Context) -> Value:
        left = self._value(tree[1], context)
        if operator in ("and", "or"):
            if self.boolean(left) is (operator == "or"):
                return operator == "or"
            return self.boolean(self._value(tree[2], context))
        right = self._value(tree[2], context)
        if operator == "|":
            return self.in_order([*self.nodes(left), *self.nodes(right)])
        if operator in ARITHMETIC:
            return ARITHMETIC[operator](self.number(left), self.number(right))
        return self.compare(operator, left, right)

    def _path(self, tree: Tree, context: Context) -> Value:
        start, steps = tree[1], tree[2]
        if start is None:
            nodes = [context.node]
        elif start == "/":
            nodes = [self.work.root]
        else:
            nodes = self.nodes(self._value(start, context))
        for step in steps:
            nodes = self._step(nodes, step)
        return nodes

    def _step(self, nodes: list[AnyNode], step: Tree) -> list[AnyNode]:
        axis, test, predicates = str(step[0]), step[1], step[2]
        if axis in _WHOLE:
            return self._below(nodes, step)
        found: list[AnyNode] = []
        whole_subtrees = axis in ("descendant", "descendant-or-self") and not predicates
        if whole_subtrees:
            nodes = self._topmost(nodes)
        for node in nodes:
            selected = self._selected(node, axis, test, _at_most(predicates))
            selected = self._filtered(selected, predicates)
            found.extend(selected)
        if len(nodes) == 1:
            return found[::-1] if axis in axes.REVERSE else found
        return found if whole_subtrees or axis in _IN_ORDER else self.in_order(found)

    def _below(self, nodes: list[AnyNode], step: Tree) -> list[AnyNode]:
        """`//name`: all subtrees gone through once."""
        test, predicates = step[1], step[2]
        found: list[AnyNode] = []
        for node in self._topmost(nodes):
            if test[0] == "name":
                selected, looked_at = data.named_below(node, test[1])
                self.work.spend(looked_at)
                found += selected
            else:
                found += self._selected(node, "descendant", test)
        if step[0] == "below":
            return self._filtered(found, predicates)
        families: dict[int, list[AnyNode]] = {}
        for node in found:
            families.setdefault(id(node.parent), []).append(node)
        kept = {id(node) for row in families.values() for node in self._filtered(row, predicates)}
        return [node for node in found if id(node) in kept]

    def _topmost(self, nodes: list[AnyNode]) -> list[AnyNode]:
        """Nodes (in document order) that lie below no other of them: the others' subtrees are in theirs."""
        chosen = {id(node) for node in nodes}
        covered: dict[int, bool] = {}
        kept: list[AnyNode] = []
        for node in nodes:
            if isinstance(node, Attribute):
                kept.append(node)
                continue
            trail, above = [], node.parent
            while above is not None and id(above) not in covered and id(above) not in chosen:
                trail.append(id(above))
                above = above.parent
                self.work.spend(1)
            is_below = above is not None and (id(above) in chosen or covered[id(above)])
            covered.update(dict.fromkeys(trail, is_below))
            if not is_below:
                kept.append(node)
        return kept

    def _selected(self, node: AnyNode, axis: str, test: Tree, at_most: int = 0) -> list[AnyNode]:
        """The nodes of an axis that pass the test, in the axis' order; with `at_most` no more than are needed."""
        matches = _test(str(test[0]), str(test[1]), axis)
        selected: list[AnyNode] = []
        looked_at = 0
        for one in axes.AXES[axis](node, self.work):
            looked_at += 1
            if not looked_at & 1023:
                self.work.spend(1024)
            if matches(one):
                selected.append(one)
                if len(selected) == at_most:
                    break
        self.work.spend(looked_at & 1023)
        return selected

    def _filtered(self, nodes: list[AnyNode], predicates: tuple[Tree, ...]) -> list[AnyNode]:
        for predicate in predicates:
            size = len(nodes)
            if predicate[0] == "quick":
                self.work.spend(size)
                nodes = [node for node in nodes if self._holds_quickly(predicate, node)]
            elif predicate[0] == "number":
                place = _at_most((predicate,))
                nodes = nodes[place - 1 : place] if place else []
            else:
                nodes = [
                    node for place, node in enumerate(nodes, 1) if self._holds(predicate, Context(node, place, size))
                ]
        return nodes

    def _holds_quickly(self, predicate: Tree, node: AnyNode) -> bool:
        try:
            return bool(predicate[1](node))
        except TooLong:
            return self._holds(predicate[2], Context(node))

    def _holds(self, predicate: Tree, context: Context) -> bool:
        value = self._value(predicate, context)
        if isinstance(value, float):
            return value == context.position
        return self.boolean(value)


def _at_most(predicates: tuple[Tree, ...]) -> int:
    """How many nodes a first predicate such as [3] needs; 0: all."""
    if not predicates or predicates[0][0] != "number":
        return 0
    number = predicates[0][1]
    return int(number) if number >= 1 and number == int(number) else 0


def _test(kind: str, name: str, axis: str) -> Callable[[AnyNode], bool]:
    """The node test of a step; the principal node type of the attribute axis is attribute, else element."""
    if kind == "node":
        return lambda _node: True
    if kind == "text":
        return lambda node: node.tag is None
    if kind == "comment":
        return lambda node: node.tag == "#comment"
    if kind == "processing-instruction":
        return lambda _node: False
    if axis == "attribute":
        return lambda node: name in ("*", node.name)  # type: ignore[union-attr]
    if name == "*":
        return lambda node: not isinstance(node, (Text, Attribute)) and not node.tag.startswith("#")
    return lambda node: node.tag == name
