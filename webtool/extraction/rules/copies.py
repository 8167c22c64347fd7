"""Texts that a page holds twice. In: a cut page, which blocks are kept. Out: the choice without the copies.

Texts repeat for good reasons: a chorus, the third step of a recipe, a command, what an endpoint requires, a quoted
sentence. These stay: they stand in places of the same kind, rows of one table or posts of one thread, or in elements
without any class, which an author wrote. A text that is kept again soon after, in another kind of place, is one thing
shown twice: a card's label and its heading, a description and the tab that unfolds it; so is a long quote of a post on
the same page. On pages about code, where an overview comes before the details, only regions are looked at.

A copy of a region is a container whose blocks have word for word the texts of an earlier one, and which is long,
or whose class or id attributes (or those of what is around one of the two and not the other) speak of devices, print
or the clones of carousels. Measured on the corpus: of 39,700 repeated words in such copies 1 in 50 is wanted, of the
other 19,000 one in two.
"""

from __future__ import annotations

from collections.abc import Sequence

from webtool.extraction.page.blocks import Block, Page
from webtool.extraction.rules import manuals
from webtool.lean import patterns

LONG_WORDS = 150
"""A copied region of this many words in several blocks is a copy by its length alone."""
NAMED_WORDS = 15
"""What a region has at least whose names tell that it is a copy."""
_DEVICES = patterns.Worded(
    "mobile|desktop|phone|tablet|print|clone|duplicate|d-none|hid|vis|show|block|flex|grid|none",
    r"(?i)mobile|desktop|phone|tablet|(?:^|[\s_-])print(?:$|[\s_-])|clone|duplicate|d-none|"
    r"(?:hidden|visible|show|hide)[_-](?:for-|on-)?(?:xs|sm|md|lg|xl|small|medium|large)|"
    r"\b(?:d-)?(?:xs|sm|md|lg|xl)[:-](?:hidden|block|flex|grid|none)",
)
MAX_STEPS = 40  # containers around a region whose names are looked at
LEAST_WORDS = 3
"""Shorter texts repeat by chance."""
NEAR = 40
"""Blocks within which a text in another kind of place is the same thing shown twice."""
LONG_QUOTE = 40
"""Words of a quote that repeats what the page has; shorter ones tell a reader what is answered."""
_DIGIT = patterns.compile("[0-9]")
_QUOTE = patterns.compile("(?i)quote")
_PRIME = (1 << 61) - 1
_BASE = 1_000_003


def dropped(page: Page, keep: Sequence[bool]) -> list[bool]:
    """The choice without copies of regions, and without texts that are shown twice."""
    found = list(keep)
    kept: dict[str, int] = {}  # how often each text is
    for block, is_kept in zip(page.blocks, found if regions(page) else ()):
        kept[block.text] = kept.get(block.text, 0) + is_kept
    for first, last, other in regions(page):
        if _is_the_only_one([block for i, block in enumerate(page.blocks[first:last], first) if found[i]], kept):
            first, last = other, other + last - first  # the one that stands later is the one to read
        for i in range(first, last):
            kept[page.blocks[i].text] -= found[i]
            found[i] = False
    seen: dict[str, int] = {}
    again = []
    for i, block in enumerate(page.blocks):
        if found[i] and block.words >= LEAST_WORDS:
            first = seen.setdefault(block.text, i)
            if first < i and _is_shown_twice(page, first, i):
                again.append(i)
    if again and not manuals.is_manual(page):
        for i in again:
            found[i] = False
    return found


def _is_shown_twice(page: Page, first: int, i: int) -> bool:
    quote = _quote(page, page.blocks[i].container)
    if quote is not None:
        return sum(block.words for block in page.blocks[page.first[quote] : page.last[quote]]) >= LONG_QUOTE
    if i - first >= NEAR:
        return False
    one, two = _place(page, first), _place(page, i)
    return one != two and any(names for _, names in (*one, *two))


def _quote(page: Page, container: int) -> int | None:
    """The outermost quote among the containers around a block."""
    found = None
    for _ in range(6):
        if container < 0:
            break
        element = page.element[container]
        if element.tag == "blockquote" or _QUOTE.search(element.attrs.get("class", "")[:400]):
            found = container
        container = page.parent[container]
    return found


def _place(page: Page, i: int) -> list[tuple[str, list[str]]]:
    """Tags and classes of the three innermost containers; classes with digits number their elements."""
    at = page.blocks[i].container
    found: list[tuple[str, list[str]]] = []
    while at >= 0 and len(found) < 3:
        element = page.element[at]
        names = element.attrs.get("class", "")[:400].split()
        found.append((element.tag, [name for name in names if not _DIGIT.search(name)]))
        at = page.parent[at]
    return found


def _is_the_only_one(inside: list[Block], kept: dict[str, int]) -> bool:
    """Whether most of what is kept of a copy is not kept anywhere else."""
    own: dict[str, int] = {}
    for block in inside:
        own[block.text] = own.get(block.text, 0) + 1
    alone = sum([block.words for block in inside if kept[block.text] == own[block.text]])
    return 2 * alone > sum([block.words for block in inside])


def find(page: Page) -> list[bool]:
    """For each block whether it is in the copy of a region that stands before it."""
    found = [False] * len(page.blocks)
    for first, last, _ in regions(page):
        found[first:last] = [True] * (last - first)
    return found


def regions(page: Page) -> list[tuple[int, int, int]]:
    """The copies: their first block and the one behind their last, and the first block of what they are copies of."""
    if page.copies is None:
        page.copies = _find(page)
    return page.copies


def _find(page: Page) -> list[tuple[int, int, int]]:
    found: list[tuple[int, int, int]] = []
    words = page.words
    ranges = enumerate(zip(page.first, page.last))
    large = [(i, first, last) for i, (first, last) in ranges if words[last] - words[first] >= NAMED_WORDS]
    repeated = [(i, first, last) for i, first, last in large if page.times[page.blocks[first].text] > 1]
    if not repeated:
        return found
    prints, powers = _fingerprints(page)
    seen: dict[tuple[int, int], int] = {}
    done = 0
    for i, first, last in repeated:
        size = words[last] - words[first]
        if first < done:
            continue
        key = ((prints[last] - prints[first] * powers[last - first]) % _PRIME, last - first)
        other = seen.setdefault(key, i)
        if page.last[other] > first:
            seen[key] = i  # the same region: the innermost of the wrappers around it is compared
            continue
        if (size >= LONG_WORDS and last - first > 1) or _are_for_devices(page, other, i):
            found.append((first, last, page.first[other]))
            done = last
    return found


def _fingerprints(page: Page) -> tuple[list[int], list[int]]:
    """Running polynomial hashes of the blocks' texts, and the powers that make differences of them comparable."""
    prints, powers = [0], [1]
    for block in page.blocks:
        prints.append((prints[-1] * _BASE + hash(block.text)) % _PRIME)
        powers.append(powers[-1] * _BASE % _PRIME)
    return prints, powers


def _are_for_devices(page: Page, one: int, two: int) -> bool:
    """Whether names tell, of the containers around either region that are not around both."""
    for _ in range(MAX_STEPS):
        if one == two or min(one, two) < 0:
            return False
        deeper = one if page.depth[one] >= page.depth[two] else two
        attrs = page.element[deeper].attrs
        if attrs and _DEVICES.search(f"{attrs.get('class', '')} {attrs.get('id', '')}"[:400]):
            return True
        one, two = (page.parent[one], two) if deeper == one else (one, page.parent[two])
    return False
