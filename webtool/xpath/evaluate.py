"""A parsed expression on a tree. In: tuples of grammar.py, a context node. Out: a value. Spec: XPath 1.0 sections 2, 3.

Values are lists of nodes in document order, str, float and bool. Evaluation recurses over the expression, whose nesting
is bounded, never over the page; every node looked at is counted against a budget, because an expression such as
//a//b//c may look at each node many times.
"""

from __future__ import annotations

import math

from webtool.html.node import Text
from webtool.xpath import data
from webtool.xpath.data import Attribute
from webtool.xpath.functions import FUNCTIONS, WHITE_SPACE
from webtool.xpath.lexer import XPathError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import NamedTuple, Union

    from webtool.html.node import Element
    from webtool.xpath.data import AnyNode
    from webtool.xpath.grammar import Tree

    Value = Union[list[AnyNode], str, float, bool]
else:
    from webtool.records import NamedTuple

_DIGITS = frozenset("0123456789")
_CHARACTERS_PER_NODE = 64  # so much text costs as much of the budget as one node
_POSITIONAL = ("last", "position")


class Context(NamedTuple):
    """The context of a predicate or function: section 1."""

    node: AnyNode
    position: int = 1
    size: int = 1


class Evaluation:
    """One evaluation: the tree's document order, made when it is needed, and the budget."""

    def __init__(self, node: Element, budget: int, text: str) -> None:
        self._root = self._root_of(node)
        self._left = budget
        self._text = text
        self._order: dict[int, int] | None = None
        self._ids: dict[str, Element] | None = None

    def value(self, tree: Tree, node: AnyNode) -> Value:
        """The value with `node` as context node."""
        return self._value(tree, Context(node))

    def string(self, value: Value) -> str:
        """string(): the first node's string-value, numbers without exponent, true and false."""
        if isinstance(value, str):
            return value
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, list):
            if not value:
                return ""
            text = data.string_value(value[0])
            self._spend(1 + len(text) // _CHARACTERS_PER_NODE)
            return text
        return number_text(value)

    def number(self, value: Value) -> float:
        """number(): NaN for what is no decimal number."""
        if isinstance(value, bool):
            return 1.0 if value else 0.0
        if isinstance(value, float):
            return value
        return number_of(self.string(value))

    def boolean(self, value: Value) -> bool:
        """boolean(): a node-set that is not empty, a string that is not empty, a number but 0 and NaN."""
        if isinstance(value, float):
            return value != 0 and not math.isnan(value)
        return bool(value)

    def nodes(self, value: Value) -> list[AnyNode]:
        """The value as a node-set. Raises XPathError for anything else."""
        if not isinstance(value, list):
            raise XPathError(f"a node-set was expected, not {self.string(value)!r}: {self._text!r}")
        return value

    def in_order(self, nodes: list[AnyNode]) -> list[AnyNode]:
        """Each node once, in document order."""
        if len(nodes) < 2:
            return nodes
        if self._order is None:
            self._order = data.order(self._root)
        places = self._order
        unique: dict[object, AnyNode] = {}
        for node in nodes:
            unique[node if isinstance(node, Attribute) else id(node)] = node
        return sorted(unique.values(), key=lambda node: _place(node, places))

    def id_index(self) -> dict[str, Element]:
        """Elements of the tree by id."""
        if self._ids is None:
            self._ids = data.id_index(self._root)
        return self._ids

    @staticmethod
    def _root_of(node: AnyNode) -> Element:
        while node.parent is not None:
            node = node.parent
        return node  # type: ignore[return-value]

    def _spend(self, amount: int) -> None:
        self._left -= amount
        if self._left < 0:
            raise XPathError(f"too much work on this page: {self._text!r}")

    def _value(self, tree: Tree, context: Context) -> Value:
        self._spend(1)
        kind = tree[0]
        if kind in ("number", "literal"):
            return tree[1]  # type: ignore[return-value]
        if kind == "path":
            return self._path(tree, context)
        if kind == "call":
            arguments = [self._value(argument, context) for argument in tree[2]]  # type: ignore[attr-defined]
            return FUNCTIONS[str(tree[1])].call(self, context, arguments)
        if kind == "filter":
            nodes = self.nodes(self._value(tree[1], context))  # type: ignore[arg-type]
            return self._filtered(nodes, tree[2])  # type: ignore[arg-type]
        if len(tree) == 2:
            return -self.number(self._value(tree[1], context))  # type: ignore[arg-type]
        return self._operation(str(kind), tree, context)

    def _operation(self, operator: str, tree: Tree, context: Context) -> Value:
        left = self._value(tree[1], context)  # type: ignore[arg-type]
        if operator in ("and", "or"):
            if self.boolean(left) is (operator == "or"):
                return operator == "or"
            return self.boolean(self._value(tree[2], context))  # type: ignore[arg-type]
        right = self._value(tree[2], context)  # type: ignore[arg-type]
        if operator == "|":
            return self.in_order([*self.nodes(left), *self.nodes(right)])
        if operator in _ARITHMETIC:
            return _ARITHMETIC[operator](self.number(left), self.number(right))
        return self._compare(operator, left, right)

    def _compare(self, operator: str, left: Value, right: Value) -> bool:
        """Section 3.4: a node-set compares as any of its nodes does."""
        test = _COMPARISONS[operator]
        if isinstance(left, bool) or isinstance(right, bool):
            if operator in ("=", "!="):
                return test(self.boolean(left), self.boolean(right))
            if isinstance(left, bool) or isinstance(right, bool):
                return test(self.number(self._plain(left)), self.number(self._plain(right)))
        if isinstance(left, list) and isinstance(right, list):
            return self._compare_sets(operator, left, right)
        if isinstance(left, list):
            return any(self._compare_plain(operator, self.string([node]), right) for node in left)
        if isinstance(right, list):
            return any(self._compare_plain(operator, left, self.string([node])) for node in right)
        return self._compare_plain(operator, left, right)

    def _plain(self, value: Value) -> Value:
        return self.boolean(value) if isinstance(value, list) else value

    def _compare_plain(self, operator: str, left: Value, right: Value) -> bool:
        is_number = isinstance(left, float) or isinstance(right, float) or operator not in ("=", "!=")
        if is_number:
            return _COMPARISONS[operator](self.number(left), self.number(right))
        return _COMPARISONS[operator](self.string(left), self.string(right))

    def _compare_sets(self, operator: str, left: list[AnyNode], right: list[AnyNode]) -> bool:
        """Linear in both sets: equal if they share a string, ordered if the extremes are."""
        texts = [self.string([node]) for node in left], [self.string([node]) for node in right]
        if operator == "=":
            return not set(texts[0]).isdisjoint(texts[1])
        if operator == "!=":
            together = {*texts[0], *texts[1]}
            return bool(left and right) and (len(together) > 1)
        lows, highs = [], []
        for row in texts:
            numbers = [number for number in map(number_of, row) if not math.isnan(number)]
            if not numbers:
                return False
            lows.append(min(numbers))
            highs.append(max(numbers))
        test = _COMPARISONS[operator]
        return test(lows[0], highs[1]) if operator.startswith("<") else test(highs[0], lows[1])

    def _path(self, tree: Tree, context: Context) -> Value:
        start, steps = tree[1], tree[2]
        if start is None:
            nodes = [context.node]
        elif start == "/":
            nodes = [self._root]
        else:
            nodes = self.nodes(self._value(start, context))  # type: ignore[arg-type]
        for step in _shortened(steps):  # type: ignore[arg-type]
            nodes = self._step(nodes, step)
        return nodes

    def _step(self, nodes: list[AnyNode], step: Tree) -> list[AnyNode]:
        axis, test, predicates = str(step[0]), step[1], step[2]
        found: list[AnyNode] = []
        whole_subtrees = axis in ("descendant", "descendant-or-self") and not predicates
        if whole_subtrees:
            nodes = self._topmost(nodes)
        for node in nodes:
            selected = self._selected(node, axis, test)  # type: ignore[arg-type]
            selected = self._filtered(selected, predicates)  # type: ignore[arg-type]
            found.extend(selected)
        if len(nodes) == 1:
            return found[::-1] if axis in data.REVERSE else found
        return found if whole_subtrees else self.in_order(found)

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
                self._spend(1)
            is_below = above is not None and (id(above) in chosen or covered[id(above)])
            covered.update(dict.fromkeys(trail, is_below))
            if not is_below:
                kept.append(node)
        return kept

    def _selected(self, node: AnyNode, axis: str, test: Tree) -> list[AnyNode]:
        matches = _test(str(test[0]), str(test[1]), axis)
        selected, looked_at = [], 0
        for one in data.AXES[axis](node):
            looked_at += 1
            if not looked_at & 1023:
                self._spend(1024)
            if matches(one):
                selected.append(one)
        self._spend(looked_at & 1023)
        return selected

    def _filtered(self, nodes: list[AnyNode], predicates: tuple[Tree, ...]) -> list[AnyNode]:
        for predicate in predicates:
            size = len(nodes)
            nodes = [node for place, node in enumerate(nodes, 1) if self._holds(predicate, Context(node, place, size))]
        return nodes

    def _holds(self, predicate: Tree, context: Context) -> bool:
        value = self._value(predicate, context)
        if isinstance(value, float):
            return value == context.position
        return self.boolean(value)


def _shortened(steps: tuple[Tree, ...]) -> Iterator[Tree]:
    """`//name` in one step where no predicate can tell the difference (positions count per parent)."""
    place = 0
    while place < len(steps):
        step = steps[place]
        following = steps[place + 1] if place + 1 < len(steps) else None
        if (
            step == ("descendant-or-self", ("node", ""), ())
            and following is not None
            and following[0] == "child"
            and not any(_may_be_positional(predicate) for predicate in following[2])  # type: ignore[attr-defined]
        ):
            yield ("descendant", following[1], following[2])
            place += 2
            continue
        yield step
        place += 1


def _may_be_positional(tree: object) -> bool:
    """Whether a predicate could be a number or ask for a position; those that certainly do not are the usual ones."""
    if not isinstance(tree, tuple) or not tree:
        return False
    if tree[0] in ("number", "+", "-", "*", "div", "mod"):
        return True
    if tree[0] == "call":
        gives_number = tree[1] in ("count", "sum", "floor", "ceiling", "round", "number", "string-length")
        return gives_number or tree[1] in _POSITIONAL or any(_asks_for_position(one) for one in tree[2])
    return _asks_for_position(tree)


def _asks_for_position(tree: object) -> bool:
    """Whether position() or last() occurs outside the predicates of inner steps (looked for everywhere, to be safe)."""
    stack = [tree]
    while stack:
        one = stack.pop()
        if isinstance(one, tuple):
            if len(one) == 3 and one[0] == "call" and one[1] in _POSITIONAL:
                return True
            stack.extend(one)
    return False


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


def _place(node: AnyNode, places: dict[int, int]) -> tuple[int, int]:
    if isinstance(node, Attribute):
        return places[id(node.parent)], 1 + list(node.parent.attrs).index(node.name)
    return places[id(node)], 0


def number_of(text: str) -> float:
    """A string as number(): optional minus, digits, at most one point, white space around; else NaN."""
    text = text.strip(WHITE_SPACE)
    digits = text[1:] if text.startswith("-") else text
    whole, _, fraction = digits.partition(".")
    if not (whole or fraction) or not _DIGITS.issuperset(whole + fraction):
        return math.nan
    return float(text)


def number_text(number: float) -> str:
    """A number as string(): whole numbers without a point, never an exponent."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == int(number):
        return str(int(number))
    text = repr(number)
    if "e" not in text:
        return text
    places = max(0, -int(text.partition("e")[2])) + len(text.partition("e")[0].partition(".")[2])
    return f"{number:.{places}f}".rstrip("0").rstrip(".")


def _divide(left: float, right: float) -> float:
    if right == 0:
        if left == 0 or math.isnan(left):
            return math.nan
        return math.copysign(math.inf, left) * math.copysign(1.0, right)
    return left / right


def _modulo(left: float, right: float) -> float:
    if right == 0 or math.isnan(left) or math.isnan(right) or math.isinf(left):
        return math.nan
    return math.fmod(left, right)


_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "div": _divide,
    "mod": _modulo,
}
_COMPARISONS: dict[str, Callable[[object, object], bool]] = {
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,  # type: ignore[operator]
    "<=": lambda left, right: left <= right,  # type: ignore[operator]
    ">": lambda left, right: left > right,  # type: ignore[operator]
    ">=": lambda left, right: left >= right,  # type: ignore[operator]
}
