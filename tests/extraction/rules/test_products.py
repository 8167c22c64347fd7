"""Reviews and other products leave the page of one product, and no other."""

import pytest
from choices import run_rows

from webtool import html
from webtool.extraction import extract
from webtool.extraction.page import cutting, head
from webtool.extraction.rules import products

DATA = '<script type="application/ld+json">{"@type": "Product", "name": "Pot"}</script>'
STORY = (
    "<p>A pot of cast iron with a lid that keeps the steam in, and two handles that stay cool enough to touch.</p>" * 3
)
REVIEW = "<p>I have cooked in it every day since May, and neither the lid nor the handles have let me down so far.</p>"
CARD = (
    "<div><h3>Pan of steel</h3><p>A pan that needs some care, and gives it back every evening at dinner time.</p></div>"
)


def page(rest, data=DATA):
    head = f"<html lang=en><head><title>Pot | Shop</title>{data}</head><body>"
    return f'{head}<main><h1>Pot</h1><div class="description">{STORY}</div>{rest}</main></body></html>'


@pytest.mark.parametrize(
    "part",
    [
        f'<div class="product-reviews">{REVIEW * 4}</div>',
        f'<div id="reviews"><h2>12 opinions</h2>{REVIEW * 4}</div>',
        f'<section class="x1"><h2>Customers also bought</h2>{CARD * 4}</section>',
        f"<h2>Das könnte Ihnen auch gefallen</h2><div>{CARD * 4}</div>",
        f"<div><div>猜你喜欢</div>{CARD * 4}</div>",
        f"<div><h3>Goes well with</h3>{CARD * 4}</div>",
    ],
)
def test_reviews_and_other_products_are_dropped(part):
    extraction = extract(page(part)).text
    assert "keeps the steam in" in extraction
    assert "every day since May" not in extraction
    assert "every evening" not in extraction


def test_other_products_do_not_change_what_is_chosen():
    cards = "".join(f"<div><h3>Pan of steel {n} for the oven</h3><p>${n}.20</p></div>" for n in range(30))
    source = f"<html><title>Pot | Shop</title><body><h2>Similar items</h2><div>{cards}</div><main><h1>Pot</h1>{STORY}"
    tree = html.parse_html(source)
    ranges = products.others(cutting.cut(tree), head.read(tree), "https://shop.example/itm/4711")
    assert ranges == [(0, 61)]
    assert not products.others(cutting.cut(tree), head.read(tree), "https://shop.example/pots")


@pytest.mark.parametrize("label", ["Works with", "Looks with", "Go with"])
def test_a_list_of_what_a_product_fits_stays(label):
    fits = "<ul><li>Stoves of gas and of wood</li><li>Hobs that work by induction</li></ul>"
    extraction = extract(page(f"<h2>{label}</h2>{fits}<h2>Care</h2>{STORY}")).text
    assert "by induction" in extraction


def test_testimonials_stay():
    assert "every day since May" in extract(page(f'<div class="reviews testimonials">{REVIEW * 2}</div>')).text


def test_reviews_stay_on_a_page_without_a_product():
    assert "every day since May" in extract(page(f'<div class="product-reviews">{REVIEW * 4}</div>', "")).text


def test_a_part_around_the_headline_stays():
    html = page("").replace("<main>", '<main class="reviews">')
    assert "keeps the steam in" in extract(html).text


def test_an_address_of_a_product_is_enough_for_reviews():
    part = f'<div class="product-reviews">{REVIEW * 4}</div>'
    assert "since May" not in extract(page(part, ""), "https://shop.example/products/pot").text


def test_a_heading_of_other_products_ends_with_the_next_of_its_rank():
    part = f"<h2>Related products</h2><p>Pan of steel</p><h2>Care</h2>{STORY.replace('pot', 'kettle')}"
    extraction = extract(page(part)).text
    assert "Pan of steel" not in extraction
    assert "A kettle of cast iron" in extraction


@pytest.mark.parametrize(
    "table",
    [
        "<table><tr><th>Total</th><td>0.00</td></tr><tr><th>Goods</th><td>none</td></tr></table>",
        "<dl><dt>Total</dt><dd>0.00</dd><dt>Goods</dt><dd>none</dd></dl>",
    ],
)
def test_low_chances_leave_the_table_of_a_cart(table):
    cut = cutting.cut(html.parse_html(page(table)))
    of_page = head.read(html.parse_html(page(table)))
    for chance, is_kept in ((0.02, False), (0.2, True)):
        cells = [block.text in ("Total", "0.00", "Goods", "none") for block in cut.blocks]
        keep = [not cell for cell in cells]
        run_rows("drop_others", "keep_tables", cut, keep, of_page, chances=[chance if cell else 0.9 for cell in cells])
        assert all(kept == is_kept for kept, cell in zip(keep, cells) if cell)


SCOPE = "<div itemscope itemtype='http://schema.org/Product'>"
SPEC = "<table><tr><th>Holds</th><td>4 litres</td></tr><tr><th>Weighs</th><td>3 kg</td></tr></table>"


def test_microdata_of_one_product_make_a_product_page():
    source = page(f"<p>$40.00</p>{SPEC}<h2>Related products</h2>{CARD * 4}", "").replace("<main>", f"<main>{SCOPE}")
    extraction = extract(source)
    assert "every evening" not in extraction.text
    assert "| Weighs | 3 kg |" in extraction.markdown
    assert "$40.00" in extraction.markdown


def test_microdata_of_each_list_entry_make_no_product_page():
    cut = cutting.cut(html.parse_html(f"<h1>Pots</h1>{f'{SCOPE}<p>Pot</p></div>' * 4}"))
    assert not products.is_about_one(cut, head.Head())


def test_a_table_of_links_is_not_kept():
    menu = "<table>" + "".join(f"<tr><td><a href=/{n}>Pots of kind {n}</a></td></tr>" for n in range(9)) + "</table>"
    cut, of_page = cutting.cut(html.parse_html(page(menu))), head.read(html.parse_html(page(menu)))
    keep = ["kind" not in block.text for block in cut.blocks]
    run_rows("drop_others", "keep_tables", cut, keep, of_page, chances=[0.2] * len(keep))
    assert not any(is_kept for block, is_kept in zip(cut.blocks, keep) if "kind" in block.text)
