"""Tables that the file itself marks as such. In: spans of a page, the cells of its marked content. Out: tables as
Segments, the other spans.

Specification: ISO 32000-1 section 14.8.4.3.4 (tables).
"""

from __future__ import annotations

from webtool.documents.pdf.layout.gutters import Rows, as_lines
from webtool.documents.pdf.layout.lines import Segment, extent, segments
from webtool.documents.pdf.outline import Cell
from webtool.documents.pdf.state import Rect, Span

_MAX_COLUMNS = 200
_SPARSE = 20  # places for each text


def tables(
    spans: list[Span], cells: dict[int, Cell], rows: dict[int, list[Cell]], links: list[tuple[Rect, str]]
) -> tuple[list[Segment], list[Span]]:
    """Tables as segments, and the spans that are in none. `cells` are by the tags of spans, `rows` by their numbers."""
    contents: dict[int, list[Span]] = {}  # by cell
    present: dict[int, dict[int, None]] = {}  # rows of each table that have something on this page
    for span in spans:
        cell = cells.get(span.tag)
        if cell:
            contents.setdefault(cell.number, []).append(span)
            present.setdefault(cell.table, {})[cell.row] = None
    made: list[Segment] = []
    taken: set[int] = set()
    for numbers in present.values():
        found = [rows[number][::-1] for number in sorted(numbers, reverse=True)]
        own = [[span for cell in row for span in contents.get(cell.number, ())] for row in found]
        texts = _rows(
            found, {cell.number: segments(contents.get(cell.number, ()), links) for row in found for cell in row}
        )
        filled = [sum(map(bool, row)) for row in texts]
        if sum(count > 1 for count in filled) < 2 or sum(map(len, texts)) > _SPARSE * sum(filled):
            continue  # used for layout, its rows are on other pages, or it is made of next to nothing
        left, right = min(span.x for row in own for span in row), max(span.end for row in own for span in row)
        made.extend(as_lines(texts, left, right, [max(span.y for span in row) for row in own]))
        taken.update(id(span) for row in own for span in row)
    return made, [span for span in spans if id(span) not in taken] if taken else spans


def _rows(found: list[list[Cell]], texts: dict[int, list[Segment]]) -> Rows:
    """Rows of the same length; cells over several rows or columns stand once."""
    rows: Rows = []
    from_above: dict[int, int] = {}  # columns that a cell goes on in, and for how many rows
    for cells in found:
        row: list[list[Segment]] = []
        below = {column: left - 1 for column, left in from_above.items() if left > 1}
        for cell in cells:
            while len(row) in from_above:
                row.append([])
            across = min(cell.columns, max(1, _MAX_COLUMNS - len(row)))
            if cell.rows > 1 and len(row) < _MAX_COLUMNS:
                below.update((len(row) + at, cell.rows - 1) for at in range(across))
            row.append(texts[cell.number])
            row.extend([] for _ in range(across - 1))
        from_above = below
        rows.append(row)
    width = min(max(map(len, rows), default=0), _MAX_COLUMNS)
    columns: list[tuple[float, float]] = [
        extent([s for row in rows if len(row) == width for s in row[at]]) for at in range(width)
    ]
    return [row if len(row) >= width else _spread(row, columns) for row in rows]


def _spread(row: list[list[Segment]], columns: list[tuple[float, float]]) -> list[list[Segment]]:
    """A row that has fewer cells than others, each under its column: some programs leave out empty cells."""
    result: list[list[Segment]] = [[] for _ in columns]
    at = 0
    for number, cell in enumerate(row):
        left, right = extent(cell)
        middle = (left + right) / 2
        places = range(at, len(columns) - len(row) + number + 1)
        # Between the nearest ones the first: what is outside of all columns is as far from each of them.
        if cell:
            at = min(places, key=lambda place: max(columns[place][0] - middle, middle - columns[place][1], 0))
        result[at] = cell
        at += 1
    return result
