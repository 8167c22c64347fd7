"""How well each unit of a page answers a query. In: page, units, query. Out: Ranks.

A word of the query counts by how rare it is on the page, and by where it stands: in the unit, in the headings above it,
in its neighbours, in its section. The places are evidence of the same thing, so they are joined as probabilities are
(1 - the product of what each leaves open) and not added: a unit that holds every word once is better than one that
repeats a word. The numbers below stand on a plateau: each may change by half with no more than one question of a
hundred answered differently.
"""

from __future__ import annotations

from webtool.answers.blocks import ROW, Page
from webtool.answers.question import asking
from webtool.answers.question.terms import Terms
from webtool.answers.question.units import Unit
from webtool.answers.words import fold, words
from webtool.lean.records import NamedTuple

_TITLE, _TOP_TITLE, _FADE = 0.9, 0.2, 0.7  # a heading's word; the page's title, which says little; per level above
_SIBLING = 0.3  # the heading before this one on its level: sections often go on in the next
_SECTION, _HEADER = 0.25, 0.5  # words elsewhere in the section; in the header of the table
_NEIGHBOURS = ((1, 0.2), (2, 0.2), (3, 0.1))  # units that far before and behind
_AROUND = 0.7  # what all of that is worth beside the word itself
_PHRASE, _NAME, _IN_NAME, _NAMED = 0.3, 2.0, 1.0, 4.0
_WANTED = 0.25
_ONLY_LINKS = 0.6  # menus and tables of contents name what they do not say
_MENU_LINE = 5000  # characters; a longer line is text
_COVERAGE = 2  # power of the share of the query that a unit answers
_GROWTH = ((-1, 0.1), (1, 0.15), (-2, 0.06), (2, 0.06))  # what a good unit lends to those beside it


class Ranks(NamedTuple):
    """What is known of each unit."""

    scores: list[float]
    shares: list[list[float]]
    """For each unit what each term of the query adds to its score; [] where it adds nothing."""


def rank(page: Page, units: list[Unit], query: str) -> Ranks:
    """Score the units; 0 where nothing of the query is near. Cost: linear in the text."""
    return _Ranking(page, units, query).ranks()


class _Ranking:
    def __init__(self, page: Page, units: list[Unit], query: str) -> None:
        self._page, self._units = page, units
        self._folded = [fold(unit.text) for unit in units]
        tokens = [words(text) for text in self._folded]
        self._titles = [fold(heading.title) for heading in page.headings]
        titles = [words(title) for title in self._titles]
        self._terms = terms = Terms(query, tokens, titles)
        found = [terms.found_in(one) for one in tokens]
        self._own = [sure for sure, _ in found]
        self._places = [places for _, places in found]
        self._heading = [page.blocks[unit.block].heading for unit in units]
        self._above = self._paths([terms.found_in(one)[0] for one in titles])
        self._sections = self._best_of_sections()
        self._headers = self._table_headers()
        self._wanted = asking.Wanted(query)
        self._names = asking.names_in(query)

    def ranks(self) -> Ranks:
        shares = [self._shares(index) for index in range(len(self._units))]
        total = sum(self._terms.weights) or 1.0
        plain = [self._score(index, sum(share), total) if share else 0.0 for index, share in enumerate(shares)]
        if self._wanted.is_of_page():
            plain = [score + total * sure for score, sure in zip(plain, self._of_page())]
        return Ranks([self._grown(index, plain) for index in range(len(plain))], shares)

    def _shares(self, index: int) -> list[float]:
        """What each term is worth in this unit: by itself, and by what stands around it."""
        around = [(weight, sure) for weight, sure in self._around(index) if sure]
        own = self._own[index]
        if not own and not around:
            return []
        shares = []
        for term, worth in enumerate(self._terms.weights):
            left = 1.0
            for weight, sure in around:
                left *= 1 - weight * sure[term]
            itself = own[term] if own else 0.0
            shares.append(worth * (itself + _AROUND * (1 - itself) * (1 - left)))
        return shares

    def _around(self, index: int) -> list[tuple[float, list[float]]]:
        heading = self._heading[index]
        around = [(_SECTION, self._sections[heading])]
        if heading >= 0:
            around.append((1.0, self._above[heading]))
        for distance, weight in _NEIGHBOURS:
            around += [(weight, self._own[other]) for other in self._beside(index, -distance, distance)]
        block = self._page.blocks[self._units[index].block]
        if block.header and block.header != block.first:
            around.append((_HEADER, self._headers.get(block.header, [])))
        return around

    def _beside(self, index: int, *steps: int) -> list[int]:
        """Units that far away under the same heading."""
        heading, count = self._heading, len(self._units)
        return [other for step in steps if 0 <= (other := index + step) < count and heading[other] == heading[index]]

    def _score(self, index: int, shared: float, total: float) -> float:
        weights = self._terms.weights
        score = shared + _PHRASE * _phrases(self._places[index], weights)
        score += self._named(self._folded[index])
        if self._wanted.is_answered_by(self._folded[index]):
            score *= 1 + _WANTED
        if self._is_only_links(self._units[index]):
            score *= _ONLY_LINKS
        score *= (shared / total) ** _COVERAGE
        return score + _NAMED if self._is_named(index) else score

    def _named(self, folded: str) -> float:
        """What the names in the query are worth here: less where they only stand inside longer ones."""
        found = [name for name in self._names if name in folded]
        return sum(_NAME if asking.is_whole(name, folded) else _IN_NAME for name in found)

    def _is_named(self, index: int) -> bool:
        """Whether the heading is a name in the query, and little else."""
        title = self._titles[self._heading[index]] if self._heading[index] >= 0 else ""
        return any(len(title) <= len(name) + 2 and asking.is_whole(name, title) for name in self._names)

    def _of_page(self) -> list[float]:
        """How surely each unit tells who wrote the page, or when: by its words, and near below the title."""
        title = next((heading.line for heading in self._page.headings if heading.level == 1), 0)
        behind, sure = -1, []
        for unit, folded in zip(self._units, self._folded):
            behind += unit.first > title
            sure.append(self._wanted.names_it(folded, self._page.lines[unit.first - 1][:2000], behind))
        return sure

    def _grown(self, index: int, plain: list[float]) -> float:
        """The score, with what the neighbours lend: what answers a question often stands behind its words."""
        return plain[index] + sum(
            weight * plain[other] for step, weight in _GROWTH for other in self._beside(index, step)
        )

    def _is_only_links(self, unit: Unit) -> bool:
        if self._page.blocks[unit.block].kind == ROW or unit.first != unit.last:
            return False
        line = self._page.lines[unit.first - 1]
        return (
            len(line) < _MENU_LINE
            and "](" in line
            and len(unit.text) < 40 * line.count("](")
            and line.rstrip().endswith(")")
        )

    def _paths(self, found: list[list[float]]) -> list[list[float]]:
        """For each heading what it, those over it and the one before it say of each term."""
        paths: list[list[float]] = []
        before: dict[tuple[int, int], int] = {}
        for number, heading in enumerate(self._page.headings):
            parent = heading.parent
            fade = _FADE if parent >= 0 and self._page.headings[parent].level > 1 else 1.0
            said = [(_TOP_TITLE if heading.level == 1 else _TITLE, found[number])]
            if parent >= 0:
                said.append((fade, paths[parent]))
            if (parent, heading.level) in before:
                said.append((_SIBLING, found[before[parent, heading.level]]))
            before[parent, heading.level] = number
            paths.append(_joined(said))
        return paths

    def _best_of_sections(self) -> dict[int, list[float]]:
        """For each heading the surest that any unit right under it is of each term."""
        best: dict[int, list[float]] = {-1: []}
        for heading, sure in zip(self._heading, self._own):
            kept = best.get(heading)
            best[heading] = list(map(max, kept, sure)) if kept and sure else kept or sure
        return best

    def _table_headers(self) -> dict[int, list[float]]:
        blocks = self._page.blocks
        return {
            unit.first: sure
            for unit, sure in zip(self._units, self._own)
            if sure and blocks[unit.block].header == unit.first
        }


def _joined(said: list[tuple[float, list[float]]]) -> list[float]:
    said = [(weight, sure) for weight, sure in said if sure]
    if not said:
        return []
    left = [1.0] * len(said[0][1])
    for weight, sure in said:
        left = [rest * (1 - weight * one) for rest, one in zip(left, sure)]
    return [1 - rest for rest in left]


def _phrases(places: list[tuple[int, int]], weights: list[float]) -> float:
    """The weight of neighbouring words of the query that are neighbours here too."""
    best: dict[int, float] = {}
    for (position, term), (next_position, next_term) in zip(places, places[1:]):
        if next_term == term + 1 and 0 < next_position - position <= 2:
            best[term] = min(weights[term], weights[next_term])
    return sum(best.values())
