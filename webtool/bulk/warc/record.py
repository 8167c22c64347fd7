"""One record of a WARC file. In: its header block and its content block. Out: its fields, and what was captured: the
HTTP answer, decoded as the client decodes it.

Everything is looked up when it is asked for: most readers pass over most records. Spec: ISO 28500 (WARC 1.1).
"""

from __future__ import annotations

from webtool.errors import NetworkError
from webtool.net import messages
from webtool.net.decode import BodyDecoder
from webtool.net.exchange import Data, ResponseReader
from webtool.net.messages import Headers, Malformed, Response, content_type

MAX_DECODED = 64 << 20
"""Most bytes of a decoded body, unless the caller says otherwise: a bomb is cut there."""
_INFORMATIONAL = 16  # 1xx answers passed over


class Record:
    """A record. `offset` is where it begins in the file, or the gzip member that it lies in; `is_cut` says that the
    content was longer than the reader's limit."""

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
        """The record's own fields, in order; names compare without regard to case."""
        if self._fields is None:
            self._fields = Headers(_fields(self._head))
        return self._fields

    @property
    def type(self) -> str:
        """WARC-Type: response, resource, request, metadata, revisit, conversion, continuation, warcinfo."""
        return self._value("WARC-Type").lower()

    @property
    def url(self) -> str:
        """WARC-Target-URI, "" where there is none. Some writers put it in angle brackets."""
        value = self._value("WARC-Target-URI")
        return value[1:-1] if value[:1] == "<" and value[-1:] == ">" else value

    @property
    def date(self) -> str:
        """WARC-Date, when it was captured: ISO 8601 in UTC."""
        return self._value("WARC-Date")

    @property
    def content_type(self) -> str:
        """The content's own Content-Type, such as "application/http; msgtype=response"."""
        return self._value("Content-Type")

    @property
    def content(self) -> bytes:
        """The content block as stored."""
        return self._data[self._start : self._stop]

    @property
    def size(self) -> int:
        """Bytes of the whole record before compression, the line ends behind it included."""
        return len(self._head) + 4 + (self._stop - self._start) + 4

    @property
    def kind(self) -> str:
        """What a reader of pages has to do with it.

        "page": an answer of a server, or a resource stored by itself; "text": plain text made of a page (WET files);
        "wat": metadata of a page in JSON (WAT files); else "other".
        """
        kind = self.type
        if kind in ("response", "resource"):
            return "page" if self.url[:4].lower() == "http" or kind == "resource" else "other"
        essence = self.content_type.partition(";")[0].strip().lower()
        if kind == "conversion":
            return "text" if essence == "text/plain" else "page"
        return "wat" if kind == "metadata" and essence == "application/json" else "other"

    @property
    def status(self) -> int | None:
        """The HTTP status of a response without reading the rest of it; None for other records."""
        if not self._is_http():
            return None
        word = self._data[self._start : min(self._start + 16, self._stop)].partition(b" ")[2].lstrip()[:3]
        return int(word) if word.isdigit() else None

    @property
    def media_type(self) -> str:
        """What Content-Type says of the page, in lower case without parameters; "" where nothing is said."""
        if self._is_http():
            end = self._head_end(self._start)[1]
            found = content_type(messages.parse_fields(self._data[self._start : end].partition(b"\n")[2]))[0]
        else:
            found = self.content_type.partition(";")[0].strip().lower()
        return found or self._value("WARC-Identified-Payload-Type").lower()

    def response(self, max_bytes: int = MAX_DECODED) -> Response:
        """The page as the client would have given it: status, header fields, body without transfer and content coding.

        Many archives hold bodies that were decoded before, under the header fields from before: framing that is not
        there is not missed. A body that is cut short is kept, and `truncated` says so. Raises NetworkError for a head
        that is not HTTP and for a coding that nobody here knows.
        """
        cut = self.is_cut or "warc-truncated" in self.headers
        if not self._is_http():
            fields = Headers([("Content-Type", self.content_type)])
            return Response(self.url, 200, "", fields, self.content[:max_bytes], truncated=cut)
        status, reason, fields, body = self._http_parts()
        body, is_short = _decoded(fields, body, max_bytes)
        return Response(self.url, status, reason, fields, body, truncated=cut or is_short)

    def _http_parts(self) -> tuple[int, str, Headers, bytes]:
        start = self._start
        for _ in range(_INFORMATIONAL):
            end, body = self._head_end(start)
            line, _, block = self._data[start:end].partition(b"\n")
            status, reason, _ = messages.parse_status_line(line.rstrip(b"\r"))
            if status >= 200:
                return status, reason, messages.parse_fields(block), self._data[body : self._stop]
            start = body
        raise Malformed(f"The answer of {self.url[:200]} in the archive has no end of informational answers")

    def _head_end(self, start: int) -> tuple[int, int]:
        """Where the head that begins there ends, and where what follows it begins."""
        found = self._data.find(b"\r\n\r\n", start, self._stop)
        bare = self._data.find(b"\n\n", start, self._stop if found < 0 else found)
        if bare >= 0:
            return bare, bare + 2
        return (found, found + 4) if found >= 0 else (self._stop, self._stop)

    def _is_http(self) -> bool:
        return self._data.startswith(b"HTTP/", self._start, self._stop) and (
            self.type == "response" or self.content_type.lower().startswith("application/http")
        )

    def _value(self, name: str) -> str:
        """A field's value, quickly where it is written as the standard writes it."""
        mark = f"\r\n{name}: ".encode("ascii")
        at = self._head.find(mark)
        if at < 0:
            return self.headers.get(name) or ""
        at += len(mark)
        end = self._head.find(b"\r\n", at)
        return self._head[at : end if end >= 0 else None].decode("utf-8", "replace").strip()


def _fields(head: bytes) -> list[tuple[str, str]]:
    """The fields of a header block, folded lines joined; lines that are no fields are left out."""
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
    """The body without its codings, and whether something is missing of it."""
    try:
        codings = messages.transfer_codings(headers)
    except NetworkError:
        codings = []
    is_short = False
    if "chunked" in codings:
        body, is_short = _dechunked(body)
    names = [word for value in headers.get_all("content-encoding") for word in value.split(",")]
    decoder = BodyDecoder([*names, *(name for name in codings if name != "chunked")])
    if not decoder.names:
        return body[:max_bytes], is_short or len(body) > max_bytes
    made = bytearray()
    try:
        for piece in decoder.push(body):
            made += piece
            if len(made) > max_bytes:
                return bytes(made[:max_bytes]), True
        decoder.finish()
    except NetworkError:
        # Nothing came out of it: it was decoded before it was stored.
        return (bytes(made), True) if made else (body[:max_bytes], False)
    return bytes(made), is_short


def _dechunked(body: bytes) -> tuple[bytes, bool]:
    """The body without chunked framing; as it is where there is none."""
    reader = ResponseReader("GET")
    pieces: list[bytes] = []
    try:
        for event in reader.feed(b"HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n" + body):
            if isinstance(event, Data):
                pieces.append(event.data)
    except NetworkError:
        pass
    return (b"".join(pieces), not reader.is_done) if pieces or reader.is_done else (body, False)
