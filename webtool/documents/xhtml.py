"""XHTML as the tree of webtool.html. In: text. Out: a Document.

An HTML parser reads `<a id="x"/>` as an open tag that nothing closes, so well-formed XHTML is read as XML; what is not
well-formed goes to the HTML parser all the same.
"""

from __future__ import annotations

from webtool.documents.xmltree import XmlError, read, with_characters
from webtool.html import parse_html
from webtool.html.node import Document, Element, Text

_MAX_WEIGHT = 600_000  # of one document; an element of HTML is four times as large as one of XML
_NAMESPACES = {"html": "html", "math": "math", "svg2": "svg"}


class _Builder:
    """Handlers that build elements."""

    def __init__(self) -> None:
        self.document = Document()
        self._stack: list[Element] = [self.document]

    def start(self, name: str, attrs: dict[str, str]) -> None:
        prefix, _, local = name.rpartition(":")
        made = Element(local, dict(attrs), _NAMESPACES.get(prefix, "html"))
        self._stack[-1].append(made)
        self._stack.append(made)

    def end(self, _name: str) -> None:
        self._stack.pop()

    def text(self, text: str) -> None:
        self._stack[-1].append(Text(text))


def parse_xhtml(text: str) -> tuple[Document, bool]:
    """The tree of an XHTML document, and whether it is whole. Never raises."""
    builder = _Builder()
    try:
        left = read(with_characters(text), builder.start, builder.end, builder.text, most=_MAX_WEIGHT)
    except XmlError:
        return parse_html(text), True
    return builder.document, left >= 0


def first(root: Element, tag: str) -> Element | None:
    """The first element with a tag below the root, in document order."""
    stack: list[Element] = [root]
    while stack:
        node = stack.pop()
        if node.tag == tag:
            return node
        stack.extend(item for item in reversed(node.children) if isinstance(item, Element))
    return None
