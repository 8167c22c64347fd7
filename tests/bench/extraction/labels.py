"""Which blocks of a page are in its ground truth. In: block texts in document order, the truth. Out: a share per block.

Long blocks are looked up by their 5-word sequences; of those that the page has oftener than the truth, as many count as
the truth has, those first whose neighbours are in it. A short block ("Reply", "$12") says little by itself: it counts
when it stands in the truth next to the words of its neighbours, or as a line of its own and no oftener than there.
"""

from __future__ import annotations

from collections import Counter

from measures import words

SEQUENCE = 5
CONTEXT = 3
REACH = 4
"""Blocks on either side of a repeated one that tell which of its places the truth means."""


def label(texts: list[str], truth: str) -> list[float]:
    """For each block the share of it that the truth holds, 0 to 1."""
    truth_words = words(truth)
    sequences = {tuple(truth_words[i : i + SEQUENCE]) for i in range(len(truth_words) - SEQUENCE + 1)}
    joined = f" {' '.join(truth_words)} "
    lines = Counter(" ".join(words(line)) for line in truth.splitlines())
    tokens = [words(text) for text in texts]
    shares = [0.0] * len(texts)
    for i, block in enumerate(tokens):
        if len(block) > SEQUENCE:
            grams = [tuple(block[k : k + SEQUENCE]) for k in range(len(block) - SEQUENCE + 1)]
            shares[i] = sum(gram in sequences for gram in grams) / len(grams)
    _label_repeats(tokens, shares, joined)
    _label_short(tokens, shares, joined, lines)
    return shares


def _label_repeats(tokens: list[list[str]], shares: list[float], joined: str) -> None:
    places: dict[str, list[int]] = {}
    for i, block in enumerate(tokens):
        if shares[i] >= 0.5:
            places.setdefault(" ".join(block), []).append(i)
    for text, found in places.items():
        allowed = max(1, joined.count(f" {text} "))
        if len(found) > allowed:
            near = {i: sum(shares[max(0, i - REACH) : i + REACH + 1]) for i in found}
            for i in sorted(found, key=lambda i: -near[i])[allowed:]:
                shares[i] = 0.0


def _label_short(tokens: list[list[str]], shares: list[float], joined: str, lines: Counter[str]) -> None:
    filled = [i for i, block in enumerate(tokens) if block]
    wanted: dict[str, list[tuple[float, int]]] = {}
    for k, i in enumerate(filled):
        block = tokens[i]
        text = " ".join(block)
        if len(block) > SEQUENCE or f" {text} " not in joined:
            continue
        before = [w for j in filled[max(0, k - CONTEXT) : k] for w in tokens[j]][-CONTEXT:]
        after = [w for j in filled[k + 1 : k + 1 + CONTEXT] for w in tokens[j]][:CONTEXT]
        strength = 0.0
        if before:
            strength += f" {' '.join(before + block)} " in joined
        if after:
            strength += f" {' '.join(block + after)} " in joined
        near = sum(shares[j] for j in filled[max(0, k - 4) : k + 5]) / 9
        if strength or text in lines:
            wanted.setdefault(text, []).append((strength + near, i))
    for text, places in wanted.items():
        places.sort(reverse=True)
        allowed = max(lines[text], joined.count(f" {text} ") if places[0][0] >= 1 else 0)
        for strength, i in places[:allowed]:
            if strength >= 1 or lines[text]:
                shares[i] = 1.0
