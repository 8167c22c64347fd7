"""Match the words of a query against the words of a page. In: a query, the page's words. Out: Terms, with weights.

A word of the page answers to a word of the query if both are equal, or differ only in endings that inflect or derive
words. Parts of compounds and of names in programs answer, too. So do the words that a data file of lexicon.py lists
together: forms, synonyms, translations.

A word of the query weighs more if it is rare on the page (the idf of BM25). A word that only resembles it counts less,
and still less if it is common: on a page about sourdough, "sourdough" hardly answers to "sour".

Tests: tests/answers/question/test_excerpt.py
"""

from __future__ import annotations

import math
from bisect import bisect_left

from webtool.answers.question import lexicon
from webtool.answers.question import query as query_reading
from webtool.answers.question.lexicon import DERIVED, INFLECTED, SAME, related_weight, shortest_stem
from webtool.answers.words import fold, is_unspaced, parts

PART, SYNONYM, TRANSLATION, ALIKE = (
    0.5,
    0.4,
    0.6,
    0.4,
)  # how surely a word of the page means a word of the query, 0 to 1
_MIN_PART = 4  # letters; a shorter word of the query is not looked for inside longer words
_MIN_HALF = 5  # letters of a word of the page with which a longer word of the query begins or ends
_MAX_RELATED = 60  # words of a page that match one word of a query
_MIN_PHRASE_WEIGHT = 0.5  # a word that means a term less surely takes no part in phrases


class Terms:
    """The terms of a query on one page: `words`, and `weights`, what finding each one is worth.

    `tokens` are the words of each unit of the page, `titles` those of each heading.
    """

    def __init__(self, query: str, tokens: list[list[str]], titles: list[list[str]]) -> None:
        self._unit_count = len(tokens)
        self._units_with: dict[str, int] = {}  # word: number of units that have it
        for unit_tokens in tokens:
            for token in set(unit_tokens):
                self._units_with[token] = self._units_with.get(token, 0) + 1
        title_words = {token for title_tokens in titles for token in title_tokens}
        vocabulary = Vocabulary({*self._units_with, *title_words})
        self.words = query_reading.content_words(query)
        self.words += lexicon.unspaced_words_in(fold(query[: query_reading.MAX_CHARACTERS]))
        self.weights: list[float] = []
        self._terms_of: dict[str, list[tuple[int, float]]] = {}  # word of the page: (term, how surely it means it)
        for term, word in enumerate(self.words):
            self._add(term, word, vocabulary.related_words(word))

    def _add(self, term: int, word: str, related: dict[str, float]) -> None:
        surest = [other for other, weight in related.items() if weight >= INFLECTED]
        rarity = self._rarity(sum(self._units_with.get(other, 0) for other in surest) if surest else 1)
        self.weights.append(rarity * query_reading.strength(word))
        for other, weight in related.items():
            if weight < INFLECTED:
                weight *= min(1.0, self._rarity(self._units_with.get(other, 1)) / rarity)
            self._terms_of.setdefault(other, []).append((term, weight))

    def relative_rarity(self, term: int, units: int) -> float:
        """Return how rare something is that this many units have, compared to a term: at most 1."""
        return min(1.0, self._rarity(max(units, 1)) / (self.weights[term] or 1.0))

    def share_of_rarest(self, units: int) -> float:
        """Return how rare something is that this many units have, compared to what one has: at most 1."""
        return min(1.0, self._rarity(max(units, 1)) / (self._rarity(1) or 1.0))

    def _rarity(self, units: int) -> float:
        units = min(units, self._unit_count)
        return math.log(1 + (self._unit_count - units + 0.5) / (units + 0.5))

    def found_in(self, tokens: list[str]) -> tuple[list[float], list[tuple[int, int]]]:
        """Return for each term how surely these words mean it (0 to 1), and (position, term) of the sure ones.

        The first list is empty if the words mean no term at all.
        """
        certainties: list[float] = []
        places: list[tuple[int, int]] = []
        terms_of = self._terms_of
        for position, token in enumerate(tokens):
            hits = terms_of.get(token)
            if hits is None:
                continue
            if not certainties:
                certainties = [0.0] * len(self.words)
            for term, weight in hits:
                certainties[term] = max(certainties[term], weight)
                if weight >= _MIN_PHRASE_WEIGHT:
                    places.append((position, term))
        return certainties, places


class Vocabulary:
    """The distinct words of a page. A look-up costs a binary search and a search in the joined text."""

    def __init__(self, words: set[str]) -> None:
        self._words = words
        self._sorted = sorted(words)
        self._joined = "\n".join(["", *self._sorted, ""])

    def related_words(self, word: str) -> dict[str, float]:
        """Return the words of the page that answer to this one, each with its weight from 0 to 1."""
        weights: dict[str, float] = {}
        if word in self._words:
            weights[word] = SAME
        if len(word) == 1 and is_unspaced(word):
            self._add_containing(word, weights)
        elif not word.isdigit() and len(word) > 2:
            self._add_inflected(word, weights)
            if len(word) >= _MIN_PART:
                self._add_containing(word, weights)
            ends = [part for cut in range(_MIN_HALF, len(word) - 2) for part in (word[:cut], word[-cut:])]
            for piece in [*parts(word), *ends]:  # "festplattengrosse" -> "grosse"
                if piece in self._words and len(piece) > 2:
                    weights.setdefault(piece, PART)
        self._add_meaning(weights, lexicon.others_in("irregular_forms.txt", word), INFLECTED, INFLECTED)
        self._add_meaning(weights, lexicon.others_in("translations.txt", word), DERIVED, TRANSLATION)
        self._add_meaning(weights, lexicon.others_in("synonyms.txt", word), DERIVED, SYNONYM)
        return weights

    def _add_meaning(
        self, weights: dict[str, float], others: tuple[str, ...], min_weight: float, factor: float
    ) -> None:
        """Add words of the same meaning and their inflected forms of at least `min_weight`, times `factor`."""
        for other in others:
            for related, weight in self._forms_of(other).items():
                if weight >= min_weight and weights.get(related, 0) < factor * weight:
                    weights[related] = factor * weight

    def _forms_of(self, word: str) -> dict[str, float]:
        weights = {word: SAME} if word in self._words else {}
        if len(word) > 2 and not is_unspaced(word):
            self._add_inflected(word, weights)
        return weights

    def _add_inflected(self, word: str, weights: dict[str, float]) -> None:
        """Add words with a common beginning that differ only in endings."""
        stem = shortest_stem(word)
        position = bisect_left(self._sorted, stem)
        while position < len(self._sorted) and self._sorted[position].startswith(stem):
            if len(weights) >= _MAX_RELATED:
                break
            other = self._sorted[position]
            weight = related_weight(word, other)
            if weight > weights.get(other, 0):
                weights[other] = weight
            position += 1

    def _add_containing(self, word: str, weights: dict[str, float]) -> None:
        """Add words that contain this one: "berths" -> "berthsize", "port" -> "airport" (less, inside a long word)."""
        base = word[:-1] if word.endswith("s") and len(word) > _MIN_PART + 1 else word
        start = self._joined.find(base)
        while start >= 0 and len(weights) < _MAX_RELATED:
            begin = self._joined.rfind("\n", 0, start) + 1
            end = self._joined.find("\n", start)
            other = self._joined[begin:end]
            is_main_part = len(base) / len(other) >= 0.5 or start == begin or "_" in other
            weights.setdefault(other, PART if is_main_part else PART * 0.6)
            start = self._joined.find(base, end)
