"""Drop texts that a page holds twice: regions made again for another device, and texts shown again near by.

In: a Choice. Out: its `keep` changed.

A copy of a region is a container whose blocks have word for word the texts of an earlier one. It must be long, or have
a class or id that speaks of devices, print or the clones of carousels. Measured on the corpus: of 39,700 repeated words
in such copies 1 in 50 is wanted, of the other 19,000 one in two.

Single texts repeat for good reasons: a chorus, a command, the third step of a recipe, what an endpoint requires. These
are in places of one kind (rows of one table, posts of one thread) or in elements without a class, which an author
wrote. A text that comes again soon in another kind of place is one thing shown twice: a card's label and its heading.
So is a long quote of a post on the same page. Pages about code have overviews and keep their repeated texts.
"""

from __future__ import annotations

from itertools import accumulate, islice

from webtool.extraction.page.blocks import Block, Page
from webtool.extraction.rules import manuals
from webtool.extraction.rules.choice import Choice
from webtool.lean import patterns

MIN_LONG_WORDS = 150  # a repeated region of this many words in several blocks is a copy, whatever its class
MIN_NAMED_WORDS = 15  # a shorter region is not a copy, even if its class speaks of devices
_DEVICES = patterns.GuardedPattern(
    "mobile|desktop|phone|tablet|print|clone|duplicate|d-none|hid|vis|show|block|flex|grid|none",
    r"(?i)mobile|desktop|phone|tablet|(?:^|[\s_-])print(?:$|[\s_-])|clone|duplicate|d-none|"
    r"(?:hidden|visible|show|hide)[_-](?:for-|on-)?(?:xs|sm|md|lg|xl|small|medium|large)|"
    r"\b(?:d-)?(?:xs|sm|md|lg|xl)[:-](?:hidden|block|flex|grid|none)",
)
MAX_STEPS = 40  # containers from a region up, whose class and id are looked at
MIN_TEXT_WORDS = 3  # shorter texts repeat by chance
MAX_DISTANCE = 40  # blocks; a text that comes again later than this is not one thing shown twice
MIN_QUOTE_WORDS = 40  # a shorter quote of an earlier post stays: it shows readers what a post answers
_MAX_QUOTE_STEPS = 6  # containers from a block up to the quote that it may be in
_DIGIT = patterns.compile("[0-9]")
_QUOTE = patterns.compile("(?i)quote")
_PRIME = (1 << 61) - 1  # modulus of the hashes
_BASE = 1_000_003


def drop_copied_regions(choice: Choice) -> None:
    """Drop the later of two equal regions: `<div class=desktop-only>..</div><div class=mobile-only>..</div>`.

    If most kept words of the copy are not kept elsewhere, the earlier region is dropped instead.
    """
    page, keep = choice.page, choice.keep
    copied = regions(page)
    if not copied:
        return
    times_kept: dict[str, int] = {}  # by text
    for block, is_kept in zip(page.blocks, keep):
        times_kept[block.text] = times_kept.get(block.text, 0) + is_kept
    for first, last, original in copied:
        inside = [page.blocks[i] for i in range(first, last) if keep[i]]
        if _is_kept_here_only(inside, times_kept):
            first, last = original, original + last - first
        for i in range(first, last):
            times_kept[page.blocks[i].text] -= keep[i]
            keep[i] = False


def drop_repeated_texts(choice: Choice) -> None:
    """Drop a text that comes again soon in another kind of place: `<p class=label>Tea</p><h3 class=name>Tea</h3>`."""
    page, keep = choice.page, choice.keep
    first_of: dict[str, int] = {}
    repeated = []
    for i, block in enumerate(page.blocks):
        if keep[i] and block.words >= MIN_TEXT_WORDS:
            first = first_of.setdefault(block.text, i)
            if first < i and _is_shown_twice(page, first, i):
                repeated.append(i)
    if repeated and not manuals.is_manual(page):
        for i in repeated:
            keep[i] = False


def _is_shown_twice(page: Page, first: int, i: int) -> bool:
    """Return whether blocks `first` and `i`, which have the same text, are one thing shown twice."""
    quote = _quote_around(page, page.blocks[i].container)
    if quote is not None:
        return page.words[page.last[quote]] - page.words[page.first[quote]] >= MIN_QUOTE_WORDS
    if i - first >= MAX_DISTANCE:
        return False
    place, other_place = _place(page, first), _place(page, i)
    return place != other_place and any(names for _, names in (*place, *other_place))


def _quote_around(page: Page, container: int) -> int | None:
    """Return the outermost quote that a container is or is in, or None."""
    quote = None
    for outer in islice(page.around(container), _MAX_QUOTE_STEPS):
        element = page.element[outer]
        if element.tag == "blockquote" or _QUOTE.search(element.attrs.get("class", "")[:400]):
            quote = outer
    return quote


def _place(page: Page, i: int) -> list[tuple[str, list[str]]]:
    """Return tag and class names of the three containers around a block.

    Class names with a digit are left out: they number their elements.
    """
    place: list[tuple[str, list[str]]] = []
    for container in islice(page.around(page.blocks[i].container), 3):
        element = page.element[container]
        names = element.attrs.get("class", "")[:400].split()
        place.append((element.tag, [name for name in names if not _DIGIT.search(name)]))
    return place


def _is_kept_here_only(inside: list[Block], times_kept: dict[str, int]) -> bool:
    """Return whether most words of these kept blocks are in texts that are not kept anywhere else."""
    times_inside: dict[str, int] = {}
    for block in inside:
        times_inside[block.text] = times_inside.get(block.text, 0) + 1
    alone = sum([block.words for block in inside if times_kept[block.text] == times_inside[block.text]])
    return 2 * alone > sum([block.words for block in inside])


def regions(page: Page) -> list[tuple[int, int, int]]:
    """Return the copies as (first block, block after the last, first block of the original)."""
    if page.copies is None:
        page.copies = _find(page)
    return page.copies


def _find(page: Page) -> list[tuple[int, int, int]]:
    copied: list[tuple[int, int, int]] = []
    words = page.words
    once_before = [0, *accumulate([page.times[block.text] == 1 for block in page.blocks])]  # texts that do not repeat
    repeated = []
    for i, (first, last) in enumerate(zip(page.first, page.last)):
        if words[last] - words[first] >= MIN_NAMED_WORDS and once_before[last] == once_before[first]:
            repeated.append((i, first, last))
    if not repeated:
        return copied
    prints, powers = _fingerprints(page)
    by_key: dict[tuple[int, int], int] = {}  # by hash and length: the container that came first
    done = 0
    for i, first, last in repeated:
        if first < done:
            continue
        key = ((prints[last] - prints[first] * powers[last - first]) % _PRIME, last - first)
        original = by_key.setdefault(key, i)
        if page.last[original] > first:
            by_key[key] = i  # the same blocks: the innermost of the wrappers around them is compared
            continue
        is_long = words[last] - words[first] >= MIN_LONG_WORDS and last - first > 1
        if is_long or _is_for_device(page, original, i):
            copied.append((first, last, page.first[original]))
            done = last
    return copied


def _fingerprints(page: Page) -> tuple[list[int], list[int]]:
    """Return running polynomial hashes of the block texts, and the powers that make their differences comparable."""
    prints, powers = [0], [1]
    for block in page.blocks:
        prints.append((prints[-1] * _BASE + hash(block.text)) % _PRIME)
        powers.append(powers[-1] * _BASE % _PRIME)
    return prints, powers


def _is_for_device(page: Page, left: int, right: int) -> bool:
    """Return whether one of two containers, or one around only one of them, has a class or id that names devices."""
    for _ in range(MAX_STEPS):
        if left == right or min(left, right) < 0:
            return False
        deeper = left if page.depth[left] >= page.depth[right] else right
        attrs = page.element[deeper].attrs
        if attrs and _DEVICES.search(f"{attrs.get('class', '')} {attrs.get('id', '')}"[:400]):
            return True
        if deeper == left:
            left = page.parent[left]
        else:
            right = page.parent[right]
    return False
