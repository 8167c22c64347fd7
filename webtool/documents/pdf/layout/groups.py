"""Group the lines of a PDF page that share columns. In: line segments in any order. Out: Groups, top to bottom.

A band is the list of segments of one height. A gutter is a vertical strip without text. Consecutive bands that share
gutters are a group; bands between two groups that share no gutter are groups, too.
corrected() moves lines between groups in these steps. Their order matters: each looks at what the one before left.
1. rows whose cells span columns move from the text above a table into it: they are its head
2. first lines of a column that have nothing beside them, because the other column begins with a picture, move into it
3. a heading at the end of the first column moves to the text below, if that is as wide as the page
4. groups without columns are joined; one or two bands with a chance gap lose their columns
Tests: tests/documents/pdf/test_layout.py
"""

from __future__ import annotations

from itertools import chain

from webtool.documents.pdf.layout import Segment, extent, gutters

_MAX_COLUMNS = 40  # of a group; further gutters are ignored
MIN_BANDS = 3  # fewer bands side by side are not columns: they are a table row, or a heading with its number
MAX_PARAGRAPH_STEP = 1.5  # lines of one paragraph are closer than this
MAX_ROW_STEP = 1.2  # times the largest distance of two rows; a line further below is text after the table
_MIN_TITLE_SIZE = 1.6  # times the size of the text below; larger type is a title of its own
_MAX_RECENT_BANDS = 30  # only this many bands at a group's end are judged to find running text in its columns
_MIN_FULL_LINE = 0.8  # a line of running text fills at least this share of its column's width


class Group:
    """Consecutive bands, the left and right end of their text, and the strips without text in all of them (`free`).

    `free` has the two margins, which are infinite, and the gutters between columns. It is [] for bands that have become
    text without columns. `free`, `left` and `right` are not computed again when corrected() moves bands in or out
    later: the columns of a group stay those that its own bands share.
    """

    def __init__(self, bands: list[gutters.Band]) -> None:
        self.bands = bands
        self.free = gutters.shared(bands)
        self.left, self.right = extent(chain.from_iterable(bands))

    def add(self, other: Group, strips: list[gutters.Interval]) -> None:
        """Append the bands of another group; `strips` are free in both."""
        self.bands.extend(other.bands)
        self.free = strips
        self.left = min(self.left, other.left)
        self.right = max(self.right, other.right)

    def gutters(self) -> list[gutters.Interval]:
        """Return the strips between two columns."""
        return [strip for strip in self.free if strip[0] > self.left and strip[1] < self.right]

    def columns(self) -> list[float]:
        """Return where each column ends, see gutters.ends_of()."""
        return gutters.ends_of(self.gutters()[: _MAX_COLUMNS - 1])

    def segments(self) -> list[Segment]:
        return [segment for band in self.bands for segment in band]

    def usual_size(self) -> float:
        """Return the median font size of the segments."""
        sizes = sorted(segment.size for segment in self.segments())
        return sizes[len(sizes) // 2]


def groups_of(segments: list[Segment]) -> list[Group]:
    """Group consecutive bands that share gutters; bands between them that share none are groups too."""
    groups: list[Group] = []
    for band in gutters.bands(segments):
        group = Group([band])
        if not groups or not _add_to(groups[-1], group):
            groups.append(group)
    return groups


def _add_to(above: Group, group: Group) -> bool:
    """Add a group of one band to the group above it if it continues its columns; return whether it was added.

    That depends on the numbers of columns of the group, of the band, and of both laid over each other:

    group  band  both        added
    1      1     1           always
    n > 1  any   n           always
    n > 1  any   2 to n - 1  unless the band is text below a table
    n > 1  any   over n      if the group is prose and keeps its gutters: the others are beside it (a formula's number)
    n      any   over n      if the group is one band, the new band is as near as the next line of a paragraph, and it
                             has at most as many columns as `both`
    In all other cases the band begins a new group.
    """
    strips = gutters.common(above.free, group.free)
    left, right = min(above.left, group.left), max(above.right, group.right)
    in_group, in_band = len(above.columns()), len(group.columns())
    in_both = 1 + sum(low > left and high < right for low, high in strips)
    if in_both > in_group > 1 and _is_prose(above):
        # The band has the number of a formula, right of all text so far: the gutter before it is not one of the group.
        within = [strip for strip in strips if above.left < strip[0] and strip[1] < above.right]
        if len(within) == in_group - 1:
            above.add(group, [(float("-inf"), left), *within, (right, float("inf"))])
            return True
    if 1 < in_both <= in_group:
        is_added = in_both == in_group or not _is_prose_below(above, group)
    elif in_both == 1:
        is_added = in_group == in_band == 1
    else:
        is_second_line = len(above.bands) == 1 and _is_close(above.bands[0], group.bands[0])
        is_added = is_second_line and in_band <= in_both
    if is_added:
        above.add(group, strips)
    return is_added


def _is_prose(group: Group) -> bool:
    """Return whether the last bands of a group are columns of running text: most lines of one column are full."""
    recent, columns = group.bands[-_MAX_RECENT_BANDS:], group.columns()
    if gutters.is_table(recent, columns):
        return False
    for column in gutters.cells_of((segment for band in recent for segment in band), columns):
        left, right = extent(column)
        full = sum(segment.end - segment.x > _MIN_FULL_LINE * (right - left) for segment in column)
        if full >= MIN_BANDS and 2 * full >= len(column):
            return True
    return False


def _is_prose_below(table: Group, group: Group) -> bool:
    """Return whether a line below a table, which crosses its gutters, is text rather than a row.

    It is text if all rows of the table have all columns, or if some do and the line is further away than rows are.
    """
    line = group.bands[0][0]
    if len(group.bands[0]) > 1 or len(table.bands) < MIN_BANDS or abs(line.x - table.left) > line.size:
        return False
    columns = table.columns()
    full = sum(len({gutters.column_of(segment, columns) for segment in band}) == len(columns) for band in table.bands)
    is_far = table.bands[-1][0].y - line.y > MAX_ROW_STEP * max(gutters.row_steps(table.bands))
    return full == len(table.bands) or (full >= MIN_BANDS and is_far)


def _is_close(above: gutters.Band, below: gutters.Band) -> bool:
    """Return whether two bands are as near as lines of one paragraph; rows of a drawn table are not lines."""
    if above[0].table is not None or below[0].table is not None:
        return False
    size = max(segment.size for segment in above)
    is_title = size > _MIN_TITLE_SIZE * max(segment.size for segment in below)
    step = min(segment.y for segment in above) - max(segment.y for segment in below)
    return not is_title and step < MAX_PARAGRAPH_STEP * size


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


def is_in_first_column(band: gutters.Band, columns: list[float]) -> bool:
    return {gutters.column_of(segment, columns) for segment in band} == {0}


# --- 1. Heads of tables ---


def _add_spanning_heads(groups: list[Group]) -> None:
    """Move rows whose cells span columns from the group above to the table below them, which has more columns."""
    for before, group in zip(groups, groups[1:]):
        columns = group.columns()
        if len(columns) <= 2 or len(group.bands) < 2 or not gutters.is_table(group.bands, columns):
            continue
        for _ in range(_MAX_HEAD_ROWS):
            if before.bands and _spans_columns(before.bands[-1], group):
                group.bands.insert(0, before.bands.pop())


def _spans_columns(band: gutters.Band, group: Group) -> bool:
    """Return whether the texts of a band just above a table are heads, each above other columns of the table."""
    first, below = band[0], group.bands[0][0]
    max_step = MAX_ROW_STEP * max(*gutters.row_steps(group.bands), _MIN_HEAD_DISTANCE * below.size)
    is_near = first.y - below.y <= max_step
    if not is_near or first.table is not None or abs(first.size - below.size) > 1:
        return False
    cells = sorted(band, key=lambda segment: segment.x)
    is_inside = cells[0].x > group.left - below.size and cells[-1].end < group.right + _MAX_OVERHANG * below.size
    gaps = group.gutters()
    # The first and the last column that each cell is above.
    covered = [(sum(low < cell.x for low, _ in gaps), sum(high < cell.end for _, high in gaps)) for cell in cells]
    are_apart = all(last < next_first for (_, last), (next_first, _) in zip(covered, covered[1:]))
    return is_inside and len(covered) > 1 and are_apart


# --- 2. First lines of columns ---


def _add_first_lines(groups: list[Group]) -> None:
    """Move lines that fit into one column from the text above to the columns below them."""
    for before, group in zip(groups, groups[1:]):
        columns = group.columns()
        if len(columns) < 2 or len(group.bands) < MIN_BANDS or len(before.columns()) > 1:
            continue
        moved: list[gutters.Band] = []
        takes_tables = not gutters.is_table(group.bands, columns)
        while before.bands and len(moved) < _MAX_FIRST_LINES and _fits(before.bands[-1], group, columns, takes_tables):
            moved.append(before.bands.pop())
        group.bands[:0] = reversed(moved)


def _fits(band: gutters.Band, group: Group, columns: list[float], takes_tables: bool) -> bool:
    """Return whether a band is in one column of a group, within the group's sides, and not a title."""
    if not takes_tables and any(segment.table is not None for segment in band):
        return False
    for segment in band:
        if segment.x <= group.left - segment.size or segment.end >= group.right + _MAX_OVERHANG * segment.size:
            return False
        if any(segment.x < high and segment.end > low for low, high in group.gutters()):
            return False
        if segment.size >= _MIN_TITLE_SIZE * group.bands[0][0].size:
            return False
    return len({gutters.column_of(segment, columns) for segment in band}) == 1


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


def _crosses_gutters(bands: list[gutters.Band], group: Group) -> bool:
    """Return whether one of the lines covers a gutter of the group."""
    gaps = group.gutters()
    return any(line.x < low and line.end > high for band in bands for line in band for low, high in gaps)


# --- 4. Text without columns ---


def _merged(groups: list[Group]) -> list[Group]:
    """Join neighbouring groups without columns. One or two bands lose their columns if they are not a table."""
    result: list[Group] = []
    for group in groups:
        columns = group.columns()
        is_small = len(group.bands) < MIN_BANDS
        is_prose = len(columns) < 2
        if is_small and not is_prose:
            is_prose = not gutters.is_table(group.bands, columns) or _is_justified_line(group, result)
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
    return _is_close(above, group.bands[0]) and abs(left - group.left) < size and abs(right - group.right) < size
