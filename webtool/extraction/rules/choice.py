"""Choice: the blocks of a page that are kept so far, and facts that rules need. Holds facts; decides nothing.

The model (or a fallback) makes the first choice. Each rule of table.py then takes the Choice and changes its `keep`.

Words of this room:
- a block is a run of text between block-level elements; a container is a block-level element; both have numbers.
- `first[i]:last[i]` of the page is the range of blocks inside container i.
- a block is kept if it belongs to the main content so far.
- story words are the words of kept blocks that are sentences: twelve words or more, few of them links.
Tests: tests/extraction/rules/test_table.py
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from webtool.extraction.metadata import evidence
from webtool.extraction.page.blocks import Page, is_sentence
from webtool.extraction.page.head import Head
from webtool.extraction.rules import headings
from webtool.html.elements import HEADINGS, role_of
from webtool.lean.memory import cached
from webtool.lean.records import NamedTuple

# Weight of an h1 in Totals.headings: more than a page has blocks, so that a sum shows whether an h1 is among them.
H1_WEIGHT = 100_000
MIN_STORY_WORDS = 50  # story words; with fewer a page has no text that labelled parts could be dropped from
MIN_TITLED_STORY_WORDS = 15  # the same limit for a page with a headline that its title names


class Totals(NamedTuple):
    """Running totals over the blocks: the sum over blocks a to b - 1 is total[b] - total[a]."""

    kept: list[int]  # words of kept blocks
    story: list[int]  # words of kept blocks that are sentences
    headings: list[int]  # headings: 1 for h2 to h6, H1_WEIGHT for h1


class Choice:
    """A page with the blocks kept so far. Rules change `keep`; the rest stays as it is."""

    def __init__(self, page: Page, head: Head, address: str, keep: list[bool], chances: Sequence[float] = ()) -> None:
        self.page = page
        self.head = head
        self.address = address  # of the page; "" if unknown
        self.keep = keep  # one flag a block
        # The model's probability of each block, 0 in consent boxes; empty if the model was not asked.
        self.chances = chances if isinstance(chances, list) else list(chances)
        self.is_forum = evidence.is_forum(head, address)
        self.is_article = evidence.is_article(head)
        self.body: object = None  # interruptions.Body, once a rule asked for it
        self.series: list[tuple[int, int]] = []  # cards.series_of(), once a rule asked for it
        # First block of the headline, the block after it, first kept sentence; set by headlines.keep_headline.
        self.headline = (0, 0, 0)

    @cached
    def titled(self) -> int:
        """The block with the h1 that the page title names, or -1."""
        return headings.titled(self.page, self.head.titles)

    @cached
    def roles(self) -> dict[int, str]:
        """The roles of the containers that have a role attribute, in document order."""
        elements = enumerate(self.page.element)
        return {i: role_of(element.attrs) for i, element in elements if "role" in element.attrs}

    @cached
    def totals(self) -> Totals:
        """Running totals, counted when the first rule asks and not again.

        So all rules for labelled parts compare with the same text, whatever an earlier one dropped.
        """
        page, weights = self.page, []
        for block in page.blocks:
            tag = page.element[block.container].tag
            weights.append(H1_WEIGHT if tag == "h1" else int(tag in HEADINGS))
        return Totals(page.words_of(self.keep), self.story(), [0, *accumulate(weights)])

    @cached
    def min_story_words(self) -> int:
        """How many words of kept sentences make a text of which labelled parts can be dropped."""
        return MIN_STORY_WORDS if self.titled < 0 else MIN_TITLED_STORY_WORDS

    @property
    def has_story(self) -> bool:
        """Whether the page has a text, and not just entries of a list."""
        return bool(self.totals.story[-1] >= self.min_story_words)

    def story(self) -> list[int]:
        """Running total of the words of kept sentences, counted now."""
        sentences = [is_kept and is_sentence(block) for block, is_kept in zip(self.page.blocks, self.keep)]
        return self.page.words_of(sentences)

    def set_range(self, first: int, last: int, value: bool) -> None:
        """Keep (True) or drop (False) the blocks first to last - 1."""
        self.keep[first:last] = [value] * (last - first)
