"""The passages of a page that answer a query, in a budget. In: markdown, a query, tokens. Out: an Excerpt.

Units are ranked, the best are taken as long as they fit, and written in the page's order, each under its headings; what
is left out between them is shown as [...]. Tokens are four bytes of UTF-8.
"""

from __future__ import annotations

from webtool.answers.blocks import Page, parse
from webtool.answers.budget import BYTES_PER_TOKEN
from webtool.answers.question import packing, ranking
from webtool.answers.question import units as cutting
from webtool.answers.question.writing import Passage, Writer
from webtool.lean.records import NamedTuple

MAX_TOKENS = 800
_GLANCED = 12  # lines that glance() looks at, with those beside them
_MAX_GLANCED_LINE = 4000
_FEW_TOKENS = 400  # with no more than that, of a path of headings only the nearest is shown


class Excerpt(NamedTuple):
    """Parts of a page."""

    text: str
    passages: tuple[Passage, ...]
    is_found: bool
    """False where no word of the query is on the page; the text is then its beginning."""


def select(page: Page, query: str, max_tokens: int = MAX_TOKENS) -> Excerpt:
    """The best passages for the query that fit into the tokens. Cost: n log n in the page."""
    units = cutting.cut(page)
    ranks = ranking.rank(page, units, query)
    is_found = any(ranks.scores)
    if not is_found:
        ranks = ranking.Ranks([1 / (1 + index) for index in range(len(units))], [[]] * len(units))
    writer = Writer(page, units, 1 if max_tokens <= _FEW_TOKENS else 2)
    budget = max_tokens * BYTES_PER_TOKEN
    chosen = packing.choose(page, units, ranks, writer, budget)
    if not chosen and units:  # not even the best fits: its beginning is better than nothing
        chosen = [max(range(len(units)), key=ranks.scores.__getitem__)]
    text = writer.text(chosen).encode("utf-8", "replace")[:budget].decode("utf-8", "ignore")
    return Excerpt(text, writer.passages(chosen), is_found)


def excerpt(markdown: str, query: str, max_tokens: int = MAX_TOKENS) -> str:
    """The best passages for the query that fit into the tokens, as markdown."""
    return select(parse(markdown), query, max_tokens).text


def glance(markdown: str, query: str, max_tokens: int) -> tuple[str, int]:
    """One passage of a page for a list of pages, and its first line: looked for only around the query's words.

    A whole page takes ten milliseconds, its best lines one.
    """
    from webtool.answers.question.asking import content_words
    from webtool.answers.words import fold

    wanted = content_words(query)
    lines = markdown.split("\n")
    folded = [fold(line) for line in lines]
    having = {word: [number for number, line in enumerate(folded) if word in line] for word in wanted}
    worth: dict[int, float] = {}  # a word tells the more, the fewer lines have it
    for numbers in having.values():
        for number in numbers:
            worth[number] = worth.get(number, 0.0) + 1 / len(numbers)
    best = sorted((value, -number) for number, value in worth.items())[-_GLANCED:]
    if not best:
        return select(parse("\n".join(lines[:_GLANCED])), query, max_tokens).text, 1
    kept = sorted({number for _, place in best for number in range(max(0, -place - 1), min(len(lines), 2 - place))})
    text = [lines[number][:_MAX_GLANCED_LINE] for number in kept]
    found_here = select(parse("\n".join(text)), query, max_tokens)
    first = found_here.passages[0].first_line if found_here.passages else 1
    return found_here.text, kept[first - 1] + 1
