"""Compare the static guess of hidden text with a browser, for ways that hide text and ways that only seem to."""

import html

import pytest
from hiding import HIDDEN, SHOWN

from webtool.html import parse_html
from webtool.markdown import to_markdown
from webtool.visibility.hidden import find_hidden, take_marks

AROUND = "<p>The harbour has two tides a day, and the second one comes later than the first one did.</p>"


AT_ONCE = 40  # frames of one page
ROWS = [*((*row, False) for row in HIDDEN[::3]), *((*row, True) for row in SHOWN[::3])]  # a third: frames cost time


@pytest.mark.parametrize("first", range(0, len(ROWS), AT_ONCE))
def test_the_browser_says_the_same_of_every_way_in_the_table(site, render, first):
    """Put each way into a document of its own, a frame of one page."""
    numbers = range(first, min(first + AT_ONCE, len(ROWS)))
    text = "".join(map(_frame, numbers))
    page = render(site.html("/", f"<!doctype html><title>Frames</title>{text}"))
    root = parse_html(page.html)
    take_marks(root, page.mark)
    shown = to_markdown(root, page.final_url, hidden=find_hidden(root))
    assert shown.count("The harbour") == 2 * len(numbers)
    assert not [ROWS[n] for n in numbers if (f"Words of number {n}." in shown) != ROWS[n][2]]


def _frame(number):
    css, body, _ = ROWS[number]
    words = body.replace("X", f"Words of number {number}.")
    document = f"<!doctype html><title>T</title><style>{css}</style><main>{AROUND}{words}{AROUND}</main>"
    return f'<iframe style="width:1280px;height:1024px" srcdoc="{html.escape(document)}"></iframe>'
