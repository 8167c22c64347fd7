"""Drop parts that their class or id attributes name: comments, signatures of posts, tooltips.

In: a Choice. Out: its `keep` changed. Which names mean furniture depends on the page: comments are not part of an
article, but they are all of a forum page; filters and reviews are not part of a product. A testimonial is exempt: a
seller quotes it, so it is the page's own text. Parts of a kind stay if they have more than `max_share` of the kept
words: then they are the content of the page.
Tests: tests/extraction/rules/test_class_names.py
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from webtool.extraction.page.blocks import Page
from webtool.extraction.rules.choice import MIN_STORY_WORDS, Choice
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.records import NamedTuple


class Parts(NamedTuple):
    """Parts of one kind."""

    names: patterns.GuardedPattern  # matches a class or id attribute
    max_share: float = 0.4  # maximum share of the kept words; with more the parts are the content of the page


OVERLAYS = Parts(
    patterns.GuardedPattern("tooltip|modal", r"(?i)(?:^|[\s_-])tooltip(?:$|[\s_-])|(?:^|\s)modal(?:$|[\s_-])")
)  # shown over a page or beside a pointer
POST_FURNITURE = Parts(
    patterns.GuardedPattern(
        "sig|onebox|unfurl|user|poster|profile|pane|author",
        r"(?i)(?:^|[\s_-])(?:(?:message-|post-?|user-?)?signature|sig\d+|onebox|unfurl|postprofile|user-?info|user-?details|"
        r"message-user|poster|cauthorpane|author_info|post[-_]?(?:author|user))(?:$|[\s_-])",
    )
)  # on a forum: signatures, previews of linked pages, member profiles. In a manual a signature is content.
READER_COMMENTS = Parts(
    patterns.GuardedPattern(
        "comment",
        r"(?i)(?:^|\s)(?!(?:has|no|with|list)[_-])(?:[a-z]+[_-])?comments?(?:$|[\s_-](?!open|closed|off|on\b|count|link))",
    ),
    max_share=0.9,
)  # below a text: comments may be much longer than it
PRODUCT_FURNITURE = Parts(
    patterns.GuardedPattern(
        "review|rating|ugc|yotpo|bazaarvoice|bv-|feedback|filter|facet|pop|drawer|dialog|overlay|cart|badge|recommend|cross|upsell",
        r"(?i)(?:^|[\s_-])(?:customer-?|product-?|user-?)?(?:reviews?|ratings?|ugc|yotpo|bazaarvoice|bv-\w+|feedback|"
        r"filters?|facets?|pop-?up|drawer|dialog|overlay|mini-?cart|badges?|recommendations?|cross-?sell|upsell)(?:$|[\s_-])",
    ),
    max_share=0.6,
)  # on the page of a product: reviews, filters, carts, recommendations
MAX_CLASS, MAX_ID = 300, 100  # characters of a class and an id that are read
MIN_TEXT_WORDS = 200  # story words; comments below a shorter text are what people discuss, and stay
_TESTIMONIAL = patterns.compile("(?i)testimonial")


def drop_overlays(choice: Choice) -> None:
    """Drop tooltips and dialogs: `<div class="modal fade">..</div>`."""
    drop(choice, OVERLAYS)


def drop_post_furniture(choice: Choice) -> None:
    """Drop signatures and member profiles of posts: `<div class=signature>..</div>` (forums)."""
    drop(choice, POST_FURNITURE)


def drop_reader_comments(choice: Choice) -> None:
    """Drop what is called a comment below a text: `<div id=comments>..</div>` (blogs, news sites).

    Comments stay below a short text, which people discuss, and amid a text, as in manuals.
    """
    page = choice.page
    if not page.has_name(READER_COMMENTS.names):
        return
    story = choice.story()
    text_end = bisect_left(story, MIN_TEXT_WORDS)  # the first block with MIN_TEXT_WORDS above it
    if text_end >= len(choice.keep):
        return
    ranges = find(page, kept_words(choice), READER_COMMENTS, text_end - 1)
    if not ranges or ranges[0][0] < text_end:
        return
    in_comments = sum([story[last] - story[first] for first, last in ranges])
    from_comments_on = story[-1] - story[ranges[0][0]]
    if from_comments_on - in_comments < MIN_STORY_WORDS:  # the text does not go on after the comments
        for first, last in ranges:
            choice.set_range(first, last, False)


def drop(choice: Choice, parts: Parts) -> None:
    """Drop the parts of a kind, unless they are the content of the page."""
    for first, last in find(choice.page, kept_words(choice), parts):
        choice.set_range(first, last, False)


def kept_words(choice: Choice) -> list[float]:
    """Return for each block how many of its words are kept: all or none."""
    return [float(size * is_kept) for size, is_kept in zip(choice.page.sizes, choice.keep)]


def find(page: Page, weights: Sequence[float], parts: Parts, headline: int = -1) -> list[tuple[int, int]]:
    """Return the block ranges of the parts of a kind, outermost only.

    `weights` has one number a block: only parts with a sum above 0 count, and the list is empty if all parts together
    have more than `max_share` of the sum. Containers around block `headline` are not parts.
    """
    if not page.has_name(parts.names):
        return []
    total = [0.0, *accumulate(weights)]
    ranges: list[tuple[int, int]] = []
    done = 0  # the block after the last part; containers inside a part begin earlier
    weight = 0.0
    is_name = Remembered(lambda names: bool(parts.names.search(names)))
    for element, first, last in zip(page.element, page.first, page.last):
        if first < done or total[last] == total[first] or first <= headline < last:
            continue
        attrs = element.attrs
        if is_name[attrs.get("class", "")[:MAX_CLASS]] or is_name[attrs.get("id", "")[:MAX_ID]]:
            done = last
            if not is_testimonial(attrs):
                weight += total[last] - total[first]
                ranges.append((first, last))
    return ranges if weight <= parts.max_share * total[-1] else []


def is_testimonial(attrs: dict[str, str]) -> bool:
    """Return whether class or id call an element a testimonial."""
    return bool(_TESTIMONIAL.search(names_of(attrs)))


def names_of(attrs: dict[str, str]) -> str:
    """Return class and id of an element in one string; very long ones are cut, as they say nothing more."""
    return f"{attrs.get('class', '')[:MAX_CLASS]} {attrs.get('id', '')[:MAX_ID]}"
