"""What a product costs, where its page holds that only as data. In: the head, the text that is kept. Out: lines.

Shops write prices with scripts; a text without one is of little use to who wants to buy. JSON-LD tells price, currency
and whether there is any, for each variant. Spec: schema.org Product, ProductGroup, Offer, AggregateOffer.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.extraction import json_ld
from webtool.extraction.head import Head
from webtool.lean import patterns
from webtool.lean.typing import Any

MAX_VARIANTS = 20
MAX_NAME = 80
_PRODUCTS = frozenset(("product", "productgroup"))
_WORD = patterns.compile(r"\w+")
_NUMBER = patterns.compile(r"\d{1,9}(?:\.\d{1,4})?")
_SHOWN = patterns.compile(r"\d{1,3}(?:[.,\u00a0\u202f' ]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d{1,9}(?:[.,]\d{1,2})?(?!\d)")
_CAPITAL = patterns.compile(r"(?<=[a-z])(?=[A-Z])")


def lines(head: Head, text: str) -> list[str]:
    """One line where all variants cost the same, else one for each that begins with "- "; none where the text has the
    price, or the page is not about one product."""
    if "product" not in head.schema_types and "productgroup" not in head.schema_types:
        return []
    product = _product(head)
    offers = list(dict.fromkeys(_offers(product))) if product else []
    if not offers or any(_is_shown(price, text) for _, price, _ in offers):
        return []
    if len({(price, state) for _, price, state in offers}) == 1:
        return ["Price: " + _said(*offers[0][1:])]
    return ["Prices:"] + [f"- {name}: {_said(price, state)}" for name, price, state in offers[:MAX_VARIANTS] if name]


def _said(price: str, state: str) -> str:
    return f"{price}, {state}" if state else price


def _product(head: Head) -> dict[str, Any]:
    """The product that the page is named after, or the only one that is sold."""
    found = [entry for entry in head.objects if json_ld.types(entry) & _PRODUCTS]
    found = [entry for entry in found if entry.get("offers") or entry.get("hasVariant")]
    title = set(_WORD.findall((head.title or head.meta.get("og:title", "")).casefold()))
    for entry in found:
        name = set(_WORD.findall(str(entry.get("name", "")).casefold()))
        if name and 2 * len(name & title) >= len(name):
            return entry
    return found[0] if len(found) == 1 else {}


def _offers(product: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(name of the variant, price and currency, availability) of each offer."""
    whole = str(product.get("name", ""))
    for holder in [product, *_dicts(product.get("hasVariant"))][:200]:
        for offer in _dicts(holder.get("offers"))[:200]:
            inner = _dicts(offer.get("offers")) or [offer]
            for entry in inner[:200]:
                price = _price(entry)
                if price:
                    name = str(entry.get("name") or (holder.get("name") if holder is not product else "") or "")
                    state = str(entry.get("availability") or "").rsplit("/", 1)[-1]
                    yield _rest(name, whole), price, _CAPITAL.sub(" ", state[:30]).lower()


def _rest(name: str, whole: str) -> str:
    """What the name of a variant says besides the product's."""
    short = " ".join(name.replace(whole, "", 1).split()).strip(" -\u2013,/|") if whole else name
    return (short or name)[:MAX_NAME]


def _dicts(value: object) -> list[dict[str, Any]]:
    values = value if isinstance(value, list) else [value]
    return [entry for entry in values if isinstance(entry, dict)]


def _price(offer: dict[str, Any]) -> str:
    places = [offer, *_dicts(offer.get("priceSpecification"))]
    currency = next((str(place["priceCurrency"]) for place in places if place.get("priceCurrency")), "")[:3]
    for place in places:
        numbers = [_number(place.get(name)) for name in ("price", "lowPrice", "highPrice")]
        if numbers[0] or numbers[1]:
            low, high = numbers[0] or numbers[1], "" if numbers[0] else numbers[2]
            return f"{low} to {high} {currency}".strip() if high and high != low else f"{low} {currency}".strip()
    return ""


def _number(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return ""
    match = _NUMBER.fullmatch(str(value).strip().replace(",", ""))
    return match[0] if match and float(match[0]) > 0 else ""


def _is_shown(price: str, text: str) -> bool:
    """Whether a text has the price, with either mark, with or without a fraction of nothing."""
    asked = round(float(price.split(" ")[0]) * 100)
    return any(_cents(match[0]) == asked for match in _SHOWN.finditer(text))


def _cents(number: str) -> int:
    digits = "".join(char for char in number if char.isdigit())
    fraction = len(number) - 1 - max(number.rfind("."), number.rfind(","))
    return (
        int(digits) * 10 ** (2 - fraction) if fraction in (1, 2) and fraction < len(number) - 1 else int(digits) * 100
    )
