"""Score blocks with gradient-boosted trees. In: the model's arrays, feature columns. Out: a score (log-odds) per block.

All blocks of a page go through a tree at once, in long integers with a byte for each block. A column is such an integer
of figures. A condition "the figure is at most t" is one of 0xff and 0x00. A leaf is its value in every byte. A node
whose left side gives L and whose right side gives R is ((L ^ R) & condition) ^ R: three operations in C, whatever the
number of blocks. Half of the conditions hold for all blocks of a page or for none. The value of such a node is that of
one side, and the other side is left out. So only one node in three is computed. The trees' outcomes are summed in lanes
of 16 bits: even and odd blocks apart.
"""

from __future__ import annotations

from operator import mul, sub
from struct import unpack_from

from webtool.lean.typing import Any, Sequence

CHUNK = 1024  # blocks at a time: bounds memory and fits the processor's cache
MAX_THRESHOLDS = 127  # of a feature at a time, because ranks are compared in 7 bits
FIRST_NODE = 256  # the index of the first node; a smaller index is a leaf of that value

_ALL = bytes(range(256))


class Forest:
    """Trees whose nodes are in three tuples by index: condition, left side, right side. `roots` has the trees' indexes.

    thresholds  (feature, its thresholds, ascending) by feature; in this order they number the conditions
    below       (feature, a table from a figure to the thresholds below it, number of thresholds), MAX_THRESHOLDS each
    """

    def __init__(self, forest: tuple[Any, ...]) -> None:
        """Take what tables() returns."""
        self.step, self.bias, self.thresholds, self.below, nodes, roots = forest
        size = len(nodes) // 6
        self.roots = _shorts(roots, 0, len(roots) // 2)
        # The places below FIRST_NODE are unused, so that a node's index is its place.
        self.condition, self.left, self.right = [
            (0,) * FIRST_NODE + _shorts(nodes, 2 * size * i, size) for i in range(3)
        ]

    def scores(self, columns: Sequence[bytes]) -> list[float]:
        """Return the raw score (log-odds) of each block."""
        count = len(columns[0])
        scores: list[float] = []
        for start in range(0, count, CHUNK):
            part = columns if count <= CHUNK else [column[start : start + CHUNK] for column in columns]
            scores += self._chunk(part, min(CHUNK, count - start))
        return scores

    def _chunk(self, columns: Sequence[bytes], count: int) -> list[float]:
        """Return the scores of up to CHUNK blocks."""
        size = count + (count & 1)
        ones = int.from_bytes(b"\x01" * size, "little")
        low = int.from_bytes(b"\xff\x00" * (size // 2), "little")
        leaves = [ones * value for value in range(256)]
        everywhere = leaves[255]
        conditions = self._conditions(columns, leaves)
        condition, left, right = self.condition, self.left, self.right

        # Calls are as deep as a tree, a few dozen levels. A leaf is looked up without a call, to save time.
        def outcome(index: int) -> int:
            while index >= FIRST_NODE:
                is_left = conditions[condition[index]]
                if is_left is everywhere:
                    index = left[index]
                elif is_left:
                    on_left, on_right = left[index], right[index]
                    on_left = leaves[on_left] if on_left < FIRST_NODE else outcome(on_left)
                    on_right = leaves[on_right] if on_right < FIRST_NODE else outcome(on_right)
                    return (on_left ^ on_right) & is_left ^ on_right
                else:
                    index = right[index]
            return leaves[index]

        even = odd = 0
        for values in map(outcome, self.roots):
            even += values & low
            odd += values >> 8 & low
        return self._lanes(even, odd, size, count)

    def _conditions(self, columns: Sequence[bytes], leaves: list[int]) -> list[int]:
        """Return for each threshold 0xff in the byte of each block whose figure is at most the threshold.

        Thresholds between two figures that follow each other in the column share one condition. `leaves` has for each
        value of a byte the integer with this value in every byte.
        """
        conditions: list[int] = []
        highest = leaves[128]  # the bit that 128 + threshold - figure has where the figure is at most the threshold
        for feature, below, count in self.below:
            column = columns[feature].translate(below)
            ranks = _ALL[: count + 1].translate(None, _ALL.translate(None, column))  # the column's bytes, ascending
            figures = int.from_bytes(column, "little") if len(ranks) > 1 else 0
            conditions += [0] * ranks[0]
            for low, high in zip(ranks, ranks[1:]):
                conditions += [((leaves[128 + low] - figures & highest) >> 7) * 255] * (high - low)
            conditions += leaves[255:] * (count - ranks[-1])
        return conditions

    def _lanes(self, even: int, odd: int, size: int, count: int) -> list[float]:
        """Return the scores of the blocks whose sums are in two integers with lanes of 16 bits."""
        totals = [0] * size
        for start, lanes in ((0, even), (1, odd)):
            totals[start::2] = _shorts(lanes.to_bytes(size, "little"), 0, size // 2)
        step, bias = self.step, self.bias
        return [bias + step * total for total in totals[:count]]


def _below(thresholds: bytes) -> bytes:
    """Return a table with a byte for each figure: how many thresholds are below it."""
    counts = map(bytes, zip(range(256)))
    return b"".join(map(mul, counts, map(sub, [*thresholds, 255], [-1, *thresholds])))


def _shorts(data: bytes, offset: int, count: int) -> tuple[int, ...]:
    return unpack_from(f"<{count}H", data, offset)


def tables(data: bytes) -> tuple[Any, ...]:
    """Read the forest's section of model.bin, whose layout tests/bench/extraction/export.py describes.

    Returns step, bias, thresholds and below as Forest has them, then the bytes of its nodes and of its roots.
    """
    step, bias = unpack_from("<2f", data)
    conditions, trees = _shorts(data, 8, 2)
    nodes = 12 + 2 * (conditions + trees)
    limits, features = (data[start : 12 + 2 * conditions : 2] for start in (12, 13))  # by turns, a byte each
    places = [(feature, features.index(feature), features.rindex(feature) + 1) for feature in sorted(set(features))]
    thresholds = tuple([(feature, limits[first:end]) for feature, first, end in places])
    below = []
    for feature, ascending in thresholds:
        for i in range(0, len(ascending), MAX_THRESHOLDS):
            part = ascending[i : i + MAX_THRESHOLDS]
            below.append((feature, _below(part), len(part)))
    return step, bias, thresholds, tuple(below), data[nodes:], data[nodes - 2 * trees : nodes]
