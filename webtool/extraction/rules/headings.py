"""Headings of a page: their rank, the one that the page title names, where the part below a heading ends.

In: a cut page and its titles. Out: block numbers. Changes nothing. A page can have several h1: the site's name, a menu.
The headline is the h1 that the page title names: `Tides | The Paper` has the parts Tides and The Paper.
`titles` are always the title element's text and og:title, "" for one that is missing.
Tests: tests/extraction/rules/test_headlines.py
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from webtool.extraction.page.blocks import Block, Page
from webtool.html.elements import HEADINGS
from webtool.lean import patterns

MAX_HEADLINE_WORDS = 40  # a longer heading is not compared with the title word by word
MIN_BEGINNING_WORDS = 4  # a line of fewer words is not taken for the headline because a title begins with it
# Marks on or beside letters, which Python does not count as letters: vowel signs of Hindi, Tamil, Thai, Khmer.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0900-\u0963\u0966-\u0dff"
    "\u0e31-\u0e4e\u0eb1-\u0ece\u102b-\u103e\u17b4-\u17d3"
)
_WORD = patterns.compile(rf"[\w{_MARKS}]+")
_SERIES = patterns.compile(r"^\s*(?:\[[^]]{1,40}\]|\u3010[^\u3011]{1,40}\u3011)\s*")  # "[Series] Title"
_JOINTS = frozenset("-_|\u2013\u2014\u00b7")  # between headline and site name without spaces: Title_Site
# Between headline and site name in a page title: `Tides | The Paper`, `Tides - The Paper`.
SEPARATOR = patterns.compile(r"\s+[|\u2013\u2014\u00b7\u2022\u00ab\u00bb\u203a:~-]+\s+|\s*[|\u00bb\u2022]\s*|:\s+")


def rank(page: Page, container: int) -> int:
    """Return the rank (1 to 6) of the heading that a container is or is directly in, or 0 without one."""
    parent = page.parent[container]
    own = HEADINGS.get(page.element[container].tag)
    if own or parent < 0:
        return own or 0
    return HEADINGS.get(page.element[parent].tag, 0)


def first(page: Page) -> int:
    """Return the block of the first h1, or -1."""
    return next(iter(of_first_rank(page)), -1)


def of_first_rank(page: Page) -> list[int]:
    """Return the blocks of all h1 headings, in order."""
    blocks: list[int] = []
    done = 0
    for i in page.by_tag.get("h1", ()):
        inside = range(max(done, page.first[i]), page.last[i])  # each block once, however h1 elements are nested
        blocks += [block for block in inside if rank(page, page.blocks[block].container) == 1]
        done = max(done, page.last[i])
    return blocks


def titled(page: Page, titles: Sequence[str]) -> int:
    """Return the block of the first h1 that a title names, or -1."""
    parts, words = title_parts(titles)
    return next((i for i in of_first_rank(page) if is_named(page.blocks[i], titles, parts, words)), -1)


def is_named(block: Block, titles: Sequence[str], parts: Collection[str], words: Collection[str]) -> bool:
    """Return whether a title names a line: it is one of `parts`, begins a title, or has half of its words in `words`.

    `parts` and `words` are what title_parts() returns; words are not compared if `words` is empty.
    """
    own: set[str] = set()
    if words and block.words <= MAX_HEADLINE_WORDS:
        own.update(words_of(block.text))
    is_like_title = len(own) > 1 and 2 * len(own.intersection(words)) >= len(own)
    return is_like_title or letters(block.text) in parts or any(is_begun(title, block) for title in titles)


def is_begun(title: str, block: Block) -> bool:
    """Return whether a line is all of a title before a separator: "Men in a boat" of "Men in a boat_The Paper"."""
    end = len(block.text)
    begins = block.words >= MIN_BEGINNING_WORDS and title.startswith(block.text)
    return begins and (title[end : end + 1] in _JOINTS or SEPARATOR.match(title, end) is not None)


def title_parts(titles: Sequence[str]) -> tuple[set[str], set[str]]:
    """Return the parts of the titles, as letters(), and all words of the titles.

    og:title usually lacks the site's name. A piece of a title that holds og:title, but is not in og:title itself, is
    taken for that name and left out: ("Tides | The Paper", "Tides") -> {"tides", "tidesthepaper"} and all words.
    """
    last = f" {' '.join(words_of(titles[-1]))} "
    parts: set[str] = set()
    words: set[str] = set()
    site_names: set[str] = set()
    for title in titles:
        pieces = SEPARATOR.split(title)
        parts.update(letters(piece) for piece in (title, *pieces, _SERIES.sub("", title)))
        words.update(words_of(title))
        if last.strip() and letters(last) in letters(title):
            site_names.update(letters(piece) for piece in pieces if f" {' '.join(words_of(piece))} " not in last)
    return parts - site_names - {""}, words


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case: "A slow_Crossing!" -> ["a", "slow", "crossing"]."""
    return _WORD.findall(text.casefold().replace("_", " "))


def letters(text: str) -> str:
    """Return the letters and digits of a text in lower case: "A slow Crossing!" -> "aslowcrossing"."""
    return "".join(words_of(text))


def end_of_part(page: Page, i: int, fits: Callable[[int], bool]) -> int:
    """Return the block after the part of the page that block i is the heading or label of: "Read also", then a list.

    The part is the widest container that begins with block i and whose end, the block after it, satisfies `fits`. If
    that is only a heading itself, its part goes on to the next heading of the same or a higher rank in the
    container around it.
    """
    container = page.blocks[i].container
    own_rank = rank(page, container)
    heading = container if page.element[container].tag in HEADINGS else page.parent[container]
    end = i + 1
    while container >= 0 and page.first[container] == i and fits(page.last[container]):
        end = page.last[container]
        container = page.parent[container]
    if own_rank and end <= page.last[heading] and container >= 0:
        while end < page.last[container] and not 0 < rank(page, page.blocks[end].container) <= own_rank:
            end += 1
    return end
