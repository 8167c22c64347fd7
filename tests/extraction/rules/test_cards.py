"""Cards: a name with its price, and the list that a page is about from end to end."""

import pytest
from choices import run_rows

from webtool.extraction.page import sources
from webtool.extraction.rules import cards
from webtool.html import parse_html

LONG = "word " * 60


def kept(source, *chosen, is_list=False):
    page, *_ = sources.read(parse_html(source))
    keep = [any(part in block.text for part in chosen) for block in page.blocks]
    run_rows("complete_cards", "complete_cards", page, keep, meta={} if is_list else {"og:type": "article"})
    return [block.text for block, is_kept in zip(page.blocks, keep) if is_kept]


TOGETHER = [
    ("<ul><li><h3>Mug</h3><span>$ 7.50</span><p>In stock</ul>", "Mug", ["Mug", "$ 7.50"]),
    (f"<div><h3>Mug</h3><p>79,90 €</p></div><p>{LONG}<div><p>5 €</p></div>", "Mug", ["Mug", "79,90 €"]),
    ("<div><a href=/m><span role=heading>A mug</span></a><p><s>£9</s></p><p>£7</div>", "£7", ["A mug", "£9", "£7"]),
    ("<div><h4>Tea pot</h4><p><a href=/t>Learn more</a><p>40 kr</div>", "40 kr", ["Tea pot", "40 kr"]),
    ("<div><p>Oak table<p>$90<p><a href=/buy>Buy now</a></div>", "$90", ["$90", "Buy now"]),
    ("<div><h3>Tea pot</h3><p>Made of clay.<p>40 kr</div>", "clay", ["Tea pot", "Made of clay.", "40 kr"]),
    (
        "<div><a href=/t>Tea pot of clay</a><p>It holds a litre.<p>$4</div>",
        "litre",
        ["Tea pot of clay", "It holds a litre.", "$4"],
    ),
    ("<div><p>It holds a litre.<p>$4<p><a href=/t>Tell your friends</a></div>", "litre", ["It holds a litre.", "$4"]),
    ("<div><p>A table of oak<p>$90<p><a href=/buy>Buy now</a></div>", "A table", ["A table of oak", "$90"]),
]


@pytest.mark.parametrize(("source", "chosen", "expected"), TOGETHER)
def test_a_price_is_kept_with_its_name(source, chosen, expected):
    assert kept(source, chosen) == expected


def test_a_link_that_each_card_repeats_is_not_a_name():
    source = "".join(
        f"<div><a href=/{i}>Mug {i}</a><a href=/q{i}><div>Quick view of it</div></a><p>${i}</div>" for i in (1, 2)
    )
    assert kept(source, "$") == ["Mug 1", "$1", "Mug 2", "$2"]


def shelf(names, of=""):
    items = "".join(f"<li><a href=/{name}><h3>{name}</h3></a><p>$ 5.00<p>12 left" for name in names)
    return f"<div class='{of}'><ul>{items}</ul></div>"


NAMES = ["Mug", "Pot", "Jug", "Cup", "Pan", "Lid"]
LISTED = [text for name in NAMES for text in (name, "$ 5.00")]


def test_the_list_that_a_page_is_about_is_kept_from_end_to_end():
    page = f"<h1>Kitchen</h1><p>Made of clay.</p>{shelf(NAMES)}"
    assert kept(page, "clay", is_list=True) == ["Made of clay.", *LISTED]
    assert kept(page, "clay") == ["Made of clay."]


@pytest.mark.parametrize(
    "page",
    [
        f"<p>Clay</p>{shelf(NAMES, 'carousel')}",
        f"<p>Clay</p>{shelf(NAMES[:5])}",
        f"{shelf(NAMES)}<h1>Kitchen</h1><p>Clay",
        f"<p>Clay {LONG * 9}</p>{shelf(NAMES)}",
    ],
)
def test_few_cards_and_cards_beside_a_text_are_not_kept_whole(page):
    assert len(kept(page, "Clay", is_list=True)) == 1


@pytest.mark.parametrize(
    "names",
    [
        "product post-{i} instock product_cat-{name}",
        "post-{i} post tag-{name}",
        "elementor-element elementor-element-3f{i}c",
        "comment comment-{i}",
    ],
)
def test_cards_with_numbered_classes_are_one_list(names):
    items = [f"<li class='{names.format(i=i, name=n)}'><h3>{n}</h3><b>$ 5.00</b>" for i, n in enumerate(NAMES, 88)]
    page = f"<h1>Kitchen</h1><p>Made of clay.</p><ul>{''.join(items)}</ul>"
    assert kept(page, "clay", is_list=True)[1:] == LISTED


PRICES = (
    "$5",
    "7,90\u20ac",
    "253.0 \u0433\u0440\u043d",
    "870 \u0440\u0443\u0431.",
    "47 405 \u0420",
    "\u20b41.200",
    "12 \u043b\u0432",
)
PRICES += ("1 290 K\u010d", "DKK 1.084,00", "Rp 150.000", "99 TL", "50 RON", "\u20ba99")


@pytest.mark.parametrize("text", PRICES)
def test_prices_of_many_countries(text):
    assert cards.is_price(text)


@pytest.mark.parametrize("text", ["Try 5 days", "5 rooms", "12 left", "12 \u043b\u0435\u0442", "50 din\u00e9s"])
def test_amounts_without_a_currency_are_not_prices(text):
    assert not cards.is_price(text)
