"""Trees for pickle and copy. In: an element. Out: its subtree as one flat list, and back.

Pickle recurses along children, and pages nest deeper than Python recurses. So a tree is written down in document order,
each element with the number of its children. What is above the element is not part of it.
"""

from __future__ import annotations

from webtool.html.node import Comment, Doctype, Document, Element, ProcessingInstruction, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.html.node import Node

    Flat = list[tuple[object, ...]]

_TEXTS: dict[str, type[Text]] = {kind.__name__: kind for kind in (Text, Comment, ProcessingInstruction)}


def flattened(root: Element) -> Flat:
    """The subtree in document order."""
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
