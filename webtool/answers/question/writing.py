"""Write chosen units as one text. In: a page, its units, the numbers of the chosen ones. Out: markdown, and passages.

Each passage follows its path of headings ("## Fees > Yachts"). Whatever is left out between two lines of the text is
shown as [...], also right below a heading and inside tables and code, so that two lines are neighbours only if the page
has them side by side. Table rows follow the head and rule row of their table; code keeps its fence and language.

Tests: tests/answers/question/test_excerpt.py
"""

from __future__ import annotations

from webtool.answers.blocks import CODE, HEADING, ITEM, LABEL, LINES, ROW, Block, Page
from webtool.answers.budget import shortened
from webtool.answers.question.units import Unit, row_text
from webtool.answers.reading import as_read
from webtool.lean.records import NamedTuple

GAP = "[...]"
_MAX_TITLE = 50  # characters of one heading in a path; a longer one ends in an ellipsis
_MAX_ANSWER_TITLE = 300  # characters of a heading that is itself chosen
_MAX_HEADER = 800  # characters of a table's head; a longer one is not shown
_MAX_FENCE = 60  # characters of the line that opens a code block; a longer one loses its info string
_MAX_INDENT = 20  # characters before the mark of a nested list item
_MARKS = " \t-*_|:`~>#=+"  # a line of these alone shows nothing to a reader


class Passage(NamedTuple):
    """Lines of the page of which an excerpt has all or a part."""

    first_line: int
    last_line: int
    heading: str  # the path of headings above; "" without one


class Writer:
    """Writes one page's units. `levels` is the number of nearest headings of a path that are shown."""

    def __init__(self, page: Page, units: list[Unit], levels: int) -> None:
        self._page, self._units, self._levels = page, units, levels
        self._headings: dict[int, str] = {-1: ""}  # lines that heading() returned
        self._headers: dict[int, str] = {}  # lines that table_header() returned
        self._heading_at = {heading.line: number for number, heading in enumerate(page.headings)}
        self._has_title = len({heading.title for heading in page.headings if heading.level == 1}) == 1

    def heading(self, number: int, is_answer: bool = False) -> str:
        """Return the line that shows a heading's path. The page's title is left out, as everything is below it.

        `is_answer`: the heading itself was chosen, so it is shown in full, the title too.
        """
        line = self._headings.get(number)
        if line is None or is_answer:
            path = self._page.path(number)
            if self._has_title and not is_answer and self._page.headings[self._root(number)].level == 1:
                path = path[1:]
            limits = [_MAX_TITLE] * (len(path) - 1) + [_MAX_ANSWER_TITLE if is_answer else _MAX_TITLE]
            short = [shortened(title, limit) for title, limit in zip(path, limits) if title]
            line = self._headings[number] = "## " + " > ".join(short[-self._levels :]) if short else ""
        return line

    def _root(self, number: int) -> int:
        while self._page.headings[number].parent >= 0:
            number = self._page.headings[number].parent
        return number

    def table_header(self, block: Block) -> str:
        """Return the head and rule row of a row's table; "" if the head is too long to repeat."""
        header = self._headers.get(block.header_line)
        if header is None:
            header = self._page.lines[block.header_line - 1]
            if not self._page.is_values:
                rule = self._page.lines[block.header_line].strip(" >\t").replace(" ", "")
                header = f"| {row_text(header)} |\n{rule}"
            header = self._headers[block.header_line] = header if len(header) <= _MAX_HEADER else ""
        return header

    def fences(self, block: Block) -> tuple[str, str]:
        """Return the lines that open and close a code block: "```python" and "```"."""
        line = self._page.lines[block.first - 1]
        start = min((place for place in map(line.find, ("```", "~~~")) if place >= 0), default=-1)
        opening = line[start:].rstrip() if start >= 0 else "```"
        mark = opening[: len(opening) - len(opening.lstrip(opening[0]))][:_MAX_FENCE]
        return (opening if len(opening) <= _MAX_FENCE else mark), mark

    def text(self, chosen: list[int]) -> str:
        """Return the chosen units as markdown, in the order given."""
        out = _Lines()
        shown_heading = -1
        above = -1  # the last heading shown; its path names the headings above it, so they are not a gap
        position = 0  # the last line of the page that is written, or that a heading line stands for
        previous = -1  # the last unit written under the heading
        indents: list[tuple[int, int]] = []  # (indent on the page, indent as written) of the last item and those above
        for index in chosen:
            unit = self._units[index]
            block = self._page.blocks[unit.block]
            is_heading = block.kind in (HEADING, LABEL)
            if block.heading != shown_heading:
                shown_heading = block.heading
                line = self._page.headings[shown_heading].line
                out.end_block()
                heading = self.heading(shown_heading, is_heading)
                above = shown_heading if heading or not position else -1  # the title is not shown, so it is a gap
                if heading:
                    out.add(heading, self._has_text(position, line, shown_heading))
                    position, previous = line, -1
            if is_heading:
                continue
            is_same_block = previous >= 0 and self._units[previous].block == unit.block
            if is_same_block:
                has_gap = index != previous + 1
            else:
                has_gap = not self._begins_block(index) or (previous >= 0 and not self._begins_block(previous + 1))
                has_gap = has_gap or self._has_text(position, block.first, above)
            indents = self._indents(indents, block) if block.kind == ITEM else []
            if block.kind == ROW:
                self._append_row(out, index, position, is_same_block, has_gap)
            elif block.kind == LINES and is_same_block and unit.first > self._units[previous].last:
                out.add(unit.text, has_gap)
            else:
                self._append(out, index, is_same_block, has_gap, indents[-1][1] if indents else 0)
            position, previous = block.last if block.kind != ROW else block.first, index
        if chosen:
            out.end_block()
            is_end = previous < 0 or self._begins_block(previous + 1)
            if not is_end or self._has_text(position, len(self._page.lines) + 1, -1):
                out.add(GAP)
        return "\n".join(out.lines)

    def _begins_block(self, index: int) -> bool:
        """Return whether no unit before this one is in its block; True past the last unit."""
        units = self._units
        return index in (0, len(units)) or units[index].block != units[index - 1].block

    def _has_text(self, after: int, before: int, heading: int) -> bool:
        """Return whether a reader sees anything between two lines, besides headings above `heading`."""
        above = set()
        while heading >= 0:
            above.add(heading)
            heading = self._page.headings[heading].parent
        for number in range(after + 1, before):
            line = self._page.lines[number - 1]
            if line.strip(_MARKS) and self._heading_at.get(number, -2) not in above and as_read(line).strip(_MARKS):
                return True
        return False

    def _indents(self, above: list[tuple[int, int]], block: Block) -> list[tuple[int, int]]:
        """Return the indents down to this list item. It is indented if an item above it was written, as on the page."""
        indent = self.indent(block)
        above = [pair for pair in above if pair[0] < indent]
        return [*above, (indent, above[-1][1] + indent - above[-1][0] if above else 0)]

    def indent(self, block: Block) -> int:
        """Return the characters before the mark of a list item, at most _MAX_INDENT."""
        line = self._page.lines[block.first - 1]
        return min(len(line) - len(line.lstrip()), _MAX_INDENT)

    def _append(self, out: _Lines, index: int, is_same_block: bool, has_gap: bool, indent: int = 0) -> None:
        """Append a unit of text or code, after a gap if the page has something before it that is not shown."""
        unit = self._units[index]
        block = self._page.blocks[unit.block]
        if block.kind != CODE:
            if is_same_block:
                out.lines[-1] += (f" {GAP} " if has_gap else " ") + unit.text
            else:
                out.begin_block(block.kind)
                out.add(" " * indent + unit.text, has_gap)
            return
        if not is_same_block:
            out.begin_block(CODE)
            opening, closing = self.fences(block)
            is_begun = self._begins_block(index)
            out.add(opening, has_gap and is_begun)
            out.closing, has_gap = closing, not is_begun
        if is_same_block and not has_gap and unit.first == self._units[index - 1].first:
            out.lines[-1] += unit.text  # the line before was cut, as it was long
        else:
            out.add(unit.text, has_gap)

    def _append_row(self, out: _Lines, index: int, position: int, is_same_block: bool, has_gap: bool) -> None:
        """Append a table row, below the head of its table. `position` is the last line that was written before."""
        text, block = self._units[index].text, self._page.blocks[self._units[index].block]
        before, after = ("", "") if self._page.is_values else ("| ", " |")
        if is_same_block:  # a long row in pieces
            so_far = out.lines[-1]
            out.lines[-1] = so_far[: len(so_far) - len(after)] + (f" {GAP} " if has_gap else " ") + text + after
            return
        header = self.table_header(block)
        if out.table != block.header_line:
            out.begin_block(ROW)
            out.table = block.header_line
            if header:
                out.add(header, self._has_text(position, block.header_line, block.heading))
                has_gap = self._has_text(block.header_line, block.first, block.heading)
        if not header or block.first != block.header_line:
            out.add(before + text + after, has_gap)

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


class _Lines:
    """Lines of an excerpt. Between two blocks that markdown would join there is an empty line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.closing = ""  # the line that ends the open code block
        self.table = 0  # the line of the head of the open table
        self._kind = ""

    def add(self, text: str, has_gap: bool = False) -> None:
        """Append a line, after a gap if there is one."""
        if has_gap:
            self.lines.append(GAP)
        self.lines.append(text)

    def end_block(self) -> None:
        """Close the open code block or table."""
        if self.closing:
            self.lines.append(self.closing)
        if self.table:
            self.lines.append("")
        self.closing, self.table, self._kind = "", 0, ""

    def begin_block(self, kind: str) -> None:
        """Begin a block of this kind."""
        is_joined = bool(self._kind) and not (kind == self._kind == ITEM)
        is_joined = is_joined and not self.table and not self.closing
        self.end_block()
        if is_joined:
            self.lines.append("")
        self._kind = kind
