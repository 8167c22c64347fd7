"""Find the reading order of one page. In: line segments in any order. Out: regions, each a column's lines or one table.

A page is divided into groups of bands that share columns (groups.py, moved_lines.py). The columns of a group are read
one after the other, with these exceptions:

    a table without ruling lines      is one region, between the text above and below it
    headings between tables           each heading begins a part of its own
    labels with text beside them      each label is read with its text (side_texts.py)
    numbers or notes at the side      are read with the lines beside them (side_texts.py)
    formulas, and fewer than 3 bands  are read line by line, across the columns
    a small table within prose        the text above it, the table and the text below it are parts

A part may have columns again, so regions() divides parts with a stack, at most MAX_DEPTH times.
Distances are multiples of the font size; y grows upwards.
Tests: tests/documents/pdf/test_layout.py
"""

from __future__ import annotations

from itertools import chain

from webtool.documents.pdf.layout.groups import MAX_ROW_STEP, MIN_BANDS, Group, groups_of
from webtool.documents.pdf.layout.gutters import (
    Band,
    as_segments,
    cells_of,
    column_of,
    is_table,
    row_steps,
    table_rows,
)
from webtool.documents.pdf.layout.moved_lines import MIN_HEADING_SIZE, corrected, is_in_first_column
from webtool.documents.pdf.layout.segments import Segment
from webtool.documents.pdf.layout.side_texts import hanging, with_margins

MAX_DEPTH = 5  # of columns within columns; deeper parts are not divided
_FINAL = -1  # the depth of a part that is not divided again
_MIN_LINES = 2  # a column has at least this many lines; a single one is a date or a number in the margin
_MAX_CELL_SHARE = 1 / 3  # a column with text in fewer than this share of the bands belongs to a small table in prose
_MAX_CELL_WIDTH = 5.0  # a cell of a small table in prose is narrower than this

Part = tuple[list[Segment], int]  # segments of a part of the page, and its depth or _FINAL


def regions(segments: list[Segment]) -> list[list[Segment]]:
    """Return the page's regions in reading order."""
    result: list[list[Segment]] = []
    waiting = [(segments, 0)]
    while waiting:
        part, depth = waiting.pop()
        if part and depth == _FINAL:
            result.append(part)
        elif part:
            waiting.extend(reversed(_divided(part, depth)))
    return result


def _divided(segments: list[Segment], depth: int) -> list[Part]:
    """Divide a part of the page into parts in reading order."""
    parts: list[Part] = []
    for group in corrected(groups_of(segments)):
        columns = group.columns()
        if len(columns) < 2 or depth >= MAX_DEPTH:
            parts.append((group.segments(), _FINAL))
        elif is_table(group.bands, columns):
            parts.extend(_divided_table(group, columns, depth))
        else:
            parts.extend(_divided_columns(group, columns, depth))
    return parts


def _divided_table(group: Group, columns: list[float], depth: int) -> list[Part]:
    """Divide tables at the headings between them; else return the text above, the table and the text below."""
    sections = _sections(group)
    if len(sections) > 1:
        return [(list(chain(*section)), depth + 1) for section in sections]
    return [(part, _FINAL) for part in _table_regions(group, columns)]


def _divided_columns(group: Group, columns: list[float], depth: int) -> list[Part]:
    """Divide columns of running text: by hanging labels, around a small table, or column by column."""
    parts = with_margins([part for part in cells_of(group.segments(), columns) if part])
    items = hanging(parts)
    if items:
        return [(item, depth + 1) for item in items]
    if len(parts) < 2 or len(group.bands) < MIN_BANDS or min(map(len, parts)) < _MIN_LINES:
        return [(group.segments(), _FINAL)]
    table = _table_in_prose(group, columns)
    if table:
        pieces = group.bands[: table.start], group.bands[table], group.bands[table.stop :]
        return [(list(chain(*piece)), depth + 1) for piece in pieces]
    return [(part, depth + 1) for part in parts]


def _sections(group: Group) -> list[list[Band]]:
    """Split the bands of a group before each band that is only a heading."""
    min_size = MIN_HEADING_SIZE * group.usual_size()
    sections: list[list[Band]] = [[]]
    for band in group.bands:
        is_heading = len(band) == 1 and band[0].size > min_size
        if is_heading and sections[-1]:
            sections.append([])
        sections[-1].append(band)
    return sections


def _table_in_prose(group: Group, columns: list[float]) -> slice | None:
    """Return the bands of a small table without ruling lines in prose, if its few short cells look like a column."""
    rows: dict[int, list[int]] = {}  # column -> indices of the bands with text in it
    for index, band in enumerate(group.bands):
        for column in {column_of(segment, columns) for segment in band}:
            rows.setdefault(column, []).append(index)
    shortest = min(sorted(rows), key=lambda column: len(rows[column]))
    indices = rows[shortest]
    table = slice(indices[0], indices[-1] + 1)
    cells = [cell for index in indices for cell in group.bands[index] if column_of(cell, columns) == shortest]
    is_small = len(indices) < _MAX_CELL_SHARE * len(group.bands) and len(group.bands[table]) < 2 * len(indices)
    is_narrow = all(cell.end - cell.x < _MAX_CELL_WIDTH * cell.size for cell in cells)
    return table if is_small and is_narrow and is_table(group.bands[table], columns) else None


def _table_regions(group: Group, columns: list[float]) -> list[list[Segment]]:
    """Return the text above a table's first row, the table, and the text far below its last row.

    The text above has lines in the first column only. A first band without a line there is a row: it may be the end of
    a cell that began on the page before.
    """
    start = 0
    while is_in_first_column(group.bands[start], columns) and len(group.bands) - start > 1:
        start += 1
    end = len(group.bands) - _lines_below(group.bands[start:], columns)
    above, rows, below = group.bands[:start], group.bands[start:end], group.bands[end:]
    table = as_segments(table_rows(rows, columns), group.left, group.right, [rows[0][0].y])
    return [list(chain(*above)), table, list(chain(*below))]


def _lines_below(bands: list[Band], columns: list[float]) -> int:
    """Return how many bands at the end are text below a table: in the first column, and further away than rows are."""
    count = 0
    while is_in_first_column(bands[-1 - count], columns) and len(bands) - count > MIN_BANDS:
        count += 1
    rows, lines = bands[: len(bands) - count], bands[len(bands) - count :]
    is_far = bool(lines) and rows[-1][0].y - lines[0][0].y > MAX_ROW_STEP * max(row_steps(rows))
    return count if is_far else 0
