"""Files of rules: every directive, and every line that cannot be used named with file and line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.siteconfig.rules import MAX_LINE, MAX_LINES, Rules, parse

FILE = """\ufeff# a comment
// another: comment
title: //h1
title: //title
Body : //article
author: //a[@rel='author']
date: //time/@datetime
strip: //aside
strip_attr: //img/@style
strip_id_or_class: 'promo'
strip_image_src: "/ads/"
prune: no
tidy: NO
autodetect_on_failure: no
single_page_link: //a[.='print']
next_page_link: //a[@rel='next']
next_page_link: //a[.='more']
if_page_contains: //div[@id='paged']
find_string: <x>
replace_string: <y>
replace_string(a(b)c): d: e
replace_string(gone):
http_header(User-Agent): Reader/1.0
http_header( referer ): https://x.example/
test_url: https://x.example/1
test_contains: words
wrap_in(h2): //b
strip_comments: no
single_page_link_in_feed: //a
requires_login: yes
"""


def test_every_directive_is_read():
    rules = parse(FILE, "x.example")
    assert rules.problems == ()
    assert rules.id == "x.example"
    assert [one.text for one in rules.title] == ["//h1", "//title"]
    assert [one.text for one in (*rules.body, *rules.author, *rules.date)] == [
        "//article",
        "//a[@rel='author']",
        "//time/@datetime",
    ]
    assert [one.text for one in rules.strip] == ["//aside", "//img/@style"]
    assert (rules.strip_id_or_class, rules.strip_image_src) == (("promo",), ("/ads/",))
    assert (rules.prune, rules.autodetect_on_failure) == (False, False)
    assert rules.replacements == (("<x>", "<y>"), ("a(b)c", "d: e"), ("gone", ""))
    assert rules.http_headers == (("user-agent", "Reader/1.0"), ("referer", "https://x.example/"))


def test_a_condition_belongs_to_the_link_before_it():
    rules = parse(FILE, "x.example")
    assert [link.condition for link in rules.single_page_link] == [None]
    first, second = rules.next_page_link
    assert first.condition is None
    assert second.condition.text == "//div[@id='paged']"


def test_the_condition_of_a_link_that_cannot_be_read_is_not_that_of_an_earlier_link():
    rules = parse("next_page_link: //a\nsingle_page_link: //a[\nif_page_contains: //h1", "e")
    assert [(link.expression.text, link.condition) for link in rules.next_page_link] == [("//a", None)]
    assert [problem.partition(":")[0] for problem in rules.problems] == ["e.txt, line 2", "e.txt, line 3"]


def test_a_link_whose_condition_cannot_be_read_is_dropped():
    rules = parse("next_page_link: //a\nnext_page_link: //b\nif_page_contains: //h1[", "e")
    assert [link.expression.text for link in rules.next_page_link] == ["//a"]
    assert len(rules.problems) == 1


def test_an_empty_file_has_no_rules():
    assert parse("", "e") == Rules("e")
    assert parse("\n  \n# only this\n", "e") == Rules("e")


def test_finds_and_replacements_pair_in_their_order():
    rules = parse("find_string: a\nfind_string: b\nreplace_string: 1\nreplace_string: 2\n", "e")
    assert rules.replacements == (("a", "1"), ("b", "2"))


def test_the_replacement_of_an_empty_find_is_not_that_of_another():
    rules = parse("find_string:\nfind_string: b\nreplace_string: 1\nreplace_string: 2\n", "e")
    assert rules.replacements == (("b", "2"),)
    assert rules.problems == ("e.txt, line 1: find_string has no value",)


def test_files_for_other_readers_of_the_format_are_read_without_a_problem():
    rules = parse(
        "prune: false\ntidy: TRUE\ntest_url:\npost_strip_attr: //a/@x\nskip_id_or_class: promo\nparser: html5php\n", "e"
    )
    assert (rules.prune, rules.problems) == (False, ())


# line, part of the message
WRONG = [
    ("body //p", "is not `name: value`"),
    ("(x): y", "is not `name: value`"),
    ("//p: x", "is not `name: value`"),
    ("body: //p[", "unexpected end"),
    ("body:", "body has no value"),
    ("next_page_link:", "next_page_link has no value"),
    ("title: nothing()", "unknown function nothing"),
    ("strip: $x", "variables"),
    ("next_page_link: //a[", "unexpected"),
    ("prune: perhaps", "not yes or no"),
    ("prune:", "not yes or no"),
    ("strip_id_or_class: ''", "has no value"),
    ("if_page_contains: //p", "follows no"),
    ("find_string:", "has no value"),
    ("replace_string: x", "no find_string"),
    ("replace_string(): x", "what to find"),
    ("http_header(authorization): a", "may not set"),
    ("http_header(authorization): Basic x", "may not set"),
    ("http_header: x", "may not set"),
    ("http_header(referer): \u00e4", "no value that can be sent"),
    ("http_header(user-agent):", "no value"),
    ("bodi: //p", "unknown directive bodi"),
    ("title: " + "x" * MAX_LINE, "is longer than"),
]


@pytest.mark.parametrize(("line", "message"), WRONG)
def test_a_line_that_cannot_be_used_is_named_and_the_others_are_used(line, message):
    rules = parse(f"# first\ntitle: //h1\n{line}\nbody: //main\n", "site.example")
    assert [one.text for one in rules.body] == ["//main"]
    assert rules.problems[0].startswith("site.example.txt, line 3: ")
    assert message in rules.problems[0]


def test_no_header_field_can_contain_a_line_end():
    rules = parse("http_header(user-agent): a\x0bcookie: x\nhttp_header(referer): a\x00b\n", "e")
    assert rules.http_headers == (("user-agent", "a"),)


def test_a_find_without_a_replacement_is_named():
    assert parse("find_string: lost\n", "e").problems == ("e.txt: find_string 'lost' has no replace_string",)


def test_lines_above_the_limit_are_not_read():
    rules = parse("title: //h1\n" * (MAX_LINES + 5), "long")
    assert len(rules.title) == MAX_LINES
    assert rules.problems == (
        f"long.txt, line {MAX_LINES + 1}: this and further lines were not read; {MAX_LINES} lines are allowed",
    )


@given(st.text(alphabet="abody:title/()[]@#= \t\n\r'_x\u2028", max_size=200))
def test_any_text_is_read_without_a_crash(text):
    rules = parse(text, "any")
    assert all(problem.startswith("any.txt") for problem in rules.problems)
    assert parse(text, "any").problems == rules.problems
