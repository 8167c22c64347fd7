"""Which images of a page belong to its kept text. In: a cut page, which blocks are kept. Out: the img elements.

An image has no words of its own to be judged by. It belongs to the text where it stands in a kept line, in a container
whose text is mostly kept, in a figure there, or in the column that holds most of the kept text, next to a kept block.
Icons, avatars and tracking pixels are none of it; in a cell of a table of data an icon with a name is its content.
"""

from __future__ import annotations

from itertools import accumulate

from webtool.extraction import grids
from webtool.lean import patterns
from webtool.markdown import media

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from webtool.extraction.blocks import Page
    from webtool.html.node import Element

MOST_NAMELESS = 4
"""So many images without a text alternative are kept where nothing stands between them."""
RICH = 0.7
"""The share of a container's words that is kept where its text is mostly kept."""
MAX_STEPS = 4  # from an image or a caption to the figure around
LEAST_SIDE = 48
"""Pixels that an image has at least in each direction, where it says so."""
_ICON = "icons?|avatars?|logos?|sprites?|emojis?|pixel|spacer|badges?|arrows?|gravatar|smil(?:ey|ies)"
_ICON_CLASS = patterns.compile(rf"(?i)(?:^|[\s_-])(?:{_ICON}|button|author|profile|social|share)(?:$|[\s_-])")
_ICON_FILE = patterns.compile(
    rf"(?i)gravatar\.com/|/(?:{_ICON})/[^/]*$|/(?:{_ICON})[-_.@\d][^/]{{0,24}}$|[-_](?:{_ICON})(?:[-_]?\d*|@\dx)\.\w+$"
)


def kept(page: Page, keep: Sequence[bool]) -> list[Element]:
    """The images of the kept text in document order, each address once."""
    if not page.images:
        return []
    totals = [0, *accumulate([block.words if is_kept else 0 for block, is_kept in zip(page.blocks, keep)])]
    words = [0, *accumulate([block.words for block in page.blocks])]
    cells = _cells(page)
    shown: set[str] = set()
    found: list[list[Element]] = []
    last = -1
    for image, place, at, is_inside in page.images:
        while page.parent[place] >= 0 and page.first[place] == page.last[place] and place not in cells:
            place = page.parent[place]
        is_cell = place in cells
        if not _belongs(page, keep, (totals, words), place, at, is_inside):
            continue
        source = media.image_source(image)
        address = source if "url=" in source else source.partition("?")[0]
        if not source or address in shown or not (is_picture(image, address) or (is_cell and image.attrs.get("alt"))):
            continue
        shown.add(address)
        if at != last or is_inside:
            found.append([])
        found[-1].append(image)
        last = -1 if is_inside else at
    return [
        image
        for run in found
        if len(run) <= MOST_NAMELESS or any(image.attrs.get("alt", "").strip() or _is_figure(image) for image in run)
        for image in run
    ]


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
    figure = _figure(page, place)
    if figure >= 0:
        first, last = page.first[figure], page.last[figure]
        outer = page.parent[figure]
        while page.parent[outer] >= 0 and page.first[outer] == first and page.last[outer] == last:
            outer = page.parent[outer]
        first, last = page.first[outer], page.last[outer]
        return 2 * (kept[last] - kept[first]) >= words[last] - words[first] > 0
    is_column = 2 * inside >= kept[-1] > 0
    return is_column and ((at < len(keep) and keep[at]) or (at > 0 and keep[at - 1]))


def _figure(page: Page, place: int) -> int:
    """The figure around a container, or the container that has a caption only; -1 where there is none near."""
    for _ in range(MAX_STEPS):
        if place < 0 or page.element[place].tag == "figure":
            return place
        place = page.parent[place]
    return -1


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
