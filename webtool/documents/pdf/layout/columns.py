"""Find the reading order of one page. In: line segments in any order. Out: regions, each a column's lines or one table.

Segments of the same height are a band. A gutter is a vertical strip without text; bands that share gutters are a group.
The columns of a group are read one after the other, unless the group is a table without ruling lines
(gutters.is_table). A column may be divided again, so regions() works with a stack of parts. Most functions below
correct groups: first lines of a column that have nothing beside them, heads that span columns, headings at the end,
margin notes.

Distances are multiples of the font size unless they say points; y grows upwards.
Tests: tests/documents/pdf/test_layout.py
"""

from __future__ import annotations

from itertools import chain

from webtool.documents.pdf.layout.gutters import (
    Band,
    Interval,
    as_segments,
    bands,
    cells_of,
    column_of,
    common,
    is_table,
    row_steps,
    shared,
    table_rows,
)
from webtool.documents.pdf.layout.lines import Segment, extent
from webtool.lean import patterns

MAX_DEPTH = 5  # of columns within columns; deeper parts are not divided
MAX_COLUMNS = 40  # of a group; further gutters are ignored
_FINAL = -1  # the depth of a part that is not divided again
_MIN_BANDS = 3  # fewer bands side by side are not columns: they are a table row, or a heading with its number
_MIN_LINES = 2  # a column has at least this many lines; a single one is a date or a number in the margin
_MAX_HEAD_ROWS = 3  # at most this many rows whose cells span columns are moved to the table below them
_MAX_FIRST_LINES = 60  # at most this many lines are moved from the text above to the columns below
_MAX_RECENT_BANDS = 30  # only this many bands at a group's end decide whether its columns are running text
_MIN_FULL_LINE = 0.8  # a line of running text fills at least this share of its column's width
_MAX_CELL_SHARE = 1 / 3  # a column that fewer bands than this share have is one of a small table in prose
_MAX_CELL_WIDTH = 5.0  # a cell of a small table in prose is narrower than this
_MAX_LABEL_WIDTH = 4.0  # a label with text hanging beside it is narrower than this
_MAX_LABELS = 0.7  # labels per line of text beside them; with more, the two columns are read one after the other
_MIN_LABELS_BESIDE = 0.7  # share of labels that must have a line of text at their height
_MIN_HANGING_TEXT = 30  # characters; if no line beside the labels is longer, they are not labels of a text
_MAX_NOTE_WIDTH = 8.0  # a note in the right margin is narrower than this
_MIN_HEADING_SIZE = 1.1  # times the group's median font size; larger type is a heading
_MIN_TITLE_SIZE = 1.6  # times the size of the text below; larger type is a title of its own
_MAX_HEAD_DISTANCE = 1.6  # a head may be this far above the first row, even if the rows are closer to each other
_MAX_ROW_STEP = 1.2  # times the largest distance of two rows; a line further below is text after the table
_MAX_OVERHANG = 4.0  # a line may end this far beyond the right end of the group and still belong to it
_MAX_PARAGRAPH_STEP = 1.5  # lines of one paragraph are closer than this
_MAX_BESIDE = 2.0  # points; a label and text whose baselines differ by less are one line
_MAX_FLUSH_STEP = 1.0  # points; notes whose right ends differ by less are flush right
_FORMULA_NUMBER = patterns.compile(r"\((?:[A-Z]\.)?\d+(?:\.\d+)*[a-z]?\)\Z")
_PAGE_NUMBER = patterns.compile(r"(?:\d{1,4}|[ivxlc]{1,6})\Z")


class _Group:
    """Consecutive bands, the left and right end of their text, and the strips without text in all of them (`free`).

    `free` has the two margins, which are infinite, and the gutters between columns. It is [] for bands that have become
    text without columns (_merged). Bands that are moved to another group later change none of these: the columns of a
    group stay those that its own bands share.
    """

    def __init__(self, bands: list[Band]) -> None:
        self.bands = bands
        self.free = shared(bands)
        self.left, self.right = extent(chain.from_iterable(bands))

    def add(self, other: _Group, strips: list[Interval]) -> None:
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


def _divided(segments: list[Segment], depth: int) -> list[tuple[list[Segment], int]]:
    """Divide a part of the page into parts in reading order, each with its depth or _FINAL."""
    parts: list[tuple[list[Segment], int]] = []
    for group in _groups(segments):
        columns = group.columns()
        sections = _sections(group)
        if len(columns) < 2 or depth >= MAX_DEPTH:  # not to be divided
            parts.append((group.segments(), _FINAL))
        elif len(sections) > 1 and is_table(group.bands, columns):
            # Headings separate tables: each section is divided on its own.
            parts.extend((list(chain(*section)), depth + 1) for section in sections)
        elif is_table(group.bands, columns):
            parts.extend((part, _FINAL) for part in _table_regions(group, columns))
        else:
            parts.extend(_divided_columns(group, columns, depth))
    return parts


def _divided_columns(group: _Group, columns: list[float], depth: int) -> list[tuple[list[Segment], int]]:
    """Divide columns of running text: by hanging labels, around a small table, or column by column."""
    parts = _with_margins([part for part in cells_of(group.segments(), columns) if part])
    hanging = _hanging(parts)
    if hanging:
        return [(part, depth + 1) for part in hanging]
    if len(parts) < 2:
        return [(group.segments(), _FINAL)]
    is_numbered_formula = all(_FORMULA_NUMBER.match(segment.text) for segment in parts[-1])
    if is_numbered_formula or len(group.bands) < _MIN_BANDS or min(len(part) for part in parts) < _MIN_LINES:
        return [(group.segments(), _FINAL)]
    table = _table_in_prose(group, columns)
    if table:
        pieces = group.bands[: table.start], group.bands[table], group.bands[table.stop :]
        return [(list(chain(*piece)), depth + 1) for piece in pieces]
    return [(part, depth + 1) for part in parts]


def _with_margins(parts: list[list[Segment]]) -> list[list[Segment]]:
    """Join a column of page numbers, or of short notes at the right, to the column beside it."""
    joined = parts[:1]
    for part in parts[1:]:
        beside = [line for line in joined[-1] if part[0].y + 1 > line.y > part[-1].y - 1]
        if all(_PAGE_NUMBER.match(segment.text) for segment in part):
            # Numbers beside most lines are page numbers of a table of contents. Fewer are line numbers: a column.
            is_margin = 2 * len(part) > len(beside)
        else:
            is_margin = part is parts[-1] and _are_margin_notes(part, beside)
        if is_margin:
            joined[-1] = joined[-1] + part
        else:
            joined.append(part)
    return joined


def _are_margin_notes(part: list[Segment], beside: list[Segment]) -> bool:
    """Return whether lines are notes on the lines beside them, e.g. the years of a CV.

    Such notes are short, flush right, each at the height of a line, and mostly not below each other.
    """
    ends = [line.end for line in part]
    if len(part) < _MIN_BANDS or max(ends) - min(ends) >= _MAX_FLUSH_STEP:
        return False
    if all(_FORMULA_NUMBER.match(line.text) for line in part):
        return False
    close = sum(above.y - line.y < _MAX_PARAGRAPH_STEP * line.size for above, line in zip(part, part[1:]))
    heights = _heights(beside)
    return 3 * close <= len(part) and all(
        round(s.y) in heights and s.end - s.x < _MAX_NOTE_WIDTH * s.size for s in part
    )


def _heights(lines: list[Segment]) -> set[int]:
    """Return the heights of lines in points, and those next to them."""
    return {round(line.y) + step for line in lines for step in (-1, 0, 1)}


def _hanging(parts: list[list[Segment]]) -> list[list[Segment]]:
    """Return each label with the text beside it, if the first of two columns consists of labels; else [].

    A list of options is set this way: "-c" at the left, at the right what it does.
    """
    labels, text = parts[0], parts[-1]
    if len(parts) != 2 or len(labels) > _MAX_LABELS * len(text):
        return []
    heights = _heights(text)
    is_short = all(label.end - label.x < _MAX_LABEL_WIDTH * label.size and label.table is None for label in labels)
    is_beside = sum(round(label.y) in heights for label in labels) >= _MIN_LABELS_BESIDE * len(labels)
    if not is_short or not is_beside or not any(len(line.text) > _MIN_HANGING_TEXT for line in text):
        return []
    # A label comes before the text beside it, also if its baseline is a point lower, as _heights() allows.
    lines = [(label.y + 1, label, True) for label in labels] + [(line.y, line, False) for line in text]
    items: list[list[Segment]] = [[]]
    label: Segment | None = None  # the label of the last item, until a line of text comes
    for _, line, is_label in sorted(lines, key=lambda line: (-round(line[0]), line[1].x)):
        if is_label:
            items.append([line])
        elif label is not None and abs(label.y - line.y) < _MAX_BESIDE:
            # The joined line keeps the position and the font size of the text, not those of the label.
            runs = [*label.runs, (" ", ""), *line.runs]
            is_fixed = label.is_fixed_pitch and line.is_fixed_pitch
            items[-1] = [line._replace(runs=runs, text=f"{label.text} {line.text}", is_fixed_pitch=is_fixed)]
        else:
            items[-1].append(line)
        label = line if is_label else None
    return items


def _sections(group: _Group) -> list[list[Band]]:
    """Split the bands of a group before each band that is only a heading."""
    usual = group.usual_size()
    sections: list[list[Band]] = [[]]
    for band in group.bands:
        if len(band) == 1 and band[0].size > _MIN_HEADING_SIZE * usual and sections[-1]:
            sections.append([])
        sections[-1].append(band)
    return sections


def _table_in_prose(group: _Group, columns: list[float]) -> slice | None:
    """Return the bands of a small table without lines in prose, if its few short cells look like a column."""
    columns_of_bands = [{column_of(segment, columns) for segment in band} for band in group.bands]
    counts = [sum(column in filled for filled in columns_of_bands) for column in range(len(columns))]
    # The column with the fewest cells; an empty column is skipped.
    column = min(range(len(columns)), key=lambda index: counts[index] or len(columns_of_bands))
    indices = [index for index, filled in enumerate(columns_of_bands) if column in filled]
    table = slice(indices[0], indices[-1] + 1)
    cells = [segment for index in indices for segment in group.bands[index] if column_of(segment, columns) == column]
    is_small = len(indices) < _MAX_CELL_SHARE * len(group.bands) and len(group.bands[table]) < 2 * len(indices)
    is_short = all(cell.end - cell.x < _MAX_CELL_WIDTH * cell.size for cell in cells)
    return table if is_small and is_short and is_table(group.bands[table], columns) else None


def _table_regions(group: _Group, columns: list[float]) -> list[list[Segment]]:
    """Return the text above a table's first row, the table, and the text far below its last row.

    The text above has lines in the first column only. A first band without a line there is a row: it may be the end of
    a cell that began on the page before.
    """
    start = 0
    while _is_in_first_column(group.bands[start], columns) and len(group.bands) - start > 1:
        start += 1
    end = len(group.bands) - _lines_below(group.bands[start:], columns)
    above, rows, below = group.bands[:start], group.bands[start:end], group.bands[end:]
    table = as_segments(table_rows(rows, columns), group.left, group.right, [rows[0][0].y])
    return [list(chain(*above)), table, list(chain(*below))]


def _is_in_first_column(band: Band, columns: list[float]) -> bool:
    return {column_of(segment, columns) for segment in band} == {0}


def _lines_below(bands: list[Band], columns: list[float]) -> int:
    """Return how many bands at the end are text below a table: in the first column, and further away than rows are."""
    count = 0
    while _is_in_first_column(bands[-1 - count], columns) and len(bands) - count > _MIN_BANDS:
        count += 1
    rows, lines = bands[: len(bands) - count], bands[len(bands) - count :]
    return count if lines and rows[-1][0].y - lines[0][0].y > _MAX_ROW_STEP * max(row_steps(rows)) else 0


def _groups(segments: list[Segment]) -> list[_Group]:
    """Group consecutive bands that share gutters; bands between them that share none are groups too."""
    groups: list[_Group] = []
    for band in bands(segments):
        group = _Group([band])
        if not groups or not _add_to(groups[-1], group):
            groups.append(group)
    return _merged(_without_last_headings(_with_first_lines(_with_spanning_heads(groups))))


def _add_to(above: _Group, group: _Group) -> bool:
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
    before, alone = len(above.columns()), len(group.columns())
    together = 1 + sum(low > left and high < right for low, high in strips)
    if together > before > 1 and _is_prose(above):
        # The band has the number of a formula, right of all text so far: the gutter before it is not one of the group.
        within = [strip for strip in strips if above.left < strip[0] and strip[1] < above.right]
        if len(within) == before - 1:
            above.add(group, [(float("-inf"), left), *within, (right, float("inf"))])
            return True
    if 1 < together < before and _is_prose_below(above, group):
        return False
    is_second_line = together > 1 and len(above.bands) == 1 and _is_close(above.bands[0], group.bands[0])
    shares_gutter = 1 < together <= before or (is_second_line and alone <= max(together, before))
    have_no_columns = before == alone == together == 1
    if shares_gutter or have_no_columns:
        above.add(group, strips)
    return shares_gutter or have_no_columns


def _is_prose(group: _Group) -> bool:
    """Return whether the last bands of a group are columns of running text: most lines of one column are full."""
    recent, columns = group.bands[-_MAX_RECENT_BANDS:], group.columns()
    if is_table(recent, columns):
        return False
    for column in cells_of((segment for band in recent for segment in band), columns):
        left, right = extent(column)
        full = sum(segment.end - segment.x > _MIN_FULL_LINE * (right - left) for segment in column)
        if full >= _MIN_BANDS and 2 * full >= len(column):
            return True
    return False


def _is_prose_below(table: _Group, group: _Group) -> bool:
    """Return whether a line below a table, which crosses its gutters, is text rather than a row.

    It is text if all rows of the table have all columns, or if some do and the line is further away than rows are.
    """
    line = group.bands[0][0]
    if len(group.bands[0]) > 1 or len(table.bands) < _MIN_BANDS or abs(line.x - table.left) > line.size:
        return False
    columns = table.columns()
    full = sum(len({column_of(segment, columns) for segment in band}) == len(columns) for band in table.bands)
    is_far = table.bands[-1][0].y - line.y > _MAX_ROW_STEP * max(row_steps(table.bands))
    return full == len(table.bands) or (full >= _MIN_BANDS and is_far)


def _is_close(above: Band, below: Band) -> bool:
    """Return whether two bands are as near as lines of one paragraph; rows of a drawn table are not lines."""
    if above[0].table is not None or below[0].table is not None:
        return False
    size = max(segment.size for segment in above)
    is_title = size > _MIN_TITLE_SIZE * max(segment.size for segment in below)
    step = min(segment.y for segment in above) - max(segment.y for segment in below)
    return not is_title and step < _MAX_PARAGRAPH_STEP * size


def _with_first_lines(groups: list[_Group]) -> list[_Group]:
    """Move lines that fit into one column from the group above to the columns below them.

    If the other column starts with a picture, nothing is beside the first lines of a column, so they look like
    text without columns. If the topmost line moved is the end of the paragraph above, it is moved back. No further line
    can be of that paragraph, since all others are as wide as the page.
    """
    for before, group in zip(groups, groups[1:]):
        columns = group.columns()
        if len(columns) < 2 or len(group.bands) < _MIN_BANDS or len(before.columns()) > 1:
            continue
        moved: list[Band] = []
        takes_tables = not is_table(group.bands, columns)
        while before.bands and len(moved) < _MAX_FIRST_LINES and _fits(before.bands[-1], group, columns, takes_tables):
            moved.append(before.bands.pop())
        if moved and before.bands and _is_end_of_paragraph(before.bands[-1], moved[-1]):
            before.bands.append(moved.pop())
        group.bands[:0] = reversed(moved)
    return [group for group in groups if group.bands]


def _with_spanning_heads(groups: list[_Group]) -> list[_Group]:
    """Move rows whose cells span columns from the group above to the table below them, which has more columns."""
    for before, group in zip(groups, groups[1:]):
        columns = group.columns()
        if len(columns) <= 2 or len(group.bands) < 2 or not is_table(group.bands, columns):
            continue
        for _ in range(_MAX_HEAD_ROWS):
            if before.bands and _spans_columns(before.bands[-1], group):
                group.bands.insert(0, before.bands.pop())
    return [group for group in groups if group.bands]


def _spans_columns(band: Band, group: _Group) -> bool:
    """Return whether the texts of a band just above a table are heads, each above other columns of the table."""
    below = group.bands[0]
    is_near = band[0].y - below[0].y <= _MAX_ROW_STEP * max(*row_steps(group.bands), _MAX_HEAD_DISTANCE * below[0].size)
    if not is_near or band[0].table is not None or abs(band[0].size - below[0].size) > 1:
        return False
    cells = sorted(band, key=lambda segment: segment.x)
    gutters = group.gutters()
    # The first and the last column that each cell is above.
    covered = [(sum(low < s.x for low, _ in gutters), sum(high < s.end for _, high in gutters)) for s in cells]
    is_inside = cells[0].x > group.left - below[0].size and cells[-1].end < group.right + _MAX_OVERHANG * below[0].size
    return is_inside and len(covered) > 1 and all(a[1] < b[0] for a, b in zip(covered, covered[1:]))


def _without_last_headings(groups: list[_Group]) -> list[_Group]:
    """Move a heading at the end of the first column to the text below, if that text is as wide as the page."""
    for group, after in zip(groups, groups[1:]):
        columns = group.columns()
        if len(columns) < 2 or len(after.columns()) > 1 or len(group.bands) <= _MIN_BANDS:
            continue
        last = group.bands[-1]
        usual = group.usual_size()
        is_heading = all(s.table is None and (s.is_bold or s.size > _MIN_HEADING_SIZE * usual) for s in last)
        below = [segment for band in after.bands[:2] for segment in band]
        crosses = any(s.x < low and s.end > high for s in below for low, high in group.gutters())
        if is_heading and crosses and _is_in_first_column(last, columns):
            after.bands.insert(0, group.bands.pop())
    return groups


def _fits(band: Band, group: _Group, columns: list[float], takes_tables: bool) -> bool:
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
    return len({column_of(segment, columns) for segment in band}) == 1


def _is_end_of_paragraph(above: Band, band: Band) -> bool:
    """Return whether a line is the last one of the paragraph above it."""
    line, last = above[-1], band[0]
    is_near = line.y - last.y < _MAX_PARAGRAPH_STEP * line.size
    return is_near and abs(line.x - last.x) < line.size and abs(line.size - last.size) < 0.5


def _merged(groups: list[_Group]) -> list[_Group]:
    """Join groups without columns; one or two bands with a chance gap are treated as text without columns."""
    result: list[_Group] = []
    for group in groups:
        columns = group.columns()
        is_small = len(group.bands) < _MIN_BANDS
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


def _is_justified_line(group: _Group, before: list[_Group]) -> bool:
    """Return whether a group continues a justified paragraph: as wide as the lines above, with wide word spaces."""
    if not before:
        return False
    above = before[-1].bands[-1]
    size = max(segment.size for segment in above)
    left, right = extent(above)
    return _is_close(above, group.bands[0]) and abs(left - group.left) < size and abs(right - group.right) < size
