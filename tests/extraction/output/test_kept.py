"""Plain text has the words of the markdown: without soft hyphens, with readings in parentheses."""

import pytest

from webtool.extraction import extract
from webtool.extraction.output import kept
from webtool.extraction.page import sources
from webtool.html import parse_html
from webtool.html.node import elements

TEXT = "The harbour has two tides a day, and the second one comes later than the first one did. "


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("Donau\u00addampf\u00adschiff", "Donaudampfschiff"),
        ("Donau&shy;dampf&shy;schiff", "Donaudampfschiff"),
        ("<ruby>漢字<rt>かんじ</rt></ruby>", "漢字(かんじ)"),
        ("<ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rp>(</rp><rt>きょう</rt><rp>)</rp></ruby>", "東(とう)京(きょう)"),
        ("<ruby><rb>東<rt> </ruby> x", "東 x"),
        ("<ruby>東<rt><span>とう</span></rt>京<rt><span>きょ</span><span>う</span></rt></ruby>", "東(とう)京(きょう)"),
    ],
)
def test_text_and_markdown_have_the_same_words(html, expected):
    found = extract(f"<main><h1>Words</h1><p>{TEXT}{html} {TEXT}</p><p>{TEXT * 2}</p></main>")
    assert f" {expected} " in found.text
    assert f" {expected} " in found.markdown


def test_values_of_fields_stay_in_the_text_around_them():
    line = "<p>It costs <input value=258 readonly> EUR to <select><option>Kiel<option selected>Emden</select> now.</p>"
    labelled = "<div><label>Boat</label><input value=Swan> of the line, and so on.</div>"
    rows = "".join(
        f"<tr><td>Boat {n}<td><label><input type=checkbox{' checked' * (n % 2)}></label><td>{n}" for n in range(4)
    )
    table = f"<table><tr><th>Boat<th>Here<th>No.{rows}</table>"
    page = f"<main><h1>Ferries</h1><p>{TEXT * 3}</p>{line}{labelled}{table}<p>{TEXT * 3}</p>"
    markdown = extract(
        page + "<p>Key <input type=password value=Planted> <input type=hidden value=Planted></p></main>"
    ).markdown
    assert "It costs 258 EUR to Emden (or Kiel) now." in markdown
    assert "Boat Swan of the line" in markdown
    assert "| Boat 1 | [x] | 1 |\n| Boat 2 | [ ] | 2 |" in markdown
    assert "Planted" not in markdown


def test_a_drawn_formula_that_breaks_between_its_pictures_stays_whole():
    drawn = "<svg><g data-latex='x^2'></g></svg><mjx-break> </mjx-break><svg><path></path></svg>"
    formula = f"It is <mjx-container>{drawn}</mjx-container>, and more."
    page = f"<main><h1>Areas</h1><p>{TEXT}{formula}</p><p>{TEXT * 2}</p></main>"
    assert "It is $x^2$, and more." in extract(page).markdown


def test_a_cell_without_words_keeps_its_field_and_its_picture():
    picture = "<div><img src=/{}.jpg width=300 height=300 alt='A boat at sea'></div>"
    rows = "".join(f"<tr><td>Boat {n}<td><input type=checkbox checked>{picture.format(n)}<td>{n}" for n in range(4))
    table = f"<table><tr><th>Boat<th>Here<th>No.{rows}</table>"
    markdown = extract(f"<main><h1>Ferries</h1><p>{TEXT * 3}</p>{table}<p>{TEXT * 3}</p></main>").markdown
    assert "| Boat 1 | [x] ![A boat at sea](/1.jpg) | 1 |" in markdown


def test_a_cell_by_role_without_words_keeps_its_field_and_its_picture():
    picture = "<div><img src=/{0}.jpg width=300 height=300 alt='A boat at sea'></div>"
    cells = ("Boat {0}", "<input type=checkbox checked>" + picture, "{0}")
    row = "<div role=row>" + "".join(f"<div role=cell>{cell}</div>" for cell in cells) + "</div>"
    table = f"<div role=table>{''.join(row.format(n) for n in range(4))}</div>"
    markdown = extract(f"<main><h1>Ferries</h1><p>{TEXT * 3}</p>{table}<p>{TEXT * 3}</p></main>").markdown
    assert "| Boat 1 | [x] ![A boat at sea](/1.jpg) | 1 |" in markdown


@pytest.mark.parametrize(
    "code",
    [
        "<pre><span class=lineno>1</span>x = 17\n<span class=lineno>2</span>y = 18</pre>",
        "<table><tr><td class=gutter><pre>1\n2</pre><td class=code><pre>x = 17\ny = 18</pre></table>",
    ],
)
def test_code_in_the_text_has_no_line_numbers(code):
    text = extract(f"<main><h1>Code</h1><p>{TEXT * 2}</p>{code}<p>{TEXT * 2}</p></main>", strategy="plain_text").text
    assert "\n\nx = 17\ny = 18\n\n" in text


def test_a_formula_that_is_only_a_picture_inside_its_box_stays():
    formula = "<mjx-container><span><img class=tex alt='x^2' src=/a.png></span></mjx-container>"
    markdown = extract(f"<main><h1>Areas</h1><p>{TEXT}It is {formula}, and {TEXT}</p></main>").markdown
    assert "It is $x^2$, and" in markdown


@pytest.mark.parametrize(
    ("caption", "alternative"),
    [
        ("<figcaption>The ferry</figcaption>", "The ferry"),
        ("<figcaption hidden>Planted</figcaption>", ""),
        ("<figcaption>The ferry <b hidden>Planted</b></figcaption>", "The ferry"),
        ("<figcaption style='display:none'>Planted</figcaption>", ""),
    ],
)
def test_a_hidden_caption_is_no_text_alternative(caption, alternative):
    figure = f"<figure><img src=/b.jpg width=600>{caption}</figure>"
    page = parse_html(f"<main><p>one</p>{figure}<p>two</p></main>")
    cut, hidden, _ = sources.read(page)
    tree = kept.tree(cut, [block.text in ("one", "two") for block in cut.blocks], hidden)
    assert [node.attrs["alt"] for node in elements(tree) if node.tag == "img"] == [alternative]


def test_a_rule_between_texts_stays_and_one_at_the_end_does_not():
    page = f"<main><h1>Tides</h1><p>{TEXT}</p><hr><p>{TEXT}</p><div><hr><nav><a href=/a>More</a></nav></div></main>"
    assert extract(page).markdown.count("\n---\n") == 1
