"""Correct the groups of a PDF page by moving lines between them. In: Groups, top to bottom. Out: the same, corrected.

corrected() takes these steps, and their order matters because each looks at what the one before left:
1. rows whose cells span columns move from the text above a table into it: they are its head
2. first lines of a column that have nothing beside them, because the other column begins with a picture, move into it
3. a heading at the end of the first column moves to the text below, if that is as wide as the page
4. groups without columns are joined; one or two bands with a chance gap lose their columns

Distances are multiples of the font size unless they say points; y grows upwards, so `above.y > below.y`.
Tests: tests/documents/pdf/test_layout.py
"""

from __future__ import annotations

from webtool.documents.pdf.layout.groups import (
    MAX_ROW_STEP,
    MIN_BANDS,
    MIN_TITLE_SIZE,
    Group,
    is_close,
)
from webtool.documents.pdf.layout.gutters import Band, Interval, column_of, is_table, row_steps
from webtool.documents.pdf.layout.segments import Segment, extent

MIN_HEADING_SIZE = 1.1  # times the group's median font size; larger type is a heading
_MAX_HEAD_ROWS = 3  # at most this many rows whose cells span columns are moved to the table below them
_MAX_FIRST_LINES = 60  # at most this many lines are moved from the text above to the columns below
_MIN_HEAD_DISTANCE = 1.6  # a head may always be this far above the first row, however close the rows are to each other
_MAX_OVERHANG = 4.0  # a line may end this far beyond the right end of the group and still belong to it


def corrected(groups: list[Group]) -> list[Group]:
    """Return the groups after the four steps above."""
    _add_spanning_heads(groups)
    groups = [group for group in groups if group.bands]
    _add_first_lines(groups)
    groups = [group for group in groups if group.bands]
    _give_last_headings(groups)
    return _merged(groups)


def is_in_first_column(band: Band, columns: list[float]) -> bool:
    """Return whether a band has text in the first column only."""
    return {column_of(segment, columns) for segment in band} == {0}


# --- 1. Heads of tables ---


def _add_spanning_heads(groups: list[Group]) -> None:
    """Move rows whose cells span columns from the group above to the table below them, which has more columns."""
    for before, group in zip(groups, groups[1:]):
        columns = group.columns()
        if len(columns) <= 2 or len(group.bands) < 2 or not is_table(group.bands, columns):
            continue
        for _ in range(_MAX_HEAD_ROWS):
            if before.bands and _spans_columns(before.bands[-1], group):
                group.bands.insert(0, before.bands.pop())


def _spans_columns(band: Band, group: Group) -> bool:
    """Return whether the texts of a band just above a table are heads, each above other columns of the table."""
    first, below = band[0], group.bands[0][0]
    max_step = MAX_ROW_STEP * max(*row_steps(group.bands), _MIN_HEAD_DISTANCE * below.size)
    is_near = first.y - below.y <= max_step
    if not is_near or first.table is not None or abs(first.size - below.size) > 1:
        return False
    cells = sorted(band, key=lambda segment: segment.x)
    is_inside = cells[0].x > group.left - below.size and cells[-1].end < group.right + _MAX_OVERHANG * below.size
    gutters = group.gutters()
    covered = [_columns_below(cell, gutters) for cell in cells]
    are_apart = all(last < next_first for (_, last), (next_first, _) in zip(covered, covered[1:]))
    return is_inside and len(covered) > 1 and are_apart


def _columns_below(cell: Segment, gutters: list[Interval]) -> tuple[int, int]:
    """Return the indices of the first and the last column that a cell is above."""
    return sum(low < cell.x for low, _ in gutters), sum(high < cell.end for _, high in gutters)


# --- 2. First lines of columns ---


def _add_first_lines(groups: list[Group]) -> None:
    """Move lines that fit into one column from the text above to the columns below them."""
    for before, group in zip(groups, groups[1:]):
        columns = group.columns()
        if len(columns) < 2 or len(group.bands) < MIN_BANDS or len(before.columns()) > 1:
            continue
        moved: list[Band] = []
        takes_tables = not is_table(group.bands, columns)
        while before.bands and len(moved) < _MAX_FIRST_LINES and _fits(before.bands[-1], group, columns, takes_tables):
            moved.append(before.bands.pop())
        group.bands[:0] = reversed(moved)


def _fits(band: Band, group: Group, columns: list[float], takes_tables: bool) -> bool:
    """Return whether a band is in one column of a group, within the group's sides, and not a title."""
    if not takes_tables and any(segment.table is not None for segment in band):
        return False
    for segment in band:
        if segment.x <= group.left - segment.size or segment.end >= group.right + _MAX_OVERHANG * segment.size:
            return False
        if any(segment.x < high and segment.end > low for low, high in group.gutters()):
            return False
        if segment.size >= MIN_TITLE_SIZE * group.bands[0][0].size:
            return False
    return len({column_of(segment, columns) for segment in band}) == 1


# --- 3. Headings at the end of a column ---


def _give_last_headings(groups: list[Group]) -> None:
    """Move a heading at the end of the first column to the text below, if that text is as wide as the page."""
    for group, after in zip(groups, groups[1:]):
        columns = group.columns()
        if len(columns) < 2 or len(after.columns()) > 1 or len(group.bands) <= MIN_BANDS:
            continue
        last = group.bands[-1]
        min_size = MIN_HEADING_SIZE * group.usual_size()
        is_heading = all(s.table is None and (s.is_bold or s.size > min_size) for s in last)
        if is_heading and is_in_first_column(last, columns) and _crosses_gutters(after.bands[:2], group):
            after.bands.insert(0, group.bands.pop())


def _crosses_gutters(bands: list[Band], group: Group) -> bool:
    """Return whether one of the lines covers a gutter of the group."""
    gutters = group.gutters()
    return any(line.x < low and line.end > high for band in bands for line in band for low, high in gutters)


# --- 4. Text without columns ---


def _merged(groups: list[Group]) -> list[Group]:
    """Join neighbouring groups without columns. One or two bands lose their columns if they are not a table."""
    result: list[Group] = []
    for group in groups:
        columns = group.columns()
        is_small = len(group.bands) < MIN_BANDS
        is_prose = len(columns) < 2
        if is_small and not is_prose:
            is_prose = not is_table(group.bands, columns) or _is_justified_line(group, result)
        if is_prose:
            group.free = []
        if result and is_prose and not result[-1].free:
            result[-1].add(group, [])
        else:
            result.append(group)
    return result


def _is_justified_line(group: Group, before: list[Group]) -> bool:
    """Return whether a group continues a justified paragraph: as wide as the lines above, with wide word spaces."""
    if not before:
        return False
    above = before[-1].bands[-1]
    size = max(segment.size for segment in above)
    left, right = extent(above)
    return is_close(above, group.bands[0]) and abs(left - group.left) < size and abs(right - group.right) < size
