"""CSS selectors as XPath: what they select of a small page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool import parse_html, xpath
from webtool.xpath.css import to_xpath

ROOT = parse_html(
    '<main id=m class="a b"><h1 title="x y">T</h1><p class=lead>one</p><p>two <a href="/x/y.pdf" lang=en-US>l</a></p>'
    "<ul><li>1<li>2<li>3<li>4</ul><div></div></main><nav><a href='http://z'>n</a><i title=\"it's &quot;q&quot;\">q</i></nav>"
)

SELECTED = [
    ("p", ["one", "two l"]), ("main > p.lead", ["one"]), ("h1 + p", ["one"]), ("h1 ~ p", ["one", "two l"]),
    (".a.b > h1", ["T"]), ("#m h1", ["T"]), ("[href]", ["l", "n"]), ('a[href^="/x"]', ["l"]), ("a[href$='.pdf']", ["l"]),
    ("a[href*=z]", ["n"]), ("[title~=y]", ["T"]), ("[lang|=en]", ["l"]), ("[lang=EN-us i]", ["l"]),
    ("li:first-child", ["1"]), ("li:nth-child(odd)", ["1", "3"]), ("li:nth-child(2n+2)", ["2", "4"]),
    ("li:nth-child(n+3)", ["3", "4"]), ("li:nth-child(-n+2)", ["1", "2"]), ("li:nth-last-child(1)", ["4"]), ("li:not(:first-child)", ["2", "3", "4"]),
    ("p:not(.lead)", ["two l"]), ("h1, li:last-child", ["T", "4"]), ("p:has(> a)", ["two l"]), ("p:first-of-type", ["one"]),
    (":is(h1, .lead)", ["T", "one"]), ("LI:nth-of-type(3)", ["3"]), (".LEAD", []), ('[title=\'it\\\'s\']', None),
    ("main:has(.lead) a", ["l"]), ("main>ul>li:only-child", []), ("div:empty", [""]),
]  # fmt: skip


@pytest.mark.parametrize(("selectors", "texts"), [row for row in SELECTED if row[1] is not None])
def test_selectors_find_what_a_browser_finds(selectors, texts):
    assert [node.text for node in xpath.compile(to_xpath(selectors)).select(ROOT)] == texts


@pytest.mark.parametrize(
    "selectors",
    ["", "p >", "> p", "a:hover", "p{", "[x", "li:nth-child(x)", "..", ":not(", "not(a", "a | b", "p" * 1001],
)
def test_what_is_no_selector_is_refused(selectors):
    with pytest.raises(xpath.XPathError):
        to_xpath(selectors)


@given(st.text(alphabet="ap.#[]=*~^$|:()>+, 'n12\"\\-", max_size=20))
def test_any_text_is_a_selector_or_refused(text):
    try:
        expression = to_xpath(text)
    except xpath.XPathError:
        return
    xpath.compile(expression).select(ROOT)
