"""Parse HTTP/1.1 requests strictly. In: the bytes of a head or a body. Out: a Request, a body, or HttpError. Pure.

A proxy and the server behind it must agree where each request ends. Where they do not, one client can hide a request
in another's connection (request smuggling). So a form that two parsers may read differently is refused: a bare LF, a
folded line, a space before a colon, Content-Length beside Transfer-Encoding or twice. Specification: RFC 9112.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.mcp.protocol import INVALID_REQUEST

MAX_HEAD = 16 * 1024  # bytes of a request line and its header fields
MAX_MESSAGE = 8 * 1024 * 1024  # bytes of a body
_MAX_CHUNKS = 20000  # of a body; many tiny ones take more time than their bytes are worth
_MAX_CHUNK_LINE = 200  # bytes of the line with a chunk's size
_CHUNKED = -1

_REQUEST_LINE = patterns.compile(rb"([A-Z]{1,20}) ([!-~]{1,4000}) HTTP/([0-9]\.[0-9])")
_FIELD = patterns.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t -~\x80-\xff]*)")
_CHUNK_LINE = patterns.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[\t -~]*)?")
_BARE_LF = patterns.compile(rb"(?<!\r)\n")


class HttpError(Exception):
    """A request that gets an error status, and `message` in the body of a JSON-RPC error."""

    def __init__(
        self, status: int, message: str, headers: Mapping[str, str] | None = None, code: int = INVALID_REQUEST
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}
        self.code = code
        self.id: object = None  # of the JSON-RPC request, if it could be read
        self.data: object = None


class Request(NamedTuple):
    """The head of one request."""

    method: str
    path: str
    headers: Mapping[str, str]
    """By lower-case name. The values of a repeated field are joined by ", ", so it equals no single value."""
    length: int
    """Bytes of the body, -1 if it comes in chunks."""
    is_http_1_0: bool

    @property
    def keeps_alive(self) -> bool:
        """Whether the connection takes another request."""
        return not self.is_http_1_0 and "close" not in self.headers.get("connection", "").lower()


def parse_head(head: bytes) -> Request:
    """Return the request for a head without the empty line that ends it. Raises HttpError."""
    request_line, *fields = head.split(b"\r\n")
    match = _REQUEST_LINE.fullmatch(request_line)
    if match is None:
        raise HttpError(400, "Bad request: the first line is not METHOD PATH HTTP/1.1")
    if match[3] not in (b"1.0", b"1.1"):
        raise HttpError(505, "Bad request: this server speaks HTTP/1.1")
    headers: dict[str, str] = {}
    for field in fields:
        parts = _FIELD.fullmatch(field)
        if parts is None:
            raise HttpError(400, "Bad request: a header line is not NAME: VALUE")
        name, value = parts[1].decode("ascii").lower(), parts[2].decode("latin-1").strip(" \t")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    is_old = match[3] == b"1.0"
    path = _path(match[2].decode("ascii"), headers, is_old)
    return Request(match[1].decode("ascii"), path, headers, _length(headers, is_old), is_old)


def has_bare_lf(data: bytes | bytearray) -> bool:
    """Whether a line ends with LF instead of CR LF; the empty line that ends a head may never come then."""
    return _BARE_LF.search(data) is not None


def _path(target: str, headers: Mapping[str, str], is_http_1_0: bool) -> str:
    """Return the path of a request's target without its query. Raises HttpError."""
    host = headers.get("host")
    if host is None and not is_http_1_0:
        raise HttpError(400, "Bad request: the header Host is missing")
    for scheme in ("http://", "https://"):  # the form that a proxy sends
        if host and target.lower().startswith(f"{scheme}{host.lower()}/"):
            target = target[len(scheme) + len(host) :]
    if not target.startswith("/") and target != "*":
        raise HttpError(400, "Bad request: the target is not a path")
    return target.partition("?")[0]


def _length(headers: Mapping[str, str], is_http_1_0: bool) -> int:
    """Return the number of bytes of the body. Raises HttpError if it is not certain."""
    coding, length = headers.get("transfer-encoding"), headers.get("content-length")
    if coding is not None:
        if length is not None or is_http_1_0:
            raise HttpError(400, "Bad request: Transfer-Encoding with Content-Length, or in HTTP/1.0")
        if coding.lower() != "chunked":
            raise HttpError(501, "Transfer-Encoding is chunked, or absent")
        return _CHUNKED
    if length is None:
        return 0
    if not (length.isascii() and length.isdigit() and len(length) < 16):
        raise HttpError(400, "Bad request: Content-Length is one number")
    if int(length) > MAX_MESSAGE:
        raise _too_large()
    return int(length)


def _too_large() -> HttpError:
    return HttpError(413, f"A message has at most {MAX_MESSAGE} bytes")


class Body:
    """A body that is being received. feed() moves bytes from the front of a buffer into `data`."""

    def __init__(self, length: int) -> None:
        self.data = bytearray()
        self._is_chunked = length == _CHUNKED
        self._left = max(length, 0)  # bytes of the body or of the current chunk
        self._chunks = 0
        self._is_after_data = False  # the line end of a chunk's data comes next
        self._is_last = False  # the chunk of size 0 has come

    def feed(self, buffer: bytearray) -> bool:
        """Take bytes from `buffer`; return whether the body is complete. Raises HttpError."""
        while True:
            if self._left:
                part = buffer[: self._left]
                del buffer[: len(part)]
                self.data += part
                self._left -= len(part)
            if self._left:
                return False
            if not self._is_chunked:
                return True
            line = self._line(buffer)
            if line is None:
                return False
            if self._is_last:
                if line:
                    raise HttpError(400, "Bad request: trailer fields are not accepted")
                return True
            self._begin_chunk(line)

    def _line(self, buffer: bytearray) -> bytes | None:
        """Take the next line of the framing from the buffer, None if it is not complete. Raises HttpError."""
        if self._is_after_data:
            if len(buffer) >= 2 and buffer[:2] != b"\r\n":
                raise HttpError(400, "Bad request: a chunk is longer than its size")
            if len(buffer) < 2:
                return None
            del buffer[:2]
            self._is_after_data = False
        end = buffer.find(b"\r\n", 0, _MAX_CHUNK_LINE)
        if end < 0:
            if len(buffer) >= _MAX_CHUNK_LINE or b"\n" in buffer:
                raise HttpError(400, "Bad request: the size of a chunk is not a line of its own")
            return None
        line = bytes(buffer[:end])
        del buffer[: end + 2]
        return line

    def _begin_chunk(self, line: bytes) -> None:
        match = _CHUNK_LINE.fullmatch(line)
        if match is None:
            raise HttpError(400, "Bad request: the size of a chunk is not a hexadecimal number")
        self._left = int(match[1], 16)
        self._chunks += 1
        if len(self.data) + self._left > MAX_MESSAGE:
            raise _too_large()
        if self._chunks > _MAX_CHUNKS:
            raise HttpError(413, f"A message has at most {_MAX_CHUNKS} chunks")
        self._is_after_data, self._is_last = self._left > 0, self._left == 0
