"""Which units an excerpt is made of. In: ranked units and a budget in bytes. Out: their numbers, in the page's order.

Greedy: the best unit that still fits, until the budget is used up. A term that is already answered counts less for the
next unit, so that a query about two things gets both. A unit costs its text and what it makes necessary: its heading,
the header of its table, the marks of a gap.
"""

from __future__ import annotations

import heapq

from webtool.answers.blocks import CODE, ROW, Page
from webtool.answers.question.ranking import Ranks
from webtool.answers.question.units import Unit
from webtool.answers.question.writing import GAP, Writer

_ANSWERED = 0.5  # of a term's worth, what a unit that fully answers it takes from the next
_SIZE_POWER = 0.05  # long units are hardly held against their length: they hold more too
_MIN_SIZE = 60
_GROWTH = ((-1, 0.3), (1, 0.1), (-2, 0.1))  # steps to a chosen unit, and what it adds to the worth of this one
_NEW_HEADING = 0.95
_REPEATED = 40  # characters; shorter texts, such as "yes", say something else in each place
_MOST_MISSES = 30  # units that do not fit, one after the other, before the rest are not tried
_FEWEST_CANDIDATES = 400
_BYTES_PER_CANDIDATE = 40
_FENCE = len("```\n\n```\n")


def choose(page: Page, units: list[Unit], ranks: Ranks, writer: Writer, budget: int) -> list[int]:
    """The numbers of the units that are taken. Cost: n log n in the units."""
    return _Packing(page, units, ranks, writer).choose(budget)


class _Packing:
    def __init__(self, page: Page, units: list[Unit], ranks: Ranks, writer: Writer) -> None:
        self._page, self._units, self._writer = page, units, writer
        self._scores, self._shares = ranks
        self._sums = [sum(share) for share in ranks.shares]
        self._chosen: set[int] = set()
        self._said: set[str] = set()  # texts of units: pages repeat cards, quotes and captions word for word
        self._paid: set[tuple[str, int]] = set()  # headings and table headers that are already there
        terms = max(map(len, ranks.shares), default=0)
        self._answered = [0.0] * terms
        self._most = [max((share[term] for share in ranks.shares if share), default=0.0) for term in range(terms)]

    def choose(self, budget: int) -> list[int]:
        most = max(_FEWEST_CANDIDATES, budget // _BYTES_PER_CANDIDATE)
        heap = [(-self._gain(index), index) for index, score in enumerate(self._scores) if score > 0]
        heap = heapq.nsmallest(most, heap)
        misses = 0
        while heap and misses < _MOST_MISSES:
            _, index = heapq.heappop(heap)
            if index in self._chosen or self._units[index].text in self._said:
                continue
            gain = self._gain(index)
            if heap and -gain > heap[0][0]:  # it was worth more when it was put in: look again when its turn comes
                heapq.heappush(heap, (-gain, index))
                continue
            cost = self._cost(index)
            if cost > budget:
                misses += 1
                continue
            budget -= cost
            self._take(index)
            for other in range(max(0, index - 1), min(index + 3, len(self._units))):  # they are worth more now
                if other not in self._chosen and self._scores[other] > 0:
                    heapq.heappush(heap, (-self._gain(other), other))
        return sorted(self._chosen)

    def _gain(self, index: int) -> float:
        """The score, less what is already answered."""
        shares, total = self._shares[index], self._sums[index]
        size: float = max(_MIN_SIZE, len(self._units[index].text)) ** _SIZE_POWER
        gain = self._scores[index] / size
        gain *= self._joining(index)
        if not total:
            return gain  # it has its score from its neighbours
        return gain * sum(share * (1 - _ANSWERED * done) for share, done in zip(shares, self._answered)) / total

    def _joining(self, index: int) -> float:
        """More than 1 for what goes on where a chosen unit ends: passages grow around the best hits."""
        blocks, units = self._page.blocks, self._units
        heading = blocks[units[index].block].heading
        factor = 1.0 if heading < 0 or ("heading", heading) in self._paid else _NEW_HEADING
        for step, more in _GROWTH:
            other = index + step
            if other in self._chosen and blocks[units[other].block].heading == heading:
                factor += more
        return factor

    def _take(self, index: int) -> None:
        block = self._page.blocks[self._units[index].block]
        self._chosen.add(index)
        text = self._units[index].text
        if len(text) >= _REPEATED:
            self._said.add(text)
        self._paid |= {("heading", block.heading), ("header", block.header)}
        for term, share in enumerate(self._shares[index]):
            if self._most[term]:
                self._answered[term] = 1 - (1 - self._answered[term]) * (1 - _ANSWERED * share / self._most[term])

    def _cost(self, index: int) -> int:
        """Bytes of the unit in the excerpt, at most."""
        unit = self._units[index]
        block = self._page.blocks[unit.block]
        joined = (index - 1 in self._chosen) + (index + 1 in self._chosen)
        cost = len(unit.text.encode("utf-8", "replace")) + 2 + (len(GAP) + 2) * (1 - joined)
        if block.kind == CODE and not joined:
            cost += _FENCE
        if block.kind == ROW:
            cost += 4
            if ("header", block.header) not in self._paid:
                cost += len(self._writer.table_header(block).encode("utf-8", "replace")) + 1
        if ("heading", block.heading) not in self._paid:
            cost += len(self._writer.heading(block.heading).encode("utf-8", "replace")) + 2
        return cost
