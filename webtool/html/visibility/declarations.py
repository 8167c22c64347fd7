"""CSS declarations: the text of a style attribute or of a rule's block in, what matters for visibility out.

Specification: CSS Syntax 3 (declarations), CSS Values 4 (lengths), CSS Masking 1 (clip).
"""

from __future__ import annotations

from webtool.html.visibility.colours import colour_of, number_of
from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Callable

    # "hides": the property that hides the element; "colour", "background": "#rrggbb" or "" when unknown;
    # "visibility", "font-size": "visible" when the element makes itself visible again; "animation": the names of its
    # animations, which may make it visible.
    Style = dict[str, str]
    Values = dict[str, str]

_comment = patterns.compile(r"(?s)/\*.*?(?:\*/|\Z)").sub
_escape = patterns.compile(r"\\([0-9a-fA-F]{1,6})\s?").sub
_space = patterns.compile(r"\s+").sub
RELEVANT = frozenset((
    "display", "visibility", "opacity", "font-size", "font", "color", "background", "background-color",
    "text-indent", "position", "left", "right", "top", "bottom", "margin-left", "margin-top", "transform", "scale",
    "width", "height", "max-height", "max-width", "overflow", "overflow-x", "overflow-y", "clip", "clip-path",
    "content-visibility", "filter", "-webkit-transform", "background-clip", "-webkit-background-clip",
    "background-image", "-webkit-text-fill-color", "animation", "animation-name", "min-height", "min-width", "padding",
    "padding-top", "padding-bottom", "padding-left", "padding-right", "flex", "flex-grow", "flex-basis", "translate",
    "inset", "inset-inline-start", "zoom", "line-height", "block-size", "inline-size",
))  # fmt: skip


def declared(text: str) -> tuple[Values, set[str]]:
    """The declarations of `text` that matter, name to value, both in lower case, and the names that are !important.

    The last declaration of a name wins, an important one over the others.
    """
    if "/*" in text:
        text = _comment("", text)
    if "\\" in text:
        text = _escape(_unescaped, text)
    values: Values = {}
    important: set[str] = set()
    for declaration in text.split(";"):
        name, _, value = declaration.partition(":")
        name = name.strip().lower()
        if name not in RELEVANT:
            continue
        value = _space(" ", value.strip().lower())
        is_important = value.endswith("important") and "!" in value
        if is_important:
            value = value.partition("!")[0].rstrip()
        elif name in important:
            continue
        if value:
            values[name] = value
            if is_important:
                important.add(name)
    return values, important


def _unescaped(match: re.Match[str]) -> str:
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
    for name, test in _TESTS:
        found = test(values) if name in values else False
        if found:
            style["hides"] = found if isinstance(found, str) else _REASONS.get(name, name)
            break
    if values.get("visibility") == "visible":
        style["visibility"] = "visible"
    size = _font_size(values)
    if size is not None and size >= _READABLE:
        style["font-size"] = "visible"
    animation = values.get("animation-name") or values.get("animation")
    if animation and animation != "none":
        style["animation"] = animation
    colour = values.get("-webkit-text-fill-color") or values.get("color")
    if colour and not _clips_background(values):
        parsed = colour_of(colour)
        if parsed:
            style["colour"] = parsed
    background = values.get("background-color") or values.get("background")
    if background or "background-image" in values:
        style["background"] = _background(values)
    return style


# How far outside the page a length is, per unit; what is relative to the window counts in windows.
_FAR = {
    "px": 900.0,
    "": 900.0,
    "em": 60.0,
    "rem": 60.0,
    "ch": 100.0,
    "vw": 100.0,
    "vh": 100.0,
    "%": 150.0,
    "pt": 700.0,
    "cm": 25.0,
    "in": 10.0,
}
_READABLE = 3.0  # px


def _is_far(value: str | None) -> bool:
    number = number_of(value)
    return number is not None and abs(number[0]) >= _FAR.get(number[1], float("inf"))


def _is_far_before(value: str | None) -> bool:
    number = number_of(value)
    return number is not None and number[0] < 0 and _is_far(value)


def _is_zero(value: str | None, below: float = 0.5) -> bool:
    number = number_of(value)
    return number is not None and number[0] <= below and number[1] in ("", "px", "em", "rem", "%", "vh", "vw", "pt")


def _opacity(values: Values) -> bool:
    number = number_of(values["opacity"])
    return number is not None and (number[0] / 100 if number[1] == "%" else number[0]) <= 0.05


_font_shorthand = patterns.compile(r"(?:^|\s)([0-9.]+(?:px|pt|em|rem|%)?)(?:\s*/\s*\S+)?\s+\S").search
_TO_PX = {"px": 1.0, "": 1.0, "pt": 1.33, "em": 16.0, "rem": 16.0, "%": 0.16, "vw": 12.0, "vh": 8.0}


def _font_size(values: Values) -> float | None:
    """The font size in px, None when there is none or it is a word."""
    value = values.get("font-size")
    if value is None and "font" in values:
        match = _font_shorthand(values["font"])
        value = match[1] if match else None
    number = number_of(value)
    if number is None or number[1] not in _TO_PX:
        return None
    return number[0] * _TO_PX[number[1]]


def _tiny_font(values: Values) -> bool:
    size = _font_size(values)
    return size is not None and size < _READABLE


def _is_clipped(values: Values) -> bool:
    return any(
        values.get(name, "visible") in ("hidden", "clip", "scroll", "auto")
        for name in ("overflow", "overflow-x", "overflow-y")
    )


def _no_size(values: Values) -> str | bool:
    """A box that clips its content and has no height ("height") or no width ("size", also 1 px by 1 px)."""
    if not _is_clipped(values):
        return False
    height, width = (_least(values, *names) for names in _SIZES)
    if (_is_zero(height, 1) and _is_zero(width, 1)) or _is_zero(width, 0):
        return "size"
    return "height" if _is_zero(height, 0) else False


# A side's names: the size itself, its upper bound, and what holds a box open that would have none.
_SIZES = (
    (("height", "block-size", "max-height", "line-height"), ("min-height",), ("padding-top", "padding-bottom"), (0, 2)),
    (("width", "inline-size", "max-width"), ("min-width",), ("padding-left", "padding-right"), (1, 3)),
)


def _least(
    values: Values, names: tuple[str, ...], least: tuple[str, ...], paddings: tuple[str, ...], sides: tuple[int, int]
) -> str | None:
    """The value that makes a side 0 or 1 px; None where nothing does, or where another declaration holds it open."""
    size = next((values[name] for name in names if _is_zero(values.get(name), 1)), None)
    if size is None or _grows(values):
        return None
    padding = [values[name] for name in paddings if name in values]
    shorthand = values.get("padding", "").split(" ")
    if shorthand[0]:
        padding += [shorthand[side % len(shorthand) if len(shorthand) != 3 else (0, 1, 2, 1)[side]] for side in sides]
    holds = [values[name] for name in least if name in values] + padding
    return None if any(_is_some_length(value) for value in holds) else size


def _is_some_length(value: str) -> bool:
    number = number_of(value)
    return value.startswith(("calc(", "var(", "max(", "min(", "clamp(")) or (number is not None and number[0] > 1)


def _grows(values: Values) -> bool:
    """Whether a flex item takes its size from its container or its basis."""
    flex = values.get("flex", "").split(" ")
    grow = number_of(values.get("flex-grow", flex[0]))
    if flex[0] == "auto" or (grow is not None and grow[0] > 0):
        return True
    basis = values.get("flex-basis", flex[2] if len(flex) > 2 else "")
    return bool(basis) and basis not in ("auto", "content") and not _is_zero(basis, 1)


_clip_rect = patterns.compile(
    r"rect\(\s*(-?[0-9.]+)(?:px)?[\s,]+(-?[0-9.]+)(?:px)?[\s,]+(-?[0-9.]+)(?:px)?[\s,]+(-?[0-9.]+)(?:px)?\s*\)"
).match
_clip_nothing = patterns.compile(
    r"(?:inset\((?:50%|100%|[5-9][0-9]%)|circle\(0|polygon\(0(?:px|%)? 0(?:px|%)?,\s*0(?:px|%)? 0)"
).match


def _clip(values: Values) -> bool:
    match = _clip_rect(values["clip"][:80])
    if not match:
        return False
    top, right, bottom, left = (float(match[i].strip(".") or 0) for i in range(1, 5))
    return right - left <= 1 and bottom - top <= 1


_scale = patterns.compile(
    r"scale(?:3d|x|y)?\(\s*(?:0*\.?0+)(?:\s*[,)])|rotate[xy]\(\s*-?(?:90|270)deg|matrix\(\s*0\s*,\s*0\s*,"
).search
_translate = patterns.compile(r"translate(?:3d|x|y)?\(\s*(-[0-9.]+[a-z%]*)").search


def _transform(values: Values) -> bool:
    value = values.get("transform") or values.get("-webkit-transform") or ""
    if _scale(value):
        return True
    match = _translate(value)
    return match is not None and _is_far(match[1])


def _indent(values: Values) -> bool:
    return _is_far_before(values["text-indent"])


_OFFSETS = ("left", "right", "top", "bottom", "inset", "inset-inline-start")


def _off_screen(values: Values) -> bool:
    if values["position"] not in ("absolute", "fixed"):
        return False
    return any(_is_far(values[name].split(" ")[0]) for name in _OFFSETS if name in values)


def _transparent(values: Values) -> bool:
    colour = values.get("-webkit-text-fill-color") or values["color"]
    return colour_of(colour) == "transparent" and not _clips_background(values)


def _clips_background(values: Values) -> bool:
    return "text" in (values.get("background-clip"), values.get("-webkit-background-clip"))


_filter_opacity = patterns.compile(r"opacity\(\s*0*\.?0*%?\s*\)").search

_TESTS: tuple[tuple[str, Callable[[Values], object]], ...] = (
    ("display", lambda v: v["display"] == "none"),
    ("visibility", lambda v: v["visibility"] in ("hidden", "collapse")),
    ("opacity", _opacity),
    ("content-visibility", lambda v: v["content-visibility"] == "hidden"),
    ("font-size", _tiny_font),
    ("font", _tiny_font),
    ("text-indent", _indent),
    ("position", _off_screen),
    ("margin-left", lambda v: _is_far_before(v["margin-left"])),
    ("margin-top", lambda v: _is_far_before(v["margin-top"])),
    ("transform", _transform),
    ("-webkit-transform", _transform),
    ("scale", lambda v: _is_zero(v["scale"].split(" ")[0], 0)),
    ("overflow", _no_size),
    ("overflow-x", _no_size),
    ("overflow-y", _no_size),
    ("clip", _clip),
    ("clip-path", lambda v: _clip_nothing(v["clip-path"][:80])),
    ("filter", lambda v: _filter_opacity(v["filter"][:200])),
    ("color", _transparent),
    ("-webkit-text-fill-color", _transparent),
    ("translate", lambda v: _is_far_before(v["translate"].split(" ")[0])),
    ("zoom", lambda v: _is_zero(v["zoom"], 0)),
)
_REASONS = {"font": "font-size", "-webkit-text-fill-color": "color"}


def _background(values: Values) -> str:
    """The background's colour, "" when it is an image, a gradient or not known."""
    if "background-image" in values and values["background-image"] != "none":
        return ""
    value = values.get("background-color") or values.get("background", "")
    if "url(" in value or "gradient" in value:
        return ""
    colour = colour_of(value) or next(filter(None, map(colour_of, value.split(" "))), "")
    return "" if colour == "transparent" else colour
