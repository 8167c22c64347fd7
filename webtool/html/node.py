"""The tree that the parser builds: Document, Element, Text, Comment, ProcessingInstruction, Doctype; walk() over it.

Every node has `tag` (None for text), `attrs`, `children`, `text` and `parent`, so that code that only reads needs no
type checks. Terms are the DOM Standard's.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import islice

from webtool.lean.typing import Union

Node = Union["Element", "Text", "Comment", "Doctype"]
Flat = list[tuple[object, ...]]

NO_ATTRS: dict[str, str] = {}
# How a style sheet may arrange an element: BLOCK ends the line; ITEM stands apart from what is before it, LAST_ITEM
# also from what follows. A NOTE is a footnote; what is STRUCK is crossed out.
BLOCK, ITEM, LAST_ITEM, TABLE, ROW, CELL, NOTE, STRUCK = (
    "block", "item", "last item", "table", "row", "cell", "note", "struck",
)  # fmt: skip
_MAX_LOOKED_AT = 60  # nodes of an element whose text is asked for,
_MAX_TEXT = 500  # and characters of one text


class Text:
    """A text node; `text` is its data."""

    __slots__ = ("parent", "text")
    tag = None
    namespace = None
    attrs = NO_ATTRS
    children: tuple[Node, ...] = ()

    def __init__(self, text: str, parent: Element | None = None) -> None:
        self.text = text
        self.parent = parent

    def __repr__(self) -> str:
        return f"Text({self.text!r})"


class Comment(Text):
    """A comment node; `text` is its data."""

    __slots__ = ()
    tag = "#comment"  # type: ignore[assignment]


class ProcessingInstruction(Comment):
    """A processing instruction; `text` is its target, a space and its data."""

    __slots__ = ()
    tag = "#processing-instruction"


class Doctype:
    """A document type node."""

    __slots__ = ("name", "parent", "public_id", "system_id")
    tag = "!doctype"
    namespace = None
    attrs = NO_ATTRS
    children: tuple[Node, ...] = ()
    text = ""

    def __init__(self, name: str, public_id: str | None = None, system_id: str | None = None) -> None:
        self.name = name
        self.public_id = public_id
        self.system_id = system_id
        self.parent: Element | None = None


class Element:
    """An element. `namespace` is "html", "svg" or "math". A template's contents are its children."""

    __slots__ = ("attrs", "children", "namespace", "parent", "tag")

    def __init__(self, tag: str, attrs: dict[str, str] | None = None, namespace: str = "html") -> None:
        self.tag = tag
        self.attrs: dict[str, str] = {} if attrs is None else attrs
        self.children: list[Node] = []
        self.parent: Element | None = None
        self.namespace = namespace

    def append(self, node: Node) -> None:
        """Put a node without a parent after the last child."""
        node.parent = self
        self.children.append(node)

    @property
    def text(self) -> str:
        """The concatenated data of all text nodes below (the DOM's textContent)."""
        return "".join(node.text for event, node in walk(self) if event == "text")

    def __reduce__(self) -> tuple[object, ...]:
        """For pickle and copy: the subtree, however deep it is, without what is above it."""
        return rebuilt, (flattened(self),)

    def __repr__(self) -> str:
        return f"<{self.tag} {self.attrs!r} with {len(self.children)} children>"


class Document(Element):
    """The root: tag "#document", or "#document-fragment" for a parsed fragment."""

    __slots__ = ("arranged", "elements", "quirks", "unseen")

    def __init__(self, tag: str = "#document") -> None:
        super().__init__(tag)
        self.quirks = False
        self.unseen: dict[Element, str] | None = None
        """What a browser said it does not show, with the reasons; None where none was asked."""
        self.arranged: dict[Element, str] = {}
        """Elements of a copy that the style sheets of its page arrange otherwise than their tags say."""
        self.elements: list[Element] = []
        """Those of a page in document order, as it was parsed; none of another document. To go through a list takes a
        third of the time of a walk."""


def walk(root: Element) -> Iterator[tuple[str, Node]]:
    """Yield ("open", element), ("text", text node) and ("close", element) in document order; comments are passed over.

    The root itself is opened and closed too. The stack is a list: hostile pages nest deeper than Python recurses.
    Changing the children of an element that is already open has no effect on the walk.
    """
    yield "open", root
    stack: list[tuple[Element, Iterator[Node]]] = [(root, iter(tuple(root.children)))]
    while stack:
        element, rest = stack[-1]
        for node in rest:
            if node.tag is None:
                yield "text", node
            elif type(node) is Element:
                yield "open", node
                stack.append((node, iter(tuple(node.children))))
                break
        else:
            stack.pop()
            yield "close", element


def elements(root: Element) -> Iterator[Element]:
    """The root and the elements below it, in document order: a third of the time that walk() takes."""
    yield root
    stack = [iter(root.children)]
    while stack:
        for node in stack[-1]:
            if node.tag is not None and isinstance(node, Element):
                yield node
                stack.append(iter(node.children))
                break
        else:
            stack.pop()


# Elements whose text is none of the page's.
SILENT = frozenset(("script", "style", "template", "noscript", "head", "title", "#comment", "!doctype"))


def nodes_below(element: Element, hidden: Container[Node] = ()) -> Iterator[Node]:
    """All nodes below an element in document order, but what is in scripts and in hidden elements."""
    stack = [iter(element.children)]
    while stack:
        for node in stack[-1]:
            yield node
            if node.children and node.tag not in SILENT and node not in hidden:
                stack.append(iter(node.children))
                break
        else:
            stack.pop()


def by_id(root: Element) -> dict[str, Element]:
    """The elements below the root by their ids; the first one in document order has it."""
    found: dict[str, Element] = {}
    for element in elements(root):
        if "id" in element.attrs:
            found.setdefault(element.attrs["id"], element)
    return found


def top_of(element: Element) -> Element:
    """The root of the tree that an element is in."""
    while element.parent is not None:
        element = element.parent
    return element


def around(node: Node, most: int) -> Iterator[Element]:
    """The elements that a node is in, the nearest first, at most that many."""
    at = node.parent
    while at is not None and most:
        yield at
        at, most = at.parent, most - 1


def short_text(element: Element) -> str:
    """The text of an element that holds a line of it; of a larger one, its beginning. Cost: bounded by a constant."""
    texts: list[str] = []
    nodes = 0
    stack = [iter(element.children)]
    while stack and nodes < _MAX_LOOKED_AT:
        for node in stack[-1]:
            nodes += 1
            if node.tag is None:
                texts.append(node.text[:_MAX_TEXT])
            elif node.children:
                stack.append(iter(node.children))
                break
        else:
            stack.pop()
    return "".join(texts)


def listed(root: Element) -> list[Element]:
    """The elements below the root, in document order; of a page those that it was parsed with."""
    return (isinstance(root, Document) and root.elements) or list(islice(elements(root), 1, None))


def release(root: Element) -> None:
    """Take a tree apart that nobody needs any more: parents and children hold each other, so that it would wait for
    the cyclic garbage collector, which takes longer for it."""
    nothing: list[Node] = []
    for element in listed(root):
        element.children = nothing
    root.children = nothing
    if isinstance(root, Document):
        root.elements = []


_TEXTS: dict[str, type[Text]] = {"Text": Text, "Comment": Comment, "ProcessingInstruction": ProcessingInstruction}


def flattened(root: Element) -> Flat:
    """The subtree as one list in document order, each element with the number of its children.

    Pickle recurses along children, and pages nest deeper than Python recurses; a list it takes as it is.
    """
    flat: Flat = []
    stack: list[Node] = [root]
    unseen = (isinstance(root, Document) and root.unseen) or {}
    reasons: list[tuple[int, str]] = []
    while stack:
        node = stack.pop()
        if isinstance(node, Element):
            if node in unseen:
                reasons.append((len(flat), unseen[node]))
            quirks = node.quirks if isinstance(node, Document) else None
            flat.append((node.tag, node.attrs, node.namespace, quirks, len(node.children)))
            stack.extend(reversed(node.children))
        elif isinstance(node, Doctype):
            flat.append((node.name, node.public_id, node.system_id))
        else:
            flat.append((type(node).__name__, node.text))
    if isinstance(root, Document) and root.unseen is not None:
        flat.append((reasons,))
    return flat


def rebuilt(flat: Flat) -> Element:
    """The subtree that was flattened."""
    root = _node(flat[0])
    assert isinstance(root, Element)
    stack = [(root, int(str(flat[0][4])))]
    nodes: list[Node] = [root]
    for row in flat[1:]:
        if len(row) == 1:
            root.unseen = {nodes[number]: reason for number, reason in row[0]}  # type: ignore[attr-defined]
            break
        while not stack[-1][1]:
            stack.pop()
        parent, left = stack[-1]
        stack[-1] = parent, left - 1
        node = _node(row)
        parent.append(node)
        nodes.append(node)
        if isinstance(node, Element):
            stack.append((node, int(str(row[4]))))
    return root


def _node(row: tuple[object, ...]) -> Node:
    if len(row) == 2:
        return _TEXTS[str(row[0])](str(row[1]))
    if len(row) == 3:
        return Doctype(*row)  # type: ignore[arg-type]
    tag, attrs, namespace, quirks, _ = row
    if quirks is None:
        return Element(tag, attrs, namespace)  # type: ignore[arg-type]
    document = Document(str(tag))
    document.quirks = bool(quirks)
    return document
