"""Types of XPath turned into one another. In: an expression or a value. Out: the same of another type.

Values are lists of nodes in document order, str, float and bool. As there are no variables, the type of an expression
is known when it is parsed, and so are the conversions. Spec: XPath 1.0 sections 3.4, 3.5, 4.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any, Union
from webtool.xpath.data import AnyNode, Work
from webtool.xpath.lexer import XPathError

Value = Union[list[AnyNode], str, float, bool]
Call = Callable[[Work, AnyNode, int, int], Any]

WHITE_SPACE = " \t\r\n"
_DIGITS = frozenset("0123456789")


class Compiled(NamedTuple):
    """An expression: the type of its value ("nodes", "string", "number", "boolean") and the function that gives it for
    a context node, its position and the size of the list it is in."""

    kind: str
    call: Call
    is_positional: bool = False
    """Whether it asks for position() or last()."""
    attribute: str = ""
    """The name, where it is @name and no more."""
    constant: str | float | None = None
    """The value, where it is a literal or a number and no more."""

    @property
    def place(self) -> int:
        """The number, where it is a whole one and no more; else 0."""
        return int(self.constant) if isinstance(self.constant, float) and self.constant.is_integer() else 0


def applied(compute: Callable[..., Any], *parts: Call) -> Call:
    """The function of what the parts give."""
    if len(parts) == 1:
        (one,) = parts
        return lambda w, n, p, s: compute(one(w, n, p, s))
    if len(parts) == 2:  # most have two: in two thirds of the time
        one, other = parts
        return lambda w, n, p, s: compute(one(w, n, p, s), other(w, n, p, s))
    return lambda w, n, p, s: compute(*[part(w, n, p, s) for part in parts])


def as_string(one: Compiled) -> Call:
    """string(): the first node's string-value, numbers without exponent, true and false."""
    call, name = one.call, one.attribute
    if one.kind == "string":
        return call
    if name:
        return lambda work, node, _place, _size: work.read(node.attrs.get(name, ""))
    if one.kind != "nodes":
        return applied(text_of, call)
    return lambda work, *context: work.string_value(nodes[0]) if (nodes := call(work, *context)) else ""


def as_number(one: Compiled) -> Call:
    """number(): NaN for what is not a decimal number."""
    if one.kind == "number":
        return one.call
    return applied(float, one.call) if one.kind == "boolean" else applied(number_of, as_string(one))


def as_boolean(one: Compiled) -> Call:
    """boolean(): a node-set that is not empty, a string that is not empty, a number but 0 and NaN."""
    call, name = one.call, one.attribute
    if one.kind == "boolean":
        return call
    if name:
        return lambda _work, node, _place, _size: name in node.attrs
    if one.kind == "number":
        return applied(lambda number: number != 0 and not math.isnan(number), call)
    return applied(bool, call)


def as_nodes(one: Compiled) -> Call:
    """The value as a node-set. Raises XPathError for anything else."""
    if one.kind != "nodes":
        raise XPathError(f"a node-set was expected, not a {one.kind}")
    return one.call


def as_texts(one: Compiled) -> Call:
    """The string-values of all nodes, or the one string."""
    call, name = one.call, one.attribute
    if name:
        return lambda work, node, _place, _size: [work.read(node.attrs[name])] if name in node.attrs else []
    if one.kind == "nodes":
        return lambda work, *context: map(work.string_value, call(work, *context))
    return applied(lambda text: [text], as_string(one))


CONVERSIONS = {"string": as_string, "number": as_number, "boolean": as_boolean, "nodes": as_nodes, "texts": as_texts}


def number_of(text: str) -> float:
    """A string as number(): optional minus, digits, at most one point, white space around; else NaN."""
    text = text.strip(WHITE_SPACE)
    digits = text[1:] if text.startswith("-") else text
    whole, _, fraction = digits.partition(".")
    if not (whole or fraction) or not _DIGITS.issuperset(whole + fraction):
        return math.nan
    return float(text)


def text_of(value: str | float) -> str:
    """string() of what is no node-set: whole numbers without a point, never an exponent, true and false."""
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
