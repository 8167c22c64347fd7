"""One request over one connected socket: send it, read the answer under the limits. In: socket, bytes of the request.
Out: Response, and whether the connection may be used again. How messages are cut and decoded: exchange, decode.
send() and receive() are the steps, each of which ends in time; tunnel.py takes them too."""

from __future__ import annotations

import _socket
import time

from webtool.errors import FetchTimeout, FetchTooLarge, NetworkError
from webtool.lean.records import NamedTuple
from webtool.net import exchange, messages
from webtool.net.decode import BodyDecoder
from webtool.net.dial import connection_error
from webtool.net.messages import Headers, Response
from webtool.net.pool import Socket
from webtool.net.redirects import FOLLOWED
from webtool.net.watch import Watch

_ENOUGH = 65536  # bytes of the body of a redirect or an error
_PATIENCE_REDIRECT, _PATIENCE_ERROR = 0.3, 2.0  # seconds for such a body


class ConnectionLost(Exception):
    """The connection ended before any byte of the answer: the request may be tried once more."""

    def __init__(self, error: NetworkError) -> None:
        super().__init__(error.message)
        self.error = error


class Limits(NamedTuple):
    """The bounds of one fetch: time, bytes after decoding, and whether the body is cut there instead of refused."""

    watch: Watch
    max_bytes: int
    cut: bool


def send_and_receive(
    connection: Socket, message: bytes, method: str, url: str, limits: Limits
) -> tuple[Response, bool]:
    """The answer to a request, and whether the connection may be used again.

    Raises ConnectionLost, NetworkError, FetchTooLarge, FetchTimeout, Cancelled.
    """
    answer = _Answer(exchange.ResponseReader(method), url, limits)
    try:
        send(connection, message, limits.watch)
        return answer.read(connection)
    except (OSError, NetworkError, FetchTimeout) as exc:
        if answer.is_enough:
            return answer.response(is_cut=True), False
        error = connection_error(exc) if isinstance(exc, OSError) else exc
        if isinstance(error, NetworkError) and not answer.has_begun:
            raise ConnectionLost(error) from exc
        if error is exc:
            raise
        raise error from exc


class _Answer:
    """One answer as it comes in.

    A redirect and an error status say by their head what is to be done: their bodies are read as far as that is quick
    and easy, for an error's text may tell a bot wall, and nothing that is wrong with them matters.
    """

    def __init__(self, reader: exchange.ResponseReader, url: str, limits: Limits) -> None:
        self._reader = reader
        self._url = url
        self._limits = limits
        self._head: exchange.Head | None = None
        self._body: _Body | None = None
        self.is_enough = False
        """Whether what has come is all that is needed, whatever becomes of the rest."""

    @property
    def has_begun(self) -> bool:
        """Whether any byte of it has come."""
        return self._reader.has_begun

    def read(self, connection: Socket) -> tuple[Response, bool]:
        """All of it, as far as it is wanted; as send_and_receive() returns and raises, and OSError as well."""
        doing = "no answer from the server"
        while True:
            data, is_ragged = _receive(connection, self._reader, self._limits.watch, doing)
            for event in self._reader.feed(data) if data else iter((self._reader.eof(),)):
                if isinstance(event, exchange.Head):
                    self._begin(event)
                    continue
                assert self._body is not None
                if isinstance(event, exchange.End):
                    self._body.decoder.finish()
                    return self.response(is_ragged), event.keeps_alive
                if not self._body.add(event.data):
                    return self.response(is_cut=True), False
            doing = "the headers did not end" if self._head is None else "the body did not end"

    def _begin(self, head: exchange.Head) -> None:
        self._head = head
        if head.status in FOLLOWED or head.status >= 400:
            watch = self._limits.watch
            patience = _PATIENCE_REDIRECT if head.status in FOLLOWED else _PATIENCE_ERROR
            patient = Watch(min(watch.deadline, time.monotonic() + patience), watch.is_cancelled)
            self._limits = Limits(patient, min(self._limits.max_bytes, _ENOUGH), cut=True)
            self.is_enough = True
        self._body = _Body(head.headers, self._limits)

    def response(self, is_cut: bool) -> Response:
        """What has come so far; the head is there."""
        head, body = self._head, self._body
        assert head is not None
        data = b"" if body is None else body.taken()
        return Response(self._url, head.status, head.reason, head.headers, data, truncated=is_cut or head.status == 206)


def _receive(connection: Socket, reader: exchange.ResponseReader, watch: Watch, doing: str) -> tuple[bytes, bool]:
    """Bytes, and whether TLS ended without saying so, which only matters where that end is the body's end."""
    try:
        return receive(connection, watch, doing), False
    except OSError as exc:
        if reader.is_close_delimited and hasattr(connection, "do_handshake"):
            from webtool.net import tls

            if tls.is_ragged_end(exc):
                return b"", True
        raise


class _Body:
    """The decoded body as it grows, under the limits."""

    def __init__(self, headers: Headers, limits: Limits) -> None:
        codings = [word for value in headers.get_all("content-encoding") for word in value.split(",")]
        transfer = [name for name in messages.transfer_codings(headers) if name != "chunked"]
        self.decoder = BodyDecoder(codings + transfer)
        self._limits = limits
        # One array, not a list of pieces: a body may come in pieces of one byte.
        self._data = bytearray()
        if not self.decoder.names and not limits.cut and "transfer-encoding" not in headers:
            length = messages.content_length(headers) or 0
            if length > limits.max_bytes:
                raise self._too_large(f"has {length} bytes")

    def add(self, data: bytes) -> bool:
        """Decode and keep; False where the limit is reached and the rest is not wanted. Raises FetchTooLarge."""
        limits = self._limits
        for piece in self.decoder.push(data):
            limits.watch.remaining("the body did not end")
            self._data += piece
            if len(self._data) > limits.max_bytes:
                if not limits.cut:
                    raise self._too_large("is larger")
                return False
        return True

    def _too_large(self, what: str) -> FetchTooLarge:
        limit = self._limits.max_bytes
        return FetchTooLarge(f"the limit is {limit} bytes after decoding, and the body {what}")

    def taken(self) -> bytes:
        """The body, at most max_bytes of it."""
        del self._data[self._limits.max_bytes :]
        return bytes(self._data)


_RECEIVE = 65536  # bytes asked for at a time


def send(connection: Socket, message: bytes, watch: Watch) -> None:
    """Send all of it."""
    sent = 0
    while sent < len(message):
        connection.settimeout(watch.step("the server did not take the request"))
        try:
            sent += connection.send(message[sent:] if sent else message)
        except _socket.timeout:
            continue


def receive(connection: Socket, watch: Watch, doing: str) -> bytes:
    """Some bytes, b"" at the end of the stream."""
    while True:
        connection.settimeout(watch.step(doing))
        try:
            return connection.recv(_RECEIVE)
        except _socket.timeout:
            continue
