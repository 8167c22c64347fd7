"""Keep the stack of open elements, and insert elements, characters and comments into the tree at the appropriate place.

In: tokens' parts. Out: the tree. The stack is a list, the current node last. At its bottom is the document, then the
root element. Foster parenting puts what may not be in a table before the table. Two limits keep hostile pages linear:

- Searches on the stack look at the MAX_SEARCH nearest elements; a stack that is not deeper is searched whole.
- With MAX_DEPTH open elements, a new element becomes its parent's sibling, as in browsers.
Spec: the HTML Standard, 13.2.4.2 (the stack of open elements), 13.2.6.1 (creating and inserting nodes) and 13.2.6.3
(closing elements that have implied end tags).
Tests: tests/html/test_insertion.py, tests/html/test_openelements.py
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from webtool.html import elements
from webtool.html.elements import FOSTERED_FROM, Scope
from webtool.html.node import Comment, Document, Element, Node, Text

MAX_DEPTH = 512  # open elements; browsers stop to nest at this depth, too
MAX_SEARCH = 512  # elements that a search on the stack looks at
_new = Element.__new__


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


def detach(node: Element) -> None:
    """Remove a node from its parent, if it has one; in most cases it is the last child."""
    parent = node.parent
    if parent is None:
        return
    children = parent.children
    if children[-1] is node:
        children.pop()
    else:
        children.remove(node)
    node.parent = None


class Insertion(OpenElements):
    """Extend the stack of open elements by the operations that insert."""

    def __init__(self, document: Document) -> None:
        OpenElements.__init__(self, document)
        self.document = document
        self.fostering = False  # foster parenting is enabled
        self.comment_type: type[Comment] = Comment  # or ProcessingInstruction
        self.ids: list[str] = []  # id attributes of all elements
        self.inserted: list[Element] = []  # all elements, in the order of insertion
        self.is_in_order = True  # `inserted` has exactly the tree's elements in document order
        self._text_parts: dict[Text, list[str]] = {}  # texts that came in parts; join_texts joins them

    def insert_element(self, name: str, attrs: dict[str, str], namespace: str = "html") -> Element:
        """Insert an element at the appropriate place and push it."""
        stack = self.stack
        parent = stack[-1]
        element = _new(Element)  # without calling __init__: a page makes thousands
        element.tag = name
        element.attrs = attrs
        element.children = []
        element.namespace = namespace
        element.parent = None
        self.inserted.append(element)
        self.seen.add(name)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if self.fostering and parent.tag in FOSTERED_FROM:
            self.move_to_appropriate_place(element, parent)
        else:
            if len(stack) > MAX_DEPTH and parent.parent is not None:
                parent = parent.parent
                self.is_in_order = False
            element.parent = parent
            parent.children.append(element)
        stack.append(element)
        return element

    def insert_void(self, name: str, attrs: dict[str, str]) -> None:
        """Insert an element and immediately pop it."""
        self.insert_element(name, attrs)
        self.stack.pop()

    def insert_text(self, data: str) -> None:
        """Insert characters at the appropriate place; they are joined to a text directly before them."""
        parent = self.stack[-1]
        children = parent.children
        index = len(children)
        if self.fostering and parent.tag in FOSTERED_FROM:
            parent, index = self._foster_place(parent)
            children = parent.children
        if parent is self.document:
            return  # a Document node has no text
        if index:
            before = children[index - 1]
            if before.tag is None:
                parts = self._text_parts.get(before)
                if parts is None:
                    self._text_parts[before] = [before.text, data]
                else:
                    parts.append(data)
                return
        children.insert(index, Text(data, parent))

    def insert_comment(self, data: str, parent: Element | None = None) -> None:
        """Insert a comment at the appropriate place, or as the last child of `parent`."""
        node = self.comment_type(data)
        if parent is None:
            parent = self.stack[-1]
            if self.fostering and parent.tag in FOSTERED_FROM:
                self._place(node, *self._foster_place(parent))
                return
        parent.append(node)

    def move_to_appropriate_place(self, node: Element, target: Element) -> None:
        """Move a node to where an insertion into `target` belongs, with foster parenting if enabled."""
        self.is_in_order = False
        detach(node)
        if self.fostering and target.tag in FOSTERED_FROM and target.namespace == "html":
            self._place(node, *self._foster_place(target))
        else:
            target.append(node)

    def _place(self, node: Element | Comment, parent: Element, index: int) -> None:
        node.parent = parent
        parent.children.insert(index, node)

    def _foster_place(self, target: Element) -> tuple[Element, int]:
        """Return the foster parent and the index in it (13.2.6.1, appropriate place for inserting a node)."""
        stack = self.stack
        for index in range(len(stack) - 1, max(0, len(stack) - MAX_SEARCH), -1):
            node = stack[index]
            if node.namespace != "html":
                continue
            if node.tag == "template":
                return node, len(node.children)
            if node.tag == "table":
                parent = node.parent
                if parent is None:
                    break
                if self.is_deep():
                    return parent, len(parent.children)
                return parent, last_index(parent.children, node)
        parent = stack[1] if len(stack) > 1 else target
        return parent, len(parent.children)

    def merge_attributes(self, element: Element, attrs: dict[str, str]) -> None:
        """Add the attributes that the element does not have yet."""
        for name, value in attrs.items():
            element.attrs.setdefault(name, value)

    def join_texts(self) -> None:
        """Join the texts that came in parts."""
        for node, parts in self._text_parts.items():
            node.text = "".join(parts)
        self._text_parts.clear()
