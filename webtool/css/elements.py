"""An index of a page's elements by type, class and id. In: elements; a key or a Selector. Out: elements it may match.

A key is "#id", ".class", "[attribute" without its closing bracket, a type, or "*". If few rules are of interest,
looking up the elements of each rule costs less than looking up the rules of each element.
Tests: tests/css/test_selectors.py
"""

from __future__ import annotations

from _collections import defaultdict  # type: ignore[import-not-found]  # importing the package costs 2 ms
from collections.abc import Iterable
from itertools import chain

from webtool.css.selectors import Selector
from webtool.css.variables import names_set_in
from webtool.html.node import Element

_MAX_CLASSES = 50  # class names of one element; further ones are not indexed
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
        by_classes.default_factory = by_type.default_factory = None
        styled = [(node, node.attrs["style"]) for node in self.notable if "style" in node.attrs]
        self.with_display = [node for node, style in styled if "display" in style]  # style attribute sets display
        self.variables = {name for _, style in styled if "--" in style for name in names_set_in(style)}
        self.names_in = {classes: classes.split() for classes in by_classes}  # class names of each class attribute
        self.class_names = set(chain.from_iterable(self.names_in.values()))

    def under(self, keys: Iterable[str]) -> dict[str, list[Element]]:
        """Return the elements for each key: "#id", ".class", "[attribute", a type or "*"."""
        under: dict[str, list[Element]] = {key: self.by_id.get(key, []) for key in keys}
        if not under:
            return under
        for classes, elements in self.by_classes.items():
            for name in self.names_in[classes][:_MAX_CLASSES]:
                if "." + name in under:
                    under["." + name].extend(elements)
        for key in self.by_type.keys() & under.keys():
            under[key] = self.by_type[key]
        self._add_by_attribute(under)
        if "*" in under:
            under["*"] = self.all
        return under

    def _add_by_attribute(self, under: dict[str, list[Element]]) -> None:
        """Add the elements for the keys "[attribute"."""
        attributes = {key[1:] for key in under if key[0] == "["}
        if not attributes:
            return
        for node in self.all if attributes - _NOTABLE else self.notable:
            if not attributes.isdisjoint(node.attrs):
                for name in attributes.intersection(node.attrs):
                    under["[" + name].append(node)

    def candidates(self, selector: Selector) -> Iterable[Element]:
        """Return the elements that may match a selector whose last compound has no key, such as `.menu > :first-child`.

        These are the children of what the compound before it may match, or all elements below for a descendant.
        """
        combinator = selector.compounds[-1].combinator
        if len(selector.compounds) < 2 or combinator not in " >":
            return self.all
        keys = selector.compounds[-2].index_keys()
        if "*" in keys:
            return self.all
        inside: set[Element] = set()
        stack = list(chain.from_iterable(self.under(keys).values()))
        while stack:
            for node in stack.pop().children:
                if type(node) is Element and node not in inside:
                    inside.add(node)
                    if combinator == " ":
                        stack.append(node)
        return inside
