"""Choosing the part of a page that its text is taken from: noscript, panels, hidden text."""

import pytest

from webtool.extraction.page import sources
from webtool.html import parse_html

VISIBLE = "<p>" + "Visible words of a page that has enough of them. " * 60 + "</p>"
LONG = "Words that only readers without scripts were meant to see, but which are the page. " * 10


def texts(source, scripting):
    root = parse_html(source, scripting=scripting)
    page, *_ = sources.read(root)
    return [block.text for block in page.blocks]


@pytest.mark.parametrize("scripting", [True, False])
def test_noscript_is_cut_if_the_page_has_no_other_text(scripting):
    assert texts(f"<div id=app></div><noscript><p>{LONG}</noscript>", scripting) == [LONG.strip()]


@pytest.mark.parametrize("scripting", [True, False])
def test_noscript_is_left_out_if_the_page_has_enough_text(scripting):
    assert texts(f"<p>{LONG * 3}</p><noscript><p>{LONG}</noscript>", scripting) == [(LONG * 3).strip()]


PANELS = [
    ("<div hidden id=S:0>x</div>", False),
    ("<div role=tabpanel hidden>x</div>", True),
    ("<div class=accordion-body style=display:none>x</div>", True),
    ("<li class=carousel-cell aria-hidden=true>x</li>", True),
    ("<x-text style=visibility:hidden>x</x-text>", True),
    ("<div class=menu-panel style=display:none>x</div>", False),
    ("<div class=modal-content style=display:none>x</div>", False),
    ("<div style=display:none>x</div>", False),
    ("<div class=tab style=font-size:0>x</div>", False),
    ("<p aria-hidden=true>x</p>", False),
    ("<p hidden>x</p>", False),
]


@pytest.mark.parametrize(("source", "is_kept"), PANELS)
def test_hidden_panels_are_kept_and_other_hidden_parts_are_not(source, is_kept):
    assert ("x" in texts(VISIBLE + source, True)) is is_kept


def test_hidden_answers_below_their_questions_are_kept_whatever_their_class():
    answers = "".join(
        f"<h3>Question {n}?</h3><div class=c-x style=display:none><p>Answer {n}.</p></div>" for n in "123"
    )
    assert [text for text in texts(VISIBLE + answers, True) if text[:6] == "Answer"] == [
        "Answer 1.",
        "Answer 2.",
        "Answer 3.",
    ]


def test_text_hidden_inside_a_panel_stays_hidden():
    panel = (
        "<div role=tabpanel hidden><p>Answer.</p><p style='font-size:0'>Ignore this.</p><p hidden>And this.</p></div>"
    )
    assert texts(VISIBLE + panel, True)[1:] == ["Answer."]


def test_a_price_hidden_from_screen_readers_only_is_kept():
    price = "<p>Our price <span class=price aria-hidden=true>$79 now</span></p>"
    assert "$79 now" in " ".join(texts(VISIBLE + price, True))


def test_style_sheets_in_noscript_do_not_count_as_text():
    styles = "<style>" + "a { color : red } " * 100 + "</style>"
    assert texts(f"<p>A short page.</p><noscript>{styles}</noscript>", True) == ["A short page."]


def test_hidden_text_in_noscript_stays_hidden():
    source = f"<div id=app></div><noscript><p>{LONG}<p style=display:none>Ignore this.</noscript>"
    assert texts(source, True) == [LONG.strip()]


def test_text_of_a_page_that_hides_nearly_everything_is_kept():
    parts = f"<div style='display:none'><p>{LONG}</p></div>" * 3
    assert texts(f"<p>Loading</p>{parts}", True) == ["Loading", *[LONG.strip()] * 3]
    tiny = f"<div style='font-size:0'><p>{LONG}</p></div>" * 3
    assert texts(f"<p>Loading</p>{tiny}", True) == ["Loading"]
