"""Score words and class names by what the corpus taught. In: words, elements. Out: scores from -127 to 127.

A score above 0 means that a block with the word is likelier main content than the page's average block, below 0 that
it is less likely. A token's score says this of blocks inside an element that has the token in its class, id, role,
itemprop or data-testid. A token is a name or a part of it: "postBody" has "post-body", "post" and "body". What the
corpus does not have scores 0.
Tests: tests/extraction/model/test_model.py
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.memory import Remembered

_PART = patterns.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SMALL_LETTERS = bytes([code if 97 <= code <= 122 else 32 for code in range(256)])  # all others become spaces
_ATTRIBUTES = frozenset(("class", "id", "role", "itemprop", "data-testid"))
MAX_NAMES = 20  # of an attribute; later ones are not read: frameworks write dozens of classes without meaning
MAX_ATTRIBUTE = 400  # characters of an attribute that are read
MAX_NAME = 60  # characters; a longer name has no tokens
MAX_ROLE = 20  # characters of a role that are read
MAX_WORDS = 16  # of a text; later ones are not scored
MAX_PHRASE = 5  # words; a longer text is not looked up as a whole
MAX_REMEMBERED = 5000  # names whose scores are remembered
_NEUTRAL = (0, 0)
_NOTHING = ("", b"")


def tokens(element: Element) -> list[str]:
    """Return the tokens of an element's class, id, role and so on, each once; digits are left out."""
    of_element: dict[str, None] = {}
    for attribute, value in element.attrs.items():
        if attribute in _ATTRIBUTES:
            of_element.update(dict.fromkeys(_tokens(attribute, value)))
    return list(of_element)


def _tokens(attribute: str, value: str) -> list[str]:
    if attribute == "role":
        return ["role:" + value[:MAX_ROLE].lower()]
    return [token for name in value[:MAX_ATTRIBUTE].split()[:MAX_NAMES] for token in _of_name(name)]


def _of_name(name: str) -> list[str]:
    """Return the tokens of a name: "postBody2" gives "post-body", "post" and "body"."""
    if len(name) > MAX_NAME:
        return []
    if name.islower():
        parts = name.encode("ascii", "replace").translate(_SMALL_LETTERS).decode().split()
    else:
        parts = [part.lower() for part in _PART.findall(name)]
    of_name = [part for part in parts if len(part) > 2]
    if len(parts) > 1:
        of_name.append("-".join(parts))
    return of_name


class Names(dict[str, int]):
    """{name: score}, 0 for an unknown name. Either `scores` has the names, or `by_start`; the other is empty.

    `by_start` is {first two characters: ("\\nname\\nnext name\\n", a signed byte for each name)}. A name is searched in
    that string, as making a dict of all 7,000 names takes longer than it saves on one page.
    """

    def __init__(self, by_start: dict[str, tuple[str, bytes]], scores: Mapping[str, int]) -> None:
        super().__init__(scores)
        self._by_start = by_start

    def __missing__(self, name: str) -> int:
        names, scores = self._by_start.get(name[:2], _NOTHING)
        place = names.find(f"\n{name}\n")
        is_known = place >= 0 and "\n" not in name
        score = scores[names.count("\n", 0, place)] if is_known else 0  # line feeds before a name count the names
        if score > 127:  # a signed byte
            score -= 256
        if self._by_start and len(name) <= MAX_NAME:
            if len(self) >= MAX_REMEMBERED:
                self.clear()
            self[name] = score
        return score


class Lexicon:
    """Looks up scores by word, by phrase (a short block's whole text) and by token."""

    def __init__(self, words: Mapping[str, int], phrases: Mapping[str, int], tokens: Mapping[str, int]) -> None:
        self._words, self._phrases, self._tokens = (
            scores if isinstance(scores, Names) else Names({}, scores) for scores in (words, phrases, tokens)
        )
        # Names recur in other attributes and on other pages.
        self._names = Remembered(lambda name: self._of_tokens(_of_name(name)))
        self._roles = Remembered(lambda role: self._of_tokens(_tokens("role", role)))
        self._attributes = Remembered(self._of_attribute)

    def words(self, text_words: list[str], text: str) -> tuple[int, int, int, int]:
        """Return mean, lowest and highest score of a text's first words, and its score as a phrase, each + 128.

        `text_words` are the text's words in lower case. The lowest is at most 128, the highest at least 128.
        """
        phrase = 128 + self._phrases[text.lower()] if len(text_words) <= MAX_PHRASE else 128
        if not text_words:
            return 128, 128, 128, phrase
        scores = list(map(self._words.__getitem__, text_words[:MAX_WORDS]))
        lowest, highest = min(scores), max(scores)
        mean = 128 + sum(scores) // len(scores)
        return mean, 128 + lowest if lowest < 0 else 128, 128 + highest if highest > 0 else 128, phrase

    def element(self, element: Element) -> tuple[int, int]:
        """Return the lowest (at most 0) and the highest (at least 0) score of an element's tokens."""
        least = greatest = 0
        for name, value in element.attrs.items():
            if name in _ATTRIBUTES:
                low, high = self._roles[value] if name == "role" else self._attributes[value]
                if low < least:
                    least = low
                if high > greatest:
                    greatest = high
        return least, greatest

    def _of_attribute(self, value: str) -> tuple[int, int]:
        names = value[:MAX_ATTRIBUTE].split()[:MAX_NAMES]
        lows, highs = zip(_NEUTRAL, *map(self._names.__getitem__, names))
        return min(lows), max(highs)

    def _of_tokens(self, tokens: list[str]) -> tuple[int, int]:
        scores = [0, *map(self._tokens.__getitem__, tokens)]
        return min(scores), max(scores)
