"""Text of style sheets is cut at braces and semicolons only where a browser ends a rule or a declaration."""

import time

import pytest
from growing import growth
from hypothesis import given
from hypothesis import strategies as st

from webtool.css.cleaning import safe_to_cut
from webtool.css.declarations import read_attribute
from webtool.html import parse_html
from webtool.visibility.hidden import find_hidden

# Declarations around "display: none", and whether the element is hidden. Chromium decided each case.
BLOCKS = [
    ('x:"}";display:none', True), ("x:'}';display:none", True), (r'x:"\"}";display:none', True),
    ("x:(});display:none", True), ("x:((a)});display:none", True), ("x:(]});display:none", True),
    ("x:[}];display:none", True), ("x:{};display:none", True), ("x:({)});display:none", True),
    ("x:url(});display:none", True), ("x:url(a'});display:none", True), ("x:url( a b});display:none", True),
    (r"x:url(\});display:none", True), ('x:url("}");display:none', True), ("x:(;display:none)", False),
    ("display:none;x:(;display:block)", True), ("display:none;x:[;display:block!important;]", True),
    ("display:none;x:url(;display:block;)", True), ("display:none;x:';display:block;'", True),
    (r"display:none;x:\3b display:block", True), (r"display:none;x:a\;display:block", True),
    ("/*;}*/display:none", True), (r"d\69splay:n\6fne", True), (r"dis\play:no\ne", True),
    ("width:calc(1px;display:none", False),
    ("display:none;background:url(data:image/png;base64,AA==)", True),
]  # fmt: skip
# Sheets, and whether they hide the element of class "a".
SHEETS = [
    (".b{width:calc(1px} .a{display:none}", False), (".b{x:)} .a{display:none}", True),
    (".b{x:(1px;} .c{x:1)} .a{display:none}", False), (":not(.b {x:y} .a{display:none}", False),
    (".b{x:'\n} .a{display:none}", True), (r".\7d .b{x:y} .a{display:none}", True),
    (r".\}{x:y} .a{display:none}", True),
    (".b{background:url(a')} .a{display:none} .c{background:url(b')}", True),
    (".b{background:url(a(b)} .a{display:none}", True), (".b{x:(a(b)} .a{display:none}", False),
    ("@media (width > 1px){.b{x:url('a;b')} .a{display:none}}", True),
]  # fmt: skip


def hides(page):
    return [element.attrs.get("class") for element in find_hidden(parse_html(page))] == ["a"]


@pytest.mark.parametrize(("block", "is_hidden"), BLOCKS)
def test_signs_in_strings_and_brackets_end_no_declaration_of_a_sheet(block, is_hidden):
    assert hides(f"<style>.a{{{block}}}</style><p>Text.</p><p class=a>Other.</p>") is is_hidden


@pytest.mark.parametrize(("block", "is_hidden"), BLOCKS)
def test_signs_in_strings_and_brackets_end_no_declaration_of_an_attribute(block, is_hidden):
    attribute = block.replace('"', "&quot;")
    assert hides(f'<p>Text.</p><p class=a style="{attribute}">Other.</p>') is is_hidden


@pytest.mark.parametrize(("sheet", "is_hidden"), SHEETS)
def test_brackets_and_strings_end_where_they_do_in_a_browser(sheet, is_hidden):
    assert hides(f"<style>{sheet}</style><p>Text.</p><p class=a>Other.</p>") is is_hidden


@pytest.mark.parametrize("sign", ["(", "([{", ".a{x:(}", '\\"', "url(", "url(a'}", "/* '", "url( /*"])
def test_brackets_and_quotes_without_end_take_linear_time(sign):
    def cost(size):
        started = time.process_time()
        safe_to_cut(sign * size + ")" * size)
        return time.process_time() - started

    assert growth(cost, 20_000) == ""


@given(st.text(alphabet="ab\"'(){}[];:\\/* \nurl", max_size=60))
def test_clean_text_stays_as_it_is(text):
    clean = safe_to_cut(text)
    assert safe_to_cut(clean) == clean
    read_attribute(text)
