"""One client's connection to the server over HTTP. In: bytes from a socket. Out: requests; bytes of the responses.

A Connection reads one request after the other, has Connections.answer() answer it, and closes if the client closes, is
too slow, or sends what is not HTTP. Connections is what all connections of a server share: their number and the bytes
in memory, both bounded. The bytes of a request are counted before they are read (hold), those of its answers when a
thread gives them; all are given back after the answer was sent (release).
Specification: RFC 9112.
Tests: tests/mcp/test_http_server.py
"""

from __future__ import annotations

import _thread
import asyncio
import time
from collections.abc import Mapping
from email.utils import formatdate
from http import HTTPStatus

from webtool.mcp import messages
from webtool.mcp.http_request import MAX_HEAD, Access, HttpError, Request, read_body, read_head
from webtool.mcp.stdio import warn

MAX_CONNECTIONS = 1024  # the one that has waited longest for a request is closed for a further one
MAX_REFUSED = 64  # further connections, which only read why they are refused; the oldest is cut for a further one
MAX_HELD = 96 * 1024 * 1024  # bytes of messages and answers in memory; a further message gets an error
MAX_SMALL = 256 * 1024  # bytes; a message or answer of at most this size is taken even if MAX_HELD is reached
_DECODED_FACTOR = 4  # bytes counted for each byte of a message, because it takes more memory once it is decoded
BUSY = f"The server is busy: at most {MAX_HELD} bytes of messages and answers may be in memory"
HEAD_SECONDS = 10.0  # for the head of a request
BODY_SECONDS = 60.0  # for the body of a request
SEND_SECONDS = 60.0  # for a client to read an answer
IDLE_SECONDS = 60.0  # for the next request on an open connection
_LINGER_SECONDS = 2.0  # for a refused client to read why, before its connection is closed


class Connections:
    """The connections of one server, and their bounds."""

    def __init__(self, access: Access, max_connections: int = MAX_CONNECTIONS) -> None:
        self.access = access
        self.max_connections = max_connections
        self.connections: dict[Connection, None] = {}
        self.refused: dict[Connection, None] = {}  # those beyond max_connections; the oldest first
        self.held = 0  # bytes of messages and answers in memory, of all connections
        self.holding = _thread.allocate_lock()  # for `held`
        self.has_ended = False  # wait_for() of Python 3.9 to 3.11 may swallow a cancellation, so connections look here

    async def answer(self, request: Request, connection: Connection) -> None:
        """Answer one request. Raises HttpError."""
        raise NotImplementedError

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client."""
        await Connection(self, reader, writer).run()

    def admit(self, connection: Connection) -> bool:
        """Add a connection. If there are too many, close the one that has waited longest for a request.

        If all others are busy, add it to `refused` and return False: the caller answers why, and closes it.
        """
        if len(self.connections) >= self.max_connections:
            waiting = [other for other in self.connections if other.waits_since is not None]
            if not waiting:
                if len(self.refused) >= MAX_REFUSED:
                    first = next(iter(self.refused))
                    del self.refused[first]
                    first.transport.abort()
                self.refused[connection] = None
                return False
            oldest = min(waiting, key=lambda other: other.waits_since or 0.0)
            del self.connections[oldest]
            oldest.transport.abort()
        self.connections[connection] = None
        return True


class Connection:
    """One client's connection."""

    def __init__(self, server: Connections, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.server = server
        self.reader = reader
        self.transport = writer.transport
        self.write = writer.write  # writes a part of a response
        self._writer = writer
        self.transport.set_write_buffer_limits(high=0)  # so that drain() waits until the client has read everything
        self._address = str(writer.get_extra_info("sockname")[0])
        self.first_byte = b""  # of the next request, if respond() read it before the answer to this one
        self._held = 0  # bytes in memory for the present request, its answers included
        self._cors: dict[str, str] = {}
        self.waits_since: float | None = time.monotonic()  # for a request; None while one is answered

    async def run(self) -> None:
        """Answer one request after the other until the connection ends."""
        try:
            if not self.server.admit(self):
                raise HttpError(503, f"At most {self.server.max_connections} connections may be open")
            while await self._serve_one():
                pass
        except HttpError as error:
            await self._refuse(error)
        except (OSError, EOFError, asyncio.TimeoutError, asyncio.CancelledError):
            pass  # the client is gone or does not read, or the server ends
        except Exception as exc:
            warn(f"a bug ended a connection: {exc!r}")
        finally:
            self.release()
            self.server.connections.pop(self, None)
            self.server.refused.pop(self, None)
            if self.transport.get_write_buffer_size():
                self.transport.abort()
            self._writer.close()

    async def _serve_one(self) -> bool:
        """Answer the next request. Returns whether the connection stays open."""
        if self.server.has_ended:
            return False
        self._cors, self.waits_since = {}, time.monotonic()
        first = self.first_byte or await asyncio.wait_for(self.reader.read(1), IDLE_SECONDS)
        if not first:
            return False
        try:
            request = await asyncio.wait_for(read_head(self.reader, first), HEAD_SECONDS)
        except asyncio.TimeoutError:
            raise HttpError(408, f"The head of a request may take {HEAD_SECONDS:g} s") from None
        self.first_byte = b""
        self._cors = self.server.access.check_names(request.headers, self._address)
        await self.server.answer(request, self)
        await asyncio.wait_for(self._writer.drain(), SEND_SECONDS)
        self.release()
        return request.keeps_alive

    async def _refuse(self, error: HttpError) -> None:
        """Send an error, give the client a moment to read it, and close."""
        self.waits_since = 0.0  # it is the first to be closed for another one
        body = messages.encode(error.response(error.id))
        try:
            self.reply(error.status, body, headers={**error.headers, "Connection": "close"})
            self._writer.write_eof()
            await asyncio.wait_for(self._discard(), _LINGER_SECONDS)
        except (OSError, asyncio.TimeoutError):
            pass

    async def _discard(self) -> None:
        """Read until the client closes: an answer is lost if its connection ends with bytes unread."""
        while await self.reader.read(MAX_HEAD):
            pass

    async def read_body(self, request: Request) -> bytes:
        """Return the body of a request. Raises HttpError if it is too large or comes too slowly."""
        if "expect" in request.headers:
            if request.headers["expect"].lower() != "100-continue":
                raise HttpError(417, "Expect is 100-continue, or absent")
            self._writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        try:
            body = await asyncio.wait_for(read_body(self.reader, request.length, self._reserve), BODY_SECONDS)
        except asyncio.TimeoutError:
            raise HttpError(408, f"A message may take {BODY_SECONDS:g} s") from None
        self.waits_since = None
        return body

    def _reserve(self, size: int) -> None:
        """Count bytes of a message before they are read. Raises HttpError if the server holds too many."""
        decoded_size = size * _DECODED_FACTOR
        if not self.hold(decoded_size, may_exceed=self._held + decoded_size <= MAX_SMALL):
            raise HttpError(503, BUSY, {"Retry-After": "1"})

    def hold(self, size: int, *, may_exceed: bool = True) -> bool:
        """Count bytes in memory for the present request. Thread-safe. False if the server would exceed MAX_HELD."""
        with self.server.holding:
            if not may_exceed and self.server.held + size > MAX_HELD:
                return False
            self._held += size
            self.server.held += size
            return True

    def release(self) -> None:
        """Give back what hold() has counted."""
        with self.server.holding:
            self.server.held -= self._held
            self._held = 0

    def reply(self, status: int, *parts: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Write a whole response, whose body may come in parts."""
        fields = {"Content-Type": "application/json"} if parts else {}
        if status != 204:
            fields["Content-Length"] = str(sum(map(len, parts)))
        self.write_head(status, {**fields, **(headers or {})})
        for part in parts:
            self._writer.write(part)

    def write_head(self, status: int, headers: Mapping[str, str]) -> None:
        common = {"Date": formatdate(usegmt=True), "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
        lines += [f"{name}: {value}" for name, value in {**common, **self._cors, **headers}.items()]
        self._writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
