"""Read HTTP/1.1 requests strictly. In: a stream of bytes. Out: a Request, its body, or HttpError.

A proxy and its server must agree where each request ends. If they do not, one client can hide a request
in another's connection (request smuggling). So a form that two parsers may read differently is refused: a bare LF, a
folded line, a space before a colon, Content-Length beside Transfer-Encoding or twice. Specification: RFC 9112.
"""

from __future__ import annotations

from asyncio import LimitOverrunError, StreamReader
from collections.abc import Callable, Mapping

from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.mcp.messages import INVALID_REQUEST

MAX_HEAD = 16 * 1024  # bytes of a request line and its header fields
MAX_MESSAGE = 8 * 1024 * 1024  # bytes of a body
_MAX_CHUNKS = 20000  # of a body; many tiny ones take more time than their bytes are worth
_CHUNKED = -1

_REQUEST_LINE = patterns.compile(rb"([A-Z]{1,20}) ([!-~]{1,4000}) HTTP/([0-9]\.[0-9])")
_FIELD = patterns.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t -~\x80-\xff]*)")
_CHUNK_LINE = patterns.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[\t -~]*)?")


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
    length: int  # bytes of the body, -1 if it comes in chunks
    is_http_1_0: bool

    @property
    def keeps_alive(self) -> bool:
        """Whether the connection takes another request."""
        return not self.is_http_1_0 and "close" not in self.headers.get("connection", "").lower()


async def read_head(reader: StreamReader, first: bytes = b"") -> Request:
    """Return the next request; `first` is its first byte if that has been read. Raises HttpError, EOFError."""
    lines: list[bytes] = []
    size = 0
    while True:
        line = await _line(reader, first)
        first = b""
        size += len(line) + 2
        if size > MAX_HEAD:
            raise _too_long()
        if line:
            lines.append(line)
        elif lines:
            return parse_head(lines)


async def _line(reader: StreamReader, first: bytes = b"") -> bytes:
    try:
        line = first + await reader.readuntil(b"\n")
    except LimitOverrunError as exc:
        raise _too_long() from exc
    if line[-2:] == b"\r\n":
        return line[:-2]
    raise HttpError(400, "Bad request: a line ends with LF instead of CR LF")


def parse_head(lines: list[bytes]) -> Request:
    """Return the request for the lines of its head. Raises HttpError."""
    match = _REQUEST_LINE.fullmatch(lines[0])
    if match is None:
        raise HttpError(400, "Bad request: the first line is not METHOD PATH HTTP/1.1")
    if match[3] not in (b"1.0", b"1.1"):
        raise HttpError(505, "Bad request: this server speaks HTTP/1.1")
    headers: dict[str, str] = {}
    for line in lines[1:]:
        field = _FIELD.fullmatch(line)
        if field is None:
            raise HttpError(400, "Bad request: a header line is not NAME: VALUE")
        name, value = field[1].decode("ascii").lower(), field[2].decode("latin-1").strip(" \t")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    is_old = match[3] == b"1.0"
    path = _path(match[2].decode("ascii"), headers, is_old)
    return Request(match[1].decode("ascii"), path, headers, _length(headers, is_old), is_old)


def _path(target: str, headers: Mapping[str, str], is_http_1_0: bool) -> str:
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


async def read_body(reader: StreamReader, length: int, hold: Callable[[int], None]) -> bytes:
    """Return a body; `hold` is called with the number of bytes before they are read. Raises HttpError, EOFError."""
    if length != _CHUNKED:
        hold(length)
        return await reader.readexactly(length)
    body = bytearray()
    for _ in range(_MAX_CHUNKS):
        match = _CHUNK_LINE.fullmatch(await _line(reader))
        if match is None:
            raise HttpError(400, "Bad request: the size of a chunk is not a hexadecimal number")
        size = int(match[1], 16)
        if len(body) + size > MAX_MESSAGE:
            raise _too_large()
        hold(size)
        body += await reader.readexactly(size)
        if await _line(reader):
            raise HttpError(400, "Bad request: a chunk is longer than its size, or has a trailer")
        if not size:
            return bytes(body)
    raise HttpError(413, f"A message has at most {_MAX_CHUNKS} chunks")


def _too_large() -> HttpError:
    return HttpError(413, f"A message has at most {MAX_MESSAGE} bytes")


def _too_long() -> HttpError:
    return HttpError(431, f"The head of a request has at most {MAX_HEAD} bytes")
