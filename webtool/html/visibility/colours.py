"""CSS values: the text of a colour or of a number with its unit in, "#rrggbb" or the number out.

Specification: CSS Values 4, CSS Color 4.
"""

from __future__ import annotations

from webtool.lean import patterns

_length = patterns.compile(r"([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]{1,3})?)([a-z%]*)").fullmatch
_hex = patterns.compile(r"#([0-9a-f]{3,8})\Z").match
_function = patterns.compile(r"(rgba?|hsla?)\(([^()]{1,80})\)\Z").match
_NAMES = {
    "white": "#ffffff", "black": "#000000", "transparent": "transparent", "snow": "#fffafa", "ivory": "#fffff0",
    "whitesmoke": "#f5f5f5", "ghostwhite": "#f8f8ff", "floralwhite": "#fffaf0", "mintcream": "#f5fffa",
    "azure": "#f0ffff", "red": "#ff0000", "green": "#008000", "blue": "#0000ff", "yellow": "#ffff00", "gray": "#808080",
    "grey": "#808080", "silver": "#c0c0c0", "navy": "#000080", "teal": "#008080", "maroon": "#800000",
    "lime": "#00ff00", "aqua": "#00ffff", "cyan": "#00ffff", "magenta": "#ff00ff", "fuchsia": "#ff00ff",
    "orange": "#ffa500", "purple": "#800080", "olive": "#808000", "lightgray": "#d3d3d3", "lightgrey": "#d3d3d3",
}  # fmt: skip


def number_of(value: str | None) -> tuple[float, str] | None:
    """A number and its unit in lower case, calc() around one of them passed over; None for anything else."""
    if value is None:
        return None
    if value.startswith("calc(") and value.endswith(")"):
        value = value[5:-1].strip()
    match = _length(value[:60])
    return (float(match[1]), match[2]) if match else None


def colour_of(value: str) -> str | None:
    """ "#rrggbb", "transparent" when its alpha is next to nothing, None when the notation is not known."""
    value = value.strip()
    if value in _NAMES:
        return _NAMES[value]
    match = _hex(value)
    if match:
        return _from_hex(match[1])
    match = _function(value)
    return _from_function(match[1], match[2]) if match else None


def _from_hex(digits: str) -> str | None:
    if len(digits) in (3, 4):
        digits = "".join(digit * 2 for digit in digits)
    if len(digits) == 8 and int(digits[6:], 16) < 13:
        return "transparent"
    return f"#{digits[:6]}" if len(digits) in (6, 8) else None


_parts = patterns.compile(r"[\s,/]+").split


def _from_function(name: str, arguments: str) -> str | None:
    parts = [part for part in _parts(arguments.strip()) if part]
    numbers = [number_of(part) for part in parts]
    if len(numbers) not in (3, 4) or None in numbers:
        return None
    pairs: list[tuple[float, str]] = [number for number in numbers if number is not None]
    if len(pairs) == 4 and (pairs[3][0] / 100 if pairs[3][1] == "%" else pairs[3][0]) < 0.05:
        return "transparent"
    if name.startswith("hsl"):
        return _from_hsl(pairs[0][0], pairs[1][0] / 100, pairs[2][0] / 100)
    channels = [value * 2.55 if unit == "%" else value for value, unit in pairs[:3]]
    return "#" + "".join(f"{max(0, min(255, round(channel))):02x}" for channel in channels)


def _from_hsl(hue: float, saturation: float, lightness: float) -> str:
    def channel(n: int) -> int:
        k = (n + hue / 30) % 12
        spread = saturation * min(lightness, 1 - lightness)
        return max(0, min(255, round(255 * (lightness - spread * max(-1, min(k - 3, 9 - k, 1))))))

    return f"#{channel(0):02x}{channel(8):02x}{channel(4):02x}"
