"""Drop boxes that ask for consent to cookies or for an e-mail address.

In: a Choice. Out: its `keep` changed. A box is the widest container of few words and at most one heading around what
asks. On a short page a cookie box can have more words than the text.
Tests: tests/extraction/rules/test_labelled_parts.py
"""

from __future__ import annotations

from itertools import islice

from webtool.extraction.page.blocks import takes_address
from webtool.extraction.rules import headings, part_labels
from webtool.extraction.rules.choice import Choice
from webtool.html.node import Element, elements

MAX_BOX_WORDS = 60  # a container with more kept words is not a box that asks for something
MAX_BOX_SHARE = 0.4  # of the kept words; a container with more is the text itself
MAX_CONSENT_WORDS = 200  # a cookie box with more words is a page about cookies, and stays
MAX_BUTTON_STEPS = (
    6  # blocks from the words about cookies to the button; with more the button belongs to something else
)
MAX_FORM_ELEMENTS = 200  # later elements of a form are not looked at
MAX_HEADLINES = 20  # later h1 headings are not looked at
_COOKIES = tuple("ookie COOKIE куки çerez クッキー 쿠키".split())
_PAGES = frozenset(("html", "body", "main", "article"))


def drop_consent_boxes(choice: Choice) -> None:
    """Drop a box that speaks of cookies and has a button to accept them, unless the headline is in it.

    `<div>We use cookies. <button>Accept</button></div>` is dropped.
    """
    page, keep = choice.page, choice.keep
    whole = "".join([block.text for block in page.blocks])
    words = [word for word in _COOKIES if word in whole]
    if not words:
        return
    asking = [i for i, block in enumerate(page.blocks) if keep[i] and any(word in block.text for word in words)]
    headlines = headings.of_first_rank(page)[:MAX_HEADLINES] if asking else []
    for i in asking:
        button = _accept_button(choice, i)
        if button <= 0:
            continue
        box = next(at for at in page.around(page.blocks[i].container) if page.last[at] > button)  # the root at last
        first, last = page.first[box], page.last[box]
        is_box = page.words[last] - page.words[first] <= MAX_CONSENT_WORDS and page.element[box].tag not in _PAGES
        if is_box and not any(first <= headline < last for headline in headlines):
            choice.set_range(first, last, False)


def _accept_button(choice: Choice, i: int) -> int:
    """Return the first block from i on that is a button to accept cookies, or -1."""
    for n, block in enumerate(choice.page.blocks[i : i + MAX_BUTTON_STEPS], i):
        if part_labels.ACCEPT.fullmatch(block.text.lower()[:60]):
            return n
    return -1


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
