"""Short texts that a page writes twice: for eyes and for screen readers. In: both elements. Out: the one to write.

Shops write `<span class=sr-only>$24.50</span><span aria-hidden=true>$24<sup>50</sup></span>`. The text for screen
readers is whole, so it is written, and the other is not. If it only says the same at greater length ("per month" for
"/month"), the text for eyes is written.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.html.elements import HEADINGS
from webtool.html.node import SILENT, Element, nodes_below, short_text
from webtool.lean.typing import Callable, Container
from webtool.visibility import reasons

_MAX_SIBLINGS = 8  # siblings that are compared
_MAX_LENGTH = 60  # characters; longer texts are not prices or labels
Measure = Callable[[Element, Container[Element]], int]  # characters of text in an element, without hidden ones


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
