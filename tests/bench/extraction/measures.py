"""Score a text against the ground truth: F1 of words as multisets, as the corpus' README defines it, and snippets."""

from __future__ import annotations

import json
import re
from collections import Counter

from webtool.extraction.model import model_file

TYPES = ["article", "documentation", "service", "forum", "listing", "collection", "product"]
COLUMNS = ("f1", "precision", "recall", "with", "without")
_WORD = re.compile(r"\w+")
_ADDRESSES = re.compile(
    r"!\[[^\]\n]*\]\([^()\s]*\)|\]\((?:<[^>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"\n]*\")?\)"
)


def words(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return _WORD.findall(text.lower())


def unmarked(markdown: str) -> str:
    """Return markdown without pictures and addresses of links."""
    return _ADDRESSES.sub("]", markdown)


def score(text: str, truth: str) -> tuple[float, float, float]:
    """Return F1, precision and recall of a text; two empty texts score 1."""
    ours = Counter(words(text))
    theirs = Counter(words(truth))
    if not ours and not theirs:
        return 1.0, 1.0, 1.0
    common = sum((ours & theirs).values())
    if not common:
        return 0.0, 0.0, 0.0
    precision = common / sum(ours.values())
    recall = common / sum(theirs.values())
    return 2 * precision * recall / (precision + recall), precision, recall


def measure(text: str, truth: str, wanted: list[str], unwanted: list[str]) -> tuple[float, ...]:
    """Return a value per entry of COLUMNS.

    `with` is the share of wanted snippets that the text has, `without` the share of unwanted snippets that it lacks.
    """
    folded = f" {' '.join(words(text))} "
    shares = []
    for snippets, is_wanted in ((wanted, True), (unwanted, False)):
        hits = [(f" {' '.join(words(snippet))} " in folded) == is_wanted for snippet in snippets]
        shares.append(sum(hits) / len(hits) if hits else 1.0)
    return (*score(text, truth), *shares)


def cross_validated_figures() -> dict[str, list[float]]:
    """Return the figures in model.bin by page type ("all" for all): each page judged by a model without its group."""
    figures: dict[str, list[float]] = json.loads(model_file.load().provenance).get("cross_validated", {})
    return figures
