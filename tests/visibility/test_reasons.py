"""The table of reasons: one row each, and the exceptions that show an element all the same."""

import pytest

from webtool.css.declarations import style_of
from webtool.css.properties import PROPERTIES
from webtool.html import parse_html
from webtool.html.node import elements
from webtool.visibility.reasons import APPLIES, DOUBTFUL, REASONS, SHOWN, Case, verdict_of
from webtool.visibility.styles import PageStyles

STATES = {"size", "height", "rows", "pushed", "beyond", "blur", "x-covered"}  # reasons that are not named as a property


def verdict(html):
    """Return the verdict on the element with id=i, and the reported reason."""
    root = parse_html(html)
    styles = PageStyles(root)
    element = next(one for one in elements(root) if one.attrs.get("id") == "i")
    style = styles.style_at(element)
    return verdict_of(style["hides"], Case(element, style, styles))


def test_each_reason_has_one_row_with_a_legend():
    names = [row.name for row in REASONS]
    assert len(names) == len(set(names))
    assert all(row.legend for row in REASONS)


def test_each_reason_is_an_attribute_a_state_or_a_property():
    properties = {row.reason or row.name for row in PROPERTIES}
    assert {row.name for row in REASONS} <= properties | STATES | {"hidden", "aria-hidden", "class", "popover"}
    assert {reason for reason in properties if reason in STATES} <= {row.name for row in REASONS}


@pytest.mark.parametrize(("html", "expected"), [
    ("<p id=i style='display:none'>x</p>", (APPLIES, "display")),
    ("<p id=i style='zoom:.01'>x</p>", (APPLIES, "zoom")),
    ("<p id=i style='opacity:0'>x</p>", (APPLIES, "opacity")),
    ("<h2 id=i style='opacity:0'>x</h2>", (DOUBTFUL, "opacity")),
    ("<p id=i class=wow style='visibility:hidden'>x</p>", (DOUBTFUL, "visibility")),
    ("<p id=i style='visibility:hidden;text-transform:uppercase'>x</p>", (APPLIES, "visibility")),
    ("<p id=i style='visibility:hidden;transform:scale(2)'>x</p>", (DOUBTFUL, "visibility")),
    ("<p id=i style='visibility:hidden;-webkit-transform:scale(2)'>x</p>", (DOUBTFUL, "visibility")),
    ("<p id=i style='visibility:hidden;transition:all 1s'>x</p>", (DOUBTFUL, "visibility")),
    ("<article><div><header><h2 id=i style='opacity:0'>x</h2></header></div></article>", (DOUBTFUL, "opacity")),
    ("<div><header><h2 id=i style='opacity:0'>x</h2></header></div>", (APPLIES, "opacity")),
    ("<table><td id=i style='height:0;overflow:hidden'>x</table>", (SHOWN, "height")),
    ("<p>a <b id=i style='transform:scale(0)'>x</b></p>", (DOUBTFUL, "transform")),
    ("<div id=i style='display:grid;grid-template-rows:0fr'><p>x</p></div>", (APPLIES, "height")),
    ("<div id=i style='display:grid;grid-template-rows:0fr'>x</div>", (SHOWN, "rows")),
    ("<p id=i style='box-sizing:border-box;height:9px;padding-top:9px;overflow:hidden'>x</p>", (APPLIES, "height")),
    ("<p id=i style='box-sizing:border-box;height:9px;padding-top:9px;overflow:hidden'><!--c-->x", (APPLIES, "height")),
    ("<div class=carousel><p id=i style='margin-left:-3000px'><!--a--><!--b-->x</div>", (APPLIES, "margin-left")),
    ("<p id=i style='position:absolute;left:3000px'>x</p>", (APPLIES, "position")),
    ("<p style='position:absolute'>y</p><p id=i style='position:absolute;left:3000px'>x</p>", (SHOWN, "beyond")),
    ("<a id=i href=/x style='text-indent:-999px'>x</a>", (SHOWN, "text-indent")),
    ("<div id=i style='filter:blur(20px)'><img></div>", (SHOWN, "blur")),
])  # fmt: skip
def test_exceptions_show_what_a_style_seems_to_hide(html, expected):
    assert verdict(html) == expected


def test_states_come_from_styles():
    assert style_of("position:absolute;left:3000px")["hides"] == "beyond"
    assert style_of("box-sizing:border-box;height:9px;padding-top:9px;overflow:hidden")["hides"] == "pushed"
