"""Custom properties (CSS variables). In: blocks and style attributes that set them. Out: values with var() filled in.

A page has one Variables. It keeps the first value that style sheets set for a name, wherever they set it: `:root` sets
most, and selectors of variables are not matched. Style attributes are asked for exactly, from the element upwards.
Specification: CSS Variables 1.
Tests: tests/css/test_selectors.py
"""

from __future__ import annotations

from webtool.css import declarations, properties
from webtool.css.elements import settings_in
from webtool.css.values import Values
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.patterns import Match

_MAX_AROUND = 60  # ancestors whose style attributes are searched for a variable
_MAX_FILLS = 5  # rounds of filling in; deeper nested variables stay unknown
_MAX_VALUE = 5000  # characters; longer values and style attributes are not filled in or read further
_MAX_USES = 100  # variables that are filled into one value; with more, the value stays unknown
_UNKNOWN = "\x00"  # marks the place of a variable without a value
_ANY_BACKGROUND = "url()"  # a background whose colour is not known

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
    """Return a sheet's text with a `:root` rule after each @property that gives an initial value."""
    return _registrations(_with_rule, text) if "@property" in text else text


def _with_rule(registration: Match[str]) -> str:
    initial = _initial_value(registration[2])
    return f"{registration[0]} :root{{{registration[1]}:{initial[1]}}}" if initial else registration[0]


class Variables:
    """The custom properties of one page."""

    def __init__(self, inline: set[str]) -> None:
        self.inline = inline  # names that style attributes set
        self._values: dict[str, str] = {}  # first value in style sheets
        self._varying: set[str] = set()  # names that style sheets give several values: any of them may count
        self._set_by: dict[Element, dict[str, str]] = {}  # what an element's style attribute sets

    def are_set(self) -> bool:
        """Return whether the page sets any."""
        return bool(self.inline or self._values)

    def note(self, block: str) -> None:
        """Keep the variables that a rule's block sets."""
        for part in block.split(";"):
            if "--" in part:
                name, _, value = part.partition(":")
                name, value = name.strip(), value.strip()[: _MAX_VALUE + 1].lower()
                if name[:2] == "--" and self._values.setdefault(name, value) != value:
                    self._varying.add(name)

    def may_hide(self, block: str) -> bool:
        """Return whether a block with var() may hide something: it sets display or a size, or a hiding value."""
        if any(name in block for name in properties.SET_INLINE):
            return True
        has_font = "font" in block
        for name in _names_in(block):
            value = self._values.get(name)
            may_be_tiny = has_font and value and value[0] in "012.cm"  # "1px", ".2em", calc(), clamp(), min() ...
            if value and (_may_hide(value) or may_be_tiny):
                return True
        return False

    def are_known(self, value: str) -> bool:
        """Return whether the page itself sets every variable that a value uses."""
        return all(name in self.inline or name in self._values for name in _names_in(value))

    def fill(self, values: Values, element: Element | None) -> Values:
        """Return the values with their variables filled in, as they are at the element; unknown ones are left out.

        A colour whose variable has several values is left out, and such a background counts as unknown.
        """
        filled = {name: self._filled(value, element) if "var(" in value else value for name, value in values.items()}
        for name in ("color", "background", "background-color"):
            if name in filled and "var(" in values[name] and self._varies(values[name], element):
                filled[name] = "" if name == "color" else _ANY_BACKGROUND
        return {name: value for name, value in filled.items() if value and "var(" not in value}

    def _filled(self, value: str, element: Element | None) -> str:
        uses = added = 0

        def filling(match: Match[str]) -> str:
            nonlocal uses, added
            name, fallback = match[1], match[2]
            if uses == _MAX_USES or added > _MAX_VALUE:  # each variable may use the next one many times
                return _UNKNOWN
            known = self._inline_value(name, element) or self._values.get(name)
            if known is None:
                known = fallback.strip() if fallback is not None else _UNKNOWN
            uses, added = uses + 1, added + len(known)
            return known

        for _ in range(_MAX_FILLS):
            if "var(" not in value or len(value) > _MAX_VALUE:
                break
            value = _uses(filling, value)
        return "" if _UNKNOWN in value else value

    def _varies(self, value: str, element: Element | None) -> bool:
        """Return whether it is open which of a variable's values counts at the element."""
        names = self._varying.intersection(_names_in(value))
        return any(self._inline_value(name, element) is None for name in names)

    def _inline_value(self, name: str, element: Element | None) -> str | None:
        """Return the variable as the nearest style attribute sets it, from the element upwards."""
        if name not in self.inline:
            return None
        steps = 0
        while element is not None and steps < _MAX_AROUND:
            style = element.attrs.get("style", "")
            if name in style:
                if element not in self._set_by:
                    self._set_by[element] = dict(settings_in(style[:_MAX_VALUE]))
                if name in self._set_by[element]:
                    return self._set_by[element][name].strip().lower()
            element, steps = element.parent, steps + 1
        return None


def style_without_sheets(text: str, element: Element) -> declarations.Style:
    """Return the Style of a style attribute with var(), on a page without style sheets: `display: var(--a, none)`."""
    values = declarations.read_attribute(text)[0]
    return declarations.style_of_values(Variables(set(_names_in(text))).fill(values, element))
