"""What the first forest thinks of the blocks around a block. In: a cut page, a probability each. Out: columns.

A sentence between two sure ones is content, whatever it looks like; so is the odd card in a list of kept ones.
All are 0 to 255: a probability p is 255 p.
"""

from __future__ import annotations

from itertools import accumulate

from webtool.extraction.scales import percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from webtool.extraction.blocks import Page
    from webtool.extraction.tree_columns import Chain

LEVELS = 5
_OFFSETS = (-3, -2, -1, 1, 2, 3)
_WINDOWS = (2, 6, 20)
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_MOST_WORDS = 60  # a long block counts as so many words among its neighbours

NAMES = [
    "chance",
    *(f"chance{offset:+d}" for offset in _OFFSETS),
    *(f"chance_around_{size}" for size in _WINDOWS),
    *(f"chance_level_{level}" for level in range(LEVELS)),
    *[
        "chance_alike",
        "chance_alike_wider",
        "chance_section",
        "chance_heading",
        "chance_page",
        "chance_most",
        "chance_before",
    ],
]


def columns(page: Page, chain: Chain, chances: Sequence[float], tags: Sequence[str]) -> list[list[int]]:
    """One column per entry of NAMES."""
    count = len(chances)
    scaled = [int(255 * chance) for chance in chances]
    weights = [min(block.words, _MOST_WORDS) for block in page.blocks]
    size = [0, *accumulate(weights)]
    mass = [0, *accumulate([weight * value for weight, value in zip(weights, scaled)])]
    found = [scaled]
    for offset in _OFFSETS:
        if offset < 0:
            found.append([0] * min(count, -offset) + scaled[: max(0, count + offset)])
        else:
            found.append(scaled[offset:] + [0] * min(count, offset))
    for width in _WINDOWS:
        ranges = ((max(0, i - width), min(count, i + width + 1)) for i in range(count))
        found.append([(mass[j] - mass[i]) // (size[j] - size[i]) for i, j in ranges])
    found += _levels(page, chain, size, mass)
    found += _alike(page, chain, weights, scaled)
    found += _sections(tags, weights, scaled)
    whole = mass[-1] // size[-1] if count else 0
    found.append([whole] * count)
    found.append([max(scaled, default=0)] * count)
    found.append([percent(mass[i], mass[-1]) for i in range(count)])
    return found


def _levels(page: Page, chain: Chain, size: list[int], mass: list[int]) -> list[list[int]]:
    """The mean inside the containers around a block, each wider than the one before."""
    means = [
        (mass[j] - mass[i]) // (size[j] - size[i]) if size[j] > size[i] else 0 for i, j in zip(page.first, page.last)
    ]
    found = []
    level = [block.container for block in page.blocks]
    wider = chain.wider
    for _ in range(LEVELS):
        found.append([means[i] for i in level])
        level = [wider[i] if wider[i] >= 0 else 0 for i in level]
    return found


def _alike(page: Page, chain: Chain, weights: list[int], scaled: list[int]) -> list[list[int]]:
    """The mean of all blocks whose container, and whose wider container, has the same tag and class."""
    places = [block.container for block in page.blocks]
    near = [chain.signature[i] for i in places]
    wide = [(key, chain.signature[chain.wider[i]] if chain.wider[i] >= 0 else None) for key, i in zip(near, places)]
    return [_means(near, weights, scaled), _means(wide, weights, scaled)]


def _means(keys: Iterable[Hashable], weights: list[int], scaled: list[int]) -> list[int]:
    keys = list(keys)
    sums: dict[Hashable, list[int]] = {}
    for key, weight, value in zip(keys, weights, scaled):
        entry = sums.get(key)
        if entry is None:
            sums[key] = [weight, weight * value]
        else:
            entry[0] += weight
            entry[1] += weight * value
    return [sums[key][1] // sums[key][0] for key in keys]


def _sections(tags: Sequence[str], weights: list[int], scaled: list[int]) -> list[list[int]]:
    """The mean under the same heading, and the heading's own."""
    keys = []
    heads = []
    section, head = 0, 0
    for i, tag in enumerate(tags):
        if tag in _HEADINGS:
            section, head = section + 1, scaled[i]
        keys.append(section)
        heads.append(head)
    return [_means(keys, weights, scaled), heads]
