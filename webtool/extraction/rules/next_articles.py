"""Drop whole articles that follow the one that the page is named after (news sites that scroll on and on).

In: a Choice whose page has a titled headline. Out: its `keep` changed.
Tests: tests/extraction/rules/test_labelled_parts.py
"""

from __future__ import annotations

from itertools import accumulate

from webtool.extraction.rules import headings
from webtool.extraction.rules.choice import MIN_STORY_WORDS, Choice
from webtool.html.node import Element

MIN_NEXT_WORDS = 60  # story words; with fewer an element with an h1 is not an article of its own


def drop_next_articles(choice: Choice) -> None:
    """Drop elements below the text that have an h1 of their own and are of a kind with the element around the text.

    `<article><h1>Tides</h1>..</article><article><h1>Another text</h1>..</article>`: the second one is dropped.
    """
    page, story, headline = choice.page, choice.totals.story, choice.titled
    others = [i for i in headings.of_first_rank(page) if i > headline]
    if not others:
        return
    own_by_kind: dict[str, int] = {}  # the innermost container of each kind around the text
    for at in page.around(page.blocks[headline].container):
        if at > 0 and story[page.last[at]] - story[page.first[at]] >= MIN_STORY_WORDS:
            own_by_kind.setdefault(_kind_of(page.element[at]), at)
    own_by_kind.pop("", None)
    is_other = [0] * (len(page.blocks) + 1)
    for i in others:
        is_other[i + 1] = 1
    before = list(accumulate(is_other))
    for element, first, last in zip(page.element, page.first, page.last):
        if first <= headline or before[last] == before[first]:
            continue
        own = own_by_kind.get(_kind_of(element))
        if own is not None and first >= page.last[own] and story[last] - story[first] >= MIN_NEXT_WORDS:
            choice.set_range(first, last, False)


def _kind_of(element: Element) -> str:
    """Return what an element around a whole text calls itself: article, its schema.org type, its class, or ""."""
    attrs = element.attrs
    if element.tag == "article" or attrs.get("role") == "article":
        return "article"
    return attrs.get("itemtype", "").rpartition("/")[2] if "itemtype" in attrs else attrs.get("class", "")
