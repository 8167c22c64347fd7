"""Compile operators, paths and predicates. In: Compiled parts. Out: Compiled. Spec: XPath 1.0 sections 2, 3.

A Compiled has the type of its value and a function (work, context node, position, size) -> value. A Select maps a
node list to the nodes that a step reaches. Evaluation recurses over the expression, whose depth is limited, never
over the page. Every visited node is counted against a budget, because //a[.//b] can visit each node many times.

Shortcuts for common forms: `//name` visits each subtree once (_below), `[3]` stops at the third node (at_most), and
`@class = "x"` reads the attribute without making a node.
Tests: tests/xpath/test_xpath.py
"""

from __future__ import annotations

import math
import operator as operators
from collections.abc import Iterable, Sequence
from functools import partial

from webtool.html.node import Text
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any, Callable
from webtool.xpath.data import AXES, REVERSE, AnyNode, Attribute, Work
from webtool.xpath.functions import (
    CONTEXT_NODE,
    Compiled,
    applied,
    as_boolean,
    as_nodes,
    as_number,
    as_string,
    as_texts,
    number_of,
)  # fmt: skip

Select = Callable[[Work, list[AnyNode]], list[AnyNode]]
ROOT = Compiled("nodes", lambda work, _node, _place, _size: [work.root])
_position_equals = partial(applied, operators.eq, lambda _work, _node, position, _size: position)  # [n] as a test
_IN_ORDER = ("attribute", "self")  # axes whose results are in document order if their start nodes are


class Step(NamedTuple):
    """A step of a path: axis::test[predicates]. `test` is ("name", NAME or "*") or (node type, "")."""

    axis: str
    test: tuple[str, str] = ("node", "")
    predicates: Sequence[Compiled] = ()


ANY_BELOW = Step("descendant-or-self")


def operation(operator: str, left: Compiled, right: Compiled) -> Compiled:
    """Compile a binary operator: `|`, `or`, `and`, a comparison or arithmetic."""
    is_positional = left.is_positional or right.is_positional
    if operator == "|":
        first, second = as_nodes(left), as_nodes(right)
        return Compiled("nodes", lambda work, *c: work.in_order([*first(work, *c), *second(work, *c)]), is_positional)
    if operator in ("or", "and"):
        first, second = as_boolean(left), as_boolean(right)
        if operator == "or":
            return Compiled("boolean", lambda w, n, p, s: first(w, n, p, s) or second(w, n, p, s), is_positional)
        return Compiled("boolean", lambda w, n, p, s: first(w, n, p, s) and second(w, n, p, s), is_positional)
    if operator in _ARITHMETIC:
        return Compiled("number", applied(_ARITHMETIC[operator], as_number(left), as_number(right)), is_positional)
    return Compiled("boolean", _comparison(operator, left, right), is_positional)


def negated(operand: Compiled) -> Compiled:
    """Compile a unary minus."""
    return Compiled("number", applied(operators.neg, as_number(operand)), operand.is_positional)


def _divide(left: float, right: float) -> float:
    if right == 0:
        if left == 0 or math.isnan(left):
            return math.nan
        return math.copysign(math.inf, left) * math.copysign(1.0, right)
    return left / right


def _modulo(left: float, right: float) -> float:
    return math.nan if right == 0 or math.isnan(left + right) or math.isinf(left) else math.fmod(left, right)


_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operators.add, "-": operators.sub, "*": operators.mul, "div": _divide, "mod": _modulo,
}  # fmt: skip
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operators.eq, "!=": operators.ne, "<": operators.lt, "<=": operators.le, ">": operators.gt,
    ">=": operators.ge,
}  # fmt: skip


def _comparison(operator: str, left: Compiled, right: Compiled) -> Callable[..., bool]:
    """Compile a comparison (section 3.4).

    A node-set compares true if any of its nodes does: `//b = "x"` if any b has the text x. Compared with a boolean, a
    node-set counts as true if it is not empty.
    """
    test, kinds, is_equality = _COMPARISONS[operator], (left.kind, right.kind), operator in ("=", "!=")
    named, compared = (left, right) if left.attribute else (right, left)
    name, constant = named.attribute, compared.constant
    if name and is_equality and isinstance(constant, str):  # @class = "x"
        return lambda _work, node, _place, _size: name in node.attrs and test(node.attrs[name], constant)
    if "nodes" in kinds and "boolean" not in kinds:
        ones, others = as_texts(left), as_texts(right)
        if kinds == ("nodes", "nodes"):
            return lambda *c: _compare_sets(operator, list(ones(*c)), list(others(*c)))
        convert = str if is_equality and "number" not in kinds else number_of
        return lambda *c: any(test(convert(one), convert(other)) for other in list(others(*c)) for one in ones(*c))
    if "boolean" in kinds and is_equality:
        one, other = as_boolean(left), as_boolean(right)
    elif "number" in kinds or "boolean" in kinds or not is_equality:
        one, other = (
            as_number(Compiled("boolean", as_boolean(side)) if side.kind == "nodes" else side) for side in (left, right)
        )
    else:
        one, other = as_string(left), as_string(right)
    return applied(test, one, other)


def _compare_sets(operator: str, left: list[str], right: list[str]) -> bool:
    """Compare two node-sets by their string-values, in time linear in both.

    They are equal if they share a string. Left is less than right if its minimum is less than right's maximum.
    """
    if operator == "=":
        return not set(left).isdisjoint(right)
    if operator == "!=":
        return bool(left and right) and len({*left, *right}) > 1
    rows = [[number for number in map(number_of, row) if not math.isnan(number)] for row in (left, right)]
    if not all(rows):
        return False
    low, high = (min, max) if operator.startswith("<") else (max, min)
    return _COMPARISONS[operator](low(rows[0]), high(rows[1]))


def filtered(nodes: Compiled, predicates: Sequence[Compiled]) -> Compiled:
    """Compile a node-set with predicates: `(//p)[1]`. Raises XPathError if `nodes` is not a node-set."""
    start, keep = as_nodes(nodes), _filter(predicates)
    return Compiled("nodes", lambda work, *c: keep(work, start(work, *c)), nodes.is_positional)


def _filter(predicates: Sequence[Compiled]) -> Select:
    """Return a function that keeps the nodes for which all predicates hold. A number n means position() = n."""
    tests: list[tuple[int, Callable[..., Any]]] = []  # (constant position or 0, test)
    for predicate in predicates:
        test = _position_equals(predicate.call) if predicate.kind == "number" else as_boolean(predicate)
        tests.append((predicate.place, test))

    def keep(work: Work, nodes: list[AnyNode]) -> list[AnyNode]:
        for constant_position, test in tests:
            size = len(nodes)
            work.spend(size)
            if constant_position:
                nodes = nodes[constant_position - 1 : constant_position]
            else:
                nodes = [node for position, node in enumerate(nodes, 1) if test(work, node, position, size)]
        return nodes

    return keep


def path(start: Compiled | None, steps: list[Step]) -> Compiled:
    """Compile steps that start from a node-set, or from the context node if `start` is None."""
    begin = as_nodes(start or CONTEXT_NODE)
    selects: list[Select] = []
    previous: Step | None = None
    for step in steps:
        if previous == ANY_BELOW and step.axis == "child":
            selects[-1] = _below(step)
        else:
            selects.append(_step(step))
        previous = step

    def select(work: Work, *context: Any) -> list[AnyNode]:
        nodes: list[AnyNode] = begin(work, *context)
        for select_step in selects:
            nodes = select_step(work, nodes)
        return nodes

    name = ""
    if start is None and len(steps) == 1 and not steps[0].predicates:
        axis, (kind, test_name), _ = steps[0]
        if axis == "self" and kind == "name" and test_name != "*":
            return Compiled("nodes", lambda _work, node, _position, _size: [node] if node.tag == test_name else [])
        name = test_name if axis == "attribute" and kind == "name" and test_name != "*" else ""
    return Compiled("nodes", select, start is not None and start.is_positional, name)


def _step(step: Step) -> Select:
    """Compile one step. Predicates count positions along the axis, separately for each start node."""
    axis, predicates = step.axis, step.predicates
    matches, keep = _test(*step.test, axis), _filter(predicates)
    at_most = predicates[0].place if predicates else 0  # with [n] first, n nodes are enough
    are_subtrees = axis in ("descendant", "descendant-or-self") and not predicates

    def select(work: Work, nodes: list[AnyNode]) -> list[AnyNode]:
        nodes = _topmost(work, nodes) if are_subtrees else nodes
        selected: list[AnyNode] = []
        for node in nodes:
            selected += keep(work, _selected(work, AXES[axis](node, work), matches, at_most))
        if len(nodes) == 1:
            return selected[::-1] if axis in REVERSE else selected
        return selected if are_subtrees or axis in _IN_ORDER else work.in_order(selected)

    return select


def _below(step: Step) -> Select:
    """Compile `//name`: visit each subtree once. Positions in predicates count among the children of one parent."""
    matches, keep = _test(*step.test, "child"), _filter(step.predicates)
    name = step.test[1] if step.test[0] == "name" else ""
    needs_positions = any(predicate.kind == "number" or predicate.is_positional for predicate in step.predicates)

    def select(work: Work, nodes: list[AnyNode]) -> list[AnyNode]:
        below: list[AnyNode] = []
        for node in _topmost(work, nodes):
            if name:
                below += work.named_below(node, name)
            else:
                below += _selected(work, AXES["descendant"](node, work), matches, 0)
        if not needs_positions:
            return keep(work, below)
        families: dict[AnyNode | None, list[AnyNode]] = {}
        for node in below:
            families.setdefault(node.parent, []).append(node)
        kept = {node for siblings in families.values() for node in keep(work, siblings)}
        return [node for node in below if node in kept]

    return select


def _topmost(work: Work, nodes: list[AnyNode]) -> list[AnyNode]:
    """Return those of the nodes (in document order) that have no other of them as an ancestor.

    Their subtrees contain the subtrees of all. Attributes are kept.
    """
    is_covered: dict[AnyNode, bool] = dict.fromkeys(nodes, True)  # node -> whether a given node is it or above it
    kept: list[AnyNode] = []
    for node in nodes:
        trail, above = [], node.parent
        while above is not None and above not in is_covered:
            trail.append(above)
            above = above.parent
            work.spend(1)
        is_below = above is not None and is_covered[above]
        is_covered.update(dict.fromkeys(trail, is_below))
        if not is_below or isinstance(node, Attribute):
            kept.append(node)
    return kept


def _selected(work: Work, nodes: Iterable[AnyNode], matches: Callable[[AnyNode], bool], at_most: int) -> list[AnyNode]:
    """Return the nodes of an axis that match. Stop after `at_most` of them, if that is not 0."""
    selected: list[AnyNode] = []
    visited = 0
    for node in nodes:
        visited += 1
        if not visited & 1023:  # the budget is charged for 1024 nodes at once
            work.spend(1024)
        if matches(node):
            selected.append(node)
            if len(selected) == at_most:
                break
    work.spend(visited & 1023)
    return selected


def _test(kind: str, name: str, axis: str) -> Callable[[AnyNode], bool]:
    """Return the node test of a step as a predicate. A name means attributes on the attribute axis, else elements."""
    if kind == "node":
        return lambda _node: True
    if kind != "name":
        tag = {"text": None, "comment": "#comment"}.get(kind, "")  # processing instructions are not in the tree
        return lambda node: node.tag == tag
    if axis == "attribute":
        return lambda node: name in ("*", node.name)  # type: ignore[union-attr]
    if name == "*":
        return lambda node: not isinstance(node, (Text, Attribute)) and not node.tag.startswith("#")
    return lambda node: node.tag == name
