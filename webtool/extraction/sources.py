"""Which part of a page the text is taken from. In: the root. Out: the element to cut, and what it hides.

Usually the whole document. Scripts change that: single-page applications write their text into noscript for readers
without scripts, and streaming frameworks send it in hidden elements that a script moves into place. Panels of tabs and
accordions are hidden until a click, but their text is content.
"""

from __future__ import annotations

from webtool import html
from webtool.extraction import blocks
from webtool.html.visibility.hidden import find_hidden
from webtool.html.visibility.panels import UNDONE, Openers, is_panel, names_of
from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from webtool.extraction.blocks import Page
    from webtool.html.node import Element

_NEVER = patterns.compile(
    r"(?i)menu|nav|modal|popup|dialog|overlay|cookie|consent|tooltip|toast|search|drawer|"
    r"offcanvas|login|signup|banner|lightbox|share"
)
_FORMULA_TEXT = patterns.compile(r"(?:^|\s)(?:mwe-math-mathml\S*|katex-mathml|MJX_Assistive_MathML)(?:\s|$)")
_TAGS = patterns.compile("<[^<>]*>")
LEAST_NOSCRIPT = 40  # words; below it is a pixel, a lazy image or a request to turn scripts on
FEW_WORDS = 500
"""A page with fewer visible words is asked whether it hides more than it shows."""


def read(root: Element) -> tuple[Page, set[Element], list[Element]]:
    """The cut page, the hidden elements that stay out of it, and those that may be hidden and stay in."""
    found = find_hidden(root)
    hidden = {element: reason for element, reason in found.items() if not _is_formula_text(element)}
    openers = Openers(hidden)
    panels = {element for element, reason in hidden.items() if is_panel(element, reason, openers, _is_never)}
    page = _choose(root, hidden, panels)
    seen = sum(block.words for block in page.blocks)
    if hidden and seen < FEW_WORDS and getattr(root, "unseen", None) is None:
        undone = {element for element, reason in hidden.items() if reason in UNDONE and not _is_never(element)}
        if sum(element.text.count(" ") for element in undone if element not in panels) > seen:
            panels |= undone
            page = _choose(root, hidden, panels)
    return page, {element for element in hidden if element not in panels}, found.doubtful


def _is_formula_text(element: Element) -> bool:
    """Whether it is the MathML of a formula, hidden because a picture or styled boxes stand for it on a screen."""
    return element.tag == "mjx-assistive-mml" or bool(_FORMULA_TEXT.search(element.attrs.get("class", "")))


def _is_never(element: Element) -> bool:
    return bool(_NEVER.search(names_of(element)))


def _choose(root: Element, hidden: Collection[Element], panels: set[Element]) -> Page:
    """Cut the document, or the noscript element that holds its text."""
    page = blocks.cut(root, hidden, panels)
    seen = sum(block.words for block in page.blocks)
    best = None
    for element in page.noscripts:
        size = len(_TAGS.sub(" ", element.text).split())
        if size >= LEAST_NOSCRIPT and size > 2 * seen:
            best, seen = element, size
    if best is None:
        return page
    if len(best.children) == 1 and best.children[0].tag is None:
        best = html.parse_fragment(best.text, "body")
    return blocks.cut(best)
