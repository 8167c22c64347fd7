"""The core function library. In: evaluated arguments. Out: a value. Spec: XPath 1.0 section 4.

FUNCTIONS: name -> (least and most arguments, function). A function is called with the evaluation, its context (node,
position, size) and the arguments; conversions of types are the evaluation's.
"""

# ruff: noqa: ARG001, ARG005 -- every function of the library takes the same three arguments

from __future__ import annotations

import math

from webtool.lean.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from webtool.xpath.conversions import Value
    from webtool.xpath.data import AnyNode
    from webtool.xpath.evaluate import Context, Evaluation

_MANY = 1000


class Function(NamedTuple):
    """A function and how many arguments it takes."""

    arity: tuple[int, int]
    call: Callable[[Evaluation, Context, list[Value]], Value]


def _argument(evaluation: Evaluation, context: Context, arguments: list[Value]) -> Value:
    """The only argument, or the context node where it was left out."""
    return arguments[0] if arguments else [context.node]


def _local_name(evaluation: Evaluation, context: Context, arguments: list[Value]) -> str:
    return _name(evaluation, context, arguments).rpartition(":")[2]


def _name(evaluation: Evaluation, context: Context, arguments: list[Value]) -> str:
    node = next(iter(evaluation.nodes(_argument(evaluation, context, arguments))), None)
    if node is None or node.tag is None or node.tag.startswith(("#", "!")):
        return ""
    return str(getattr(node, "name", node.tag))


def _id(evaluation: Evaluation, _context: Context, arguments: list[Value]) -> Value:
    value = arguments[0]
    texts = [evaluation.string([node]) for node in value] if isinstance(value, list) else [evaluation.string(value)]
    wanted = {name for text in texts for name in text.split()}
    index = evaluation.work.ids()
    return evaluation.in_order([index[name] for name in wanted if name in index])


def _lang(evaluation: Evaluation, context: Context, arguments: list[Value]) -> bool:
    wanted = evaluation.string(arguments[0]).lower()
    node: AnyNode | None = context.node
    while node is not None:
        evaluation.work.spend(1)
        attributes = getattr(node, "attrs", {})
        found = attributes.get("xml:lang", attributes.get("lang"))
        if found is not None:
            return bool(found.lower() == wanted or found.lower().startswith(wanted + "-"))
        node = node.parent
    return False


def _substring(evaluation: Evaluation, _context: Context, arguments: list[Value]) -> str:
    text = evaluation.string(arguments[0])
    first = rounded(evaluation.number(arguments[1]))
    last = first + rounded(evaluation.number(arguments[2])) if len(arguments) > 2 else math.inf
    if math.isnan(first) or math.isnan(last):
        return ""
    start = max(first, 1.0)
    end = min(last, len(text) + 1.0)
    return text[int(start) - 1 : int(end) - 1] if start < end else ""


def _before(evaluation: Evaluation, _context: Context, arguments: list[Value]) -> str:
    text, mark = evaluation.string(arguments[0]), evaluation.string(arguments[1])
    return text[: max(text.find(mark), 0)]


def _after(evaluation: Evaluation, _context: Context, arguments: list[Value]) -> str:
    text, mark = evaluation.string(arguments[0]), evaluation.string(arguments[1])
    place = text.find(mark)
    return text[place + len(mark) :] if place >= 0 else ""


def normalize_space(text: str) -> str:
    """Leading and trailing white space removed, the rest one space each; only XML's four characters are white space."""
    spaced = text.replace("\t", " ").replace("\r", " ").replace("\n", " ")
    return " ".join(part for part in spaced.split(" ") if part)


def _translate(evaluation: Evaluation, _context: Context, arguments: list[Value]) -> str:
    text, old, new = (evaluation.string(argument) for argument in arguments)
    table: dict[int, str | None] = {}
    for place, character in enumerate(old):
        table.setdefault(ord(character), new[place] if place < len(new) else None)
    return text.translate(table)


def rounded(number: float) -> float:
    """The nearest whole number, halves towards positive infinity (round())."""
    return number if math.isnan(number) or math.isinf(number) else float(math.floor(number + 0.5))


def _whole(operation: Callable[[float], float]) -> Callable[[Evaluation, Context, list[Value]], Value]:
    def call(evaluation: Evaluation, _context: Context, arguments: list[Value]) -> Value:
        number = evaluation.number(arguments[0])
        return number if math.isnan(number) or math.isinf(number) else float(operation(number))

    return call


FUNCTIONS: dict[str, Function] = {
    "last": Function((0, 0), lambda e, c, a: float(c.size)),
    "position": Function((0, 0), lambda e, c, a: float(c.position)),
    "count": Function((1, 1), lambda e, c, a: float(len(e.nodes(a[0])))),
    "id": Function((1, 1), _id),
    "local-name": Function((0, 1), _local_name),
    "namespace-uri": Function((0, 1), lambda e, c, a: ""),
    "name": Function((0, 1), _name),
    "string": Function((0, 1), lambda e, c, a: e.string(_argument(e, c, a))),
    "concat": Function((2, _MANY), lambda e, c, a: "".join(e.string(one) for one in a)),
    "starts-with": Function((2, 2), lambda e, c, a: e.string(a[0]).startswith(e.string(a[1]))),
    "contains": Function((2, 2), lambda e, c, a: e.string(a[1]) in e.string(a[0])),
    "substring-before": Function((2, 2), _before),
    "substring-after": Function((2, 2), _after),
    "substring": Function((2, 3), _substring),
    "string-length": Function((0, 1), lambda e, c, a: float(len(e.string(_argument(e, c, a))))),
    "normalize-space": Function((0, 1), lambda e, c, a: normalize_space(e.string(_argument(e, c, a)))),
    "translate": Function((3, 3), _translate),
    "boolean": Function((1, 1), lambda e, c, a: e.boolean(a[0])),
    "not": Function((1, 1), lambda e, c, a: not e.boolean(a[0])),
    "true": Function((0, 0), lambda e, c, a: True),
    "false": Function((0, 0), lambda e, c, a: False),
    "lang": Function((1, 1), _lang),
    "number": Function((0, 1), lambda e, c, a: e.number(_argument(e, c, a))),
    "sum": Function((1, 1), lambda e, c, a: float(sum(e.number([node]) for node in e.nodes(a[0])))),
    "floor": Function((1, 1), _whole(math.floor)),
    "ceiling": Function((1, 1), _whole(math.ceil)),
    "round": Function((1, 1), lambda e, c, a: rounded(e.number(a[0]))),
}
