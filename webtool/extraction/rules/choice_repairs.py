"""From chosen blocks to what a reader gets. In: a cut page and which blocks to keep. Out: a choice, text, links."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, compress

from webtool import urls
from webtool.errors import InvalidUrl
from webtool.extraction.page import grids
from webtool.extraction.page.blocks import Block, Page, is_sentence
from webtool.extraction.rules import copies, sections
from webtool.html.node import Element, elements
from webtool.lean import patterns
from webtool.markdown.handlers import roles

Link = dict[str, str]

_VOTES = {
    # tag: the longest block in words that such a thing of data has, and the share of kept words that decides
    "pre": (1_000_000, 0.5),
    "tr": (40, 0.5),
    "table": (60, 0.5),
    "dl": (60, 0.5),
    "ul": (40, 0.85),  # the posts of a thread are items of a list, too
    "ol": (40, 0.85),
}
BESIDE = ((3, 3), (1, 12), (12, 1))
"""Blocks before and after code or a table among which one is kept where it stands in the text."""
ISLAND_WORDS = 190
"""A longer listing is left to the choice."""
_ROWS = frozenset(("tr", "table"))
MOST_CARD = 60
"""Words of what is said of a page that is linked in a figure."""
_QUOTE = patterns.compile('[\u201c\u201d\u201e\u00ab\u00bb\u300c"](.+?)[.!?\u3002]?[\u201c\u201d\u00ab\u00bb\u300d"]')
LEAST_QUOTE, MOST_QUOTES = 5, 20
"""Words of a line that is a quote and nothing else, at least; and how many of those are looked for elsewhere."""
_TASKS = patterns.compile(r"(?:^|[\s-])(?:to-do|task)-list(?:$|\s)")
"""What writers tick off."""
_SCHEME = patterns.compile(r"(?i)\s*(?:javascript|data|vbscript|blob|about):")


def settle(page: Page, chosen: Sequence[bool]) -> list[bool]:
    """The choice made consistent: code, rows and tables of data whole or not at all, a nearly whole list whole, the
    summary with its details, no copies of regions."""
    keep = list(chosen)
    words = page.words
    kept = page.words_of(chosen)
    longest = {_VOTES[tag][0] for tag in _VOTES.keys() & page.by_tag.keys()}
    long = {most: [0, *accumulate([size > most for size in page.sizes])] for most in longest}
    cells = grids.cells_before(page)
    done = 0
    has_notes = "footnote" in page.called()
    for i in range(len(page.element)) if has_notes else page.tagged([*_VOTES, "summary"]):
        element, first, last = page.element[i], page.first[i], page.last[i]
        rule = _VOTES.get(element.tag)
        if rule and element.tag in _ROWS and last - first > grids.MOST_IN_CELL * (cells[last] - cells[first]):
            continue  # a table for layout
        if rule and first >= done and last - first > 1 and long[rule[0]][last] == long[rule[0]][first]:
            share = (kept[last] - kept[first]) / (words[last] - words[first])
            if share >= rule[1] or (share < 1 - rule[1] and element.tag != "dl"):  # a note of javadoc is a list
                keep[first:last] = [share >= rule[1]] * (last - first)
                done = last  # what is inside went with it
        elif element.attrs.get("class") == "footnote":
            keep[first:last] = [any(keep[first:last])] * (last - first)  # with its number
        elif element.tag == "summary" and page.element[page.parent[i]].tag == "details":
            end = page.last[page.parent[i]]
            if end > last:
                keep[first:last] = [2 * (kept[end] - kept[last]) >= words[end] - words[last]] * (last - first)
    _fill_islands(page, keep)
    _keep_own(page, keep)
    _keep_quotes(page, keep)
    _complete_tables(page, keep)
    _complete_roles(page, keep)
    sections.settle(page, keep)
    return copies.dropped(page, keep)


def _keep_own(page: Page, keep: list[bool]) -> None:
    """Lists of tasks below a kept block, and figures between two that show a link with what is said of its page: both
    look like furniture, and only an author puts them there."""
    for i in page.tagged(("ul", "figure")):
        element, first, last = page.element[i], page.first[i], page.last[i]
        if not (first and keep[first - 1]) or last == first:
            continue
        words, linked = page.words[last] - page.words[first], page.links[last] - page.links[first]
        beside = [page.blocks[first - 1], *compress(page.blocks[last : last + 1], keep[last : last + 1])]
        is_card = element.tag == "figure" and 2 * linked > words <= MOST_CARD
        is_card = is_card and last > first + 1 and len(beside) > 1 and any(map(is_sentence, beside))
        if is_card or (element.tag == "ul" and _TASKS.search(element.attrs.get("class", "")[:200])):
            keep[first:last] = [True] * (last - first)


def _keep_quotes(page: Page, keep: list[bool]) -> None:
    """What somebody says, in large type between two paragraphs, and not in a paragraph, too."""
    found = []
    for i in [i for i in range(1, len(keep) - 1) if keep[i - 1] and keep[i + 1] and not keep[i]]:
        block = page.blocks[i]
        is_line = LEAST_QUOTE <= block.words <= MOST_CARD and not block.links
        match = _QUOTE.fullmatch(block.text) if is_line else None
        if match and is_sentence(page.blocks[i - 1]) and is_sentence(page.blocks[i + 1]):
            found.append((i, match[1]))
    said = "\n".join([block.text for block in page.blocks]) if found else ""
    for i, quote in found[:MOST_QUOTES]:
        keep[i] = said.count(quote) == 1


def _fill_islands(page: Page, keep: list[bool]) -> None:
    """Code and tables of data between kept blocks are kept, and what code says when it runs: a text that speaks of them
    is not whole without them."""
    for i in sorted([*page.tagged(("pre",)), *[grid.table for grid in grids.find(page)]]):
        first, last = page.first[i], page.last[i]
        if first < last and not any(keep[first:last]):
            inside = page.blocks[first:last]
            words = sum([block.words for block in inside])
            is_text = 2 * sum([block.link_words for block in inside]) <= words <= ISLAND_WORDS
            is_output = first > 0 and keep[first - 1] and _is_pre(page, page.blocks[first - 1])
            if is_text and (
                is_output
                or any(
                    any(keep[max(0, first - before) : first]) and any(keep[last : last + after])
                    for before, after in BESIDE
                )
            ):
                keep[first:last] = [True] * (last - first)


def _complete_tables(page: Page, keep: list[bool]) -> None:
    """A table of which rows are kept has its caption and its header row, a listing its caption."""
    for grid in grids.find(page):
        if any(keep[page.first[grid.table] : page.last[grid.table]]):
            for part in grid.header:
                keep[page.first[part] : page.last[part]] = [True] * (page.last[part] - page.first[part])
    captions = {page.parent[i]: i for i in page.tagged(("figcaption",))}
    for pre in page.tagged(("pre",)) if captions else ():
        caption = captions.get(page.parent[pre]) or captions.get(page.parent[page.parent[pre]])
        if caption and any(keep[page.first[pre] : page.last[pre]]):
            keep[page.first[caption] : page.last[caption]] = [True] * (page.last[caption] - page.first[caption])


def _complete_roles(page: Page, keep: list[bool]) -> None:
    """All cells of a grid by role are kept where most of them are: a header alone is no sentence."""
    found = [element.attrs.get("role") for element in page.element]
    if roles.TABLES.isdisjoint(found):
        return
    grid: list[int] = []
    depth = -1
    for i, role in enumerate([*found, None]):
        if i == len(found) or page.depth[i] <= depth:
            inside = [at for cell in grid for at in range(page.first[cell], page.last[cell])]
            if 2 * sum([keep[at] for at in inside]) >= len(inside):
                for at in inside:
                    keep[at] = True
            grid, depth = [], -1
        if depth < 0 and role in roles.TABLES:
            depth = page.depth[i]
        elif depth >= 0 and role in roles.CELLS:
            grid.append(i)


def text(page: Page, keep: Sequence[bool]) -> str:
    """The kept text: an empty line between blocks, none between the items of a list, a tab between cells of a row."""
    parts: list[str] = []
    last = -1
    for i, (block, is_kept) in enumerate(zip(page.blocks, keep)):
        if not is_kept or i in page.headline:
            continue
        if parts:
            parts.append(_separator(page, last, block.container))
        parts.append(_preformatted(block) if _is_pre(page, block) else _plain(block))
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


def _plain(block: Block) -> str:
    if "[" not in block.text or any(node.parent is not None and node.parent.tag == "code" for node in block.nodes):
        return block.text
    return sections.without_marks(block.text)


def _preformatted(block: Block) -> str:
    return "".join([node.text for node in block.nodes]).strip("\n")


def links(root: Element, base_url: str) -> list[Link]:
    """The links of the kept tree as {text, href}, absolute, each pair once; only addresses that lead somewhere."""
    found: dict[tuple[str, str], Link] = {}
    for element in elements(root):
        href = element.attrs.get("href") if element.tag == "a" else None
        if href and not _SCHEME.match(href) and not href.lstrip().startswith("#"):
            inside = element.children
            is_plain = len(inside) == 1 and inside[0].tag is None  # most are
            label = " ".join((inside[0].text if is_plain else element.text).split())
            address = absolute(href, base_url)
            if label and address:
                found.setdefault((label, address), {"text": label, "href": address})
    return list(found.values())


def absolute(href: str, base_url: str) -> str:
    """The address a reference leads to; as it stands where there is no base, and "" where it cannot be read."""
    if not base_url:
        return href.strip()
    try:
        return urls.join(base_url, href)
    except InvalidUrl:
        return ""
