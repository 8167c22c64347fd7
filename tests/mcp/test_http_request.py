"""Requests are read strictly, whole or in pieces; what two parsers may read in two ways is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.mcp import http_request
from webtool.mcp.http_request import MAX_MESSAGE, Body, HttpError, parse_head

HEAD = b"POST /mcp HTTP/1.1\r\nHost: a\r\n"

# (head without the last line end, status)
REFUSED = [
    (b"", 400),
    (b"POST /mcp", 400),
    (b"POST  /mcp HTTP/1.1\r\nHost: a", 400),
    (b"POST\t/mcp HTTP/1.1\r\nHost: a", 400),
    (b"post /mcp HTTP/1.1\r\nHost: a", 400),
    (b"POST mcp HTTP/1.1\r\nHost: a", 400),
    (b"POST http://b/mcp HTTP/1.1\r\nHost: a", 400),
    (b"POST /m\xc3\xa9 HTTP/1.1\r\nHost: a", 400),
    (b"POST /mcp HTTP/2.0\r\nHost: a", 505),
    (b"POST /mcp HTTP/1.11\r\nHost: a", 400),
    (b"PRI * HTTP/2.0\r\nHost: a", 505),
    (b"POST /mcp HTTP/1.1", 400),
    (HEAD + b"Content-Length : 5", 400),
    (HEAD + b"Content-Length\t: 5", 400),
    (HEAD + b" Content-Length: 5", 400),
    (HEAD + b"X: a\r\n b", 400),
    (HEAD + b"X: a\r\n\tb", 400),
    (HEAD + b"X: a\nContent-Length: 5", 400),
    (HEAD + b"X: a\rContent-Length: 5", 400),
    (HEAD + b"X: a\x00b", 400),
    (HEAD + b"X: a\x0bb", 400),
    (HEAD + b": a", 400),
    (HEAD + b"X", 400),
    (HEAD + b"X\xa0: a", 400),
    (HEAD + b"Content-Length: 5\r\nContent-Length: 6", 400),
    (HEAD + b"Content-Length: 5\r\nContent-Length: 5", 400),
    (HEAD + b"Content-Length: 5, 5", 400),
    (HEAD + b"Content-Length: +5", 400),
    (HEAD + b"Content-Length: -5", 400),
    (HEAD + b"Content-Length: 0x5", 400),
    (HEAD + b"Content-Length: 5 5", 400),
    (HEAD + b"Content-Length: 1_0", 400),
    (HEAD + b"Content-Length: \xb2", 400),
    (HEAD + b"Content-Length:", 400),
    (HEAD + b"Content-Length: 99999999999999999999", 400),
    (HEAD + b"Content-Length: 99999999", 413),
    (HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked", 400),
    (HEAD + b"Transfer-Encoding: chunked\r\nContent-Length: 5", 400),
    (HEAD + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 501),
    (HEAD + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", 501),
    (HEAD + b"Transfer-Encoding: identity", 501),
    (HEAD + b"Transfer-Encoding: gzip, chunked", 501),
    (HEAD + b"Transfer-Encoding: xchunked", 501),
    (HEAD + b"Transfer-Encoding: \x0bchunked", 400),
    (HEAD + b'Transfer-Encoding: "chunked"', 501),
    (HEAD + b"Transfer-Encoding:", 501),
    (b"POST /mcp HTTP/1.0\r\nTransfer-Encoding: chunked", 400),
]


@pytest.mark.parametrize(("head", "status"), REFUSED)
def test_a_head_that_two_parsers_may_read_differently_is_refused(head, status):
    with pytest.raises(HttpError) as caught:
        parse_head(head)
    assert caught.value.status == status


def test_an_ordinary_head():
    head = parse_head(HEAD + b"content-LENGTH:5\r\nX-A: \t a b \t\r\nX-Empty:\r\nX-A: c\r\nX-L: caf\xe9")
    assert head == ("POST", "/mcp", head.headers, 5, False)
    assert head.headers == {"host": "a", "content-length": "5", "x-a": "a b, c", "x-empty": "", "x-l": "caf\xe9"}
    assert head.keeps_alive


# (request line, further fields, path, whether the connection is kept)
FORMS = [
    (b"GET /health?a=1 HTTP/1.1", b"", "/health", True),
    (b"OPTIONS * HTTP/1.1", b"", "*", True),
    (b"POST http://a/mcp HTTP/1.1", b"", "/mcp", True),
    (b"POST HTTPS://A/mcp?x HTTP/1.1", b"", "/mcp", True),
    (b"GET / HTTP/1.1", b"Connection: close", "/", False),
    (b"GET / HTTP/1.1", b"Connection: keep-alive, Close", "/", False),
    (b"GET / HTTP/1.0", b"Connection: keep-alive", "/", False),
]


@pytest.mark.parametrize(("line", "field", "path", "is_kept"), FORMS)
def test_forms_of_a_request(line, field, path, is_kept):
    request = parse_head(b"\r\n".join(filter(None, [line, b"Host: a", field])))
    assert (request.path, request.keeps_alive) == (path, is_kept)


@given(st.binary(max_size=200))
def test_any_head_is_a_request_or_an_error(data):
    for head in (data, HEAD + data):
        try:
            request = parse_head(head)
        except HttpError:
            continue
        assert request.length >= -1
        assert all(value == value.strip(" \t") for value in request.headers.values())


def fed(length, pieces):
    """Feed a body in pieces; return (the body, what is left over), or None if it is not complete."""
    body, buffer = Body(length), bytearray()
    for piece in pieces:
        buffer += piece
        if body.feed(buffer):
            return bytes(body.data), bytes(buffer)
    return None


def whole_and_bytewise(data):
    """The outcome of chunked data as one piece, which must equal that of single bytes."""
    outcomes = []
    for pieces in ([data], [data[n : n + 1] for n in range(len(data))]):
        try:
            outcomes.append(fed(-1, pieces))
        except HttpError as error:
            outcomes.append(error.status)
    assert outcomes[0] == outcomes[1] or (isinstance(outcomes[0], tuple) and outcomes[1][0] == outcomes[0][0]), outcomes
    return outcomes[0]


# (chunked data, body or status)
CHUNKED = [
    (b"0\r\n\r\n", b""),
    (b"3\r\nabc\r\n0\r\n\r\n", b"abc"),
    (b"0003\r\nabc\r\n00\r\n\r\n", b"abc"),
    (b"A\r\n0123456789\r\n0\r\n\r\n", b"0123456789"),
    (b'3;name=value;other="x"\r\nabc\r\n0;end\r\n\r\n', b"abc"),
    (b"3 \r\nabc\r\n0\r\n\r\n", b"abc"),
    (b"2\r\n\r\n\r\n0\r\n\r\n", b"\r\n"),
    (b"3\r\nabcd\r\n0\r\n\r\n", 400),
    (b"3\r\nab\r\n0\r\n\r\n", 400),
    (b"3\nabc\r\n0\r\n\r\n", 400),
    (b"3\r\nabc\n0\r\n\r\n", 400),
    (b"3;a\nb\r\nabc\r\n0\r\n\r\n", 400),
    (b"\r\nabc", 400),
    (b" 3\r\nabc\r\n0\r\n\r\n", 400),
    (b"+3\r\nabc\r\n0\r\n\r\n", 400),
    (b"-1\r\nabc\r\n0\r\n\r\n", 400),
    (b"0x3\r\nabc\r\n0\r\n\r\n", 400),
    (b"3_0\r\nabc\r\n0\r\n\r\n", 400),
    (b"g\r\nabc\r\n0\r\n\r\n", 400),
    (b"000000003\r\nabc\r\n0\r\n\r\n", 400),
    (b"ffffffff\r\n", 413),
    (b"800001\r\n", 413),
    (b"0\r\nTrailer: x\r\n\r\n", 400),
    (b"3;" + b"x" * 300 + b"\r\nabc\r\n0\r\n\r\n", 400),
    (b"1" * 300, 400),
    (b"1\r\nx\r\n" * 20001, 413),
]


@pytest.mark.parametrize(("data", "outcome"), CHUNKED)
def test_chunks(data, outcome):
    result = whole_and_bytewise(data)
    assert (result[0] if isinstance(result, tuple) else result) == outcome


def test_chunks_together_are_limited():
    half = b"%x\r\n" % (MAX_MESSAGE // 2) + b"x" * (MAX_MESSAGE // 2) + b"\r\n"
    assert fed(-1, [half, half, b"0\r\n\r\n"])[0] == b"x" * MAX_MESSAGE
    with pytest.raises(HttpError) as caught:
        fed(-1, [half, half, b"1\r\nx"])
    assert caught.value.status == 413
    assert str(MAX_MESSAGE) in caught.value.message


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=8), st.binary(max_size=10), st.integers(1, 7))
def test_a_body_comes_back_whole_and_what_follows_stays(parts, rest, step):
    plain = b"".join(parts)
    chunked = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
    for length, data in ((len(plain), plain), (-1, chunked)):
        data += rest
        body, buffer = Body(length), bytearray()
        is_complete = body.feed(buffer)
        for start in range(0, len(data), step):
            if is_complete:
                break
            buffer += data[start : start + step]
            is_complete = body.feed(buffer)
        assert is_complete
        assert body.data == plain
        assert len(buffer) <= len(rest)


@given(st.binary(max_size=100))
def test_any_chunks_are_a_body_or_an_error(data):
    whole_and_bytewise(data)


def test_a_bare_line_feed_is_seen_at_once():
    assert http_request.has_bare_lf(b"GET / HTTP/1.1\nHost: a\n\n")
    assert http_request.has_bare_lf(b"\n")
    assert not http_request.has_bare_lf(b"GET / HTTP/1.1\r\nHost: a\r\n")
