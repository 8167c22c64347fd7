"""Drop lines that a site writes around each text (breadcrumb, disclaimer), and keep corrections.

In: a Choice. Out: its `keep` changed.
Tests: tests/extraction/rules/test_labelled_parts.py
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import compress, islice

from webtool.extraction.rules import part_labels
from webtool.extraction.rules.choice import Choice

MAX_LINE_CHARACTERS = 120  # of a line, that are compared with patterns of breadcrumbs and corrections
MAX_BLOCKS_AT_END = 20  # kept blocks; a disclaimer further from the end is text
MIN_CORRECTION_WORDS = 6  # a shorter line is a label
MAX_CORRECTION_WORDS = 60  # a longer line is a text about a correction


def drop_breadcrumbs(choice: Choice) -> None:
    """Drop the path of the page in its site, before the first kept sentence: `Home > News > Harbour`."""
    page, keep = choice.page, choice.keep
    first_sentence = bisect_right(choice.totals.story, 0) - 1
    for i in compress(range(first_sentence), keep):
        block = page.blocks[i]
        is_path = 4 * block.link_words > block.words and any(mark in block.text for mark in ">\u203a\u00bb")
        keep[i] = not (is_path and part_labels.PATH.fullmatch(block.text[:MAX_LINE_CHARACTERS]))


def drop_disclaimers(choice: Choice) -> None:
    """Drop at the end what a site says about a text: "The views expressed are those of the author"."""
    page, keep = choice.page, choice.keep
    kept_from_end = [i for i in range(len(keep) - 1, -1, -1) if keep[i]]
    for i in islice(kept_from_end, MAX_BLOCKS_AT_END):
        text = page.blocks[i].text
        keep[i] = len(text) > part_labels.MAX_DISCLAIMER or not part_labels.DISCLAIMER.search(text)


def keep_corrections(choice: Choice) -> None:
    """Keep the correction notice right after a kept block: "Correction: an earlier version named the wrong pier"."""
    page, keep = choice.page, choice.keep
    after_kept = [i for i in range(1, len(keep)) if keep[i - 1] and not keep[i]]
    for i in after_kept:
        block = page.blocks[i]
        is_line = MIN_CORRECTION_WORDS <= block.words <= MAX_CORRECTION_WORDS and 2 * block.link_words <= block.words
        keep[i] = is_line and bool(part_labels.AMENDED.search(block.text[:MAX_LINE_CHARACTERS]))
