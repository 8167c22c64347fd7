"""Read a page's head: the address of a markdown version, the base URL, the generator. Tell pages that only redirect.

In: a tree and the page's URL. Out: absolute URLs, or None.
Spec: the HTML Standard, sections 2.4.3 (base), 4.2.5.1 (generator) and 4.6.7 (alternate).
"""

from __future__ import annotations

from webtool import urls
from webtool.html.node import Element, listed, nodes_below
from webtool.lean import media_types

MAX_SIGNPOST_TEXT = 500  # characters of visible text; a page with more is not a signpost


def markdown_alternate(root: Element, url: str) -> str | None:
    """Return the URL of the page's <link rel=alternate type=text/markdown>, or None."""
    for node in _elements(root, "link"):
        kind = media_types.extract(node.attrs.get("type"))[0]
        is_alternate = "alternate" in node.attrs.get("rel", "").lower().split()
        if kind == "text/markdown" and is_alternate and node.attrs.get("href"):
            return urls.join_or_empty(base_of(root, url), node.attrs["href"]) or None
    return None


def is_signpost(root: Element) -> bool:
    """Whether the page has so little text that nothing is lost if its <meta http-equiv=refresh> is followed."""
    length = 0
    for node in nodes_below(root):
        length += len(node.text.strip()) if node.tag is None else 0
        if length > MAX_SIGNPOST_TEXT:
            return False
    return True


def base_of(root: Element, url: str) -> str:
    """Return the document base URL: the first <base> that has an href, joined to the page's URL (section 2.4.3)."""
    for node in _elements(root, "base"):
        if "href" in node.attrs:
            return urls.join_or_empty(url, node.attrs["href"]) or url
    return url


def generator_of(root: Element) -> str:
    """Return the content of <meta name=generator>, "" without one."""
    for node in _elements(root, "meta"):
        if node.attrs.get("name", "").strip().lower() == "generator":
            return node.attrs.get("content", "").strip()
    return ""


def _elements(root: Element, tag: str) -> list[Element]:
    return [node for node in listed(root) if node.tag == tag]
