"""What a box shows, by its size, place, clip and transforms. In: computed values. Out: whether nothing of it is seen.

Specification: CSS Values 4 (lengths), CSS Masking 1 (clip), CSS Transforms 2.
"""

from __future__ import annotations

from webtool.html.visibility.colours import number_of
from webtool.lean import patterns

Values = dict[str, str]

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


def _is_far(value: str | None) -> bool:
    number = number_of(value)
    return number is not None and abs(number[0]) >= _FAR.get(number[1], float("inf"))


def is_far_before(value: str | None) -> bool:
    """Whether a length leads far beyond the left or upper edge of the page."""
    number = number_of(value)
    return number is not None and number[0] < 0 and _is_far(value)


def is_zero(value: str | None, below: float = 0.5) -> bool:
    """Whether a length is at most `below` px; what is relative to something must be nothing of it."""
    number = number_of(value)
    if number is None or number[1] not in _LENGTHS:
        return False
    return number[0] <= (below if number[1] in ("px", "pt") else 0.02)


_LENGTHS = frozenset(("", "px", "em", "rem", "%", "vh", "vw", "pt"))


def _is_clipped(values: Values) -> bool:
    return any(
        values.get(name, "visible") in ("hidden", "clip", "scroll", "auto")
        for name in ("overflow", "overflow-x", "overflow-y")
    )


def lost_side(values: Values) -> str | bool:
    """A box that clips its content and has no height ("height") or no width ("size", also 1 px by 1 px)."""
    if not _is_clipped(values):
        return False
    height, width = (_least(values, *names) for names in _SIZES)
    if (is_zero(height, 1) and is_zero(width, 1)) or is_zero(width, 0):
        return "size"
    return "height" if is_zero(height, 1) else False


# A side's names: the size itself, its upper bound, and what holds a box open that would have none.
_SIZES = (
    (("height", "max-height", "line-height"), ("min-height",), ("padding-top", "padding-bottom"), (0, 2)),
    (("width", "max-width"), ("min-width",), ("padding-left", "padding-right"), (1, 3)),
)
SIZES = frozenset(name for names, *_ in _SIZES for name in names)


def _least(
    values: Values, names: tuple[str, ...], least: tuple[str, ...], paddings: tuple[str, ...], sides: tuple[int, int]
) -> str | None:
    """The value that makes a side 0 or 1 px; None where nothing does, or where another declaration holds it open."""
    size = next((values[name] for name in names if is_zero(values.get(name), 1)), None)
    # A bound that is a share of a height that is not set does not count (CSS 2 section 10.7).
    if size is None or _grows(values) or size == values.get("max-height", "")[:-1] + "%":
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
    return bool(basis) and basis not in ("auto", "content") and not is_zero(basis, 1)


_clip_rect = patterns.compile(
    r"rect\(\s*(-?[0-9.]+)(?:px)?[\s,]+(-?[0-9.]+)(?:px)?[\s,]+(-?[0-9.]+)(?:px)?[\s,]+(-?[0-9.]+)(?:px)?\s*\)"
).match
_clip_nothing = patterns.compile(r"(?:circle|ellipse)\(\s*(?:0(?:px|%)?|0?\.[0-9]+%)(?:[\s,)])").match
_clip_function = patterns.compile(r"(inset|polygon|rect|xywh)\(([^()]*)\)").match


def is_clipped_away(values: Values) -> bool:
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
    if match[1] in ("rect", "xywh"):
        return _is_empty_rectangle(match[1], match[2].partition("round")[0].split())
    sides = [number_of(side) for side in match[2].partition("round")[0].split()]
    cut = [side[0] if side and side[1] == "%" else 0.0 for side in sides]
    if not 0 < len(cut) < 5:
        return False
    top, right = cut[0], cut[1 % len(cut)]
    bottom, left = cut[2 if len(cut) > 2 else 0], cut[3 if len(cut) > 3 else 1 % len(cut)]
    return top + bottom >= 100 or left + right >= 100


def _is_empty_rectangle(kind: str, parts: list[str]) -> bool:
    """rect() has the edges at the top, right, bottom and left; xywh() a place, a width and a height."""
    if len(parts) != 4:
        return False
    if kind == "xywh":
        return any(is_zero(part) for part in parts[2:])
    return parts[0] == parts[2] or parts[1] == parts[3]


def is_clipped_to_nothing(values: Values) -> bool:
    """The old clip property, with a rectangle of at most 1 px by 1 px."""
    match = _clip_rect(values["clip"][:80])
    if not match:
        return False
    top, right, bottom, left = (float(match[i].strip(".") or 0) for i in range(1, 5))
    return right - left <= 1 and bottom - top <= 1


_function = patterns.compile(r"([a-z0-9]+)\(([^()]*)\)").findall
_TURNS = {"deg": 1.0, "turn": 360.0, "rad": 57.29578, "grad": 0.9}


def is_transformed_away(values: Values) -> bool:
    """Whether a transform leaves nothing of the element, or puts it far before the page's edges."""
    return any(_leaves_nothing(name, text.split(",")) for name, text in _function(values["transform"][:500]))


def _leaves_nothing(name: str, arguments: list[str]) -> bool:
    if name.startswith("translate") and name != "translatez":
        return any(is_far_before(argument.strip()) for argument in arguments[:2])
    numbers = [number_of(argument.strip()) or (1.0, "") for argument in arguments]
    if name.startswith("scale") and name != "scalez":
        return _is_flat(numbers[:2])
    if name in ("rotatex", "rotatey") or (name == "rotate3d" and len(numbers) == 4 and numbers[2][0] == 0):
        return _is_on_edge(numbers[-1])
    corners = {("matrix", 6): (0, 1, 2, 3), ("matrix3d", 16): (0, 1, 4, 5)}.get((name, len(numbers)))
    if corners:
        a, b, c, d = (numbers[at][0] for at in corners)
        return abs(a * d - b * c) < 0.001
    return False


def _is_on_edge(angle: tuple[float, str]) -> bool:
    return abs(angle[0] * _TURNS.get(angle[1], 0.0) % 180 - 90) < 0.5


def is_turned_away(values: Values) -> bool:
    """Whether the rotate property shows only the edge."""
    axis, _, angle = values["rotate"].rpartition(" ")
    return axis in ("x", "y", "1 0 0", "0 1 0") and _is_on_edge(number_of(angle) or (0.0, ""))


def _is_flat(factors: list[tuple[float, str]]) -> bool:
    """Whether one of two factors of a scale makes nothing of a side."""
    return any(abs(factor / 100 if unit == "%" else factor) < 0.02 for factor, unit in factors)


def is_scaled_away(values: Values) -> bool:
    """Whether the scale property leaves nothing."""
    return _is_flat([number_of(part) or (1.0, "") for part in values["scale"].split()[:2]])


def is_indented_away(values: Values) -> bool:
    """Whether text-indent puts the text out of the page, or behind the edge of a box that cuts it off."""
    value = values["text-indent"]
    if is_far_before(value):
        return True
    number = number_of(value)
    is_cut = values.get("white-space") == "nowrap" and "hidden" in values.get("overflow", "")
    return is_cut and number is not None and (_is_far(value) or (number[1] == "%" and number[0] >= _WHOLE))


_WHOLE = 100.0  # per cent
_TOGETHER = {"em": -0.6, "rem": -0.6, "px": -10.0}  # letter spacing that puts letters over one another


def is_drawn_together(values: Values) -> bool:
    """Whether letter-spacing puts all letters in one place."""
    number = number_of(values["letter-spacing"])
    return number is not None and number[1] in _TOGETHER and number[0] <= _TOGETHER[number[1]]


def is_contained_away(values: Values) -> bool:
    """A box whose content does not count for its size (CSS Containment 2), which clips it and is given no height."""
    kinds = values["contain"].split(" ")
    if "strict" not in kinds and "size" not in kinds:
        return False
    is_clipped = _is_clipped(values) or not {"strict", "paint"}.isdisjoint(kinds)
    return is_clipped and not any(name in values for name in ("height", "min-height", "position", "flex", "flex-grow"))


OFFSETS = ("left", "right", "top", "bottom", "inset")


def is_off_screen(values: Values) -> bool:
    """Whether an element that is placed stands far outside of the page; a relative one only moves to the left or up."""
    position = values["position"]
    if position in ("absolute", "fixed"):
        is_out = _is_outside if position == "fixed" else _is_far
        return any(is_out(part) for name in OFFSETS if name in values for part in _parts(values[name]))
    if position != "relative":
        return False
    before = any(is_far_before(values[name]) for name in ("left", "top") if name in values)
    return before or any(
        _is_far(values[name]) and values[name][:1] != "-" for name in ("right", "bottom") if name in values
    )


def is_far_away(value: str) -> bool:
    """Whether one of the lengths may lead beyond an edge of the page or of the window."""
    return any(map(_is_outside, _parts(value)))


def _is_outside(value: str) -> bool:
    """Whether a place in the window is one beyond its edges."""
    number = number_of(value)
    if number is None or _is_far(value):
        return number is not None
    return number[0] >= _WHOLE if number[1] in ("%", "vw", "vh") else number[0] <= -_WHOLE and number[1] == "px"


def _parts(value: str) -> list[str]:
    return [value] if "(" in value else value.split(" ")


def is_pulled_away(values: Values) -> bool:
    """A margin that pulls text out of the page, and no padding that pushes it back."""
    sides = values.get("margin", "").split()
    left = values.get("margin-left") or (sides[min(3, len(sides) - 1) if len(sides) != 3 else 1] if sides else None)
    top = values.get("margin-top") or (sides[0] if sides else None)
    if not any(side and is_far_before(side.split(" ")[0]) for side in (left, top)):
        return False
    return not any(
        _is_far(part) for name in ("padding-left", "padding-top", "padding") for part in values.get(name, "").split()
    )
