"""Which part of a page the text is taken from. In: the root. Out: the element to cut, and what it hides.

Usually the whole document. Scripts change that: single-page applications write their text into noscript for readers
without scripts, and streaming frameworks send it in hidden elements that a script moves into place. Panels of tabs and
accordions are hidden until a click, but their text is content.
"""

from __future__ import annotations

import re

from webtool import html
from webtool.extraction import blocks
from webtool.html.hidden import find_hidden

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from webtool.extraction.blocks import Page
    from webtool.html.node import Element

_STREAMED = re.compile(r"(?:S|P):[0-9a-f]{1,4}$")
_PANEL = re.compile(
    r"tab|accordion|accordeon|collaps|panel|faq|answer|toggle|expand|spoiler|read-?more|show-?more|more-?text|truncat|fold|"
    r"content|slide|variant|descri|detail",
    re.IGNORECASE,
)
_NEVER = re.compile(
    r"menu|nav|modal|popup|dialog|overlay|cookie|consent|tooltip|toast|search|drawer|offcanvas|login|signup|banner|lightbox|share",
    re.IGNORECASE,
)
_TAGS = re.compile("<[^>]{0,2000}>")
LEAST_NOSCRIPT = 400  # characters of markup; below it is a pixel or a lazy image


def read(root: Element) -> tuple[Page, set[Element]]:
    """The cut page, and the hidden elements that stay out of it."""
    hidden = find_hidden(root)
    panels = {element for element in hidden if is_panel(element)}
    return _choose(root, hidden, panels), {element for element in hidden if element not in panels}


def is_panel(element: Element) -> bool:
    """Whether a hidden element is content that waits for a click or a script: a streamed part, a tab, an accordion."""
    attrs = element.attrs
    if _STREAMED.match(attrs.get("id", "")):
        return True
    if attrs.get("role") == "tabpanel":
        return True
    names = f"{attrs.get('class', '')} {attrs.get('id', '')} {attrs.get('data-testid', '')}"[:400]
    return bool(_PANEL.search(names)) and not _NEVER.search(names)


def _choose(root: Element, hidden: Collection[Element], panels: set[Element]) -> Page:
    """Cut the document, or the noscript element that holds its text."""
    page = blocks.cut(root, hidden, panels)
    seen = sum(len(block.text) for block in page.blocks)
    best = None
    for element in _noscripts(root):
        size = len(_TAGS.sub("", element.text)) if len(element.children) < 2 else len(element.text)
        if size >= LEAST_NOSCRIPT and size > 2 * seen:
            best, seen = element, size
    if best is None:
        return page
    if len(best.children) == 1 and best.children[0].tag is None:
        best = html.parse_fragment(best.text, "body")
    return blocks.cut(best)


def _noscripts(root: Element) -> list[Element]:
    found = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node.tag == "noscript":
            found.append(node)
        elif node.children:
            stack.extend(reversed(node.children))  # type: ignore[arg-type]
    return found
