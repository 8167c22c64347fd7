"""Keep the stack of open elements, with the operations that the standard names on it.

The stack is a list, the current node last. At its bottom is the document, then the root element. Searches look at the
MAX_SEARCH nearest elements, so that no page makes them slow; a stack that is not deeper is searched whole.

Spec: the HTML Standard, 13.2.4.2 (the stack of open elements) and 13.2.6.3 (closing elements that have implied end
tags).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from webtool.html import elements
from webtool.html.elements import Scope
from webtool.html.node import Element, Node

MAX_DEPTH = 512  # open elements; browsers stop to nest at this depth, too
MAX_SEARCH = 512  # elements that a search on the stack looks at


class OpenElements:
    """Keep the stack of open elements."""

    def __init__(self, document: Element) -> None:
        self.stack: list[Element] = [document]
        self.open_p = 0  # open p elements; most start tags close one, and with 0 need not search
        self.seen = {"html"}  # names of all elements that were ever open; other names need not be searched

    def pop(self) -> Element:
        """Pop the current node."""
        node = self.stack.pop()
        if node.tag == "p":
            self.open_p -= 1
        return node

    def pop_to(self, index: int) -> None:
        """Pop elements until the one at `index` has been popped."""
        stack = self.stack
        while len(stack) > index:
            if stack.pop().tag == "p":
                self.open_p -= 1

    def pop_until(self, *names: str) -> None:
        """Pop elements until an HTML element with one of the names has been popped."""
        stack = self.stack
        while len(stack) > 2:
            node = self.pop()
            if node.tag in names and node.namespace == "html":
                return

    def clear_back_to(self, names: frozenset[str]) -> None:
        """Clear the stack back to a table, table body or table row context."""
        stack = self.stack
        while len(stack) > 2 and not (stack[-1].tag in names and stack[-1].namespace == "html"):
            self.pop()

    def is_deep(self) -> bool:
        """Whether more elements are open than a tree may be deep."""
        return len(self.stack) > MAX_DEPTH

    def is_open(self, element: Element) -> bool:
        """Whether the element is on the stack of open elements."""
        for node in islice(reversed(self.stack), MAX_SEARCH):  # noqa: SIM110 (a generator takes twice the time)
            if node is element:
                return True
        return False

    def stack_index(self, element: Element) -> int:
        """Return the index of an open element on the stack."""
        return last_index(self.stack, element)

    def is_special(self, node: Element) -> bool:
        """Whether the element is in the special category."""
        if node.namespace == "html":
            return node.tag in elements.SPECIAL
        return (node.namespace, node.tag) in elements.FOREIGN_SCOPE

    def has_in_scope(self, name: str, scope: Scope = elements.DEFAULT_SCOPE) -> bool:
        """Whether the stack has an HTML element with this name in the specific scope."""
        if name not in self.seen:
            return False
        stops = scope[name]
        for node in islice(reversed(self.stack), MAX_SEARCH):
            tag = node.tag
            if tag in stops:
                if node.namespace == "html":
                    if tag == name:
                        return True
                    if tag in scope.names:
                        return False
                elif (node.namespace, tag) in scope.foreign:
                    return False
        return False

    def is_in_scope(self, element: Element, scope: Scope) -> bool:
        """Whether the stack has this element in the specific scope."""
        for node in islice(reversed(self.stack), MAX_SEARCH):
            if node is element:
                return True
            if node.namespace == "html":
                if node.tag in scope.names:
                    return False
            elif (node.namespace, node.tag) in scope.foreign:
                return False
        return False

    def generate_implied_end_tags(self, but: str = "") -> None:
        """Pop elements whose end tags may be omitted, except those with the name `but`."""
        stack = self.stack
        tag = stack[-1].tag
        while tag in elements.IMPLIED_END and tag != but and stack[-1].namespace == "html":
            self.pop()
            tag = stack[-1].tag

    def generate_all_implied_end_tags_thoroughly(self) -> None:
        """Pop elements whose end tags may be omitted, table parts included. Used at the end of a template."""
        while self.stack[-1].tag in elements.IMPLIED_END_THOROUGHLY and self.stack[-1].namespace == "html":
            self.pop()

    def close_p(self) -> None:
        """Close a p element if there is one in button scope."""
        if not self.open_p:
            return
        if self.stack[-1].tag == "p":
            self.stack.pop()
            self.open_p -= 1
        elif self.has_in_scope("p", elements.BUTTON_SCOPE):
            self.generate_implied_end_tags("p")
            self.pop_until("p")


def last_index(nodes: Sequence[Node], node: Node) -> int:
    """Return the index of the node, searched from the end; the length of the list if it is not in it."""
    for index in range(len(nodes) - 1, -1, -1):
        if nodes[index] is node:
            return index
    return len(nodes)
