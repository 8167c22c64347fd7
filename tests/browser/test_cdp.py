"""Messages over two pipes: framing, answers, events, and every way in which the other end may fail."""

import json
import os
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.browser.cdp import GONE, BrowserGone, Connection, MessagePipe, NoAnswer, PipeBroken, ProtocolError


class Peer:
    """The browser's side of the two pipes, played by the test."""

    def __init__(self, max_message=1 << 20):
        self.reading, ours = os.pipe()
        answers, self.writing = os.pipe()
        self.pipe = MessagePipe(ours, answers, max_message)
        self._buffer = b""
        self._open = [self.reading, self.writing]

    def write(self, data):
        os.write(self.writing, data)

    def say(self, message):
        self.write(json.dumps(message).encode() + b"\0")

    def hear(self):
        while b"\0" not in self._buffer:
            self._buffer += os.read(self.reading, 65536)
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def hang_up(self):
        self._close(self.writing)

    def close(self):
        self._close(self.reading)
        self._close(self.writing)

    def _close(self, fd):
        """Once: another thread's descriptor has the same number soon."""
        if fd in self._open:
            self._open.remove(fd)
            os.close(fd)


@pytest.fixture
def peer():
    peer = Peer()
    yield peer
    peer.close()


@pytest.fixture
def connection(peer):
    connection = Connection(peer.pipe)
    yield connection
    connection.close()
    peer.hang_up()
    connection.join(30.0)


def soon(seconds=30.0):
    return time.monotonic() + seconds


texts = st.binary(max_size=200).map(lambda data: data.replace(b"\0", b""))


@given(messages=st.lists(texts, max_size=20), data=st.data())
def test_messages_survive_any_cutting(messages, data):
    stream = b"".join(message + b"\0" for message in messages)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    peer = Peer()

    def send():
        start = 0
        for cut in [*cuts, len(stream)]:
            if cut > start:
                peer.write(stream[start:cut])
            start = max(start, cut)
        peer.hang_up()

    thread = threading.Thread(target=send)
    thread.start()
    assert [peer.pipe.read() for _ in messages] == messages
    with pytest.raises(PipeBroken):
        peer.pipe.read()
    thread.join()
    peer.pipe.close_commands()
    peer.pipe.close_answers()
    peer.close()


def test_message_above_the_bound_breaks_the_pipe():
    peer = Peer(max_message=1000)
    peer.write(b"x" * 2000)
    with pytest.raises(PipeBroken, match="1000"):
        peer.pipe.read()
    peer.pipe.close_commands()
    peer.pipe.close_answers()
    peer.close()


def test_nothing_is_written_after_a_part_of_a_message(peer):
    with pytest.raises(PipeBroken):
        peer.pipe.write(b"x" * 5_000_000, time.monotonic() + 0.1)
    os.read(peer.reading, 1 << 20)  # now there is room
    with pytest.raises(PipeBroken, match="closed"):
        peer.pipe.write(b"{}", time.monotonic() + 0.1)


def test_browser_that_does_not_read_breaks_the_pipe_at_the_deadline(peer):
    started = time.monotonic()
    with pytest.raises(PipeBroken, match="does not take commands"):
        peer.pipe.write(b"x" * (4 << 20), soon(0.3))
    assert time.monotonic() - started < 20


def test_large_command_goes_through_in_pieces(peer):
    received = []
    thread = threading.Thread(target=lambda: received.append(peer.hear()))
    thread.start()
    peer.pipe.write(json.dumps("x" * (1 << 20)).encode(), soon())
    thread.join(10)
    assert received == ["x" * (1 << 20)]


def test_answers_find_their_calls_in_any_order(peer, connection):
    first, second = connection.start("A.one"), connection.start("A.two", {"x": 1}, "s1")
    heard = [peer.hear(), peer.hear()]
    assert [message["method"] for message in heard] == ["A.one", "A.two"]
    assert (heard[1]["params"], heard[1]["sessionId"]) == ({"x": 1}, "s1")
    peer.say({"id": 999, "result": {}})
    peer.say({"id": heard[1]["id"], "result": {"n": 2}})
    peer.say({"id": heard[0]["id"], "result": {"n": 1}})
    assert (first.result(soon()), second.result(soon())) == ({"n": 1}, {"n": 2})


def test_refused_command_raises_with_the_browsers_words(peer, connection):
    pending = connection.start("A.none")
    peer.say({"id": peer.hear()["id"], "error": {"code": -32601, "message": "'A.none' wasn't found"}})
    with pytest.raises(ProtocolError, match="wasn't found"):
        pending.result(soon())


def test_silence_ends_at_the_deadline(connection):
    with pytest.raises(NoAnswer, match=r"A\.one"):
        connection.call("A.one", deadline=soon(0.05))


def test_events_go_to_their_session_only(peer, connection):
    seen, done = [], threading.Event()
    connection.subscribe("s1", lambda *event: seen.append(event))
    connection.subscribe("", lambda *event: done.set())
    peer.say({"method": "Page.x", "params": {"n": 1}, "sessionId": "s1"})
    peer.say({"method": "Page.x", "params": {"n": 2}, "sessionId": "s2"})
    peer.say({"method": "Target.y"})
    assert done.wait(30)
    assert seen == [("s1", "Page.x", {"n": 1})]
    connection.unsubscribe("s1")


ENDS = [
    (lambda peer: peer.hang_up(), "closed the pipe"),
    (lambda peer: peer.write(b"no json\0"), "not a message"),
    (lambda peer: peer.write(b"\xff\xfe\0"), "not a message"),
]


@pytest.mark.parametrize(("end", "reason"), ENDS)
def test_end_of_the_browser_wakes_every_caller_and_handler(peer, connection, end, reason):
    is_gone = threading.Event()
    connection.subscribe("s1", lambda session, method, params: method == GONE and is_gone.set())
    pending = connection.start("A.one")
    end(peer)
    with pytest.raises(BrowserGone, match=reason):
        pending.result(soon())
    assert is_gone.wait(30)
    with pytest.raises(BrowserGone, match=reason):
        connection.call("A.two", deadline=soon())
    assert reason in connection.end


def test_closed_connection_refuses_calls(connection):
    connection.close()
    with pytest.raises(BrowserGone):
        connection.call("A.one", deadline=soon())


def test_done_callback_runs_when_the_answer_comes(peer, connection):
    done = threading.Event()
    connection.start("A.one", on_done=done.set)
    peer.say({"id": peer.hear()["id"], "result": {}})
    assert done.wait(30)
