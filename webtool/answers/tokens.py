"""How much of a text a model is sent. In: a text, a first line, a number of tokens. Out: lines, and where to go on.

Tokens are estimated, not counted: four bytes each as the text stands in a JSON string, which is what clients pass on.
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.lean.records import NamedTuple

BYTES_PER_TOKEN = 4
MAX_TITLE = 500
"""Characters of a title in an answer that is limited; the page's author chose its length."""


class Part(NamedTuple):
    """Some lines of a text. Numbers of lines begin with 1."""

    text: str
    first: int
    total: int
    next_offset: int | None = None
    """The first line that is not in the part; None at the end of the text."""
    cut_line: int | None = None
    """A line that alone is longer than the limit and so ends early."""

    @property
    def length(self) -> int:
        """How many lines there are in it."""
        return 0 if self.first > self.total else self.text.count("\n") + 1


def estimate(text: str) -> int:
    """Tokens of a text, at four bytes each; line ends, quotes and backslashes take two bytes in JSON."""
    size = len(text.encode("utf-8", "replace")) + text.count("\n") + text.count('"') + text.count("\\")
    return -(-size // BYTES_PER_TOKEN)


def count_fitting(sizes: Iterable[int], room: int) -> int:
    """How many of the first sizes make no more than `room` together."""
    count = 0
    for size in sizes:
        room -= size
        if room < 0:
            break
        count += 1
    return count


def part_of(text: str, offset: int = 1, max_tokens: int = 0, limit: int | None = None) -> Part:
    """Lines from `offset` on, at most `limit`, as many as fit; `max_tokens` 0 is unlimited. Past the end are none."""
    lines = text.split("\n") if text else []
    if offset > len(lines):
        return Part("", offset, len(lines))
    shown = lines[offset - 1 :][:limit]
    cut_line = None
    if max_tokens and estimate(text) > max_tokens:
        fitting = count_fitting((estimate(line + "\n") for line in shown), max_tokens)
        cut_line = None if fitting else offset
        shown = shown[:fitting] or [cut(shown[0], max_tokens)]
    following = offset + len(shown)
    return Part("\n".join(shown), offset, len(lines), following if following <= len(lines) else None, cut_line)


def paging(part: Part) -> list[str]:
    """What a reader is told of a part: what is missing, and where it goes on."""
    notes = []
    if part.next_offset is not None:
        last = part.next_offset - 1
        notes.append(f"lines {part.first} to {last} of {part.total}: go on with offset {part.next_offset}")
    if part.cut_line is not None:
        notes.append(f"line {part.cut_line} is longer than max_tokens and ends early: give more max_tokens")
    if part.first > max(part.total, 1):
        notes.append(f"offset {part.first} is past the end; there are {part.total} lines")
    return notes


def cut(text: str, max_tokens: int) -> str:
    """The start of a text, no longer than the limit."""
    kept = text.encode("utf-8", "replace")[: max_tokens * BYTES_PER_TOKEN].decode("utf-8", "ignore")
    while estimate(kept) > max_tokens and kept:
        kept = kept[: -max(1, len(kept) // 16)]
    return kept


def shortened(text: str, limit: int = MAX_TITLE) -> str:
    """The text, ending in an ellipsis where it has more characters than `limit`."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
