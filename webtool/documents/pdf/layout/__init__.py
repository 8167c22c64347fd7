"""Turn spans of text with positions into blocks in reading order. In: the spans of pages. Out: Blocks, as an HTML tree.

The modules in order: tables takes the tables that are tagged or drawn. lines cuts spans into segments. running_heads
takes headers and page numbers. columns, groups and gutters find the reading order and tables without lines. paragraphs
makes blocks. page_breaks joins those that go on in the next column or on the next page. headings finds the headings
among them. bidi puts right-to-left letters in reading order. line_ends joins the lines of a paragraph.

This module makes one Segment of the spans on one line without wide gaps. A span is what one operator shows, often a
part of a word. Spaces are added between spans that are apart. Raised and lowered digits become Unicode's superscripts
and subscripts. Accents are put on their letters. Text that is shown twice to look bold is taken once.

In all modules distances are multiples of the font size unless they say points, and y grows upwards.
Tests: tests/documents/pdf/test_layout.py, tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable

from webtool.documents.pdf.layout.bidi import STRONG_RTL, Run, in_reading_order, joined_by_url
from webtool.documents.pdf.state import ANNOTATION, UNTAGGED, Rect, Span
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

MIN_WORD_GAP = 0.11  # a narrower gap is inside a word
_MIN_SPACED_GAPS = 4  # between letters; text with fewer is not letterspaced
_MIN_SPACED = 0.7  # share of single letters in letterspaced text, and of equal gaps between them
MAX_SCRIPT_SIZE = 0.85  # times the size of the text beside it; larger digits are not raised or lowered
_PITCH = 0.6  # usual width of a fixed-pitch character
_MAX_TWICE_STEP = 0.2  # a text shown again to look bold is nearer than this to where it was shown first
_MIN_RAISED, _MAX_RAISED = 0.2, 0.7  # heights of a superscript's baseline above the line
_MIN_LOWERED, _MAX_LOWERED = 0.08, 0.6  # depths of a subscript's baseline below it

_CLEANED = {
    # Ligatures, and radicals, which fonts show as the ideographs of the same shape.
    **{code: unicodedata.normalize("NFKD", chr(code)) for code in (*range(0xFB00, 0xFB07), *range(0x2F00, 0x2FD6))},
    **dict.fromkeys((0, 0x200B, 0x200C, 0xFEFF, 0xFFFD)),
    **dict.fromkeys((0xA0, 0x2007, 0x202F, 9, 10, 13), " "),
    1: " ",  # some programs write this control character for a space
    0xF0B7: "•",  # bullets of the font Symbol, which word processors write as private-use characters
    0xF0A7: "▪",
    0xF0D8: "➢",
    0xF0FC: "✓",
}
_PRIVATE = patterns.compile("[\ue000-\uf8ff\x01-\x1f\x7f-\x9f]")
_SPACES = patterns.compile(r"\s+")
ACCENTS = dict(zip("`´ˆ˜¨¯˘˙˚ˇ˝¸", "\u0300\u0301\u0302\u0303\u0308\u0304\u0306\u0307\u030a\u030c\u030b\u0327"))
_RAISED = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
LEADER = " … "  # replaces the dots between an entry and its page in a table of contents
_LEADER = patterns.compile(r"(?:\s?[.·_…]){4,}")


class Segment(NamedTuple):
    """Text on one baseline. Coordinates are points; y grows upwards.

    A drawn table is one segment for each row. `table` of the first has all rows, that of the others is [].
    """

    x: float
    y: float  # of the baseline
    end: float
    size: float  # the most common font size
    runs: list[Run]
    text: str
    is_bold: bool
    is_fixed_pitch: bool
    tag: int  # number of its marked content (MCID), or UNTAGGED, PAGINATION, ANNOTATION; see pdf/state.py
    table: list[list[list[Segment]]] | None = None  # rows of cells; None for text


def clean(text: str) -> str:
    """Replace ligatures and special spaces by plain characters; remove control and private-use characters."""
    if text.isascii() and text.isprintable():
        return text
    return _PRIVATE.sub("", text.translate(_CLEANED))


def joined_on_line(segments: list[Segment]) -> Segment:
    """Return the segments of one line as one, with spaces between them."""
    first = segments[0]
    runs = list(first.runs)
    for segment in segments[1:]:
        runs += [(" ", ""), *segment.runs]
    text, is_bold = " ".join([segment.text for segment in segments]), all(segment.is_bold for segment in segments)
    return first._replace(end=segments[-1].end, runs=runs, text=text, is_bold=is_bold)


def extent(segments: Iterable[Segment]) -> tuple[float, float]:
    """Return the left and right end of the text; (inf, inf) without segments, right of everything."""
    lines = list(segments)
    return min((s.x for s in lines), default=float("inf")), max((s.end for s in lines), default=float("inf"))


def make_segment(spans: list[Span], links: list[tuple[Rect, str]]) -> Segment | None:
    """Return the segment of spans from left to right; None for white space. `links` are rectangles with URLs."""
    builder = _SegmentBuilder(links, _letter_spacing(spans))
    for span in spans:
        builder.add(span)
    if not builder.total:
        return None
    size = max(builder.sizes.items(), key=lambda item: (item[1], item[0]))[0] or spans[0].size
    main = next((span for span in spans if round(span.size, 1) == size), spans[0])
    end = max(span.end for span in spans)
    x = spans[0].x
    is_fixed_pitch = builder.fixed > 0.9 * builder.total
    if is_fixed_pitch:  # spaces before the text are an indent
        text = "".join([text for text, _ in builder.runs])
        x += (len(text) - len(text.lstrip(" "))) * (end - x) / max(1, len(text))
    runs = _trimmed(builder.runs, keep_spaces=is_fixed_pitch)
    text = "".join([text for text, _ in runs])
    if STRONG_RTL.search(text):
        runs = in_reading_order(runs)
        text = "".join([text for text, _ in runs])
    tags = [span.tag for span in spans if span.tag != UNTAGGED]
    tag = next((tag for tag in tags if tag != ANNOTATION), tags[0] if tags else UNTAGGED)
    is_bold = 2 * builder.bold > builder.total
    return Segment(x, main.y, end, size, runs, text, is_bold, is_fixed_pitch, tag)


def _letter_spacing(spans: list[Span]) -> float:
    """Return the usual gap between the letters of a letterspaced text, in points; 0.0 for other text.

    Browsers show each of its letters apart: "S P A C E D". Some gaps are narrower or wider, as pairs of letters are.
    """
    letters = [len(span.text) == 1 and span.text.isalpha() for span in spans]
    if len(spans) <= _MIN_SPACED_GAPS or sum(letters) < _MIN_SPACED * len(spans):
        return 0.0
    pairs = zip(spans, spans[1:], letters, letters[1:])
    gaps = sorted(second.x - first.end for first, second, *are_letters in pairs if all(are_letters))
    if len(gaps) < _MIN_SPACED_GAPS:
        return 0.0
    spacing, size = gaps[len(gaps) // 2], spans[0].size
    alike = sum(abs(gap - spacing) < MIN_WORD_GAP * size for gap in gaps)
    return spacing if spacing > MIN_WORD_GAP * size and alike >= _MIN_SPACED * len(gaps) else 0.0


class _SegmentBuilder:
    """Joins the spans of one segment, from left to right."""

    def __init__(self, links: list[tuple[Rect, str]], letter_spacing: float) -> None:
        self._links = links
        self._letter_spacing = letter_spacing
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
        if previous is not None:
            if _is_shown_twice(previous, span):
                return
            if self._tail and not self._tail.isspace() and not text.startswith(" "):
                text = self._space_before(span, previous) + text
            # A sign after a space is not an accent: `text` has the space then.
            if self.runs and text in ACCENTS and span.x < previous.end - 0.1 * span.size:
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
        gap = span.x - previous.end - self._letter_spacing
        # The gap before a superscript is measured by the size of the word before it.
        is_script = span.size < MAX_SCRIPT_SIZE * previous.size
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
        # Two scripts have one base: in 10⁻⁶ they may have two fonts and are level, in x²₂ one is above the other.
        is_level = abs(span.y - previous.y) < 0.1 * span.size
        is_stacked = span.x - previous.x < 0.1 * span.size
        base = previous
        if self._base is not None and (is_level or is_stacked):
            base = self._base  # `previous` itself, unless it is a script
        script = _script(text, span, base)
        self._base = base if script != text else span
        return script


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
    if span.size > MAX_SCRIPT_SIZE * base.size or base.text.endswith(("/", "⁄")):
        return text
    step = (span.y - base.y) / base.size
    if _MIN_RAISED < step < _MAX_RAISED:
        scripts = _RAISED
    elif _MIN_LOWERED < -step < _MAX_LOWERED:
        scripts = _LOWERED
    else:
        return text
    return text.translate(scripts) if all(ord(letter) in scripts for letter in text.strip()) else text


def _is_shown_twice(first: Span, second: Span) -> bool:
    """Return whether a text is shown again, a little to the side or higher, to make it look bold.

    The second "l" of "will" is another letter: it is a whole letter's width further, though that is only 0.18.
    """
    width = first.end - first.x
    max_step = _MAX_TWICE_STEP * second.size
    if first.text.strip() != second.text.strip() or abs(first.y - second.y) >= max_step:
        return False
    if width > 0:
        max_step = min(max_step, 0.5 * width)
    return abs(first.x - second.x) < max_step and abs(first.end - second.end) < max_step


def _trimmed(runs: list[Run], keep_spaces: bool) -> list[Run]:
    """Join runs by URL, replace leaders, collapse white space unless `keep_spaces`, and strip both ends."""
    joined = joined_by_url(runs)
    if not keep_spaces:
        joined = [(_SPACES.sub(" ", _LEADER.sub(LEADER, text)), url) for text, url in joined]
    text, url = joined[0]
    joined[0] = (text.lstrip(), url)
    text, url = joined[-1]
    joined[-1] = (text.rstrip(), url)
    return [(text, url) for text, url in joined if text]


def _link_at(span: Span, links: list[tuple[Rect, str]]) -> str:
    """Return the URL of the link rectangle around a span's middle, or ""."""
    middle, height = (span.x + span.end) / 2, span.y + 0.3 * span.size
    for (left, bottom, right, top), url in links:
        if left <= middle <= right and bottom <= height <= top:
            return url
    return ""
