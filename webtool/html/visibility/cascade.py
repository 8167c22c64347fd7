"""Style rules of one element: what they are found under, and which of their values win.

Specification: CSS Cascade 5 (layers, importance, specificity, order).
"""

from __future__ import annotations

from webtool.html.visibility.declarations import LONGHANDS, meaning_of
from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container
    from collections.abc import Set as AbstractSet

    from webtool.html.node import Element
    from webtool.html.visibility.boxes import Values
    from webtool.html.visibility.declarations import Style
    from webtool.html.visibility.selectors import Selector

_MAX_PER_KEY = 40  # rules that share their most telling selector; more is not a page's habit


class StyleRule:
    """One selector with the values it sets."""

    __slots__ = ("_meaning", "important", "layer", "order", "selector", "values")

    def __init__(self, selector: Selector, values: Values, important: set[str], weight: tuple[int, int]) -> None:
        self.selector = selector
        self.values = values
        self.important = important
        self.layer, self.order = weight
        self._meaning: Style | None = None

    def meaning(self) -> Style:
        """What its values mean for visibility."""
        if self._meaning is None:
            self._meaning = meaning_of(self.values)
        return self._meaning


def cascaded(matching: list[StyleRule], own: Values, important: Container[str]) -> Values:
    """The values that win: those of rules by layer, specificity and order, then the attribute's, then important ones,
    whose layers count the other way round."""
    matching.sort(key=lambda rule: (rule.layer, rule.selector.specificity, rule.order))
    values: Values = {}
    for rule in matching:
        _update(values, rule.values)
    _update(values, own)
    matching.sort(key=lambda rule: (-rule.layer, rule.selector.specificity, rule.order))
    for rule in matching:
        _update(values, {name: rule.values[name] for name in rule.important})
    _update(values, {name: value for name, value in own.items() if name in important})
    return values


def _update(values: Values, stronger: Values) -> None:
    """Put in values that win; a shorthand among them sets all that it stands for."""
    for name in stronger:
        for part in LONGHANDS.get(name, ()):
            values.pop(part, None)
    values.update(stronger)


def put(index: dict[str, list[StyleRule]], key: str, rule: StyleRule) -> None:
    """Add a rule to those that are found under a key; their number is bounded."""
    rules = index.setdefault(key, [])
    if len(rules) < _MAX_PER_KEY:
        rules.append(rule)
    else:
        rules[-1] = rule  # the last one wins over those before it, mostly


_named = patterns.compile(r"[.#][\w\x80-\U0010ffff-]+").findall


def is_about(selector: str, names: AbstractSet[str]) -> bool:
    """Whether a selector may match on a page that has the ".class" and "#id" `names`, as far as it is seen at once:
    nine in ten of a site's rules are about its other pages, and reading them takes ten times as long."""
    if "\\" in selector:
        return True
    if "(" in selector:
        selector = selector[: selector.index("(")]
    if "[" in selector:
        selector = selector[: selector.index("[")]
    for name in _named(selector):  # noqa: SIM110 - half of the time of all()
        if name not in names:
            return False
    return True


def key_in(selector: str) -> str:
    """What Compound.key() will be for the last part of a selector; "*", under which every element looks, where only
    reading it all would tell."""
    if "(" in selector or "[" in selector or "\\" in selector:
        return "*"
    words = selector.split()
    last = words[-1] if words else ""
    last = last[max(last.rfind(">"), last.rfind("+"), last.rfind("~")) + 1 :].partition(":")[0]
    name, *classes = last.split(".")
    name, _, identifier = name.partition("#")
    if identifier or any("#" in one for one in classes):
        return "#" + identifier if identifier else "*"
    return "." + max(classes, key=len) if classes else name.lower() or "*"


def keys_of(element: Element) -> list[str]:
    """The keys under which rules for an element may be found by its type, id and classes."""
    attrs = element.attrs
    keys = [element.tag, "*"]
    if "id" in attrs:
        keys.append("#" + attrs["id"])
    keys.extend(["." + name for name in attrs.get("class", "").split()[:50]])
    return keys
