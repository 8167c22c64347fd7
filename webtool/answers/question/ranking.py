"""Score how well each unit of a page answers a query. In: page, units, query. Out: Ranks.

A word of the query counts by how rare it is on the page, and by where it occurs: in the unit itself, in the headings
above it, in its neighbours, elsewhere in its section. These places are evidence of the same thing, so they are combined
as probabilities (1 - the product of what each leaves open) and not added up: a unit with every word once beats one that
repeats a word. "Certainties" are lists with one number from 0 to 1 for each term of the query: how surely a text means
the term; [] means no term at all.

The numbers below are on a plateau: changing one by half changes the answer to at most one question in a hundred.

Tests: tests/answers/question/test_excerpt.py
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.answers.blocks import HEADING, ITEM, LABEL, LINES, PARAGRAPH, ROW, Page
from webtool.answers.question import query as query_reading
from webtool.answers.question.units import Unit
from webtool.answers.question.word_matching import SAME, Terms
from webtool.answers.words import fold, has_unspaced, has_word, words
from webtool.lean.records import NamedTuple

# Weights of a term by where it occurs, 0 to 1. Two names: two places, in the order of the comment.
_TITLE, _TOP_TITLE = 0.9, 0.2  # in the heading; in the page's title, which says little about a unit
_FADE = 0.7  # factor for each heading further up
_SIBLING = 0.3  # in the heading before this one on its level: sections often go on in the next
_SECTION, _HEADER = 0.25, 0.5  # elsewhere in the section; in the header of the table
_LEAD = 0.7  # in the sentence that introduces the list, table or code, or in the item above a nested one
_NEIGHBOURS = ((1, 0.2), (2, 0.2), (3, 0.1))  # in units at this distance
_AROUND = 0.7  # factor of all places above together: the unit itself has 1
# What is added to a score.
_PHRASE = 0.3  # times the weight of words that are neighbours in the query and here
# For a name; inside of a longer name; as the heading, more than for a name in a text and its neighbours.
_NAME, _INSIDE_NAME, _NAME_IN_HEADING = 2.0, 1.0, 5.0
# Factors of a score.
_ANSWERS_KIND = 1.25  # the unit holds what the query asks for: a number for "how many"
_DEFINES = 2.0  # the unit begins with what the query asks to define: "A branch is ..." for "what is a branch"
_IS_TITLE = 0.3  # a heading is shown with each unit below it anyway
_COUNTS = 3.0  # the unit counts what the query asks to count: "436 homes" for "how many homes"
_ONLY_LINKS = 0.6  # menus and tables of contents name what they do not explain
_MAX_MENU_LINE = 5000  # characters; a longer line is text
_MIN_LINK_TEXT = 40  # characters for each link; a line with shorter links is a menu
_PRESENT = 0.5  # certainty of a word that counts as being on the page: a synonym does not
_COVERAGE_POWER = 2  # of the share of the query that a unit answers
_GROWTH = ((-1, 0.1), (1, 0.15), (-2, 0.06), (2, 0.06))  # steps to units that share their score, and the share
_NAME_SLACK = 12  # characters of a heading besides a name: "MaxClients directive"
_VALUE = 0.45  # certainty that a value means the word that asks for it; below _PRESENT, as the word itself is absent
_MIN_THINGS = 2  # words outside the title; a query with this many for the author or date is not about the page
_LED = 0.3  # share of the score of "These are:" for each short entry below it
_MAX_LED = 200  # characters of a short entry
_MAX_LINE = 2000  # characters of a unit's line that are searched for a byline


class Ranks(NamedTuple):
    """The scores of the units."""

    scores: list[float]
    shares: list[list[float]]  # for each unit what each term of the query adds to its score; [] if nothing
    own: tuple[list[float], ...] = ()
    """For each unit how surely it has each term, whatever is around it; [] if no unit has it."""
    strengths: tuple[float, ...] = ()  # for each term how much finding it says: less than 1 for vague words
    absent: tuple[str, ...] = ()  # words of the query that no text and no heading has


def rank(page: Page, units: list[Unit], query: str) -> Ranks:
    """Score the units; 0 if nothing of the query is near. Cost: linear in the text."""
    return _Ranking(page, units, query).ranks()


class _Ranking:
    """The certainties of each unit (`_own`), of the places around it, and what they add up to. Lists are by unit."""

    def __init__(self, page: Page, units: list[Unit], query: str) -> None:
        self._page, self._units = page, units
        self._is_title = [page.blocks[unit.block].kind in (HEADING, LABEL) for unit in units]
        self._heading = [  # number of the heading of a unit; of a heading, of the one above it; -1 without one
            page.headings[page.blocks[unit.block].heading].parent if is_title else page.blocks[unit.block].heading
            for unit, is_title in zip(units, self._is_title)
        ]
        self._folded = [fold(unit.text) for unit in units]
        tokens = [words(page.searched(text) if page.is_values else text) for text in self._folded]
        self._titles = [fold(heading.title) for heading in page.headings]
        title_tokens = [words(title) for title in self._titles]
        text_tokens = [unit_tokens for unit_tokens, is_title in zip(tokens, self._is_title) if not is_title]
        self._strengths = query_reading.strengths(query)
        self._terms = terms = Terms(self._strengths, text_tokens, title_tokens)
        by_unit = [terms.found_in(unit_tokens) for unit_tokens in tokens]
        self._own = [certainties for certainties, _ in by_unit]
        self._places = [places for _, places in by_unit]
        self._add_values()
        self._leads = self._leading_units()
        self._headings_above = self._heading_certainties([terms.found_in(tokens)[0] for tokens in title_tokens])
        self._sections = self._best_of_sections()
        self._table_headers = {  # line of a table's header -> its certainties
            unit.first: certainties
            for unit, certainties in zip(self._units, self._own)
            if certainties and page.blocks[unit.block].header_line == unit.first
        }
        self._kind = query_reading.AnswerKind(query)
        # How telling a name is on this page, 0 to 1: a product's own name is in most of the units.
        self._names = {
            name: terms.share_of_rarest(sum(name in text for text in self._folded))
            for name in query_reading.names_in(query)
        }

    def _add_values(self) -> None:
        """Let values answer the words that ask for them: a unit with "$ 12" has "price", less surely than the word."""
        having: dict[Callable[[str], object], list[int]] = {}  # units by search: "how much" and "cost" have one search
        for term, word in enumerate(self._terms.words):
            for has_value in query_reading.value_searches(word):
                if has_value not in having:
                    texts = enumerate(self._folded)
                    having[has_value] = [n for n, text in texts if not self._is_title[n] and has_value(text)]
                certainty = _VALUE * self._terms.relative_rarity(term, len(having[has_value]))
                for index in having[has_value]:
                    own = self._own[index] = self._own[index] or [0.0] * len(self._terms.words)
                    own[term] = max(own[term], certainty)

    def ranks(self) -> Ranks:
        """Return the scores of all units."""
        shares = [self._shares(index) for index in range(len(self._units))]
        total = sum(self._terms.weights) or 1.0
        scores = []
        for index, unit_shares in enumerate(shares):
            scores.append(self._score(index, sum(unit_shares), total) if unit_shares else 0.0)
        if self._kind.is_about_page and not self._names_things():
            scores = [score + total * certainty for score, certainty in zip(scores, self._byline_certainties())]
        scores = [self._with_neighbours(index, scores) for index in range(len(scores))]
        scores = [self._with_lead(index, scores) for index in range(len(scores))]
        return Ranks(scores, shares, tuple(self._own), tuple(self._strengths.values()), self._absent())

    def _names_things(self) -> bool:
        """Return whether the query names a thing on the page: "who wrote the paper on chess" on a list of papers.

        Its words are on the page, but not in the page's title.
        """
        title = next((number for number, heading in enumerate(self._page.headings) if heading.level == 1), -1)
        in_title = self._headings_above[title] if title >= 0 else []  # certainties
        on_page = [max((own[term] for own in self._own if own), default=0.0) for term in range(len(self._terms.words))]
        things = sum(
            certainty == SAME and not (in_title and in_title[term]) and word not in query_reading.ABOUT_PAGE
            for term, (certainty, word) in enumerate(zip(on_page, self._terms.words))
        )
        return things >= _MIN_THINGS

    def _absent(self) -> tuple[str, ...]:
        """Return the words that no unit and no heading has; not those of scripts without spaces, which are pieces."""
        present = {term for own in self._own for term, certainty in enumerate(own) if certainty >= _PRESENT}
        return tuple(
            word
            for term, word in enumerate(self._terms.words)
            if term not in present and not has_unspaced(word) and self._strengths[word] == 1
        )

    def _shares(self, index: int) -> list[float]:
        """Return what each term is worth in this unit: by the unit itself, and by what is around it."""
        own, around = self._own[index], _combined(self._around(index))
        if not own and not around:
            return []
        shares = []
        for term, weight in enumerate(self._terms.weights):
            itself = own[term] if own else 0.0
            beside = around[term] if around else 0.0
            shares.append(weight * (itself + _AROUND * (1 - itself) * beside))
        return shares

    def _around(self, index: int) -> list[tuple[float, list[float]]]:
        """Return the places around a unit, each with its weight and certainties."""
        heading = self._heading[index]
        around = [(_SECTION, self._sections[heading])]
        if heading >= 0:
            around.append((1.0, self._headings_above[heading]))
        if self._leads[index] >= 0:
            around.append((_LEAD, self._own[self._leads[index]]))
        for distance, weight in _NEIGHBOURS:
            for other in (index - distance, index + distance):
                if self._is_beside(index, other) and self._own[other]:
                    around.append((weight, self._own[other]))
        block = self._page.blocks[self._units[index].block]
        if block.header_line and block.header_line != block.first:
            around.append((_HEADER, self._table_headers.get(block.header_line, [])))
        return around

    def _leading_units(self) -> list[int]:
        """Return for each unit of a list, table or code the unit that introduces it, else -1.

        That is the end of the paragraph before, or for a nested item the item above it.
        """
        leads: list[int] = []
        paragraph = -1  # the last unit of a paragraph, if only lists, tables or code came after it
        items: list[tuple[int, int]] = []  # (indent, unit) of the open items
        for index, unit in enumerate(self._units):
            kind, line = self._page.blocks[unit.block].kind, self._page.lines[unit.first - 1]
            if kind in (HEADING, LABEL, PARAGRAPH, LINES):
                paragraph = index if kind in (PARAGRAPH, LINES) else -1
                items = []
                leads.append(-1)
                continue
            indent = len(line) - len(line.lstrip())
            while kind == ITEM and items and items[-1][0] >= indent:
                items.pop()
            leads.append(items[-1][1] if items else paragraph)
            if kind == ITEM:
                items.append((indent, index))
        return leads

    def _is_beside(self, index: int, other: int) -> bool:
        """Return whether `other` is the number of a unit under the heading of unit `index`."""
        return 0 <= other < len(self._heading) and self._heading[other] == self._heading[index]

    def _score(self, index: int, shared: float, total: float) -> float:
        """Return a unit's score; `shared` is the sum of its shares, `total` the sum for a unit with all terms."""
        weights = self._terms.weights
        score = shared + _PHRASE * _phrase_weight(self._places[index], weights)
        if self._names:
            score += self._name_score(self._folded[index])
        if self._kind.is_answered_by(self._folded[index]):
            score *= _ANSWERS_KIND
        if self._kind.is_defined_in(self._folded[index]):
            score *= _DEFINES
        if self._is_only_links(self._units[index]):
            score *= _ONLY_LINKS
        if self._is_title[index]:
            score *= _IS_TITLE
        if self._kind.is_counted_in(self._folded[index]):
            score *= _COUNTS  # it may lack the other words
        else:
            score *= (shared / total) ** _COVERAGE_POWER
        return score + _NAME_IN_HEADING * self._heading_name_rarity(index) if self._names else score

    def _name_score(self, folded: str) -> float:
        """Return what the query's names add: less if they are only parts of longer names here."""
        score = 0.0
        for name, rarity in self._names.items():
            if name in folded:
                score += rarity * (_NAME if has_word(folded, name, is_name=True) else _INSIDE_NAME)
        return score

    def _heading_name_rarity(self, index: int) -> float:
        """Return how telling the unit's heading is if it is a name in the query, and hardly more; else 0."""
        title = self._titles[self._heading[index]] if self._heading[index] >= 0 else ""
        fitting = (
            rarity
            for name, rarity in self._names.items()
            if len(title) <= len(name) + _NAME_SLACK and has_word(title, name, is_name=True)
        )
        return max(fitting, default=0.0)

    def _byline_certainties(self) -> list[float]:
        """Return for each unit how surely it says who wrote the page, or when."""
        title_line = next((heading.line for heading in self._page.headings if heading.level == 1), 0)
        units_below_title, certainties = -1, []
        for unit, folded in zip(self._units, self._folded):
            units_below_title += unit.first > title_line
            line = self._page.lines[unit.first - 1][:_MAX_LINE]
            certainties.append(self._kind.byline_certainty(folded, line, units_below_title))
        return certainties

    def _with_lead(self, index: int, scores: list[float]) -> float:
        """Return the score with a share of the sentence that introduces a short entry: "It has these parts: ..."."""
        lead = self._leads[index]
        is_row = self._page.blocks[self._units[index].block].kind == ROW  # a row's own words say whether it answers
        if lead < 0 or is_row or len(self._folded[index]) > _MAX_LED or self._folded[lead][-1:] not in (":", "："):
            return scores[index]
        return scores[index] + _LED * scores[lead]

    def _with_neighbours(self, index: int, scores: list[float]) -> float:
        """Return the score with shares of its neighbours': an answer often follows the words of its question."""
        grown = 0.0
        for step, share in _GROWTH:
            if self._is_beside(index, index + step):
                grown += share * scores[index + step]
        return scores[index] + grown

    def _is_only_links(self, unit: Unit) -> bool:
        """Return whether the unit is one line of links with little text, as in a menu."""
        if self._page.blocks[unit.block].kind == ROW or unit.first != unit.last:
            return False
        line = self._page.lines[unit.first - 1]
        return (
            len(line) < _MAX_MENU_LINE
            and "](" in line
            and len(unit.text) < _MIN_LINK_TEXT * line.count("](")
            and line.rstrip().endswith(")")
        )

    def _heading_certainties(self, own: list[list[float]]) -> list[list[float]]:
        """Return for each heading the certainties of it, of those above it, and of the one before it on its level."""
        combined: list[list[float]] = []
        last_on_level: dict[tuple[int, int], int] = {}  # (parent, level): heading
        for number, heading in enumerate(self._page.headings):
            parent = heading.parent
            fade = _FADE if parent >= 0 and self._page.headings[parent].level > 1 else 1.0
            evidence = [(_TOP_TITLE if heading.level == 1 else _TITLE, own[number])]
            if parent >= 0:
                evidence.append((fade, combined[parent]))
            if (parent, heading.level) in last_on_level:
                evidence.append((_SIBLING, own[last_on_level[parent, heading.level]]))
            last_on_level[parent, heading.level] = number
            combined.append(_combined(evidence))
        return combined

    def _best_of_sections(self) -> dict[int, list[float]]:
        """Return for each heading the highest certainty of each term in the units right under it."""
        best: dict[int, list[float]] = {-1: []}
        for heading, certainties in zip(self._heading, self._own):
            so_far = best.get(heading, [])
            if so_far and certainties:
                best[heading] = list(map(max, so_far, certainties))
            else:
                best[heading] = so_far or certainties
        return best


def _combined(evidence: list[tuple[float, list[float]]]) -> list[float]:
    """Combine certainties with weights as probabilities: 1 - the product of what each leaves open."""
    evidence = [(weight, certainties) for weight, certainties in evidence if certainties]
    if not evidence:
        return []
    left_open = [1.0] * len(evidence[0][1])
    for weight, certainties in evidence:
        left_open = [rest * (1 - weight * certainty) for rest, certainty in zip(left_open, certainties)]
    return [1 - rest for rest in left_open]


def _phrase_weight(places: list[tuple[int, int]], weights: list[float]) -> float:
    """Return the weight of words that are neighbours in the query and here. `places` are (position, term)."""
    best: dict[int, float] = {}
    for (position, term), (next_position, next_term) in zip(places, places[1:]):
        if next_term == term + 1 and 0 < next_position - position <= 2:
            best[term] = min(weights[term], weights[next_term])
    return sum(best.values())
