"""Copies of whole regions that a page holds for another device or for print. In: a cut page. Out: which blocks to drop.

Texts repeat for good reasons: a chorus, the third step of a recipe, a command, what an endpoint requires, a quoted
post. These stay. A copy is a container whose blocks have word for word the texts of an earlier one, and which is long,
or whose class or id attributes (or those of what is around one of the two and not the other) speak of devices, print
or the clones of carousels. Measured on the corpus: of 39,700 repeated words in such copies 1 in 50 is wanted, of the
other 19,000 one in two.
"""

from __future__ import annotations

from itertools import accumulate

from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.extraction.blocks import Page

LONG_WORDS = 150
"""A copied region of this many words in several blocks is a copy by its length alone."""
NAMED_WORDS = 15
"""What a region has at least whose names tell that it is a copy."""
_DEVICES = patterns.compile(
    r"(?i)mobile|desktop|phone|tablet|(?:^|[\s_-])print(?:$|[\s_-])|clone|duplicate|d-none|"
    r"(?:hidden|visible|show|hide)[_-](?:for-|on-)?(?:xs|sm|md|lg|xl|small|medium|large)|"
    r"\b(?:d-)?(?:xs|sm|md|lg|xl)[:-](?:hidden|block|flex|grid|none)"
)
MAX_STEPS = 40  # containers around a region whose names are looked at
_PRIME = (1 << 61) - 1
_BASE = 1_000_003


def find(page: Page) -> list[bool]:
    """For each block whether it is in the copy of a region that stands before it."""
    if page.copies is None:
        page.copies = _find(page)
    return page.copies


def _find(page: Page) -> list[bool]:
    count = len(page.blocks)
    found = [False] * count
    words = [0, *accumulate([block.words for block in page.blocks])]
    prints, powers = _fingerprints(page)
    seen: dict[tuple[int, int], int] = {}
    done = 0
    for i, (first, last) in enumerate(zip(page.first, page.last)):
        size = words[last] - words[first]
        if size < NAMED_WORDS or first < done:
            continue
        key = ((prints[last] - prints[first] * powers[last - first]) % _PRIME, last - first)
        other = seen.setdefault(key, i)
        if page.last[other] > first:
            seen[key] = i  # the same region: the innermost of the wrappers around it is compared
            continue
        if (size >= LONG_WORDS and last - first > 1) or _are_for_devices(page, other, i):
            found[first:last] = [True] * (last - first)
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
