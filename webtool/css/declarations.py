"""CSS declarations: the text of a style attribute or of a rule's block in, what matters for visibility out.

Specification: CSS Syntax 3 (declarations), CSS Values 4 (lengths), CSS Masking 1 (clip).
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.css import boxes
from webtool.css.boxes import Values
from webtool.css.colours import alpha_of, colour_of, number_of
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.patterns import Match

# "hides": the property that hides the element; "colour", "background": "#rrggbb" or "" when unknown;
# "visibility", "font-size": "visible" when the element makes itself visible again; "display": what it is displayed
# as; "animation": the names of its animations, which may make it visible; "lasts": their end stays; "position": it
# may stand over its siblings; "stands": "behind" what is painted around it, "beside" or "over" all of what it is placed
# in; "stacks": what is in it is painted together; "float"; "sides": "one" where its back is not seen; "fill".
Style = dict[str, str]
COVERED = "x-covered:yes"
"""A block for what lies under an opaque box that a rule adds to it."""
Declaration = tuple[str, str, bool, int]  # name, value, whether it is !important, what it may do

_comment = patterns.compile(r"(?s)/\*.*?(?:\*/|\Z)").sub
_variable = patterns.compile(r"(?:^|;)\s*--[^;]*").sub
_escape = patterns.compile(r"\\([0-9a-fA-F]{1,6})\s?").sub
RELEVANT = frozenset((
    "display", "visibility", "opacity", "font-size", "font", "color", "background", "background-color",
    "text-indent", "position", "left", "right", "top", "bottom", "margin-left", "margin-top", "transform", "scale",
    "width", "height", "max-height", "max-width", "overflow", "overflow-x", "overflow-y", "clip", "clip-path",
    "content-visibility", "filter", "background-clip", "background-image", "-webkit-text-fill-color", "animation",
    "animation-name", "min-height", "min-width", "padding", "padding-top", "padding-bottom", "padding-left",
    "padding-right", "flex", "flex-grow", "flex-basis", "translate", "inset", "zoom", "line-height", "text-shadow",
    "animation-fill-mode", "margin", "float", "letter-spacing", "mask", "mask-image", "rotate", "mask-size", "contain",
    "grid-template-rows", "white-space", "background-size", "-webkit-text-stroke", "-webkit-text-stroke-width",
    "-webkit-text-security", "flex-direction", "flex-flow",
    "z-index", "backface-visibility", "box-sizing", "offset-path", "offset", "offset-position", "margin-right",
    "font-size-adjust", "content", "fill", "text-decoration", "x-covered",
))  # fmt: skip
# Other names of the same: with a vendor's prefix, and by the direction of the text, which is taken for left to right.
_ALIASES = {
    **{f"-webkit-{name}": name for name in ("transform", "opacity", "filter", "clip-path", "background-clip", "mask",
                                              "backface-visibility")},
    "-webkit-mask-image": "mask-image", "-webkit-mask-size": "mask-size",
    "text-decoration-line": "text-decoration", "inset-inline-start": "left", "inset-inline": "left",
    "inset-block-start": "top", "inset-block": "top", "margin-inline-start": "margin-left",
    "margin-inline": "margin-left", "margin-block-start": "margin-top", "margin-block": "margin-top",
    "block-size": "height", "inline-size": "width", "max-block-size": "max-height", "max-inline-size": "max-width",
}  # fmt: skip

# What a shorthand sets again (CSS Cascade 5 section 2.1).
LONGHANDS = {
    "background": ("background-color", "background-image", "background-clip", "background-size"),
    "font": ("font-size", "line-height"),
    "margin": ("margin-left", "margin-top", "margin-right"),
    "padding": ("padding-top", "padding-right", "padding-bottom", "padding-left"),
    "overflow": ("overflow-x", "overflow-y"),
    "flex": ("flex-grow", "flex-basis"),
    "inset": ("top", "right", "bottom", "left"),
    "mask": ("mask-image",),
    "animation": ("animation-name", "animation-fill-mode"),
}

# Where another word is no value, and the declaration before it holds.
KEYWORDS = {
    "display": frozenset((
        "none", "block", "inline", "inline-block", "flex", "inline-flex", "grid", "inline-grid", "contents", "table",
        "table-row", "table-cell", "table-row-group", "table-header-group", "table-footer-group", "table-column",
        "table-column-group", "table-caption", "inline-table", "list-item", "flow-root", "flow", "ruby", "run-in",
        "initial", "inherit", "unset", "revert", "revert-layer", "-webkit-box", "-webkit-inline-box", "-webkit-flex",
        "block flow", "inline flow", "math",
    )),
    "visibility": frozenset((
        "visible", "hidden", "collapse", "initial", "inherit", "unset", "revert", "revert-layer",
    )),
}  # fmt: skip


# What a declaration may do: hide something, clip what does not fit, leave no room, place, put far away, colour text or
# what is behind it, have a variable, win over what hides, say how boxes stand.
HIDES, CLIPS, SMALL, PLACES, FAR, TEXT, GROUND, VARIES, SHOWS, ARRANGES = (1 << bit for bit in range(10))


def declared(text: str) -> tuple[Values, set[str], int]:
    """The declarations of `text` that matter, name to value, both in lower case, the names that are !important, and
    what all of them may do.

    The last declaration of a name wins, an important one over the others.
    """
    if "/*" in text:
        text = _comment(" ", text)
    if "\\" in text:
        text = _escape(_unescaped, text)
    if "--" in text:  # hundreds of variables
        text = _variable("", text)
    values: Values = {}
    important: set[str] = set()
    may = 0
    for part in text.split(";"):
        one = _known[part]
        if one is None:
            continue
        name, value, is_important, what = one
        if is_important or name not in important:
            for longhand in LONGHANDS.get(name, ()):
                if longhand not in important:
                    values.pop(longhand, None)
            values[name] = value
            may |= what
            if is_important:
                important.add(name)
    return values, important, may


def _declaration(text: str) -> Declaration | None:
    """One declaration; None where it does not matter or is invalid."""
    name, _, value = text.partition(":")
    name = name.strip().lower()
    if name not in RELEVANT:
        if name not in _ALIASES:
            return None
        name = _ALIASES[name]
    value = " ".join(value.lower().split())
    is_important = value.endswith("important") and "!" in value
    if is_important:
        value = value.partition("!")[0].rstrip()
    if not value or (name in KEYWORDS and value not in KEYWORDS[name] and "(" not in value):
        return None
    if name == "text-decoration" and "line-through" not in value:
        return None  # most links have one
    return name, value, is_important, _may_do(name, value, is_important)


# A style sheet has each of them five times, and sites have most of them in common.
_known = Remembered(_declaration, 10_000)


# Properties whose variables are looked up at once: what hides in them has many notations.
_SELDOM_VARIED = frozenset(("opacity", "filter", "clip", "clip-path", "mask", "mask-image", "visibility", "zoom"))
_ARRANGING = frozenset(("display", "flex-direction", "flex-flow", "text-decoration"))
_WITH_OTHERS = frozenset((  # rare, and hide with others
    "text-indent", "contain", "mask-size", "grid-template-rows", "backface-visibility", "offset-position",
))  # fmt: skip


def _may_do(name: str, value: str, is_important: bool) -> int:
    may = SHOWS if is_important and name in ("display", "visibility", "opacity") else 0
    if name in _ARRANGING:
        may |= ARRANGES
    if "var(" in value:
        may |= VARIES | HIDES if name in _SELDOM_VARIED else VARIES
    if name in ("color", "-webkit-text-fill-color") or value == "currentcolor":
        may |= TEXT
    if name in ("background", "background-color"):
        may |= GROUND
    elif name == "z-index":
        return may | HIDES if value[0] == "-" else may
    elif name == "position":
        return may | PLACES
    elif name in boxes.OFFSETS:
        return may | FAR if boxes.is_far_away(value) else may
    elif name == "margin-right":
        return may | HIDES if boxes.is_far_away(value) else may
    elif name in boxes.SIZES:
        return may | SMALL if boxes.may_be_lost(name, value) else may
    elif name == "box-sizing":
        return may | SMALL if value == "border-box" else may
    elif name in _OVERFLOWS:
        return may | CLIPS
    elif name.startswith("animation"):
        return may | HIDES if any(word in value for word in ("forwards", "both", "infinite")) else may
    elif name in _WITH_OTHERS and value != "none":
        return may | HIDES
    test = _TEST_OF.get(name)
    return may | HIDES if test is not None and test({**_WHERE_MOST_HIDES, name: value}) else may


_WHERE_MOST_HIDES = {"position": "absolute", "background-color": "#ffffff"}  # what others may say beside


def _unescaped(match: Match[str]) -> str:
    number = int(match[1], 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"


def style_of(text: str) -> Style:
    """What the declarations of a style attribute mean for visibility."""
    return meaning_of(declared(text)[0])


def meaning_of(values: Values) -> Style:
    """What computed values mean for visibility."""
    style: Style = {}
    if not values:
        return style
    tests = _TESTS if values.get("display") != "contents" else _TESTS_OF_TEXT  # the others are of boxes
    for name, test in tests:
        if name in values:
            found = test(values)
            if found:
                style["hides"] = found if isinstance(found, str) else _REASONS.get(name, name)
                break
    if values.get("visibility") == "visible":
        style["visibility"] = "visible"
    for name, nothing in (("display", "none"), ("float", "none"), ("position", "static")):
        if values.get(name, nothing) != nothing:
            style[name] = values[name]
    if "position" in style and "hides" not in style:
        stands = _stands(values)
        if stands:
            style["stands"] = stands
    if "z-index" in values or not _STACKING.isdisjoint(values):
        style["stacks"] = "yes"
    size = _font_size(values)
    # What is relative to the font around it is as small as that.
    is_relative = values.get("font-size", "").replace("rem", "px").endswith(("%", "em"))
    if size is not None and size >= _READABLE and not is_relative:
        style["font-size"] = "visible"
    animation = values.get("animation-name") or values.get("animation")
    if animation and animation != "none":
        style["animation"] = animation
        lasts = _lasting(values)
        if lasts:
            style["lasts"] = lasts
    background = _background(values)
    colour = _colour(values)
    if _clips_background(values):  # it is seen through the letters, where they are seen through
        colour, background = (background or "") if colour_of(colour) == "transparent" else colour, None
    parsed = colour_of(colour) if colour else None
    if parsed:
        style["colour"] = parsed
    if background is not None:
        style["background"] = background
    if values.get("backface-visibility") == "hidden":
        style["sides"] = "one"
    if "fill" in values:
        style["fill"] = values["fill"]
    return style


def _colour(values: Values) -> str:
    fill = values.get("-webkit-text-fill-color", "")
    return values.get("color", "") if fill in ("", "currentcolor", "initial", "inherit", "unset") else fill


_STACKING = frozenset(("transform", "filter", "opacity", "clip-path", "mask", "translate", "rotate", "scale"))


_FADES = frozenset(("opacity", "filter", "mask", "clip-path", "animation", "animation-name", "transform"))


def _stands(values: Values) -> str:
    if values.get("z-index", "")[:1] == "-":
        return "behind"
    if boxes.is_beside(values):
        return "beside"
    is_plain = values.keys().isdisjoint(_FADES) and (_background(values) or "")[:1] == "#"
    return "over" if is_plain and boxes.covers(values) else ""


def _lasting(values: Values) -> str:
    """ "forwards" where what an animation ends with stays, "infinite" where it comes again and again, else ""."""
    if "animation" not in values:
        return "infinite"  # its name alone: the rest may be in a sheet that is not here
    words = f"{values['animation']} {values.get('animation-fill-mode', '')}".replace(",", " ").split()
    if "infinite" in words:
        return "infinite"
    return "" if {"forwards", "both"}.isdisjoint(words) else "forwards"


_READABLE = 3.5  # px
_TOGETHER = -9.5  # px of letter spacing that put letters over one another
_OPAQUE = 0.9  # alpha from which a background hides what is behind it


def _opacity(values: Values) -> bool:
    number = number_of(values["opacity"])
    return number is not None and (number[0] / 100 if number[1] == "%" else number[0]) <= 0.05


_font_shorthand = patterns.compile(r"(?:^|\s)([0-9.]+(?:px|pt|em|rem|%)?)(?:\s*/\s*\S+)?\s+\S").search
_SIZE_WORDS = frozenset(("xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "initial"))


def _font_size(values: Values) -> float | None:
    """The font size in px, None when there is none or it is a word."""
    value = values.get("font-size")
    if value is None and "font" in values:
        match = _font_shorthand(values["font"])
        value = match[1] if match else None
    return _READABLE if value in _SIZE_WORDS else boxes.pixels(value and value.replace("%", "e-2em"))


def _tiny_font(values: Values) -> bool:
    size = _font_size(values)
    return size is not None and size < _READABLE


def _transparent(values: Values) -> bool:
    colour = _colour(values)
    if _clips_background(values) and _background(values) is None and "background" in values:
        return colour_of(colour) == "transparent"
    if _clips_background(values) or any(_is_painted(values[name]) for name in _OUTLINES if name in values):
        return False
    return colour_of(colour) == "transparent"


_OUTLINES = ("text-shadow", "-webkit-text-stroke", "-webkit-text-stroke-width")


def _is_painted(value: str) -> bool:
    """Whether a shadow or an outline of letters shows: it is wide, near and of a colour."""
    words = _word(value)
    sizes = [size for size in map(boxes.pixels, words) if size is not None][:3]
    is_near = all(abs(size) < _FAR_SHADOW for size in sizes) and (len(sizes) != 1 or sizes[0] > 0)
    is_sharp = len(sizes) < 3 or sizes[2] < _BLURRED
    return is_near and is_sharp and value != "none" and not any(colour_of(word) == "transparent" for word in words)


_word = patterns.compile(r"[^\s,()]+(?:\([^()]*\))?").findall
_FAR_SHADOW = 200.0  # px
_BLURRED = 10.0  # px of a blur, after which no letter can be told from others


def _is_own_ground(values: Values) -> bool:
    """Whether the text's colour is painted behind the text."""
    ground = values.get("background-color") or values.get("background")
    return ground == "currentcolor" and not _clips_background(values) and "-webkit-text-fill-color" not in values


def _clips_background(values: Values) -> bool:
    return values.get("background-clip") == "text" or "text" in values.get("background", "").split()


_filter = patterns.compile(r"(opacity|contrast|blur)\(([^()]*)\)").findall


def _filters_away(values: Values) -> str | bool:
    """Whether a filter leaves nothing of the element, or ("blur") pictures only."""
    for name, amount in _filter(values["filter"][:200]):
        if name == "blur":
            if (boxes.pixels(amount.strip()) or 0.0) >= _BLURRED:
                return "blur"
        elif _opacity({"opacity": amount.strip()}) and (name == "opacity" or _background(values) is not None):
            return True
    return False


_colour_stops = patterns.compile(r"(?:^|,)\s*(?!to |from |at |in )([a-z#]+[^\s,(]*(?:\([^()]*\))?)").findall


def _mask(values: Values) -> str:
    return values.get("mask-image") or values.get("mask", "")


_no_size = patterns.compile(r"\)[^,()]*/ ?0(?:px|%)?(?![\w.])").search


def _masked(values: Values) -> bool:
    """Whether a mask lets nothing through: a gradient of no size, or of nothing but transparent colours."""
    mask = _mask(values)[:400]
    inner = mask.partition("-gradient(")[2]
    if not inner:
        return False
    if _no_size(mask):
        return True
    stops = _colour_stops(inner.rpartition(")")[0])
    return bool(stops) and all(colour_of(stop) == "transparent" for stop in stops)


_TESTS: tuple[tuple[str, Callable[[Values], object]], ...] = (
    ("display", lambda v: v["display"] in ("none", "table-column", "table-column-group")),
    ("visibility", lambda v: v["visibility"] in ("hidden", "collapse")),
    ("opacity", _opacity),
    ("content-visibility", lambda v: v["content-visibility"] == "hidden"),
    ("font-size", _tiny_font),
    ("font", _tiny_font),
    ("text-indent", boxes.is_indented_away),
    ("position", boxes.is_off_screen),
    ("margin-left", boxes.is_pulled_away),
    ("margin-top", boxes.is_pulled_away),
    ("margin", boxes.is_pulled_away),
    ("margin-right", boxes.is_pulled_away),
    ("padding-left", boxes.is_pushed_out),
    ("transform", boxes.is_transformed_away),
    ("rotate", boxes.is_turned_away),
    ("scale", lambda v: boxes.leaves_nothing("scale", v["scale"].split(" "))),
    ("overflow", boxes.lost_side),
    ("overflow-x", boxes.lost_side),
    ("overflow-y", boxes.lost_side),
    ("clip", lambda v: boxes.is_clipped_away(v["clip"])),
    ("clip-path", lambda v: boxes.is_clipped_away(v["clip-path"])),
    ("filter", _filters_away),
    ("mask", _masked),
    ("mask-image", _masked),
    ("mask-size", lambda v: all(boxes.is_zero(side) for side in v["mask-size"].split(" ")) and bool(_mask(v))),
    ("contain", boxes.is_contained_away),
    ("grid-template-rows", lambda v: v["grid-template-rows"] in ("0fr", "0", "0px") and "grid" in v.get("display", "")),
    ("letter-spacing", lambda v: v["letter-spacing"][-1:] != "%" and boxes.is_zero(v["letter-spacing"], _TOGETHER)),
    ("-webkit-text-security", lambda v: v["-webkit-text-security"] != "none"),
    ("color", _transparent),
    ("-webkit-text-fill-color", _transparent),
    ("background-color", _is_own_ground),
    ("background", _is_own_ground),
    ("translate", lambda v: boxes.leaves_nothing("translate", v["translate"].split(" "))),
    ("zoom", lambda v: not boxes.is_zero(v["zoom"], 0) and boxes.leaves_nothing("scale", [v["zoom"]])),
    ("backface-visibility", boxes.is_averted),
    ("offset-path", boxes.is_led_away),
    ("offset", boxes.is_led_away),
    ("font-size-adjust", lambda v: v["font-size-adjust"] == "0"),
    ("content", lambda v: v["content"].startswith("url(")),
    ("x-covered", lambda _: True),
)
_TEST_OF = dict(_TESTS)
_OF_TEXT = frozenset((
    "display", "visibility", "font-size", "font", "text-indent", "letter-spacing", "-webkit-text-security", "color",
    "-webkit-text-fill-color", "font-size-adjust",
))  # fmt: skip
_TESTS_OF_TEXT = tuple(one for one in _TESTS if one[0] in _OF_TEXT)
_OVERFLOWS = frozenset(("overflow", "overflow-x", "overflow-y"))
_REASONS = {
    "font": "font-size", "-webkit-text-fill-color": "color", "background": "color", "background-color": "color",
    "margin": "margin-left", "mask-image": "mask", "mask-size": "mask", "contain": "size",
    "grid-template-rows": "rows", "offset": "offset-path",
}  # fmt: skip


def _background(values: Values) -> str | None:
    """The background's colour, "" when it is an image, a gradient or not known; None where one sees through."""
    value = values.get("background-color") or values.get("background")
    image = values.get("background-image", "none")
    if image != "none" or (value and ("url(" in value or "gradient" in value)):
        return _plain_gradient(image if image != "none" else value or "") if "background-size" not in values else ""
    if value is None:
        return None
    if value == "currentcolor":
        return colour_of(values.get("color", "")) or ""
    colour = colour_of(value) or next(filter(None, map(colour_of, value.split(" "))), "")
    if colour != "transparent" and alpha_of(value) < _OPAQUE:
        return ""  # what is behind it shows through
    return None if colour == "transparent" or value in _SEEN_THROUGH else colour


def _plain_gradient(image: str) -> str:
    """The colour of a gradient from one to the same, "" for any other image."""
    match = _gradient(image)
    stops = _colour_stops(match[1]) if match else []
    colours = {colour_of(stop) if alpha_of(stop) >= _OPAQUE else "" for stop in stops}
    return (colours.pop() or "").replace("transparent", "") if len(colours) == 1 else ""


_gradient = patterns.compile(r"[a-z-]{1,30}-gradient\(((?:[^()]|\([^()]*\)){1,400})\)").fullmatch


_SEEN_THROUGH = frozenset(("none", "0", "0 0", "initial", "unset", "inherit", "revert", "none transparent"))
