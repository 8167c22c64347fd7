"""Lengths of text inside and outside of hidden elements. In: a tree and sets of its elements. Out: characters, words.

White space between elements does not count, nor does what is inside scripts and the like (webtool.html.node.SILENT).
A closed element is one in which nothing can make itself visible (`display: none`); most lengths leave these out.
Tests: tests/visibility/test_hidden.py
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping
from itertools import islice

from webtool.html.node import SILENT, Element, Node, nodes_below, walk


def texts_in(element: Element, limit: int | None = None) -> list[Node]:
    """Return the text nodes below an element, scripts excluded; at most the first `limit`."""
    return list(islice((node for node in nodes_below(element) if node.tag is None), limit))


def words_in(elements: Iterable[Element]) -> int:
    """Return how many words the elements hold, scripts excluded."""
    return sum(len(node.text.split()) for element in elements for node in texts_in(element))


def stripped_length(element: Element) -> int:
    """Return the characters of an element's texts, each without white space around it."""
    return sum(len(node.text.strip()) for node in texts_in(element))


def length_outside(element: Element, hidden: Container[Node], limit: float = float("inf")) -> int:
    """Return how many characters of text an element has outside of `hidden`; counting ends once it reaches `limit`."""
    length = 0
    stack = [element]
    while stack and length < limit:
        for node in stack.pop().children:
            if node.tag is None:
                length += 0 if node.text.isspace() else len(node.text)
            elif node.children and node.tag not in SILENT and node not in hidden:
                stack.append(node)  # type: ignore[arg-type]
    return length


def hidden_length(hidden: Mapping[Element, str], closed: Collection[Node]) -> int:
    """Return how many characters of text are in `hidden`, without those in closed elements."""
    length = 0
    passed = set(closed)
    for element in hidden:
        if element not in passed:
            below = [node for node in nodes_below(element, passed) if node.tag is None or node in hidden]
            length += sum([len(node.text) for node in below if node.tag is None and not node.text.isspace()])
            passed.update(below)
            passed.add(element)
    return length


def lengths_of(hidden: Mapping[Element, str], root: Element, closed: Container[Node]) -> tuple[dict[Node, int], int]:
    """Return the characters of text in each hidden element, and in the document; closed elements do not count."""
    lengths: dict[Node, int] = {}  # while an element is open: the characters before it
    total = 0
    skipped: Node | None = None  # a closed or silent element that the walk is in
    for event, node in walk(root):
        if skipped is not None:
            if event == "close" and node is skipped:
                skipped = None
        elif event == "text":
            total += 0 if node.text.isspace() else len(node.text)
        elif event == "close":
            if node in lengths:
                lengths[node] = total - lengths[node]
        elif node is not root and (node.tag in SILENT or node in closed):
            skipped = node
        elif node in hidden:
            lengths[node] = total
    return lengths, total
