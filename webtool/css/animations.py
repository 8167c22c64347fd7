"""Keyframes of animations. In: @keyframes blocks. Out: whether an animation shows or hides its element in the end.

Tests: tests/css/test_sheets.py
"""

from __future__ import annotations

from webtool.css.declarations import read_declarations, style_of_values
from webtool.lean.memory import Remembered


class Animations:
    """The animations that the style sheets of one page define."""

    def __init__(self) -> None:
        self._ends_visible: dict[str, bool] = {}  # by name; only animations that have a last keyframe
        self._is_always_hidden: dict[str, bool] = {}  # by name: whether no keyframe shows the element
        self._with_start: set[str] = set()  # names of animations that have a first keyframe

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
        ends = [self._ends_visible[name] for name in _words_of(animation) if name in self._ends_visible]
        return any(ends) if ends else None

    def hide_throughout(self, animation: str) -> bool:
        """Return whether one of the named animations hides the element from its first keyframe to its last."""
        return any(self._is_always_hidden[name] for name in _words_of(animation) if name in self._with_start)


def _words_of(animation: str) -> list[str]:
    return animation.replace(",", " ").split()


# Whether a keyframe's block shows the element. Sheets have thousands of keyframes, and few that differ.
_shows = Remembered(lambda block: "hides" not in style_of_values(read_declarations(block)[0]))
