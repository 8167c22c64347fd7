"""Send one request over a connected socket and receive its response. In: socket, the request's bytes, Limits.

Out: Response, and whether the connection may be used again. webtool.net.exchange finds where head and body end,
webtool.net.decode removes content codings; this module does the I/O between them and enforces the limits. If the head
is a redirect or an error status, only a short part of the body is read, and a failure in that body is ignored.
Tests: tests/net/test_receiving.py
"""

from __future__ import annotations

import _socket
import time

from webtool.errors import FetchTimeout, FetchTooLarge, NetworkError
from webtool.lean.records import NamedTuple
from webtool.net import exchange, messages
from webtool.net.decode import BodyDecoder
from webtool.net.dial import Socket, Watch, connection_error
from webtool.net.messages import Headers, Response
from webtool.net.redirects import FOLLOWED

_MAX_MINOR_BODY = 65536  # bytes read of the body of a redirect or an error status
_MAX_REDIRECT_SECONDS = 0.3  # to read the body of a redirect; after that it is left unread
_MAX_ERROR_SECONDS = 2.0  # to read the body of an error status, whose text may identify a bot wall
_RECEIVE_SIZE = 65536  # bytes requested from the socket at a time
_SEND_SIZE = 262144  # bytes given to the socket at a time: each call copies what it is given, and may take little of it


class ConnectionLost(Exception):
    """The connection ended before the first byte of the response: the request may be sent once more."""

    def __init__(self, error: NetworkError) -> None:
        super().__init__(error.message)
        self.error = error


class Limits(NamedTuple):
    """The limits of one fetch."""

    watch: Watch  # the deadline
    max_bytes: int  # of the decoded body
    cut: bool  # True: a longer body is cut; False: it raises FetchTooLarge


def send_and_receive(
    connection: Socket, message: bytes, method: str, url: str, limits: Limits
) -> tuple[Response, bool]:
    """Send a request; return the response and whether the connection may be used again.

    Raises ConnectionLost, NetworkError, FetchTooLarge, FetchTimeout, Cancelled.
    """
    reader = exchange.ResponseReader(method)
    incoming = _Incoming(reader, url, limits)
    try:
        is_sent = True
        try:
            send(connection, message, limits.watch)
        except OSError:
            is_sent = False  # the server may have answered before it closed the connection; if not, reading fails too
        response, is_reusable = incoming.read(connection)
        return response, is_reusable and is_sent
    except (OSError, NetworkError, FetchTimeout) as exc:
        if incoming.has_minor_body:
            return incoming.response(is_cut=True), False
        error = _translated(exc) if isinstance(exc, OSError) else exc
        if isinstance(error, NetworkError) and not reader.has_begun:
            raise ConnectionLost(error) from exc
        if error is exc:
            raise
        raise error from exc


def _translated(exc: OSError) -> NetworkError:
    if hasattr(exc, "library"):  # an ssl.SSLError, whose errno is a number of OpenSSL: 1 is not EPERM
        from webtool.net import tls

        return tls.broken_connection(exc)
    return connection_error(exc)


class _Incoming:
    """One response while it arrives.

    The head of a redirect or an error status already decides what happens next. The body is minor then: it is read only
    for a short time, as its text may identify a bot wall, and anything wrong with it is ignored.
    """

    def __init__(self, reader: exchange.ResponseReader, url: str, limits: Limits) -> None:
        self._reader = reader
        self._url = url
        self._limits = limits
        self._head: exchange.Head | None = None
        self._body: _Body | None = None
        self.has_minor_body = False  # the head was a redirect or an error: failures from here on are ignored

    def read(self, connection: Socket) -> tuple[Response, bool]:
        """Read the response to its end or its limit. Returns and raises as send_and_receive(), and OSError."""
        waiting_for = "no answer from the server"
        while True:
            data, is_ragged = _receive(connection, self._reader, self._limits.watch, waiting_for)
            events = self._reader.feed(data) if data else iter((self._reader.eof(),))
            for event in events:
                if isinstance(event, exchange.Head):
                    self._begin_body(event)
                    continue
                assert self._body is not None
                if isinstance(event, exchange.End):
                    self._body.decoder.finish()
                    return self.response(is_ragged), event.keeps_alive
                if not self._body.add(event.data):
                    return self.response(is_cut=True), False
            waiting_for = "the headers did not end" if self._head is None else "the body did not end"

    def _begin_body(self, head: exchange.Head) -> None:
        """Store the head and prepare for the body; for a minor body with shorter limits."""
        self._head = head
        if head.status in FOLLOWED or head.status >= 400:
            watch = self._limits.watch
            seconds = _MAX_REDIRECT_SECONDS if head.status in FOLLOWED else _MAX_ERROR_SECONDS
            short = Watch(min(watch.deadline, time.monotonic() + seconds), watch.is_cancelled)
            self._limits = Limits(short, min(self._limits.max_bytes, _MAX_MINOR_BODY), cut=True)
            self.has_minor_body = True
        self._body = _Body(head.headers, self._limits)

    def response(self, is_cut: bool) -> Response:
        """Return the response with the body so far; its head must have arrived."""
        head, body = self._head, self._body
        assert head is not None
        data = b"" if body is None else body.content()
        return Response(self._url, head.status, head.reason, head.headers, data, truncated=is_cut or head.status == 206)


def _receive(connection: Socket, reader: exchange.ResponseReader, watch: Watch, waiting_for: str) -> tuple[bytes, bool]:
    """Receive bytes, b"" at the end. The flag: an attacker may have cut the body.

    Only the end of the connection ends it, and TLS ended without close_notify.
    """
    try:
        return receive(connection, watch, waiting_for), False
    except OSError as exc:
        if hasattr(connection, "do_handshake"):
            from webtool.net import tls

            if tls.is_ragged_end(exc):
                return b"", reader.is_close_delimited
        raise


class _Body:
    """The decoded body as it grows, within the limits. Raises FetchTooLarge at once if Content-Length is too large."""

    def __init__(self, headers: Headers, limits: Limits) -> None:
        self.decoder = BodyDecoder(headers.words("content-encoding"), messages.transfer_codings(headers))
        self._limits = limits
        # One array, not a list of pieces: a body may arrive in pieces of one byte.
        self._data = bytearray()
        if not self.decoder.names and not limits.cut and "transfer-encoding" not in headers:
            length = messages.content_length(headers) or 0
            if length > limits.max_bytes:
                raise self._too_large(f"has {length} bytes")

    def add(self, data: bytes) -> bool:
        """Decode and append; return False if the limit is reached and the body is to be cut. Raises FetchTooLarge."""
        limits = self._limits
        for piece in self.decoder.push(data):
            limits.watch.remaining("the body did not end")
            self._data += piece
            if len(self._data) > limits.max_bytes:
                if not limits.cut:
                    raise self._too_large("is larger")
                return False
        return True

    def _too_large(self, size: str) -> FetchTooLarge:
        limit = self._limits.max_bytes
        return FetchTooLarge(f"the limit is {limit} bytes after decoding, and the body {size}")

    def content(self) -> bytes:
        """Return the body so far, at most max_bytes of it."""
        del self._data[self._limits.max_bytes :]
        return bytes(self._data)


def send(connection: Socket, message: bytes, watch: Watch) -> None:
    """Send the whole message. Raises FetchTimeout, Cancelled, OSError."""
    sent = 0
    while sent < len(message):
        connection.settimeout(watch.step("the server did not take the request"))
        try:
            sent += connection.send(message[sent : sent + _SEND_SIZE])
        except _socket.timeout:
            continue


def receive(connection: Socket, watch: Watch, waiting_for: str) -> bytes:
    """Return some bytes, b"" at the end of the stream. Raises FetchTimeout, Cancelled, OSError."""
    while True:
        connection.settimeout(watch.step(waiting_for))
        try:
            return connection.recv(_RECEIVE_SIZE)
        except _socket.timeout:
            continue
