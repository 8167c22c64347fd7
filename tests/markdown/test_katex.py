"""Read TeX from KaTeX's boxes, for pages that have only the boxes."""

import time

import pytest

from webtool.extraction import extract
from webtool.html import parse_html
from webtool.markdown import to_markdown


def box(names, *inside):
    return f'<span class="{names}">{"".join(inside)}</span>'


def letter(text, names="mord mathnormal"):
    return box(names, text)


def stacked(*items, low=True):
    """Return a vertical list; the items are written from the bottom up."""
    rows = "".join(f'<span style="top:-3em"><span class="pstrut"></span>{item}</span>' for item in items)
    depth = box("vlist-r", box("vlist", "<span></span>")) if low else ""
    zero = box("vlist-s", "\u200b") if low else ""
    return box("vlist-t vlist-t2" if low else "vlist-t", box("vlist-r", box("vlist", rows), zero), depth)


def small(text):
    return box("katex-sizing reset-size6 size3 mtight", letter(text))


def formula(*inside):
    return box("katex", f'<span class="katex-html" aria-hidden="true">{box("katex-base", *inside)}</span>')


def index(*items, low=True):
    return box("msupsub", stacked(*items, low=low))


LINE = box("frac-line")
CASES = {
    "x_i^2": box("mord", letter("x"), index(small("i"), small("2"))),
    "x_i": box("mord", letter("x"), index(small("i"))),
    "x^2": box("mord", letter("x"), index(small("2"), low=False)),
    r"\frac{1}{ab}": box("mfrac", stacked(letter("ab"), LINE, letter("1", "mord"))),
    r"\sqrt{a + b}": box(
        "mord sqrt", stacked(letter("a") + letter("+", "mbin") + letter("b"), box("hide-tail", "<svg>"))
    ),
    r"\sum_n^k": box("mop op-limits", stacked(small("n"), box("mop op-symbol", "\u2211"), small("k"))),
    r"\lim_n": box("mop op-limits", stacked(small("n"), box("mop", "lim"))),
    r"\hat{y}": box("mord accent", stacked(letter("y"), box("accent-body", "^"))),
    r"\log x": box("mop", "lo", "<span>g</span>") + letter("x"),
    r"a\ne b": letter("a") + box("mrel", box("rlap", "\ue020"), "=") + letter("b"),
    r"\text{ if }x": box("mord text", box("mord", " if ")) + letter("x"),
    r"\begin{matrix} a & b \\ c & d \end{matrix}": box(
        "mtable", *(box("col-align-c", stacked(*map(letter, column))) for column in ("ac", "bd"))
    ),
}


@pytest.mark.parametrize("tex", CASES)
def test_boxes_become_tex_once(tex):
    page = f"<p>The area of the field is {formula(CASES[tex])} and it is written here.</p>"
    for text in (
        to_markdown(parse_html(page)),
        extract(f"<main><h1>Areas</h1>{page * 3}</main>").markdown.split("\n\n")[1],
    ):
        assert text.strip("\n").replace("`", "") == f"The area of the field is ${tex}$ and it is written here."


def test_a_formula_without_text_beside_it_is_a_block():
    display = box("katex-display", formula(CASES["x_i^2"]))
    page = (
        f"<main><h1>Areas</h1>{'<p>The area of the field is written below, as it was.</p>' * 2}<p>{display}</p></main>"
    )
    assert "\n\n$$x_i^2$$" in to_markdown(parse_html(page))
    assert "\n\n$$x_i^2$$" in extract(page + "<p>And so on.</p>").markdown


def test_hostile_boxes_cost_no_more_than_their_size():
    for names in ("mop", "msupsub", "delimsizing mult", "vlist", "vlist-t", "sqrt", "mtable"):
        started = time.process_time()
        boxes = f"<span class={names!r}>a" * 3000
        to_markdown(parse_html(f"<p>x<span class=katex>{boxes}"))
        assert time.process_time() - started < 10
