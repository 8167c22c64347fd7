"""Match the words of a query against the words of a page. In: words of a query, the page's words. Out: Terms, weights.

A word of the page answers to a word of the query if both are equal, or differ only in endings that inflect or derive
words. Parts of compounds and of names in programs answer, too. So do words that a data file beside this module lists
together. All files are folded (lower case, no accents):

    languages.txt          stop words, words that ask for a kind of answer, units, endings; one language a line
    irregular_forms.txt    go went gone
    synonyms.txt           price cost fee
    translations.txt       price precio preis; one meaning a line

A word of the query weighs more if it is rare on the page (the idf of BM25). A word that only resembles it counts less,
and still less if it is common: on a page about sourdough, "sourdough" hardly answers to "sour".

Archives and wheels have languages.marshal instead of languages.txt: what kinds() returns, marshalled by build.py.
Tests: tests/answers/question/test_excerpt.py
"""

from __future__ import annotations

import marshal
import math
from bisect import bisect_left
from functools import cache, lru_cache

from webtool.answers.words import has_unspaced, is_unspaced, parts
from webtool.lean import datafiles

FILES = ("irregular_forms.txt", "synonyms.txt", "translations.txt")
SAME, INFLECTED, DERIVED = 1.0, 0.95, 0.6  # how surely a word means another one, 0 to 1
MIN_STEM = 3  # letters that two inflected words share
# Endings after a stem of three letters, by verb or noun class: "car" and "care" are different words.
_SHORT_STEM_ENDINGS = (
    frozenset(["", "s", "es", "ed", "ing"]),
    frozenset(["e", "es", "ed", "ing"]),
    frozenset(["y", "ies", "ied"]),
)


@cache
def kinds() -> dict[str, dict[str, list[str]]]:
    """Return languages.txt: {"stop_words": {"en": ["a", "an"]}}. Raises ValueError for a bad line."""
    try:
        return marshal.loads(datafiles.read(__name__, "languages.marshal"))  # type: ignore[no-any-return]
    except OSError:  # a checkout
        lines = datafiles.read(__name__, "languages.txt").decode("utf-8").splitlines()
    sections: dict[str, dict[str, list[str]]] = {}
    for line in lines:
        if line.startswith("["):
            languages = sections[line[1 : line.index("]")]] = {}
        elif line and not line.startswith("#"):
            language, colon, text = line.partition(": ")
            if not colon or language in languages:
                raise ValueError(f"not the line of a new language: {line!r}")
            languages[language] = text.split(", ") if ", " in text else text.split()
    return sections


def words_of(kind: str) -> list[str]:
    """Return the words or phrases of a kind in all languages, each once."""
    return list(dict.fromkeys(word for listed in kinds()[kind].values() for word in listed))


def pattern_of(kind: str) -> str:
    """Return a regular expression for the words of a kind: whole words in scripts with spaces, "kg" not in "kgs"."""
    listed = words_of(kind)
    unspaced = [word for word in listed if is_unspaced(word.lstrip("["))]
    spaced = "|".join(word for word in listed if word not in unspaced)
    return "|".join([rf"(?:{spaced})\b", *unspaced])


def related_weight(word: str, other: str) -> float:
    """Return how surely two words are forms of one.

    SAME         tide, tide
    INFLECTED    city, cities: both endings are inflections in one language
    DERIVED      both endings derive words
    0            others, and words whose common beginning is too short
    """
    if word == other:
        return SAME
    limit = min(len(word), len(other))
    common = 0
    while common < limit and word[common] == other[common]:
        common += 1
    best = 0.0
    # The stem may end one letter before the last common one: bake, baking; cities, city.
    for stem in (common, common - 1):
        if stem < MIN_STEM or stem * 2 < limit:
            break
        left, right = word[stem:], other[stem:]
        if stem == MIN_STEM:
            is_pair = any(left in endings and right in endings for endings in _SHORT_STEM_ENDINGS)
            return INFLECTED if is_pair else 0.0
        inflections, derivations = _endings()
        undoubled = _undoubled(left, word, stem), _undoubled(right, other, stem)
        if any(undoubled[0] in endings and undoubled[1] in endings for endings in inflections):
            return INFLECTED
        if left in derivations and right in derivations:
            best = DERIVED
    return best


@cache
def _endings() -> tuple[tuple[frozenset[str], ...], frozenset[str]]:
    """Return the endings of inflected words by language, and those of derived words; "" is the bare stem."""
    inflections = tuple(frozenset(["", *endings]) for endings in kinds()["inflections"].values())
    return inflections, frozenset(words_of("derivations")).union(*inflections)


def _undoubled(ending: str, word: str, stem: int) -> str:
    """Return the ending without a letter that doubles the stem's last: "ning" after "plan" -> "ing"."""
    return ending[1:] if ending and ending[0] == word[stem - 1] else ending


def shortest_stem(word: str) -> str:
    """Return how all inflected forms of a word begin."""
    return word[: max(MIN_STEM, len(word) - 4)]


@lru_cache(maxsize=4096)
def others_in(file_name: str, word: str) -> tuple[str, ...]:
    """Return the other words of all lines of a data file that have a word, or else an inflected form of it.

    "went" -> "go", "gone" of irregular_forms.txt; "costs" -> "price", "cost", "fee" of synonyms.txt.
    """
    groups = groups_in(file_name)
    others: dict[str, None] = {}
    exact = f" {word} "
    start = exact if exact in groups else " " + shortest_stem(word)
    place = groups.find(start)
    while place >= 0:
        listed = groups[place + 1 : groups.find(" ", place + 1)]
        if listed == word or (start != exact and related_weight(word, listed) >= INFLECTED):
            begin, end = groups.rfind("\n", 0, place) + 1, groups.find("\n", place)
            others.update(dict.fromkeys(groups[begin:end].split()))
        place = groups.find(start, place + 1)
    others.pop(word, None)
    return tuple(others)


@cache
def groups_in(file_name: str) -> str:
    """Return the groups of a data file as lines " word word ", which a look-up searches as text."""
    text = datafiles.read(__name__, file_name).decode("utf-8")
    return "".join([f" {line} \n" for line in text.splitlines() if not line.startswith("#")])


def unspaced_words_in(folded: str) -> list[str]:
    """Return the words of three and more characters without spaces that translations.txt lists and the text has."""
    listed = dict.fromkeys(groups_in("translations.txt").split()) if has_unspaced(folded) else {}
    return [word for word in listed if len(word) > 2 and word in folded and is_unspaced(word)]


# The words of one query on one page.

# How surely a word of the page means a word of the query, 0 to 1.
PART, SYNONYM, TRANSLATION = 0.5, 0.45, 0.6
_MIN_PART = 4  # letters; a shorter word of the query is not looked for inside longer words
_MIN_HALF = 5  # letters; a shorter word of the page is not looked for at the ends of a word of the query
_MAX_RELATED = 60  # words of a page that match one word of a query
_MIN_PHRASE_WEIGHT = 0.5  # a word that means a term less surely takes no part in phrases


class Terms:
    """The terms of a query on one page: `words`, and `weights`, what finding each one is worth.

    `strengths` has for each word of the query how much finding it says, 0 to 1. `tokens` are the words of each unit of
    the page, `titles` those of each heading.
    """

    def __init__(self, strengths: dict[str, float], tokens: list[list[str]], titles: list[list[str]]) -> None:
        self._unit_count = len(tokens)
        self._units_with: dict[str, int] = {}  # word: number of units that have it
        for unit_tokens in tokens:
            for token in set(unit_tokens):
                self._units_with[token] = self._units_with.get(token, 0) + 1
        title_words = {token for title_tokens in titles for token in title_tokens}
        vocabulary = Vocabulary({*self._units_with, *title_words})
        self.words = list(strengths)
        self.weights: list[float] = []
        # Word of the page -> the terms that it may mean, each with its certainty.
        self._terms_of: dict[str, list[tuple[int, float]]] = {}
        for term, (word, strength) in enumerate(strengths.items()):
            self._add(term, strength, vocabulary.related_words(word))

    def _add(self, term: int, strength: float, related: dict[str, float]) -> None:
        surest = [other for other, weight in related.items() if weight >= INFLECTED]
        rarity = self._rarity(sum(self._units_with.get(other, 0) for other in surest) if surest else 1)
        self.weights.append(rarity * strength)
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
        irregular = others_in("irregular_forms.txt", word)  # "stole" -> "steal", which has the synonym "theft"
        self._add_meaning(weights, irregular, INFLECTED, INFLECTED)
        # Not of its forms: "datum" of "data" is a date in German, "pay" of "paid" is like French "pays", a country.
        self._add_meaning(weights, others_in("translations.txt", word), DERIVED, TRANSLATION)
        for form in (word, *irregular):
            self._add_meaning(weights, others_in("synonyms.txt", form), DERIVED, SYNONYM)
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
