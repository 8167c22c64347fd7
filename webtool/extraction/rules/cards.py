"""Keep cards of products complete: each name with its price, each price with its name.

In: a Choice. Out: its `keep` changed. Words of this module:
- a block is a run of text, a container a block-level element; both have numbers. first[c]:last[c] are the blocks in
  container c. `keep` has one flag for each block.
- a series is containers of one kind (tag, and classes without numbers) with the same parent.
- a card is the widest small container around a price. A container whose series has other prices is a card at most, and
  the container around it is a list.
The list that a shop's page is about is kept from end to end. It is below the headline, and outside of carousels and
recommendations.
Tests: tests/extraction/rules/test_cards.py
"""

from __future__ import annotations

from itertools import accumulate

from webtool.extraction.page.blocks import Page
from webtool.extraction.rules import class_names, headings, products
from webtool.extraction.rules.choice import Choice
from webtool.lean import patterns

MAX_CARD_WORDS = 60  # a container with more words holds more than one product with its sizes and prices
MAX_CARD_PRICES = 4  # today's, the former one, by month, by weight; a container with more holds several products
MAX_PRICE_CHARACTERS = 60  # a longer text is a sentence about a price
MIN_NAME_WORDS = 3  # a shorter line of links at the start of a card is not taken for its name
MIN_LIST_CARDS = 6  # a page is not about a list of fewer cards
MIN_LIST_SHARE = 0.1  # a page is not about a list with a smaller share of its words
_SIGN = r"$\u20ac\u00a3\u00a5\u20b9\u20a9\u0e3f\u20aa\u20bd\u20b4\u20ba\u20ab\u20b1\u20a6\u20b8"
_CODE = "usd|eur|gbp|chf|aud|cad|nzd|sgd|hkd|sek|nok|dkk|pln|czk|huf|bgn|rub|uah|inr|cny|jpy|krw|brl|mxn|zar|ils"
PRICE = patterns.compile(
    rf"(?i)(?:[{_SIGN}]|\b(?:{_CODE}|r\$|r[sp]\.?)\s?)\s?\d"
    rf"|\d[\d.,]*\s?(?:[{_SIGN}\u5143\u5186\uc6d0]|(?:{_CODE}|kr|z\u0142|k\u010d|ft|kn|lei|ron|tl|din|\u0433\u0440\u043d|\u0440\u0443\u0431|\u0440|\u043b\u0432)\b)"
)
_HEXADECIMAL = frozenset("0123456789abcdef")
# Class names by which WordPress says where a post is filed.
_POST_CLASS = patterns.compile(r"(?:category|tag|product_(?:cat|tag|brand)|pa)[-_]|has-post-thumbnail|first$|last$")
MAX_CLASS_CHARACTERS = 400  # a longer class attribute is compared as it is
Series = tuple[int, int]  # (parent, number of tag and class): equal for siblings of one kind
_digit = patterns.compile(r"\d").search  # with a second argument: from this position on
_SIDE_NAMES = tuple("carousel slide swiper recommend related recent upsell nav menu footer dropdown".split())


def is_price(text: str) -> bool:
    """Return whether a text is short and has an amount and a currency: "from $ 7.50"."""
    return len(text) <= MAX_PRICE_CHARACTERS and bool(_digit(text) and PRICE.search(text))


def complete_cards(choice: Choice) -> None:
    """Keep name and prices of each card of which something is kept: `<h3>Mug</h3><span>$ 7.50</span>` (shops).

    All cards of the list that a page is about are completed, also those of which nothing is kept.
    """
    page, keep = choice.page, choice.keep
    prices = [is_price(block.text) for block in page.blocks]
    cards = _cards(choice, prices) if any(prices) else {}
    for card in cards:
        if any(keep[page.first[card] : page.last[card]]):
            _complete(page, keep, prices, card)
    if cards and _may_be_list(choice):
        for card in _main_list(page, cards):
            _complete(page, keep, prices, card)


def _may_be_list(choice: Choice) -> bool:
    """Return whether a page may be about a list: it is neither an article nor a forum nor about a single product."""
    page, head = choice.page, choice.head
    is_single = choice.is_article or choice.is_forum or products.is_about_one(page, head)
    return not (is_single or products.is_at(head, choice.address))


def _cards(choice: Choice, prices: list[bool]) -> dict[int, Series]:
    """Return the cards with their series. The search goes up from each price while containers are small enough.

    It ends at a container of a series in which two or more have a price and another text: its parent is a list.
    """
    page, series_by_container = choice.page, series_of(choice)
    prices_before = [0, *accumulate(prices)]  # by block
    card_count: dict[Series, int] = {}  # containers of a series that have a price and another text
    for series, first, last in zip(series_by_container, page.first, page.last):
        if 0 < prices_before[last] - prices_before[first] < last - first:
            card_count[series] = card_count.get(series, 0) + 1
    cards: dict[int, Series] = {}
    for block, has_price in zip(page.blocks, prices):
        if not has_price:
            continue
        card = -1  # the widest small container so far
        for container in page.around(block.container):
            first, last = page.first[container], page.last[container]
            price_count = prices_before[last] - prices_before[first]
            if page.words[last] - page.words[first] > MAX_CARD_WORDS or price_count > MAX_CARD_PRICES:
                break
            card = container
            if card_count.get(series_by_container[container], 0) > 1:
                break
        if card >= 0:
            cards[card] = series_by_container[card]
    return cards


def series_of(choice: Choice) -> list[Series]:
    """Return the series of each container. It is worked out once and then taken from choice.series."""
    if choice.series:
        return choice.series
    page = choice.page
    number_of_kind: dict[int, int] = {}
    numbers: dict[tuple[str, str], int] = {}
    for element, kind in zip(page.element, page.kinds):
        if kind not in number_of_kind:
            key = element.tag, _shared_names(element.attrs.get("class", ""))
            number_of_kind[kind] = numbers.setdefault(key, len(numbers))
    choice.series = list(zip(page.parent, [number_of_kind[kind] for kind in page.kinds]))
    return choice.series


def _shared_names(names: str) -> str:
    """Return a class attribute without names that single elements have: "comment comment-8" -> "comment".

    Names by which WordPress files a single post are removed too: "post post-12 category-tea" -> "post".
    """
    if len(names) > MAX_CLASS_CHARACTERS or not _digit(names):
        return names
    words = names.split()
    is_post = any(word.startswith("post-") and word[5:].isdigit() for word in words)
    stems = {*words, "post"} if is_post else {*words}
    shared = [word for word in words if not (_is_numbered(word, stems) or (is_post and _POST_CLASS.match(word)))]
    return " ".join(shared)


def _is_numbered(word: str, stems: set[str]) -> bool:
    """Return whether a name is one of `stems` with a number: "card-12", or "card-3fa9" as site builders write."""
    end = max(word.rfind("-"), word.rfind("_"))
    return end > 0 and word[:end] in stems and _HEXADECIMAL.issuperset(word[end + 1 :]) and bool(_digit(word, end))


def _complete(page: Page, keep: list[bool], prices: list[bool], card: int) -> None:
    """Keep the prices of a card, and its name if no name is kept.

    The name is a heading or a link, preferably one that the page does not repeat. If a text of the card is kept, the
    name is a heading or the links that the card begins with: other links lead on from the text.
    """
    blocks = page.blocks
    ranks = {i: headings.rank(page, blocks[i].container) for i in range(page.first[card], page.last[card])}
    names = [i for i, rank in ranks.items() if not prices[i] and (rank or blocks[i].links)]
    is_named = any(keep[i] for i in names)
    if any(keep[i] and not prices[i] and blocks[i].words > 2 for i in ranks):
        first = page.first[card]
        begins_card = blocks[first].words >= MIN_NAME_WORDS and page.times[blocks[first].text] == 1
        names = [i for i in names if ranks[i] or (i == first and begins_card)]
    if names and not is_named:
        keep[min(names, key=lambda i: (page.times[blocks[i].text], not ranks[i], -blocks[i].words))] = True
    for i in ranks:
        keep[i] = keep[i] or prices[i]


def _main_list(page: Page, series_by_card: dict[int, Series]) -> list[int]:
    """Return the cards of the longest list below the headline that is long enough, or []."""
    start = headings.first(page)
    cards_of: dict[Series, list[int]] = {}
    for card, series in series_by_card.items():
        cards_of.setdefault(series, []).append(card)
    lists = list(cards_of.values())
    sizes = [sum(page.words[page.last[card]] - page.words[page.first[card]] for card in cards) for cards in lists]
    for size, cards in sorted(zip(sizes, lists), reverse=True):
        if size < MIN_LIST_SHARE * page.words[-1]:
            break
        if len(cards) >= MIN_LIST_CARDS and page.first[cards[0]] > start and not _is_beside(page, cards[0]):
            return cards
    return []


def _is_beside(page: Page, card: int) -> bool:
    """Return whether a container around a card is called a carousel, a menu or recommendations."""
    names = (class_names.names_of(page.element[container].attrs).lower() for container in page.around(card))
    return any(word in name for name in names for word in _SIDE_NAMES)
