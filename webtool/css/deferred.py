"""Style rules that are read on demand. In: rules, whose selectors are text. Out: the rules that match an element.

Most rules of a site are about no element that anybody asks for. So a rule's selectors stay text until the first element
with its key is asked about. A key is what the last compound of a selector asks for: see cascade.py.
"""

from __future__ import annotations

from webtool.css.cascade import KEY_OF, RuleIndex, StyleRule, Weight
from webtool.css.elements import Positions, keys_of
from webtool.css.selector_parser import selectors_of
from webtool.css.selectors import Selector
from webtool.css.values import Values
from webtool.html.node import Element
from webtool.lean import patterns

# Types, classes and ids alone: "ul.menu > li, #a .b", but not ".2col".
is_surely_supported = patterns.compile(
    r"(?:{0}(?:[.#]{0})*|(?:[.#]{0})+)(?:(?:[ \t\n\r\f]+(?:[>,][ \t\n\r\f]*)?|[>,][ \t\n\r\f]*)"
    r"(?:{0}(?:[.#]{0})*|(?:[.#]{0})+))*".replace("{0}", "-?[a-zA-Z_][a-zA-Z0-9_-]*")
).fullmatch
_UNKNOWN = ""  # the key of selectors whose key only parsing can tell, such as "[hidden]"


class SelectorLists:
    """The selectors of a page's lists, read once: several rules may have the same list."""

    def __init__(self, positions: Positions) -> None:
        self._positions = positions
        self._known: dict[str, dict[str, Selector]] = {}

    def of(self, selectors: str) -> dict[str, Selector]:
        """Return the selectors of a list by their text, without idle ones; {} if one of the list is invalid."""
        known = self._known.get(selectors)
        if known is None:
            known = {selector.text: selector for selector in selectors_of(selectors, self._positions)}
            self._known[selectors] = known
        return known


class DeferredRules:
    """The rules of some indexes, and deferred ones, which are added to them with the first element that needs them."""

    def __init__(self, positions: Positions, page_names: set[str], lists: SelectorLists) -> None:
        self._positions = positions
        self._page_names = page_names
        self._lists = lists
        self._index = RuleIndex(positions)
        # Key -> a selector, the list it is of, values, names of the !important ones, weight.
        self._by_key: dict[str, list[tuple[str, str, Values, set[str], Weight]]] = {}

    def take(self, index: RuleIndex) -> None:
        """Add all rules of an index."""
        for key, rules in index.rules.items():
            for rule in rules:
                self._index.put(key, rule)

    def add(self, matching: list[str], selectors: str, values: Values, important: set[str], weight: Weight) -> None:
        """Add a rule, of whose list of `selectors` those in `matching` may match. Call it before matching()."""
        for selector in matching:
            rule = selector, selectors, values, important, weight
            self._by_key.setdefault(KEY_OF[selector], []).append(rule)

    def matching(self, element: Element) -> list[StyleRule]:
        """Return the rules that match the element. Do not change the list."""
        names = self._positions.names_of(element)
        # Elements with equal names have equal keys: only the first of them reads the deferred rules of these keys.
        if self._by_key and not self._index.has_asked(names):
            for key in (_UNKNOWN, *keys_of(element)):
                self._read(key)
        return self._index.matching(element, names)

    def _read(self, key: str) -> None:
        """Move the deferred rules of a key to the index."""
        for text, selectors, values, important, weight in self._by_key.pop(key, ()):
            rule = StyleRule(text, values, important, weight)
            if key != _UNKNOWN and is_surely_supported(selectors):
                self._index.put(key, rule)  # parsed when an element with the key is first asked about
                continue
            selector = self._lists.of(selectors).get(text)
            if selector is not None:
                self._index.add(selector, rule, self._page_names)
