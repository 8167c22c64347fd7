"""CSS lengths in rough pixels, with the limits that tests of boxes compare them with. In: values. Out: numbers.

Nothing is laid out, so a unit that is relative to the window, the font or the containing block has a typical size:
100vw = 150 % = 900 px = MIN_FAR. `Values` are computed values by property name, in lower case: {"left": "-999px"}.
Specification: CSS Values 4.
Tests: tests/css/test_values.py
"""

from __future__ import annotations

from webtool.css.colours import number_of

Values = dict[str, str]

# Rough pixels of each unit. A bare number ("") is a multiple of the font size, as in `line-height: 2`.
_PIXELS = {
    "": 16.0, "px": 1.0, "pt": 1.33, "pc": 16.0, "cm": 38.0, "mm": 3.8, "q": 0.95, "in": 96.0, "em": 16.0, "rem": 16.0,
    "ch": 9.0, "ex": 8.0, "vw": 9.0, "vh": 9.0, "vmin": 9.0, "vmax": 9.0, "%": 6.0,
}  # fmt: skip
WHOLE = 100.0  # per cent
CONTAINER_WIDTH = WHOLE * _PIXELS["%"]  # px; rough width of a containing block
MIN_FAR = 900.0  # px; a box moved this far left or up is off the page
MAX_SLIT = 3.0  # px; no letter can be read in a clipped box of this height or width
LETTER = 16.0  # px; height of an ordinary letter

SIDES = ("top", "right", "bottom", "left")  # the order of four-sided shorthands such as padding
# Number of lengths in a four-sided shorthand: the index of the length that each side takes.
_SIDE_INDICES = {1: (0, 0, 0, 0), 2: (0, 1, 0, 1), 3: (0, 1, 2, 1), 4: (0, 1, 2, 3)}


def pixels(value: str | None) -> float | None:
    """Return a length in rough pixels ("2em" -> 32.0), or None if it is not a number with a known unit."""
    number = number_of(value)
    return number[0] * _PIXELS[number[1]] if number is not None and number[1] in _PIXELS else None


def is_at_most(value: str | None, limit: float = 0.5) -> bool:
    """Return whether a length is known and at most `limit` px: "0" and "-9px" are, "auto" is not."""
    length = pixels(value)
    return length is not None and length <= limit


def is_slit(value: str) -> bool:
    """Return whether a clipped box of this height or width could hide its text."""
    return is_at_most(value, MAX_SLIT)


def is_far(value: str | None, sign: int = 0) -> bool:
    """Return whether a length is at least MIN_FAR px long; `sign` -1 asks for a negative one, 1 for a positive one."""
    length = pixels(value)
    return length is not None and abs(length) >= MIN_FAR and length * sign >= 0


def four_sides(value: str) -> list[str]:
    """Return top, right, bottom and left of a four-sided shorthand: "1px 2px" -> ["1px", "2px", "1px", "2px"].

    A value with a function counts for all sides, because its spaces may be inside the function.
    """
    parts = [value] if "(" in value else value.split() or ["0"]
    return [parts[index] for index in _SIDE_INDICES.get(len(parts), _SIDE_INDICES[4])]
