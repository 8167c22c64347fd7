"""Tables between level lines that no upright ones cross. In: level lines, spans. Out: tables as Segments, other spans.

Three or more lines of one width make a table where the text between them stands in columns: printed tables have lines
above, below and under the head; tables of web pages have one under each row, and none above the head.
"""

from __future__ import annotations

from webtool.documents.pdf.layout.gutters import Interval, Rows, as_lines, bands, cells_of, common, shared, table_rows
from webtool.documents.pdf.layout.lines import Segment, segments
from webtool.documents.pdf.state import Rect, Span

Line = tuple[float, float, float]  # place, from, to
Band = list[Segment]

_SAME = 4.0  # points between the ends of lines of one width
_FAR_ABOVE = 2.5  # of the font size: what is higher above the first line is not a head
_PROSE_BANDS = 4
_PROSE_LINE = 30  # characters


def ruled_tables(
    lines: list[Line], spans: list[Span], links: list[tuple[Rect, str]]
) -> tuple[list[Segment], list[Span]]:
    """Tables as segments, and the spans that are in none of them. Lines come from the top."""
    made: list[Segment] = []
    for group in _of_one_width(lines):
        inside, above, outside = _parted(spans, group)
        areas = _areas(group, segments(inside, links))
        spanning = _spanning(areas)
        heads = areas[0][:spanning] if spanning else []
        areas[:1] = [area[spanning:] for area in areas[:1]]
        strips = _shared(areas)
        if len(strips) < 3 or len(areas) < 2 or any(_is_prose(area, strips) for area in areas):
            continue
        head = bands(segments(above, links))
        if head and _is_head(head, strips):
            areas.insert(0, head)
        else:
            outside.extend(above)
        rows = [*(cells_of(band, _columns(strips)) for band in heads), *_rows(areas, _columns(strips))]
        if sum(sum(map(bool, row)) > 1 for row in rows) > 1:
            made.extend(as_lines(rows, group[0][1], group[0][2], [area[0][0].y for area in areas]))
            spans = outside
    return made, spans


def _of_one_width(lines: list[Line]) -> list[list[Line]]:
    """Lines that begin and end at the same places, three or more, from the top."""
    groups: list[list[Line]] = []
    for line in lines:
        for group in groups:
            if abs(group[0][1] - line[1]) < _SAME and abs(group[0][2] - line[2]) < _SAME:
                group.append(line)
                break
        else:
            groups.append([line])
    return [group for group in groups if len(group) > 2]


def _parted(spans: list[Span], lines: list[Line]) -> tuple[list[Span], list[Span], list[Span]]:
    """Spans between the lines, those just above them, and the others."""
    inside: list[Span] = []
    above: list[Span] = []
    outside: list[Span] = []
    top, left, right = lines[0]
    for span in spans:
        if not left - _SAME < span.x < span.end < right + _SAME or span.y < lines[-1][0]:
            outside.append(span)
        elif span.y < top:
            inside.append(span)
        else:
            (above if span.y < top + _FAR_ABOVE * span.size else outside).append(span)
    return inside, above, outside


def _areas(lines: list[Line], found: list[Segment]) -> list[list[Band]]:
    """Bands by the space between two lines that they stand in; spaces without text are left out."""
    areas: list[list[Band]] = [[] for _ in lines]
    for band in bands(found):
        areas[sum(line[0] > band[0].y for line in lines) - 1].append(band)
    return [area for area in areas if area]


def _shared(areas: list[list[Band]]) -> list[Interval]:
    """The strips that are free in all areas but those with one text only, which may be a heading among the rows."""
    return shared(band for area in areas if sum(map(len, area)) > 1 for band in area)


def _spanning(areas: list[list[Band]]) -> int:
    """How many lines at the top of a head have cells that span columns; the last line of a head has none."""
    count = next((at for at, band in enumerate(areas[0]) if len(band) >= len(areas[0][-1])), 0) if areas else 0
    return count if count and len(_shared([areas[0][count:], *areas[1:]])) > len(_shared(areas)) else 0


def _columns(strips: list[Interval]) -> list[float]:
    return [*((low + high) / 2 for low, high in strips[1:-1]), float("inf")]


def _is_prose(area: list[Band], strips: list[Interval]) -> bool:
    """Whether columns of running text stand side by side."""
    cells = cells_of((segment for band in area for segment in band), _columns(strips))
    texts = [[len(segment.text) for segment in cell] for cell in cells if len(cell) >= _PROSE_BANDS]
    return sum(sum(text) > _PROSE_LINE * len(text) for text in texts) > 1


def _is_head(head: list[Band], strips: list[Interval]) -> bool:
    """Whether what stands above the first line has the table's columns."""
    left = common(strips, shared(head))
    cells = cells_of((segment for band in head for segment in band), _columns(left))
    return len(left) == len(strips) and sum(map(bool, cells)) > 1


def _rows(areas: list[list[Band]], columns: list[float]) -> Rows:
    """One row for each area where most have one; else the lines of text are rows."""
    is_row = [sum(sum(map(bool, cells_of(band, columns))) > 1 for band in area) < 2 for area in areas]
    rows: Rows = []
    for area, is_one in zip(areas, is_row):
        if is_one or (len(areas) > 3 and 2 * sum(is_row) > len(areas)):
            rows.append(cells_of((segment for band in area for segment in band), columns))
        else:
            rows.extend(table_rows(area, columns))
    return rows
