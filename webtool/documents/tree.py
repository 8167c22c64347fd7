"""Documents as HTML trees, so that one renderer writes all markdown. In: tags and texts. Out: Elements, markdown.

Converters build the elements that HTML has for what they find (h1, p, ul, table, a, strong) and leave escaping,
nesting and tables to webtool.markdown.
"""

from __future__ import annotations

import re

from webtool.html.node import Document, Element, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Union

    Child = Union[Element, str]

_URL = re.compile(r"\bhttps?://[^\s<>\"“”‘’{}|\\^`\[\]]{3,2000}")
MAX_INDENT = 8  # levels of lists in each other


def element(tag: str, children: Iterable[Child] = (), **attrs: str) -> Element:
    """An element with its children; strings become text nodes."""
    made = Element(tag, attrs)
    add(made, children)
    return made


def add(parent: Element, children: Iterable[Child]) -> None:
    """Append children; strings become text nodes."""
    for child in children:
        parent.append(Text(child) if isinstance(child, str) else child)


def link(children: Iterable[Child], url: str) -> Element:
    """A link."""
    return element("a", children, href=url)


def linkified(text: str) -> list[Child]:
    """Text with the URLs in it made links."""
    if "://" not in text:
        return [text]
    children: list[Child] = []
    at = 0
    for match in _URL.finditer(text):
        url = match.group().rstrip(".,;:!?'\"")
        if url.endswith(")") and "(" not in url:
            url = url[:-1]
        children.extend((text[at : match.start()], link([url], url)))
        at = match.start() + len(url)
    children.append(text[at:])
    return [child for child in children if child != ""]


def table(rows: list[list[list[Child]]]) -> Element:
    """A table whose first row is its head; rows are filled up to the same length."""
    width = max((len(row) for row in rows), default=0)
    made = element("table")
    for number, row in enumerate(rows):
        tag = "td" if number else "th"
        cells = [element(tag, cell) for cell in row]
        cells.extend(element(tag) for _ in range(width - len(row)))
        made.append(element("tr", cells))
    return made


class ListBuilder:
    """Nested lists from items that come one after the other, each with its depth from 0."""

    def __init__(self) -> None:
        self.top: list[Element] = []
        self._open: list[tuple[int, Element]] = []

    def add(self, children: Iterable[Child], depth: int, ordered: bool = False, start: int = 1) -> Element:
        """Append an item and return it, for further blocks."""
        depth = min(depth, MAX_INDENT)
        while self._open and self._open[-1][0] > depth:
            self._open.pop()
        tag = "ol" if ordered else "ul"
        if not self._open or self._open[-1][0] < depth or self._open[-1][1].tag != tag:
            if self._open and self._open[-1][0] == depth:
                self._open.pop()
            made = element(tag, start=str(start)) if ordered and start != 1 else element(tag)
            if self._open:
                items = self._open[-1][1].children
                items[-1].append(made)  # type: ignore[union-attr]
            else:
                self.top.append(made)
            self._open.append((depth, made))
        item = element("li", children)
        self._open[-1][1].append(item)
        return item


def markdown(children: Iterable[Element], url: str = "") -> str:
    """Markdown of blocks; references are resolved against `url`."""
    from webtool.markdown import to_markdown

    root = Document("#document-fragment")
    for child in children:
        root.append(child)
    return to_markdown(root, url or None, keep_hidden=True)
