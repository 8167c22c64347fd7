"""Custom properties (CSS variables). In: blocks and style attributes that set them. Out: values with var() filled in.

A page has one Variables. Most names have one value, which `:root` sets. Only local names are looked up from the element
upwards: those that a style attribute, a rule for other elements, or several rules set.
Specification: CSS Variables 1.
Tests: tests/css/test_selectors.py
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.css import properties
from webtool.css.cascade import Cascade, Cascades, Weight
from webtool.css.cleaning import spelt_out
from webtool.css.declarations import (
    Style,
    custom_names_in,
    custom_properties_of,
    lowered,
    read_attribute,
    read_custom_properties,
    style_of_values,
)
from webtool.css.values import Values
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.patterns import Match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.css.deferred import DeferredRules

# Scopes of one page that are searched for variables, and values read for them; after them the first value counts.
_MAX_STEPS = 200_000
_MAX_AROUND = 60  # scopes that are searched for a style attribute with a colour
_MAX_VALUES = 8  # different values of one variable that are tried; with more, any value is expected
_MAX_FILLS = 12  # rounds of filling in; deeper nested variables stay unknown
_MAX_VALUE = 5000  # characters; longer values are cut, and not filled in
_MAX_USES = 100  # variables that are filled into one value; with more, the value stays unknown
_UNKNOWN = "\x00"  # marks the place of a variable without a value
_ANY_BACKGROUND = "url()"  # a background whose colour is not known
_ROOTS = frozenset((":root", "html", ":where(:root)"))  # selectors of variables that the whole page inherits
_INHERITING = frozenset(("inherit", "unset", "revert", "revert-layer"))

# "@property --x { syntax: '*'; initial-value: 0px }"
_registrations = patterns.compile(r"@property\s+(--[\w-]+)\s*\{([^{}]*)\}").sub
_initial_value = patterns.compile(r"initial-value\s*:([^;]*)").search
# "-9999px" of "var(--a, -9999px)", "scale(0" of "var(--a, scale(0))"
_fallbacks_in = patterns.compile(r"var\(\s*--[\w-]+\s*,\s*([^\s,)]+)").findall
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


class Scope:
    """The variables of an element on which rules or a style attribute set some, and of all elements that inherit them.

    Elements with the same outer Scope share an inner one if the same rules match them and they have the same attribute.
    """

    __slots__ = ("_cascade", "inline", "inner", "known", "outer")

    def __init__(self, outer: Scope | None, cascade: Cascade, inline: Values) -> None:
        self.outer = outer
        self._cascade = cascade
        self.inline = inline  # values of the style attribute
        self.known: dict[str, str | None] = {}  # name -> value in this scope, also of an outer one
        self.inner: dict[tuple[Cascade, str], Scope] = {}  # by matching rules and style attribute

    def own_value(self, name: str) -> str | None:
        """Return the value that wins on the element itself, as it is written; None if nothing sets the variable."""
        value = self.inline.get(name)
        if value is None or value == "revert-layer" or name in self._cascade.important:
            return self._cascade.values.get(name, value)
        return value


class Variables:
    """The custom properties of one page: `inline` are the names that style attributes set, `rules` is empty."""

    def __init__(self, inline: set[str], rules: DeferredRules | None = None) -> None:
        self.inline = inline
        self._values: dict[str, list[str]] = {}  # different values in style sheets, in order
        self._local: set[str] = set()  # names of style sheets whose value depends on the element
        self._used: set[str] = set()  # names that values of properties and style attributes use
        self._used_by: dict[str, set[str]] = {}  # name -> names that its values in style sheets use
        # Rules that set variables, until the first scope_of(): those of `matching` and `selectors` as in sheets.py,
        # values, names of the !important ones, weight.
        self._noted: list[tuple[list[str], str, Values, set[str], Weight]] = []
        self._rules = rules  # after it: the rules that set a local name which is used
        self._cascades = Cascades()
        self._scopes: dict[Element | None, Scope] = {None: Scope(None, self._cascades[()], {})}
        self._steps = self._uses = self._added = 0

    def are_set(self) -> bool:
        """Return whether the page sets any."""
        return bool(self.inline or self._values)

    def note_uses(self, names: Iterable[str]) -> None:
        """Keep names whose values matter: other variables are not looked up. Call it before scope_of()."""
        self._used.update(names)

    def note(self, matching: list[str], selectors: str, block: str, weight: Weight) -> None:
        """Keep the variables that a rule's block sets. `matching` are those of its selectors that may match."""
        values, important = read_custom_properties(block)
        for name, whole in values.items():
            value = values[name] = whole[: _MAX_VALUE + 1]
            known = self._values.setdefault(name, [])
            if value not in known and len(known) <= _MAX_VALUES:
                known.append(value)
            if len(known) > 1 or selectors not in _ROOTS or "var(" in value or value in _INHERITING:
                self._local.add(name)
            if "var(" in value:
                self._used_by.setdefault(name, set()).update(custom_names_in(value))
        if values:
            self._noted.append((matching, selectors, values, important, weight))

    def may_hide(self, block: str) -> bool:
        """Return whether a block with var() may hide something: it sets display or a size, or a hiding value.

        The values are those of its variables, and the fallbacks: `left: var(--a, -9999px)`.
        """
        block = lowered(spelt_out(block))
        if any(name in block for name in properties.SET_INLINE):
            return True
        has_font = "font" in block
        for values in (_fallbacks_in(block), *[self._values.get(name, ()) for name in custom_names_in(block)]):
            for value in values:
                may_be_tiny = has_font and value[:1] in tuple("012.cm")  # "1px", ".2em", calc(), clamp(), min() ...
                if _may_hide(value) or may_be_tiny:
                    return True
        return False

    def are_known(self, value: str) -> bool:
        """Return whether the page itself sets every variable that a value uses."""
        return all(name in self.inline or name in self._values for name in custom_names_in(value))

    def depend_on_element(self, values: Values) -> bool:
        """Return whether the variables in some values may differ from element to element."""
        names = {name for value in values.values() if "var(" in value for name in custom_names_in(value)}
        return not (names.isdisjoint(self.inline) and names.isdisjoint(self._local))

    def variants(self, values: Values) -> list[Values]:
        """Return the values with each value that their variables have somewhere, or without a local variable.

        A property that shows or hides by itself is left out if a style attribute or many rules set its variable. It is
        `unset` if its variable has known values elsewhere, but none here.
        """
        names = {name for value in values.values() for name in custom_names_in(value)}
        counts = [len(self._values.get(name, ())) for name in names]
        variants = [self._filled_in(values, None, choice) for choice in range(min(max(counts, default=0), _MAX_VALUES))]
        unset = self._filled_in(values, None, _MAX_VALUES)
        for name in properties.CAN_SHOW.intersection(values):
            if name not in unset and self._is_listed(values[name]):
                unset[name] = "unset"
        variants.append(unset)
        for name in properties.CAN_SHOW.intersection(values):
            if any(
                each in self.inline or len(self._values.get(each, ())) > _MAX_VALUES
                for each in custom_names_in(values[name])
            ):
                variants = [{key: value for key, value in filled.items() if key != name} for filled in variants]
        return variants

    def _is_listed(self, value: str) -> bool:
        """Return whether a value uses one variable, and the values that style sheets give it are all that it has."""
        names = custom_names_in(value)
        if len(names) != 1 or names[0] in self.inline or names[0] in self._used_by:
            return False
        return 0 < len(self._values.get(names[0], ())) <= _MAX_VALUES

    def fill(self, values: Values, scope: Scope | None = None) -> Values:
        """Return the values with their variables filled in, as they are in a scope; unknown ones are left out.

        Without a scope, the first value of each variable counts. A colour whose variable has several values is left
        out, and such a background counts as unknown.
        """
        return self._filled_in(values, scope, 0)

    def _filled_in(self, values: Values, scope: Scope | None, choice: int) -> Values:
        """Fill values in; without a scope, by the value of this number that each variable has in style sheets."""
        filled = dict(values)
        for name, value in values.items():
            if "var(" in value:
                self._uses = self._added = 0
                filled[name] = self._filled(value, scope, choice, 0)
        for name in ("color", "background", "background-color"):
            if name in filled and "var(" in values[name] and self._varies(values[name], scope):
                filled[name] = "" if name == "color" else _ANY_BACKGROUND
        return {name: value for name, value in filled.items() if value and "var(" not in value}

    def _filled(self, value: str, scope: Scope | None, choice: int, depth: int) -> str:
        def filling(match: Match[str]) -> str:
            name, fallback = match[1], match[2]
            if self._uses == _MAX_USES or self._added > _MAX_VALUE:  # each variable may use the next one many times
                return _UNKNOWN
            self._uses += 1
            known = self._value_in(name, scope, choice, depth)
            if known is None:
                known = fallback.strip() if fallback is not None else _UNKNOWN
            self._added += len(known)
            return known

        for _ in range(_MAX_FILLS):
            if "var(" not in value or len(value) > _MAX_VALUE:
                break
            value = _uses(filling, value)
        return "" if _UNKNOWN in value else " ".join(value.split())  # an empty variable leaves a space: " none"

    def _value_in(self, name: str, scope: Scope | None, choice: int, depth: int) -> str | None:
        """Return a variable's value in a scope, or its value of some number, or None."""
        values = self._values.get(name, [])
        if scope is None:
            is_local = name in self._local
            return values[choice] if choice < len(values) else values[0] if values and not is_local else None
        if depth > _MAX_FILLS:
            return None
        if name not in self.inline and name not in self._local:
            return values[0] if values else None
        passed: list[Scope] = []
        node: Scope | None = scope
        value: str | None = None
        while node is not None and name not in node.known:
            self._steps += 1
            if self._steps > _MAX_STEPS:
                return values[0] if values else None
            passed.append(node)
            own = node.own_value(name)
            if own is not None and own not in _INHERITING:
                if "var(" in own:
                    node.known[name] = _UNKNOWN  # what a variable gets that uses itself, until the value is known
                    own = self._filled(own, node, choice, depth + 1) or "initial"
                value = own if own != "initial" else None
                break
            node = node.outer
        else:
            is_of_root = name not in self._local and bool(values)  # then only style attributes change it
            value = node.known[name] if node is not None else values[0] if is_of_root else None
        for node in passed:
            node.known[name] = value
        return value

    def scope_of(self, element: Element) -> Scope:
        """Return the Scope of an element. Most elements have that of their parent."""
        if self._noted:
            self._read_noted()
        passed: list[Element] = []
        node: Element | None = element
        while node not in self._scopes:
            passed.append(node)  # type: ignore[arg-type]  # None is in _scopes
            node = node.parent  # type: ignore[union-attr]
        scope = self._scopes[node]
        for node in reversed(passed):
            scope = self._scopes[node] = self._scope_inside(scope, node)
        return scope

    def _read_noted(self) -> None:
        """Index the noted rules that set a variable which is used, if its value depends on the element."""
        used: set[str] = set()
        unread = list(self._used)
        while unread:
            name = unread.pop()
            if name not in used:
                used.add(name)
                unread += self._used_by.get(name, ())
        used &= self._local
        for matching, selectors, values, important, weight in self._noted:
            values = {name: value for name, value in values.items() if name in used}
            if values and self._rules is not None:
                self._rules.add(matching, selectors, values, important.intersection(values), weight)
        self._noted.clear()

    def _scope_inside(self, outer: Scope, element: Element) -> Scope:
        """Return the Scope of an element whose parent has the outer one."""
        matching = self._rules.matching(element) if self._rules is not None else []
        style = element.attrs.get("style", "") if self.inline else ""
        inline = custom_properties_of(style)
        if not (matching or inline) or self._steps > _MAX_STEPS:
            return outer
        rules = tuple(matching)
        if rules not in self._cascades:
            self._steps += sum([len(rule.values) for rule in rules])
        cascade = self._cascades[rules]
        key = cascade, style if inline else ""
        scope = outer.inner.get(key)
        if scope is None:
            scope = outer.inner[key] = Scope(outer, cascade, inline)
        return scope

    def _varies(self, value: str, scope: Scope | None) -> bool:
        """Return whether it is open which of a variable's values counts in a scope."""
        names = [name for name in custom_names_in(value) if len(self._values.get(name, ())) > 1]
        return any(not self._is_set_inline(name, scope) for name in names)

    def _is_set_inline(self, name: str, scope: Scope | None) -> bool:
        """Return whether a style attribute sets the variable in a scope or around it."""
        if name not in self.inline:
            return False
        for _ in range(_MAX_AROUND):
            if scope is None:
                return False
            if name in scope.inline:
                return True
            scope = scope.outer
        return False


def style_without_sheets(text: str) -> Style:
    """Return the Style of a style attribute with var(), on a page that sets no variable: `display: var(--a, none)`."""
    return style_of_values(Variables(set()).fill(read_attribute(text)[0]))
