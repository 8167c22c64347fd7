"""The words of a query against the words of a page. In: a query, the page's words. Out: Terms, which look them up.

What a word tells is its rarity on the page (BM25's idf). A word of the page that only resembles the query's is worth
the resemblance, and less where it is common: on a page about sourdough, "sourdough" says little of "sour".
"""

from __future__ import annotations

import math

from webtool.answers.question import asking
from webtool.answers.question.kinship import INFLECTED, Vocabulary

_AGAIN = 0.35  # what a second word for the same term adds, of what the first left open
_PLACED = 0.5  # a word that means a term at least as surely takes part in phrases


class Terms:
    """The terms of a query: `words`, and `weights`, what each tells."""

    def __init__(self, query: str, tokens: list[list[str]], titles: list[list[str]]) -> None:
        self._count = len(tokens)
        self._having: dict[str, int] = {}  # word: units that have it
        for one in tokens:
            for token in set(one):
                self._having[token] = self._having.get(token, 0) + 1
        vocabulary = Vocabulary({*self._having, *(token for one in titles for token in one)})
        self.words = asking.content_words(query)
        self.weights: list[float] = []
        self._meaning: dict[str, list[tuple[int, float]]] = {}
        for term, word in enumerate(self.words):
            self._add(term, word, vocabulary.kin(word))

    def _add(self, term: int, word: str, kin: dict[str, float]) -> None:
        surest = [other for other, weight in kin.items() if weight >= INFLECTED]
        rarity = self._rarity(sum(self._having.get(other, 0) for other in surest) if surest else 1)
        self.weights.append(rarity * asking.strength(word))
        for other, weight in kin.items():
            if weight < INFLECTED:
                weight *= min(1.0, self._rarity(self._having.get(other, 1)) / rarity)
            self._meaning.setdefault(other, []).append((term, weight))

    def _rarity(self, having: int) -> float:
        having = min(having, self._count)
        return math.log(1 + (self._count - having + 0.5) / (having + 0.5))

    def found_in(self, tokens: list[str]) -> tuple[list[float], list[tuple[int, int]]]:
        """For each term how surely it is meant in these words, 0 to 1, [] for none; (position, term) of the surest."""
        sure: list[float] = []
        places: list[tuple[int, int]] = []
        meaning = self._meaning
        for position, token in enumerate(tokens):
            hits = meaning.get(token)
            if hits is None:
                continue
            if not sure:
                sure = [0.0] * len(self.words)
            for term, weight in hits:
                low, high = sorted((sure[term], weight))
                sure[term] = high + (1 - high) * _AGAIN * low
                if weight >= _PLACED:
                    places.append((position, term))
        return sure, places
