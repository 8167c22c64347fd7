"""Find the reading order of one page. In: line segments in any order. Out: regions, each a column's lines or one table.

A page is divided into groups of bands that share columns (groups.py). The columns of a group are read
one after the other, with these exceptions:

    a table without ruling lines      is one region, between the text above and below it
    headings between tables           each heading begins a part of its own
    labels with text beside them      each label is read with its text: "-c" and what it does
    numbers or notes at the side      are read with the lines beside them: the years of a CV
    pairs of a label and a value      are read together, beside another column: "Date", "3 May"
    formulas, and fewer than 3 bands  are read line by line, across the columns
    a small table within prose        the text above it, the table and the text below it are parts

A part may have columns again, so regions() divides parts with a stack, at most MAX_DEPTH times.
Tests: tests/documents/pdf/test_layout.py
"""

from __future__ import annotations

from itertools import chain

from webtool.documents.pdf.layout import Segment, groups, gutters, joined_on_line
from webtool.lean import patterns

_MAX_LABEL_WIDTH = 4.0  # a narrow label is narrower than this: "-c", "1912"
_MAX_NOTE_WIDTH = 11.0  # a wide label or a note at the side is narrower than this: "Jan 2019 - Mar 2024"
_MAX_LABELS_PER_LINE = 0.7  # labels for each line of text beside them; with more, the two are ordinary columns
_MIN_LABELS_BESIDE = 0.7  # share of narrow labels that must have a line of text at their height
_MIN_HANGING_TEXT = 30  # characters; if no line beside the labels is longer, they are not labels of a text
_MAX_BESIDE = 2.0  # points; a label and text whose baselines differ by less are one line
_MAX_FLUSH_STEP = 1.0  # points; notes whose right ends differ by less are flush right
_MIN_PAIRS = 3  # fewer labels and values may be beside each other by chance
_MIN_ITEM_STEP = 1.2  # times the smallest distance between lines of text; items are further from each other
_FORMULA_NUMBER = patterns.compile(r"\((?:[A-Z]\.)?\d+(?:\.\d+)*[a-z]?\)\Z")
_PAGE_NUMBER = patterns.compile(r"(?:\d{1,4}|[ivxlc]{1,6})\Z")
MAX_DEPTH = 5  # of columns within columns; deeper parts are not divided
_FINAL = -1  # instead of a depth: the part is not divided again
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
    for group in groups.corrected(groups.groups_of(segments)):
        columns = group.columns()
        if len(columns) < 2 or depth >= MAX_DEPTH:
            parts.append((group.segments(), _FINAL))
        elif gutters.is_table(group.bands, columns):
            parts.extend(_divided_table(group, columns, depth))
        else:
            parts.extend(_divided_columns(group, columns, depth))
    return parts


def _divided_table(group: groups.Group, columns: list[float], depth: int) -> list[Part]:
    """Divide tables at the headings between them; else return the text above, the table and the text below."""
    sections = _sections(group)
    if len(sections) > 1:
        return [(list(chain(*section)), depth + 1) for section in sections]
    return [(part, _FINAL) for part in _table_regions(group, columns)]


def _divided_columns(group: groups.Group, columns: list[float], depth: int) -> list[Part]:
    """Divide columns of running text: by hanging labels, around a small table, or column by column."""
    parts = _with_pairs(_with_margins([part for part in gutters.cells_of(group.segments(), columns) if part]))
    items = _labels_with_text(parts)
    if items:
        return [(item, depth + 1) for item in items]
    if len(parts) < 2 or len(group.bands) < groups.MIN_BANDS or min(map(len, parts)) < _MIN_LINES:
        return [(group.segments(), _FINAL)]
    table = _table_in_prose(group, columns)
    if table:
        pieces = group.bands[: table.start], group.bands[table], group.bands[table.stop :]
        return [(list(chain(*piece)), depth + 1) for piece in pieces]
    return [(part, depth + 1) for part in parts]


def _sections(group: groups.Group) -> list[list[gutters.Band]]:
    """Split the bands of a group before each band that is only a heading."""
    min_size = groups.MIN_HEADING_SIZE * group.usual_size()
    sections: list[list[gutters.Band]] = [[]]
    for band in group.bands:
        is_heading = len(band) == 1 and band[0].size > min_size
        if is_heading and sections[-1]:
            sections.append([])
        sections[-1].append(band)
    return sections


def _table_in_prose(group: groups.Group, columns: list[float]) -> slice | None:
    """Return the bands of a small table without ruling lines in prose, if its few short cells look like a column."""
    rows: dict[int, list[int]] = {}  # column -> indices of the bands with text in it
    for index, band in enumerate(group.bands):
        for column in {gutters.column_of(segment, columns) for segment in band}:
            rows.setdefault(column, []).append(index)
    shortest = min(sorted(rows), key=lambda column: len(rows[column]))
    indices = rows[shortest]
    table = slice(indices[0], indices[-1] + 1)
    cells = [cell for index in indices for cell in group.bands[index] if gutters.column_of(cell, columns) == shortest]
    is_small = len(indices) < _MAX_CELL_SHARE * len(group.bands) and len(group.bands[table]) < 2 * len(indices)
    is_narrow = all(cell.end - cell.x < _MAX_CELL_WIDTH * cell.size for cell in cells)
    return table if is_small and is_narrow and gutters.is_table(group.bands[table], columns) else None


def _table_regions(group: groups.Group, columns: list[float]) -> list[list[Segment]]:
    """Return the text above a table's first row, the table, and the text far below its last row.

    The text above has lines in the first column only. A first band without a line there is a row: it may be the end of
    a cell that began on the page before.
    """
    start = 0
    while groups.is_in_first_column(group.bands[start], columns) and len(group.bands) - start > 1:
        start += 1
    end = len(group.bands) - _lines_below(group.bands[start:], columns)
    above, rows, below = group.bands[:start], group.bands[start:end], group.bands[end:]
    table = gutters.as_segments(gutters.table_rows(rows, columns), group.left, group.right, [rows[0][0].y])
    return [list(chain(*above)), table, list(chain(*below))]


def _lines_below(bands: list[gutters.Band], columns: list[float]) -> int:
    """Return how many bands at the end are text below a table: in the first column, and further away than rows are."""
    count = 0
    while groups.is_in_first_column(bands[-1 - count], columns) and len(bands) - count > groups.MIN_BANDS:
        count += 1
    rows, lines = bands[: len(bands) - count], bands[len(bands) - count :]
    is_far = bool(lines) and rows[-1][0].y - lines[0][0].y > groups.MAX_ROW_STEP * max(gutters.row_steps(rows))
    return count if is_far else 0


# Columns that are read together


def _with_margins(columns: list[list[Segment]]) -> list[list[Segment]]:
    """Join a column of numbers of pages or formulas, or of short notes at the right, to the column beside it."""
    joined = columns[:1]
    for column in columns[1:]:
        # Lines of the column at the left from the first to the last one of this column.
        beside = [line for line in joined[-1] if column[0].y + 1 > line.y > column[-1].y - 1]
        if all(_PAGE_NUMBER.match(line.text) for line in column):
            # Numbers beside most lines are page numbers of a table of contents. Fewer are line numbers: a column.
            is_margin = 2 * len(column) > len(beside)
        elif all(_FORMULA_NUMBER.match(line.text) for line in column):
            is_margin = True
        else:
            is_margin = column is columns[-1] and _are_margin_notes(column, beside)
        if is_margin:
            joined[-1] = joined[-1] + column
        else:
            joined.append(column)
    return joined


def _are_margin_notes(column: list[Segment], beside: list[Segment]) -> bool:
    """Return whether lines are short, flush right notes at the height of other lines: the years of a CV."""
    ends = [line.end for line in column]
    if len(column) < groups.MIN_BANDS or max(ends) - min(ends) >= _MAX_FLUSH_STEP:
        return False
    if _are_lines(column):
        return False
    heights = _heights(beside)
    return all(round(line.y) in heights and line.end - line.x < _MAX_NOTE_WIDTH * line.size for line in column)


def _heights(lines: list[Segment]) -> set[int]:
    """Return the heights of lines in whole points, and those one point above and below them."""
    return {round(line.y) + step for line in lines for step in (-1, 0, 1)}


def _with_pairs(columns: list[list[Segment]]) -> list[list[Segment]]:
    """Join a column of short labels and the column of their values: "Date" and "3 May", beside a third column.

    Each value is at the height of a label. The third column, such as an address, has other heights.
    """
    joined = columns[:1]
    for column in columns[1:]:
        labels, heights = joined[-1], _heights(joined[-1])
        # One label may have no value: it is a heading.
        is_pair = len(columns) > 2 and len(column) >= _MIN_PAIRS and len(labels) - len(column) in (0, 1)
        pairs = labels + column
        is_short = sum(len(line.text) for line in pairs) <= gutters.MAX_SHORT_CELL * len(pairs)
        if is_pair and is_short and all(round(value.y) in heights for value in column):
            joined[-1] = pairs
        else:
            joined.append(column)
    return joined


def _labels_with_text(columns: list[list[Segment]]) -> list[list[Segment]]:
    """Return each label with the text beside it, if the first of two columns consists of labels; else []."""
    if len(columns) != 2:
        return []
    labels, text = columns
    if not _are_labels(labels, text):
        return []
    # Height to sort by, line, is it a label. A label comes before text that is up to a point higher.
    lines = [(label.y + 1, label, True) for label in labels] + [(line.y, line, False) for line in text]
    items: list[list[Segment]] = [[]]
    label: Segment | None = None  # the label of the last item, until a line of text comes
    for _, line, is_label in sorted(lines, key=lambda entry: (-round(entry[0]), entry[1].x)):
        if is_label:
            items.append([line])
        elif label is not None and abs(label.y - line.y) < _MAX_BESIDE:
            items[-1] = [_joined(label, line)]
        else:
            items[-1].append(line)
        label = line if is_label else None
    return items


def _are_labels(labels: list[Segment], text: list[Segment]) -> bool:
    """Return whether a column consists of labels beside a column of longer text.

    Most narrow labels, such as options, have a line of text at their height. Wide labels, such as the years of a CV,
    all have one, and have space below. Headings between labels do not count: "Education" has no text beside it.
    """
    heights = _heights(text)
    min_heading_size = groups.MIN_HEADING_SIZE * sorted(line.size for line in text)[len(text) // 2]
    labels = [s for s in labels if round(s.y) in heights or not (s.is_bold or s.size > min_heading_size)]
    if not labels or len(labels) > _MAX_LABELS_PER_LINE * len(text):
        return False
    if not any(len(line.text) > _MIN_HANGING_TEXT for line in text):
        return False
    beside = sum(round(label.y) in heights for label in labels)
    width = max((label.end - label.x) / label.size if label.table is None else float("inf") for label in labels)
    if width < _MAX_LABEL_WIDTH and beside >= _MIN_LABELS_BESIDE * len(labels):
        return True
    is_wide = width < _MAX_NOTE_WIDTH and beside == len(labels) and not _are_lines(labels)
    return is_wide and _start_items(labels, text)


def _start_items(labels: list[Segment], text: list[Segment]) -> bool:
    """Return whether each label is beside a line with space above it, or below the line of another label.

    Else the labels may be cells that are centred beside cells of several lines.
    """
    heights = _heights(labels)
    pairs = list(zip(text, text[1:]))
    min_step = _MIN_ITEM_STEP * min((above.y - line.y for above, line in pairs), default=0.0)
    beside_labels = [(above, line) for above, line in pairs if round(line.y) in heights]
    return all(above.y - line.y > min_step or round(above.y) in heights for above, line in beside_labels)


def _are_lines(column: list[Segment]) -> bool:
    """Return whether many segments are as close below each other as the lines of a text."""
    close = sum(above.y - line.y < groups.MAX_PARAGRAPH_STEP * line.size for above, line in zip(column, column[1:]))
    return 2 * close > len(column)


def _joined(label: Segment, line: Segment) -> Segment:
    """Return a label and the text after it as one segment with the position and the font size of the text."""
    both = joined_on_line([label, line])
    return line._replace(runs=both.runs, text=both.text, is_fixed_pitch=label.is_fixed_pitch and line.is_fixed_pitch)
