"""Choose the part of a page that its text is taken from. In: the root. Out: the cut Page, and the hidden elements.

Usually that is the whole document. Some single-page applications have their text in a noscript element, for readers
without scripts; then that element is cut. Panels of tabs and accordions are hidden until a click, but their text is
content, so their blocks are in the Page and marked as hidden.
Tests: tests/extraction/page/test_sources.py
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from webtool import html
from webtool.extraction.page import cutting
from webtool.extraction.page.blocks import Page
from webtool.html.node import Element, nodes_below
from webtool.lean import patterns
from webtool.markdown import formulas
from webtool.visibility.hidden import find_hidden

_FORMULA_TEXT = patterns.compile(r"(?:^|\s)(?:mwe-math-mathml\S*|katex-mathml|MJX_Assistive_MathML)(?:\s|$)")
_TAGS = patterns.compile("<[^<>]*>")
MAX_NODES = 40  # a hidden element with more nodes is not taken for a picture
MIN_NOSCRIPT_WORDS = 40  # a shorter noscript element is left out: a pixel, a lazy image, a request to turn scripts on


def read(root: Element) -> tuple[Page, set[Element], list[Element]]:
    """Return the cut page, the hidden elements left out of it, and those kept although they may be hidden."""
    findings = find_hidden(root, keep_panels=True)
    hidden = {
        element: reason
        for element, reason in (findings | findings.panels).items()
        if not (_is_formula_text(element) or _is_picture(element, reason))
    }
    panels = {element for element in findings.panels if element in hidden and not _is_in_formula(element)}
    page = _choose(root, hidden, panels)
    page.boxes = findings.boxes
    return page, hidden.keys() - panels, findings.doubtful


def _is_formula_text(element: Element) -> bool:
    """Return whether an element is a formula's MathML, hidden because a picture or styled boxes show the formula."""
    return element.tag == "mjx-assistive-mml" or bool(_FORMULA_TEXT.search(element.attrs.get("class", "")))


def _is_picture(element: Element, reason: str) -> bool:
    """Return whether a hidden element is a picture that readers see.

    That is an image that fades in once it is loaded (hidden by opacity), or an element with images and no text that is
    hidden from screen readers only (aria-hidden).
    """
    if reason == "opacity" and element.tag == "img":
        return element.attrs.get("loading") == "lazy"
    nodes = [element, *islice(nodes_below(element), MAX_NODES)] if reason == "aria-hidden" else []
    has_word = any(node.tag is None and node.text.strip() for node in nodes)
    return len(nodes) <= MAX_NODES and not has_word and any(node.tag == "img" for node in nodes)


def _is_in_formula(element: Element) -> bool:
    """Return whether an element is a box of a typeset formula, which is read as a whole."""
    return element.parent is not None and formulas.is_formula(element.parent.attrs.get("class", ""))


def _choose(root: Element, hidden: Collection[Element], panels: set[Element]) -> Page:
    """Cut the document, or the noscript element with the most text if that is more than twice the document's."""
    page = cutting.cut(root, hidden, panels)
    best, most = page, max(MIN_NOSCRIPT_WORDS - 1, 2 * page.words[-1])
    for element in page.noscripts:
        if len(_TAGS.sub(" ", element.text).split()) > most:  # a quick test, which counts the words of styles as well
            is_text = len(element.children) == 1 and element.children[0].tag is None
            source = html.parse_fragment(element.text, "body") if is_text else element
            cut = cutting.cut(source, find_hidden(source))
            if cut.words[-1] > most:
                best, most = cut, cut.words[-1]
    return best
