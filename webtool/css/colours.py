"""CSS colours. In: the text of a value, in lower case. Out: "#rrggbb" and alpha, as far as visible text needs them.

"rgb(255 0 0 / 50%)" -> "#ff0000" and 0.5. Of colours in lab() and similar notations, only black and white are known;
the others are None.
Specification: CSS Color 4.
Tests: tests/css/test_values.py
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.css.values import DEGREES, Number, number_of
from webtool.lean import patterns
from webtool.lean.patterns import Match

MAX_UNSEEN_ALPHA = 0.05  # a colour with less alpha is not seen
MAX_SAME_DIFFERENCE = 8  # of 255, in each channel; eyes cannot tell such colours apart
_CHANNELS = (1, 3, 5)  # where red, green and blue begin in "#rrggbb"
_MIN_MIXED_SHARE = 5  # per cent; a smaller share of a colour in color-mix() does not count

_hex = patterns.compile(r"#([0-9a-f]{3,8})\Z").match
_FUNCTION = patterns.compile(r"(rgba?|hsla?|hwb|ok(?:lab|lch)|lab|lch|color|light-dark)\(([^()]{1,80})\)\Z")
# "color-mix(in srgb, red 95%, white)"
_COLOR_MIX = patterns.compile(
    r"color-mix\(in [^,()]{1,40},\s*([^,()%]{1,30}?)(?:\s+((?:[0-9]{0,8}\.)?[0-9]{1,8})%)?\s*"
    r",\s*([^,()%]{1,30}?)(?:\s+((?:[0-9]{0,8}\.)?[0-9]{1,8})%)?\s*\)\Z"
)
_separators = patterns.compile(r"[\s,/]+").split


def colour_of(value: str) -> str | None:
    """Return "#rrggbb", "transparent" if the colour is not seen, or None if its notation is not known."""
    colour, alpha = _read(value.strip())
    return "transparent" if alpha < MAX_UNSEEN_ALPHA else colour


def alpha_of(value: str) -> float:
    """Return how opaque a colour is, from 0 to 1; 1 if its notation is not known."""
    return _read(value)[1]


def is_same_colour(one: str, other: str | None) -> bool:
    """Return whether eyes cannot tell two results of colour_of() apart; False if one is "transparent" or None."""
    if other is None or len(one) != 7 or len(other) != 7:
        return False
    if one == other:
        return True
    for i in _CHANNELS:  # noqa: SIM110 - half of the time of all()
        if abs(int(one[i : i + 2], 16) - int(other[i : i + 2], 16)) > MAX_SAME_DIFFERENCE:
            return False
    return True


class Colours:
    """Many "#rrggbb" colours, to tell whether eyes can tell another colour apart from all of them."""

    def __init__(self, colours: Iterable[str]) -> None:
        known = [colour for colour in colours if len(colour) == 7]
        # For each channel and amount: a number whose bit i says whether colour i has about that amount.
        self._near = [[0] * 256 for _ in _CHANNELS]
        for near, start in zip(self._near, _CHANNELS):
            masks = [bytearray(len(known) // 8 + 1) for _ in near]
            for i, colour in enumerate(known):
                masks[int(colour[start : start + 2], 16)][i >> 3] |= 1 << (i & 7)
            exact = [int.from_bytes(mask, "little") for mask in masks]
            for amount in range(256):
                for other in range(max(0, amount - MAX_SAME_DIFFERENCE), min(256, amount + MAX_SAME_DIFFERENCE + 1)):
                    near[amount] |= exact[other]

    def have(self, colour: str) -> bool:
        """Return whether is_same_colour() holds for one of the colours."""
        if len(colour) != 7:
            return False
        red, green, blue = (near[int(colour[i : i + 2], 16)] for near, i in zip(self._near, _CHANNELS))
        return bool(red & green & blue)


def _read(value: str) -> tuple[str | None, float]:
    """Return "#rrggbb", or None if the colour is not known, and its alpha."""
    if value in _NAMES:
        return _NAMES[value], float(value != "transparent")
    match = _hex(value)
    if match:
        digits = match[1] if len(match[1]) > 4 else "".join([digit * 2 for digit in match[1]])
        alpha = int(digits[6:], 16) / 255 if len(digits) == 8 else 1.0
        return f"#{digits[:6]}" if len(digits) in (6, 8) else None, alpha
    match = _FUNCTION.match(value)
    if match:
        return _from_function(match[1], [part for part in _separators(match[2]) if part])
    mix = _COLOR_MIX.match(value)
    return _from_mix(mix) if mix else (None, 1.0)


def _from_mix(match: Match[str]) -> tuple[str | None, float]:
    """Return colour and alpha of color-mix() if one of its colours is nearly all of it, or if both are equal.

    Shares are parts of their sum, which is the alpha if it is below 100 % (CSS Color 5 section 3).
    """
    first, first_share, second, second_share = match.groups()
    share = float(first_share) if first_share else 100 - float(second_share) if second_share else 50.0
    other_share = float(second_share) if second_share else max(0.0, 100 - share)
    total = share + other_share
    shares = ((first, share), (second, other_share))
    colours = {colour_of(colour) for colour, per_cent in shares if per_cent > _MIN_MIXED_SHARE * total / 100}
    return (colours.pop() if len(colours) == 1 else None), min(1.0, total / 100)


def _from_function(name: str, parts: list[str]) -> tuple[str | None, float]:
    """Return the colour and alpha of a colour function: ("rgb", ["255", "0", "0", "50%"]) -> "#ff0000", 0.5."""
    if name == "light-dark":
        return _read(parts[0] if parts else "")
    if parts[:1] == ["from"] and len(parts) > 1:
        parts = _from_origin(name, parts[1], parts[2:])
    space = ""
    if name == "color":
        space, parts = "".join(parts[:1]), parts[1:]
    numbers = [number_of(part) for part in parts]
    alpha = 1.0
    if len(numbers) == 4 and numbers[3] is not None:
        amount, unit = numbers[3]
        alpha = amount / 100 if unit == "%" else amount
    channels = [number for number in numbers[:3] if number is not None]
    if len(numbers) not in (3, 4) or None in numbers:
        return None, alpha  # an unknown colour may still be transparent
    return _from_channels(name, space, channels), alpha


def _from_origin(name: str, origin: str, parts: list[str]) -> list[str]:
    """Return the parts of a relative colour, with the letters of its origin's channels replaced by their amounts.

    In a notation other than rgb(), hue, saturation and chroma count as 0, as of a grey.

    rgb(from white r g 0)     ["255", "255", "0"]
    hsl(from white h s 50%)   ["0", "0", "50%"], whatever the origin
    hsl(from white h s l)     ["0", "0", "l"]: the lightness is not known, so the colour is None
    """
    base = colour_of(origin) or ""
    channels: dict[str, str] = {}
    if name[:3] != "rgb":
        channels = dict.fromkeys("hsc", "0")
    elif base[:1] == "#":
        channels = {letter: str(int(base[start : start + 2], 16)) for letter, start in zip("rgb", (1, 3, 5))}
    return [channels.get(part, part) for part in parts]


def _from_channels(name: str, space: str, numbers: list[Number]) -> str | None:
    """Return the colour of three channels in the notation `name`; `space` is the colour space of color().

    hsl, rgb, color(srgb)     any colour
    hwb                       a grey; None if a hue shows
    lab, lch, other spaces    black or white; None for all between
    """
    (first, unit), (second, _), (third, _) = numbers
    if name.startswith("hsl"):
        return _from_hsl(first * DEGREES.get(unit, 1.0), second / 100, third / 100)
    if name == "hwb":
        if second + third < 100:  # whiteness and blackness leave room for a hue: not supported
            return None
        return _from_hsl(first, 0, second / max(second + third, 1))
    if name.startswith("rgb") or space == "srgb":
        scale: float = 255 if space else 1  # color(srgb 1 0 0) is rgb(255 0 0)
        if unit == "%":
            scale = 2.55
        channels = [_channel(amount * scale) for amount, _ in numbers]
        return "#{:02x}{:02x}{:02x}".format(*channels)
    lightness = first
    if name == "color" and space[:3] != "xyz":
        # White if all channels are high, black if all are 0. If only some are 0, the half is neither.
        lightness = min(first, second, third) or max(first, second, third) / 2
    is_share = name.startswith(("ok", "color")) and unit != "%"  # oklab(1 0 0) is lab(100 0 0)
    share = lightness if is_share else lightness / 100
    if share > 0.99:
        return "#ffffff"
    return "#000000" if share < 0.01 else None


def _channel(amount: float) -> int:
    """Return a channel from 0 to 255. The amount may be infinite or no number, as "1e999" is: round() fails there."""
    return round(max(0, min(255, amount)))


def _from_hsl(hue: float, saturation: float, lightness: float) -> str:
    """Return the colour by the algorithm of CSS Color 4 section 7.1."""

    def channel(n: int) -> int:
        k = (n + hue / 30) % 12
        spread = saturation * min(lightness, 1 - lightness)
        return _channel(255 * (lightness - spread * max(-1, min(k - 3, 9 - k, 1))))

    return f"#{channel(0):02x}{channel(8):02x}{channel(4):02x}"


# CSS Color 4 section 6.1, each name with its value.
_NAMED_COLOURS = """
aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black
000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0
chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff
darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki
bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon
e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1
darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick
b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700
goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4
indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00
lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray
d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue
87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00
limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd
mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a
mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin
ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered
ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip
ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399
red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57
seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090
snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise
40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32
""".split()
_NAMES = {name: f"#{value}" for name, value in zip(_NAMED_COLOURS[::2], _NAMED_COLOURS[1::2])}
_NAMES.update(transparent="transparent", canvastext="#000000")
_NAMES.update(dict.fromkeys(("canvas", "field", "window", "background", "highlighttext"), "#ffffff"))
