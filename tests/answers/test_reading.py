"""Inline markdown becomes the text that a reader sees; links and pictures of stored markdown are rewritten."""

import time

import pytest
from growing import growth
from hypothesis import given
from hypothesis import strategies as st

from webtool import parse_html
from webtool.answers.parts import PROPERTIES
from webtool.answers.reading import as_read, view
from webtool.markdown import to_markdown

READ = [
    ('a [link](https://a.example/x_(y) "T") b', "a link b"),
    ("[![alt](/i.png)](https://a.example/)", "alt"),
    ("![](/i.png)x", "x"),
    ("*one* **two** __three__ ~~four~~ snake_case_name 2 * 3", "one two three four snake_case_name 2 * 3"),
    ("`a*b\\*c` and ``x ` y``", "`a*b\\*c` and ``x ` y``"),
    ("1\\. \\*not emphasis\\* \\[1\\]", "1. *not emphasis* [1]"),
    ("<https://a.example/b> a<br>b 1 < 2", "https://a.example/b a b 1 < 2"),
    ("[not a link] (text) ]x[", "[not a link] (text) ]x["),
    ("line\\\nbreak", "line\nbreak"),
    ("a ` b [c](d) e", "a ` b c e"),
    (
        "AT&amp;T &copy; &#x62;&#98; &#xd800; &#0; &nope; \\&amp; `&lt;` a&b;c",
        "AT&T © bb \ufffd \ufffd &nope; &amp; `&lt;` a&b;c",
    ),
    ("a&#10;b&NewLine;c\nd", "a b c\nd"),
]


@pytest.mark.parametrize(("markdown", "text"), READ)
def test_marks_go_and_text_stays(markdown, text):
    assert as_read(markdown) == text


@pytest.mark.parametrize("piece", ["[", "![", "](", "[a](", "`", "`` ", "*_", "\\", "<a ", '[a](b "'])
def test_marks_that_never_close_take_linear_time(piece):
    def cost(count):
        text, begin = piece * count, time.process_time()
        as_read(text)
        return time.process_time() - begin

    assert not growth(cost, 20000)


LINKS, IMAGES = (PROPERTIES[name]["enum"] for name in ("links", "images"))

PAGE = (
    '<p>See <a href="/a" title="T">one</a> and <a href="/b_(x)">two</a>, <a href="/a">again</a>'
    ' <img src="/i.png" alt="pic [x]"> <a href="/d"><img src=/e.png alt=ee></a></p>'
    "<p><code>[x](y)</code> *no* [z](w)</p><pre>[a](b)\n\n![c](d)</pre><ul><li><a href=/l>li</a></ul>"
)
ROOT = parse_html(PAGE)


@pytest.mark.parametrize("images", IMAGES)
@pytest.mark.parametrize("links", LINKS)
def test_rewritten_markdown_equals_what_the_renderer_writes(links, images):
    base = "https://a.example/"
    rendered = to_markdown(ROOT, base, links=links, images=images)
    seen = view(to_markdown(ROOT, base), links, images)
    # Text that only looks like markup keeps the backslash that stood before a link.
    assert seen.replace("\\", "").split() == rendered.replace("\\", "").split()


def test_references_are_numbered_once_and_code_stays():
    text = "[a](u) [b](v) [c](u)\n\n```\n[d](w)\n```\n\n`[e](x)` \\[f](y) [](z)\n"
    seen = view(text, "refs")
    assert seen == "[a][1] [b][2] [c][1]\n\n```\n[d](w)\n```\n\n`[e](x)` \\[f](y) \n\n[1]: u\n[2]: v\n[3]: z\n"


@given(st.text(alphabet="[]()!`\\ab \n<>~-", max_size=60), st.sampled_from(LINKS), st.sampled_from(IMAGES))
def test_any_text_has_any_view(text, links, images):
    seen = view(text, links, images)
    assert links == "refs" or seen.count("\n") == text.count("\n")
    assert view(text) == text


def test_time_is_linear():
    for piece in ("[", "![a](", "[a](b)", "```\n", "`"):
        begin = time.process_time()
        view(piece * 100_000, "refs", "none")
        assert time.process_time() - begin < 3
