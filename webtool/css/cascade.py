"""Style rules of one element: what they are found under, and which of their values win.

Specification: CSS Cascade 5 (layers, importance, specificity, order).
"""

from __future__ import annotations

from collections.abc import Container

from webtool.css.boxes import Values
from webtool.css.properties import LONGHANDS
from webtool.css.pseudo import MAX_CHAINS, Chain, Names, Places, marks_of
from webtool.css.selectors import Selector, selectors_of
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.memory import Remembered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.css.sheets import Named

# The rules that match all elements of a chain, and those that may match some.
Matching = tuple[list["StyleRule"], list[tuple["StyleRule", Selector]]]

_MAX_FOUND = 1000  # combinations of type, classes and id whose rules are remembered
_MAX_DEPTH = 4  # brackets in brackets
_MAX_PER_KEY = 400  # rules that share their most telling selector: a page with its theme's sheets has 200 for a
_FEW_PER_KEY = 40  # of them, the last ones, once a page has asked too often
_NO_END = 1 << 60
_MAX_TRIES = 500_000  # of rules at elements until then: a second


class StyleRule:
    """One selector with the values it sets."""

    __slots__ = ("_text", "important", "layer", "marks", "order", "selector", "values")

    def __init__(self, text: str, values: Values, important: set[str], weight: tuple[int, int]) -> None:
        self._text = text
        self.selector: Selector | None = None
        self.marks = _marks[text]
        """Those of the names that an element that matches, or what is above it, has."""
        self.values = values
        self.important = important
        self.layer, self.order = weight

    def read(self, places: Places) -> Selector | None:
        """Its selector, which is read when it is first asked for: most are not; None where it matches nothing."""
        if self.selector is None and self._text:
            found = selectors_of(self._text, places)
            self.selector = found[0] if found else None
            self._text = ""
        return self.selector

    @property
    def specificity(self) -> int:
        """That of its selector, which matches."""
        return self.selector.specificity if self.selector is not None else 0


def cascaded(matching: list[StyleRule], own: Values, important: Container[str]) -> Values:
    """The values that win: those of rules by layer, specificity and order, then the attribute's, then important ones,
    whose layers count the other way round."""
    values: Values = {}
    for rule in sorted(matching, key=lambda rule: (rule.layer, rule.specificity, rule.order)):
        _update(values, rule.values)
    _update(values, own)
    stronger = [rule for rule in matching if rule.important]
    for rule in sorted(stronger, key=lambda rule: (-rule.layer, rule.specificity, rule.order)):
        _update(values, {name: rule.values[name] for name in rule.important})
    if important:
        _update(values, {name: value for name, value in own.items() if name in important})
    return values


def _update(values: Values, stronger: Values) -> None:
    """Put in values that win; a shorthand among them sets all that it stands for."""
    for name in stronger:
        for part in LONGHANDS.get(name, ()):
            values.pop(part, None)
    values.update(stronger)


class Index:
    """Rules by the most telling part of what they ask of an element itself: "#id", ".class", "[attribute" or a type."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self.rules: dict[str, list[StyleRule]] = {}
        """By what they are found under."""
        self._found: dict[Names, list[StyleRule]] = {}
        self._attributes: set[str] = set()  # that rules are found under
        self._known: dict[tuple[Chain, tuple[str, ...]], Matching] = {}
        self._left = _MAX_TRIES

    def __bool__(self) -> bool:
        return bool(self.rules)

    def has_found(self, names: Names) -> bool:
        """Whether it was asked for rules of elements with these names: no more are to be put in for them."""
        return names in self._found

    def put(self, key: str, rule: StyleRule) -> None:
        """Add a rule to those that are found under a key; their number is bounded, see _economise()."""
        if key[0] == "[":
            self._attributes.add(key[1:])
        rules = self.rules.setdefault(key, [])
        if len(rules) < _MAX_PER_KEY:
            rules.append(rule)
        else:
            rules[-1] = rule  # the last one wins over those before it, mostly

    def matched(self, named: Named) -> set[Element]:
        """The elements of a page that its rules match. To ask each rule for its elements takes less than to ask each
        element for its rules where they are few."""
        matched: set[Element] = set()
        under = named.under(self.rules)
        for key, rules in self.rules.items():
            self._left -= len(rules) * len(under[key])
            for rule in rules if self._left > 0 else rules[-_FEW_PER_KEY:]:
                selector = rule.selector or rule.read(self._places)
                if selector is not None:
                    matches = selector.matches
                    candidates = under[key] if key != "*" else named.inside(selector)
                    matched.update([one for one in candidates if one not in matched and matches(one)])
        return matched

    def matching(self, element: Element, names: Names) -> list[StyleRule]:
        """The rules that match the element, by its names; the list is not to be changed.

        Those that ask for names alone are tried once for all of the chain, and none of which a name is lacking: of a
        hundred rules ten are left to be tried for each element.
        """
        if self._left < 0:
            self._economise()
        rules = self._found.get(names)
        if rules is None:
            rules = self._find(element, names)
        attrs = element.attrs
        attributes: tuple[str, ...] = ()
        if attrs and not self._attributes.isdisjoint(attrs):
            attributes = tuple([name for name in list(attrs)[:30] if name in self._attributes])
        elif not rules:
            return rules
        chain = self._places.chain(element, names)
        known = self._known.get((chain, attributes))
        if known is None:
            for name in attributes:
                rules = rules + self.rules["[" + name]
            if len(self._known) > MAX_CHAINS:
                self._known.clear()
            known = self._known[chain, attributes] = self._among(rules, element, chain.marks)
        sure, rest = known
        if not rest:
            return sure
        self._left -= len(rest)
        return sure + [rule for rule, selector in rest if selector.matches(element)]

    def _find(self, element: Element, names: Names) -> list[StyleRule]:
        """The rules that are found under an element's names, as nine elements in ten have those of another."""
        keys = keys_of(element)
        if len(self._found) > _MAX_FOUND:
            self._found.clear()
        found = self._found[names] = [rule for key in keys for rule in self.rules.get(key, ())]
        return found

    def _economise(self) -> None:
        """Go on with the last rules of each key: what asks so often is no page that people read."""
        self.rules = {key: rules[-_FEW_PER_KEY:] for key, rules in self.rules.items()}
        self._left = _NO_END
        self._found.clear()
        self._known.clear()

    def _among(self, rules: list[StyleRule], element: Element, marks: int) -> Matching:
        """The rules that match all elements of a chain with these marks, and those that may match some."""
        sure: list[StyleRule] = []
        rest: list[tuple[StyleRule, Selector]] = []
        self._left -= len(rules)
        for rule in rules:
            if rule.marks & ~marks:
                continue
            selector = rule.selector or rule.read(self._places)
            if selector is None:
                continue
            if selector.is_of_names:
                if selector.matches(element):
                    sure.append(rule)
            elif selector.compounds[-1].has_names(element):
                rest.append((rule, selector))
        return sure, rest


_bracketed = patterns.compile(r"\([^()]*\)|\[[^]]*\]").subn
_each_name = patterns.compile(r"[.#:]*[\w\x80-\U0010ffff-]+").findall


def _without_brackets(selector: str) -> str:
    """A selector without what stands in brackets, "" where there is more to understand."""
    if "\\" in selector:
        return ""
    depth, found = 0, 1
    while found and depth < _MAX_DEPTH and ("(" in selector or "[" in selector):
        selector, found = _bracketed("", selector)
        depth += 1
    return "" if "(" in selector or "[" in selector else selector


def _names_in(selector: str) -> list[str]:
    """The types, ".class" and "#id" that an element that matches, or what is above it, has."""
    text = _without_brackets(selector)
    behind = max(text.rfind("+"), text.rfind("~")) + 1  # before it is what siblings have
    found = [name if name[0] in ".#" else name.lower() for name in _each_name(text, behind)]
    return [name for name in found if name[0] != ":"]


_marks = Remembered(lambda selector: marks_of(_names_in(selector)))


_simple_end = patterns.compile(r"(?:[^()\[\]\\]*[\s>+~])?([a-zA-Z][\w-]*)?(\.[\w-]+)?(?::[\w:-]*)?").fullmatch


_escaped_end = patterns.compile(r"(?:[^()\[\]\\]*[\s>+~])?(\.(?:[\w-]|\\[^0-9a-fA-F\n])+)(?::[a-z][\w-]*)*").fullmatch


def _key_in(selector: str) -> str:
    selector = selector.strip()
    match = _simple_end(selector)
    if match and (match[1] or match[2]):
        return match[2] or match[1].lower()
    match = _escaped_end(selector) if "\\" in selector else None
    if match:
        return match[1].replace("\\", "")
    text = _without_brackets(selector)
    last = text.split()[-1] if text and not text[-1].isspace() else ""
    last = last[max(last.rfind(">"), last.rfind("+"), last.rfind("~")) + 1 :].partition(":")[0]
    name, *classes = last.split(".")
    name, _, identifier = name.partition("#")
    if identifier or any("#" in one for one in classes):
        return "#" + identifier if identifier else ""
    return "." + max(classes, key=len) if classes else name.lower()


KEY_IN = Remembered(_key_in)
"""What Compound.key() will be for the last part of a selector; "" where only reading it would tell. Sheets have every
other selector twice or more."""


def keys_of(element: Element) -> list[str]:
    """The keys under which rules for an element may be found by its type, id and classes."""
    attrs = element.attrs
    keys = [element.tag, "*"]
    if "id" in attrs:
        keys.append("#" + attrs["id"])
    keys.extend(["." + name for name in attrs.get("class", "").split()[:50]])
    return keys
