"""Remove running heads and page numbers. In: the segments of all pages. Out: pages without them, each head once.

A running head is a line at the same height on many pages that differs at most in numbers, or one that the file marks as
pagination. A number in it that grows with the pages counts them and is ignored; any other number is part of the head:
"Invoice 4711, page 2" is "Invoice 4711," on every page, and "Invoice 4712, page 1" is another head. Each head is kept
once, unless the text has the same words, such as a chapter's title. A line that differs on most pages is not a head but
the row of a table that is at this height by chance.
Tests: tests/documents/pdf/test_running_heads.py
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from webtool.documents.pdf.layout import Segment
from webtool.documents.pdf.state import PAGINATION
from webtool.documents.tree import PAGE_WORD
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

Key = tuple[str, int]  # text in lower case with "#" for each number, height in units of 4 points
Place = tuple[int, Segment]  # index of the page, line

_MAX_HEAD_LINES = 2  # at the top and the bottom of a page
_MIN_TITLE_SIZE = 1.25  # relative to the usual size: on the first page larger type is the title and stays
_MIN_BLANK_LINE = 1.9  # font sizes from a head to the text, if there are only two pages
_FIRST_YEAR, _LAST_YEAR = 1900, 2099  # numbers beside words that are years; page numbers of a volume are rarely so high
_WORDS = patterns.compile(r"[^\W\d_]+")
_DIGITS = patterns.compile(r"\d+|\b[ivxlc]{1,7}\b")
_NO_LETTERS = patterns.compile(r"[\W_]+")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


class TakenOut(NamedTuple):
    """Pages and their running heads. Heads of the first page stay in its text."""

    pages: list[list[Segment]]
    heads: list[list[Segment]]  # by page: heads that are new there
    feet: list[Segment]  # new heads in the lower half of a page
    left_out: int  # words of all other running heads


def take_out(all_pages: list[list[Segment]]) -> TakenOut:
    """Return the pages without running heads, and the heads."""
    candidates = [_edge_lines(page) for page in all_pages]
    if len(all_pages) == 2:
        candidates = [_isolated(lines, page) for lines, page in zip(candidates, all_pages)]
    places: dict[Key, list[Place]] = {}
    for number, lines in enumerate(candidates):
        for line in lines:
            key = _DIGITS.sub("#", line.text.lower()), round(line.y / 4)
            places.setdefault(key, []).append((number, line))
    contents: dict[int, str] = {}  # by id of a running head: its text without page numbers
    for key in _heads(places, len(all_pages)):
        contents.update(_contents(places[key], len(all_pages)))
    return _with_each_head_once(all_pages, contents)


def _isolated(lines: list[Segment], page: list[Segment]) -> list[Segment]:
    """Return the lines with more than a blank line around them: on two pages only these can be running heads."""
    heights = sorted(line.y for line in page)
    isolated = []
    for line in lines:
        blank = _MIN_BLANK_LINE * line.size
        # Lines less than a point higher or lower are on one baseline with it.
        has_line_above = bisect_left(heights, line.y + 1) < bisect_right(heights, line.y + blank)
        has_line_below = bisect_left(heights, line.y - blank) < bisect_right(heights, line.y - 1)
        if line.tag == PAGINATION or not (has_line_above or has_line_below):
            isolated.append(line)
    return isolated


def _with_each_head_once(all_pages: list[list[Segment]], contents: dict[int, str]) -> TakenOut:
    """Divide pages into text and running heads; `contents` are those of running heads by id."""
    result = TakenOut([], [], [], 0)
    left_out = 0  # words
    known: set[str] = set()  # of the text, and of heads so far
    if contents:
        known.update(_plain(line.text) for page in all_pages for line in page if id(line) not in contents)
    has_only_heads = [all(id(line) in contents for line in page) for page in all_pages]
    are_mostly_heads = 2 * sum(has_only_heads) > len(all_pages)  # then even page numbers are the text
    for number, page in enumerate(all_pages):
        usual = sorted(line.size for line in page)[len(page) // 2] if page else 0.0
        middle = (min(line.y for line in page) + max(line.y for line in page)) / 2 if page else 0.0
        text: list[Segment] = []
        heads: list[Segment] = []
        for line in page:
            content = contents.get(id(line))
            if content is None or (not number and line.size > _MIN_TITLE_SIZE * usual):
                text.append(line)
                continue
            plain = _plain(line.text)
            if content and content not in known and plain not in known:
                known.update((content, plain))
                if line.y < middle:
                    result.feet.append(line)
                else:
                    (heads if number else text).append(line)
                continue
            # A page without text keeps its heads; page numbers, which have no content, only if most pages are so.
            is_all_there_is = has_only_heads[number] and (are_mostly_heads or content)
            if is_all_there_is and plain not in known:
                known.add(plain)
                text.append(line)
            else:
                left_out += len(line.text.split())
        result.pages.append(text)
        result.heads.append(heads)
    return result._replace(left_out=left_out)


def _heads(places: dict[Key, list[Place]], total: int) -> list[Key]:
    """Return the keys that are running heads: on enough of the `total` pages, or marked as pagination.

    A head with the chapter's title is on few pages, so two are enough at a height where most pages repeat a line.
    """
    counts = {key: len({number for number, _ in lines}) for key, lines in places.items()}
    pages_by_height: dict[int, set[int]] = {}
    for key, lines in places.items():
        if counts[key] > 1:
            pages_by_height.setdefault(key[1], set()).update(number for number, _ in lines)
    usual_heights = {height for height, numbers in pages_by_height.items() if len(numbers) >= max(3, 0.5 * total)}
    keys = []
    for key, lines in places.items():
        min_pages = 2 if total == 2 or key[1] in usual_heights else max(3, 0.3 * total)
        is_row = len(lines) >= 2 * counts[key]  # twice at one height of a page: cells of a table
        if any(line.tag == PAGINATION for _, line in lines) or (not is_row and counts[key] >= min_pages):
            keys.append(key)
    return keys


def _contents(places: list[Place], total: int) -> dict[int, str]:
    """Return each line's text without page numbers, by its id; {} if most lines differ: then they are text.

    "Invoice 4711, page 1" and "Invoice 4711, page 2" are both "invoice4711page". `total` is the number of pages.
    """
    numbers = [[_value(text) for text in _DIGITS.findall(line.text.lower())] for _, line in places]
    pages = [number for number, _ in places]
    # Which numbers of a line count the pages: {1} in the example, as 4711 is number 0.
    counters: set[int] = set()
    words = _WORDS.findall(_DIGITS.sub(" ", places[0][1].text.lower()))
    has_other_words = not all(map(PAGE_WORD.fullmatch, words))
    for index in range(min(map(len, numbers))):
        values = [values_of_line[index] for values_of_line in numbers]
        # "Budget 2024", "Budget 2025" are the heads of two budgets.
        are_years = has_other_words and min(values) >= _FIRST_YEAR and max(values) <= _LAST_YEAR
        if not are_years and _counts_pages(values, pages):
            counters.add(index)
    contents: dict[int, str] = {}
    for (_, line), values in zip(places, numbers):
        text = line.text.lower()
        kept = ["" if index in counters else digits for index, digits in enumerate(_DIGITS.findall(text))]
        rest = "".join(part for pair in zip(_DIGITS.split(text), [*kept, ""]) for part in pair)
        is_page_number = counters and max(values) <= total and all(map(PAGE_WORD.fullmatch, _WORDS.findall(rest)))
        contents[id(line)] = "" if is_page_number else _plain(rest)
    most_differ = 2 * len(set(contents.values())) > len(contents) + 1
    return {} if most_differ else contents


def _counts_pages(values: list[int], pages: list[int]) -> bool:
    """Return whether numbers mostly grow as the pages do; on a single page, whether the first is the page's number."""
    if len(set(pages)) == 1:
        return values[0] == pages[0] + 1
    steps = [(b - a, q - p) for a, b, p, q in zip(values, values[1:], pages, pages[1:]) if p != q]
    return 2 * sum(value_step == page_step for value_step, page_step in steps) >= len(steps)


def _value(text: str) -> int:
    """Return the value of decimal digits or a Roman numeral."""
    if text.isdecimal():
        return int(text[:15])
    values = [_ROMAN.get(letter, 0) for letter in text]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0]))


def _plain(text: str) -> str:
    """Return letters and digits in lower case, to compare texts."""
    return _NO_LETTERS.sub("", text.lower())


def _edge_lines(page: list[Segment]) -> list[Segment]:
    """Return the first and last lines of a page, without tables."""
    lines = [segment for segment in page if segment.table is None]
    heights = sorted({round(segment.y) for segment in lines})
    edges = {*heights[:_MAX_HEAD_LINES], *heights[-_MAX_HEAD_LINES:]}
    return [line for line in lines if line.tag == PAGINATION or round(line.y) in edges]
