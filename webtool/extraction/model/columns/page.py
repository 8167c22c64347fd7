"""Measure what kind of page the blocks are on: its schema types, its address, how much it has of what.

In: a cut page, its head, its sums. Out: one figure per name in NAMES, which holds for every block of the page.
Tests: tests/extraction/model/test_model.py
"""

from __future__ import annotations

from collections.abc import Sequence

from webtool.extraction.model.columns.scales import log_scale, percent
from webtool.extraction.model.columns.tree import Sums
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head
from webtool.lean import patterns

# Names of features, and the schema.org types (lower-cased) that set each.
_SCHEMA_TYPES = (
    (
        "article",
        "article newsarticle blogposting reportagenewsarticle scholarlyarticle medicalwebpage opinionnewsarticle",
    ),
    ("technical", "techarticle howto apireference softwaresourcecode"),
    ("product", "product productgroup offer aggregateoffer individualproduct vehicle"),
    ("forum", "discussionforumposting qapage question answer comment socialmediaposting"),
    ("list", "collectionpage itemlist searchresultspage productcollection offercatalog blog"),
    ("service", "service organization localbusiness softwareapplication webapplication professionalservice"),
    ("faq", "faqpage"),
    ("recipe", "recipe event jobposting course book movie review"),
)
_OG_KINDS = "article website product|og:product|product.item product.group blog".split()
_OG_TYPES = {name: code for code, names in enumerate(_OG_KINDS, 1) for name in names.split("|")}
# Patterns for a page's address, one feature each: path_article to path_root in NAMES.
_PATHS = tuple(
    patterns.compile(pattern)
    for pattern in (
        r"/(?:19|20)\d\d/|/(?:blogs?|news|articles?|posts?|story|stories|insights?|magazine|press|resources)/.",
        r"/(?:products?|p|dp|item|items|sku|ip|shop)/.",
        r"/(?:forums?|threads?|topics?|t|questions?|discussions?|community|comments|viewtopic|showthread)\b"
        r"|//[^/]*(?:forum|community|boards?\.|discuss|answers)|/r/\w+/",
        r"/(?:docs?|documentation|guides?|reference|api|manual|wiki|learn|tutorials?|help|support|kb)\b|//docs?\.",
        r"/(?:category|categories|tags?|collections?|search|archives?|author|jobs|c|browse|list|topics?|best-sellers)\b",
        r"^[a-z]+://[^/]+/?(?:[a-z]{2}(?:[-_][a-z]{2})?/?|index\.\w+|home/?)?(?:[?#]|$)",
    )
)

NAMES = [
    *(f"schema_{name}" for name, _ in _SCHEMA_TYPES),
    *"""
    og_type path_article path_product path_forum path_docs path_list path_root path_depth path_words
    page_words page_blocks page_links page_long page_long_blocks page_mean page_headings page_h1 page_repeats
    page_articles page_forms page_code page_cells page_prices page_dates page_items page_distinct
    """.split(),
]


def values(page: Page, head: Head, sums: Sums, tags: list[str], text: dict[str, Sequence[int]]) -> list[int]:
    """Return one figure per entry of NAMES; `text` has the columns of text.py by name."""
    types = head.schema_types
    figures = [int(any(name in types for name in names.split())) for _, names in _SCHEMA_TYPES]
    figures.append(_OG_TYPES.get(head.og_type, 6 if head.og_type else 0))
    figures += _path_values(head.address)
    count = len(page.blocks)
    words, long = sums.words[-1], sums.long[-1]
    long_blocks = sum(sums.is_long)
    of_tag = {tag: log_scale(len(places)) for tag, places in page.by_tag.items()}
    figures += [
        log_scale(words),
        log_scale(count),
        percent(sums.links[-1], words),
        percent(long, words),
        log_scale(long_blocks),
        log_scale(words // max(1, count)),
        percent(sums.headings[-1], count),
        min(9, tags.count("h1")),
        percent(sum(text["first_seen"]), count),
        *[of_tag.get(tag, 0) for tag in ("article", "form", "pre", "td")],
        log_scale(sum(text["price"])),
        log_scale(sum(text["date"])),
        percent(tags.count("li"), count),
        percent(len(set(page.parent)), len(page.element)),
    ]
    return figures


def _path_values(address: str) -> list[int]:
    """Return which patterns an address matches, the depth of its path, and the hyphens in the path's last part."""
    matches = [int(pattern.search(address) is not None) for pattern in _PATHS]
    path = address.split("?", 1)[0].split("#", 1)[0].rstrip("/").split("/")[3:]
    return [*matches, min(20, len(path)), log_scale(path[-1].count("-") if path else 0)]
