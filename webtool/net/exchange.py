"""Read one HTTP/1.1 response without I/O. In: the request's method; the response's bytes as they arrive. Out: events.

The events are Head once, then Data for each piece of the body (content codings untouched), then End. A ResponseReader
is a state machine: `_state` is the method that reads the next part (head, length, chunk size, chunk, trailers, rest).
Such a method consumes bytes of the buffer and returns an event, or None if it needs more bytes. Every part has a size
limit, so that no server can fill the memory or send headers for ever. Bytes that are not HTTP raise a NetworkError.
Spec: RFC 9112 sections 2 to 8 (message syntax), RFC 9110 sections 5 and 15.
Tests: tests/net/test_exchange.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Union
from webtool.net import messages

# A response that exceeds one of these raises Malformed.
MAX_HEAD = 262144  # bytes of status line and header fields; large sites send up to 60 KB of policies
MAX_INFORMATIONAL = 16  # 1xx responses before the final one
MAX_CHUNK_LINE = 4096  # bytes of one chunk's size and extensions
MAX_TRAILERS = 65536  # bytes of trailer fields after the last chunk
_MAX_SIZE_DIGITS = 15  # hex digits of a chunk size, leading zeros not counted
_MAX_BLANK_LINES = 2  # empty lines skipped before a status line (RFC 9112 section 2.2)

# The size line of a chunk of 1 to 4,095 bytes, with or without extensions: b"0a;name=value\r\n".
_SMALL_SIZE = patterns.compile(rb"0{0,99}([1-9a-fA-F][0-9a-fA-F]{0,2})[ \t]{0,99}(?:;[^\n]{0,99})?\r?\n")
_LINE_END = patterns.compile(rb"\r?\n")
_HEX = b"0123456789abcdefABCDEF"
_LONG_CHUNK = "a chunk of the body is longer than its size"
_LONG_TRAILERS = f"the trailers after the body are longer than {MAX_TRAILERS} bytes"


class Head(NamedTuple):
    """Status line and header fields of the final response."""

    status: int
    reason: str
    headers: messages.Headers


class Data(NamedTuple):
    """Some bytes of the body, without chunked framing."""

    data: bytes


class End(NamedTuple):
    """The response is complete; `keeps_alive` says whether the connection may be used again."""

    keeps_alive: bool


Event = Union[Head, Data, End]


class ResponseReader:
    """Reads one response. Feed it bytes; call eof() when the connection ends. `is_done` is True after End."""

    def __init__(self, method: str) -> None:
        self._method = method
        self._buffer = bytearray()
        self._state = self._read_head
        self._informational = 0  # 1xx responses so far
        self._blank_lines = 0  # removed before the status line
        self._scanned = 0  # bytes of the buffer in which no end of the head begins
        self._remaining = 0  # bytes of the body or the chunk that have not arrived
        self._trailer_bytes = 0
        self._keeps_alive = False
        self.has_begun = False  # a byte has arrived
        self.is_done = False
        self.is_close_delimited = False  # the body ends with the connection

    def feed(self, data: bytes) -> Iterator[Event]:
        """Yield the events that these bytes complete. Raises NetworkError (Malformed)."""
        self.has_begun = self.has_begun or bool(data)
        self._buffer += data
        while not self.is_done:
            event = self._state()
            if event is None:
                return
            yield event

    def eof(self) -> End:
        """Handle the end of the connection: End for a body that may end there, else raise NetworkError (CutShort)."""
        self._keeps_alive = False
        # RFC 9112 section 8: a chunked body is complete when its last chunk, of size 0, has arrived.
        if self.is_close_delimited or self._state == self._read_trailers:
            return self._end()
        if not self.has_begun:
            raise messages.CutShort("the server closed the connection without an answer")
        if self._state == self._read_head:
            raise messages.CutShort("the connection closed inside the headers")
        raise messages.CutShort("the connection closed before the body was complete")

    def _end(self) -> End:
        self.is_done = True
        return End(self._keeps_alive and not self._buffer)

    def _read_head(self) -> Event | None:
        """Read status line and header fields. Raises Malformed for too many bytes and for anything but HTTP."""
        buffer = self._buffer
        if not self._skip_blank_lines():
            return None
        may_be_http = b"HTTP/".startswith(buffer[:5])  # of the first bytes, perhaps fewer than five have arrived
        if not may_be_http:
            raise _not_http(bytes(buffer[:8]))
        empty_line = messages.END_OF_HEAD.search(buffer, self._scanned)
        end = empty_line.end() if empty_line else -1
        if (len(buffer) if end < 0 else end) > MAX_HEAD:
            raise messages.Malformed(f"the answer has more than {MAX_HEAD} bytes of headers")
        if end < 0:
            self._scanned = max(0, len(buffer) - 3)
            return None
        head = bytes(buffer[:end])
        del buffer[:end]
        self._scanned = 0
        return self._interpret(head)

    def _skip_blank_lines(self) -> bool:
        """Remove blank lines before the status line; return whether other bytes follow."""
        buffer = self._buffer
        while self._blank_lines < _MAX_BLANK_LINES and buffer.startswith((b"\r", b"\n")):
            if buffer == b"\r":
                return False
            del buffer[: 2 if buffer[:2] == b"\r\n" else 1]
            self._blank_lines += 1
        return bool(buffer)

    def _interpret(self, head: bytes) -> Event | None:
        """Return the Head of a final response; for an informational one (1xx) go on to the next head."""
        first, _, rest = head.partition(b"\n")
        status, reason, is_http_1_1 = messages.parse_status_line(first.rstrip(b"\r"))
        if status == 101:
            raise messages.Malformed("the server switched protocols without being asked (HTTP 101)")
        if status < 200:
            self._informational += 1
            if self._informational > MAX_INFORMATIONAL:
                raise messages.Malformed(f"more than {MAX_INFORMATIONAL} informational answers (HTTP 1xx)")
            return self._read_head()
        headers = messages.parse_fields(rest)
        self._choose_framing(status, headers, is_http_1_1)
        return Head(status, reason, headers)

    def _choose_framing(self, status: int, headers: messages.Headers, is_http_1_1: bool) -> None:
        """Decide how the body is delimited (RFC 9112 section 6.3) and set the state that reads it."""
        options = headers.words("connection")
        self._keeps_alive = "close" not in options and (is_http_1_1 or "keep-alive" in options)
        codings = messages.transfer_codings(headers)
        if codings and ("content-length" in headers or not is_http_1_1):
            self._keeps_alive = False  # contradictory framing, a sign of request smuggling (sections 6.1 and 6.3)
        length = None if codings else messages.content_length(headers)
        is_bodiless = self._method == "HEAD" or status in (204, 304)
        rules = (  # the numbered rules of section 6.3 in its order; the first that applies decides
            (is_bodiless or length == 0, self._end),  # 1, and 6 for an empty body
            (self._method == "CONNECT" and status < 300, self._end),  # 2
            (codings[-1:] == ["chunked"], self._read_chunk_size),  # 4
            (length is not None, self._read_length),  # 6
            (True, self._read_to_end),  # 4 without chunked, and 8
        )
        self._state = next(read for applies, read in rules if applies)
        self._remaining = length or 0
        if self._state == self._read_to_end:
            self._keeps_alive = False
            self.is_close_delimited = True

    def _read_to_end(self) -> Event | None:
        """Read a body that ends with the connection."""
        if not self._buffer:
            return None
        data = bytes(self._buffer)
        self._buffer.clear()
        return Data(data)

    def _take(self) -> Data | None:
        """Return what has arrived of the current body or chunk; None if nothing has."""
        data = bytes(self._buffer[: self._remaining])
        if not data:
            return None
        del self._buffer[: len(data)]
        self._remaining -= len(data)
        return Data(data)

    def _read_length(self) -> Event | None:
        return self._take() if self._remaining else self._end()

    def _line(self, limit: int, fault: str) -> bytes | None:
        """Consume and return one line without its end; None if it has not arrived. Raises Malformed past the limit."""
        end = self._buffer.find(b"\n", 0, limit + 1)
        if end < 0:
            if len(self._buffer) > limit:
                raise messages.Malformed(fault)
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line[:-1] if line.endswith(b"\r") else line

    def _read_chunk_size(self) -> Event | None:
        """Read a chunk's size line, ignoring extensions; size 0 is followed by the trailers."""
        data = self._small_chunks()
        if data:
            return Data(data)
        line = self._line(MAX_CHUNK_LINE, f"a chunk of the body has a size line longer than {MAX_CHUNK_LINE} bytes")
        if line is None:
            return None
        size = line.partition(b";")[0].rstrip(b" \t")
        if not size or len(size.lstrip(b"0")) > _MAX_SIZE_DIGITS or size.strip(_HEX):
            raise messages.Malformed("a chunk of the body has a malformed size")
        self._remaining = int(size[-_MAX_SIZE_DIGITS:], 16)
        self._state = self._read_chunk if self._remaining else self._read_trailers
        return self._state()

    def _small_chunks(self) -> bytes:
        """Consume the complete small chunks at the beginning of the buffer; return their bytes.

        A server may send a body in chunks of one byte. One match for each costs a tenth of what three states cost.
        """
        buffer = self._buffer
        pieces: list[bytearray] = []
        position = 0
        while match := _SMALL_SIZE.match(buffer, position):
            start = match.end()
            end = start + int(match[1], 16)
            line_end = _LINE_END.match(buffer, end)
            if line_end is None:  # not complete, or malformed: _read_chunk() decides
                break
            pieces.append(buffer[start:end])
            position = line_end.end()
        del buffer[:position]
        return b"".join(pieces)

    def _read_chunk(self) -> Event | None:
        """Read a chunk's bytes and the line end after them."""
        if self._remaining:
            return self._take()
        line = self._line(2, _LONG_CHUNK)
        if line is None:
            return None
        if line:
            raise messages.Malformed(_LONG_CHUNK)
        self._state = self._read_chunk_size
        return self._read_chunk_size()

    def _read_trailers(self) -> Event | None:
        while True:
            line = self._line(MAX_TRAILERS, _LONG_TRAILERS)
            if line is None:
                return None
            if not line:
                return self._end()
            self._trailer_bytes += len(line) + 2
            if self._trailer_bytes > MAX_TRAILERS:
                raise messages.Malformed(_LONG_TRAILERS)


_PROTOCOLS = (
    (b"SSH-", "SSH"), (b"220 ", "SMTP or FTP"), (b"220-", "SMTP or FTP"), (b"+OK", "POP3"), (b"* OK", "IMAP"),
    (b"RFB ", "VNC"), (b"-ERR", "Redis"),
)  # fmt: skip


def _not_http(start: bytes) -> messages.Malformed:
    """Return the error for bytes that are not HTTP; it names the protocol if its greeting is known."""
    if start[:2] in (b"\x15\x03", b"\x16\x03"):
        return messages.Malformed("the server speaks TLS on this port", hint="Try the same URL with https.")
    name = next((name for mark, name in _PROTOCOLS if start.startswith(mark)), "")
    what = f"the server speaks {name}, not HTTP" if name else "the server's answer is not HTTP"
    return messages.Malformed(what, hint="Check the scheme and the port of the URL.")
