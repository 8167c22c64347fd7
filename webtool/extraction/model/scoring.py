"""Choose the main content of a page by the learned model. In: a cut page, its head, the model. Out: a probability for
each block, and the choice with the greatest expected F1.

With the blocks sorted by probability p, and w their words, keeping the first n is expected to score
2 * sum(p * w of the kept) / (sum(w of the kept) + sum(p * w of all)). choose() takes the best n.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from webtool.extraction.metadata import evidence
from webtool.extraction.model.columns import features
from webtool.extraction.model.model_file import Model
from webtool.extraction.page import grids
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head

MAX_WORDS = 1000  # a longer block counts as this long, so that a flood of words outweighs no article
# A table or a pre is chosen, too, if at least this share of the words around it is chosen and its likeliest block has
# at least MIN_DATA_CHANCE.
DATA_SHARE = {"table": 0.7, "pre": 0.8}
MIN_DATA_CHANCE = 0.2
# Factor for the odds of blocks on pages that call themselves an article or a product. Doubtful blocks there are more
# often teasers or boxes than text. On the corpus' articles 0.7 % more boilerplate is dropped and 0.1 % of the wanted
# text; products gain 0.8 points of F1. Rows and code are exempt, because no teaser is written in them.
ODDS = 0.75
EVENNESS = 0.4  # how far a block's probability moves towards its group's mean: 0 not at all, 1 all the way
MIN_GROUP = 3  # a group with fewer blocks is not evened out
KINDS = ("forum", "product", "article", "other")  # of pages; articles promise less than they hold, forums much less
STEPS = 101  # of a table of the calibration: one for each hundredth, 0 and 100 included
MIN_SCORE = -40  # below it the probability is 0; exp() would overflow far below


def probabilities(page: Page, head: Head, model: Model) -> list[float]:
    """Return for each block the probability that it is main content."""
    if not page.blocks:
        return []
    columns = features.columns(page, head, model.lexicon)
    scores = model.forest.scores(columns)
    chances = even_out([1 / (1 + exp(-score)) if score > MIN_SCORE else 0.0 for score in scores], groups(page))
    is_single = evidence.is_article(head) or evidence.is_product(head)
    if not is_single or evidence.is_forum(head, "") or "collectionpage" in head.schema_types:
        return chances
    exempt = [False] * len(chances)
    for i in page.tagged(("tr", "pre")):
        exempt[page.first[i] : page.last[i]] = [True] * (page.last[i] - page.first[i])
    doubted = [ODDS * chance / (ODDS * chance + 1 - chance) for chance in chances]
    return [chance if is_exempt else less for chance, less, is_exempt in zip(chances, doubted, exempt)]


def groups(page: Page) -> list[int]:
    """Return for each block the number of its group.

    Blocks of a group have the same tags and classes in their three innermost containers, as all prices of a list do.
    """
    kinds, parent = page.kinds, page.parent
    numbers: dict[object, int] = {}
    group_of = []
    for block in page.blocks:
        near = parent[block.container]
        far = parent[near] if near >= 0 else -1
        inline = block.inline
        key = (
            kinds[block.container],
            kinds[near] if near >= 0 else -1,
            kinds[far] if far >= 0 else -1,
            (inline.tag, inline.attrs.get("class", "")) if inline is not None else None,
        )
        group_of.append(numbers.setdefault(key, len(numbers)))
    return group_of


def even_out(chances: Sequence[float], group_of: Sequence[int]) -> list[float]:
    """Return probabilities moved towards the mean of their group, so that all prices of a list are kept, or none is."""
    sums: dict[int, list[float]] = {}
    for chance, group in zip(chances, group_of):
        entry = sums.setdefault(group, [0.0, 0.0])
        entry[0] += 1
        entry[1] += chance
    means = {group: total / count for group, (count, total) in sums.items() if count >= MIN_GROUP}
    return [
        chance + EVENNESS * (means[group] - chance) if group in means else chance
        for chance, group in zip(chances, group_of)
    ]


def choose(page: Page, chances: Sequence[float]) -> list[bool]:
    """Choose the set of blocks with the greatest expected F1, with tables and code completed."""
    words = [size if size < MAX_WORDS else MAX_WORDS for size in page.sizes]
    expected = sum(chance * count for chance, count in zip(chances, words))
    order = sorted(range(len(words)), key=[-chance for chance in chances].__getitem__)
    best = 0.0  # half of the best F1 so far
    hits = 0.0  # words that the blocks so far are expected to share with the main content
    size = 0  # words of the blocks so far
    min_chance = 2.0  # of a chosen block; no block has a chance of 2, so without a hope nothing is chosen
    for i in order:
        hits += chances[i] * words[i]
        size += words[i]
        if hits > best * (size + expected):
            best, min_chance = hits / (size + expected), chances[i]
    chosen = [chance >= min_chance for chance in chances]
    _keep_data(page, chances, chosen)
    return chosen


def confidence(
    page: Page, chances: Sequence[float], kept: Sequence[bool], kind: int, calibration: Sequence[int]
) -> float:
    """Return the expected F1 of a choice, from 0 to 1.

    `kind` is what kind_of() returns. `calibration` has a table for each of KINDS: choices with such probabilities on
    pages of this kind had this F1 on average in cross-validation.
    """
    size = hits = expected = 0.0
    for block, chance, is_kept in zip(page.blocks, chances, kept):
        words = min(MAX_WORDS, block.words)
        expected += chance * words
        if is_kept:
            size += words
            hits += chance * words
    promised = 2 * hits / (size + expected) if size + expected else 0.0
    return calibration[STEPS * kind + round(100 * promised)] / 100


def kind_of(head: Head, address: str) -> int:
    """Return which of KINDS a page is by its data and address."""
    if evidence.is_forum(head, address):
        return KINDS.index("forum")
    if evidence.is_product(head):
        return KINDS.index("product")
    return KINDS.index("article" if evidence.is_article(head) else "other")


def _keep_data(page: Page, chances: Sequence[float], chosen: list[bool]) -> None:
    """Choose tables and code amid chosen text, unless the model is sure that they are boilerplate.

    Figures and commands look little like running text, but the text around them is about them.
    """
    places = [*page.tagged(("pre",)), *grids.of_data(page)]
    if not places:
        return
    words = page.words
    kept = page.words_of(chosen)
    for i in sorted(places):
        share = DATA_SHARE[page.element[i].tag]
        first, last = page.first[i], page.last[i]
        if first == last or all(chosen[first:last]) or max(chances[first:last]) < MIN_DATA_CHANCE:
            continue
        outer = page.parent[i]
        while outer >= 0 and page.first[outer] == first and page.last[outer] == last:
            outer = page.parent[outer]
        if outer >= 0:
            start, end = page.first[outer], page.last[outer]
            around = words[end] - words[start] - words[last] + words[first]
            if kept[end] - kept[start] - kept[last] + kept[first] >= share * around:
                chosen[first:last] = [True] * (last - first)
