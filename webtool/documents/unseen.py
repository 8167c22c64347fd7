"""Decide whether readers of a document see a text. In: its colours, size, width, opacity. Out: a reason, or "".

Documents can hide instructions for a model from their human readers, as web pages can. The converters of all formats
call reason(), leave out the text if it returns a reason, and count the words with Source.hide(). A converter also uses
some reasons without reason(), for example MARKED for a run with Word's "hidden" box.

The background is the colour on which the letters are painted. It is "" if unknown, as for text on a picture: then the
text's colour does not hide it.
Tests: tests/documents/test_unseen.py
"""

from __future__ import annotations

from webtool.css.colours import MAX_UNSEEN_ALPHA, is_same_colour

PAGE = "#ffffff"  # the background of a page that sets no colour
MAX_UNSEEN_POINTS = 1.0  # text in a font of this size or a smaller one looks like a thin line
MIN_STRETCH = 0.1  # letters squeezed below this share of their usual width cannot be read

# The reasons.
MARKED, DELETED = "marked as hidden", "deleted"
SAME_COLOUR, SMALL, TRANSPARENT = "in the colour of its background", "too small or narrow to read", "transparent"
BY_HTML = "not shown by their HTML"
CLIPPED, OUTSIDE = "clipped away", "outside of the page or on a layer that is off"


def reason(colour: str, background: str, points: float = 12.0, stretch: float = 1.0, alpha: float = 1.0) -> str:
    """Return why nobody sees a text, or "". `colour` and `background` are "#rrggbb", or "" if not known."""
    if points <= MAX_UNSEEN_POINTS or stretch < MIN_STRETCH:
        return SMALL
    if alpha < MAX_UNSEEN_ALPHA:
        return TRANSPARENT
    return SAME_COLOUR if colour and background and is_same_colour(colour, background) else ""


def hexadecimal_colour(value: str) -> str:
    """Return a colour of an office document as "#rrggbb": "FF00AA" or "#FF00AA"; "" for "auto" and other names."""
    digits = value.lstrip("#").lower()
    return f"#{digits}" if len(digits) == 6 and not digits.strip("0123456789abcdef") else ""
