"""One HTTP/1.1 exchange without I/O. In: a request's parts; the answer's bytes as they come. Out: bytes to send; and
events: Head once, then Data pieces of the body as framed (content codings untouched), then End.

Every part has a bound, so that no server can make us hold or read without end. Whatever is not HTTP is a NetworkError.
Spec: RFC 9112 (message syntax, sections 2 to 8), RFC 9110 sections 5 and 15.
"""

from __future__ import annotations

from webtool import patterns
from webtool.errors import NetworkError
from webtool.net.messages import Headers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple, Union
else:
    from webtool.records import NamedTuple

MAX_HEAD = 262144  # bytes of one head; big sites send up to 60 KB of policies
MAX_FIELDS = 1000  # header lines
MAX_INFORMATIONAL = 16  # 1xx answers before the final one
MAX_CHUNK_LINE = 4096  # bytes of chunk size and extensions
MAX_TRAILERS = 65536  # bytes
_MAX_LENGTH_DIGITS = 18
_MAX_SIZE_DIGITS = 15  # hex digits of a chunk size
_LEADING_BLANKS = 2  # empty lines before a status line (RFC 9112 section 2.2)

# Token characters (RFC 9110 section 5.6.2); stripping them all from a name leaves nothing.
_TOKEN = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TOKEN_BYTES = _TOKEN.encode("ascii")
_HEX = b"0123456789abcdefABCDEF"
_CONTROLS = patterns.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class Head(NamedTuple):
    """Status line and header fields of the final answer."""

    status: int
    reason: str
    headers: Headers


class Data(NamedTuple):
    """Some bytes of the body, chunked framing removed."""

    data: bytes


class End(NamedTuple):
    """The message is complete; `keeps_alive` says whether the connection may be used again."""

    keeps_alive: bool


if TYPE_CHECKING:
    Event = Union[Head, Data, End]


def request_bytes(method: str, target: str, fields: list[tuple[str, str]], body: bytes = b"") -> bytes:
    """The request as sent. Raises NetworkError for anything that could be read as more than one request."""
    if not target or not target.isascii() or not target.isprintable() or " " in target or not _is_token(method):
        raise NetworkError("Failed to fetch URL: the request target is malformed", retryable=False)
    lines = [f"{method} {target} HTTP/1.1"]
    for name, value in fields:
        if not _is_token(name) or not (value.isprintable() or _CONTROLS.search(value) is None):
            raise NetworkError(f"Failed to fetch URL: the header {name!r} has a malformed value", retryable=False)
        lines.append(f"{name}: {value}")
    if body or method in ("POST", "PUT", "PATCH"):
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace") + body


def _is_token(text: str) -> bool:
    return bool(text) and not text.strip(_TOKEN)


class ResponseReader:
    """Reads one response. Feed bytes, then say eof() if the connection ends; `is_done` once End was given."""

    def __init__(self, method: str) -> None:
        self._method = method
        self._buffer = bytearray()
        self._state = self._read_head
        self._informational = 0
        self._blank_lines = 0
        self._remaining = 0
        self._trailer_bytes = 0
        self._scanned = 0
        self._keeps_alive = False
        self.has_begun = False
        self.is_done = False
        self.is_close_delimited = False

    def feed(self, data: bytes) -> Iterator[Event]:
        """Yield the events that these bytes complete. Raises NetworkError."""
        self.has_begun = self.has_begun or bool(data)
        self._buffer += data
        while not self.is_done:
            event = self._state()
            if event is None:
                return
            yield event

    def eof(self) -> End:
        """The server closed the connection: the end of a close-delimited body, else a NetworkError."""
        if self.is_close_delimited:
            return self._end()
        if not self.has_begun:
            raise NetworkError("Failed to fetch URL: the server closed the connection without an answer")
        if self._state == self._read_head:
            raise NetworkError("Failed to fetch URL: the connection closed inside the headers")
        raise NetworkError("Failed to fetch URL: the connection closed before the body was complete")

    def _end(self) -> End:
        self.is_done = True
        return End(self._keeps_alive and not self._buffer)

    def _read_head(self) -> Event | None:
        buffer = self._buffer
        if not self._skip_blank_lines():
            return None
        if not b"HTTP/"[: len(buffer)] == buffer[:5]:
            raise NetworkError(_not_http(bytes(buffer[:8])), hint="Check the scheme and the port of the URL.")
        end = _head_end(buffer, self._scanned)
        if end < 0:
            self._scanned = max(0, len(buffer) - 3)
            if len(buffer) > MAX_HEAD:
                raise NetworkError(f"Failed to fetch URL: more than {MAX_HEAD} bytes of headers", retryable=False)
            return None
        head = bytes(buffer[:end])
        del buffer[:end]
        self._scanned = 0
        return self._interpret(head)

    def _skip_blank_lines(self) -> bool:
        """Whether there is something behind them."""
        buffer = self._buffer
        while self._blank_lines < _LEADING_BLANKS and buffer.startswith((b"\r", b"\n")):
            if buffer == b"\r":
                return False
            del buffer[: 2 if buffer[:2] == b"\r\n" else 1]
            self._blank_lines += 1
        return bool(buffer)

    def _interpret(self, head: bytes) -> Event | None:
        if len(head) > MAX_HEAD:
            raise NetworkError(f"Failed to fetch URL: more than {MAX_HEAD} bytes of headers", retryable=False)
        first, _, rest = head.partition(b"\n")
        status, reason, is_http_1_1 = _parse_status_line(first.rstrip(b"\r"))
        if status == 101:
            raise NetworkError("Failed to fetch URL: the server switched to another protocol", retryable=False)
        if status < 200:
            self._informational += 1
            if self._informational > MAX_INFORMATIONAL:
                raise NetworkError("Failed to fetch URL: informational answers without end", retryable=False)
            return self._read_head()
        headers = parse_fields(rest)
        self._frame(status, headers, is_http_1_1)
        return Head(status, reason, headers)

    def _frame(self, status: int, headers: Headers, is_http_1_1: bool) -> None:
        """How the body is delimited: RFC 9112 section 6.3, in its order."""
        options = [word.strip().lower() for value in headers.get_all("connection") for word in value.split(",")]
        self._keeps_alive = "close" not in options and (is_http_1_1 or "keep-alive" in options)
        codings = transfer_codings(headers)
        length = None if codings else content_length(headers)
        is_tunnel = self._method == "CONNECT" and status < 300
        if self._method == "HEAD" or is_tunnel or status in (204, 304) or length == 0:
            self._state = self._read_nothing
        elif codings[-1:] == ["chunked"]:
            if "content-length" in headers:
                self._keeps_alive = False  # a sign of request smuggling (section 6.3, item 3)
            self._state = self._read_chunk_size
        elif length is None:
            self._keeps_alive = False
            self.is_close_delimited = True
            self._state = self._read_to_end
        else:
            self._remaining = length
            self._state = self._read_length

    def _read_nothing(self) -> Event | None:
        return self._end()

    def _read_to_end(self) -> Event | None:
        if not self._buffer:
            return None
        data = bytes(self._buffer)
        self._buffer.clear()
        return Data(data)

    def _take(self) -> Data | None:
        """As much of the current length or chunk as is there."""
        data = bytes(self._buffer[: self._remaining])
        if not data:
            return None
        del self._buffer[: len(data)]
        self._remaining -= len(data)
        return Data(data)

    def _read_length(self) -> Event | None:
        if not self._remaining:
            return self._end()
        return self._take()

    def _line(self, bound: int, what: str) -> bytes | None:
        end = self._buffer.find(b"\n", 0, bound + 1)
        if end < 0:
            if len(self._buffer) > bound:
                raise NetworkError(f"Failed to fetch URL: {what} longer than {bound} bytes", retryable=False)
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line[:-1] if line.endswith(b"\r") else line

    def _read_chunk_size(self) -> Event | None:
        line = self._line(MAX_CHUNK_LINE, "a chunk size line")
        if line is None:
            return None
        size = line.partition(b";")[0].rstrip(b" \t")
        if not 0 < len(size) <= _MAX_SIZE_DIGITS or size.strip(_HEX):
            raise NetworkError("Failed to fetch URL: a chunk of the body has a malformed size")
        self._remaining = int(size, 16)
        self._state = self._read_chunk if self._remaining else self._read_trailers
        return self._state()

    def _read_chunk(self) -> Event | None:
        if self._remaining:
            return self._take()
        line = self._line(2, "the end of a chunk")
        if line is None:
            return None
        if line:
            raise NetworkError("Failed to fetch URL: a chunk of the body is longer than its size")
        self._state = self._read_chunk_size
        return self._read_chunk_size()

    def _read_trailers(self) -> Event | None:
        while True:
            line = self._line(MAX_TRAILERS, "trailers")
            if line is None:
                return None
            if not line:
                return self._end()
            self._trailer_bytes += len(line) + 2
            if self._trailer_bytes > MAX_TRAILERS:
                raise NetworkError(f"Failed to fetch URL: trailers longer than {MAX_TRAILERS} bytes", retryable=False)


def _parse_status_line(line: bytes) -> tuple[int, str, bool]:
    """Status, reason phrase (often missing) and whether the server speaks 1.1 (RFC 9112 section 4)."""
    version, rest = line[:8], line[8:]
    code, after = rest.lstrip(b" \t")[:3], rest.lstrip(b" \t")[3:]
    is_version = version[:5] == b"HTTP/" and version[5:6].isdigit() and version[6:7] == b"." and version[7:8].isdigit()
    is_code = len(code) == 3 and code.isdigit() and code[:1] != b"0"
    if not is_version or rest[:1] not in (b" ", b"\t") or not is_code or after[:1] not in (b"", b" ", b"\t"):
        raise NetworkError("Failed to fetch URL: the status line is malformed", retryable=False)
    return int(code), _text(after), version[5:6] == b"1" and version[7:8] != b"0"


def _head_end(buffer: bytearray, start: int) -> int:
    """Position behind the empty line that ends a head, -1 if it is not there; lines may end in LF alone."""
    found = [(buffer.find(mark, start), len(mark)) for mark in (b"\r\n\r\n", b"\n\n", b"\n\r\n")]
    return min((position + length for position, length in found if position >= 0), default=-1)


def _not_http(start: bytes) -> str:
    if start[:2] in (b"\x15\x03", b"\x16\x03"):
        return "Failed to fetch URL: the server speaks TLS on this port; the URL should begin with https"
    if start.startswith(b"SSH-"):
        return "Failed to fetch URL: the server speaks SSH, not HTTP"
    return "Failed to fetch URL: the server's answer is not HTTP"


def _text(value: bytes) -> str:
    # RFC 9110 section 5.5: CR, LF and NUL in a value must not be passed on.
    return value.strip(b" \t").replace(b"\0", b" ").replace(b"\r", b" ").decode("latin-1")


def parse_fields(block: bytes) -> Headers:
    """Header fields. Folded lines are joined; lines without a colon or with a malformed name are left out."""
    lines: list[bytes] = []
    for line in block.split(b"\n"):
        line = line.rstrip(b"\r")
        if line[:1] in (b" ", b"\t") and lines:
            lines[-1] += b" " + line.strip()
        elif line:
            lines.append(line)
            if len(lines) > MAX_FIELDS:
                raise NetworkError(f"Failed to fetch URL: more than {MAX_FIELDS} header lines", retryable=False)
    pairs = []
    for line in lines:
        name, colon, value = line.partition(b":")
        name = name.rstrip(b" \t")
        if colon and name and not name.strip(_TOKEN_BYTES):
            pairs.append((name.decode("ascii"), _text(value)))
    return Headers(pairs)


def content_length(headers: Headers) -> int | None:
    """The length of the body in bytes; equal repetitions count once. Raises NetworkError for anything else."""
    values = {word.strip() for value in headers.get_all("content-length") for word in value.split(",")}
    if not values:
        return None
    value = values.pop()
    if values or not value.isascii() or not value.isdigit() or len(value) > _MAX_LENGTH_DIGITS:
        raise NetworkError("Failed to fetch URL: the Content-Length is malformed", retryable=False)
    return int(value)


def transfer_codings(headers: Headers) -> list[str]:
    """Transfer codings in the order they were applied. Raises NetworkError where chunked is not the last one."""
    values = [word.strip().lower() for value in headers.get_all("transfer-encoding") for word in value.split(",")]
    codings = [value for value in values if value and value != "identity"]
    if "chunked" in codings[:-1]:
        raise NetworkError("Failed to fetch URL: the Transfer-Encoding is malformed", retryable=False)
    return codings
