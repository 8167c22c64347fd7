"""Paint of a box: colours of letters and background, font size, opacity, filters, masks. In: values. Out: what is seen.

`values` are computed values by property name, in lower case: {"color": "#fff", "font-size": "0"}. A test returns
whether nothing of the text would be seen. Sizes at which letters stop being legible are this module's choice.
Specification: CSS Color 4, CSS Backgrounds 3, CSS Masking 1 (masks), Filter Effects 1.
Tests: tests/css/test_values.py
"""

from __future__ import annotations

from webtool.css.colours import alpha_of, colour_of
from webtool.css.values import Values, number_of, pixels, words_of
from webtool.lean import patterns

MIN_READABLE = 3.5  # px; a smaller font hides its text
MAX_FAINT_OPACITY = 0.05  # alpha; at most this much opacity hides the element
MIN_OPAQUE_ALPHA = 0.9  # alpha; a background with less lets what is below it show through
MIN_FAR_SHADOW = 200.0  # px; a text shadow this far away draws no readable letters
MIN_BLUR = 10.0  # px; a blur radius from which letters are illegible

_OUTLINES = ("text-shadow", "-webkit-text-stroke", "-webkit-text-stroke-width")
_SIZE_WORDS = frozenset(("xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "initial"))
_TRANSPARENT_BACKGROUNDS = frozenset(("none", "0", "0 0", "initial", "unset", "inherit", "revert", "none transparent"))

_SIZE_IN_FONT = patterns.compile(r"(?:^|\s)([0-9.]+(?:px|pt|em|rem|%)?)(?:\s*/\s*\S+)?\s+\S")
_words_of = patterns.compile(r"[^\s,()]+(?:\([^()]*\))?").findall
_filters_in = patterns.compile(r"(opacity|contrast|blur)\(([^()]*)\)").findall
# "red" and "rgb(0 0 0)" of "to right, red 10%, rgb(0 0 0)"
_COLOUR_STOPS = patterns.compile(r"(?:^|,)\s*(?!to |from |at |in )([a-z#]+[^\s,(]*(?:\([^()]*\))?)")
_mask_without_size = patterns.compile(r"\)[^,()]*/ ?0(?:px|%)?(?![\w.])").search
_gradient = patterns.compile(r"[a-z-]{1,30}-gradient\(((?:[^()]|\([^()]*\)){1,400})\)").fullmatch


def is_faint(opacity: str) -> bool:
    """Return whether an opacity ("0", "3%") is too low to see anything.

    Browsers ignore "0px". Here it counts as 0, because the extraction model was trained with pages read so.
    """
    number = number_of(opacity)
    if number is None:
        return False
    amount, unit = number
    return (amount / 100 if unit == "%" else amount) <= MAX_FAINT_OPACITY


def font_size(values: Values) -> float | None:
    """Return the font size in px, or None if the values set none or use an unknown word.

    A share of the parent's size is taken of 16 px: "50%" -> 8.0. Words such as "small" count as just readable.
    """
    value = values.get("font-size")
    if value is None and "font" in values:
        match = _SIZE_IN_FONT.search(values["font"])
        value = match[1] if match else None
    if value in _SIZE_WORDS:
        return MIN_READABLE
    return pixels(value and value.replace("%", "e-2em"))  # "50%" is "50e-2em", half of 16 px


def is_tiny_font(values: Values) -> bool:
    """Return whether the font is too small to read."""
    size = font_size(values)
    return size is not None and size < MIN_READABLE


def text_colour(values: Values) -> str:
    """Return the value that fills the letters: -webkit-text-fill-color if it names a colour, else color, else ""."""
    fill = values.get("-webkit-text-fill-color", "")
    return values.get("color", "") if fill in ("", "currentcolor", "initial", "inherit", "unset") else fill


def has_transparent_text(values: Values) -> bool:
    """Return whether the letters are transparent and neither outline, shadow nor background draws their shapes."""
    if clips_background_to_text(values):
        has_plain_background = "background" in values and background_colour(values) is None
        return has_plain_background and colour_of(text_colour(values)) == "transparent"
    if any(_draws_letters(values[name]) for name in _OUTLINES if name in values):
        return False
    return colour_of(text_colour(values)) == "transparent"


def _draws_letters(outline: str) -> bool:
    """Return whether a text shadow or stroke is wide, near, sharp and coloured enough to show the letters."""
    words = _words_of(outline)
    sizes = [size for size in map(pixels, words) if size is not None][:3]
    is_near = all(abs(size) < MIN_FAR_SHADOW for size in sizes) and (len(sizes) != 1 or sizes[0] > 0)
    is_sharp = len(sizes) < 3 or sizes[2] < MIN_BLUR
    return is_near and is_sharp and outline != "none" and not any(colour_of(word) == "transparent" for word in words)


def has_background_of_text_colour(values: Values) -> bool:
    """Return whether the background is painted in the text's own colour (currentcolor)."""
    background = values.get("background-color") or values.get("background")
    return (
        background == "currentcolor"
        and not clips_background_to_text(values)
        and "-webkit-text-fill-color" not in values
    )


def clips_background_to_text(values: Values) -> bool:
    """Return whether the background is only painted inside the letters (background-clip: text)."""
    return values.get("background-clip") == "text" or "text" in values.get("background", "").split()


def filter_hides(values: Values) -> str | bool:
    """Return True if a filter leaves nothing of the element, "blur" if it blurs text but perhaps not pictures."""
    for name, amount in _filters_in(values["filter"][:200]):
        if name == "blur":
            if (pixels(amount.strip()) or 0.0) >= MIN_BLUR:
                return "blur"
        elif is_faint(amount.strip()) and (name == "opacity" or background_colour(values) is not None):
            return True  # without contrast, text and background become one grey
    return False


def mask_image(values: Values) -> str:
    """Return the mask image's value, "" without a mask."""
    return values.get("mask-image") or values.get("mask", "")


def is_masked_away(values: Values) -> bool:
    """Return whether the mask lets nothing through: a gradient without size or with transparent colours only."""
    mask = mask_image(values)[:400]
    inner = mask.partition("-gradient(")[2]
    if not inner:
        return False
    if _mask_without_size(mask):
        return True
    stops = _COLOUR_STOPS.findall(inner.rpartition(")")[0])
    return bool(stops) and all(colour_of(stop) == "transparent" for stop in stops)


def background_colour(values: Values) -> str | None:
    """Return the background as "#rrggbb", "" if it is an image or unknown, None if it is transparent.

    {"background": "#fff url(a.png)"} -> "", {"background-color": "white"} -> "#ffffff", {"background": "none"} -> None.
    """
    value = values.get("background-color") or values.get("background")
    image = values.get("background-image", "none")
    if image == "none" and value and ("url(" in value or "gradient" in value):
        image = value
    if image != "none":
        return _plain_gradient(image) if "background-size" not in values else ""
    if value is None:
        return None
    if value == "currentcolor":
        return colour_of(values.get("color", "")) or ""
    written = next(filter(colour_of, words_of(value)), "")  # "#fff" of "#fff none no-repeat"
    colour = colour_of(written) or ""
    if colour != "transparent" and alpha_of(written) < MIN_OPAQUE_ALPHA:
        return ""
    return None if colour == "transparent" or value in _TRANSPARENT_BACKGROUNDS else colour


def _plain_gradient(image: str) -> str:
    """Return the colour of a gradient whose stops are all equal and opaque, "" for any other image."""
    match = _gradient(image)
    stops = _COLOUR_STOPS.findall(match[1]) if match else []
    colours = {colour_of(stop) if alpha_of(stop) >= MIN_OPAQUE_ALPHA else "" for stop in stops}
    return (colours.pop() or "").replace("transparent", "") if len(colours) == 1 else ""


def animation_end(values: Values) -> str:
    """Return "forwards" if an animation keeps its last keyframe, "infinite" if it repeats for ever, else "".

    An animation-name alone counts as infinite: the other properties may be in a style sheet that was not fetched.
    """
    if "animation" not in values:
        return "infinite"
    words = f"{values['animation']} {values.get('animation-fill-mode', '')}".replace(",", " ").split()
    if "infinite" in words:
        return "infinite"
    return "" if {"forwards", "both"}.isdisjoint(words) else "forwards"
