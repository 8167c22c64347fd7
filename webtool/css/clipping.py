"""Clipping: does a box cut off all of its content? In: computed values. Out: whether, or how, nothing of it is seen.

lost_side() judges a box that clips (`overflow: hidden`) by its height, width, padding and line height. It returns a
reason of webtool.visibility.reasons, because other elements decide whether the box is hidden, or False:

    "height"  the box is at most MAX_SLIT px high
    "size"    the box is at most MAX_SLIT px wide
    "pushed"  padding or the line height pushes the box's own text outside

is_clipped_away() judges the shape of `clip-path` or `clip`, and is_contained_away() the property `contain`.
Lengths are rough pixels (values.py); `values` are computed values by property name.
Specification: CSS 2 sections 10 and 11, CSS Masking 1 (clip), CSS Containment 2.
Tests: tests/css/test_values.py
"""

from __future__ import annotations

from webtool.css.values import (
    LETTER,
    MAX_SLIT,
    MIN_FAR,
    WHOLE,
    Values,
    four_sides,
    is_at_most,
    is_far,
    pixels,
    sides_of,
)
from webtool.lean import patterns

MIN_LEGIBLE = 6.0  # px; no letter is seen in a circle or strip narrower than this
_MAX_SHAPE = 400  # characters of a shape that are read

# "circle(0 at 50% 50%)", "inset(calc(50% - 1px))"
_SHAPE = patterns.compile(r"(circle|ellipse|inset|polygon|rect|xywh|path|shape)\(((?:[^()]|\([^()]*\))*)\)")
_separators = patterns.compile(r"[\s,]+").split
_numbers_in = patterns.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)").findall
_is_percentage = patterns.compile(r"(?:[0-9]*\.)?[0-9]+%").fullmatch


# --- Size and padding of a box that clips ---


def lost_side(values: Values) -> str | bool:
    """Return how a box that clips loses its content: "height", "size" or "pushed"; False if it shows some of it."""
    if not _clips(values):
        return False
    line = _closed_length(values, ("line-height",), "min-height", ("top", "bottom"))
    height = _closed_length(values, ("height", "max-height"), "min-height", ("top", "bottom"))
    if height is None and pixels(values.get("height")) is None:
        height = line  # the lines are all that gives the box a height
    width = _closed_length(values, ("width", "max-width"), "min-width", ("left", "right"))
    if width is not None:
        return "size"
    if height is not None:
        return "height"
    return "pushed" if line is not None or _pushes_text_out(values) else False


def _clips(values: Values) -> bool:
    """Return whether the box cuts off what does not fit into it: {"overflow": "hidden auto"} -> True."""
    overflows = [values.get(name, "").split() for name in ("overflow", "overflow-x", "overflow-y")]
    return any(word in ("hidden", "clip", "scroll", "auto") for words in overflows for word in words)


def _closed_length(values: Values, sizes: tuple[str, ...], minimum: str, sides: tuple[str, ...]) -> float | None:
    """Return a box's height or width in px if it is closed to a slit, or None if it is open or not known.

    `sizes` are the properties that set the length, and `minimum` the one that sets its lower bound. Padding on `sides`
    holds the box open.
    """
    lengths = [_length_of(values, name) for name in sizes]
    closed = [length for length in lengths if length is not None and length <= MAX_SLIT]
    if not closed or _grows(values):
        return None
    padding = sides_of(values, "padding")
    holders = [values.get(minimum, "0"), *[padding[side] for side in sides]]
    return None if any(map(_is_some_length, holders)) else closed[0]


def _length_of(values: Values, name: str) -> float | None:
    """Return a height or width in px, None if it is not known or without effect."""
    value = values.get(name, "")
    if name == "max-height" and value.endswith("%"):
        return None  # CSS 2 section 10.7: per cent of an unknown height have no effect
    return pixels(value)


def _is_some_length(value: str) -> bool:
    """Return whether a length is over 1 px, or a calc() that cannot be computed."""
    length = pixels(value)
    return "(" in value if length is None else length > 1


def _grows(values: Values) -> bool:
    """Return whether a flex item takes its size from its container or its flex-basis, not from its width or height."""
    flex = values.get("flex", "").split(" ")
    grow = pixels(values.get("flex-grow", flex[0]))
    if flex[0] == "auto" or (grow is not None and grow > 0):
        return True
    basis = values.get("flex-basis", flex[2] if len(flex) > 2 else "")
    return basis not in ("", "auto", "content") and not is_at_most(basis, 1)


def _pushes_text_out(values: Values) -> bool:
    """Return whether the first line of text is wholly outside the box."""
    return (
        _is_line_below_box(values)
        or _is_filled_by_padding(values, "height", "top", "bottom")
        or _is_filled_by_padding(values, "width", "left", "right")
    )


def _is_filled_by_padding(values: Values, size: str, start: str, end: str) -> bool:
    """Return whether padding leaves no room for content: `box-sizing: border-box; height: 20px; padding-top: 20px`.

    Text flows into padding at the end and is seen there, because a box clips what is outside its padding.
    """
    length = pixels(values.get(size))
    if length is None:
        return False
    padding = sides_of(values, "padding")
    before, after = pixels(padding[start]) or 0.0, pixels(padding[end]) or 0.0
    if before <= MAX_SLIT or after > MAX_SLIT:
        return False
    if f"min-{size}" in values or _grows(values):
        return False
    return length - (before if values.get("box-sizing") == "border-box" else 0) <= MAX_SLIT


def _is_line_below_box(values: Values) -> bool:
    """Return whether the first line is so high that its letters, in its middle, are below the clipped box."""
    height = pixels(values.get("height") or values.get("max-height"))
    if height is None or "min-height" in values:
        return False
    first_letter = (_line_height(values.get("line-height", "")) - LETTER) / 2  # px from the top of the line
    return first_letter >= height


def is_high_line(value: str) -> bool:
    """Return whether a line height could push text out of a box that clips."""
    return _line_height(value) > 2 * LETTER


def _line_height(value: str) -> float:
    """Return a line height in px, 0 if it is not known. Per cent are of the font size: "150%" is "150e-2em"."""
    return pixels(value.replace("%", "e-2em")) or 0.0


def is_contained_away(values: Values) -> bool:
    """Return whether `contain` takes a box's height away, and the box clips its content.

    Size containment ignores the content: only a height, flex or the sides of a placed box give it some then.
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
    match = _SHAPE.match(shape[:_MAX_SHAPE])
    if not match:
        return False
    kind, unrounded = match[1], match[2].partition("round")[0]
    arguments, _, centre = unrounded.partition("at ")
    arguments = arguments.strip()
    if kind in ("path", "shape"):  # every coordinate is near 0, and so is the whole shape
        return sum(abs(float(number)) for number in _numbers_in(arguments)) <= 4 * MIN_LEGIBLE
    if kind == "polygon":
        points = [tuple(point.split()[:2]) for point in arguments.split(",")]  # ("x", "y")
        return len(set(points)) < 3 or any(map(_is_narrow, zip(*points)))  # a dot, a line, or outside the box
    if kind == "inset":
        top, right, bottom, left = map(_inset_share, four_sides(arguments))
        return max(top + bottom, left + right) >= WHOLE - 1  # opposite sides meet: less than 1 % is left
    if kind in ("circle", "ellipse"):
        return _is_small_ellipse(arguments, centre)
    return _is_small_rectangle(kind, _separators(arguments))


def _inset_share(side: str) -> float:
    """Return how much of the box one side of an inset() cuts off, in per cent. A far length counts as all of it."""
    if _is_percentage(side):
        return float(side[:-1])
    return WHOLE if is_far(side, 1) else 0.0


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
    if len(sides) != 4:
        return False
    defaults = (0.0, MIN_FAR, MIN_FAR, 0.0)  # of "auto", which only rect() has
    lengths = [default if side == "auto" else pixels(side) for side, default in zip(sides, defaults)]
    known = [length for length in lengths if length is not None]
    if len(known) != 4:
        return False
    if kind == "xywh":
        x, y, width, height = known
        return min(width, height) <= 1 or x + width <= 0 or y + height <= 0
    top, right, bottom, left = known
    return right - left <= 1 or bottom - top <= 1


def _is_narrow(coordinates: tuple[str, ...]) -> bool:
    """Return whether a polygon's points are closer together along an axis than a letter is wide, or outside the box."""
    if len(set(coordinates)) == 1:
        return True
    if all(_is_percentage(coordinate) and float(coordinate[:-1]) >= WHOLE for coordinate in coordinates):
        return True
    lengths = [length for length in map(pixels, coordinates) if length is not None]
    if len(lengths) < len(coordinates):
        return False
    return max(lengths) <= 0 or max(lengths) - min(lengths) < MIN_LEGIBLE
