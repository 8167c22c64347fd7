"""Scale figures to integers from 0 to 255, so that a column of them is one bytes object, and pick figures by index.

In: counts, or a part and a whole. Out: a logarithm with twelve steps per doubling, or hundredths.
Tests: tests/extraction/model/test_model.py
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter, mul, sub

STEPS = 12  # per doubling

_TABLED = 172  # figures in _FIGURES, the table of the figures of numbers below 20,069


def _smallest(figures: Iterable[int]) -> list[int]:
    """Return the smallest number with each figure."""
    return [int(2 ** ((figure - 0.5) / STEPS)) for figure in figures]


_ENDS = _smallest(range(1, _TABLED + 1))
# Looking a figure up takes a quarter of the time of a logarithm.
_FIGURES = b"".join(map(mul, map(bytes, zip(range(_TABLED))), map(sub, _ENDS, [0, *_ENDS])))
_HIGH_ENDS = _smallest(range(_TABLED + 1, 256))  # computing them for each number of a long page takes seconds
_BYTE_FIGURES = _FIGURES[:256]


def log_scale(n: int) -> int:
    """Return the figure of a number: 0, 12, 19, 24 for 0, 1, 2, 3, and so on with twelve steps per doubling."""
    if n < len(_FIGURES):
        return _FIGURES[n]
    return _TABLED + bisect_right(_HIGH_ENDS, n)


def log_scales(values: Iterable[int]) -> bytes:
    """Return log_scale of each number. A page has twenty such figures per block, so this saves a call for each."""
    numbers = list(values)
    try:
        return bytes(numbers).translate(_BYTE_FIGURES)
    except ValueError:  # a number is 256 or more
        pass
    try:
        return bytes(list(map(_FIGURES.__getitem__, numbers)))
    except IndexError:
        return bytes(list(map(log_scale, numbers)))


def percent(part: int, whole: int) -> int:
    """Return part / whole in hundredths, at most 100, and 0 if the whole is 0."""
    if part < whole:
        return 100 * part // whole
    return 100 if whole else 0


def percents(parts: Iterable[int], wholes: Iterable[int]) -> bytes:
    """Return percent of each pair."""
    figures = [  # the formula of percent(), without a call for each pair
        (100 * part // whole if part < whole else 100 if whole else 0) if part else 0
        for part, whole in zip(parts, wholes)
    ]
    return bytes(figures)


def getter(indexes: Sequence[int]) -> Callable[[Sequence[int]], Sequence[int]]:
    """Return an itemgetter that gives a tuple for any number of indexes, one and none included."""
    if len(indexes) > 1:
        return itemgetter(*indexes)
    return lambda items: tuple([items[i] for i in indexes])
