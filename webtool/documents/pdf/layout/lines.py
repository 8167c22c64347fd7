"""Join the spans of one page to line segments: text on one baseline without wide gaps. In: spans, links. Out: Segments.

A span is what one operator shows, often a part of a word. Spans whose heights overlap are a row, and a row is cut into
segments at wide gaps, which may separate columns. Between the spans of a segment spaces are added; raised and lowered
digits, accents and right-to-left text are put into Unicode. columns.py puts the segments in reading order. Except for
sorting, everything is linear.

Distances are multiples of the font size unless they say points; y grows upwards.
Tests: tests/documents/pdf/test_layout.py
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from webtool.documents.pdf.state import Rect, Span
from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.lean.records import NamedTuple

Run = tuple[str, str]  # text, and the URL that it links to or ""

MIN_LINE_STEP = 0.8  # baselines that are closer belong to one formula, not to two lines
MIN_WORD_GAP = 0.11  # a narrower gap is inside a word
_MIN_SEGMENT_GAP = 1.0  # a wider gap ends a segment, since it may be a gutter
_MIN_EDGE_GAP = 0.4  # enough to end a segment if the next span starts at the left edge of a column
_MIN_CELL_GAP = 0.7  # the start of text after a wider gap is counted as a possible left edge of a column
_MIN_EDGE_LINES = 3  # at least this many texts must start at one x before it is the left edge of a column
_MIN_FIXED_PITCH_GAP = 15.0  # a wider gap ends a segment of a fixed-pitch font; narrower ones become spaces
_MAX_LABEL_GAP = 4.0  # text further from a bullet or number is not its item
_PITCH = 0.6  # usual width of a fixed-pitch character
_MIN_OVERLAP = 0.5  # share of the smaller height; spans that overlap more are in one row
_MIN_SUBSCRIPT_OVERLAP = 0.35  # share of the smaller height that is enough for a lowered digit
_MAX_SCRIPT_SIZE = 0.85  # times the size of the text beside it; larger digits are not raised or lowered
_MAX_LABEL_SPANS = 4  # a bullet or number at the start of a line consists of at most this many spans
_MAX_SPANS_SEARCHED = 300  # only this many spans of a row are searched for the letter before a lowered digit
_MIN_LINE_LETTERS = 10  # small type with fewer letters is a superscript, not a line of its own
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")

# Ligatures, and radicals, which fonts show as the ideographs of the same shape.
_SHAPES = (*range(0xFB00, 0xFB07), *range(0x2F00, 0x2FD6))
_LIGATURES = {code: unicodedata.normalize("NFKD", chr(code)) for code in _SHAPES}
_CLEANED = {
    **_LIGATURES,
    **dict.fromkeys((0, 0x200B, 0x200C, 0xFEFF, 0xFFFD)),
    **dict.fromkeys((0xA0, 0x2007, 0x202F, 9, 10, 13), " "),
    1: " ",  # some programs write this control character for a space
    0xF0B7: "•",  # bullets of the font Symbol, which word processors write as private-use characters
    0xF0A7: "▪",
    0xF0D8: "➢",
    0xF0FC: "✓",
}
WORD = patterns.compile(r"[^\W\d_]{4}")  # four letters in a row, which formulas do not have
_PRIVATE = patterns.compile("[\ue000-\uf8ff\x01-\x1f\x7f-\x9f]")
_RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_PRESENTED = patterns.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+[\u0591-\u05c7\u064b-\u0652]*")  # presentation forms
STRONG_RTL = patterns.compile(f"[{_RTL}]")
_LTR_RUN = patterns.compile(
    "[\u0660-\u0669\u06f0-\u06f9]+(?:[.,:/\u066b\u066c][\u0660-\u0669\u06f0-\u06f9]+)*|"  # Arabic numbers
    r"[A-Za-z0-9²³¹\u2070-\u209c\u00c0-\u024f](?:[^\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]*[A-Za-z0-9%²³¹\u2070-\u209c\u00c0-\u024f])?"
)
_SPACES = patterns.compile(r"\s+")
_RTL_RUN = patterns.compile(f"[{_RTL}](?:[^A-Za-z\u00c0-\u024f]*[{_RTL}])?")
ACCENTS = dict(zip("`´ˆ˜¨¯˘˙˚ˇ˝¸", "\u0300\u0301\u0302\u0303\u0308\u0304\u0306\u0307\u030a\u030c\u030b\u0327"))
_RAISED = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_LABEL = patterns.compile(r"(?:[•◦▪▫‣●○■□➢➤✓✔❖◆⁃∙]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|(?:\d{1,2}\.){2,4})\Z")
_DASH = patterns.compile(r"[+–—*-]\Z")  # starts an item at the start of a line; elsewhere it may be a cell
_STOPS = ".,:;!?،؛؟"
# Scripts without spaces between words, so without Hangul.
CJK = patterns.compile("[\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\uff00-\uff9f\uffe0-\uffef]")
LEADER = " … "  # replaces the dots between an entry and its page in a table of contents
_LEADER = patterns.compile(r"(?:\s?[.·_…]){4,}")
_CHAPTER = patterns.compile(r"(?:[^\W\d_]{1,12} )?(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)*|[IVXLC]+)[.)]?\Z")  # before a title


class Segment(NamedTuple):
    """Text on one baseline. Coordinates are points; y grows upwards.

    A table is among the segments as one segment per row: the first one's `table` holds all rows,
    the others' `table` is [].
    """

    x: float
    y: float  # of the baseline
    end: float
    size: float  # the most common font size
    runs: list[Run]
    text: str
    is_bold: bool
    is_fixed_pitch: bool
    tag: int  # number of its marked content (MCID), PAGINATION for headers and footers, -1 without a tag
    table: list[list[list[Segment]]] | None = None  # rows of cells; None for text


def clean(text: str) -> str:
    """Replace ligatures and special spaces by plain characters; remove control and private-use characters."""
    if text.isascii() and text.isprintable():
        return text
    return _PRIVATE.sub("", text.translate(_CLEANED))


def segments(spans: Iterable[Span], links: list[tuple[Rect, str]]) -> list[Segment]:
    """Return the segments of spans of one direction, from top to bottom and left to right.

    `links` are rectangles with URLs.
    """
    result: list[Segment] = []
    rows = [line for row in _rows(spans) for line in _split_beside_taller(row)]
    for row in rows:
        row.sort(key=lambda span: span.x)
    edges = _column_edges(rows)
    for row in rows:
        in_row: list[Segment] = []
        start = 0
        for index in range(1, len(row) + 1):
            if index < len(row) and not _starts_segment(row, start, index, edges):
                continue
            segment = _segment(row[start:index], links)
            if segment and in_row and _is_chapter_number_of(in_row[-1], segment):
                in_row[-1] = joined_on_line(in_row[-1], segment)
            elif segment:
                in_row.append(segment)
            start = index
        result.extend(in_row)
    return result


def joined_on_line(left: Segment, right: Segment) -> Segment:
    """Return two segments of one line as one, with a space between them."""
    runs, text = [*left.runs, (" ", ""), *right.runs], f"{left.text} {right.text}"
    return left._replace(end=right.end, runs=runs, text=text, is_bold=left.is_bold and right.is_bold)


def extent(segments: Iterable[Segment]) -> tuple[float, float]:
    """Return the left and right end of the text; (inf, inf) without segments, right of everything."""
    lines = list(segments)
    return min((s.x for s in lines), default=float("inf")), max((s.end for s in lines), default=float("inf"))


def _is_chapter_number_of(number: Segment, entry: Segment) -> bool:
    """Return whether `number` is the chapter number before an entry of a table of contents."""
    is_near = entry.x - number.end < _MAX_LABEL_GAP * entry.size
    return is_near and is_contents_entry(entry.text) and bool(_CHAPTER.match(number.text))


def is_contents_entry(text: str) -> bool:
    """Return whether a line is an entry of a table of contents or an index: "Tides … 12", "neap … 3, 7"."""
    title, leader, pages = text.rpartition(LEADER)
    is_page = len(pages) < 8 and pages.isalnum()
    return bool(leader and title) and (is_page or (pages[-1:].isdigit() and not pages.strip("0123456789–, ")))


def _column_edges(rows: list[list[Span]]) -> set[int]:
    """Return the left edges of columns in points: where several lines start, one of them after a wide gap."""
    starts: Counter[int] = Counter(round(row[0].x) for row in rows)
    after_gap: set[int] = set()
    for row in rows:
        for before, span in zip(row, row[1:]):
            gap = (span.x - before.end) / max(span.size, before.size, 1e-3)
            # After other signs than letters and digits, such as leader dots, a wider gap is needed.
            if gap > (_MIN_CELL_GAP if before.text.rstrip()[-1:].isalnum() else _MIN_SEGMENT_GAP):
                starts[round(span.x)] += 1
            if gap > _MIN_SEGMENT_GAP:
                after_gap.add(round(span.x))
    edges = {x for x in after_gap if starts[x - 1] + starts[x] + starts[x + 1] >= _MIN_EDGE_LINES}
    return {near for x in edges for near in (x - 1, x, x + 1)}


def _starts_segment(row: list[Span], start: int, index: int, edges: set[int]) -> bool:
    """Return whether a new segment starts at a span of a row; `start` is the first span of the segment so far."""
    span, before = row[index], row[index - 1]
    if abs(span.y - before.y) > 0.5 * max(span.size, before.size) and span.x < before.end - span.size:
        return True  # two lines below each other, both beside a taller one
    # An accent or a raised digit before the span may end further left than the letter before it.
    reach = max(part.end for part in row[max(start, index - 4) : index])
    gap = (span.x - reach) / max(span.size, before.size, 1e-3)
    # A bullet may be far from its text. A cell of a table may be as far from the next one, but then it is about as far
    # from the cell before it, too: within the line, a label has twice as wide a gap before it as after it.
    gap_before = row[start].x - row[start - 1].end if start else float("inf")
    is_label = index - start < _MAX_LABEL_SPANS and 2 * (span.x - before.end) < gap_before
    if is_label and gap <= _MAX_LABEL_GAP:
        label = "".join([clean(part.text) for part in row[start:index]]).strip()
        if _LABEL.match(label) or (not start and _DASH.match(label)):
            return False
    if span.font.is_fixed_pitch and before.font.is_fixed_pitch:
        return gap > _MIN_FIXED_PITCH_GAP
    return gap > _MIN_SEGMENT_GAP or (gap > _MIN_EDGE_GAP and round(span.x) in edges)


def _rows(spans: Iterable[Span]) -> list[list[Span]]:
    """Group spans whose heights overlap, from the top. The height of a row is that of its tallest span."""
    rows: list[list[Span]] = []
    low = high = 0.0
    for span in sorted(spans, key=lambda span: (-span.y, span.x)):
        bottom, top = span.y - 0.2 * span.size, span.y + 0.8 * span.size
        overlap = (min(top, high) - max(bottom, low)) / max(min(top - bottom, high - low), 1e-3)
        if rows and (overlap > _MIN_OVERLAP or (overlap > _MIN_SUBSCRIPT_OVERLAP and _is_subscript(span, rows[-1]))):
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
        abs(span.x - before.end) < MIN_WORD_GAP * before.size and span.size < _MAX_SCRIPT_SIZE * before.size
        for before in row[-_MAX_SPANS_SEARCHED:]
    )


def _split_beside_taller(row: list[Span]) -> list[list[Span]]:
    """Split a row that has two or more lines of small type beside taller text, such as a name beside a heading."""
    tall_size = _MAX_SCRIPT_SIZE * max(span.size for span in row)
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


class _SegmentBuilder:
    """Joins the spans of one segment, from left to right."""

    def __init__(self, links: list[tuple[Rect, str]]) -> None:
        self._links = links
        self.runs: list[Run] = []
        self.sizes: Counter[float] = Counter()  # characters by font size
        self.bold = self.fixed = self.total = 0  # characters
        self._previous: Span | None = None
        self._base: Span | None = None  # the span that scripts are relative to: the last one on the line
        self._tail = ""  # the last character

    def add(self, span: Span) -> None:
        """Append a span's text."""
        text = clean(span.text)
        previous = self._previous
        if previous is not None and _is_shown_twice(previous, span):
            return
        if previous is not None and self._tail and not self._tail.isspace() and not text.startswith(" "):
            text = self._space_before(span, previous) + text
        if previous is not None and self.runs and text in ACCENTS and span.x < previous.end - 0.1 * span.size:
            self._set_accent(span, previous, text)
            return
        self._previous = span
        if not text:
            return
        text = self._with_script(span, previous, text)
        self._tail = text[-1]
        self.runs.append((text, _link_at(span, self._links) if self._links else ""))
        count = len(text.strip())
        self.sizes[round(span.size, 1)] += count
        self.bold += count * span.font.is_bold
        self.fixed += count * span.font.is_fixed_pitch
        self.total += count

    def _space_before(self, span: Span, previous: Span) -> str:
        """Return the spaces that the gap before a span represents."""
        gap = span.x - previous.end
        # The gap before a superscript is measured by the size of its word.
        is_script = span.size < _MAX_SCRIPT_SIZE * previous.size
        size = previous.size if is_script else min(span.size, previous.size)
        if gap <= MIN_WORD_GAP * max(size, 1e-3):
            return ""
        if span.font.is_fixed_pitch and previous.font.is_fixed_pitch:
            return " " * max(1, round(gap / (_PITCH * span.size)))
        return " "

    def _set_accent(self, span: Span, previous: Span, accent: str) -> None:
        """Put an accent on the letter below it: the accent of a capital is a span of its own, above the line."""
        letters, url = self.runs[-1]
        middle = (span.x + span.end) / 2
        share = (middle - previous.x) / max(previous.end - previous.x, 1e-3)
        index = max(0, min(len(letters) - 1, int(share * len(letters))))
        self.runs[-1] = (accented(letters, (index, index + 1, max(0, index - 1)), accent), url)

    def _with_script(self, span: Span, previous: Span | None, text: str) -> str:
        """Return a text directly after another one as superscript or subscript, if it is one."""
        if previous is None or not self.runs or span.x - previous.end >= MIN_WORD_GAP * previous.size:
            self._base = span
            return text
        # In 10⁻⁶ the sign may have another font than the 6. The sign has the 10 as its base, and the 6 is at the height
        # of the sign, so it has that base, too.
        base = previous
        if self._base is not None and abs(span.y - previous.y) < 0.1 * span.size:
            base = self._base  # `previous` itself, unless it is a script
        script = _script(text, span, base)
        self._base = base if script != text else span
        return script


def _segment(spans: list[Span], links: list[tuple[Rect, str]]) -> Segment | None:
    """Return the segment of some spans; None if they have nothing but white space."""
    builder = _SegmentBuilder(links)
    for span in spans:
        builder.add(span)
    if not builder.total:
        return None
    size = max(builder.sizes.items(), key=lambda item: (item[1], item[0]))[0] or spans[0].size
    main = next((span for span in spans if round(span.size, 1) == size), spans[0])
    end = max(span.end for span in spans)
    x = spans[0].x
    is_fixed = builder.fixed > 0.9 * builder.total
    if is_fixed:  # spaces before the text are an indent
        text = "".join([text for text, _ in builder.runs])
        x += (len(text) - len(text.lstrip(" "))) * (end - x) / max(1, len(text))
    runs = _trimmed(builder.runs, keep_spaces=is_fixed)
    text = "".join([text for text, _ in runs])
    if STRONG_RTL.search(text):
        runs = in_reading_order(runs)
        text = "".join([text for text, _ in runs])
    tag = next((span.tag for span in spans if span.tag != -1), -1)
    return Segment(x, main.y, end, size, runs, text, builder.bold * 2 > builder.total, is_fixed, tag)


def accented(text: str, indices: tuple[int, ...], accent: str) -> str:
    """Put one of ACCENTS on the first of some letters that exists with it: ("Godel", (1, 2), "¨") -> "Gödel".

    Old fonts have accents as separate glyphs. If no letter can take the accent, it is inserted before the first one.
    """
    for index in indices:
        letter = {"ı": "i", "ȷ": "j"}.get(text[index : index + 1], text[index : index + 1])
        composed = unicodedata.normalize("NFC", letter + ACCENTS[accent])
        if len(composed) == 1 and letter:
            return text[:index] + composed + text[index + 1 :]
    return text[: indices[0]] + accent + text[indices[0] :]


def _script(text: str, span: Span, base: Span) -> str:
    """Return digits above or below the line as Unicode's superscripts or subscripts: 10 and a raised 6 are not 106.

    Text that has other characters stays as it is, and so does the denominator of a fraction.
    """
    if span.size > _MAX_SCRIPT_SIZE * base.size or base.text.endswith(("/", "⁄")):
        return text
    step = (span.y - base.y) / base.size
    if 0.2 < step < 0.7:
        scripts = _RAISED
    elif -0.6 < step < -0.08:
        scripts = _LOWERED
    else:
        return text
    return text.translate(scripts) if all(ord(letter) in scripts for letter in text.strip()) else text


def _is_shown_twice(first: Span, second: Span) -> bool:
    """Return whether a text is shown again, a little to the side, to make it look bold.

    The second "l" of "will" is not: it is as far from the first one as that is wide, even if this is only 0.18.
    """
    width = first.end - first.x
    near = min(0.2 * second.size, 0.5 * width) if width > 0 else 0.2 * second.size
    return (
        first.text.strip() == second.text.strip()
        and abs(first.x - second.x) < near
        and abs(first.end - second.end) < near
    )


def joined_by_url(runs: Iterable[Run]) -> list[Run]:
    """Join neighbouring runs that have the same URL."""
    return [("".join([text for text, _ in group]), url) for url, group in groupby(runs, key=itemgetter(1))]


def _trimmed(runs: list[Run], keep_spaces: bool) -> list[Run]:
    """Join runs by URL, replace leaders, collapse white space unless `keep_spaces`, and strip both ends."""
    joined = joined_by_url(runs)
    if not keep_spaces:
        joined = [(_SPACES.sub(" ", _LEADER.sub(LEADER, text)), url) for text, url in joined]
    joined[0] = (joined[0][0].lstrip(), joined[0][1])
    joined[-1] = (joined[-1][0].rstrip(), joined[-1][1])
    return [run for run in joined if run[0]]


def _link_at(span: Span, links: list[tuple[Rect, str]]) -> str:
    """Return the URL of the link rectangle around a span's middle, or ""."""
    middle, height = (span.x + span.end) / 2, span.y + 0.3 * span.size
    for (left, bottom, right, top), url in links:
        if left <= middle <= right and bottom <= height <= top:
            return url
    return ""


def in_reading_order(runs: list[Run]) -> list[Run]:
    """Return runs with right-to-left letters in reading order; the input has the letters from left to right, as seen.

    If the line runs from right to left, the whole line is reversed, except numbers and Latin words in it. Otherwise
    only its right-to-left parts are reversed. The direction is that of the punctuation at one end, else of most
    letters. (UAX 9, simplified: one level of embedding.)
    """
    text = "".join([text for text, _ in runs])
    urls = [url for text, url in runs for _ in text]
    if text[-1] in _STOPS or text[0] in _STOPS:
        is_right_to_left = text[0] in _STOPS and text[-1] not in _STOPS
    else:
        is_right_to_left = 2 * len(STRONG_RTL.findall(text)) >= sum(letter.isalpha() for letter in text)
    if is_right_to_left:
        letters = _reversed(text, urls)
    else:
        letters = list(zip(text, urls))
        for match in _RTL_RUN.finditer(text):
            start, end = match.span()
            letters[start:end] = _reversed(match.group(), urls[start:end])
    return [(_PRESENTED.sub(_without_presentation_forms, text), url) for text, url in joined_by_url(letters)]


def _without_presentation_forms(match: Match[str]) -> str:
    return unicodedata.normalize("NFKC", match.group())


def _reversed(text: str, urls: list[str]) -> list[Run]:
    """Return the letters of right-to-left text reversed, each with its URL; numbers and Latin words stay in order.

    Brackets are mirrored.
    """
    mirrored = text[::-1].translate(_MIRRORED)
    letters = list(zip(mirrored, urls[::-1]))
    for match in _LTR_RUN.finditer(mirrored):
        start, end = match.span()
        unmirrored = match.group()[::-1].translate(_MIRRORED)
        letters[start:end] = zip(unmirrored, [url for _, url in letters[start:end]][::-1])
    return letters
