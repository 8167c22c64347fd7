"""The feature columns of a page, in the order the model was trained on. In: cut page, head, lexicon. Out: Work."""

from __future__ import annotations

from webtool.extraction import near_columns, page_columns, text_columns, tree_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from webtool.extraction.blocks import Page
    from webtool.extraction.head import Head
    from webtool.extraction.lexicon import Lexicon
else:
    from webtool.records import NamedTuple

BLOCK_NAMES = (*text_columns.NAMES, *tree_columns.NAMES, *near_columns.NAMES)
NAMES = (*BLOCK_NAMES, *page_columns.NAMES)


class Work(NamedTuple):
    """What the features were computed from, for those that come later to use again."""

    columns: list[bytes]
    """One bytes object per entry of NAMES, with a byte for each block of the page."""
    chain: tree_columns.Chain
    tags: list[str]
    """Each block's container's tag."""


def work(page: Page, head: Head, lexicon: Lexicon) -> Work:
    """All columns of a page."""
    tags = [page.element[block.container].tag for block in page.blocks]
    title = text_columns.title_words(head.meta.get("og:title") or head.title)
    text = text_columns.columns(page.blocks, title, lexicon)
    named = dict(zip(text_columns.NAMES, text))
    sums = tree_columns.Sums(page, tags)
    chain = tree_columns.Chain(page, lexicon)
    tree = tree_columns.columns(page, chain, sums, lexicon, tags)
    near = near_columns.columns(page, sums, tags, named)
    count = len(page.blocks)
    found = [bytes(column) for column in (*text, *tree, *near)]
    found += [bytes((value,)) * count for value in page_columns.values(page, head, sums, tags, named)]
    return Work(found, chain, tags)
