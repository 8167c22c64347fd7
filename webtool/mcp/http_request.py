"""Read HTTP/1.1 requests strictly, and decide which are taken. In: a stream of bytes. Out: a Request, or HttpError.

A proxy and its server must agree where each request ends. If they do not, one client can hide a request
in another's connection (request smuggling). So a form that two parsers may read differently is refused: a bare LF, a
folded line, a space before a colon, Content-Length beside Transfer-Encoding or twice. Specification: RFC 9112.

Three kinds of clients must not get in: a web page that a browser shows (its Origin is foreign), a web page whose name
was changed to point at this machine (its Host is foreign: DNS rebinding), and a program without the token. A stateless
request repeats members of its message in headers; both must agree, as a proxy may have decided by the headers.
Specification: MCP, Streamable HTTP, 2025-03-26 to 2026-07-28; Fetch (CORS); RFC 6750 (bearer tokens).
Tests: tests/mcp/test_http_request.py, tests/mcp/test_http_access.py
"""

from __future__ import annotations

import base64
import hmac
from asyncio import LimitOverrunError, StreamReader
from collections.abc import Callable, Mapping

from webtool.errors import InvalidArgument
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.mcp import messages
from webtool.mcp.messages import META_VERSION, STATELESS_VERSIONS, RpcError

MAX_HEAD = 16 * 1024  # bytes of a request line and its header fields
MAX_MESSAGE = 8 * 1024 * 1024  # bytes of a body
_MAX_CHUNKS = 20000  # of a body; many tiny ones take more time than their bytes are worth
_CHUNKED = -1  # Request.length of a body that comes in chunks

_REQUEST_LINE = patterns.compile(rb"([A-Z]{1,20}) ([!-~]{1,4000}) HTTP/([0-9]\.[0-9])")
_FIELD = patterns.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t -~\x80-\xff]*)")
_CHUNK_LINE = patterns.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[\t -~]*)?")


class HttpError(RpcError):
    """A request that gets an error status, and a JSON-RPC error as its body."""

    def __init__(
        self,
        status: int,
        message: str,
        headers: Mapping[str, str] | None = None,
        code: int = messages.INVALID_REQUEST,
        data: object = None,
    ) -> None:
        super().__init__(code, message, data)
        self.status = status
        self.headers = headers or {}
        self.id: object = None  # of the JSON-RPC request, if it could be read


class Request(NamedTuple):
    """The head of one request."""

    method: str
    path: str
    headers: Mapping[str, str]
    """By lower-case name. The values of a repeated field are joined by ", ", so it equals no single value."""
    length: int  # bytes of the body, or _CHUNKED
    is_http_1_0: bool

    @property
    def keeps_alive(self) -> bool:
        """Whether the connection takes another request."""
        return not self.is_http_1_0 and "close" not in self.headers.get("connection", "").lower()

    @property
    def accepted(self) -> set[str]:
        """The media types and ranges of Accept, in lower case, without those that q=0 refuses (RFC 9110, 12.4.2)."""
        fields = self.headers.get("accept", "*/*").lower().split(",")
        ranges = [[part.strip() for part in field.split(";")] for field in fields]
        return {name for name, *rest in ranges if not any(part.rstrip(".0") == "q=" for part in rest)}


# Reading a request.


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


# Which requests are taken.

SESSION_HEADER = "Mcp-Session-Id"
_DEFAULT_HOST = "127.0.0.1"
# The headers that answer a browser's question (CORS preflight) before it sends a request.
PREFLIGHT = {
    "Access-Control-Allow-Methods": "POST, DELETE",
    "Access-Control-Allow-Headers": "Accept, Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, "
    f"Mcp-Method, Mcp-Name, {SESSION_HEADER}",
    "Access-Control-Max-Age": "600",
}
_AUTHORITY = patterns.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?")
_ADDRESS = patterns.compile(r"(?:(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):)?([0-9]{1,5})")
_LOOPBACK = patterns.compile(r"127(\.[0-9]{1,3}){3}")
_ORIGIN = patterns.compile(r"https?://(.+)")
# Method: the member of params that the header Mcp-Name repeats.
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class Access(NamedTuple):
    """Who may send requests."""

    token: str  # the bearer token, "" if requests need none
    hosts: frozenset[str]
    """Names under which the server is reached, and origins (https://chat.example) whose pages may use it."""

    def check_names(self, headers: Mapping[str, str], local_address: str) -> dict[str, str]:
        """Return the CORS headers of the answer. Raises HttpError for a foreign Host or Origin."""
        host = headers.get("host")
        if host is not None and not self._is_own(host, local_address):
            raise HttpError(403, f"Host {host[:100]} is foreign; the setting WEBTOOL_MCP_HOSTS adds names")
        origin = headers.get("origin")
        if origin is None:
            return {}
        match = _ORIGIN.fullmatch(origin)
        if origin not in self.hosts and not (match and self._is_own(match[1], local_address)):
            raise HttpError(403, f"Origin {origin[:100]} is foreign; the setting WEBTOOL_MCP_HOSTS adds names")
        return {
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Expose-Headers": f"{SESSION_HEADER}, WWW-Authenticate",
            "Vary": "Origin",
        }

    def _is_own(self, authority: str, local_address: str) -> bool:
        """Whether a host, with any port, is one of ours: loopback, the address connected to, or from the setting."""
        host = host_of(authority)
        own = (local_address.partition("%")[0], "localhost", *self.hosts)
        return is_loopback(host) or (host != "" and host in own)

    def check_token(self, headers: Mapping[str, str]) -> None:
        """Raise HttpError unless the request has the token; the time it takes does not depend on the token."""
        if not self.token:
            return
        scheme, _, token = headers.get("authorization", "").partition(" ")
        is_bearer = scheme.lower() == "bearer"
        if not (hmac.compare_digest(token.strip().encode(), self.token.encode()) and is_bearer):
            challenge = 'Bearer realm="webtool"' + (', error="invalid_token"' if is_bearer else "")
            text = "Unauthorized: send Authorization: Bearer with the token of WEBTOOL_MCP_TOKEN"
            raise HttpError(401, text, {"WWW-Authenticate": challenge})


def host_of(authority: str) -> str:
    """Return the host of `HOST[:PORT]` in lower case, without brackets; "" if it is malformed."""
    match = _AUTHORITY.fullmatch(authority.lower())
    return match[1].strip("[]").rstrip(".") if match else ""


def is_loopback(address: str) -> bool:
    """Whether an IP address is one of this machine's own loopback addresses."""
    return address == "::1" or _LOOPBACK.fullmatch(address) is not None


def is_stateless(headers: Mapping[str, str], line: messages.Line) -> bool:
    """Whether the message belongs to the stateless family. Raises HttpError if its headers say otherwise."""
    header = headers.get("mcp-protocol-version")
    if line.is_batch:
        return header in STATELESS_VERSIONS
    message = line.messages[0]
    meta = message.params.get("_meta")
    try:
        if isinstance(meta, dict) and meta.get(META_VERSION) is not None:
            if message.is_request:
                _require_equal_headers(headers, message, meta[META_VERSION])
                messages.stateless_version(meta)
            return True
        if header in STATELESS_VERSIONS and message.is_request:
            raise RpcError(messages.INVALID_PARAMS, f"_meta lacks {META_VERSION}")
        if header not in (None, *messages.SUPPORTED_VERSIONS):
            raise messages.unsupported(str(header))
    except RpcError as error:
        raise refusal(error, message.id) from error
    return header in STATELESS_VERSIONS


def refusal(error: RpcError, message_id: object) -> HttpError:
    """Return the HTTP error for a message that gets this JSON-RPC error."""
    http_error = HttpError(400, error.message, code=error.code, data=error.data)
    http_error.id = message_id
    return http_error


def _require_equal_headers(headers: Mapping[str, str], message: messages.Message, version: object) -> None:
    """Raise RpcError unless the headers repeat the version, the method and the name in the message."""
    repeated: dict[str, object] = {"MCP-Protocol-Version": version, "Mcp-Method": message.method}
    member = _NAMED.get(message.method)
    if member and message.params.get(member) is not None:
        repeated["Mcp-Name"] = message.params[member]
    for name, value in repeated.items():
        if _decoded(headers.get(name.lower(), ""), name == "Mcp-Name") != value:
            problem = f"Header mismatch: {name} does not repeat the message's"
            raise RpcError(messages.HEADER_MISMATCH, problem)


def _decoded(value: str, may_be_encoded: bool) -> str | None:
    """Return the value of a header, decoded from `=?base64?...?=`; None if it is malformed."""
    if not (value and value.isascii() and value.isprintable()):
        return None
    if may_be_encoded and value.startswith("=?base64?") and value.endswith("?=") and len(value) >= 11:
        try:
            return base64.b64decode(value[9:-2], validate=True).decode("utf-8")
        except ValueError:
            return None
    return value


def parse_address(address: str) -> tuple[str, int]:
    """Return host and port of `[HOST:]PORT`. Raises InvalidArgument."""
    match = _ADDRESS.fullmatch(address)
    if match is None or int(match[2]) > 65535:
        hint = "Write --http 8000, or --http HOST:8000; all addresses are 0.0.0.0:8000."
        raise InvalidArgument(f"--http {address[:80]} is not [HOST:]PORT", hint=hint)
    return (match[1] or _DEFAULT_HOST).strip("[]"), int(match[2])
