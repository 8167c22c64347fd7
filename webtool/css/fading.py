"""Classes of elements that fade in: opaque in one state, transparent in another. In: rules. Out: class names.

A script sets the state, so an element with such a class is shown sooner or later: "a" of `.a {opacity: 0}` and
`.a.shown {opacity: 1}`. States that readers cause, such as :hover, do not tell that a script fades the element in.
Tests: tests/css/test_sheets.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.css.declarations import read_declarations, style_of_values
from webtool.css.selector_text import split_list
from webtool.lean import patterns

STATES = "hover|focus|active|visited|:|before|after"  # caused by readers, and pseudo-elements: "::" by its second colon
_has_momentary_state = patterns.compile(rf":(?:{STATES}|checked|disabled)").search
_classes_in = patterns.compile(r"(?<=\.)[\w-]+").findall


class FadingClasses:
    """The classes of a page's rules that set an opacity. They are worked out when one is first asked for."""

    def __init__(self, page_names: set[str]) -> None:
        self._page_names = page_names
        self._rules: list[tuple[str, str]] = []  # selectors and block of rules that set an opacity
        self._names: set[str] | None = None  # the classes; None until has_one_of() is called

    def add(self, selectors: str, block: str) -> None:
        """Add a rule that sets an opacity."""
        self._rules.append((selectors, block))

    def has_one_of(self, classes: str) -> bool:
        """Return whether an element with this class attribute is opaque in some state, which a script would set."""
        if self._names is None:
            self._names = {name for rule in self._rules for name in _fading_classes(*rule, self._page_names)}
        return not self._names.isdisjoint(classes.split())


def _fading_classes(selectors: str, block: str, page_names: set[str]) -> Iterator[str]:
    """Yield the classes of the page that a rule makes opaque only in some state.

    ".a.shown {opacity: 1}", ".shown .a {opacity: 1}" and ".a:not(.shown) {opacity: 0}" all yield "a".
    """
    is_transparent: bool | None = None
    for selector in split_list(selectors):
        last = selector.split()[-1:] or [""]
        classes = [name for name in _classes_in(last[0].partition(":")[0]) if "." + name in page_names]
        if not classes or _has_momentary_state(selector):
            continue
        if is_transparent is None:
            is_transparent = style_of_values(read_declarations(block)[0]).get("hides") == "opacity"
        if is_transparent:
            depends_on_state = ":not(." in last[0]
        else:
            depends_on_state = len(_classes_in(selector)) > 1
        if depends_on_state:
            yield from classes
