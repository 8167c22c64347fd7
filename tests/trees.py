"""Write trees as text, for tests that compare the parser's trees."""

from __future__ import annotations

from html_serializer import serialize

from webtool.html import parse_html


def document_html(source: str) -> str:
    """Return the whole document, serialized."""
    return serialize(parse_html(source))


def body_html(source: str) -> str:
    """Return the contents of the body of a document in no-quirks mode, serialized."""
    return serialize(find_body(parse_html("<!DOCTYPE html>" + source)), inner=True)


def quirks_html(source: str) -> str:
    """Return the contents of the body of a document in quirks mode, serialized."""
    return serialize(find_body(parse_html(source)), inner=True)


def body_outline(source: str) -> str:
    """Return the contents of the body as tag(children), with svg: and math: before the names of foreign elements."""
    return outline(find_body(parse_html("<!DOCTYPE html>" + source)))


def find_body(document):
    """Return the body or the frameset of a document."""
    html = next(node for node in document.children if node.tag == "html")
    return next(node for node in html.children if node.tag in ("body", "frameset"))


def outline(node) -> str:
    """Return the children of a node as tag(children). Recursive, for small trees."""
    return " ".join(_outline(child) for child in node.children)


def _outline(node) -> str:
    if node.tag is None:
        return repr(node.text)
    if node.tag == "#comment":
        return f"<!--{node.text}-->"
    if node.tag == "#processing-instruction":
        return f"<?{node.text}?>"
    name = node.tag if node.namespace == "html" else f"{node.namespace}:{node.tag}"
    name += "".join(f" {key}={value}" for key, value in node.attrs.items())
    return f"{name}({outline(node)})" if node.children else name
