"""Write a product's price if the kept text lacks it. In: the head, the page, the kept text. Out: lines for the text.

Shops write prices with scripts, so the kept text often lacks them. JSON-LD and meta elements tell price, currency and
availability; JSON-LD tells them for each variant. Amounts are compared in cents: 1250 for "12.50" and "12,50".
Spec: schema.org Product, ProductGroup, Offer, AggregateOffer.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.extraction.metadata import evidence
from webtool.extraction.page import json_ld
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head
from webtool.extraction.rules import headings, products
from webtool.extraction.rules.cards import is_price
from webtool.html.charrefs import decode_text
from webtool.html.node import around
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.markdown.meanings import FORMATS

MAX_VARIANTS = 20  # variants that get a line each; currencies in one line
MAX_NAME = 80  # characters of a variant's name
MAX_ENTRIES = 200  # of a list of variants or offers; later ones are not read
MAX_BELOW = 25  # blocks below the product's name in which its price is looked for
# Meta elements with a price, and those with its currency.
_AMOUNTS = {
    "product:price:amount": "product:price:currency",
    "og:price:amount": "og:price:currency",
    "price": "pricecurrency",
}
# Words beside amounts that are not the product's price.
_OF_OTHERS = patterns.compile(
    r"(?i)shipping|delivery|orders?\b|\bsave|\boff\b|month|/mo\b|points|under|over|coupon|gift|subtotal|cart"
)
_NUMBER = patterns.compile(r"\d{1,9}(?:\.\d{1,4})?")
_SIGNS = " \u00a0$\u20ac\u00a3\u00a5\u20b9"  # around a number, against the specification: "$12.50"
_DECIMAL_COMMA = patterns.compile(r"\d+,\d\d?")  # "12,50", against the specification; "1,250" is a thousand
# It begins with one digit, and not with \d{1,3}, because only then the engine skips to the next digit at once.
_SHOWN = patterns.compile(
    r"\d(?:\d{0,2}(?:[.,\u00a0\u202f' ]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d{0,8}(?:[.,]\d{1,2})?(?!\d))"
)
_CAPITAL = patterns.compile(r"(?<=[a-z])(?=[A-Z])")


class Offer(NamedTuple):
    """One variant of the product: Offer("red", "12.50 EUR", "in stock")."""

    name: str  # of the variant, or ""
    price: str  # with its currency
    state: str  # its availability, or ""


def lines(head: Head, page: Page, text: str, address: str = "") -> list[str]:
    """Return the price as lines; [] if the text has it or the page is not about one product.

    That is one line ("Price: 12.50 EUR, in stock") if all variants cost the same or have no names, else one line each.
    Data are believed if the page shows their price or no price at all, because their currency may be wrong. Without
    data the line is the first price below the product's name.
    """
    is_single = products.is_at(head, address) or products.is_about_one(page, head)
    is_sold = is_single or evidence.is_product(head) or head.meta.keys() & _AMOUNTS.keys()
    if head.schema_types & products.ARTICLES or not is_sold:
        return []
    shown = [block.text for block in page.blocks if is_price(block.text)]
    product = _product(head)
    # Offers by JSON-LD, then by meta elements: the first that can be believed are written.
    candidates = [offers for offers in (list(dict.fromkeys(_offers(product))), _of_meta(head)) if offers]
    in_text = _amounts(text) if candidates else set()
    on_page = _amounts("\n".join(shown)) if candidates else set()
    for offers in candidates:
        in_kept_text = [_cents(offer.price) in in_text for offer in offers]
        if any(in_kept_text) and (all(in_kept_text) or not _are_named(offers)):
            return []
        if not shown or any(_cents(offer.price) in on_page for offer in offers):
            return _written(offers)
    has_price = any(map(is_price, text.split("\n")))
    return [] if has_price or not (product or is_single) else _below_name(page)


def _below_name(page: Page) -> list[str]:
    """Return the first price below the first h1 as a line; a price struck through is a former one."""
    start = headings.first(page)
    below = page.blocks[start + 1 : start + MAX_BELOW] if start >= 0 else []
    struck = {
        node
        for block in below
        for node in block.nodes
        if any(FORMATS.get(element.tag) == "del" for element in around(node, 2))
    }
    former = _amounts("\n".join([node.text for node in struck]))
    for block in below:
        text = " ".join(" ".join([node.text for node in block.nodes if node not in struck]).split())
        is_former = _amounts(text) <= former
        if not (block.link_words or is_former) and is_price(text) and not _OF_OTHERS.search(text):
            return [text if ":" in text else f"Price: {text}"]
    return []


def _written(offers: list[Offer]) -> list[str]:
    """Return offers as lines: one price for all, a line for each variant, or a range of prices in each currency."""
    prices = sorted(dict.fromkeys([offer.price for offer in offers]), key=_cents)
    states = {offer.state for offer in offers}
    if _are_named(offers) and (len(prices) > 1 or len(states) > 1):
        return ["Prices:"] + [f"- {name}: {_with_state(price, state)}" for name, price, state in offers[:MAX_VARIANTS]]
    of_currency: dict[str, list[str]] = {}  # "EUR" -> ["10 to 20 EUR", "12 EUR"]
    for price in prices:
        of_currency.setdefault(price.rpartition(" ")[2] if price[-1].isalpha() else "", []).append(price)
    ranges = list(of_currency.values())[:MAX_VARIANTS] if "" not in of_currency else [prices]
    amounts = " or ".join(map(_range, ranges))
    return ["Price: " + _with_state(amounts, states.pop() if len(states) == 1 else "")]


def _range(prices: list[str]) -> str:
    """Return the range of prices of one currency, the lowest first: "10 to 20 EUR" of "10 to 15 EUR", "20.00 EUR"."""
    lowest = prices[0].partition(" ")[0]
    highest = max([price.rpartition(" to ")[2] for price in prices], key=_cents)  # "20 EUR" of "10 to 20 EUR"
    return f"{lowest} to {highest}" if _cents(highest) != _cents(lowest) else highest


def _are_named(offers: list[Offer]) -> bool:
    """Return whether each offer has a name of its own."""
    names = {offer.name for offer in offers}
    return "" not in names and len(names) == len(offers)


def _of_meta(head: Head) -> list[Offer]:
    """Return the offer in meta elements, made for social networks or as microdata; [] without one."""
    for amount, currency in _AMOUNTS.items():
        if price := _number(head.meta.get(amount, "")):
            state = head.meta.get("og:availability") or head.meta.get("product:availability") or ""
            return [Offer("", f"{price} {head.meta.get(currency, '')[:3]}".rstrip(), _state(state))]
    return []


def _state(availability: str) -> str:
    """Return an availability in words: "in stock" for https://schema.org/InStock and for instock."""
    words = _CAPITAL.sub(" ", availability.rsplit("/", 1)[-1][:30]).lower()
    return {"instock": "in stock", "outofstock": "out of stock"}.get(words, words)


def _with_state(price: str, state: str) -> str:
    return f"{price}, {state}" if state else price


def _product(head: Head) -> dict[str, Any]:
    """Return the product with offers that the page is named after, or the only one; {} without one."""
    candidates = [entry for entry in head.objects if json_ld.types(entry) & evidence.PRODUCTS]
    candidates = [entry for entry in candidates if entry.get("offers") or entry.get("hasVariant")]
    title = set(headings.words_of(head.title or head.meta.get("og:title", "")))
    for entry in candidates:
        name = set(headings.words_of(str(entry.get("name", ""))))
        if name and 2 * len(name & title) >= len(name):
            return entry
    return candidates[0] if len(candidates) == 1 else {}


def _offers(product: dict[str, Any]) -> Iterator[Offer]:
    """Yield the offers of a product and of its variants."""
    of_product = str(product.get("name", ""))
    for holder in [product, *_dicts(product.get("hasVariant"))][:MAX_ENTRIES]:
        for offer in _dicts(holder.get("offers"))[:MAX_ENTRIES]:
            single_offers = _dicts(offer.get("offers")) or [offer]  # an AggregateOffer has several
            for entry in single_offers[:MAX_ENTRIES]:
                if price := _price(entry):
                    name = str(entry.get("name") or (holder.get("name") if holder is not product else "") or "")
                    yield Offer(_variant_name(name, of_product), price, _state(str(entry.get("availability") or "")))


def _variant_name(name: str, of_product: str) -> str:
    """Return a variant's name without the product's: "Red, L" of "Wool Hat - Red, L"."""
    name, of_product = decode_text(name), decode_text(of_product)
    short = " ".join(name.replace(of_product, "", 1).split()).strip(" -\u2013,/|") if of_product else name
    return (short or name)[:MAX_NAME]


def _dicts(value: object) -> list[dict[str, Any]]:
    """Return the objects in a value that is an object or a list."""
    values = value if isinstance(value, list) else [value]
    return [entry for entry in values if isinstance(entry, dict)]


def _price(offer: dict[str, Any]) -> str:
    """Return an offer's price or range and its currency: "12.50 EUR", "10 to 20 EUR"; "" without a price."""
    places = [offer, *_dicts(offer.get("priceSpecification"))]
    currency = next((str(place["priceCurrency"]) for place in places if place.get("priceCurrency")), "")[:3]
    for place in places:
        price, low, high = (_number(place.get(name)) for name in ("price", "lowPrice", "highPrice"))
        if not price and low:
            price = f"{low} to {high}" if high and high != low else low
        if price:
            return f"{price} {currency}".strip()
    return ""


def _number(value: object) -> str:
    """Return a positive number as a string, without a currency's sign; "" for all else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return ""
    text = str(value).strip(_SIGNS)
    if _DECIMAL_COMMA.fullmatch(text):
        text = text.replace(",", ".")
    match = _NUMBER.fullmatch(text.replace(",", ""))
    return match[0] if match and float(match[0]) > 0 else ""


def _cents(price: str) -> int:
    """Return the first amount of a price in cents."""
    return round(float(price.partition(" ")[0]) * 100)


def _amounts(text: str) -> set[int]:
    """Return the amounts in a text in cents: 1250 for "12.50" and "12,50", 1200 for "12", "12.00" and "12,-"."""
    return {_amount(number) for number in set(_SHOWN.findall(text))}


def _amount(number: str) -> int:
    """Return a number in cents; one or two digits after the last point or comma are a fraction: "1.234,5" -> 123450."""
    digits = "".join(char for char in number if char.isdigit())
    fraction = len(number) - 1 - max(number.rfind("."), number.rfind(","))
    has_fraction = fraction in (1, 2) and fraction < len(number) - 1
    return int(digits) * 10 ** (2 - fraction) if has_fraction else int(digits) * 100
