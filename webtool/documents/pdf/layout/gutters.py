"""Gutters, the strips from top to bottom in which no text stands, and the tables without lines that they part.

In: segments. Out: bands, strips, columns' ends; whether bands are a table, and its rows of cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from webtool.documents.pdf.layout.lines import CLOSE, STRONG_RTL, WORD, Segment, extent
from webtool.lean import patterns

Interval = tuple[float, float]
Rows = list[list[list[Segment]]]

_MIN_GUTTER = 0.4  # of the font size; segments end at wider gaps only
_SHORT_CELL = 16  # mean length in characters
_MEDIUM_CELL = 30
_LONG_CELL = 45
_FEWEST_LABELS = 3
_MOST_LABELS = 0.7  # of the lines beside them
_APART = 1.2  # of the least distance between lines
_NEAR = 1.5  # of the font size
_MOST_ROWS = 0.8
_ALONE = 0.1  # of the labels stand by themselves at most
_FULL_TEXT = 25  # characters
_LONG_RUN, _SHORT_RUN = 10, 4  # lines
_FULL_LINE = 0.65  # mean share of the column's width; prose fills more
_OWN_LINES = 7
_FLUSH = 0.7
_BESIDE = 0.6  # of the lines: rows of tables have more of them at one height
_PAGE = patterns.compile(r".*?[^\W\d].*?(?:,|\s…)\s[\d, –-]+\Z")  # a term and its pages, as an index has them


def bands(segments: list[Segment]) -> list[list[Segment]]:
    """Segments whose heights overlap, from the top."""
    found: list[list[Segment]] = []
    low = 0.0
    for segment in sorted(segments, key=lambda segment: -(segment.y + 0.6 * segment.size)):
        if found and segment.y + 0.6 * segment.size > low:
            found[-1].append(segment)
            low = min(low, segment.y)
        else:
            found.append([segment])
            low = segment.y
    return found


def free(band: list[Segment]) -> list[Interval]:
    """The strips without text in one band, the margins at both ends included."""
    strips: list[Interval] = []
    at = float("-inf")
    gap = _MIN_GUTTER * max(segment.size for segment in band)
    for segment in sorted(band, key=lambda segment: segment.x):
        if segment.x - at > gap:
            strips.append((at, segment.x))
        at = max(at, segment.end)
    strips.append((at, float("inf")))
    return strips


def common(first: list[Interval], second: list[Interval]) -> list[Interval]:
    """Intersection of two sorted lists of strips."""
    result: list[Interval] = []
    i = j = 0
    while i < len(first) and j < len(second):
        low, high = max(first[i][0], second[j][0]), min(first[i][1], second[j][1])
        if high - low > 3:
            result.append((low, high))
        if first[i][1] < second[j][1]:
            i += 1
        else:
            j += 1
    return result


def shared(bands: Iterable[list[Segment]]) -> list[Interval]:
    """The strips that are free in all bands; none where there are no bands."""
    strips: list[Interval] | None = None
    for band in bands:
        strips = free(band) if strips is None else common(strips, free(band))
    return strips or []


def column_of(segment: Segment, columns: list[float]) -> int:
    """The column that a segment begins in; columns are given by where they end, the last one at infinity."""
    return next(index for index, end in enumerate(columns) if segment.x < end or end == float("inf"))


def cells_of(segments: Iterable[Segment], columns: list[float]) -> list[list[Segment]]:
    """Segments by column, from the top in each; of columns without any an empty list."""
    cells: list[list[Segment]] = [[] for _ in columns]
    for segment in sorted(segments, key=lambda segment: (-round(segment.y), segment.x)):
        cells[column_of(segment, columns)].append(segment)
    return cells


def _rows_apart(bands: list[list[Segment]], columns: list[float]) -> list[list[Segment]]:
    """Bands, those that stand closer together than others made one, where a column has one line in each of these.

    So the cells of all columns may have several lines.
    """
    steps = [min(s.y for s in above) - max(s.y for s in band) for above, band in zip(bands, bands[1:])]
    apart = _APART * min(steps, default=0.0)
    found = [{column_of(segment, columns) for segment in band} for band in bands]
    rows = [[bands[0]]]
    lines = [Counter(found[0])]
    for step, band, filled in zip(steps, bands[1:], found[1:]):
        if step > min(apart, _NEAR * band[0].size):
            rows.append([])
            lines.append(Counter())
        rows[-1].append(band)
        lines[-1].update(filled)
    least = _MOST_ROWS * len(rows)
    counts = [[row[at] for row in lines] for at in range(len(columns))]
    once = [at for at, count in enumerate(counts) if max(count) == 1 and sum(count) >= least]
    if len(rows) < 2 or not once:
        return bands
    result: list[list[Segment]] = []
    for row, count_of in zip(rows, lines):
        is_one = any(count_of[at] for at in once) or sum(count_of.values()) < 2 * len(row)
        result.extend([list(chain(*row))] if is_one else row)  # sums have several lines of two cells, and no first one
    return result


def has_labels(bands: list[list[Segment]], columns: list[float]) -> bool:
    """Whether short cells begin rows in which another column has text of several lines.

    All other short cells stand beside them, and where there are none of these there are fewer rows than lines of text.
    """
    if any(segment.table is not None for band in bands for segment in band):
        return False
    rows = [cells_of(row, columns) for row in _rows_apart(bands, columns)]
    texts = [[cell for cell in column if cell] for column in zip(*rows)]
    letters = [sum(len(segment.text) for cell in found for segment in cell) for found in texts]
    short = [at for at, found in enumerate(texts) if letters[at] <= _SHORT_CELL * len(found)]
    count, most = len(texts[0]), max(sum(map(len, found)) for found in texts)
    is_few = count <= (_MOST_LABELS if len(short) < 2 else 1) * most
    if 0 not in short or len(short) == len(columns) or count < _FEWEST_LABELS or not is_few:
        return False
    alone = sum(sum(map(bool, row)) < 2 if row[0] else any(row[at] for at in short) for row in rows)
    return alone <= _ALONE * count


def is_formula(bands: list[list[Segment]]) -> bool:
    """Whether lines without any word stand closer to each other than lines of text do: fractions, sums, limits."""
    steps = ((min(s.y for s in above) - max(s.y for s in band), band[0].size) for above, band in zip(bands, bands[1:]))
    is_close = any(0 < step < CLOSE * size for step, size in steps)
    return is_close and not any(WORD.search(segment.text) for band in bands for segment in band)


def is_table(bands: list[list[Segment]], columns: list[float]) -> bool:
    """Short cells that stand side by side in most bands, or begin rows."""
    if len(bands) < 2:
        return False
    if has_labels(bands, columns):
        return True
    lines = [segment for band in bands for segment in band]
    side_by_side = sum(len({column_of(segment, columns) for segment in band}) > 1 for band in bands)
    if side_by_side < 0.6 * len(bands) and (len(columns) < 3 or 2 * side_by_side <= len(bands)):
        return False
    parts = [part for part in cells_of(lines, columns) if part]
    if any(segment.table is not None for segment in lines) or _runs_on(bands, columns) or _are_apart(parts):
        return False
    if any(map(_is_flush_right, parts[1:])):
        return True
    mean = sum(len(segment.text) for segment in lines) / len(lines)
    widths = [right - left or 1.0 for left, right in map(extent, parts)]
    filled = sum((s.end - s.x) / width for part, width in zip(parts, widths) for s in part) / len(lines)
    if len(parts) > 2 and mean <= _MEDIUM_CELL and filled <= 0.8:
        return True
    return mean <= _SHORT_CELL or (filled <= _FULL_LINE and mean <= _LONG_CELL)


def _are_apart(parts: list[list[Segment]]) -> bool:
    """Whether columns have lines at heights of their own, or are an index: rows of a table share their heights."""
    fewest = min(parts, key=len)
    heights = {round(2 * line.y) + step for part in parts if part is not fewest for line in part for step in (-1, 0, 1)}
    beside = sum(round(2 * line.y) in heights for line in fewest)
    is_index = all(2 * sum(bool(_PAGE.match(line.text)) for line in part) > len(part) for part in parts)
    return len(fewest) >= _OWN_LINES and (is_index or beside < _BESIDE * len(fewest))


def _is_flush_right(part: list[Segment]) -> bool:
    """Whether lines end at one place and begin at many, as text that is read from the left never does."""
    ends, starts = (Counter(map(round, places)).most_common(1)[0][1] for places in zip(*((s.end, s.x) for s in part)))
    is_flush = len(part) >= _OWN_LINES and ends > _FLUSH * len(part) and 2 * starts < len(part)
    return is_flush and not any(STRONG_RTL.search(line.text) for line in part)


def _runs_on(bands: list[list[Segment]], columns: list[float]) -> bool:
    """Whether a column has many full lines of text, one below the other, and another some: columns of an article."""
    lines = [segment for band in bands for segment in band]
    sides = [extent(part) for part in cells_of(lines, columns)]
    longest, full = Counter[int](), Counter[int]()
    for band in bands:
        found = {column_of(s, columns) for s in band if len(s.text) > _FULL_TEXT}
        found = {at for at in found if any(_fills(s, sides[at]) for s in band if column_of(s, columns) == at)}
        full = Counter({at: full[at] + 1 for at in found})
        longest |= full
    runs = [count for _, count in longest.most_common(2)]
    return len(runs) > 1 and runs[0] >= _LONG_RUN and runs[1] >= _SHORT_RUN


def _fills(segment: Segment, sides: Interval) -> bool:
    return segment.end - segment.x > 0.85 * (sides[1] - sides[0])


def table_rows(bands: list[list[Segment]], columns: list[float]) -> Rows:
    """Rows of cells; a band without a first cell, close below, goes on with the row above if it lacks others, too."""
    rows: Rows = []
    above = None
    for band in _rows_apart(bands, columns):
        cells = cells_of(band, columns)
        top = max(segment.y for segment in band)
        size = max(segment.size for segment in band)
        filled = list(map(bool, cells))
        is_sum = sum(filled) > 1 and rows and not rows[-1][0] and filled == list(map(bool, rows[-1]))
        is_row = cells[0] or is_sum or (len(cells) > 2 and all(cells[1:]))
        if rows and not is_row and above is not None and above - top < 1.35 * size:
            for cell, more in zip(rows[-1], cells):
                cell.extend(more)
        else:
            rows.append(cells)
        above = min(segment.y for segment in band)
    return _without_shifted_columns(rows)


def _without_shifted_columns(rows: Rows) -> Rows:
    """Neighbours that never stand in one row are one column: a centred head over cells at the left."""
    at = 1
    while at < len(rows[0]):
        if any(row[at - 1] and row[at] for row in rows):
            at += 1
            continue
        for row in rows:
            row[at - 1 : at + 1] = [row[at - 1] or row[at]]
    return rows


def as_lines(cells: Rows, left: float, right: float, heights: list[float]) -> list[Segment]:
    """A table as segments at its rows' heights: the first has all the cells, the others none."""
    size = next(segment.size for row in cells for cell in row for segment in cell)
    return [
        Segment(left, y, right, size, [("\u00a0", "")], "", False, False, -1, [] if number else cells)
        for number, y in enumerate(heights)
    ]
