"""The table of CSS properties: every reader of style sheets learns a property from its one row."""

import pytest

from webtool.css import properties
from webtool.css.cascade import Cascade, StyleRule
from webtool.css.declarations import read_declarations, style_of
from webtool.css.properties import PROPERTIES, Property
from webtool.html import parse_html
from webtool.visibility.hidden import find_hidden

VIEWS = ("BY_NAME", "LONGHANDS", "CAN_SHOW", "SET_INLINE", "STACKS", "FADES", "TESTS", "TEXT_TESTS")
PAGE = "<style>{css}</style><p>Text that is seen.</p><div class=a style='{style}'><p>Text in question.</p></div>"


@pytest.fixture
def vanish():
    """Two rows that no browser has: a property that hides, and its shorthand."""
    before = {view: getattr(properties, view).copy() for view in VIEWS}
    row = Property(
        "x-vanish",
        lambda values: values["x-vanish"] == "away",
        reason="gone",
        aliases=("-webkit-vanish",),
        keywords=frozenset(("away", "here")),
        can_show=True,
        hides_by_variable=True,
        stacks=True,
        applies_to_text=True,
    )
    properties.add(row)
    properties.add(Property("x-shorthand", longhands=("x-vanish",)))
    yield row
    for view, content in before.items():
        table = getattr(properties, view)
        table.clear()
        (table.extend if isinstance(table, list) else table.update)(content)


def reasons(css="", style=""):
    return list(find_hidden(parse_html(PAGE.format(css=css, style=style))).values())


def test_declarations_read_a_new_row_by_name_and_alias(vanish):
    assert read_declarations("X-Vanish: AWAY")[0] == {"x-vanish": "away"}
    assert read_declarations("-webkit-vanish: away")[0] == {"x-vanish": "away"}
    assert read_declarations("x-vanish: sideways")[0] == {}
    assert read_declarations("x-vanish: away; x-shorthand: here")[0] == {"x-shorthand": "here"}
    assert read_declarations("x-vanish: away")[2] == properties.HIDES
    assert read_declarations("x-vanish: here !important")[2] == properties.SHOWS


def test_styles_report_the_reason_of_a_new_row(vanish):
    assert style_of("x-vanish: away") == {"hides": "gone", "stacking": "yes"}
    assert style_of("display: contents; x-vanish: away")["hides"] == "gone"


def test_the_cascade_resets_a_new_longhand(vanish):
    rules = [
        StyleRule("p", {"x-vanish": "away"}, set(), (0, 1)),
        StyleRule("p", {"x-shorthand": "here"}, set(), (0, 2)),
    ]
    assert Cascade(rules).values == {"x-shorthand": "here"}


@pytest.mark.parametrize(("css", "style", "expected"), [
    (".a{x-vanish:away}", "", ["gone"]),
    ("", "x-vanish:away", ["gone"]),
    (".a{x-vanish:here}", "", []),
    (".a{x-vanish:here!important}", "x-vanish:away", []),
    (":root{--v:away}.a{x-vanish:var(--v)}", "display:block", ["gone"]),
    ("@supports (x-vanish:away){.a{display:none}}", "", ["display"]),
    ("@supports (x-vanish:sideways){.a{display:none}}", "", []),
])  # fmt: skip
def test_pages_hide_elements_by_a_new_row(vanish, css, style, expected):
    assert reasons(css, style) == expected


def test_each_property_has_one_row():
    names = [name for row in PROPERTIES for name in (row.name, *row.aliases)]
    assert len(names) == len(set(names))
    longhands = {longhand for row in PROPERTIES for longhand in row.longhands}
    assert longhands <= {row.name for row in PROPERTIES}
