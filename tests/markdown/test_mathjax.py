"""Read TeX from the boxes of MathJax 3."""

import pytest

from webtool import to_markdown
from webtool.html import parse_fragment
from webtool.markdown import mathjax


def glyph(char):
    return f'<mjx-c class="mjx-c{ord(char):X} TEX-I"></mjx-c>'


def token(tag, char):
    return f"<mjx-{tag}>{glyph(char)}</mjx-{tag}>"


def html(content):
    return f'<mjx-container class="MathJax" jax="CHTML"><mjx-math>{content}</mjx-math></mjx-container>'


def svg(content):
    inner = f'<svg><g><g data-mml-node="math">{content}</g></g></svg>'
    return f'<mjx-container class="MathJax" jax="SVG">{inner}</mjx-container>'


def node(name, *content):
    return f'<g data-mml-node="{name}">{"".join(content)}</g>'


def drawn(tag, char):
    return node(tag, f'<use data-c="{ord(char):X}" xlink:href="#a"></use>')


X, TWO, N, A = token("mi", "\U0001d465"), token("mn", "2"), token("mi", "\U0001d45b"), token("mi", "\U0001d44e")
SUM = token("mo", "\u2211")
ROW_BASE = f"<mjx-row><mjx-base>{SUM}</mjx-base></mjx-row>"
ROW_UNDER = f"<mjx-row><mjx-under>{X}</mjx-under></mjx-row>"
FRACTION = (
    f"<mjx-mfrac><mjx-frac><mjx-num><mjx-nstrut></mjx-nstrut>{X}</mjx-num><mjx-dbox><mjx-dtable><mjx-line></mjx-line>"
    f"<mjx-row><mjx-den><mjx-dstrut></mjx-dstrut>{TWO}</mjx-den></mjx-row></mjx-dtable></mjx-dbox></mjx-frac></mjx-mfrac>"
)
FORMULAS = [
    (html(X + token("mo", "=") + TWO), "x = 2"),
    (html(f"<mjx-msup>{X}<mjx-script>{TWO}</mjx-script></mjx-msup>"), "x^2"),
    (html(f"<mjx-msub>{X}<mjx-script>{TWO}</mjx-script></mjx-msub>"), "x_2"),
    (html(f"<mjx-msubsup>{X}<mjx-script>{TWO}<mjx-spacer></mjx-spacer>{N}</mjx-script></mjx-msubsup>"), "x_n^2"),
    (html(f"<mjx-munder>{ROW_BASE}{ROW_UNDER}</mjx-munder>"), "\\sum_x"),
    (
        html(
            f"<mjx-munderover><mjx-over>{N}</mjx-over><mjx-box><mjx-munder>{ROW_BASE}{ROW_UNDER}</mjx-munder></mjx-box>"
            "</mjx-munderover>"
        ),
        "\\sum_x^n",
    ),
    (html(FRACTION), "\\frac{x}{2}"),
    (
        html(f"<mjx-msqrt><mjx-sqrt><mjx-surd>{SUM}</mjx-surd><mjx-box>{X}</mjx-box></mjx-sqrt></mjx-msqrt>"),
        "\\sqrt{x}",
    ),
    (svg(drawn("mi", "\U0001d465") + drawn("mo", "=") + drawn("mn", "2")), "x = 2"),
    (svg(node("msup", drawn("mi", "\U0001d465"), drawn("mn", "2"))), "x^2"),
    (svg(node("msubsup", drawn("mi", "\U0001d465"), drawn("mn", "2"), drawn("mi", "n"))), "x_n^2"),
    (svg(node("mfrac", drawn("mi", "x"), drawn("mn", "2"), "<rect></rect>")), "\\frac{x}{2}"),
    (svg(node("msqrt", f"<g>{drawn('mi', 'x')}</g>", drawn("mo", "\u221a"), "<rect></rect>")), "\\sqrt{x}"),
    # characters that MathJax's fonts lack
    (html(f"<mjx-mi><mjx-utext>\u0436</mjx-utext></mjx-mi>{TWO}"), "\u04362"),
    (svg(node("mi", "<text>\u0436</text>") + drawn("mn", "2")), "\u04362"),
]


@pytest.mark.parametrize(("box", "tex"), FORMULAS)
def test_drawn_formulas_are_tex(box, tex):
    assert to_markdown(f"<p>a {box} b</p>") == f"a ${tex}$ b\n"


@pytest.mark.parametrize("content", ["<mjx-unknown></mjx-unknown>", "<mjx-mfrac></mjx-mfrac>", "<mjx-mi></mjx-mi>"])
def test_a_formula_that_cannot_be_read_is_named(content):
    assert "[formula]" in to_markdown(f"<p>a {html(content)} b</p>")


def test_deep_boxes_are_read():
    assert "x" in to_markdown("<p>a " + html("<mjx-mrow>" * 5000 + X + "</mjx-mrow>" * 5000) + "</p>")


def test_an_unknown_box_has_no_tex():
    assert mathjax.translated(parse_fragment(html(X)).children[0]) == "x"
    assert mathjax.translated(parse_fragment(html("<mjx-unknown></mjx-unknown>")).children[0]) == ""
    unnamed = svg(drawn("mi", "x") + '<use xlink:href="#a"></use>')
    assert mathjax.translated(parse_fragment(unnamed).children[0]) == ""
