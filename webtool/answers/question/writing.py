"""Write chosen units as one text. In: a page, its units, the numbers of the chosen ones. Out: markdown, and passages.

Each passage follows its path of headings ("## Fees > Yachts"). A gap is shown as [...]. A table row follows the header
of its table.

Tests: tests/answers/question/test_excerpt.py
"""

from __future__ import annotations

from webtool.answers.blocks import CODE, ROW, Block, Page
from webtool.answers.budget import shortened
from webtool.answers.question.units import Unit
from webtool.answers.reading import as_read
from webtool.lean.records import NamedTuple

GAP = "[...]"
_MAX_TITLE = 50  # characters of one heading in a path; a longer one ends in an ellipsis
_MAX_HEADER = 400  # characters of a table's header; a longer one is not shown


class Passage(NamedTuple):
    """Lines of the page of which an excerpt has all or a part."""

    first_line: int
    last_line: int
    heading: str
    """The path of headings above; "" if there is none."""


class Writer:
    """Writes one page's units. `levels` is the number of nearest headings of a path that are shown."""

    def __init__(self, page: Page, units: list[Unit], levels: int) -> None:
        self._page, self._units, self._levels = page, units, levels
        self._headings: dict[int, str] = {-1: ""}  # lines that heading() returned
        self._headers: dict[int, str] = {}  # lines that table_header() returned
        self._has_title = sum(heading.level == 1 for heading in page.headings) == 1

    def heading(self, number: int) -> str:
        """Return the line that shows a heading's path. The page's title is left out, as everything is below it."""
        line = self._headings.get(number)
        if line is None:
            path = self._page.path(number)
            if self._has_title and self._page.headings[self._root(number)].level == 1:
                path = path[1:]
            short = [shortened(title, _MAX_TITLE) for title in path if title]
            line = self._headings[number] = "## " + " > ".join(short[-self._levels :]) if short else ""
        return line

    def _root(self, number: int) -> int:
        """Return the topmost heading above a heading."""
        while self._page.headings[number].parent >= 0:
            number = self._page.headings[number].parent
        return number

    def table_header(self, block: Block) -> str:
        """Return the header and delimiter lines for a table row; "" for the header itself or an empty header."""
        if not block.header or block.header == block.first:
            return ""
        header = self._headers.get(block.header)
        if header is None:
            cells = [cell.strip() for cell in as_read(self._page.lines[block.header - 1]).strip(" >\t|").split("|")]
            text = " | ".join(cells)
            fits = any(cells) and len(text) <= _MAX_HEADER
            header = f"| {text} |\n|{'---|' * len(cells)}" if fits else ""
            self._headers[block.header] = header
        return header

    def text(self, chosen: list[int]) -> str:
        """Return the chosen units as markdown, in the order given."""
        lines: list[str] = []
        previous = -1
        shown: set[int] = set()  # headers that are written above the current rows
        for index in chosen:
            block = self._page.blocks[self._units[index].block]
            last = self._page.blocks[self._units[previous].block] if previous >= 0 else None
            is_next = index == previous + 1
            if last is None or last.heading != block.heading:
                lines += ([] if is_next else [GAP]) + [line for line in [self.heading(block.heading)] if line]
            elif not is_next and last is not block:
                lines.append(GAP)
            if last is None or last.heading != block.heading or block.header not in shown:
                shown = {block.header}
                lines += [line for line in [self.table_header(block)] if line]
            self._append(lines, index, block, is_next if last is block else None)
            previous = index
        if chosen and previous + 1 < len(self._units):
            lines.append(GAP)
        return "\n".join(lines)

    def _append(self, lines: list[str], index: int, block: Block, follows: bool | None) -> None:
        """Append one unit. `follows` is None for the first unit of its block, else: is there no gap before it?"""
        text = self._units[index].text
        if block.kind == ROW:
            lines.append(f"| {text} |")
        elif block.kind == CODE:
            if follows is None:
                lines.append(f"```\n{text}\n```")
            else:
                lines[-1] = lines[-1][: -len("\n```")] + ("" if follows else "\n" + GAP) + f"\n{text}\n```"
        elif follows is None:
            lines.append(text)
        else:
            lines[-1] += (" " if follows else f" {GAP} ") + text

    def passages(self, chosen: list[int]) -> tuple[Passage, ...]:
        """Return runs of lines of which the chosen units are parts, each with its heading."""
        passages: list[Passage] = []
        previous = (-2, -1)
        for index in chosen:
            unit = self._units[index]
            heading = self._page.blocks[unit.block].heading
            if previous == (index - 1, heading) or (
                passages and passages[-1].last_line == unit.first and previous[1] == heading
            ):
                passages[-1] = passages[-1]._replace(last_line=unit.last)
            else:
                passages.append(Passage(unit.first, unit.last, " > ".join(self._page.path(heading))))
            previous = (index, heading)
        return tuple(passages)
