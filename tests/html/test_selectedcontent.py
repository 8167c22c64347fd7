"""Copy the chosen option into selectedcontent. HTML Standard, 4.10.10.2."""

import pytest
from trees import body_html

BUTTON = "<button><selectedcontent></selectedcontent></button>"

# Options inside a select that begins with BUTTON, and what is shown.
SHOWN = [
    ("<option>a<option>b", "a"),
    ("<option>a<option selected>b", "b"),
    ("<option selected>a<option selected>b", "b"),
    ("<option disabled>a<option>b", "b"),
    ("<optgroup disabled><option>a</optgroup><option>b", "b"),
    ("<option>a <b id=x>c</b><!--d-->", 'a <b id="x">c</b><!--d-->'),
    ("<option><svg><g/></svg>", "<svg><g></g></svg>"),
    ("<div><option>a</div>", "a"),
    ("", ""),
    ("<option>", ""),
]


@pytest.mark.parametrize(("options", "shown"), SHOWN)
def test_the_chosen_option_is_shown(options, shown):
    tree = body_html(f"<select>{BUTTON}{options}</select>")
    assert tree.startswith(f"<select><button><selectedcontent>{shown}</selectedcontent></button>")


def test_a_multiple_select_shows_nothing():
    assert "<selectedcontent></selectedcontent>" in body_html(f"<select multiple>{BUTTON}<option>a</select>")


def test_only_the_first_is_filled():
    tree = body_html(f"<select>{BUTTON}<div><selectedcontent></selectedcontent></div><option>a</select>")
    assert tree.count("<selectedcontent>a</selectedcontent>") == 1


def test_outside_a_select_nothing_happens():
    assert body_html("<selectedcontent></selectedcontent>x") == "<selectedcontent></selectedcontent>x"


def test_copies_are_limited():
    source = f"<select>{BUTTON}<option>" + "<b>x</b>" * 1000 + "</select>"
    assert len(body_html(source * 150)) < 4 * len(source) * 150
