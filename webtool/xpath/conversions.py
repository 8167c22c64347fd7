"""Values of XPath turned into one another and compared. In: values. Out: values. Spec: XPath 1.0 sections 3.4, 3.5, 4.

Values are lists of nodes in document order, str, float and bool.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from webtool.html.node import Element
from webtool.lean.typing import Any, Union
from webtool.xpath.data import AnyNode, Attribute, Budget, Work
from webtool.xpath.lexer import XPathError

Value = Union[list[AnyNode], str, float, bool]

WHITE_SPACE = " \t\r\n"
_DIGITS = frozenset("0123456789")


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


def text_of(value: str | float) -> str:
    """string() of what is no node-set: numbers without exponent, true and false."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value)


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


ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "div": _divide,
    "mod": _modulo,
}
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


class Conversions:
    """What an evaluation does with values; `text` is the expression, for messages."""

    def __init__(self, node: Element, budget: Budget, text: str) -> None:
        self.work = Work(node, budget, text)
        self._text = text

    def string(self, value: Value) -> str:
        """string(): the first node's string-value, or text_of()."""
        if isinstance(value, list):
            return self.work.string_value(value[0]) if value else ""
        return text_of(value)

    def number(self, value: Value) -> float:
        """number(): NaN for what is not a decimal number."""
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
        places = self.work.order()
        unique: dict[object, AnyNode] = {}
        for node in nodes:
            unique[node if isinstance(node, Attribute) else id(node)] = node
        return sorted(unique.values(), key=lambda node: _place(node, places))

    def compare(self, operator: str, left: Value, right: Value) -> bool:
        """Section 3.4: a node-set compares as any of its nodes does."""
        test = COMPARISONS[operator]
        if isinstance(left, bool) or isinstance(right, bool):
            if operator in ("=", "!="):
                return test(self.boolean(left), self.boolean(right))
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
            return COMPARISONS[operator](self.number(left), self.number(right))
        return COMPARISONS[operator](self.string(left), self.string(right))

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
        test = COMPARISONS[operator]
        return test(lows[0], highs[1]) if operator.startswith("<") else test(highs[0], lows[1])


def _place(node: AnyNode, places: dict[int, int]) -> tuple[int, int]:
    if isinstance(node, Attribute):
        return places[id(node.parent)], 1 + node.place
    return places[id(node)], 0
