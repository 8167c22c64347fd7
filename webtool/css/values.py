"""CSS numbers and lengths. In: the text of a value, in lower case. Out: a number with its unit, or rough pixels.

"calc(2px * 3)" -> (6.0, "px"), "2em" -> 32.0 rough pixels. Nothing is laid out, so a unit that is relative to the
window, the font or the containing block has a typical size: see _PIXELS. `Values` are computed values by property
name, in lower case: {"left": "-999px"}. Colours are in colours.py.
Specification: CSS Values 4.
Tests: tests/css/test_values.py
"""

from __future__ import annotations

from webtool.lean import patterns

Number = tuple[float, str]  # amount and unit; the unit of a bare number is ""
Values = dict[str, str]

# Rough pixels of each unit. A bare number ("") is a multiple of the font size, as in `line-height: 2`.
_PIXELS = {
    "": 16.0, "px": 1.0, "pt": 1.33, "pc": 16.0, "cm": 38.0, "mm": 3.8, "q": 0.95, "in": 96.0, "em": 16.0, "rem": 16.0,
    "ch": 9.0, "ex": 8.0, "vw": 9.0, "vh": 9.0, "vmin": 9.0, "vmax": 9.0, "%": 6.0,
}  # fmt: skip
_LENGTH_UNITS = frozenset(("px", "em", "rem", "vw", "vh", "%", "ch", "pt"))  # that a sum of different units may have
DEGREES = {"deg": 1.0, "grad": 0.9, "rad": 57.29578, "turn": 360.0}  # of each unit of an angle
WHOLE = 100.0  # per cent
CONTAINER_WIDTH = WHOLE * _PIXELS["%"]  # px; rough width of a containing block
MIN_FAR = 900.0  # px, as 100vw or 150%; a box moved this far left or up is off the page
MAX_SLIT = 3.0  # px; no letter can be read in a clipped box of this height or width
LETTER = 16.0  # px; height of an ordinary letter

SIDES = ("top", "right", "bottom", "left")  # the order of four-sided shorthands such as padding
# Number of lengths in a four-sided shorthand: the index of the length that each side takes.
_SIDE_INDICES = {1: (0, 0, 0, 0), 2: (0, 1, 0, 1), 3: (0, 1, 2, 1), 4: (0, 1, 2, 3)}

_MAX_NUMBER = 60  # characters of a number
_MAX_WORDS = 500  # characters of a value with functions that is divided into words
_words_and_functions = patterns.compile(r"(?:[^\s()]|\((?:[^()]|\([^()]*\))*\))+").findall
_MAX_FUNCTION = 200  # characters of calc() and its relatives
_number = patterns.compile(r"([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]{1,3})?)([a-z%]*)").fullmatch  # "-1.5em"
_operators = patterns.compile(r"\s+([-+])\s+|\s*([*/])\s*").split  # "2px + 3px*4"; "-" needs spaces around it


def number_of(value: str | None) -> Number | None:
    """Return a number and its unit: "1.5em" -> (1.5, "em"), "min(2px, 3px)" -> (2.0, "px"); None for anything else."""
    if value is None:
        return None
    if value[-1:] == ")" and value.startswith(("calc(", "clamp(", "min(", "max(")):
        name, _, inner = value[:_MAX_FUNCTION].partition("(")
        return _calculated(name, [_sum_of(part.strip()) for part in inner[:-1].split(",")])
    match = _number(value[:_MAX_NUMBER])
    return (float(match[1]), match[2]) if match else None


def _calculated(name: str, arguments: list[Number | None]) -> Number | None:
    """Return the value of calc(), clamp(), min() or max(), or None if its arguments have different units."""
    numbers = [argument for argument in arguments if argument is not None]
    units = _units_of(numbers)
    if len(numbers) < len(arguments) or len(units) != 1:
        return None
    amounts = [amount for amount, _ in numbers]
    if name == "clamp":
        amounts = [max(amounts[0], min(amounts[1:]))] if len(amounts) == 3 else []
    if not amounts or (name == "calc" and len(amounts) > 1):
        return None
    return (max(amounts) if name == "max" else min(amounts)), units.pop()


def _sum_of(text: str) -> Number | None:
    """Return the value of an expression such as `2px + 3px * -4`, or None if it has brackets or is not known.

    2px + 3px      (5.0, "px")
    9em + 1px      (9.0, "em"): of lengths on one side of 0, the longest; the sum is even further from 0
    9em - 1px      None: units and signs differ
    """
    words = [word for word in _operators(text) if word is not None]
    first = number_of(words[0]) if words[0][-1:] != ")" else None
    terms: list[Number] = [first] if first else []
    for operator, word in zip(words[1::2], words[2::2]):
        number = number_of(word) if word[-1:] != ")" else None
        if number is None or not terms:
            return None
        if operator in "*/":
            amount, unit = terms[-1]
            if (unit and number[1]) or (operator == "/" and (number[1] or not number[0])):
                return None
            terms[-1] = (amount * number[0] if operator == "*" else amount / number[0]), unit or number[1]
        else:
            terms.append((-number[0] if operator == "-" else number[0], number[1]))
    units = _units_of(terms)
    if len(units) == 1:
        return sum(amount for amount, _ in terms), units.pop()
    has_one_sign = len({amount > 0 for amount, _ in terms if amount}) == 1
    if units and units <= _LENGTH_UNITS and has_one_sign:
        return max(terms, key=lambda term: abs(term[0]) * _PIXELS[term[1]])
    return None


def _units_of(numbers: list[Number]) -> set[str]:
    """Return the units of numbers, without those of zeros, which fit any unit; of the first one if all are 0."""
    return {unit for amount, unit in numbers if amount} or {unit for _, unit in numbers[:1]}


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


def words_of(value: str) -> list[str]:
    """Return the words of a value, divided at spaces outside of functions: "9px calc(1px + 2px)" has two."""
    return _words_and_functions(value[:_MAX_WORDS]) if "(" in value else value.split()


def sides_of(values: Values, name: str) -> dict[str, str]:
    """Return the length of each side, as a property such as padding and its longhands set it.

    {"padding": "9px", "padding-top": "0"} -> {"top": "0", "right": "9px", ...}. A side that is not set has "0".
    """
    lengths = zip(SIDES, four_sides(values.get(name, "")))
    return {side: values.get(f"{name}-{side}", length) for side, length in lengths}


def four_sides(value: str) -> list[str]:
    """Return top, right, bottom and left of a four-sided shorthand: "1px 2px" -> ["1px", "2px", "1px", "2px"].

    Spaces inside a function do not count: "0 calc(1px + 2px)" has two lengths.
    """
    parts = words_of(value) or ["0"]
    return [parts[index] for index in _SIDE_INDICES.get(len(parts), _SIDE_INDICES[4])]
