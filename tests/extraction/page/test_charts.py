"""Labels of charts and diagrams are text of the page; the letters of a logo are not."""

import pytest

from webtool.extraction import extract

TEXT = "<p>Some sentences of plain text belong to the page, with commas, and with more words than a menu has.</p>"

CHARTS = [
    ("<svg width=500><text y=60>2024: 4.1 M</text><text y=20>2025: 5.9 M</text></svg>", ["2024: 4.1 M", "2025: 5.9 M"]),
    ("<svg><g><g><text>Jan</text></g><g><text>Feb</text></g></g><g><text>120</text></g></svg>", ["Jan", "Feb", "120"]),
    (
        "<svg><g><foreignObject><div><span>Book a berth</span></div></foreignObject></g><foreignObject><div>Load a ship"
        "</div></foreignObject></svg>",
        ["Book a berth", "Load a ship"],
    ),
]


@pytest.mark.parametrize(("svg", "expected"), CHARTS, ids=["bars", "axis", "diagram"])
def test_labels_stay_and_do_not_run_together(svg, expected):
    found = extract(f"<main><h1>Report</h1>{TEXT}{svg}{TEXT}</main>")
    for text in (found.markdown, found.text):
        assert all(f" {label} " in f" {' '.join(text.split())} " for label in expected)


DECORATIONS = [
    "<a href=/><svg><text>Acme Tools</text></svg></a>",
    "<svg><text>A</text><text>B</text><text>C</text><text>D</text><text>E</text><text>F</text></svg>",
    "<svg><title>A drawing of five ships</title><path d=M0></path></svg>",
    "<svg><defs><text>A label that is defined</text><text>and never used</text></defs></svg>",
    "<svg style='display:none'><text>A hidden label</text><text>another label</text></svg>",
    "<style>.q {display: none}</style><svg><text class=q>A hidden label</text><text class=q>another label</text></svg>",
]


@pytest.mark.parametrize("svg", DECORATIONS)
def test_decorations_and_hidden_labels_do_not(svg):
    page = f"<main><h1>Report</h1>{TEXT}{TEXT}</main>"
    assert extract(page.replace("</h1>", f"</h1>{svg}")).markdown == extract(page).markdown


def test_many_labels_take_no_more_than_linear_time_and_are_bounded():
    page = f"<main>{TEXT}<svg>{'<g>' * 3000}{'<text>label</text>' * 20000}</svg>{TEXT}</main>"
    assert "Some sentences" in extract(page).markdown
