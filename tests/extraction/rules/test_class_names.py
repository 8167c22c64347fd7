"""Parts are dropped by class or id, each kind on the pages where its names mean furniture."""

import pytest

from webtool import html
from webtool.extraction import extract
from webtool.extraction.page import cutting
from webtool.extraction.rules import class_names as names

STORY = "<p>The kiln is fired with beech wood for two days, and nobody sleeps much while it burns.</p>" * 4
PART = "<p>Since 2009, in Tarn.</p>"


def left(source, parts, headline=-1):
    page = cutting.cut(html.parse_html(f"<article>{STORY}{source}</article>"))
    keep = [True] * len(page.blocks)
    for first, last in names.find(page, [float(size) for size in page.sizes], parts, headline):
        keep[first:last] = [False] * (last - first)
    return [block.text for block, is_kept in zip(page.blocks, keep) if is_kept][4:]


@pytest.mark.parametrize(
    ("parts", "attributes"),
    [
        (names.OVERLAYS, ["class='modal fade'", "class='x tooltip'"]),
        (names.POST_FURNITURE, ["class=signature", "class='message-signature wide'", "id=sig1207", "class=js-unfurl"]),
        (names.READER_COMMENTS, ["id=comments", "class='post-comments x'"]),
        (names.PRODUCT_FURNITURE, ["class=product-reviews", "id=reviews", "class=filters", "class='cart drawer'"]),
    ],
)
def test_a_class_name_tells_what_a_part_is(parts, attributes):
    assert [left(f"<div {attribute}>{PART}</div>", parts) for attribute in attributes] == [[]] * len(attributes)


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (names.POST_FURNITURE, "class=signatures-of-composers"),
        (names.OVERLAYS, "class=product-modal"),
        (names.OVERLAYS, "class=member-signature"),
        (names.READER_COMMENTS, "class=commentary"),
        (names.PRODUCT_FURNITURE, "class='reviews testimonials'"),
    ],
)
def test_similar_class_names_drop_nothing(parts, name):
    assert left(f"<div {name}>{PART}</div>", parts) == ["Since 2009, in Tarn."]


def test_a_part_with_most_of_the_words_stays():
    assert len(left(f"<div class=signature>{STORY}</div>", names.POST_FURNITURE)) == 4


def test_the_part_with_the_headline_stays():
    assert left(f"<div class=reviews>{PART}</div>", names.PRODUCT_FURNITURE, 4) == ["Since 2009, in Tarn."]


def test_a_dialog_amid_an_article_is_dropped():
    paragraphs = [
        f"<p>Kiln {n} is fired with beech wood for two days, and nobody sleeps while it burns." for n in range(9)
    ]
    dialog = "<div class='modal fade'><p>Anna writes about clay and lives beside the kiln with her dogs.</p></div>"
    text = extract(f"<title>Kilns</title><h1>Kilns</h1>{''.join([*paragraphs[:8], dialog, paragraphs[8]])}").text
    assert "dogs" not in text
    assert "Kiln 8" in text
