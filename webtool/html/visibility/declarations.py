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
    # "visibility", "font-size": "visible" when the element makes itself visible again; "display": what it is displayed
    # as; "animation": the names of its animations, which may make it visible; "lasts": their end stays; "placed": it
    # may stand over its siblings.
    Style = dict[str, str]
    Values = dict[str, str]

_comment = patterns.compile(r"(?s)/\*.*?(?:\*/|\Z)").sub
_escape = patterns.compile(r"\\([0-9a-fA-F]{1,6})\s?").sub
RELEVANT = frozenset((
    "display", "visibility", "opacity", "font-size", "font", "color", "background", "background-color",
    "text-indent", "position", "left", "right", "top", "bottom", "margin-left", "margin-top", "transform", "scale",
    "width", "height", "max-height", "max-width", "overflow", "overflow-x", "overflow-y", "clip", "clip-path",
    "content-visibility", "filter", "-webkit-transform", "background-clip", "-webkit-background-clip",
    "background-image", "-webkit-text-fill-color", "animation", "animation-name", "min-height", "min-width", "padding",
    "padding-top", "padding-bottom", "padding-left", "padding-right", "flex", "flex-grow", "flex-basis", "translate",
    "inset", "inset-inline-start", "zoom", "line-height", "block-size", "inline-size", "text-shadow",
    "animation-fill-mode", "margin",
))  # fmt: skip

# Where another word is no value, and the declaration before it holds.
_KEYWORDS = {
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


def declared(text: str) -> tuple[Values, set[str]]:
    """The declarations of `text` that matter, name to value, both in lower case, and the names that are !important.

    The last declaration of a name wins, an important one over the others.
    """
    if "/*" in text:
        text = _comment(" ", text)
    if "\\" in text:
        text = _escape(_unescaped, text)
    values: Values = {}
    important: set[str] = set()
    for declaration in text.split(";"):
        name, _, value = declaration.partition(":")
        name = name.strip().lower()
        if name not in RELEVANT:
            continue
        value = " ".join(value.lower().split())
        is_important = value.endswith("important") and "!" in value
        if is_important:
            value = value.partition("!")[0].rstrip()
        elif name in important:
            continue
        if value and (name not in _KEYWORDS or value in _KEYWORDS[name] or "(" in value):
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
    if values.get("display", "none") != "none":
        style["display"] = values["display"]
    size = _font_size(values)
    # What is relative to the font around it is as small as that.
    if size is not None and size >= _READABLE and not _is_relative(values.get("font-size", "")):
        style["font-size"] = "visible"
    animation = values.get("animation-name") or values.get("animation")
    if animation and animation != "none":
        style["animation"] = animation
        lasts = _lasting(values)
        if lasts:
            style["lasts"] = lasts
    if values.get("position", "static") != "static":
        style["placed"] = values["position"]
    colour = values.get("-webkit-text-fill-color") or values.get("color")
    if colour and not _clips_background(values):
        parsed = colour_of(colour)
        if parsed:
            style["colour"] = parsed
    background = _background(values)
    if background is not None:
        style["background"] = background
    return style


def _lasting(values: Values) -> str:
    """ "forwards" where what an animation ends with stays, "infinite" where it comes again and again, else ""."""
    if "animation" not in values:
        return "infinite"  # its name alone: the rest may be in a sheet that is not here
    words = f"{values['animation']} {values.get('animation-fill-mode', '')}".replace(",", " ").split()
    if "infinite" in words:
        return "infinite"
    return "" if {"forwards", "both"}.isdisjoint(words) else "forwards"


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
    """Whether a length is at most `below` px; what is relative to something must be nothing of it."""
    number = number_of(value)
    if number is None or number[1] not in _LENGTHS:
        return False
    return number[0] <= (below if number[1] in ("px", "pt") else 0.02)


_LENGTHS = frozenset(("", "px", "em", "rem", "%", "vh", "vw", "pt"))


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


def _is_relative(size: str) -> bool:
    return size.endswith(("%", "em")) and not size.endswith("rem")


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
    return "height" if _is_zero(height, 1) else False


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
_clip_nothing = patterns.compile(r"(?:circle|ellipse)\(\s*(?:0(?:px|%)?|0?\.[0-9]+%)(?:[\s,)])").match
_clip_function = patterns.compile(r"(inset|polygon)\(([^()]*)\)").match


def _clip_path(values: Values) -> bool:
    """A shape that holds nothing."""
    value = values["clip-path"][:400]
    if _clip_nothing(value):
        return True
    match = _clip_function(value)
    if not match:
        return False
    if match[1] == "polygon":
        points = {tuple(point.split()) for point in match[2].split(",")}
        return len(points) < 3 or any(len({point[i : i + 1] for point in points}) == 1 for i in (0, 1))
    sides = [number_of(side) for side in match[2].partition("round")[0].split()]
    cut = [side[0] if side and side[1] == "%" else 0.0 for side in sides]
    if not 0 < len(cut) < 5:
        return False
    top, right = cut[0], cut[1 % len(cut)]
    bottom, left = cut[2 if len(cut) > 2 else 0], cut[3 if len(cut) > 3 else 1 % len(cut)]
    return top + bottom >= 100 or left + right >= 100


def _clip(values: Values) -> bool:
    match = _clip_rect(values["clip"][:80])
    if not match:
        return False
    top, right, bottom, left = (float(match[i].strip(".") or 0) for i in range(1, 5))
    return right - left <= 1 and bottom - top <= 1


_function = patterns.compile(r"([a-z0-9]+)\(([^()]*)\)").findall
_TURNS = {"deg": 1.0, "turn": 360.0, "rad": 57.29578, "grad": 0.9}


def _transform(values: Values) -> bool:
    """Whether a transform leaves nothing of the element, or puts it far before the page's edges."""
    value = values.get("transform") or values.get("-webkit-transform") or ""
    return any(_leaves_nothing(name, text.split(",")) for name, text in _function(value[:500]))


def _leaves_nothing(name: str, arguments: list[str]) -> bool:
    if name.startswith("translate") and name != "translatez":
        return any(_is_far_before(argument.strip()) for argument in arguments[:2])
    numbers = [number_of(argument.strip()) or (1.0, "") for argument in arguments]
    if name.startswith("scale") and name != "scalez":
        return _is_flat(numbers[:2])
    if name in ("rotatex", "rotatey"):
        degrees = numbers[0][0] * _TURNS.get(numbers[0][1], 0.0)
        return abs(degrees % 180 - 90) < 0.5
    if name == "matrix" and len(numbers) == 6:
        (a, _), (b, _), (c, _), (d, _) = numbers[:4]
        return abs(a * d - b * c) < 0.001
    return False


def _is_flat(factors: list[tuple[float, str]]) -> bool:
    """Whether one of two factors of a scale makes nothing of a side."""
    return any(abs(factor / 100 if unit == "%" else factor) < 0.02 for factor, unit in factors)


def _scale(values: Values) -> bool:
    return _is_flat([number_of(part) or (1.0, "") for part in values["scale"].split()[:2]])


def _indent(values: Values) -> bool:
    return _is_far_before(values["text-indent"])


_OFFSETS = ("left", "right", "top", "bottom", "inset", "inset-inline-start")


def _off_screen(values: Values) -> bool:
    """Whether an element that is placed stands far outside of the page; a relative one only moves to the left or up."""
    position = values["position"]
    if position in ("absolute", "fixed"):
        return any(_is_far(part) for name in _OFFSETS if name in values for part in values[name].split())
    if position != "relative":
        return False
    before = any(_is_far_before(values[name]) for name in ("left", "top") if name in values)
    return before or any(
        _is_far(values[name]) and values[name][:1] != "-" for name in ("right", "bottom") if name in values
    )


def _margin(values: Values) -> bool:
    """A margin that pulls text out of the page, and no padding that pushes it back."""
    sides = values.get("margin", "").split()
    left = values.get("margin-left") or (sides[min(3, len(sides) - 1) if len(sides) != 3 else 1] if sides else None)
    top = values.get("margin-top") or (sides[0] if sides else None)
    if not (_is_far_before(left) or _is_far_before(top)):
        return False
    return not any(
        _is_far(part) for name in ("padding-left", "padding-top", "padding") for part in values.get(name, "").split()
    )


def _transparent(values: Values) -> bool:
    colour = values.get("-webkit-text-fill-color") or values.get("color", "")
    if values.get("text-shadow", "none") != "none" or _clips_background(values):
        return False
    return colour_of(colour) == "transparent"


def _clips_background(values: Values) -> bool:
    names = ("background-clip", "-webkit-background-clip")
    return any(values.get(name) == "text" for name in names) or "text" in values.get("background", "").split()


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
    ("margin-left", _margin),
    ("margin-top", _margin),
    ("margin", _margin),
    ("transform", _transform),
    ("-webkit-transform", _transform),
    ("scale", _scale),
    ("overflow", _no_size),
    ("overflow-x", _no_size),
    ("overflow-y", _no_size),
    ("clip", _clip),
    ("clip-path", _clip_path),
    ("filter", lambda v: _filter_opacity(v["filter"][:200])),
    ("color", _transparent),
    ("-webkit-text-fill-color", _transparent),
    ("translate", lambda v: any(_is_far_before(part) for part in v["translate"].split()[:2])),
    ("zoom", lambda v: _is_zero(v["zoom"], 0)),
)
_REASONS = {"font": "font-size", "-webkit-text-fill-color": "color", "margin": "margin-left"}


def _background(values: Values) -> str | None:
    """The background's colour, "" when it is an image, a gradient or not known; None where one sees through."""
    value = values.get("background-color") or values.get("background")
    image = values.get("background-image", "none")
    if image != "none" or (value and ("url(" in value or "gradient" in value)):
        return ""
    if value is None:
        return None
    if value == "currentcolor":
        return colour_of(values.get("color", "")) or ""
    colour = colour_of(value) or next(filter(None, map(colour_of, value.split(" "))), "")
    return None if colour == "transparent" or value in _SEEN_THROUGH else colour


_SEEN_THROUGH = frozenset(("none", "0", "0 0", "initial", "unset", "inherit", "revert", "none transparent"))
