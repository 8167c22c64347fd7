"""HTTP/1.1 without I/O: framing by RFC 9112, size limits, and mutations of correct messages."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from webtool.errors import NetworkError, WebtoolError
from webtool.net import exchange


def read(data, method="GET", step=None, closes=True):
    """Feed a message in pieces; return (head, body, keeps_alive)."""
    reader = exchange.ResponseReader(method)
    step = step or len(data) or 1
    events = []
    for start in range(0, len(data), step):
        events += reader.feed(data[start : start + step])
    if not reader.is_done and closes:
        events.append(reader.eof())
    assert isinstance(events[0], exchange.Head)
    assert isinstance(events[-1], exchange.End)
    return events[0], b"".join(event.data for event in events[1:-1]), events[-1].keeps_alive


# (message, status, body, keeps the connection)
MESSAGES = [
    (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", 200, b"abc", True),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc", 200, b"abc", False),
    (b"HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc", 200, b"abc", False),
    (b"HTTP/1.0 200 OK\r\nContent-Length: 3\r\nConnection: Keep-Alive\r\n\r\nabc", 200, b"abc", True),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef", 200, b"abc", False),
    (b"HTTP/1.1 200\r\n\r\nuntil the end", 200, b"until the end", False),
    (b"HTTP/1.1 204 No Content\r\n\r\n", 204, b"", True),
    (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", 304, b"", True),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 200, b"abc", True),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3 ; x=y\nabc\n0\nA: b\n\n", 200, b"abc", True),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n", 200, b"", False),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 1\r\n\r\na", 200, b"a", True),
    # Sections 6.1 and 6.3: framing that another reader may see otherwise ends the connection.
    (b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 200, b"", False),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 200, b"", False),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 200, b"", True),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"0" * 99 + b"1\r\na\r\n00\r\n\r\n", 200, b"a", True),
    (b"HTTP/1.1 200 OK\r\nContent-Length: " + b"0" * 99 + b"1\r\n\r\na", 200, b"a", True),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 3, 3\r\n\r\nabc", 200, b"abc", True),
    (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, b"", True),
    (b"HTTP/1.1 200 OK\nContent-Length: 1\n\na", 200, b"a", True),
    (b"\r\n\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", 200, b"a", True),
    # Section 8: a chunked body is complete after its last chunk.
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n", 200, b"abc", False),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n", 200, b"abc", False),
    (b"HTTP/1.1  200  Two blanks\r\nContent-Length: 0\r\n\r\n", 200, b"", True),
]


@pytest.mark.parametrize(("data", "status", "body", "keeps_alive"), MESSAGES, ids=range(len(MESSAGES)))
@pytest.mark.parametrize("step", [None, 1, 2, 3, 7])
def test_a_message_is_read_however_it_is_split(data, status, body, keeps_alive, step):
    head, got, kept = read(data, step=step)
    assert (head.status, got) == (status, body)
    if step is None:
        assert kept is keeps_alive


def test_a_head_request_has_no_body():
    head, body, kept = read(b"HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n", method="HEAD")
    assert (head.status, body, kept) == (200, b"", True)


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
REFUSED = [
    b"", b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", b"HTTP/1.1 200 OK\r\n", b"<html>", b"HTTP/2 200 OK\r\n\r\n",
    b"HTTP/1.1 20 OK\r\n\r\n", b"HTTP/1.1 099 OK\r\n\r\n", b"HTTP/1.1 2000 OK\r\n\r\n", b"HTTP/1.1200 OK\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: +3\r\n\r\nabc",
    b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: \xb2\r\n\r\nabc", b"HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\nabc",
    CHUNKED, CHUNKED + b"3\r\nabc\r\n", CHUNKED + b"3\r\nabc\r\n0", CHUNKED + b"\r\n",
    CHUNKED + b"1_0\r\n", CHUNKED + b"3\r\nabcd\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip, chunked\r\n\r\n",
    b"HTTP/1.1 101 Switching\r\n\r\n", b"\x15\x03\x03\0\2\2\x16", b"SSH-2.0-x\r\n", b"\n\n\n\n\n",
    b"\r\n\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
]  # fmt: skip


@pytest.mark.parametrize("data", REFUSED, ids=range(len(REFUSED)))
@pytest.mark.parametrize("step", [None, 1])
def test_bytes_that_are_not_http_are_a_network_error(data, step):
    with pytest.raises(NetworkError):
        read(data, step=step)


ENDLESS = [
    (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 100, exchange.MAX_HEAD),
    (b"HTTP/1.1 200 OK\r\nX:", b"y" * 1000, exchange.MAX_HEAD),
    (b"HTTP/1.1 200 OK\r\nX: y\r\n", b" z\r\n" * 100, exchange.MAX_HEAD),
    (b"", b"HTTP/1.1 103 Early\r\n\r\n", 1000),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"x" * 100, exchange.MAX_CHUNK_LINE),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"X: y\r\n" * 100, exchange.MAX_TRAILERS),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"X" * 100, exchange.MAX_TRAILERS),
]


@pytest.mark.parametrize(("start", "more", "bound"), ENDLESS, ids=range(len(ENDLESS)))
def test_every_part_of_a_message_has_a_size_limit(start, more, bound):
    reader = exchange.ResponseReader("GET")
    list(reader.feed(start))
    fed = 0

    def feed():
        nonlocal fed
        while fed < 3 * bound:
            fed += len(more)
            list(reader.feed(more))

    with pytest.raises(NetworkError):
        feed()
    assert fed <= bound * 1.2 + 2 * len(more)


def test_a_head_that_drips_is_read_in_linear_time():
    reader = exchange.ResponseReader("GET")
    data = b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 900 + b"Y: " + b"z" * 60000 + b"\r\nContent-Length: 0\r\n\r\n"
    events = [event for position in range(len(data)) for event in reader.feed(data[position : position + 1])]
    assert [type(event) for event in events] == [exchange.Head, exchange.End]


SEEDS = [data for data, *_ in MESSAGES] + REFUSED


@st.composite
def mutations(draw):
    """A message from the tables with bytes replaced, inserted and removed."""
    data = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(0, 6))):
        place = draw(st.integers(0, len(data)))
        cut = draw(st.integers(0, 4))
        data[place : place + cut] = draw(
            st.one_of(st.binary(max_size=4), st.sampled_from([b"\r\n", b"\n\n", b"0\r\n", b":", b"9" * 30, b"chunked"]))
        )
    return bytes(data)


@given(mutations(), st.integers(1, 9), st.sampled_from(["GET", "HEAD"]))
@example(b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n", 9, "GET")
def test_mutated_messages_are_read_or_refused_however_they_are_split(data, step, method):
    outcomes = []
    for size in (None, step):
        try:
            head, body, _ = read(data, method, size)
            outcomes.append((head.status, tuple(head.headers), body))
        except WebtoolError as exc:
            outcomes.append(exc.code)
    assert outcomes[0] == outcomes[1]


# RFC 9112 section 6.3, its rules in their order: (method, status, further fields, what is read of CHUNKED as the body).
ONE_CHUNK = b"1\r\na\r\n0\r\n\r\n"
FRAMING = [
    ("HEAD", 200, "Content-Length: 3", b""),
    ("GET", 204, "Content-Length: 3", b""),
    ("GET", 304, "Transfer-Encoding: chunked", b""),
    ("CONNECT", 200, "Content-Length: 3", b""),
    ("CONNECT", 299, "Transfer-Encoding: chunked", b""),
    ("CONNECT", 300, "Content-Length: 3", ONE_CHUNK[:3]),
    ("CONNECT", 407, "Transfer-Encoding: chunked", b"a"),
    ("GET", 200, "Transfer-Encoding: chunked\r\nContent-Length: 3", b"a"),
    ("GET", 200, "Transfer-Encoding: gzip", ONE_CHUNK),
    ("GET", 200, "Content-Length: 0", b""),
    ("GET", 200, "Content-Length: 3", ONE_CHUNK[:3]),
    ("GET", 200, "X: y", ONE_CHUNK),
]


@pytest.mark.parametrize(("method", "status", "fields", "body"), FRAMING)
def test_the_first_framing_rule_that_applies_delimits_the_body(method, status, fields, body):
    data = f"HTTP/1.1 {status} Reason\r\n{fields}\r\n\r\n".encode() + ONE_CHUNK
    reader = exchange.ResponseReader(method)
    events = list(reader.feed(data))
    if not reader.is_done:
        events.append(reader.eof())
    assert b"".join(event.data for event in events if isinstance(event, exchange.Data)) == body


@pytest.mark.parametrize("step", [1000, None])
def test_a_head_of_exactly_the_limit_is_read(step):
    line = b"HTTP/1.1 204 OK\r\n"
    longest = line + b"X: " + b"y" * (exchange.MAX_HEAD - len(line) - 7) + b"\r\n\r\n"
    assert len(longest) == exchange.MAX_HEAD
    assert read(longest, step=step)[0].status == 204
    with pytest.raises(NetworkError):
        read(longest.replace(b"X: ", b"X: y"), step=step)


# Forms of a small chunk, and the text around it that is malformed.
SMALL = [b"1\r\n%c\r\n", b"1\n%c\n", b"01\r\n%c\r\n", b"1;a=b\r\n%c\r\n", b"1 ; x\n%c\r\n", b"000000000001\r\n%c\r\n"]


@pytest.mark.parametrize("form", SMALL)
@pytest.mark.parametrize("step", [None, 1, 7, 64])
def test_small_chunks_are_read_however_they_are_written(form, step):
    body = bytes(range(256))
    data = CHUNKED + b"".join(form % byte for byte in body) + b"0\r\n\r\n"
    assert read(data, step=step)[1] == body


@pytest.mark.parametrize("form", SMALL)
def test_many_small_chunks_arrive_as_one_event(form):
    events = list(exchange.ResponseReader("GET").feed(CHUNKED + form % b"x" * 1000 + b"0\r\n\r\n"))
    assert [type(event).__name__ for event in events] == ["Head", "Data", "End"]
    assert events[1].data == b"x" * 1000


@pytest.mark.parametrize("bad", [b"1\r\nab\r\n", b"1\r\na\r\r\n", b"g\r\na\r\n", b"1 1\r\na\r\n"])
@pytest.mark.parametrize("step", [None, 1])
def test_a_malformed_chunk_after_small_ones_is_refused(bad, step):
    with pytest.raises(NetworkError):
        read(CHUNKED + b"1\r\na\r\n" * 50 + bad + b"0\r\n\r\n", step=step)


def test_only_a_line_end_may_follow_a_chunk():
    start = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n"
    for wrong in (b"abc", b"ab\r\n", b"a\rb"):
        reader = exchange.ResponseReader("GET")
        with pytest.raises(NetworkError):
            list(reader.feed(start + wrong + b"x" * 10))
