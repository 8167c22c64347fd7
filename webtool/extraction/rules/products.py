"""What the page of one product says that is not about it: what buyers wrote, and what else is sold. In: a cut page,
which blocks are chosen. Out: the choice, changed in place.

Shops name these parts in class and id attributes ("reviews") or head them ("You may also like"). What a seller quotes
of his customers (testimonials) is his own text. A page that lists products, or is about none, stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from webtool.extraction.page import grids, json_ld
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head
from webtool.extraction.rules import class_names, headings, part_labels
from webtool.extraction.rules.choice import Choice
from webtool.lean import patterns

MOST_PRODUCTS = 8
"""So many products are told of as data on the page of one: its variants, and some others."""
LEAST_LEFT = 25
"""Words that must be left."""
MOST_LABEL = 9
"""Words of what a part is headed with."""
LEAST_TABLE = 0.09
"""The mean chance of what a table says that is kept; the tables of carts and menus have less."""
MOST_TERMS = 40
"""Blocks of a list of terms."""
MOST_SHARE = 0.8
"""The share of a page's blocks that such a part has at most."""
_PRODUCTS = frozenset(("product", "productgroup"))
_IS_PRODUCT = patterns.compile("(?i)/Product/?$").search
ARTICLES = frozenset(("article", "newsarticle", "blogposting"))
PATH = patterns.compile(r"(?i)/(?:products?|p|dp|itm|items?|sku|ip|pdp?|prod|product-page)/[^/]|[/-](?:p|pd|prd)-?\d")
"""Addresses of products."""
_ITEM = patterns.compile(r"(?i)/(?:p|dp|itm|sku|ip|pdp?)/[^/]|[/-](?:p|pd|prd)-?\d")
"""Those of shops alone: makers of software have products, too, and say which of them belong together."""


def drop_others(choice: Choice) -> None:
    """All of it, linear in the size of the page but for the way up from a label."""
    page, head, keep = choice.page, choice.head, choice.keep
    left = keep[:]
    weights = [float(size * is_kept) for size, is_kept in zip(page.sizes, keep)]
    parts = class_names.find(page, weights, class_names.PRODUCT_FURNITURE, headings.first(page))
    for first, last in (*parts, *others(page, head, choice.address)):
        left[first:last] = [False] * (last - first)
    if page.words_of(left)[-1] >= LEAST_LEFT:
        keep[:] = left


def is_product_page(choice: Choice) -> bool:
    is_sold = is_about_one(choice.page, choice.head) or is_at(choice.head, choice.address)
    return is_sold and headings.first(choice.page) >= 0


def keep_tables(choice: Choice) -> None:
    """Keep tables and terms that say what a product is like."""
    page = choice.page
    if headings.first(page) >= 0 and is_about_one(page, choice.head):
        _keep_tables(page, choice.keep, choice.chances)


def is_at(head: Head, address: str) -> bool:
    """Whether an address is that of a product."""
    return bool(PATH.search(address or head.address)) and not head.schema_types & ARTICLES


def _keep_tables(page: Page, keep: list[bool], chances: Sequence[float]) -> None:
    """Tables of data and lists of terms say what the product is like, also where little text stands around them."""
    lists = [at for at in page.tagged(("dl",)) if page.last[at] - page.first[at] <= MOST_TERMS]
    for at in (*[grid.table for grid in grids.find(page)], *lists) if chances else ():
        first, last = page.first[at], page.last[at]
        is_told = 2 * (page.links[last] - page.links[first]) < page.words[last] - page.words[first]
        if is_told and sum(chances[first:last]) >= LEAST_TABLE * (last - first):
            keep[first:last] = [True] * (last - first)


def is_about_one(page: Page, head: Head) -> bool:
    """Whether a page says that it is about one product: in its head, in JSON-LD, or in microdata, of which lists have
    one for each entry."""
    if "product" in head.og_type:
        return head.og_type != "product.group"
    if head.schema_types & (ARTICLES | {"collectionpage"}):
        return False
    if head.schema_types & _PRODUCTS:
        return sum(bool(json_ld.types(entry) & _PRODUCTS) for entry in head.objects) <= MOST_PRODUCTS
    return (
        sum([bool(_IS_PRODUCT(element.attrs["itemtype"])) for element in page.element if "itemtype" in element.attrs])
        == 1
    )


def others(page: Page, head: Head, address: str, chances: Sequence[float] = ()) -> list[tuple[int, int]]:
    """Parts that are headed as other products, or where the page says that it is about one as what buyers say, unless a
    seller quotes it."""
    headline = headings.first(page)
    is_sold = is_about_one(page, head)
    if headline < 0 or not (is_sold or (is_at(head, address) and _ITEM.search(address or head.address))):
        return []
    quotes = [0] * (len(page.blocks) + 1)
    for element, first, last in zip(page.element, page.first, page.last):
        if first < last and (element.tag == "blockquote" or class_names.is_testimonial(element.attrs)):
            quotes[first + 1] += 1
    quotes = list(accumulate(quotes))
    most = MOST_SHARE * len(page.blocks)
    weights = [chance * block.words for chance, block in zip(chances, page.blocks)]
    found = class_names.find(page, weights, class_names.PRODUCT_FURNITURE, headline) if weights else []
    for i, block in enumerate(page.blocks):
        if block.words > MOST_LABEL:
            continue
        text = part_labels.folded(block.text[:120])
        is_told = is_sold and headings.rank(page, block.container) and part_labels.REVIEWS.fullmatch(text)
        if is_told or part_labels.PRODUCTS.fullmatch(text):
            end = headings.end_of(page, i, lambda last, i=i: last - i <= most and not i <= headline < last)  # type: ignore[misc]
            if not is_told or quotes[end] == quotes[i]:
                found.append((i, end))
    return found
