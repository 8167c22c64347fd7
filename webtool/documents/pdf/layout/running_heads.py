"""Running heads and page numbers. In: the segments of all pages. Out: pages without them, each head kept once.

A line that stands at the same height on many pages and differs at most in numbers is a running head, and so is what
the file itself marks as one. Of its numbers,
one that grows as the pages do counts them and says nothing; any other is part of what the line says: "Invoice 4711,
page 2" is "Invoice 4711," on every page and kept once, "Invoice 4712, page 1" is another head. A head whose words stand
in the text as well, such as a chapter's title, is not kept. A line that says something else on most pages is not a head
but data that happens to stand there: rows of a table.
"""

from __future__ import annotations

from webtool.documents.notes import PAGE_WORD
from webtool.documents.pdf.layout.lines import Segment
from webtool.documents.pdf.state import PAGINATION
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

Key = tuple[str, int]
Place = tuple[int, Segment]  # index of the page, line

_HEAD_ROWS = 2  # this many lines at the top and the bottom of a page may be running heads
_TITLE_SIZE = 1.25  # of the usual size
_APART = 1.9  # of the font size, from one baseline to the next
_WORDS = patterns.compile(r"[^\W\d_]+")
_DIGITS = patterns.compile(r"\d+|\b[ivxlc]{1,7}\b")
_UNSAID = patterns.compile(r"[\W_]+")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


class Parted(NamedTuple):
    """Pages without running heads. `heads` are those that are new on a page, `feet` those from the pages' lower halves.

    Heads of the first page stay in it. `left_out` counts the words of all lines that are in none of these.
    """

    pages: list[list[Segment]]
    heads: list[list[Segment]]
    feet: list[Segment]
    left_out: int


def parted(all_pages: list[list[Segment]]) -> Parted:
    """Pages and running heads. Large type on the first page stays: it is the title, which later pages repeat."""
    candidates = [_edge_lines(page) for page in all_pages]
    if len(all_pages) == 2:  # what two pages repeat is a head only where it stands apart
        candidates = [
            [  # more than a blank line between it and all others above or below it
                line
                for line in lines
                if line.tag == PAGINATION
                or all(abs(other.y - line.y) < 1 or abs(other.y - line.y) > _APART * line.size for other in page)
            ]
            for page, lines in zip(all_pages, candidates)
        ]
    places: dict[Key, list[Place]] = {}
    for number, lines in enumerate(candidates):
        for line in lines:
            key = _DIGITS.sub("#", line.text.lower()), round(line.y / 4)
            places.setdefault(key, []).append((number, line))
    said: dict[int, str] = {}  # by a line's id, what it says besides counting pages
    for key in _heads(places, len(all_pages)):
        said.update(_what_is_said(places[key], len(all_pages)))
    return _kept_once(all_pages, said)


def _kept_once(all_pages: list[list[Segment]], said: dict[int, str]) -> Parted:
    result = Parted([], [], [], 0)
    left_out = 0
    known = {_plain(line.text) for page in all_pages for line in page if id(line) not in said} if said else set()
    only_heads = [all(id(line) in said for line in page) for page in all_pages]
    says_no_more = 2 * sum(only_heads) > len(all_pages)  # numbers of pages are all that most of them say
    for number, page in enumerate(all_pages):
        usual = sorted(line.size for line in page)[len(page) // 2] if page else 0.0
        middle = (min(line.y for line in page) + max(line.y for line in page)) / 2 if page else 0.0
        text: list[Segment] = []
        heads: list[Segment] = []
        for line in page:
            if id(line) not in said or (not number and line.size > _TITLE_SIZE * usual):
                text.append(line)
            elif said[id(line)] and said[id(line)] not in known and _plain(line.text) not in known:
                known.update((said[id(line)], _plain(line.text)))
                (result.feet if line.y < middle else heads if number else text).append(line)
            # A page that has nothing else says what it says with all its numbers.
            elif only_heads[number] and (says_no_more or said[id(line)]) and _plain(line.text) not in known:
                known.add(_plain(line.text))
                text.append(line)
            else:
                left_out += len(line.text.split())
        result.pages.append(text)
        result.heads.append(heads)
    return result._replace(left_out=left_out)


def _heads(places: dict[Key, list[Place]], pages: int) -> list[Key]:
    """Keys of the running heads. One that names the chapter is on few pages, but where most pages repeat a line."""
    counts = {key: len({number for number, _ in found}) for key, found in places.items()}
    pages_by_height: dict[int, set[int]] = {}
    for key, found in places.items():
        if counts[key] > 1:
            pages_by_height.setdefault(key[1], set()).update(number for number, _ in found)
    usual = {height for height, numbers in pages_by_height.items() if len(numbers) >= max(3, 0.5 * pages)}
    least = 2 if pages == 2 else max(3, 0.3 * pages)
    marked = {key for key, found in places.items() if any(line.tag == PAGINATION for _, line in found)}
    return [
        key
        for key, count in counts.items()
        # What stands at one height twice on each page is a row of cells.
        if key in marked or (len(places[key]) < 2 * count >= 2 * (2 if key[1] in usual else least))
    ]


def _what_is_said(places: list[Place], total: int) -> dict[int, str]:
    """By the id of each line of one key, its words and numbers but for those that count pages; "" for page numbers.

    Empty where most lines say something else, so that none of them is a head.
    """
    numbers = [[_value(text) for text in _DIGITS.findall(line.text.lower())] for _, line in places]
    pages = [number for number, _ in places]
    size = min(map(len, numbers))
    counters = {at for at in range(size) if _counts([found[at] for found in numbers], pages)}
    said: dict[int, str] = {}
    for (_, line), values in zip(places, numbers):
        text = line.text.lower()
        kept = ["" if at in counters else found for at, found in enumerate(_DIGITS.findall(text))]
        rest = "".join(part for pair in zip(_DIGITS.split(text), [*kept, ""]) for part in pair)
        is_number = counters and max(values) <= total and all(map(PAGE_WORD.fullmatch, _WORDS.findall(rest)))
        said[id(line)] = "" if is_number else _plain(rest)
    return said if 2 * len(set(said.values())) <= len(said) + 1 else {}


def _counts(values: list[int], pages: list[int]) -> bool:
    """Whether numbers grow as the pages do, from most lines to the next; one number alone, whether it is its page's."""
    if len(set(pages)) == 1:
        return values[0] == pages[0] + 1
    steps = [(b - a, q - p) for a, b, p, q in zip(values, values[1:], pages, pages[1:]) if p != q]
    return 2 * sum(value == page for value, page in steps) >= len(steps)


def _value(text: str) -> int:
    """The number that decimal digits or Roman numerals stand for."""
    if text.isdecimal():
        return int(text[:15])
    values = [_ROMAN.get(letter, 0) for letter in text]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0]))


def _plain(text: str) -> str:
    return _UNSAID.sub("", text.lower())


def _edge_lines(page: list[Segment]) -> list[Segment]:
    """The first and last lines of a page; tables are no running heads, whatever stands at their height elsewhere."""
    lines = [segment for segment in page if segment.table is None]
    heights = sorted({round(segment.y) for segment in lines})
    edges = {*heights[:_HEAD_ROWS], *heights[-_HEAD_ROWS:]}
    return [line for line in lines if line.tag == PAGINATION or round(line.y) in edges]
