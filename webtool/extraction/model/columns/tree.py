"""Measure the elements around each block: tags, class names, and sums over its containers. In: a cut page, the lexicon.
Out: one column of figures from 0 to 255 per name in NAMES.

Sums over a container are differences of running totals. What an element passes down to the blocks inside it (its roles,
its scores) is handed from container to container. So the cost does not depend on the depth of the tree.

Words used here: a level is a container around a block, wrappers around the very same blocks counted as one. Running
text ("long") is the text of blocks with LONG_WORDS or more, at most half of them linked. A signature is a container's
tag and class with those of its parent; blocks with equal signatures look alike.
Tests: tests/extraction/model/test_model.py
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, repeat
from operator import sub

from webtool.extraction.model.columns.scales import getter, log_scale, log_scales, percent, percents
from webtool.extraction.model.lexicon import Lexicon
from webtool.extraction.page.blocks import Page
from webtool.html.elements import HEADINGS, role_of
from webtool.html.node import Element

_FULL_STOPS = "\u3002\uff01\uff1f\u061f\u06d4\u0964"  # ends of sentences in Chinese, Japanese, Arabic, Urdu, Hindi
LEVELS = 3  # containers around a block whose sums are features
ALIKE_LEVELS = 2  # of them whose siblings are counted
LONG_WORDS = 15  # a block with fewer words is not running text
_FADING = 0.75  # by how much the scores of containers fade from one to the next further in

_CODES = """
    p li div span td h1 h2 h3 h4 h5 h6 a button dt dd pre blockquote th figcaption article section main strong em b
    i header footer nav aside form label summary details address caption legend time cite code small ul ol dl table
    tr tbody center body fieldset font
""".split()
TAG_CODES = {tag: i + 1 for i, tag in enumerate(_CODES)}
# Elements whose blocks know that they are inside: a bit each, set by tag or by role.
_INSIDE = "article main nav aside header footer form table section figure dialog".split()
_BITS = {tag: 1 << i for i, tag in enumerate(_INSIDE)}
# Tables for bytes.translate(): table i gives 1 for a byte with bit i and 0 for any other.
_HAS_BIT = [(b"\0" * (1 << i) + b"\1" * (1 << i)) * (128 >> i) for i in range(8)]
_NAMED = "navigation complementary banner contentinfo main article search dialog".split()
_ROLES = dict(zip(_NAMED, "nav aside header footer main article form dialog".split()))  # role -> tag with the same bit

NAMES = [
    "tag",
    *(f"in_{tag}" for tag in _INSIDE),
    *["token_min", "token_max", "chain_min", "chain_max", "chain_sum", "near_min"],
    *(
        f"{name}_{level}"
        for level in range(LEVELS)
        for name in (*"words links blocks long page sentence headings".split(), *["alike"] * (level < ALIKE_LEVELS))
    ),
    *["sign_count", "sign_words", "sign_links", "sign_parent"],
]


class Sums:
    """Running totals over the blocks of a page: the sum over blocks i to j - 1 is total[j] - total[i].

    is_long   for each block whether it is running text
    words, links, long, sentences, headings   running totals
    inside    the sums of these five, in this order, for each container
    """

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
    """Return how many sentences each text has."""
    inside = _counts(texts, (". ", *_FULL_STOPS))
    return [count + text.endswith((".", "!", "?")) for count, text in zip(inside, texts)]


def _counts(texts: list[str], marks: Iterable[str]) -> list[int]:
    """Return how many of these marks each text has; marks that no text has cost one search."""
    everything = "\n".join(texts)
    totals = [0] * len(texts)
    for mark in marks:
        if mark in everything:
            totals = [count + text.count(mark) for count, text in zip(totals, texts)]
    return totals


def _totals(values: list[int]) -> list[int]:
    return [0, *accumulate(values)]


class Chain:
    """Values of each container, its own and those from the containers around it.

    bits             which elements of _INSIDE it is in
    low, high        lowest and highest score of its class names; wrappers around the same blocks share them
    least, greatest  lowest and highest score on the way up to the root
    total            the sum of scores on that way, fading with distance
    wider            the next container that holds more blocks, -1 without one
    alike            a figure for how many siblings have its tag and class
    """

    __slots__ = ("alike", "bits", "greatest", "high", "least", "low", "total", "wider")

    def __init__(self, page: Page, lexicon: Lexicon) -> None:
        ranges = zip(page.element, page.first, page.last)
        own = [
            lexicon.element(element) if first < last and element.attrs else (0, 0) for element, first, last in ranges
        ]
        self.bits = [
            _bits(element) if "role" in element.attrs else _BITS.get(element.tag, 0) for element in page.element
        ]
        self.low = [low for low, _ in own]
        self.high = [high for _, high in own]
        self.least = self.low[:]
        self.greatest = self.high[:]
        self.total = [0.0] * len(own)
        self.wider = [-1] * len(own)
        self._inherit(page)
        self.alike = _alike(page, self)

    def _inherit(self, page: Page) -> None:
        """Hand bits and scores from each container to those inside it; containers are in document order."""
        bits, least, greatest, low, high = self.bits, self.least, self.greatest, self.low, self.high
        first, last = page.first, page.last
        for i, parent in enumerate(page.parent):
            if parent < 0:
                continue
            bits[i] |= bits[parent]
            self.total[i] = _FADING * self.total[parent] + low[i] + high[i]
            if least[parent] < least[i]:
                least[i] = least[parent]
            if greatest[parent] > greatest[i]:
                greatest[i] = greatest[parent]
            if first[i] == first[parent] and last[i] == last[parent]:
                self.wider[i] = self.wider[parent]
                if low[parent] < low[i]:
                    low[i] = low[parent]
                if high[parent] > high[i]:
                    high[i] = high[parent]
            else:
                self.wider[i] = parent


def _bits(element: Element) -> int:
    """Return the bits of an element by its tag and its role."""
    role = role_of(element.attrs)
    return _BITS.get(element.tag, 0) | _BITS.get(_ROLES.get(role, ""), 0)


def columns(page: Page, chain: Chain, lexicon: Lexicon, tags: list[str], figures: list[bytes]) -> list[Sequence[int]]:
    """Return one column per entry of NAMES; `figures` is what figures() returns."""
    places = [block.container for block in page.blocks]
    get = getter(places)
    bits = get(chain.bits)
    low, high = bytes([value & 255 for value in bits]), bytes([value >> 8 for value in bits])
    return [
        [TAG_CODES.get(tag, 0) for tag in tags],
        *[(low if i < 8 else high).translate(_HAS_BIT[i % 8]) for i in range(len(_BITS))],
        *_token_columns(page, chain, lexicon, places),
        *_level_columns(chain, places, figures),
        *_signature_columns(page, places),
    ]


def _token_columns(page: Page, chain: Chain, lexicon: Lexicon, places: list[int]) -> list[list[int]]:
    """Return scores of class names, 128 for neutral: own, along the chain, and of the next wider container.

    `places` has the container of each block.
    """
    neutral = (0, 0)
    inline = [lexicon.element(block.inline) if block.inline else neutral for block in page.blocks]
    wider = chain.wider
    get = getter(places)
    return [
        [128 + (low if low < own[0] else own[0]) for low, own in zip(get(chain.low), inline)],
        [128 + (high if high > own[1] else own[1]) for high, own in zip(get(chain.high), inline)],
        [128 + least for least in get(chain.least)],
        [128 + greatest for greatest in get(chain.greatest)],
        [128 + max(-127, min(127, int(chain.total[i] / 2))) for i in places],
        [128 + (chain.low[wider[i]] if wider[i] >= 0 else 0) for i in places],
    ]


def _level_columns(chain: Chain, places: Sequence[int], figures: list[bytes]) -> list[Sequence[int]]:
    """Return the figures of the LEVELS innermost containers of each block, level by level."""
    wider = [i if i >= 0 else 0 for i in chain.wider]
    of_levels: list[Sequence[int]] = []
    level = places
    for number in range(LEVELS):
        get = getter(level)
        of_levels += map(get, figures)
        if number < ALIKE_LEVELS:
            of_levels.append(get(chain.alike))
        level = get(wider)
    return of_levels


def figures(page: Page, sums: Sums) -> list[bytes]:
    """Return seven columns over the containers.

    They are words, share of links, blocks, share of running text, share of the page's words, sentences per two blocks
    (percent() ends at 100, and many blocks have two), and headings per block.
    """
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
    """Return for each container a figure for how many siblings have its tag and class.

    A container in wrappers around the same blocks has the highest figure of these.
    """
    keys = list(zip(page.parent, page.kinds))
    counts: dict[tuple[int, int], int] = {}
    for key in keys:
        counts[key] = counts.get(key, 0) + 1
    alike = list(log_scales(map(counts.__getitem__, keys)))
    wider = chain.wider
    for i, parent in enumerate(page.parent):
        # With one next wider container for both, the parent holds the same blocks: it is a wrapper.
        if parent >= 0 and wider[i] == wider[parent] and alike[parent] > alike[i]:
            alike[i] = alike[parent]
    return alike


def _signature_columns(page: Page, places: list[int]) -> list[list[int]]:
    """Return figures over all blocks with a block's signature: how many, words each, share of links, parents."""
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
    if not keys:
        return [[]] * 4
    return [list(column) for column in zip(*[figures[key] for key in keys])]
