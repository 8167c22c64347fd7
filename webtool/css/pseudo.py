"""Pseudo-classes and pseudo-elements. In: a name and its argument. Out: whether it is valid, and a class's test.

A page is judged as it is before anybody has touched it: nothing is hovered, focused or visited. form_states.py has the
states of form controls. selector_parser.py reads the arguments that are selectors, as those of :not(); here is only the
search of :has(). Specification: Selectors 4.
Tests: tests/css/test_selectors.py
"""

from __future__ import annotations

from webtool.css.elements import Positions, element_children
from webtool.css.form_states import STATES, STATES_IN_FORMS
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.typing import Callable, Optional

Test = Callable[[Element], bool]
Pseudo = Optional[tuple[Test, int]]  # the test and what it adds to the specificity; None makes the selector invalid

_CLASS = 100  # specificity of a class
_MAX_AFTER = 100  # later siblings that :has(~ x) looks at
_SIBLINGS_PER_STEP = 10  # later siblings that cost as much as one element below: they are a list already
# States that no element of an untouched page is in: their selectors are valid and match nothing.
NEVER = frozenset((
    "hover", "focus", "active", "visited", "target", "focus-visible", "focus-within", "fullscreen", "modal",
    "popover-open", "autofill", "-webkit-autofill", "user-invalid", "user-valid", "current", "past",
    "future", "picture-in-picture", "host",
    "active-view-transition", "-webkit-full-screen", "-webkit-full-screen-ancestor", "-webkit-full-page-media",
    "-webkit-drag", "xr-overlay", "interest-source", "interest-target", "target-current",
    "-internal-autofill-selected",
))  # fmt: skip
NEVER_WITH_ARGUMENT = frozenset(("host", "host-context", "state", "active-view-transition-type"))
# What may follow a pseudo-element: states, parts of scroll bars, and other pseudo-elements with "::".
_STATES = frozenset(("hover", "active", "focus", "focus-visible", "focus-within", "not"))
_SCROLL_STATES = frozenset((
    "window-inactive", "horizontal", "vertical", "decrement", "increment", "start", "end", "double-button",
    "single-button", "no-button", "corner-present", "enabled", "disabled",
))  # fmt: skip
_ANY = frozenset(("*",))
_NOTHING: frozenset[str] = frozenset()
_FOLLOWERS: dict[str, frozenset[str]] = {
    **dict.fromkeys((
        "marker", "placeholder", "backdrop", "first-line", "first-letter", "target-text", "spelling-error", "column",
        "grammar-error", "view-transition", "picker-icon", "checkmark", "search-text", "interest-button",
    ), _NOTHING),
    "before": frozenset(("::marker",)),
    "after": frozenset(("::marker",)),
    "selection": frozenset(("window-inactive",)),
    "file-selector-button": _STATES,
    "cue": _STATES,
    "scroll-marker": _STATES | {"target-current"},
    "scroll-marker-group": frozenset(("hover", "not")),
    "details-content": _ANY,
    "permission-icon": _ANY,
}  # fmt: skip
TRANSITIONS = tuple([f"view-transition-{part}" for part in ("group", "old", "new", "image-pair", "group-children")])
_FOLLOWERS_WITH_ARGUMENT: dict[str, frozenset[str]] = {
    "cue": _NOTHING,
    "highlight": _NOTHING,
    "part": _ANY,
    "picker": _ANY,
    "scroll-button": _STATES | {"enabled", "disabled"},
    "slotted": frozenset(("::before", "::after", "::marker", "::placeholder", "::file-selector-button")),
    **dict.fromkeys(TRANSITIONS, frozenset(("only-child",))),
}
_is_word = patterns.compile(r"-?[a-z_][a-z0-9_-]*").fullmatch
# "odd", "2n + 1", "-n+3", "n", "5"
_AN_PLUS_B = patterns.compile(
    r"(?i)\s*(?:(?P<word>odd|even)|(?P<step>[+-]?[0-9]*)n\s*(?:(?P<sign>[+-])\s*(?P<first>[0-9]{1,9}))?"
    r"|(?P<only>[+-]?[0-9]{1,9}))\s*"
)


def is_root(element: Element) -> bool:
    """Return whether :root matches the element."""
    return element.tag == "html"


_SIMPLE: dict[str, Test] = {
    "root": is_root,
    "scope": is_root,
    **dict.fromkeys(("link", "any-link", "-webkit-any-link"), lambda e: e.tag in ("a", "area") and "href" in e.attrs),
    "defined": lambda _: True,  # custom elements are defined once the page's scripts have run
    **STATES,
}


def followers_of(element: str, *, has_argument: bool) -> frozenset[str] | None:
    """Return what may follow a pseudo-element, as may_follow() takes it; None for an unknown pseudo-element."""
    if has_argument:
        return _FOLLOWERS_WITH_ARGUMENT.get(element)
    if element.startswith("-webkit-"):  # a browser knows them all
        return _STATES | _SCROLL_STATES if element.startswith("-webkit-scrollbar") else _STATES
    return _FOLLOWERS.get(element)


def may_follow(name: str, followers: frozenset[str], *, is_element: bool) -> bool:
    """Return whether a pseudo-class or pseudo-element may follow a pseudo-element with these followers."""
    return followers is _ANY or (f"::{name}" if is_element else name) in followers or name in ("is", "where")


def test_of(name: str, argument: str | None, positions: Positions) -> Pseudo:
    """Return the test of a pseudo-class that takes no selectors, or None if it is unknown or its argument is invalid.

    ("nth-child", "2n+1") -> true for the first, third and fifth child.
    """
    if argument is None:
        if name in STATES_IN_FORMS:
            has_state = STATES_IN_FORMS[name]
            return lambda element: has_state(element, positions), _CLASS
        if name == "empty":
            return positions.is_empty, _CLASS
        if name in _SIMPLE:
            return _SIMPLE[name], _CLASS
        if name in _SCROLL_STATES:
            return lambda _: False, _CLASS
        kind, _, scope = name.partition("-")
        if scope in ("child", "of-type") and kind in ("first", "last", "only"):
            return _at_end(kind, positions, of_type=scope == "of-type"), _CLASS
        return None
    if name in ("dir", "lang"):
        word = argument.strip().lower()
        if not _is_word(word):  # Chromium does not know lists and strings
            return None
        if name == "dir":
            return lambda e: ("rtl" if positions.inherited("dir", e) == "rtl" else "ltr") == word, _CLASS
        return lambda element: f"{positions.inherited('lang', element)}-".startswith(word + "-"), _CLASS
    return nth(name, argument, positions)


def _at_end(kind: str, positions: Positions, *, of_type: bool) -> Test:
    """Return the test of :first-child, :last-child or :only-child, or with `of_type` of :first-of-type and so on."""

    def test(element: Element) -> bool:
        if kind != "last" and positions.number(element, of_type=of_type, from_end=False) != 1:
            return False
        return kind == "first" or positions.number(element, of_type=of_type, from_end=True) == 1

    return test


def nth(name: str, argument: str, positions: Positions, matches: Test | None = None) -> Pseudo:
    """Return the test of :nth-child() and its relatives; None if the name or argument is invalid.

    An element matches if its place is `first`, or some `step`s after it: "2n + 1" has first 1 and step 2, "-n + 3" has
    first 3 and step -1. `matches` is the test of .a in `:nth-child(2n of .a)`.
    """
    match = _AN_PLUS_B.match(argument)
    if name not in ("nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type") or not match:
        return None
    if match.end() < len(argument):
        return None
    if match["word"]:
        step, first = 2, int(match["word"].lower() == "odd")
    elif match["only"]:
        step, first = 0, int(match["only"])
    else:
        digits = match["step"][:9]
        step = int(f"{digits}1") if digits in ("", "+", "-") else int(digits)  # "-n" is "-1n"
        first = int((match["sign"] or "") + (match["first"] or "0"))
    of_type, from_end = name.endswith("type"), "last" in name
    counted: dict[Element | None, dict[Element, int]] = {}  # parent -> its children that match -> place

    def number(element: Element) -> int | None:
        """Return the place of an element that matches, or None if the page's budget is used up."""
        if element.parent not in counted:
            if positions.budget_of_has < 0:
                return None
            siblings = list(element_children(element.parent)) if element.parent is not None else [element]
            positions.budget_of_has -= len(siblings)
            counted[element.parent] = {each: place for place, each in enumerate(filter(matches, siblings), 1)}
        places = counted[element.parent]
        return len(places) + 1 - places[element] if from_end else places[element]

    def test(element: Element) -> bool:
        if matches is None:
            place: int | None = positions.number(element, of_type=of_type, from_end=from_end)
        else:
            place = number(element) if matches(element) else None
        if place is None:
            return False
        distance = place - first
        if step == 0:
            return distance == 0
        return distance % step == 0 and distance // step >= 0

    return test, _CLASS


def has(combinator: str, matches: Test, positions: Positions, cost: int) -> Test:
    """Return the test of :has() for one relative selector, such as "> img": its combinator, and a test of the rest.

    ">" asks the children, "+" the next sibling, "~" all later ones, " " all descendants, until the steps are used up.
    `cost` is the number of steps that one question to the test costs.
    """

    def test(element: Element) -> bool:
        if combinator in "+~":
            later = positions.after(element, 1 if combinator == "+" else _MAX_AFTER)
            positions.budget_of_has -= cost * (1 + len(later) // _SIBLINGS_PER_STEP)
            return positions.budget_of_has >= 0 and any(map(matches, later))
        stack = [element_children(element)]  # iterators: each goes on after the child that was entered
        while stack:
            for child in stack[-1]:
                positions.budget_of_has -= cost
                if positions.budget_of_has < 0:
                    return False
                if matches(child):
                    return True
                if combinator != ">" and child.children:
                    stack.append(element_children(child))
                    break
            else:
                stack.pop()
        return False

    return test
