"""Serialize a tree to HTML text. Spec: the HTML Standard, 13.3 (serializing HTML fragments)."""

from __future__ import annotations

from webtool.html.elements import name_set
from webtool.html.node import Doctype, Element

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.html.node import Node

VOID = name_set("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr")
_RAW_TEXT = name_set("style script xmp iframe noembed noframes plaintext")


def serialize(node: Node, *, inner: bool = False, scripting: bool = False) -> str:
    """Return the node as HTML text; with `inner`, or for a document or fragment, only its contents."""
    parts: list[str] = []
    # Nodes and end tags that are still to be written, the next one last.
    rest: list[Node | str]
    rest = list(reversed(node.children)) if inner or node.tag in ("#document", "#document-fragment") else [node]
    while rest:
        item = rest.pop()
        if isinstance(item, str):
            parts.append(item)
        elif item.tag is None:
            parts.append(_text(item, scripting))
        elif isinstance(item, Doctype):
            parts.append(f"<!DOCTYPE {item.name}>")
        elif not isinstance(item, Element):
            parts.append(f"<!--{item.text}-->" if item.tag == "#comment" else f"<?{item.text}?>")
        else:
            parts.append(_start_tag(item))
            if item.namespace != "html" or item.tag not in VOID:
                rest.append(f"</{item.tag}>")
                rest.extend(reversed(item.children))
    return "".join(parts)


def _start_tag(element: Element) -> str:
    attrs = "".join(f' {name}="{_escape(value, True)}"' for name, value in element.attrs.items())
    return f"<{element.tag}{attrs}>"


def _text(node: Node, scripting: bool) -> str:
    parent = node.parent
    if parent is not None and parent.namespace == "html" and parent.tag in _RAW_TEXT:
        return node.text
    if scripting and parent is not None and parent.tag == "noscript":
        return node.text
    return _escape(node.text, False)


def _escape(text: str, in_attribute: bool) -> str:
    text = text.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;") if in_attribute else text
