"""Parts of a page that their class or id attributes name. In: a cut page, which blocks are chosen, what the page says
that it is. Out: the choice, changed in place.

Which names say that a part is not content depends on the page: what readers write below an article is not of it, and on
a forum it is all there is; a shop's filters are none of a product. What is called a testimonial a seller quotes: it is
his own text.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from webtool.extraction.page.blocks import Page
from webtool.lean import patterns
from webtool.lean.records import NamedTuple


class Parts(NamedTuple):
    """Parts of one kind."""

    names: patterns.Worded
    """What their classes or ids have in them."""
    most: float = 0.4
    """The share of the kept words that they have at most; where they have more they are the page."""


ANYWHERE = Parts(patterns.Worded("tooltip|modal", r"(?i)(?:^|[\s_-])tooltip(?:$|[\s_-])|(?:^|\s)modal(?:$|[\s_-])"))
"""What is shown over a page or beside a pointer."""
OF_POSTS = Parts(
    patterns.Worded(
        "sig|onebox|unfurl|user|poster|profile|pane|author",
        r"(?i)(?:^|[\s_-])(?:(?:message-|post-?|user-?)?signature|sig\d+|onebox|unfurl|postprofile|user-?info|user-?details|"
        r"message-user|poster|cauthorpane|author_info|post[-_]?(?:author|user))(?:$|[\s_-])",
    )
)
"""On a forum what people sign with, what is shown of a page that a post links, and what is said of who wrote a post, of
which threads.py keeps the name; manuals have other signatures."""
OF_ARTICLES = Parts(
    patterns.Worded(
        "comment|disqus|call|cta|disc|read|more-|yarpp|newsletter|related|author|writer|donat|sign|taboola|outbrain|recirc|caption|"
        "card|rating|paywall|popup|subscri|inread|republish|legend|bild|didascalia|cutline|lire|leggi|ilgili|credit|source|desc|copyright",
        r"(?i)(?:^|[\s_-])(?:comments?(?:-?(?:area|list|section|wrapper|thread|block))?|disqus\w*|call-?to-?action\w*|cta(?:-?box)?|"
        r"disclos\w*|disclaimer\w*|read-?(?:next|also)|more-(?:news|stories|posts|articles)|yarpp|newsletter-?\w*|"
        r"(?:jp-?)?related-?(?:posts?|articles?|stories|news|content)\w*|(?:author|writer)-?(?:box|bio|info|card|profile|description)|"
        r"(?:about|post|entry)-?author|donat(?:e|ion)\w*|sign-?up(?:-?box)?|taboola\w*|outbrain\w*|recirc\w*|"
        r"(?:wp-)?caption(?:-?text)?|figcaption|imgcaption|legende|bild-?(?:unterschrift|text)|didascalia|cutline|"
        r"(?:photo|image|picture|media|img)[-_]{1,2}(?:credits?|source|description|copyright|author|legend)|"
        r"kg-(?:signup|bookmark|cta)-card|paywall[\w-]*|popup(?:-\w+)*|subscri(?:be|ption)(?:-\w+)*|inread-?\w*|republish\w*|"
        r"(?:lire|leggi)-(?:aussi|anche)|recipes?-rating|ilgili-haber\w*)(?:$|[\s_]|-\w*\d)",
    )
)
"""What is none of an article's text."""
OF_READERS = Parts(
    patterns.Worded(
        "comment",
        r"(?i)(?:^|\s)(?!(?:has|no|with|list)[_-])(?:[a-z]+[_-])?comments?(?:$|[\s_-](?!open|closed|off|on\b|count|link))",
    ),
    most=0.9,
)
"""What readers say below a text, which may be much longer than it."""
OF_PRODUCTS = Parts(
    patterns.Worded(
        "review|rating|ugc|yotpo|bazaarvoice|bv-|feedback|filter|facet|pop|drawer|dialog|overlay|cart|badge|recommend|cross|upsell",
        r"(?i)(?:^|[\s_-])(?:customer-?|product-?|user-?)?(?:reviews?|ratings?|ugc|yotpo|bazaarvoice|bv-\w+|feedback|"
        r"filters?|facets?|pop-?up|drawer|dialog|overlay|mini-?cart|badges?|recommendations?|cross-?sell|upsell)(?:$|[\s_-])",
    ),
    most=0.6,
)
"""What buyers say of a product, and what a shop shows over and beside it."""
_INGREDIENTS = patterns.Worded("ingredient", r"(?i)recipe[\w-]*ingredient")
_RECIPE = patterns.Worded(
    "recipe|time|yield|serving",
    r"(?i)recipe[\w-]*(?:servings?|yield|times?|header|group-name|ingredient|instruction|direction|notes?)|"
    r"(?:prep|cook|total)-?time|(?:^|[\s_-])(?:yield|servings?)(?:$|[\s_-])",
)
"""What a recipe says besides the text."""
NEAR_INGREDIENTS = (20, 40)
"""Blocks before and after the ingredients in which that stands."""
_QUOTED = patterns.compile("(?i)testimonial")
_NUMBERED = patterns.compile(r"[^\W\d]+\.? ?\d+[.:\uff1a]")  # Table 2: what a text refers to


def drop(page: Page, keep: list[bool], parts: Parts, headline: int = -1) -> None:
    """The parts of a kind, but for those around the block with the headline, and for captions with a number."""
    weights = [float(size * is_kept) for size, is_kept in zip(page.sizes, keep)]
    for first, last in find(page, weights, parts, headline):
        keep[first:last] = [False] * (last - first)


def find(page: Page, weights: Sequence[float], parts: Parts, headline: int = -1) -> list[tuple[int, int]]:
    """Where the parts of a kind are that weigh anything; none where they weigh too much."""
    if not parts.names.may_be_in(page.called()):
        return []
    kept = [0.0, *accumulate(weights)]
    found: list[tuple[int, int]] = []
    done = 0
    words = 0.0
    seen: dict[str, bool] = {"": False}
    for element, start, last in zip(page.element, page.first, page.last):
        if start < done or kept[last] == kept[start] or start <= headline < last:
            continue
        attrs = element.attrs
        tag = element.tag if element.tag == "figcaption" else ""
        for name in (tag, attrs.get("class", "")[:300], attrs.get("id", "")[:100]):
            if name not in seen:
                seen[name] = bool(parts.names.search(name))
            if seen[name] and start >= done:
                done = last
                if not (is_quoted(attrs) or _NUMBERED.match(page.blocks[start].text)):
                    words += kept[last] - kept[start]
                    found.append((start, last))
    return found if words <= parts.most * kept[-1] else []


def is_quoted(attrs: dict[str, str]) -> bool:
    """Whether an element is called a testimonial."""
    return bool(_QUOTED.search(names_of(attrs)))


def names_of(attrs: dict[str, str]) -> str:
    """What class and id call an element; sites write much there that says nothing."""
    return f"{attrs.get('class', '')[:300]} {attrs.get('id', '')[:100]}"


def keep_recipe(page: Page, keep: list[bool]) -> None:
    """How much a recipe makes and how long it takes, its headings and notes: short lines that look like furniture."""
    if not _INGREDIENTS.may_be_in(page.called()):
        return
    found = [
        (f"{element.attrs.get('class', '')[:300]} {element.attrs.get('itemprop', '')}", first, last)
        for element, first, last in zip(page.element, page.first, page.last)
        if element.attrs and first < last
    ]
    for name, first, last in found:
        if _INGREDIENTS.search(name) and any(keep[first:last]):
            start, end = first - NEAR_INGREDIENTS[0], last + NEAR_INGREDIENTS[1]
            break
    else:
        return
    for name, first, last in found:
        if start <= first < last <= end and _RECIPE.search(name):
            for i in range(first, last):
                keep[i] = keep[i] or 2 * page.blocks[i].link_words <= page.blocks[i].words
