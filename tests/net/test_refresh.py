"""Refresh headers and meta elements: read as browsers read them, followed only when asked, checked like redirects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.net import refresh
from webtool.net.messages import Headers, Response

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
def test_value_names_a_url_or_none(value, url):
    assert refresh.parse(value, BASE) == url


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
    assert refresh.target(Response(BASE, 200, "", Headers([("Content-Type", "text/html")]), body)) == url
    assert refresh.target(Response(BASE, 200, "", Headers([("Content-Type", "text/plain")]), body)) is None


@given(st.text(), st.binary())
def test_anything_gives_an_answer(value, body):
    refresh.parse(value, BASE)
    refresh.target(Response(BASE, 200, "", Headers(), b"<meta http-equiv=refresh content=" + body))
