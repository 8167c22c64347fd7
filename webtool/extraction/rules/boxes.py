"""Drop boxes that ask for an e-mail address.

In: a Choice. Out: its `keep` changed. A box is the widest container of few words and at most one heading around what
asks.
Tests: tests/extraction/rules/test_labelled_parts.py
"""

from __future__ import annotations

from itertools import islice

from webtool.extraction.page.blocks import takes_address
from webtool.extraction.rules.choice import Choice
from webtool.html.node import Element, elements

MAX_BOX_WORDS = 60  # a container with more kept words is not a box that asks for something
MAX_BOX_SHARE = 0.4  # of the kept words; a container with more is the text itself
MAX_FORM_ELEMENTS = 200  # later elements of a form are not looked at


def drop_address_forms(choice: Choice) -> None:
    """Drop forms that take an e-mail address, with the few words around that ask for it (newsletter forms).

    `<div><h3>Stay in touch</h3><form><input type=email></form></div>` is dropped. Scripts need no form element: a
    container with such a field directly in it counts as a form.
    """
    page = choice.page
    forms = [i for i in page.tagged(("form",)) if _takes_address(page.element[i])]
    for i in page.fields:
        if not any(page.element[at].tag == "form" for at in page.around(i)):
            forms.append(i)
    for i in forms:
        if page.last[i] - page.first[i] <= MAX_BOX_WORDS:
            drop_box_around(choice, i)


def drop_box_around(choice: Choice, container: int) -> None:
    """Drop the widest box that a container is or is in; nothing if the container itself is too large for one."""
    page, totals = choice.page, choice.totals
    most = min(MAX_BOX_WORDS, MAX_BOX_SHARE * totals.kept[-1])
    box = -1
    for at in page.around(container):
        first, last = page.first[at], page.last[at]
        if totals.kept[last] - totals.kept[first] > most or totals.headings[last] - totals.headings[first] > 1:
            break
        box = at
    if box >= 0:
        choice.set_range(page.first[box], page.last[box], False)


def _takes_address(form: Element) -> bool:
    """Return whether one of the first elements of a form is a field for an e-mail address."""
    inside = islice(elements(form), MAX_FORM_ELEMENTS)
    return any(takes_address(element.attrs) for element in inside if element.tag == "input")
