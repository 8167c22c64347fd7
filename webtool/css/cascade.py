"""The cascade: find the style rules that match an element, and decide which values win. In: rules. Out: values.

A RuleIndex keeps rules under a key, a name that the last compound of the selector asks for: "#id", else the longest
".class", else "[attribute", else the type, else "*". `nav .menu > li.item` has the key ".item", so only elements with
that class are asked. Elements with equal names (type, class, id) on themselves and all ancestors share a Lineage. Rules
that ask for names alone are matched once per lineage.

Ordinary pages use a hundredth of the budget of matchings, and no key has too many rules. Other pages are hostile, and
may want to hide text from readers by rules that nobody asks any more. So a hiding rule that is not asked counts as
matching all elements with its key, and a rule that shows counts as matching none.
Specification: CSS Cascade 5 section 6 (importance, layers, specificity, order).
Tests: tests/css/test_selectors.py
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from webtool.css.elements import (
    HEAVY,
    MAX_LINEAGES,
    Lineage,
    Names,
    PageElements,
    Positions,
    keys_of,
    marks_of,
    type_of,
    words_of,
)
from webtool.css.properties import LONGHANDS
from webtool.css.values import Values
from webtool.html.elements import ASCII_SPACE
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.typing import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.css.selectors import Selector

Layer = tuple[int, ...]  # of rules.py: a greater one wins
Weight = tuple[Layer, int]  # the layer of a rule, and its number among the rules read
# For one lineage: the rules that match all its elements; the rules that may match some, with their selectors.
Matches = tuple[list["StyleRule"], list[tuple["StyleRule", "Selector"]]]

_MAX_CACHED = 1000  # combinations of type, classes and id whose rules are remembered
_MAX_NESTED = 4  # levels of brackets that are taken out of a selector to read its names
_MAX_MATCHINGS = 500_000  # rules asked about elements, about a second of work; hostile pages alone need more
_MAX_PER_KEY = 1000  # rules under one key; pages with large themes have 200 for "a"
_FEW_PER_KEY = 40  # after _MAX_MATCHINGS, only this many rules stay under each key, the last ones
_MAX_FRUGAL = 200  # after _MAX_MATCHINGS, rules that are asked about one element, the last ones
_MAX_WEIGHT = 4 * HEAVY  # after _MAX_MATCHINGS, selectors with a greater weight are not asked
_MAX_ATTRIBUTES = 30  # attributes of one element that are looked up

_bracketed = patterns.compile(r"\([^()]*\)|\[[^]]*\]").subn
# "a.b:hover" -> "a", ".b", ":hover".
_names_and_pseudos = patterns.compile(r"[.#:]*[\w\x80-\U0010ffff-]+").findall
# Last compounds whose key is plain: "nav > a:hover" -> "a", "li.item" -> ".item".
_SIMPLE_END = patterns.compile(r"(?:[^()\[\]\\]*[\s>+~])?([a-zA-Z][\w-]*)?(\.[\w-]+)?(?::[\w:-]*)?")
# The same with escapes: "nav > .sm\\:flex:hover" -> ".sm\\:flex".
_ESCAPED_END = patterns.compile(r"(?:[^()\[\]\\]*[\s>+~])?(\.(?:[\w-]|\\[^0-9a-fA-F\n])+)(?::[a-z][\w-]*)*")


class StyleRule:
    """One selector with the values it sets. The selector is parsed when it is first needed, which most never are."""

    __slots__ = ("_text", "hides", "important", "layer", "marks", "order", "selector", "values")

    def __init__(self, text: str, values: Values, important: set[str], weight: Weight, *, hides: bool = False) -> None:
        self._text = text
        self.hides = hides  # whether the values may hide an element
        self.selector: Selector | None = None
        self.marks = _marks[text]  # Bloom filter of the names that a matching element or its ancestors must have
        self.values = values
        self.important = important  # names of the !important values
        self.layer, self.order = weight

    def parse(self, positions: Positions) -> Selector | None:
        """Return the selector, or None if it matches nothing."""
        if self.selector is None and self._text:
            from webtool.css.selector_parser import selectors_of  # only pages with style sheets need it

            selectors = selectors_of(self._text, positions)
            self.selector = selectors[0] if selectors else None
            self._text = ""
        return self.selector

    def for_all(self) -> StyleRule:
        """Return a rule with the same values for every element."""
        return StyleRule("*", self.values, self.important, (self.layer, self.order), hides=self.hides)

    @property
    def specificity(self) -> int:
        """The selector's specificity; 0 before it is parsed."""
        return self.selector.specificity if self.selector is not None else 0


class Cascade:
    """The values that some rules give together. An element that they match has others only by its style attribute.

    From weakest to strongest: rules by layer, specificity and order; the attribute; !important values of rules,
    earlier layers stronger; !important values of the attribute.
    """

    def __init__(self, matching: Sequence[StyleRule]) -> None:
        weakest_first = sorted(matching, key=lambda rule: (rule.layer, rule.specificity, rule.order))
        self._normal: Values = {}
        for rule in weakest_first:
            _override(self._normal, rule.values)
        important = [rule for rule in weakest_first if rule.important]
        important.sort(key=lambda rule: (rule.specificity, rule.order))
        important.sort(key=lambda rule: rule.layer, reverse=True)  # rules of one layer keep their order
        self.important: Values = {}  # the !important values that win
        for rule in important:
            _override(self.important, {name: rule.values[name] for name in rule.important})
        # Name -> the value to which an !important `revert-layer` goes back, None if lower layers give none.
        self._reverted: dict[str, str | None] = {}
        if "revert-layer" in self.important.values():
            self._reverted = _values_below(_limits(self.important, important, min, weakest_first), weakest_first)
        if "revert-layer" in self._normal.values():
            limits = _limits(self._normal, weakest_first, max, weakest_first)
            _put_in(self._normal, _values_below(limits, weakest_first))
        self.values = self.with_attribute({}, ())  # that win if no style attribute sets any

    def with_attribute(self, inline: Values, important: Container[str]) -> Values:
        """Return the values that win beside those of a style attribute, of which some names are !important.

        Below a style attribute are all rules, so `revert-layer` in it changes nothing.
        """
        inline = {name: value for name, value in inline.items() if value != "revert-layer"}
        values = self._normal.copy()
        _override(values, inline)
        _override(values, self.important)
        _put_in(values, self._reverted)
        if important:
            _override(values, {name: value for name, value in inline.items() if name in important})
        return values


def _limits(
    winning: Values, owners: list[StyleRule], strongest: Callable[..., Layer], rules: list[StyleRule]
) -> dict[str, Layer]:
    """Return the names whose winning value is `revert-layer`, each with the layer of the `owners` that say so.

    If `all` is one of them, every property of the `rules` that has no value is reverted too.
    """
    limits: dict[str, Layer] = {}
    for rule in owners:
        for name, value in rule.values.items():
            if value == "revert-layer" and winning.get(name) == value:
                limits[name] = strongest(rule.layer, limits.get(name, rule.layer))
    if "all" in limits:
        for name in {each for rule in rules for each in rule.values if each not in winning}:
            limits[name] = limits["all"]
    return limits


def _values_below(limits: dict[str, Layer], weakest_first: list[StyleRule]) -> dict[str, str | None]:
    """Return the value of each name in the layers below its limit, None if they give none.

    `@layer {p {display: none}} p {display: revert-layer}` -> "none".
    """
    below: dict[str, str | None] = dict.fromkeys(limits)
    for rule in reversed(weakest_first):
        of_all = rule.values.get("all", "")
        for name in [each for each in (limits if of_all else rule.values) if each in limits]:
            if rule.layer < limits[name]:
                below[name] = rule.values.get(name, of_all)
                if below[name] == "revert-layer":
                    below[name], limits[name] = None, rule.layer
                else:
                    del limits[name]
    return below


def _put_in(values: Values, lower: dict[str, str | None]) -> None:
    """Replace reverted values by lower ones, or take them out."""
    for name, value in lower.items():
        if value is None:
            values.pop(name, None)
        else:
            values[name] = value


class Cascades(dict[tuple["StyleRule", ...], Cascade]):
    """The Cascade of each combination of matching rules."""

    def __missing__(self, matching: tuple[StyleRule, ...]) -> Cascade:
        if len(self) > _MAX_CACHED:
            self.clear()
        cascade = self[matching] = Cascade(matching)
        return cascade


def _override(values: Values, stronger: Values) -> None:
    """Put stronger values in; a shorthand among them removes its longhands."""
    for name in stronger:
        for longhand in LONGHANDS.get(name, ()):
            values.pop(longhand, None)
    values.update(stronger)


class RuleIndex:
    """Style rules by key: "#id", ".class", "[attribute", a type or "*"."""

    def __init__(self, positions: Positions) -> None:
        self._positions = positions
        self.rules: dict[str, list[StyleRule]] = {}  # by key
        self._attributes: set[str] = set()  # attributes that are keys
        self._by_names: dict[Names, list[StyleRule]] = {}  # rules whose key is one of an element's names
        self._by_lineage: dict[tuple[Lineage, tuple[str, ...]], Matches] = {}
        self._budget = _MAX_MATCHINGS  # rules that may still be asked about elements, or be combined for them
        self._is_frugal = False  # whether the budget was used up

    def __bool__(self) -> bool:
        return bool(self.rules)

    def has_asked(self, names: Names) -> bool:
        """Return whether matching() knows elements with these names: it would miss a rule that is put in now."""
        return names in self._by_names

    def put(self, key: str, rule: StyleRule) -> None:
        """Add a rule. If its key has enough already, only a rule that hides counts: for all elements with the key."""
        if key[0] == "[":
            self._attributes.add(key[1:])
        rules = self.rules.setdefault(key, [])
        if len(rules) < (_FEW_PER_KEY if self._is_frugal else _MAX_PER_KEY):
            rules.append(rule)
        elif rule.hides:
            rules[-1] = rule.for_all()

    def add(self, selector: Selector, rule: StyleRule, page_names: Container[str]) -> None:
        """Add a rule under the keys of its selector, if the page has the names that the selector asks for."""
        if selector.limit_to_page(page_names):
            rule.selector = selector
            for key in selector.compounds[-1].index_keys():
                self.put(key, rule)

    def matched(self, page: PageElements) -> set[Element]:
        """Return the page's elements that at least one of the rules matches."""
        matched: set[Element] = set()
        under = page.under(self.rules)
        for key, rules in self.rules.items():
            self._budget -= len(rules) * len(under[key])
            if self._budget <= 0:
                rules = _few_of(rules)
            for rule in rules:
                selector = rule.selector or rule.parse(self._positions)
                if selector is None:
                    continue
                candidates = under[key] if key != "*" else page.candidates(selector)
                if self._can_afford(selector, len(under[key])):
                    matches = selector.matches
                    matched.update([node for node in candidates if node not in matched and matches(node)])
                elif rule.hides:
                    matched.update(candidates)
        return matched

    def matching(self, element: Element, names: Names) -> list[StyleRule]:
        """Return the rules that match the element, which has these names. Do not change the list.

        Marks and lineage rule out nine in ten of the rules under an element's keys.
        """
        if self._budget < 0 and not self._is_frugal:
            self._economise()
        rules = self._by_names.get(names)
        if rules is None:  # nine elements in ten share their names with another
            if len(self._by_names) > _MAX_CACHED:
                self._by_names.clear()
            rules = [rule for key in keys_of(element) for rule in self.rules.get(key, ())]
            if self._is_frugal and len(rules) > _MAX_FRUGAL:  # the element has many classes
                rules = sorted(rules, key=lambda rule: (rule.hides, rule.order))[-_MAX_FRUGAL:]
            self._by_names[names] = rules
        attrs = element.attrs
        attributes: tuple[str, ...] = ()
        if attrs and not self._attributes.isdisjoint(attrs):
            attributes = tuple([name for name in list(attrs)[:_MAX_ATTRIBUTES] if name in self._attributes])
        elif not rules:
            return rules
        lineage = self._positions.lineage(element, names)
        matches = self._by_lineage.get((lineage, attributes))
        if matches is None:
            for name in attributes:
                rules = rules + self.rules["[" + name]
            if len(self._by_lineage) > MAX_LINEAGES:
                self._by_lineage.clear()
            matches = self._by_lineage[lineage, attributes] = self._matches_of_lineage(rules, element, lineage.marks)
        always, sometimes = matches
        self._budget -= len(always) + len(sometimes)  # those that always match are not asked, but their values are read
        if not sometimes:
            return always
        return always + [
            rule
            for rule, selector in sometimes
            if (selector.matches(element) if self._can_afford(selector) else rule.hides)
        ]

    def _can_afford(self, selector: Selector, times: int = 1) -> bool:
        """Return whether a selector may be tried on `times` elements. The budget limits heavy selectors only."""
        if selector.weight < HEAVY:
            return True
        self._budget -= times * (selector.weight // HEAVY)
        return self._budget > 0 or selector.weight <= _MAX_WEIGHT

    def _economise(self) -> None:
        """Keep only the last rules of each key: the page asks for more matchings than any that people read."""
        self.rules = {key: _few_of(rules) for key, rules in self.rules.items()}
        self._budget = 0
        self._is_frugal = True
        self._by_names.clear()
        self._by_lineage.clear()

    def _matches_of_lineage(self, rules: list[StyleRule], element: Element, marks: int) -> Matches:
        """Return which rules match all elements of a lineage, of which `element` is one, and which may match some."""
        always: list[StyleRule] = []
        sometimes: list[tuple[StyleRule, Selector]] = []
        self._budget -= len(rules)
        for rule in rules:
            if rule.marks & ~marks:
                continue
            selector = rule.selector or rule.parse(self._positions)
            if selector is None:
                continue
            if not self._can_afford(selector):
                if rule.hides and selector.compounds[-1].has_names(element):
                    always.append(rule)
            elif selector.has_names_only:
                if selector.matches(element):
                    always.append(rule)
            elif selector.compounds[-1].has_names(element):
                sometimes.append((rule, selector))
        return always, sometimes


def _few_of(rules: list[StyleRule]) -> list[StyleRule]:
    """Return the last rules of a key, and before them one for every element if a hiding rule is left out."""
    hiding = [rule for rule in rules[:-_FEW_PER_KEY] if rule.hides]
    return [rule.for_all() for rule in hiding[-1:]] + rules[-_FEW_PER_KEY:]


def _without_brackets(selector: str) -> str:
    """Return a selector without its brackets, or "" if it has escapes or is nested too deep to be read like this."""
    if "\\" in selector:
        return ""
    depth, count = 0, 1
    while count and depth < _MAX_NESTED and ("(" in selector or "[" in selector):
        selector, count = _bracketed("", selector)
        depth += 1
    return "" if "(" in selector or "[" in selector else selector


def _required_names(selector: str) -> list[str]:
    """Return the types, ".class" and "#id" that a matching element or its ancestors must have."""
    text = _without_brackets(selector)
    after_siblings = max(text.rfind("+"), text.rfind("~")) + 1  # names before that belong to siblings
    words = _names_and_pseudos(text, after_siblings)
    names = [word if word[0] in ".#" else type_of(word) for word in words]
    return [name for name in names if name[0] != ":"]


_marks = Remembered(lambda selector: marks_of(_required_names(selector)))


def _key_of(selector: str) -> str:
    """Return the key of a selector's last compound without parsing it, or "" if only parsing can tell."""
    selector = selector.strip(ASCII_SPACE)
    match = _SIMPLE_END.fullmatch(selector)
    if match and (match[1] or match[2]):
        return match[2] or type_of(match[1])
    match = _ESCAPED_END.fullmatch(selector) if "\\" in selector else None
    if match:
        return match[1].replace("\\", "")
    text = _without_brackets(selector)
    last = words_of(text)[-1] if text and text[-1] not in ASCII_SPACE else ""
    last = last[max(last.rfind(">"), last.rfind("+"), last.rfind("~")) + 1 :].partition(":")[0]
    name, *classes = last.split(".")
    name, _, identifier = name.rpartition("|")[2].partition("#")
    if identifier or any("#" in part for part in classes):
        return "#" + identifier if identifier else ""
    return "." + max(classes, key=len) if classes else type_of(name)


KEY_OF = Remembered(_key_of)
"""The key of each selector text, equal to Compound.key() of its last compound. Half of all selectors are repeated."""
