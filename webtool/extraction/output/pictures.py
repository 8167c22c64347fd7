"""Choose the images that belong to the kept text. In: a cut page, which blocks are kept. Out: the img elements.

An image has no words to be judged by. It is kept if it is in a kept line, in a container whose text is mostly kept, in
a figure there, or next to a kept block in the column that holds most of the kept text. Icons, avatars and tracking
pixels are dropped, except pictures with a telling text alternative, and icons with a name in a cell of a data table.

The picture above the text is the one that the page's head names for social networks, by the name of its file: in
og:image of the Open Graph protocol, or in Twitter's twitter:image.
Tests: tests/extraction/rules/test_whole_units.py
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from webtool import html
from webtool.css.declarations import style_of
from webtool.extraction.page import grids
from webtool.extraction.page.blocks import Page, PageImage
from webtool.html.node import Element, Node, around, elements
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.records import NamedTuple
from webtool.markdown import media
from webtool.visibility.hidden import find_hidden

MAX_NAMELESS = 4  # images in a row without text alternative; a longer row is decoration and dropped
MIN_RICH = 0.7  # of a container's words; with this share kept, all of its images are kept
MAX_CAPTION_WORDS = 40  # a longer text beside a picture is not its caption
MAX_CREDIT_WORDS = 3  # a longer link below a picture is a teaser's title rather than a credit
MAX_BEFORE = 8  # blocks; a picture further above the first kept text is not of that text
BESIDE = 3  # blocks on each side of a picture and its caption that are compared with MIN_BESIDE
# A picture is kept if this share of the words around it is kept: in the blocks beside it, or in the container around.
MIN_BESIDE, MIN_OUTER = 1 / 2, 1 / 3
MAX_CARD_WORDS = 60  # in a container this short one kept word is enough to keep its images
MAX_STEPS = 4  # from an image or a caption up to the figure around it
MAX_NOSCRIPT = 20_000  # characters of a noscript element that are read
MAX_CLASS = 400  # characters of a class attribute that are read
# Sides in pixels, as far as an img says them: an image with a smaller side than MIN_SIDE is an icon; from LARGE_SIDE on
# a name like "icon" does not matter; from PHOTO_SIDE on a row of images is not a row of logos. NO_SIDE means unknown.
MIN_SIDE, LARGE_SIDE, PHOTO_SIDE, NO_SIDE = 48, 96, 300, 9999
_ASIDE = frozenset(("nav", "aside", "footer", "form", "header", "button"))
_ASIDE_CLASS = patterns.compile(
    r"author|avatar|newsletter|subscri|sponsor|advert|sidebar|footer|widget-area|user-?(?:photo|info|card)|message-user"
    r"|postprofile|by-?line|recommend|reaction|flag|hamburger|background(?:$|[\s_-])"
    r"|(?:^|[\s_-])(?:bio|sign-?up|promos?|related|ad|ads|social|share|sharing|menu|(?<!slider-)nav|comments?|cookie|badges?|cta)"
    r"(?:$|[\s_-])"
)
_OPENED_CLASS = patterns.compile(r"(?:^|[\s_-])(?:teaser|popup|modal)(?:$|[\s_-])")
# For a class attribute: whether it names something beside the text, and something that opens over it. It is remembered
# because pages repeat class attributes; lower() and a pattern take a third of the time of one that ignores case.
_asides_named_by = Remembered(
    lambda names: tuple(bool(pattern.search(names.lower())) for pattern in (_ASIDE_CLASS, _OPENED_CLASS))
)
_BESIDE_TEXT = -1  # in place of the number of a container
_ICON = "icons?|logos?|badges?|arrows?"
_NEVER = "avatars?|sprites?|emojis?|pixel|spacer|gravatar|smil(?:ey|ies)"


def _names(words: str, classes: str) -> tuple[patterns.Pattern[str], patterns.Pattern[str]]:
    """Return a pattern for class attributes with one of all these names, and one for addresses with one of `words`."""
    return (
        patterns.compile(rf"(?:^|[\s_-])(?:{words}|{classes})(?:$|[\s_-])"),
        patterns.compile(  # in lower case: "/icons/a.png", "/logo-small.png", "/a-icon-2.png"
            rf"gravatar\.com/|/(?:{words})/[^/]*$|/(?:{words})[-_.@\d][^/]{{0,24}}$|[-_](?:{words})(?:[-_]?\d*|@\dx)\.\w+$"
        ),
    )


# Names of icons. A picture that is_picture() takes for placed may be called "logo" or "share", not "avatar".
_ICONS = _names(f"{_ICON}|{_NEVER}", "button|author|profile|social|share")
_PLACED_ICONS = _names(_NEVER, "author|profile")
# Words in the text alternative of an icon.
_ICON_WORDS = patterns.compile(
    r"(?i)\b(?:icons?|arrows?|buttons?|avatars?|stars?|ratings?|placeholder|menu|close|search|share|profile|ima?ge?|photo)\b"
)
_CAPTIONED = patterns.GuardedPattern(
    "caption|figure", r"(?i)(?:^|\s)(?:wp-caption|(?:image|img|photo)-?caption|figure)(?:\s|$)"
)
MIN_NAME = 5  # characters of a file name; many files have a shorter one, so it identifies no picture
_LEAD_PROPERTIES = frozenset(("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"))
_NO_LEADS = frozenset(("nav", "aside", "footer", "form"))  # a header is in _ASIDE only: it may show the lead picture
_LOGO = patterns.compile(r"(?i)logo")
_FORMAT = r"\.(?:jpe?g|png|gif|webp|avif)"
_SIZE_AND_FORMAT = patterns.compile(rf"(?i)(?:[-_](?:\d{{2,4}}x\d{{2,4}}|scaled)|@\dx)?(?:{_FORMAT})*$")
_is_file = patterns.compile(rf"(?i){_FORMAT}(?:[?#]|$)").search
_CODED_MARK = patterns.compile(r"%(2[6Ff]|3[Ff])")  # "&", "/" and "?" of an address in a query
# Here the query says which picture it is: "attachment.php?id=7". The query of a file is a size or a version.
_is_script = patterns.compile(r"(?i)\.(?:php|aspx?|ashx|jsp|cgi|pl)\?").search


class Shown(NamedTuple):
    """An image to show."""

    node: Element  # the img or noscript element of the page
    image: Element  # the img element: `node` itself or one in it


def kept(page: Page, keep: Sequence[bool]) -> dict[Node, list[Element]]:
    """Return the images of the kept text, each address once, by the img or noscript element of the page.

    Images without text between them are a row, which is kept or dropped as a whole; an image in a line of text is a row
    of its own. Of other pictures, the first that the page's head names is added unless one of that name is shown.
    """
    rows, leads = _rows_and_leads(page, keep) if page.images else ([], [])
    images: dict[Node, list[Element]] = {}
    addresses: set[str] = set()
    for row in rows:
        new = {address: shown for address, shown in row.items() if address not in addresses}
        if len(new) <= MAX_NAMELESS or any(_is_telling(node, image) for node, image in new.values()):
            addresses.update(new)
            for node, image in new.values():
                images.setdefault(node, []).append(image)
    shown_names = {_file_name(media.image_source(image)) for row in images.values() for image in row} if leads else ()
    lead = next((lead for lead in leads if _file_name(media.image_source(lead.image)) not in shown_names), None)
    if lead:
        images[lead.node] = [lead.image]
    return images


def _rows_and_leads(page: Page, keep: Sequence[bool]) -> tuple[list[dict[str, Shown]], list[Shown]]:
    """Return the rows of images that belong to the kept text, by address, and other pictures that the head names."""
    text = _KeptText(page, keep)
    lead_names = _lead_names(page.element[0])
    leads: list[Shown] = []
    doubles: dict[Element | None, set[Node]] = {}  # filled by _in_noscript()
    rows: list[dict[str, Shown]] = []
    row_end = -1  # the block that follows the last row; -1 if the next image begins a row
    for page_image in page.images:
        node, container, next_block, is_inside = page_image
        belongs = text.has_image(page_image)
        may_lead = bool(lead_names) and node.tag == "img" and text.has_words(next_block, len(keep))
        if not (belongs or may_lead):
            continue
        for image in [node] if node.tag == "img" else _in_noscript(node, doubles):
            source = media.image_source(image)
            if not source or not (belongs or _is_lead(image, source, lead_names)):
                continue
            address = source if "url=" in source or _is_script(source) else source.partition("?")[0]
            is_icon_of_cell = container in text.empty_cells and image.attrs.get("alt")
            if not (is_picture(image, address) or is_icon_of_cell):
                continue
            if belongs:
                if next_block != row_end or is_inside:
                    rows.append({})
                rows[-1].setdefault(address, Shown(node, image))
                row_end = -1 if is_inside else next_block
            else:
                leads.append(Shown(node, image))
    return rows, leads


def _is_lead(image: Element, source: str, lead_names: set[str]) -> bool:
    """Return whether an img is a picture that the page's head names, large, and outside of menus, margins and logos."""
    is_large = _file_name(source) in lead_names and least_side(image) >= LARGE_SIDE
    return is_large and not any(
        element.tag in _NO_LEADS or _LOGO.search(element.attrs.get("class", "")[:MAX_CLASS])
        for element in around(image, -1)  # all elements up to the root
    )


def _is_telling(node: Element, image: Element) -> bool:
    """Return whether an image is more than decoration: it has a text alternative, a figure or a photo's size."""
    return bool(image.attrs.get("alt", "").strip()) or _is_figure(node) or PHOTO_SIDE <= least_side(image) < NO_SIDE


def _in_noscript(noscript: Element, doubles: dict[Element | None, set[Node]]) -> list[Element]:
    """Return the visible images in a noscript element, unless an img or picture right before it shows the same.

    `doubles` has by parent the elements after an img or picture; it is filled here, once for each parent.
    """
    text, parent = noscript.text, noscript.parent
    is_text = all(node.tag is None for node in noscript.children)
    is_hidden = "hidden" in noscript.attrs or "hides" in style_of(noscript.attrs.get("style", ""))
    if parent is None or is_hidden or (is_text and "<img" not in text[:MAX_NOSCRIPT].lower()):
        return []
    if parent not in doubles:
        siblings = [node for node in parent.children if node.tag is not None]
        doubles[parent] = {node for before, node in zip(siblings, siblings[1:]) if before.tag in ("img", "picture")}
    if noscript in doubles[parent]:
        return []
    root = html.parse_fragment(text[:MAX_NOSCRIPT], "div") if is_text else noscript
    hidden = find_hidden(root)
    images = (element for element in elements(root) if element.tag == "img")
    return [image for image in images if hidden.keys().isdisjoint((image, *around(image, MAX_STEPS)))]


class _KeptText:
    """The kept text of a page: tells which images belong to it."""

    def __init__(self, page: Page, keep: Sequence[bool]) -> None:
        self.page = page
        self.keep = keep
        self.kept_words = page.words_of(keep)  # running total over the blocks
        rows = {row for grid in grids.find(page) for row in grid.rows}
        cells = [i for i, parent in enumerate(page.parent) if parent in rows]
        self.empty_cells = {i for i in cells if page.first[i] == page.last[i]}  # of data tables

    def _words(self, first: int, last: int) -> tuple[int, int]:
        """Return the kept words and all words of a range of blocks."""
        return self.kept_words[last] - self.kept_words[first], self.page.words[last] - self.page.words[first]

    def has_words(self, first: int, last: int) -> bool:
        return self._words(first, last)[0] > 0

    def has_image(self, image: PageImage) -> bool:
        """Return whether an image belongs to the kept text, by its line, container, caption, or neighbours."""
        page, keep, following = self.page, self.keep, image.next_block
        container = self._holder(image)
        if container == _BESIDE_TEXT:
            return False
        is_next_kept = following < len(keep) and keep[following]
        if image.is_inside:
            return is_next_kept
        judged = page.parent[container] if container in self.empty_cells else container  # a cell is kept if its row is
        kept, words = self._words(page.first[judged], page.last[judged])
        if kept >= MIN_RICH * words:
            return kept > 0
        if kept and words <= MAX_CARD_WORDS and not self._is_aside(container):
            return True
        # Far above all kept text, or below it, a caption proves nothing: there a picture is kept only beside a kept
        # block in the column that has most of the text.
        is_far_above = not self.has_words(0, min(following + MAX_BEFORE, len(keep)))
        is_below = not self.has_words(max(0, following - 1), len(keep))
        caption, outer = self._caption_and_outer(image)
        if outer != _BESIDE_TEXT and not (is_far_above or is_below):
            return self._is_beside_kept(outer, *caption)
        has_most_of_text = 2 * kept >= self.kept_words[-1] > 0
        return has_most_of_text and (is_next_kept or (following > 0 and keep[following - 1]))

    def _holder(self, image: PageImage) -> int:
        """Return the innermost container around an image that has words or is an empty cell of a table.

        Return _BESIDE_TEXT if a container inside that one is beside the text: `<div>Text<aside><img></aside></div>`. A
        button around an image with a text alternative is not: it opens a larger copy.
        """
        page, container = self.page, image.container
        first, last = page.first, page.last
        while page.parent[container] >= 0 and first[container] == last[container] and container not in self.empty_cells:
            is_enlarging = page.element[container].tag == "button" and image.element.attrs.get("alt")
            if self._is_aside(container) and not is_enlarging:
                return _BESIDE_TEXT
            container = page.parent[container]
        return container

    def _is_beside_kept(self, outer: int, first: int, last: int) -> bool:
        """Return whether enough of container `outer`, or of the blocks beside a caption in it, is kept.

        The caption is the range from `first` to `last`; it is empty for an image without one.
        """
        start, end = self.page.first[outer], self.page.last[outer]
        shares = [(self._words(start, end), MIN_OUTER)]
        for beside in (1, BESIDE):
            shares.append((self._words(max(start, first - beside), min(end, last + beside)), MIN_BESIDE))
        return any(kept >= min_share * words > 0 for (kept, words), min_share in shares)

    def _caption_and_outer(self, image: PageImage) -> tuple[tuple[int, int], int]:
        """Return the range of an image's caption, and the container around both, or _BESIDE_TEXT.

        A caption is the text beside the image if no block of it is kept. _BESIDE_TEXT means that this text is a teaser,
        a form, a menu, or too long for a caption, or that the container is the page's body.
        """
        page = self.page
        caption = image.next_block, image.next_block
        container = image.container
        is_figure = _is_figure(image.element) and not self._is_card(container)
        while container > 0:
            first, last = page.first[container], page.last[container]
            kept, words = self._words(first, last)
            if kept:
                break
            element = page.element[container]
            is_captioned = element.tag == "figure" or _CAPTIONED.search(element.attrs.get("class", "")[:MAX_CLASS])
            is_figure = is_figure or (bool(is_captioned) and not self._is_card(container))
            if self._is_aside(container) or (not is_figure and words > MAX_CAPTION_WORDS):
                return caption, _BESIDE_TEXT
            links = page.links[last] - page.links[first]
            if not is_figure and links > max(words / 2, MAX_CREDIT_WORDS):
                return caption, _BESIDE_TEXT
            caption = first, last
            container = page.parent[container]
        return caption, container if container > 0 and page.element[container].tag != "body" else _BESIDE_TEXT

    def _is_card(self, container: int) -> bool:
        """Return whether a picture's figure is a teaser: most of its words outside of the figcaption are linked."""
        page = self.page
        for outer in islice(page.around(container), MAX_STEPS + 1):
            if page.element[outer].tag == "figure":
                inside = page.blocks[page.first[outer] : page.last[outer]]
                beside = [block for block in inside if page.element[block.container].tag != "figcaption"]
                return 2 * sum([block.link_words for block in beside]) > sum([block.words for block in beside])
        return False

    def _is_aside(self, container: int) -> bool:
        """Return whether a container's tag or class says that it is beside the text.

        Classes like "modal" count only if the container has words: without them it may be the frame of a picture.
        """
        page, element = self.page, self.page.element[container]
        is_aside, may_open = _asides_named_by[element.attrs.get("class", "")[:MAX_CLASS]]
        return element.tag in _ASIDE or is_aside or (may_open and page.first[container] < page.last[container])


def _is_figure(image: Element) -> bool:
    """Return whether an image is in a figure, or in a link to a picture's file, as in a gallery."""
    return any(
        element.tag == "figure" or (element.tag == "a" and bool(_is_file(element.attrs.get("href", "")[-400:])))
        for element in around(image, MAX_STEPS)
    )


def least_side(image: Element) -> int:
    """Return the smaller of the sides that an img says it has, in pixels; NO_SIDE if it says none."""
    sides = [image.attrs.get(side, "").removesuffix("px").strip() for side in ("width", "height")]
    return min([NO_SIDE, *(int(side) for side in sides if side.isdecimal() and len(side) < 5)])


def is_picture(image: Element, address: str) -> bool:
    """Return whether an img is a picture, not an icon, an avatar or a tracking pixel.

    An image that an author placed in the text (large, in a figure, described) may have "icon" or "logo" in its name.
    """
    attrs = image.attrs
    side = least_side(image)
    is_placed = LARGE_SIDE <= side < NO_SIDE or "wp-image-" in attrs.get("class", "") or _is_figure(image)
    alternative = attrs.get("alt", "").strip()
    # "A boat at dawn" describes a picture; "Menu" names an icon
    is_placed = is_placed or (" " in alternative and not _ICON_WORDS.search(alternative[:200]))
    in_class, in_address = _PLACED_ICONS if is_placed else _ICONS
    return side >= MIN_SIDE and not (
        media.is_placeholder(address[:300])
        or in_class.search(attrs.get("class", "")[:MAX_CLASS].lower())
        or in_address.search(address[-200:].lower())
    )


def _lead_names(root: Element) -> set[str]:
    """Return the names of the pictures in a page's og:image and twitter:image."""
    head = next((element for element in elements(root) if element.tag == "head"), root)
    metas = [node.attrs for node in head.children if node.tag == "meta"]
    leads = [attrs for attrs in metas if not _LEAD_PROPERTIES.isdisjoint((attrs.get("property"), attrs.get("name")))]
    return {name for attrs in leads if len(name := _file_name(attrs.get("content", ""))) >= MIN_NAME}


def _file_name(address: str) -> str:
    """Return the name of a picture's file: "photo" for photo-300x200.jpg.webp and for /_next/image?url=%2Fphoto.png."""
    path = _CODED_MARK.sub(lambda match: chr(int(match[1], 16)), address.rpartition("url=")[2])
    path = path if _is_script(path) else path.partition("?")[0].partition("&")[0]
    return _SIZE_AND_FORMAT.sub("", path.rstrip("/").rpartition("/")[2]).lower()
