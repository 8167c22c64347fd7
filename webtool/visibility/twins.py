"""Choose which text to write if a page has a short text twice, for eyes and for screen readers: a pair of twins.

In: the hidden elements. Out: those to write.

Shops write `<span class=sr-only>$24.50</span><span aria-hidden=true>$24<sup>50</sup></span>`. The text for screen
readers is whole, so it is written, and the other is not. If it says the same at greater length ("per month" for
"/month"), the text for eyes is written.
Tests: tests/visibility/test_text_alternatives.py
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
    shown: list[Element], for_eyes: list[Element], hidden: Mapping[Element, str], length: Measure
) -> list[Element]:
    """Return which hidden elements to write: `shown`, with one element of each pair of twins.

    `for_eyes` are the elements with aria-hidden, which screen readers skip.
    """
    to_show = dict.fromkeys(shown)
    for element in for_eyes:
        written = _element_to_write(element, hidden, length)
        if written is not None:
            to_show.pop(element, None)
            if written in hidden:
                to_show[written] = None
    return list(to_show)


def _element_to_write(element: Element, hidden: Mapping[Element, str], length: Measure) -> Element | None:
    """Return which element to write of an element for eyes and its twin among its siblings; None without a twin.

    The first sibling decides that is in one of these rows; a sibling of the last row only if no other one is:

        the sibling                                  is written
        visible, the same figures or letters         the sibling
        hidden by its class, the same figures        the sibling, or the element if the sibling is only longer
        a heading for screen readers, longer         the sibling: a heading is written as a whole or not at all
        another text for screen readers, longer      the element
    """
    text = _text_of(element)
    signature = _signature(text)
    if element.parent is None or not signature:
        return None
    has_style = "style" in element.attrs
    has_longer_twin = False
    for node in element.parent.children[:_MAX_SIBLINGS]:
        if node is element or type(node) is not Element or node.tag in SILENT:
            continue
        reason, other = hidden.get(node), _text_of(node)
        is_visible = reason is None
        may_be_equal = _may_abbreviate(text, other) if is_visible else reason == "class" and not has_style
        if may_be_equal and _signature(other) == signature:
            has_text = length(node, hidden) >= len(signature)  # else its text is hidden in it
            if has_text:
                return element if not is_visible and _is_only_longer(element, text, other) else node
        elif not is_visible and reason not in reasons.UNHEARD and _begins_like(other, text):
            if node.tag in HEADINGS:
                return node
            has_longer_twin = True
    return element if has_longer_twin and not has_style else None


def _text_of(element: Element) -> str:
    return short_text(element).strip().lower()


def _letters_and_digits(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _signature(text: str) -> str:
    """Return the figures of a short text, or its letters if it has no figures; "" for a longer text.

    "$24.50" -> "2450", "try it" -> "tryit".
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
    """Return whether the text of an element for eyes says all that the longer text for screen readers says.

    for eyes             for screen readers
    "19,90 €"            "original price was: 19,90 €."    True: words are added
    "$24" and a "50"     "$24.50"                          False: the element cuts the figure
    "up to 50"           "up to 50% off"                   False: the sign belongs to the figure
    "/month"             "per month"                       True, as all texts with other words
    """
    if len(_letters_and_digits(longer)) <= len(_letters_and_digits(text)):
        return False
    texts_with_digits = [node for node in nodes_below(element) if node.tag is None and any(map(str.isdigit, node.text))]
    if len(texts_with_digits) > 1:
        return False
    _, _, rest = " ".join(longer.split()).partition(" ".join(text.split()))  # "" too if the text is not in the longer
    return not rest or rest[0] in " .,;"


def _begins_like(longer: str, text: str) -> bool:
    """Return whether a longer text has the letters of the text for eyes in a row, or begins with its first word.

    "12 january" has "12 jan", "4.5 of 5" has "4.5", and "5 hours ago" begins like "5 hrs". That proves little, but is
    safe: then the text for eyes is written.
    """
    if not 0 < len(text) <= len(longer) <= _MAX_LENGTH:
        return False
    if _letters_and_digits(text) in _letters_and_digits(longer):
        return True
    return " " in text and longer.split()[0] == text.split()[0]
