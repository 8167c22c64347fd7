"""Put the text of pages one after the other. In: the segments of each page. Out: the Blocks of the whole document.

A paragraph, a listing, a list item or a table may go on in the next column or on the next page. Its parts are joined.
Tests: tests/documents/pdf/test_convert.py, tests/documents/pdf/test_layout.py
"""

from __future__ import annotations

from itertools import zip_longest

from webtool.documents.pdf.layout import Segment, columns
from webtool.documents.pdf.layout.bidi import Run
from webtool.documents.pdf.layout.line_ends import joined
from webtool.documents.pdf.layout.paragraphs import Block, blocks_of, by_baseline
from webtool.documents.pdf.state import UNTAGGED

_MAX_FOOTNOTES = 12  # blocks of footnotes at the end of one column or page; more are not footnotes
_MAX_FOOTNOTE_SIZE = 0.93  # times the size of the text that goes on after it; larger type is not a footnote
_MAX_SIZE_STEP = 0.5  # points between the type of two parts of one paragraph
_ITEM_TYPES = ("LI", "LBody")  # structure types of list items
_MAX_COLUMN_STEP = 4.0  # points; columns of a table that goes on after a page break differ by less
_MAX_LAST_ROWS = 3  # rows that go on a table after a page break; more are found as a table of their own


class Body:
    """The blocks of all pages so far, in reading order."""

    def __init__(self, elements: dict[tuple[int, int], tuple[str, int]]) -> None:
        """`elements`: object number of a page and MCID -> structure type and number of the element."""
        self._blocks: list[Block] = []  # of a block that was continued, `runs` are those of its last part
        self._parts: dict[int, list[list[Run]]] = {}  # index of a block that was continued -> the runs of all its parts
        self._elements = elements
        self._started: set[int] = set()  # elements that have a block
        self._main_end = 0  # the main text of the pages so far ends before this block; margin notes may follow

    def add_page(self, number: int, heads: list[Segment], directions: list[list[Segment]]) -> None:
        """Add a page with this object number: the running heads that are new on it, and its other text by direction.

        The direction with most text comes first and is the main text, which may go on from page to page. Text in
        another direction stays apart, as "Downloaded from .." along the margin.
        """
        main, *others = directions
        if self._main_end and self._blocks[self._main_end - 1].rows:
            main = self._without_last_rows(main)
        top, *regions = self._regions(number, main) or [[]]
        if top and self._main_end and _is_same_table(self._blocks[self._main_end - 1], top[0]):
            self._blocks[self._main_end - 1] = joined_tables(self._blocks[self._main_end - 1], top.pop(0))
        top = self._without_continuation(top, self._main_end)
        # Only here, so that the heads of this page are not inside of a table or text that continues.
        before = len(self._blocks)
        self._blocks += [*blocks_of_lines(heads), *top]
        self._add_regions(regions)
        if len(self._blocks) > before:  # else all of the page was joined to the text before the last margin notes
            self._main_end = len(self._blocks)
        for direction in others:
            first, *regions = self._regions(number, direction) or [[]]
            self._blocks += first
            self._add_regions(regions)

    def _add_regions(self, regions: list[list[Block]]) -> None:
        """Add regions, each of which may continue the text before it."""
        for region in regions:
            self._blocks += self._without_continuation(region, len(self._blocks))

    def _without_last_rows(self, segments: list[Segment]) -> list[Segment]:
        """Move the last rows of a table from the top of a page to the table; return the other segments.

        If the page begins with a whole table, its rows stay: add_page() joins them.
        """
        table = self._blocks[self._main_end - 1]
        regions = columns.regions(segments)
        below = blocks_of(regions[0]) if regions else []
        if below and _is_same_table(table, below[0]):
            return segments
        self._blocks[self._main_end - 1], others = with_last_rows(table, segments)
        return others

    def _regions(self, number: int, direction: list[Segment]) -> list[list[Block]]:
        """Return the blocks of each region, with structure types.

        Their tags are the numbers of their elements instead of MCIDs: a paragraph over two lines has two MCIDs, and one
        element.
        """
        roles: dict[int, str] = {}  # number of an element -> structure type
        segments: list[Segment] = []
        for segment in direction:
            no_element = "", min(segment.tag, UNTAGGED)
            role, element = self._elements.get((number, segment.tag), no_element)
            roles[element] = role
            segments.append(segment._replace(tag=element))
        regions = columns.regions(segments)
        return [[self._with_role(block, roles) for block in blocks_of(region)] for region in regions]

    def _with_role(self, block: Block, roles: dict[int, str]) -> Block:
        """Return a block with its structure type. The first text of a list item gets a bullet, which may be drawn."""
        role = roles.get(block.tag, "")
        is_item = role in _ITEM_TYPES and block.kind == "text" and block.tag not in self._started
        self._started.add(block.tag)
        return block._replace(kind="item", marker="•") if is_item else block._replace(role=role)

    def _without_continuation(self, new: list[Block], end: int) -> list[Block]:
        """Join the first new block to the text before block `end` if it continues it; return the other new blocks."""
        if not end or not new:
            return new
        index = _last_before_footnotes(self._blocks, end, new[0].size)
        last, part = self._blocks[index], new[0]
        if not _continues(last, part):
            return new
        self._parts.setdefault(index, [last.runs]).append(part.runs)
        self._blocks[index] = last._replace(runs=part.runs, lines=last.lines + part.lines)
        return new[1:]

    def blocks(self) -> list[Block]:
        """Return all blocks. Their parts are joined only now: with each page, that would take quadratic time."""
        for index, parts in self._parts.items():
            block = self._blocks[index]
            is_listing = block.kind == "pre"  # which has no links
            text = "\n".join([text for runs in parts for text, _ in runs]) if is_listing else ""
            self._blocks[index] = block._replace(runs=[(text, "")] if is_listing else joined(parts))
        self._parts.clear()
        return self._blocks


def blocks_of_lines(lines: list[Segment]) -> list[Block]:
    """Return running heads as paragraphs, one for each line."""
    return [block for line in lines for block in blocks_of([line])]


def _last_before_footnotes(blocks: list[Block], end: int, size: float) -> int:
    """Return the index of the block before `end` that text of this size may continue in the next column or page.

    It is the last block above the footnotes. If all of the last _MAX_FOOTNOTES blocks are in small type, they are not
    footnotes, and it is block end - 1.
    """
    last = end - 1
    for index in range(last, max(last - _MAX_FOOTNOTES, -1), -1):
        block = blocks[index]
        if block.kind not in ("text", "item") or block.size >= _MAX_FOOTNOTE_SIZE * size:
            return index
    return last


def _continues(above: Block, below: Block) -> bool:
    """Return whether two blocks are parts of one paragraph, list item or listing.

    A listing always continues a listing. Text continues an unfinished sentence if it begins with a small letter, or if
    both parts are in one paragraph or list item of the structure tree.
    """
    if abs(above.size - below.size) > _MAX_SIZE_STEP:
        return False
    if above.kind == below.kind == "pre":
        return True
    if below.kind != "text" or above.kind not in ("text", "item") or above.text.endswith((".", "!", "?", ":")):
        return False
    is_same_element = above.tag == below.tag >= 0 and below.role in ("P", *_ITEM_TYPES)
    return is_same_element or (above.lines > 1 and below.text[:1].islower())


# Tables


def _is_same_table(above: Block, below: Block) -> bool:
    """Return whether a table continues the one before the page break: with its head again, or with aligned columns."""
    if not above.rows or not below.rows or len(above.columns) != len(below.columns):
        return False
    if above.rows[0] == below.rows[0] and sum(map(bool, below.rows[0])) > 1:
        return True
    # A column without text begins at infinity.
    pairs = [(a, b) for a, b in zip(above.columns, below.columns) if a[0] + b[0] < float("inf")]
    return all(_is_aligned(a, b) for a, b in pairs)


def _is_aligned(a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Return whether two columns have the same left end, right end or middle; each is given by its two ends."""
    return min(abs(a[0] - b[0]), abs(a[1] - b[1]), abs(sum(a) - sum(b)) / 2) < _MAX_COLUMN_STEP


def with_last_rows(above: Block, segments: list[Segment]) -> tuple[Block, list[Segment]]:
    """Return the table above a page break with the first lines of the page that fit it, and the other segments.

    A row or two without a head are too few to be found as a table on their own page.
    """
    rows: list[list[list[Run]]] = []
    taken: set[int] = set()
    for line in by_baseline(segments):
        row = _row_of(above, line)
        if not row:
            break
        rows.append(row)
        taken.update(map(id, line))
    if not 0 < len(rows) <= _MAX_LAST_ROWS:
        return above, segments
    others = [segment for segment in segments if id(segment) not in taken]
    return joined_tables(above, above._replace(rows=rows)), others


def _row_of(table: Block, line: list[Segment]) -> list[list[Run]]:
    """Return the segments of a line as a row of the table; [] unless each fits a column and two columns are filled."""
    row: list[list[Run]] = [[] for _ in table.columns]
    column = 0
    for segment in line:
        ends = (segment.x, segment.end)
        while column < len(row) and not _is_aligned(table.columns[column], ends):
            column += 1
        if column == len(row) or segment.table is not None:
            return []
        row[column] = segment.runs
        column += 1
    return row if len(line) > 1 else []


def joined_tables(above: Block, below: Block) -> Block:
    """Return one table of two: without a repeated head, and with a row that the page break divides joined again.

    The second half of a row lacks the first cell and fills less than half as many cells as the first half.
    """
    rows, rows_below = list(above.rows or []), list(below.rows or [])
    if rows_below[:1] == rows[:1]:
        del rows_below[:1]
    next_row: list[list[Run]] = rows_below[0] if rows_below else []
    if rows and next_row and not next_row[0] and 2 * sum(map(bool, next_row)) < sum(map(bool, rows[-1])):
        del rows_below[0]
        no_cell: list[Run] = []
        rows[-1] = [joined(list(halves)) for halves in zip_longest(rows[-1], next_row, fillvalue=no_cell)]
    return above._replace(rows=rows + rows_below)
