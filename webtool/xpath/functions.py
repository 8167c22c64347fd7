"""Convert between XPath's types, and provide its core function library. In: Compiled expressions. Out: a Compiled.

The types are node-set, string, number and boolean. Values are a list of nodes in document order, str, float and bool.
Without variables, the parser knows the type of each expression, and conversions are chosen once, when it is compiled.
FUNCTIONS has one row for each function: result type, argument types, fewest arguments, and the Python function.
Spec: XPath 1.0 sections 3.4, 3.5 and 4.
Tests: tests/xpath/test_xpath.py
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable

from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any, Callable, Union
from webtool.xpath.data import AnyNode, Work, XPathError

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


# --- Functions ---

_MANY = 1000  # most arguments of concat(), which takes any number
CONTEXT_NODE = Compiled("nodes", lambda _work, node, _place, _size: [node])
_WORK, _NODE, _PLACE, _SIZE = range(4)


class Function(NamedTuple):
    """One function. If its arguments may all be omitted, the context node replaces them."""

    kind: str
    takes: tuple[str, ...]
    fewest: int
    call: Callable[..., Any]
    needs: tuple[int, ...] = ()  # parts of the context that are passed before the arguments: _WORK, _NODE ...


def call(name: str, arguments: list[Compiled]) -> Compiled:
    """Compile the call of a function. Raises XPathError for an unknown name or wrong arguments."""
    function = FUNCTIONS.get(name)
    if function is None:
        raise XPathError(f"unknown function {name}()")
    if not function.fewest <= len(arguments) <= len(function.takes):
        raise XPathError(f"{name}() does not take {len(arguments)} arguments")
    is_positional = bool({_PLACE, _SIZE} & {*function.needs}) or any(one.is_positional for one in arguments)
    given = arguments or [CONTEXT_NODE] * len(function.takes)
    parts = [CONVERSIONS[kind](one) for kind, one in zip(function.takes, given)]
    context: list[Call] = [lambda *c, part=part: c[part] for part in function.needs]
    return Compiled(function.kind, applied(function.call, *context, *parts), is_positional)


def _name(nodes: list[AnyNode]) -> str:
    if not nodes or nodes[0].tag is None or nodes[0].tag.startswith(("#", "!")):
        return ""
    return str(getattr(nodes[0], "name", nodes[0].tag))


def _id(work: Work, texts: Iterable[str]) -> list[AnyNode]:
    ids = {name for text in texts for name in normalize_space(text).split(" ") if name}
    return work.in_order([work.ids()[name] for name in ids if name in work.ids()])


def _lang(work: Work, node: AnyNode, language: str) -> bool:
    box: AnyNode | None = node
    while box is not None:
        work.spend(1)
        own_language = box.attrs.get("xml:lang", box.attrs.get("lang"))
        if own_language is not None:
            return f"{own_language.lower()}-".startswith(f"{language.lower()}-")
        box = box.parent
    return False


def _substring(text: str, start: float, length: float | None = None) -> str:
    """Return the characters from `start` on, counted from 1. Both numbers may be NaN or infinite: then "" or all."""
    first = rounded(start)
    end = math.inf if length is None else first + rounded(length)
    first, end = max(first, 1.0), min(end, len(text) + 1.0)  # in this order a NaN stays: it is the first argument
    return text[int(first) - 1 : int(end) - 1] if first < end else ""


def normalize_space(text: str) -> str:
    """Strip white space and reduce each inner run to one space. Only XML's four characters count as white space."""
    spaced = text.replace("\t", " ").replace("\r", " ").replace("\n", " ")
    return " ".join(part for part in spaced.split(" ") if part)


def _translate(text: str, old: str, new: str) -> str:
    table: dict[int, str | None] = {}
    for index, character in enumerate(old):
        table.setdefault(ord(character), new[index] if index < len(new) else None)
    return text.translate(table)


def rounded(number: float) -> float:
    """Apply round(): the nearest integer; halves go towards positive infinity. -0.2 gives negative zero."""
    floor = _whole(math.floor, number)
    nearest = floor + 1.0 if number - floor >= 0.5 else floor  # floor(number + 0.5) rounds twice: 0.49999999999999994
    return math.copysign(nearest, number)


def _whole(operation: Callable[[float], float], number: float) -> float:
    return number if math.isnan(number) or math.isinf(number) else math.copysign(operation(number), number)


FUNCTIONS: dict[str, Function] = {
    "last": Function("number", (), 0, float, (_SIZE,)),
    "position": Function("number", (), 0, float, (_PLACE,)),
    "count": Function("number", ("nodes",), 1, lambda nodes: float(len(nodes))),
    "id": Function("nodes", ("texts",), 1, _id, (_WORK,)),
    "local-name": Function("string", ("nodes",), 0, lambda nodes: _name(nodes).rpartition(":")[2]),
    "namespace-uri": Function("string", ("nodes",), 0, lambda _nodes: ""),
    "name": Function("string", ("nodes",), 0, _name),
    "string": Function("string", ("string",), 0, str),
    "concat": Function("string", ("string",) * _MANY, 2, lambda *parts: "".join(parts)),
    "starts-with": Function("boolean", ("string", "string"), 2, str.startswith),
    "contains": Function("boolean", ("string", "string"), 2, operator.contains),
    "substring-before": Function("string", ("string", "string"), 2, lambda a, b: a[: max(a.find(b), 0)]),
    "substring-after": Function("string", ("string", "string"), 2, lambda a, b: a.partition(b)[2] if b else a),
    "substring": Function("string", ("string", "number", "number"), 2, _substring),
    "string-length": Function("number", ("string",), 0, lambda text: float(len(text))),
    "normalize-space": Function("string", ("string",), 0, normalize_space),
    "translate": Function("string", ("string", "string", "string"), 3, _translate),
    "boolean": Function("boolean", ("boolean",), 1, bool),
    "not": Function("boolean", ("boolean",), 1, operator.not_),
    "true": Function("boolean", (), 0, lambda: True),
    "false": Function("boolean", (), 0, lambda: False),
    "lang": Function("boolean", ("string",), 1, _lang, (_WORK, _NODE)),
    "number": Function("number", ("number",), 0, float),
    "sum": Function("number", ("nodes",), 1, lambda w, a: sum(map(number_of, map(w.string_value, a)), 0.0), (_WORK,)),
    "floor": Function("number", ("number",), 1, lambda number: _whole(math.floor, number)),
    "ceiling": Function("number", ("number",), 1, lambda number: _whole(math.ceil, number)),
    "round": Function("number", ("number",), 1, rounded),
}
