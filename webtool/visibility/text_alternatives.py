"""Find texts for screen readers that say what a picture shows. In: an element, its label. Out: whether to write it.

Star ratings, colour swatches and ticks in tables are small pictures. Their text alternative is written if no visible
text says it: `<i class=star></i><b class=sr-only>Rated 4.5 out of 5</b>`. Only short texts of these three kinds count,
because other hidden text may be meant to deceive.
"""

from __future__ import annotations

from itertools import islice

from webtool.html.elements import HEADINGS
from webtool.html.node import Element, nodes_below, short_text
from webtool.lean import patterns
from webtool.lean.characters import is_alnum
from webtool.lean.typing import Container

MAX_RATING = 60  # characters; a longer text is not a rating
_SCALES = ("5", "10", "100")  # where the scale of a rating ends
MAX_NAME = 24  # characters; a longer text is not the name of a colour or a tick
_MAX_NODES = 60  # nodes of a box that are looked at
_MAX_NAMED_SIBLINGS = 8  # siblings whose class names are looked at
_CELLS = frozenset(("td", "th", "dd", "dt", *HEADINGS))
_CONTROLS = frozenset(("button", "input", "select", "textarea", "nav", "form"))

# "4.5 out of 5", "4/5", "3 stars". Class names or the text must also say that the figure is a rating.
_FIGURE = patterns.compile(
    r"(?i)\D{0,40}[0-9]{1,3}(?:[.,][0-9]{1,10})?"
    r"(?:\D{1,20}[0-9]{1,3}(?![0-9])|.{0,3}\bstars?\b(?!(?:\srating)?\sreviews))"
)
_rating_word_in = patterns.compile(r"(?i)star|rat(?:ing|ed)|review|score").search
# "swatch", "color-option", "colour_dot", "colorchip"
_SWATCH_NAME = patterns.compile(
    r"(?i)swatch|colou?rs?[-_]?(?:option|variant|chip|dot|circle|indicator|item|image|name|attribute)"
)
_numbers_in = patterns.compile(r"[0-9]+(?:[.,][0-9]{1,10})?").findall
_brackets = patterns.compile(r"\([^()]*\)").sub


def is_needed(element: Element, hidden: Container[Element]) -> bool:
    """Return whether to write an element for screen readers alone: it says what a picture beside it shows.

    A text in a control names the control: `<button><svg></svg><b class=sr-only>Close</b></button>` -> False.
    """
    is_in_control = any(box is not None and box.tag in _CONTROLS for box in (element, element.parent))
    return not is_in_control and says_picture(element, " ".join(short_text(element).split()), hidden)


def says_picture(element: Element, label: str, hidden: Container[Element], *, is_name: bool = False) -> bool:
    """Return whether to write a label: it says what a picture in the element's parent shows, and no text there does.

    What decides, in this order:

        a rating                               written unless its figure is visible
        the name of a picture (`is_name`)      written
        long, beside visible text, in a link   not written
        in a box whose class names a swatch    written: the name of a colour
        in a cell of a table, with a picture   written: a tick
    """
    box = element.parent
    if box is None or not label:
        return False
    shown = _shown_text(box, hidden)
    children = box.children[:_MAX_NAMED_SIBLINGS]
    siblings = [node for node in children if node is not element and node.tag not in (None, "#comment", "label")]
    names = " ".join([node.attrs.get("class", "") for node in (element, box, *siblings)])
    if is_rating(label, names):
        figure = _figure_of(label)
        return not _has_figure(shown, figure) and not _has_decimal_figure_around(box, figure, hidden)
    if is_name:
        return True
    if any(map(is_alnum, shown)) or len(label) > MAX_NAME or box.tag == "a":
        return False
    if _SWATCH_NAME.search(names):
        return True
    is_drawn = element.tag == "svg" or not short_text(element).strip()
    return box.tag in _CELLS and (is_drawn or bool(siblings))


def is_rating(text: str, names: str) -> bool:
    """Return whether a short text is a rating in figures: "4/5", if it or the class names say that it is one."""
    return len(text) <= MAX_RATING and _FIGURE.match(text) is not None and bool(_rating_word_in(f"{text} {names}"))


def _figure_of(rating: str) -> str:
    """Return the figure of a rating: the number before the end of its scale, else the first number.

    "Galaxy S24 rated 4.5 out of 5" -> "4.5", "3 stars" -> "3".
    """
    numbers: list[str] = _numbers_in(rating)
    return next((figure for figure, scale in zip(numbers, numbers[1:]) if scale in _SCALES), numbers[0])


def _has_decimal_figure_around(box: Element, figure: str, hidden: Container[Element]) -> bool:
    """Return whether a figure with decimals is in the short text around the box. A whole number may count other things.

    `<div><span><i aria-label="Rated 4.5 of 5"></i></span> 4.5</div>` -> True.
    """
    around = _shown_text(box.parent, hidden) if box.parent is not None else ""
    return len(around) <= MAX_RATING and "." in figure and _has_figure(around, figure)


def _has_figure(shown: str, figure: str) -> bool:
    """Return whether a visible text has a rating's figure, perhaps shortened: "4.6 (20)" has "4.62".

    Figures in brackets do not count: they are numbers of reviews.
    """
    numbers = _numbers_in(_brackets("", shown))
    return any(number == figure or (figure.startswith(number) and "." in number) for number in numbers)


def _shown_text(box: Element, hidden: Container[Element]) -> str:
    """Return the beginning of the visible text of a box, with the descriptions of its pictures."""
    nodes = [node for node in islice(nodes_below(box, hidden), _MAX_NODES) if node not in hidden]
    return " ".join([node.text if node.tag is None else node.attrs.get("alt", "") for node in nodes])
