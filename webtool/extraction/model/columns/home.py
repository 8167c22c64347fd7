"""Where a block lies to the part of the page that holds most text. In: a cut page with its sums. Out: columns.

A home is the innermost container with n per cent of some kind of words. A block's ring is how many containers one
has to leave from the home to reach it; its branch is the part of that ring's container that it is in: "related posts"
below an article, one card of a list, the column beside.
"""

from __future__ import annotations

from operator import sub

from webtool.extraction.model.columns.scales import percent
from webtool.extraction.model.columns.tree import TAG_CODES, Chain, Sums
from webtool.extraction.page.blocks import Page

_BRANCH = "words links blocks long page sentence headings alike low high tag heading place".split()
NAMES = [
    *"best best_words home_long_40 home_long_60 home_long_85 home_plain_50 home_plain_75".split(),
    *(f"branch_{name}" for name in _BRANCH),
]


def columns(page: Page, chain: Chain, sums: Sums, figures: list[bytes], heads: list[int]) -> list[list[int]]:
    """One column per entry of NAMES; `figures` are tree_columns.figures, `heads` a score for each block that is a
    heading and 128 for the others."""
    count = len(page.blocks)
    if not count:
        return [[] for _ in NAMES]
    words, links, long, *_ = sums.inside
    plain = list(map(sub, words, links))
    best = _best(words, links, long)
    of_long = {share: _home(long, share) for share in (40, 60, 85)}
    of_plain = {share: _home(plain, share) for share in (50, 75)}
    return [
        _rings(page, best, count),
        [percent(words[best], sums.words[-1])] * count,
        *(_rings(page, home, count) for home in (*of_long.values(), *of_plain.values())),
        *_branch(page, chain, of_long[60], figures, heads),
    ]


def _best(words: list[int], links: list[int], long: list[int]) -> int:
    """The container that holds most running text with least around it."""
    best, most = 0, -1.0
    for i, inside in enumerate(long):
        if inside:
            score = inside * inside / (words[i] + links[i] + 5.0)
            if score >= most:
                best, most = i, score
    return best


def _branch(page: Page, chain: Chain, home: int, figures: list[bytes], heads: list[int]) -> list[list[int]]:
    path = set(page.around(home))
    rows: list[tuple[int, ...]] = []
    start = page.first[home]
    none = (255,) * len(_BRANCH)
    for i, parent in enumerate(page.parent):
        if i in path:
            rows.append(none)
        elif parent in path:
            first = page.first[i]
            rows.append(
                (
                    *[column[i] for column in figures],
                    chain.alike[i],
                    128 + chain.low[i],
                    128 + chain.high[i],
                    TAG_CODES.get(page.element[i].tag, 0),
                    heads[first] if first < page.last[i] else 128,
                    0 if page.last[i] <= start else percent(first - start, page.last[home] - start) + 1,
                )
            )
        else:
            rows.append(rows[parent])
    return [list(column) for column in zip(*[rows[block.container] for block in page.blocks])]


def _home(inside: list[int], share: int) -> int:
    """The innermost container with this percentage of the whole, which the first has: they come in document order."""
    least = share * inside[0] / 100
    return next((i for i in range(len(inside) - 1, 0, -1) if inside[i] >= least), 0) if least else 0


def _rings(page: Page, start: int, count: int) -> list[int]:
    """0 inside container `start`, 1 inside the next wider one, and so on."""
    rings = [255] * count
    if not page.element:
        return rings
    first, last = page.first[start], page.last[start]
    rings[first:last] = [0] * (last - first)
    ring = 1
    i = page.parent[start]
    while i >= 0 and ring < 250:
        if page.first[i] < first or page.last[i] > last:
            rings[page.first[i] : first] = [ring] * (first - page.first[i])
            rings[last : page.last[i]] = [ring] * (page.last[i] - last)
            first, last = page.first[i], page.last[i]
            ring += 1
        i = page.parent[i]
    return rings
