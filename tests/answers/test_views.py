"""Links and pictures of stored markdown are rewritten."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool import parse_html
from webtool.answers.parts import PROPERTIES
from webtool.answers.views import view
from webtool.markdown import to_markdown

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
