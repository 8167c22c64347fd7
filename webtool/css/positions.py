"""Positions: do offsets, margins, padding, an indent or a path move an element out of sight? In: computed values.

Out: True or False; is_off_screen() may also return "beyond", a reason of webtool.visibility.reasons: the box is placed
far to the right or below, where slides wait too. Nothing is laid out: lengths are rough pixels (values.py), and a box
without a known width is as wide as the window.

Far left and far up cannot be scrolled to, so there MIN_FAR is enough. To the right a page may be wide: MIN_BEYOND.
Specification: CSS Positioned Layout 3, CSS 2 section 8 (margins, padding), Motion Path 1 (offset-path).
Tests: tests/css/test_values.py
"""

from __future__ import annotations

from webtool.css.transforms import functions_of
from webtool.css.values import (
    CONTAINER_WIDTH,
    MAX_SLIT,
    MIN_FAR,
    SIDES,
    WHOLE,
    Values,
    four_sides,
    is_at_most,
    is_far,
    number_of,
    pixels,
    sides_of,
    words_of,
)
from webtool.lean import patterns

_MAX_PAST_EDGE = 10.0  # per cent; a box with `left: 111%` does not come back into the window, whatever moves it
_MIN_BACK = 100.0  # px by which a box with `left: 100%` must be moved back to be in the window
_MIN_VISIBLE = 0.5  # of a fixed box's width or height; with less in the window the box is outside
_MIN_BEYOND = 2000.0  # px; a box moved this far right is outside any window
_FROM_END = ("right", "bottom")  # a positive distance from these sides moves the box left or up
_AXES = (("left", "right", "width"), ("top", "bottom", "height"))
# The x and y where a path begins: "path('m-9000 0 l ...')"
_PATH_START = patterns.compile(r"path\((?:[a-z]+,)? ?[\"'] ?m ?(-?[0-9]*\.?[0-9]+)\.?[ ,]*(-?[0-9]*\.?[0-9]+)")


# --- Placed boxes ---


def _offsets_of(values: Values) -> dict[str, str]:
    """Return the offset of each side that has one: {"inset": "0", "left": "1px"} -> {"top": "0", "left": "1px", ...}.

    A side may hold the two lengths of inset-inline or inset-block, of which the first counts.
    """
    offsets = dict(zip(SIDES, four_sides(values["inset"]))) if "inset" in values else {}
    offsets.update({side: four_sides(values[side])[0] for side in SIDES if side in values})
    return offsets


def is_off_screen(values: Values) -> str | bool:
    """Return whether a positioned box is where nobody can scroll, or "beyond": see the top of the module.

    A relative box is off the page if it is moved left or up; an absolute one if it is far left or above, and "beyond"
    if it is far right, below, or far from the right or bottom edge. A fixed one only has to be outside the window.
    """
    position, offsets = values["position"], _offsets_of(values)
    if position == "fixed":
        outside = [side for side, length in offsets.items() if _is_outside_window(length)]
        is_outside = any(not _comes_back(values, side) and not _reaches_in(values, offsets, side) for side in outside)
        return is_outside or _is_beside_window(values, offsets)
    if position == "relative":
        return any(is_far(length, 1 if side in _FROM_END else -1) for side, length in offsets.items())
    if position != "absolute":
        return False
    if any(side not in _FROM_END and is_far(length, -1) for side, length in offsets.items()):
        return True
    is_far_right = any(_is_beyond(length) or (side in _FROM_END and is_far(length)) for side, length in offsets.items())
    return "beyond" if is_far_right else False


def _is_beyond(length: str) -> bool:
    """Return whether a length leads out of any window on the right. Percentages do not: carousels use them."""
    return length[-1:] != "%" and (pixels(length) or 0.0) >= _MIN_BEYOND


def is_far_away(offset: str) -> bool:
    """Return whether one of an offset's lengths may lead out of the page or the window."""
    return any(_is_outside_window(length) or is_at_most(length, -CONTAINER_WIDTH) for length in four_sides(offset))


def _is_outside_window(length: str) -> bool:
    """Return whether a distance from an edge of the window leads out of it: "100vw" and "-100px" do."""
    number = number_of(length)
    if number is None:
        return False
    if is_far(length):
        return True
    amount, unit = number
    if unit in ("%", "vw", "vh"):
        return amount >= WHOLE
    return unit == "px" and amount <= -WHOLE


def _reaches_in(values: Values, offsets: dict[str, str], side: str) -> bool:
    """Return whether enough of a fixed box that begins outside of one side of the window is in it.

    {"left": "-150px", "width": "600px"} -> True. A box without a size is as large as the window if it has both offsets.
    """
    offset = pixels(offsets[side]) or 0.0
    if not -MIN_FAR < offset < 0:
        return False
    start, end, size = next(axis for axis in _AXES if side in axis)
    length = pixels(values.get(size, "auto"))
    if length is None and offsets.get(end if side == start else start, "auto") != "auto":
        length = CONTAINER_WIDTH
    return length is not None and length + offset >= _MIN_VISIBLE * length


def _comes_back(values: Values, side: str) -> bool:
    """Return whether a box at the opposite edge of the window is moved back from there, by a transform or a margin.

    {"left": "100%", "transform": "translatex(-100%)"} is, as buttons at the right edge are.
    """
    amount, unit = number_of(_offsets_of(values)[side]) or (0.0, "")
    if unit not in ("%", "vw", "vh") or not WHOLE <= amount <= WHOLE + _MAX_PAST_EDGE:
        return False
    axis = 1 if side in ("top", "bottom") else 0
    # From `left: 100%` a translation to the left leads back, from `right: 100%` one to the right.
    sign = 1.0 if side in _FROM_END else -1.0
    ways_back = [-(pixels(values.get("margin-" + side)) or 0.0)]
    for name, arguments in _transforms_of(values):
        lengths = [length for own_axis, length in _translations(name, arguments) if own_axis == axis]
        ways_back += [sign * (pixels(length) or 0.0) for length in lengths]
    return any(way >= _MIN_BACK for way in ways_back)


def _transforms_of(values: Values) -> list[tuple[str, list[str]]]:
    """Return the functions of `transform`, and `translate` as a function: "9px 0" -> ("translate", ["9px", "0"])."""
    functions = [(name, arguments.split(",")) for name, arguments in functions_of(values)]
    if "translate" in values:
        functions.append(("translate", words_of(values["translate"])))
    return functions


def _translations(name: str, arguments: list[str]) -> list[tuple[int, str]]:
    """Return axis (0 to the right, 1 down) and length of a translation: ("translatey", ["9px"]) -> [(1, "9px")]."""
    if name[:9] != "translate" or name == "translatez":
        return []
    first_axis = 1 if name == "translatey" else 0
    return [(axis, length.strip()) for axis, length in enumerate(arguments[: 2 - first_axis], first_axis)]


def _is_beside_window(values: Values, offsets: dict[str, str]) -> bool:
    """Return whether a fixed box lies beside the window by percentages, as menus do until they are opened.

    {"left": "-100%"} and {"left": "0", "transform": "translatex(-100%)"} do. False if that is not sure.
    """
    shifts = _shifts_of(values)
    if shifts is None or "animation" in values or "animation-name" in values:
        return False
    for (start, end, size), shift in zip(_AXES, shifts):
        length = values.get(size, "auto")
        # A shift to the right leads outwards at the right edge, inwards at the left edge.
        if _is_placed_outside(offsets, start, end, length, -shift):
            return True
        if _is_placed_outside(offsets, end, start, length, shift):
            return True
        # A box with both offsets and a width ignores `right` (CSS 2 10.3.7), so it is only at the right edge if it is
        # as wide as the window.
        is_whole = length in ("auto", "100%", "100vw", "100vh") and "max-" + size not in values
        is_at_end = offsets.get(start, "auto") == "auto" or (is_whole and offsets[start][:1] != "-")
        if _is_shifted_outside(offsets, start, -shift) or (is_at_end and _is_shifted_outside(offsets, end, shift)):
            return True
    return False


def _is_placed_outside(offsets: dict[str, str], side: str, opposite: str, length: str, outwards: float) -> bool:
    """Return whether a box begins a window's width outside of one side, ends before it, and is not shifted back.

    `length` is its width or height; `outwards` is how far transforms move it out. {"left": "-100%"} -> True.
    """
    amount, unit = number_of(offsets.get(side)) or (0.0, "")
    if unit != "%" or amount > -WHOLE or outwards < 0:
        return False
    fits_window = length == "auto" or is_at_most(length, CONTAINER_WIDTH if length[-1:] == "%" else MIN_FAR)
    return fits_window and offsets.get(opposite, "auto") == "auto"


def _is_shifted_outside(offsets: dict[str, str], side: str, outwards: float) -> bool:
    """Return whether a box at one side of the window, or outside of it, is shifted outwards by its own size."""
    number = number_of(offsets.get(side))
    return number is not None and number[0] <= 0 and outwards >= WHOLE


def _shifts_of(values: Values) -> tuple[float, float] | None:
    """Return how far a box is moved right and down, in per cent of its size; None if by lengths or other transforms."""
    shifts = [0.0, 0.0]
    for name, arguments in _transforms_of(values):
        if name[:9] != "translate":
            return None
        for axis, length in _translations(name, arguments):
            number = (0.0, "") if length == "none" else number_of(length)
            if number is None or (number[0] and number[1] != "%"):
                return None
            shifts[axis] += number[0]
    return shifts[0], shifts[1]


def is_outside_container(values: Values) -> bool:
    """Return whether an absolute box is wholly left, right, above or below its containing block.

    {"position": "absolute", "right": "100%"} -> True.
    """
    if values.get("position") != "absolute":
        return False
    offsets = _offsets_of(values)
    for side, place in offsets.items():
        amount, unit = number_of(place) or (0.0, "")
        if amount >= WHOLE and unit in ("%", "vw") and not _comes_back(values, side):
            return True
    return any(
        (pixels(offsets.get(start)) or 0.0) + (pixels(values.get(size)) or MIN_FAR) <= 0 for start, _, size in _AXES
    )


def covers_container(values: Values) -> bool:
    """Return whether an absolute box is painted over all of its containing block.

    {"position": "absolute", "inset": "0"} -> True.
    """
    is_smaller = any(values.get(size, "auto") not in ("auto", "100%") for size in ("width", "height"))
    if values.get("position") != "absolute" or is_smaller:
        return False
    offsets = _offsets_of(values)
    for start, end, size in _AXES:
        offset = pixels(offsets.get(start))
        if offset is None or offset > 0.5:
            return False
        reaches_end = is_at_most(offsets.get(end))
        # A box that starts earlier ends earlier: `left: -300px; width: 100%` leaves 300 px uncovered.
        is_as_large = values.get(size) == "100%" and offset >= -MAX_SLIT
        if not (reaches_end or is_as_large):
            return False
    return True


# --- Margins, padding, indents, paths ---


def is_pulled_away(values: Values) -> bool:
    """Return whether a margin moves text off the page and no padding of that side moves it back."""
    margins = sides_of(values, "margin")
    if (values.get("float") == "right" and is_far(margins["right"], -1)) or _is_beyond(margins["left"]):
        return True
    # A margin may hold the two lengths of margin-inline or margin-block, of which the first counts.
    pulled = [side for side in ("left", "top") if is_far(four_sides(margins[side])[0], -1)]
    padding = sides_of(values, "padding") if pulled else {}
    return any(not is_far(padding[side]) for side in pulled)


def is_pushed_out(values: Values) -> bool:
    """Return whether padding pushes text out of the window and no negative margin makes up for it."""
    return _is_beyond(values["padding-left"]) and not is_far(values.get("margin-left"), -1)


def is_indented_away(values: Values) -> bool:
    """Return whether text-indent moves text off the page, or past the edge of a box that clips it."""
    indent = values["text-indent"]
    is_cut_off = values.get("white-space") == "nowrap" and "hidden" in values.get("overflow", "")
    return is_far(indent, -1) or (is_cut_off and (pixels(indent) or 0.0) >= CONTAINER_WIDTH)


def is_led_away(values: Values) -> bool:
    """Return whether the path that the element is placed on starts far left of or above the page."""
    match = _PATH_START.search(values.get("offset-path") or values.get("offset", ""))
    if match:
        return any(float(place) <= -MIN_FAR for place in match.groups())
    return "offset-path" in values and any(is_far(part, -1) for part in values.get("offset-position", "").split())
