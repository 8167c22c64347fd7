"""One exchange over a scripted connection: any bytes from a server give a response or an error with a hint."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from net import fault_bodies, fault_rows

from webtool.errors import Cancelled, WebtoolError
from webtool.net import receiving
from webtool.net.dial import Watch

MAX_BYTES = 20000


class Connection:
    """Gives these bytes in pieces, then ends or raises."""

    def __init__(self, data, step=65536, breaks=False):
        self.data = data
        self.step = step
        self.breaks = breaks
        self.position = 0

    def settimeout(self, seconds):
        assert seconds > 0

    def send(self, data):
        return len(data)

    def recv(self, size):
        data = self.data[self.position : self.position + min(self.step, size)]
        self.position += len(data)
        if self.breaks and not data:
            raise ConnectionResetError(104, "reset")
        return data


def send_and_receive(data, step=65536, breaks=False, cut=False, is_cancelled=None):
    limits = receiving.Limits(Watch(time.monotonic() + 60, is_cancelled), MAX_BYTES, cut)
    return receiving.send_and_receive(Connection(data, step, breaks), b"GET", "GET", "http://a.example/", limits)


def test_a_long_message_is_not_copied_again_for_each_part_that_the_socket_takes():
    class Slow(Connection):
        longest = taken = 0

        def send(self, data):
            self.longest = max(self.longest, len(data))
            self.taken += min(1000, len(data))
            return min(1000, len(data))

    connection = Slow(b"")
    receiving.send(connection, bytes(1 << 20), Watch(time.monotonic() + 60))
    assert connection.taken == 1 << 20
    assert connection.longest < 1 << 19


@pytest.mark.parametrize("status", [b"414 URI Too Long", b"200 OK"])
def test_an_answer_that_comes_before_the_request_is_sent_counts(status):
    class Closed(Connection):
        def send(self, data):
            raise BrokenPipeError(32, "Broken pipe")

    limits = receiving.Limits(Watch(time.monotonic() + 60), MAX_BYTES, cut=False)
    connection = Closed(b"HTTP/1.1 " + status + b"\r\nContent-Length: 2\r\n\r\nno")
    response, is_reusable = receiving.send_and_receive(connection, b"GET", "GET", "http://a.example/", limits)
    assert (response.status, response.body, is_reusable) == (int(status[:3]), b"no", False)
    with pytest.raises(receiving.ConnectionLost, match="without an answer"):
        receiving.send_and_receive(Closed(b""), b"GET", "GET", "http://a.example/", limits)


class Recorder:
    """Records the first bytes that a behaviour of the fault table sends."""

    count, port, target = 1, 1, "/"
    headers, other_port = {}, 1

    def __init__(self, behaviour):
        self.data = b""
        self.server = self
        try:
            behaviour(self)
        except (StopIteration, KeyError):
            pass

    def send(self, data):
        self.data += data
        if len(self.data) > 30000:
            raise StopIteration

    def drip(self, pieces, _pause):
        for piece in pieces:
            self.send(piece)

    def wait(self, _seconds=0):
        raise StopIteration

    reset = wait


def recorded():
    rows = {**fault_rows.FRAMING, **fault_bodies.CODING, **fault_rows.STATUS_ROWS, **fault_rows.REDIRECT}
    for name in ("bomb-gzip", "bomb-deflate", "bomb-chunked", "bomb-twice", "chunked-long-size-line"):
        rows.pop(name)
    messages = (Recorder(fault.serve).data for fault in rows.values())
    return [message for message in messages if message and len(message) < 30000]


SEEDS = recorded()
PIECES = [
    b"\r\n", b"\n\n", b"0\r\n\r\n", b"chunked", b"gzip", b"Content-Length: ", b"Transfer-Encoding: ", b"HTTP/1.1 ",
    b"404", b"302", b"Location: ", b"\x1f\x8b", b":", b" ", b"\0", b"9" * 25,
]  # fmt: skip


@st.composite
def messages(draw):
    """A response from the tables with some bytes replaced, mostly in its head."""
    data = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(0, 5))):
        place = draw(st.integers(0, min(len(data), 300)))
        data[place : place + draw(st.integers(0, 5))] = draw(st.one_of(st.sampled_from(PIECES), st.binary(max_size=3)))
    return bytes(data)


@given(messages(), st.sampled_from([65536, 100]), st.booleans(), st.booleans())
def test_any_bytes_give_a_response_or_an_error_with_a_hint(data, step, breaks, cut):
    try:
        response, _ = send_and_receive(data, step, breaks, cut)
    except receiving.ConnectionLost as lost:
        error = lost.error
    except WebtoolError as exc:
        error = exc
    else:
        assert len(response.body) <= MAX_BYTES
        return
    assert error.hint
    assert error.code in ("NETWORK_ERROR", "FETCH_TOO_LARGE")
    assert len(error.message) < 300


HEADS = [
    b"HTTP/1.1 302 Found\r\nLocation: /a\r\n", b"HTTP/1.0 301 Moved\r\nLocation: /a\r\n", b"HTTP/1.1 404 Not Found\r\n",
    b"HTTP/1.1 503 Busy\r\nRetry-After: 5\r\n", b"HTTP/1.1 999 No\r\n",
]  # fmt: skip
FRAMES = [
    b"", b"Transfer-Encoding: chunked\r\n", b"Content-Length: 5000\r\n", b"Content-Encoding: gzip\r\n",
    b"Content-Encoding: br\r\n", b"Transfer-Encoding: x\r\n", b"Content-Length: 99999999999\r\n",
]  # fmt: skip


@given(st.sampled_from(HEADS), st.sampled_from(FRAMES), st.binary(max_size=300), st.booleans())
def test_a_bad_body_of_a_redirect_or_an_error_is_ignored(head, frame, body, breaks):
    response, _ = send_and_receive(head + frame + b"\r\n" + body, breaks=breaks)
    assert response.status == int(head[9:12])
    assert len(response.body) <= len(body)


@pytest.mark.parametrize("head", HEADS)
def test_an_endless_error_body_is_abandoned_with_its_connection(head):
    response, is_reusable = send_and_receive(head + b"\r\n" + b"x" * 1000000)
    assert response.truncated
    assert len(response.body) == MAX_BYTES
    assert not is_reusable


@pytest.mark.parametrize("head", HEADS)
def test_a_short_error_body_leaves_the_connection_reusable(head):
    response, is_reusable = send_and_receive(head + b"Content-Length: 5\r\n\r\nmoved")
    assert (response.body, response.truncated) == (b"moved", False)
    assert is_reusable is (head[5:8] == b"1.1")


def test_a_cancelled_request_is_not_a_response():
    asked = []

    def is_cancelled():
        asked.append(1)
        return len(asked) > 3

    with pytest.raises(Cancelled):
        send_and_receive(HEADS[2] + b"\r\n" + b"x" * 5000, step=10, is_cancelled=is_cancelled)
