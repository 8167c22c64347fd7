"""Which images of a page belong to its kept text. In: a cut page, which blocks are kept. Out: the img elements.

An image has no words of its own to be judged by. It belongs to the text where it stands in a kept line, in a container
whose text is mostly kept, in a figure there, or in the column that holds most of the kept text, next to a kept block.
Icons, avatars and tracking pixels are none of it, unless a text alternative tells what an icon shows; in a cell of a
table of data an icon with a name is its content.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from webtool import html
from webtool.extraction.output import lead_pictures
from webtool.extraction.page import grids
from webtool.extraction.page.blocks import Page
from webtool.html.node import Element, Node, elements
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.patterns import Pattern
from webtool.markdown import media

MOST_NAMELESS = 4
"""So many images without a text alternative are kept where nothing stands between them."""
RICH = 0.7
"""The share of a container's words that is kept where its text is mostly kept."""
CAPTION_WORDS = 40
"""The longest caption."""
CREDIT_WORDS = 3
"""The longest link that says whose picture it is, and is not the title of something else."""
MOST_BEFORE = 8
"""Blocks between a picture and the text that it stands above."""
BESIDE = 3
"""Blocks on each side of a picture and its caption of which half is kept where it stands in the kept text; or a third
of all that is in the container around."""
CARD_WORDS = 60
"""The longest card of which one word that is kept is enough."""
MAX_STEPS = 4  # from an image or a caption to the figure around
MAX_NOSCRIPT = 20_000
"""Characters of a noscript element that are looked at."""
LEAST_SIDE, LARGE_SIDE = 48, 96
"""Pixels that an image has at least in each direction, where it says so; those from which on an icon's name does
not matter; and those that no logo in a row of them has."""
PHOTO_SIDE, MOST_SIDE = 300, 9999
_ASIDE = frozenset(("nav", "aside", "footer", "form", "header", "button"))
_ASIDE_CLASS = patterns.compile(
    r"author|avatar|newsletter|subscri|sponsor|advert|sidebar|footer|widget-area|user-?(?:photo|info|card)|message-user"
    r"|postprofile|by-?line|recommend|reaction|flag|hamburger|background(?:$|[\s_-])"
    r"|(?:^|[\s_-])(?:bio|sign-?up|promos?|related|ad|ads|social|share|sharing|menu|(?<!slider-)nav|comments?|cookie|badges?|cta)"
    r"(?:$|[\s_-])"
)
_OPENED_CLASS = patterns.compile(r"(?:^|[\s_-])(?:teaser|popup|modal)(?:$|[\s_-])")
# Pages repeat the class attributes of their containers, and ignoring case takes three times as long.
_said = Remembered(lambda names: tuple(bool(one.search(names.lower())) for one in (_ASIDE_CLASS, _OPENED_CLASS)))
_SIGN = "icons?|logos?|badges?|arrows?"
_NEVER = "avatars?|sprites?|emojis?|pixel|spacer|gravatar|smil(?:ey|ies)"


def _names(words: str, classes: str) -> tuple[Pattern[str], Pattern[str]]:
    """What finds such words in a class attribute and in an address, both in lower case."""
    return (
        patterns.compile(rf"(?:^|[\s_-])(?:{words}|{classes})(?:$|[\s_-])"),
        patterns.compile(
            rf"gravatar\.com/|/(?:{words})/[^/]*$|/(?:{words})[-_.@\d][^/]{{0,24}}$|[-_](?:{words})(?:[-_]?\d*|@\dx)\.\w+$"
        ),
    )


_ICONS = _names(f"{_SIGN}|{_NEVER}", "button|author|profile|social|share")
_LARGE_ICONS = _names(_NEVER, "author|profile")
"""What no picture is called, and what none is called that says it is large."""
_SIGNS = patterns.compile(
    r"(?i)\b(?:icons?|arrows?|buttons?|avatars?|stars?|ratings?|placeholder|menu|close|search|share|profile|ima?ge?|photo)\b"
)
"""What the text alternative of an icon says."""
_CAPTIONED = patterns.Worded(
    "caption|figure", r"(?i)(?:^|\s)(?:wp-caption|(?:image|img|photo)-?caption|figure)(?:\s|$)"
)


def kept(page: Page, keep: Sequence[bool]) -> dict[Node, list[Element]]:
    """The images of the kept text, each address once, by the element that stands for them on the page: the img
    itself, or the noscript that holds them."""
    if not page.images:
        return {}
    totals = page.words_of(keep)
    words = page.words
    cells = _cells(page)
    named = lead_pictures.names(page.element[0])
    above: list[tuple[Element, Element]] = []
    shown: set[str] = set()
    doubles: dict[Element | None, set[Node]] = {}  # by parent, each looked at once
    found: list[list[tuple[Element, Element]]] = []
    last = -1
    for entry in page.images:
        node, place, at, is_inside = entry
        belongs = _belongs(page, keep, (totals, words), cells, entry)
        if not belongs and not (named and totals[at] < totals[-1] and node.tag == "img"):
            continue
        for image in (node,) if node.tag == "img" else _in_noscript(node, doubles):
            source = media.image_source(image)
            address = source if "url=" in source else source.partition("?")[0]
            is_named_cell = place in cells and image.attrs.get("alt")
            if not source or address in shown or not (is_picture(image, address) or is_named_cell):
                continue
            if not belongs:
                if (
                    lead_pictures.name(source) in named
                    and least_side(image) >= LARGE_SIDE
                    and lead_pictures.may_lead(image)
                ):
                    above.append((node, image))
                continue
            if named:
                named.discard(lead_pictures.name(source))
            shown.add(address)
            if at != last or is_inside:
                found.append([])
            found[-1].append((node, image))
            last = -1 if is_inside else at
    images: dict[Node, list[Element]] = {}
    for run in found:
        if len(run) <= MOST_NAMELESS or any(
            image.attrs.get("alt", "").strip() or _is_figure(node) or PHOTO_SIDE <= least_side(image) < MOST_SIDE
            for node, image in run
        ):
            for node, image in run:
                images.setdefault(node, []).append(image)
    for node, image in above[:1] if named else ():
        images[node] = [image]
    return images


def _in_noscript(noscript: Element, doubles: dict[Element | None, set[Node]]) -> list[Element]:
    """The images that a page shows to who runs no scripts, where no image before them stands for them."""
    text, parent = noscript.text, noscript.parent
    is_text = all(node.tag is None for node in noscript.children)
    if parent is None or (is_text and "<img" not in text):
        return []
    if parent not in doubles:
        siblings = [node for node in parent.children if node.tag is not None]
        doubles[parent] = {node for before, node in zip(siblings, siblings[1:]) if before.tag in ("img", "picture")}
    if noscript in doubles[parent]:
        return []
    root = html.parse_fragment(text[:MAX_NOSCRIPT], "div") if is_text else noscript
    return [element for element in elements(root) if element.tag == "img"]


def _cells(page: Page) -> set[int]:
    """The cells of tables of data that hold no text."""
    rows = {row for grid in grids.find(page) for row in grid.rows}
    parents = page.parent if rows else []
    return {i for i, parent in enumerate(parents) if parent in rows and page.first[i] == page.last[i]}


def _belongs(
    page: Page,
    keep: Sequence[bool],
    totals: tuple[list[int], list[int]],
    cells: set[int],
    entry: tuple[Element, int, int, bool],
) -> bool:
    """Whether one of the page's images belongs to the kept text."""
    image, innermost, at, is_inside = entry
    place = innermost
    while page.parent[place] >= 0 and page.first[place] == page.last[place] and place not in cells:
        if _is_aside(page, place) and not (page.element[place].tag == "button" and image.attrs.get("alt")):
            return False
        place = page.parent[place]
    if is_inside:
        return at < len(keep) and keep[at]
    kept, words = totals
    first, last = page.first[place], page.last[place]
    if first == last:  # an empty cell: it is there when its row is
        first, last = page.first[page.parent[place]], page.last[page.parent[place]]
    inside = kept[last] - kept[first]
    if inside >= RICH * (words[last] - words[first]):
        return inside > 0
    if inside and words[last] - words[first] <= CARD_WORDS and not _is_aside(page, place):
        return True
    caption, outer = _around(page, totals, innermost, _is_figure(image) and not _is_card(page, innermost))
    if outer >= 0 and kept[min(at + MOST_BEFORE, len(keep))] and kept[max(0, at - 1)] < kept[-1]:
        least, most = page.first[outer], page.last[outer]
        first, last = (page.first[caption], page.last[caption]) if caption >= 0 else (at, at)
        ranges = [(max(least, first - beside), min(most, last + beside)) for beside in (1, BESIDE)]
        return 3 * (kept[most] - kept[least]) >= words[most] - words[least] > 0 or any(
            2 * (kept[end] - kept[start]) >= words[end] - words[start] > 0 for start, end in ranges
        )
    is_column = 2 * inside >= kept[-1] > 0
    return is_column and ((at < len(keep) and keep[at]) or (at > 0 and keep[at - 1]))


def _around(page: Page, totals: tuple[list[int], list[int]], place: int, is_figure: bool) -> tuple[int, int]:
    """An image's caption, of which nothing is kept, or -1, and the container around both; -1 for that, too, where the
    caption is none but a teaser, a form or a menu, or too long for one."""
    kept, words = totals
    caption = -1
    while place > 0:
        first, last = page.first[place], page.last[place]
        if kept[last] > kept[first]:
            break
        element = page.element[place]
        is_captioned = element.tag == "figure" or bool(_CAPTIONED.search(element.attrs.get("class", "")[:400]))
        is_figure = is_figure or (is_captioned and not _is_card(page, place))
        if _is_aside(page, place) or (not is_figure and words[last] - words[first] > CAPTION_WORDS):
            return caption, -1
        links = 0 if is_figure else sum([block.link_words for block in page.blocks[first:last]])
        if 2 * links > max(words[last] - words[first], 2 * CREDIT_WORDS):
            return caption, -1
        caption = place
        place = page.parent[place]
    return caption, place if place > 0 and page.element[place].tag != "body" else -1


def _is_card(page: Page, place: int) -> bool:
    """Whether a picture stands in a figure with what is written of a page that it links, and not with a caption."""
    for at in islice(page.around(place), MAX_STEPS + 1):
        if page.element[at].tag == "figure":
            inside = page.blocks[page.first[at] : page.last[at]]
            said = [block for block in inside if page.element[block.container].tag != "figcaption"]
            return 2 * sum([block.link_words for block in said]) > sum([block.words for block in said])
    return False


def _is_aside(page: Page, place: int) -> bool:
    """Whether a container says that it is beside the text; one without words may be the frame of a picture in it."""
    element = page.element[place]
    names = element.attrs.get("class", "")[:400]
    if element.tag in _ASIDE or not names:
        return element.tag in _ASIDE
    is_aside, may_open = _said[names]
    return is_aside or (may_open and page.first[place] < page.last[place])


def _is_figure(image: Element) -> bool:
    """Whether an image is in a figure, or a link shows it larger: a gallery is no row of teasers."""
    element = image.parent
    for _ in range(MAX_STEPS):
        if element is None or element.tag == "figure" or lead_pictures.is_larger(element):
            return element is not None
        element = element.parent
    return False


def least_side(image: Element) -> int:
    """The smaller of the two sides that an img says it has, in pixels; MOST_SIDE where it says none."""
    sides = [image.attrs.get(side, "").removesuffix("px").strip() for side in ("width", "height")]
    return min([int(size) if size.isdigit() and len(size) < 5 else MOST_SIDE for size in sides])


def _is_told(alternative: str) -> bool:
    """Whether a text alternative says more than what an icon is: its picture is there to be seen."""
    return " " in alternative and not _SIGNS.search(alternative[:200])


def is_picture(image: Element, address: str) -> bool:
    """Whether an img shows something, and is not an icon, an avatar or a tracking pixel. What an author placed in the
    text may be called as icons are."""
    attrs = image.attrs
    side = least_side(image)
    is_placed = LARGE_SIDE <= side < MOST_SIDE or "wp-image-" in attrs.get("class", "") or _is_figure(image)
    is_placed = is_placed or _is_told(attrs.get("alt", "").strip())
    in_class, in_address = _LARGE_ICONS if is_placed else _ICONS
    return side >= LEAST_SIDE and not (
        media.is_placeholder(address[:300])
        or in_class.search(attrs.get("class", "")[:400].lower())
        or in_address.search(address[-200:].lower())
    )
