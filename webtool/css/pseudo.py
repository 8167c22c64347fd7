"""Pseudo-classes of selectors. In: a name and its argument. Out: a test of an element, and its specificity.

A page is judged as it is before anybody has touched it: nothing is hovered, focused or visited. Pseudo-classes that
take selectors are in selectors.py, except for the search of :has(). Specification: Selectors 4.
Tests: tests/css/test_selectors.py
"""

from __future__ import annotations

from webtool.css.elements import Positions, element_children
from webtool.html.node import Element, around
from webtool.lean import patterns
from webtool.lean.typing import Callable, Optional

Test = Callable[[Element], bool]
Pseudo = Optional[tuple[Test, int]]  # the test and what it adds to the specificity; None makes the selector invalid

_CLASS = 100  # specificity of a class
_MAX_AFTER = 100  # later siblings that :has(~ x) looks at
_MAX_AROUND = 200  # ancestors that are searched for a dir or lang attribute
# States that a page does not begin in: their selectors are valid and match nothing.
NEVER = frozenset((
    "hover", "focus", "active", "visited", "target", "focus-visible", "focus-within", "fullscreen", "modal",
    "popover-open", "playing", "autofill", "-webkit-autofill", "placeholder-shown", "invalid", "user-invalid",
    "user-valid", "out-of-range", "indeterminate", "current", "past", "future", "seeking", "buffering",
    "stalled", "muted", "volume-locked", "picture-in-picture", "default", "host", "active-view-transition",
    "-webkit-full-screen",
))  # fmt: skip
NEVER_WITH_ARGUMENT = frozenset(("host", "host-context", "state", "active-view-transition-type"))
_ALWAYS = frozenset(("defined", "valid", "in-range", "optional", "paused"))  # true once the page's scripts have run
_FIELDS = frozenset(("input", "select", "textarea", "button", "fieldset", "option"))
_an_plus_b = patterns.compile(
    r"\s*(?:(odd|even)|([+-]?[0-9]*)n\s*(?:([+-])\s*([0-9]{1,9}))?|([+-]?[0-9]{1,9}))\s*"
).match
_SIMPLE: dict[str, Test] = {
    **dict.fromkeys(("root", "scope"), lambda e: e.tag == "html"),
    "empty": lambda e: not any(child.tag is None or child.tag[0] not in "#!" for child in e.children),
    **dict.fromkeys(("link", "any-link", "-webkit-any-link"), lambda e: e.tag in ("a", "area") and "href" in e.attrs),
    "checked": lambda e: "checked" in e.attrs or "selected" in e.attrs,
    "disabled": lambda e: e.tag in _FIELDS and "disabled" in e.attrs,
    "enabled": lambda e: e.tag in _FIELDS and "disabled" not in e.attrs,
    "required": lambda e: e.tag in _FIELDS and "required" in e.attrs,
    "read-only": lambda e: e.tag not in _FIELDS or "readonly" in e.attrs,
    "read-write": lambda e: e.tag in _FIELDS and "readonly" not in e.attrs,
    "open": lambda e: "open" in e.attrs,
}


def test_of(name: str, argument: str | None, positions: Positions) -> Pseudo:
    """Return the test of a pseudo-class that takes no selectors, or None if it is unknown or its argument is invalid.

    ("nth-child", "2n+1") -> true for the first, third and fifth child.
    """
    if argument is None:
        if name in _ALWAYS:
            return lambda _: True, _CLASS
        if name in _SIMPLE:
            return _SIMPLE[name], _CLASS
        kind, _, scope = name.partition("-")
        if scope in ("child", "of-type") and kind in ("first", "last", "only"):
            return _at_end(kind, positions, of_type=scope == "of-type"), _CLASS
        return None
    if name == "dir":
        direction = argument.strip().lower()
        return lambda element: _inherited(element, "dir", "ltr") == direction, _CLASS
    if name == "lang":
        starts = tuple([word.strip(" \"'").lower() + "-" for word in argument.split(",")])
        return lambda element: f"{_inherited(element, 'lang', '')}-".startswith(starts), _CLASS
    return _nth(name, argument, positions)


def _at_end(kind: str, positions: Positions, *, of_type: bool) -> Test:
    """Return the test of :first-child, :last-child or :only-child, or with `of_type` of :first-of-type and so on."""

    def test(element: Element) -> bool:
        is_first = kind == "last" or positions.number(element, of_type=of_type, from_end=False) == 1
        return is_first and (kind == "first" or positions.number(element, of_type=of_type, from_end=True) == 1)

    return test


def _nth(name: str, argument: str, positions: Positions) -> Pseudo:
    """Return the test of :nth-child() and its relatives. "2n of .a" is not supported: few pages use it."""
    match = _an_plus_b(argument)
    if name not in ("nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type") or not match:
        return None
    if match.end() < len(argument):
        return None
    if match[1]:
        step, first = 2, int(match[1] == "odd")
    elif match[5]:
        step, first = 0, int(match[5])
    else:
        step = int(match[2][:9] + "1" if match[2] in ("", "+", "-") else match[2][:9])
        first = int((match[3] or "") + (match[4] or "0"))
    of_type, from_end = name.endswith("type"), "last" in name

    def test(element: Element) -> bool:
        distance = positions.number(element, of_type=of_type, from_end=from_end) - first
        if step == 0:
            return distance == 0
        return distance % step == 0 and distance // step >= 0

    return test, _CLASS


def _inherited(element: Element, name: str, default: str) -> str:
    """Return the value of an attribute on the element or its nearest ancestor that has it, in lower case."""
    boxes = (element, *around(element, _MAX_AROUND))
    return next((box.attrs[name].strip().lower() for box in boxes if name in box.attrs), default)


def has(combinator: str, matches: Test, positions: Positions) -> Test:
    """Return the test of :has() for one relative selector, such as "> img": its combinator, and a test of the rest."""

    def test(element: Element) -> bool:
        if combinator in "+~":
            return any(map(matches, positions.after(element, 1 if combinator == "+" else _MAX_AFTER)))
        stack = [element_children(element)]
        while stack:
            for child in stack[-1]:
                positions.has_steps -= 1
                if positions.has_steps < 0:
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
