"""The answer to one POST of messages. In: what the threads say. Out: JSON, or a stream of events, on a connection.

An Exchange takes responses and notifications from any thread; respond() sends them from the event loop. The answer is
JSON if all responses come before a notification and before PING_SECONDS are over. Else it is a stream of events, for
clients that accept one. A client that does not read gets no notifications: only responses wait for it in memory.
Specification: MCP, Streamable HTTP.
Tests: tests/mcp/test_http_server.py
"""

from __future__ import annotations

import _thread
import asyncio
from collections import deque
from collections.abc import Mapping

from webtool.lean.typing import Any
from webtool.mcp import messages
from webtool.mcp.http_connection import BUSY, MAX_SMALL, Connection
from webtool.mcp.http_request import Request
from webtool.mcp.loop import Replies
from webtool.mcp.messages import INTERNAL_ERROR, METHOD_NOT_FOUND

PING_SECONDS = 10.0  # between two comments on a quiet stream, which keep proxies from closing it
JSON_RANGES = ("application/json", "application/*", "*/*")  # of Accept: a client with one of them takes JSON
GRACE_SECONDS = 2.0  # for the answer to a client that has closed its side of the connection


class Exchange(Replies):
    """The messages that answer one POST: threads put them in, respond() takes them out."""

    def __init__(self, line: messages.Line, is_stateless: bool, connection: Connection) -> None:
        self.connection = connection
        self.due = line.due  # responses that are still to come
        self.is_batch = line.is_batch
        self.is_over = False
        self._is_stateless = is_stateless
        self.status = 200
        # (message, is it a response); a response is b"" if its request was cancelled
        self.arrived: deque[tuple[bytes, bool]] = deque()
        self.changed = asyncio.Event()
        self._putting = _thread.allocate_lock()
        self._loop = asyncio.get_running_loop()

    def answer(self, message: dict[str, Any] | None) -> None:
        """Take a response. If too many answers are in memory, an error takes its place.

        The connection counts the bytes of its answers with hold(), and gives all back when they are sent.
        """
        data = b"" if message is None else _encoded(message)
        with self._putting:
            if self.is_over:
                return
            if not self.connection.hold(len(data), may_exceed=len(data) <= MAX_SMALL) and message is not None:
                message = messages.error(message["id"], INTERNAL_ERROR, BUSY)
                data = _encoded(message)
                self.connection.hold(len(data))
            # A batch needs a session, so this is the only response.
            if self._is_stateless and message is not None and "error" in message:
                self.status = 404 if message["error"]["code"] == METHOD_NOT_FOUND else 200
            self.arrived.append((data, True))
        self._wake()

    def send(self, message: object) -> None:
        """Take a notification. It is not counted as held: respond() drops it if the client does not read."""
        data = _encoded(message)
        with self._putting:
            if self.is_over:
                return
            self.arrived.append((data, False))
        self._wake()

    def _wake(self) -> None:
        """Let respond() look at what has arrived."""
        try:
            self._loop.call_soon_threadsafe(self.changed.set)
        except RuntimeError:
            pass  # the server has ended

    def end(self) -> None:
        """Take no further messages, and forget those that were not sent."""
        with self._putting:
            self.is_over = True
            self.arrived.clear()


def _encoded(message: object) -> bytes:
    return messages.encode(message).rstrip(b"\n")


async def respond(exchange: Exchange, request: Request, headers: Mapping[str, str]) -> None:
    """Send the messages as JSON or events; 202 if none gets an answer. Raises EOFError if the client has left."""
    connection = exchange.connection
    if not exchange.due:
        connection.reply(202)
        return
    events = _Events(connection, request, headers) if "text/event-stream" in request.accepted else None
    # Reads one byte ahead. b"" means that the client has left; any other byte is the first one of the next request.
    next_byte = asyncio.ensure_future(_next_byte(connection.reader))
    next_byte.add_done_callback(lambda _: exchange.changed.set())
    try:
        answers = await _answers(exchange, events, next_byte)
    finally:
        exchange.end()
        next_byte.cancel()
        await asyncio.wait({next_byte})
    connection.first_byte = b"" if next_byte.cancelled() else next_byte.result()
    takes_json = not request.accepted.isdisjoint(JSON_RANGES)
    if events and (events.is_open or not takes_json):
        events.end(answers)
    else:
        _reply_as_json(exchange, answers, headers)


async def _answers(exchange: Exchange, events: _Events | None, next_byte: asyncio.Future[bytes]) -> list[bytes]:
    """Wait for all responses; meanwhile send notifications and comments as events. Raises EOFError."""
    connection = exchange.connection
    answers: list[bytes] = []
    while exchange.due > 0:
        is_quiet = not exchange.arrived and not await _happens(exchange.changed, PING_SECONDS)
        has_left = next_byte.done() and not next_byte.result()
        if connection.server.has_ended or has_left:
            raise EOFError
        if exchange.arrived:
            message, is_answer = exchange.arrived.popleft()
            if is_answer:
                exchange.due -= 1
                # Nothing large is written for a client that has closed its side. The write would fail, and the
                # traceback of its error would keep the answer in memory.
                if len(message) > MAX_SMALL and connection.reader.at_eof():
                    raise EOFError
                if message:
                    answers.append(message)
            elif events:
                events.write_if_read(message)
        elif is_quiet and events:
            events.write_if_read(b"")
    return answers


def _reply_as_json(exchange: Exchange, answers: list[bytes], headers: Mapping[str, str]) -> None:
    """Write the answers as one JSON value; 202 and nothing if all were cancelled."""
    parts = answers
    if answers and exchange.is_batch:
        parts = [b"[", *(part for answer in answers for part in (answer, b",")), b"]"]
        del parts[-2]  # the last comma
    exchange.connection.reply(exchange.status if answers else 202, *parts, headers=headers)


async def _next_byte(reader: asyncio.StreamReader) -> bytes:
    """Return the first byte of the next request, or b"" some seconds after the client has closed its side.

    Most clients that close their side have left, but some still read.
    """
    try:
        first = await reader.read(1)
    except OSError:
        first = b""
    if not first:
        await asyncio.sleep(GRACE_SECONDS)
    return first


class _Events:
    """A response of type text/event-stream. Its head is written with the first event."""

    def __init__(self, connection: Connection, request: Request, headers: Mapping[str, str]) -> None:
        self.is_open = False
        self._connection = connection
        self._is_chunked = not request.is_http_1_0
        self._headers = {"Content-Type": "text/event-stream", "X-Accel-Buffering": "no", **headers}
        if self._is_chunked:
            self._headers["Transfer-Encoding"] = "chunked"

    def write(self, message: bytes) -> None:
        """Write a message, or a comment if it is empty."""
        if not self.is_open:
            self._connection.write_head(200, self._headers)
            self.is_open = True
        event = b"event: message\r\ndata: %b\r\n\r\n" % message if message else b": \r\n\r\n"
        self._connection.write(b"%x\r\n%b\r\n" % (len(event), event) if self._is_chunked else event)

    def write_if_read(self, message: bytes) -> None:
        """Write a message or comment if the client has read everything before it; else drop it."""
        if not self._connection.transport.get_write_buffer_size():
            self.write(message)

    def end(self, answers: list[bytes]) -> None:
        for answer in answers:
            self.write(answer)
        if not answers:
            self.write(b"")
        if self._is_chunked:
            self._connection.write(b"0\r\n\r\n")


async def _happens(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, and clear it. Returns False if it does not come in time."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except asyncio.TimeoutError:
        return False
    finally:
        event.clear()
    return True
