"""Define the tree that the parser builds: Document, Element, Text, Comment, ProcessingInstruction, Doctype.

Every node has `tag` (None for text), `attrs`, `children`, `text` and `parent`, so that code that only reads needs no
type checks. Functions that walk a tree keep their own stack: hostile pages nest deeper than Python recurses. Terms are
the DOM Standard's.

A tree can be pickled however deep it is: flattened() makes one list of it, rebuilt() a tree of the list.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import islice

from webtool.lean.typing import Union

Node = Union["Element", "Text", "Comment", "Doctype"]
Flat = list[tuple[object, ...]]

NO_ATTRS: dict[str, str] = {}
# How a style sheet may arrange an element. BLOCK: it is a line of its own. ITEM: a space comes before it. LAST_ITEM: a
# space also comes after it. NOTE: it is a footnote. STRUCK: it is crossed out.
BLOCK, ITEM, LAST_ITEM, TABLE, ROW, CELL, NOTE, STRUCK = (
    "block", "item", "last item", "table", "row", "cell", "note", "struck",
)  # fmt: skip
_MAX_NODES = 60  # nodes whose text short_text joins
_MAX_TEXT = 500  # characters of one text node that short_text takes
# Elements whose text is not shown on the page.
SILENT = frozenset(("script", "style", "template", "noscript", "head", "title", "#comment", "!doctype"))


class Text:
    """Represent a text node; `text` is its data."""

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
    """Represent a comment; `text` is its data."""

    __slots__ = ()
    tag = "#comment"  # type: ignore[assignment]


class ProcessingInstruction(Comment):
    """Represent a processing instruction; `text` is its target, a space and its data."""

    __slots__ = ()
    tag = "#processing-instruction"


class Doctype:
    """Represent a document type."""

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
    """Represent an element. `namespace` is "html", "svg" or "math". The contents of a template are its children."""

    __slots__ = ("attrs", "children", "namespace", "parent", "tag")

    def __init__(self, tag: str, attrs: dict[str, str] | None = None, namespace: str = "html") -> None:
        self.tag = tag
        self.attrs: dict[str, str] = {} if attrs is None else attrs
        self.children: list[Node] = []
        self.parent: Element | None = None
        self.namespace = namespace

    def append(self, node: Node) -> None:
        """Add a node without a parent after the last child."""
        node.parent = self
        self.children.append(node)

    @property
    def text(self) -> str:
        """Return the data of all text nodes below, joined (the DOM's textContent)."""
        return "".join(node.text for event, node in walk(self) if event == "text")

    def __reduce__(self) -> tuple[object, ...]:
        """Support pickle and copy: the subtree, without what is above it."""
        return rebuilt, (flattened(self),)

    def __repr__(self) -> str:
        return f"<{self.tag} {self.attrs!r} with {len(self.children)} children>"


class Document(Element):
    """Represent the root: tag "#document", or "#document-fragment" for a parsed fragment."""

    __slots__ = ("arranged", "elements", "quirks", "unseen")

    def __init__(self, tag: str = "#document") -> None:
        super().__init__(tag)
        self.quirks = False
        # Elements that a browser does not show -> the reasons. None if no browser was asked.
        self.unseen: dict[Element, str] | None = None
        # Only in a copy of a part: elements that the page's style sheets arrange -> BLOCK, ITEM ...
        self.arranged: dict[Element, str] = {}
        # All elements of a page in document order, as parsed; empty in other documents. Takes a third of a walk's time.
        self.elements: list[Element] = []


def walk(root: Element) -> Iterator[tuple[str, Node]]:
    """Yield ("open", element), ("text", text node) and ("close", element) in document order; comments are left out.

    The root is opened and closed too. Changing the children of an element that is already open has no effect on the
    walk.
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
    """Yield the root and the elements below it in document order. Takes a third of the time of walk()."""
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


def nodes_below(element: Element, hidden: Container[Node] = ()) -> Iterator[Node]:
    """Yield the nodes below an element in document order, without the content of scripts and of hidden elements."""
    stack = [iter(element.children)]
    while stack:
        for node in stack[-1]:
            yield node
            if node.children and node.tag not in SILENT and node not in hidden:
                stack.append(iter(node.children))
                break
        else:
            stack.pop()


def by_id(in_order: Iterable[Element]) -> dict[str, Element]:
    """Return elements, given in document order, by their ids. Of equal ids the first one counts."""
    ids: dict[str, Element] = {}
    for element in in_order:
        if "id" in element.attrs:
            ids.setdefault(element.attrs["id"], element)
    return ids


def top_of(element: Element) -> Element:
    """Return the root of the tree that an element is in."""
    while element.parent is not None:
        element = element.parent
    return element


def around(node: Node, most: int) -> Iterator[Element]:
    """Yield the ancestors of a node, the nearest first, at most `most` of them; -1 means all."""
    ancestor = node.parent
    while ancestor is not None and most:
        yield ancestor
        ancestor, most = ancestor.parent, most - 1


def short_text(element: Node) -> str:
    """Return the text of an element that has a line of it; of a larger element, its beginning. Cost: constant."""
    texts: list[str] = []
    nodes = 0
    stack = [iter(element.children)]
    while stack and nodes < _MAX_NODES:
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
    """Return the elements below the root in document order; of a page, those that it was parsed with."""
    return (isinstance(root, Document) and root.elements) or list(islice(elements(root), 1, None))


def release(root: Element) -> None:
    """Take a tree apart that nobody needs any more, so that its memory is freed at once.

    Parents and children refer to each other; the cyclic garbage collector would take longer to find that out.
    """
    nothing: list[Node] = []
    for element in listed(root):
        element.children = nothing
    root.children = nothing
    if isinstance(root, Document):
        root.elements = []


_TEXTS: dict[str, type[Text]] = {"Text": Text, "Comment": Comment, "ProcessingInstruction": ProcessingInstruction}


def flattened(root: Element) -> Flat:
    """Return the subtree as a list in document order; an element's row has the number of its children.

    Pickle recurses along children, and pages nest deeper than Python recurses. A list has no depth.
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
    """Return the subtree that was flattened."""
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
