"""Limit how much text one conversion makes. In: a limit in characters, then the size of each piece. Out: Spent. Pure.

A file may refer to one string, cell or chapter many times, and each reference is written out: a kilobyte can expand to
gigabytes. So a converter calls take() with the size of each text before or while it makes it. When the limit is passed,
take() raises Spent; whoever started the conversion catches it, keeps the text so far and adds note().
Tests: tests/running/test_budget.py
"""

from __future__ import annotations

MAX_GROWTH = 8  # characters of text that a body may make for each byte of the setting max_bytes
DEFAULT_LIMIT = MAX_GROWTH * 5_242_880  # characters; for callers without settings


class Spent(Exception):  # a signal between a converter and its caller, never shown
    """The conversion made more text than its budget allows."""


class Budget:
    """The characters that one conversion may still make; shared by all its parts."""

    __slots__ = ("left", "limit")

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        self.limit = limit
        self.left = limit

    def take(self, size: int) -> None:
        """Count `size` characters. Raises Spent if fewer are left, and at every later call."""
        self.left -= size
        if self.left < 0:
            raise Spent

    @property
    def is_spent(self) -> bool:
        """True after Spent was raised."""
        return self.left < 0

    def note(self) -> str:
        """Return a note for the reader that the text was cut; "" if it is complete."""
        if self.left >= 0:
            return ""
        return f"The text was cut: written out, it would have more than {self.limit:,} characters."
