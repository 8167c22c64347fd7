"""Numbers and operators of XPath. In: strings and numbers. Out: the same. Spec: XPath 1.0 sections 3.4, 3.5, 4.4."""

from __future__ import annotations

import math
from collections.abc import Callable

WHITE_SPACE = " \t\r\n"
_DIGITS = frozenset("0123456789")


def number_of(text: str) -> float:
    """A string as number(): optional minus, digits, at most one point, white space around; else NaN."""
    text = text.strip(WHITE_SPACE)
    digits = text[1:] if text.startswith("-") else text
    whole, _, fraction = digits.partition(".")
    if not (whole or fraction) or not _DIGITS.issuperset(whole + fraction):
        return math.nan
    return float(text)


def number_text(number: float) -> str:
    """A number as string(): whole numbers without a point, never an exponent."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == int(number):
        return str(int(number))
    text = repr(number)
    if "e" not in text:
        return text
    places = max(0, -int(text.partition("e")[2])) + len(text.partition("e")[0].partition(".")[2])
    return f"{number:.{places}f}".rstrip("0").rstrip(".")


def _divide(left: float, right: float) -> float:
    if right == 0:
        if left == 0 or math.isnan(left):
            return math.nan
        return math.copysign(math.inf, left) * math.copysign(1.0, right)
    return left / right


def _modulo(left: float, right: float) -> float:
    if right == 0 or math.isnan(left) or math.isnan(right) or math.isinf(left):
        return math.nan
    return math.fmod(left, right)


ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "div": _divide,
    "mod": _modulo,
}
COMPARISONS: dict[str, Callable[[object, object], bool]] = {
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,  # type: ignore[operator]
    "<=": lambda left, right: left <= right,  # type: ignore[operator]
    ">": lambda left, right: left > right,  # type: ignore[operator]
    ">=": lambda left, right: left >= right,  # type: ignore[operator]
}
