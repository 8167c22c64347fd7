"""HTTP messages as values (Request, Response, Headers) and their heads as bytes. Pure.

Writing: request_bytes() turns a request's parts into the bytes to send. Reading: parse_status_line() and parse_fields()
turn the bytes of a response's head into values; content_length() and transfer_codings() read the fields that say where
the body ends. Harmless mistakes of servers are tolerated (a line without a colon is skipped). A mistake that makes the
end of the message doubtful raises Malformed. Spec: RFC 9110 sections 5 and 6, RFC 9112 sections 3 to 6.
Tests: tests/net/test_messages.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from webtool.errors import NetworkError, quoted
from webtool.lean import media_types, patterns
from webtool.lean.records import NamedTuple


class Headers:
    """Header fields in their order of arrival; names compare case-insensitively."""

    __slots__ = ("_pairs",)

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._pairs = tuple(pairs)

    def get(self, name: str) -> str | None:
        """Return the value of the first field of that name, or None."""
        return next(iter(self.get_all(name)), None)

    def get_all(self, name: str) -> list[str]:
        """Return the values of all fields of that name, in order."""
        name = name.lower()
        return [value for key, value in self._pairs if key.lower() == name]

    def words(self, name: str) -> list[str]:
        """Return the words of a field that is a list, in lower case: "gzip, br" and "x" -> ["gzip", "br", "x"]."""
        return [word.strip().lower() for value in self.get_all(name) for word in value.split(",")]

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._pairs)

    def __repr__(self) -> str:
        return f"Headers({[name for name, _ in self._pairs]})"  # values may be secrets


class Request(NamedTuple):
    """A request to send.

    `headers` replace the client's own fields of the same name. After a redirect to another origin few of them are sent.
    """

    url: str
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""


class Response(NamedTuple):
    """A response whose body has no content coding any more."""

    url: str  # the final URL, without fragment and user information
    status: int
    reason: str
    headers: Headers
    body: bytes
    redirects: tuple[str, ...] = ()  # the URLs that redirected here, the requested one first
    truncated: bool = False  # the body was cut, or the server sent a part (206)
    elapsed_ms: int = 0  # of the whole fetch
    hops: tuple[tuple[int, Headers], ...] = ()  # status and fields of each redirect
    proxy: str = ""  # description of the plain-HTTP proxy in between, which may have answered itself
    mark: str = ""  # if a browser wrote the body: the attribute that marks hidden elements

    @property
    def content_type(self) -> str | None:
        """Content-Type as sent, or None; fields that were sent several times are joined by commas."""
        return ", ".join(self.headers.get_all("content-type")) or None

    @property
    def media_type(self) -> str:
        """The media type in lower case, such as text/html; "" without a usable Content-Type."""
        return media_types.extract(self.content_type)[0]


class Malformed(NetworkError):
    """The response breaks the rules of HTTP. Not retryable: the same request would get the same response."""

    retryable = False
    default_hint = (
        "The server's answer breaks the rules of HTTP, so asking again will hardly help. Look for the same text "
        "elsewhere (a search, an archive)."
    )


class CutShort(NetworkError):
    """The connection ended before the response was complete; the part that arrived is discarded."""

    default_hint = (
        "The server, or something on the way, ended the connection early. Try again; if it happens each time, look "
        "for the same text elsewhere."
    )


END_OF_HEAD = patterns.compile(rb"\r?\n\r?\n")  # an empty line; lines may end in LF alone (RFC 9112 section 2.2)
_STATUS_LINE = patterns.compile(rb"(?s)HTTP/(\d)\.(\d)[ \t]+([1-9]\d\d)(?:[ \t](.*))?\Z")
MAX_FIELDS = 1000  # header lines of a response; more raise Malformed
_MAX_LENGTH_DIGITS = 18  # digits of a Content-Length, leading zeros not counted

# Token characters (RFC 9110 section 5.6.2): a name is a token if stripping them leaves nothing.
_TOKEN = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TOKEN_BYTES = _TOKEN.encode("ascii")
_CONTROLS = patterns.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def request_bytes(method: str, target: str, fields: list[tuple[str, str]], body: bytes = b"") -> bytes:
    """Return the bytes of a request. Raises NetworkError for a part that a server could read as a second request."""
    if not target or not target.isascii() or not target.isprintable() or " " in target or not _is_token(method):
        hint = "Percent-encode the path and the query of the URL."
        raise NetworkError("the request target is malformed", hint=hint, retryable=False)
    lines = [f"{method} {target} HTTP/1.1"]
    for name, value in fields:
        if not _is_token(name) or not _is_field_value(value):
            raise NetworkError(
                f"the request's header {quoted(name)} contains a character that headers may not contain",
                hint="Correct it where it was given: the argument accept, the hosts file, or the settings "
                "user_agent and contact.",
                retryable=False,
            )
        lines.append(f"{name}: {value}")
    if body or method in ("POST", "PUT", "PATCH"):
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body


def basic(name: str, password: str) -> str:
    """Return the value of an Authorization field for name and password (RFC 7617)."""
    from binascii import b2a_base64  # a shared library that is rarely needed

    return "Basic " + b2a_base64(f"{name}:{password}".encode(), newline=False).decode("ascii")


def _is_token(text: str) -> bool:
    return bool(text) and not text.strip(_TOKEN)


def _is_field_value(text: str) -> bool:
    """Return whether RFC 9110 section 5.5 allows the value: visible Latin-1 characters, blanks and tabs."""
    is_latin_1 = max(text, default="") <= "\xff"
    return (text.isascii() and text.isprintable()) or (is_latin_1 and not _CONTROLS.search(text))


def parse_status_line(line: bytes) -> tuple[int, str, bool]:
    """Return status, reason phrase (often "") and whether the version is 1.1 to 1.9 (RFC 9112 section 4)."""
    match = _STATUS_LINE.match(line)
    if not match:
        raise Malformed(f"the status line is malformed: {quoted(_text(line))}")
    major, minor, code, reason = match.groups()
    return int(code), _text(reason or b""), major == b"1" and minor != b"0"


def parse_fields(block: bytes) -> Headers:
    """Parse header fields. Folded lines are joined; lines without a colon or with a malformed name are skipped."""
    lines: list[bytes] = []
    raw_lines = block.split(b"\n")
    # Folded lines count too, as joining each takes time. At the end there are up to two empty lines.
    if len(raw_lines) > MAX_FIELDS + 2:
        raise Malformed(f"the answer has more than {MAX_FIELDS} header lines")
    for line in raw_lines:
        line = line.rstrip(b"\r")
        if line[:1] in (b" ", b"\t") and lines:
            lines[-1] += b" " + line.strip()
        elif line:
            lines.append(line)
    pairs = []
    for line in lines:
        name, colon, value = line.partition(b":")
        name = name.rstrip(b" \t")
        if colon and name and not name.strip(_TOKEN_BYTES):
            pairs.append((name.decode("ascii"), _text(value)))
    return Headers(pairs)


def content_length(headers: Headers) -> int | None:
    """Return the length of the body in bytes, or None; equal repetitions are one. Raises Malformed."""
    words = headers.words("content-length")
    if not words:
        return None
    # RFC 9110 section 5.6.1: empty members of a list are ignored, as in "5,".
    values = set(words) - {""}
    value = values.pop() if values else ""
    if values:
        raise Malformed("the answer names two different lengths (Content-Length)")
    digits = value.lstrip("0")
    if not value.isascii() or not value.isdigit() or len(digits) > _MAX_LENGTH_DIGITS:
        raise Malformed(f"the Content-Length is malformed: {quoted(value)}")
    return int(digits or "0")


def transfer_codings(headers: Headers) -> list[str]:
    """Return the transfer codings in the order they were applied. Raises Malformed if one follows chunked."""
    codings = [word for word in headers.words("transfer-encoding") if word and word != "identity"]
    while codings[-2:] == ["chunked", "chunked"]:  # a proxy repeated the field: no server applies it twice
        codings.pop()
    if "chunked" in codings[:-1]:
        raise Malformed(f"the Transfer-Encoding is malformed: {quoted(', '.join(codings))}")
    return codings


def _text(value: bytes) -> str:
    # RFC 9110 section 5.5: CR and NUL in a value become spaces. LF cannot be in it: it ends a line.
    return value.strip(b" \t").replace(b"\0", b" ").replace(b"\r", b" ").decode("latin-1")
