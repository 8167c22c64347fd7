"""The tree that the parser builds: Document, Element, Text, Comment, ProcessingInstruction, Doctype; walk() over it.

Every node has `tag` (None for text), `attrs`, `children`, `text` and `parent`, so that code that only reads needs no
type checks. Terms are the DOM Standard's.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Union

    Node = Union["Element", "Text", "Comment", "Doctype"]

NO_ATTRS: dict[str, str] = {}


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
        from webtool.html.pickling import flattened, rebuilt

        return rebuilt, (flattened(self),)

    def __repr__(self) -> str:
        return f"<{self.tag} {self.attrs!r} with {len(self.children)} children>"


class Document(Element):
    """The root: tag "#document", or "#document-fragment" for a parsed fragment."""

    __slots__ = ("quirks", "unseen")

    def __init__(self, tag: str = "#document") -> None:
        super().__init__(tag)
        self.quirks = False
        self.unseen: dict[Element, str] | None = None
        """What a browser said it does not show, with the reasons; None where none was asked."""


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
