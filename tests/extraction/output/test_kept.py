"""Plain text has the words of the markdown: without soft hyphens, with readings in parentheses."""

import pytest

from webtool.extraction import extract

TEXT = "The harbour has two tides a day, and the second one comes later than the first one did. "


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("Donau\u00addampf\u00adschiff", "Donaudampfschiff"),
        ("Donau&shy;dampf&shy;schiff", "Donaudampfschiff"),
        ("<ruby>漢字<rt>かんじ</rt></ruby>", "漢字(かんじ)"),
        ("<ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rp>(</rp><rt>きょう</rt><rp>)</rp></ruby>", "東(とう)京(きょう)"),
        ("<ruby><rb>東<rt> </ruby> x", "東 x"),
    ],
)
def test_text_and_markdown_have_the_same_words(html, expected):
    found = extract(f"<main><h1>Words</h1><p>{TEXT}{html} {TEXT}</p><p>{TEXT * 2}</p></main>")
    assert f" {expected} " in found.text
    assert f" {expected} " in found.markdown


def test_a_drawn_formula_that_breaks_between_its_pictures_stays_whole():
    drawn = "<svg><g data-latex='x^2'></g></svg><mjx-break> </mjx-break><svg><path></path></svg>"
    formula = f"It is <mjx-container>{drawn}</mjx-container>, and more."
    page = f"<main><h1>Areas</h1><p>{TEXT}{formula}</p><p>{TEXT * 2}</p></main>"
    assert "It is $x^2$, and more." in extract(page).markdown
