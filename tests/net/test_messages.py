"""Messages: header names, media type and charset (Fetch Standard), and heads as bytes.

A request that is written cannot be read as two. A head that is read is tolerated or refused.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.errors import NetworkError
from webtool.lean import media_types
from webtool.net import messages
from webtool.net.messages import Headers, Response


def test_header_names_compare_case_insensitively():
    headers = Headers([("Set-Cookie", "a"), ("X", "1"), ("set-cookie", "b")])
    assert headers.get("SET-COOKIE") == "a"
    assert headers.get_all("Set-Cookie") == ["a", "b"]
    assert headers.get("y") is None
    assert "x" in headers
    assert list(headers)[1] == ("X", "1")


def test_the_repr_of_headers_shows_no_values():
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
    (["text/html,text/html"], "text/html", None),
    (['text/html; x="a,b/c", text/html; charset=gbk'], "text/html", "gbk"),
    (["text/plain", "text/html; charset=utf-8"], "text/html", "utf-8"),
    (["text/html, "], "text/html", None),
    # No media type, so the bytes decide (MIME Sniffing section 4.4 allows no blank, colon or backslash in a name).
    (["text/html charset=utf-8"], "", None),
    (["text/html: charset=utf-8"], "", None),
    (["text/html\\; charset=utf-8"], "", None),
    (["text/html/x"], "", None),
    (["text /html"], "", None),
    (["/html"], "", None),
    (['"text/html"'], "", None),
    (["Content-Type: text/html"], "", None),
]


@pytest.mark.parametrize(("values", "essence", "charset"), TYPES)
def test_content_type_is_extracted(values, essence, charset):
    response = Response("u", 200, "", Headers([("Content-Type", value) for value in values]), b"")
    assert response.media_type == essence
    assert media_types.extract(response.content_type) == (essence, charset)


@given(st.text())
def test_any_content_type_is_read_without_an_error(value):
    response = Response("u", 200, "", Headers([("Content-Type", value)]), b"")
    assert isinstance(response.media_type, str)


FIELDS = [
    (b"A: b\r\n c\r\n\td\r\n", [("A", "b c d")]),
    (b"A : b\r\nno colon\r\n: empty\r\nB\0: x\r\nC:d", [("A", "b"), ("C", "d")]),
    (b"A: b\0c\xe9\r\n", [("A", "b c\xe9")]),
    (b"A:\r\nA: 2\r\n", [("A", ""), ("A", "2")]),
]


@pytest.mark.parametrize(("block", "pairs"), FIELDS)
def test_fields_are_parsed_and_malformed_ones_skipped(block, pairs):
    assert list(messages.parse_fields(block)) == pairs


def test_a_request_is_written():
    data = messages.request_bytes("POST", "/a?b", [("Host", "x"), ("X-Y", "\u00e9")], b"body")
    assert data == b"POST /a?b HTTP/1.1\r\nHost: x\r\nX-Y: \xe9\r\nContent-Length: 4\r\n\r\nbody"


@pytest.mark.parametrize(
    ("method", "target", "name", "value"),
    [
        ("GET", "/a b", "Host", "x"),
        ("GET", "/a\r\nX: y", "Host", "x"),
        ("GET", "", "Host", "x"),
        ("GET", "/\u00e9", "Host", "x"),
        ("G T", "/", "Host", "x"),
        ("GET", "/", "Ho st", "x"),
        ("GET", "/", "Host", "x\r\nX: y"),
        ("GET", "/", "Host", "x\0"),
        ("GET", "/", "Host", "x\x7f"),
        ("GET", "/", "Host", "\u65e5"),
    ],
)
def test_a_request_that_could_be_read_as_two_is_not_sent(method, target, name, value):
    with pytest.raises(NetworkError):
        messages.request_bytes(method, target, [(name, value)])


def test_folded_lines_count_as_lines():
    assert messages.parse_fields(b"A: b\r\n" + b" c\r\n" * (messages.MAX_FIELDS - 1)).get("a") == "b" + " c" * 999
    with pytest.raises(NetworkError, match="header lines"):
        messages.parse_fields(b"A: b\r\n" + b" c\r\n" * (messages.MAX_FIELDS + 2))


# (field values, the length or None for an error)
LENGTHS = [
    (["3"], 3),
    (["3", "3"], 3),
    (["3, 3"], 3),
    (["0" * 40 + "3"], 3),
    (["0"], 0),
    (["3", "4"], None),
    (["3,"], 3),
    ([" , 3,,3"], 3),
    (["3", ""], 3),
    ([",4", "3,"], None),
    ([","], None),
    (["+3"], None),
    (["-0"], None),
    (["3 3"], None),
    (["0x3"], None),
    (["3.0"], None),
    ([""], None),
    (["9" * 19], None),
    (["\u0663"], None),
]


@pytest.mark.parametrize(("values", "length"), LENGTHS)
def test_a_content_length_is_one_number_of_digits(values, length):
    headers = Headers([("Content-Length", value) for value in values])
    if length is not None:
        assert messages.content_length(headers) == length
        return
    with pytest.raises(NetworkError) as caught:
        messages.content_length(headers)
    assert len(caught.value.message) < 200
    assert not caught.value.retryable


# (status line, status, reason, is it 1.1)
STATUS_LINES = [
    (b"HTTP/1.1 200 OK", 200, "OK", True),
    (b"HTTP/1.1 200 ", 200, "", True),
    (b"HTTP/1.1 200", 200, "", True),
    (b"HTTP/1.0 404 Not  Found", 404, "Not  Found", False),
    (b"HTTP/1.9 999 \xe9", 999, "\xe9", True),
    (b"HTTP/2.0 200 OK", 200, "OK", False),
]


@pytest.mark.parametrize(("line", "status", "reason", "is_http_1_1"), STATUS_LINES)
def test_a_status_line_is_read(line, status, reason, is_http_1_1):
    assert messages.parse_status_line(line) == (status, reason, is_http_1_1)


BAD_STATUS_LINES = [
    b"HTTP/1.1", b"HTTP/1.1 ", b"HTTP/1.1 2OO OK", b"HTTP/1.1 200OK", b"HTTP/1.1\x0b200 OK", b"http/1.1 200 OK",
    b"HTTP/11 200 OK", b"HTTP/x.1 200 OK", b"HTTP/1.x 200 OK", b"HTTP/1,1 200 OK", b"HTTP/1.1 099 OK",
    b"HTTP/1.1 -20 OK", b"ICY 200 OK", b"HTTP/1.1 \xb2\xb2\xb2 OK", b"HTTP/1.1 2 00",
]  # fmt: skip


@pytest.mark.parametrize("line", BAD_STATUS_LINES)
def test_a_malformed_status_line_is_quoted_in_part(line):
    with pytest.raises(NetworkError, match="status line") as caught:
        messages.parse_status_line(line + b" x" * 500)
    assert len(caught.value.message) < 200


# (Transfer-Encoding values, codings or None for an error)
CODINGS = [
    ([], []),
    (["chunked"], ["chunked"]),
    (["Chunked"], ["chunked"]),
    (["gzip, chunked"], ["gzip", "chunked"]),
    (["gzip", "chunked"], ["gzip", "chunked"]),
    ([", ,chunked,"], ["chunked"]),
    (["identity"], []),
    (["chunked, gzip"], None),
    (["chunked", "chunked"], ["chunked"]),
    (["gzip, chunked, chunked"], ["gzip", "chunked"]),
    (["chunked", "gzip", "chunked"], None),
]


@pytest.mark.parametrize(("values", "codings"), CODINGS)
def test_chunked_must_be_the_last_coding_and_occur_once(values, codings):
    headers = Headers([("Transfer-Encoding", value) for value in values])
    if codings is not None:
        assert messages.transfer_codings(headers) == codings
        return
    with pytest.raises(NetworkError):
        messages.transfer_codings(headers)
