"""Operators, paths and steps as functions. In: compiled parts. Out: the whole, compiled. Spec: XPath 1.0 sections 2, 3.

Evaluation recurses over the expression, whose nesting is bounded, never over the page; every node looked at is counted
against a budget, because an expression such as //a[.//b] may look at each node many times.
"""

from __future__ import annotations

import math
import operator as operators
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from webtool.html.node import Text
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.xpath.axes import AXES, REVERSE
from webtool.xpath.conversions import Compiled, applied, as_boolean, as_nodes, as_number, as_string, as_texts, number_of
from webtool.xpath.data import AnyNode, Attribute, Work
from webtool.xpath.functions import CONTEXT_NODE

Select = Callable[[Work, list[AnyNode]], list[AnyNode]]
ROOT = Compiled("nodes", lambda work, _node, _place, _size: [work.root])
_is_at = partial(applied, operators.eq, lambda _work, _node, place, _size: place)
_IN_ORDER = ("attribute", "self")  # axes that keep the order of the nodes they start from


class Step(NamedTuple):
    """A step of a path; `test` is its kind and a name."""

    axis: str
    test: tuple[str, str] = ("node", "")
    predicates: Sequence[Compiled] = ()


ANY_BELOW = Step("descendant-or-self")


def operation(operator: str, left: Compiled, right: Compiled) -> Compiled:
    """Two operands of `or`, `and`, a comparison, an arithmetic operator or `|`."""
    is_positional = left.is_positional or right.is_positional
    if operator == "|":
        one, other = as_nodes(left), as_nodes(right)
        return Compiled("nodes", lambda work, *c: work.in_order([*one(work, *c), *other(work, *c)]), is_positional)
    if operator in ("or", "and"):
        one, other = as_boolean(left), as_boolean(right)
        if operator == "or":
            return Compiled("boolean", lambda w, n, p, s: one(w, n, p, s) or other(w, n, p, s), is_positional)
        return Compiled("boolean", lambda w, n, p, s: one(w, n, p, s) and other(w, n, p, s), is_positional)
    if operator in _ARITHMETIC:
        return Compiled("number", applied(_ARITHMETIC[operator], as_number(left), as_number(right)), is_positional)
    return Compiled("boolean", _comparison(operator, left, right), is_positional)


def negated(one: Compiled) -> Compiled:
    """The number with its sign changed."""
    return Compiled("number", applied(operators.neg, as_number(one)), one.is_positional)


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
    """Section 3.4: a node-set compares as any of its nodes does, and with a boolean as one."""
    test, kinds, is_equality = _COMPARISONS[operator], (left.kind, right.kind), operator in ("=", "!=")
    name, side = left.attribute or right.attribute, right if left.attribute else left
    if name and is_equality and isinstance(side.constant, str):
        return lambda _work, node, _place, _size: name in node.attrs and test(node.attrs[name], side.constant)
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
    """Linear in both sets: equal if they share a string, ordered if the extremes are."""
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
    """A node-set without those nodes of which a predicate does not hold. Raises XPathError for what is none."""
    start, keep = as_nodes(nodes), _filter(predicates)
    return Compiled("nodes", lambda work, *c: keep(work, start(work, *c)), nodes.is_positional)


def _filter(predicates: Sequence[Compiled]) -> Select:
    tests = [(one.place, as_boolean(one) if one.kind != "number" else _is_at(one.call)) for one in predicates]

    def keep(work: Work, nodes: list[AnyNode]) -> list[AnyNode]:
        for wanted, test in tests:
            size = len(nodes)
            work.spend(size)
            if wanted:
                nodes = nodes[wanted - 1 : wanted]
            else:
                nodes = [node for place, node in enumerate(nodes, 1) if test(work, node, place, size)]
        return nodes

    return keep


def path(start: Compiled | None, steps: list[Step]) -> Compiled:
    """Steps from some nodes, or from the context node."""
    begin = as_nodes(start or CONTEXT_NODE)
    selects: list[Select] = []
    for before, step in zip([None, *steps], [*steps, None]):
        if step is not None and before == ANY_BELOW and step.axis == "child":
            selects[-1] = _below(step)
        elif step is not None:
            selects.append(_step(step))

    def select(work: Work, *context: Any) -> list[AnyNode]:
        nodes: list[AnyNode] = begin(work, *context)
        for one in selects:
            nodes = one(work, nodes)
        return nodes

    name = ""
    if start is None and len(steps) == 1 and not steps[0].predicates:
        axis, (kind, wanted), _ = steps[0]
        if axis == "self" and kind == "name" and wanted != "*":
            return Compiled("nodes", lambda _work, node, _place, _size: [node] if node.tag == wanted else [])
        name = wanted if axis == "attribute" and kind == "name" and wanted != "*" else ""
    return Compiled("nodes", select, start is not None and start.is_positional, name)


def _step(step: Step) -> Select:
    axis, predicates = step.axis, step.predicates
    matches, keep = _test(*step.test, axis), _filter(predicates)
    at_most = predicates[0].place if predicates else 0
    are_subtrees = axis in ("descendant", "descendant-or-self") and not predicates

    def select(work: Work, nodes: list[AnyNode]) -> list[AnyNode]:
        nodes = _topmost(work, nodes) if are_subtrees else nodes
        found: list[AnyNode] = []
        for node in nodes:
            found += keep(work, _selected(work, AXES[axis](node, work), matches, at_most))
        if len(nodes) == 1:
            return found[::-1] if axis in REVERSE else found
        return found if are_subtrees or axis in _IN_ORDER else work.in_order(found)

    return select


def _below(step: Step) -> Select:
    """`//name`: all subtrees gone through once. Positions count among the children of one parent."""
    matches, keep = _test(*step.test, "child"), _filter(step.predicates)
    name = step.test[1] if step.test[0] == "name" else ""
    counts = any(one.kind == "number" or one.is_positional for one in step.predicates)

    def select(work: Work, nodes: list[AnyNode]) -> list[AnyNode]:
        found: list[AnyNode] = []
        for node in _topmost(work, nodes):
            found += (
                work.named_below(node, name) if name else _selected(work, AXES["descendant"](node, work), matches, 0)
            )
        if not counts:
            return keep(work, found)
        families: dict[AnyNode | None, list[AnyNode]] = {}
        for node in found:
            families.setdefault(node.parent, []).append(node)
        kept = {node for row in families.values() for node in keep(work, row)}
        return [node for node in found if node in kept]

    return select


def _topmost(work: Work, nodes: list[AnyNode]) -> list[AnyNode]:
    """Nodes (in document order) that lie below no other of them: the others' subtrees are in theirs."""
    is_covered: dict[AnyNode, bool] = dict.fromkeys(nodes, True)  # whether what is in it is in one of them
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
    """Those of an axis that pass the test; with `at_most` no more than are needed."""
    selected: list[AnyNode] = []
    looked_at = 0
    for node in nodes:
        looked_at += 1
        if not looked_at & 1023:
            work.spend(1024)
        if matches(node):
            selected.append(node)
            if len(selected) == at_most:
                break
    work.spend(looked_at & 1023)
    return selected


def _test(kind: str, name: str, axis: str) -> Callable[[AnyNode], bool]:
    """The node test of a step; the principal node type of the attribute axis is attribute, else element."""
    if kind == "node":
        return lambda _node: True
    if kind != "name":
        tag = {"text": None, "comment": "#comment"}.get(kind, "")  # there are no processing instructions
        return lambda node: node.tag == tag
    if axis == "attribute":
        return lambda node: name in ("*", node.name)  # type: ignore[union-attr]
    if name == "*":
        return lambda node: not isinstance(node, (Text, Attribute)) and not node.tag.startswith("#")
    return lambda node: node.tag == name
