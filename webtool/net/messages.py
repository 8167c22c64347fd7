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
from webtool.lean import patterns
from webtool.lean.records import NamedTuple


class Headers:
    """Header fields in the order they came; names compare without regard to case."""

    __slots__ = ("_pairs",)

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._pairs = tuple(pairs)

    def get(self, name: str) -> str | None:
        """The first field's value."""
        return next(iter(self.get_all(name)), None)

    def get_all(self, name: str) -> list[str]:
        """The values of all fields of that name, in order."""
        name = name.lower()
        return [value for key, value in self._pairs if key.lower() == name]

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._pairs)

    def __repr__(self) -> str:
        return f"Headers({[name for name, _ in self._pairs]})"  # values may be secrets


class Request(NamedTuple):
    """What to send. `headers` are added to, and win over, the client's own; they are dropped on other origins."""

    url: str
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""


class Response(NamedTuple):
    """What came back, decoded from its content codings.

    `url` is the final URL without fragment and user information, `redirects` the URLs that led there (the first asked
    for first), `hops` their statuses and fields, `truncated` whether the body is less than what the server has,
    `elapsed_ms` the whole fetch.
    """

    url: str
    status: int
    reason: str
    headers: Headers
    body: bytes
    redirects: tuple[str, ...] = ()
    truncated: bool = False
    elapsed_ms: int = 0
    hops: tuple[tuple[int, Headers], ...] = ()
    proxy: str = ""
    """The proxy that answered in plain HTTP, in words; it may have answered in the server's place."""
    mark: str = ""
    """Of a body that a browser wrote: the attribute by which it says what of the page cannot be seen."""

    @property
    def media_type(self) -> str:
        """The essence of Content-Type in lower case, such as text/html; "" where none is usable."""
        return content_type(self.headers)[0]

    @property
    def charset(self) -> str | None:
        """The charset parameter of Content-Type as sent, None where there is none."""
        return content_type(self.headers)[1]


_ESSENCE = patterns.compile(r"[!#$%&'*+\-.^_`|~0-9a-z]+/[!#$%&'*+\-.^_`|~0-9a-z]+")
_PARAMETER = patterns.compile(r'(?i);\s*charset\s*=\s*(?:"([^"]*)"|([^;,\s"]*))')
_LONGEST_TYPE = 1000  # characters; longer values are no media type


def content_type(headers: Headers) -> tuple[str, str | None]:
    """Essence and charset; of several values the last usable one, which keeps an earlier charset of the same essence.

    After "extract a MIME type" of the Fetch Standard.
    """
    essence, charset = "", None
    for value in ",".join(headers.get_all("content-type"))[:_LONGEST_TYPE].split(","):
        found = value.partition(";")[0].strip().lower()
        if not _ESSENCE.fullmatch(found) or found == "*/*":
            continue
        match = _PARAMETER.search(value)
        label = (match[1] or match[2]) if match else None
        if found != essence:
            essence, charset = found, None
        charset = label or charset
    return essence, charset


class Malformed(NetworkError):
    """The server, or something on the way, does not keep to HTTP: the same request would bring the same answer."""

    retryable = False
    default_hint = (
        "The server's answer breaks the rules of HTTP, so asking again will hardly help. Look for the same text "
        "elsewhere (a search, an archive)."
    )


class CutShort(NetworkError):
    """The connection ended before the answer did; what came is not handed on as if it were the page."""

    default_hint = (
        "The server, or something on the way, ended the connection early. Try again; if it happens each time, look "
        "for the same text elsewhere."
    )


MAX_FIELDS = 1000  # header lines
_MAX_LENGTH_DIGITS = 18

# Token characters (RFC 9110 section 5.6.2); stripping them all from a name leaves nothing.
_TOKEN = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TOKEN_BYTES = _TOKEN.encode("ascii")
_CONTROLS = patterns.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def request_bytes(method: str, target: str, fields: list[tuple[str, str]], body: bytes = b"") -> bytes:
    """The request as sent. Raises NetworkError for anything that could be read as more than one request."""
    if not target or not target.isascii() or not target.isprintable() or " " in target or not _is_token(method):
        raise NetworkError(
            "the request target is malformed", hint="Percent-encode the path and the query of the URL.", retryable=False
        )
    lines = [f"{method} {target} HTTP/1.1"]
    for name, value in fields:
        if not _is_token(name) or not _is_field_value(value):
            raise NetworkError(
                f"the request's header {quoted(name)} has a character that no header may have",
                hint="Correct it where it was given: the request's accept member, the hosts file, or the settings "
                "user_agent and contact.",
                retryable=False,
            )
        lines.append(f"{name}: {value}")
    if body or method in ("POST", "PUT", "PATCH"):
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body


def basic(name: str, password: str) -> str:
    """Credentials for an Authorization field (RFC 7617)."""
    from binascii import b2a_base64  # a library of its own, which few starts need

    return "Basic " + b2a_base64(f"{name}:{password}".encode(), newline=False).decode("ascii")


def _is_token(text: str) -> bool:
    return bool(text) and not text.strip(_TOKEN)


def _is_field_value(text: str) -> bool:
    """RFC 9110 section 5.5: visible characters, blanks, tabs, and bytes above 127, which Latin-1 stands for."""
    return (text.isascii() and text.isprintable()) or (max(text, default="") < "\u0100" and not _CONTROLS.search(text))


def parse_status_line(line: bytes) -> tuple[int, str, bool]:
    """Status, reason phrase (often missing) and whether the server speaks 1.1 (RFC 9112 section 4)."""
    version, rest = line[:8], line[8:]
    code, after = rest.lstrip(b" \t")[:3], rest.lstrip(b" \t")[3:]
    is_version = version[:5] == b"HTTP/" and version[5:6].isdigit() and version[6:7] == b"." and version[7:8].isdigit()
    is_code = len(code) == 3 and code.isdigit() and code[:1] != b"0"
    if not is_version or rest[:1] not in (b" ", b"\t") or not is_code or after[:1] not in (b"", b" ", b"\t"):
        raise Malformed(f"the status line is malformed: {quoted(_text(line))}")
    return int(code), _text(after), version[5:6] == b"1" and version[7:8] != b"0"


def parse_fields(block: bytes) -> Headers:
    """Header fields. Folded lines are joined; lines without a colon or with a malformed name are left out."""
    lines: list[bytes] = []
    written = block.split(b"\n")
    if len(written) > MAX_FIELDS + 2:  # folded ones count too: joining them one by one takes its time
        raise Malformed(f"the answer has more than {MAX_FIELDS} header lines")
    for line in written:
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
    """The length of the body in bytes; equal repetitions count once. Raises NetworkError for anything else."""
    values = {word.strip() for value in headers.get_all("content-length") for word in value.split(",")}
    if not values:
        return None
    value = values.pop()
    if values:
        raise Malformed("the answer names two different lengths (Content-Length)")
    if not value.isascii() or not value.isdigit() or len(value.lstrip("0")) > _MAX_LENGTH_DIGITS:
        raise Malformed(f"the Content-Length is malformed: {quoted(value)}")
    return int(value[-_MAX_LENGTH_DIGITS:])


def transfer_codings(headers: Headers) -> list[str]:
    """Transfer codings in the order they were applied. Raises NetworkError where chunked is not the last one."""
    values = [word.strip().lower() for value in headers.get_all("transfer-encoding") for word in value.split(",")]
    codings = [value for value in values if value and value != "identity"]
    if "chunked" in codings[:-1]:
        raise Malformed(f"the Transfer-Encoding is malformed: {quoted(', '.join(values))}")
    return codings


def _text(value: bytes) -> str:
    # RFC 9110 section 5.5: CR, LF and NUL in a value must not be passed on.
    return value.strip(b" \t").replace(b"\0", b" ").replace(b"\r", b" ").decode("latin-1")
