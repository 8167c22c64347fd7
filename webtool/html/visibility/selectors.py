"""Selectors of style rules: their text in, rules that can be asked whether they match an element out.

Understood are compounds of type, id, class and attribute selectors, joined by descendant and child combinators.
Specification: Selectors 4.
"""

from __future__ import annotations

from webtool.html.visibility.declarations import meaning_of
from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from webtool.html.node import Element
    from webtool.html.visibility.declarations import Style, Values

_MAX_ANCESTORS = 60  # that a combinator looks up
_compound_part = patterns.compile(
    r"(?P<type>[a-zA-Z][\w-]*|\*)|\#(?P<id>(?:[\w-]|\\.|[^\x00-\x7f])+)|\.(?P<class>(?:[\w-]|\\.|[^\x00-\x7f])+)"
    r"|\[\s*(?P<name>[\w-]+)\s*(?:=\s*[\"']?(?P<value>[^\"'\]]*)[\"']?\s*)?\]"
).match
_combinator = patterns.compile(r"\s*>\s*|\s+").match


class Compound:
    """A compound selector."""

    __slots__ = ("attributes", "by_names", "classes", "id", "is_child", "type")

    def __init__(self) -> None:
        self.type = ""
        self.id = ""
        self.classes: set[str] = set()
        self.by_names: dict[str, bool] = {}  # class attribute: whether it has the classes; pages repeat them
        self.attributes: list[tuple[str, str | None]] = []
        self.is_child = False  # joined to the compound before it by ">"

    def matches(self, element: Element) -> bool:
        """Whether it matches the element."""
        attrs = element.attrs
        if self.type and self.type != element.tag:
            return False
        if self.id and attrs.get("id") != self.id:
            return False
        if self.classes:
            names = attrs.get("class")
            if not names:
                return False
            has_all = self.by_names.get(names)
            if has_all is None:
                has_all = self.by_names[names] = self.classes <= _names_in(names)
            if not has_all:
                return False
        if not self.attributes:
            return True
        return all(name in attrs and (value is None or attrs[name] == value) for name, value in self.attributes)


_split: dict[str, frozenset[str]] = {}


def _names_in(names: str) -> frozenset[str]:
    """The class names of an attribute. Pages repeat them, so the last few thousand are remembered."""
    known = _split.get(names)
    if known is None:
        if len(_split) > 5000:
            _split.clear()
        known = _split[names] = frozenset(names.split())
    return known


class Rule:
    """One selector with the values it sets."""

    __slots__ = ("_around", "_meaning", "compounds", "important", "order", "specificity", "values")

    def __init__(self, compounds: list[Compound], values: Values, important: set[str], order: int) -> None:
        self.compounds = compounds
        self.values = values
        self.important = important
        self.order = order
        self.specificity = sum(
            (10000 if c.id else 0) + 100 * (len(c.classes) + len(c.attributes)) + (1 if c.type else 0)
            for c in compounds
        )
        self._meaning: Style | None = None
        self._around: tuple[Element | None, bool] | None = None

    def key(self) -> str:
        """Its most telling part, under which it is looked up: "#id", ".class", "[attribute" or a type."""
        last = self.compounds[-1]
        if last.id:
            return "#" + last.id
        if last.classes:
            return "." + max(last.classes, key=len)
        if last.attributes:
            return "[" + last.attributes[-1][0]
        return last.type or "*"

    def meaning(self) -> Style:
        """What its values mean for visibility."""
        if self._meaning is None:
            self._meaning = meaning_of(self.values)
        return self._meaning

    def matches(self, element: Element) -> bool:
        """Whether the whole selector matches the element."""
        if not self.compounds[-1].matches(element):
            return False
        if len(self.compounds) == 1:
            return True
        parent = element.parent  # siblings share the answer about what is around them
        if self._around is None or self._around[0] is not parent:
            self._around = (parent, self._matches_around(element))
        return self._around[1]

    def _matches_around(self, element: Element) -> bool:
        index = len(self.compounds) - 2
        must_be_parent = self.compounds[-1].is_child
        ancestor, steps = element.parent, 0
        while index >= 0:
            if ancestor is None or steps > _MAX_ANCESTORS:
                return False
            if self.compounds[index].matches(ancestor):
                must_be_parent = self.compounds[index].is_child
                index -= 1
            elif must_be_parent:
                return False
            ancestor, steps = ancestor.parent, steps + 1
        return True


def rules_of(selectors: str, values: Values, important: set[str], order: int) -> list[Rule]:
    """One rule for each selector of a list that is understood."""
    if not values:
        return []
    lists = [compounds_of(selector.strip()) for selector in selectors.split(",")]
    return [Rule(compounds, values, important, order) for compounds in lists if compounds]


def compounds_of(selector: str) -> list[Compound]:
    """The compounds of a selector from left to right; empty when it has a part that is not understood."""
    compounds = [Compound()]
    at, size = 0, len(selector)
    if not size:
        return []
    while at < size:
        match = _compound_part(selector, at)
        if match:
            _put_part(compounds[-1], match)
        else:
            match = _combinator(selector, at)
            if not match or at == 0:
                return []
            compounds.append(Compound())
            compounds[-1].is_child = ">" in match[0]
        at = match.end()
    return compounds


def _put_part(compound: Compound, match: re.Match[str]) -> None:
    kind = match.lastgroup
    if kind == "type":
        compound.type = "" if match["type"] == "*" else match["type"].lower()
    elif kind == "id":
        compound.id = match["id"].replace("\\", "")
    elif kind == "class":
        compound.classes.add(match["class"].replace("\\", ""))
    else:
        compound.attributes.append((match["name"].lower(), match["value"]))
