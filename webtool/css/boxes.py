"""What a box shows, by its size, place, clip and transforms. In: computed values. Out: whether nothing of it is seen.

Specification: CSS Values 4 (lengths), CSS Masking 1 (clip), CSS Transforms 2.
"""

from __future__ import annotations

from webtool.css.colours import number_of
from webtool.lean import patterns

Values = dict[str, str]

# Pixels of each unit, about. A number alone is a line's height in font sizes. Of what is relative to the window or to
# the box around there are so few that 100vw and 150% are the first that are far.
_PIXELS = {
    "": 16.0, "px": 1.0, "pt": 1.33, "pc": 16.0, "cm": 38.0, "mm": 3.8, "q": 0.95, "in": 96.0, "em": 16.0, "rem": 16.0,
    "ch": 9.0, "ex": 8.0, "vw": 9.0, "vh": 9.0, "vmin": 9.0, "vmax": 9.0, "%": 6.0,
}  # fmt: skip
_FAR = 900.0  # px: outside of the page
_WHOLE = 100.0  # per cent
_BEYOND = 2000.0  # px: further to the right than any window is wide
_LEGIBLE = 6.0  # px of a radius below which no letter is seen
_SLIT = 3.0  # px of a line that is cut off, of which no letter can be read
_LETTER = 16.0  # px


def pixels(value: str | None) -> float | None:
    """A length in pixels, None for anything else."""
    number = number_of(value)
    return number[0] * _PIXELS[number[1]] if number is not None and number[1] in _PIXELS else None


def _is_far(value: str | None, sign: int = 0) -> bool:
    """Whether a length leads far beyond an edge of the page: for -1 the left or upper one, for 1 the others."""
    length = pixels(value)
    return length is not None and abs(length) >= _FAR and length * sign >= 0


def is_zero(value: str | None, below: float = 0.5) -> bool:
    """Whether a length is at most `below` px."""
    length = pixels(value)
    return length is not None and length <= below


def _sides(value: str) -> list[str]:
    """What a shorthand for four sides says of each: top, right, bottom, left."""
    parts = value.split() or ["0"]
    return [parts[at if at < len(parts) else (0, 0, 0, 1)[at] % len(parts)] for at in range(4)]


def _clips(values: Values) -> bool:
    return any(
        values.get(name, "visible") in ("hidden", "clip", "scroll", "auto")
        for name in ("overflow", "overflow-x", "overflow-y")
    )


def lost_side(values: Values) -> str | bool:
    """A box that clips its content and has no height ("height") or no width ("size", also a slit by a slit), or whose
    own text is pushed out of it ("pushed")."""
    if not _clips(values):
        return False
    height, width = (_least(values, *side) for side in _SIZES)
    if width is not None and (height is not None or width <= 0):
        return "size"
    if height is not None:
        return "height"
    return "pushed" if _is_pushed_down(values) or _is_pushed(values, *_ACROSS) or _is_pushed(values, *_ALONG) else False


_ACROSS, _ALONG = ("height", "min-height", "padding-top", 0), ("width", "min-width", "padding-left", 3)


def _is_pushed(values: Values, size: str, least: str, before: str, at: int) -> bool:
    """Whether padding begins the text where the box ends."""
    sides = [pixels(side) or 0.0 for side in _sides(values.get("padding", ""))]
    padding, behind = pixels(values.get(before)) or sides[at], sides[at - 2]
    length = pixels(values.get(size))
    if length is None or padding <= _SLIT or least in values or behind > _SLIT or _grows(values):
        return False
    return length - (padding if values.get("box-sizing") == "border-box" else 0) <= _SLIT


def _is_pushed_down(values: Values) -> bool:
    """Whether the first line is so high that its letters, in the middle of it, stand below the box."""
    height, line = pixels(values.get("height") or values.get("max-height")), _line_height(values.get("line-height", ""))
    return height is not None and "min-height" not in values and line >= 2 * height + _LETTER


def _line_height(value: str) -> float:
    return pixels(value.replace("%", "e-2em")) or 0.0


# A side's names, what holds a box open that would have none, and where it is in the shorthand of its padding.
_SIZES = (
    (("height", "max-height", "line-height"), ("min-height", "padding-top", "padding-bottom"), (0, 2)),
    (("width", "max-width"), ("min-width", "padding-left", "padding-right"), (1, 3)),
)
SIZES = frozenset(name for names, *_ in _SIZES for name in names)


def may_be_lost(name: str, value: str) -> bool:
    """Whether a box of this size may hide its content: what a box that clips has to say beside."""
    return is_zero(value, _SLIT) or (name == "line-height" and _line_height(value) > 2 * _LETTER)


def _least(values: Values, names: tuple[str, ...], held_by: tuple[str, ...], at: tuple[int, int]) -> float | None:
    """The pixels of a side that is made 0 or 1 px; None where nothing does, or where something holds it open."""
    # A bound that is a share of a height that is not set does not count (CSS 2 section 10.7).
    sizes = [values[name] for name in names if name in values and (name != "max-height" or values[name][-1] != "%")]
    found = [size for size in map(pixels, sizes) if size is not None and size <= _SLIT]
    if not found or _grows(values):
        return None
    padding = _sides(values.get("padding", ""))
    holds = [values[name] for name in held_by if name in values] + [padding[side] for side in at]
    return None if any(map(_is_some_length, holds)) else found[0]


def _is_some_length(value: str) -> bool:
    length = pixels(value)
    return "(" in value if length is None else length > 1


def _grows(values: Values) -> bool:
    """Whether a flex item takes its size from its container or its basis."""
    flex = values.get("flex", "").split(" ")
    grow = pixels(values.get("flex-grow", flex[0]))
    if flex[0] == "auto" or (grow is not None and grow > 0):
        return True
    basis = values.get("flex-basis", flex[2] if len(flex) > 2 else "")
    return bool(basis) and basis not in ("auto", "content") and not is_zero(basis, 1)


_shape = patterns.compile(r"(circle|ellipse|inset|polygon|rect|xywh|path|shape)\(((?:[^()]|\([^()]*\))*)\)").match
_between = patterns.compile(r"[\s,]+").split
_numbers = patterns.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)").findall


def is_clipped_away(value: str) -> bool:
    """Whether a shape of clip-path, or the rectangle of the old clip property, holds nothing that could be read."""
    match = _shape(value[:400])
    if not match:
        return False
    kind, (inner, _, at) = match[1], match[2].partition("round")[0].partition("at ")
    inner = inner.strip()
    if kind in ("path", "shape"):
        return sum(abs(float(number)) for number in _numbers(inner)) <= 4 * _LEGIBLE
    if kind == "polygon":
        return _is_small_polygon([point.split()[:2] for point in inner.split(",")])
    if kind == "inset":
        top, right, bottom, left = (
            float(side[:-1]) if _is_share(side) else _WHOLE * _is_far(side, 1) for side in _sides(inner)
        )
        return max(top + bottom, left + right) >= _WHOLE - 1
    if kind in ("circle", "ellipse"):
        radii = [length for length in map(pixels, _between(inner)) if length is not None]
        centre = [length for length in map(pixels, at.split()) if length is not None]
        widest = max(radii, default=0.0 if inner == "closest-side" else _FAR)
        return any(radius < _LEGIBLE for radius in radii) or any(length + widest <= 0 for length in centre)
    sides = _between(inner)
    whole = (0.0, _FAR, _FAR, 0.0)
    lengths = [default if side == "auto" else pixels(side) for side, default in zip(sides, whole)]
    if len(sides) != 4 or None in lengths:
        return False
    first, second, third, fourth = (length or 0.0 for length in lengths)
    if kind == "xywh":
        return min(third, fourth) <= 1 or first + third <= 0 or second + fourth <= 0
    return second - fourth <= 1 or third - first <= 1


def _is_small_polygon(points: list[list[str]]) -> bool:
    """Whether a polygon is a line or a dot, or lies beside the box."""
    if len(set(map(tuple, points))) < 3:
        return True
    for along in zip(*points):
        if len(set(along)) == 1 or all(_is_share(place) and float(place[:-1]) >= _WHOLE for place in along):
            return True
        places = [place for place in map(pixels, along) if place is not None]
        if len(places) == len(along) and (max(places) <= 0 or max(places) - min(places) < _LEGIBLE):
            return True
    return False


_is_share = patterns.compile(r"[0-9.]*[0-9]%").fullmatch
_function = patterns.compile(r"([a-z0-9]+)\(((?:[^()]|\([^()]*\))*)\)").findall
_SMALLEST = 0.1  # of its size, at which a letter can be told from others no more
_TURNS = {"deg": 1.0, "turn": 360.0, "rad": 57.29578, "grad": 0.9}


def is_transformed_away(values: Values) -> bool:
    """Whether a transform leaves nothing of the element, or puts it far before the page's edges."""
    is_placed = values.get("position") in ("absolute", "fixed")
    functions = _function(values["transform"][:500])
    return any(leaves_nothing(name, text.split(","), is_placed=is_placed) for name, text in functions)


def leaves_nothing(name: str, arguments: list[str], *, is_placed: bool = False) -> bool:
    """The same of one function of a transform, or of a property that is such a function."""
    if name.startswith("translate") and name != "translatez":
        # A share is one of the element itself: what does not stand at the top may be seen some lines above its place.
        by = [argument.strip() for argument in arguments[:2]]
        upwards = 0 if name == "translatey" else 1
        return any(_is_far(one, -1) and (is_placed or at != upwards or one[-1:] != "%") for at, one in enumerate(by))
    numbers = [number_of(argument.strip()) or (1.0, "") for argument in arguments]
    if name.startswith("scale") and name != "scalez":
        return any(abs(factor / 100 if unit == "%" else factor) <= _SMALLEST for factor, unit in numbers[:2])
    if name.startswith("skew"):
        return any(abs(angle * _TURNS.get(unit, 0.0) % 180 - 90) < 0.5 for angle, unit in numbers)
    if name in ("rotatex", "rotatey") or (name == "rotate3d" and len(numbers) == 4 and numbers[2][0] == 0):
        angle, unit = numbers[-1]
        return abs(angle * _TURNS.get(unit, 0.0) % 180 - 90) < 0.5  # only the edge is seen
    corners = {("matrix", 6): (0, 1, 2, 3), ("matrix3d", 16): (0, 1, 4, 5)}.get((name, len(numbers)))
    if corners:
        a, b, c, d = (numbers[at][0] for at in corners)
        moved = numbers[4:6] if len(numbers) == 6 else numbers[12:14]
        return abs(a * d - b * c) < _SMALLEST**2 or any(number <= -_FAR for number, _ in moved)
    return False


def is_turned_away(values: Values) -> bool:
    """Whether the rotate property shows only the edge."""
    *axis, angle = values["rotate"].split(" ")
    return leaves_nothing("rotate3d", [*axis, angle]) or leaves_nothing("rotate" + "".join(axis), [angle])


_turn = patterns.compile(r"(?:rotate[xy]|rotate3d)\((?:[^(),]*,)*([^(),]*)\)|^[xy] (.*)").search


def is_averted(values: Values) -> bool:
    """Whether the element shows its back, which is not to be seen."""
    match = _turn(values.get("transform", "")[:500]) or _turn(values.get("rotate", ""))
    angle = number_of((match[1] or match[2]).strip()) if match else None
    turned = angle[0] * _TURNS.get(angle[1], 0.0) % 360 if angle else 0.0
    return values["backface-visibility"] == "hidden" and 90 < turned < 270


_start = patterns.compile(r"path\((?:[a-z]+,)? ?[\"'] ?m ?(-?[0-9.]+)[ ,]*(-?[0-9.]+)").search


def is_led_away(values: Values) -> bool:
    """Whether the path that an element is placed on begins far outside of the page."""
    match = _start(values.get("offset-path") or values.get("offset", ""))
    if match:
        return any(float(place.rstrip(".")) <= -_FAR for place in match.groups())
    return "offset-path" in values and any(_is_far(part, -1) for part in values.get("offset-position", "").split())


def is_indented_away(values: Values) -> bool:
    """Whether text-indent puts the text out of the page, or behind the edge of a box that cuts it off."""
    value = values["text-indent"]
    is_cut = values.get("white-space") == "nowrap" and "hidden" in values.get("overflow", "")
    return _is_far(value, -1) or (is_cut and (pixels(value) or 0.0) >= _WHOLE * _PIXELS["%"])


def is_contained_away(values: Values) -> bool:
    """A box whose content does not count for its size (CSS Containment 2), which clips it and is given no height."""
    kinds = values["contain"].split(" ")
    if "strict" not in kinds and "size" not in kinds:
        return False
    is_clipped = _clips(values) or not {"strict", "paint"}.isdisjoint(kinds)
    return is_clipped and not any(name in values for name in ("height", "min-height", "position", "flex", "flex-grow"))


OFFSETS = ("left", "right", "top", "bottom", "inset")
_FAR_SIDES = ("right", "bottom")  # a distance from these leads to the left, or up


def is_off_screen(values: Values) -> str | bool:
    """Whether an element that is placed stands far outside of the page: to its left or above, where nobody scrolls.

    "beyond" where it stands so far to the right or below that it is content only beside others that are placed: slides,
    bricks, the lines of a page of a document. A relative one only moves to the left or up.
    """
    position = values["position"]
    offsets = [(name, part) for name in OFFSETS if name in values for part in _parts(values[name])]
    if position == "fixed":
        return any(_is_outside(part) for _, part in offsets)
    if position == "relative":
        return any(_is_far(part, 1 if name in _FAR_SIDES else -1) for name, part in offsets if name != "inset")
    if position != "absolute" or any(_is_far(part, -1) for _, part in offsets):
        return position == "absolute"
    return (
        "beyond" if any(is_beyond(part) or (name in _FAR_SIDES and _is_far(part)) for name, part in offsets) else False
    )


def is_pushed_out(values: Values) -> bool:
    """Whether padding that makes up for no margin pushes text out of the window."""
    return is_beyond(values["padding-left"]) and not _is_far(values.get("margin-left"), -1)


def is_beyond(value: str) -> bool:
    """Whether a length leads further to the right than any window is wide; shares are taken for those of carousels."""
    return value[-1:] != "%" and (pixels(value) or 0.0) >= _BEYOND


def is_beside(values: Values) -> bool:
    """Whether an absolute box stands beside the one that it is placed in, to its left, right, above or below."""
    numbers = [number_of(values.get(name)) for name in OFFSETS[:4]]
    if values.get("position") != "absolute":
        return False
    if any(one is not None and one[0] >= _WHOLE and one[1] in ("%", "vw") for one in numbers):
        return True
    near = (("left", "width"), ("top", "height"))
    return any((pixels(values.get(place)) or 0.0) + (pixels(values.get(size)) or _FAR) <= 0 for place, size in near)


def covers(values: Values) -> bool:
    """Whether an absolute box lies over all of the one that it is placed in."""
    is_smaller = any(values.get(size, "auto") not in ("auto", "100%") for size in ("width", "height"))
    if values.get("position") != "absolute" or is_smaller:
        return False
    if is_zero(values.get("inset")):
        return True
    return all(
        is_zero(values.get(near)) and (is_zero(values.get(far)) or values.get(size) == "100%")
        for near, far, size in (("left", "right", "width"), ("top", "bottom", "height"))
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
    """A margin that pulls or pushes text out of the page, and no padding that pushes it back."""
    top, right, _, left = _sides(values.get("margin", ""))
    left, top, right = (
        values.get("margin-" + name) or side for name, side in (("left", left), ("top", top), ("right", right))
    )
    if (values.get("float") == "right" and _is_far(right, -1)) or is_beyond(left):
        return True
    return any(_is_far(side.split(" ")[0], -1) for side in (left, top)) and not any(
        _is_far(part) for name in ("padding-left", "padding-top", "padding") for part in values.get(name, "").split()
    )
