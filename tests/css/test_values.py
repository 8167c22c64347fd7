"""Values of properties: numbers, colours, media queries, geometry, paint, and the blocks that they come from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.css import boxes, paint
from webtool.css.colours import alpha_of, colour_of, is_same_colour, number_of
from webtool.css.declarations import read_declarations, style_of
from webtool.css.media import matches_screen

NUMBERS = [
    ("1.5em", (1.5, "em")), ("-.5", (-0.5, "")), ("calc(2px * 3)", (6.0, "px")), ("min(2px, 3px)", (2.0, "px")),
    ("clamp(1px, 9px, 4px)", (4.0, "px")), ("calc(1rem + .5vw)", (1.0, "rem")), ("1px 2px", None), ("auto", None),
    ("calc(1px / 0)", None), ("calc(1px - 1em)", None),
]  # fmt: skip
COLOURS = [
    ("red", "#ff0000", 1.0), ("#f00", "#ff0000", 1.0), ("#ff000080", "#ff0000", 128 / 255),
    ("rgb(255 0 0 / 50%)", "#ff0000", 0.5), ("hsl(0, 100%, 50%)", "#ff0000", 1.0),
    ("rgba(0,0,0,0)", "transparent", 0.0),
    ("rgb(from white r g 0)", "#ffff00", 1.0), ("oklch(1 0 0)", "#ffffff", 1.0), ("oklch(.5 0 0)", None, 1.0),
    ("color(srgb 1 1 1)", "#ffffff", 1.0), ("color-mix(in srgb, red 100%, blue)", "#ff0000", 1.0),
    ("nonsense", None, 1.0),
]  # fmt: skip
# A screen of 1280 by 1024 px with a mouse, whose owner has set no preferences.
MEDIA = [
    ("", True), ("screen", True), ("print", False), ("not print", True), ("print, (min-width: 600px)", True),
    ("(max-width: 600px)", False), ("(400px <= width < 1281px)", True), ("(orientation: portrait)", False),
    ("(hover)", True), ("(monochrome)", False), ("not (unknown: 1)", False), ("(unknown)", False),
    ("(min-aspect-ratio: 4/3)", False), ("(min-resolution: 192dpi)", False),
]  # fmt: skip
BLOCKS = [
    ("height: 0; HEIGHT: 1px !important; height: 2px", {"height": "1px"}),
    ("font-size: 0; font: 16px serif", {"font": "16px serif"}),
    ("display: bogus; display: grid", {"display": "grid"}),
    ("d\\69splay: none /* ; color: red */", {"display": "none"}),
    ("--x: 1; inset-inline-start: 0", {"left": "0"}),
    ("text-decoration: underline", {}),
]


@pytest.mark.parametrize(("text", "number"), NUMBERS)
def test_numbers_are_read_with_their_unit(text, number):
    assert number_of(text) == number


@pytest.mark.parametrize(("text", "colour", "alpha"), COLOURS)
def test_colours_are_read_in_every_notation(text, colour, alpha):
    assert colour_of(text) == colour
    assert alpha_of(text) == pytest.approx(alpha)


def test_colours_are_the_same_if_eyes_cannot_tell():
    assert is_same_colour("#ffffff", "#f8f8f8")
    assert not is_same_colour("#ffffff", "#f6ffff")
    assert not is_same_colour("#ffffff", None)


@pytest.mark.parametrize(("queries", "matches"), MEDIA)
def test_media_queries_match_a_desktop_screen(queries, matches):
    assert matches_screen(queries) is matches


@pytest.mark.parametrize(("block", "values"), BLOCKS)
def test_the_last_valid_declaration_of_a_property_wins(block, values):
    assert read_declarations(block)[0] == values


def test_boxes_are_measured_in_rough_pixels():
    assert boxes.pixels("2em") == 32.0
    assert boxes.pixels("auto") is None
    assert boxes.lost_side({"overflow": "hidden", "height": "0"}) == "height"
    assert boxes.lost_side({"overflow": "hidden", "width": "1px", "height": "1px"}) == "size"
    pushed = {"overflow": "hidden", "box-sizing": "border-box", "height": "20px", "padding": "20px 0 0"}
    assert boxes.lost_side(pushed) == "pushed"
    assert boxes.lost_side({**pushed, "padding-top": "0"}) is False
    assert boxes.lost_side({**pushed, "padding-bottom": "20px"}) is False
    closed = {"overflow": "hidden", "height": "0", "padding": "20px"}
    assert boxes.lost_side(closed) is False
    assert boxes.lost_side({**closed, "padding-top": "0", "padding-bottom": "0"}) == "height"
    assert boxes.is_off_screen({"position": "absolute", "left": "-9999px"}) is True
    assert boxes.is_off_screen({"position": "absolute", "left": "9999px"}) == "beyond"


def test_backgrounds_are_known_unknown_or_transparent():
    assert paint.background_colour({"background": "white"}) == "#ffffff"
    assert paint.background_colour({"background": "#fff url(a.png)"}) == ""
    assert paint.background_colour({"background": "none"}) is None


@given(st.text(alphabet="abcdefgilnoprstuvxy0159%.-:;()/,# \\*!'\"{}", max_size=120))
def test_any_text_is_read_as_a_block_a_colour_and_a_query(text):
    style_of(text)
    colour_of(text)
    number_of(text)
    matches_screen(text)


WITH_FUNCTIONS = ["transform", "clip-path", "filter", "mask", "background", "font", "margin", "offset", "rotate"]


@given(st.sampled_from(WITH_FUNCTIONS), st.text(alphabet="acdegilmnoprstuvxy0159%.-()/, ", max_size=60))
def test_any_value_of_a_property_has_a_style(name, value):
    style_of(f"position:absolute;{name}:{value}")


MALFORMED = [
    "clip-path: inset(1.2.3%)", "clip-path: polygon(1.2.3% 0, 0 0, 9% 9%)", "offset-path: path('m 1.2.3 4')",
    "offset-path: path('m . 4')", "color: color-mix(in srgb, red 1.2.3%, blue)", "color: rgb(1e999 0 0)",
    "color: hwb(1e999 1e999% 1e999%)", "color: rgb(1e308% 0 0)", "color: hsl(1e999 9% 9%)", "transform: scale(1e999)",
]  # fmt: skip


@pytest.mark.parametrize("declaration", MALFORMED)
def test_malformed_and_endless_numbers_hide_nothing_and_break_nothing(declaration):
    style = style_of(declaration)
    assert "hides" not in style
    assert style.get("colour") != "transparent"


def test_numbers_of_shapes_may_lack_digits_before_or_after_the_point():
    assert boxes.is_clipped_away("inset(50.5%)")
    assert boxes.is_clipped_away("inset(9.5% .5%)") is False
    assert boxes.is_led_away({"offset-path": "path('m -999. 4')"})
