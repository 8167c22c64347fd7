"""Elements that are shown later: by an animation, or by a class that fades in. In: rules. Out: does an element appear?

Animations holds the keyframes of a page and tells how an animation ends. FadingClasses finds classes that are opaque in
one state and transparent in another: "a" of `.a {opacity: 0}` and `.a.shown {opacity: 1}`. A script sets the state, so
an element with such a class is shown sooner or later. States that readers cause, such as :hover, do not count.
Specification: CSS Animations 1.
Tests: tests/css/test_sheets.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.css.declarations import read_declarations, style_of_values
from webtool.css.paint import is_faint
from webtool.css.selector_text import split_list
from webtool.lean import patterns
from webtool.lean.memory import Remembered

# States that readers cause, and pseudo-elements, wherever the name goes on: ":focus" is also in ":focus-within".
STATE_OR_PSEUDO_ELEMENT = "::|:(?:hover|focus|active|visited|before|after)"
_has_momentary_state = patterns.compile(rf"{STATE_OR_PSEUDO_ELEMENT}|:(?:checked|disabled)").search
_inside_brackets = patterns.compile(r"\((.?)[^()]*\)").sub
_combinators = patterns.compile(r"[\s>+~]+").split
_classes_in = patterns.compile(r"(?<=\.)[\w-]+").findall
# Whether a keyframe's block shows the element. Sheets have thousands of keyframes, and few that differ.
_shows = Remembered(lambda block: "hides" not in style_of_values(read_declarations(block)[0]))


class Animations:
    """The animations that the style sheets of one page define."""

    def __init__(self) -> None:
        self._ends_visible: dict[str, bool] = {}  # by name; only animations that have a last keyframe
        self._is_always_hidden: dict[str, bool] = {}  # by name: whether no keyframe shows the element
        self._with_start: set[str] = set()  # names of animations that have a first keyframe
        self._verdicts: dict[str, tuple[bool | None, bool]] = {}  # by value; once all animations are added

    def add(self, name: str, offsets: str, block: str) -> None:
        """Add one keyframe: `offsets` are "from", "50%" or a list of them, without spaces."""
        times = offsets.split(",")
        is_visible = _shows[block]
        if "to" in times or "100%" in times:
            self._ends_visible[name] = is_visible
        if self._is_always_hidden.setdefault(name, True) and is_visible:
            self._is_always_hidden[name] = False
        if "from" in times or "0%" in times:
            self._with_start.add(name)

    def end_visible(self, animation: str) -> bool | None:
        """Return whether one of the named animations ends visible, or None if none of them is defined here.

        `animation` is a value of animation or animation-name: "fade 1s ease, slide 2s".
        """
        return self._verdict(animation)[0]

    def hide_throughout(self, animation: str) -> bool:
        """Return whether one of the named animations hides the element from its first keyframe to its last."""
        return self._verdict(animation)[1]

    def _verdict(self, animation: str) -> tuple[bool | None, bool]:
        """Return end_visible() and hide_throughout() of a value. It may be long, and many elements may have it."""
        if animation not in self._verdicts:
            names = animation.replace(",", " ").split()
            ends = [self._ends_visible[name] for name in names if name in self._ends_visible]
            hides = any(self._is_always_hidden[name] for name in names if name in self._with_start)
            self._verdicts[animation] = any(ends) if ends else None, hides
        return self._verdicts[animation]


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

    ".a.shown {opacity: 1}", ".shown .a {opacity: 1}" and ".a:not(.shown) {opacity: 0}" all yield "a". A block that sets
    no opacity (`--bg-opacity: 1`), or a variable one, tells nothing.
    """
    opacity: str | None = None
    for selector in split_list(selectors):
        last = _combinators(_inside_brackets(r"(\1)", selector).rstrip())[-1]  # ".x>.a:not(.b, .c)" -> ".a:not(.)"
        classes = [name for name in _classes_in(last.partition(":")[0]) if "." + name in page_names]
        if not classes or _has_momentary_state(selector):
            continue
        if opacity is None:
            opacity = read_declarations(block)[0].get("opacity", "var()")
        if "var(" in opacity:
            return
        if is_faint(opacity):
            depends_on_state = ":not(." in last
        else:
            depends_on_state = len(_classes_in(selector)) > 1
        if depends_on_state:
            yield from classes
