"""What interrupts an article or follows it without a label that says so. In: a cut page, which blocks are chosen.
Out: the choice, changed in place.

The text of an article is written in one or a few kinds of element. What is of another kind there, and is called a
comment or a call to action, asks for money or an address, or leads to another page of the site, is none of it.
"""

from __future__ import annotations

from itertools import accumulate

from webtool.extraction.page.blocks import Block, Page, is_sentence
from webtool.extraction.rules import cards, class_names, part_labels
from webtool.html.elements import HEADINGS
from webtool.html.node import around
from webtool.lean import patterns

LEAST_STORY, LEAST_ARTICLE = 100, 50
"""Words in sentences that a text has at least, and one that says that it is an article."""
LEAST_MAIN = 0.15
"""The share of them that is in elements of a kind that the text is written in."""
LEAST_TEXT, LEAST_PLAIN = 0.5, 0.55
"""The share of the kept words that such elements have on the page of an article, and on one that does not say so."""
MOST_BOX = 60
"""Words of a box."""
MOST_BLOCKS, MOST_LINES = 8, 4
"""Blocks of a card, and those of them that are kept."""
MOST_CARDS, MOST_ELSEWHERE = 4, 1
"""Cards that interrupt an article, and a text that does not say that it is one: of more it consists."""
LEAST_LINK = 4
"""Words of the headline that a card links."""
LEAST_DIGEST = 3
"""Excerpts in a row that are told by their headlines."""
_DATA = frozenset(("table", "tr", "td", "th", "pre", "dl", "dt", "dd", "blockquote"))
_STEPS_TO_LINK = 4  # from a text to the link that it is in
_BOXES = frozenset(("div", "article", "aside", "section"))
"""What a card of one line is: what is linked in a list is its entries, and in a paragraph a reference."""
_DIGIT = patterns.compile(r"\d")
_RANK = patterns.compile(r"\W*\d+\W*[.):]\s")
Kind = tuple[int, ...]


def settle(page: Page, keep: list[bool], is_article: bool) -> None:
    """All of it, linear in the size of the page; `is_article` where it says that it is one."""
    _drop_digests(page, keep)
    blocks = page.blocks
    kinds = [_kind(page, block) if is_kept else () for block, is_kept in zip(blocks, keep)]
    story: dict[Kind, int] = {}
    for block, kind in zip(blocks, kinds):
        if kind and is_sentence(block):
            story[kind] = story.get(kind, 0) + block.words
    total = sum(story.values())
    if total < (LEAST_ARTICLE if is_article else LEAST_STORY):
        return
    is_main = [bool(kind) and story.get(kind, 0) >= LEAST_MAIN * total for kind in kinds]
    inside = [i for i, block in enumerate(blocks) if is_main[i] and is_sentence(block)]
    least = LEAST_TEXT if is_article else LEAST_PLAIN
    kept = sum([block.words for block, is_kept in zip(blocks, keep) if is_kept])
    if not inside or least * kept > sum([blocks[i].words for i in inside]):
        return
    if is_article:
        class_names.drop(page, keep, class_names.OF_ARTICLES)
    _drop_cards(page, keep, is_main, inside, MOST_CARDS if is_article else MOST_ELSEWHERE)
    main = [0, *accumulate(is_main)]
    for i, block in enumerate(blocks):
        is_other = keep[i] and (not is_main[i] or i > inside[-1])
        if (
            is_other
            and LEAST_LINK < block.words <= MOST_BOX
            and part_labels.ASKING.search(part_labels.folded(block.text))
        ):
            first, last = _box(page, main, i)
            keep[first:last] = [False] * (last - first)


def _drop_digests(page: Page, keep: list[bool]) -> None:
    """Excerpts of other texts below the text: siblings of a kind that have a headline which leads elsewhere and was not
    chosen, while the sentence below it was."""
    told = [not above and is_kept and _is_title(block) for block, above, is_kept in zip(page.blocks, keep, keep[1:])]
    if sum(told) < LEAST_DIGEST:
        return
    story = page.words_of([is_kept and is_sentence(block) for block, is_kept in zip(page.blocks, keep)])
    rows: dict[cards.Series, list[tuple[int, int, bool]]] = {}
    for one, first, last in zip(cards.series_of(page), page.first, page.last):
        if story[first] >= LEAST_STORY and 1 < last - first <= MOST_BLOCKS:
            rows.setdefault(one, []).append((first, last, _is_digest(page, keep, first, last)))
    for row in rows.values():
        if len(row) >= LEAST_DIGEST and 2 * sum([is_one for _, _, is_one in row]) > len(row):
            for first, last, _ in row:
                keep[first:last] = [False] * (last - first)


def _is_digest(page: Page, keep: list[bool], first: int, last: int) -> bool:
    """Whether one sentence alone was chosen, below a headline of its own that leads elsewhere."""
    kept = [i for i in range(first, last) if keep[i]]
    titles = [i for i in range(first, kept[0]) if _is_title(page.blocks[i])] if len(kept) == 1 else []
    return bool(titles) and is_sentence(page.blocks[kept[0]]) and page.times[page.blocks[titles[0]].text] == 1


def _is_title(block: Block) -> bool:
    return block.words >= LEAST_LINK and block.link_words >= 0.9 * block.words


def _box(page: Page, main: list[int], i: int) -> tuple[int, int]:
    """The widest container of few words around a block that holds nothing of the text's own kinds."""
    found = i, i + 1
    for at in page.around(page.blocks[i].container):
        first, last = page.first[at], page.last[at]
        if main[last] > main[first] or page.words[last] - page.words[first] > MOST_BOX:
            break
        found = first, last
    return found


def _kind(page: Page, block: Block) -> Kind:
    return page.kinds[block.container], page.kinds[max(page.parent[block.container], 0)]


def _drop_cards(page: Page, keep: list[bool], is_main: list[bool], inside: list[int], most: int) -> None:
    """Headlines that lead elsewhere, with what is said of the page they lead to, `most` of them between sentences."""
    kept = page.words_of(keep)
    start, end = inside[0], inside[-1]
    main = [0, *accumulate(is_main)]
    found: list[tuple[int, int]] = []
    done = start + 1
    for element, first, last in zip(page.element, page.first, page.last):
        if not done <= first < last <= end or last - first > MOST_BLOCKS or main[last] > main[first]:
            continue
        if element.tag not in _DATA and kept[last] - kept[first] <= MOST_BOX:
            done = last
            part = [block for block, is_kept in zip(page.blocks[first:last], keep[first:last]) if is_kept]
            has_headline = any(_is_title(one) for one in part[:2])
            is_card = 0 < len(part) <= MOST_LINES and has_headline
            is_box = len(part) > 1 or element.tag in _BOXES or "-" in element.tag
            if is_card and is_box and element.tag not in HEADINGS and (len(part) > 1 or _leaves(part[0])):
                found.append((first, last))
    for first, last in found if len(found) <= most else ():
        if not any(_is_ranked(block) for block, is_kept in zip(page.blocks[first:last], keep[first:last]) if is_kept):
            keep[first:last] = [False] * (last - first)


def _is_ranked(block: Block) -> bool:
    """Whether a line has a price or begins with a rank, or is short and has a number: a date, a score."""
    if block.words <= LEAST_LINK:
        return bool(_DIGIT.search(block.text))
    return bool(_RANK.match(block.text) or cards.PRICE.search(block.text))


def _leaves(block: Block) -> bool:
    """Whether the first link of a line leads to another page."""
    links = [one for node in block.nodes for one in around(node, _STEPS_TO_LINK) if one.tag == "a"]
    return bool(links) and links[0].attrs.get("href", "#")[:1] != "#"
