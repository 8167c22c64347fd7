"""How a text is scored against the ground truth: word multisets, as the corpus' README says, and snippets."""

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
    """The words of a text, lower-cased."""
    return _WORD.findall(text.lower())


def unmarked(markdown: str) -> str:
    """The words of markdown that are read: without pictures and the addresses of links."""
    return _ADDRESSES.sub("]", markdown)


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


def measure(text: str, truth: str, wanted: list[str], unwanted: list[str]) -> tuple[float, ...]:
    """One value per entry of COLUMNS: `with` is the share of snippets that are there, `without` of those gone."""
    folded = f" {' '.join(words(text))} "
    shares = []
    for snippets, is_wanted in ((wanted, True), (unwanted, False)):
        hits = [(f" {' '.join(words(snippet))} " in folded) == is_wanted for snippet in snippets]
        shares.append(sum(hits) / len(hits) if hits else 1.0)
    return (*score(text, truth), *shares)


def cross_validated_figures() -> dict[str, list[float]]:
    """What model.bin says of itself: values by page type ("all" for all), each page judged without its own group."""
    figures: dict[str, list[float]] = json.loads(model_file.load().provenance).get("cross_validated", {})
    return figures
