"""Find gutters and the tables without lines that they divide. In: segments. Out: bands, strips, columns, rows of cells.

A band is the segments of one height. A strip is an interval of x without text; a strip that several bands share between
two texts is a gutter. Columns are given by where each ends, the last one at infinity. is_table() decides whether bands
with gutters are a table or columns of running text; table_rows() makes the rows of a table. as_segments() puts a table
among the segments of a page.

Distances are multiples of the font size unless they say points; y grows upwards.
Tests: tests/documents/pdf/test_layout.py
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from webtool.documents.pdf.layout.lines import MIN_LINE_STEP, STRONG_RTL, WORD, Segment, extent
from webtool.lean import patterns

Interval = tuple[float, float]
Band = list[Segment]
Rows = list[list[list[Segment]]]  # rows, cells, segments

_MIN_GUTTER = 0.4  # of a strip between two texts
_MIN_STRIP = 3  # points of a strip that two bands share
# Mean characters of a cell. Text with longer ones is a table only if its lines do not fill the columns.
_MAX_SHORT_CELL = 16  # always short enough; also of labels
_MAX_MEDIUM_CELL = 30  # with three columns or more
_MAX_LONG_CELL = 45  # if lines are at most _MAX_FILLED of their column
_MAX_FILLED = 0.65  # mean share of the column's width; prose fills more
_MIN_LABELS = 3  # of a table whose labels start rows of several lines
_MAX_LABELS = 0.7  # of the lines beside them, if only one column is short
_MAX_LONE_LABELS = 0.1  # share of the labels without a text beside them
_MAX_LINE_STEP = 1.2  # relative to the least distance between bands: those are lines of one row
_MAX_ROW_LINE_STEP = 1.5  # between bands of one row, if all are far apart
_MIN_SINGLE_LINES = 0.8  # of the rows have a line in the column that tells rows apart
_MAX_CONTINUED_STEP = 1.35  # from a row to a band without a first cell that continues it
_MIN_TEXT = 25  # characters of a line of running text
_MIN_LINE_WIDTH = 0.85  # of the column's width, for a full line
_MIN_LONG_RUN, _MIN_SHORT_RUN = 10, 4  # consecutive full lines in two columns of an article
_MIN_COLUMN_LINES = 7  # of a column whose heights or ends are compared
_MIN_FLUSH = 0.7  # of the lines of a column end at one place
_MIN_BESIDE = 0.6  # of the lines of a table's column are at the height of another column's line
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


def free(band: Band) -> list[Interval]:
    """Return the strips without text in one band, and the margins, which end at infinity."""
    strips: list[Interval] = []
    end = float("-inf")
    gap = _MIN_GUTTER * max(segment.size for segment in band)
    for segment in sorted(band, key=lambda segment: segment.x):
        if segment.x - end > gap:
            strips.append((end, segment.x))
        end = max(end, segment.end)
    strips.append((end, float("inf")))
    return strips


def common(first: list[Interval], second: list[Interval]) -> list[Interval]:
    """Return the intersection of two sorted lists of strips, without those of _MIN_STRIP points or less."""
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
        strips = free(band) if strips is None else common(strips, free(band))
    return strips or []


def column_of(segment: Segment, columns: list[float]) -> int:
    """Return the index of the column in which a segment starts."""
    return next(index for index, end in enumerate(columns) if segment.x < end or end == float("inf"))


def cells_of(segments: Iterable[Segment], columns: list[float]) -> list[list[Segment]]:
    """Return the segments of each column, from the top; [] for a column without any."""
    cells: list[list[Segment]] = [[] for _ in columns]
    for segment in sorted(segments, key=lambda segment: (-round(segment.y), segment.x)):
        cells[column_of(segment, columns)].append(segment)
    return cells


def _with_cells_of_several_lines(bands: list[Band], columns: list[float]) -> list[Band]:
    """Join bands that are lines of one row: closer together than others, and with one line in some column per row.

    Returns the bands unchanged if no column has one line per row.
    """
    steps = [min(s.y for s in above) - max(s.y for s in band) for above, band in zip(bands, bands[1:])]
    row_step = _MAX_LINE_STEP * min(steps, default=0.0)
    filled = [{column_of(segment, columns) for segment in band} for band in bands]
    rows = [[bands[0]]]
    line_counts = [Counter(filled[0])]  # of each row, by column
    for step, band, columns_of_band in zip(steps, bands[1:], filled[1:]):
        if step > min(row_step, _MAX_ROW_LINE_STEP * band[0].size):
            rows.append([])
            line_counts.append(Counter())
        rows[-1].append(band)
        line_counts[-1].update(columns_of_band)
    single: list[int] = []  # columns with one line in most rows, and never more
    for column in range(len(columns)):
        counts = [lines[column] for lines in line_counts]
        if max(counts) == 1 and sum(counts) >= _MIN_SINGLE_LINES * len(rows):
            single.append(column)
    if len(rows) < 2 or not single:
        return bands
    result: list[Band] = []
    for row, lines in zip(rows, line_counts):
        # Below a table the lines of sums are close, but each has two cells and none in the first column.
        is_one_row = any(lines[column] for column in single) or sum(lines.values()) < 2 * len(row)
        result.extend([list(chain(*row))] if is_one_row else row)
    return result


def has_labels(bands: list[Band], columns: list[float]) -> bool:
    """Return whether short cells in the first column start rows in which another column has text of several lines.

    Other short cells must be beside such labels. Without other short cells there must be fewer rows than lines of text.
    """
    if any(segment.table is not None for band in bands for segment in band):
        return False
    rows = [cells_of(row, columns) for row in _with_cells_of_several_lines(bands, columns)]
    filled_cells = [[cell for cell in column if cell] for column in zip(*rows)]
    letters = [sum(len(segment.text) for cell in cells for segment in cell) for cells in filled_cells]
    short = [index for index, cells in enumerate(filled_cells) if letters[index] <= _MAX_SHORT_CELL * len(cells)]
    label_count = len(filled_cells[0])
    line_count = max(sum(map(len, cells)) for cells in filled_cells)
    is_few = label_count <= (_MAX_LABELS if len(short) < 2 else 1) * line_count
    if 0 not in short or len(short) == len(columns) or label_count < _MIN_LABELS or not is_few:
        return False
    lone = 0  # labels without a text, and short cells without a label
    for row in rows:
        lone += sum(map(bool, row)) < 2 if row[0] else any(row[index] for index in short)
    return lone <= _MAX_LONE_LABELS * label_count


def is_formula(bands: list[Band]) -> bool:
    """Return whether bands are a formula: no word, and lines closer than text has them, as in fractions and sums."""
    steps = ((min(s.y for s in above) - max(s.y for s in band), band[0].size) for above, band in zip(bands, bands[1:]))
    is_close = any(0 < step < MIN_LINE_STEP * size for step, size in steps)
    return is_close and not any(WORD.search(segment.text) for band in bands for segment in band)


def is_table(bands: list[Band], columns: list[float]) -> bool:
    """Return whether bands are a table without lines rather than columns of running text.

    Its cells are short and side by side in most bands, or its labels start rows of several lines.
    """
    if len(bands) < 2:
        return False
    if has_labels(bands, columns):
        return True
    lines = [segment for band in bands for segment in band]
    side_by_side = sum(len({column_of(segment, columns) for segment in band}) > 1 for band in bands)
    if side_by_side < 0.6 * len(bands) and (len(columns) < 3 or 2 * side_by_side <= len(bands)):
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
    if len(parts) > 2 and mean <= _MAX_MEDIUM_CELL and filled <= 0.8:
        return True
    return mean <= _MAX_SHORT_CELL or (filled <= _MAX_FILLED and mean <= _MAX_LONG_CELL)


def _are_independent(parts: list[list[Segment]]) -> bool:
    """Return whether columns have lines at heights of their own, or are those of an index; rows share heights."""
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
    """Return whether one column has many consecutive full lines of text, and another some."""
    lines = [segment for band in bands for segment in band]
    extents = [extent(part) for part in cells_of(lines, columns)]
    longest, current = Counter[int](), Counter[int]()  # runs of full lines by column
    for band in bands:
        with_text = {column_of(s, columns) for s in band if len(s.text) > _MIN_TEXT}
        full: set[int] = set()
        for segment in band:
            column = column_of(segment, columns)
            if column in with_text and _fills(segment, extents[column]):
                full.add(column)
        current = Counter({column: current[column] + 1 for column in full})
        longest |= current
    runs = [count for _, count in longest.most_common(2)]
    return len(runs) > 1 and runs[0] >= _MIN_LONG_RUN and runs[1] >= _MIN_SHORT_RUN


def _fills(segment: Segment, column: Interval) -> bool:
    return segment.end - segment.x > _MIN_LINE_WIDTH * (column[1] - column[0])


def table_rows(bands: list[Band], columns: list[float]) -> Rows:
    """Return the rows of a table. A band without a first cell, close below a row, continues it.

    It is a row of its own if it has all other cells, or the same ones as a row of sums above it.
    """
    rows: Rows = []
    above = None
    for band in _with_cells_of_several_lines(bands, columns):
        cells = cells_of(band, columns)
        top = max(segment.y for segment in band)
        size = max(segment.size for segment in band)
        filled = list(map(bool, cells))
        is_sum = sum(filled) > 1 and rows and not rows[-1][0] and filled == list(map(bool, rows[-1]))
        is_row = cells[0] or is_sum or (len(cells) > 2 and all(cells[1:]))
        if rows and not is_row and above is not None and above - top < _MAX_CONTINUED_STEP * size:
            for cell, more in zip(rows[-1], cells):
                cell.extend(more)
        else:
            rows.append(cells)
        above = min(segment.y for segment in band)
    return _without_shifted_columns(rows)


def _without_shifted_columns(rows: Rows) -> Rows:
    """Join neighbouring columns that are never filled in one row: a centred head above cells at the left."""
    column = 1
    while column < len(rows[0]):
        if any(row[column - 1] and row[column] for row in rows):
            column += 1
            continue
        for row in rows:
            row[column - 1 : column + 1] = [row[column - 1] or row[column]]
    return rows


def as_segments(rows: Rows, left: float, right: float, heights: list[float]) -> list[Segment]:
    """Return a table as segments, one for each height: the first has all rows, the others have []."""
    size = next(segment.size for row in rows for cell in row for segment in cell)
    return [
        Segment(left, y, right, size, [("\u00a0", "")], "", False, False, -1, [] if number else rows)
        for number, y in enumerate(heights)
    ]
