"""Keep facts below the headline that are not sentences: how long a dish takes, where a walk begins, a salary.

In: a Choice. Out: its `keep` changed. The model is in doubt of short lines; terms with their values, right below the
headline, are facts that the text leaves out. Not for forums, where they describe members.
Tests: tests/extraction/rules/test_labelled_parts.py
"""

from __future__ import annotations

from bisect import bisect_right

from webtool.extraction.page.blocks import Page
from webtool.extraction.rules import headings
from webtool.extraction.rules.choice import Choice
from webtool.html.node import around
from webtool.lean import patterns

MAX_HEADLINE_STEPS = 8  # blocks from the headline to a fact list; one further below is not about the page as a whole
MAX_FACT_BLOCKS = 40  # a list with more blocks is content of its own and left to the model
MAX_FACT_WORDS = 60  # a list with more words must be a dl element
MIN_LABELS = 3  # elements called label or term; with fewer a list that is not a dl needs the class of an event
MAX_LINKED_SHARE = 0.25  # of a list's words; with more linked words it is navigation
MAX_PAIR_WORDS = 10  # a longer label or value is a sentence
_IS_LABEL = patterns.compile(r"(?i)(?:^|[\s_-])(?:label|term)(?:$|[\s_-])")
_OF_EVENT = patterns.compile(
    r"(?i)(?:^|[\s_-])(?:event|job|posting|vacancy)\w*?[_-]+"
    r"(?:meta|info|details?|schedule|dates?|time|location|venue|salary|pay|categor(?:y|ies))\b"
)
"""Class names of time and place of an event, or place and pay of a job."""
_CELLS = frozenset(("td", "th"))


def keep_facts(choice: Choice) -> None:
    """Keep lists of terms right below the headline (recipes, events, jobs).

    `<h1>Plum cake</h1><dl><dt>Time<dd>40 min</dl>`: the list is kept.
    """
    page, totals = choice.page, choice.totals
    headline = _headline(choice)
    if headline < 0:
        return
    start, end = bisect_right(page.first, headline), bisect_right(page.first, headline + MAX_HEADLINE_STEPS)
    for element, first, last in zip(page.element[start:end], page.first[start:end], page.last[start:end]):
        if not 0 < last - first <= MAX_FACT_BLOCKS:
            continue
        words, links = totals.words[last] - totals.words[first], totals.links[last] - totals.links[first]
        are_facts = element.tag == "dl"
        if not are_facts and words <= MAX_FACT_WORDS:
            is_event = _OF_EVENT.search(element.attrs.get("class", "")[:200])
            are_facts = bool(is_event) or _count_labels(page, first, last) >= MIN_LABELS
        if are_facts and links < MAX_LINKED_SHARE * words:
            choice.set_range(first, last, True)


def _headline(choice: Choice) -> int:
    """Return the block of the titled headline, else of the only h1, or -1."""
    if choice.titled >= 0:
        return choice.titled
    h1 = headings.of_first_rank(choice.page)
    return h1[0] if len(h1) == 1 else -1


def _count_labels(page: Page, first: int, last: int) -> int:
    """Return how many blocks begin with an element called label or term; 0 if there are buttons: it is a form."""
    blocks = page.blocks[first:last]
    if any(page.element[block.container].tag == "button" for block in blocks):
        return 0
    count = 0
    for block in blocks:
        [element] = around(block.nodes[0], 1)
        count += bool(_IS_LABEL.search(element.attrs.get("class", "")[:200]))
    return count


def keep_values(choice: Choice) -> None:
    """Keep the number after a kept label, if both are alone in an element (jobs, adverts).

    `<div><p>Salary</p><p>$40k</p></div>` with only Salary kept: $40k is kept.
    """
    page, keep = choice.page, choice.keep
    ends = [i for i in range(len(keep) - 1) if keep[i] and not keep[i + 1]]
    for i in ends:
        label, value = page.blocks[i : i + 2]
        if max(label.words, value.words) > MAX_PAIR_WORDS or label.links or value.links:
            continue
        pair = next(at for at in page.around(label.container) if page.last[at] > i + 1)  # the root at last
        is_alone = page.first[pair] == i and page.last[pair] == i + 2 and page.element[pair].tag not in _CELLS
        if is_alone and not headings.rank(page, label.container) and any(map(str.isdigit, value.text)):
            keep[i + 1] = True
