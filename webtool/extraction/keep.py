"""From chosen blocks to what a reader gets. In: a cut page and which blocks to keep. Out: the kept tree, text, links.

The kept tree is a copy of the page's own elements around the kept text, so that tables, code, lists, headings, images
and links stay what they are. Nothing of the page is changed.
"""

from __future__ import annotations

from itertools import accumulate

from webtool import urls
from webtool.errors import InvalidUrl
from webtool.extraction.blocks import KINDS, SKIP
from webtool.html.node import Document, Element, Text
from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from webtool.extraction.blocks import Block, Page
    from webtool.html.node import Node

    Link = dict[str, str]

REPEATED_WORDS = 5
"""A block of so many words or more is kept once, however often the page repeats it (for phones, for print)."""
MOST_NAMELESS = 4
"""So many pictures without a text alternative are kept where one element holds nothing else."""

_MEDIA = frozenset(("img", "picture", "video", "audio", "source"))
_BARE = patterns.compile(
    r"(?i)icon|avatar|logo|sprite|emoji|pixel|spacer|badge|button|arrow|gravatar|author|profile|"
    r"social|share|placeholder"
)
_VOTES = {
    # tag: the longest block in words that such a thing of data has, and the share of kept words that decides
    "pre": (1_000_000, 0.5),
    "tr": (40, 0.5),
    "table": (60, 0.5),
    "ul": (1_000_000, 0.85),
    "ol": (1_000_000, 0.85),
}
_ROWS = frozenset(("tr", "table"))
MOST_IN_CELL = 2
"""Blocks a cell holds on average where a table is one of data."""

_SCHEME = patterns.compile(r"(?i)\s*(?:javascript|data|vbscript|blob|about):")


def settle(page: Page, chosen: Sequence[bool]) -> list[bool]:
    """The choice made consistent: code, rows and tables of data whole or not at all, a nearly whole list whole, the
    summary with its details, repeated text once."""
    keep = list(chosen)
    words = [0, *accumulate([block.words for block in page.blocks])]
    kept = [0, *accumulate([block.words if is_kept else 0 for block, is_kept in zip(page.blocks, chosen)])]
    long = {most: [0, *accumulate([block.words > most for block in page.blocks])] for most, _ in _VOTES.values()}
    cells = _cells(page)
    done = 0
    for i, element in enumerate(page.element):
        first, last = page.first[i], page.last[i]
        rule = _VOTES.get(element.tag)
        if rule and element.tag in _ROWS and last - first > MOST_IN_CELL * (cells[last] - cells[first]):
            continue  # a table for layout
        if rule and first >= done and last - first > 1 and long[rule[0]][last] == long[rule[0]][first]:
            share = (kept[last] - kept[first]) / (words[last] - words[first])
            if share >= rule[1] or share < 1 - rule[1]:
                keep[first:last] = [share >= rule[1]] * (last - first)
                done = last  # what is inside went with it
        elif element.tag == "summary" and page.element[page.parent[i]].tag == "details":
            end = page.last[page.parent[i]]
            if end > last:
                keep[first:last] = [2 * (kept[end] - kept[last]) >= words[end] - words[last]] * (last - first)
    _drop_repeats(page.blocks, keep)
    return keep


def _cells(page: Page) -> list[int]:
    """Running total over the blocks: how many begin a cell of a table, the innermost one where tables are nested."""
    cell: list[int] = []
    for i, element in enumerate(page.element):
        cell.append(i if element.tag in ("td", "th") else cell[page.parent[i]] if i else -1)
    places = [cell[block.container] for block in page.blocks]
    return [0, *accumulate([this >= 0 and this != last for last, this in zip([-1, *places], places)])]


def _drop_repeats(blocks: list[Block], keep: list[bool]) -> None:
    seen: set[str] = set()
    for i, block in enumerate(blocks):
        if keep[i] and block.words >= REPEATED_WORDS:
            if block.text in seen:
                keep[i] = False
            seen.add(block.text)


def tree(page: Page, keep: Sequence[bool], hidden: Collection[Element] = ()) -> Document:
    """The kept part of the page as a tree of its own, from the body down."""
    texts = {id(node) for block, is_kept in zip(page.blocks, keep) if is_kept for node in block.nodes}
    needed = _needed(page, keep)
    rich = _rich(page, keep)
    speaking = _needed(page, [True] * len(keep))
    shown: set[str] = set()
    root = Document()
    stack: list[tuple[Element, Element]] = [(page.element[0], root)]
    while stack:
        source, target = stack.pop()
        for node in source.children:
            if node.tag is None:
                if id(node) in texts:
                    target.append(Text(node.text))
            elif node in hidden:
                continue
            elif id(node) in needed:
                child = Element(node.tag, node.attrs, node.namespace)  # type: ignore[union-attr,arg-type]
                target.append(child)
                stack.append((node, child))  # type: ignore[arg-type]
            elif node.tag == "br" or (node.tag == "hr" and id(source) in rich):
                target.append(Element(node.tag, node.attrs))
            elif id(source) in rich and (node.tag == "figure" or id(node) not in speaking):
                _append_media(node, target, shown)
    return root


def _needed(page: Page, keep: Sequence[bool]) -> set[int]:
    """The elements around kept text."""
    needed: set[int] = set()
    for block, is_kept in zip(page.blocks, keep):
        if is_kept:
            for node in block.nodes:
                element = node.parent
                while element is not None and id(element) not in needed:
                    needed.add(id(element))
                    element = element.parent
    return needed


def _rich(page: Page, keep: Sequence[bool]) -> set[int]:
    """Containers whose text is mostly kept: images in them belong to the content."""
    kept = [0]
    words = [0]
    for block, is_kept in zip(page.blocks, keep):
        words.append(words[-1] + block.words)
        kept.append(kept[-1] + (block.words if is_kept else 0))
    return {
        id(element)
        for element, first, last in zip(page.element, page.first, page.last)
        if last > first and 10 * (kept[last] - kept[first]) >= 7 * (words[last] - words[first])
    }


def _append_media(node: Node, target: Element, shown: set[str]) -> None:
    """Copy the images below an element without text: they belong to the kept content around it.

    Carousels repeat their pictures, in other sizes or with other query strings: each is `shown` once. A wall of
    pictures that have no text in their alt attributes either tells a reader nothing and is left out.
    """
    if not isinstance(node, Element):
        return
    found = []
    stack = [node]
    while stack:
        element = stack.pop()
        if element.tag == "img":
            if is_picture(element) and _address(element) not in shown:
                shown.add(_address(element))
                found.append(element)
        elif element.tag in _MEDIA or KINDS.get(element.tag) != SKIP:
            stack.extend(child for child in reversed(element.children) if isinstance(child, Element))
    if len(found) <= MOST_NAMELESS or any(element.attrs.get("alt", "").strip() for element in found):
        for element in found:
            target.append(Element("img", element.attrs))


def _address(image: Element) -> str:
    """What two tags of one picture have in common; a source in the data attributes of lazy loading comes first."""
    attrs = image.attrs
    source = attrs.get("data-src") or attrs.get("data-lazy-src") or attrs.get("src") or attrs.get("srcset", "")
    return source if source.startswith("data:") or "url=" in source else source.partition("?")[0]


def is_picture(element: Element) -> bool:
    """Whether an img shows something, and is no icon, avatar or tracking pixel."""
    attrs = element.attrs
    for side in ("width", "height"):
        size = attrs.get(side, "")
        if size.isdigit() and len(size) < 5 and int(size) < 48:
            return False
    names = f"{attrs.get('class', '')} {attrs.get('src', '')[-200:]}"
    return not _BARE.search(names)


def text(page: Page, keep: Sequence[bool]) -> str:
    """The kept text: an empty line between blocks, none between the items of a list, a tab between cells of a row."""
    parts: list[str] = []
    last = -1
    for block, is_kept in zip(page.blocks, keep):
        if not is_kept:
            continue
        if parts:
            parts.append(_separator(page, last, block.container))
        parts.append(_preformatted(block) if _is_pre(page, block) else block.text)
        last = block.container
    return "".join(parts)


def _separator(page: Page, last: int, this: int) -> str:
    one, two = page.element[last], page.element[this]
    if last == this:
        return "\n\n"
    if one.tag in ("td", "th") and two.tag in ("td", "th") and page.parent[last] == page.parent[this]:
        return "\t"
    if one.tag == two.tag and one.tag in ("li", "dd", "dt", "td", "th"):
        return "\n"
    return "\n\n"


def _is_pre(page: Page, block: Block) -> bool:
    i = block.container
    return page.element[i].tag == "pre" or (page.parent[i] >= 0 and page.element[page.parent[i]].tag == "pre")


def _preformatted(block: Block) -> str:
    return "".join([node.text for node in block.nodes]).strip("\n")


def links(root: Element, base_url: str) -> list[Link]:
    """The links of the kept tree as {text, href}, absolute, each pair once; only addresses that lead somewhere."""
    found: dict[tuple[str, str], Link] = {}
    stack: list[Element] = [root]
    while stack:
        element = stack.pop()
        href = element.attrs.get("href") if element.tag == "a" else None
        if href and not _SCHEME.match(href) and not href.lstrip().startswith("#"):
            label = " ".join(element.text.split())
            address = absolute(href, base_url)
            if label and address:
                found.setdefault((label, address), {"text": label, "href": address})
        stack.extend(child for child in reversed(element.children) if isinstance(child, Element))
    return list(found.values())


def absolute(href: str, base_url: str) -> str:
    """The address a reference leads to; as it stands where there is no base, and "" where it cannot be read."""
    if not base_url:
        return href.strip()
    try:
        return urls.join(base_url, href)
    except InvalidUrl:
        return ""
