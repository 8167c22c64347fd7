"""Figures as integers from 0 to 255, so that a column of them is one bytes object."""

from __future__ import annotations

from collections.abc import Iterable

STEPS = 12  # per doubling

# The least number of each figure, and the figures of the first numbers: to look there takes a quarter of the time of a
# logarithm.
_LEAST = [int(2 ** ((figure - 0.5) / STEPS)) for figure in range(1, 256)]
_MANY = 20_000
_FIRST = b"".join(
    bytes((figure,)) * (max(0, min(_MANY, end) - start))
    for figure, (start, end) in enumerate(zip([0, *_LEAST], _LEAST))
)
_SMALL = _FIRST[:256]


def log_scale(n: int) -> int:
    """0, 1, 2, 3 ... as 0, 12, 19, 24 ...: twelve steps per doubling."""
    return _FIRST[n] if n < _MANY else sum([least <= n for least in _LEAST])


def log_scales(values: Iterable[int]) -> bytes:
    """log_scale of each: without a call for each, of which a page has twenty for a block."""
    figures = list(values)
    try:
        return bytes(figures).translate(_SMALL)
    except ValueError:  # one of 256 or more
        pass
    try:
        return bytes(list(map(_FIRST.__getitem__, figures)))
    except IndexError:
        return bytes(list(map(log_scale, figures)))


def percent(part: int, whole: int) -> int:
    """part / whole in hundredths, 0 where there is no whole."""
    return 100 * part // whole if part < whole else 100 if whole else 0


def percents(parts: Iterable[int], wholes: Iterable[int]) -> bytes:
    """percent of each pair."""
    found = [  # percent() itself, without a call for each
        (100 * part // whole if part < whole else 100 if whole else 0) if part else 0
        for part, whole in zip(parts, wholes)
    ]
    return bytes(found)
