"""Join the feature columns of a page in the order that the model was trained on.

In: a cut page, its head, the lexicon. Out: one bytes object per feature, with a byte for each block. The modules
beside this one each measure one side of a block: its text, its elements, its place, the comments, the kind of page.
Tests: tests/extraction/model/test_model.py
"""

from __future__ import annotations

from webtool.extraction.model.columns import comments as comment_columns
from webtool.extraction.model.columns import page as page_columns
from webtool.extraction.model.columns import place as place_columns
from webtool.extraction.model.columns import text as text_columns
from webtool.extraction.model.columns import tree as tree_columns
from webtool.extraction.model.lexicon import Lexicon
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head

BLOCK_NAMES = (*text_columns.NAMES, *tree_columns.NAMES, *place_columns.NAMES, *comment_columns.NAMES)
NAMES = (*BLOCK_NAMES, *page_columns.NAMES)


def columns(page: Page, head: Head, lexicon: Lexicon) -> list[bytes]:
    """Return one bytes object per entry of NAMES, with a byte for each block of the page."""
    tags = [page.element[block.container].tag for block in page.blocks]
    title = text_columns.title_words(head.meta.get("og:title") or head.title)
    text = text_columns.columns(page, title, lexicon)
    named = dict(zip(text_columns.NAMES, text))
    sums = tree_columns.Sums(page, tags)
    chain = tree_columns.Chain(page, lexicon)
    figures = tree_columns.figures(page, sums)
    tree = tree_columns.columns(page, chain, lexicon, tags, figures)
    place = place_columns.columns(page, chain, sums, tags, named, figures)
    comments = comment_columns.columns(page, sums, tags)
    count = len(page.blocks)
    all_columns = [bytes(column) for column in (*text, *tree, *place, *comments)]
    all_columns += [bytes((value,)) * count for value in page_columns.values(page, head, sums, tags, named)]
    return all_columns
