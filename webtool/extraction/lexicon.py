"""What words and class names tell: scores learned from the corpus. In: words, elements. Out: scores, -127 to 127.

A score is how much likelier than its page's average a block is main content when it holds the word, or hangs below
an element with the token in its class, id, role or itemprop. Unknown ones count nothing.
"""

from __future__ import annotations

from webtool import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from webtool.html.node import Element

_PART = patterns.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_ATTRIBUTES = ("class", "id", "role", "itemprop", "data-testid")
MAX_TOKENS = 24  # of one element; frameworks write dozens of classes that say nothing
MAX_WORDS = 16


def tokens(element: Element) -> list[str]:
    """What an element is called: each class, id, role and so on, and the words these are made of; without digits."""
    found: dict[str, None] = {}
    attrs = element.attrs
    for attribute in _ATTRIBUTES:
        value = attrs.get(attribute)
        if value:
            _split(value, attribute[0], found)
    return list(found)[:MAX_TOKENS]


def _split(value: str, kind: str, found: dict[str, None]) -> None:
    for name in value[:400].split()[:MAX_TOKENS]:
        if len(name) > 60:
            continue
        parts = [part.lower() for part in _PART.findall(name)]
        if len(parts) > 1:
            found["-".join(parts)] = None
        for part in parts:
            if len(part) > 2:
                found[part] = None
    if kind == "r":
        found["role:" + value[:20].lower()] = None


class Lexicon:
    """Scores by word, by phrase (a short block's whole text) and by token."""

    def __init__(self, words: Mapping[str, int], phrases: Mapping[str, int], tokens: Mapping[str, int]) -> None:
        self._words = words
        self._phrases = phrases
        self._tokens = tokens

    def words(self, found: list[str], text: str) -> tuple[int, int, int, int]:
        """(mean, least, greatest) of the first words' scores and the phrase's, each + 128."""
        get = self._words.get
        scores = [get(word, 0) for word in found[:MAX_WORDS]]
        phrase = self._phrases.get(text, 0) if len(found) < 6 else 0
        if not scores:
            return 128, 128, 128, 128 + phrase
        return 128 + sum(scores) // len(scores), 128 + min(0, *scores), 128 + max(0, *scores), 128 + phrase

    def element(self, element: Element, seen: dict[tuple[str | None, ...], tuple[int, int]]) -> tuple[int, int]:
        """(least, greatest) score of the element's tokens; 0 where none speaks against, or for.

        `seen` belongs to one page: pages repeat their class attributes.
        """
        attrs = element.attrs
        if not attrs:
            return 0, 0
        key = tuple([attrs.get(attribute) for attribute in _ATTRIBUTES])
        score = seen.get(key)
        if score is None:
            get = self._tokens.get
            scores = [get(token, 0) for token in tokens(element)]
            score = seen[key] = (min(0, *scores), max(0, *scores)) if scores else (0, 0)
        return score
