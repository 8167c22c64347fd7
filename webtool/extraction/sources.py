"""Which part of a page the text is taken from. In: the root. Out: the element to cut, and what it hides.

Usually the whole document. Scripts change that: single-page applications write their text into noscript for readers
without scripts, and streaming frameworks send it in hidden elements that a script moves into place. Panels of tabs and
accordions are hidden until a click, but their text is content.
"""

from __future__ import annotations

from webtool import html
from webtool.extraction import blocks
from webtool.html.visibility.hidden import find_hidden
from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from webtool.extraction.blocks import Page
    from webtool.html.node import Element

_STREAMED = patterns.compile(r"(?:S|P):[0-9a-f]{1,4}$")
_PANEL = patterns.compile(
    r"(?i)tab|accordion|accordeon|collaps|panel|faq|answer|toggle|expand|spoiler|read-?more|show-?more|more-?text|"
    r"truncat|fold|content|slide|variant|descri|detail"
)
_NEVER = patterns.compile(
    r"(?i)menu|nav|modal|popup|dialog|overlay|cookie|consent|tooltip|toast|search|drawer|"
    r"offcanvas|login|signup|banner|lightbox|share"
)
_FORMULA_TEXT = patterns.compile(r"(?:^|\s)(?:mwe-math-mathml\S*|katex-mathml|MJX_Assistive_MathML)(?:\s|$)")
_TAGS = patterns.compile("<[^<>]*>")
LEAST_NOSCRIPT = 40  # words; below it is a pixel, a lazy image or a request to turn scripts on
FEW_WORDS = 500
"""A page with fewer visible words is asked whether it hides more than it shows."""

# Ways of hiding that scripts undo. The others (tiny, transparent, off the screen) are never undone.
_UNDONE = frozenset(("hidden", "aria-hidden", "display", "visibility", "opacity", "class"))
_INLINE = frozenset(("i", "span", "svg", "em", "b", "sup", "small"))


def read(root: Element) -> tuple[Page, set[Element]]:
    """The cut page, and the hidden elements that stay out of it."""
    hidden = {element: reason for element, reason in find_hidden(root).items() if not _is_formula_text(element)}
    panels = {element for element, reason in hidden.items() if is_panel(element, reason)}
    page = _choose(root, hidden, panels)
    seen = sum(block.words for block in page.blocks)
    if hidden and seen < FEW_WORDS and getattr(root, "unseen", None) is None:
        undone = {element for element, reason in hidden.items() if reason in _UNDONE and not _is_never(element)}
        if sum(element.text.count(" ") for element in undone if element not in panels) > seen:
            panels |= undone
            page = _choose(root, hidden, panels)
    return page, {element for element in hidden if element not in panels}


def _is_formula_text(element: Element) -> bool:
    """Whether it is the MathML of a formula, hidden because a picture or styled boxes stand for it on a screen."""
    return element.tag == "mjx-assistive-mml" or bool(_FORMULA_TEXT.search(element.attrs.get("class", "")))


def is_panel(element: Element, reason: str) -> bool:
    """Whether a hidden element is content that waits for a click or a script: a streamed part, a tab, an accordion."""
    if reason not in _UNDONE:
        return False
    attrs = element.attrs
    if _STREAMED.match(attrs.get("id", "")) or attrs.get("role") == "tabpanel":
        return True
    if reason == "visibility" and "-" in element.tag:
        return True  # ":not(:defined)": shown when the custom element is there
    if _is_never(element):
        return False
    if reason == "aria-hidden" and element.tag not in _INLINE and ("class" in attrs or "id" in attrs):
        return True  # hidden from screen readers only: carousels and animations
    return bool(_PANEL.search(_names(element)))


def _is_never(element: Element) -> bool:
    return bool(_NEVER.search(_names(element)))


def _names(element: Element) -> str:
    attrs = element.attrs
    return f"{attrs.get('class', '')} {attrs.get('id', '')} {attrs.get('data-testid', '')}"[:400]


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
