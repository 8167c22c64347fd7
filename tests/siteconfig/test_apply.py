"""Rules on a page: what is stripped, which body counts, title, author, date and links; linear on hostile pages."""

import importlib
import time

import pytest

from webtool import parse_html
from webtool.html.node import Comment, Document, Element
from webtool.markdown import to_markdown
from webtool.siteconfig.apply import MAX_GROWTH, apply, replaced
from webtool.siteconfig.rules import parse

URL = "https://site.example/dir/page?x=1"
PAGE = """<html><head><title>Site</title><meta name=date content="2026-01-02"></head><body>
<h1>  The
 title ¶</h1><a rel=author>One</a><a rel=author>Two</a><a rel=author>One</a>
<div id=main class="post wide"><p>first</p><p class="promo box">buy this</p>
<img src="/ads/1.png"><img src="/pic.png" style="x">
<div class=inner><p>second</p></div><!-- note --><script>no()</script></div>
<div class=post><p>third</p></div><div class=empty> </div><div class=pictures><img src="a.png"></div>
<span class=word>left</span><span class=word>right</span>
<a class=next href="?x=2">next</a><a class=self href="#top">top</a>
<a class=js href="javascript:go()">go</a></body></html>"""


def applied(text, page=PAGE, url=URL):
    return apply(parse(text, "t"), parse_html(page), url)


def markdown(text, page=PAGE):
    body = applied(text, page).body
    return None if body is None else to_markdown(body, URL)


STRIP = [
    ("strip: //p[contains(@class, 'promo')]", ["buy"]),
    ("strip_id_or_class: promo", ["buy"]),
    ("strip_id_or_class: inner", ["second"]),
    ("strip_image_src: /ads/", ["/ads/"]),
    ("strip: //div[@class='inner']/p/text()", ["second"]),
    ("strip: //img/@src", ["/ads/", "pic"]),
    ("strip: //div[@id='main']//* | //p", ["first", "buy", "second"]),
]


@pytest.mark.parametrize(("line", "gone"), STRIP)
def test_stripped_elements_are_removed_and_the_rest_stays(line, gone):
    before = markdown("body: //div[@class='post' or @id='main']")
    after = markdown(f"{line}\nbody: //div[@class='post' or @id='main']") or ""
    for part in gone:
        assert part in before
        assert part not in after
    kept = [
        part
        for part in ("first", "buy", "/ads/", "pic", "second")
        if part not in gone and "//p" not in line.split("|")[-1]
    ]
    assert all(part in after for part in kept if "main" not in line)


def test_the_result_says_whether_anything_was_stripped():
    assert applied("strip: //h1\nbody: //p").is_stripped
    assert applied("strip_id_or_class: promo").is_stripped
    assert not applied("strip: //h6\nstrip_image_src: /none/\nbody: //p").is_stripped


BODY = [
    ("body: //none\nbody: //div[@class='empty']\nbody: //div[@class='post']\nbody: //div[@id='main']", "third"),
    ("body: //div[@class='inner'] | //div[@class='post']", "second\n\nthird"),
    ("body: //div[@class='inner']//p | //div[@class='inner']", "second"),
    ("body: //span[@class='word']", "left\n\nright"),
    ("body: //div[@class='pictures']", "![](https://site.example/dir/a.png)"),
    ("body: //none", None),
    ("body: string(//p)", None),
    ("body: //p/text()", None),
    ("body: //comment()", None),
    ("title: //h1", None),
]


@pytest.mark.parametrize(("text", "expected"), BODY)
def test_the_first_body_that_finds_something_is_used(text, expected):
    kept = markdown(text)
    assert kept == expected if kept is None else kept.strip() == expected


def test_title_author_and_date():
    result = applied("title: //h6\ntitle: //h1\nauthor: //a[@rel='author']\ndate: //meta[@name='date']/@content")
    assert (result.title, result.author, result.date) == ("The title", "One, Two", "2026-01-02")
    assert applied("title: concat(//title, ': ', count(//p))").title == "Site: 4"
    assert applied("title: //h1\nstrip: //h1").title == "The title"
    assert applied("title: //h6").title == ""
    assert len(applied("title: //p", "<p>" + "x" * 9999).title) == 500


LINKS = [
    ("next_page_link: //a[@class='next']/@href", "https://site.example/dir/page?x=2"),
    ("next_page_link: //a[@class='next']", "https://site.example/dir/page?x=2"),
    ("next_page_link: //a[@class='self']", ""),
    ("next_page_link: //a[@class='js']", ""),
    ("next_page_link: //a[@class='js'] | //a[@class='next']", "https://site.example/dir/page?x=2"),
    ("next_page_link: //h1", ""),
    ("next_page_link: //a[@class='next']\nif_page_contains: //h6", ""),
    ("next_page_link: //a[@class='next']\nif_page_contains: //h1", "https://site.example/dir/page?x=2"),
    # Expressions that put a reference together, or say whether something holds.
    (
        "next_page_link: concat('/print', substring-after(//a[@class='next']/@href, '?x='))",
        "https://site.example/print2",
    ),
    ("next_page_link: concat('', //h6)", ""),
    ("next_page_link: count(//a)", ""),
    ("next_page_link: //a[@class='next']\nif_page_contains: count(//h1) > 1", ""),
    ("next_page_link: //a[@class='next']\nif_page_contains: number(//h6)", ""),  # NaN
    ("next_page_link: //a[@class='next']\nif_page_contains: count(//h1) = 1", "https://site.example/dir/page?x=2"),
    # A link that is not a URL.
    ("next_page_link: 'https://[x/'", ""),
]


@pytest.mark.parametrize(("text", "target"), LINKS)
def test_links_to_further_parts(text, target):
    assert applied(text).next_page == target
    result = applied(text.replace("next_page", "single_page"))
    assert (result.single_page, result.next_page) == (target, "")


def test_links_are_resolved_against_the_base_of_the_document():
    page = '<base href="https://other.example/b/"><a class=next href=2>x</a>'
    assert applied("next_page_link: //a", page).next_page == "https://other.example/b/2"


def test_replacements_are_made_in_order_and_growth_is_bounded():
    rules = parse("find_string: a\nreplace_string: b\nfind_string: b\nreplace_string: <i>\n", "r")
    assert replaced(rules, "ab.") == "<i><i>."
    bomb = parse("replace_string(x): xxxxxxxxxx\n" * 60, "bomb")
    assert len(replaced(bomb, "x" * 1000)) <= 1000 * MAX_GROWTH + 65536
    assert replaced(parse("replace_string(x):", "r"), "axb") == "ab"


def test_values_of_the_wrong_type_are_named_and_skipped():
    text = "title: 'x'/p\ntitle: //h1\nstrip: count('x')\nbody: sum('x') | //p\nbody: //div[@class='post']"
    result = applied(text)
    assert result.title == "The title"
    assert result.body is not None
    assert [problem[:13] for problem in parse(text, "t").problems] == [f"t.txt, line {at}" for at in (1, 3, 4)]


def nested(levels):
    root = Document()
    node = root
    for _ in range(levels):
        child = Element("div", {"class": "post"})
        node.append(child)
        child.append(Comment("c"))
        node = child
    return root


# Each would take the square of the page's depth if a node were looked at again for each one above it.
DEEP = [
    "title: //div",
    "author: //div",
    "body: //div",
    "strip: //div",
    "strip_id_or_class: post",
    "body: //div[@class='post']",
]


@pytest.mark.parametrize("line", DEEP)
def test_deep_pages_cost_linear_time(line):
    root = nested(8_000)
    result = apply(parse(line, "deep"), root, URL)
    assert result.problems == ()
    assert result.body is None


# A long row of siblings must not be gone through again for each of them.
WIDE = ["wrap_in(div): //p", "move_into(//main): //p", "dissolve: //p", "strip: //p"]


@pytest.mark.parametrize("line", WIDE)
def test_wide_pages_cost_linear_time(line):
    root = parse_html("<main></main><section>" + "<p>x<b>y</b></p>" * 20_000 + "</section>")
    begin = time.process_time()
    assert apply(parse(line, "wide"), root, URL).problems == ()
    assert time.process_time() - begin < 5


def test_work_is_bounded_for_all_expressions_together(monkeypatch):
    monkeypatch.setattr(importlib.import_module("webtool.siteconfig.apply"), "MAX_NODES", 200_000)
    rules = parse("strip: //div[.//p]\n" * 50 + "body: //div", "deep")
    result = apply(rules, nested(4000), URL)
    assert any("too much work" in problem for problem in result.problems)
    assert result.body is None


def test_a_replacement_is_skipped_above_the_limit_of_growth():
    text = "x" + "." * 99
    longest = len(text) * MAX_GROWTH + 65536
    for more, is_made in ((longest - len(text), True), (longest - len(text) + 1, False)):
        rules = parse("title: //h1\n", "t")._replace(replacements=(("x", "x" + "y" * more),))
        assert (len(replaced(rules, text)) == longest) == is_made
    halved = parse("title: //h1\n", "t")._replace(replacements=(("..", "."),))
    assert len(replaced(halved, text)) == 51


REARRANGED = [
    ("body: //div[@id='a']\ndissolve: //div[@id='a']//i", "<div id=a><p>one <i>two <i>three</i></i> four</p></div>",
     "one two three four"),
    ("body: //div[@id='a']\nwrap_in(blockquote): //p[@class='q']", "<div id=a><p class=q>said</p><p>text</p></div>",
     "> said\n\ntext"),
    ("body: //div[@id='a']\nmove_into(//div[@id='a']): //p[@id='late']",
     "<p id=late>moved</p><div id=a><p>first words</p></div>", "first words\n\nmoved"),
    ("body: //div[@id='a']\nmove_into(//div[@id='a']//p): //div[@id='a']", "<div id=a><p>stays</p></div>", "stays"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "page", "expected"), REARRANGED)
def test_elements_are_dissolved_wrapped_and_moved(rules, page, expected):
    assert markdown(rules, page).strip() == expected


def test_a_thousand_nested_elements_dissolve():
    page = "<div id=a>" + "<i>" * 2000 + "deep" + "</i>" * 2000 + "</div>"
    assert markdown("body: //div[@id='a']\ndissolve: //i", page).strip() == "deep"
