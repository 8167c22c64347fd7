"""Provide XPath's core function library. In: a name and compiled arguments. Out: a Compiled. Spec: XPath 1.0 section 4.

FUNCTIONS has one row for each function: result type, argument types, fewest arguments, and the Python function.

Tests: tests/xpath/test_xpath.py
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable

from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.xpath.conversions import CONVERSIONS, Call, Compiled, applied, number_of
from webtool.xpath.lexer import XPathError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.xpath.data import AnyNode, Work

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
    context: list[Call] = [lambda *c, at=at: c[at] for at in function.needs]
    return Compiled(function.kind, applied(function.call, *context, *parts), is_positional)


def _name(nodes: list[AnyNode]) -> str:
    if not nodes or nodes[0].tag is None or nodes[0].tag.startswith(("#", "!")):
        return ""
    return str(getattr(nodes[0], "name", nodes[0].tag))


def _id(work: Work, texts: Iterable[str]) -> list[AnyNode]:
    ids = {name for text in texts for name in text.split()}
    return work.in_order([work.ids()[name] for name in ids if name in work.ids()])


def _lang(work: Work, node: AnyNode, language: str) -> bool:
    at: AnyNode | None = node
    while at is not None:
        work.spend(1)
        own_language = at.attrs.get("xml:lang", at.attrs.get("lang"))
        if own_language is not None:
            return f"{own_language.lower()}-".startswith(f"{language.lower()}-")
        at = at.parent
    return False


def _substring(text: str, start: float, length: float = math.inf) -> str:
    last = rounded(start) + rounded(length) if length < math.inf else length
    first, last = max(rounded(start), 1.0), min(last, len(text) + 1.0)  # in this order a NaN stays
    return text[int(first) - 1 : int(last) - 1] if first < last else ""


def normalize_space(text: str) -> str:
    """Strip white space and reduce each inner run to one space. Only XML's four characters count as white space."""
    spaced = text.replace("\t", " ").replace("\r", " ").replace("\n", " ")
    return " ".join(part for part in spaced.split(" ") if part)


def _translate(text: str, old: str, new: str) -> str:
    table: dict[int, str | None] = {}
    for at, character in enumerate(old):
        table.setdefault(ord(character), new[at] if at < len(new) else None)
    return text.translate(table)


def rounded(number: float) -> float:
    """Apply round(): the nearest integer; halves go towards positive infinity."""
    return _whole(math.floor, number + 0.5)


def _whole(operation: Callable[[float], float], number: float) -> float:
    return number if math.isnan(number) or math.isinf(number) else float(operation(number))


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
