"""Insert elements, characters and comments into the tree, at the appropriate place.

In: the stack of open elements and what is to be inserted. Out: the tree. Foster parenting puts what may not be in a
table before the table.

A limit of ours, without effect on pages that nest less deeply: with MAX_DEPTH open elements, a new element becomes its
parent's sibling, as in browsers.

Spec: the HTML Standard, 13.2.6.1 (creating and inserting nodes).
"""

from __future__ import annotations

from webtool.html.elements import FOSTERED_FROM
from webtool.html.node import Comment, Document, Element, Text
from webtool.html.openelements import MAX_DEPTH, MAX_SEARCH, OpenElements, last_index

_new = Element.__new__


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
        if node.parent is not None:
            siblings = node.parent.children
            if siblings[-1] is node:
                siblings.pop()
            else:
                siblings.remove(node)
        if self.fostering and target.tag in FOSTERED_FROM and target.namespace == "html":
            self._place(node, *self._foster_place(target))
        else:
            target.append(node)

    def _place(self, node: Element | Comment, parent: Element, index: int) -> None:
        """Put a node into a parent at an index."""
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
