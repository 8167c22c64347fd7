"""Find the blocks of a page that are in its ground truth. In: texts of blocks in order, the truth. Out: a share each.

Long blocks are looked up by their 5-word sequences. If the page has a block more often than the truth, as many count
as the truth has, first those whose neighbours are in it. A short block ("Reply", "$12") says little by itself. It
counts if the truth has it next to its neighbours' words, or as a line of its own, and no more often than there.
"""

from __future__ import annotations

from collections import Counter

from measures import words

SEQUENCE = 5  # words that are looked up together; a block with no more is short
CONTEXT = 3  # words of neighbours that are looked up with a short block
REACH = 4  # blocks on either side of a repeated one that tell which of its places the truth means


def label(texts: list[str], truth: str) -> list[float]:
    """Return for each block the share of it that the truth has, from 0 to 1."""
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
    """Set shares of repeated long blocks to 0, beyond the number that the truth has."""
    places: dict[str, list[int]] = {}
    for i, block in enumerate(tokens):
        if shares[i] >= 0.5:
            places.setdefault(" ".join(block), []).append(i)
    for text, of_text in places.items():
        allowed = max(1, joined.count(f" {text} "))
        if len(of_text) > allowed:
            near = {i: sum(shares[max(0, i - REACH) : i + REACH + 1]) for i in of_text}
            for i in sorted(of_text, key=lambda i: -near[i])[allowed:]:
                shares[i] = 0.0


def _label_short(tokens: list[list[str]], shares: list[float], joined: str, lines: Counter[str]) -> None:
    """Set shares of short blocks to 1 where the truth has them, the strongest candidates first."""
    filled = [i for i, block in enumerate(tokens) if block]
    candidates: dict[str, list[tuple[float, int]]] = {}
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
            candidates.setdefault(text, []).append((strength + near, i))
    for text, places in candidates.items():
        places.sort(reverse=True)
        allowed = max(lines[text], joined.count(f" {text} ") if places[0][0] >= 1 else 0)
        for strength, i in places[:allowed]:
            if strength >= 1 or lines[text]:
                shares[i] = 1.0
