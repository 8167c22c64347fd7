"""Which blocks are main content, by the learned model. In: a cut page, its head, the model. Out: a probability each,
and the choice that these make best.

The cut is the one of greatest expected F1: with the blocks in order of probability p and their words w, keeping the
first n is expected to score 2 * sum(p * w of the kept) / (sum(w of the kept) + sum(p * w of all)).
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

MAX_WORDS = 1000
"""What a block counts at most, so that a flood of words outweighs no article."""
DATA = {"table": 0.7, "pre": 0.8}
"""By tag: the share of the words around such an element that must be chosen to choose it, too, where LEAST_DATA is
the chance of the likeliest block in it."""
LEAST_DATA = 0.2
ODDS = 0.75
"""By what the odds of each block are multiplied on a page that says that it is an article or a product: what is in
doubt there is oftener a teaser, a box or what else a shop says than text. On articles of the corpus 0.7 % more of the
boilerplate goes, and 0.1 % of the wanted text; products gain 0.8 points of F1. Rows and code are exempt: no teaser is
written in them."""
EVENNESS = 0.4
LEAST_GROUP = 3


def probabilities(page: Page, head: Head, model: Model) -> list[float]:
    """How likely each block is main content."""
    if not page.blocks:
        return []
    columns = features.columns(page, head, model.lexicon)
    scores = model.forest.scores(columns)
    chances = even_out([1 / (1 + exp(-score)) if score > -40 else 0.0 for score in scores], groups(page))
    is_one = evidence.is_article(head) or evidence.is_product(head)
    if not is_one or evidence.is_forum(head, "") or "collectionpage" in head.schema_types:
        return chances
    exempt = [False] * len(chances)
    for i in page.tagged(("tr", "pre")):
        exempt[page.first[i] : page.last[i]] = [True] * (page.last[i] - page.first[i])
    doubted = [ODDS * chance / (ODDS * chance + 1 - chance) for chance in chances]
    return [chance if is_exempt else less for chance, less, is_exempt in zip(chances, doubted, exempt)]


def groups(page: Page) -> list[int]:
    """For each block the number of its group: those whose three innermost containers have the same tags and classes."""
    kinds, parent = page.kinds, page.parent
    numbers: dict[object, int] = {}
    found = []
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
        found.append(numbers.setdefault(key, len(numbers)))
    return found


def even_out(chances: Sequence[float], group_of: Sequence[int]) -> list[float]:
    """Chances moved towards the mean of their group, so that all prices of a list stay, or none."""
    sums: dict[int, list[float]] = {}
    for chance, group in zip(chances, group_of):
        entry = sums.setdefault(group, [0.0, 0.0])
        entry[0] += 1
        entry[1] += chance
    means = {group: total / count for group, (count, total) in sums.items() if count >= LEAST_GROUP}
    return [
        chance + EVENNESS * (means[group] - chance) if group in means else chance
        for chance, group in zip(chances, group_of)
    ]


def choose(page: Page, chances: Sequence[float]) -> list[bool]:
    """The blocks whose keeping is expected to score best."""
    words = [size if size < MAX_WORDS else MAX_WORDS for size in page.sizes]
    expected = sum(chance * count for chance, count in zip(chances, words))
    order = sorted(range(len(words)), key=[-chance for chance in chances].__getitem__)
    best, least, hits, size = -1.0, 1.0, 0.0, 0
    for i in order:
        hits += chances[i] * words[i]
        size += words[i]
        value = hits / (size + expected)
        if value > best:
            best, least = value, chances[i]
    chosen = [chance >= least for chance in chances]
    _keep_data(page, chances, chosen)
    return chosen


def confidence(page: Page, chances: Sequence[float], kept: Sequence[bool], model: Model) -> float:
    """The F1 that a choice is expected to have: what such promises of the chances were worth in cross-validation."""
    size = hits = expected = 0.0
    for block, chance, is_kept in zip(page.blocks, chances, kept):
        words = min(MAX_WORDS, block.words)
        expected += chance * words
        if is_kept:
            size += words
            hits += chance * words
    promised = 2 * hits / (size + expected) if size + expected else 0.0
    return model.calibration[round(100 * promised)] / 100


def _keep_data(page: Page, chances: Sequence[float], chosen: list[bool]) -> None:
    """Tables and code in the midst of chosen text are chosen where the model is only in doubt: figures and commands
    look little like running text, but a text that speaks of them is nothing without them."""
    places = [*page.tagged(("pre",)), *grids.of_data(page)]
    if not places:
        return
    words = page.words
    kept = page.words_of(chosen)
    for i in sorted(places):
        share = DATA[page.element[i].tag]
        first, last = page.first[i], page.last[i]
        if first == last or all(chosen[first:last]) or max(chances[first:last]) < LEAST_DATA:
            continue
        outer = page.parent[i]
        while outer >= 0 and page.first[outer] == first and page.last[outer] == last:
            outer = page.parent[outer]
        if outer >= 0:
            start, end = page.first[outer], page.last[outer]
            around = words[end] - words[start] - words[last] + words[first]
            if kept[end] - kept[start] - kept[last] + kept[first] >= share * around:
                chosen[first:last] = [True] * (last - first)
