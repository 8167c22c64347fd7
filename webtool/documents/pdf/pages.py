"""List the pages of a PDF file and read their text. In: a PdfFile. Out: page dictionaries; segments of text.

A page inherits attributes from the page tree. Its text is grouped by direction, since turned text (tables in landscape,
labels of diagrams) has lines of its own. Tables that the structure tree marks are taken first: a cell of the
tree lists the numbers (MCIDs) of the text in it. layout/tables.py has tables that are drawn with lines.
Specification: ISO 32000-1 sections 7.7.3 (page tree), 14.8.4.3.4 (tables in the structure tree), 14.11.2 (boundaries).
Tests: tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator

from webtool.documents import unseen
from webtool.documents.pdf import annots
from webtool.documents.pdf.interpreter import Interpreter
from webtool.documents.pdf.layout import Segment, extent
from webtool.documents.pdf.layout.gutters import Rows, as_segments
from webtool.documents.pdf.layout.line_ends import CJK
from webtool.documents.pdf.layout.lines import segments
from webtool.documents.pdf.layout.tables import Links, drawn_tables
from webtool.documents.pdf.objects import Name, PdfError, Ref, Stream
from webtool.documents.pdf.objects.file import PdfFile
from webtool.documents.pdf.outline import Cell, Tags
from webtool.documents.pdf.paths import EVERYWHERE
from webtool.documents.pdf.state import UNTAGGED, Rect, Span
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any


class Page(NamedTuple):
    """A page object."""

    number: int  # of the object
    attrs: dict[str, Any]  # with those that it inherits


MAX_PAGES = 5000  # of a file; the rest is left out, with a note
_MAX_NODES = 50_000  # of the page tree; further ones are ignored
_INHERITED = ("Resources", "MediaBox", "CropBox")  # table 30
_MIN_PAGE_SIZE = 10.0  # points; the boundaries of a smaller page are wrong
_MAX_BULLET_GAP = 2.5  # times the font size; text further from a dot is not its item
_MAX_BULLET_RISE = 60.0  # points from a baseline up to the dot beside the line, in the largest type
_MAX_NEAR = 400  # spans below the middle of a dot that are compared with it, the nearest ones
_MIN_VERTICAL_LETTERS = 12  # single Chinese or Japanese letters on a page with vertical text
_MAX_COLUMNS = 200  # of a tagged table to which shorter rows are aligned; longer rows stay as they are
_MAX_PLACES_PER_TEXT = 20  # places in a tagged table for each cell with text; a table with more is for layout only
_MAX_LINK_CHECKS = 20_000_000  # of the spans of a page with rectangles of links; further links are ignored
_MAX_CONTENT = 32 * 1024 * 1024  # decoded bytes of one page; further streams are ignored


# By the angle of a text: a box of the page in the coordinates of the text's spans, in which x runs along the text.
_TURNED: dict[int, Callable[[Rect], Rect]] = {
    0: lambda box: box,
    90: lambda box: (box[1], -box[2], box[3], -box[0]),
    180: lambda box: (-box[2], -box[3], -box[0], -box[1]),
    270: lambda box: (-box[3], box[0], -box[1], box[2]),
}


def pages(file: PdfFile) -> list[Page]:
    """Return the pages in order, at most MAX_PAGES + 1; if the page tree is damaged, all page objects of the file."""
    listed = list(_from_tree(file))
    if not listed:
        file.repair()
        listed = list(_from_tree(file))
    if not listed:
        objects = (Page(ref.number, file.dict_of(ref)) for ref in sorted(file.references()))
        listed = [page for page in objects if page.attrs.get("Type") == "Page"]
    return listed[: MAX_PAGES + 1]


def _from_tree(file: PdfFile) -> Iterator[Page]:
    """Yield the pages of the page tree, each with the attributes that it inherits."""
    waiting: list[tuple[Any, dict[str, Any]]] = [(file.root.get("Pages"), {})]
    seen: set[int] = set()
    count = 0
    while waiting and count <= MAX_PAGES and len(seen) < _MAX_NODES:
        reference, inherited = waiting.pop()
        attrs = file.dict_of(file.new_node(reference, seen))
        inherited = {**inherited, **{key: attrs[key] for key in _INHERITED if key in attrs}}
        kids, kind = file.list_of(attrs.get("Kids")), attrs.get("Type")
        if kids and kind != "Page":
            waiting.extend((kid, inherited) for kid in reversed(kids[:_MAX_NODES]) if type(kid) is Ref)
        # Some producers omit the type.
        elif kind == "Page" or (type(kind) is not Name and "Contents" in attrs and "Kids" not in attrs):
            count += 1
            yield Page(reference.number if type(reference) is Ref else -1, {**attrs, **inherited})


def content(file: PdfFile, attrs: dict[str, Any]) -> bytes:
    """Return a page's content streams, joined, without damaged ones (section 7.8.2)."""
    value = file.resolve(attrs.get("Contents"))
    parts: list[bytes] = []
    size = 0
    for item in value if type(value) is list else [value]:
        stream = file.resolve(item)
        if type(stream) is not Stream:
            continue
        try:
            parts.append(file.decode(stream))
        except PdfError:
            continue
        size += len(parts[-1])
        if size > _MAX_CONTENT:
            break
    return b"\n".join(parts)


def text_of_page(
    file: PdfFile, interpreter: Interpreter, page: Page, deadline: float, tags: Tags
) -> list[list[Segment]]:
    """Return a page's segments by direction, the direction with most text first."""
    number, attrs = page
    resources = file.dict_of(attrs.get("Resources"))
    appearances = annots.appearances(file, attrs, interpreter.layers)
    spans = interpreter.run(content(file, attrs), resources, deadline, appearances)
    box = _visible_box(file, attrs)
    visible: list[Span] = []
    for span in spans:
        if _is_inside(span, box):
            visible.append(span)
        else:
            interpreter.hide(span.text, unseen.OUTSIDE)
    by_angle: dict[int, list[Span]] = {}
    for span in _with_vertical_lines(visible):
        by_angle.setdefault(span.angle, []).append(span)
    all_links = annots.links(file, attrs)[: _MAX_LINK_CHECKS // max(1, len(visible))]
    ordered = sorted(by_angle.items(), key=lambda item: -sum(len(span.text) for span in item[1]))
    result: list[list[Segment]] = []
    for angle, group in ordered:
        turned = _TURNED.get(angle)
        if turned is None:  # slanted text, as a watermark: no table, and not the text of a link
            result.append(segments(group, []))
            continue
        links = [(turned(rect), url) for rect, url in all_links]
        group += _drawn_bullets(list(map(turned, interpreter.dots)), group)
        cells = {tag: tags.cells[number, tag] for tag in {s.tag for s in group} if (number, tag) in tags.cells}
        tagged, group = _tagged_tables(group, cells, tags.rows, links)
        drawn, group = drawn_tables(list(map(turned, interpreter.rulings)), group, links)
        result.append([*tagged, *drawn, *segments(group, links)])
    return result


def _drawn_bullets(dots: list[Rect], spans: list[Span]) -> list[Span]:
    """Return a bullet span for each dot that is before a line of text, level with its small letters.

    Browsers draw the bullets of lists. Text with tags needs none: its list items have tags.
    """
    ordered = sorted((span for span in spans if span.tag == UNTAGGED), key=lambda span: span.y)
    baselines = [span.y for span in ordered]
    bullets = []
    for left, bottom, right, top in dots:
        middle = (bottom + top) / 2
        first, end = bisect_left(baselines, middle - _MAX_BULLET_RISE), bisect_right(baselines, middle)
        below = ordered[max(first, end - _MAX_NEAR) : end]
        near = [s for s in below if 0.1 * s.size <= middle - s.y <= 0.6 * s.size]  # small letters level with the dot
        after = min((span for span in near if span.x >= right), key=lambda span: span.x, default=None)
        if after is None:
            continue
        is_far, is_large = after.x - right > _MAX_BULLET_GAP * after.size, right - left > 0.6 * after.size
        if is_far or is_large:
            continue
        # With text right before it, the dot is a full stop or a part of a leader.
        has_text_before = any(left - _MAX_BULLET_GAP * span.size < span.end and span.x < right for span in near)
        if not has_text_before:
            bullets.append(after._replace(x=left, end=right, text="\u2022"))
    return bullets


def _visible_box(file: PdfFile, attrs: dict[str, Any]) -> Rect:
    """Return the visible area of a page; everything if the page does not say it, or if it is implausibly small."""
    box = annots.rectangle(file, attrs.get("CropBox")) or annots.rectangle(file, attrs.get("MediaBox"))
    return box if box and min(box[2] - box[0], box[3] - box[1]) >= _MIN_PAGE_SIZE else EVERYWHERE


def _is_inside(span: Span, box: Rect) -> bool:
    """Return whether a span is on the visible page. Slanted text counts as visible."""
    turned = _TURNED.get(span.angle)
    if turned is None:
        return True
    left, bottom, right, top = turned(box)
    return left - 2 <= span.end and span.x <= right + 2 and bottom - 2 <= span.y <= top + 2


def _with_vertical_lines(spans: list[Span]) -> list[Span]:
    """Return spans with vertical Chinese or Japanese text turned by 270 degrees, so that its lines are found.

    Browsers print vertical text as single upright letters, each below the one before.
    """
    letters = {index for index, s in enumerate(spans) if len(s.text) == 1 and not s.angle and CJK.match(s.text)}
    if len(letters) < _MIN_VERTICAL_LETTERS or 2 * len(letters) < len(spans):
        return spans
    below_each_other: set[int] = set()
    for index in letters:
        before, span = spans[index - 1], spans[index]
        is_aligned = abs(before.x - span.x) < 0.3 * span.size
        is_next_line = 0.5 * span.size < before.y - span.y < 1.67 * span.size
        if index - 1 in letters and is_aligned and is_next_line:
            below_each_other.update((index - 1, index))
    if 2 * len(below_each_other) < len(letters):
        return spans
    result = list(spans)
    for index in letters:  # an upright letter is a part of a line that runs downwards, from its top to its bottom
        span = spans[index]
        left, right = -span.y - 0.88 * span.size, -span.y + 0.12 * span.size
        result[index] = span._replace(x=left, y=span.x, end=right, angle=270)
    return result


# --- Tables in the structure tree ---


def _tagged_tables(
    spans: list[Span], cells: dict[int, Cell], rows: dict[int, list[Cell]], links: Links
) -> tuple[list[Segment], list[Span]]:
    """Return the tables as segments, and the spans that are not in a table.

    `cells`: tag of a span -> its cell. `rows`: number of a row -> its cells. Numbers of rows and cells rise in
    document order.
    """
    contents: dict[int, list[Span]] = {}  # number of a cell -> its spans
    rows_on_page: dict[int, dict[int, None]] = {}  # table -> numbers of its rows that have something on this page
    for span in spans:
        cell = cells.get(span.tag)
        if cell:
            contents.setdefault(cell.number, []).append(span)
            rows_on_page.setdefault(cell.table, {})[cell.row] = None
    result: list[Segment] = []
    used: set[int] = set()
    for numbers in rows_on_page.values():
        table = [rows[number] for number in sorted(numbers)]
        spans_of_rows = [[span for cell in row for span in contents.get(cell.number, ())] for row in table]
        texts = {cell.number: segments(contents.get(cell.number, ()), links) for row in table for cell in row}
        aligned = _aligned(table, texts)
        filled = [sum(map(bool, row)) for row in aligned]
        if sum(count > 1 for count in filled) < 2 or sum(map(len, aligned)) > _MAX_PLACES_PER_TEXT * sum(filled):
            continue  # used for layout, or nearly all of it is on other pages
        left = min(span.x for row in spans_of_rows for span in row)
        right = max(span.end for row in spans_of_rows for span in row)
        result.extend(as_segments(aligned, left, right, [max(span.y for span in row) for row in spans_of_rows]))
        used.update(id(span) for row in spans_of_rows for span in row)
    return result, [span for span in spans if id(span) not in used] if used else spans


def _aligned(table: list[list[Cell]], texts: dict[int, list[Segment]]) -> Rows:
    """Return rows of the same length, up to _MAX_COLUMNS; a cell over several rows or columns is in the first of them.

    A cell at column 1 of row 0 that covers 3 rows gives covered = {1: 2} for row 1, {1: 1} for row 2, {} for row 3.
    """
    rows: Rows = []
    covered: dict[int, int] = {}  # column that a cell above covers -> how many rows from this one on are covered
    for cells in table:
        row: list[list[Segment]] = []
        covered_below = {column: count - 1 for column, count in covered.items() if count > 1}
        for cell in cells:
            while len(row) in covered:
                row.append([])
            width = min(cell.columns, max(1, _MAX_COLUMNS - len(row)))
            if cell.rows > 1 and len(row) < _MAX_COLUMNS:
                covered_below.update((len(row) + step, cell.rows - 1) for step in range(width))
            row.append(texts[cell.number])
            row.extend([] for _ in range(width - 1))
        covered = covered_below
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
