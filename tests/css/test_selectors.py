"""Selectors, the keys under which rules are indexed, and the rules that a style sheet's text holds."""

import pytest
from hiding import INVALID_SELECTORS, VALID_SELECTORS
from hypothesis import given
from hypothesis import strategies as st

from webtool.css import rules
from webtool.css.cascade import KEY_OF, Cascade, StyleRule
from webtool.css.elements import PageElements, Positions, keys_of, marks_of
from webtool.css.rules import read_rules
from webtool.css.selector_parser import is_supported, selectors_of
from webtool.css.selector_text import split_list
from webtool.css.variables import Variables
from webtool.html import parse_html
from webtool.html.node import listed

PAGE = """<html lang=en-GB class=no-js><main><ul class="menu big"><li id=a>a<li class=item title=Two>b
<li class=item>c</ul>
<p dir=rtl>d <b></b></p><input type=checkbox checked></main><div class=no-js>e</div>
<svg><linearGradient class=g /></svg>"""
# A selector, and the types, ids or titles of the elements that it matches.
MATCHES = [
    ("li", ["a", "Two", "li"]), ("#a", ["a"]), (".item.item", ["Two", "li"]), ("ul.menu > li:first-child", ["a"]),
    ("#a + li", ["Two"]), ("#a ~ li", ["Two", "li"]), ("li:nth-child(2n+1)", ["a", "li"]), ("li:last-of-type", ["li"]),
    ("[title^=T]", ["Two"]), ("[title=two i]", ["Two"]), ("[class~=big] > :not(.item)", ["a"]),
    (":is(b, #a)", ["a", "b"]), ("main:has(> p) b", ["b"]), ("main:has(>\n p) b", ["b"]), ("main:has(>> p) b", []),
    ("b:not([title='('], i)", ["b"]),
    ("main:has(li:hover) b", []), ("main:has(::before, p) b", []),
    ("main :empty", ["b", "input"]), (":lang(en) b:dir(rtl)", ["b"]), (":checked", ["input"]),
    ("li:hover", []), ("li::before", []), ("li:bogus", []), ("li,", []), ("li:not(:bogus)", []),
    ("main > > #a", []), ("#a + ~ li", []),
    ("[title]li", []), (":root*", []), (".item li", []), ("#a#b", []), ("#a#a", ["a"]),
    ("lineargradient", []), ("linearGradient", ["linearGradient"]), ("svg linearGradient.g", ["linearGradient"]),
    ("li:nth-child(1 of .item)", ["Two"]), ("li:nth-last-child(ODD of li.item, b)", ["li"]), (".item.2", []),
    ("li:nth-child(1 of .item:bogus)", []), (":is(.2col, #a)", ["a"]), ("&:root #a", ["a"]), ("|li", []),
    ("[ |title = 'Tw\\6f' ]", ["Two"]),
    ("*|li[*|title]", ["Two"]), ("ul *|*.item:last-child", ["li"]), ("li:not(*|b, [title])", ["a", "li"]),
    ("LI.item", ["Two", "li"]), (".no-js", ["div"]), ("div.no-js:not(p)", ["div"]), (".no-js li", []),
]  # fmt: skip
KEYS = [
    ("nav .menu > li.item", ".item"), ("ul li", "li"), (r".md\:flex", ".md:flex"), ("a#b.c", "#b"), ("a[href] b", "b"),
    ("p:not(.x)", "p"), ("*", "*"), ("svg > linearGradient", "linearGradient"), ("DIV", "div"),
    ("ul *|li", "li"), ("*|*", "*"), ("*|p.a", ".a"), ("*|a:not(*|b)", "a"),
]  # fmt: skip
SHEETS = [
    (".a{b:c}", [(".a", "b:c")]),
    ("@media print{.a{b:c}}.a{d:e}", [(".a", "d:e")]),
    ("@media screen{.a{b:c}}", [(".a", "b:c")]),
    ("@container x (width>9px){.a{b:c}}@container x not (width>9px){.a{d:e}}", [(".a", "b:c")]),
    ("@container NOT (width>9px){.a{b:c}}@container not (width<9px){.a{d:e}}", [(".a", "d:e")]),
    (r"@container x\:y (width>9px){.a{b:c}}@container \31 x not (width>9px){.a{d:e}}", [(".a", "b:c")]),
    ("@container screen{.a{b:c}}@container{.a{d:e}}@container all{.a{f:g}}", []),
    (".a{b:c;& .a{d:e}}", [(".a", "b:c"), (":is(.a) .a", "d:e")]),
    (".x{b:c}.a{d:e}", [(".a", "d:e")]),
    ("} .a{b:c} .a{d:e}", [("} .a", "b:c"), (".a", "d:e")]),
    (".a,.2x{b:c;.a{d:e}}", [(".a,.2x", "b:c")]),
    ("@namespace 'urn:x';.a{b:c}", []),
    ("@namespace h url(http://www.w3.org/1999/xhtml);h|p.a{b:c}", [("*|p.a", "b:c")]),
    (".a[title='h, *|p']{b:c}", [(".a[title='h, *|p']", "b:c")]),
    ("@namespace h url(http://www.w3.org/1999/xhtml);.a[title='h|p']{b:c}", [(".a[title='h|p']", "b:c")]),
    ("/* .a{b:c} */.a{d:e", [(".a", "d:e")]),
    ("@keyframes f{from,50%{b:c}}", [("from,50%", "b:c")]),
]


@pytest.mark.parametrize(("selector", "expected"), MATCHES)
def test_selectors_match_as_in_a_browser(selector, expected):
    selectors = selectors_of(selector, Positions())
    matched = [one for one in listed(parse_html(PAGE)) if any(each.matches(one) for each in selectors)]
    assert [one.attrs.get("id") or one.attrs.get("title") or one.tag for one in matched] == expected


FORM = """<form id=form dir=RTL lang=EN align=LEFT><input id=a placeholder=x><input id=b required value=v readonly>
<input id=c type=CHECKBOX checked><input id=d type=number min=1 max=5 value=9><input id=e type=number max=5 value=3>
<button id=f>x</button><select id=g required><option value="">x<option id=o selected>y</select>
<textarea id=t></textarea><progress id=p></progress></form>
<fieldset id=h disabled><legend id=l><input id=i></legend><input id=j></fieldset>
<div id=k checked open required contenteditable></div><form id=m><input id=n required></form>"""
# A pseudo-class or attribute selector, and the ids of the elements of FORM that it matches. Chromium decided each case.
STATES = [
    (":placeholder-shown", "a"), (":checked", "c o"), (":required", "b g n"), (":out-of-range", "d"),
    (":in-range", "e"),
    (":invalid", "form d m n"), (":valid", "a c e f g t h i"), (":indeterminate", "p"), (":disabled", "h j"),
    (":enabled", "a b c d e f g o t i n"), (":read-write", "a d e t i k n"), (":optional", "a c d e f t i j"),
    (":open", ""), ("form:optional", ""), (":user-invalid", ""), ("form:dir(rtl):lang(en)", "form"),
    ("[type=checkbox]", "c"), ("[align=left]", "form"), ("[id=A]", ""),
]  # fmt: skip


@pytest.mark.parametrize(("selector", "ids"), STATES)
def test_states_of_untouched_controls_match_as_in_a_browser(selector, ids):
    selectors = selectors_of(selector, Positions())
    matched = [one for one in listed(parse_html(FORM)) if "id" in one.attrs and any(s.matches(one) for s in selectors)]
    assert " ".join(one.attrs["id"] for one in matched) == ids


@pytest.mark.parametrize("escape", ["\\d800", "\\0", "\\110000"])
def test_an_escape_of_no_character_is_the_replacement_character(escape):
    """CSS Syntax 3, section 4.3.7."""
    selectors = selectors_of(f".{escape}", Positions())
    root = parse_html("<p class=\ufffd>")
    assert [element.tag for element in listed(root) if selectors[0].matches(element)] == ["p"]


@pytest.mark.parametrize("selector", INVALID_SELECTORS)
def test_an_invalid_selector_makes_its_list_invalid(selector):
    assert not is_supported(selector, Positions())
    assert selectors_of(f"li, {selector}", Positions()) == []


@pytest.mark.parametrize("selector", VALID_SELECTORS)
def test_a_valid_selector_leaves_its_list_valid(selector):
    assert is_supported(selector, Positions())
    assert selectors_of(f"li, {selector}", Positions())


@pytest.mark.parametrize(("selector", "key"), KEYS)
def test_keys_are_read_without_parsing_the_selector(selector, key):
    assert KEY_OF[selector] == key


@pytest.mark.parametrize(("text", "rules"), SHEETS)
def test_sheets_are_cut_into_rules_about_the_page(text, rules):
    read = [(selectors, block) for _, selectors, block, *_ in read_rules(text, {}, {".a"}, Positions())]
    assert read == rules


def test_commas_in_brackets_do_not_split_a_list():
    assert split_list("a, :is(b, c)") == ["a", " :is(b, c)"]
    assert split_list("a[href='('], b") == ["a[href='(']", " b"]


def test_marks_of_all_names_cover_those_of_each():
    assert marks_of(["a", ".b"]) & marks_of([".b"]) == marks_of([".b"])


def test_important_values_win_and_layers_lose():
    layered = StyleRule("p", {"color": "red"}, set(), (0, 1))
    plain = StyleRule("p", {"color": "blue", "height": "0"}, {"height"}, (1, 0))
    assert Cascade([plain, layered]).with_attribute({"height": "1px"}, ()) == {"color": "blue", "height": "0"}


def test_elements_are_indexed_by_type_class_id_and_attribute():
    page = PageElements(listed(parse_html(PAGE)))
    under = page.under(["#a", ".item", "ul", "[title"])
    assert {key: len(elements) for key, elements in under.items()} == {"#a": 1, ".item": 2, "ul": 1, "[title": 1}
    assert page.class_names == {"menu", "big", "item", "no-js", "g"}


def test_an_element_is_indexed_once_by_a_class_that_is_written_twice():
    elements = listed(parse_html("<p class='a b a'>"))
    assert [element.tag for element in PageElements(elements).under([".a"])[".a"]] == ["p"]
    assert keys_of(elements[-1]) == ["p", "*", ".a", ".b"]


def test_variables_are_filled_in_from_sheets_and_fallbacks():
    variables = Variables(set())
    variables.note([":root"], ":root", "--d: none; --e: var(--d)", ((0,), 0))
    values = {"display": "var(--e)", "opacity": "var(--o, 0)", "color": "var(--c)"}
    assert variables.fill(values) == {"display": "none", "opacity": "0"}


def test_a_value_with_a_damaged_variable_is_left_out():
    variables = Variables(set())
    assert all("display" not in values for values in variables.variants({"display": "var(a)"}))


@given(st.text(alphabet="abp.#>+~:*[]=()\\ ,\"'n1", max_size=60))
def test_any_text_is_read_as_selectors(text):
    positions = Positions()
    for selector in selectors_of(text, positions):
        for element in listed(parse_html(PAGE)):
            selector.matches(element)


@given(st.text(alphabet="ab.{}@media;:/*\\\"' (),", max_size=120))
def test_any_text_is_read_as_a_sheet(text):
    list(read_rules(text, {}, {".a"}, Positions()))


def test_a_rule_around_nested_ones_is_judged_once(monkeypatch):
    judged = []

    def is_valid(selectors, _positions):
        judged.append(selectors)
        return True

    monkeypatch.setattr(rules, "is_supported", is_valid)
    outer = ", ".join(f".a{number}" for number in range(200))  # too long to be remembered by its text
    inner = ".a{color:red}" * 20 + "@media all{.a{color:red}}" * 20
    assert list(read_rules(f"{outer}{{{inner}}}", {}, {".a", ".a1"}, Positions()))
    assert judged == [outer]
