"""The steps of a path, prepared for evaluation. In: steps of grammar.py. Out: steps, fewer and with quick predicates.

`//name` becomes one step, ("below", test, predicates) where no predicate can tell the difference, and else
("below by parent", test, predicates), because positions count among the children of one parent.
"""

from __future__ import annotations

from webtool.xpath import quick

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.xpath.grammar import Tree

ANY_BELOW: Tree = ("descendant-or-self", ("node", ""), ())
_POSITIONAL = ("last", "position")
_NUMERIC = ("count", "sum", "floor", "ceiling", "round", "number", "string-length")


def prepared(steps: list[Tree]) -> tuple[Tree, ...]:
    """The steps as evaluate.py takes them."""
    ready: list[Tree] = []
    place = 0
    while place < len(steps):
        step = steps[place]
        following = steps[place + 1] if place + 1 < len(steps) else None
        if step == ANY_BELOW and following is not None and following[0] == "child":
            positional = any(may_be_positional(predicate) for predicate in following[2])  # type: ignore[attr-defined]
            step = ("below by parent" if positional else "below", *following[1:])
            place += 1
        predicates = tuple(quick.predicate(one) for one in step[2])  # type: ignore[attr-defined]
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
