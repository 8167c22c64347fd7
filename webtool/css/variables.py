"""Custom properties (CSS variables). In: blocks and style attributes that set them. Out: values with var() filled in.

A page has one Variables. Most names have one value, which `:root` sets. Only local names are looked up from the element
upwards: those that a style attribute, a rule for other elements, or several rules set.
Specification: CSS Variables 1.
Tests: tests/css/test_selectors.py
"""

from __future__ import annotations

from collections.abc import Container

from webtool.css import declarations, properties
from webtool.css.cascade import Layer, RuleIndex, StyleRule, cascaded
from webtool.css.cleaning import spelt_out
from webtool.css.elements import Positions
from webtool.css.values import Values
from webtool.html.node import Element, around
from webtool.lean import patterns
from webtool.lean.patterns import Match

Weight = tuple[Layer, int]  # the layer of a rule, and its number among the rules read

_MAX_AROUND = 60  # ancestors whose style attributes are searched for a colour
# Elements of one page that are searched for variables, and rules read for them; after them the first value counts.
_MAX_STEPS = 200_000
_MAX_VALUES = 8  # different values of one variable that are tried; with more, any value is expected
_MAX_FILLS = 5  # rounds of filling in; deeper nested variables stay unknown
_MAX_VALUE = 5000  # characters; longer values are cut, and not filled in
_MAX_USES = 100  # variables that are filled into one value; with more, the value stays unknown
_UNKNOWN = "\x00"  # marks the place of a variable without a value
_ANY_BACKGROUND = "url()"  # a background whose colour is not known
_ROOTS = frozenset((":root", "html", ":where(:root)"))  # selectors of variables that the whole page inherits
_INHERITING = frozenset(("inherit", "unset", "revert", "revert-layer"))

# "@property --x { syntax: '*'; initial-value: 0px }"
_registrations = patterns.compile(r"@property\s+(--[\w-]+)\s*\{([^{}]*)\}").sub
_initial_value = patterns.compile(r"initial-value\s*:([^;]*)").search
_names_in = patterns.compile(r"--[\w-]+").findall
_uses = patterns.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)").sub
# Beginnings of values that could hide: -100 and less, four digits, zero, a keyword, a transform or a shape.
_may_hide = patterns.compile(
    r"-[0-9]{3}|-[0-9]+(?:em|rem|%)|[0-9]{4}|0(?![.0-9])|0?\.0|none|hidden|trans|coll|scale|rot|inset|circle|rect|calc\(-"
).match


def registered_as_rules(text: str) -> str:
    """Return a sheet's text with a rule for the root after each @property that gives an initial value."""
    return _registrations(_with_rule, text) if "@property" in text else text


def _with_rule(registration: Match[str]) -> str:
    initial = _initial_value(registration[2])
    return f"{registration[0]} :where(:root){{{registration[1]}:{initial[1]}}}" if initial else registration[0]


class Variables:
    """The custom properties of one page, which has the given types, ".class" and "#id" names."""

    def __init__(
        self, inline: set[str], positions: Positions | None = None, page_names: Container[str] = frozenset()
    ) -> None:
        self.inline = inline  # names that style attributes set
        self._positions = positions or Positions()
        self._page_names = page_names
        self._values: dict[str, list[str]] = {}  # different values in style sheets, in order
        self._local: set[str] = set()  # names of style sheets whose value depends on the element
        self._rules: dict[str, list[tuple[str, str, bool, Weight]]] = {}  # selectors, value, is it !important, weight
        self._indexes: dict[str, RuleIndex] = {}  # the rules of a local name
        self._set_by: dict[Element, Values] = {}  # what an element's style attribute sets
        self._known: dict[str, dict[Element | None, str | None]] = {}  # name -> element -> value there
        self._steps = self._uses = self._added = 0

    def are_set(self) -> bool:
        """Return whether the page sets any."""
        return bool(self.inline or self._values)

    def note(self, block: str, selectors: str, weight: Weight) -> None:
        """Keep the variables that a rule's block sets."""
        values, important = declarations.read_custom_properties(block)
        for name, whole in values.items():
            value = whole[: _MAX_VALUE + 1]
            known = self._values.setdefault(name, [])
            if value not in known and len(known) <= _MAX_VALUES:
                known.append(value)
            if len(known) > 1 or selectors not in _ROOTS or "var(" in value or value in _INHERITING:
                self._local.add(name)
            self._rules.setdefault(name, []).append((selectors, value, name in important, weight))

    def may_hide(self, block: str) -> bool:
        """Return whether a block with var() may hide something: it sets display or a size, or a hiding value."""
        block = declarations.lowered(spelt_out(block))
        if any(name in block for name in properties.SET_INLINE):
            return True
        has_font = "font" in block
        for name in _names_in(block):
            for value in self._values.get(name, ()):
                may_be_tiny = has_font and value[:1] in tuple("012.cm")  # "1px", ".2em", calc(), clamp(), min() ...
                if _may_hide(value) or may_be_tiny:
                    return True
        return False

    def are_known(self, value: str) -> bool:
        """Return whether the page itself sets every variable that a value uses."""
        return all(name in self.inline or name in self._values for name in _names_in(value))

    def depend_on_element(self, values: Values) -> bool:
        """Return whether the variables in some values may differ from element to element."""
        names = {name for value in values.values() if "var(" in value for name in _names_in(value)}
        return not (names.isdisjoint(self.inline) and names.isdisjoint(self._local))

    def variants(self, values: Values) -> list[Values]:
        """Return the values with each value that their variables have somewhere, or without a local variable.

        A property that shows or hides by itself is left out if a style attribute or many rules set its variable.
        """
        names = {name for value in values.values() for name in _names_in(value)}
        counts = [len(self._values.get(name, ())) for name in names]
        variants = [self._filled_in(values, None, choice) for choice in range(min(max(counts, default=0), _MAX_VALUES))]
        variants.append(self._filled_in(values, None, _MAX_VALUES))
        for name in properties.CAN_SHOW.intersection(values):
            if any(
                each in self.inline or len(self._values.get(each, ())) > _MAX_VALUES for each in _names_in(values[name])
            ):
                variants = [{key: value for key, value in filled.items() if key != name} for filled in variants]
        return variants

    def fill(self, values: Values, element: Element | None) -> Values:
        """Return the values with their variables filled in, as they are at the element; unknown ones are left out.

        A colour whose variable has several values is left out, and such a background counts as unknown.
        """
        return self._filled_in(values, element, 0)

    def _filled_in(self, values: Values, element: Element | None, choice: int) -> Values:
        """Fill values in; without an element, by the value of this number that each variable has in style sheets."""
        filled = dict(values)
        for name, value in values.items():
            if "var(" in value:
                self._uses = self._added = 0
                filled[name] = self._filled(value, element, choice, 0)
        for name in ("color", "background", "background-color"):
            if name in filled and "var(" in values[name] and self._varies(values[name], element):
                filled[name] = "" if name == "color" else _ANY_BACKGROUND
        return {name: value for name, value in filled.items() if value and "var(" not in value}

    def _filled(self, value: str, element: Element | None, choice: int, depth: int) -> str:
        def filling(match: Match[str]) -> str:
            name, fallback = match[1], match[2]
            if self._uses == _MAX_USES or self._added > _MAX_VALUE:  # each variable may use the next one many times
                return _UNKNOWN
            self._uses += 1
            known = self._value_at(name, element, choice, depth)
            if known is None:
                known = fallback.strip() if fallback is not None else _UNKNOWN
            self._added += len(known)
            return known

        for _ in range(_MAX_FILLS):
            if "var(" not in value or len(value) > _MAX_VALUE:
                break
            value = _uses(filling, value)
        return "" if _UNKNOWN in value else value

    def _value_at(self, name: str, element: Element | None, choice: int, depth: int) -> str | None:
        """Return a variable's value at an element, or its value of some number, or None."""
        values = self._values.get(name, [])
        if element is None:
            is_local = name in self._local
            return values[choice] if choice < len(values) else values[0] if values and not is_local else None
        if depth > _MAX_FILLS:
            return None
        if name not in self.inline and name not in self._local:
            return values[0] if values else None
        known = self._known.setdefault(name, {})
        passed: list[Element] = []
        node: Element | None = element
        value: str | None = None
        while node is not None and node not in known:
            self._steps += 1
            if self._steps > _MAX_STEPS:
                return values[0] if values else None
            passed.append(node)
            own = self._own_value(name, node)
            if own is not None and own not in _INHERITING:
                if own != "initial":
                    value = (self._filled(own, node, choice, depth + 1) or None) if "var(" in own else own
                break
            node = node.parent
        else:
            is_of_root = name not in self._local and bool(values)  # then only style attributes change it
            value = known.get(node) if node is not None else values[0] if is_of_root else None
        known.update(dict.fromkeys(passed, value))
        return value

    def _own_value(self, name: str, element: Element) -> str | None:
        """Return the value of a variable that the element's style attribute or the rules for it set."""
        own = self._inline_values(element)
        inline = {name: own[name]} if name in own else {}
        if name not in self._local:
            return inline.get(name)
        index = self._indexes.get(name)
        if index is None:
            index = self._indexes[name] = self._index_of(name)
        matching = index.matching(element, self._positions.names_of(element))
        self._steps += len(matching)
        return (cascaded(matching, inline, ()) if matching else inline).get(name)

    def _index_of(self, name: str) -> RuleIndex:
        """Return the rules that set a variable."""
        from webtool.css.selector_parser import selectors_of  # imported late: it is loaded with style sheets only

        index = RuleIndex(self._positions)
        self._steps += len(self._rules[name])
        for selectors, value, is_important, weight in self._rules[name]:
            for selector in selectors_of(selectors, self._positions):
                rule = StyleRule(selector.text, {name: value}, {name} if is_important else set(), weight)
                index.add(selector, rule, self._page_names)
        return index

    def _varies(self, value: str, element: Element | None) -> bool:
        """Return whether it is open which of a variable's values counts at the element."""
        names = [name for name in _names_in(value) if len(self._values.get(name, ())) > 1]
        return any(not self._is_set_inline(name, element) for name in names)

    def _is_set_inline(self, name: str, element: Element | None) -> bool:
        """Return whether a style attribute sets the variable, on the element or around it."""
        if name not in self.inline or element is None:
            return False
        return any(name in self._inline_values(node) for node in (element, *around(element, _MAX_AROUND)))

    def _inline_values(self, element: Element) -> Values:
        style = element.attrs.get("style", "")
        if "--" not in style and "\\" not in style:
            return {}
        if element not in self._set_by:
            self._set_by[element] = declarations.custom_properties_of(style)
        return self._set_by[element]


def style_without_sheets(text: str, element: Element) -> declarations.Style:
    """Return the Style of a style attribute with var(), on a page without style sheets: `display: var(--a, none)`."""
    values = declarations.read_attribute(text)[0]
    return declarations.style_of_values(Variables(set(_names_in(text))).fill(values, element))
