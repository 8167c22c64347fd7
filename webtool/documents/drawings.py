"""Read drawings of office documents. In: XML elements. Out: HTML elements; sorted shapes.

Charts become tables, diagrams lists. A chart's values are those that the program stored with it: each series is a
column, each category a row.
Specification: ECMA-376 part 1, clauses 21.2 (charts), 21.4 (diagrams).
Tests: tests/documents/test_office.py
"""

from __future__ import annotations

from collections.abc import Callable, Container

from webtool.documents import NODE_COST
from webtool.documents.number_formats import format_value
from webtool.documents.tree import BlockBuilder, collapse, element, table
from webtool.documents.xmltree import child, children, decoded, integer
from webtool.html.node import Element
from webtool.lean.typing import XmlElement
from webtool.running.budget import Budget

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.documents.archive import Archive, Links

Box = tuple[float, float, float, float]  # left, top, right, bottom; y grows downwards

GRAPHICS = ("c:chart", "dgm:relIds")  # elements that refer to a chart and to a diagram
MAX_POINTS = 2000  # categories of a chart; the rest is left out
_MAX_LEVELS = 10  # of a chart's categories in groups; outer ones are left out
MAX_SERIES = 50  # of a chart; the rest is left out
_MAX_SORTED = 80  # a group with more shapes keeps the file's order, since each shape is compared with all others
_MAX_SORTED_GROUPS = 50  # of a slide; later groups keep the file's order


def graphic(node: XmlElement, archive: Archive, links: Links, budget: Budget) -> list[Element]:
    """Return the blocks of the chart or diagram that an element of GRAPHICS refers to. Raises Spent."""
    is_chart = node.tag == "c:chart"
    root = archive.side_xml(links.part(node.get("r:id" if is_chart else "r:dm")), is_kept=False)
    if root is None:
        return []
    return chart(root, budget) if is_chart else diagram(root, budget)


def chart(root: XmlElement, budget: Budget) -> list[Element]:
    """Return a chart's title and the table of its numbers; [] if it has neither. Raises Spent."""
    title, axis, unit = _titles(root)
    title = f"{title} ({unit})" if title and unit else title or unit
    blocks = [element("p", [title])] if title else []
    series = list(root.iter("c:ser"))[:MAX_SERIES]
    columns = [_points(item, "c:val", "c:yVal") for item in series]
    if not any(columns):
        return blocks
    categories = next(filter(None, (_points(item, "c:cat", "c:xVal") for item in series)), {})
    indices = sorted({index for column in [categories, *columns] for index in column})[:MAX_POINTS]
    budget.take(sum(NODE_COST + len(column.get(index, "")) for column in [categories, *columns] for index in indices))
    names = [
        next((value.text or "" for text in children(item, "c:tx") for value in text.iter("c:v")), "") for item in series
    ]
    rows = [[axis, *names]]
    rows.extend([categories.get(index, ""), *(column.get(index, "") for column in columns)] for index in indices)
    return [*blocks, table([[[cell] if cell else [] for cell in row] for row in rows])]


def _titles(root: XmlElement) -> tuple[str, str, str]:
    """Return the titles of the chart, of its category axis and of its value axis; "" if missing."""
    titles = [(str(node.tag), item) for node in root.iter() for item in node if item.tag == "c:title"]
    texts = [(tag, collapse("".join(item.text or "" for item in title.iter("a:t")))) for tag, title in titles]
    chart_titles = [text for tag, text in texts if tag == "c:chart"]
    value_titles = [text for tag, text in texts if tag == "c:valAx"]
    # A scatter chart has two value axes: the last one has the values, the others take the place of categories.
    axis_titles = [text for tag, text in texts if tag not in ("c:chart", "c:valAx")] + value_titles[:-1]
    return "".join(chart_titles[:1]), "".join(axis_titles[:1]), "".join(value_titles[-1:])


def _points(series: XmlElement, *names: str) -> dict[int, str]:
    """Return the values of the first child with one of the names, by their index (clause 21.2.2.144)."""
    points: dict[int, str] = {}
    values = next((item for item in series if item.tag in names), None)
    if values is None:
        return points
    code = next((node.text or "" for node in values.iter("c:formatCode")), "")
    for level in list(values.iter("c:lvl"))[:_MAX_LEVELS] or [values]:
        own: dict[int, str] = {}
        for point in level.iter("c:pt"):
            index, value = integer(point.get("idx"), -1), child(point, "c:v")
            if index >= 0 and value is not None:
                own[index] = format_value(decoded(value.text or ""), code)
        points = _in_groups(points, own) if points else own
    return points


def _in_groups(points: dict[int, str], groups: dict[int, str]) -> dict[int, str]:
    """Return categories after the names of their groups: "2023, Q1" (clause 21.2.2.102).

    A group's index is that of its first category.
    """
    group = ""
    named: dict[int, str] = {}
    for index in sorted({*points, *groups}):
        group = groups.get(index, group)
        named[index] = ", ".join(filter(None, (group, points.get(index, ""))))
    return named


def diagram(root: XmlElement, budget: Budget) -> list[Element]:
    """Return the texts of a diagram's data part as a list, nested by its connections (clause 21.4.3). Raises Spent."""
    points = {item.get("modelId", ""): item for item in root.iter("dgm:pt")}
    below: dict[str, list[tuple[int, str]]] = {}  # by id of a point: order and id of those below it
    for item in root.iter("dgm:cxn"):
        if item.get("type", "parOf") == "parOf":
            below.setdefault(item.get("srcId", ""), []).append((integer(item.get("srcOrd")), item.get("destId", "")))
    inner = {identity for pairs in below.values() for _, identity in pairs}
    starts = [identity for identity in points if identity not in inner]
    waiting = [(identity, 0) for identity in reversed([*starts, *points])]  # all again, for those in a circle
    builder = BlockBuilder()
    while waiting:
        identity, depth = waiting.pop()
        point = points.pop(identity, None)
        if point is None:  # taken before
            continue
        texts = ["".join(item.text or "" for item in line.iter("a:t")).strip() for line in point.iter("a:p")]
        budget.take(sum(len(text) + NODE_COST for text in texts))
        for text in filter(None, texts):
            builder.add_item([text], depth)
        depth_below = depth + (point.get("type") != "doc")
        waiting.extend((other, depth_below) for _, other in sorted(below.get(identity, ()), reverse=True))
    return builder.blocks


def sort_shapes(slide: XmlElement, tags: Container[str], box_of: Callable[[XmlElement], Box | None]) -> None:
    """Bring the shapes of a slide, those in the elements with one of these tags, into reading order.

    Programs store shapes in the order of drawing, so a title that was added last is last in the file.
    `box_of` returns the place of a shape, or None if it is unknown.
    """
    groups = [item for item in slide.iter() if item.tag in tags]
    for group in groups[:_MAX_SORTED_GROUPS]:
        if len(group) <= _MAX_SORTED:
            group[:] = _in_reading_order(list(group), box_of)


def _in_reading_order(shapes: list[XmlElement], box_of: Callable[[XmlElement], Box | None]) -> list[XmlElement]:
    """Return shapes, each after those above it or left of it; the file's order decides otherwise."""
    boxes = [box_of(shape) for shape in shapes]
    earlier_counts = [sum(_comes_first(other, box) for other in boxes) for box in boxes]  # of waiting shapes
    waiting = list(range(len(shapes)))
    ordered: list[XmlElement] = []
    while waiting:
        index = next((i for i in waiting if not earlier_counts[i]), waiting[0])
        waiting.remove(index)
        ordered.append(shapes[index])
        for later in waiting:
            earlier_counts[later] -= _comes_first(boxes[index], boxes[later])
    return ordered


def _comes_first(first: Box | None, second: Box | None) -> bool:
    """Return whether `first` is read before `second`.

    Shapes above each other (they share some width): the upper one is first, unless it reaches more than a quarter of
    its height into the other. Shapes side by side: the left one is first, if they share half of the smaller height.
    """
    if first is None or second is None:
        return False
    left, top, right, bottom = first
    other_left, other_top, other_right, other_bottom = second
    height, other_height = bottom - top, other_bottom - other_top
    if min(right, other_right) > max(left, other_left):
        return bottom - height / 4 <= other_top and top < other_top
    shared_height = min(bottom, other_bottom) - max(top, other_top)
    return left < other_left and 2 * shared_height > min(height, other_height)


def is_outside(box: Box, width: float, height: float) -> bool:
    """Return whether a box is wholly beside a slide of this size; (0, 0, 0, 0), a point at the edge, is not."""
    left, top, right, bottom = box
    return left >= width or top >= height or (left < 0 and right <= 0) or (top < 0 and bottom <= 0)
