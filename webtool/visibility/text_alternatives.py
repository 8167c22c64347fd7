"""Texts for screen readers: those that say what a picture shows, and short texts that a page writes twice.

In: hidden elements, or a label (aria-label, alt). Out: which of them to write.

Star ratings, colour swatches and ticks in tables are small pictures. Their text alternative is written if no visible
text says it: `<i class=star></i><b class=sr-only>Rated 4.5 out of 5</b>`. Only short texts of these three kinds count,
because other hidden text may be meant to deceive.

Shops write `<span class=sr-only>$24.50</span><span aria-hidden=true>$24<sup>50</sup></span>`. The text for screen
readers is whole, so it is written, and the other is not. If it only says the same at greater length ("per month" for
"/month"), the text for eyes is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from webtool.html.elements import HEADINGS
from webtool.html.node import SILENT, Element, nodes_below, short_text
from webtool.lean import patterns
from webtool.lean.characters import is_alnum
from webtool.lean.typing import Callable, Container
from webtool.visibility import reasons

MAX_RATING = 60  # characters; a longer text is not a rating
MAX_NAME = 24  # characters; a longer text is not the name of a colour or a tick
_MAX_NODES = 60  # nodes of a box that are looked at
_MAX_NAMED_SIBLINGS = 8  # siblings whose class names are looked at
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
_MAX_SIBLINGS = 8  # siblings that are compared
_MAX_LENGTH = 60  # characters; longer texts are not prices or labels
Measure = Callable[[Element, Container[Element]], int]  # characters of text in an element, without hidden ones


# --- Pictures ---


def is_needed(element: Element, hidden: Container[Element]) -> bool:
    """Return whether an element for screen readers alone says what a picture beside it shows. Controls never do."""
    is_in_control = any(box is not None and box.tag in _CONTROLS for box in (element, element.parent))
    return not is_in_control and says_picture(element, " ".join(short_text(element).split()), hidden)


def says_picture(element: Element, label: str, hidden: Container[Element], *, is_name: bool = False) -> bool:
    """Return whether a label says what a picture in the element's parent shows, and no text in it does.

    `is_name` says that the label, unless it is a rating, is known to name a picture.
    """
    box = element.parent
    if box is None or not label:
        return False
    shown = _shown_text(box, hidden)
    children = box.children[:_MAX_NAMED_SIBLINGS]
    siblings = [node for node in children if node is not element and node.tag not in (None, "#comment", "label")]
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
    numbers = _numbers_in(_brackets("", shown))
    return any(number == figure or (figure.startswith(number) and "." in number) for number in numbers)


def _shown_text(box: Element, hidden: Container[Element]) -> str:
    """Return the beginning of the visible text of a box, with the descriptions of its pictures."""
    nodes = [node for node in islice(nodes_below(box, hidden), _MAX_NODES) if node not in hidden]
    return " ".join([node.text if node.tag is None else node.attrs.get("alt", "") for node in nodes])


# --- Twins ---


def write_once(
    shown: list[Element], silent: list[Element], hidden: Mapping[Element, str], length: Measure
) -> list[Element]:
    """Return which hidden elements to show: `shown`, with one element of each pair of twins.

    `silent` are the elements with aria-hidden, which are for eyes only.
    """
    to_show = dict.fromkeys(shown)
    for element in silent:
        written = _element_to_write(element, hidden, length)
        if written is not None:
            to_show.pop(element, None)
            if written in hidden:
                to_show[written] = None
    return list(to_show)


def _element_to_write(element: Element, hidden: Mapping[Element, str], length: Measure) -> Element | None:
    """Return the element to write instead of one for eyes only: its twin, or itself; None if it has no twin.

    A twin is a sibling with the same figures or letters that is seen or hidden by its class, or a heading that says
    more.
    """
    text = _text_of(element)
    signature = _signature(text)
    if element.parent is None or not signature:
        return None
    has_longer_twin = False
    for node in element.parent.children[:_MAX_SIBLINGS]:
        if node is element or type(node) is not Element or node.tag in SILENT:
            continue
        reason, other = hidden.get(node), _text_of(node)
        if reason is None:
            can_be_twin = _may_abbreviate(text, other)
        else:
            can_be_twin = reason == "class" and "style" not in element.attrs
        if can_be_twin and _signature(other) == signature:
            if length(node, hidden) >= len(signature):
                is_longer = reason is not None and _is_only_longer(element, text, other)
                return element if is_longer else node
        elif reason is not None and reason not in reasons.SILENT and _contains(other, text):
            if node.tag in HEADINGS:  # a heading is written as a whole or not at all
                return node
            has_longer_twin = True
    return element if has_longer_twin and "style" not in element.attrs else None


def _text_of(element: Element) -> str:
    return short_text(element).strip().lower()


def _letters_and_digits(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _signature(text: str) -> str:
    """Return the figures of a short text, or its letters if it has no figures; "" for a longer text.

    "$24.50" -> "2450", "Try it" -> "Tryit".
    """
    if len(text) > _MAX_LENGTH:
        return ""
    return "".join(filter(str.isdigit, text)) or _letters_and_digits(text)


def _may_abbreviate(one: str, other: str) -> bool:
    """Return whether the letters of the shorter text are in the longer one, in order.

    "3 hrs" and "3 hours" -> True, "12 jan" and "12 feb" -> False: these are two dates.
    """
    shorter, longer = sorted(["".join(filter(str.isalpha, text)) for text in (one, other)], key=len)
    rest = iter(longer)
    return all(letter in rest for letter in shorter)


def _is_only_longer(element: Element, text: str, longer: str) -> bool:
    """Return whether a longer text only puts words around the text of an element for eyes.

    "$24.50" is not only longer than "$24" and a small "50": the element cuts the figure. "Up to 50% off" is not only
    longer than "Up to 50": the sign belongs to the figure.
    """
    if len(_letters_and_digits(longer)) <= len(_letters_and_digits(text)):
        return False
    if sum(any(map(str.isdigit, node.text)) for node in nodes_below(element) if node.tag is None) > 1:
        return False
    rest = " ".join(longer.split()).partition(" ".join(text.split()))[2]
    return not rest or rest[0] in " .,;"


def _contains(longer: str, text: str) -> bool:
    """Return whether a text has another's letters in a row, or its first word: "12 January" and "12 Jan"."""
    if not 0 < len(text) <= len(longer) <= _MAX_LENGTH:
        return False
    if _letters_and_digits(text) in _letters_and_digits(longer):
        return True
    return " " in text and longer.split()[0] == text.split()[0]
