"""Drop what interrupts or follows an article without a label: cards, appeals, excerpts.

In: a Choice. Out: its `keep` changed. Words of this module:
- a block is a run of text, a container a block-level element; both have numbers. first[c]:last[c] are the blocks in
  container c. `keep` has one flag for each block.
- a kind is the tag and class of a block's container and of the container around it.
- the body is the kept blocks of the one or few kinds that an article's sentences are written in.
- story words are the words of kept sentences.
- a title is a line that is nearly all a link: the headline of another text.
- a card is a small container between two sentences of the body, with a title in it.
- an appeal is a short text that asks for money or an address.

Kept blocks outside of the body are dropped if they are in an appeal or in a card. Below the text, rows of excerpts are
dropped, of whatever kind.
"""

from __future__ import annotations

from itertools import accumulate

from webtool.extraction.page.blocks import Block, Page, is_sentence, link_around
from webtool.extraction.rules import cards, part_labels
from webtool.extraction.rules.choice import Choice
from webtool.html.elements import HEADINGS
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

# A page with fewer story words has no body. Pages that say that they are articles have a limit of their own.
MIN_BODY_WORDS, MIN_ARTICLE_WORDS = 100, 50
MIN_KIND_SHARE = 0.15  # a kind with a smaller share of the story words is not of the body
# A page has no body if its sentences have a smaller share of the kept words. Articles have a limit of their own.
MIN_BODY_SHARE, MIN_ARTICLE_BODY_SHARE = 0.55, 0.5
MAX_BOX_WORDS = 60  # a container with more kept words is text, not a card or an appeal
MAX_CARD_BLOCKS = 8  # a container with more blocks is not a card
MAX_CARD_LINES = 4  # a container with more kept blocks is not a card
# A page with more cards is about them, so they stay. Articles have a limit of their own.
MAX_CARDS_ELSEWHERE, MAX_CARDS_IN_ARTICLE = 1, 4
MIN_TITLE_WORDS = 4  # a shorter link is a reference or a name, not a title
MIN_TITLE_LINKS = 0.9  # share of a title's words that are linked
MIN_EXCERPTS = 3  # fewer excerpts in a row are kept
_DATA = frozenset(("table", "tr", "td", "th", "pre", "dl", "dt", "dd", "blockquote"))  # never cards
# Tags of a card of one line. A link in a list is an entry, and in a paragraph a reference.
_BOXES = frozenset(("div", "article", "aside", "section"))
_DIGIT = patterns.compile(r"\d")
_RANK = patterns.compile(r"\W*\d+\W*[.):]\s")
Kind = tuple[int, ...]


class Body(NamedTuple):
    """The body of a page. Empty lists without a body."""

    is_main: list[bool]  # by block: whether it is of the body
    main_before: list[int]  # by block: how many blocks of the body come before it
    sentences: list[int]  # the blocks of the body that are sentences


def body_of(choice: Choice) -> Body:
    """Return the body. It is found once, so that each rule sees the same body, whatever others dropped before."""
    if not isinstance(choice.body, Body):
        choice.body = _find_body(choice)
    return choice.body


def has_body(choice: Choice) -> bool:
    """Return whether the page is not a forum and most of its kept words are in a few kinds of element."""
    return not choice.is_forum and bool(body_of(choice).sentences)


def _find_body(choice: Choice) -> Body:
    page, keep = choice.page, choice.keep
    nothing = Body([], [], [])
    kinds = [page.kinds_around(block) if is_kept else () for block, is_kept in zip(page.blocks, keep)]
    story: dict[Kind, int] = {}
    for block, kind in zip(page.blocks, kinds):
        if kind and is_sentence(block):
            story[kind] = story.get(kind, 0) + block.words
    total = sum(story.values())
    if total < (MIN_ARTICLE_WORDS if choice.is_article else MIN_BODY_WORDS):
        return nothing
    is_main = [bool(kind) and story.get(kind, 0) >= MIN_KIND_SHARE * total for kind in kinds]
    sentences = [i for i, block in enumerate(page.blocks) if is_main[i] and is_sentence(block)]
    min_share = MIN_ARTICLE_BODY_SHARE if choice.is_article else MIN_BODY_SHARE
    kept = page.words_of(keep)[-1]
    if min_share * kept > sum([page.sizes[i] for i in sentences]):
        return nothing
    return Body(is_main, [0, *accumulate(is_main)], sentences)


def drop_excerpts(choice: Choice) -> None:
    """Drop a row of excerpts below the text: siblings whose linked headline was not kept while one sentence was.

    `<div><h3><a>Other text</a></h3><p>Its first sentence ...</p></div>`, three times (blogs).
    """
    page, keep = choice.page, choice.keep
    starts = sum(keep[i + 1] and not keep[i] and _is_title(page.blocks[i]) for i in range(len(keep) - 1))
    if starts < MIN_EXCERPTS:
        return
    story = choice.story()
    rows: dict[cards.Series, list[tuple[int, int]]] = {}  # the ranges of blocks of siblings
    excerpts: set[tuple[int, int]] = set()
    for series, first, last in zip(cards.series_of(choice), page.first, page.last):
        if story[first] >= MIN_BODY_WORDS and 1 < last - first <= MAX_CARD_BLOCKS:
            rows.setdefault(series, []).append((first, last))
            if _is_excerpt(page, keep, first, last):
                excerpts.add((first, last))
    for row in rows.values():
        if len(row) >= MIN_EXCERPTS and 2 * len(excerpts.intersection(row)) > len(row):
            for first, last in row:
                choice.set_range(first, last, False)


def _is_excerpt(page: Page, keep: list[bool], first: int, last: int) -> bool:
    """Return whether one sentence is all that is kept, below a title that the page has once."""
    kept = [i for i in range(first, last) if keep[i]]
    if len(kept) != 1 or not is_sentence(page.blocks[kept[0]]):
        return False
    titles = [i for i in range(first, kept[0]) if _is_title(page.blocks[i])]
    return bool(titles) and page.times[page.blocks[titles[0]].text] == 1


def _is_title(block: Block) -> bool:
    """Return whether a line is a title: long enough, and nearly all a link."""
    return block.words >= MIN_TITLE_WORDS and block.link_words >= MIN_TITLE_LINKS * block.words


def drop_cards(choice: Choice) -> None:
    """Drop cards of other texts between the first and the last sentence of the body, which the page must have.

    `<p>..</p><div><a>The old harbour sinks</a><p>Its summary.</p></div><p>..</p>`: the div is dropped (news sites).
    """
    page, keep = choice.page, choice.keep
    cards_found = _find_cards(choice)
    if len(cards_found) > (MAX_CARDS_IN_ARTICLE if choice.is_article else MAX_CARDS_ELSEWHERE):
        return
    for first, last in cards_found:
        if not any(keep[i] and _is_list_entry(page.blocks[i]) for i in range(first, last)):
            choice.set_range(first, last, False)


def _find_cards(choice: Choice) -> list[tuple[int, int]]:
    """Return the ranges of cards: one of the first two kept lines is a title. The outermost container counts."""
    page, body = choice.page, body_of(choice)
    kept = page.words_of(choice.keep)
    start, end = body.sentences[0], body.sentences[-1]
    ranges: list[tuple[int, int]] = []
    next_start = start + 1  # what begins earlier is above the body or inside of a container that was judged
    for element, first, last in zip(page.element, page.first, page.last):
        is_between = next_start <= first < last <= end
        holds_body = body.main_before[last] > body.main_before[first]
        if not is_between or last - first > MAX_CARD_BLOCKS or holds_body:
            continue
        if element.tag in _DATA or kept[last] - kept[first] > MAX_BOX_WORDS:
            continue
        lines = [page.blocks[i] for i in range(first, last) if choice.keep[i]]
        if len(lines) > MAX_CARD_LINES:
            continue  # the containers inside may be cards
        next_start = last
        if not any(map(_is_title, lines[:2])) or element.tag in HEADINGS:
            continue
        is_box = element.tag in _BOXES or "-" in element.tag  # custom elements are boxes: <promo-card>
        if len(lines) > 1 or (is_box and _leads_away(lines[0])):
            ranges.append((first, last))
    return ranges


def _is_list_entry(block: Block) -> bool:
    """Return whether a line has a price or begins with a rank, or is short and has a number: a date, a score."""
    if block.words <= MIN_TITLE_WORDS:
        return bool(_DIGIT.search(block.text))
    return bool(_RANK.match(block.text) or cards.PRICE.search(block.text))


def _leads_away(block: Block) -> bool:
    """Return whether the first link of a line leads to another page."""
    link = next(filter(None, map(link_around, block.nodes)), None)
    return link is not None and link.attrs.get("href", "#")[:1] != "#"


def drop_appeals(choice: Choice) -> None:
    """Drop appeals that are not of the body or follow its last sentence, with the boxes around them.

    `<aside>Support us: every gift helps.</aside>` (news sites, associations).
    """
    page, keep, body = choice.page, choice.keep, body_of(choice)
    for i, block in enumerate(page.blocks):
        is_outside = keep[i] and (not body.is_main[i] or i > body.sentences[-1])
        is_short = is_outside and MIN_TITLE_WORDS < block.words <= MAX_BOX_WORDS
        if is_short and part_labels.ASKING.search(part_labels.folded(block.text)):
            first, last = _box_around(page, body.main_before, i)
            choice.set_range(first, last, False)


def _box_around(page: Page, main_before: list[int], i: int) -> tuple[int, int]:
    """Return the range of the widest container around block i with few words and without a block of the body."""
    box = i, i + 1
    for container in page.around(page.blocks[i].container):
        first, last = page.first[container], page.last[container]
        if main_before[last] > main_before[first] or page.words[last] - page.words[first] > MAX_BOX_WORDS:
            break
        box = first, last
    return box
