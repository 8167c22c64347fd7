"""Read drawings of office documents: charts as tables, diagrams as lists, shapes of a slide in reading order.

In: XML elements of DrawingML. Out: HTML elements, or the shapes sorted. A chart's values are those that the program
stored with it: each series is a column, each category a row.
Specification: ECMA-376 part 1, clauses 21.2 (charts) and 21.4 (diagrams).
Tests: tests/documents/test_office.py
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.documents import NODE
from webtool.documents.archive import Archive, Links
from webtool.documents.number_formats import format_value
from webtool.documents.tree import collapse, element, table
from webtool.documents.xmltree import child, children, integer
from webtool.html.node import Element
from webtool.lean.typing import XmlElement
from webtool.running.budget import Budget

Box = tuple[float, float, float, float]  # left, top, right, bottom; y grows downwards

GRAPHICS = ("c:chart", "dgm:relIds")  # elements that refer to a chart and to a diagram
MAX_POINTS = 2000  # categories of a chart; the rest is left out
MAX_SERIES = 50  # of a chart; the rest is left out
_MAX_SORTED = 80  # a slide with more shapes keeps the file's order, since each shape is compared with all others


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
    categories = _categories(series)
    indices = sorted({index for column in [categories, *columns] for index in column})[:MAX_POINTS]
    budget.take(sum(NODE + len(column.get(index, "")) for column in [categories, *columns] for index in indices))
    rows = [[axis, *map(_series_name, series)]]
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


def _categories(series: list[XmlElement]) -> dict[int, str]:
    """Return the categories of the first series that has any."""
    for item in series:
        points = _points(item, "c:cat", "c:xVal")
        if points:
            return points
    return {}


def _series_name(series: XmlElement) -> str:
    for text in children(series, "c:tx"):
        for value in text.iter("c:v"):
            return value.text or ""
    return ""


def _points(series: XmlElement, *names: str) -> dict[int, str]:
    """Return the values of the first child with one of the names, by their index (clause 21.2.2.144)."""
    points: dict[int, str] = {}
    values = next((item for item in series if item.tag in names), None)
    if values is None:
        return points
    code = next((node.text or "" for node in values.iter("c:formatCode")), "")
    for point in values.iter("c:pt"):
        index, value = integer(point.get("idx"), -1), child(point, "c:v")
        if index >= 0 and value is not None:
            points[index] = format_value(value.text or "", code)
    return points


def diagram(root: XmlElement, budget: Budget) -> list[Element]:
    """Return the texts of a diagram's data part as one list. Raises Spent."""
    texts = ["".join(item.text or "" for item in line.iter("a:t")).strip() for line in root.iter("a:p")]
    budget.take(sum(len(text) + NODE for text in texts))
    items = [element("li", [text]) for text in texts if text]
    return [element("ul", items)] if items else []


def in_reading_order(shapes: list[XmlElement], box_of: Callable[[XmlElement], Box | None]) -> list[XmlElement]:
    """Return the shapes of a slide, each after those above it or left of it; the file's order decides otherwise.

    Programs store shapes in the order of drawing, so a title that was added last is last in the file.
    `box_of` returns the place of a shape, or None if it is unknown.
    """
    if len(shapes) > _MAX_SORTED:
        return shapes
    boxes = [box_of(shape) for shape in shapes]
    waiting = list(range(len(shapes)))
    ordered: list[XmlElement] = []
    while waiting:
        free = (i for i in waiting if not any(_comes_first(boxes[other], boxes[i]) for other in waiting))
        index = next(free, waiting[0])
        waiting.remove(index)
        ordered.append(shapes[index])
    return ordered


def _comes_first(first: Box | None, second: Box | None) -> bool:
    """Return whether `first` is read before `second`.

    If they share a stretch of width, the upper one is first, unless it reaches more than a quarter of its height into
    the other. Else the left one is first, if they share half of the smaller height.
    """
    if first is None or second is None:
        return False
    heights = first[3] - first[1], second[3] - second[1]
    if min(first[2], second[2]) > max(first[0], second[0]):
        return first[3] - heights[0] / 4 <= second[1] and first[1] < second[1]
    return first[0] < second[0] and 2 * (min(first[3], second[3]) - max(first[1], second[1])) > min(heights)
