"""Where elements are among their siblings and below which ancestors. In: elements of one page. Out: places, lineages.

Pages repeat elements with the same type, class and id below the same ancestors. Such elements share a Lineage, so a
selector that asks for names alone is matched once for all of them.
Tests: tests/css/test_selectors.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.typing import Optional

Names = tuple[object, ...]  # an element's type, class attribute, id, and the name attributes with their values
Place = tuple[int, int, Optional[Element]]  # number among all siblings and among those of its type; sibling before it

MAX_LINEAGES = 5000  # lineages kept in memory; with more, all are forgotten
_MAX_DEPTH = 200  # ancestors that are searched for a known lineage; above them every name is taken for present
_MAX_HAS_STEPS = 300_000  # elements that :has() may look at in one document; then it matches nothing
_MARK_BITS = 509  # bits of a mark, a prime
# Attributes with few values, which count as names. So do data-* and aria-* attributes.
_NAME_ATTRIBUTES = frozenset(("role", "type", "hidden", "open", "disabled", "dir", "lang", "align", "class", "id"))
_attributes_in = patterns.compile(r"\[\s*([\w-]+)").findall


def marks_of(names: Iterable[str]) -> int:
    """Return a Bloom filter: a number with one bit set for each name.

    If a bit is missing in the marks of an element and its ancestors, none of them has the name. If no bit is missing
    they may have it, because two names can share a bit.
    """
    marks = 0
    for name in names:
        marks |= 1 << hash(name) % _MARK_BITS
    return marks


class Lineage:
    """The names of an element and of all its ancestors, in order. Elements with equal names share it."""

    __slots__ = ("inner", "marks")

    def __init__(self, marks: int) -> None:
        self.marks = marks  # Bloom filter of all types, ".class" and "#id" in it
        self.inner: dict[Names, Lineage] = {}  # lineages of the children


class Positions:
    """The places and lineages of one page's elements. Each parent's children are counted once."""

    def __init__(self) -> None:
        self._places: dict[Element, dict[Element, Place]] = {}  # parent -> child -> its place
        self._counts: dict[Element, dict[str, int]] = {}  # parent -> type -> how many children have it; "" counts all
        self._siblings: dict[Element | None, list[Element]] = {}
        self._lineages: dict[Element | None, Lineage] = {None: Lineage(0)}
        self._lineage_count = 0
        self._marks: dict[Names, int] = {}
        self.name_attributes: set[str] = set()  # attributes that selectors ask for and that count as names
        self.has_steps = _MAX_HAS_STEPS  # elements that :has() may still look at

    def note_attributes(self, selectors: list[str]) -> None:
        """Note the name attributes that selectors ask for. Call it before asking about any element."""
        for selector in selectors:
            for name in _attributes_in(selector):
                name = name.lower()
                if name.startswith(("data-", "aria-")) or name in _NAME_ATTRIBUTES:
                    self.name_attributes.add(name)

    def names_of(self, element: Element) -> Names:
        """Return the element's type, class attribute, id, and name attributes with their values."""
        attrs = element.attrs
        if not attrs:
            return element.tag, None, None
        names = element.tag, attrs.get("class"), attrs.get("id")
        if self.name_attributes.isdisjoint(attrs):
            return names
        return *names, *[item for item in attrs.items() if item[0] in self.name_attributes]

    def lineage(self, element: Element, names: Names) -> Lineage:
        """Return the lineage of an element that has these names."""
        outer = self._lineages.get(element.parent)
        if outer is None:
            outer = self._lineage_around(element)
        return outer.inner.get(names) or self._add(outer, names)

    def _lineage_around(self, element: Element) -> Lineage:
        """Return the lineage of the element's parent, and remember it and those of the ancestors on the way."""
        if len(self._lineages) > MAX_LINEAGES:
            self._lineages = {None: self._lineages[None]}
        unknown: list[Element] = []
        ancestor = element.parent
        while ancestor not in self._lineages and len(unknown) < _MAX_DEPTH:
            unknown.append(ancestor)  # type: ignore[arg-type]
            ancestor = ancestor.parent  # type: ignore[union-attr]
        every_name = -1
        lineage = self._lineages[ancestor] if ancestor in self._lineages else Lineage(every_name)
        for node in reversed(unknown):
            names = self.names_of(node)
            lineage = self._lineages[node] = lineage.inner.get(names) or self._add(lineage, names)
        return lineage

    def _add(self, outer: Lineage, names: Names) -> Lineage:
        """Return a new lineage: that of an element with these names whose parent has the outer lineage."""
        marks = self._marks.get(names)
        if marks is None:
            tag, classes, identifier, *_ = map(str, names)
            marks = marks_of([tag, "#" + identifier, *["." + name for name in classes.split()]])
            if len(self._marks) > MAX_LINEAGES:
                self._marks.clear()
            self._marks[names] = marks
        lineage = Lineage(outer.marks | marks)
        if self._lineage_count > MAX_LINEAGES:
            self._lineages, self._lineage_count = {None: Lineage(0)}, 0
            outer.inner.clear()
        self._lineage_count += 1
        outer.inner[names] = lineage
        return lineage

    def _place_of(self, element: Element) -> Place:
        parent = element.parent
        if parent is None:
            return 1, 1, None
        if parent not in self._places:
            places = self._places[parent] = {}
            counts = self._counts[parent] = {"": 0}
            before: Element | None = None
            siblings = self._siblings[parent] = list(element_children(parent))
            for child in siblings:
                counts[""] += 1
                counts[child.tag] = counts.get(child.tag, 0) + 1
                places[child] = counts[""], counts[child.tag], before
                before = child
        return self._places[parent].get(element, (1, 1, None))

    def before(self, element: Element) -> Element | None:
        """Return the sibling element just before."""
        return self._place_of(element)[2]

    def after(self, element: Element, most: int) -> list[Element]:
        """Return the sibling elements after it, at most `most`."""
        number = self._place_of(element)[0]
        return self._siblings[element.parent][number : number + most] if element.parent in self._siblings else []

    def number(self, element: Element, *, of_type: bool, from_end: bool) -> int:
        """Return its place among its siblings, or among those of its type, counted from 1."""
        among_all, among_type, _ = self._place_of(element)
        place = among_type if of_type else among_all
        if not from_end:
            return place
        counts = self._counts.get(element.parent, {}) if element.parent is not None else {}
        return counts.get(element.tag if of_type else "", 1) - place + 1


def element_children(parent: Element) -> Iterator[Element]:
    """Yield the children that are elements."""
    for child in parent.children:
        if child.tag is not None and child.tag[0] not in "#!":
            yield child  # type: ignore[misc]
