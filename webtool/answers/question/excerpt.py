"""Choose the passages of a page that answer a query, within a budget. In: markdown, a query, tokens. Out: an Excerpt.

The page is cut into units (units.py) and each unit is scored (ranking.py). Then units are taken greedily: the best one
that still fits, until the budget is used up. A term of the query that is answered already counts less for the next
unit, so that a query about two things gets both. A unit with the letters of a chosen one counts less, too.
The chosen units are written in the page's order, each under its headings; gaps are shown as [...] (writing.py).

A unit costs its text and what it makes necessary: its heading, the header of its table, the marks of a gap. A token is
four bytes of UTF-8.
"""

from __future__ import annotations

import heapq

from webtool.answers.blocks import CODE, HEADING, ITEM, LABEL, ROW, Page
from webtool.answers.budget import BYTES_PER_TOKEN
from webtool.answers.question import ranking
from webtool.answers.question.ranking import Ranks
from webtool.answers.question.units import Unit, cut
from webtool.answers.question.writing import GAP, Passage, Writer
from webtool.answers.tables import page_of
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

MAX_TOKENS = 800
MIN_SHARE = 0.2  # of the best unit's gain; without max_tokens, units with less are not taken, which halves the tokens
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
_ANSWERED = 0.5  # share of a term's worth that a unit which fully answers it takes from the next unit
_SIZE_POWER = 0.05  # a unit's score is divided by size ** this: hardly, as long units hold more too
_MIN_SIZE = 60  # characters; shorter units count as this long
# What is added to the factor of a unit beside a chosen one: 0.3 if that is the unit before, 0.1 if the unit after.
_JOINING = ((-1, 0.3), (1, 0.1))
_GOES_ON = 0.3  # added for the next sentence of a paragraph: "A big file is ... The default is 512 MiB."
_NEW_HEADING = 0.95  # factor for a unit under a heading that is not shown yet
_MIN_REPEATED = 40  # characters; a shorter text, such as "yes", means something else in each place
# Factor for a unit that has the same letters as a chosen one: "Red kettle, picture 2" after "Red kettle, picture 1".
_SAME_LETTERS = 0.3
_MIN_LETTERS = 8  # shorter texts, such as "12 m" and "15 m", are values and not copies
_MAX_MISSES = 30  # units in a row that do not fit; then the rest are not tried
# The best units are candidates: one for each _BYTES_PER_CANDIDATE bytes of the budget, and at least _MIN_CANDIDATES.
_MIN_CANDIDATES, _BYTES_PER_CANDIDATE = 400, 40
_remove_non_letters = patterns.compile(r"[\W\d_]+").sub
_GAP_BYTES = len(GAP) + 2
_ROW_BYTES = 4  # "| " and " |" around a table row
_LINE_END_BYTES = 3  # line ends around a unit, a heading or a table's head, at most


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

    `main_lines`: how many lines, from the first, are the main content (0: all of them). Passages outside
    come after equal ones inside, but the best one with a word that the main content lacks is always shown.
    `min_share`: after the first tokens, units with a smaller share of the best gain are not taken, even if there is
    room. The share is larger and the budget smaller if the page lacks a word of the query.
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
        shown_first = first_outside or len(units)  # without main content, the beginning of the whole page
        falling_scores = [1 / (1 + index) if index < shown_first else 0 for index in range(len(units))]
        ranks = ranking.Ranks(falling_scores, [[]] * len(units), absent=ranks.absent)
    writer = Writer(page, units, 1 if max_tokens <= _FEW_TOKENS else 2)
    max_bytes = max_tokens * BYTES_PER_TOKEN
    choice = _Choice(page, units, ranks, writer, min_share, max_bytes - _FREE_TOKENS * BYTES_PER_TOKEN)
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
    """Return for each word that only units outside the main content have the best of these units."""
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


class _Choice:
    """Chooses units one by one. All costs are in bytes of the excerpt.

    Once no more than `ending_room` bytes are left, no unit with less than `min_share` of the best gain is taken.
    """

    def __init__(
        self, page: Page, units: list[Unit], ranks: Ranks, writer: Writer, min_share: float, ending_room: int
    ) -> None:
        self._page, self._units, self._writer = page, units, writer
        self._min_share, self._ending_room = min_share, ending_room
        self._scores, self._shares = ranks.scores, ranks.shares
        self._sums = [sum(shares) for shares in ranks.shares]
        self._candidates: list[int] = []
        self._best_gain = 0.0
        self._chosen: set[int] = set()
        self._texts: set[str] = set()  # of chosen units: pages repeat cards, quotes and captions word for word
        self._letters_of: dict[int, str] = {}  # by unit, see _letters()
        self._chosen_letters: set[str] = set()  # of chosen units
        self._paid: set[tuple[str, int]] = set()  # ("heading", place) and ("header", line) that are shown already
        terms = max(map(len, ranks.shares), default=0)
        self._answered = [0.0] * terms  # how far the chosen units answer each term, 0 to 1
        self._best_share = [
            max((shares[term] for shares in ranks.shares if shares), default=0.0) for term in range(terms)
        ]

    def take_all(self, units: list[int], budget: int) -> int:
        """Choose these units as far as the bytes hold them; return the bytes that they take."""
        taken = 0
        for index in units:
            cost = self._cost(index)
            if taken + cost <= budget:
                taken += cost
                self._take(index)
        return taken

    def choose(self, budget: int) -> list[int]:
        """Choose further units within `budget` bytes. Return the numbers of all chosen units in the page's order.

        Cost: n log n in the units.
        """
        if not self._candidates:
            max_candidates = max(_MIN_CANDIDATES, budget // _BYTES_PER_CANDIDATE)
            gains = [(-self._gain(index), index) for index, score in enumerate(self._scores) if score > 0]
            best = heapq.nsmallest(max_candidates, gains)
            self._best_gain = max((-negative_gain for negative_gain, _ in best), default=0.0)
            self._candidates = [index for _, index in best]
        min_gain = self._best_gain * self._min_share
        heap = [(-self._gain(index), index) for index in self._candidates if index not in self._chosen]
        heapq.heapify(heap)
        misses = 0
        while heap and misses < _MAX_MISSES:
            _, index = heapq.heappop(heap)
            if index in self._chosen or self._units[index].text in self._texts:
                continue
            gain = self._gain(index)
            if gain < min_gain and budget <= self._ending_room:
                continue
            if heap and -gain > heap[0][0]:  # it was worth more when it was put in: its turn comes later
                heapq.heappush(heap, (-gain, index))
                continue
            cost = self._cost(index)
            first = self._first_below(index)
            if first:
                cost += self._cost(first)
            if cost > budget:
                misses += 1
                continue
            budget -= cost
            self._take(index)
            if first:
                self._take(first)
            for other in range(max(0, index - 1), min(index + 3, len(self._units))):  # worth more beside a chosen unit
                if other not in self._chosen and self._scores[other] > 0:
                    heapq.heappush(heap, (-self._gain(other), other))
        return sorted(self._chosen)

    def _first_below(self, index: int) -> int:
        """Return the unit that has to follow a heading or the head of a table, which say little alone; else 0."""
        below = index + 1
        if below >= len(self._units) or below in self._chosen:
            return 0
        block, next_block = (self._page.blocks[self._units[number].block] for number in (index, below))
        is_heading = block.kind in (HEADING, LABEL) and block.heading == next_block.heading
        is_head = block.kind == ROW and block.first == block.header_line == next_block.header_line < next_block.first
        return below if is_heading or is_head else 0

    def _gain(self, index: int) -> float:
        """Return the unit's score, less for terms that are answered already."""
        shares, total = self._shares[index], self._sums[index]
        size: float = max(_MIN_SIZE, len(self._units[index].text)) ** _SIZE_POWER
        gain = self._scores[index] / size
        gain *= self._joining_factor(index)
        if self._chosen_letters and self._letters(index) in self._chosen_letters:
            gain *= _SAME_LETTERS
        if not total:
            return gain  # its score comes from its neighbours
        return gain * sum(share * (1 - _ANSWERED * done) for share, done in zip(shares, self._answered)) / total

    def _letters(self, index: int) -> str:
        """Return the unit's text without digits, signs and spaces: "Kettle, picture 2" -> "Kettlepicture"."""
        letters = self._letters_of.get(index)
        if letters is None:
            letters = self._letters_of[index] = _remove_non_letters("", self._units[index].text)
        return letters

    def _joining_factor(self, index: int) -> float:
        """Return more than 1 for a unit beside a chosen one: passages grow around the best hits."""
        blocks, units = self._page.blocks, self._units
        heading = blocks[units[index].block].heading
        factor = 1.0 if heading < 0 or ("heading", heading) in self._paid else _NEW_HEADING
        for step, share in _JOINING:
            other = index + step
            if other in self._chosen and blocks[units[other].block].heading == heading:
                factor += share
                if step < 0 and units[other].block == units[index].block:
                    factor += _GOES_ON
        return factor

    def _take(self, index: int) -> None:
        block = self._page.blocks[self._units[index].block]
        self._chosen.add(index)
        text = self._units[index].text
        if len(text) >= _MIN_REPEATED:
            self._texts.add(text)
        letters = self._letters(index)
        if len(letters) >= _MIN_LETTERS:
            self._chosen_letters.add(letters)
        self._paid |= {("heading", block.heading), ("header", block.header_line)}
        if block.kind in (HEADING, LABEL):
            return  # a heading names the answer, so what is below it is still wanted
        for term, share in enumerate(self._shares[index]):
            if self._best_share[term]:
                left = 1 - _ANSWERED * share / self._best_share[term]
                self._answered[term] = 1 - (1 - self._answered[term]) * left

    def _cost(self, index: int) -> int:
        """Return the bytes that the unit takes in the excerpt, at most."""
        unit = self._units[index]
        block = self._page.blocks[unit.block]
        if block.kind in (HEADING, LABEL):
            return len(self._writer.heading(block.heading, True).encode("utf-8", "replace")) + 3 * _GAP_BYTES
        neighbours = (index - 1 in self._chosen) + (index + 1 in self._chosen)
        cost = len(unit.text.encode("utf-8", "replace")) + _LINE_END_BYTES + _GAP_BYTES * (2 - neighbours)
        if block.kind == CODE:
            cost += sum(len(fence) + 1 for fence in self._writer.fences(block))
        if block.kind == ITEM:
            cost += self._writer.indent(block)
        if block.kind == ROW:
            cost += _ROW_BYTES
            if ("header", block.header_line) not in self._paid:
                header = self._writer.table_header(block)
                cost += len(header.encode("utf-8", "replace")) + _LINE_END_BYTES + _GAP_BYTES
        if ("heading", block.heading) not in self._paid:
            heading = self._writer.heading(block.heading)
            cost += len(heading.encode("utf-8", "replace")) + _LINE_END_BYTES + _GAP_BYTES
        return cost
