"""Which part of a page the text is taken from. In: the root. Out: the element to cut, and what it hides.

Usually the whole document. Scripts change that: single-page applications write their text into noscript for readers
without scripts, and streaming frameworks send it in hidden elements that a script moves into place. Panels of tabs and
accordions are hidden until a click, but their text is content.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from webtool import html
from webtool.extraction.page import blocks
from webtool.extraction.page.blocks import Page
from webtool.html.node import Element, nodes_below
from webtool.lean import patterns
from webtool.markdown import formulas
from webtool.visibility.hidden import find_hidden

_FORMULA_TEXT = patterns.compile(r"(?:^|\s)(?:mwe-math-mathml\S*|katex-mathml|MJX_Assistive_MathML)(?:\s|$)")
_TAGS = patterns.compile("<[^<>]*>")
MAX_NODES = 40  # nodes of a hidden element that are looked at
LEAST_NOSCRIPT = 40  # words; below it is a pixel, a lazy image or a request to turn scripts on


def read(root: Element) -> tuple[Page, set[Element], list[Element]]:
    """The cut page, the hidden elements that stay out of it, and those that may be hidden and stay in."""
    found = find_hidden(root, keep_panels=True)
    hidden = {
        element: reason
        for element, reason in (found | found.panels).items()
        if not (_is_formula_text(element) or _is_picture(element, reason))
    }
    panels = {element for element in found.panels if element in hidden and not _is_in_formula(element)}
    page = _choose(root, hidden, panels)
    page.boxes = found.boxes
    return page, hidden.keys() - panels, found.doubtful


def _is_formula_text(element: Element) -> bool:
    """Whether it is the MathML of a formula, hidden because a picture or styled boxes stand for it on a screen."""
    return element.tag == "mjx-assistive-mml" or bool(_FORMULA_TEXT.search(element.attrs.get("class", "")))


def _is_picture(element: Element, reason: str) -> bool:
    """Whether it is an image that fades in once it is loaded, or shows images and no word: what says nothing to a
    screen reader is seen all the same."""
    if reason == "opacity" and element.tag == "img":
        return element.attrs.get("loading") == "lazy"
    nodes = [element, *islice(nodes_below(element), MAX_NODES)] if reason == "aria-hidden" else []
    has_word = any(node.tag is None and node.text.strip() for node in nodes)
    return len(nodes) <= MAX_NODES and not has_word and any(node.tag == "img" for node in nodes)


def _is_in_formula(element: Element) -> bool:
    """Whether it is the box that a typesetter drew: the formula is read as a whole."""
    return element.parent is not None and formulas.is_formula(element.parent.attrs.get("class", ""))


def _choose(root: Element, hidden: Collection[Element], panels: set[Element]) -> Page:
    """Cut the document, or the noscript element that holds its text."""
    page = blocks.cut(root, hidden, panels)
    best, most = page, 2 * page.words[-1]
    for element in page.noscripts:
        if len(_TAGS.sub(" ", element.text).split()) > max(LEAST_NOSCRIPT - 1, most):
            is_text = len(element.children) == 1 and element.children[0].tag is None
            source = html.parse_fragment(element.text, "body") if is_text else element
            cut = blocks.cut(source, find_hidden(source))
            if cut.words[-1] > max(LEAST_NOSCRIPT - 1, most):  # style elements have words, too
                best, most = cut, cut.words[-1]
    return best
