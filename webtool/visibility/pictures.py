"""What eyes get as a picture and ears as a text: stars of a rating, swatches of colours, ticks in the cells of a table.
In: an element that is told to ears alone, or a label. Out: whether a reader needs its text.

Only short texts that say what such pictures show count: anything else that nobody sees may be meant to deceive.
"""

from __future__ import annotations

from collections.abc import Container
from itertools import islice

from webtool.html.elements import HEADINGS
from webtool.html.node import Element, nodes_below, short_text
from webtool.lean import patterns

_MAX_RATING, _MAX_NAME = 60, 24  # characters
_MAX_NODES = 60  # of a box that are looked at
# "4.5 out of 5", "4/5", "3 stars"; and what says that such a figure is no page's or picture's: the text or a class.
_is_figure = patterns.compile(
    r"(?i)\D{0,40}[0-9]{1,3}(?:[.,][0-9]{1,10})?"
    r"(?:\D{1,20}[0-9]{1,3}(?![0-9])|.{0,3}\bstars?\b(?!(?:\srating)?\sreviews))"
).match
_names_rating = patterns.compile(r"(?i)star|rat(?:ing|ed)|review|score").search
_numbers = patterns.compile(r"[0-9]+(?:[.,][0-9]{1,10})?").findall
_in_brackets = patterns.compile(r"\([^()]*\)").sub
_names_swatch = patterns.compile(
    r"(?i)swatch|colou?rs?[-_]?(?:option|variant|chip|dot|circle|indicator|item|image|name|attribute)"
).search
_CELLS = frozenset(("td", "th", "dd", "dt", *HEADINGS))
_CONTROLS = frozenset(("button", "input", "select", "textarea", "nav", "form"))


def is_needed(element: Element, hidden: Container[Element]) -> bool:
    """Whether what an element tells ears alone is what eyes get as a picture in the box around it, and not as text."""
    if element.tag in _CONTROLS or (element.parent is not None and element.parent.tag in _CONTROLS):
        return False
    return says_picture(element, " ".join(short_text(element).split()), hidden)


def says_picture(element: Element, label: str, hidden: Container[Element], *, is_name: bool = False) -> bool:
    """Whether a label says what a picture shows in the box around the element, and no text in it does. `is_name`: it
    is known that it does where it is no rating."""
    box = element.parent
    if box is None or not label:
        return False
    shown, others = _shown_in(box, hidden), _others(box, element)
    names = " ".join([one.attrs.get("class", "") for one in (element, box, *others)])
    if is_rating(label, names):
        around = _shown_in(box.parent, hidden) if box.parent is not None else ""
        is_beside = len(around) <= _MAX_RATING and "." in _numbers(label)[0] and _says_figure(around, label)
        return not is_beside and not _says_figure(shown, label)
    if is_name or any(map(str.isalnum, shown)) or len(label) > _MAX_NAME or box.tag == "a":
        return is_name
    is_drawn = element.tag == "svg" or not short_text(element).strip()
    return bool(_names_swatch(names)) or (box.tag in _CELLS and (is_drawn or bool(others)))


def is_rating(text: str, names: str) -> bool:
    """Whether a short text is a rating in figures: it or the class names say that it is one."""
    return len(text) <= _MAX_RATING and _is_figure(text) is not None and bool(_names_rating(f"{text} {names}"))


def _says_figure(shown: str, rating: str) -> bool:
    """Whether a text that is shown has the figure of a rating too, outside of brackets: "4.6 (20)" for 4.62."""
    wanted = _numbers(rating)[0]
    return any(one == wanted or (wanted.startswith(one) and "." in one) for one in _numbers(_in_brackets("", shown)))


def _shown_in(box: Element, hidden: Container[Element]) -> str:
    """The beginning of the text that shows in a box, and the descriptions of its pictures."""
    nodes = [node for node in islice(nodes_below(box, hidden), _MAX_NODES) if node not in hidden]
    return " ".join([node.text if node.tag is None else node.attrs.get("alt", "") for node in nodes])


def _others(box: Element, element: Element) -> list[Element]:
    return [node for node in box.children[:8] if node is not element and node.tag not in (None, "#comment", "label")]  # type: ignore[misc]
