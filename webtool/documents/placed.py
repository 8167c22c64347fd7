"""Shapes of a slide in the order in which they are read. In: shapes in the file's order, where they stand. Out: shapes.

Programs write shapes in the order in which they were drawn, and what was added last may stand at the top.
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.lean.typing import XmlElement

Box = tuple[float, float, float, float]  # left, top, right, bottom
_MAX_PLACED = 80  # shapes of a slide; each is compared with all others


def from_the_top(items: list[XmlElement], box_of: Callable[[XmlElement], Box | None]) -> list[XmlElement]:
    """Items in their order, but for those that stand above, or left of, one before them: these come before it."""
    boxes = [box_of(item) for item in items] if len(items) <= _MAX_PLACED else []
    waiting = list(range(len(items)))
    ordered: list[XmlElement] = []
    while boxes and waiting:
        at = next(
            (i for i in waiting if not any(_comes_first(boxes[other], boxes[i]) for other in waiting)), waiting[0]
        )
        waiting.remove(at)
        ordered.append(items[at])
    return ordered or items


def _comes_first(first: Box | None, second: Box | None) -> bool:
    """Whether one stands over some of the other and ends about where that begins, or stands left of it in its row."""
    if first is None or second is None:
        return False
    heights = first[3] - first[1], second[3] - second[1]
    if min(first[2], second[2]) > max(first[0], second[0]):
        return first[3] - heights[0] / 4 <= second[1] and first[1] < second[1]
    return first[0] < second[0] and 2 * (min(first[3], second[3]) - max(first[1], second[1])) > min(heights)
