"""One record of a WARC file. In: its header block and its content. Out: its fields, and the captured HTTP response.

The response is decoded as the HTTP client decodes one. Fields are parsed on access only, because most readers skip most
records. Spec: ISO 28500 (WARC 1.1).
Tests: tests/bulk/warc/test_record.py
"""

from __future__ import annotations

from webtool.errors import NetworkError
from webtool.lean import media_types
from webtool.net import messages
from webtool.net.decode import BodyDecoder
from webtool.net.exchange import Data, ResponseReader
from webtool.net.messages import Headers, Malformed, Response

MAX_DECODED = 64 << 20  # bytes; default limit of a decoded body, where a decompression bomb is cut
_MAX_INFORMATIONAL = 16  # 1xx responses skipped before the final one


class Record:
    """A record. `offset` is where it, or its gzip member, begins; `is_cut` if content exceeds the reader's limit."""

    __slots__ = ("_data", "_fields", "_head", "_start", "_stop", "is_cut", "offset")

    def __init__(self, head: bytes, data: bytes, start: int, stop: int, offset: int, is_cut: bool = False) -> None:
        self._head = head
        self._data = data
        self._start = start
        self._stop = stop
        self._fields: Headers | None = None
        self.offset = offset
        self.is_cut = is_cut

    def __repr__(self) -> str:
        return f"<Record {self.type} {self.url} at {self.offset}>"

    @property
    def headers(self) -> Headers:
        """The record's own fields, in order; names compare case-insensitively."""
        if self._fields is None:
            self._fields = Headers(_fields(self._head))
        return self._fields

    @property
    def type(self) -> str:
        """WARC-Type: response, resource, request, metadata, revisit, conversion, continuation, warcinfo."""
        return self._value("WARC-Type").lower()

    @property
    def url(self) -> str:
        """WARC-Target-URI, "" if absent. The angle brackets of some writers are removed."""
        value = self._value("WARC-Target-URI")
        return value[1:-1] if value[:1] == "<" and value[-1:] == ">" else value

    @property
    def date(self) -> str:
        """WARC-Date, the time of the capture: ISO 8601 in UTC."""
        return self._value("WARC-Date")

    @property
    def id(self) -> str:
        """WARC-Record-ID, a URI that is unique in all archives, without its angle brackets."""
        return self._value("WARC-Record-ID").strip("<> ")

    @property
    def content_type(self) -> str:
        """Content-Type of the content, such as "application/http; msgtype=response"."""
        return self._value("Content-Type")

    @property
    def content(self) -> bytes:
        return self._data[self._start : self._stop]

    @property
    def size(self) -> int:
        """Bytes of the whole record before compression, including the line ends after it."""
        return len(self._head) + 4 + (self._stop - self._start) + 4

    @property
    def kind(self) -> str:
        """How a reader of pages treats the record.

        "page": the response of a web server, or a resource; "text": the plain text of a page (WET files); "wat":
        metadata of a page in JSON (WAT files); "other": anything else.
        """
        kind = self.type
        if kind in ("response", "resource"):
            return "page" if self.url[:4].lower() == "http" or kind == "resource" else "other"
        media_type = media_types.extract(self.content_type)[0]
        if kind == "conversion":
            return "text" if media_type == "text/plain" else "page"
        return "wat" if kind == "metadata" and media_type == "application/json" else "other"

    @property
    def status(self) -> int | None:
        """The HTTP status of a response, read without parsing the rest; None for other records."""
        if not self._is_http():
            return None
        word = self._data[self._start : min(self._start + 16, self._stop)].partition(b" ")[2].lstrip()[:3]
        return int(word) if word.isdigit() else None

    @property
    def media_type(self) -> str:
        """Media type of the page, in lower case without parameters; "" if unknown."""
        if self._is_http():
            end = self._head_end(self._start)[1]
            fields = messages.parse_fields(self._data[self._start : end].partition(b"\n")[2])
            stated = Response("", 0, "", fields, b"").media_type
        else:
            stated = media_types.extract(self.content_type)[0]
        return stated or self._value("WARC-Identified-Payload-Type").lower()

    def response(self, max_bytes: int = MAX_DECODED) -> Response:
        """Return the response as the HTTP client would: status, header fields, body without transfer and content
        coding.

        Many archives store bodies that were already decoded, but with the original header fields; such a body is
        returned as it is. An incomplete body is returned too, with `truncated` True. Raises NetworkError for a head
        that is not HTTP and for an unknown coding.
        """
        cut = self.is_cut or "warc-truncated" in self.headers
        if not self._is_http():
            fields = Headers([("Content-Type", self.content_type)])
            is_short = len(self.content) > max_bytes
            return Response(self.url, 200, "", fields, self.content[:max_bytes], truncated=cut or is_short)
        status, reason, fields, body = self._http_parts()
        body, is_short = _decoded(fields, body, max_bytes)
        return Response(self.url, status, reason, fields, body, truncated=cut or is_short)

    def _http_parts(self) -> tuple[int, str, Headers, bytes]:
        start = self._start
        for _ in range(_MAX_INFORMATIONAL):
            end, body = self._head_end(start)
            line, _, block = self._data[start:end].partition(b"\n")
            status, reason, _ = messages.parse_status_line(line.rstrip(b"\r"))
            if status >= 200:
                return status, reason, messages.parse_fields(block), self._data[body : self._stop]
            start = body
        raise Malformed(f"the archived response of {self.url[:200]} has too many informational responses (HTTP 1xx)")

    def _head_end(self, start: int) -> tuple[int, int]:
        match = messages.END_OF_HEAD.search(self._data, start, self._stop)
        return match.span() if match else (self._stop, self._stop)

    def _is_http(self) -> bool:
        return self._data.startswith(b"HTTP/", self._start, self._stop) and (
            self.type == "response" or self.content_type.lower().startswith("application/http")
        )

    def _value(self, name: str) -> str:
        """Return a field's value, "" if absent. Found without parsing if the name is spelled as in the standard."""
        prefix = f"\r\n{name}: ".encode("ascii")
        start = self._head.find(prefix)
        if start < 0:
            return self.headers.get(name) or ""
        start += len(prefix)
        end = self._head.find(b"\r\n", start)
        return self._head[start : end if end >= 0 else None].decode("utf-8", "replace").strip()


def _fields(head: bytes) -> list[tuple[str, str]]:
    """Parse the fields of a header block; folded lines are joined, malformed ones skipped."""
    pairs: list[tuple[str, str]] = []
    for line in head.decode("utf-8", "replace").split("\n")[1:]:
        if line[:1] in (" ", "\t") and pairs:
            pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]} {line.strip()}")
            continue
        name, colon, value = line.partition(":")
        if colon and name.strip():
            pairs.append((name.strip(), value.strip()))
    return pairs


def _decoded(headers: Headers, body: bytes, max_bytes: int) -> tuple[bytes, bool]:
    """Return the decoded body, at most `max_bytes` of it, and whether it is incomplete."""
    try:
        codings = messages.transfer_codings(headers)
    except NetworkError:
        codings = []
    is_short = False
    if "chunked" in codings:
        body, is_short = _dechunked(body)  # BodyDecoder leaves this coding to us
    try:
        decoder = BodyDecoder(headers.words("content-encoding"), codings)
    except NetworkError:  # an unsupported coding, such as br
        if body.lstrip()[:1] != b"<":
            raise
        decoder = BodyDecoder(())  # "<" never begins a stream of br or zstd: the archive holds decoded text
    if not decoder.names:
        return body[:max_bytes], is_short or len(body) > max_bytes
    decoded = bytearray()
    try:
        for piece in decoder.push(body):
            decoded += piece
            if len(decoded) > max_bytes:
                return bytes(decoded[:max_bytes]), True
        decoder.finish()
    except NetworkError:
        # If nothing could be decoded, the body was decoded before it was stored.
        return (bytes(decoded), True) if decoded else (body[:max_bytes], is_short or len(body) > max_bytes)
    return bytes(decoded), is_short


def _dechunked(body: bytes) -> tuple[bytes, bool]:
    """Return the body without chunked framing, and whether it is incomplete; unchanged if it is not chunked."""
    reader = ResponseReader("GET")
    pieces: list[bytes] = []
    try:
        for event in reader.feed(b"HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n" + body):
            if isinstance(event, Data):
                pieces.append(event.data)
        reader.eof()
    except NetworkError:
        pass
    return (b"".join(pieces), not reader.is_done) if pieces or reader.is_done else (body, False)
