"""Join the feature columns of a page in the order that the model was trained on.

In: a cut page, its head, the lexicon. Out: one bytes object per feature, with a byte for each block. The modules
beside this one each measure one side of a block: its text, its elements, its place. Columns about comments and about
the kind of page are made here: its schema types, its address, how much it has of what. Those are equal for all blocks.
Tests: tests/extraction/model/columns/test_comments.py
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from webtool.extraction.model.columns import place as place_columns
from webtool.extraction.model.columns import text as text_columns
from webtool.extraction.model.columns import tree as tree_columns
from webtool.extraction.model.columns.scales import log_scale, percent
from webtool.extraction.model.columns.tree import Sums
from webtool.extraction.model.lexicon import Lexicon
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head
from webtool.html.elements import HEADINGS
from webtool.lean import patterns
from webtool.lean.memory import Remembered

# Names of features, and the schema.org types (lower-cased) that set each.
_SCHEMA_TYPES = (
    (
        "article",
        "article newsarticle blogposting reportagenewsarticle scholarlyarticle medicalwebpage opinionnewsarticle",
    ),
    ("product", "product productgroup offer aggregateoffer individualproduct vehicle"),
    ("forum", "discussionforumposting qapage question answer comment socialmediaposting"),
    ("list", "collectionpage itemlist searchresultspage productcollection offercatalog blog"),
    ("service", "service organization localbusiness softwareapplication webapplication professionalservice"),
    ("faq", "faqpage"),
)
_OG_KINDS = "article website product|og:product|product.item product.group blog".split()
_OG_TYPES = {name: code for code, names in enumerate(_OG_KINDS, 1) for name in names.split("|")}
# Patterns for a page's address, one feature each: path_article to path_root in PAGE_NAMES.
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

_COMMENT_CLASSES = ("comment", "kommentar", "comentario", "disqus", "respond", "replies", "reply")
_COMMENT_WORDS = (*_COMMENT_CLASSES, "thoughts on", "join the discussion", "join the conversation", "opini")
MAX_NAMES = 200  # characters of an attribute that are searched
MAX_HEADING = 80  # characters of a heading that are searched

COMMENT_NAMES = "in_comments under_comments outside_words before_comments comments_share comments_count".split()

PAGE_NAMES = [
    *(f"schema_{name}" for name, _ in _SCHEMA_TYPES),
    *"""
    og_type path_article path_product path_forum path_docs path_list path_root path_depth path_words
    page_words page_blocks page_links page_long page_long_blocks page_mean page_headings page_h1 page_repeats
    page_articles page_forms page_code page_cells page_prices page_dates page_items page_distinct
    """.split(),
]

BLOCK_NAMES = (*text_columns.NAMES, *tree_columns.NAMES, *place_columns.NAMES, *COMMENT_NAMES)
NAMES = (*BLOCK_NAMES, *PAGE_NAMES)


def columns(page: Page, head: Head, lexicon: Lexicon) -> list[bytes]:
    """Return one bytes object per entry of NAMES, with a byte for each block of the page."""
    tags = [page.element[block.container].tag for block in page.blocks]
    title = text_columns.title_words(head.meta.get("og:title") or head.title)
    text = text_columns.columns(page, title, lexicon)
    named = dict(zip(text_columns.NAMES, text))
    sums = tree_columns.Sums(page, tags)
    chain = tree_columns.Chain(page, lexicon)
    figures = tree_columns.figures(page, sums)
    tree = tree_columns.columns(page, chain, lexicon, tags, figures)
    place = place_columns.columns(page, chain, sums, tags, named, figures)
    comments = comment_columns(page, sums, tags)
    count = len(page.blocks)
    all_columns = [bytes(column) for column in (*text, *tree, *place, *comments)]
    all_columns += [bytes((value,)) * count for value in _page_figures(page, head, sums, tags, named)]
    return all_columns


def _page_figures(page: Page, head: Head, sums: Sums, tags: list[str], text: dict[str, Sequence[int]]) -> list[int]:
    """Return one figure per entry of PAGE_NAMES; `text` has the columns of text.py by name."""
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


def comment_columns(page: Page, sums: Sums, tags: list[str]) -> list[list[int]]:
    """Return one column per entry of COMMENT_NAMES: which blocks are comments, how much running text is outside.

    Comments are the content of a forum but not of an article, so the lexicon's scores for and against content do not
    fit them. They are found by class and id attributes ("comment-list", "disqus") and by the words of headings.
    """
    inside = _inside_comments(page)
    flags = [inside[block.container] for block in page.blocks]
    count = len(flags)
    long = [after - before for before, after in zip(sums.long, sums.long[1:])]
    outside = [0, *accumulate([0 if flag else words for flag, words in zip(flags, long)])]
    first = flags.index(True) if True in flags else count
    starts = sum(flag and not (parent >= 0 and inside[parent]) for flag, parent in zip(inside, page.parent))
    return [
        [int(flag) for flag in flags],
        _under_comments(page, tags),
        [log_scale(outside[-1])] * count,
        [log_scale(outside[first])] * count,
        [percent(sums.long[-1] - outside[-1], sums.long[-1])] * count,
        [log_scale(starts)] * count,
    ]


def _inside_comments(page: Page) -> list[bool]:
    """Return for each container whether its class or id, or one further out, names comments.

    html and body are passed over: their class says what the page has, not where.
    """
    if not _has_any(page.called(), _COMMENT_CLASSES):
        return [False] * len(page.element)
    flags: list[bool] = []
    for parent, element in zip(page.parent, page.element):
        flag = parent >= 0 and flags[parent]
        attrs = element.attrs
        if not flag and attrs and element.tag not in ("html", "body"):
            flag = ("class" in attrs and _names_comments[attrs["class"]]) or (
                "id" in attrs and _names_comments[attrs["id"]]
            )
        flags.append(flag)
    return flags


def _under_comments(page: Page, tags: list[str]) -> list[int]:
    """Return 1 for each block whose last heading speaks of comments, else 0."""
    flags = []
    flag = 0
    for tag, block in zip(tags, page.blocks):
        if tag in HEADINGS:
            flag = int(_has_any(block.text[:MAX_HEADING].lower(), _COMMENT_WORDS))
        flags.append(flag)
    return flags


def _has_any(text: str, words: tuple[str, ...]) -> bool:
    """Return whether a text has one of these words."""
    for word in words:  # noqa: SIM110 - a third of the time of any()
        if word in text:
            return True
    return False


_names_comments = Remembered(lambda names: _has_any(names[:MAX_NAMES].lower(), _COMMENT_CLASSES))
