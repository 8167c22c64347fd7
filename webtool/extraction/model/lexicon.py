"""What words and class names tell: scores learned from the corpus. In: words, elements. Out: scores, -127 to 127.

A score is how much likelier than its page's average a block is main content when it holds the word, or hangs below
an element with the token in its class, id, role or itemprop. Unknown ones count nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat

from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.memory import Remembered

_PART = patterns.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_ATTRIBUTES = frozenset(("class", "id", "role", "itemprop", "data-testid"))
MAX_NAMES = 20  # of one attribute; frameworks write dozens of classes that say nothing
MAX_WORDS = 16
_NEUTRAL = (0, 0)


def tokens(element: Element) -> list[str]:
    """What an element is called: each class, id, role and so on, and the words these are made of; without digits."""
    found: dict[str, None] = {}
    for attribute, value in element.attrs.items():
        if attribute in _ATTRIBUTES:
            found.update(dict.fromkeys(_tokens(attribute, value)))
    return list(found)


def _tokens(attribute: str, value: str) -> list[str]:
    if attribute == "role":
        return ["role:" + value[:20].lower()]
    return [token for name in value[:400].split()[:MAX_NAMES] for token in _of_name(name)]


def _of_name(name: str) -> list[str]:
    parts = _PART.findall(name) if len(name) <= 60 else []
    if not name.islower():
        parts = [part.lower() for part in parts]
    whole = ["-".join(parts)] if len(parts) > 1 else []
    return whole + [part for part in parts if len(part) > 2]


class Lexicon:
    """Scores by word, by phrase (a short block's whole text) and by token."""

    def __init__(self, words: Mapping[str, int], phrases: Mapping[str, int], tokens: Mapping[str, int]) -> None:
        self._words = words
        self._phrases = phrases
        self._tokens = tokens
        # Names come again in other attributes and on other pages.
        self._names = Remembered(lambda name: self._of_tokens(_of_name(name)))
        self._roles = Remembered(lambda role: self._of_tokens(_tokens("role", role)))
        self._attributes = Remembered(self._of_attribute)

    def words(self, found: list[str], text: str) -> tuple[int, int, int, int]:
        """(mean, least, greatest) of the first words' scores and the phrase's, each + 128; words are lower-cased."""
        get = self._words.get
        phrase = 128 + self._phrases.get(text.lower(), 0) if len(found) < 6 else 128
        if not found:
            return 128, 128, 128, phrase
        scores = list(map(get, found[:MAX_WORDS], repeat(0)))
        least, greatest = min(scores), max(scores)
        mean = 128 + sum(scores) // len(scores)
        return mean, 128 + least if least < 0 else 128, 128 + greatest if greatest > 0 else 128, phrase

    def element(self, element: Element) -> tuple[int, int]:
        """(least, greatest) score of the element's tokens; 0 where none speaks against, or for."""
        least = greatest = 0
        for name, value in element.attrs.items():
            if name in _ATTRIBUTES:
                low, high = self._roles[value] if name == "role" else self._attributes[value]
                if low < least:
                    least = low
                if high > greatest:
                    greatest = high
        return (least, greatest) if least or greatest else _NEUTRAL

    def _of_attribute(self, value: str) -> tuple[int, int]:
        least = greatest = 0
        for name in value[:400].split()[:MAX_NAMES]:
            low, high = self._names[name]
            if low < least:
                least = low
            if high > greatest:
                greatest = high
        return (least, greatest) if least or greatest else _NEUTRAL

    def _of_tokens(self, tokens: list[str]) -> tuple[int, int]:
        least = greatest = 0
        for token in tokens:
            score = self._tokens.get(token, 0)
            if score < least:
                least = score
            elif score > greatest:
                greatest = score
        return (least, greatest) if least or greatest else _NEUTRAL
