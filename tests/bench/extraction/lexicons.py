"""Learn the lexicon: which words, phrases and class names speak for main content. In: labelled pages. Out: scores.

The score of a name (a word, phrase or class name) is a mean over the domains that have it. It tells how far the blocks
with the name are above or below their page's mean label, shrunk towards 0 if few domains have the name.
"""

from __future__ import annotations

from collections import defaultdict

from webtool.extraction.model import lexicon as lexicons
from webtool.extraction.model.columns.text import _WORD as WORD

SHRINK = 3.0  # domains with a score of 0 that are added to each name's
MIN_DOMAINS = {"words": 8, "phrases": 4, "tokens": 5}  # a name of fewer domains has no score
MAX_NAMES = {"words": 3000, "phrases": 1000, "tokens": 3000}  # of each kind, those with the strongest scores


def observe(page, labels: list[float]) -> dict[str, dict[str, float]]:
    """Return by kind and name the mean label of a name's blocks on a page, minus the page's mean label."""
    weights = [min(block.words, 60) ** 0.5 for block in page.blocks]
    total = sum(weights) or 1.0
    base = sum(w * y for w, y in zip(weights, labels)) / total
    sums: dict[str, dict[str, list[float]]] = {kind: defaultdict(lambda: [0.0, 0.0]) for kind in MIN_DOMAINS}
    for block, weight, label in zip(page.blocks, weights, labels):
        lowered = block.text[:160].lower()
        words = WORD.findall(lowered)
        for word in set(words[: lexicons.MAX_WORDS]):
            _add(sums["words"][word], 1.0, label)
        if len(words) < 6:
            _add(sums["phrases"][lowered], 1.0, label)
        if block.inline is not None:
            for token in lexicons.tokens(block.inline):
                _add(sums["tokens"][token], weight, label)
    _observe_containers(page, weights, labels, sums["tokens"])
    return {
        kind: {name: label / weight - base for name, (weight, label) in of_kind.items()}
        for kind, of_kind in sums.items()
    }


def _observe_containers(page, weights, labels, tokens) -> None:
    """Add to the sums of tokens what the blocks inside each container are labelled."""
    running = [(0.0, 0.0)]
    for weight, label in zip(weights, labels):
        running.append((running[-1][0] + weight, running[-1][1] + weight * label))
    for element, first, last in zip(page.element, page.first, page.last):
        weight = running[last][0] - running[first][0]
        if weight:
            mean = (running[last][1] - running[first][1]) / weight
            for token in lexicons.tokens(element):
                _add(tokens[token], weight, mean)


def _add(entry: list[float], weight: float, label: float) -> None:
    entry[0] += weight
    entry[1] += weight * label


def learn(observations: list[tuple[str, dict[str, dict[str, float]]]]) -> dict[str, dict[str, int]]:
    """Return scores from -127 to 127 by kind and name, from (domain, observation) pairs; a domain counts once."""
    learned = {}
    for kind, least in MIN_DOMAINS.items():
        sums: dict[str, dict[str, list[float]]] = defaultdict(dict)
        for domain, observed in observations:
            for name, value in observed[kind].items():
                sums[name].setdefault(domain, []).append(value)
        scored = {}
        for name, domains in sums.items():
            if len(domains) >= least:
                means = [sum(values) / len(values) for values in domains.values()]
                scored[name] = (sum(means) / (len(means) + SHRINK), len(means))
        ranked = sorted(scored, key=lambda name: (-abs(scored[name][0]) * scored[name][1] ** 0.5, name))
        kept = ranked[: MAX_NAMES[kind]]
        learned[kind] = {name: score for name in sorted(kept) if (score := round(127 * scored[name][0]))}
    return learned
