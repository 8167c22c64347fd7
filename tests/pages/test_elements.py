"""`select` keeps and `drop` removes the elements that CSS selectors match, in linear time."""

import time

import pytest
from growing import growth
from hypothesis import given
from hypothesis import strategies as st

from webtool import parse_html
from webtool.errors import ExtractFailed, InvalidArgument
from webtool.html import node
from webtool.pages import answer
from webtool.pages import elements as chosen_elements

ROOT = parse_html(
    '<main id=m class="a b"><h1 title="x y">T</h1><p class=lead>one</p><p>two <a href="/x/y.pdf" lang=en-US>l</a></p>'
    "<ul><li>1<li>2<li>3<li>4</ul><div></div></main><nav><a href='http://z'>n</a><i title=\"it's &quot;q&quot;\">"
    "q</i></nav>"
)

SELECTED = [
    ("p", ["one", "two l"]), ("main > p.lead", ["one"]), ("h1 + p", ["one"]), ("h1 ~ p", ["one", "two l"]),
    (".a.b > h1", ["T"]), ("#m h1", ["T"]), ("[href]", ["l", "n"]),
    ('a[href^="/x"]', ["l"]), ("a[href$='.pdf']", ["l"]),
    ("a[href*=z]", ["n"]), ("[title~=y]", ["T"]), ("[lang|=en]", ["l"]), ("[lang=EN-us i]", ["l"]),
    ("li:first-child", ["1"]), ("li:nth-child(odd)", ["1", "3"]), ("li:nth-child(2n+2)", ["2", "4"]),
    ("li:nth-child(n+3)", ["3", "4"]), ("li:nth-child(-n+2)", ["1", "2"]), ("li:nth-last-child(1)", ["4"]),
    ("li:not(:first-child)", ["2", "3", "4"]),
    ("p:not(.lead)", ["two l"]),
    ("h1, li:last-child", ["T", "4"]), ("p:has(> a)", ["two l"]), ("p:first-of-type", ["one"]),
    (":is(h1, .lead)", ["T", "one"]), ("LI:nth-of-type(3)", ["3"]), (".LEAD", []), (":not(html, html *)", []),
    ("main:has(.lead) a", ["l"]), ("main>ul>li:only-child", []), ("div:empty", [""]), ("[title*='\"q\"']", ["q"]),
    ("p:has(+ ul)", ["two l"]), ("h1:has(~ ul)", ["T"]),
    ("main :is(p, li) :any-link", ["l"]), ("nav > h1 ~ p", []), ("nav h1 + p a", []), ("ul:has(+ ul), a:has(+ p)", []),
]  # fmt: skip


ROW = "<h2>x</h2><p class=a>y</p>"


@pytest.mark.parametrize(("selectors", "texts"), SELECTED)
def test_selectors_find_what_a_browser_finds(selectors, texts):
    assert [node.text for node in chosen_elements.matching(ROOT, "select", selectors)] == texts


@pytest.mark.parametrize(
    "selectors",
    [
        "p >",
        "> p",
        "a:hover",
        "nav, a:hover",
        "p{",
        "[x",
        "li:nth-child(x)",
        "..",
        ":not(",
        "not(a",
        "a | b",
        "p" * 1001,
    ],
)
def test_text_that_is_not_css_is_refused(selectors):
    with pytest.raises(InvalidArgument):
        answer.read_choice({"select": selectors})
    with pytest.raises(InvalidArgument):
        answer.read_choice({"select": "p", "drop": selectors})


@given(st.text(alphabet="ap.#[]=*~^$|:()>+, 'n12\"\\-", max_size=20))
def test_any_text_is_a_selector_or_refused(text):
    try:
        chosen_elements.matching(ROOT, "select", text)
    except InvalidArgument:
        pass


def test_the_page_itself_is_not_dropped():
    root = parse_html("<p>x</p><b>y</b>")
    chosen_elements.choose(root, "", "html, body, p")
    assert root.text == "y"


@pytest.mark.parametrize("drop", ["head, p", ":first-child", "base, title, p"])
def test_drop_never_removes_the_head_with_its_title_and_base_url(drop):
    root = parse_html("<base href=https://e.example/a/><title>T</title><p>x</p><b>y</b>")
    chosen_elements.choose(root, "", drop)
    assert "T" in root.text
    assert [element.tag for element in node.elements(root) if element.tag in ("base", "title")] == ["base", "title"]


def test_a_sibling_or_ancestor_far_away_counts():
    root = parse_html("<h1>T</h1>" + "<p>x</p>" * 3000 + "<b>" + "<i>" * 3000 + "<u>y</u>")
    assert len(chosen_elements.matching(root, "select", "h1 ~ p")) == 3000
    assert len(chosen_elements.matching(root, "select", "b u")) == 1


@pytest.mark.parametrize("selectors", [
    "h1 ~ p", ".b ~ p", ".b ~ h2 ~ p", ".b ~ h2 + p", "h2:has(+ p)", "h2:has(~ .b)", "p:nth-last-child(2)",
    "p:not(.b p)", ":is(h1, h2) ~ p", "p:last-of-type",
])  # fmt: skip
def test_the_time_grows_with_the_page_and_not_faster(selectors):
    def seconds(size):
        root = parse_html(ROW * size)
        begin = time.process_time()
        chosen_elements.choose(root, "", selectors)
        return time.process_time() - begin

    assert not growth(seconds, 1000)


def test_selectors_that_would_take_long_are_refused(monkeypatch):
    monkeypatch.setattr(chosen_elements, "_MAX_TESTS", chosen_elements._MAX_TESTS // 10)
    root = parse_html("<p>x" * 3000)
    with pytest.raises(ExtractFailed, match="takes too long"):
        chosen_elements.choose(root, ",".join(f"a{n}" for n in range(200))[:1000], "")
    with pytest.raises(ExtractFailed, match="takes too long"):
        chosen_elements.choose(parse_html("<b>" * 2000), "b:has(u)", "")
