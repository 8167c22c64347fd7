"""Measure where a block lies: what comes before and after it, and how far it is from the main text.

In: a cut page with its sums. Out: one column of figures from 0 to 255 per name in NAMES.

A home is the innermost container with a given share of the page's words. A block's ring is how many containers one
has to leave from the home until the block is inside: 0 in the home. The block's branch is the part of the container
reached then that the block is in: "related posts" below an article, one card of a list, the column beside the text.
Tests: tests/extraction/model/test_model.py
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from operator import sub

from webtool.extraction.model.columns.scales import log_scales, percent, percents
from webtool.extraction.model.columns.tree import TAG_CODES, Chain, Sums
from webtool.extraction.page.blocks import Page
from webtool.html.elements import HEADINGS

# Blocks before and after a block whose sums are features.
_WINDOWS = {3: ("words", "links", "long"), 8: ("words", "links"), 25: ("links",)}
_NEUTRAL = 128  # a score that speaks neither for nor against main content
_MISSING = 255  # the figure of what is not there
_MAX_RING = 250  # rings further out count as this one
# Figures of the branch that a block is in: seven as tree.figures() has them, then those that _branch() adds.
_BRANCH = "words links blocks long page sentence headings alike low high tag heading place".split()

NAMES = [
    *["links-1", "links+1"],
    *(f"{name}_around_{size}" for size, names in _WINDOWS.items() for name in names),
    *"index before after prev_long next_long".split(),
    *"heading heading_blocks heading_words heading_score h1_before h1_blocks headings_seen".split(),
    *"best best_words home_long_40 home_long_60 home_long_85 home_plain_50 home_plain_75".split(),
    *(f"branch_{name}" for name in _BRANCH),
]


def columns(
    page: Page, chain: Chain, sums: Sums, tags: list[str], text: dict[str, Sequence[int]], figures: list[bytes]
) -> list[Sequence[int]]:
    """Return one column per entry of NAMES.

    `text` has the columns of text.py by name, `figures` is what tree.figures() returns.
    """
    scores = heading_scores(tags, text)
    return [*_near(sums, tags, text, scores), *_home(page, chain, sums, figures, scores)]


def _near(sums: Sums, tags: list[str], text: dict[str, Sequence[int]], scores: list[int]) -> list[Sequence[int]]:
    """Return the figures of the blocks before and after each block, and of the headings above it."""
    links = bytes(text["link_share"])
    missing = bytes((_MISSING,)) * min(len(links), 1)
    near: list[Sequence[int]] = [column for size, names in _WINDOWS.items() for column in _window(sums, size, names)]
    near += _positions(sums)
    return [missing + links[:-1], links[1:] + missing, *near, *_under_headings(sums, tags, scores)]


def heading_scores(tags: list[str], text: dict[str, Sequence[int]]) -> list[int]:
    """Return for each heading the stronger of its words' mean score and its phrase's, _NEUTRAL for other blocks."""
    scores = []
    for tag, mean, phrase in zip(tags, text["word_mean"], text["phrase"]):
        stronger = mean if abs(mean - _NEUTRAL) > abs(phrase - _NEUTRAL) else phrase
        scores.append(stronger if tag in HEADINGS else _NEUTRAL)
    return scores


def _window(sums: Sums, size: int, names: tuple[str, ...]) -> list[bytes]:
    """Return words, or the share of links or of running text, among the blocks around each block, by `names`."""
    words = _around(sums.words, size)
    totals = {"links": sums.links, "long": sums.long}
    return [log_scales(words) if name == "words" else percents(_around(totals[name], size), words) for name in names]


def _around(totals: list[int], size: int) -> list[int]:
    """Return for each block the sum over itself, `size` blocks before it and `size` blocks after it."""
    at_edge = min(size, len(totals) - 1)
    before = [0] * at_edge + totals[: max(0, len(totals) - 1 - size)]
    after = totals[size + 1 :] + [totals[-1]] * at_edge
    return list(map(sub, after, before))


def _positions(sums: Sums) -> list[Sequence[int]]:
    """Return place by blocks, place by words, blocks up to the end, blocks since and until a block of running text."""
    words = sums.words
    count = len(words) - 1
    return [
        percents(range(count), repeat(count)),
        percents(words[:-1], repeat(words[-1])),
        log_scales(range(count, 0, -1)),
        _distances(sums.is_long),
        _distances(sums.is_long[::-1])[::-1],
    ]


def _distances(flags: list[bool]) -> bytes:
    """Return for each block how many blocks ago the last flagged one was, _MISSING up to the first flagged one."""
    last = flags.index(True) if True in flags else len(flags)
    before = flags[: last + 1]
    distances = []
    for i in range(last + 1, len(flags)):
        distances.append(i - last)
        if flags[i]:
            last = i
    return bytes((_MISSING,)) * len(before) + log_scales(distances)


def _under_headings(sums: Sums, tags: list[str], scores: list[int]) -> list[Sequence[int]]:
    """Return what headings tell of each block.

    That is the rank of the heading above it (7 without one), blocks and words since, that heading's score, the side of
    the first h1 it is on, the distance from that, and the headings so far.
    """
    rows = []
    first_h1 = tags.index("h1") if "h1" in tags else None
    rank_above, place, seen = 7, 0, 0
    score = _NEUTRAL
    words = sums.words
    for i, tag in enumerate(tags):
        rows.append((rank_above, i - place, words[i] - words[place], score, seen))
        rank = HEADINGS.get(tag)
        if rank:
            score = scores[i]
            rank_above, place = rank, i
            seen += 1
    if not rows:
        return [[]] * 7
    ranks, blocks, inside, heading_scores, count = zip(*rows)
    distances = [0] * len(rows) if first_h1 is None else range(-first_h1, len(rows) - first_h1)
    sides = [1 if distance > 0 else 2 * (distance < 0) for distance in distances]  # 1 below the h1, 2 above it
    far = log_scales(map(abs, distances))
    return [ranks, log_scales(blocks), log_scales(inside), heading_scores, sides, far, log_scales(count)]


def _home(page: Page, chain: Chain, sums: Sums, figures: list[bytes], scores: list[int]) -> list[list[int]]:
    """Return the rings around the homes by several shares, and the figures of the branch that each block is in."""
    count = len(page.blocks)
    if not count:
        return [[] for _ in range(7 + len(_BRANCH))]
    words, links, long, *_ = sums.inside
    plain = list(map(sub, words, links))
    best = _best(words, links, long)
    of_long = {share: _home_of(long, share) for share in (40, 60, 85)}
    of_plain = {share: _home_of(plain, share) for share in (50, 75)}
    return [
        _rings(page, best, count),
        [percent(words[best], sums.words[-1])] * count,
        *(_rings(page, home, count) for home in (*of_long.values(), *of_plain.values())),
        *_branch(page, chain, of_long[60], figures, scores),
    ]


def _best(words: list[int], links: list[int], long: list[int]) -> int:
    """Return the container with the most running text and least else.

    That is the one with the greatest square of its words in running text over all of its words and linked words.
    """
    best, highest = 0, -1.0
    for i, inside in enumerate(long):
        if inside:
            score = inside * inside / (words[i] + links[i] + 5.0)
            if score >= highest:
                best, highest = i, score
    return best


def _branch(page: Page, chain: Chain, home: int, figures: list[bytes], scores: list[int]) -> list[list[int]]:
    """Return the figures of the branch that each block is in, _MISSING on the way from the home up to the root.

    The last figure is the place of the branch in the home, in hundredths + 1; 0 if it ends before the home begins.
    """
    path = set(page.around(home))
    rows: list[tuple[int, ...]] = []
    start = page.first[home]
    on_path = (_MISSING,) * len(_BRANCH)
    for i, parent in enumerate(page.parent):
        if i in path:
            rows.append(on_path)
        elif parent in path:
            first = page.first[i]
            rows.append(
                (
                    *[column[i] for column in figures],
                    chain.alike[i],
                    _NEUTRAL + chain.low[i],
                    _NEUTRAL + chain.high[i],
                    TAG_CODES.get(page.element[i].tag, 0),
                    scores[first] if first < page.last[i] else _NEUTRAL,
                    0 if page.last[i] <= start else percent(first - start, page.last[home] - start) + 1,
                )
            )
        else:
            rows.append(rows[parent])
    return [list(column) for column in zip(*[rows[block.container] for block in page.blocks])]


def _home_of(inside: list[int], share: int) -> int:
    """Return the innermost container with this percentage of the root's figure; containers are in document order."""
    least = share * inside[0] / 100
    return next((i for i in range(len(inside) - 1, 0, -1) if inside[i] >= least), 0) if least else 0


def _rings(page: Page, home: int, count: int) -> list[int]:
    """Return the ring of each block around a home: 0 in the home, 1 in the next wider container, and so on."""
    rings = [_MISSING] * count
    if not page.element:
        return rings
    first, last = page.first[home], page.last[home]
    rings[first:last] = [0] * (last - first)
    ring = 1
    i = page.parent[home]
    while i >= 0 and ring < _MAX_RING:
        if page.first[i] < first or page.last[i] > last:
            rings[page.first[i] : first] = [ring] * (first - page.first[i])
            rings[last : page.last[i]] = [ring] * (page.last[i] - last)
            first, last = page.first[i], page.last[i]
            ring += 1
        i = page.parent[i]
    return rings
