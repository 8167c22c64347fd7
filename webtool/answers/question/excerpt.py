"""Choose the passages of a page that answer a query, within a budget. In: markdown, a query, tokens. Out: an Excerpt.

The page is cut into units (units.py) and each unit is scored (ranking.py). Then units are chosen greedily: the best one
that still fits, until the budget is used up (choosing.py). A term of the query that is answered already counts less for
the next unit, so that a query about two things gets both. The chosen units are written in the page's order, each under
its headings; gaps are shown as [...] (writing.py). A token is four bytes of UTF-8.
"""

from __future__ import annotations

from webtool.answers.blocks import ROW, Page
from webtool.answers.budget import BYTES_PER_TOKEN
from webtool.answers.question import ranking
from webtool.answers.question.choosing import Choice
from webtool.answers.question.ranking import Ranks
from webtool.answers.question.units import Unit, cut
from webtool.answers.question.writing import Passage, Writer
from webtool.answers.tables import page_of
from webtool.lean.records import NamedTuple

MAX_TOKENS = 800
# Callers that were given no max_tokens pass this `min_share`, the least share of the best unit's gain: half the tokens.
MIN_SHARE = 0.2
_ABSENT_SHARE, _ABSENT_TOKENS = 0.4, 400  # instead of MIN_SHARE and MAX_TOKENS if the page lacks a word of the query
_FREE_TOKENS = 250  # tokens for which units are taken whatever their share
_FEW_TOKENS = 400  # with at most this budget, only the nearest heading is shown, else the two nearest
_GLANCE_LINES = 12  # best lines whose blocks glance() looks at
_AROUND_LINE = 2  # lines before and after each best line whose blocks glance() looks at too
_NOTHING_TOKENS = 150  # of the page's beginning, which is given if the page has no word of the query
_MIN_STRENGTH = 0.65  # of words that are looked for outside the main content: not vague ones
_SURE = 0.5  # a unit has a word if it means the word with at least this certainty
_MAX_ONLY_OUTSIDE = 3  # units outside the main content that are shown whatever their score
_MAX_FILLINGS = 4  # times that an excerpt is filled up
_OVERHEAD = 60  # bytes; with less room an excerpt is not filled up further


class CutTable(NamedTuple):
    """A table of which an excerpt has only some rows."""

    line: int  # the line of its head
    shown: int
    total: int


class Excerpt(NamedTuple):
    """Parts of a page."""

    text: str
    passages: tuple[Passage, ...]
    is_found: bool  # False if no word of the query is on the page; the text is then its beginning
    cut_tables: tuple[CutTable, ...] = ()
    absent_words: tuple[str, ...] = ()  # words of the query that are nowhere on the page


def select(
    page: Page,
    query: str,
    max_tokens: int = MAX_TOKENS,
    main_lines: int = 0,
    min_share: float = 0.0,
    looked_at: frozenset[int] = frozenset(),
) -> Excerpt:
    """Return the best passages for the query that fit into the tokens. Cost: n log n in the page.

    `main_lines`: how many lines, from the first, are the main content (0: all of them). Of two units with equal gains
    the first on the page is taken. The best unit with a word that the main content lacks is always shown.
    `min_share`: after the first _FREE_TOKENS, units with a smaller share of the best gain are not taken, even if there
    is room. The share is larger and the budget smaller if the page lacks a word of the query.
    `looked_at`: only blocks that have one of these lines are looked at, if any are given.
    """
    units = cut(page, looked_at)
    ranks = ranking.rank(page, units, query)
    first_outside = next((number for number, unit in enumerate(units) if 0 < main_lines < unit.first), len(units))
    is_found = any(ranks.scores)
    if min_share and ranks.absent:
        max_tokens, min_share = min(max_tokens, _ABSENT_TOKENS), max(min_share, _ABSENT_SHARE)
    if not is_found:
        max_tokens = min(max_tokens, _NOTHING_TOKENS)
        # Show the beginning of the main content, or of the whole page if there is no main content.
        end = first_outside if first_outside > 0 else len(units)
        falling_scores = [1 / (1 + index) if index < end else 0 for index in range(len(units))]
        ranks = ranking.Ranks(falling_scores, [[]] * len(units), absent=ranks.absent)
    writer = Writer(page, units, 1 if max_tokens <= _FEW_TOKENS else 2)
    max_bytes = max_tokens * BYTES_PER_TOKEN
    choice = Choice(page, units, ranks, writer, min_share, max_bytes - _FREE_TOKENS * BYTES_PER_TOKEN)
    room = max_bytes - choice.take_all(_only_outside(ranks, first_outside), max_bytes // 2)
    chosen: list[int] = []
    for _ in range(_MAX_FILLINGS):  # costs are upper bounds, so a little room is left each time
        before = len(chosen)
        chosen = choice.choose(room)
        room = max_bytes - len(writer.text(chosen).encode("utf-8", "replace"))
        if len(chosen) == before or room < _OVERHEAD:
            break
    text = writer.text(chosen)
    if not chosen and units:  # if not even the best unit fits, give its beginning
        chosen = [max(range(len(units)), key=ranks.scores.__getitem__)]
        text = _beginning(writer, units, chosen[0], max_bytes)
    return Excerpt(text, writer.passages(chosen), is_found, _cut_tables(page, units, chosen), ranks.absent)


def _beginning(writer: Writer, units: list[Unit], best: int, max_bytes: int) -> str:
    """Return as much of a unit as fits with its heading and fences, or without them if these do not fit."""
    whole = units[best].text
    units[best] = units[best]._replace(text="")
    room = max_bytes - len(writer.text([best]).encode("utf-8", "replace"))
    shorter = whole.encode("utf-8", "replace")[: room if room > 0 else max_bytes].decode("utf-8", "ignore")
    units[best] = units[best]._replace(text=shorter)
    return writer.text([best]) if room > 0 else shorter


def _only_outside(ranks: Ranks, first_outside: int) -> list[int]:
    """Return the best unit with each word that the main content lacks, at most _MAX_ONLY_OUTSIDE units."""
    best: list[int] = []
    if first_outside == len(ranks.scores) or not ranks.own:
        return best
    outside = range(first_outside, len(ranks.own))
    for term in range(len(ranks.strengths)):
        if ranks.strengths[term] < _MIN_STRENGTH or any(
            own and own[term] >= _SURE for own in ranks.own[:first_outside]
        ):
            continue
        having = [number for number in outside if ranks.own[number] and ranks.own[number][term] >= _SURE]
        if having:
            best.append(max(having, key=ranks.scores.__getitem__))
    return list(dict.fromkeys(best))[:_MAX_ONLY_OUTSIDE]


def _cut_tables(page: Page, units: list[Unit], chosen: list[int]) -> tuple[CutTable, ...]:
    """Return the tables of which only some rows were chosen."""
    shown: dict[int, set[int]] = {}  # by line of the head: lines of rows
    for index in chosen:
        block = page.blocks[units[index].block]
        if block.kind == ROW:
            shown.setdefault(block.header_line, set()).add(block.first)
    rows = dict.fromkeys(shown, 0)
    for block in page.blocks:
        if block.header_line in rows and block.first != block.header_line:
            rows[block.header_line] += 1
    lines = {header: len(shown[header] - {header}) for header in shown}
    return tuple(CutTable(header, lines[header], rows[header]) for header in shown if lines[header] < rows[header])


def excerpt(markdown: str, query: str, max_tokens: int = MAX_TOKENS) -> str:
    """Return the best passages for the query that fit into the tokens, as markdown."""
    return select(page_of(markdown), query, max_tokens).text


def glance(markdown: str, query: str, max_tokens: int) -> tuple[str, int]:
    """Return passages for a list of pages, and their first line. Only blocks around the query's words are ranked.

    Ranking a whole page takes ten times as long.
    """
    from webtool.answers.question.query import content_words
    from webtool.answers.words import fold

    page = page_of(markdown)
    folded_lines = [fold(line) for line in page.lines]
    worth: dict[int, float] = {}  # by line: a word counts the more, the fewer lines have it
    for word in content_words(query):
        numbers = [number for number, line in enumerate(folded_lines, 1) if word in line]
        for number in numbers:
            worth[number] = worth.get(number, 0.0) + 1 / len(numbers)
    best = sorted(worth, key=lambda number: (worth[number], -number))[-_GLANCE_LINES:]
    looked_at = {number for line in best for number in range(line - _AROUND_LINE, line + _AROUND_LINE + 1)}
    selected = select(page, query, max_tokens, looked_at=frozenset(looked_at or range(1, _GLANCE_LINES + 1)))
    return selected.text, selected.passages[0].first_line if selected.passages else 1
