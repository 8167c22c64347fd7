"""On the page of one product, drop reviews and other products, and keep its tables of facts.

In: a Choice. Out: its `keep` changed. Shops name these parts in class and id ("reviews") or label them ("You may also
like"). A testimonial is what the seller quotes and stays. A page that lists products, or is about none, stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from webtool.extraction.metadata.evidence import PRODUCTS
from webtool.extraction.page import grids, json_ld
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head
from webtool.extraction.rules import class_names, headings, part_labels
from webtool.extraction.rules.choice import Choice
from webtool.lean import patterns

MAX_PRODUCTS = 8  # products in JSON-LD: one, its variants, some others; a page with more is a list
MIN_WORDS_LEFT = 25  # kept words; if dropping leaves fewer, nothing is dropped
MAX_LABEL_WORDS = 9  # a longer line is not the label of a part
MIN_TABLE_CHANCE = 0.09  # mean probability by the model; tables of carts and menus have less and are not kept
MAX_TERM_BLOCKS = 40  # a longer list of terms is left to the model
MAX_PART_SHARE = 0.8  # of the page's blocks; a labelled part with more is the page itself
_IS_PRODUCT = patterns.compile("(?i)/Product/?$").search
ARTICLES = frozenset(("article", "newsarticle", "blogposting"))
# The path of a product's address: /products/tea-pot, /dp/B00.
PATH = patterns.compile(r"(?i)/(?:products?|p|dp|itm|items?|sku|ip|pdp?|prod|product-page)/[^/]|[/-](?:p|pd|prd)-?\d")
# The part of PATH that only shops use. Makers of software have /products/, too; their products belong together.
_SHOP_PATH = patterns.compile(r"(?i)/(?:p|dp|itm|sku|ip|pdp?)/[^/]|[/-](?:p|pd|prd)-?\d")


def is_product_page(choice: Choice) -> bool:
    """Return whether a page has an h1 and is about one product, by what it says or by its address."""
    is_one = is_about_one(choice.page, choice.head) or is_at(choice.head, choice.address)
    return is_one and headings.first(choice.page) >= 0


def drop_others(choice: Choice) -> None:
    """Drop reviews, filters, carts and other products: `<h2>Customers also bought</h2><div class=card>..`."""
    page = choice.page
    left = choice.keep[:]
    weights = class_names.kept_words(choice)
    parts = class_names.find(page, weights, class_names.PRODUCT_FURNITURE, headings.first(page))
    for first, last in (*parts, *others(page, choice.head, choice.address)):
        left[first:last] = [False] * (last - first)
    if page.words_of(left)[-1] >= MIN_WORDS_LEFT:
        choice.keep[:] = left


def keep_tables(choice: Choice) -> None:
    """Keep tables of data and lists of terms, which say what a product is like: `<tr><th>Weight<td>3 kg`."""
    page, chances = choice.page, choice.chances
    if not chances or not is_about_one(page, choice.head):
        return
    tables = [grid.table for grid in grids.find(page)]
    tables += [terms for terms in page.tagged(("dl",)) if page.last[terms] - page.first[terms] <= MAX_TERM_BLOCKS]
    for table in tables:
        first, last = page.first[table], page.last[table]
        is_text = 2 * (page.links[last] - page.links[first]) < page.words[last] - page.words[first]
        if is_text and sum(chances[first:last]) >= MIN_TABLE_CHANCE * (last - first):
            choice.set_range(first, last, True)


def is_at(head: Head, address: str) -> bool:
    """Return whether the address is that of a product."""
    return bool(PATH.search(address or head.address)) and not head.schema_types & ARTICLES


def is_about_one(page: Page, head: Head) -> bool:
    """Return whether a page says that it is about one product: in Open Graph, in JSON-LD, or in microdata.

    A list has a Product in microdata for each of its entries, so that only a single one counts.
    """
    if "product" in head.og_type:
        return head.og_type != "product.group"
    if head.schema_types & (ARTICLES | {"collectionpage"}):
        return False
    if head.schema_types & PRODUCTS:
        return sum(bool(json_ld.types(entry) & PRODUCTS) for entry in head.objects) <= MAX_PRODUCTS
    types = [element.attrs["itemtype"] for element in page.element if "itemtype" in element.attrs]
    return sum([bool(_IS_PRODUCT(name)) for name in types]) == 1


def others(page: Page, head: Head, address: str, chances: Sequence[float] = ()) -> list[tuple[int, int]]:
    """Return the ranges of parts with other products or reviews, by their labels; with `chances` by class, too.

    A part labelled as reviews counts if the page says that it is about one product, and if no quote or testimonial is
    in it: the seller chose these.
    """
    headline = headings.first(page)
    is_one = is_about_one(page, head)
    is_in_shop = is_at(head, address) and bool(_SHOP_PATH.search(address or head.address))
    if headline < 0 or not (is_one or is_in_shop):
        return []
    ranges: list[tuple[int, int]] = []
    if chances:
        weights = [chance * block.words for chance, block in zip(chances, page.blocks)]
        ranges = class_names.find(page, weights, class_names.PRODUCT_FURNITURE, headline)
    quotes_before: list[int] = []  # counted for the first label of reviews
    max_blocks = MAX_PART_SHARE * len(page.blocks)
    for i, block in enumerate(page.blocks):
        if block.words > MAX_LABEL_WORDS:
            continue
        text = part_labels.folded(block.text[:120])
        is_heading = is_one and headings.rank(page, block.container) > 0
        are_reviews = is_heading and bool(part_labels.REVIEWS.fullmatch(text))
        if are_reviews or part_labels.PRODUCTS.fullmatch(text):

            def fits(last: int, i: int = i) -> bool:
                return last - i <= max_blocks and not i <= headline < last

            end = headings.end_of_part(page, i, fits)
            quotes_before = quotes_before or (_quotes_before(page) if are_reviews else [])
            if not are_reviews or quotes_before[end] == quotes_before[i]:
                ranges.append((i, end))
    return ranges


def _quotes_before(page: Page) -> list[int]:
    """Return the running count of quotes and testimonials, at the block where each begins."""
    begin = [0] * (len(page.blocks) + 1)
    for element, first, last in zip(page.element, page.first, page.last):
        if first < last and (element.tag == "blockquote" or class_names.is_testimonial(element.attrs)):
            begin[first + 1] += 1
    return list(accumulate(begin))
