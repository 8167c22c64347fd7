"""Gutters, the strips from top to bottom in which no text stands, and the tables without lines that they part.

In: segments. Out: bands, strips, columns' ends; whether bands are a table, and its rows of cells.
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.documents.pdf.layout.lines import Segment

Interval = tuple[float, float]
Rows = list[list[list[Segment]]]

_MIN_GUTTER = 0.4  # of the font size; segments end at wider gaps only
_SHORT_CELL = 16  # mean length in characters
_MEDIUM_CELL = 30
_LONG_CELL = 45
_FULL_LINE = 0.65  # mean share of the column's width; prose fills more


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


def split(lines: list[Segment], columns: list[float]) -> list[list[Segment]]:
    """Segments by column; columns without any are left out."""
    parts: list[list[Segment]] = [[] for _ in columns]
    for segment in lines:
        parts[column_of(segment, columns)].append(segment)
    return [part for part in parts if part]


def column_of(segment: Segment, columns: list[float]) -> int:
    """The column that a segment's middle is in; columns are given by where they end, the last one at infinity."""
    middle = (segment.x + segment.end) / 2
    return next(index for index, end in enumerate(columns) if middle < end or end == float("inf"))


def cells_of(segments: Iterable[Segment], columns: list[float]) -> list[list[Segment]]:
    """Segments by column as well, from the top in each; of columns without any an empty list."""
    cells: list[list[Segment]] = [[] for _ in columns]
    for segment in sorted(segments, key=lambda segment: (-round(segment.y), segment.x)):
        cells[column_of(segment, columns)].append(segment)
    return cells


def is_table(bands: list[list[Segment]], columns: list[float]) -> bool:
    """Short cells that stand side by side in most bands."""
    if len(bands) < 2:
        return False
    lines = [segment for band in bands for segment in band]
    side_by_side = sum(len({column_of(segment, columns) for segment in band}) > 1 for band in bands)
    if side_by_side < 0.6 * len(bands):
        return False
    parts = split(lines, columns)
    if any(segment.table is not None for segment in lines):
        return False
    mean = sum(len(segment.text) for segment in lines) / len(lines)
    widths = [max(s.end for s in part) - min(s.x for s in part) or 1.0 for part in parts]
    filled = sum((s.end - s.x) / width for part, width in zip(parts, widths) for s in part) / len(lines)
    if len(parts) > 2 and mean <= _MEDIUM_CELL and filled <= 0.8:
        return True
    return mean <= _SHORT_CELL or (filled <= _FULL_LINE and mean <= _LONG_CELL)


def table_rows(bands: list[list[Segment]], columns: list[float]) -> Rows:
    """Rows of cells; a band without a first cell, close below, goes on with the row above."""
    rows: Rows = []
    above = None
    for band in bands:
        cells = cells_of(band, columns)
        top = max(segment.y for segment in band)
        size = max(segment.size for segment in band)
        if rows and not cells[0] and above is not None and above - top < 1.35 * size:
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
