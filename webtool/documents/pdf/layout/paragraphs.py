"""Divide a region into blocks: paragraphs, list items, preformatted text, tables. In: its Segments. Out: Blocks.

A region is a part of a page that is read from top to bottom, such as a column. A Segment is text on one baseline; one
whose `table` is set represents a table. A line continues the paragraph above it unless there is evidence against it:
distance, size, weight, an indent, a bullet, another tag of the document's structure, or room for its first word at the
end of the line above. Leading is the usual distance between the baselines of a region, in font sizes.
Tests: tests/documents/pdf/test_layout.py
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, groupby

from webtool.documents.pdf.layout import LEADER, Segment, extent, joined_on_line
from webtool.documents.pdf.layout.bidi import STRONG_RTL, Run
from webtool.documents.pdf.layout.line_ends import joined
from webtool.documents.pdf.layout.lines import is_contents_entry
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

_MAX_BASELINE_STEP = 1.0  # points; segments that are closer in height are on one baseline
_MIN_LINE_STEP = 0.8  # font sizes; baselines that are closer belong to one formula, not to two lines
_MAX_LINE_STEP = 3.0  # font sizes; larger steps are not counted to find the leading
_FOUR_LETTERS = patterns.compile(r"[^\W\d_]{4}")  # formulas have no word so long
# How list items start.
_BULLET = patterns.compile(r"\s*([•◦▪▫‣●○■□➢➤✓✔❖◆⁃∙·]|[-–—*](?= ))\s*")
_SURE_BULLET = patterns.compile(r"\s*[•◦▪▫‣●○■□➢➤✓✔❖◆⁃∙]")  # one that is never a part of running text
_NUMBER = patterns.compile(r"\s*\(?(\d{1,3})[.)]\s+(?=\S)")
_LETTERED = patterns.compile(r"\s*(?:\(?([a-z]|[ivx]{1,4})\)|[a-z]\.|[☐☑☒◯◉])\s+(?=\S)")
_SECTION = patterns.compile(r"(?:\d{1,3}|[A-Z]\.\d+)(?:\.\d+)* ")  # the number of a heading
_SENTENCE_END = (".", "!", "?", ":", ";", "。", "”", '"', ")", "…")
_USUAL_LEADING = 1.2  # font sizes; the leading of a region with a single line
_MAX_LEADING = 2.2  # font sizes; a larger leading counts as this
_MAX_STEP = 1.35  # times the leading; a larger step down begins a paragraph
_MAX_PRE_STEP = 3.5  # times the leading; a larger step ends preformatted text, which may have blank lines
_PRE_LEADING = 1.25  # font sizes; the leading of preformatted text, by which its blank lines are counted
_MAX_BLANK_LINES = 3  # in a row in preformatted text; further ones are left out
_MAX_PRE_INDENT = 80  # spaces before a line of preformatted text
_MAX_SIZE_STEP = 0.08  # share of the font size; lines of one paragraph differ by less
_MIN_ROOM = 2.0  # font sizes; a line that ends further from the right edge than this is short
_MAX_CHANCE_LINES = 3  # lines that may end at one place by chance; justified text has more of them
_MIN_FLUSH_LINES = 3  # flush-right text has at least this many lines
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


def blocks_of(region: list[Segment]) -> list[Block]:
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
    """Return the blocks of lines that have no tables among them."""
    steps = sorted((above.y - line.y) / above.size for above, line in zip(lines, lines[1:]))
    steps = [step for step in steps if _MIN_LINE_STEP <= step < _MAX_LINE_STEP]
    # The distance a third up the list, so that gaps between paragraphs do not raise it.
    leading = min(steps[len(steps) // 3], _MAX_LEADING) if steps else _USUAL_LEADING
    # In flush-right text the room is on the left, and each line of an address was ended on purpose. An infinite right
    # edge gives each line room for another word.
    right = float("inf") if _is_flush_right(lines) or _is_address(lines) else _right_edge(lines)
    result: list[Block] = []
    start = 0
    for index in range(1, len(lines) + 1):
        if index == len(lines) or _starts_block(lines, index, start, leading, right):
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


def by_baseline(segments: list[Segment]) -> list[list[Segment]]:
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
    lines: list[list[Segment]] = []
    for segment in chain.from_iterable(by_baseline(segments)):
        if lines and _goes_on_in(lines[-1], segment):
            lines[-1].append(segment)
        else:
            lines.append([segment])
    return [joined_on_line(line) for line in lines]


def _goes_on_in(line: list[Segment], segment: Segment) -> bool:
    """Return whether a line goes on in a segment to its right, at the height of its first text."""
    first = line[0]
    if first.table is not None or segment.table is not None:
        return False
    return abs(first.y - segment.y) < 0.3 * min(first.size, segment.size) and segment.x >= line[-1].end - 1


def _starts_block(lines: list[Segment], index: int, start: int, leading: float, right: float) -> bool:
    """Return whether a line starts a new block.

    `start` is the index of the first line of the block above; `right` is the right edge of the region's lines,
    infinity if each line was ended on purpose.
    """
    line, above = lines[index], lines[index - 1]
    step = (above.y - line.y) / above.size
    if line.is_fixed_pitch != above.is_fixed_pitch:
        return True
    if line.is_fixed_pitch:
        return not 0 <= step <= _MAX_PRE_STEP * max(leading, 1.0)
    is_close = 0 <= above.y - line.y < _MIN_LINE_STEP * min(line.size, above.size)
    if is_close and not _FOUR_LETTERS.search(f"{above.text} {line.text}"):
        return False  # both are parts of one formula
    if step < 0 or step > _MAX_STEP * leading:
        return True
    if f"{above.text} ".endswith(LEADER):  # a blank to fill in: "Name: ....."
        return True
    # An entry of a table of contents ends with its page number; its leader may be lost.
    if is_contents_entry(above.text) or (is_contents_entry(line.text) and above.text[-1:].isdigit()):
        return True
    is_in_other_element = line.tag != above.tag and line.tag >= 0 and above.tag >= 0
    if is_in_other_element or abs(line.size - above.size) > _MAX_SIZE_STEP * above.size:
        return True
    is_short = above.end < right - _MIN_ROOM * above.size
    if is_short and line.is_bold != above.is_bold:
        return True
    if _is_item(line.text):
        # A dash or a number may come first on a line of running text by chance.
        is_apart = is_short or abs(line.x - above.x) > 0.5 * line.size or _is_item(above.text)
        if is_apart or _SURE_BULLET.match(line.text):
            return True
    # Flush-right lines begin at many places, and those of an address at one, so an indent says nothing.
    is_ended_on_purpose = right == float("inf")
    is_indented = not is_ended_on_purpose and _is_indented(lines, index, start)
    return is_indented or _has_room_for_word(above, line, right)


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
    """Return whether the line above has room for this line's first word, so that it was ended on purpose.

    A line in small letters continues an unfinished sentence in any case.
    """
    word = line.text.split(" ", 1)[0]
    # A leader is one character here, whatever its width, so the width of a line with one says nothing of its letters.
    letter = 0.5 * line.size if LEADER in f"{line.text} " else (line.end - line.x) / max(1, len(line.text))
    width = letter * (len(word) + 2)
    if above.end + width > right - 0.5 * line.size:
        return False
    return above.text.endswith(_SENTENCE_END) or not line.text[:1].islower()


def _block(lines: list[Segment]) -> Block:
    """Return the block of some lines: preformatted if all have a fixed pitch, an item if the first has a marker."""
    first = lines[0]
    is_bold = all(line.is_bold for line in lines)
    block = Block("text", [], first.size, is_bold, first.x, lines=len(lines), tag=first.tag)
    if all(line.is_fixed_pitch for line in lines):
        return block._replace(kind="pre", runs=[(_preformatted(lines), "")])
    runs = joined([line.runs for line in lines])
    text, url = runs[0]
    marker, length = _marker(text)
    if marker:
        return block._replace(kind="item", marker=marker, runs=[(text[length:], url), *runs[1:]])
    return block._replace(runs=runs)


def _preformatted(lines: list[Segment]) -> str:
    """Return lines with their indents and blank lines, measured by the fixed pitch."""
    left = min(line.x for line in lines)
    parts = []
    for above, line in zip([lines[0], *lines], lines):
        blank_lines = round((above.y - line.y) / (_PRE_LEADING * line.size)) - 1
        parts.extend([""] * min(_MAX_BLANK_LINES, blank_lines))  # nothing for a number below 0
        pitch = max((line.end - line.x) / max(1, len(line.text)), 1.0)
        parts.append(" " * min(_MAX_PRE_INDENT, round((line.x - left) / pitch)) + line.text)
    return "\n".join(parts)


def _is_item(text: str) -> bool:
    return bool(_marker(text)[0])


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
