"""Transforms: do they leave nothing of an element, or move it off the page? In: computed values. Out: True or False.

A transform function is passed as its name and its arguments: ("rotatey", ["90deg"]). The properties `scale`,
`translate` and `rotate` are passed as functions, too. An angle is (number, unit). Which side of an element is seen is a
share of its front: 1 the whole front, 0 only the edge, -1 the whole back.
Specification: CSS Transforms 1 and 2.
Tests: tests/css/test_values.py
"""

from __future__ import annotations

from math import cos, radians

from webtool.css.values import DEGREES, MIN_FAR, Values, is_far, number_of
from webtool.lean import patterns

_MAX_SCALE = 0.1  # factor; a smaller one makes letters illegible
_MIN_FRONT = 0.009  # a smaller share of the front is only its edge: at 89.5 degrees it is 0.0087
_MAX_TURN = 1e9  # degrees; a larger angle counts as 0, because it may be infinite
_MAX_TRANSFORM = 500  # characters of a transform that are read

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
_functions_in = patterns.compile(r"([a-z0-9]+)\(((?:[^()]|\([^()]*\))*)\)").findall


def functions_of(values: Values) -> list[tuple[str, str]]:
    """Return the functions of `transform` with arguments: "rotate(45deg) scale(2)" -> [("rotate", "45deg"), ...]."""
    functions: list[tuple[str, str]] = _functions_in(values.get("transform", "")[:_MAX_TRANSFORM])
    return functions


def is_transformed_away(values: Values) -> bool:
    """Return whether a transform leaves nothing of the element or moves it off the page."""
    is_placed = values.get("position") in ("absolute", "fixed")
    functions = functions_of(values)
    return any(leaves_nothing(name, arguments.split(","), is_placed=is_placed) for name, arguments in functions)


def leaves_nothing(function: str, arguments: list[str], *, is_placed: bool = False) -> bool:
    """Return whether one transform function hides the element: ("scale", ["0"]) -> True.

    `is_placed` says that the element is positioned absolutely: only then does a percentage upwards lead off the page.
    """
    if function.startswith("translate") and function != "translatez":
        return _is_translated_away(function, arguments, is_placed=is_placed)
    numbers = [number_of(argument.strip()) or (1.0, "") for argument in arguments]
    if function.startswith("scale") and function != "scalez":
        return any(abs(factor / 100 if unit == "%" else factor) <= _MAX_SCALE for factor, unit in numbers[:2])
    if function.startswith("skew"):
        return any(abs(cos(_radians(angle))) < _MIN_FRONT for angle in numbers)
    if function.startswith("rotate"):
        return abs(_front_seen(function, arguments)) < _MIN_FRONT
    return _is_matrix_flat_or_far(function, [number for number, _ in numbers])


def _is_translated_away(function: str, arguments: list[str], *, is_placed: bool) -> bool:
    """Return whether a translate function moves the element far to the left or up."""
    distances = [argument.strip() for argument in arguments[:2]]
    vertical_index = 0 if function == "translatey" else 1
    for index, distance in enumerate(distances):
        # A percentage is one of the element's own height: an element in the flow rises by some lines only.
        is_of_height = index == vertical_index and distance[-1:] == "%"
        if is_far(distance, -1) and (is_placed or not is_of_height):
            return True
    return False


def _radians(angle: tuple[float, str]) -> float:
    """Return an angle in radians, 0 if its unit is unknown or it is over _MAX_TURN."""
    degrees = angle[0] * DEGREES.get(angle[1], 0.0)
    return radians(degrees % 360) if abs(degrees) < _MAX_TURN else 0.0


def _front_seen(function: str, arguments: list[str]) -> float:
    """Return the share of its front that an element shows after a rotation.

    ("rotatey", ["90deg"]) -> 0.0, ("rotate3d", ["0", "0", "1", "180deg"]) -> 1.0: a turn in the plane of the page.
    """
    numbers = [number_of(argument.strip()) or (0.0, "") for argument in arguments] or [(0.0, "")]
    if len(numbers) == 4:
        x, y, z = (number for number, _ in numbers[:3])
    else:
        x, y, z = _AXES.get(function[len("rotate") :], _AXES["z"])
    squared_length = x * x + y * y + z * z
    if not 0 < squared_length < 1e9:  # the axis is missing or too long to compute with
        return 1.0
    cosine = cos(_radians(numbers[-1]))
    # The third element of the matrix in CSS Transforms 2, section 13.1.
    return cosine + (1 - cosine) * z * z / squared_length


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
    return abs(a * d - b * c) < _MAX_SCALE**2 or any(number <= -MIN_FAR for number in moves)


def _front_after_rotate(values: Values) -> float:
    """Return the share of its front that the `rotate` property leaves: "y 90deg" -> 0.0, "x 180deg" -> -1.0."""
    words = sorted(values.get("rotate", "").split(" "), key=lambda word: word[-1:].isalpha())  # the angle comes last
    axis = [word for word in words if word in _AXES]
    return _front_seen("rotate" + "".join(axis), [word for word in words if word not in _AXES])


def is_turned_away(values: Values) -> bool:
    """Return whether the rotate property shows only the element's edge: "y 90deg" -> True."""
    return abs(_front_after_rotate(values)) < _MIN_FRONT


def is_averted(values: Values) -> bool:
    """Return whether the element shows its back, and its back is invisible (backface-visibility: hidden)."""
    front = _front_after_rotate(values)
    for function, arguments in functions_of(values):
        if function.startswith("rotate"):
            front *= _front_seen(function, arguments.split(","))
    return values["backface-visibility"] == "hidden" and front < 0
