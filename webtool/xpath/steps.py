"""The steps of a path, prepared for evaluation. In: steps of grammar.py. Out: steps, fewer and with quick predicates.

`//name` becomes one step, ("below", test, predicates) where no predicate can tell the difference, and else
("below by parent", test, predicates), because positions count among the children of one parent. Nearly all predicates
of site rules are about an element's own name and attributes, [contains(@class, 'post')]: ("quick", function, tree).
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.lean.typing import Any
from webtool.xpath.functions import normalize_space

Tree = tuple[Any, ...]
Test = Callable[[Any], bool]
Read = Callable[[Any], str]

ANY_BELOW: Tree = ("descendant-or-self", ("node", ""), ())
_POSITIONAL = ("last", "position")
_LONGEST = 4096  # characters of an attribute; longer ones take the way that is counted
_NUMERIC = ("count", "sum", "floor", "ceiling", "round", "number", "string-length")


def prepared(steps: list[Tree]) -> tuple[Tree, ...]:
    """The steps as evaluate.py takes them."""
    ready: list[Tree] = []
    place = 0
    while place < len(steps):
        step = steps[place]
        following = steps[place + 1] if place + 1 < len(steps) else None
        if step == ANY_BELOW and following is not None and following[0] == "child":
            positional = any(may_be_positional(one) for one in following[2])
            step = ("below by parent" if positional else "below", *following[1:])
            place += 1
        predicates = tuple(predicate(one) for one in step[2])
        ready.append((step[0], step[1], predicates))
        place += 1
    return tuple(ready)


def may_be_positional(tree: object) -> bool:
    """Whether a predicate could be a number or ask for a position; those that certainly do not are the usual ones."""
    if not isinstance(tree, tuple) or not tree:
        return False
    if tree[0] in ("number", "+", "-", "*", "div", "mod"):
        return True
    if tree[0] == "call":
        return tree[1] in _NUMERIC or tree[1] in _POSITIONAL or any(_asks_for_position(one) for one in tree[2])
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


class TooLong(Exception):
    """An attribute is so long that reading it must be counted."""


def predicate(tree: Tree) -> Tree:
    """The predicate with its function, if it has one."""
    function = _test(tree)
    return tree if function is None else ("quick", function, tree)


def _test(tree: Any) -> Test | None:
    """A function for what gives a boolean."""
    kind = tree[0]
    if kind in ("and", "or"):
        left, right = _test(tree[1]), _test(tree[2])
        if left is None or right is None:
            return None
        if kind == "and":
            return lambda node: left(node) and right(node)
        return lambda node: left(node) or right(node)
    if kind in ("=", "!="):
        return _equality(kind, tree[1], tree[2])
    if kind == "call":
        return _call(tree[1], tree[2])
    return _own(tree)


def _own(tree: Any) -> Test | None:
    """@name and self::name."""
    name = _attribute(tree)
    if name:
        return lambda node: name in node.attrs
    step = _only_step(tree)
    if step is None or step[0] != "self" or step[1][0] != "name" or step[1][1] == "*":
        return None
    tag = step[1][1]
    return lambda node: node.tag == tag


def _equality(operator: str, left: Any, right: Any) -> Test | None:
    """@name = 'text', either way round."""
    if left[0] == "literal":
        left, right = right, left
    name = _attribute(left)
    if not name or right[0] != "literal":
        return None
    text = right[1]
    if operator == "=":
        return lambda node: node.attrs.get(name) == text
    return lambda node: node.attrs.get(name, text) != text


def _call(name: str, arguments: tuple[Any, ...]) -> Test | None:
    if name == "not":
        inner = _test(arguments[0])
        return None if inner is None else lambda node: not inner(node)
    if name not in ("contains", "starts-with"):
        return None
    read, part = _text(arguments[0]), _text(arguments[1])
    if read is None or part is None:
        return None
    if name == "contains":
        return lambda node: part(node) in read(node)
    return lambda node: read(node).startswith(part(node))


def _text(tree: Any) -> Read | None:
    """A function for what gives a string."""
    if tree[0] == "literal":
        return lambda _node: str(tree[1])
    name = _attribute(tree)
    if name:
        return lambda node: _short(node.attrs.get(name, ""))
    if tree[0] != "call" or tree[1] not in ("concat", "normalize-space") or not tree[2]:
        return None
    parts = [_text(argument) for argument in tree[2]]
    if None in parts:
        return None
    if tree[1] == "concat":
        return lambda node: "".join([part(node) for part in parts])  # type: ignore[misc]
    return lambda node: normalize_space(parts[0](node))  # type: ignore[misc]


def _short(text: str) -> str:
    if len(text) > _LONGEST:
        raise TooLong
    return text


def _attribute(tree: Any) -> str:
    """The name in a path that is @name and no more, else ""."""
    step = _only_step(tree)
    if step is None or step[0] != "attribute" or step[1][0] != "name" or step[1][1] == "*":
        return ""
    return str(step[1][1])


def _only_step(tree: Any) -> Any:
    """The step of a relative path of one step without predicates."""
    if tree[0] != "path" or tree[1] is not None or len(tree[2]) != 1 or tree[2][0][2]:
        return None
    return tree[2][0]
