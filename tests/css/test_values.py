"""Values of properties: numbers, colours, media queries, geometry, paint, and the blocks that they come from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.css import clipping, paint, positions, transforms, values
from webtool.css.colours import Colours, alpha_of, colour_of, is_same_colour
from webtool.css.conditions import matches_screen
from webtool.css.declarations import read_attribute, style_of
from webtool.css.values import number_of
from webtool.html import parse_html
from webtool.visibility.hidden import find_hidden

NUMBERS = [
    ("1.5em", (1.5, "em")), ("-.5", (-0.5, "")), ("calc(2px * 3)", (6.0, "px")), ("min(2px, 3px)", (2.0, "px")),
    ("clamp(1px, 9px, 4px)", (4.0, "px")), ("calc(1rem + .5vw)", (1.0, "rem")), ("1px 2px", None), ("auto", None),
    ("calc(1px / 0)", None), ("calc(1px - 1em)", None), ("calc(9em + 1px)", (9.0, "em")),
    ("calc(90% + 40em)", (40.0, "em")), ("min(0px, 0%)", (0.0, "px")),
]  # fmt: skip
COLOURS = [
    ("red", "#ff0000", 1.0), ("#f00", "#ff0000", 1.0), ("#ff000080", "#ff0000", 128 / 255),
    ("rgb(255 0 0 / 50%)", "#ff0000", 0.5), ("hsl(0, 100%, 50%)", "#ff0000", 1.0),
    ("rgba(0,0,0,0)", "transparent", 0.0),
    ("rgb(from white r g 0)", "#ffff00", 1.0), ("oklch(1 0 0)", "#ffffff", 1.0), ("oklch(.5 0 0)", None, 1.0),
    ("color(srgb 1 1 1)", "#ffffff", 1.0), ("color-mix(in srgb, red 100%, blue)", "#ff0000", 1.0),
    ("color-mix(in srgb, red 3%, blue 30%)", None, 0.33), ("color-mix(in srgb, red 80%, red 80%)", "#ff0000", 1.0),
    ("color-mix(in srgb, red 50%, red)", "#ff0000", 1.0), ("color-mix(in srgb, red, blue 100%)", "#0000ff", 1.0),
    ("hsl(0.5turn 100% 50%)", "#00ffff", 1.0), ("hsl(200grad 100% 50%)", "#00ffff", 1.0),
    ("hsl(from white h s l)", None, 1.0), ("hsl(from red h s 100%)", "#ffffff", 1.0),
    ("rgb(x 0 0 / 0)", "transparent", 0.0),
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


@given(st.lists(st.from_regex(r"#[0-9a-f]{6}|transparent", fullmatch=True), max_size=30), st.integers(0, 29))
def test_a_colour_is_compared_with_many_as_with_each(colours, place):
    colours += [f"#{(int(one[1:], 16) + 0x080907) & 0xFFFFFF:06x}" for one in colours[: place + 1] if one[0] == "#"]
    for colour in colours:
        others = [other for other in colours if other is not colour]
        assert Colours(others).have(colour) is any(is_same_colour(colour, other) for other in others)


@pytest.mark.parametrize(("queries", "matches"), MEDIA)
def test_media_queries_match_a_desktop_screen(queries, matches):
    assert matches_screen(queries) is matches


@pytest.mark.parametrize(("block", "values"), BLOCKS)
def test_the_last_valid_declaration_of_a_property_wins(block, values):
    assert read_attribute(block)[0] == values


def test_boxes_are_measured_in_rough_pixels():
    assert values.pixels("2em") == 32.0
    assert values.pixels("auto") is None
    assert clipping.lost_side({"overflow": "hidden", "height": "0"}) == "height"
    assert clipping.lost_side({"overflow": "hidden auto", "height": "0"}) == "height"
    assert clipping.lost_side({"overflow": "hidden", "width": "1px", "height": "1px"}) == "size"
    pushed = {"overflow": "hidden", "box-sizing": "border-box", "height": "20px", "padding": "20px 0 0"}
    assert clipping.lost_side(pushed) == "pushed"
    assert clipping.lost_side({**pushed, "padding-top": "0"}) is False
    assert clipping.lost_side({**pushed, "padding-bottom": "20px"}) is False
    closed = {"overflow": "hidden", "height": "0", "padding": "20px"}
    assert clipping.lost_side(closed) is False
    assert clipping.lost_side({**closed, "padding-top": "0", "padding-bottom": "0"}) == "height"
    assert positions.is_off_screen({"position": "absolute", "left": "-9999px"}) is True
    assert positions.is_off_screen({"position": "absolute", "left": "9999px"}) == "beyond"


def test_a_line_height_of_zero_closes_a_box_without_a_height_and_cuts_the_text_of_one_with_a_height():
    flat = {"overflow": "hidden", "line-height": "0"}
    assert clipping.lost_side(flat) == clipping.lost_side({**flat, "height": "auto"}) == "height"
    assert clipping.lost_side({**flat, "height": "50px"}) == "pushed"
    assert clipping.lost_side({**flat, "height": "50px", "padding-top": "9px"}) is False


# Offsets of an absolute box, and whether it is off the page. Right of and below a window a reader may scroll.
OFFSETS = [
    ({"left": "-999px"}, True), ({"top": "-999px"}, True), ({"right": "-999px"}, "beyond"),
    ({"bottom": "-999px"}, "beyond"), ({"right": "999px"}, "beyond"), ({"left": "999px"}, False),
    ({"inset": "0 0 0 -999px"}, True), ({"inset": "0 -999px 0 0"}, "beyond"), ({"inset": "0"}, False),
    ({"inset": "0 0 0 -999px", "left": "0"}, False), ({"inset": "calc(-3px * 999)"}, True),
    ({"inset": "0 0 0 calc(1px - 999px)"}, True),
]  # fmt: skip


@pytest.mark.parametrize(("offsets", "verdict"), OFFSETS)
def test_absolute_boxes_are_off_the_page_left_and_above(offsets, verdict):
    assert positions.is_off_screen({"position": "absolute", **offsets}) == verdict


# Values of a fixed box, and whether it is beside the window until a script moves it.
FIXED = [
    ({"left": "-100%"}, True), ({"top": "-100%", "left": "0"}, True), ({"right": "-120%", "width": "80%"}, True),
    ({"bottom": "-100%", "transform": "translate3d(0, 0, 0)"}, True), ({"left": "-99%"}, False),
    ({"left": "-100%", "width": "200%"}, False), ({"left": "-100%", "right": "-100%"}, False),
    ({"left": "-100%", "transform": "translatex(100%)"}, False), ({"left": "-100%", "transform": "scale(2)"}, False),
    ({"left": "0", "transform": "translatex(-100%)"}, True), ({"top": "0", "translate": "0 -100%"}, True),
    ({"left": "0", "width": "300px", "right": "0", "transform": "translate(-100%, 0)"}, True),
    ({"right": "0", "transform": "translate(100%)"}, True), ({"bottom": "0", "transform": "translatey(101%)"}, True),
    ({"inset": "0", "transform": "translatex(100%)"}, True), ({"inset": "0", "translate": "none"}, False),
    ({"inset": "0", "width": "300px", "transform": "translatex(100%)"}, False),
    ({"inset": "0", "max-width": "300px", "transform": "translatex(100%)"}, False),
    ({"left": "-100%", "animation": "in 1s forwards"}, False),
    ({"left": "50%", "transform": "translatex(-100%)"}, False), ({"left": "0", "translate": "100%"}, False),
    ({"transform": "translatex(-100%)"}, False), ({"left": "0", "transform": "translatex(-100%) rotate(9deg)"}, False),
    ({"left": "-150px"}, True), ({"left": "-150px", "width": "200px"}, True), ({"top": "-150px"}, True),
    ({"left": "-150px", "width": "600px"}, False), ({"top": "-150px", "height": "600px"}, False),
    ({"left": "-150px", "right": "-150px"}, False), ({"left": "-150px", "right": "100%"}, True),
    ({"right": "-150px", "width": "100%"}, False), ({"left": "100%", "translate": "calc(-80% - 60px)"}, False),
    ({"left": "100%", "translate": "calc(-80px - 60px) 0"}, False),
]  # fmt: skip


@pytest.mark.parametrize(("values", "is_beside"), FIXED)
def test_fixed_boxes_are_beside_the_window_by_percentages(values, is_beside):
    assert positions.is_off_screen({"position": "fixed", **values}) is is_beside
    assert positions.is_off_screen({"position": "absolute", **values}) is False
    block = ";".join(f"{name}:{value}" for name, value in {"position": "fixed", **values}.items())
    page = f"<style>.a{{{block}}}</style><p>{'Text of the page. ' * 9}</p><p class=a>menu</p>"
    assert bool(find_hidden(parse_html(page))) is is_beside


@pytest.mark.parametrize(
    ("values", "is_pulled"),
    [
        ({"margin-left": "-999px"}, True),
        ({"margin-left": "-999px", "padding-left": "999px"}, False),
        ({"margin-left": "-999px", "padding": "0 0 0 999px"}, False),
        ({"margin-left": "-999px", "padding-left": "0", "padding": "999px"}, True),
        ({"margin-left": "-999px", "padding": "0 999px 999px 0"}, True),
        ({"margin": "-999px 0 0", "padding-top": "999px"}, False),
        ({"margin": "-999px 0 0", "padding-left": "999px"}, True),
        ({"margin": "-999px", "padding-top": "999px"}, True),
    ],
)
def test_only_padding_on_the_side_of_a_far_margin_moves_text_back(values, is_pulled):
    assert positions.is_pulled_away(values) is is_pulled


def test_every_side_of_inset_counts():
    placed = {"position": "absolute", "inset": "0 0 0 0"}
    assert positions.covers_container(placed)
    assert not positions.covers_container({**placed, "left": "50px"})
    assert not positions.covers_container({"position": "absolute", "inset": "0 0 50px"})
    assert positions.is_outside_container({"position": "absolute", "inset": "100% auto auto 0"})
    assert positions.is_off_screen({"position": "relative", "inset": "0 auto auto -999px"})


# A rotation, whether only the edge is seen then, and whether the back is.
ROTATIONS = [
    ({"transform": "rotatey(180deg)"}, False, True), ({"transform": "rotatex(.25turn)"}, True, False),
    ({"transform": "rotate3d(0, 0, 1, 180deg)"}, False, False), ({"transform": "rotatez(90deg)"}, False, False),
    ({"transform": "rotate3d(1, 1, 0, 180deg)"}, False, True), ({"transform": "rotate3d(1, 0, 0, 90deg)"}, True, False),
    ({"transform": "rotate3d(1, 0, 1, 90deg)"}, False, False),
    ({"transform": "rotate3d(1, 0, 9, 180deg)"}, False, False),
    ({"transform": "rotatey(180deg) rotatey(180deg)"}, False, False), ({"rotate": "180deg"}, False, False),
    ({"rotate": "y 180deg"}, False, True), ({"rotate": "x 90deg"}, True, False), ({"rotate": "90deg y"}, True, False),
    ({"rotate": "0 1 0 90deg"}, True, False), ({"rotate": "0 0 1 180deg"}, False, False),
    ({"rotate": "y 180deg", "transform": "rotatey(180deg)"}, False, False), ({"rotate": "none"}, False, False),
    ({"transform": "rotate3d(0, 0, 0, 180deg)"}, False, False),
]  # fmt: skip


@pytest.mark.parametrize(("values", "is_edge", "is_back"), ROTATIONS)
def test_rotations_show_the_front_the_edge_or_the_back(values, is_edge, is_back):
    test = (
        transforms.is_turned_away
        if "rotate" in values and "transform" not in values
        else transforms.is_transformed_away
    )
    assert test({"transform": "", **values}) is is_edge
    assert transforms.is_averted({"backface-visibility": "hidden", **values}) is is_back


def test_a_circle_reaches_to_the_closest_side_unless_it_says_otherwise():
    assert clipping.is_clipped_away("circle(at -9px 50%)")
    assert clipping.is_clipped_away("circle(closest-side at -9px 50%)")
    assert clipping.is_clipped_away("circle(farthest-side at -9px 50%)") is False
    assert clipping.is_clipped_away("circle()") is False


def test_backgrounds_are_known_unknown_or_transparent():
    assert paint.background_colour({"background": "white"}) == "#ffffff"
    assert paint.background_colour({"background": "#fff url(a.png)"}) == ""
    assert paint.background_colour({"background": "none"}) is None
    assert paint.background_colour({"background": "none rgb(0 0 0)"}) == "#000000"
    assert paint.background_colour({"background": "rgba(0,0,0,.3) none"}) == ""
    assert paint.background_colour({"background": "none rgb(0 0 0 / 30%)"}) == ""


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
    assert clipping.is_clipped_away("inset(50.5%)")
    assert clipping.is_clipped_away("inset(9.5% .5%)") is False
    assert positions.is_led_away({"offset-path": "path('m -999. 4')"})
