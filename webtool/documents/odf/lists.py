"""Build lists and heading numbers of OpenDocument texts. In: text:list and text:h elements. Out: ol, ul, li, labels.

OpenDocument lists are nested elements, so the HTML lists are built as the elements open; join_lists() and headings_of()
then repair what programs write: one list for each item, or a list around headings.
Specification: OASIS OpenDocument 1.2 part 1, sections 5.3 (lists), 16.30 (list styles), 16.34 (outline), 19.780 and
19.781 (numbers that continue).
Tests: tests/documents/test_beside_the_text.py, tests/documents/test_office.py
"""

from __future__ import annotations

from webtool.documents.odf.styles import ListLevel, Styles
from webtool.documents.tree import add, element, numeral
from webtool.documents.xmltree import children, integer
from webtool.html.node import Element
from webtool.lean.typing import XmlElement

_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


class Lists:
    """Numbers the lists and headings of one document, in document order."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._labelled: dict[int, ListLevel] = {}  # by id() of an ol: numbers that markdown lacks, e.g. letters
        self._chapters = [0] * len(styles.outline)  # headings of each level since the last heading of a level above
        self._next: dict[str, int] = {}  # by id of a list, "" for the last one: the number that continues it

    def open(self, node: XmlElement, parent: Element) -> Element:
        """Append the ol or ul of a text:list to `parent` and return it."""
        depth, outer = 0, parent
        while outer.parent is not None:
            depth += outer.tag in ("ol", "ul")
            outer = outer.parent
        level = self._styles.list_level(node, depth)
        html_list = element("ol" if level.digits == "1" else "ul")
        self._labelled.pop(id(html_list), None)  # the id may have belonged to a list that no longer exists
        if level.digits:
            start = self._start(node, level)
            if level.digits != "1":
                self._labelled[id(html_list)] = level._replace(start=start)
            elif start != 1:
                html_list.attrs["start"] = str(start)
        parent.append(html_list)
        return html_list

    def _start(self, node: XmlElement, level: ListLevel) -> int:
        """Return the first number of a list, which may continue an earlier one (sections 19.780 and 19.781)."""
        start = level.start
        if "text:continue-list" in node.attrib or node.get("text:continue-numbering") == "true":
            start = self._next.get(node.get("text:continue-list", ""), start)
        self._next[""] = self._next[node.get("xml:id", "")] = start + len(children(node, "text:list-item"))
        return start

    def label(self, html_list: Element | None) -> str:
        """Return the label of the last item of a list, e.g. "b) "; "" if markdown numbers the list itself."""
        level = self._labelled.get(id(html_list))
        if level is None or html_list is None:
            return ""
        return f"{level.prefix}{numeral(level.start + len(html_list.children) - 1, level.digits)}{level.suffix} "

    def chapter_number(self, node: XmlElement) -> str:
        """Count a heading; return its number by the document's outline style, e.g. "2.1 ", or ""."""
        levels, index = self._styles.outline, (integer(node.get("text:outline-level")) or 1) - 1
        if node.tag != "text:h" or index >= len(levels) or not levels[index].digits:
            return ""
        if node.get("text:is-list-header") == "true":
            return ""
        self._chapters[index:] = [self._chapters[index] + 1] + [0] * (len(self._chapters) - index - 1)
        first = max(0, index + 1 - levels[index].shown)
        shown = [place for place in range(first, index + 1) if levels[place].digits]
        numbers = (numeral(levels[i].start + max(0, self._chapters[i] - 1), levels[i].digits) for i in shown)
        return f"{levels[index].prefix}{'.'.join(numbers)}{levels[index].suffix} "


def join_lists(root: Element) -> None:
    """Join ul elements that follow one another, and join an item without text to the item before it.

    Presentations have a list for each run of items of one level: `<ul><li>a</ul><ul><li><ul><li>b</ul></ul>` becomes
    `<ul><li>a<ul><li>b</ul></ul>`.
    """
    stack = [root]
    while stack:
        node = stack.pop()
        joined: list[Element] = []
        for item in node.children:
            last = joined[-1] if joined else None
            is_deeper = item.tag == "li" and item.children and all(inner.tag in ("ul", "ol") for inner in item.children)
            if last is not None and (is_deeper or (item.tag == "ul" == last.tag)):
                add(last, item.children)  # type: ignore[arg-type]
            else:
                joined.append(item)  # type: ignore[arg-type]
        node.children = joined  # type: ignore[assignment]
        stack.extend(item for item in joined if item.tag in ("ul", "ol", "li"))


def headings_of(block: Element) -> list[Element]:
    """Return the headings of a list that has nothing else, each with its number; [] for any other block.

    Programs number chapters this way: `<ol><li><h1>Tides</h1></li></ol>` -> `<h1>1. Tides</h1>`.
    """
    headings: list[Element] = []
    stack = [(block, "")] if block.tag in ("ul", "ol") else []
    while stack:
        node, number = stack.pop()
        items = [item for item in node.children if isinstance(item, Element)]
        if node.tag in _HEADINGS:
            headings.append(element(node.tag, [number, *node.children]))  # type: ignore[list-item]
        elif len(items) < len(node.children):  # an item has text
            return []
        elif node.tag == "li":
            numbered = [(item, "" if index else number) for index, item in enumerate(items)]
            stack.extend(reversed(numbered))
        elif node.tag in ("ul", "ol"):
            start = integer(node.attrs.get("start"), 1)
            numbers = [f"{value}. " if node.tag == "ol" else "" for value in range(start, start + len(items))]
            stack.extend(reversed(list(zip(items, numbers))))
        else:
            return []
    return headings
