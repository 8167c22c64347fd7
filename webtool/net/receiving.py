"""One request over one connected socket: send it, read the answer under the limits. In: socket, bytes of the request.
Out: Response, and whether the connection may be used again. How messages are cut and decoded: exchange, decode."""

from __future__ import annotations

from webtool.errors import FetchTooLarge, NetworkError
from webtool.net import exchange, heads
from webtool.net.decode import BodyDecoder
from webtool.net.dial import connection_error
from webtool.net.messages import Response
from webtool.net.transfer import receive, send

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from webtool.net.messages import Headers
    from webtool.net.pool import Socket
    from webtool.net.watch import Watch
else:
    from webtool.records import NamedTuple


class Died(Exception):
    """The connection ended before any byte of the answer: the request may be tried once more."""

    def __init__(self, error: NetworkError) -> None:
        super().__init__(error.message)
        self.error = error


class Limits(NamedTuple):
    """The bounds of one fetch: time, bytes after decoding, and whether the body is cut there instead of refused."""

    watch: Watch
    max_bytes: int
    cut: bool


def converse(connection: Socket, message: bytes, method: str, url: str, limits: Limits) -> tuple[Response, bool]:
    """The answer to a request, and whether the connection may be used again.

    Raises Died, NetworkError, FetchTooLarge, FetchTimeout, Cancelled.
    """
    reader = exchange.ResponseReader(method)
    try:
        send(connection, message, limits.watch)
        return _read(connection, reader, url, limits)
    except OSError as exc:
        error = connection_error(exc)
        if not reader.has_begun:
            raise Died(error) from exc
        raise error from exc
    except NetworkError as exc:
        if not reader.has_begun:
            raise Died(exc) from exc
        raise


def _read(connection: Socket, reader: exchange.ResponseReader, url: str, limits: Limits) -> tuple[Response, bool]:
    head: exchange.Head | None = None
    body: _Body | None = None
    doing = "no answer from the server"
    while True:
        data, is_ragged = _receive(connection, reader, limits.watch, doing)
        events = reader.feed(data) if data else iter((reader.eof(),))
        for event in events:
            if isinstance(event, exchange.Head):
                head, doing = event, "the body did not end"
                body = _Body(event.headers, limits)
                continue
            assert head is not None
            assert body is not None
            if isinstance(event, exchange.End):
                body.finish()
                return _response(url, head, body, is_ragged), event.keeps_alive
            if not body.add(event.data):
                return _response(url, head, body, True), False
        if reader.has_begun and head is None:
            doing = "the headers did not end"


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


def _response(url: str, head: exchange.Head, body: _Body, is_cut: bool) -> Response:
    is_partial = head.status == 206
    return Response(url, head.status, head.reason, head.headers, body.taken(), truncated=is_cut or is_partial)


class _Body:
    """The decoded body as it grows, under the limits."""

    def __init__(self, headers: Headers, limits: Limits) -> None:
        codings = [word for value in headers.get_all("content-encoding") for word in value.split(",")]
        transfer = [name for name in heads.transfer_codings(headers) if name != "chunked"]
        self._decoder = BodyDecoder(codings + transfer)
        self._limits = limits
        # One array, not a list of pieces: a body may come in pieces of one byte.
        self._data = bytearray()
        if not self._decoder.names and not limits.cut and "transfer-encoding" not in headers:
            length = heads.content_length(headers) or 0
            if length > limits.max_bytes:
                raise self._too_large(f"has {length} bytes")

    def add(self, data: bytes) -> bool:
        """Decode and keep; False where the limit is reached and the rest is not wanted. Raises FetchTooLarge."""
        limits = self._limits
        for piece in self._decoder.push(data):
            limits.watch.remaining("the body did not end")
            self._data += piece
            if len(self._data) > limits.max_bytes:
                if not limits.cut:
                    raise self._too_large("is larger")
                return False
        return True

    def _too_large(self, what: str) -> FetchTooLarge:
        limit = self._limits.max_bytes
        return FetchTooLarge(f"Failed to fetch URL: the limit is {limit} bytes after decoding, and the body {what}")

    def finish(self) -> None:
        """Raises NetworkError where a coding's stream is not complete."""
        self._decoder.finish()

    def taken(self) -> bytes:
        """The body, at most max_bytes of it."""
        del self._data[self._limits.max_bytes :]
        return bytes(self._data)
