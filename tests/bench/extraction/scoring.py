"""How a text is scored against the ground truth: word multisets, as the corpus' README says."""

from __future__ import annotations

import re
from collections import Counter

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """The words of a text, lower-cased."""
    return _WORD.findall(text.lower())


def score(found: str, truth: str) -> tuple[float, float, float]:
    """(F1, precision, recall) of two texts; two empty texts agree."""
    ours = Counter(words(found))
    theirs = Counter(words(truth))
    if not ours and not theirs:
        return 1.0, 1.0, 1.0
    common = sum((ours & theirs).values())
    if not common:
        return 0.0, 0.0, 0.0
    precision = common / sum(ours.values())
    recall = common / sum(theirs.values())
    return 2 * precision * recall / (precision + recall), precision, recall


def has_snippet(text: str, snippet: str) -> bool:
    """Whether the snippet is in the text, white space and case aside."""
    return " ".join(words(snippet)) in " ".join(words(text))
