"""Reading order of one page. In: line segments in any order. Out: regions from first to last, each the lines that
are read from its top, or one table.

Segments are gathered into bands of the same height. Bands that share a gutter, a strip from top to bottom without text,
are one group; a group's columns are read one after the other, unless its cells are short and stand side by side:
then it is a table. Each column may have columns of its own.
"""

from __future__ import annotations

from itertools import chain

from webtool.documents.pdf.layout.gutters import (
    Interval,
    as_lines,
    bands,
    cells_of,
    column_of,
    common,
    is_formula,
    is_table,
    shared,
    table_rows,
)
from webtool.documents.pdf.layout.lines import Segment, extent
from webtool.lean import patterns

MAX_DEPTH = 5
_WHOLE = -1  # the depth of what is divided no more
MAX_COLUMNS = 40
_FEW_BANDS = 3  # fewer bands than this, side by side, are a table row or a heading with a number, not columns
_MOST_HEADS = 3  # rows of a table's head
_FIRST_LINES = 60
_RECENT = 30  # bands that tell whether columns are running text
_FULL = 0.8  # of the column's width: a line of running text
_FEW_LINES = 2  # a column of fewer lines is none: a date or a number at the margin
_FEW_CELLS = 1 / 3  # of the bands that the cells of a small table in prose take at most
_SHORT_LINE = 5.0  # of the font size
_SHORT_LABEL = 4.0  # of the font size
_SHORT_NOTE = 8.0  # of the font size
_MOST_LABELS = 0.7  # of the lines beside them
_FULL_TEXT = 30  # characters
_HEADING = 1.1  # of the usual size
_NEAR = 1.6  # of the font size, from a head to the row under it
_TITLE = 1.6  # of the size of what stands under it
_PARTED = 1.2  # of the distance between rows; what stands further below is not a row
_RAGGED = 4.0  # of the font size: how much further than all others a line may reach
_NUMBER = patterns.compile(r"\((?:[A-Z]\.)?\d+(?:\.\d+)*[a-z]?\)\Z")  # of a formula
_PAGE = patterns.compile(r"(?:\d{1,4}|[ivxlc]{1,6})\Z")


class _Group:
    """Bands, one after the other, with the strips that are free in all of them and the reach of their text."""

    def __init__(self, bands: list[list[Segment]]) -> None:
        self.bands = bands
        self.free = shared(bands)
        self.left, self.right = extent(chain.from_iterable(bands))

    def add(self, other: _Group, strips: list[Interval]) -> None:
        """Go on with the bands of another group."""
        self.bands.extend(other.bands)
        self.free = strips
        self.left = min(self.left, other.left)
        self.right = max(self.right, other.right)

    def gutters(self) -> list[Interval]:
        """The strips between two columns."""
        return [strip for strip in self.free if strip[0] > self.left and strip[1] < self.right]

    def columns(self) -> list[float]:
        """Where the columns end: the middle of each gutter, and infinity. One entry means no columns."""
        return [*((low + high) / 2 for low, high in self.gutters()[: MAX_COLUMNS - 1]), float("inf")]


def regions(segments: list[Segment]) -> list[list[Segment]]:
    """The page's regions in reading order."""
    result: list[list[Segment]] = []
    waiting = [(segments, 0)]
    while waiting:
        part, depth = waiting.pop()
        if part and depth == _WHOLE:
            result.append(part)
        elif part:
            waiting.extend(reversed(_divided(part, depth)))
    return result


def _is_spread(group: _Group, before: list[_Group]) -> bool:
    """Whether a line or two go on a justified paragraph: as wide as the lines above, with wide spaces between words."""
    if not before:
        return False
    above = before[-1].bands[-1]
    size = max(segment.size for segment in above)
    left, right = extent(above)
    return _is_close(above, group.bands[0]) and abs(left - group.left) < size and abs(right - group.right) < size


def _divided(segments: list[Segment], depth: int) -> list[tuple[list[Segment], int]]:
    found: list[tuple[list[Segment], int]] = []
    for group in _groups(segments):
        columns = group.columns()
        lines = [segment for band in group.bands for segment in band]
        sections = _sections(group)
        if len(columns) < 2 or depth >= MAX_DEPTH or is_formula(group.bands):
            found.append((lines, _WHOLE))
        elif len(sections) > 1 and (is_table(group.bands, columns) or _has_more_columns(sections, len(columns))):
            found.extend((list(chain(*section)), depth + 1) for section in sections)
        elif is_table(group.bands, columns):
            found.extend((part, _WHOLE) for part in _table_regions(group, columns))
        else:
            parts = _with_margins([part for part in cells_of(lines, columns) if part])
            table = _cells_in_prose(group, columns)
            is_numbered = len(parts) < 2 or all(_NUMBER.match(segment.text) for segment in parts[-1])
            labelled = _hanging(parts)
            if labelled:
                found.extend((part, depth + 1) for part in labelled)
            elif is_numbered or len(group.bands) < _FEW_BANDS or min(len(part) for part in parts) < _FEW_LINES:
                found.append((lines, _WHOLE))
            elif table:
                for bands_of in (group.bands[: table.start], group.bands[table], group.bands[table.stop :]):
                    found.append(([segment for band in bands_of for segment in band], depth + 1))
            else:
                found.extend((part, depth + 1) for part in parts)
    return found


def _with_margins(parts: list[list[Segment]]) -> list[list[Segment]]:
    """Columns, those of page numbers or of short notes at the right with what they stand beside."""
    made = parts[:1]
    for part in parts[1:]:
        entries = [line for line in made[-1] if part[0].y + 1 > line.y > part[-1].y - 1]
        if all(_PAGE.match(segment.text) for segment in part):
            is_beside = 2 * len(part) > len(entries)  # else they are numbers of lines
        else:
            is_beside = part is parts[-1] and _are_notes(part, entries)
        made[-1:] = [made[-1] + part] if is_beside else [made[-1], part]
    return made


def _are_notes(part: list[Segment], entries: list[Segment]) -> bool:
    """Whether lines are short, end at one place, stand each beside an entry and are mostly not below each other."""
    heights = {round(line.y) + step for line in entries for step in (-1, 0, 1)}
    is_flush = extent(part)[1] - min(line.end for line in part) < 1 and not all(
        _NUMBER.match(line.text) for line in part
    )
    below = sum(above.y - line.y < 1.5 * line.size for above, line in zip(part, part[1:]))
    is_apart = is_flush and len(part) >= _FEW_BANDS and 3 * below <= len(part)
    return is_apart and all(round(s.y) in heights and s.end - s.x < _SHORT_NOTE * s.size for s in part)


def _hanging(parts: list[list[Segment]]) -> list[list[Segment]]:
    """Each label, with the text beside it, where what would be the first of two columns are labels; else nothing."""
    labels, text = parts[0], parts[-1]
    if len(parts) != 2 or len(labels) > _MOST_LABELS * len(text):
        return []
    heights = {round(line.y) + step for line in text for step in (-1, 0, 1)}
    is_short = all(label.end - label.x < _SHORT_LABEL * label.size and label.table is None for label in labels)
    is_beside = sum(round(label.y) in heights for label in labels) >= _MOST_LABELS * len(labels)
    if not is_short or not is_beside or not any(len(line.text) > _FULL_TEXT for line in text):
        return []
    made: list[list[Segment]] = [[]]
    known = set(map(id, labels))
    for line in cells_of([*labels, *text], [float("inf")])[0]:
        last = made[-1][-1] if made[-1] else line
        if id(line) in known:
            made.append([line])
        elif id(last) in known and abs(last.y - line.y) < 2:  # the text's place and type count, not the label's
            runs = [*last.runs, (" ", ""), *line.runs]
            made[-1] = [line._replace(runs=runs, text=f"{last.text} {line.text}")]
        else:
            made[-1].append(line)
    return made


def _sections(group: _Group) -> list[list[list[Segment]]]:
    """The bands of a group, parted before those that are headings and nothing else."""
    usual = sorted(segment.size for band in group.bands for segment in band)[sum(map(len, group.bands)) // 2]
    sections: list[list[list[Segment]]] = [[]]
    for band in group.bands:
        if len(band) == 1 and band[0].size > _HEADING * usual and sections[-1]:
            sections.append([])
        sections[-1].append(band)
    return sections


def _has_more_columns(sections: list[list[list[Segment]]], count: int) -> bool:
    """Whether text under one of the headings is a table of more columns than run through all sections."""
    groups = [_Group(section[len(section[0]) == 1 :] or section) for section in sections]
    return any(len(group.columns()) > count and is_table(group.bands, group.columns()) for group in groups)


def _cells_in_prose(group: _Group, columns: list[float]) -> slice | None:
    """The bands of a small table without lines in prose: what would be a column are few short cells."""
    of_bands = [{column_of(segment, columns) for segment in band} for band in group.bands]
    column = min(range(len(columns)), key=lambda at: sum(at in found for found in of_bands) or len(of_bands))
    at = [i for i, found in enumerate(of_bands) if column in found]
    found = slice(at[0], at[-1] + 1)
    cells = [segment for i in at for segment in group.bands[i] if column_of(segment, columns) == column]
    is_small = len(at) < _FEW_CELLS * len(group.bands) and len(group.bands[found]) < 2 * len(at)
    is_short = all(cell.end - cell.x < _SHORT_LINE * cell.size for cell in cells)
    return found if is_small and is_short and is_table(group.bands[found], columns) else None


def _table_regions(group: _Group, columns: list[float]) -> list[list[Segment]]:
    """A table, before it what stands above its first row, the sentence that announces it, and what stands far below.

    What stands alone in another column than the first may be the end of a cell that began on the page before.
    """
    start = 0
    while {column_of(segment, columns) for segment in group.bands[start]} == {0} and len(group.bands) - start > 1:
        start += 1
    end = len(group.bands) - _lines_below(group.bands[start:], columns)
    above, rows, below = group.bands[:start], group.bands[start:end], group.bands[end:]
    table = as_lines(table_rows(rows, columns), group.left, group.right, [rows[0][0].y])
    return [list(chain(*above)), table, list(chain(*below))]


def _lines_below(bands: list[list[Segment]], columns: list[float]) -> int:
    """How many bands in the first column, further below the last row than any row below another, are not rows."""
    count = 0
    while {column_of(segment, columns) for segment in bands[-1 - count]} == {0} and len(bands) - count > _FEW_BANDS:
        count += 1
    steps = [above[0].y - below[0].y for above, below in zip(bands, bands[1 : len(bands) - count + 1])]
    return count if count and steps[-1] > _PARTED * max(steps[:-1]) else 0


def _groups(segments: list[Segment]) -> list[_Group]:
    """Consecutive bands that share gutters, and those between that share none."""
    groups: list[_Group] = []
    for band in bands(segments):
        group = _Group([band])
        if groups:
            last = groups[-1]
            strips = common(last.free, group.free)
            left, right = min(last.left, group.left), max(last.right, group.right)
            had, has = len(last.columns()), len(group.columns())
            kept = 1 + sum(low > left and high < right for low, high in strips)
            if kept > had > 1 and _is_prose(last):  # the number of a formula, beyond all lines so far
                within = [strip for strip in strips if last.left < strip[0] and strip[1] < last.right]
                if len(within) == had - 1:
                    last.add(group, [(float("-inf"), left), *within, (right, float("inf"))])
                    continue
            # A band that would make a further column stands beside the group, not in it.
            if 1 < kept < had and _is_prose_below(last, group):
                groups.append(group)
                continue
            is_pair = kept > 1 and len(last.bands) == 1 and _is_close(last.bands[0], band) and has <= max(kept, had)
            if is_pair or 1 < kept <= had or had == has == kept == 1:
                last.add(group, strips)
                continue
        groups.append(group)
    return _merged(_without_last_headings(_with_first_lines(_with_spanning_heads(groups))))


def _is_prose(group: _Group) -> bool:
    """Whether the last bands of a group are columns of running text: in one of them most lines are full."""
    recent, columns = group.bands[-_RECENT:], group.columns()
    if is_table(recent, columns):
        return False
    for column in cells_of((segment for band in recent for segment in band), columns):
        left, right = extent(column)
        full = sum(segment.end - segment.x > _FULL * (right - left) for segment in column)
        if full >= _FEW_BANDS and 2 * full >= len(column):
            return True
    return False


def _is_prose_below(table: _Group, group: _Group) -> bool:
    """Whether one line from a table's left edge, through its gutters, is not a row of it: all rows have all columns, or
    some have and it stands further below."""
    line = group.bands[0][0]
    if len(group.bands[0]) > 1 or len(table.bands) < _FEW_BANDS or abs(line.x - table.left) > line.size:
        return False
    columns = table.columns()
    full = sum(len({column_of(segment, columns) for segment in band}) == len(columns) for band in table.bands)
    steps = [above[0].y - below[0].y for above, below in zip(table.bands, table.bands[1:])]
    is_far = table.bands[-1][0].y - line.y > _PARTED * max(steps)
    return full == len(table.bands) or (full >= _FEW_BANDS and is_far)


def _is_close(above: list[Segment], below: list[Segment]) -> bool:
    """Whether two bands are as near as lines of one paragraph; drawn tables are no lines."""
    if above[0].table is not None or below[0].table is not None:
        return False
    size = max(segment.size for segment in above)
    is_title = size > _TITLE * max(segment.size for segment in below)
    return not is_title and min(segment.y for segment in above) - max(segment.y for segment in below) < 1.5 * size


def _with_first_lines(groups: list[_Group]) -> list[_Group]:
    """Columns get back the lines at their top that stood alone, before anything stood beside them."""
    for before, group in zip(groups, groups[1:]):
        columns = group.columns()
        if len(columns) < 2 or len(group.bands) < _FEW_BANDS or len(before.columns()) > 1:
            continue
        pulled: list[list[Segment]] = []
        takes_tables = not is_table(group.bands, columns)
        while before.bands and len(pulled) < _FIRST_LINES and _fits(before.bands[-1], group, columns, takes_tables):
            pulled.append(before.bands.pop())
        if pulled and before.bands and _goes_on(before.bands[-1], pulled[-1]):
            before.bands.append(pulled.pop())
        group.bands[:0] = reversed(pulled)
    return [group for group in groups if group.bands]


def _with_spanning_heads(groups: list[_Group]) -> list[_Group]:
    """Tables get back the rows at their top whose cells span columns, so that it has fewer of them."""
    for before, group in zip(groups, groups[1:]):
        columns = group.columns()
        is_wide_table = len(columns) > 2 and len(group.bands) > 1 and is_table(group.bands, columns)
        for _ in range(_MOST_HEADS if is_wide_table else 0):
            if before.bands and _spans_columns(before.bands[-1], group):
                group.bands.insert(0, before.bands.pop())
    return [group for group in groups if group.bands]


def _spans_columns(band: list[Segment], group: _Group) -> bool:
    """Whether texts near above a table stand each over other columns of it, not all over the first."""
    below = group.bands[0]
    steps = [above[0].y - band[0].y for above, band in zip(group.bands, group.bands[1:])]
    is_near = band[0].y - below[0].y <= _PARTED * max(*steps, _NEAR * below[0].size)
    if not is_near or band[0].table is not None or abs(band[0].size - below[0].size) > 1:
        return False
    cells = sorted(band, key=lambda segment: segment.x)
    gutters = group.gutters()
    over = [(sum(low < s.x for low, _ in gutters), sum(high < s.end for _, high in gutters)) for s in cells]
    is_inside = cells[0].x > group.left - below[0].size and cells[-1].end < group.right + _RAGGED * below[0].size
    return is_inside and len(over) > 1 and all(a[1] < b[0] for a, b in zip(over, over[1:]))


def _without_last_headings(groups: list[_Group]) -> list[_Group]:
    """A heading under the first column, over text as wide as the page, belongs to that text."""
    for group, after in zip(groups, groups[1:]):
        columns = group.columns()
        if len(columns) < 2 or len(after.columns()) > 1 or len(group.bands) <= _FEW_BANDS:
            continue
        last = group.bands[-1]
        usual = sorted(segment.size for band in group.bands for segment in band)[len(group.bands) // 2]
        is_heading = all(s.table is None and (s.is_bold or s.size > _HEADING * usual) for s in last)
        below = [segment for band in after.bands[:2] for segment in band]
        crosses = any(s.x < low and s.end > high for s in below for low, high in group.gutters())
        if is_heading and crosses and {column_of(segment, columns) for segment in last} == {0}:
            after.bands.insert(0, group.bands.pop())
    return groups


def _fits(band: list[Segment], group: _Group, columns: list[float], takes_tables: bool) -> bool:
    """Whether a band crosses no gutter of a group and stays within its sides."""
    if not takes_tables and any(segment.table is not None for segment in band):
        return False
    return (
        all(
            segment.x > group.left - segment.size
            and segment.end < group.right + _RAGGED * segment.size
            and not any(segment.x < high and segment.end > low for low, high in group.gutters())
            and segment.size < _TITLE * group.bands[0][0].size
            for segment in band
        )
        and len({column_of(segment, columns) for segment in band}) == 1
    )


def _goes_on(above: list[Segment], band: list[Segment]) -> bool:
    """Whether a line is the last one of a paragraph that is as wide as the page."""
    line, last = above[-1], band[0]
    return line.y - last.y < 1.5 * line.size and abs(line.x - last.x) < line.size and abs(line.size - last.size) < 0.5


def _merged(groups: list[_Group]) -> list[_Group]:
    """Groups of one or two bands with a chance gap go back to the prose around them."""
    result: list[_Group] = []
    for group in groups:
        columns = group.columns()
        few = len(group.bands) < _FEW_BANDS
        is_prose = len(columns) < 2 or (few and (not is_table(group.bands, columns) or _is_spread(group, result)))
        if is_prose:
            group.free = []
        if result and is_prose and not result[-1].free:
            result[-1].add(group, [])
        else:
            result.append(group)
    return result
