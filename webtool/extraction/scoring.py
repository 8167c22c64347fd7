"""Which blocks are main content, by the learned model. In: a cut page, its head, the model. Out: a probability each,
and the choice that these make best.

The cut is the one of greatest expected F1: with the blocks in order of probability p and their words w, keeping the
first n is expected to score 2 * sum(p * w of the kept) / (sum(w of the kept) + sum(p * w of all)).
"""

from __future__ import annotations

from math import exp

from webtool.extraction import features

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from webtool.extraction.blocks import Page
    from webtool.extraction.head import Head
    from webtool.extraction.model import Model


MAX_WORDS = 1000
"""What a block counts at most, so that a flood of words outweighs no article."""


def probabilities(page: Page, head: Head, model: Model) -> list[float]:
    """How likely each block is main content."""
    if not page.blocks:
        return []
    columns = features.columns(page, head, model.lexicon)
    return [_sigmoid(score) for score in model.forest.scores(columns)]


def _sigmoid(score: float) -> float:
    return 1 / (1 + exp(-score)) if score > -40 else 0.0


def choose(page: Page, chances: Sequence[float]) -> list[bool]:
    """The blocks whose keeping is expected to score best."""
    words = [min(MAX_WORDS, block.words) for block in page.blocks]
    expected = sum(chance * count for chance, count in zip(chances, words))
    order = sorted(range(len(words)), key=lambda i: -chances[i])
    best, least, hits, size = -1.0, 1.0, 0.0, 0
    for i in order:
        hits += chances[i] * words[i]
        size += words[i]
        value = hits / (size + expected)
        if value > best:
            best, least = value, chances[i]
    return [chance >= least and chance > 0 for chance in chances]
