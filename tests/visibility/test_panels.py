"""Panels: hidden text that a click opens is written, other hidden text is not."""

import pytest
from hiding import AROUND

from webtool.html import parse_html
from webtool.markdown import to_markdown


def _shown(html):
    return to_markdown(parse_html(AROUND + html))


TWINS = [
    # Slides and filters of a shop: one is visible, three are hidden.
    ("li", "card", "card hidden", 3, True),
    ("div", "facet row", "row facet d-none", 3, True),
    ("ul", "list is-active", "list hidden", 4, True),
    ("li", "card", "card hidden", 2, False),
    ("li", "other", "card hidden", 3, False),
    ("li", "card", "hidden", 3, False),
    ("span", "label", "label sr-only", 3, False),
    ("p", "", "t hidden", 3, False),
]


@pytest.mark.parametrize(("tag", "shown", "hidden", "count", "stays"), TWINS)
def test_hidden_elements_beside_a_visible_one_of_their_form_are_shown(tag, shown, hidden, count, stays):
    waiting = "".join(f"<{tag} class='{hidden}'>waiting text number {n}</{tag}>" for n in range(count))
    text = _shown(f"<section><{tag} class='{shown}'>the one that shows</{tag}>{waiting}</section>")
    assert ("waiting text number 1" in text) is stays


@pytest.mark.parametrize(("shown", "stays"), [("The harbour has two tides a day, and the ...", True), ("More", False)])
def test_the_full_text_behind_a_shortened_one_is_shown(shown, stays):
    whole = "The harbour has two tides a day, and the second one comes later than the first one."
    text = _shown(f"<div><span class=begin>{shown}</span><span class='copy hidden'>{whole}</span></div>")
    assert (whole in text) is stays


# A panel with the page around it, and whether it is shown.
NAMED = [
    ("<div class=tab-content style='display:none'>waiting text</div>", False),
    ("<h2>Title</h2><div class='content' style='display:none'>waiting text</div>", False),
    ("<p>Line</p><div class=description hidden>waiting text</div>", False),
    ("<b><button>Details</button></b><div class=tab-content style='display:none'>waiting text</div>", True),
    ("<div><a href='#a'>One</a></div><div><div class=tab-content style='display:none'>waiting text</div></div>", True),
    ("<ul role=tablist><li><a href='#c'>One</a></ul><div id=c style='display:none'>waiting text</div>", True),
    ("<ul class='tabs'><li><a href='#c'>One</a></ul><p>x<div id=c style='display:none'>waiting text</div>", True),
    ("<ul class='tables'><li><a href='#c'>One</a></ul><p>x<div id=c style='display:none'>waiting text</div>", False),
    ("<ul class='tabs'><li><a href='#d'>One</a></ul><p>x<div id=c style='display:none'>waiting text</div>", False),
    ("<div><i class=toggle-icon></i></div><div class=details style='display:none'>waiting text</div>", True),
    ("<div><i class=toggle-icon hidden></i><div class=details style='display:none'>waiting text</div></div>", False),
    ("<div><table class=table></table></div><div class=details style='display:none'>waiting text</div>", False),
    ("<div><i class=narrow></i></div><div class=details style='display:none'>waiting text</div>", False),
    ("<div><i class=navTab></i></div><div class=details style='display:none'>waiting text</div>", True),
    ("<div><i class=tab-link></i></div><div class=details style='display:none'>waiting text</div>", True),
    ("<ul class=tabs><li><a href='#%C3%BC'>One</a></ul><p>x<div id=ü style='display:none'>waiting text</div>", True),
    ("<div class=slide>shown</div><div class=slide style='display:none'>waiting text</div>", True),
    ("<input type=checkbox id=q><label for=q>Is it deep?</label><p style='display:none'>waiting text", True),
    ("<input type=checkbox id=q><label for=r>Is it deep?</label><p style='display:none'>waiting text", False),
    ("<label for=q>Is it deep?</label><input type=checkbox id=q><p style='display:none'>waiting text", True),
    ("<label for=r>Is it deep?</label><input type=checkbox id=q><p style='display:none'>waiting text", False),
    ("<input type=checkbox><label>Is it deep?</label><p style='display:none'>waiting text", False),
    ("<input type=text id=q><label for=q>Is it deep?</label><p style='display:none'>waiting text", False),
    ("<p class=present>shown<p class='future' style='display:none'>waiting text", True),
    ("<p class=present>shown<div class='future' style='display:none'>waiting text</div>", False),
    ("<p class=note>shown<p class='future' style='display:none'>waiting text", False),
    ("<h3>Is it deep?</h3><div class=faq-answer style='display:none'>waiting text</div>", True),
    ("<dl>" + "<dt>Is it deep?<dd style='display:none'>waiting text" * 3 + "</dl>", True),
    ("<dl>" + "<dt>Is it deep?<dd style='display:none'>waiting text" * 2 + "</dl>", False),
    ("<span class=detail-unit aria-hidden=true>waiting text</span>", True),
    ("<h3><button id=b>T</button></h3><div id=drawer role=region aria-labelledby=b hidden>waiting text</div>", True),
    ("<h3><button id=c>T</button></h3><div id=drawer role=region aria-labelledby=b hidden>waiting text</div>", False),
    # What is folded to no height follows its button, which need not name it.
    ("<button aria-expanded=false>T</button><p style='display:grid;grid-template-rows:0fr'><b>waiting text</b>", True),
    ("<h3><button aria-expanded=false>T</button></h3><div style='height:0;overflow:hidden'>waiting text</div>", True),
    ("<h3><!--c--><button aria-expanded>T</button></h3><p style='height:0;overflow:hidden'>waiting text", True),
    ("<button>T</button><div style='display:grid;grid-template-rows:0fr'><p>waiting text</div>", False),
    ("<button aria-expanded aria-haspopup=true>T</button><p style='height:0;overflow:hidden'>waiting text", False),
    ("<p>x<div style='height:0;overflow:hidden'>waiting text</div><button aria-expanded=false>T</button>", False),
]  # fmt: skip


@pytest.mark.parametrize(("html", "stays"), NAMED)
def test_an_element_named_as_a_panel_is_shown_if_something_opens_it(html, stays):
    assert ("waiting text" in _shown(f"<main><section>{html}</section></main>")) is stays


@pytest.mark.parametrize("style", ["opacity:0", "visibility:hidden"])
@pytest.mark.parametrize(("words", "stays"), [(100, False), (400, True)])
@pytest.mark.parametrize("depth", [1, 3])
def test_the_text_that_waits_for_scripts_counts_once_however_deep_it_is_hidden(style, words, stays, depth):
    inner = f"<div style='{style}'>" * depth + "<p>" + "waiting text " * (words // 2) + "</p>" + "</div>" * depth
    assert ("waiting text" in _shown(AROUND + inner)) is stays
