"""Cut the spans of a page into line segments: text on one baseline without wide gaps. In: spans, links. Out: Segments.

1. Spans whose heights overlap are a row. A row with lines of small type beside taller text is split.
2. A row is cut into segments at wide gaps, which may separate columns, and at narrower gaps before a column's left
   edge: an x at which several lines start. A bullet or number stays with the text after it, however wide the gap.
3. make_segment() makes a Segment of the spans between two cuts.
columns.py puts the segments in reading order. Except for sorting, everything is linear.
Tests: tests/documents/pdf/test_layout.py
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from webtool.documents.pdf import layout
from webtool.documents.pdf.state import Rect, Span
from webtool.lean import patterns

# Gaps. First, the left edges of columns are found: an x at which at least _MIN_EDGE_LINES texts start. A text starts at
# the start of its row, _MIN_CELL_GAP after a letter or digit, or _MIN_SEGMENT_GAP after other signs, such as leader
# dots. At least one text of an edge comes after _MIN_SEGMENT_GAP.
_MIN_EDGE_LINES = 3
_MIN_CELL_GAP = 0.7
_MIN_SEGMENT_GAP = 1.0  # between any two spans, a wider gap also ends the segment
_MIN_EDGE_GAP = 0.4  # a wider gap before an edge ends the segment
_MIN_FIXED_PITCH_GAP = 15.0  # a wider gap ends a segment of a fixed-pitch font; narrower ones become spaces
_MAX_LABEL_GAP = 4.0  # text further from a bullet or number is not its item
_MIN_OVERLAP = 0.5  # share of the smaller height; spans that overlap more are in one row
_MIN_SUBSCRIPT_OVERLAP = 0.35  # share of the smaller height that is enough for a lowered digit
_MAX_LABEL_SPANS = 4  # a bullet or number at the start of a line consists of at most this many spans
_MAX_SPANS_SEARCHED = 300  # only this many spans of a row are searched for the letter before a lowered digit
_MIN_LINE_LETTERS = 10  # small type with fewer letters is a superscript, not a line of its own
_MAX_ACCENT_SPANS = 4  # at most this many spans before a gap are searched for the one that ends furthest right
_LABEL = patterns.compile(r"(?:[•◦▪▫‣●○■□➢➤✓✔❖◆⁃∙]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|(?:\d{1,2}\.){2,4})\Z")
# A day and a month, "01.05.", which look like the number of a section.
_DATE = patterns.compile(r"(?:0?[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[012])\.\Z")
_DASH = patterns.compile(r"[+–—*-]\Z")  # starts an item at the start of a line; elsewhere it may be a cell
_CHAPTER = patterns.compile(r"(?:[^\W\d_]{1,12} )?(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)*|[IVXLC]+)[.)]?\Z")  # before a title


def segments(spans: Iterable[Span], links: list[tuple[Rect, str]]) -> list[layout.Segment]:
    """Return the segments of spans of one direction, in reading order. `links` are rectangles with URLs."""
    result: list[layout.Segment] = []
    rows = [line for row in _rows(spans) for line in _split_beside_taller(row)]
    for row in rows:
        row.sort(key=lambda span: span.x)
        _replace_letter_bullets(row)
    edges = _column_edges(rows)
    dates = _near({round(span.x) for row in rows for span in row if "." in span.text and _is_surely_date(span.text)})
    for row in rows:
        count_above = len(result)
        start = 0
        for index in range(1, len(row) + 1):
            if index < len(row) and not _starts_segment(row, start, index, edges, dates):
                continue
            segment = layout.make_segment(row[start:index], links)
            if segment and len(result) > count_above and _is_chapter_number_of(result[-1], segment):
                result[-1] = layout.joined_on_line([result[-1], segment])
            elif segment:
                result.append(segment)
            start = index
    return result


def _replace_letter_bullets(row: list[Span]) -> None:
    """Replace an "o" in a fixed-pitch font before text in another font by a bullet: Word's bullet of the second level.

    An "o" near the text before it stays: it is a word of a line in a fixed-pitch font.
    """
    for index, span in enumerate(row):
        if span.text.strip() != "o" or not span.font.is_fixed_pitch:
            continue
        after = next((text for text in row[index + 1 : index + 1 + _MAX_LABEL_SPANS] if text.text.strip()), None)
        is_near_text = index > 0 and span.x - row[index - 1].end <= _MIN_SEGMENT_GAP * span.size
        if (
            after
            and not is_near_text
            and not after.font.is_fixed_pitch
            and after.x - span.end > _MIN_EDGE_GAP * span.size
        ):
            row[index] = span._replace(text="◦")


def _is_surely_date(text: str) -> bool:
    """Return whether a text is a day and a month with a leading zero: "01.05.", but not "12.11.", a section's number.

    Below or above such a date, at the same x, "12.11." is a date, too: see `dates` of _starts_segment().
    """
    return bool(_DATE.match(text)) and (text[0] == "0" or ".0" in text)


def _is_chapter_number_of(number: layout.Segment, entry: layout.Segment) -> bool:
    """Return whether `number` is the chapter number before an entry of a table of contents."""
    is_near = entry.x - number.end < _MAX_LABEL_GAP * entry.size
    return is_near and is_contents_entry(entry.text) and bool(_CHAPTER.match(number.text))


def is_contents_entry(text: str) -> bool:
    """Return whether a line is an entry of a table of contents or an index: "Tides … 12", "neap … 3, 7"."""
    title, leader, pages = text.rpartition(layout.LEADER)
    if not leader or not title:
        return False
    is_page = len(pages) < 8 and pages.isalnum()
    return is_page or (pages[-1:].isdigit() and not pages.strip("0123456789–, "))


def _column_edges(rows: list[list[Span]]) -> set[int]:
    """Return the left edges of columns in points: where several lines start, one of them after a wide gap."""
    starts: Counter[int] = Counter(round(row[0].x) for row in rows)
    after_gap: set[int] = set()
    for row in rows:
        for before, span in zip(row, row[1:]):
            gap = (span.x - before.end) / max(span.size, before.size, 1e-3)
            is_after_word = before.text.rstrip()[-1:].isalnum()
            if gap > (_MIN_CELL_GAP if is_after_word else _MIN_SEGMENT_GAP):
                starts[round(span.x)] += 1
            if gap > _MIN_SEGMENT_GAP:
                after_gap.add(round(span.x))
    edges = {x for x in after_gap if starts[x - 1] + starts[x] + starts[x + 1] >= _MIN_EDGE_LINES}
    return _near(edges)


def _near(places: set[int]) -> set[int]:
    """Return places in points and those one point beside them: texts at 100.4 and 100.6 are below each other."""
    return {near for x in places for near in (x - 1, x, x + 1)}


def _starts_segment(row: list[Span], start: int, index: int, edges: set[int], dates: set[int]) -> bool:
    """Return whether a new segment starts at a span of a row; `start` is the first span of the segment so far.

    `dates` are places in points: where the page has days without a year, such as "01.05.". They are cells of a table,
    and not the numbers of the text after them.
    """
    span, before = row[index], row[index - 1]
    if _is_on_other_line(span, before):
        return True
    # An accent or a raised digit before the span may end further left than the letter before it.
    end = max(part.end for part in row[max(start, index - _MAX_ACCENT_SPANS) : index])
    gap = (span.x - end) / max(span.size, before.size, 1e-3)
    if gap <= _MAX_LABEL_GAP and _is_label_before(row, start, index):
        is_date = round(row[start].x) in dates and bool(_DATE.match(row[start].text))
        if not is_date:
            return False
    if span.font.is_fixed_pitch and before.font.is_fixed_pitch:
        return gap > _MIN_FIXED_PITCH_GAP
    return gap > _MIN_SEGMENT_GAP or (gap > _MIN_EDGE_GAP and round(span.x) in edges)


def _is_on_other_line(span: Span, before: Span) -> bool:
    """Return whether a span goes back to the left on another baseline, as the second of two lines beside a taller one.

    All three are one row, as their heights overlap the tall text's, and "second" is to the left of the end of "first":

        TALL   first
        TEXT   second
    """
    return abs(span.y - before.y) > 0.5 * max(span.size, before.size) and span.x < before.end - span.size


def _is_label_before(row: list[Span], start: int, index: int) -> bool:
    """Return whether the segment so far is the bullet or number of the text that begins at `index`.

    Within a row, the gap before a label is more than twice as wide as the one after it. A cell of a table that looks
    like a label is about as far from the cell before it as from the next one.
    """
    gap_before = row[start].x - row[start - 1].end if start else float("inf")
    gap_after = row[index].x - row[index - 1].end
    if index - start >= _MAX_LABEL_SPANS or gap_before <= 2 * gap_after:
        return False
    label = "".join([layout.clean(part.text) for part in row[start:index]]).strip()
    return bool(_LABEL.match(label) or (not start and _DASH.match(label)))


def _rows(spans: Iterable[Span]) -> list[list[Span]]:
    """Group spans whose heights overlap, from the top. The height of a row is that of its tallest span."""
    rows: list[list[Span]] = []
    low = high = 0.0
    for span in sorted(spans, key=lambda span: (-span.y, span.x)):
        bottom, top = span.y - 0.2 * span.size, span.y + 0.8 * span.size
        overlap = (min(top, high) - max(bottom, low)) / max(min(top - bottom, high - low), 1e-3)
        is_in_row = overlap > _MIN_OVERLAP
        if rows and not is_in_row and overlap > _MIN_SUBSCRIPT_OVERLAP:
            is_in_row = _is_subscript(span, rows[-1])
        if rows and is_in_row:
            rows[-1].append(span)
            if top - bottom > high - low:
                low, high = bottom, top
        else:
            rows.append([span])
            low, high = bottom, top
    return rows


def _is_subscript(span: Span, row: list[Span]) -> bool:
    """Return whether a small span directly follows a larger one of the row, at whatever height."""
    return any(
        abs(span.x - before.end) < layout.MIN_WORD_GAP * before.size
        and span.size < layout.MAX_SCRIPT_SIZE * before.size
        for before in row[-_MAX_SPANS_SEARCHED:]
    )


def _split_beside_taller(row: list[Span]) -> list[list[Span]]:
    """Split a row that has two or more lines of small type beside taller text, such as a name beside a heading."""
    tall_size = layout.MAX_SCRIPT_SIZE * max(span.size for span in row)
    small = sorted((span for span in row if span.size < tall_size), key=lambda span: -span.y)
    lines: list[list[Span]] = []
    for span in small:
        if not lines or lines[-1][0].y - span.y > 0.5 * span.size:
            lines.append([])
        lines[-1].append(span)
    lines = [line for line in lines if sum(len(span.text) for span in line) >= _MIN_LINE_LETTERS]
    if len(lines) < 2:
        return [row]
    baselines = [line[0].y for line in lines]
    split: list[list[Span]] = [[span for span in row if span.size >= tall_size], *([] for _ in lines)]
    for span in small:  # each small span, also a superscript, goes to the nearest line
        nearest = min(range(len(lines)), key=lambda index: abs(baselines[index] - span.y))
        split[1 + nearest].append(span)
    return split
