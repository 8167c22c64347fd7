"""Find gutters and the tables without lines that they divide. In: segments. Out: bands, strips, columns, rows of cells.

Words of this module:
- a segment is text on one baseline; it goes from x to `end`. A segment whose `table` is set represents a drawn table.
- a band is the segments whose heights overlap, so that they are side by side.
- a strip is an interval of x without text, from one text to the next. The margins are strips too, up to infinity.
- a gutter is a strip that several bands share.
- `columns` is where each column ends: the middle of each gutter, then infinity.
- a label is a short cell in the first column at the start of a row, as a name in a glossary.

is_table() decides whether bands with gutters are a table or columns of running text. table_rows() makes the rows of a
table. as_segments() puts a table among the segments of a page.
Tests: tests/documents/pdf/test_layout.py
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from itertools import chain

from webtool.documents.pdf.layout import Segment, extent
from webtool.documents.pdf.layout.bidi import STRONG_RTL
from webtool.documents.pdf.state import UNTAGGED
from webtool.lean import patterns

Interval = tuple[float, float]
Band = list[Segment]
Rows = list[list[list[Segment]]]  # rows, cells, segments

_MIN_GUTTER = 0.4  # times the larger size of two texts; a narrower gap between them is a space, not a strip
_MIN_STRIP = 3  # points; bands that share a narrower strip share none
_MAX_LINE_OFFSET = 1.0  # points; segments whose baselines differ by less are on one line, from left to right
# Limits of is_table() on the mean characters of a cell.
MAX_SHORT_CELL = 16  # shorter cells are always those of a table; also the limit for labels
_MAX_MEDIUM_CELL = 30  # three columns or more of these are a table if their lines fill _MAX_MEDIUM_FILLED of them
_MAX_LONG_CELL = 45  # two columns of these are a table if their lines fill _MAX_FILLED of them
_MAX_FILLED, _MAX_MEDIUM_FILLED = 0.65, 0.8  # mean share of a column's width that lines fill; prose fills more
_MIN_SIDE_BY_SIDE = 0.6  # share of the bands that have text in two columns; prose beside a picture has fewer
# Limits of _has_labels().
_MIN_LABELS = 3  # fewer short cells in the first column are not labels
# Labels for each line of text, if only the first column is short. Two columns of text with 8 short lines for 10 long
# ones have no labels: the short lines are text too.
_MAX_LABELS = 0.7
_MAX_LONE_LABELS = 0.1  # share of the labels; more labels without a text, or cells without a label, refute a table
# Steps between bands, for the lines of one row.
_MAX_LINE_STEP = 1.2  # times the smallest step between bands; a larger step begins a new row
_MAX_ROW_LINE_STEP = 1.5  # a larger step begins a new row even if all steps are alike
_MIN_SINGLE_LINES = 0.8  # share of the rows with a line in a column that has one line a row
_MAX_CONTINUED_STEP = 1.35  # a band without a first cell continues the row above up to this step
# Limits on columns of running text.
_MIN_TEXT = 25  # a line with fewer characters is not running text
_MIN_LINE_WIDTH = 0.85  # a line is full if it fills this share of the column
# Full lines one below the other: an article has a run of at least 10 in one column, and of at least 4 in another.
_MIN_LONG_RUN, _MIN_SHORT_RUN = 10, 4
_MIN_COLUMN_LINES = 7  # the heights or ends of fewer lines in a column are not compared
_MIN_FLUSH = 0.7  # a column with this share of its lines ending at one place is flush right
_MIN_BESIDE = 0.6  # in a table this share of a column's lines is at the height of a line in another column
_INDEX_ENTRY = patterns.compile(r".*?[^\W\d].*?(?:,|\s…)\s[\d, –-]+\Z")  # of an index: "tide, 3, 7"


def bands(segments: list[Segment]) -> list[Band]:
    """Group segments whose heights overlap, from the top."""
    result: list[Band] = []
    low = 0.0
    for segment in sorted(segments, key=lambda segment: -(segment.y + 0.6 * segment.size)):
        if result and segment.y + 0.6 * segment.size > low:
            result[-1].append(segment)
            low = min(low, segment.y)
        else:
            result.append([segment])
            low = segment.y
    return result


def _strips_of(band: Band) -> list[Interval]:
    """Return the strips of one band, with its margins."""
    strips: list[Interval] = []
    end = float("-inf")
    size = 0.0  # of the text at this end
    for segment in sorted(band, key=lambda segment: segment.x):
        if segment.x - end > _MIN_GUTTER * max(segment.size, size):
            strips.append((end, segment.x))
        if segment.end > end:
            end, size = segment.end, segment.size
    return [*strips, (end, float("inf"))]


def common(first: list[Interval], second: list[Interval]) -> list[Interval]:
    """Return the intersection of two sorted lists of strips, without strips of _MIN_STRIP points or less."""
    result: list[Interval] = []
    i = j = 0
    while i < len(first) and j < len(second):
        low, high = max(first[i][0], second[j][0]), min(first[i][1], second[j][1])
        if high - low > _MIN_STRIP:
            result.append((low, high))
        if first[i][1] < second[j][1]:
            i += 1
        else:
            j += 1
    return result


def shared(bands: Iterable[Band]) -> list[Interval]:
    """Return the strips that are free in all bands; [] without bands."""
    strips: list[Interval] | None = None
    for band in bands:
        strips = _strips_of(band) if strips is None else common(strips, _strips_of(band))
    return strips or []


def ends_of(gutters: list[Interval]) -> list[float]:
    """Return where each column ends: in the middle of each gutter, then at infinity. One entry means no columns."""
    return [*((low + high) / 2 for low, high in gutters), float("inf")]


def column_of(segment: Segment, columns: list[float]) -> int:
    return bisect_right(columns, segment.x, 0, len(columns) - 1)


def cells_of(segments: Iterable[Segment], columns: list[float]) -> list[list[Segment]]:
    """Return the segments of each column, from the top; [] for an empty column."""
    lines: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda segment: -segment.y):
        if not lines or lines[-1][0].y - segment.y > _MAX_LINE_OFFSET:
            lines.append([])
        lines[-1].append(segment)
    cells: list[list[Segment]] = [[] for _ in columns]
    for line in lines:
        for segment in sorted(line, key=lambda segment: segment.x):
            cells[column_of(segment, columns)].append(segment)
    return cells


def row_steps(bands: list[Band]) -> list[float]:
    """Return the distance of each band from the next."""
    return [above[0].y - below[0].y for above, below in zip(bands, bands[1:])]


def _with_cells_of_several_lines(bands: list[Band], columns: list[float]) -> list[Band]:
    """Return one band for each row of a table: lines of one row are joined.

    The lines of a row are closer together than rows are. There must also be a column of dates, numbers or the like: it
    has one line in most rows, and never two in a row. Without such a column the bands are returned as they are.
    """
    steps = [min(s.y for s in above) - max(s.y for s in band) for above, band in zip(bands, bands[1:])]
    row_step = _MAX_LINE_STEP * min(steps, default=0.0)
    rows = [[bands[0]]]
    for step, band in zip(steps, bands[1:]):
        if step > min(row_step, _MAX_ROW_LINE_STEP * band[0].size):
            rows.append([])
        rows[-1].append(band)
    # For each row, how many of its bands have text in each column.
    line_counts = [Counter(c for band in row for c in {column_of(s, columns) for s in band}) for row in rows]
    single: list[int] = []  # columns with one line in most rows, and never more
    for column in range(len(columns)):
        counts = [lines[column] for lines in line_counts]
        if max(counts) == 1 and sum(counts) >= _MIN_SINGLE_LINES * len(rows):
            single.append(column)
    if len(rows) < 2 or not single:
        return bands
    result: list[Band] = []
    for row, lines in zip(rows, line_counts):
        # Lines of sums below a table, "| | Total | 9 |", are close, but each is a row: it fills two cells or more.
        are_sums = not any(lines[column] for column in single) and sum(lines.values()) >= 2 * len(row)
        result.extend(row if are_sums else [list(chain(*row))])
    return result


def _has_labels(bands: list[Band], columns: list[float]) -> bool:
    """Return whether bands are a table of labels and texts of several lines.

    A column is short if its cells are. The first column must be short, and another one must be long. Short cells of
    other columns must be beside a label. If only the first column is short, there must be fewer labels than lines.
    """
    if any(segment.table is not None for band in bands for segment in band):
        return False
    rows = [cells_of(row, columns) for row in _with_cells_of_several_lines(bands, columns)]
    filled_cells = [[cell for cell in column if cell] for column in zip(*rows)]
    letters = [sum(len(segment.text) for cell in cells for segment in cell) for cells in filled_cells]
    short = [index for index, cells in enumerate(filled_cells) if letters[index] <= MAX_SHORT_CELL * len(cells)]
    label_count = len(filled_cells[0])
    line_count = max(sum(map(len, cells)) for cells in filled_cells)
    max_labels = (_MAX_LABELS if len(short) < 2 else 1) * line_count
    if 0 not in short or len(short) == len(columns) or not _MIN_LABELS <= label_count <= max_labels:
        return False
    lone_labels = sum(bool(row[0]) and not any(row[1:]) for row in rows)
    lone_cells = sum(not row[0] and any(row[index] for index in short) for row in rows)  # short cells without a label
    return lone_labels + lone_cells <= _MAX_LONE_LABELS * label_count


def is_table(bands: list[Band], columns: list[float]) -> bool:
    """Return whether bands are a table without lines rather than columns of running text.

    Most bands of a table have texts in two columns, and its cells are short; or its labels start rows of several lines.
    """
    if len(bands) < 2:
        return False
    if _has_labels(bands, columns):
        return True
    lines = [segment for band in bands for segment in band]
    side_by_side = sum(len({column_of(segment, columns) for segment in band}) > 1 for band in bands)
    # Three columns are less likely by chance, so half of the bands is enough.
    has_most = side_by_side >= _MIN_SIDE_BY_SIDE * len(bands) or (len(columns) > 2 and 2 * side_by_side > len(bands))
    if not has_most:
        return False
    parts = [part for part in cells_of(lines, columns) if part]
    has_drawn_table = any(segment.table is not None for segment in lines)
    if has_drawn_table or _is_article(bands, columns) or _are_independent(parts):
        return False
    if any(map(_is_flush_right, parts[1:])):
        return True
    mean = sum(len(segment.text) for segment in lines) / len(lines)
    widths = [right - left or 1.0 for left, right in map(extent, parts)]
    filled = sum((s.end - s.x) / width for part, width in zip(parts, widths) for s in part) / len(lines)
    if len(parts) > 2 and mean <= _MAX_MEDIUM_CELL and filled <= _MAX_MEDIUM_FILLED:
        return True
    return mean <= MAX_SHORT_CELL or (filled <= _MAX_FILLED and mean <= _MAX_LONG_CELL)


def _are_independent(parts: list[list[Segment]]) -> bool:
    """Return whether columns are not those of one table: lines at different heights, or entries of an index."""
    shortest = min(parts, key=len)
    others = [line for part in parts if part is not shortest for line in part]
    heights = {round(2 * line.y) + step for line in others for step in (-1, 0, 1)}  # in half points
    beside = sum(round(2 * line.y) in heights for line in shortest)
    is_index = all(2 * sum(bool(_INDEX_ENTRY.match(line.text)) for line in part) > len(part) for part in parts)
    return len(shortest) >= _MIN_COLUMN_LINES and (is_index or beside < _MIN_BESIDE * len(shortest))


def _is_flush_right(part: list[Segment]) -> bool:
    """Return whether lines end at one place and start at many, as left-to-right prose never does."""
    ends = Counter(round(line.end) for line in part).most_common(1)[0][1]
    starts = Counter(round(line.x) for line in part).most_common(1)[0][1]
    is_flush = len(part) >= _MIN_COLUMN_LINES and ends > _MIN_FLUSH * len(part) and 2 * starts < len(part)
    return is_flush and not any(STRONG_RTL.search(line.text) for line in part)


def _is_article(bands: list[Band], columns: list[float]) -> bool:
    """Return whether one column has a long run of full lines of text, and another a short one."""
    longest_runs: list[int] = []
    for cells in zip(*(cells_of(band, columns) for band in bands)):  # the cells of one column
        left, right = extent(chain(*cells))
        run = longest = 0  # full lines below each other
        for cell in cells:
            has_text = any(len(line.text) > _MIN_TEXT for line in cell)
            is_full = has_text and any(line.end - line.x > _MIN_LINE_WIDTH * (right - left) for line in cell)
            run = run + 1 if is_full else 0
            longest = max(longest, run)
        longest_runs.append(longest)
    second, first = sorted(longest_runs)[-2:]
    return first >= _MIN_LONG_RUN and second >= _MIN_SHORT_RUN


def table_rows(bands: list[Band], columns: list[float]) -> Rows:
    """Return the rows of a table.

    A band that goes on in the elements of the row above continues it. So does one without a first cell, close below a
    row. It is a row of its own if all its other cells are filled. So is the second of two rows of sums: both lack the
    first cell, and the same cells are filled.
    """
    rows: Rows = []
    above = None  # y of the lowest line of the band before
    for band in _with_cells_of_several_lines(bands, columns):
        cells = cells_of(band, columns)
        top = max(segment.y for segment in band)
        size = max(segment.size for segment in band)
        filled = list(map(bool, cells))
        is_sum = sum(filled) > 1 and rows and not rows[-1][0] and filled == list(map(bool, rows[-1]))
        is_row = cells[0] or is_sum or (len(cells) > 2 and all(cells[1:]))
        is_close = above is not None and above - top < _MAX_CONTINUED_STEP * size
        if rows and ((is_close and not is_row) or _is_same_row(rows[-1], cells)):
            for cell, more in zip(rows[-1], cells):
                cell.extend(more)
        else:
            rows.append(cells)
        above = min(segment.y for segment in band)
    return _without_shifted_columns(rows)


def _is_same_row(above: list[list[Segment]], cells: list[list[Segment]]) -> bool:
    """Return whether each cell is in the element of the structure tree of the cell above, and one goes on there.

    Two columns that are in one element, such as the whole document, show nothing.
    """
    pairs = [(up[-1].tag if up else UNTAGGED, cell[0]) for up, cell in zip(above, cells) if cell]
    is_in_same = all(tag == line.tag >= 0 for tag, line in pairs) and len(dict(pairs)) == len(pairs)
    return is_in_same and any(line.text[:1].islower() for _, line in pairs)


def _without_shifted_columns(rows: Rows) -> Rows:
    """Join two neighbouring columns if no row fills both: a centred header and the cells at the left below it."""
    column = 1
    while column < len(rows[0]):
        if any(row[column - 1] and row[column] for row in rows):
            column += 1
            continue
        for row in rows:
            row[column - 1 : column + 1] = [row[column - 1] or row[column]]
    return rows


def as_segments(rows: Rows, left: float, right: float, heights: list[float]) -> list[Segment]:
    """Return a table as segments, one for each height in points; `table` has all rows in the first, [] in others."""
    size = next(segment.size for row in rows for cell in row for segment in cell)
    return [
        Segment(left, y, right, size, [], "", False, False, UNTAGGED, [] if number else rows)
        for number, y in enumerate(heights)
    ]
