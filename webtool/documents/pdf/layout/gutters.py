"""Gutters: the strips from top to bottom in which no text stands. In: segments. Out: bands, strips, columns' ends."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.documents.pdf.layout.lines import Segment

    Interval = tuple[float, float]

_MIN_GUTTER = 0.4  # of the font size; segments end at wider gaps only


def bands(segments: list[Segment]) -> list[list[Segment]]:
    """Segments whose heights overlap, from the top."""
    found: list[list[Segment]] = []
    low = 0.0
    for segment in sorted(segments, key=lambda segment: -(segment.y + 0.6 * segment.size)):
        if found and segment.y + 0.6 * segment.size > low:
            found[-1].append(segment)
            low = min(low, segment.y)
        else:
            found.append([segment])
            low = segment.y
    return found


def free(band: list[Segment]) -> list[Interval]:
    """The strips without text in one band, the margins at both ends included."""
    strips: list[Interval] = []
    at = float("-inf")
    gap = _MIN_GUTTER * max(segment.size for segment in band)
    for segment in sorted(band, key=lambda segment: segment.x):
        if segment.x - at > gap:
            strips.append((at, segment.x))
        at = max(at, segment.end)
    strips.append((at, float("inf")))
    return strips


def common(first: list[Interval], second: list[Interval]) -> list[Interval]:
    """Intersection of two sorted lists of strips."""
    result: list[Interval] = []
    i = j = 0
    while i < len(first) and j < len(second):
        low, high = max(first[i][0], second[j][0]), min(first[i][1], second[j][1])
        if high - low > 3:
            result.append((low, high))
        if first[i][1] < second[j][1]:
            i += 1
        else:
            j += 1
    return result


def split(lines: list[Segment], columns: list[float]) -> list[list[Segment]]:
    """Segments by column; columns without any are left out."""
    parts: list[list[Segment]] = [[] for _ in columns]
    for segment in lines:
        parts[column_of(segment, columns)].append(segment)
    return [part for part in parts if part]


def column_of(segment: Segment, columns: list[float]) -> int:
    """The column that a segment's middle is in; columns are given by where they end, the last one at infinity."""
    middle = (segment.x + segment.end) / 2
    return next(index for index, end in enumerate(columns) if middle < end or end == float("inf"))
