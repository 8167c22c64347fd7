"""A page's elements: an index of them by type, class and id, their places among siblings, and their lineages.

In: elements of one page, and a key or a Selector. Out: the elements that have the key, or that the Selector may match;
places, lineages. A key is "#id", ".class", "[attribute" without its closing bracket, a type, or "*". If few rules are
of interest, looking up the elements of each rule costs less than looking up the rules of each element.

Pages repeat elements with the same type, class and id below the same ancestors. Such elements share a Lineage, so a
selector that asks for names alone is matched once for all of them.
Tests: tests/css/test_selectors.py
"""

from __future__ import annotations

from _collections import defaultdict  # type: ignore[import-not-found]  # importing the package costs 2 ms
from collections.abc import Iterable, Iterator
from itertools import chain

from webtool.css.declarations import custom_names_in, custom_properties_of
from webtool.html.elements import ASCII_SPACE, SVG_TYPES
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.memory import MAX_TEXT, Remembered
from webtool.lean.typing import Optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.css.selectors import Selector, SelectorList

Names = tuple[object, ...]  # an element's type, class attribute, id, and the name attributes with their values
Place = tuple[int, int, Optional[Element]]  # number among all siblings and among those of its type; sibling before it

HEAVY = 8  # weight of a Selector; one with as much costs as much time as two ordinary ones
MAX_LINEAGES = 5000  # lineages, and parents whose lineage is known, kept in memory; with more, all are forgotten
_MAX_DEPTH = 200  # ancestors that are searched for a known lineage; above them every name is taken for present
_MAX_HAS_STEPS = 300_000  # elements that :has() and its like may look at in one document; then they match nothing
_MARK_BITS = 509  # bits of the Bloom filter of marks_of(); a prime
# Attributes with few values, which count as names. So do data-* and aria-* attributes.
_NAME_ATTRIBUTES = frozenset(("role", "type", "hidden", "open", "disabled", "dir", "lang", "align", "class", "id"))
_words_in = patterns.compile(f"[^{ASCII_SPACE}]+").findall
_attributes_in = patterns.compile(r"\[\s*([\w-]+)").findall
_word_sets = Remembered(lambda attribute: frozenset(words_of(attribute)))
_MAX_SPACED = 4_000_000  # characters of the long attributes that are remembered
_MAX_CLASSES = 50  # class names of one element; further ones are not indexed or looked up
TARGETS = frozenset(("aria-controls", "data-target", "data-bs-target", "data-toggle-target", "data-controls"))
"""Attributes in which a control names what it opens."""
# Attributes of notable elements: they open something, or may hide an element or colour its text or background.
_NOTABLE = TARGETS.union(("style", "hidden", "aria-hidden", "popover", "bgcolor", "background", "color"))


class PageElements:
    """The elements of one page, in document order, and where to find them."""

    def __init__(self, elements: list[Element]) -> None:
        self.all = elements
        self.by_id: dict[str, list[Element]] = {}  # keys are "#id"
        self.by_classes: defaultdict[str, list[Element]] = defaultdict(list)  # keys are whole class attributes
        self.by_type: defaultdict[str, list[Element]] = defaultdict(list)
        self.notable: list[Element] = []  # elements with an attribute of _NOTABLE
        by_classes, by_type = self.by_classes, self.by_type
        for node in elements:
            by_type[node.tag].append(node)
            attrs = node.attrs
            if attrs:
                if "class" in attrs:
                    by_classes[attrs["class"]].append(node)
                    if len(attrs) == 1:
                        continue
                if "id" in attrs:
                    self.by_id.setdefault("#" + attrs["id"], []).append(node)
                if not _NOTABLE.isdisjoint(attrs):
                    self.notable.append(node)
        by_classes.default_factory = by_type.default_factory = None  # from now on looking up a name does not add it
        styled = [(node, node.attrs["style"]) for node in self.notable if "style" in node.attrs]
        self.with_display = [node for node, style in styled if "display" in style]  # style attribute sets display
        with_names = {style for _, style in styled if "--" in style or "\\" in style}
        # Names of the custom properties that style attributes set, and that they set or use.
        self.variables = {name for style in with_names for name in custom_properties_of(style)}
        self.variables_named = {name for style in with_names for name in custom_names_in(style)}
        # The class names of each class attribute, each once: "b a b" -> ["b", "a"].
        self.names_in = {classes: list(dict.fromkeys(words_of(classes))) for classes in by_classes}
        self.class_names = set(chain.from_iterable(self.names_in.values()))

    def under(self, keys: Iterable[str]) -> dict[str, list[Element]]:
        """Return the elements for each key. Do not change the lists: some are the index itself."""
        by_key: dict[str, list[Element]] = {key: self.by_id.get(key, []) for key in keys}
        if not by_key:
            return by_key
        for classes, elements in self.by_classes.items():
            for name in self.names_in[classes][:_MAX_CLASSES]:
                if "." + name in by_key:
                    by_key["." + name].extend(elements)
        for key in self.by_type.keys() & by_key.keys():
            by_key[key] = self.by_type[key]
        self._add_by_attribute(by_key)
        if "*" in by_key:
            by_key["*"] = self.all
        return by_key

    def _add_by_attribute(self, by_key: dict[str, list[Element]]) -> None:
        """Add the elements for the keys "[attribute"."""
        attributes = {key[1:] for key in by_key if key[0] == "["}
        if not attributes:
            return
        for node in self.all if attributes - _NOTABLE else self.notable:
            if not attributes.isdisjoint(node.attrs):
                for name in attributes.intersection(node.attrs):
                    by_key["[" + name].append(node)

    def candidates(self, selector: Selector) -> Iterable[Element]:
        """Return the elements that may match a selector whose last compound has no key, such as `.menu > :first-child`.

        These are the children of what the compound before it may match, or all elements below for a descendant. They
        are in no particular order, but in the same one each time.
        """
        combinator = selector.compounds[-1].combinator
        if len(selector.compounds) < 2 or combinator not in " >":
            return self.all
        keys = selector.compounds[-2].index_keys()
        if "*" in keys:
            return self.all
        inside: dict[Element, None] = {}  # a set that keeps its order
        stack = list(chain.from_iterable(self.under(keys).values()))
        while stack:
            for node in stack.pop().children:
                if type(node) is Element and node not in inside:
                    inside[node] = None
                    if combinator == " ":
                        stack.append(node)
        return inside


def words_of(attribute: str) -> list[str]:
    """Return the words of an attribute such as class; a no-break space and the like do not separate words."""
    if attribute.isprintable():  # then its only white space are spaces
        return attribute.split()
    return _words_in(attribute)


def has_words(attribute: str, words: set[str]) -> bool:
    """Return whether an attribute such as class has all words. A long one is searched, as its set would be large."""
    if len(attribute) <= MAX_TEXT:
        return words <= _word_sets[attribute]
    spaced = _spaced[attribute]
    return all(" " not in word and f" {word} " in spaced for word in words)


class _Spaced(dict[str, str]):
    """Long attributes with single spaces around each word; when there are too many, all are forgotten."""

    def __init__(self) -> None:
        super().__init__()
        self._size = 0

    def __missing__(self, attribute: str) -> str:
        if self._size > _MAX_SPACED:
            self.clear()
            self._size = 0
        self._size += len(attribute)
        spaced = self[attribute] = f" {' '.join(words_of(attribute))} "
        return spaced


_spaced = _Spaced()


def keys_of(element: Element) -> list[str]:
    """Return the keys under which rules for the element are found, without those of attributes."""
    attrs = element.attrs
    keys = [element.tag, "*"]
    if "id" in attrs:
        keys.append("#" + attrs["id"])
    keys.extend(["." + name for name in list(dict.fromkeys(words_of(attrs.get("class", ""))))[:_MAX_CLASSES]])
    return keys


def type_of(name: str) -> str:
    """Return a type as the tree spells it: "DIV" -> "div", but "foreignObject" keeps its capital."""
    return name if name in SVG_TYPES else name.lower()


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
    """Remembers what selectors ask of one page's elements: places, lineages, states, lists."""

    def __init__(self) -> None:
        self._places: dict[Element, dict[Element, Place]] = {}  # parent -> child -> its place
        self._counts: dict[Element, dict[str, int]] = {}  # parent -> type -> how many children have it; "" counts all
        self._siblings: dict[Element | None, list[Element]] = {}
        self._lineages: dict[Element | None, Lineage] = {None: Lineage(0)}
        self._lineage_count = 0
        self._marks: dict[Names, int] = {}
        self.name_attributes: set[str] = set()  # attributes that selectors ask for and that count as names
        # Elements that :has(), `:nth-child(2n of .a)` and :valid of a form may still look at.
        self.budget_of_has = _MAX_HAS_STEPS
        self._inherited: dict[tuple[str, Element], str] = {}  # attribute and element -> value, also of an ancestor
        self._is_empty: dict[Element, bool] = {}
        # Answers of form_states.py: whether a fieldset disables a control, and whether a control or form is valid.
        self.disabled: dict[Element, bool] = {}
        self.validities: dict[Element, bool | None] = {}
        self.referred: dict[str, tuple[str, str]] = {}  # reference -> selector list, limits: see refer_to()
        self._references: dict[tuple[str, str], str] = {}
        # As selector_parser.py read them: by reference, and whether it is inside of :has().
        self.lists: dict[tuple[str, bool], SelectorList] = {}

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
        outer = self._lineages.get(element.parent) or self._lineage_around(element)
        return outer.inner.get(names) or self._add(outer, names)

    def _lineage_around(self, element: Element) -> Lineage:
        """Return the lineage of the element's parent, and remember it and those of the ancestors on the way."""
        if len(self._lineages) > MAX_LINEAGES:
            # Forget which parent has which lineage. The lineages themselves stay: they are `inner` ones of the root's.
            self._lineages = {None: self._lineages[None]}
        unknown: list[Element] = []
        ancestor = element.parent
        while ancestor not in self._lineages and len(unknown) < _MAX_DEPTH:
            unknown.append(ancestor)  # type: ignore[arg-type]
            ancestor = ancestor.parent  # type: ignore[union-attr]
        every_name = -1  # marks with all bits set
        lineage = self._lineages[ancestor] if ancestor in self._lineages else Lineage(every_name)
        for node in reversed(unknown):
            names = self.names_of(node)
            lineage = self._lineages[node] = lineage.inner.get(names) or self._add(lineage, names)
        return lineage

    def _add(self, outer: Lineage, names: Names) -> Lineage:
        """Return a new lineage: that of an element with these names whose parent has the outer lineage."""
        marks = self._marks.get(names)
        if marks is None:
            tag, classes, identifier, *_ = names
            marks = marks_of([str(tag), f"#{identifier or ''}", *["." + name for name in words_of(str(classes or ""))]])
            if len(self._marks) > MAX_LINEAGES:
                self._marks.clear()
            self._marks[names] = marks
        lineage = Lineage(outer.marks | marks)
        if self._lineage_count > MAX_LINEAGES:
            # Forget the lineages themselves too. The caller goes on with `outer` and those added to it.
            self._lineages, self._lineage_count = {None: Lineage(0)}, 0
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

    def inherited(self, name: str, element: Element) -> str:
        """Return the value of an attribute on the element or its nearest ancestor that has it, "" without one."""
        passed: list[Element] = []
        node: Element | None = element
        while node is not None and name not in node.attrs and (name, node) not in self._inherited:
            passed.append(node)
            node = node.parent
        value = ""
        if node is not None:
            value = node.attrs[name].strip().lower() if name in node.attrs else self._inherited[name, node]
        self._inherited.update(((name, each), value) for each in passed)
        return value

    def is_empty(self, element: Element) -> bool:
        """Return whether an element has comments at most."""
        if element not in self._is_empty:
            self._is_empty[element] = all(child.tag is not None and child.tag[0] in "#!" for child in element.children)
        return self._is_empty[element]

    def refer_to(self, selectors: str, limits: str = "") -> str:
        r"""Return a reference: a short argument of :is() that stands for a selector list, or for a scope.

        Rules nested in a rule with a long list would repeat it. A scope has `limits`, and then `selectors` are its
        roots: it holds for the roots and what is below them, up to the limits. A reference is a NUL character with a
        number: read_rules() replaces NUL in style sheets, so they cannot contain one.
        """
        reference = self._references.setdefault((selectors, limits), f"\0{len(self.referred)}")
        self.referred[reference] = selectors, limits
        return reference

    def before(self, element: Element) -> Element | None:
        """Return the sibling element just before."""
        return self._place_of(element)[2]

    def after(self, element: Element, most: int) -> list[Element]:
        """Return the sibling elements after it, at most `most`."""
        number, _number_of_type, _before = self._place_of(element)  # counted from 1: the index of the next sibling
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
