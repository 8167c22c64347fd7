"""Media queries: does a list of them match a desktop screen? In: the text behind @media. Out: yes or no.

Specification: Media Queries 4. What is not known does not match, and neither does what denies it.
"""

from __future__ import annotations

from webtool.css.colours import number_of
from webtool.lean import patterns
from webtool.lean.memory import Remembered

_SIZES = {"width": 1280.0, "height": 1024.0, "device-width": 1280.0, "device-height": 1024.0}  # px, a common screen
_RATIO = 1280 / 1024
_PIXELS = {"px": 1.0, "em": 16.0, "rem": 16.0, "pt": 4 / 3, "": 1.0}
# What else is asked of a screen with a mouse, and the answers of one that nobody has set up.
_PLAIN = {
    "orientation": "landscape", "hover": "hover", "any-hover": "hover", "pointer": "fine", "any-pointer": "fine",
    "prefers-color-scheme": "light", "prefers-reduced-motion": "no-preference", "prefers-contrast": "no-preference",
    "scripting": "enabled", "display-mode": "browser", "update": "fast", "forced-colors": "none",
    "inverted-colors": "none", "prefers-reduced-data": "no-preference", "color-gamut": "srgb", "grid": "0",
    "monochrome": "0", "dynamic-range": "standard", "video-dynamic-range": "standard", "overflow-block": "scroll",
    "overflow-inline": "scroll",
}  # fmt: skip
_OFF = frozenset(("none", "0", "no-preference"))  # values for which the feature's bare name does not match
_part = patterns.compile(r"[a-z-]+|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)").findall
_bound = patterns.compile(r"(?:-webkit-)?(min|max)-([a-z-]+)\s*:\s*(.+)").fullmatch
_range = patterns.compile(r"(?:(.+?)\s*([<>]=?)\s*)?([a-z-]+)\s*(?:([<>]=?|=)\s*(.+))?").fullmatch
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def matches_screen(queries: str) -> bool:
    """Whether one of the queries, separated by commas, matches; an empty list matches everything."""
    return _known[queries]  # sheets ask the same again and again


_known = Remembered(lambda text: not text.strip() or any(map(_condition, text.lower().split(","))))


def _condition(query: str) -> bool:
    """A query, or what stands in its brackets: words and features, joined by "and" or by "or"."""
    is_denied = either = False
    values: list[bool] = []
    for part in _part(query):
        if part == "not":
            is_denied = True
        elif part == "or":
            either = True
        elif part not in ("and", "only"):
            value = _feature(part[1:-1].strip()) if part[0] == "(" else part in ("screen", "all")
            if value is None:
                return False
            values.append(value)
    result = any(values) if either else all(values)
    return result != is_denied and bool(values)


def _feature(text: str) -> bool | None:
    """Whether a feature has the value; None for one that is not known."""
    if text[:1] == "(" or text[:4] == "not ":
        return _condition(text)
    bound = _bound(text)
    if bound:
        return _compare(bound[2], ">=" if bound[1] == "min" else "<=", bound[3])
    name, colon, value = text.partition(":")
    if colon:
        name = name.strip()
        return _PLAIN[name] == value.strip() if name in _PLAIN else _compare(name, "=", value)
    found = _range(text)
    if not found or not (found[2] or found[4]):
        return _PLAIN[text] not in _OFF if text in _PLAIN else True if text in ("color", "width", "height") else None
    left = _compare(found[3], _FLIPPED[found[2]], found[1]) if found[2] else True
    right = _compare(found[3], found[4], found[5]) if found[4] else True
    return None if left is None or right is None else left and right


def _compare(name: str, relation: str, text: str) -> bool | None:
    has = _SIZES.get(name)
    wanted: float | None = None
    if has is not None:
        number = number_of(text.strip())
        wanted = number[0] * _PIXELS[number[1]] if number and number[1] in _PIXELS else None
    elif name in ("aspect-ratio", "device-aspect-ratio"):
        over, _, under = text.partition("/")
        above, below = number_of(over.strip()), number_of(under.strip() or "1")
        has, wanted = _RATIO, above[0] / below[0] if above and below and below[0] else None
    elif name in ("resolution", "device-pixel-ratio"):
        number = number_of(text.strip())
        has, wanted = 1.0, number[0] / (96 if number[1] == "dpi" else 1) if number else None
    if has is None or wanted is None:
        return None
    return {"<": has < wanted, "<=": has <= wanted, ">": has > wanted, ">=": has >= wanted, "=": has == wanted}[
        relation
    ]
