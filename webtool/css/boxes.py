"""Geometry of a box: size, position, clipping, transforms. In: computed values. Out: whether nothing of it is seen.

`values` are computed values by property name, in lower case: {"position": "absolute", "left": "-999px"}. Nothing is
laid out here, so lengths are turned into rough pixels and compared with the limits below. A test returns True, False or
one of these words, for cases in which other elements decide whether the box is hidden (webtool.visibility.reasons):

    "height"  the box clips its content and is at most 3 px high
    "size"    the box clips its content and has no width, or is at most 3 px high and 3 px wide
    "pushed"  the box clips, and its padding or line height pushes its own text outside
    "beyond"  the box is placed far to the right or below; slides wait there too

Specification: CSS Values 4 (lengths), CSS Masking 1 (clip), CSS Transforms 2, CSS Positioned Layout 3.
Tests: tests/css/test_values.py
"""

from __future__ import annotations

from math import cos, radians

from webtool.css.colours import number_of
from webtool.lean import patterns

Values = dict[str, str]

# Rough pixels of each unit. A bare number ("") is a multiple of the font size, as in `line-height: 2`. Units relative
# to the window or the containing block are chosen so that 100vw and 150 % equal MIN_FAR.
_PIXELS = {
    "": 16.0, "px": 1.0, "pt": 1.33, "pc": 16.0, "cm": 38.0, "mm": 3.8, "q": 0.95, "in": 96.0, "em": 16.0, "rem": 16.0,
    "ch": 9.0, "ex": 8.0, "vw": 9.0, "vh": 9.0, "vmin": 9.0, "vmax": 9.0, "%": 6.0,
}  # fmt: skip
_DEGREES = {"deg": 1.0, "turn": 360.0, "rad": 57.29578, "grad": 0.9}
_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
MIN_FAR = 900.0  # px; a box moved this far left or up is off the page
MIN_BEYOND = 2000.0  # px; a box moved this far right is outside any window
MIN_LEGIBLE = 6.0  # px; no letter is seen in a circle or strip narrower than this
MAX_SLIT = 3.0  # px; no letter can be read in a clipped box of this height or width
MAX_SCALE = 0.1  # factor; a smaller one makes letters illegible
LETTER = 16.0  # px; height of an ordinary letter
MAX_EDGE = 0.009  # share of an element's front that is seen at 89.5 degrees: only its edge
WHOLE = 100.0  # per cent
CONTAINER_WIDTH = WHOLE * _PIXELS["%"]  # px; rough width of a containing block

_FROM_END = ("right", "bottom")  # a positive distance from these sides moves the box left or up
_SIDES = ("top", "right", "bottom", "left")  # the order of four-sided shorthands such as padding
# By how many lengths a four-sided shorthand has: which of them each side takes, in this order.
_SIDE_INDICES = {1: (0, 0, 0, 0), 2: (0, 1, 0, 1), 3: (0, 1, 2, 1)}
_shape = patterns.compile(r"(circle|ellipse|inset|polygon|rect|xywh|path|shape)\(((?:[^()]|\([^()]*\))*)\)").match
_separators = patterns.compile(r"[\s,]+").split
_numbers_in = patterns.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)").findall
_is_percentage = patterns.compile(r"(?:[0-9]*\.)?[0-9]+%").fullmatch
_functions_in = patterns.compile(r"([a-z0-9]+)\(((?:[^()]|\([^()]*\))*)\)").findall
_path_start = patterns.compile(r"path\((?:[a-z]+,)? ?[\"'] ?m ?(-?[0-9]*\.?[0-9]+)\.?[ ,]*(-?[0-9]*\.?[0-9]+)").search


def pixels(value: str | None) -> float | None:
    """Return a length in rough pixels ("2em" -> 32.0), or None if it is not a number with a known unit."""
    number = number_of(value)
    return number[0] * _PIXELS[number[1]] if number is not None and number[1] in _PIXELS else None


def is_at_most(value: str | None, most: float = 0.5) -> bool:
    """Return whether a length is known and at most `most` px. Negative lengths are: "-9px" -> True, "auto" -> False."""
    length = pixels(value)
    return length is not None and length <= most


def is_slit(value: str) -> bool:
    """Return whether a clipped box of this height or width could hide its text."""
    return is_at_most(value, MAX_SLIT)


def _is_far(value: str | None, sign: int = 0) -> bool:
    """Return whether a length is at least MIN_FAR px long; `sign` -1 asks for a negative one, 1 for a positive one."""
    length = pixels(value)
    return length is not None and abs(length) >= MIN_FAR and length * sign >= 0


def _four_sides(value: str) -> list[str]:
    """Return top, right, bottom and left of a four-sided shorthand: "1px 2px" -> ["1px", "2px", "1px", "2px"]."""
    parts = [value] if "(" in value else value.split() or ["0"]
    return [parts[index] for index in _SIDE_INDICES.get(len(parts), (0, 1, 2, 3))]


def _padding_of(values: Values) -> dict[str, str]:
    """Return the padding of each side: {"padding": "9px", "padding-top": "0"} -> {"top": "0", "right": "9px", ...}."""
    padding = dict(zip(_SIDES, _four_sides(values.get("padding", ""))))
    return {side: values.get(f"padding-{side}", length) for side, length in padding.items()}


def _offsets_of(values: Values) -> dict[str, str]:
    """Return the offset of each side that has one: {"inset": "0", "left": "1px"} -> {"top": "0", "left": "1px", ...}.

    A side may hold the two lengths of inset-inline or inset-block, of which the first counts.
    """
    offsets = dict(zip(_SIDES, _four_sides(values["inset"]))) if "inset" in values else {}
    offsets.update({side: _four_sides(values[side])[0] for side in _SIDES if side in values})
    return offsets


# --- Clipped boxes ---


def lost_side(values: Values) -> str | bool:
    """Return how a box that clips loses its content: "height", "size" or "pushed"; False if it shows some of it."""
    if not _clips(values):
        return False
    line = _closed_length(values, ("line-height",), "min-height", ("top", "bottom"))
    height = _closed_length(values, ("height", "max-height"), "min-height", ("top", "bottom"))
    if height is None and pixels(values.get("height")) is None:
        height = line  # the lines are all that gives the box a height
    width = _closed_length(values, ("width", "max-width"), "min-width", ("left", "right"))
    if width is not None and (height is not None or width <= 0):
        return "size"
    if height is not None:
        return "height"
    is_pushed = (
        line is not None
        or _is_line_below_box(values)
        or _is_pushed_by_padding(values, "height", "top")
        or _is_pushed_by_padding(values, "width", "left")
    )
    return "pushed" if is_pushed else False


def _clips(values: Values) -> bool:
    """Return whether the box cuts off what does not fit into it."""
    return any(
        values.get(name, "visible") in ("hidden", "clip", "scroll", "auto")
        for name in ("overflow", "overflow-x", "overflow-y")
    )


def _closed_length(values: Values, sizes: tuple[str, ...], minimum: str, sides: tuple[str, ...]) -> float | None:
    """Return a box's height or width in px if it is closed to a slit, or None if it is open or not known.

    `sizes` are the properties that set the length, and `minimum` the one that sets its lower bound. Padding on `sides`
    holds the box open.
    """
    # CSS 2 section 10.7: a max-height in per cent of an unknown height has no effect.
    set_sizes = [values[name] for name in sizes if name in values and (name != "max-height" or values[name][-1] != "%")]
    closed = [size for size in map(pixels, set_sizes) if size is not None and size <= MAX_SLIT]
    if not closed or _grows(values):
        return None
    padding = _padding_of(values)
    holders = [values.get(minimum, "0"), *[padding[side] for side in sides]]
    return None if any(map(_is_some_length, holders)) else closed[0]


def _is_some_length(value: str) -> bool:
    """Return whether a length is over 1 px, or a calc() that cannot be computed."""
    length = pixels(value)
    if length is None:
        return "(" in value
    return length > 1


def _grows(values: Values) -> bool:
    """Return whether a flex item takes its size from its container or its flex-basis, not from its width or height."""
    flex = values.get("flex", "").split(" ")
    grow = pixels(values.get("flex-grow", flex[0]))
    if flex[0] == "auto" or (grow is not None and grow > 0):
        return True
    basis = values.get("flex-basis", flex[2] if len(flex) > 2 else "")
    return bool(basis) and basis not in ("auto", "content") and not is_at_most(basis, 1)


def _is_pushed_by_padding(values: Values, size: str, start: str) -> bool:
    """Return whether padding leaves no room for content: `box-sizing: border-box; height: 20px; padding-top: 20px`.

    Padding at the other end would show the text: a box clips what is outside its padding, not outside its content.
    """
    length = pixels(values.get(size))
    if length is None:
        return False
    padding = _padding_of(values)
    end = {"top": "bottom", "left": "right"}[start]
    before, after = pixels(padding[start]) or 0.0, pixels(padding[end]) or 0.0
    if before <= MAX_SLIT or after > MAX_SLIT:
        return False
    if f"min-{size}" in values or _grows(values):
        return False
    return length - (before if values.get("box-sizing") == "border-box" else 0) <= MAX_SLIT


def _is_line_below_box(values: Values) -> bool:
    """Return whether the first line is so high that its letters, in its middle, are below the clipped box."""
    height = pixels(values.get("height") or values.get("max-height"))
    line = _line_height(values.get("line-height", ""))
    return height is not None and "min-height" not in values and line >= 2 * height + LETTER


def is_high_line(value: str) -> bool:
    """Return whether a line height could push text out of a box that clips."""
    return _line_height(value) > 2 * LETTER


def _line_height(value: str) -> float:
    """Return a line height in px, 0 if it is not known. Per cent are of the font size: "150%" is "150e-2em"."""
    return pixels(value.replace("%", "e-2em")) or 0.0


def is_contained_away(values: Values) -> bool:
    """Return whether `contain` takes a box's height away, and the box clips its content.

    Size containment ignores the content: only a height, flex or the sides of a placed box give it some then.
    Specification: CSS Containment 2.
    """
    kinds = values["contain"].split(" ")
    if "strict" not in kinds and "size" not in kinds:
        return False
    is_clipped = _clips(values) or not {"strict", "paint"}.isdisjoint(kinds)
    return is_clipped and not any(name in values for name in ("height", "min-height", "position", "flex", "flex-grow"))


# --- Shapes of clip-path and clip ---


def is_clipped_away(shape: str) -> bool:
    """Return whether a clip-path shape, or a rect() of the old clip property, leaves no room for a letter.

    "inset(50%)" -> True, "rect(1px, 1px, 1px, 1px)" -> True, "circle(80%)" -> False.
    """
    match = _shape(shape[:400])
    if not match:
        return False
    kind = match[1]
    arguments, _, centre = match[2].partition("round")[0].partition("at ")
    arguments = arguments.strip()
    if kind in ("path", "shape"):  # every coordinate is near 0, and so is the whole shape
        return sum(abs(float(number)) for number in _numbers_in(arguments)) <= 4 * MIN_LEGIBLE
    if kind == "polygon":
        return _is_small_polygon([point.split()[:2] for point in arguments.split(",")])
    if kind == "inset":
        return _is_inset_closed(arguments)
    if kind in ("circle", "ellipse"):
        return _is_small_ellipse(arguments, centre)
    return _is_small_rectangle(kind, _separators(arguments))


def _is_inset_closed(arguments: str) -> bool:
    """Return whether opposite sides of an inset() meet."""
    top, right, bottom, left = map(_inset_share, _four_sides(arguments))
    return max(top + bottom, left + right) >= WHOLE - 1


def _inset_share(side: str) -> float:
    """Return how much of the box one side of an inset() cuts off, in per cent. A far length counts as all of it."""
    if _is_percentage(side):
        return float(side[:-1])
    return WHOLE if _is_far(side, 1) else 0.0


def _is_small_ellipse(arguments: str, centre: str) -> bool:
    """Return whether a radius is too small for a letter, or the ellipse is left of or above the box.

    A radius is a length or a word. "closest-side", the default, reaches from the centre to a side of the box.
    """
    radii = [length for length in map(pixels, _separators(arguments)) if length is not None]
    centres = [length for length in map(pixels, centre.split()) if length is not None]
    widest = max(radii, default=0.0 if arguments in ("", "closest-side") else MIN_FAR)
    return any(radius < MIN_LEGIBLE for radius in radii) or any(length + widest <= 0 for length in centres)


def _is_small_rectangle(kind: str, sides: list[str]) -> bool:
    """Return whether rect(top right bottom left) or xywh(x y width height) is empty or outside the box."""
    whole = (0.0, MIN_FAR, MIN_FAR, 0.0)
    lengths = [default if side == "auto" else pixels(side) for side, default in zip(sides, whole)]
    if len(sides) != 4 or None in lengths:
        return False
    first, second, third, fourth = (length or 0.0 for length in lengths)
    if kind == "xywh":
        return min(third, fourth) <= 1 or first + third <= 0 or second + fourth <= 0
    return second - fourth <= 1 or third - first <= 1


def _is_small_polygon(points: list[list[str]]) -> bool:
    """Return whether a polygon is a line or a dot, or is outside the box."""
    if len(set(map(tuple, points))) < 3:
        return True
    for coordinates in zip(*points):
        if len(set(coordinates)) == 1:
            return True
        if all(_is_percentage(place) and float(place[:-1]) >= WHOLE for place in coordinates):
            return True
        places = [place for place in map(pixels, coordinates) if place is not None]
        if len(places) == len(coordinates) and (max(places) <= 0 or max(places) - min(places) < MIN_LEGIBLE):
            return True
    return False


# --- Transforms ---


def _transforms_of(values: Values) -> list[tuple[str, str]]:
    """Return the functions of `transform` with arguments: "rotate(45deg) scale(2)" -> [("rotate", "45deg"), ...]."""
    functions: list[tuple[str, str]] = _functions_in(values.get("transform", "")[:500])
    return functions


def is_transformed_away(values: Values) -> bool:
    """Return whether a transform leaves nothing of the element or moves it off the page."""
    is_placed = values.get("position") in ("absolute", "fixed")
    functions = _transforms_of(values)
    return any(leaves_nothing(name, arguments.split(","), is_placed=is_placed) for name, arguments in functions)


def leaves_nothing(function: str, arguments: list[str], *, is_placed: bool = False) -> bool:
    """Return whether one transform function hides the element: ("scale", ["0"]) -> True.

    A property such as `scale: 0` is passed as the function of its name. `is_placed` says that the element is positioned
    absolutely: only then does a percentage upwards lead off the page.
    """
    if function.startswith("translate") and function != "translatez":
        return _is_translated_away(function, arguments, is_placed=is_placed)
    numbers = [number_of(argument.strip()) or (1.0, "") for argument in arguments]
    if function.startswith("scale") and function != "scalez":
        return any(abs(factor / 100 if unit == "%" else factor) <= MAX_SCALE for factor, unit in numbers[:2])
    if function.startswith("skew"):
        return any(abs(cos(_radians(number))) < MAX_EDGE for number in numbers)
    if function.startswith("rotate"):
        return abs(_front_seen(function, arguments)) < MAX_EDGE
    return _is_matrix_flat_or_far(function, [number for number, _ in numbers])


def _is_translated_away(function: str, arguments: list[str], *, is_placed: bool) -> bool:
    """Return whether a translate function moves the element far to the left or up."""
    distances = [argument.strip() for argument in arguments[:2]]
    vertical_index = 0 if function == "translatey" else 1
    for index, distance in enumerate(distances):
        # A percentage is one of the element's own height: an element in the flow rises by some lines only.
        is_of_height = index == vertical_index and distance[-1:] == "%"
        if _is_far(distance, -1) and (is_placed or not is_of_height):
            return True
    return False


def _radians(angle: tuple[float, str]) -> float:
    """Return an angle in radians, 0 if its unit is unknown. Full turns are left out: they may be endless."""
    degrees = angle[0] * _DEGREES.get(angle[1], 0.0)
    return radians(degrees % 360) if abs(degrees) < 1e9 else 0.0


def _front_seen(function: str, arguments: list[str]) -> float:
    """Return which share of its front an element shows after a rotation: 1 all, 0 only its edge, -1 its whole back.

    ("rotatey", ["90deg"]) -> 0.0, ("rotate3d", ["0", "0", "1", "180deg"]) -> 1.0: a turn in the plane of the page.
    """
    *axis, angle = [number_of(argument.strip()) or (0.0, "") for argument in arguments] or [(0.0, "")]
    x, y, z = _AXES.get(function[6:], _AXES["z"])
    if len(axis) == 3:
        x, y, z = (number for number, _ in axis)
    length = x * x + y * y + z * z
    cosine = cos(_radians(angle))
    # The third element of the matrix in CSS Transforms 2, section 13.1.
    return cosine + (1 - cosine) * z * z / length if 0 < length < 1e9 else 1.0


def _is_matrix_flat_or_far(function: str, numbers: list[float]) -> bool:
    """Return whether matrix() or matrix3d() shrinks the element to nothing or moves it far to the left or up."""
    if function == "matrix" and len(numbers) == 6:
        a, b, c, d = numbers[:4]
        moves = numbers[4:]
    elif function == "matrix3d" and len(numbers) == 16:
        a, b, c, d = (numbers[index] for index in (0, 1, 4, 5))
        moves = numbers[12:14]
    else:
        return False
    return abs(a * d - b * c) < MAX_SCALE**2 or any(number <= -MIN_FAR for number in moves)


def _rotation_of(values: Values) -> tuple[str, list[str]]:
    """Return the `rotate` property as a transform function: "y 90deg" -> ("rotatey", ["90deg"])."""
    words = sorted(values.get("rotate", "").split(" "), key=lambda word: word[-1:].isalpha())  # the angle comes last
    axis = [word for word in words if word in _AXES]
    return "rotate" + "".join(axis), [word for word in words if word not in _AXES]


def is_turned_away(values: Values) -> bool:
    """Return whether the rotate property shows only the element's edge: "y 90deg" -> True."""
    return abs(_front_seen(*_rotation_of(values))) < MAX_EDGE


def is_averted(values: Values) -> bool:
    """Return whether the element shows its back, and its back is invisible (backface-visibility: hidden)."""
    shown = _front_seen(*_rotation_of(values))
    for function, arguments in _transforms_of(values):
        if function.startswith("rotate"):
            shown *= _front_seen(function, arguments.split(","))
    return values["backface-visibility"] == "hidden" and shown < 0


# --- Positions ---


def is_off_screen(values: Values) -> str | bool:
    """Return whether a positioned element is left of or above the page, where nobody can scroll.

    Returns "beyond" if an absolute one is far to the right or below, or far from the right or bottom edge. A relative
    one is only off the page if it is moved left or up. A fixed one only has to be outside the window.
    """
    position, offsets = values["position"], _offsets_of(values)
    if position == "fixed":
        return any(map(_is_outside_window, offsets.values())) or _is_beside_window(values, offsets)
    if position == "relative":
        return any(_is_far(length, 1 if side in _FROM_END else -1) for side, length in offsets.items())
    if position != "absolute":
        return False
    if any(side not in _FROM_END and _is_far(length, -1) for side, length in offsets.items()):
        return True
    is_far_right = any(is_beyond(length) or (side in _FROM_END and _is_far(length)) for side, length in offsets.items())
    return "beyond" if is_far_right else False


def is_beyond(value: str) -> bool:
    """Return whether a length leads out of any window on the right. Percentages do not: carousels use them."""
    return value[-1:] != "%" and (pixels(value) or 0.0) >= MIN_BEYOND


def is_far_away(offset: str) -> bool:
    """Return whether one of an offset's lengths may lead out of the page or the window."""
    return any(_is_outside_window(side) or is_at_most(side, -CONTAINER_WIDTH) for side in _four_sides(offset))


def _is_outside_window(value: str) -> bool:
    """Return whether a distance from an edge of the window leads out of it: "100vw" and "-100px" do."""
    number = number_of(value)
    if number is None:
        return False
    if _is_far(value):
        return True
    amount, unit = number
    if unit in ("%", "vw", "vh"):
        return amount >= WHOLE
    return unit == "px" and amount <= -WHOLE


def _is_beside_window(values: Values, offsets: dict[str, str]) -> bool:
    """Return whether a fixed box lies beside the window by percentages, as menus do until they are opened.

    {"left": "-100%"} and {"left": "0", "transform": "translatex(-100%)"} do. False if that is not sure.
    """
    shifts = _shifts_of(values)
    if shifts is None or "animation" in values or "animation-name" in values:
        return False
    for (start, end, size), shift in zip((("left", "right", "width"), ("top", "bottom", "height")), shifts):
        length = values.get(size, "auto")
        fits_window = length == "auto" or is_at_most(length, CONTAINER_WIDTH if length[-1:] == "%" else MIN_FAR)
        is_whole = length in ("auto", "100%", "100vw", "100vh") and "max-" + size not in values
        for side, other, direction in ((start, end, -1), (end, start, 1)):
            amount, unit = number_of(offsets.get(side)) or (1.0, "")
            opposite = offsets.get(other, "auto")
            if unit == "%" and amount <= -WHOLE and shift * direction >= 0 and fits_window and opposite == "auto":
                return True
            # `left` wins over `right`, so a box with both is only at the right edge if it is as wide as the window.
            is_at_edge = side == start or opposite == "auto" or (is_whole and opposite[:1] != "-")
            if amount <= 0 and is_at_edge and shift * direction >= WHOLE:
                return True
    return False


def _shifts_of(values: Values) -> tuple[float, float] | None:
    """Return how far a box is moved right and down, in per cent of its size; None if by lengths or other transforms."""
    functions = _transforms_of(values)
    if "translate" in values:
        functions.append(("translate", values["translate"].replace(" ", ",")))
    shifts = [0.0, 0.0]
    for name, arguments in functions:
        if name[:9] != "translate":
            return None
        first = 1 if name == "translatey" else 0
        for axis, length in enumerate(arguments.split(",")[: 0 if name == "translatez" else 2], first):
            amount, unit = number_of(length.strip()) or (1.0 if length != "none" else 0.0, "")
            if axis > 1 or (amount and unit != "%"):
                return None
            shifts[axis] += amount
    return shifts[0], shifts[1]


def is_outside_container(values: Values) -> bool:
    """Return whether an absolute box is wholly left, right, above or below its containing block.

    {"position": "absolute", "right": "100%"} -> True.
    """
    if values.get("position") != "absolute":
        return False
    offsets = _offsets_of(values)
    numbers = filter(None, map(number_of, offsets.values()))
    if any(amount >= WHOLE and unit in ("%", "vw") for amount, unit in numbers):
        return True
    axes = (("left", "width"), ("top", "height"))
    return any((pixels(offsets.get(side)) or 0.0) + (pixels(values.get(size)) or MIN_FAR) <= 0 for side, size in axes)


def covers_container(values: Values) -> bool:
    """Return whether an absolute box is painted over all of its containing block.

    {"position": "absolute", "inset": "0"} -> True.
    """
    is_smaller = any(values.get(size, "auto") not in ("auto", "100%") for size in ("width", "height"))
    if values.get("position") != "absolute" or is_smaller:
        return False
    offsets = _offsets_of(values)
    for start, end, size in (("left", "right", "width"), ("top", "bottom", "height")):
        offset = pixels(offsets.get(start))
        if offset is None or offset > 0.5:
            return False
        # A box that starts earlier must also end late enough: `left: -300px; width: 100%` leaves 300 px uncovered.
        if not is_at_most(offsets.get(end)) and (values.get(size) != "100%" or offset < -MAX_SLIT):
            return False
    return True


# --- Margins, padding, indents, paths ---


def is_pulled_away(values: Values) -> bool:
    """Return whether a margin moves text off the page and no padding moves it back."""
    top, right, _, left = _four_sides(values.get("margin", ""))
    left = values.get("margin-left") or left
    top = values.get("margin-top") or top
    right = values.get("margin-right") or right
    if (values.get("float") == "right" and _is_far(right, -1)) or is_beyond(left):
        return True
    if not any(_is_far(side.split(" ")[0], -1) for side in (left, top)):
        return False
    padding = [values.get(name, "") for name in ("padding-left", "padding-top", "padding")]
    return not any(_is_far(length) for value in padding for length in value.split())


def is_pushed_out(values: Values) -> bool:
    """Return whether padding pushes text out of the window and no negative margin makes up for it."""
    return is_beyond(values["padding-left"]) and not _is_far(values.get("margin-left"), -1)


def is_indented_away(values: Values) -> bool:
    """Return whether text-indent moves text off the page, or past the edge of a box that clips it."""
    indent = values["text-indent"]
    is_cut_off = values.get("white-space") == "nowrap" and "hidden" in values.get("overflow", "")
    return _is_far(indent, -1) or (is_cut_off and (pixels(indent) or 0.0) >= CONTAINER_WIDTH)


def is_led_away(values: Values) -> bool:
    """Return whether the path that the element is placed on starts far left of or above the page."""
    match = _path_start(values.get("offset-path") or values.get("offset", ""))
    if match:
        return any(float(place) <= -MIN_FAR for place in match.groups())
    return "offset-path" in values and any(_is_far(part, -1) for part in values.get("offset-position", "").split())
