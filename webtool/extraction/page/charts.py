"""Read the labels of charts and diagrams that a page draws as SVG. In: an svg element. Out: its text nodes.

A label is a text or foreignObject element. A logo is not a chart: it has one or two labels in a link or a header,
or single letters.

    <svg width=300><text>2025</text><text>4.1 M EUR</text></svg>  ->  2025 / 4.1 M EUR
    <a href=/><svg><text>Acme</text></svg></a>                    ->  no labels

Spec: SVG 2 section 11.
"""

from __future__ import annotations

from collections.abc import Collection

from webtool.html.node import Element, Node, Text

MIN_LETTERS = 5  # characters of all labels; with fewer the text is a decoration
MIN_LABELS = 3  # labels that make a chart wherever the picture is; with fewer it must lie outside of links and headers
_MAX_NODES = 4000  # nodes of one svg that are looked at
_HEADERS = frozenset(("a", "button", "h1", "h2", "h3", "header", "nav", "summary"))
_SKIPPED = frozenset(("title", "desc", "style", "script", "defs", "symbol", "metadata", "clipPath", "mask", "pattern"))

_LINE_END = Text("\n")


def labels(svg: Element, hidden: Collection[Element]) -> list[Node]:
    """Return the text nodes of a chart's labels, with a line end after each label. [] for other pictures."""
    if not svg.children:
        return []
    labels = _labels_of(svg, hidden)
    words = [" ".join("".join(node.text for node in nodes).split()) for nodes in labels]
    if sum(map(len, words)) < MIN_LETTERS or all(len(word) == 1 and not word.isdigit() for word in words):
        return []
    if len(labels) < MIN_LABELS and (_is_in_header(svg) or (len(labels) < 2 and len(words[0].split()) < MIN_LABELS)):
        return []
    return [node for nodes in labels for node in (*nodes, _LINE_END)]


def _labels_of(svg: Element, hidden: Collection[Element]) -> list[list[Text]]:
    """Return the text nodes of each label, in document order."""
    labels: list[list[Text]] = []
    stack: list[tuple[Node, list[Text] | None]] = [(child, None) for child in reversed(svg.children)]
    seen = 0
    while stack and seen < _MAX_NODES:
        node, label = stack.pop()
        seen += 1
        if isinstance(node, Text):
            if node.tag is None and label is not None and node.text.strip():
                label.append(node)
            continue
        if not isinstance(node, Element) or node.tag in _SKIPPED or node in hidden:
            continue
        if label is None and node.tag in ("text", "foreignObject"):
            label = []
            labels.append(label)
        stack += [(child, label) for child in reversed(node.children)]
    return [nodes for nodes in labels if nodes]


def _is_in_header(svg: Element) -> bool:
    element = svg.parent
    for _ in range(12):
        if element is None:
            return False
        if element.tag in _HEADERS or element.attrs.get("role") == "banner":
            return True
        element = element.parent
    return False
