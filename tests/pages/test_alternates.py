"""Refresh headers and meta elements, read as browsers do, and Link headers (RFC 8288 section 3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.net.messages import Headers, Response
from webtool.pages import alternates

BASE = "https://a.example/x/y"

VALUES = [
    ("0; url=/next", "https://a.example/next"),
    ("0;URL='z'", "https://a.example/x/z"),
    ('5 , url = "z" trailing', "https://a.example/x/z"),
    ("1.5; z", "https://a.example/x/z"),
    ("0 z", "https://a.example/x/z"),
    ("3;url=https://b.example/#f", "https://b.example/"),
    ("0", None),
    ("", None),
    ("; url=/next", None),
    ("31; url=/next", None),
    ("99999999999; url=/next", None),
    ("0; url=javascript:alert(1)", None),
    ("0; url=http://[", None),
    ("0; url=#part", None),
    ("0; url=https://a.example/x/y", None),
    (" " * 100000 + "0", None),
]


@pytest.mark.parametrize(("value", "url"), VALUES, ids=range(len(VALUES)))
def test_a_refresh_value_gives_its_url_or_none(value, url):
    assert alternates.parse_refresh(value, BASE) == url


PAGES = [
    (b'<meta http-equiv="refresh" content="0; url=/n?a&amp;b">', "https://a.example/n?a&b"),
    (b"<META HTTP-EQUIV=Refresh CONTENT='0;url=/n'>", "https://a.example/n"),
    (b"<meta content=0;/n http-equiv=refresh />", "https://a.example/n"),
    (b'<!-- <meta http-equiv="refresh" content="0; url=/n"> -->', None),
    (b'<meta name="refresh" content="0; url=/n">', None),
    (b"<meta http-equiv=refresh>", None),
    (b"<meta " * 10000, None),
]


@pytest.mark.parametrize(("body", "url"), PAGES, ids=range(len(PAGES)))
def test_meta_element_is_found(body, url):
    assert alternates.refresh_target(Response(BASE, 200, "", Headers([("Content-Type", "text/html")]), body)) == url
    assert alternates.refresh_target(Response(BASE, 200, "", Headers([("Content-Type", "text/plain")]), body)) is None


@given(st.text(), st.binary())
def test_any_refresh_value_is_read_without_an_error(value, body):
    alternates.parse_refresh(value, BASE)
    alternates.refresh_target(Response(BASE, 200, "", Headers(), b"<meta http-equiv=refresh content=" + body))


def answer(fields, url="https://a.example/"):
    return Response(url, 200, "OK", Headers(fields), b"")


FIELDS = [
    ('<page.md>; rel="alternate"; type="text/markdown"', "https://a.example/x/page.md"),
    ("</p.md>;rel=alternate;type=text/markdown", "https://a.example/p.md"),
    ('</p.md>; type="text/markdown; charset=utf-8"; title="a, <b>; \\"c\\""; rel="next alternate"', "https://a.example/p.md"),
    ('</feed>; rel="alternate"; type="application/rss+xml", </p.md>; REL=Alternate; Type=Text/Markdown', "https://a.example/p.md"),
    ('</a,b.md>; rel=alternate; type="text/markdown"', "https://a.example/a,b.md"),
    ('</p.md>; rel=alternate; rel=next; type="text/markdown"', "https://a.example/p.md"),
    ('</p.md>; rel=next; rel=alternate; type="text/markdown"', None),
    ('</p.md>; rel=alternate; type="text/markdown"; anchor="#part"', None),
    ("</p.md>; rel=alternate", None),
    ("/p.md; rel=alternate; type=text/markdown", None),
    ("", None),
]  # fmt: skip


@pytest.mark.parametrize(("value", "url"), FIELDS)
def test_the_markdown_alternate_is_found(value, url):
    response = answer([("Link", value)], "https://a.example/x/page")
    assert alternates.alternate(response, "text/markdown") == url


def test_several_link_fields_are_one_list_and_hostile_ones_are_read_quickly():
    fields = [("Link", "</o>; rel=next"), ("link", "</p.md>; rel=alternate; type=text/markdown")]
    assert alternates.alternate(answer(fields), "text/markdown")
    for value in ("<a>" + ";x=" * 8000, "<a>" + '; t="\\' * 4000, "<" * 20000, "<a>" + " ;" * 9000):
        assert alternates.alternate(answer([("Link", value)]), "x/y") is None
