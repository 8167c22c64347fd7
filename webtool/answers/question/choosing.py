"""Choose units one by one, each time the one that adds most, until a budget is used up. In: units, scores, bytes.

A unit is in one of three states:

    candidate   among the best by its score alone
    waiting     in the heap, with the gain that it had when it was put there
    chosen      taken into the excerpt

The gain of a waiting unit changes as others are chosen: it grows beside a chosen unit, and shrinks as chosen units
answer its terms or have the same letters. So a unit that comes first is put back if its gain has shrunk below the next
one's, and units beside a chosen one are put in again.

A unit costs its text and what it makes necessary: its heading, the header of its table, the marks of a gap. Costs are
in bytes of the excerpt, and upper bounds.

Tests: tests/answers/question/test_excerpt.py
"""

from __future__ import annotations

import heapq

from webtool.answers.blocks import CODE, HEADING, ITEM, LABEL, ROW, Page
from webtool.answers.question.ranking import Ranks
from webtool.answers.question.units import Unit
from webtool.answers.question.writing import GAP, Writer
from webtool.lean import patterns

# Worth of a term that 0, 1, 2 ... chosen units fully answer: 1, 0.75, 0.63 ... and never less than 0.5.
_ANSWERS = 0.5  # share of what is open of a term that a unit which fully answers it closes
_MAX_LOSS = 0.5  # share of its worth that a term loses when nothing of it is open
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


class Choice:
    """Chooses the units of one excerpt.

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
        self._texts: set[str] = set()  # of chosen units; a unit with one of them is a copy, and never chosen
        self._chosen_letters: set[str] = set()  # of chosen units; a unit with one of them gains less
        self._letters_of: dict[int, str] = {}  # by unit, see _letters()
        self._paid: set[tuple[str, int]] = set()  # ("heading", place) and ("header", line) that are shown already
        terms = max(map(len, ranks.shares), default=0)
        self._open = [1.0] * terms  # what the chosen units leave open of each term, 0 to 1
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
            if heap and -gain > heap[0][0]:  # its gain has shrunk below the next one's
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
        return gain * sum(share * (1 - _MAX_LOSS * (1 - left)) for share, left in zip(shares, self._open)) / total

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
        """Choose a unit: note its texts, what is shown with it, and how far it answers each term."""
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
                self._open[term] *= 1 - _ANSWERS * share / self._best_share[term]

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
