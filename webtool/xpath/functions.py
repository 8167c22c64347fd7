"""The core function library. In: evaluated arguments. Out: a value. Spec: XPath 1.0 section 4.

FUNCTIONS: name -> the type of its value, what it takes, the fewest arguments, and the function, which is called with
what is left of the work, the context node, its position, the size of its list, and the arguments in the types it takes.
"""

# ruff: noqa: ARG001, ARG005 -- every function of the library takes the same first four arguments

from __future__ import annotations

import math

from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.xpath.conversions import CONVERSIONS, Compiled, number_of
from webtool.xpath.lexer import XPathError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from webtool.xpath.data import AnyNode, Work

_MANY = 1000
CONTEXT_NODE = Compiled("nodes", lambda work, node, place, size: [node])


class Function(NamedTuple):
    """A function; one that takes one argument or none takes the context node in its place."""

    kind: str
    takes: tuple[str, ...]
    fewest: int
    call: Callable[..., Any]


def call(name: str, arguments: list[Compiled]) -> Compiled:
    """The call of a function. Raises XPathError for wrong arguments; the caller says where."""
    function = FUNCTIONS.get(name)
    if function is None:
        raise XPathError(f"there is no function {name}()")
    if not function.fewest <= len(arguments) <= len(function.takes):
        raise XPathError(f"{name}() does not take {len(arguments)} arguments")
    is_positional = name in ("last", "position") or any(one.is_positional for one in arguments)
    given = arguments or [CONTEXT_NODE] * len(function.takes)
    parts = [CONVERSIONS[kind](one) for kind, one in zip(function.takes, given)]
    compute = function.call
    if len(parts) != 2:
        return Compiled(function.kind, lambda *c: compute(*c, *[part(*c) for part in parts]), is_positional)
    one, other = parts  # most have two: in two thirds of the time
    return Compiled(
        function.kind, lambda w, n, p, s: compute(w, n, p, s, one(w, n, p, s), other(w, n, p, s)), is_positional
    )


def _name(work: Work, node: AnyNode, place: int, size: int, nodes: list[AnyNode]) -> str:
    if not nodes or nodes[0].tag is None or nodes[0].tag.startswith(("#", "!")):
        return ""
    return str(getattr(nodes[0], "name", nodes[0].tag))


def _id(work: Work, node: AnyNode, place: int, size: int, texts: Iterable[str]) -> list[AnyNode]:
    wanted = {name for text in texts for name in text.split()}
    return work.in_order([work.ids()[name] for name in wanted if name in work.ids()])


def _lang(work: Work, node: AnyNode, place: int, size: int, wanted: str) -> bool:
    at: AnyNode | None = node
    while at is not None:
        work.spend(1)
        found = at.attrs.get("xml:lang", at.attrs.get("lang"))
        if found is not None:
            return f"{found.lower()}-".startswith(f"{wanted.lower()}-")
        at = at.parent
    return False


def _substring(
    work: Work, node: AnyNode, place: int, size: int, text: str, start: float, length: float | None = None
) -> str:
    last = math.inf if length is None else rounded(start) + rounded(length)
    first, last = max(rounded(start), 1.0), min(last, len(text) + 1.0)  # in this order a NaN stays
    return text[int(first) - 1 : int(last) - 1] if first < last else ""


def _after(work: Work, node: AnyNode, place: int, size: int, text: str, mark: str) -> str:
    _, found, after = text.partition(mark) if mark else ("", "x", text)
    return after if found else ""


def normalize_space(text: str) -> str:
    """Leading and trailing white space removed, the rest one space each; only XML's four characters are white space."""
    spaced = text.replace("\t", " ").replace("\r", " ").replace("\n", " ")
    return " ".join(part for part in spaced.split(" ") if part)


def _translate(work: Work, node: AnyNode, place: int, size: int, text: str, old: str, new: str) -> str:
    table: dict[int, str | None] = {}
    for at, character in enumerate(old):
        table.setdefault(ord(character), new[at] if at < len(new) else None)
    return text.translate(table)


def rounded(number: float) -> float:
    """The nearest whole number, halves towards positive infinity (round())."""
    return _whole(math.floor, number + 0.5)


def _whole(operation: Callable[[float], float], number: float) -> float:
    return number if math.isnan(number) or math.isinf(number) else float(operation(number))


FUNCTIONS: dict[str, Function] = {
    "last": Function("number", (), 0, lambda w, n, p, s: float(s)),
    "position": Function("number", (), 0, lambda w, n, p, s: float(p)),
    "count": Function("number", ("nodes",), 1, lambda w, n, p, s, a: float(len(a))),
    "id": Function("nodes", ("texts",), 1, _id),
    "local-name": Function("string", ("nodes",), 0, lambda *a: _name(*a).rpartition(":")[2]),
    "namespace-uri": Function("string", ("nodes",), 0, lambda w, n, p, s, a: ""),
    "name": Function("string", ("nodes",), 0, _name),
    "string": Function("string", ("string",), 0, lambda w, n, p, s, a: a),
    "concat": Function("string", ("string",) * _MANY, 2, lambda w, n, p, s, *a: "".join(a)),
    "starts-with": Function("boolean", ("string", "string"), 2, lambda w, n, p, s, a, b: a.startswith(b)),
    "contains": Function("boolean", ("string", "string"), 2, lambda w, n, p, s, a, b: b in a),
    "substring-before": Function("string", ("string", "string"), 2, lambda w, n, p, s, a, b: a[: max(a.find(b), 0)]),
    "substring-after": Function("string", ("string", "string"), 2, _after),
    "substring": Function("string", ("string", "number", "number"), 2, _substring),
    "string-length": Function("number", ("string",), 0, lambda w, n, p, s, a: float(len(a))),
    "normalize-space": Function("string", ("string",), 0, lambda w, n, p, s, a: normalize_space(a)),
    "translate": Function("string", ("string", "string", "string"), 3, _translate),
    "boolean": Function("boolean", ("boolean",), 1, lambda w, n, p, s, a: a),
    "not": Function("boolean", ("boolean",), 1, lambda w, n, p, s, a: not a),
    "true": Function("boolean", (), 0, lambda w, n, p, s: True),
    "false": Function("boolean", (), 0, lambda w, n, p, s: False),
    "lang": Function("boolean", ("string",), 1, _lang),
    "number": Function("number", ("number",), 0, lambda w, n, p, s, a: a),
    "sum": Function("number", ("nodes",), 1, lambda w, n, p, s, a: float(sum(number_of(w.string_value(x)) for x in a))),
    "floor": Function("number", ("number",), 1, lambda w, n, p, s, a: _whole(math.floor, a)),
    "ceiling": Function("number", ("number",), 1, lambda w, n, p, s, a: _whole(math.ceil, a)),
    "round": Function("number", ("number",), 1, lambda w, n, p, s, a: rounded(a)),
}
