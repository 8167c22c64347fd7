"""Forms there and back, and JSON of providers, read without trusting it."""

import urllib.parse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.errors import ApiError
from webtool.net.messages import Headers, Response
from webtool.providers import payload
from webtool.urls.hosts import percent_decode


def response(body, status=200, media_type="application/json"):
    return Response("https://x.example/", status, "", Headers([("Content-Type", media_type)]), body)


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", b'"x"', b"{", b"null", b"\xff\xfe", b"[" * 100000, b'{"a":' * 100000]
)
def test_a_body_without_an_object_is_an_error_that_names_the_kind(body):
    assert payload.decode_leniently(response(body)) is None
    with pytest.raises(ApiError, match=r"X answered with .* are not a JSON object \(text/html\)"):
        payload.decode(response(body, media_type="text/html"), "X")


def test_a_byte_order_mark_is_skipped():
    assert payload.decode(response(b'\xef\xbb\xbf{"a": 1}'), "X") == {"a": 1}


def test_an_error_of_a_failing_server_is_retryable():
    with pytest.raises(ApiError) as caught:
        payload.decode(response(b"oops", 502), "X")
    assert caught.value.retryable is True


def test_members_of_other_types_read_as_empty():
    assert payload.mapping([1]) == {}
    assert payload.mapping({"a": 1}) == {"a": 1}
    assert payload.items({"a": 1}) == []
    assert payload.items([1, {"a": 1}, None]) == [{"a": 1}]
    assert payload.string(5) == ""
    assert payload.string("x") == "x"


def test_lone_surrogates_do_not_stop_a_request():
    assert payload.json_body({"q": "a\ud800b"}) == b'{"q": "a?b"}'


# URL Standard section 5.2: what stays, plus for a space, the rest as bytes of UTF-8.
ENCODED = [
    ([("q", "a b")], "q=a+b"),
    ([("q", "a&b=c"), ("n", "1")], "q=a%26b%3Dc&n=1"),
    ([("q", "*-._~")], "q=*-._%7E"),
    ([("q", "é日")], "q=%C3%A9%E6%97%A5"),
    ([("q", "\r\n")], "q=%0D%0A"),
    ([("", "")], "="),
    ([], ""),
]


@pytest.mark.parametrize(("pairs", "text"), ENCODED)
def test_pairs_are_encoded(pairs, text):
    assert payload.form(pairs) == text


@given(st.lists(st.tuples(st.text(min_size=1), st.text())))
def test_another_parser_reads_the_same_pairs(pairs):
    pairs = [tuple(part.encode("utf-8", "replace").decode() for part in pair) for pair in pairs]
    assert urllib.parse.parse_qsl(payload.form(pairs), keep_blank_values=True) == pairs


VALUES = [
    ("uddg=https%3A%2F%2Fx.example%2F&rut=1", "uddg", "https://x.example/"),
    ("rut=1&uddg=a%2525+b", "uddg", "a%25+b"),
    ("uddg=%E6%97%A5%zz%4", "uddg", "日%zz%4"),
    ("uddg=a&uddg=b", "uddg", "a"),
    ("uddg=", "uddg", ""),
    ("uddg", "uddg", None),
    ("xuddg=a", "uddg", None),
    ("", "uddg", None),
]


@pytest.mark.parametrize(("query", "name", "value"), VALUES)
def test_a_value_is_decoded_once(query, name, value):
    assert payload.value_of(query, name) == value


@given(st.text())
def test_quoting_is_undone_by_unquoting(text):
    text = text.encode("utf-8", "replace").decode()
    assert percent_decode(payload.quote(text).replace("+", "%20")) == text
