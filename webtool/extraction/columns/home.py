"""Where a block lies to the part of the page that holds most text. In: a cut page with its sums. Out: columns.

A home is the innermost container with n per cent of some kind of words. A block's ring is how many containers one
has to leave from the home to reach it; its branch is the part of that ring's container that it is in: "related posts"
below an article, one card of a list, the column beside.
"""

from __future__ import annotations

from webtool.extraction.blocks import Page
from webtool.extraction.columns.scales import percent
from webtool.extraction.columns.tree import TAG_CODES, Chain, Sums

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
    words = sums.words
    plain = [whole - linked for whole, linked in zip(words, sums.links)]
    best = _best(page, sums)
    of_long = {share: _home(page, sums.long, share) for share in (40, 60, 85)}
    of_plain = {share: _home(page, plain, share) for share in (50, 75)}
    return [
        _rings(page, best, count),
        [percent(words[page.last[best]] - words[page.first[best]], words[-1])] * count,
        *(_rings(page, home, count) for home in (*of_long.values(), *of_plain.values())),
        *_branch(page, chain, of_long[60], figures, heads),
    ]


def _best(page: Page, sums: Sums) -> int:
    """The container that holds most running text with least around it."""
    words, links, long = sums.words, sums.links, sums.long
    best, most = 0, -1.0
    for i, (first, last) in enumerate(zip(page.first, page.last)):
        inside = long[last] - long[first]
        if inside:
            score = inside * inside / (words[last] - words[first] + links[last] - links[first] + 5.0)
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


def _home(page: Page, totals: list[int], share: int) -> int:
    """The innermost container with this percentage of the whole: containers come in document order."""
    least = share * totals[-1]
    if not least:
        return 0
    for i in range(len(page.first) - 1, 0, -1):
        if 100 * (totals[page.last[i]] - totals[page.first[i]]) >= least:
            return i
    return 0


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
