"""Writing the price of a product if only data or another part of the page have it."""

import json

import pytest

from webtool.extraction import extract

TEXT = "<p>A jug of grey stoneware, thrown by hand and fired twice, holds a litre of milk or a bunch of tulips." * 3


def sold(offers, text="", name="Grey jug", **others):
    data = {"@type": "Product", "name": name, "offers": offers, **others}
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    extraction = extract(f"<title>Grey jug | Pots</title>{script}<main><h1>Grey jug</h1>{TEXT}{text}</main>")
    return extraction.markdown.rstrip().split("\n")[-1]


IN_STOCK = "https://schema.org/InStock"
OFFERS = [
    (
        {"@type": "Offer", "price": "79.90", "priceCurrency": "USD", "availability": IN_STOCK},
        "Price: 79.90 USD, in stock",
    ),
    ([{"price": 1250, "priceCurrency": "EUR"}], "Price: 1250 EUR"),
    ({"@type": "AggregateOffer", "lowPrice": 9, "highPrice": 12.5, "priceCurrency": "GBP"}, "Price: 9 to 12.5 GBP"),
    (
        [
            {"@type": "AggregateOffer", "lowPrice": 9, "highPrice": 30, "priceCurrency": "GBP"},
            {"@type": "AggregateOffer", "lowPrice": 10, "highPrice": 20, "priceCurrency": "GBP"},
        ],
        "Price: 9 to 30 GBP",
    ),
    ([{"price": 9, "priceCurrency": "GBP"}, {"price": "9.00", "priceCurrency": "GBP"}], "Price: 9 GBP"),
    (
        [{"price": p, "priceCurrency": c} for p, c in ((9, "GBP"), (9, "EUR"), (12, "GBP"))],
        "Price: 9 to 12 GBP or 9 EUR",
    ),
    ({"lowPrice": 12, "highPrice": "12.00", "priceCurrency": "GBP"}, "Price: 12.00 GBP"),
    ([{"price": 9, "priceCurrency": "GBP"}, {"price": 12}], "Price: 9 to 12"),
    ({"price": "12,50", "priceCurrency": "EUR"}, "Price: 12.50 EUR"),
    ({"price": "1,250", "priceCurrency": "EUR"}, "Price: 1250 EUR"),
    ({"priceSpecification": [{"price": "5.00", "priceCurrency": "CHF"}]}, "Price: 5.00 CHF"),
    (
        [{"name": "Grey jug - S", "price": 5}, {"name": "Grey jug - L", "price": 7, "availability": "SoldOut"}],
        "- L: 7, sold out",
    ),
]


@pytest.mark.parametrize(("offers", "line"), OFFERS)
def test_a_price_that_only_data_have_is_written(offers, line):
    assert sold(offers) == line


@pytest.mark.parametrize("shown", ["$79.90", "79,90 \u20ac"])
def test_a_price_in_the_text_is_not_written_again(shown):
    assert "Price" not in sold(OFFERS[0][0], f"<p>Yours for {shown} only, postage included, to any island.")


@pytest.mark.parametrize(
    "offers", [{"price": 0}, {"price": True}, {"price": "ask"}, "x", None, [[]], {"price": "9" * 400}]
)
def test_values_that_are_not_prices_are_left_out(offers):
    assert "Price" not in sold(offers)


def test_a_page_of_many_products_has_no_price_of_its_own():
    data = json.dumps([{"@type": "Product", "name": f"Pot {i}", "offers": {"price": i}} for i in range(1, 9)])
    extraction = extract(f'<title>Pots</title><script type="application/ld+json">{data}</script><h1>Pots</h1>{TEXT}')
    assert "Price" not in extraction.markdown


def page(head="", text="", price=""):
    source = f"<title>Grey jug | Pots</title>{head}<main><h1>Grey jug</h1>{price}{TEXT}{text}</main>"
    return extract(source, "https://pots.example/products/grey-jug").markdown.rstrip()


def ld(offers):
    data = {"@type": "Product", "name": "Grey jug", "offers": offers}
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


META = """<meta property=product:price:amount content=20><meta property=product:price:currency content=USD>
<meta property=og:availability content=instock>"""
LINES = [
    ("meta elements have it", page(META), "Price: 20 USD, in stock"),
    ("a currency's sign in the number", page(ld({"price": "\u20ac 5,90", "priceCurrency": "EUR"})), "Price: 5.90 EUR"),
    (
        "variants without names",
        page(ld([{"price": 5, "priceCurrency": "USD"}, {"price": 9, "priceCurrency": "USD"}])),
        "Price: 5 to 9 USD",
    ),
]


@pytest.mark.parametrize(("text", "line"), [entry[1:] for entry in LINES], ids=[entry[0] for entry in LINES])
def test_a_price_below_the_name_is_written_with_its_label(text, line):
    assert text.split("\n")[-1] == line


def test_data_in_another_currency_than_the_page_shows_are_left_out():
    assert "549" not in page(ld({"price": "549.56", "priceCurrency": "EUR"}), price="<div>\u20ac132.34</div>")


def test_variants_are_written_if_the_text_has_the_price_of_one():
    offers = [{"name": "S", "price": 5, "priceCurrency": "EUR"}, {"name": "L", "price": 7, "priceCurrency": "EUR"}]
    assert page(ld(offers), "<p>The small one is yours for 5 \u20ac, postage included, to any island.").endswith(
        "- L: 7 EUR"
    )


def test_a_struck_out_price_is_not_written():
    price = "<div><i>Now</i> $149.00</div><div><s>$149.00</s> <span>$119.00</span></div>"
    extraction = extract(
        f"<title>Grey jug</title><h1>Grey jug</h1>{price}<main>{TEXT}</main>", "https://x.example/p/jug"
    )
    assert "$119.00" in extraction.markdown
    assert "Price: $149.00" not in extraction.markdown
