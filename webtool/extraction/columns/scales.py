"""Figures as integers from 0 to 255, so that a column of them is one bytes object."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from math import log2

STEPS = 12  # per doubling

LOG = [min(255, round(STEPS * log2(1 + n))) for n in range(1024)]


# The least number of each figure from there on: to look for it takes a quarter of the time of a logarithm.
_LEAST = [int(2 ** ((figure - 0.5) / STEPS)) for figure in range(LOG[-1] + 1, 256)]


def log_scale(n: int) -> int:
    """0, 1, 2, 3 ... as 0, 12, 19, 24 ...: twelve steps per doubling."""
    return LOG[n] if n < 1024 else LOG[-1] + bisect_right(_LEAST, n)


def log_scales(values: Iterable[int]) -> list[int]:
    """log_scale of each: without a call for each, of which a page has twenty for a block."""
    figures = list(values)
    try:
        return list(map(LOG.__getitem__, figures))
    except IndexError:
        return list(map(log_scale, figures))


def percent(part: float, whole: float) -> int:
    """part / whole in hundredths, 0 where there is no whole."""
    return int(100 * part / whole) if part < whole else 100 if whole else 0


def percents(parts: Iterable[float], wholes: Iterable[float]) -> list[int]:
    """percent of each pair."""
    return [
        0 if not part else int(100 * part / whole) if part < whole else 100 if whole else 0
        for part, whole in zip(parts, wholes)
    ]
