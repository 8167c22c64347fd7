"""Requests are read strictly, whole or in pieces; what two parsers may read in two ways is refused."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.mcp.http_request import MAX_HEAD, MAX_MESSAGE, HttpError, read_body, read_head
from webtool.mcp.http_request import parse_head as parse_lines

HEAD = b"POST /mcp HTTP/1.1\r\nHost: a\r\n"


def parse_head(head):
    return parse_lines(head.split(b"\r\n"))


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


def read(function, pieces, *arguments):
    """Read from a stream to which the pieces come one by one; return what was read or the status, and the rest."""

    async def main():
        reader = asyncio.StreamReader(limit=MAX_HEAD)

        async def feed():
            for piece in pieces:
                reader.feed_data(piece)
                await asyncio.sleep(0)
            reader.feed_eof()

        feeding = asyncio.ensure_future(feed())
        try:
            outcome = await function(reader, *arguments)
        except HttpError as error:
            outcome = error.status
        except EOFError:
            outcome = EOFError
        await feeding
        return outcome, await reader.read()

    return asyncio.run(main())


def body_of(length, pieces):
    return read(read_body, pieces, length, lambda size: None)


def whole_and_bytewise(data):
    """The outcome of chunked data as one piece, which must equal that of single bytes."""
    whole, bytewise = (body_of(-1, pieces) for pieces in ([data], [data[n : n + 1] for n in range(len(data))]))
    assert whole == bytewise
    return whole[0]


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
    (b"3;" + b"x" * 20000 + b"\r\nabc\r\n0\r\n\r\n", 431),
    (b"1" * 300, EOFError),
    (b"1" * 300 + b"\r\n", 400),
    (b"1\r\nx\r\n" * 20001, 413),
]


@pytest.mark.parametrize(("data", "outcome"), CHUNKED)
def test_chunks(data, outcome):
    assert whole_and_bytewise(data) == outcome


def test_chunks_together_are_limited():
    half = b"%x\r\n" % (MAX_MESSAGE // 2) + b"x" * (MAX_MESSAGE // 2) + b"\r\n"
    assert body_of(-1, [half, half, b"0\r\n\r\n"])[0] == b"x" * MAX_MESSAGE
    assert body_of(-1, [half, half, b"1\r\nx"])[0] == 413


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=8), st.binary(max_size=10), st.integers(1, 7))
def test_a_body_comes_back_whole_and_what_follows_stays(parts, rest, step):
    plain = b"".join(parts)
    chunked = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
    for length, data in ((len(plain), plain), (-1, chunked)):
        data += rest
        assert body_of(length, [data[n : n + step] for n in range(0, len(data), step)]) == (plain, rest)


def test_the_bytes_of_a_body_are_announced_before_they_are_read():
    sizes = []
    assert read(read_body, [b"12345"], 5, sizes.append)[0] == b"12345"
    assert read(read_body, [b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"], -1, sizes.append)[0] == b"abcde"
    assert sizes == [5, 3, 2, 0]


@given(st.binary(max_size=100))
def test_any_chunks_are_a_body_or_an_error(data):
    whole_and_bytewise(data)


# (bytes, path, status or EOFError, bytes that stay)
STREAMS = [
    (b"GET / HTTP/1.1\r\nHost: a\r\n\r\nrest", "/", b"rest"),
    (b"\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "/", b""),
    (b"GET / HTTP/1.1\nHost: a\n\n", 400, b"Host: a\n\n"),
    (b"GET / HTTP/1.1\r\nHost: a\n\r\n\r\n", 400, b"\r\n\r\n"),
    (b"GET / HTTP/1.1\r\nHost: a\r\n", EOFError, b""),
    (b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 3000, 431, None),
    (b"GET / HTTP/1.1\r\nX: " + b"a" * 20000, 431, None),
    (b"\r\n" * 10000, 431, None),
    (b"", EOFError, b""),
]


@pytest.mark.parametrize(("data", "outcome", "rest"), STREAMS)
def test_a_head_ends_with_an_empty_line(data, outcome, rest):
    for pieces in ([data], [data[n : n + 1] for n in range(len(data))]):
        request, left = read(read_head, pieces)
        assert getattr(request, "path", request) == outcome
        assert rest is None or left == rest
    if data:
        request, left = read(read_head, [data[1:]], data[:1])
        assert getattr(request, "path", request) == outcome
