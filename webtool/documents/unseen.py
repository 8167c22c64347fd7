"""Decide whether readers of a document see a text. In: colour, ground, size, width, opacity. Out: a reason, or "".

Documents can hide instructions for a model from their human readers, as web pages can. All converters ask here, so that
one rule holds for all kinds; Source.hide() counts what is left out. A ground of "" is not known, as behind text on a
picture: then a colour hides nothing.
Tests: tests/documents/test_unseen.py
"""

from __future__ import annotations

from webtool.css.colours import MAX_UNSEEN_ALPHA, is_same_colour

PAGE = "#ffffff"  # the ground of a page without a colour of its own
MAX_UNSEEN_POINTS = 1.0  # of a font; such text is a line to the eye
MIN_STRETCH = 0.1  # width of letters relative to their usual width

MARKED, DELETED = "marked as hidden", "deleted"
SAME_COLOUR, SMALL, TRANSPARENT = "in the colour of its ground", "too small or narrow to read", "transparent"
BY_HTML = "not shown by their HTML"
CLIPPED, OUTSIDE = "clipped away", "outside of the page or on a layer that is off"


def reason(colour: str, ground: str, points: float = 12.0, stretch: float = 1.0, alpha: float = 1.0) -> str:
    """Return why nobody sees a text, or "". Colours are "#rrggbb"; "" is a colour that is not known."""
    if points <= MAX_UNSEEN_POINTS or stretch < MIN_STRETCH:
        return SMALL
    if alpha < MAX_UNSEEN_ALPHA:
        return TRANSPARENT
    return SAME_COLOUR if colour and ground and is_same_colour(colour, ground) else ""


def hexadecimal_colour(value: str) -> str:
    """Return a colour of an office document as "#rrggbb": "FF00AA" or "#FF00AA"; "" for "auto" and other names."""
    digits = value.lstrip("#").lower()
    return f"#{digits}" if len(digits) == 6 and not digits.strip("0123456789abcdef") else ""
