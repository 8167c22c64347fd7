"""Find words without which a regular expression cannot match.

In: the phrases of one kind of label, regular expressions that ignore case. Out: lower-case words. At least one of them
is in the lower-case form of every text that a phrase matches.

To look for a hundred words in a text takes a tenth of the time that a pattern with as many branches takes to find
nothing. build.py asks this module once for each kind; a checkout asks when it first uses a kind.

A phrase is parsed as Python's re does. Runs of plain characters must be in a match; of alternatives one must be. For
"(?:sign up|subscribe).{0,60}newsletters?" that gives {"sign up", "subscribe"} and {"newsletter"}. Of several sets the
one in the fewest texts is taken: that whose shortest word is longest; among words of ENOUGH characters, the smallest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any

if sys.version_info >= (3, 11):
    from re import _constants as codes
    from re import _parser as parser
else:
    import sre_constants as codes
    import sre_parse as parser

Words = frozenset[str]
NOTHING: Words = frozenset(("",))
ENOUGH = 6  # characters; of sets whose words are all this long or longer, the one with the fewest words is taken


def of_phrases(phrases: Iterable[str]) -> str:
    """Return the words with bars between them; "" if some phrase needs none.

    A word that contains another word of the result is left out: "newsletters" adds nothing to "newsletter", and no word
    adds anything to "".
    """
    words: set[str] = set()
    for phrase in phrases:
        words |= max(_sets(parser.parse(phrase)), key=_rank, default=NOTHING)
    kept = [word for word in words if not any(other in word for other in words if other != word)]
    return "|".join(sorted(kept))


def _rank(words: AbstractSet[str]) -> tuple[int, int]:
    """Return how useful a set is: the length of its shortest word up to ENOUGH, then how few words it has."""
    return min(ENOUGH, *map(len, words)), -len(words)


def _sets(parsed: Any) -> Iterator[Words]:
    """Yield sets of words for what re has parsed; each match has one word of each set."""
    run = ""  # plain characters that follow each other
    for code, argument in [*parsed, (None, None)]:
        if code is codes.LITERAL:
            run += chr(argument).lower()
            continue
        if run:
            yield frozenset((run,))
            run = ""
        if code is codes.SUBPATTERN:
            yield from _sets(argument[3])
        elif code is codes.MAX_REPEAT and argument[0] > 0:
            yield from _sets(argument[2])
        elif code is codes.BRANCH:
            yield frozenset[str]().union(*[max(_sets(branch), key=_rank, default=NOTHING) for branch in argument[1]])
        elif code is codes.IN and all(kind is codes.LITERAL for kind, _ in argument):
            yield frozenset(chr(value).lower() for _, value in argument)
