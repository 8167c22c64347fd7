"""What a page's head says about where its text is. In: a tree and the page's URL. Out: absolute URLs, or None.

Spec: the HTML Standard, sections 2.4.3 (base), 4.2.5.1 (generator) and 4.6.7 (alternate).
"""

from __future__ import annotations

from webtool import urls
from webtool.html.node import Element, listed, nodes_below

SHORT_TEXT = 500  # characters of visible text up to which a page that refreshes is only a signpost


def markdown_alternate(root: Element, url: str) -> str | None:
    """The URL of <link rel=alternate type=text/markdown>."""
    for node in _elements(root, "link"):
        kind = node.attrs.get("type", "").partition(";")[0].strip().lower()
        is_alternate = "alternate" in node.attrs.get("rel", "").lower().split()
        if kind == "text/markdown" and is_alternate and node.attrs.get("href"):
            return urls.join(url, node.attrs["href"])
    return None


def is_signpost(root: Element) -> bool:
    """Whether the page says next to nothing itself, so that a refresh may be followed without losing text."""
    length = 0
    for node in nodes_below(root):
        length += len(node.text.strip()) if node.tag is None else 0
        if length > SHORT_TEXT:
            return False
    return True


def base_of(root: Element, url: str) -> str:
    """The document base URL: the first <base> that has an href, joined to the page's URL (section 2.4.3)."""
    for node in _elements(root, "base"):
        if "href" in node.attrs:
            return urls.join(url, node.attrs["href"])
    return url


def generator_of(root: Element) -> str:
    """What <meta name=generator> says; "" where there is none."""
    for node in _elements(root, "meta"):
        if node.attrs.get("name", "").strip().lower() == "generator":
            return node.attrs.get("content", "").strip()
    return ""


def _elements(root: Element, tag: str) -> list[Element]:
    return [node for node in listed(root) if node.tag == tag]
