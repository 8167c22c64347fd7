"""Headers compare without case; media type and charset as the Fetch Standard extracts them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.net.messages import Headers, Response


def test_headers_are_found_without_regard_to_case():
    headers = Headers([("Set-Cookie", "a"), ("X", "1"), ("set-cookie", "b")])
    assert headers.get("SET-COOKIE") == "a"
    assert headers.get_all("Set-Cookie") == ["a", "b"]
    assert headers.get("y") is None
    assert "x" in headers
    assert list(headers)[1] == ("X", "1")


def test_headers_show_names_and_no_values():
    assert "hunter2" not in repr(Headers([("Authorization", "hunter2")]))


TYPES = [
    ([], "", None),
    (["text/html"], "text/html", None),
    (["Text/HTML; Charset=UTF-8"], "text/html", "UTF-8"),
    (['text/html; charset="utf-8"'], "text/html", "utf-8"),
    (["text/html;; ;charset=utf-8;"], "text/html", "utf-8"),
    (["text/html; charset=utf-8, text/html"], "text/html", "utf-8"),
    (["text/html; charset=utf-8", "text/plain"], "text/plain", None),
    (["text/html, */*"], "text/html", None),
    (["html"], "", None),
    (["text/html; x=y; charset=a; charset=b"], "text/html", "a"),
    (["x" * 5000], "", None),
]


@pytest.mark.parametrize(("values", "essence", "charset"), TYPES)
def test_content_type_is_extracted(values, essence, charset):
    response = Response("u", 200, "", Headers([("Content-Type", value) for value in values]), b"")
    assert (response.media_type, response.charset) == (essence, charset)


@given(st.text())
def test_any_content_type_gives_an_answer(value):
    response = Response("u", 200, "", Headers([("Content-Type", value)]), b"")
    assert isinstance(response.media_type, str)
