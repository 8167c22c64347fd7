"""Group the lines of a PDF page that share columns. In: line segments in any order. Out: Groups, top to bottom.

A band is the list of segments of one height. A gutter is a vertical strip without text. Consecutive bands that share
gutters are a group; bands between two groups that share no gutter are groups, too. moved_lines.py corrects the result.

Distances are multiples of the font size unless they say points; y grows upwards, so `above.y > below.y`.
Tests: tests/documents/pdf/test_layout.py
"""

from __future__ import annotations

from itertools import chain

from webtool.documents.pdf.layout.gutters import (
    Band,
    Interval,
    bands,
    cells_of,
    column_of,
    common,
    is_table,
    row_steps,
    shared,
)
from webtool.documents.pdf.layout.segments import Segment, extent

MAX_COLUMNS = 40  # of a group; further gutters are ignored
MIN_BANDS = 3  # fewer bands side by side are not columns: they are a table row, or a heading with its number
MAX_PARAGRAPH_STEP = 1.5  # lines of one paragraph are closer than this
MAX_ROW_STEP = 1.2  # times the largest distance of two rows; a line further below is text after the table
MIN_TITLE_SIZE = 1.6  # times the size of the text below; larger type is a title of its own
_MAX_RECENT_BANDS = 30  # only this many bands at a group's end decide whether its columns are running text
_MIN_FULL_LINE = 0.8  # a line of running text fills at least this share of its column's width


class Group:
    """Consecutive bands, the left and right end of their text, and the strips without text in all of them (`free`).

    `free` has the two margins, which are infinite, and the gutters between columns. It is [] for bands that have become
    text without columns. `free`, `left` and `right` are not computed again when moved_lines.py moves bands in or out
    later: the columns of a group stay those that its own bands share.
    """

    def __init__(self, bands: list[Band]) -> None:
        self.bands = bands
        self.free = shared(bands)
        self.left, self.right = extent(chain.from_iterable(bands))

    def add(self, other: Group, strips: list[Interval]) -> None:
        """Append the bands of another group; `strips` are free in both."""
        self.bands.extend(other.bands)
        self.free = strips
        self.left = min(self.left, other.left)
        self.right = max(self.right, other.right)

    def gutters(self) -> list[Interval]:
        """Return the strips between two columns."""
        return [strip for strip in self.free if strip[0] > self.left and strip[1] < self.right]

    def columns(self) -> list[float]:
        """Return where each column ends: the middle of each gutter, then infinity. One entry means no columns."""
        return [*((low + high) / 2 for low, high in self.gutters()[: MAX_COLUMNS - 1]), float("inf")]

    def segments(self) -> list[Segment]:
        """Return the segments of all bands."""
        return [segment for band in self.bands for segment in band]

    def usual_size(self) -> float:
        """Return the median font size of the segments."""
        sizes = sorted(segment.size for segment in self.segments())
        return sizes[len(sizes) // 2]


def groups_of(segments: list[Segment]) -> list[Group]:
    """Group consecutive bands that share gutters; bands between them that share none are groups too."""
    groups: list[Group] = []
    for band in bands(segments):
        group = Group([band])
        if not groups or not _add_to(groups[-1], group):
            groups.append(group)
    return groups


def _add_to(above: Group, group: Group) -> bool:
    """Add a group of one band to the group above it if it continues its columns; return whether it was added.

    It depends on the numbers of columns of the group, of the band, and of both laid over each other:

    group  band  both        added
    1      1     1           always
    n > 1  any   n           always
    n > 1  any   2 to n - 1  unless the band is text below a table
    n > 1  any   over n      if the group is prose and keeps its gutters: the others are beside it (a formula's number)
    n      m     over n      if the group is one band, as near as a line of the same paragraph, and m is not over `both`

    In all other cases the band begins a new group.
    """
    strips = common(above.free, group.free)
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
        is_second_line = len(above.bands) == 1 and is_close(above.bands[0], group.bands[0])
        is_added = is_second_line and in_band <= in_both
    if is_added:
        above.add(group, strips)
    return is_added


def _is_prose(group: Group) -> bool:
    """Return whether the last bands of a group are columns of running text: most lines of one column are full."""
    recent, columns = group.bands[-_MAX_RECENT_BANDS:], group.columns()
    if is_table(recent, columns):
        return False
    for column in cells_of((segment for band in recent for segment in band), columns):
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
    full = sum(len({column_of(segment, columns) for segment in band}) == len(columns) for band in table.bands)
    is_far = table.bands[-1][0].y - line.y > MAX_ROW_STEP * max(row_steps(table.bands))
    return full == len(table.bands) or (full >= MIN_BANDS and is_far)


def is_close(above: Band, below: Band) -> bool:
    """Return whether two bands are as near as lines of one paragraph; rows of a drawn table are not lines."""
    if above[0].table is not None or below[0].table is not None:
        return False
    size = max(segment.size for segment in above)
    is_title = size > MIN_TITLE_SIZE * max(segment.size for segment in below)
    step = min(segment.y for segment in above) - max(segment.y for segment in below)
    return not is_title and step < MAX_PARAGRAPH_STEP * size
