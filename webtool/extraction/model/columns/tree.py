"""Where a block hangs and what is around it. In: a cut page. Out: columns of small integers, one per feature.

Sums over a container are differences of running totals, and what an element passes down to the blocks below it is
handed from container to container, so that the cost does not depend on the depth of the tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, repeat
from operator import sub

from webtool.extraction.model.columns.scales import log_scale, log_scales, percent, percents
from webtool.extraction.model.columns.text import FULL_STOPS, counts
from webtool.extraction.model.forest import getter
from webtool.extraction.model.lexicon import Lexicon
from webtool.extraction.page.blocks import Page
from webtool.html.elements import HEADINGS
from webtool.html.node import Element

LEVELS = 5
LONG_WORDS = 15
"""A block of this many words that are mostly no link counts as running text."""

_CODES = """
    p li div span td h1 h2 h3 h4 h5 h6 a button dt dd pre blockquote th figcaption article section main strong em b
    i header footer nav aside form label summary details address caption legend time cite code small ul ol dl table
    tr tbody center body fieldset font
""".split()
TAG_CODES = {tag: i + 1 for i, tag in enumerate(_CODES)}
_INSIDE = "article main nav aside header footer form table section figure details dialog menu".split()
_BITS = {tag: 1 << i for i, tag in enumerate(_INSIDE)}
_HAS_BIT = [bytes([value >> i & 1 for value in range(256)]) for i in range(8)]
_NAMED = "navigation complementary banner contentinfo main article search dialog menu menubar".split()
_ROLES = dict(zip(_NAMED, "nav aside header footer main article form dialog menu menu".split()))

NAMES = [
    *["tag", "inline_tag", "levels", "depth"],
    *(f"in_{tag}" for tag in _INSIDE),
    *["token_min", "token_max", "chain_min", "chain_max", "chain_sum", "near_min", "near_max"],
    *(
        f"{name}_{level}"
        for level in range(LEVELS)
        for name in ("words", "links", "blocks", "long", "page", "sentence", "headings", "alike")
    ),
    *["sign_count", "sign_words", "sign_links", "sign_parent"],
]


class Sums:
    """Running totals over the blocks of a page; the sum over blocks i to j - 1 is total[j] - total[i]. `inside` are
    those sums for the containers: of words, links, long, sentences and headings."""

    __slots__ = ("headings", "inside", "is_long", "links", "long", "sentences", "words")

    def __init__(self, page: Page, tags: list[str]) -> None:
        blocks = page.blocks
        self.is_long = [block.words >= LONG_WORDS and 2 * block.link_words < block.words for block in blocks]
        self.words = page.words
        self.links = page.links
        self.long = _totals([block.words if is_long else 0 for block, is_long in zip(blocks, self.is_long)])
        self.sentences = _totals(_sentences([block.text for block in blocks]))
        self.headings = _totals([tag in HEADINGS for tag in tags])
        ranges = list(zip(page.first, page.last))
        kinds = (self.words, self.links, self.long, self.sentences, self.headings)
        self.inside = [[totals[j] - totals[i] for i, j in ranges] for totals in kinds]


def _sentences(texts: list[str]) -> list[int]:
    inside = counts(texts, (". ", *FULL_STOPS))
    return [count + text.endswith((".", "!", "?")) for count, text in zip(inside, texts)]


def _totals(values: list[int]) -> list[int]:
    return [0, *accumulate(values)]


class Chain:
    """What each container inherits: bits of the elements around it, token scores, and the next wider container.

    `low` and `high` are the least and greatest score of a container's own tokens, wrappers around the same blocks
    counted as one; `least`, `greatest` and the fading sum `total` are those of the whole chain up to the root.
    """

    __slots__ = ("alike", "bits", "greatest", "high", "least", "level", "low", "total", "wider")

    def __init__(self, page: Page, lexicon: Lexicon) -> None:
        ranges = zip(page.element, page.first, page.last)
        own = [lexicon.element(one) if first < last and one.attrs else (0, 0) for one, first, last in ranges]
        self.bits = [_bits(one) if "role" in one.attrs else _BITS.get(one.tag, 0) for one in page.element]
        self.low = [low for low, _ in own]
        self.high = [high for _, high in own]
        self.least = self.low[:]
        self.greatest = self.high[:]
        self.total = [0.0] * len(own)
        self.wider = [-1] * len(own)
        self.level = [0] * len(own)
        self._inherit(page)
        self.alike = _alike(page, self)

    def _inherit(self, page: Page) -> None:
        bits, least, greatest, low, high = self.bits, self.least, self.greatest, self.low, self.high
        first, last = page.first, page.last
        for i, parent in enumerate(page.parent):
            if parent < 0:
                continue
            bits[i] |= bits[parent]
            self.total[i] = 0.75 * self.total[parent] + low[i] + high[i]
            if least[parent] < least[i]:
                least[i] = least[parent]
            if greatest[parent] > greatest[i]:
                greatest[i] = greatest[parent]
            if first[i] == first[parent] and last[i] == last[parent]:
                self.wider[i] = self.wider[parent]
                self.level[i] = self.level[parent]
                if low[parent] < low[i]:
                    low[i] = low[parent]
                if high[parent] > high[i]:
                    high[i] = high[parent]
            else:
                self.wider[i] = parent
                self.level[i] = self.level[parent] + 1


def _bits(element: Element) -> int:
    role = element.attrs["role"].strip().lower()
    return _BITS.get(element.tag, 0) | _BITS.get(_ROLES.get(role, ""), 0)


def columns(page: Page, chain: Chain, lexicon: Lexicon, tags: list[str], figures: list[bytes]) -> list[Sequence[int]]:
    """One column per entry of NAMES; `figures` is what the function of that name gives."""
    places = [block.container for block in page.blocks]
    get = getter(places)
    bits = get(chain.bits)
    low, high = bytes([value & 255 for value in bits]), bytes([value >> 8 for value in bits])
    return [
        [TAG_CODES.get(tag, 0) for tag in tags],
        [TAG_CODES.get(block.inline.tag, 0) if block.inline else 0 for block in page.blocks],
        [level if level < 255 else 255 for level in get(chain.level)],
        [depth if depth < 255 else 255 for depth in get(page.depth)],
        *[(low if i < 8 else high).translate(_HAS_BIT[i % 8]) for i in range(len(_BITS))],
        *_token_columns(page, chain, lexicon, places),
        *_level_columns(chain, places, figures),
        *_signature_columns(page, places),
    ]


def _token_columns(page: Page, chain: Chain, lexicon: Lexicon, places: list[int]) -> list[list[int]]:
    none = (0, 0)
    inline = [lexicon.element(block.inline) if block.inline else none for block in page.blocks]
    wider = chain.wider
    get = getter(places)
    return [
        [128 + (low if low < own[0] else own[0]) for low, own in zip(get(chain.low), inline)],
        [128 + (high if high > own[1] else own[1]) for high, own in zip(get(chain.high), inline)],
        [128 + least for least in get(chain.least)],
        [128 + greatest for greatest in get(chain.greatest)],
        [128 + max(-127, min(127, int(chain.total[i] / 2))) for i in places],
        [128 + (chain.low[wider[i]] if wider[i] >= 0 else 0) for i in places],
        [128 + (chain.high[wider[i]] if wider[i] >= 0 else 0) for i in places],
    ]


def _level_columns(chain: Chain, places: Sequence[int], figures: list[bytes]) -> list[Sequence[int]]:
    wider = [i if i >= 0 else 0 for i in chain.wider]
    found: list[Sequence[int]] = []
    level = places
    for _ in range(LEVELS):
        get = getter(level)
        found += [get(column) for column in (*figures, chain.alike)]
        level = get(wider)
    return found


def figures(page: Page, sums: Sums) -> list[bytes]:
    """A column for the containers each: words, link share, blocks, share of running text, share of the page, sentences,
    headings."""
    words, links, long, sentences, headings = sums.inside
    counts = list(map(sub, page.last, page.first))
    return [
        log_scales(words),
        percents(links, words),
        log_scales(counts),
        percents(long, words),
        percents(words, repeat(sums.words[-1])),
        percents(sentences, [2 * count for count in counts]),
        percents(headings, counts),
    ]


def _alike(page: Page, chain: Chain) -> list[int]:
    """For each container how many siblings have its tag and class, wrappers around the same blocks passed over."""
    keys = list(zip(page.parent, page.kinds))
    counts: dict[tuple[int, int], int] = {}
    for key in keys:
        counts[key] = counts.get(key, 0) + 1
    alike = list(log_scales(map(counts.__getitem__, keys)))
    wider = chain.wider
    for i, parent in enumerate(page.parent):
        if parent >= 0 and wider[i] == wider[parent] and alike[parent] > alike[i]:
            alike[i] = alike[parent]
    return alike


def _signature_columns(page: Page, places: list[int]) -> list[list[int]]:
    """Figures of all blocks of the page whose container has the same tag and class below a like parent."""
    kinds, parent = page.kinds, page.parent
    keys = [(kinds[i], kinds[parent[i]] if parent[i] >= 0 else -1) for i in places]
    counts: dict[object, list[int]] = {}
    parents: dict[object, set[int]] = {}
    for key, block, place in zip(keys, page.blocks, places):
        sums = counts.get(key)
        if sums is None:
            sums = counts[key] = [0, 0, 0]
            parents[key] = set()
        sums[0] += 1
        sums[1] += block.words
        sums[2] += block.link_words
        parents[key].add(parent[place])
    figures = {
        key: (log_scale(n), log_scale(words // n), percent(links, words), log_scale(len(parents[key])))
        for key, (n, words, links) in counts.items()
    }
    return [list(column) for column in zip(*[figures[key] for key in keys])] if keys else [[]] * 4
