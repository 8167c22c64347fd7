"""Measure text inside and outside of hidden elements. In: a tree and sets of its elements. Out: characters, words.

PanelTexts also tells which elements have no text of their own: menus, and copies of visible text.
White space between elements does not count, nor does what is inside scripts and the like (webtool.html.node.SILENT).
A closed element is one in which nothing can make itself visible (`display: none`); most lengths leave these out.
Tests: tests/visibility/test_hidden.py
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping

from webtool.html.elements import role_of
from webtool.html.node import SILENT, Element, Node, nodes_below, walk
from webtool.lean.memory import cached

MIN_DISTINCT = 24  # characters of a distinct text; a shorter one ("Add to cart") may repeat by chance
MAX_LINKED_SHARE = 0.7  # an element with a larger share of its text in links is a menu
MIN_DISTINCT_SHARE = 0.5  # of an element's text, in distinct texts; with less, one copied sentence would decide
MAX_COPIED_SHARE = 0.8  # an element with a larger share of its distinct texts visible elsewhere is a copy
_MAX_STEPS = 1_000_000  # nodes looked at for one document; a node in nested panels counts several times
_MAX_TEXT = 2000  # characters of one text node whose words are counted


def words_in(elements: Iterable[Element]) -> int:
    """Return how many words the elements hold, scripts excluded. Words of an element inside another one count once."""
    members = set(elements)
    return sum(
        len(node.text.split()) for element in members for node in nodes_below(element, members) if node.tag is None
    )


def stripped_length(element: Element) -> int:
    """Return the characters of an element's texts, scripts excluded, each without white space around it."""
    return sum(len(node.text.strip()) for node in nodes_below(element) if node.tag is None)


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
    counted = set(closed)  # elements whose text has been counted, or is not to be counted
    for element in hidden:
        if element not in counted:
            below = [node for node in nodes_below(element, counted) if node.tag is None or node in hidden]
            length += sum([len(node.text) for node in below if node.tag is None and not node.text.isspace()])
            counted.update(below)
            counted.add(element)
    return length


def lengths_of(hidden: Mapping[Element, str], root: Element, closed: Container[Node]) -> tuple[dict[Node, int], int]:
    """Return the characters of text in each hidden element, and in the document; closed elements do not count."""
    lengths: dict[Node, int] = {}  # until an element is closed, the characters before it; then those in it
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


class PanelTexts:
    """The texts of one document's hidden elements. After _MAX_STEPS nodes, each further element counts as a menu."""

    def __init__(self, root: Element, hidden: Container[Element]) -> None:
        self._root = root
        self._hidden = hidden
        self._steps = _MAX_STEPS  # nodes that may still be looked at

    def length(self, element: Element, hidden: Container[Element] = (), most: float = float("inf")) -> int:
        """Return how many characters of text an element has outside of `hidden`; counting ends above `most`."""
        length = 0
        stack = [element]
        while stack and length <= most and self._steps >= 0:
            nodes = stack.pop().children
            self._steps -= len(nodes)
            for node in nodes:
                if node.tag is None:
                    length += len(node.text.strip())
                elif node.children and node.tag not in SILENT and node not in hidden:
                    stack.append(node)  # type: ignore[arg-type]
        return length

    def has_words_or_digits(self, element: Element) -> bool:
        """Return whether an element has more than one word, or a digit."""
        words = 0
        for node in nodes_below(element):
            self._steps -= 1
            if node.tag is None:
                text = node.text[:_MAX_TEXT]
                if any(map(str.isdigit, text)):
                    return True
                words += len(text.split())
            if words > 1 or self._steps < 0:
                break
        return words > 1

    def is_menu_or_copy(self, element: Element, *, may_link: bool = False) -> bool:
        """Return whether an element has no text of its own: nearly all is links, or is visible elsewhere too.

        `may_link` is for slides, which are links at times. An element without text counts as a menu.
        """
        length = linked = copied = distinct = 0
        for node in nodes_below(element):
            self._steps -= 1
            if self._steps < 0:
                return True
            if node.tag is None:
                text = node.text.strip()
                length += len(text)
                if len(text) >= MIN_DISTINCT:
                    distinct += len(text)
                    copied += len(text) if text in self._visible_texts else 0
            elif node.tag == "a":
                linked += self.length(node)  # type: ignore[arg-type]
        if not length:
            return True
        may_link = may_link or role_of(element.attrs) == "tabpanel"
        is_menu = linked > length * MAX_LINKED_SHARE and not may_link
        is_copy = copied > distinct * MAX_COPIED_SHARE and distinct > length * MIN_DISTINCT_SHARE
        return is_menu or is_copy

    @cached
    def _visible_texts(self) -> set[str]:
        """The visible texts that are long enough to be distinct."""
        below = nodes_below(self._root, self._hidden)
        return {node.text.strip() for node in below if node.tag is None and len(node.text) >= MIN_DISTINCT}
