"""Find tables that the structure tree marks. In: a page's spans, the cells of its tags. Out: tables as Segments, spans.

Specification: ISO 32000-1 section 14.8.4.3.4 (tables).
Tests: tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

from webtool.documents.pdf.layout.gutters import Rows, as_segments
from webtool.documents.pdf.layout.lines import Segment, extent, segments
from webtool.documents.pdf.outline import Cell
from webtool.documents.pdf.state import Rect, Span

_MAX_COLUMNS = 200  # of a table; further ones are dropped
_MAX_PLACES_PER_TEXT = 20  # of a table; a sparser one is used for layout


def tables(
    spans: list[Span], cells: dict[int, Cell], rows: dict[int, list[Cell]], links: list[tuple[Rect, str]]
) -> tuple[list[Segment], list[Span]]:
    """Return the tables as segments, and the spans that are not in a table.

    `cells` are by the tags of spans. `rows` are the cells of each row by its number, from the last to the first.
    """
    contents: dict[int, list[Span]] = {}  # by number of a cell
    rows_on_page: dict[int, dict[int, None]] = {}  # by table: numbers of the rows that have something on this page
    for span in spans:
        cell = cells.get(span.tag)
        if cell:
            contents.setdefault(cell.number, []).append(span)
            rows_on_page.setdefault(cell.table, {})[cell.row] = None
    result: list[Segment] = []
    used: set[int] = set()
    for numbers in rows_on_page.values():
        table = [rows[number][::-1] for number in sorted(numbers, reverse=True)]
        spans_of_rows = [[span for cell in row for span in contents.get(cell.number, ())] for row in table]
        texts = {cell.number: segments(contents.get(cell.number, ()), links) for row in table for cell in row}
        aligned = _rows(table, texts)
        filled = [sum(map(bool, row)) for row in aligned]
        if sum(count > 1 for count in filled) < 2 or sum(map(len, aligned)) > _MAX_PLACES_PER_TEXT * sum(filled):
            continue  # used for layout, or nearly all of it is on other pages
        left = min(span.x for row in spans_of_rows for span in row)
        right = max(span.end for row in spans_of_rows for span in row)
        result.extend(as_segments(aligned, left, right, [max(span.y for span in row) for row in spans_of_rows]))
        used.update(id(span) for row in spans_of_rows for span in row)
    return result, [span for span in spans if id(span) not in used] if used else spans


def _rows(table: list[list[Cell]], texts: dict[int, list[Segment]]) -> Rows:
    """Return rows of the same length; a cell over several rows or columns is in the first of them."""
    rows: Rows = []
    from_above: dict[int, int] = {}  # columns that a cell above covers, and for how many rows
    for cells in table:
        row: list[list[Segment]] = []
        below = {column: count - 1 for column, count in from_above.items() if count > 1}
        for cell in cells:
            while len(row) in from_above:
                row.append([])
            width = min(cell.columns, max(1, _MAX_COLUMNS - len(row)))
            if cell.rows > 1 and len(row) < _MAX_COLUMNS:
                below.update((len(row) + step, cell.rows - 1) for step in range(width))
            row.append(texts[cell.number])
            row.extend([] for _ in range(width - 1))
        from_above = below
        rows.append(row)
    width = min(max(map(len, rows), default=0), _MAX_COLUMNS)
    full_rows = [row for row in rows if len(row) == width]
    columns = [extent([segment for row in full_rows for segment in row[index]]) for index in range(width)]
    return [row if len(row) >= width else _spread(row, columns) for row in rows]


def _spread(row: list[list[Segment]], columns: list[tuple[float, float]]) -> list[list[Segment]]:
    """Put the cells of a short row under the nearest columns, in order: some programs leave out empty cells."""
    result: list[list[Segment]] = [[] for _ in columns]
    column = 0
    for number, cell in enumerate(row):
        left, right = extent(cell)
        middle = (left + right) / 2
        candidates = range(column, len(columns) - len(row) + number + 1)
        if cell:  # min() takes the first of columns that are equally near
            column = min(candidates, key=lambda i: max(columns[i][0] - middle, middle - columns[i][1], 0))
        result[column] = cell
        column += 1
    return result
