"""Text alternatives of small pictures: star ratings, colour swatches, ticks in tables. Out: whether to write them.

In: an element whose text is for screen readers alone, or a label (aria-label, alt). Such a text is written if it says
what eyes see as a picture and no visible text says it: `<i class=star></i><b class=sr-only>Rated 4.5 out of 5</b>`.
Only short texts of these three kinds count, because other hidden text may be meant to deceive.
Tests: tests/visibility/test_twins.py
"""

from __future__ import annotations

from collections.abc import Container
from itertools import islice

from webtool.html.elements import HEADINGS
from webtool.html.node import Element, nodes_below, short_text
from webtool.lean import patterns
from webtool.lean.characters import is_alnum

MAX_RATING = 60  # characters; a longer text is not a rating
MAX_NAME = 24  # characters; a longer text is not the name of a colour or a tick
_MAX_NODES = 60  # nodes of a box that are looked at
_MAX_SIBLINGS = 8  # siblings whose class names are looked at
_CELLS = frozenset(("td", "th", "dd", "dt", *HEADINGS))
_CONTROLS = frozenset(("button", "input", "select", "textarea", "nav", "form"))

# "4.5 out of 5", "4/5", "3 stars". Class names or the text must also say that the figure is a rating.
_is_figure = patterns.compile(
    r"(?i)\D{0,40}[0-9]{1,3}(?:[.,][0-9]{1,10})?"
    r"(?:\D{1,20}[0-9]{1,3}(?![0-9])|.{0,3}\bstars?\b(?!(?:\srating)?\sreviews))"
).match
_rating_word_in = patterns.compile(r"(?i)star|rat(?:ing|ed)|review|score").search
_swatch_name_in = patterns.compile(
    r"(?i)swatch|colou?rs?[-_]?(?:option|variant|chip|dot|circle|indicator|item|image|name|attribute)"
).search
_numbers_in = patterns.compile(r"[0-9]+(?:[.,][0-9]{1,10})?").findall
_brackets = patterns.compile(r"\([^()]*\)").sub


def is_needed(element: Element, hidden: Container[Element]) -> bool:
    """Return whether an element for screen readers alone says what a picture beside it shows. Controls never do."""
    if element.tag in _CONTROLS or (element.parent is not None and element.parent.tag in _CONTROLS):
        return False
    return says_picture(element, " ".join(short_text(element).split()), hidden)


def says_picture(element: Element, label: str, hidden: Container[Element], *, is_name: bool = False) -> bool:
    """Return whether a label says what a picture in the element's parent shows, and no text in it does.

    `is_name` says that the label, unless it is a rating, is known to name a picture.
    """
    box = element.parent
    if box is None or not label:
        return False
    shown, siblings = _shown_text(box, hidden), _siblings(box, element)
    names = " ".join([node.attrs.get("class", "") for node in (element, box, *siblings)])
    if is_rating(label, names):
        return not _has_figure(shown, label) and not _has_exact_figure_around(box, label, hidden)
    if is_name:
        return True
    if any(map(is_alnum, shown)) or len(label) > MAX_NAME or box.tag == "a":
        return False
    if _swatch_name_in(names):
        return True
    is_drawn = element.tag == "svg" or not short_text(element).strip()
    return box.tag in _CELLS and (is_drawn or bool(siblings))


def is_rating(text: str, names: str) -> bool:
    """Return whether a short text is a rating in figures: "4/5", if it or the class names say that it is one."""
    return len(text) <= MAX_RATING and _is_figure(text) is not None and bool(_rating_word_in(f"{text} {names}"))


def _has_exact_figure_around(box: Element, rating: str, hidden: Container[Element]) -> bool:
    """Return whether the short text around the box shows the rating, decimals included."""
    around = _shown_text(box.parent, hidden) if box.parent is not None else ""
    return len(around) <= MAX_RATING and "." in _numbers_in(rating)[0] and _has_figure(around, rating)


def _has_figure(shown: str, rating: str) -> bool:
    """Return whether a visible text has a rating's figure, perhaps shortened: "4.6 (20)" has that of "4.62 of 5".

    Figures in brackets do not count: they are numbers of reviews.
    """
    figure = _numbers_in(rating)[0]
    for number in _numbers_in(_brackets("", shown)):
        if number == figure or (figure.startswith(number) and "." in number):
            return True
    return False


def _shown_text(box: Element, hidden: Container[Element]) -> str:
    """Return the beginning of the visible text of a box, with the descriptions of its pictures."""
    nodes = [node for node in islice(nodes_below(box, hidden), _MAX_NODES) if node not in hidden]
    return " ".join([node.text if node.tag is None else node.attrs.get("alt", "") for node in nodes])


def _siblings(box: Element, element: Element) -> list[Element]:
    children = box.children[:_MAX_SIBLINGS]
    return [node for node in children if node is not element and node.tag not in (None, "#comment", "label")]  # type: ignore[misc]
