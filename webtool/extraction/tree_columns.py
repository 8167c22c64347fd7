"""Where a block hangs and what is around it. In: a cut page. Out: columns of small integers, one per feature.

Sums over a container are differences of running totals, and what an element passes down to the blocks below it is
handed from container to container, so that the cost does not depend on the depth of the tree.
"""

from __future__ import annotations

from itertools import accumulate

from webtool.extraction.scales import log_scale, percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.extraction.blocks import Page
    from webtool.extraction.lexicon import Lexicon

LEVELS = 5
LONG_WORDS = 15
"""A block of so many words that are mostly no link counts as running text."""

_CODES = [
    "p",
    "li",
    "div",
    "span",
    "td",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "a",
    "button",
    "dt",
    "dd",
    "pre",
    "blockquote",
    "th",
    "figcaption",
    "article",
    "section",
    "main",
    "strong",
    "em",
    "b",
    "i",
    "header",
    "footer",
    "nav",
    "aside",
    "form",
    "label",
    "summary",
    "details",
    "address",
    "caption",
    "legend",
    "time",
    "cite",
    "code",
    "small",
    "ul",
    "ol",
    "dl",
    "table",
    "tr",
    "tbody",
    "center",
    "body",
    "fieldset",
    "font",
]
TAG_CODES = {tag: i + 1 for i, tag in enumerate(_CODES)}
_INSIDE = [
    "article",
    "main",
    "nav",
    "aside",
    "header",
    "footer",
    "form",
    "table",
    "section",
    "figure",
    "details",
    "dialog",
    "menu",
]
_BITS = {tag: 1 << i for i, tag in enumerate(_INSIDE)}
_ROLES = {
    "navigation": "nav",
    "complementary": "aside",
    "banner": "header",
    "contentinfo": "footer",
    "main": "main",
    "article": "article",
    "search": "form",
    "dialog": "dialog",
    "menu": "menu",
    "menubar": "menu",
}
_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}

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
    """Running totals over the blocks of a page; the sum over blocks i to j - 1 is total[j] - total[i]."""

    __slots__ = ("headings", "is_long", "links", "long", "sentences", "words")

    def __init__(self, page: Page, tags: list[str]) -> None:
        blocks = page.blocks
        self.is_long = [block.words >= LONG_WORDS and 2 * block.link_words < block.words for block in blocks]
        self.words = _totals([block.words for block in blocks])
        self.links = _totals([block.link_words for block in blocks])
        self.long = _totals([block.words if is_long else 0 for block, is_long in zip(blocks, self.is_long)])
        self.sentences = _totals([block.text.count(". ") + block.text.endswith((".", "!", "?")) for block in blocks])
        self.headings = _totals([tag in _HEADINGS for tag in tags])


def _totals(values: list[int]) -> list[int]:
    return [0, *accumulate(values)]


class Chain:
    """What each container inherits: bits of the elements around it, token scores, and the next wider container."""

    __slots__ = ("alike", "bits", "greatest", "high", "least", "level", "low", "own", "signature", "total", "wider")

    def __init__(self, page: Page, lexicon: Lexicon) -> None:
        size = len(page.element)
        self.bits = [0] * size
        self.own: list[tuple[int, int]] = [(0, 0)] * size
        self.least = [0] * size
        self.greatest = [0] * size
        self.low = [0] * size
        self.high = [0] * size
        self.total = [0.0] * size
        self.wider = [-1] * size
        self.level = [0] * size
        self.signature: list[tuple[str, str]] = [("", "")] * size
        seen: dict[tuple[str | None, ...], tuple[int, int]] = {}
        parents = page.parent
        for i, element in enumerate(page.element):
            parent = parents[i]
            attrs = element.attrs
            bits = _BITS.get(element.tag, 0)
            if attrs and "role" in attrs:
                bits |= _BITS.get(_ROLES.get(attrs["role"].strip().lower(), ""), 0)
            least, greatest = own = lexicon.element(element, seen)
            self.own[i] = own
            self.signature[i] = (element.tag, attrs.get("class", ""))
            if parent < 0:
                self.bits[i] = bits
                continue
            self.bits[i] = self.bits[parent] | bits
            self.least[i] = min(self.least[parent], least)
            self.greatest[i] = max(self.greatest[parent], greatest)
            self.total[i] = 0.75 * self.total[parent] + least + greatest
            is_same = page.first[parent] == page.first[i] and page.last[parent] == page.last[i]
            self.wider[i] = self.wider[parent] if is_same else parent
            self.level[i] = self.level[parent] + (not is_same)
            # scores of the wrappers around the same blocks count as one
            self.low[i] = min(least, self.low[parent]) if is_same else least
            self.high[i] = max(greatest, self.high[parent]) if is_same else greatest
        self.alike = _alike(page, self)


def columns(
    page: Page, chain: Chain, lexicon: Lexicon, tags: list[str], figures: list[tuple[int, ...]]
) -> list[list[int]]:
    """One column per entry of NAMES; `figures` is what the function of that name gives."""
    places = [block.container for block in page.blocks]
    found: list[list[int]] = [
        [TAG_CODES.get(tag, 0) for tag in tags],
        [TAG_CODES.get(block.inline.tag, 0) if block.inline else 0 for block in page.blocks],
        [min(255, chain.level[i]) for i in places],
        [min(255, page.depth[i]) for i in places],
    ]
    bits = [chain.bits[i] for i in places]
    found += [[int(value & bit > 0) for value in bits] for bit in _BITS.values()]
    found += _token_columns(page, chain, lexicon, places)
    found += _level_columns(chain, places, figures)
    found += _signature_columns(page, chain, places)
    return found


def _token_columns(page: Page, chain: Chain, lexicon: Lexicon, places: list[int]) -> list[list[int]]:
    seen: dict[tuple[str | None, ...], tuple[int, int]] = {}
    none = (0, 0)
    inline = [lexicon.element(block.inline, seen) if block.inline else none for block in page.blocks]
    wider = chain.wider
    return [
        [128 + min(chain.low[i], own[0]) for i, own in zip(places, inline)],
        [128 + max(chain.high[i], own[1]) for i, own in zip(places, inline)],
        [128 + chain.least[i] for i in places],
        [128 + chain.greatest[i] for i in places],
        [128 + max(-127, min(127, int(chain.total[i] / 2))) for i in places],
        [128 + (chain.low[wider[i]] if wider[i] >= 0 else 0) for i in places],
        [128 + (chain.high[wider[i]] if wider[i] >= 0 else 0) for i in places],
    ]


def _level_columns(chain: Chain, places: list[int], figures: list[tuple[int, ...]]) -> list[list[int]]:
    alike = chain.alike
    found: list[list[int]] = []
    level = places
    for _ in range(LEVELS):
        rows = [figures[i] for i in level]
        found += [list(column) for column in zip(*rows)] if rows else [[]] * 7
        found.append([alike[i] for i in level])
        level = [chain.wider[i] if chain.wider[i] >= 0 else 0 for i in level]
    return found


def figures(page: Page, sums: Sums) -> list[tuple[int, ...]]:
    """Of each container: words, link share, blocks, share of running text, share of the page, sentences, headings."""
    words, links, long, sentences, headings = sums.words, sums.links, sums.long, sums.sentences, sums.headings
    whole = words[-1]
    seen: dict[tuple[int, int], tuple[int, ...]] = {}
    found = []
    for key in zip(page.first, page.last):
        row = seen.get(key)
        if row is None:
            i, j = key
            count = words[j] - words[i]
            row = seen[key] = (
                log_scale(count),
                percent(links[j] - links[i], count),
                log_scale(j - i),
                percent(long[j] - long[i], count),
                percent(count, whole),
                percent(sentences[j] - sentences[i], 2 * (j - i)),
                percent(headings[j] - headings[i], j - i),
            )
        found.append(row)
    return found


def _alike(page: Page, chain: Chain) -> list[int]:
    """For each container how many siblings have its tag and class, wrappers around the same blocks passed over."""
    counts: dict[tuple[int, tuple[str, str]], int] = {}
    keys = []
    for i, parent in enumerate(page.parent):
        key = (parent, chain.signature[i])
        keys.append(key)
        counts[key] = counts.get(key, 0) + 1
    alike = [0] * len(keys)
    for i, key in enumerate(keys):
        alike[i] = log_scale(counts[key])
        parent = key[0]
        if parent >= 0 and chain.wider[i] == chain.wider[parent] and alike[parent] > alike[i]:
            alike[i] = alike[parent]
    return alike


def _signature_columns(page: Page, chain: Chain, places: list[int]) -> list[list[int]]:
    """Figures of all blocks of the page whose container has the same tag and class below a like parent."""
    signature = chain.signature
    keys = [(signature[i], signature[page.parent[i]] if page.parent[i] >= 0 else None) for i in places]
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
        parents[key].add(page.parent[place])
    figures = {
        key: (log_scale(n), log_scale(words // n), percent(links, words), log_scale(len(parents[key])))
        for key, (n, words, links) in counts.items()
    }
    return [list(column) for column in zip(*[figures[key] for key in keys])] if keys else [[]] * 4
