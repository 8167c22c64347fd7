"""Pseudo-classes of selectors: a name and its argument in, a test of an element and its share of the specificity out.

A page is judged as it stands before anybody has touched it: nothing is hovered, focused or visited. Specification:
Selectors 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from webtool.html.node import Element, around
from webtool.lean import patterns
from webtool.lean.typing import Callable, Optional

Names = tuple[object, ...]  # type, class attribute and id of an element, and attributes with their values
Test = Callable[[Element], bool]
Place = tuple[int, int, Optional[Element]]  # among all siblings, among those of its type, the one before
Found = Optional[tuple[Test, int]]

_CLASS = 100  # what a class adds to the specificity
_MAX_AFTER = 100  # siblings that :has(~ x) looks at
MAX_CHAINS = 5000  # that are known
_MAX_DEEP = 200  # how far up elements are looked for
_MAX_LOOKED_AT = 300_000  # elements that :has() may look at in one document
# States that a page does not begin in. What is not in these tables makes a selector invalid.
NEVER = frozenset((
    "hover", "focus", "active", "visited", "target", "focus-visible", "focus-within", "fullscreen", "modal",
    "popover-open", "playing", "autofill", "-webkit-autofill", "placeholder-shown", "invalid", "user-invalid",
    "user-valid", "out-of-range", "indeterminate", "current", "past", "future", "seeking", "buffering",
))  # fmt: skip
_ALWAYS = frozenset(("defined", "valid", "in-range", "optional", "paused"))  # scripts define what is to be
_FIELDS = frozenset(("input", "select", "textarea", "button", "fieldset", "option"))
_FEW_VALUES = frozenset(("role", "type", "hidden", "open", "disabled", "dir", "lang", "align", "class", "id"))
_attribute = patterns.compile(r"\[\s*([\w-]+)").findall
_an_plus_b = patterns.compile(
    r"\s*(?:(odd|even)|([+-]?[0-9]*)n\s*(?:([+-])\s*([0-9]{1,9}))?|([+-]?[0-9]{1,9}))\s*"
).match


def marks_of(names: Iterable[str]) -> int:
    """A number with a bit for each name, so that "all of these are among those" is asked at once. Two names may have
    the same bit: what it says no to is so, what it says yes to has to be looked at."""
    marks = 0
    for name in names:
        marks |= 1 << hash(name) % 509
    return marks


class Chain:
    """The names of an element and of all above it, in order: elements of the same chain share it, and what selectors
    of names alone say of one of them they say of all."""

    __slots__ = ("inner", "marks")

    def __init__(self, marks: int) -> None:
        self.marks = marks
        """Of the types, ".class" and "#id" together."""
        self.inner: dict[Names, Chain] = {}


class Places:
    """Where elements stand among their siblings and in what; each parent's children are counted once."""

    def __init__(self) -> None:
        self._known: dict[Element, dict[Element, Place]] = {}
        self._counts: dict[Element, dict[str, int]] = {}
        self._siblings: dict[Element | None, list[Element]] = {}
        self._chains: dict[Element | None, Chain] = {None: Chain(0)}
        self._count = 0
        self._marks: dict[Names, int] = {}
        self.attributes: set[str] = set()
        """Attributes that count as names, as they take few values."""
        self.others: set[str] = set()
        """Other attributes that selectors ask for."""
        self.left = _MAX_LOOKED_AT

    def note_attributes(self, selectors: list[str]) -> None:
        """Take note of the attributes that selectors ask for, before any element is asked about."""
        for selector in selectors:
            for name in _attribute(selector):
                name = name.lower()
                is_name = name.startswith(("data-", "aria-")) or name in _FEW_VALUES
                (self.attributes if is_name else self.others).add(name)

    def names_of(self, element: Element) -> Names:
        """The element's type, class attribute, id, and attributes that count as names."""
        attrs = element.attrs
        if not attrs:
            return element.tag, None, None
        names = element.tag, attrs.get("class"), attrs.get("id")
        if self.attributes.isdisjoint(attrs):
            return names
        return *names, *[item for item in attrs.items() if item[0] in self.attributes]

    def chain(self, element: Element, names: Names) -> Chain:
        """The element's chain, by its `names`."""
        outer = self._chains.get(element.parent)
        if outer is None:
            outer = self._chain_around(element)
        return outer.inner.get(names) or self._add(outer, names)

    def _chain_around(self, element: Element) -> Chain:
        """The chain of an element's parent, which is remembered, as are those above it."""
        if len(self._chains) > MAX_CHAINS:
            self._chains = {None: self._chains[None]}
        new: list[Element] = []
        at = element.parent
        while at not in self._chains and len(new) < _MAX_DEEP:
            new.append(at)  # type: ignore[arg-type]
            at = at.parent  # type: ignore[union-attr]
        chain = self._chains[at] if at in self._chains else Chain(-1)  # it may have all names
        for one in reversed(new):
            names = self.names_of(one)
            chain = self._chains[one] = chain.inner.get(names) or self._add(chain, names)
        return chain

    def _add(self, outer: Chain, names: Names) -> Chain:
        marks = self._marks.get(names)
        if marks is None:
            tag, classes, identifier, *_ = map(str, names)
            marks = marks_of([tag, "#" + identifier, *["." + name for name in classes.split()]])
            if len(self._marks) > MAX_CHAINS:
                self._marks.clear()
            self._marks[names] = marks
        chain = Chain(outer.marks | marks)
        if self._count > MAX_CHAINS:
            self._chains, self._count = {None: Chain(0)}, 0
            outer.inner.clear()
        self._count += 1
        outer.inner[names] = chain
        return chain

    def _of(self, element: Element) -> Place:
        parent = element.parent
        if parent is None:
            return 1, 1, None
        if parent not in self._known:
            known = self._known[parent] = {}
            counts = self._counts[parent] = {"": 0}
            last: Element | None = None
            siblings = self._siblings[parent] = list(_children(parent))
            for child in siblings:
                counts[""] += 1
                counts[child.tag] = counts.get(child.tag, 0) + 1
                known[child] = counts[""], counts[child.tag], last
                last = child
        return self._known[parent].get(element, (1, 1, None))

    def before(self, element: Element) -> Element | None:
        """The element before it."""
        return self._of(element)[2]

    def after(self, element: Element, most: int) -> list[Element]:
        """The elements after it, at most that many."""
        place = self._of(element)[0]
        return self._siblings[element.parent][place : place + most] if element.parent in self._siblings else []

    def number(self, element: Element, *, of_type: bool, from_end: bool) -> int:
        """Its place among its siblings, from 1."""
        among_all, among_type, _ = self._of(element)
        place = among_type if of_type else among_all
        if not from_end:
            return place
        counts = self._counts.get(element.parent, {}) if element.parent is not None else {}
        return counts.get(element.tag if of_type else "", 1) - place + 1


def _children(parent: Element) -> Iterator[Element]:
    for child in parent.children:
        if child.tag is not None and child.tag[0] not in "#!":
            yield child  # type: ignore[misc]


def test_of(name: str, argument: str | None, places: Places) -> Found:
    """The test of a pseudo-class that takes no selectors; None where the selector is invalid."""
    if argument is None:
        if name in _ALWAYS:
            return lambda _: True, _CLASS
        if name in _SIMPLE:
            return _SIMPLE[name], _CLASS
        kind, _, of = name.partition("-")
        if of in ("child", "of-type") and kind in ("first", "last", "only"):
            return _ends(kind, places, of_type=of == "of-type"), _CLASS
        return None
    if name == "dir":
        direction = argument.strip().lower()
        return lambda element: _nearest(element, "dir", "ltr") == direction, _CLASS
    if name == "lang":
        starts = tuple([word.strip(" \"'").lower() + "-" for word in argument.split(",")])
        return lambda element: f"{_nearest(element, 'lang', '')}-".startswith(starts), _CLASS
    return _nth(name, argument, places)


def _ends(kind: str, places: Places, *, of_type: bool) -> Test:
    def test(element: Element) -> bool:
        first = kind == "last" or places.number(element, of_type=of_type, from_end=False) == 1
        return first and (kind == "first" or places.number(element, of_type=of_type, from_end=True) == 1)

    return test


def _nth(name: str, argument: str, places: Places) -> Found:
    match = _an_plus_b(argument)
    if name not in ("nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type") or not match:
        return None
    if match.end() < len(argument):  # "2n of .a" is counted by few pages
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
        beyond = places.number(element, of_type=of_type, from_end=from_end) - first
        return beyond == 0 if step == 0 else beyond % step == 0 and beyond // step >= 0

    return test, _CLASS


def _nearest(element: Element, name: str, default: str) -> str:
    """What the attribute says that the element or the nearest one around it has."""
    boxes = (element, *around(element, _MAX_DEEP))
    return next((box.attrs[name].strip().lower() for box in boxes if name in box.attrs), default)


_SIMPLE: dict[str, Test] = {
    **dict.fromkeys(("root", "scope"), lambda e: e.tag == "html"),
    "empty": lambda e: not any(child.tag is None or child.tag[0] not in "#!" for child in e.children),
    **dict.fromkeys(("link", "any-link"), lambda e: e.tag in ("a", "area") and "href" in e.attrs),
    "checked": lambda e: "checked" in e.attrs or "selected" in e.attrs,
    "disabled": lambda e: e.tag in _FIELDS and "disabled" in e.attrs,
    "enabled": lambda e: e.tag in _FIELDS and "disabled" not in e.attrs,
    "required": lambda e: e.tag in _FIELDS and "required" in e.attrs,
    "read-only": lambda e: e.tag not in _FIELDS or "readonly" in e.attrs,
    "read-write": lambda e: e.tag in _FIELDS and "readonly" not in e.attrs,
    "open": lambda e: "open" in e.attrs,
}


def has(joined: str, matches: Test, places: Places) -> Test:
    """The test of :has() for one selector: `joined` is the combinator that it begins with."""

    def test(element: Element) -> bool:
        if joined in "+~":
            return any(map(matches, places.after(element, 1 if joined == "+" else _MAX_AFTER)))
        stack = [_children(element)]
        while stack:
            for child in stack[-1]:
                places.left -= 1
                if places.left < 0:
                    return False
                if matches(child):
                    return True
                if joined != ">" and child.children:
                    stack.append(_children(child))
                    break
            else:
                stack.pop()
        return False

    return test
