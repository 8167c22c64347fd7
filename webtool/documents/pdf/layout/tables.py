"""Find the tables that a page draws with lines. In: rulings and spans of a page. Out: tables as Segments, other spans.

A ruling is the box of a drawn line, a span is a run of letters, and a segment is all text on one baseline. There are
two kinds of tables here. pages.py has those that tags mark, gutters.py those that neither lines nor tags show.
- a grid is a set of lines that touch. With two rows, two columns and text in them it is a table. Each span goes into
  the cell that its middle is in. Its outer lines may be missing.
- level-line tables have three or more level lines of one width and no upright line. The lines divide them into areas:
  printed tables have lines above and below the head and at the end, tables of web pages one below each row. An area
  has bands (segments side by side); strips between them that no text crosses divide it into columns.
A table becomes several segments, one at the height of each row or area, so that the layout knows how far it reaches.
The first of them carries all rows, the others are empty (gutters.as_segments).

Coordinates are points; y grows upwards. An upright line is (x, bottom, top), a level line is (y, left, right).
Tests: tests/documents/pdf/test_layout.py, tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import chain

from webtool.documents.pdf.layout import Segment, gutters
from webtool.documents.pdf.layout.lines import segments
from webtool.documents.pdf.paths import MAX_THICKNESS
from webtool.documents.pdf.state import Rect, Span
from webtool.lean.records import NamedTuple

Line = tuple[float, float, float]  # position, start, end
CellIndex = tuple[int, int]  # row, column
Links = list[tuple[Rect, str]]

_MAX_LINES = 300  # a page with more joined lines in one direction is a drawing
_MAX_CELLS = 5000  # a grid with more cells is a drawing
_MAX_OPEN_GRIDS = 20  # a page on which more grids lack outer lines has crosses, such as marks of a map
_MAX_OPEN_LINES = 50  # earlier lines that are compared with a line, to join them
_MAX_TOUCH = 3.0  # points; lines with a smaller gap between them touch
_MIN_OPEN_CELL = 8.0  # points; lines that reach less far beyond the outermost other line have no cell there
_MAX_END_STEP = 4.0  # points; level lines are of one width if their ends differ by less
_MAX_HEAD_DISTANCE = 2.5  # font sizes; text further above the first level line is not the table's head
_MAX_HEAD_STEP = 1.35  # font sizes; lines of one cell of the head are closer
_MIN_PROSE_LINES = 4  # a column of an area with fewer lines is not prose
_MAX_CELL_LINE = 30  # characters; a column whose lines are longer on average is prose


class _Grid(NamedTuple):
    """Lines that touch."""

    xs: list[float]  # distinct positions of its upright lines, sorted
    ys: list[float]  # distinct positions of its level lines, sorted
    upright: list[Line]
    level: list[Line]
    is_open: bool = False  # some of its outer lines are missing

    @property
    def is_table(self) -> bool:
        """Whether there are at least two rows and two columns, and not too many."""
        return len(self.xs) > 2 and len(self.ys) > 2 and len(self.xs) * len(self.ys) <= _MAX_CELLS


def drawn_tables(rulings: list[Rect], spans: list[Span], links: Links) -> tuple[list[Segment], list[Span]]:
    """Return the tables as segments, and the spans that are not in a table."""
    upright = _joined([(left, bottom, top) for left, bottom, right, top in rulings if right - left <= MAX_THICKNESS])
    level = _joined([(bottom, left, right) for left, bottom, right, _ in rulings if right - left > MAX_THICKNESS])
    result: list[Segment] = []
    if max(len(upright), len(level)) > _MAX_LINES:  # a drawing
        return result, spans
    lone_lines: list[Line] = []
    grids = _grids(upright, level)
    open_sided = [_with_open_sides(grid) for grid in grids]
    has_crosses = sum(map(len, open_sided)) > _MAX_OPEN_GRIDS
    for grid, opened in zip(grids, open_sided):
        if not grid.upright:
            lone_lines.extend(grid.level)
        for tried in (grid,) if has_crosses else (*opened, grid):
            table, spans = _grid_table(tried, spans, links) if tried.is_table else ([], spans)
            result.extend(table)
            if table:
                break
    if len(lone_lines) > 2:
        level_tables, spans = _level_line_tables(sorted(lone_lines, reverse=True), spans, links)
        result.extend(level_tables)
    return result, spans


def _joined(lines: list[Line]) -> list[Line]:
    """Join lines of one direction that overlap or continue each other."""
    result: list[Line] = []
    open_lines: list[Line] = []  # lines that a later line may continue
    for line in sorted(lines):
        for index, (position, start, end) in enumerate(open_lines):
            is_near = line[0] - position <= MAX_THICKNESS
            if is_near and line[1] <= end + _MAX_TOUCH and line[2] >= start - _MAX_TOUCH:
                open_lines[index] = (position, min(start, line[1]), max(end, line[2]))
                break
        else:
            result.extend(old for old in open_lines if line[0] - old[0] > MAX_THICKNESS)
            open_lines = [old for old in open_lines if line[0] - old[0] <= MAX_THICKNESS][-_MAX_OPEN_LINES:]
            open_lines.append(line)
    return sorted(result + open_lines)


def _grids(upright: list[Line], level: list[Line]) -> list[_Grid]:
    """Group lines that cross or touch, directly or through others (union-find)."""
    owner = list(range(len(upright) + len(level)))

    def root(index: int) -> int:
        while owner[index] != index:
            owner[index] = owner[owner[index]]
            index = owner[index]
        return index

    for i, (x, bottom, top) in enumerate(upright):
        for j, (y, left, right) in enumerate(level, len(upright)):
            if left - _MAX_TOUCH <= x <= right + _MAX_TOUCH and bottom - _MAX_TOUCH <= y <= top + _MAX_TOUCH:
                owner[root(i)] = root(j)
    grids: dict[int, _Grid] = {}
    for index, line in enumerate([*upright, *level]):
        grid = grids.setdefault(root(index), _Grid([], [], [], []))
        lines, positions = (grid.upright, grid.xs) if index < len(upright) else (grid.level, grid.ys)
        lines.append(line)
        if not positions or line[0] - positions[-1] > 2 * MAX_THICKNESS:
            positions.append(line[0])
    return list(grids.values())


def _has_one_row(bands: list[gutters.Band], columns: list[float]) -> bool:
    """Return whether bands are the lines of one row: at most one of them fills two columns."""
    return sum(_fills_two(gutters.cells_of(band, columns)) for band in bands) < 2


def _with_open_sides(grid: _Grid) -> list[_Grid]:
    """Return a grid with a position at each side where its lines end without touching another one; [] if none does.

    A table may have inner lines only: "a | b", with a level line below the row.
    """
    if not grid.xs or not grid.ys:
        return []
    xs, ys = _with_ends(grid.xs, grid.level), _with_ends(grid.ys, grid.upright)
    is_open = len(xs) + len(ys) > len(grid.xs) + len(grid.ys)
    return [grid._replace(xs=xs, ys=ys, is_open=True)] if is_open else []


def _with_ends(positions: list[float], lines: list[Line]) -> list[float]:
    """Return positions with the ends of the lines of the other direction, if most of them reach far beyond."""
    before = [start for _, start, _ in lines if start < positions[0] - _MIN_OPEN_CELL]
    after = [end for _, _, end in lines if end > positions[-1] + _MIN_OPEN_CELL]
    first = [min(before)] if 2 * len(before) > len(lines) else []
    last = [max(after)] if 2 * len(after) > len(lines) else []
    return [*first, *positions, *last]


def _fills_two(row: list[list[Segment]]) -> bool:
    """Return whether two cells of a row or more have text."""
    return sum(map(bool, row)) > 1


# Tables in a grid


def _grid_table(grid: _Grid, spans: list[Span], links: Links) -> tuple[list[Segment], list[Span]]:
    """Return the table in a grid and the spans outside of it; [] and all spans if few rows have text in two cells."""
    xs, ys = grid.xs, grid.ys
    rows: list[list[list[Span]]] = [[[] for _ in xs[1:]] for _ in ys[1:]]
    first_cells = _first_cells(grid)
    outside: list[Span] = []
    for span in spans:
        column = bisect_right(xs, (span.x + span.end) / 2) - 1
        row = len(ys) - 1 - bisect_right(ys, span.y + 0.3 * span.size)
        if 0 <= column < len(xs) - 1 and 0 <= row < len(ys) - 1:
            row, column = first_cells[row, column]
            rows[row][column].append(span)
        else:
            outside.append(span)
    cells = [[segments(cell, links) for cell in row] for row in rows if any(row)]
    filled = sum(map(_fills_two, cells))
    columns = [*xs[1:-1], float("inf")]
    has_merged_rows = grid.is_open and not all(_has_one_row(gutters.bands(list(chain(*row))), columns) for row in cells)
    if filled < 2 or 2 * filled < len(rows) or has_merged_rows:
        return [], spans
    heights = [(low + high) / 2 for low, high in zip(ys, ys[1:])][::-1]
    return gutters.as_segments(cells, xs[0], xs[-1], heights), outside


def _first_cells(grid: _Grid) -> dict[CellIndex, CellIndex]:
    """Return, for each place in a grid, the top left place of its cell.

    A place is where a row and a column meet. A cell may span several places, which no line divides.
    """
    xs, ys = grid.xs, grid.ys
    last_row = len(ys) - 2
    has_line_left: set[CellIndex] = set()
    has_line_above: set[CellIndex] = set()
    for x, bottom, top in grid.upright:
        column = _nearest(xs, x)
        has_line_left.update((last_row - row, column) for row in _covered(ys, bottom, top))
    for y, left, right in grid.level:
        row = last_row + 1 - _nearest(ys, y)
        has_line_above.update((row, column) for column in _covered(xs, left, right))
    first: dict[CellIndex, CellIndex] = {}
    for row in range(last_row + 1):
        for column in range(len(xs) - 1):
            place = row, column
            if column and place not in has_line_left:
                first[place] = first[row, column - 1]
            elif row and place not in has_line_above:
                first[place] = first[row - 1, column]
            else:
                first[place] = place
    return first


def _nearest(positions: list[float], position: float) -> int:
    """Return the index of the grid's position for a line: the last one that is at most MAX_THICKNESS beyond it."""
    return max(0, bisect_right(positions, position + MAX_THICKNESS) - 1)


def _covered(positions: list[float], start: float, end: float) -> range:
    """Return the indices of the spaces between positions whose middle a line from `start` to `end` covers."""
    middles = [(low + high) / 2 for low, high in zip(positions, positions[1:])]
    return range(bisect_left(middles, start), bisect_right(middles, end))


# Tables between level lines


def _level_line_tables(lines: list[Line], spans: list[Span], links: Links) -> tuple[list[Segment], list[Span]]:
    """Return the tables between level lines, which are sorted from the top, and the spans that are not in a table."""
    result: list[Segment] = []
    for group in _of_one_width(lines):
        inside, above, outside = _by_place(spans, group)
        areas = _areas(group, segments(inside, links))
        spanning: list[gutters.Band] = []  # the rows of the head whose cells span columns
        if areas:
            spanning_count = _count_spanning(areas)
            spanning, areas[0] = areas[0][:spanning_count], areas[0][spanning_count:]
        strips = _shared_strips(areas)  # the two margins, and one between two columns
        if len(strips) < 3 or len(areas) < 2 or any(_is_prose(area, strips) for area in areas):
            continue
        columns = gutters.ends_of(strips[1:-1])
        head = gutters.bands(segments(above, links))
        while len(head) > 1 and _ends_text(head[0], head[1], columns):
            low = min(segment.y for segment in head.pop(0))
            outside.extend(span for span in above if span.y >= low)
            above = [span for span in above if span.y < low]
        has_head = bool(head) and _is_head(head, strips)
        if has_head:
            areas.insert(0, head)
        else:
            outside.extend(above)
        rows_of_areas = _rows(areas, columns)
        if spanning:  # at the top of the first area, below a head above the first line
            rows_of_areas.insert(int(has_head), [gutters.cells_of(band, columns) for band in spanning])
        rows = list(chain.from_iterable(rows_of_areas))
        if sum(map(_fills_two, rows)) > 1:
            result.extend(gutters.as_segments(rows, group[0][1], group[0][2], [area[0][0].y for area in areas]))
            spans = outside
    return result, spans


def _of_one_width(lines: list[Line]) -> list[list[Line]]:
    """Group lines with the same left and right end; groups of less than three are dropped."""
    groups: list[list[Line]] = []
    for line in lines:
        for group in groups:
            if abs(group[0][1] - line[1]) < _MAX_END_STEP and abs(group[0][2] - line[2]) < _MAX_END_STEP:
                group.append(line)
                break
        else:
            groups.append([line])
    return [group for group in groups if len(group) > 2]


def _by_place(spans: list[Span], lines: list[Line]) -> tuple[list[Span], list[Span], list[Span]]:
    """Return the spans between the first and the last line, those just above the first, and the others."""
    inside: list[Span] = []
    above: list[Span] = []
    outside: list[Span] = []
    top, left, right = lines[0]
    for span in spans:
        is_within = left - _MAX_END_STEP < span.x < span.end < right + _MAX_END_STEP
        if not is_within or span.y < lines[-1][0] or span.y >= top + _MAX_HEAD_DISTANCE * span.size:
            outside.append(span)
        elif span.y < top:
            inside.append(span)
        else:
            above.append(span)
    return inside, above, outside


def _areas(lines: list[Line], inside: list[Segment]) -> list[list[gutters.Band]]:
    """Return the bands between each line and the next; areas without text are left out."""
    areas: list[list[gutters.Band]] = [[] for _ in lines]
    for band in gutters.bands(inside):
        areas[sum(line[0] > band[0].y for line in lines) - 1].append(band)
    return [area for area in areas if area]


def _shared_strips(areas: list[list[gutters.Band]]) -> list[gutters.Interval]:
    """Return the strips that no text of any area crosses. Areas with one text do not count: it heads the rows below."""
    return gutters.shared(band for area in areas if sum(map(len, area)) > 1 for band in area)


def _count_spanning(areas: list[list[gutters.Band]]) -> int:
    """Return how many bands at the top of the first area have cells that span columns.

    They have fewer cells than the area's last band, and without them more strips are free of text.
    """
    first = areas[0]
    count = next((index for index, band in enumerate(first) if len(band) >= len(first[-1])), 0)
    if not count:
        return 0
    has_more_columns = len(_shared_strips([first[count:], *areas[1:]])) > len(_shared_strips(areas))
    return count if has_more_columns else 0


def _is_prose(area: list[gutters.Band], strips: list[gutters.Interval]) -> bool:
    """Return whether an area has columns of running text side by side."""
    columns = gutters.cells_of(chain.from_iterable(area), gutters.ends_of(strips[1:-1]))
    long_columns = [lines for lines in columns if len(lines) >= _MIN_PROSE_LINES]
    return sum(sum(len(line.text) for line in lines) > _MAX_CELL_LINE * len(lines) for lines in long_columns) > 1


def _ends_text(band: gutters.Band, below: gutters.Band, columns: list[float]) -> bool:
    """Return whether a band ends the text above a table: it fits the first column, but is far above the head."""
    is_first_cell = len(band) == 1 and gutters.column_of(band[0], columns) == 0
    return is_first_cell and band[0].y - below[0].y > _MAX_HEAD_STEP * band[0].size


def _is_head(head: list[gutters.Band], strips: list[gutters.Interval]) -> bool:
    """Return whether the text above the first line crosses none of the table's strips and fills two columns."""
    uncrossed = gutters.common(strips, gutters.shared(head))
    cells = gutters.cells_of(chain.from_iterable(head), gutters.ends_of(uncrossed[1:-1]))
    return len(uncrossed) == len(strips) and _fills_two(cells)


def _rows(areas: list[list[gutters.Band]], columns: list[float]) -> list[gutters.Rows]:
    """Return the rows of each area. An area is one row, or each of its lines is a row.

    An area is one row if at most one of its bands fills two columns. If there are four areas or more, and most of them
    are one row, then every area is: the page draws a line below each row.
    """
    has_one_row = [_has_one_row(area, columns) for area in areas]
    is_ruled_by_row = len(areas) > 3 and 2 * sum(has_one_row) > len(areas)
    result: list[gutters.Rows] = []
    for area, is_one_row in zip(areas, has_one_row):
        if is_one_row or is_ruled_by_row:
            result.append([gutters.cells_of(chain.from_iterable(area), columns)])
        else:
            result.append(gutters.table_rows(area, columns))
    return result
