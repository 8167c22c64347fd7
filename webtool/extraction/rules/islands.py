"""Keep what an author put between kept blocks and what looks like furniture to the model.

In: a Choice. Out: its `keep` changed. Code, tables of data, task lists, link cards and pull quotes have few sentences;
a text that speaks of them is not whole without them.
Tests: tests/extraction/rules/test_whole_units.py
"""

from __future__ import annotations

from webtool.extraction.page import grids
from webtool.extraction.page.blocks import is_sentence
from webtool.extraction.rules.choice import Choice
from webtool.extraction.rules.whole_units import is_preformatted
from webtool.lean import patterns

WINDOWS = ((3, 3), (1, 12), (12, 1))
"""Blocks before and after code or a table: it is kept if both windows of one of these pairs have a kept block."""
MAX_ISLAND_WORDS = 190  # longer code and tables are left to the model
MAX_CARD_WORDS = 60  # a longer figure or line is neither a card nor a quote
MIN_QUOTE_WORDS = 5  # a shorter line in quotation marks is a name
MAX_QUOTES = 20  # later quotes are left out, as each is searched in the whole text
_QUOTE = patterns.compile('[\u201c\u201d\u201e\u00ab\u00bb\u300c"](.+?)[.!?\u3002]?[\u201c\u201d\u00ab\u00bb\u300d"]')
_TASK_LIST = patterns.compile(r"(?:^|[\s-])(?:to-do|task)-list(?:$|\s)")


def keep_code_and_tables(choice: Choice) -> None:
    """Keep code and tables of data between kept blocks, and the output right after kept code."""
    page, keep = choice.page, choice.keep
    for i in sorted([*page.tagged(("pre",)), *[grid.table for grid in grids.find(page)]]):
        first, last = page.first[i], page.last[i]
        if first == last or any(keep[first:last]):
            continue
        words, links = page.words[last] - page.words[first], page.links[last] - page.links[first]
        if not 2 * links <= words <= MAX_ISLAND_WORDS:
            continue
        is_output = first > 0 and keep[first - 1] and is_preformatted(page, page.blocks[first - 1])
        if is_output or _is_amid_kept(keep, first, last):
            choice.set_range(first, last, True)


def _is_amid_kept(keep: list[bool], first: int, last: int) -> bool:
    """Return whether there are kept blocks close enough before and after a range."""
    return any(
        any(keep[max(0, first - before) : first]) and any(keep[last : last + after]) for before, after in WINDOWS
    )


def keep_task_lists(choice: Choice) -> None:
    """Keep a task list right after a kept block: `<ul class=task-list><li><input type=checkbox> Buy rope` (GitHub)."""
    page = choice.page
    for i in page.tagged(("ul",)):
        first, last = page.first[i], page.last[i]
        if (
            0 < first < last
            and choice.keep[first - 1]
            and _TASK_LIST.search(page.element[i].attrs.get("class", "")[:200])
        ):
            choice.set_range(first, last, True)


def keep_link_cards(choice: Choice) -> None:
    """Keep a figure between kept blocks that shows a linked page with its title and summary (Ghost, Notion)."""
    page, keep = choice.page, choice.keep
    for i in page.tagged(("figure",)):
        first, last = page.first[i], page.last[i]
        if first == 0 or last < first + 2 or last >= len(keep) or not (keep[first - 1] and keep[last]):
            continue
        words, links = page.words[last] - page.words[first], page.links[last] - page.links[first]
        is_amid_text = is_sentence(page.blocks[first - 1]) or is_sentence(page.blocks[last])
        if is_amid_text and 2 * links > words and words <= MAX_CARD_WORDS:
            choice.set_range(first, last, True)


def keep_pull_quotes(choice: Choice) -> None:
    """Keep a quote in large type between two kept paragraphs, unless a paragraph says it too (magazines)."""
    page, keep = choice.page, choice.keep
    quotes: list[tuple[int, str]] = []
    for i in range(1, len(keep) - 1):
        if keep[i] or not (keep[i - 1] and keep[i + 1]):
            continue
        block = page.blocks[i]
        is_line = MIN_QUOTE_WORDS <= block.words <= MAX_CARD_WORDS and not block.links
        match = _QUOTE.fullmatch(block.text) if is_line else None
        if match and is_sentence(page.blocks[i - 1]) and is_sentence(page.blocks[i + 1]):
            quotes.append((i, match[1]))
    if not quotes:
        return
    whole = "\n".join([block.text for block in page.blocks])
    for i, quote in quotes[:MAX_QUOTES]:
        keep[i] = whole.count(quote) == 1
