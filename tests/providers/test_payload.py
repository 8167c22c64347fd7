"""JSON of providers, read without trusting it."""

import pytest

from webtool.errors import ApiError
from webtool.net.messages import Headers, Response
from webtool.providers import payload


def response(body, status=200, media_type="application/json"):
    return Response("https://x.example/", status, "", Headers([("Content-Type", media_type)]), body)


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", b'"x"', b"{", b"null", b"\xff\xfe", b"[" * 100000, b'{"a":' * 100000]
)
def test_a_body_without_an_object_is_an_error_that_names_the_kind(body):
    assert payload.decode_leniently(response(body)) is None
    with pytest.raises(ApiError, match=r"X answered with .* no JSON object \(text/html\)"):
        payload.decode(response(body, media_type="text/html"), "X")


def test_a_byte_order_mark_is_no_fault():
    assert payload.decode(response(b'\xef\xbb\xbf{"a": 1}'), "X") == {"a": 1}


def test_a_failing_server_may_be_asked_again():
    with pytest.raises(ApiError) as caught:
        payload.decode(response(b"oops", 502), "X")
    assert caught.value.retryable is True


def test_members_of_other_types_are_missing_members():
    assert payload.mapping([1]) == {}
    assert payload.mapping({"a": 1}) == {"a": 1}
    assert payload.items({"a": 1}) == []
    assert payload.items([1, {"a": 1}, None]) == [{"a": 1}]
    assert payload.string(5) == ""
    assert payload.string("x") == "x"


def test_lone_surrogates_do_not_stop_a_request():
    assert payload.encode({"q": "a\ud800b"}) == b'{"q": "a?b"}'
