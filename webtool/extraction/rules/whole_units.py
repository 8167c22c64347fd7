"""Keep together what belongs together: tables, rows, code listings and lists; a heading and its section; a question and
its answer; the main element of a page.

In: a Choice. Out: its `keep` changed. The model judges single blocks and may keep three cells of four. If most of
a unit's words are kept the rest is kept too; if few are, they are dropped. If most of a page's kept words are in its
main element, the others are dropped.
"""

from __future__ import annotations

from itertools import accumulate

from webtool.extraction.page import grids
from webtool.extraction.page.blocks import Block, Page
from webtool.extraction.rules import consent, headings, manuals
from webtool.extraction.rules.choice import Choice
from webtool.html.elements import HEADINGS
from webtool.html.node import around
from webtool.lean.records import NamedTuple
from webtool.markdown.handlers import roles


class Vote(NamedTuple):
    """When a unit is decided as a whole."""

    max_block_words: int  # with a longer block inside, the unit is layout and is not decided as a whole
    min_share: float
    """Share of the unit's words that are kept: from here on all of it is. Below 1 - min_share all of it is dropped."""


VOTES = {
    "pre": Vote(1_000_000, 0.5),
    "tr": Vote(40, 0.5),
    "table": Vote(60, 0.5),
    "dl": Vote(60, 0.5),
    "ul": Vote(40, 0.85),  # the posts of a thread are items of a list too
    "ol": Vote(40, 0.85),
}
_ROWS = frozenset(("tr", "table"))  # units that a page may use for its layout
# Blocks before and after code or a table: it is kept if both windows of one of these pairs have a kept block.
WINDOWS = ((3, 3), (1, 12), (12, 1))
MAX_SHORT_PAGE_WORDS = 100  # of a page outside of links; with more, the model's choice of paragraphs is not changed
MAX_ISLAND_WORDS = 190  # longer code and tables are left to the model
# A kept heading stays above a dropped section of fewer words: `<h3>Storm ahead</h3><p>Nia, 2 May</p>` is a card.
MIN_SECTION_WORDS = 15
MIN_KEPT_SHARE = 0.7  # of a section's words; with a smaller share kept, its dropped heading stays dropped
MAX_OPENER_WORDS = 40  # a longer text is not a button that opens a panel
MIN_MAIN_SHARE = 0.8  # of the kept words; with fewer in a main or article element it is not the home of the text
_TARGETS = ("aria-controls", "data-bs-target", "data-target", "href")  # attributes with the id of what a click opens
_MAX_STEPS = 4  # elements from a text up to the one that has such an attribute
_ANY_RANK = 7  # below h6: any heading has this rank or a higher one


def keep_short_pages_whole(choice: Choice) -> None:
    """Keep the paragraphs, lists and headings beside a kept paragraph on a page of few words: `<p>Closed.<p>Call 0123.`

    Beside means in the same element. Such a paragraph must also have the class of the kept one, and a heading must be
    directly above a kept block. If half of the kept words are in sentences, the smallest element around all kept blocks
    is kept whole: with a first line in bold, or the name below a notice.
    """
    page, keep = choice.page, choice.keep
    if not any(keep) or page.words[-1] - page.links[-1] > MAX_SHORT_PAGE_WORDS:
        return
    words_in_sentences, kept_words = choice.story()[-1], page.words_of(keep)[-1]
    if 2 * words_in_sentences >= kept_words:
        _keep_home_whole(choice)
    paragraphs = page.by_tag.get("p", ())
    with_kept = {(page.parent[i], page.kinds[i]) for i in paragraphs if any(keep[page.first[i] : page.last[i]])}
    parents = {parent for parent, _ in with_kept}
    for i in page.tagged(("p", "ul", "ol", "dl")):
        first, last = page.first[i], page.last[i]
        is_beside = page.parent[i] in parents
        if page.element[i].tag == "p":
            is_beside = (page.parent[i], page.kinds[i]) in with_kept
        if is_beside and 2 * (page.links[last] - page.links[first]) < page.words[last] - page.words[first]:
            choice.set_range(first, last, True)
    for i in page.tagged(HEADINGS):
        first, last = page.first[i], page.last[i]
        if page.parent[i] in parents and first < last < len(keep) and keep[last]:
            choice.set_range(first, last, True)


def _keep_home_whole(choice: Choice) -> None:
    """Keep what is not linked in the innermost container around all kept blocks, except furniture and consent boxes."""
    page, keep = choice.page, choice.keep
    start, end = keep.index(True), len(keep) - keep[::-1].index(True)
    # The last container around them is the innermost one.
    home = max(i for i, first in enumerate(page.first) if first <= start and page.last[i] >= end)
    is_furniture = manuals.furniture(page)
    in_consent_boxes = {i for first, last in consent.find(page, choice.head) for i in range(first, last)}
    for i in {*range(page.first[home], page.last[home])} - in_consent_boxes:
        block = page.blocks[i]
        keep[i] = keep[i] or (2 * block.link_words < block.words and not is_furniture[block.container])


def keep_or_drop_whole(choice: Choice) -> None:
    """Let the kept words of a table, row, list or code listing decide for all of it: the outermost unit first.

    `<tr><td>Tea<td>$4` with only Tea kept: the row is kept. A dl is never dropped: a note of javadoc is one.
    """
    page, words = choice.page, choice.page.words
    kept = page.words_of(choice.keep)
    long_blocks: dict[int, list[int]] = {}  # running count of blocks with more words than a limit
    for tag in VOTES.keys() & page.by_tag.keys():
        limit = VOTES[tag].max_block_words
        long_blocks[limit] = long_blocks.get(limit) or [0, *accumulate([size > limit for size in page.sizes])]
    cells = grids.cells_before(page)
    done = 0
    for i in page.tagged(VOTES):
        first, last, tag = page.first[i], page.last[i], page.element[i].tag
        if tag in _ROWS and last - first > grids.MAX_BLOCKS_IN_CELL * (cells[last] - cells[first]):
            continue  # a table for layout
        vote = VOTES[tag]
        long_before = long_blocks[vote.max_block_words]
        if first < done or last - first < 2 or long_before[last] > long_before[first]:
            continue
        share = (kept[last] - kept[first]) / (words[last] - words[first])
        is_dropped = share < 1 - vote.min_share and tag != "dl"
        if share >= vote.min_share or is_dropped:
            choice.set_range(first, last, not is_dropped)
            done = last


def keep_code_and_tables(choice: Choice) -> None:
    """Keep code and tables of data between kept blocks, and the output right after kept code.

    `<p>Run it:</p><pre>x = 1</pre><p>Then ...</p>` with only the paragraphs kept: the code is kept.
    """
    page, keep = choice.page, choice.keep
    for i in sorted([*page.tagged(("pre",)), *[grid.table for grid in grids.find(page)]]):
        first, last = page.first[i], page.last[i]
        if first == last or any(keep[first:last]):
            continue
        words, links = page.words[last] - page.words[first], page.links[last] - page.links[first]
        if not 2 * links <= words <= MAX_ISLAND_WORDS:
            continue
        is_output = first > 0 and keep[first - 1] and is_preformatted(page, page.blocks[first - 1])
        is_amid_kept = any(
            any(keep[max(0, first - before) : first]) and any(keep[last : last + after]) for before, after in WINDOWS
        )
        if is_output or is_amid_kept:
            choice.set_range(first, last, True)


def keep_aria_grids_whole(choice: Choice) -> None:
    """Keep all cells of an ARIA table (role=grid, table or treegrid) if half of their blocks are kept.

    AG Grid and Tabulator write tables of div elements; the model may drop their header cells.
    """
    page, keep = choice.page, choice.keep
    tables: list[list[int]] = []  # of each outermost table the blocks of its cells
    end = 0  # the block after the last table
    for i, role in choice.roles.items():
        first, last = page.first[i], page.last[i]
        if role in roles.TABLES and end <= first < last:
            tables.append([])
            end = last
        elif role in roles.CELLS and first < last <= end:
            tables[-1] += range(first, last)
    for cells in tables:
        if 2 * sum([keep[block] for block in cells]) >= len(cells):
            for block in cells:
                keep[block] = True


def keep_openers(choice: Choice) -> None:
    """Keep the question or tab name whose panel right below is kept (FAQs, tabs).

    `<button aria-controls=a1>How long?</button><div id=a1>Two days.</div>` with only the answer kept.
    """
    page, keep = choice.page, choice.keep
    container_of: dict[str, int] = {}  # by id; the first element of two with one id, as in browsers
    for i, block in enumerate(page.blocks):
        if keep[i] or block.words > MAX_OPENER_WORDS or not any(keep[i + 1 : i + 3]):
            continue
        target = _opened_id(block)
        if not target:
            continue
        if not container_of:
            for container, element in enumerate(page.element):
                container_of.setdefault(element.attrs.get("id", ""), container)
        panel = container_of.get(target, 0)  # 0 is the page, which does not begin below a block
        first, last = page.first[panel], page.last[panel]
        if i < first <= i + 2:
            kept = sum([page.sizes[block] for block in range(first, last) if keep[block]])
            keep[i] = kept >= max(block.words, (page.words[last] - page.words[first]) / 2)


def _opened_id(block: Block) -> str:
    """Return the id of the element that a click on a text opens, or ""."""
    for element in around(block.nodes[0], _MAX_STEPS):
        for name in _TARGETS:
            value = element.attrs.get(name, "")
            if not value:
                continue
            if name != "href" or (value[0] == "#" and element.attrs.keys() & {"aria-expanded", "data-toggle"}):
                return value.removeprefix("#")
    return ""


def match_headings(choice: Choice) -> None:
    """Drop headings (h2 to h6) of sections of which nothing is kept; keep headings between kept blocks of a section.

    `<p>kept</p><h2>Share</h2><p>fifteen dropped words</p>`: the h2 is dropped.
    `<p>kept</p><h2>Night</h2><p>kept</p>`: the h2 is kept.
    """
    page, keep, words = choice.page, choice.keep, choice.page.words
    kept = page.words_of(keep)
    ranks = [HEADINGS.get(page.element[block.container].tag, 0) for block in page.blocks]
    ends = [len(keep)] * (_ANY_RANK + 1)  # by rank: the next heading of this rank or a higher one
    for i in range(len(keep) - 1, -1, -1):
        rank = ranks[i]
        if not rank:
            continue
        end, next_heading = ends[rank], ends[_ANY_RANK]
        if keep[i]:
            is_empty = kept[end] == kept[i + 1]
            if rank > 1 and is_empty and words[end] - words[i + 1] >= MIN_SECTION_WORDS:
                keep[i] = False
        elif i and keep[i - 1] and i + 1 < next_heading and keep[i + 1]:
            keep[i] = kept[next_heading] - kept[i + 1] >= MIN_KEPT_SHARE * (words[next_heading] - words[i + 1])
        for lower in range(rank, _ANY_RANK + 1):
            ends[lower] = i


def drop_outside_main(choice: Choice) -> None:
    """Drop what is kept outside of the only main or article element, if MIN_MAIN_SHARE of the kept words are in it.

    `<div>Earn points with our card.</div><main>..</main>`: the div is dropped (shops, menus with sentences). The h1
    stays, and what is between an h1 above the element and the element: the standfirst.
    """
    page = choice.page
    kept = page.words_of(choice.keep)
    for name in ("main", "article"):
        homes: list[tuple[int, int]] = []
        end = 0  # the block after the last home
        named = {i for i, role in choice.roles.items() if role == name}
        for i in sorted(named.union(page.by_tag.get(name, ()))):
            first, last = page.first[i], page.last[i]
            if end <= first < last:
                homes.append((first, last))
                end = last
        if len(homes) != 1:
            continue
        [(first, last)] = homes
        if kept[last] - kept[first] >= MIN_MAIN_SHARE * kept[-1]:
            headlines = headings.of_first_rank(page)
            start = max([i for i in headlines if i < first], default=first)
            for i in {*range(start), *range(last, len(page.blocks))}.difference(headlines):
                choice.keep[i] = False
            break


def is_preformatted(page: Page, block: Block) -> bool:
    """Return whether a block is directly in a pre element, or one level further down."""
    i = block.container
    return page.element[i].tag == "pre" or (page.parent[i] >= 0 and page.element[page.parent[i]].tag == "pre")
