"""Links and names in a page's head. HTML Standard, 2.4.3, 4.2.5.1 and 4.6.7."""

import pytest

from webtool.html import parse_page
from webtool.html.head_links import MAX_SIGNPOST_TEXT, base_of, generator_of, is_signpost, markdown_alternate

URL = "https://example.org/docs/page"
ALTERNATES = [
    ("<link rel=alternate type=text/markdown href=page.md>", "https://example.org/docs/page.md"),
    ("<link rel='nofollow Alternate' type='text/markdown; charset=utf-8' href=/p.md>", "https://example.org/p.md"),
    ("<link rel=alternate type=text/html href=page.html>", None),
    ("<link rel=stylesheet type=text/markdown href=page.md>", None),
    ("<link rel=alternate type=text/markdown>", None),
    ("<base href=/b/><link rel=alternate type=text/markdown href=page.md>", "https://example.org/b/page.md"),
    ("<link rel=alternate type=text/markdown href='http://['>", None),
]


@pytest.mark.parametrize(("head", "address"), ALTERNATES)
def test_the_markdown_version_is_the_alternate_of_that_type(head, address):
    assert markdown_alternate(parse_page(head), URL) == address


BASES = [
    ("", URL),
    ("<base href=/a/><base href=/b/>", "https://example.org/a/"),
    ("<base target=x>", URL),
    ("<base href='http://['>", URL),
]


@pytest.mark.parametrize(("head", "base"), BASES)
def test_the_first_base_with_an_href_counts(head, base):
    assert base_of(parse_page(head), URL) == base


def test_the_generator_is_that_of_the_meta_element():
    assert generator_of(parse_page("<meta name=Generator content=' Hugo 1 '>")) == "Hugo 1"
    assert generator_of(parse_page("<meta name=author content=A>")) == ""


def test_a_page_with_little_text_is_a_signpost():
    assert is_signpost(parse_page("<p>You are being redirected.<script>" + "x" * 2 * MAX_SIGNPOST_TEXT + "</script>"))
    assert not is_signpost(parse_page(f"<p>{'x' * (MAX_SIGNPOST_TEXT + 1)}"))
