"""Declaration blocks: read them, and judge what computed values mean for a reader. In: CSS text. Out: values, a Style.

read_declarations() parses a block and drops properties without a row in properties.py. style_of_values() turns values
into a Style: a dictionary that has only the keys that apply.

    hides             reason why the element is not seen: the property row's reason, or one that its test returns
    hides-too         other such reasons that hold, with spaces between
    colour            colour of its text, "#rrggbb" or "transparent"
    background        "#rrggbb", or "" if it is a picture or unknown; absent if the background is transparent
    visibility        "visible" if the element makes itself visible inside a hidden one
    font-size         "visible" if its font is readable inside an element with a tiny one, "unknown" for calc()
    text-indent       "visible" if it sets one that leaves its text on the page
    display, float    the value, unless it is "none"
    position          the value, unless it is "static"
    place             where a positioned box is painted: "below" (negative z-index), "outside" its containing block,
                      or "over" all of it
    stacking          "yes" if its content is painted together, as one stacking context
    animation         names and other words of its animations, which may make it visible
    animation-end     "forwards" if the last keyframe stays, "infinite" if the animation repeats
    back              "hidden" if its back is not seen when it is turned
    fill              the value

Specification: CSS Syntax 3 section 5.4 (declarations), CSS Cascade 5.
Tests: tests/css/test_values.py, tests/css/test_sheets.py
"""

from __future__ import annotations

from webtool.css import paint, positions
from webtool.css.cleaning import safe_to_cut, spelt_out
from webtool.css.colours import colour_of
from webtool.css.properties import BY_NAME, FADES, LONGHANDS, STACKS, TESTS, TEXT_TESTS, effect_of
from webtool.css.values import Values
from webtool.lean import patterns
from webtool.lean.memory import Remembered

Style = dict[str, str]
Declaration = tuple[str, str, bool, int]  # name, value, is it !important, its effects (flags of properties.py)

MAX_STYLE = 5000  # characters of a style attribute; the rest is not read
_COLOURED = frozenset((
    "color", "-webkit-text-fill-color", "background", "background-color", "background-image", "background-clip",
))  # fmt: skip
_custom_property = patterns.compile(r"(?:^|;)\s*--[^;]*").sub
_custom_names = patterns.compile(r"--[\w-]+").findall
_at_custom_names = patterns.compile(r"(--[\w-]+)").split
_custom_properties_in = patterns.compile(r"(?:^|;)\s*(--[\w-]+)\s*:([^;{}]*)").findall
# A function that may give a keyword: "var(--a)". With "foo(a)" or a string, such as "'var(--a)'", a value is invalid.
_is_filled_later = patterns.compile(r"[^'\"]*(?<![\w-])(?:var|env|attr|if|--[\w-]+)\(").match


def read_declarations(text: str) -> tuple[Values, set[str], int]:
    """Return the values that a clean block sets, the names of !important ones, and the effects of all of them.

    rules.py returns clean blocks, as of safe_to_cut(). For the text of a style attribute use read_attribute().
    The last declaration of a property wins, an important one over others. Properties without a row are dropped.
    "height: 0; HEIGHT: 1px !important" -> {"height": "1px"}, {"height"}, SMALL.
    """
    text = spelt_out(text)
    if "--" in text:
        text = _custom_property("", text)
    values: Values = {}
    important: set[str] = set()
    effects = 0
    for part in text.split(";"):
        declaration = _declarations[part]
        if declaration is None:
            continue
        name, value, is_important, effect = declaration
        if is_important or name not in important:
            for longhand in LONGHANDS.get(name, ()):
                if longhand not in important:
                    values.pop(longhand, None)
            values[name] = value
            effects |= effect
            if is_important:
                important.add(name)
    return values, important, effects


def read_attribute(text: str) -> tuple[Values, set[str], int]:
    """Return what read_declarations() does for the text of a style attribute."""
    return read_declarations(safe_to_cut(text))


def read_custom_properties(text: str) -> tuple[Values, set[str]]:
    """Return the custom properties that a clean block sets, and the names of the !important ones.

    "--a: None !important; --b: 1px" -> {"--a": "none", "--b": "1px"}, {"--a"}.
    """
    values: Values = {}
    important: set[str] = set()
    for name, text_of_value in _custom_properties_in(spelt_out(text)):
        value, is_important = _value_of(text_of_value)
        if is_important or name not in important:
            values[name] = value
            if is_important:
                important.add(name)
    return values, important


def custom_properties_of(style: str) -> Values:
    """Return the custom properties that a style attribute sets; only its first MAX_STYLE characters are read."""
    if "--" not in style and "\\" not in style:
        return {}
    return read_custom_properties(safe_to_cut(style[:MAX_STYLE]))[0]


def custom_names_in(text: str) -> list[str]:
    """Return the names of custom properties in CSS text: "--a: var(--b)" -> ["--a", "--b"]."""
    return _custom_names(spelt_out(text))


def _value_of(text: str) -> tuple[str, bool]:
    """Return a value, in lower case and with single spaces, and whether it is !important.

    "VAR(--aB) ! important" -> "var(--aB)", True.
    """
    value = " ".join(lowered(text).split())
    is_important = value.endswith("important") and "!" in value
    return (value.partition("!")[0].rstrip() if is_important else value), is_important


def lowered(text: str) -> str:
    """Return CSS text in lower case, except for the names of custom properties: case counts there."""
    if "--" not in text:
        return text.lower()
    return "".join([part if part[:2] == "--" else part.lower() for part in _at_custom_names(text)])


def _declaration(text: str) -> Declaration | None:
    """Return one declaration, or None if its property has no row or its value is invalid."""
    name, _, value = text.partition(":")
    row = BY_NAME.get(name.strip().lower())
    if row is None:
        return None
    value, is_important = _value_of(value)
    if not value or row.needs not in value:
        return None
    if row.keywords and value not in row.keywords and not ("(" in value and _is_filled_later(value)):
        return None
    return row.name, value, is_important, effect_of(row, value, is_important)


_declarations = Remembered(_declaration, 10_000)  # a sheet repeats each about five times, and sites share most


def style_of(text: str) -> Style:
    """Return what the declarations of a style attribute mean for a reader."""
    return style_of_values(read_attribute(text)[0])


def style_of_values(values: Values) -> Style:
    """Return what computed values mean for a reader: see the table at the top of the module."""
    style: Style = {}
    if not values:
        return style
    for name, hides, reason in TESTS if values.get("display") != "contents" else TEXT_TESTS:
        verdict = name in values and hides(values)
        if verdict:
            reason = verdict if isinstance(verdict, str) else reason
            if "hides" in style:
                style["hides-too"] = f"{style.get('hides-too', '')} {reason}"
            else:
                style["hides"] = reason
    if values.get("visibility", values.get("all")) in ("visible", "initial"):
        style["visibility"] = "visible"
    for name, initial in (("display", "none"), ("float", "none"), ("position", "static")):
        if values.get(name, initial) != initial:
            style[name] = values[name]
    if "position" in style and "hides" not in style:
        place = _place(values)
        if place:
            style["place"] = place
    if "z-index" in values or not STACKS.isdisjoint(values):
        style["stacking"] = "yes"
    if "font-size" in values or "font" in values:
        if _has_readable_font(values):
            style["font-size"] = "visible"
        elif "(" in values.get("font-size", values.get("font", "")):
            style["font-size"] = "unknown"
    if "text-indent" in values and not positions.is_indented_away(values):
        style["text-indent"] = "visible"
    animation = values.get("animation-name") or values.get("animation")
    if animation and animation != "none":
        style["animation"] = animation
        end = paint.animation_end(values)
        if end:
            style["animation-end"] = end
    if not _COLOURED.isdisjoint(values):
        _add_colours(style, values)
    if values.get("backface-visibility") == "hidden":
        style["back"] = "hidden"
    if "fill" in values:
        style["fill"] = values["fill"]
    return style


def _has_readable_font(values: Values) -> bool:
    """Return whether the font is readable whatever the parent's font is: "1em" of a tiny font is not, "1rem" is."""
    size = paint.font_size(values)
    is_relative = values.get("font-size", "").replace("rem", "px").endswith(("%", "em"))
    return size is not None and size >= paint.MIN_READABLE and not is_relative


def _place(values: Values) -> str:
    """Return "below", "outside" or "over": see "place" at the top of the module; "" for any other place."""
    if values.get("z-index", "")[:1] == "-":
        return "below"
    if positions.is_outside_container(values):
        return "outside"
    is_opaque = FADES.isdisjoint(values) and (paint.background_colour(values) or "")[:1] == "#"
    return "over" if is_opaque and positions.covers_container(values) else ""


def _add_colours(style: Style, values: Values) -> None:
    """Set the keys "colour" and "background" of a style."""
    background = paint.background_colour(values)
    colour = paint.text_colour(values)
    if paint.clips_background_to_text(values):
        # Transparent letters show the background, and nothing is painted around them.
        if colour_of(colour) == "transparent":
            colour = background or ""
        background = None
    known_colour = colour_of(colour) if colour else None
    if known_colour:
        style["colour"] = known_colour
    if background is not None:
        style["background"] = background
