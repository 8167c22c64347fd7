"""Keep whole sections of manuals: pages about code, such as API references that documentation generators write.

In: a Choice. Out: its `keep` changed. Signatures, short definitions and examples look little like running text, so the
model is in doubt about whole sections. In the main container of a manual every block that is not a menu is kept. No
page type of the corpus gets worse by it. On 47 references of fourteen generators recall is 0.985 instead of 0.954
(tests/bench/extraction/references.py).
"""

from __future__ import annotations

from itertools import accumulate

from webtool.extraction.page.blocks import Block, Page
from webtool.extraction.rules.choice import Choice
from webtool.html.elements import role_of
from webtool.html.node import listed

_CODE = frozenset(("code", "pre", "samp", "kbd", "var", "tt"))
MIN_CODE_BLOCKS = 10  # blocks with code; a page with fewer is not a manual
MIN_CODE_SHARE = 0.15  # of the blocks; a page with a smaller share of blocks with code is not a manual
MIN_HOME_SHARE = 0.8  # of the page's words outside of links and menus; the innermost container with it is the main one
MIN_CHANCE = 0.05  # probability by the model; a less likely block stays dropped
MAX_LINKED_SHARE = 0.5  # of a block's words; with more linked words it is navigation
_FURNITURE = frozenset(("nav", "aside", "header", "footer", "form", "dialog", "menu", "button"))
_FURNITURE_ROLES = frozenset(("navigation", "complementary", "banner", "contentinfo", "search"))


def is_manual(page: Page) -> bool:
    """Return whether the page is a manual: enough of its blocks have code. The answer is stored in page.is_manual."""
    if page.is_manual is None:
        needed = max(MIN_CODE_BLOCKS, MIN_CODE_SHARE * len(page.blocks))
        has_any = not _CODE.isdisjoint([element.tag for element in listed(page.element[0])])
        page.is_manual = has_any and sum([_has_code(page, block) for block in page.blocks]) >= needed
    return page.is_manual


def _has_code(page: Page, block: Block) -> bool:
    """Return whether a block is code, or has a text whose parent or grandparent is an element for code."""
    if page.element[block.container].tag == "pre":
        return True
    parents = [node.parent for node in block.nodes if node.parent is not None]
    return any(parent.tag in _CODE or (parent.parent is not None and parent.parent.tag in _CODE) for parent in parents)


def is_scored_manual(choice: Choice) -> bool:
    """Return whether the page is a manual and the model judged its blocks."""
    return bool(choice.chances) and is_manual(choice.page)


def keep_reference(choice: Choice) -> None:
    """Keep the blocks of the main container that have MIN_CHANCE and are neither menus nor other furniture.

    For pages of which is_scored_manual() is true.
    `<dt><code>size(value)</code></dt><dd>How many there are.</dd>`: both are kept.
    """
    page = choice.page
    is_furniture = furniture(page)
    first, last = _home(page, is_furniture)
    for i in range(first, last):
        block = page.blocks[i]
        is_text = block.link_words <= MAX_LINKED_SHARE * block.words and not is_furniture[block.container]
        if is_text and choice.chances[i] >= MIN_CHANCE:
            choice.keep[i] = True


def furniture(page: Page) -> list[bool]:
    """Return for each container whether it is in a menu, a form, a header or a footer, by tag or role."""
    return page.inside(
        element.tag in _FURNITURE or role_of(element.attrs) in _FURNITURE_ROLES for element in page.element
    )


def _home(page: Page, is_furniture: list[bool]) -> tuple[int, int]:
    """Return the blocks of the main container: the innermost with MIN_HOME_SHARE of words outside links and menus."""
    plain = [0 if is_furniture[block.container] else block.words - block.link_words for block in page.blocks]
    words = [0, *accumulate(plain)]
    home = 0, 0
    for first, last in zip(page.first, page.last):  # outer containers come first, so the innermost one wins
        if words[last] - words[first] >= MIN_HOME_SHARE * words[-1]:
            home = first, last
    return home
