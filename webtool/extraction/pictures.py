"""Which images of a page belong to its kept text. In: a cut page, which blocks are kept. Out: the img elements.

An image has no words of its own to be judged by. It belongs to the text where it stands in a kept line, in a container
whose text is mostly kept, in a figure there, or in the column that holds most of the kept text, next to a kept block.
Icons, avatars and tracking pixels are none of it; in a cell of a table of data an icon with a name is its content.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from webtool import html
from webtool.extraction import grids
from webtool.extraction.blocks import Page
from webtool.html.node import Element, Node, walk
from webtool.lean import patterns
from webtool.markdown import media

MOST_NAMELESS = 4
"""So many images without a text alternative are kept where nothing stands between them."""
RICH = 0.7
"""The share of a container's words that is kept where its text is mostly kept."""
CAPTION_WORDS = 40
"""The longest caption."""
MOST_BEFORE = 8
"""Blocks between a picture and the text that it stands above."""
CARD_WORDS = 60
"""The longest card of which one word that is kept is enough."""
MAX_STEPS = 4  # from an image or a caption to the figure around
MAX_NOSCRIPT = 20_000
"""Characters of a noscript element that are looked at."""
LEAST_SIDE = 48
"""Pixels that an image has at least in each direction, where it says so."""
_ASIDE = frozenset(("nav", "aside", "footer", "form", "header", "button"))
_ASIDE_CLASS = patterns.compile(
    r"(?i)author|avatar|newsletter|subscri|sponsor|advert|sidebar|footer|widget-area|user-?(?:photo|info|card)|message-user"
    r"|postprofile|by-?line|recommend|reaction|flag|background|hamburger"
    r"|(?:^|[\s_-])(?:bio|sign-?up|promos?|related|ad|ads|social|share|sharing|menu|nav|comments?|teaser|popup|modal|cookie"
    r"|badges?|cta)(?:$|[\s_-])"
)
_ICON = "icons?|avatars?|logos?|sprites?|emojis?|pixel|spacer|badges?|arrows?|gravatar|smil(?:ey|ies)"
_ICON_CLASS = patterns.compile(rf"(?i)(?:^|[\s_-])(?:{_ICON}|button|author|profile|social|share)(?:$|[\s_-])")
_ICON_FILE = patterns.compile(
    rf"(?i)gravatar\.com/|/(?:{_ICON})/[^/]*$|/(?:{_ICON})[-_.@\d][^/]{{0,24}}$|[-_](?:{_ICON})(?:[-_]?\d*|@\dx)\.\w+$"
)


def kept(page: Page, keep: Sequence[bool]) -> dict[int, list[Element]]:
    """The images of the kept text, each address once, by id() of the element that stands for them on the page: the img
    itself, or the noscript that holds them."""
    if not page.images:
        return {}
    totals = [0, *accumulate([block.words if is_kept else 0 for block, is_kept in zip(page.blocks, keep)])]
    words = [0, *accumulate([block.words for block in page.blocks])]
    cells = _cells(page)
    shown: set[str] = set()
    doubles: dict[Element | None, set[Node]] = {}  # by parent, each looked at once
    found: list[list[tuple[Element, Element]]] = []
    last = -1
    for node, place, at, is_inside in page.images:
        while page.parent[place] >= 0 and page.first[place] == page.last[place] and place not in cells:
            place = page.parent[place]
        if not _belongs(page, keep, (totals, words), place, at, is_inside):
            continue
        for image in (node,) if node.tag == "img" else _in_noscript(node, doubles):
            source = media.image_source(image)
            address = source if "url=" in source else source.partition("?")[0]
            is_named_cell = place in cells and image.attrs.get("alt")
            if not source or address in shown or not (is_picture(image, address) or is_named_cell):
                continue
            shown.add(address)
            if at != last or is_inside:
                found.append([])
            found[-1].append((node, image))
            last = -1 if is_inside else at
    images: dict[int, list[Element]] = {}
    for run in found:
        if len(run) <= MOST_NAMELESS or any(
            image.attrs.get("alt", "").strip() or _is_figure(node) for node, image in run
        ):
            for node, image in run:
                images.setdefault(id(node), []).append(image)
    return images


def _in_noscript(noscript: Element, doubles: dict[Element | None, set[Node]]) -> list[Element]:
    """The images that a page shows to who runs no scripts, where no image before them stands for them."""
    text, parent = noscript.text, noscript.parent
    is_text = all(node.tag is None for node in noscript.children)
    if parent is None or (is_text and "<img" not in text):
        return []
    if parent not in doubles:
        elements = [node for node in parent.children if node.tag is not None]
        doubles[parent] = {node for before, node in zip(elements, elements[1:]) if before.tag in ("img", "picture")}
    if noscript in doubles[parent]:
        return []
    root = html.parse_fragment(text[:MAX_NOSCRIPT], "div") if is_text else noscript
    return [node for event, node in walk(root) if event == "open" and node.tag == "img"]  # type: ignore[misc]


def _cells(page: Page) -> set[int]:
    """The cells of tables of data that hold no text."""
    rows = {row for grid in grids.find(page) for row in grid.rows}
    return (
        {i for i, parent in enumerate(page.parent) if parent in rows and page.first[i] == page.last[i]}
        if rows
        else set()
    )


def _belongs(
    page: Page, keep: Sequence[bool], totals: tuple[list[int], list[int]], place: int, at: int, is_inside: bool
) -> bool:
    if is_inside:
        return at < len(keep) and keep[at]
    kept, words = totals
    first, last = page.first[place], page.last[place]
    if first == last:  # an empty cell: it is there when its row is
        first, last = page.first[page.parent[place]], page.last[page.parent[place]]
    inside = kept[last] - kept[first]
    if inside >= RICH * (words[last] - words[first]):
        return inside > 0
    if inside and words[last] - words[first] <= CARD_WORDS and not _is_aside(page.element[place]):
        return True
    outer = _around(page, totals, place)
    if outer >= 0 and kept[min(at + MOST_BEFORE, len(keep))] and kept[max(0, at - 1)] < kept[-1]:
        first, last = page.first[outer], page.last[outer]
        return 2 * (kept[last] - kept[first]) >= words[last] - words[first] > 0
    is_column = 2 * inside >= kept[-1] > 0
    return is_column and ((at < len(keep) and keep[at]) or (at > 0 and keep[at - 1]))


def _around(page: Page, totals: tuple[list[int], list[int]], place: int) -> int:
    """The container around an image and its caption, of which nothing is kept; -1 where that is no caption but a
    teaser, a form or a menu, or too long for one."""
    kept, words = totals
    is_figure = False
    while place > 0:
        first, last = page.first[place], page.last[place]
        if kept[last] > kept[first]:
            break
        element = page.element[place]
        is_figure = is_figure or element.tag == "figure"
        if _is_aside(element) or (not is_figure and words[last] - words[first] > CAPTION_WORDS):
            return -1
        if (
            not is_figure
            and 2 * sum([block.link_words for block in page.blocks[first:last]]) > words[last] - words[first]
        ):
            return -1
        place = page.parent[place]
    return place if place > 0 and page.element[place].tag != "body" else -1


def _is_aside(element: Element) -> bool:
    """Whether an element says that it is beside the text."""
    return element.tag in _ASIDE or bool(_ASIDE_CLASS.search(element.attrs.get("class", "")[:400]))


def _is_figure(image: Element) -> bool:
    element = image.parent
    for _ in range(MAX_STEPS):
        if element is None or element.tag == "figure":
            return element is not None
        element = element.parent
    return False


def is_picture(image: Element, address: str) -> bool:
    """Whether an img shows something, and is not an icon, an avatar or a tracking pixel."""
    attrs = image.attrs
    for side in ("width", "height"):
        size = attrs.get(side, "").removesuffix("px").strip()
        if size.isdigit() and len(size) < 5 and int(size) < LEAST_SIDE:
            return False
    return not (_ICON_CLASS.search(attrs.get("class", "")[:400]) or _ICON_FILE.search(address[-200:]))
