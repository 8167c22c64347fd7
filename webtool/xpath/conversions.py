"""Convert between the types of XPath: node-set, string, number, boolean. In: a Compiled. Out: a call of another type.

Values are a list of nodes in document order, str, float and bool. Without variables, the parser knows the type
of each expression, and conversions are chosen once, when it is compiled. Spec: XPath 1.0 sections 3.4, 3.5 and 4.

Tests: tests/xpath/test_xpath.py
"""

from __future__ import annotations

import math

from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any, Callable, Union
from webtool.xpath.data import AnyNode, Work
from webtool.xpath.lexer import XPathError

Value = Union[list[AnyNode], str, float, bool]
Call = Callable[[Work, AnyNode, int, int], Any]

WHITE_SPACE = " \t\r\n"
_DIGITS = frozenset("0123456789")


class Compiled(NamedTuple):
    """An expression: the type of its value, and `call`(work, context node, position, size) -> value.

    `kind` is "nodes", "string", "number" or "boolean". Position and size are those of the list that has the node.
    """

    kind: str
    call: Call
    is_positional: bool = False  # it uses position() or last()
    attribute: str = ""  # the name, if the whole expression is @name
    constant: str | float | None = None  # the value, if the whole expression is a literal

    @property
    def place(self) -> int:
        """The number, if the whole expression is an integer; else 0."""
        return int(self.constant) if isinstance(self.constant, float) and self.constant.is_integer() else 0


def applied(compute: Callable[..., Any], *parts: Call) -> Call:
    """Return a call that evaluates the parts and passes their values to `compute`."""
    if len(parts) == 1:
        (only,) = parts
        return lambda w, n, p, s: compute(only(w, n, p, s))
    if len(parts) == 2:  # the most common case; this takes two thirds of the time of the general one
        first, second = parts
        return lambda w, n, p, s: compute(first(w, n, p, s), second(w, n, p, s))
    return lambda w, n, p, s: compute(*[part(w, n, p, s) for part in parts])


def as_string(expression: Compiled) -> Call:
    """Apply string(): the first node's string-value, a number without exponent, "true" or "false"."""
    call, name = expression.call, expression.attribute
    if expression.kind == "string":
        return call
    if name:
        return lambda work, node, _position, _size: work.read(node.attrs.get(name, ""))
    if expression.kind != "nodes":
        return applied(text_of, call)
    return lambda work, *context: work.string_value(nodes[0]) if (nodes := call(work, *context)) else ""


def as_number(expression: Compiled) -> Call:
    """Apply number(). A text that is not a decimal number becomes NaN."""
    if expression.kind == "number":
        return expression.call
    if expression.kind == "boolean":
        return applied(float, expression.call)
    return applied(number_of, as_string(expression))


def as_boolean(expression: Compiled) -> Call:
    """Apply boolean(). False are an empty node-set, an empty string, 0 and NaN."""
    call, name = expression.call, expression.attribute
    if expression.kind == "boolean":
        return call
    if name:
        return lambda _work, node, _position, _size: name in node.attrs
    if expression.kind == "number":
        return applied(lambda number: number != 0 and not math.isnan(number), call)
    return applied(bool, call)


def as_nodes(expression: Compiled) -> Call:
    """Return the call of a node-set. Raises XPathError for other types, which cannot be converted."""
    if expression.kind != "nodes":
        raise XPathError(f"a node-set was expected, not a {expression.kind}")
    return expression.call


def as_texts(expression: Compiled) -> Call:
    """Return the string-values of all nodes. For other types, return a list of the one string."""
    call, name = expression.call, expression.attribute
    if name:
        return lambda work, node, _position, _size: [work.read(node.attrs[name])] if name in node.attrs else []
    if expression.kind == "nodes":
        return lambda work, *context: map(work.string_value, call(work, *context))
    return applied(lambda text: [text], as_string(expression))


CONVERSIONS = {"string": as_string, "number": as_number, "boolean": as_boolean, "nodes": as_nodes, "texts": as_texts}


def number_of(text: str) -> float:
    """Convert a string as number() does: "-1.5" and " 7 " are numbers, "1e3" and "" give NaN."""
    text = text.strip(WHITE_SPACE)
    digits = text[1:] if text.startswith("-") else text
    whole, _, fraction = digits.partition(".")
    if not (whole or fraction) or not _DIGITS.issuperset(whole + fraction):
        return math.nan
    return float(text)


def text_of(value: str | float) -> str:
    """Convert a number, boolean or string as string() does: 2.0 -> "2", 1e-7 -> "0.0000001", True -> "true"."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == int(value):
        return str(int(value))
    text = repr(value)
    if "e" not in text:
        return text
    places = max(0, -int(text.partition("e")[2])) + len(text.partition("e")[0].partition(".")[2])
    return f"{value:.{places}f}".rstrip("0").rstrip(".")
