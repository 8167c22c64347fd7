"""Look beside the main content. In: markdown of the main content and of the whole page. Out: what only the latter has.

Specifications, prices and dates are often outside the main content. merged() puts both texts into one Page, so that
passages inside and outside compete: the lines of the main content, a line between, the lines of the whole page, of
which only the blocks that the main content lacks are listed.

    main "# Phone\\n\\nIt is light."   whole "Menu\\n\\n# Phone\\n\\nIt is light.\\n\\n| Weight | 180 g |"
    ->  outside: "Menu", "| Weight | 180 g |"
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.answers.blocks import Block, Page, parse
from webtool.answers.reading import as_read
from webtool.answers.words import fold, has_word
from webtool.lean.records import NamedTuple

_BETWEEN = "(outside the main content)"  # no block has this line, so it is never shown
_MAX_SEARCHED = 50_000_000  # characters that are searched for lines which are part of a longer line of the main content
_MARKS = " \t-*_|:`~>#=+."


class Merged(NamedTuple):
    """The main content and what is beside it, as one page."""

    page: Page
    main_lines: int  # lines of the main content; line `main_lines + 1 + n` is line n of the whole page


def merged(main: str, whole: str) -> Merged:
    """Return the blocks of the main content, then those of the whole page that it lacks."""
    inner, outer = parse(main), parse(whole)
    shift, headings = len(inner.lines) + 1, len(inner.headings)
    is_outside = outside_of(main)
    beside: list[Block] = []
    for block in outer.blocks:
        if any(is_outside(line) for line in outer.lines[block.first - 1 : block.last]):
            heading = block.heading + headings if block.heading >= 0 else -1
            header = block.header and block.header + shift
            beside.append(
                block._replace(first=block.first + shift, last=block.last + shift, heading=heading, header=header)
            )
    if not beside:
        return Merged(inner, len(inner.lines))
    shifted = [
        heading._replace(
            line=heading.line + shift, parent=heading.parent + headings if heading.parent >= 0 else heading.parent
        )
        for heading in outer.headings
    ]
    lines = [*inner.lines, _BETWEEN, *outer.lines]
    return Merged(Page(lines, [*inner.headings, *shifted], [*inner.blocks, *beside]), len(inner.lines))


def outside_of(main: str) -> Callable[[str], bool]:
    """Return the test whether a line of the whole page is absent from the main content. Empty lines are not."""
    own_lines = dict.fromkeys(map(_plain, main.split("\n")))
    joined = "\n".join(own_lines)
    room = _MAX_SEARCHED

    def is_outside(line: str) -> bool:
        nonlocal room
        text = _plain(line)
        if not text.strip(_MARKS) or text in own_lines:
            return False
        room -= len(joined)
        return room < 0 or not has_word(joined, text)  # "Art" is not in "party"

    return is_outside


def _plain(line: str) -> str:
    """Return the folded text of a line as a reader sees it, without marks at its ends."""
    return " ".join(fold(as_read(line.strip(" \t>#*-+|"))).split())
