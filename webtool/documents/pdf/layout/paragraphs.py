"""Divide the lines of a region into blocks: paragraphs, list items, preformatted text, tables. In: lines. Out: Blocks.

A region is a part of a page that is read from top to bottom, such as a column. A Segment is text on one baseline; one
whose `table` is set represents a table. A line continues the paragraph above it unless there is evidence against it:
distance, size, weight, an indent, a bullet, another tag of the document's structure, or room for its first word at the
end of the line above. Leading is the usual distance between the baselines of a region.
Tests: tests/documents/pdf/test_layout.py
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, groupby, zip_longest

from webtool.documents.pdf.layout import LEADER, Segment, extent, joined_on_line
from webtool.documents.pdf.layout.bidi import STRONG_RTL, Run
from webtool.documents.pdf.layout.line_ends import joined
from webtool.documents.pdf.layout.lines import is_contents_entry
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

_MAX_BASELINE_STEP = 1.0  # points; segments that are closer in height are on one baseline
_MIN_LINE_STEP = 0.8  # times the font size; baselines that are closer belong to one formula, not to two lines
_FOUR_LETTERS = patterns.compile(r"[^\W\d_]{4}")  # formulas have no word so long
# How list items start.
_BULLET = patterns.compile(r"\s*([•◦▪▫‣●○■□➢➤✓✔❖◆⁃∙·]|[-–—*](?= ))\s*")
_SURE_BULLET = patterns.compile(r"\s*[•◦▪▫‣●○■□➢➤✓✔❖◆⁃∙]")
_NUMBER = patterns.compile(r"\s*\(?(\d{1,3})[.)]\s+(?=\S)")
_LETTERED = patterns.compile(r"\s*(?:\(?([a-z]|[ivx]{1,4})\)|[a-z]\.|[☐☑☒◯◉])\s+(?=\S)")
_SECTION = patterns.compile(r"(?:\d{1,3}|[A-Z]\.\d+)(?:\.\d+)* ")  # the number of a heading
_SENTENCE_END = (".", "!", "?", ":", ";", "。", "”", '"', ")", "…")
_USUAL_LEADING, _MOST_LEADING = 1.2, 2.2  # times the font size: the leading of a single line; a larger one is cut
_MAX_LEADING = 1.35  # times the leading; a larger step down begins a paragraph
_MAX_PRE_LEADING = 3.5  # times the leading; a larger step ends preformatted text, which may have blank lines
_SAME_SIZE = 0.08  # share of the font size; lines of one paragraph differ by less
_MAX_COLUMN_STEP = 4.0  # points; columns of a table that goes on after a page break differ by less
_MAX_CHANCE_LINES = 3  # justified text has more lines than this that end at one place
_MIN_FLUSH_LINES = 3  # flush-right text has at least this many lines
_MAX_LAST_ROWS = 3  # rows that go on a table after a page break; more are found as a table of their own
_MIN_PROSE_WORDS = 8  # fewer words in a narrow column may be those of an address
_MAX_ADDRESS_WIDTH = 14.0  # wider lines that all begin with a capital or a digit may be those of a paragraph
_MIN_JUSTIFIED = 0.3  # text is justified if more than this share of its lines ends at one place
_MAX_OVERFULL = 0.2  # share of lines that end beyond that place; text with more is not justified
_MIN_INDENT, _MAX_INDENT = 0.8, 5.0  # of a paragraph's first line


class Block(NamedTuple):
    """A paragraph, a list item, preformatted text or a table."""

    kind: str  # "text", "item", "pre" or "table"
    runs: list[Run]
    size: float = 0.0  # of the font, in points
    is_bold: bool = False
    x: float = 0.0  # left end of the first line, in points
    marker: str = ""  # bullet or number of an item
    lines: int = 1  # how many lines the block had on the page
    tag: int = -1  # number of its element in the structure tree; below 0 without one, see pdf/state.py
    rows: list[list[list[Run]]] | None = None  # cells of a table
    columns: tuple[tuple[float, float], ...] = ()  # left and right end of each column of a table
    role: str = ""  # structure type, "" if it is not tagged

    @property
    def text(self) -> str:
        """The block's text without links."""
        return "".join([text for text, _ in self.runs])


def blocks(region: list[Segment]) -> list[Block]:
    """Return the blocks of one region, from the top."""
    result: list[Block] = []
    for is_text, group in groupby(_lines(region), key=lambda line: line.table is None):
        lines = list(group)
        result.extend(_paragraphs(lines) if is_text else [_table(line.table) for line in lines if line.table])
    return result


def _table(rows: list[list[list[Segment]]]) -> Block:
    width = max(map(len, rows))
    columns = []
    for index in range(width):
        cells_of_column = [row[index] for row in rows if index < len(row)]
        columns.append(extent(segment for cell in cells_of_column for segment in cell))
    cells = [[joined([segment.runs for segment in cell]) for cell in row] for row in rows]
    return Block("table", [], rows=cells, columns=tuple(columns))


def _paragraphs(lines: list[Segment]) -> list[Block]:
    """Return the blocks of lines without tables."""
    steps = sorted(
        (a.y - b.y) / a.size for a, b in zip(lines, lines[1:]) if _MIN_LINE_STEP * a.size <= a.y - b.y < 3 * a.size
    )
    # The distance a third up the list, so that gaps between paragraphs do not raise it.
    leading = min(steps[len(steps) // 3], _MOST_LEADING) if steps else _USUAL_LEADING
    # In flush-right text the room is on the left, and each line of an address was ended on purpose. An infinite right
    # edge gives each line room for another word.
    right = float("inf") if _is_flush_right(lines) or _is_address(lines) else _right_edge(lines)
    result: list[Block] = []
    start = 0
    for index in range(1, len(lines) + 1):
        if index == len(lines) or _starts_paragraph(lines, index, start, leading, right):
            result.append(_block(lines[start:index]))
            start = index
    return result


def _right_edge(lines: list[Segment]) -> float:
    """Return where the lines of justified text end, except a few overfull ones; else the end of the longest line."""
    edge, count = Counter(round(line.end) for line in lines).most_common(1)[0]
    overfull = sum(line.end > edge + 1 for line in lines)
    has_edge = count > max(_MAX_CHANCE_LINES, _MIN_JUSTIFIED * len(lines))
    is_justified = has_edge and overfull < _MAX_OVERFULL * len(lines)
    return edge if is_justified else max(line.end for line in lines)


def _is_flush_right(lines: list[Segment]) -> bool:
    """Return whether left-to-right lines end at one place and start at many, as an address at the right does."""
    ends = [line.end for line in lines]
    starts = {round(line.x) for line in lines}
    is_flush = len(lines) >= _MIN_FLUSH_LINES and max(ends) - min(ends) < 0.5 * lines[0].size
    return is_flush and 2 * len(starts) > len(lines) and not any(STRONG_RTL.search(line.text) for line in lines)


def _is_address(lines: list[Segment]) -> bool:
    """Return whether lines are an address in a narrow column: "Dunes & Sons", "7 Mill Lane", "Bergen".

    In running text at least half of the words are in small letters, in German too, where nouns have capitals.
    """
    width = max(line.end for line in lines) - lines[0].x
    starts = [line.text[:1] for line in lines]
    words = [word for line in lines for word in line.text.split()]
    is_prose = len(words) >= _MIN_PROSE_WORDS and 2 * sum(map(str.islower, words)) >= len(words)
    return (
        len(lines) >= _MIN_FLUSH_LINES
        and not is_prose
        and not all(line.is_bold for line in lines)  # a heading
        and width < _MAX_ADDRESS_WIDTH * lines[0].size
        and all(abs(line.x - lines[0].x) < 1 for line in lines)
        and all(start.isupper() or start.isdecimal() for start in starts)
        and any(letter.isdecimal() for line in lines for letter in line.text)
    )


def is_same_table(above: Block, below: Block) -> bool:
    """Return whether a table continues the one before the page break: columns share an end or the middle, or heads."""
    if not above.rows or not below.rows or len(above.columns) != len(below.columns):
        return False
    if above.rows[0] == below.rows[0] and sum(map(bool, below.rows[0])) > 1:
        return True
    # A column without text begins at infinity.
    pairs = [(a, b) for a, b in zip(above.columns, below.columns) if a[0] + b[0] < float("inf")]
    return all(_is_aligned(a, b) for a, b in pairs)


def _is_aligned(a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Return whether two columns, by their ends, have the same left end, right end or middle."""
    return min(abs(a[0] - b[0]), abs(a[1] - b[1]), abs(sum(a) - sum(b)) / 2) < _MAX_COLUMN_STEP


def last_rows(above: Block, segments: list[Segment]) -> tuple[Block, list[Segment]]:
    """Return the table above a page break with the page's first lines that fit its columns, and the other segments.

    A row or two without a head are too few to be found as a table on their own page.
    """
    rows: list[list[list[Run]]] = []
    taken: set[int] = set()
    for line in _by_baseline(segments):
        row = _row_of(above, line)
        if not row:
            break
        rows.append(row)
        taken.update(map(id, line))
    if not 0 < len(rows) <= _MAX_LAST_ROWS:
        return above, segments
    return join_tables(above, above._replace(rows=rows)), [segment for segment in segments if id(segment) not in taken]


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


def join_tables(above: Block, below: Block) -> Block:
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


def _by_baseline(segments: list[Segment]) -> list[list[Segment]]:
    """Return the segments of each baseline from left to right, the highest baseline first."""
    result: list[list[Segment]] = []
    top = 0.0
    for segment in sorted(segments, key=lambda segment: -segment.y):
        if result and top - segment.y < _MAX_BASELINE_STEP:
            result[-1].append(segment)
        else:
            top = segment.y
            result.append([segment])
    return [sorted(line, key=lambda segment: segment.x) for line in result]


def _lines(segments: list[Segment]) -> list[Segment]:
    """Join segments that are side by side on one baseline."""
    result: list[Segment] = []
    for segment in chain.from_iterable(_by_baseline(segments)):
        last = result[-1] if result else None
        if (
            last
            and last.table is None
            and segment.table is None
            and abs(last.y - segment.y) < 0.3 * min(last.size, segment.size)
            and segment.x >= last.end - 1
        ):
            result[-1] = joined_on_line(last, segment)
        else:
            result.append(segment)
    return result


def _starts_paragraph(lines: list[Segment], index: int, start: int, leading: float, right: float) -> bool:
    """Return whether a line starts a new block.

    `start` is the index of the first line of the block above; `right` is the right edge of the region's lines,
    infinity if each line was ended on purpose.
    """
    line, above = lines[index], lines[index - 1]
    step = (above.y - line.y) / above.size
    if line.is_fixed_pitch and above.is_fixed_pitch:
        return not 0 <= step <= _MAX_PRE_LEADING * max(leading, 1.0)
    is_close = 0 <= above.y - line.y < _MIN_LINE_STEP * min(line.size, above.size)
    if is_close and not _FOUR_LETTERS.search(f"{above.text} {line.text}"):
        are_of_one_formula = not line.is_fixed_pitch and not above.is_fixed_pitch
        return not are_of_one_formula
    if step < 0 or step > _MAX_LEADING * leading:
        return True
    if f"{above.text} ".endswith(LEADER):  # a blank to fill in: "Name: ....."
        return True
    # An entry of a table of contents ends with its page number; its leader may be lost.
    if is_contents_entry(above.text) or (is_contents_entry(line.text) and above.text[-1:].isdigit()):
        return True
    if line.tag != above.tag and line.tag >= 0 and above.tag >= 0:
        return True
    if abs(line.size - above.size) > _SAME_SIZE * above.size or line.is_fixed_pitch != above.is_fixed_pitch:
        return True
    if line.is_bold != above.is_bold and _is_short(above, right):
        return True
    # A dash or a number may come first on a line of running text by chance.
    is_apart = _is_short(above, right) or abs(line.x - above.x) > 0.5 * line.size or _is_item(above.text)
    if _is_item(line.text) and (is_apart or _SURE_BULLET.match(line.text)):
        return True
    # Flush-right lines begin at many places, and those of an address at one, so an indent says nothing.
    is_ended_on_purpose = right == float("inf")
    is_indented = not is_ended_on_purpose and _is_indented(lines, index, start)
    return is_indented or _has_room_for_word(above, line, right)


def _is_short(line: Segment, right: float) -> bool:
    """Return whether a line ends well before the right edge."""
    return line.end < right - 2 * line.size


def _is_indented(lines: list[Segment], index: int, start: int) -> bool:
    """Return whether a line has a first-line indent, relative to the line above.

    The second line of a list item, a numbered heading or a hanging indent does not count.
    """
    line, above = lines[index], lines[index - 1]
    if not _MIN_INDENT * line.size < line.x - above.x < _MAX_INDENT * line.size:
        return False
    if index - 1 > start:
        return True
    is_hanging = index + 1 < len(lines) and abs(lines[index + 1].x - line.x) < 2
    return not (_is_item(above.text) or _SECTION.match(above.text) or is_hanging)


def _has_room_for_word(above: Segment, line: Segment, right: float) -> bool:
    """Return whether a line's first word would have fitted on the line above, so that this was ended on purpose."""
    word = line.text.split(" ", 1)[0]
    # A leader is one character here, whatever its width.
    letter = 0.5 * line.size if LEADER in f"{line.text} " else (line.end - line.x) / max(1, len(line.text))
    width = letter * (len(word) + 2)
    if above.end + width > right - 0.5 * line.size:
        return False
    return above.text.endswith(_SENTENCE_END) or not line.text[:1].islower()


def _block(lines: list[Segment]) -> Block:
    """Return the block of some lines: preformatted if all have a fixed pitch, an item if the first has a marker."""
    first = lines[0]
    bold = all(line.is_bold for line in lines)
    tag = first.tag
    if all(line.is_fixed_pitch for line in lines):
        return Block("pre", [(_preformatted(lines), "")], first.size, bold, first.x, lines=len(lines), tag=tag)
    runs = joined([line.runs for line in lines])
    marker, length = _marker(runs[0][0])
    if marker:
        runs[0] = (runs[0][0][length:], runs[0][1])
        return Block("item", runs, first.size, bold, first.x, marker, len(lines), tag)
    return Block("text", runs, first.size, bold, first.x, lines=len(lines), tag=tag)


def _preformatted(lines: list[Segment]) -> str:
    """Return lines with their indents and blank lines, measured by the fixed pitch."""
    left = min(line.x for line in lines)
    parts = []
    above = None
    for line in lines:
        pitch = max((line.end - line.x) / max(1, len(line.text)), 1.0)
        if above is not None:
            parts.extend([""] * min(3, max(0, round((above.y - line.y) / (1.25 * line.size)) - 1)))
        parts.append(" " * min(80, round((line.x - left) / pitch)) + line.text)
        above = line
    return "\n".join(parts)


def _is_item(text: str) -> bool:
    return bool(_BULLET.match(text) or _NUMBER.match(text) or _LETTERED.match(text))


def _marker(text: str) -> tuple[str, int]:
    """Return an item's bullet or number and its length in the text: "3) a" -> ("3.", 3); ("", 0) for other text.

    Markdown lacks lettered lists: a letter or a check box stays in the text, and the marker is a dash.
    """
    match = _BULLET.match(text)
    if match:
        return match.group(1), match.end()
    match = _NUMBER.match(text)
    if match:
        return f"{match.group(1)}.", match.end()
    return ("-", 0) if _LETTERED.match(text) else ("", 0)
