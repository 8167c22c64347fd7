"""How much of a text a model is sent. In: a text, a first line, a number of tokens. Out: lines, and where to go on.

Tokens are estimated, not counted: four bytes each as the text stands in a JSON string, which is what clients pass on.
"""

from __future__ import annotations

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


def estimate(text: str) -> int:
    """Tokens of a text, at four bytes each; line ends, quotes and backslashes take two bytes in JSON."""
    size = len(text.encode("utf-8", "replace")) + text.count("\n") + text.count('"') + text.count("\\")
    return -(-size // BYTES_PER_TOKEN)


def part_of(text: str, offset: int = 1, max_tokens: int = 0) -> Part:
    """Lines from `offset` on, as many as fit; `max_tokens` 0 is unlimited. Past the end there are none."""
    lines = text.split("\n") if text else []
    if offset > len(lines):
        return Part("", offset, len(lines))
    if not max_tokens or estimate(text) <= max_tokens:
        return Part("\n".join(lines[offset - 1 :]), offset, len(lines))
    left = max_tokens
    end = offset - 1
    while end < len(lines):
        left -= estimate(lines[end] + "\n")
        if left < 0:
            break
        end += 1
    if end == offset - 1:  # not even one line fits
        start = cut(lines[end], max_tokens)
        return Part(start, offset, len(lines), end + 2 if end + 1 < len(lines) else None, cut_line=offset)
    return Part("\n".join(lines[offset - 1 : end]), offset, len(lines), end + 1 if end < len(lines) else None)


def cut(text: str, max_tokens: int) -> str:
    """The start of a text, no longer than the limit."""
    kept = text.encode("utf-8", "replace")[: max_tokens * BYTES_PER_TOKEN].decode("utf-8", "ignore")
    while estimate(kept) > max_tokens and kept:
        kept = kept[: -max(1, len(kept) // 16)]
    return kept


def shortened(text: str, limit: int = MAX_TITLE) -> str:
    """The text, ending in an ellipsis where it has more characters than `limit`."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
