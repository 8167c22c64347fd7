"""Gradient-boosted trees over columns of bytes. In: the model's arrays, feature columns. Out: a score per block.

All blocks of a page go through a tree at once. A column is a bytes object with one byte per block; "the figure is at
most t" is one long integer with 0xff or 0x00 for each block, and a node with the outcomes L and R of its two sides is
((L ^ R) & condition) ^ R: three operations on long integers in C, whatever the number of blocks.
A leaf is its value repeated in every byte. The outcomes of the trees are added up in lanes of 16 bits.
"""

from __future__ import annotations

from operator import itemgetter, mul, sub
from struct import unpack_from

from webtool.lean.typing import Callable, Sequence

Getter = Callable[[Sequence[int]], Sequence[int]]

CHUNK = 1024  # blocks at a time: a bound on memory, and what fits the processor's cache
MOST = 127  # thresholds of a feature at a time: what is compared is 7 bits

_ALL = bytes(range(256))
_ONE = [bytes((value,)) for value in range(256)]


class Forest:
    """Trees in groups; a group is a list of steps, and a step the nodes whose two sides are known before it."""

    def __init__(self, data: bytes) -> None:
        """`data` is what tests/bench/extraction/export.py writes: see there for the layout."""
        self.step, self.bias = unpack_from("<2f", data)
        sizes = _shorts(data, 8, 2)
        thresholds, features = (data[at : 12 + 2 * sizes[0] : 2] for at in (12, 13))
        places = [(feature, features.index(feature), features.rindex(feature) + 1) for feature in sorted(set(features))]
        self.thresholds = [(feature, list(thresholds[first:end])) for feature, first, end in places]
        """(feature, its thresholds in ascending order), by feature: together they number the conditions."""
        offset = 12 + 2 * sizes[0]
        parts = [(one, all_[i : i + MOST]) for one, all_ in self.thresholds for i in range(0, len(all_), MOST)]
        self.below = [(feature, _below(thresholds), len(thresholds)) for feature, thresholds in parts]
        """(feature, for each figure how many thresholds are below it, the number of thresholds)."""
        self.groups = []
        for _ in range(sizes[1]):
            steps, roots, offset = _group(data, offset)
            self.groups.append((steps, roots))

    def scores(self, columns: Sequence[bytes]) -> list[float]:
        """The raw score (log-odds) of each block."""
        count = len(columns[0])
        found: list[float] = []
        for start in range(0, count, CHUNK):
            part = columns if count <= CHUNK else [column[start : start + CHUNK] for column in columns]
            found += self._chunk(part, min(CHUNK, count - start))
        return found

    def _chunk(self, columns: Sequence[bytes], count: int) -> list[float]:
        size = count + (count & 1)
        ones = int.from_bytes(b"\x01" * size, "little")
        low = int.from_bytes(b"\xff\x00" * (size // 2), "little")
        leaves = [ones * value for value in range(256)]
        everywhere = ones * 255
        conditions = self._conditions(columns, everywhere)
        even = odd = 0
        for steps, roots in self.groups:
            nodes = leaves[:]
            for condition, left, right in steps:
                sides = zip(left(nodes), right(nodes), condition(conditions))
                nodes += [  # three conditions in ten hold for every block of a page
                    one if is_one is everywhere else (one ^ other) & is_one ^ other for one, other, is_one in sides
                ]
            for outcome in roots(nodes):
                even += outcome & low
                odd += outcome >> 8 & low
        return self._lanes(even, odd, size, count)

    def _conditions(self, columns: Sequence[bytes], everywhere: int) -> list[int]:
        """0xff for each block whose figure is at most the threshold; made once where no figure lies between two."""
        found: list[int] = []
        ones = everywhere // 255
        highest = ones << 7  # the bit that 128 + threshold - figure has where the figure is at most the threshold
        for feature, below, count in self.below:
            column = columns[feature].translate(below)
            ranks = _ALL[: count + 1].translate(None, _ALL.translate(None, column))  # those in the column, ascending
            figures = int.from_bytes(column, "little") if len(ranks) > 1 else 0
            found += [0] * ranks[0]
            for low, high in zip(ranks, ranks[1:]):
                found += [((ones * (128 + low) - figures & highest) >> 7) * 255] * (high - low)
            found += [everywhere] * (count - ranks[-1])
        return found

    def _lanes(self, even: int, odd: int, size: int, count: int) -> list[float]:
        totals = [0] * size
        for start, lanes in ((0, even), (1, odd)):
            totals[start::2] = _shorts(lanes.to_bytes(size, "little"), 0, size // 2)
        step, bias = self.step, self.bias
        return [bias + step * total for total in totals[:count]]


def _below(thresholds: list[int]) -> bytes:
    return b"".join(map(mul, _ONE, map(sub, [*thresholds, 255], [-1, *thresholds])))


def _shorts(data: bytes, offset: int, count: int) -> tuple[int, ...]:
    return unpack_from(f"<{count}H", data, offset)


def getter(indexes: Sequence[int]) -> Callable[[Sequence[int]], Sequence[int]]:
    """itemgetter, which gives no tuple for a single index, and takes at least one."""
    if len(indexes) > 1:
        return itemgetter(*indexes)
    return lambda items: tuple([items[i] for i in indexes])


def _group(data: bytes, offset: int):  # type: ignore[no-untyped-def]
    count, trees = _shorts(data, offset, 2)
    offset += 4
    roots = getter(_shorts(data, offset, trees))
    offset += 2 * trees
    steps = _shorts(data, offset, count)
    offset += 2 * count
    found: list[tuple[Getter, ...]] = []
    for size in steps:
        indexes = [_shorts(data, offset + 2 * size * i, size) for i in range(3)]
        offset += 6 * size
        found.append(tuple(map(getter, indexes)))
    return found, roots, offset
