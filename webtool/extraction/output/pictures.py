"""Choose the images that belong to the kept text. In: a cut page, which blocks are kept. Out: the img elements.

An image has no words to be judged by. It is kept if it is in a kept line, in a container whose text is mostly kept, in
a figure there, or next to a kept block in the column that holds most of the kept text. Icons, avatars and tracking
pixels are dropped, except pictures with a telling text alternative, and icons with a name in a cell of a data table.

The picture above the text is the one that the page's head names for social networks. It is found by the name of its
file without size and format, however it is scaled: "photo" for photo-300x200.jpg.webp.
Spec: og:image of the Open Graph protocol, and Twitter's twitter:image.
Tests: tests/extraction/rules/test_whole_units.py
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from webtool import html
from webtool.css.declarations import style_of
from webtool.extraction.page import grids
from webtool.extraction.page.blocks import Page
from webtool.html.node import Element, Node, around, elements
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.patterns import Pattern
from webtool.markdown import media
from webtool.visibility.hidden import find_hidden

MAX_NAMELESS = 4  # images in a row without text alternative; a longer row is decoration and dropped
MIN_RICH = 0.7  # of a container's words; with this share kept, all of its images are kept
MAX_CAPTION_WORDS = 40  # a longer text beside a picture is not its caption
MAX_CREDIT_WORDS = 3  # a longer link below a picture is a teaser's title rather than a credit
MAX_BEFORE = 8  # blocks between a picture and the kept text below it
BESIDE = 3  # blocks on each side of a picture and its caption
# A picture is kept if this share of the words around it is kept: in the BESIDE blocks, or in the container around.
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
# For a class attribute: whether it names something beside the text, and something that opens over it. Pages repeat
# these, and ignoring case takes three times as long.
_beside_text = Remembered(
    lambda names: tuple(bool(pattern.search(names.lower())) for pattern in (_ASIDE_CLASS, _OPENED_CLASS))
)
_SIGN = "icons?|logos?|badges?|arrows?"
_NEVER = "avatars?|sprites?|emojis?|pixel|spacer|gravatar|smil(?:ey|ies)"


def _names(words: str, classes: str) -> tuple[Pattern[str], Pattern[str]]:
    """Return patterns that find words in a class attribute and in an address, both in lower case."""
    return (
        patterns.compile(rf"(?:^|[\s_-])(?:{words}|{classes})(?:$|[\s_-])"),
        patterns.compile(
            rf"gravatar\.com/|/(?:{words})/[^/]*$|/(?:{words})[-_.@\d][^/]{{0,24}}$|[-_](?:{words})(?:[-_]?\d*|@\dx)\.\w+$"
        ),
    )


# Names that no picture has, and names that not even a large picture has.
_ICONS = _names(f"{_SIGN}|{_NEVER}", "button|author|profile|social|share")
_LARGE_ICONS = _names(_NEVER, "author|profile")
# Words in the text alternative of an icon.
_SIGNS = patterns.compile(
    r"(?i)\b(?:icons?|arrows?|buttons?|avatars?|stars?|ratings?|placeholder|menu|close|search|share|profile|ima?ge?|photo)\b"
)
_CAPTIONED = patterns.GuardedPattern(
    "caption|figure", r"(?i)(?:^|\s)(?:wp-caption|(?:image|img|photo)-?caption|figure)(?:\s|$)"
)

MIN_NAME = 5  # characters of a file name; many files have a shorter one, so it identifies no picture
_MEMBERS = frozenset(("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"))
_NO_LEADS = frozenset(("nav", "aside", "footer", "form"))
_LOGO = patterns.compile(r"(?i)logo")
_SLASH = patterns.compile("(?i)%2f")
_FORMAT = r"\.(?:jpe?g|png|gif|webp|avif)"
_SIZE_AND_FORMAT = patterns.compile(rf"(?i)(?:[-_](?:\d{{2,4}}x\d{{2,4}}|scaled)|@\dx)?(?:{_FORMAT})*$")
_is_file = patterns.compile(rf"(?i){_FORMAT}(?:[?#]|$)").search

Shown = tuple[Element, Element]  # an img or noscript element of the page, and the img to show


def kept(page: Page, keep: Sequence[bool]) -> dict[Node, list[Element]]:
    """Return the images of the kept text, each address once, by the img or noscript element of the page.

    Images are checked in the page's order; a row of them without text between is judged as one. The first picture
    before the text's end that the page's head names is added, unless one of its name is shown.
    """
    if not page.images:
        return {}
    totals = page.words_of(keep)
    cells = _cells(page)
    lead_names = _lead_names(page.element[0])
    leads: list[Shown] = []
    addresses: set[str] = set()
    doubles: dict[Element | None, set[Node]] = {}  # filled by _in_noscript()
    rows: list[list[Shown]] = []  # images with no text between them
    row_end = -1  # the block before which the last row is; -1 if the next image begins a row
    for entry in page.images:
        node, place, i, is_inside = entry  # element, container, next block, whether the image is inside of that block
        belongs = _belongs(page, keep, (totals, page.words), cells, entry)
        may_lead = bool(lead_names) and node.tag == "img" and totals[i] < totals[-1]  # kept text follows
        if not (belongs or may_lead):
            continue
        for image in [node] if node.tag == "img" else _in_noscript(node, doubles):
            source = media.image_source(image)
            # The query of "/_next/image?url=..." has the picture's address; another query is a size or a version.
            address = source if "url=" in source else source.partition("?")[0]
            is_icon_of_cell = place in cells and image.attrs.get("alt")
            if not source or address in addresses or not (is_picture(image, address) or is_icon_of_cell):
                continue
            if not belongs:
                if _is_lead(image, source, lead_names):
                    leads.append((node, image))
                continue
            addresses.add(address)
            if i != row_end or is_inside:
                rows.append([])
            rows[-1].append((node, image))
            row_end = -1 if is_inside else i
    images: dict[Node, list[Element]] = {}
    for row in rows:
        if len(row) <= MAX_NAMELESS or any(_is_telling(node, image) for node, image in row):
            for node, image in row:
                images.setdefault(node, []).append(image)
    if leads:
        shown_names = {_file_name(media.image_source(image)) for row in images.values() for image in row}
        missing = (lead for lead in leads if _file_name(media.image_source(lead[1])) not in shown_names)
        for node, image in islice(missing, 1):
            images[node] = [image]
    return images


def _is_lead(image: Element, source: str, lead_names: set[str]) -> bool:
    """Return whether an image is a picture that the page's head names, large enough, and in its text's column."""
    is_named = _file_name(source) in lead_names
    return is_named and least_side(image) >= LARGE_SIDE and _may_lead(image)


def _is_telling(node: Element, image: Element) -> bool:
    """Return whether an image is more than decoration: it has a text alternative, a figure or a photo's size."""
    has_text = bool(image.attrs.get("alt", "").strip())
    return has_text or _is_figure(node) or PHOTO_SIDE <= least_side(image) < NO_SIDE


def _in_noscript(noscript: Element, doubles: dict[Element | None, set[Node]]) -> list[Element]:
    """Return the visible images in a noscript element, unless an img or picture right before it shows the same.

    `doubles` has by parent the elements after an img or picture; it is filled here, once for each parent.
    """
    text, parent = noscript.text, noscript.parent
    is_text = all(node.tag is None for node in noscript.children)
    is_hidden = "hidden" in noscript.attrs or "hides" in style_of(noscript.attrs.get("style", ""))
    if parent is None or is_hidden or (is_text and "<img" not in text):
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


def _cells(page: Page) -> set[int]:
    """Return the cells of data tables that hold no text."""
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
    """Return whether one of the page's images belongs to the kept text.

    `totals` are the running totals of kept words and of all words; `cells` is what _cells() returns.
    """
    image, innermost, i, is_inside = entry
    place = innermost  # then the innermost container around the image that has words or is a cell
    while page.parent[place] >= 0 and page.first[place] == page.last[place] and place not in cells:
        is_named_button = page.element[place].tag == "button" and image.attrs.get("alt")  # it enlarges the picture
        if _is_aside(page, place) and not is_named_button:
            return False
        place = page.parent[place]
    is_next_kept = i < len(keep) and keep[i]
    if is_inside:
        return is_next_kept
    kept_words, all_words = totals
    first, last = page.first[place], page.last[place]
    if first == last:  # an empty cell is kept if its row is
        first, last = page.first[page.parent[place]], page.last[page.parent[place]]
    kept_inside = kept_words[last] - kept_words[first]
    if kept_inside >= MIN_RICH * (all_words[last] - all_words[first]):
        return kept_inside > 0
    is_card = all_words[last] - all_words[first] <= MAX_CARD_WORDS and not _is_aside(page, place)
    if kept_inside and is_card:
        return True
    caption, outer = _around(page, totals, innermost, _is_figure(image) and not _is_card(page, innermost))
    begins_text = kept_words[min(i + MAX_BEFORE, len(keep))] > 0
    ends_text = kept_words[max(0, i - 1)] == kept_words[-1]
    if outer >= 0 and begins_text and not ends_text:
        return _is_beside_kept(
            page, totals, outer, (page.first[caption], page.last[caption]) if caption >= 0 else (i, i)
        )
    is_column = 2 * kept_inside >= kept_words[-1] > 0
    return is_column and (is_next_kept or (i > 0 and keep[i - 1]))


def _is_beside_kept(page: Page, totals: tuple[list[int], list[int]], outer: int, caption: tuple[int, int]) -> bool:
    """Return whether enough of a container's words, or of those next to an image and its caption, is kept.

    `outer` is the container around both; `caption` is the range of the caption's blocks, empty without one.
    """
    kept_words, all_words = totals
    outer_first, outer_last = page.first[outer], page.last[outer]
    first, last = caption
    ranges = [(outer_first, outer_last, MIN_OUTER)]
    for beside in (1, BESIDE):
        ranges.append((max(outer_first, first - beside), min(outer_last, last + beside), MIN_BESIDE))
    return any(
        kept_words[end] - kept_words[start] >= share * (all_words[end] - all_words[start]) > 0
        for start, end, share in ranges
    )


def _around(page: Page, totals: tuple[list[int], list[int]], place: int, is_figure: bool) -> tuple[int, int]:
    """Return the container of an image's caption and the container around image and caption; -1 for a missing one.

    A caption is the text beside the image if no block of it is kept. If that text is a teaser, a form, a menu, or too
    long for a caption, the outer container is -1, as at the page's body.
    """
    kept_words, all_words = totals
    caption = -1
    while place > 0:
        first, last = page.first[place], page.last[place]
        if kept_words[last] > kept_words[first]:
            break
        element = page.element[place]
        is_captioned = element.tag == "figure" or bool(_CAPTIONED.search(element.attrs.get("class", "")[:MAX_CLASS]))
        is_figure = is_figure or (is_captioned and not _is_card(page, place))
        if _is_aside(page, place) or (not is_figure and all_words[last] - all_words[first] > MAX_CAPTION_WORDS):
            return caption, -1
        links = 0 if is_figure else sum([block.link_words for block in page.blocks[first:last]])
        if 2 * links > max(all_words[last] - all_words[first], 2 * MAX_CREDIT_WORDS):
            return caption, -1
        caption = place
        place = page.parent[place]
    return caption, place if place > 0 and page.element[place].tag != "body" else -1


def _is_card(page: Page, place: int) -> bool:
    """Return whether a picture's figure is a teaser: most of its words outside of the figcaption are linked."""
    for container in islice(page.around(place), MAX_STEPS + 1):
        if page.element[container].tag == "figure":
            inside = page.blocks[page.first[container] : page.last[container]]
            beside = [block for block in inside if page.element[block.container].tag != "figcaption"]
            return 2 * sum([block.link_words for block in beside]) > sum([block.words for block in beside])
    return False


def _is_aside(page: Page, place: int) -> bool:
    """Return whether a container's tag or class says that it is beside the text.

    Classes like "modal" count only if the container has words: without them it may be the frame of a picture.
    """
    element = page.element[place]
    names = element.attrs.get("class", "")[:MAX_CLASS]
    if element.tag in _ASIDE or not names:
        return element.tag in _ASIDE
    is_aside, may_open = _beside_text[names]
    return is_aside or (may_open and page.first[place] < page.last[place])


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
    is_placed = is_placed or (" " in alternative and not _SIGNS.search(alternative[:200]))
    in_class, in_address = _LARGE_ICONS if is_placed else _ICONS
    return side >= MIN_SIDE and not (
        media.is_placeholder(address[:300])
        or in_class.search(attrs.get("class", "")[:MAX_CLASS].lower())
        or in_address.search(address[-200:].lower())
    )


def _lead_names(root: Element) -> set[str]:
    """Return the names of the pictures in a page's og:image and twitter:image."""
    top = next((child for child in root.children if child.tag == "html"), root)
    head = next((child for child in top.children if child.tag == "head"), top)
    metas = [node.attrs for node in head.children if node.tag == "meta"]
    images = [attrs.get("content", "") for attrs in metas if attrs.get("property", attrs.get("name", "")) in _MEMBERS]
    return {_file_name(address) for address in images if len(_file_name(address)) >= MIN_NAME}


def _file_name(address: str) -> str:
    """Return the name of a picture's file: "photo" for photo-300x200.jpg.webp and for /_next/image?url=%2Fphoto.png."""
    path = _SLASH.sub("/", address.rpartition("url=")[2]).partition("?")[0].partition("&")[0]
    return _SIZE_AND_FORMAT.sub("", path.rstrip("/").rpartition("/")[2]).lower()


def _may_lead(image: Element) -> bool:
    """Return whether an img may be the picture above the text: it is outside of menus, margins and logos."""
    return not any(
        element.tag in _NO_LEADS or _LOGO.search(element.attrs.get("class", "")[:MAX_CLASS])
        for element in around(image, -1)
    )
