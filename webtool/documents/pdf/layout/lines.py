"""Spans of one page to line segments: text on one baseline without a wide gap in it.

In: spans, rectangles of links. Out: Segments; columns.py puts them in reading order. All of it is linear after a sort.
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

CLOSE = 0.8  # of the font size, from one baseline to the next: less is within a formula
WORD_GAP = 0.11  # of the font size, as in a string shown in one go
SEGMENT_GAP = 1.0  # of the font size: wider gaps may be gutters
_EDGE_GAP = 0.4  # of the font size: enough where a column's left edge is known from other lines
_CELL_GAP = 0.7  # from a cell that fills its column to the next
_EDGE_LINES = 3
_FIXED_PITCH_GAP = 15.0
_PITCH = 0.6  # usual width of a fixed-pitch character
_OVERLAP = 0.5  # of the lower height: less than this is another line
_LOW_OVERLAP = 0.35  # of a lowered number
_MAX_BEFORE = 300  # spans that it may stand behind
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")

# Ligatures, and the radicals that fonts show as the same ideographs.
_SHAPES = (*range(0xFB00, 0xFB07), *range(0x2F00, 0x2FD6))
_LIGATURES = {code: unicodedata.normalize("NFKD", chr(code)) for code in _SHAPES}
_CLEANED = {
    **_LIGATURES,
    **dict.fromkeys((0, 0x200B, 0x200C, 0xFEFF, 0xFFFD)),
    **dict.fromkeys((0xA0, 0x2007, 0x202F, 9, 10, 13), " "),
    1: " ",  # fonts that have the space at all control characters, written by programs that take the first
    0xF0B7: "•",  # Symbol's bullet, as word processors leave it in the private use area
    0xF0A7: "▪",
    0xF0D8: "➢",
    0xF0FC: "✓",
}
WORD = patterns.compile(r"[^\W\d_]{4}")  # what formulas have none of
_PRIVATE = patterns.compile("[\ue000-\uf8ff\x01-\x1f\x7f-\x9f]")
_RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_PRESENTED = patterns.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+[\u0591-\u05c7\u064b-\u0652]*")  # letters by their shapes
STRONG_RTL = patterns.compile(f"[{_RTL}]")
_LTR_RUN = patterns.compile(
    "[\u0660-\u0669\u06f0-\u06f9]+(?:[.,:/\u066b\u066c][\u0660-\u0669\u06f0-\u06f9]+)*|"  # numbers of Arabic, too
    r"[A-Za-z0-9²³¹\u2070-\u209c\u00c0-\u024f](?:[^\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]*[A-Za-z0-9%²³¹\u2070-\u209c\u00c0-\u024f])?"
)
_SPACES = patterns.compile(r"\s+")
_RTL_RUN = patterns.compile(f"[{_RTL}](?:[^A-Za-z\u00c0-\u024f]*[{_RTL}])?")
ACCENTS = dict(zip("`´ˆ˜¨¯˘˙˚ˇ˝¸", "\u0300\u0301\u0302\u0303\u0308\u0304\u0306\u0307\u030a\u030c\u030b\u0327"))
_LINE_LETTERS = 10  # scripts have fewer
_SCRIPT_SIZE = 0.85  # of the letters on the line
_RAISED = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_LABEL = patterns.compile(r"(?:[•◦▪▫‣●○■□➢➤✓✔❖◆⁃∙]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|(?:\d{1,2}\.){2,4})\Z")
_DASH = patterns.compile(r"[+–—*-]\Z")  # opens an item where it is the first of a line; elsewhere it may be a cell
_LABEL_GAP = 4.0  # of the font size
_STOPS = ".,:;!?،؛؟"
# Scripts that part no words with spaces. Hangul does.
CJK = patterns.compile("[\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\uff00-\uff9f\uffe0-\uffef]")
LEADER = " … "  # what rows of dots become
_LEADER = patterns.compile(r"(?:\s?[.·_…]){4,}")
_CHAPTER = patterns.compile(r"(?:[^\W\d_]{1,12} )?(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)*|[IVXLC]+)[.)]?\Z")  # before a title


class Segment(NamedTuple):
    """Text on one baseline. `y` is the baseline, upwards; `size` the most common font size.

    `tag` is the MCID, PAGINATION or -1.

    Where `table` is not None, this stands for a row of a table: the first row has all the cells, the others none.
    """

    x: float
    y: float
    end: float
    size: float
    runs: list[Run]
    text: str
    is_bold: bool
    is_fixed_pitch: bool
    tag: int
    table: list[list[list[Segment]]] | None = None


def clean(text: str) -> str:
    """Text for a reader: ligatures taken apart, spaces made plain, control and private characters dropped."""
    if text.isascii() and text.isprintable():
        return text
    return _PRIVATE.sub("", text.translate(_CLEANED))


def segments(spans: Iterable[Span], links: list[tuple[Rect, str]]) -> list[Segment]:
    """Segments of spans that all run in one direction, top to bottom and left to right."""
    result: list[Segment] = []
    rows = [line for row in _rows(spans) for line in _beside_taller(row)]
    for row in rows:
        row.sort(key=lambda span: span.x)
    edges = _edges(rows)
    for row in rows:
        start = 0
        for at in range(1, len(row) + 1):
            if at == len(row) or _is_apart(row, start, at, edges):
                segment = _segment(row[start:at], links)
                if segment and start and result and _is_title_of(result[-1], segment):
                    result[-1] = beside(result[-1], segment)
                elif segment:
                    result.append(segment)
                start = at
    return result


def beside(left: Segment, right: Segment) -> Segment:
    """Two segments of one line as one."""
    runs, text = [*left.runs, (" ", ""), *right.runs], f"{left.text} {right.text}"
    return left._replace(end=right.end, runs=runs, text=text, is_bold=left.is_bold and right.is_bold)


def extent(segments: Iterable[Segment]) -> tuple[float, float]:
    """From where to where text reaches; none is infinitely far away."""
    found = list(segments)
    return min((s.x for s in found), default=float("inf")), max((s.end for s in found), default=float("inf"))


def _is_title_of(number: Segment, entry: Segment) -> bool:
    """Whether a table of contents parts a chapter's number, the first, from its title."""
    is_near = entry.x - number.end < _LABEL_GAP * entry.size
    return is_near and is_entry(entry.text) and bool(_CHAPTER.match(number.text))


def is_entry(text: str) -> bool:
    """Whether a line is one of a table of contents or an index, with dots that lead to numbers of pages."""
    title, leader, pages = text.rpartition(LEADER)
    is_page = len(pages) < 8 and pages.isalnum()
    return bool(leader and title) and (is_page or (pages[-1:].isdigit() and not pages.strip("0123456789–, ")))


def _edges(rows: list[list[Span]]) -> set[int]:
    """Left edges of columns: where lines begin, some of them after a gap that parts them from what is at their left."""
    starts: Counter[int] = Counter(round(row[0].x) for row in rows)
    inside: set[int] = set()
    for row in rows:
        for before, span in zip(row, row[1:]):
            gap = (span.x - before.end) / max(span.size, before.size, 1e-3)
            if gap > (_CELL_GAP if before.text.rstrip()[-1:].isalnum() else SEGMENT_GAP):  # no dots that lead there
                starts[round(span.x)] += 1
            if gap > SEGMENT_GAP:
                inside.add(round(span.x))
    edges = {x for x in inside if starts[x - 1] + starts[x] + starts[x + 1] >= _EDGE_LINES}
    return {near for x in edges for near in (x - 1, x, x + 1)}


def _is_apart(row: list[Span], start: int, at: int, edges: set[int]) -> bool:
    """Whether a new segment begins; in text of a fixed pitch wide gaps are part of it."""
    span, before = row[at], row[at - 1]
    if abs(span.y - before.y) > 0.5 * max(span.size, before.size) and span.x < before.end - span.size:
        return True  # lines below each other, both beside a taller one
    reach = max(part.end for part in row[max(start, at - 4) : at])  # of what stands before; the last few are enough
    gap = (span.x - reach) / max(span.size, before.size, 1e-3)
    # An item's text may stand far from its bullet, a heading's from its number; a cell's neighbours are as far.
    is_first = at - start < 4 and (not start or 2 * (span.x - before.end) < row[start].x - row[start - 1].end)
    if is_first and gap <= _LABEL_GAP:
        label = "".join([clean(part.text) for part in row[start:at]]).strip()
        if _LABEL.match(label) or (not start and _DASH.match(label)):
            return False
    if span.font.is_fixed_pitch and before.font.is_fixed_pitch:
        return gap > _FIXED_PITCH_GAP
    return gap > SEGMENT_GAP or (gap > _EDGE_GAP and round(span.x) in edges)


def _rows(spans: Iterable[Span]) -> list[list[Span]]:
    """Spans whose heights overlap, from the top; the tallest span of a row stands for it."""
    rows: list[list[Span]] = []
    low = high = 0.0
    for span in sorted(spans, key=lambda span: (-span.y, span.x)):
        bottom, top = span.y - 0.2 * span.size, span.y + 0.8 * span.size
        overlap = (min(top, high) - max(bottom, low)) / max(min(top - bottom, high - low), 1e-3)
        if rows and (overlap > _OVERLAP or (overlap > _LOW_OVERLAP and _is_lowered(span, rows[-1]))):
            rows[-1].append(span)
            if top - bottom > high - low:
                low, high = bottom, top
        else:
            rows.append([span])
            low, high = bottom, top
    return rows


def _is_lowered(span: Span, row: list[Span]) -> bool:
    """Whether a small span stands just behind a larger one of the row, however low."""
    return any(
        abs(span.x - before.end) < WORD_GAP * before.size and span.size < _SCRIPT_SIZE * before.size
        for before in row[-_MAX_BEFORE:]
    )


def _beside_taller(row: list[Span]) -> list[list[Span]]:
    """A row, or the lines below each other of which it is made, all of them beside a taller one."""
    tall = _SCRIPT_SIZE * max(span.size for span in row)
    small = sorted((span for span in row if span.size < tall), key=lambda span: -span.y)
    lines: list[list[Span]] = []
    for span in small:
        if not lines or lines[-1][0].y - span.y > 0.5 * span.size:
            lines.append([])
        lines[-1].append(span)
    lines = [line for line in lines if sum(len(span.text) for span in line) >= _LINE_LETTERS]
    if len(lines) < 2:
        return [row]
    made: list[list[Span]] = [[span for span in row if span.size >= tall], *([] for _ in lines)]
    for span in small:  # raised and lowered ones to the line that they are next to
        made[1 + min(range(len(lines)), key=lambda at: abs(lines[at][0].y - span.y))].append(span)
    return made


def _segment(spans: list[Span], links: list[tuple[Rect, str]]) -> Segment | None:
    runs: list[Run] = []
    previous = base = None
    weights: Counter[float] = Counter()
    bold = fixed = total = 0
    tail = ""
    for span in spans:
        text = clean(span.text)
        if previous is not None and _is_shown_twice(previous, span):
            continue
        if previous is not None and tail and not tail.isspace() and not text.startswith(" "):
            gap = span.x - previous.end
            is_script = span.size < _SCRIPT_SIZE * previous.size  # stands off from its word by parts of the word's size
            if gap > WORD_GAP * max(previous.size if is_script else min(span.size, previous.size), 1e-3):
                is_fixed_pitch = span.font.is_fixed_pitch and previous.font.is_fixed_pitch
                text = " " * (max(1, round(gap / (_PITCH * span.size))) if is_fixed_pitch else 1) + text
        if previous is not None and runs and text in ACCENTS and span.x < previous.end - 0.1 * span.size:
            letters, url = runs[-1]  # of a capital the accent stands higher than the line, so it is shown by itself
            share = (span.x + span.end - 2 * previous.x) / 2 / max(previous.end - previous.x, 1e-3)
            at = max(0, min(len(letters) - 1, int(share * len(letters))))
            runs[-1] = (accented(letters, (at, at + 1, max(0, at - 1)), text), url)
            continue
        if not text:
            previous = span
            continue
        if previous is not None and runs and span.x - previous.end < WORD_GAP * previous.size:
            goes_on = base is not previous and abs(span.y - previous.y) < 0.1 * span.size
            base = base if goes_on and base is not None else previous  # a sign in another font than its number
            script = _script(text, span, base)
            base, text = base if script != text else span, script
        else:
            base = span
        tail = text[-1]
        runs.append((text, _link_at(span, links) if links else ""))
        count = len(text.strip())
        weights[round(span.size, 1)] += count
        bold += count * span.font.is_bold
        fixed += count * span.font.is_fixed_pitch
        total += count
        previous = span
    if not total:
        return None
    size = max(weights.items(), key=lambda item: (item[1], item[0]))[0] or spans[0].size
    main = next((span for span in spans if round(span.size, 1) == size), spans[0])
    end = max(span.end for span in spans)
    x = spans[0].x
    is_fixed = fixed > 0.9 * total
    if is_fixed:
        text = "".join([text for text, _ in runs])
        x += (len(text) - len(text.lstrip(" "))) * (end - x) / max(1, len(text))
    runs = _trimmed(runs, keep_spaces=is_fixed)
    text = "".join([text for text, _ in runs])
    if STRONG_RTL.search(text):
        text = logical_order(text)
        runs = [(text, runs[0][1])]
    tag = next((span.tag for span in spans if span.tag != -1), -1)
    return Segment(x, main.y, end, size, runs, text, bold * 2 > total, is_fixed, tag)


def accented(text: str, places: tuple[int, ...], accent: str) -> str:
    """Text with one of ACCENTS, as old fonts set it over a letter, on the first of these places that can bear it.

    Where none can, it stands before the first.
    """
    for at in places:
        letter = {"ı": "i", "ȷ": "j"}.get(text[at : at + 1], text[at : at + 1])
        made = unicodedata.normalize("NFC", letter + ACCENTS[accent])
        if len(made) == 1 and letter:
            return text[:at] + made + text[at + 1 :]
    return text[: places[0]] + accent + text[places[0] :]


def _script(text: str, span: Span, before: Span) -> str:
    """Digits and signs above or below the line as Unicode's own, where it has all: 10 and a raised 6 are not 106."""
    if span.size > _SCRIPT_SIZE * before.size or before.text.endswith(("/", "⁄")):  # a fraction's denominator
        return text
    step = (span.y - before.y) / before.size
    scripts = _RAISED if 0.2 < step < 0.7 else _LOWERED if -0.6 < step < -0.08 else {}
    return text.translate(scripts) if all(ord(letter) in scripts for letter in text.strip()) else text


def _is_shown_twice(first: Span, second: Span) -> bool:
    """Some producers show a text again, a little to the side, to make it bold."""
    near = 0.2 * second.size
    return (
        first.text.strip() == second.text.strip()
        and abs(first.x - second.x) < near
        and abs(first.end - second.end) < near
    )


def by_target(runs: Iterable[Run]) -> list[Run]:
    """Runs, those that follow one another and link to the same joined."""
    return [("".join([text for text, _ in group]), url) for url, group in groupby(runs, key=itemgetter(1))]


def _trimmed(runs: list[Run], keep_spaces: bool) -> list[Run]:
    """Runs with the same target joined, leaders shortened, white space collapsed and cut off at both ends."""
    joined = by_target(runs)
    if not keep_spaces:
        joined = [(_SPACES.sub(" ", _LEADER.sub(LEADER, text)), url) for text, url in joined]
    joined[0] = (joined[0][0].lstrip(), joined[0][1])
    joined[-1] = (joined[-1][0].rstrip(), joined[-1][1])
    return [run for run in joined if run[0]]


def _link_at(span: Span, links: list[tuple[Rect, str]]) -> str:
    middle, height = (span.x + span.end) / 2, span.y + 0.3 * span.size
    for (left, bottom, right, top), url in links:
        if left <= middle <= right and bottom <= height <= top:
            return url
    return ""


def logical_order(text: str) -> str:
    """Text with right-to-left letters from the order of its glyphs, left to right, to the order of reading.

    Where the line runs from right to left, numbers and foreign words are turned back; else only the right-to-left runs
    are turned (UAX 9, simplified: one level of embedding).
    """
    if text[-1] in _STOPS or text[0] in _STOPS:  # at which end the punctuation stands, else what most letters are
        is_turned = text[0] in _STOPS and text[-1] not in _STOPS
    else:
        is_turned = 2 * len(STRONG_RTL.findall(text)) >= sum(letter.isalpha() for letter in text)
    if is_turned:
        return _PRESENTED.sub(_in_letters, _turned(text))
    return _PRESENTED.sub(_in_letters, _RTL_RUN.sub(lambda match: _turned(match.group()), text))


def _in_letters(match: Match[str]) -> str:
    return unicodedata.normalize("NFKC", match.group())


def _turned(text: str) -> str:
    turned = text[::-1].translate(_MIRRORED)
    return _LTR_RUN.sub(lambda match: match.group()[::-1].translate(_MIRRORED), turned)
