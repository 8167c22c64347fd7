"""Look up what is known of words, whatever the page. In: folded words, or the name of a kind. Out: words, certainties.

Data files beside this module, all folded (lower case, no accents):

    languages.txt          stop words, words that ask for a kind of answer, units, endings; one language a line
    irregular_forms.txt    go went gone
    synonyms.txt           price cost fee
    translations.txt       price precio preis; one meaning a line

Archives and wheels have languages.marshal instead of languages.txt: what kinds() returns, marshalled by build.py.
Tests: tests/answers/question/test_excerpt.py
"""

from __future__ import annotations

import marshal
from functools import cache, lru_cache

from webtool.answers.words import has_unspaced, is_unspaced
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
    """Return how surely two words are forms of one: SAME, INFLECTED ("city", "cities"), DERIVED or 0."""
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
