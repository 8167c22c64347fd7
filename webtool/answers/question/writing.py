"""Chosen units, as one text. In: a page, its units, the numbers of the chosen ones. Out: markdown, and its passages.

Each passage stands under its heading path; what is left out is shown as [...]; a table row has its header above it.
"""

from __future__ import annotations

from webtool.answers.blocks import CODE, ROW, Block, Page
from webtool.answers.budget import shortened
from webtool.answers.question.units import Unit
from webtool.answers.reading import as_read
from webtool.lean.records import NamedTuple

GAP = "[...]"
_MAX_TITLE = 50  # characters of one heading in a path
_MAX_HEADER = 400  # characters of a table's header


class Passage(NamedTuple):
    """Lines of the page that an excerpt holds, wholly or in part."""

    first_line: int
    last_line: int
    heading: str
    """The path of headings above, "" for none."""


class Writer:
    """Writes one page's units. `levels` is how many headings of a path are shown."""

    def __init__(self, page: Page, units: list[Unit], levels: int) -> None:
        self._page, self._units, self._levels = page, units, levels
        self._headings: dict[int, str] = {-1: ""}
        self._headers: dict[int, str] = {}
        self._is_titled = sum(heading.level == 1 for heading in page.headings) == 1

    def heading(self, number: int) -> str:
        """The line that shows a heading's path; "" for the page's title, under which everything stands."""
        line = self._headings.get(number)
        if line is None:
            path = self._page.path(number)
            if self._is_titled and self._page.headings[self._root(number)].level == 1:
                path = path[1:]
            short = [shortened(one, _MAX_TITLE) for one in path if one]
            line = self._headings[number] = "## " + " > ".join(short[-self._levels :]) if short else ""
        return line

    def _root(self, number: int) -> int:
        while self._page.headings[number].parent >= 0:
            number = self._page.headings[number].parent
        return number

    def table_header(self, block: Block) -> str:
        """The two lines over a table's rows; "" for the header itself and for an empty one."""
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
        """The chosen units in their order."""
        lines: list[str] = []
        previous = -1
        shown: set[int] = set()  # tables whose header stands above the row being written
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
        """Write one unit. `follows` is None for the first of its block, else whether the one before it is there."""
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
        """Runs of lines that are there, each with its heading."""
        found: list[Passage] = []
        previous = (-2, -1)
        for index in chosen:
            unit = self._units[index]
            heading = self._page.blocks[unit.block].heading
            if previous == (index - 1, heading) or (
                found and found[-1].last_line == unit.first and previous[1] == heading
            ):
                found[-1] = found[-1]._replace(last_line=unit.last)
            else:
                found.append(Passage(unit.first, unit.last, " > ".join(self._page.path(heading))))
            previous = (index, heading)
        return tuple(found)
