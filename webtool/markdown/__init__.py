"""HTML tree to GitHub Flavored Markdown. In: the tree of webtool.html. Out: text that renders to the same document.

Specification: CommonMark 0.31 and GFM 0.29. `to_markdown` is the only name that others need.
"""

from __future__ import annotations

from collections.abc import Container

from webtool.html.node import Document, Element, elements, top_of
from webtool.markdown.handlers import HANDLERS, WITH_NAV, with_noscript
from webtool.markdown.links import Links
from webtool.markdown.render import Conversion, Handler, Renderer
from webtool.running.budget import Budget

__all__ = ["to_markdown"]

_ALMOST_NOTHING = 300  # characters


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
    """GFM markdown of a Document or of any element's content, with one line end at its end; the tree is not changed.

    `base_url` makes links absolute, together with the document's <base>. Left out are nav elements, unless `keep_nav`,
    and the elements of `hidden`: what the page hides, when it is None; a sub-tree that was chosen with care wants ().
    `links` are written "inline", as "refs" numbered at the end, or as their text only ("none"); `images` are kept
    ("keep"), written as their description ("alt") or left out ("none"). Text beyond the budget is left out; a last
    paragraph says so.
    """
    if hidden is None:
        from webtool.visibility.hidden import find_hidden

        hidden = find_hidden(root, keep_panels=True)
    boxes = root.arranged if isinstance(root, Document) else {}
    if hasattr(hidden, "boxes"):
        boxes = hidden.boxes()
    handlers = WITH_NAV if keep_nav else HANDLERS
    budget = budget or Budget()

    def rendered(handlers: dict[str, Handler]) -> str:
        targets = Links(base_url, _base_href(root), budget, links)
        return Renderer(Conversion(targets, handlers, budget, images), hidden, boxes).render(root)

    markdown = rendered(handlers)
    if len(markdown) < _ALMOST_NOTHING and root.tag == "#document":
        # A page that scripts build has its text, if anywhere, in the version for browsers without them.
        unscripted = rendered(with_noscript(handlers))
        if len(unscripted) > len(markdown) + _ALMOST_NOTHING:
            return unscripted
    return markdown


def _base_href(root: Element) -> str | None:
    """The href of the document's first base element that has one (HTML section 4.2.3)."""
    for element in elements(top_of(root)):
        if element.tag == "base" and "href" in element.attrs:
            return element.attrs["href"]
        if element.tag == "body":
            return None
    return None
