"""Charts of Office documents as tables, diagrams as lists. In: the root element of their part. Out: elements.

The values are those that the program stored with the chart; each series is a column, each category a row.
Specification: ECMA-376 part 1, clause 21.2 (DrawingML charts).
"""

from __future__ import annotations

from webtool.documents import NODE
from webtool.documents.archive import Archive, Links
from webtool.documents.number_formats import shown
from webtool.documents.tree import collapse, element, table
from webtool.documents.xmltree import child, children, integer
from webtool.html.node import Element
from webtool.lean.typing import XmlElement
from webtool.running.budget import Budget

GRAPHICS = ("c:chart", "dgm:relIds")
MAX_POINTS = 2000
MAX_SERIES = 50


def graphic(node: XmlElement, archive: Archive, links: Links, budget: Budget) -> list[Element]:
    """What an element of a drawing in GRAPHICS refers to. Raises Spent."""
    is_chart = node.tag == "c:chart"
    root = archive.optional_xml(links.part(node.get("r:id" if is_chart else "r:dm")), is_kept=False)
    if root is None:
        return []
    return blocks(root, budget) if is_chart else diagram(root, budget)


def blocks(root: XmlElement, budget: Budget) -> list[Element]:
    """The chart's title and its numbers; empty where it has none. Raises Spent."""
    title, axis, unit = _titles(root)
    title = f"{title} ({unit})" if title and unit else title or unit
    series = list(root.iter("c:ser"))[:MAX_SERIES]
    columns = [_points(item, "c:val", "c:yVal") for item in series]
    if not any(columns):
        return [element("p", [title])] if title else []
    categories = next((found for item in series if (found := _points(item, "c:cat", "c:xVal"))), {})
    places = sorted({place for column in [categories, *columns] for place in column})[:MAX_POINTS]
    budget.take(sum(NODE + len(column.get(place, "")) for column in [categories, *columns] for place in places))
    names = (next((v.text or "" for tx in children(item, "c:tx") for v in tx.iter("c:v")), "") for item in series)
    rows = [[axis, *names]]
    rows.extend([categories.get(place, ""), *(column.get(place, "") for column in columns)] for place in places)
    made = table([[[cell] if cell else [] for cell in row] for row in rows])
    return [*([element("p", [title])] if title else []), made]


def diagram(root: XmlElement, budget: Budget) -> list[Element]:
    """The texts of a diagram's data part as a list (clause 21.4). Raises Spent."""
    texts = ["".join(item.text or "" for item in line.iter("a:t")).strip() for line in root.iter("a:p")]
    budget.take(sum(len(text) + NODE for text in texts))
    items = [element("li", [text]) for text in texts if text]
    return [element("ul", items)] if items else []


def _titles(root: XmlElement) -> tuple[str, str, str]:
    """What stands over the chart, at the axis of its categories and at that of its values."""
    found = [(str(node.tag), item) for node in root.iter() for item in node if item.tag == "c:title"]
    texts = [(tag, collapse("".join(item.text or "" for item in title.iter("a:t")))) for tag, title in found]
    values = [text for tag, text in texts if tag == "c:valAx"]
    axes = [text for tag, text in texts if tag not in ("c:chart", "c:valAx")] + values[:-1]
    return next((text for tag, text in texts if tag == "c:chart"), ""), "".join(axes[:1]), "".join(values[-1:])


def _points(series: XmlElement, *names: str) -> dict[int, str]:
    """Texts of the first child with one of the names by their index (clause 21.2.2.144)."""
    points: dict[int, str] = {}
    values = next((item for item in series if item.tag in names), None)
    if values is None:
        return points
    code = next((node.text or "" for node in values.iter("c:formatCode")), "")
    for point in values.iter("c:pt"):
        index, value = integer(point.get("idx"), -1), child(point, "c:v")
        if index >= 0 and value is not None:
            points[index] = shown(value.text or "", code)
    return points
