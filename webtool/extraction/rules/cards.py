"""What a page lists in cards, each with a price. In: a cut page, which blocks are chosen. Out: the choice, changed in
place.

A price says nothing without the name of what it buys, and the other way round; the list that a shop's page is about
(its cards are siblings, below the headline, and in nothing that slides or recommends) is kept from end to end.
"""

from __future__ import annotations

from itertools import accumulate

from webtool.extraction.page.blocks import Page
from webtool.extraction.rules import class_names, headings, products
from webtool.extraction.rules.choice import Choice
from webtool.lean import patterns

CARD_WORDS = 60
"""The longest card: what is sold, in which sizes, for how much."""
MOST_PRICES = 4
"""The same, of prices: today's, the former one, by month, by weight."""
MAX_PRICE = 60
"""Characters of a price: a longer text speaks of it."""
LEAST_NAME = 3
"""Words of a name that only its place tells."""
LEAST_CARDS = 6
"""Cards of a list that a page is about, and LEAST_SHARE of the page's words."""
LEAST_SHARE = 0.1
_SIGN = r"$\u20ac\u00a3\u00a5\u20b9\u20a9\u0e3f\u20aa\u20bd\u20b4\u20ba\u20ab\u20b1\u20a6\u20b8"
_CODE = "usd|eur|gbp|chf|aud|cad|nzd|sgd|hkd|sek|nok|dkk|pln|czk|huf|bgn|rub|uah|inr|cny|jpy|krw|brl|mxn|zar|ils"
PRICE = patterns.compile(
    rf"(?i)(?:[{_SIGN}]|\b(?:{_CODE}|r\$|r[sp]\.?)\s?)\s?\d"
    rf"|\d[\d.,]*\s?(?:[{_SIGN}\u5143\u5186\uc6d0]|(?:{_CODE}|kr|z\u0142|k\u010d|ft|kn|lei|ron|tl|din|\u0433\u0440\u043d|\u0440\u0443\u0431|\u0440|\u043b\u0432)\b)"
)
_HEXADECIMAL = frozenset("0123456789abcdef")
_OF_POST = patterns.compile(r"(?:category|tag|product_(?:cat|tag|brand)|pa)[-_]|has-post-thumbnail|first$|last$")
"""What WordPress files a post under."""
MAX_NAMES = 400
"""Characters of a class attribute; a longer one is taken as it is."""
Series = tuple[int, int]
"""What siblings have in common: their parent and kind."""
_digit = patterns.compile(r"\d").search
_BESIDE = tuple("carousel slide swiper recommend related recent upsell nav menu footer dropdown".split())


def is_price(text: str) -> bool:
    """Whether a text is short and has an amount and a currency."""
    return len(text) <= MAX_PRICE and bool(_digit(text) and PRICE.search(text))


def complete_cards(choice: Choice) -> None:
    """All of it, linear in the size of the page but for the way up from a price; `is_list` where a page is about no
    single thing."""
    page, keep = choice.page, choice.keep
    prices = [is_price(block.text) for block in page.blocks]
    if not any(prices):
        return
    for card in _cards(page, prices):
        if any(keep[page.first[card] : page.last[card]]):
            _complete(page, keep, prices, card)


def may_be_list(choice: Choice) -> bool:
    """Return whether a page may be about what it lists: it does not say that it is about one thing."""
    page, head = choice.page, choice.head
    is_one = choice.is_article or choice.is_forum or products.is_about_one(page, head)
    return not (is_one or products.is_at(head, choice.address))


def complete_list(choice: Choice) -> None:
    """Keep names and prices of the product list that a page is about."""
    page = choice.page
    prices = [is_price(block.text) for block in page.blocks]
    if not any(prices):
        return
    found: dict[Series, list[int]] = {}
    for card, series in _cards(page, prices).items():
        found.setdefault(series, []).append(card)
    for card in _main(page, list(found.values())):
        _complete(page, choice.keep, prices, card)


def _cards(page: Page, prices: list[bool]) -> dict[int, Series]:
    """The widest containers around each price that are no longer than a card, and hold no sibling of such: each with
    what it has in common with those."""
    counts = [0, *accumulate(prices)]
    series = series_of(page)
    alike: dict[Series, int] = {}
    for one, first, last in zip(series, page.first, page.last):
        if 0 < counts[last] - counts[first] < last - first:
            alike[one] = alike.get(one, 0) + 1
    found: dict[int, Series] = {}
    for i, is_one in enumerate(prices):
        at = page.blocks[i].container if is_one else -1
        card = -1
        while at >= 0:
            first, last = page.first[at], page.last[at]
            if page.words[last] - page.words[first] > CARD_WORDS or counts[last] - counts[first] > MOST_PRICES:
                break
            card, at = at, page.parent[at] if alike.get(series[at], 0) < 2 else -1
        if card >= 0:
            found[card] = series[card]
    return found


def series_of(page: Page) -> list[Series]:
    """What each container has in common with its siblings."""
    kinds: dict[int, int] = {}
    numbers: dict[tuple[str, str], int] = {}
    for element, kind in zip(page.element, page.kinds):
        if kind not in kinds:
            kinds[kind] = numbers.setdefault((element.tag, _of_all(element.attrs.get("class", ""))), len(numbers))
    return list(zip(page.parent, [kinds[kind] for kind in page.kinds]))


def _of_all(names: str) -> str:
    """A class attribute without what names only the one element: its number, as in "comment comment-8", and what
    WordPress says of one post."""
    if len(names) > MAX_NAMES or not _digit(names):
        return names
    words = names.split()
    is_post = any(word.startswith("post-") and word[5:].isdigit() for word in words)
    stems = {*words, "post"} if is_post else {*words}
    return " ".join([one for one in words if not (_is_numbered(one, stems) or (is_post and _OF_POST.match(one)))])


def _is_numbered(word: str, stems: set[str]) -> bool:
    """Whether it is another name with a number, hexadecimal where a site builder gave it."""
    end = max(word.rfind("-"), word.rfind("_"))
    return end > 0 and word[:end] in stems and _HEXADECIMAL.issuperset(word[end + 1 :]) and bool(_digit(word, end))


def _complete(page: Page, keep: list[bool], prices: list[bool], card: int) -> None:
    """The prices of a card, and its name: a heading or a link, and none that the page repeats; beside a text that was
    chosen a heading, or the line of links that the card begins with."""
    blocks = page.blocks
    ranks = {i: headings.rank(page, blocks[i].container) for i in range(page.first[card], page.last[card])}
    names = [i for i, rank in ranks.items() if not prices[i] and (rank or blocks[i].links)]
    is_named = any(keep[i] for i in names)
    if any(keep[i] and not prices[i] and blocks[i].words > 2 for i in ranks):
        names = [i for i in names if ranks[i] or _is_first(page, card, i)]
    if names and not is_named:
        keep[min(names, key=lambda i: (page.times[blocks[i].text], not ranks[i], -blocks[i].words))] = True
    for i in ranks:
        keep[i] = keep[i] or prices[i]


def _is_first(page: Page, card: int, i: int) -> bool:
    block = page.blocks[i]
    return i == page.first[card] and block.words >= LEAST_NAME and page.times[block.text] == 1


def _main(page: Page, series: list[list[int]]) -> list[int]:
    """The list that a page is about: most words, below the headline."""
    start = headings.first(page)
    sizes = [sum(page.words[page.last[card]] - page.words[page.first[card]] for card in cards) for cards in series]
    for size, cards in sorted(zip(sizes, series), reverse=True):
        if size < LEAST_SHARE * page.words[-1]:
            break
        if len(cards) >= LEAST_CARDS and page.first[cards[0]] > start and not _is_beside(page, cards[0]):
            return cards
    return []


def _is_beside(page: Page, card: int) -> bool:
    names = (class_names.names_of(page.element[at].attrs).lower() for at in page.around(card))
    return any(word in name for name in names for word in _BESIDE)
