"""Conditions of rules. In: the text after @media or @supports. Out: whether a desktop screen and browser meet it.

The screen is 1280 by 1024 px, has a mouse, and its owner has set no preferences: colours are light, motion is allowed.
A media query with an unknown feature does not match, and neither does its negation. The browser is Chromium; nearly
every value of a property that it knows counts as valid.
Specification: Media Queries 4, CSS Conditional 3 and 4.
Tests: tests/css/test_values.py, tests/css/test_sheets.py
"""

from __future__ import annotations

from webtool.css.elements import Positions
from webtool.css.properties import BY_NAME, is_known
from webtool.css.selector_parser import is_supported
from webtool.css.selector_text import split_list
from webtool.css.values import number_of
from webtool.lean import patterns
from webtool.lean.memory import Remembered

_SIZES = {
    "width": 1280.0, "height": 1024.0, "inline-size": 1280.0, "block-size": 1024.0, "device-width": 1280.0,
    "device-height": 1024.0,
}  # px  # fmt: skip
_RATIO = 1280 / 1024
_PIXELS = {"px": 1.0, "em": 16.0, "rem": 16.0, "pt": 4 / 3, "": 1.0}
_DOTS_PER_INCH = 96
# By feature: the one value that matches.
_KEYWORDS = {
    "orientation": "landscape", "hover": "hover", "any-hover": "hover", "pointer": "fine", "any-pointer": "fine",
    "prefers-color-scheme": "light", "prefers-reduced-motion": "no-preference", "prefers-contrast": "no-preference",
    "scripting": "enabled", "display-mode": "browser", "update": "fast", "forced-colors": "none",
    "inverted-colors": "none", "prefers-reduced-data": "no-preference", "color-gamut": "srgb", "grid": "0",
    "monochrome": "0", "dynamic-range": "standard", "video-dynamic-range": "standard", "overflow-block": "scroll",
    "overflow-inline": "scroll",
}  # fmt: skip
_ABSENT = frozenset(("none", "0", "no-preference"))  # values with which a feature without a value does not match
_NUMERIC_FEATURES = ("color", "width", "height")  # without a value they match, since they are not 0
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}

_words_and_brackets = patterns.compile(r"[a-z-]+|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)").findall
_minimum_or_maximum = patterns.compile(r"(?:-webkit-)?(min|max)-([a-z-]+)\s*:\s*(.+)").fullmatch
# "400px <= width < 1281px", "width >= 30em", "hover"
_range = patterns.compile(
    r"(?:(?P<left>.+?)\s*(?P<left_sign>[<>]=?)\s*)?(?P<name>[a-z-]+)\s*(?:(?P<sign>[<>]=?|=)\s*(?P<right>.+))?"
).fullmatch


def matches_screen(queries: str) -> bool:
    """Return whether one of the comma-separated queries matches. An empty list matches.

    "print, (min-width: 600px)" -> True, "(prefers-color-scheme: dark)" -> False.
    """
    return _matches[queries]


# Sheets ask the same queries again and again.
_matches = Remembered(lambda text: not text.strip() or any(map(_condition, " ".join(text.lower().split()).split(","))))


def _condition(query: str) -> bool:
    """Return whether a query, or the content of its brackets, matches: words and features joined by "and" or "or"."""
    is_negated = has_or = False
    values: list[bool] = []
    for part in _words_and_brackets(query):
        if part == "not":
            is_negated = True
        elif part == "or":
            has_or = True
        elif part not in ("and", "only"):
            value = _feature(part[1:-1].strip()) if part[0] == "(" else part in ("screen", "all")
            if value is None:
                return False
            values.append(value)
    result = any(values) if has_or else all(values)
    return result != is_negated and bool(values)


def _feature(text: str) -> bool | None:
    """Return whether the screen has a feature such as "hover: none" or "400px <= width"; None if it is unknown."""
    if text[:1] == "(" or text[:4] == "not ":
        return _condition(text)
    bound = _minimum_or_maximum(text)
    if bound:
        return _compare(bound[2], ">=" if bound[1] == "min" else "<=", bound[3])
    name, colon, value = text.partition(":")
    if colon:
        name = name.strip()
        return _KEYWORDS[name] == value.strip() if name in _KEYWORDS else _compare(name, "=", value)
    match = _range(text)
    if match and (match["left_sign"] or match["sign"]):  # "400px <= width < 900px"
        left = _compare(match["name"], _FLIPPED[match["left_sign"]], match["left"]) if match["left_sign"] else True
        right = _compare(match["name"], match["sign"], match["right"]) if match["sign"] else True
        return None if left is None or right is None else left and right
    if text in _KEYWORDS:
        return _KEYWORDS[text] not in _ABSENT
    return True if text in _NUMERIC_FEATURES else None


def _compare(feature: str, relation: str, text: str) -> bool | None:
    """Return whether a numeric feature of the screen has the relation to a value; None if one of them is unknown."""
    actual, value = _SIZES.get(feature), _number_for(feature, text)
    if feature in ("aspect-ratio", "device-aspect-ratio"):
        actual = _RATIO
    elif feature in ("resolution", "device-pixel-ratio"):
        actual = 1.0
    if actual is None or value is None:
        return None
    if relation == "=":
        return actual == value
    if relation[0] == "<":
        return actual < value or (relation == "<=" and actual == value)
    return actual > value or (relation == ">=" and actual == value)


def _number_for(feature: str, text: str) -> float | None:
    """Return a value in the unit of its feature: px, width by height, or dots per px; None if it is not a number."""
    if feature in ("aspect-ratio", "device-aspect-ratio"):
        width, _, height = text.partition("/")
        above, below = number_of(width.strip()), number_of(height.strip() or "1")
        return above[0] / below[0] if above and below and below[0] else None
    number = number_of(text.strip())
    if number is None:
        return None
    if feature in ("resolution", "device-pixel-ratio"):
        return number[0] / (_DOTS_PER_INCH if number[1] == "dpi" else 1)
    return number[0] * _PIXELS[number[1]] if number[1] in _PIXELS else None


# --- @supports ---

# Texts in conditions that few desktop browsers meet.
_UNSUPPORTED = (
    "(-moz-", "(-ms-", "(-webkit-touch-callout", "(-webkit-overflow-scrolling", "-apple-", "-webkit-named-image",
    "(margin-trim",
)  # fmt: skip
# "(display: grid)" and "selector(:has(a))" of "(display: grid) and selector(:has(a))"
_parts = patterns.compile(r"(?<![\w-])[\w-]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
# A condition whose parts are written as "()": "and" and "or" may be mixed in further brackets only.
_is_condition = patterns.compile(r"(?:not\s+)?\(\)|\(\)(?:\s*and\s+\(\))+|\(\)(?:\s*or\s+\(\))+").fullmatch


def is_met(condition: str) -> bool:
    """Return whether the browser meets an @supports condition.

    "(display: grid) and (not (display: foo))" -> True; "display: grid" -> False, as a condition has brackets.
    """
    text = condition.strip().lower()
    frame = _parts.sub("()", text)
    if not _is_condition(frame):
        return False
    values = map(_is_part_met, _parts.findall(text))
    if frame[:3] == "not":
        return not next(values)
    return any(values) if "or" in frame else all(values)


def _is_part_met(part: str) -> bool:
    """Return whether the browser meets "(display: grid)", "selector(:has(a))", or a condition in brackets.

    "(display: foo)" is not met: its row has keywords, but not this one.
    """
    name, _, inner = part[:-1].partition("(")
    inner = inner.strip()
    if name == "selector":
        # Here :is() and :where() skip no invalid selectors, and :not() never does.
        strict = inner.replace(":is(", ":not(").replace(":where(", ":not(")
        return len(split_list(inner)) == 1 and is_supported(strict, Positions())
    if name:
        return name in ("font-tech", "font-format")
    if inner.startswith(("(", "not ", "selector(", "font-tech(", "font-format(")):
        return is_met(inner)
    property_name, _, value = (text.strip() for text in inner.partition(":"))
    row = BY_NAME.get(property_name)
    is_invalid = row is not None and bool(row.keywords) and value not in row.keywords
    return bool(value) and is_known(property_name) and not is_invalid and not any(text in part for text in _UNSUPPORTED)
