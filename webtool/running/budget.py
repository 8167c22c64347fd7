"""How much text one conversion may hold. In: a limit in characters, then the sizes as they are made. Out: Spent, once.

What a file refers to twice is written twice (strings, cells, chapters, link targets, spans), so that a kilobyte can ask
for gigabytes. Whatever makes text takes its size here before or as it makes it; what started the conversion catches
Spent, keeps the text so far and says so with `note`. Pure; no clock, no memory measured.
"""

from __future__ import annotations

TIMES = 8  # how much text a body may make, in multiples of the most bytes that are fetched
DEFAULT = TIMES * 5_242_880  # characters; for callers without settings


class Spent(Exception):  # a signal between a converter and its caller, never shown
    """More text was asked for than the budget has."""


class Budget:
    """What one conversion may still make; shared by all its parts."""

    __slots__ = ("left", "limit")

    def __init__(self, limit: int = DEFAULT) -> None:
        self.limit = limit
        self.left = limit

    def take(self, size: int) -> None:
        """Count `size` characters. Raises Spent when that is more than what is left, then and ever after."""
        self.left -= size
        if self.left < 0:
            raise Spent

    @property
    def is_spent(self) -> bool:
        """Whether Spent was raised."""
        return self.left < 0

    def note(self) -> str:
        """What to tell the reader of the text so far; "" where it is whole."""
        if self.left >= 0:
            return ""
        return f"The text was cut: written out, it would have more than {self.limit:,} characters."
