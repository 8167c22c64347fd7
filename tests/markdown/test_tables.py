"""Write ARIA grids as tables, in one piece or in several, and formulas from typesetters' boxes."""

import pytest

from webtool.html import parse_html
from webtool.markdown import to_markdown


def _row(number, *cells, role="gridcell", first=1):
    inside = "".join(
        f"<div role={role} aria-colindex={first + n}><span>{cell}</span></div>" for n, cell in enumerate(cells)
    )
    return f"<div role=row aria-rowindex={number}><div role=presentation>{inside}</div></div>"


PINNED = (
    "<div role=grid aria-rowcount=9><div role=rowgroup>"
    f"<div>{_row(1, 'Boat', role='columnheader')}</div>"
    f"<div>{_row(1, 'Port', 'Year', role='columnheader', first=2)}</div></div>"
    f"<div role=rowgroup><div>{_row(3, 'Berta')}{_row(2, 'Anna')}</div>"
    f"<div>{_row(3, 'Kiel', '1990', first=2)}{_row(2, 'Bergen', '1987', first=2)}</div></div></div>"
)
GRIDS = [
    (  # a row in two pieces that both have the second column
        f"<div role=grid>{_row(1, 'Boat', 'Port', 'Year')}{_row(2, 'Anna', 'Kiel', '1987')}{_row(1, 'Port', first=2)}"
        f"{_row(2, 'Bergen', first=2)}</div>",
        "| Boat | Port | Year |\n| --- | --- | --- |\n| Anna | Kiel Bergen | 1987 |\n",
    ),
    (
        PINNED,
        "| Boat | Port | Year |\n| --- | --- | --- |\n| Anna | Bergen | 1987 |\n| Berta | Kiel | 1990 |\n\n"
        "*Showing 2 of 8 rows*\n",
    ),
    (
        "<div role=table><div><div role=row><div role=columnheader>A</div><div role=columnheader>B</div></div></div>"
        "<div role=rowgroup><div role=row><div role=cell>1</div><div role=cell>2</div></div></div></div>",
        "| A | B |\n| --- | --- |\n| 1 | 2 |\n",
    ),
    (  # a row without a number is written after the one before it
        f"<div role=grid>{_row(1, 'a', 'b')}<div role=row><div role=cell>sum</div><div role=cell>2</div></div>"
        f"{_row(2, 'c', 'd')}</div>",
        "| a | b |\n| --- | --- |\n| sum | 2 |\n| c | d |\n",
    ),
    (  # a row that goes on without column numbers goes on to the right of its last column
        f"<div role=grid>{_row(1, 'a', 'b', 'c')}{_row(2, 'd', first=2)}"
        "<div role=row aria-rowindex=2><div role=gridcell>e</div></div></div>",
        "| a | b | c |\n| --- | --- | --- |\n|  | d | e |\n",
    ),
    ("<div role=grid><div role=row><div role=gridcell>alone</div></div></div>", "alone\n"),
    (f"<div role=grid aria-rowcount=-1>{_row(1, 'a', 'b')}</div>", "| a | b |\n| --- | --- |\n"),
]


@pytest.mark.parametrize(("html", "expected"), GRIDS)
def test_a_grid_by_role_becomes_a_table(html, expected):
    assert to_markdown(parse_html(html)) == expected


FORMULAS = [
    ('<mjx-container class=MathJax jax=CHTML><mjx-math data-latex="a_1">x</mjx-math></mjx-container>', "$a_1$"),
    ('<mjx-container class=MathJax display=true><svg><g data-latex="b"/></svg></mjx-container>', "$$b$$"),
    (
        "<span class=mjx-chtml><span class='mjx-chtml MathJax_CHTML'><math><mi>c</mi></math></span></span>"
        "<script type='math/tex; mode=display'>c^2</script>",
        "$$c^2$$",
    ),
    (
        "<div class=MathJax_SVG_Display><span class=MathJax_SVG><math><mi>d</mi></math></span></div>"
        "<script type=math/tex>d</script>",
        "$d$",
    ),
]


@pytest.mark.parametrize(("html", "expected"), FORMULAS)
def test_a_typesetters_box_becomes_one_formula(html, expected):
    assert to_markdown(parse_html(html)).strip() == expected
