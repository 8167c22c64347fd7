"""Convert an HTML tree to GitHub Flavored Markdown.

In: the tree of webtool.html. Out: markdown text that renders to the same document. Which elements are hidden is decided
by webtool.visibility, which part of a page is its content by webtool.extraction. Other packages need only to_markdown;
those that write markdown themselves also import escape and escape_text.

The walk is in render.py; handlers/ has a function for each tag, class and role; blocks.py writes block structure,
inline.py a block's inline content. Specification: CommonMark 0.31 and GFM 0.29.
Tests: tests/markdown/test_options.py
"""

from __future__ import annotations

from collections.abc import Container

from webtool.html.node import Document, Element, elements, top_of
from webtool.markdown.handlers import HANDLERS, WITH_NAV, with_noscript
from webtool.markdown.links import Links
from webtool.markdown.render import Conversion, Handler, Renderer
from webtool.running.budget import Budget

__all__ = ["to_markdown"]

_MIN_TEXT = 300  # characters of markdown; a document with less may have its text in noscript elements


def to_markdown(
    root: Element,
    base_url: str | None = None,
    *,
    keep_nav: bool = False,
    hidden: Container[Element] | None = None,
    links: str = "inline",
    images: str = "keep",
    budget: Budget | None = None,
) -> str:
    """Return the GFM markdown of a document or of an element's content, with one line end at its end.

    The tree is not changed.

    - `base_url` makes links absolute, together with the document's <base>.
    - `keep_nav` keeps nav elements.
    - `hidden` are elements to leave out; with None, those that the page hides. Pass () for a subtree chosen on purpose.
    - `links`: "inline", "refs" (numbered, listed at the end) or "none" (only their text).
    - `images`: "keep", "alt" (only their description) or "none".
    - `budget` limits the output: text beyond it is left out, and a last paragraph names the limit.
    """
    if hidden is None:
        from webtool.visibility.hidden import find_hidden

        hidden = find_hidden(root, keep_panels=True)
    # Where elements are on the page: from the reader of a document, or from the result of find_hidden().
    boxes = root.arranged if isinstance(root, Document) else {}
    if hasattr(hidden, "boxes"):
        boxes = hidden.boxes()
    handlers = WITH_NAV if keep_nav else HANDLERS
    budget = budget or Budget()

    def render(handlers: dict[str, Handler]) -> str:
        targets = Links(base_url, _base_href(root), budget, links)
        return Renderer(Conversion(targets, handlers, budget, images), hidden, boxes).render(root)

    markdown = render(handlers)
    if len(markdown) < _MIN_TEXT and root.tag == "#document":
        # A page that scripts build may have its text in noscript elements.
        with_noscript_text = render(with_noscript(handlers))
        if len(with_noscript_text) > len(markdown) + _MIN_TEXT:
            return with_noscript_text
    return markdown


def _base_href(root: Element) -> str | None:
    """Return the href of the document's first base element that has one (HTML section 4.2.3), else None."""
    for element in elements(top_of(root)):
        if element.tag == "base" and "href" in element.attrs:
            return element.attrs["href"]
        if element.tag == "body":
            return None
    return None
