"""Write WARC 1.1 records, and a WARC file while pages are fetched. In: bytes of requests and responses. Out: records.

The HTTP client passes each connection to tap() before an exchange and calls Tap.end() after it. The bytes sent and
received in between become two records, written together. An existing WARC file is continued; if a killed run left an
incomplete record at its end, that is cut off first. A file of another kind is never changed. Several processes may
write to one file: each locks it while it writes.

An archive may be handed to others. So request fields that may contain secrets (cookies, credentials, fields from the
hosts file) are left out, and cookies, tokens and secret query values are blanked in the heads and in the address,
unless `keeps_secrets` is set. Digests are those of the written bytes. Bodies are written as they arrived. Informational
responses (1xx) are left out, as readers would take them for the response itself.
Spec: ISO 28500:2017, sections 5 and 6.
Tests: tests/bulk/warc/test_recorder.py, tests/bulk/warc/test_writer.py
"""

from __future__ import annotations

import base64
import hashlib
import os
import time
from _thread import allocate_lock
from collections.abc import Iterable

from webtool import __version__, urls
from webtool.bulk.warc import reader
from webtool.errors import FetchTimeout, FetchTooLarge, InvalidArgument, UnsupportedContent
from webtool.lean import dates, patterns
from webtool.lean.optional import zlib
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any, BinaryIO
from webtool.net.messages import END_OF_HEAD, Response
from webtool.output import CannotWrite, lock, open_to_append, unlock, write_all

# Request fields that are written; all others may be secrets.
_WRITTEN_FIELDS = frozenset(
    b"host user-agent accept accept-language accept-encoding connection referer if-none-match if-modified-since "
    b"content-type content-length cache-control range".split()
)
# Response fields whose values are secrets: cookies, and tokens of any name.
_SECRET_FIELD = patterns.compile(
    rb"(?i)(?:set-)?cookie2?|(?:proxy-)?auth(?:orization|entication-info)|x-auth.*"
    rb"|(?!access-control-).*(?:token|secret|passw|credential|api-?key|access-?key|session|jwt|csrf|xsrf).*"
)
_NOT_IN_NAMES = bytes(range(33))  # control characters and the space
_INFORMATIONAL = patterns.compile(rb"HTTP/\d\.\d[ \t]+1\d\d")
_CONFORMS = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"


class Exchange(NamedTuple):
    """One request and its response."""

    url: str
    sent: bytes
    received: bytes
    at: float  # Unix seconds of the request
    address: str = ""  # of the server
    truncated: str = ""  # why the response is incomplete: length, time, disconnect; "" if it is complete
    keeps_secrets: bool = False  # write everything as it was sent


def warcinfo(filename: str, now: float, is_compressed: bool, robots: bool) -> bytes:
    """Return the first record of a file: which software wrote it, and how."""
    content = info_fields(("robots", "obey" if robots else "ignore"))
    name_field = (("WARC-Filename", " ".join(filename.split())),)
    return record("warcinfo", dates.iso(now), name_field, "application/warc-fields", content, is_compressed)[1]


def info_fields(*further: tuple[str, str]) -> bytes:
    """Return the content of a warcinfo record."""
    software = ("software", f"webtool/{__version__}")
    fields = (software, ("format", "WARC File Format 1.1"), ("conformsTo", _CONFORMS), *further)
    return "".join(f"{name}: {value}\r\n" for name, value in fields).encode("utf-8")


def exchange_records(exchange: Exchange, is_compressed: bool) -> bytes:
    """Return the two records of an exchange, each in its own gzip member if the file is compressed."""
    url, sent, received, at, address, truncated, keeps_secrets = exchange
    if not keeps_secrets:
        url = urls.redact_for_archive(url)
        sent, received = _blanked(_without_credentials(sent)), _blanked(received)
    shared_fields = [("WARC-Target-URI", url)]
    if address:
        shared_fields.append(("WARC-IP-Address", address))
    response_fields = [*shared_fields, ("WARC-Payload-Digest", digest(_split(received)[2]))]
    if truncated:
        response_fields.append(("WARC-Truncated", truncated))
    http = "application/http; msgtype="
    date = dates.iso(at)
    identity, response = record("response", date, response_fields, http + "response", received, is_compressed)
    request_fields = [*shared_fields, ("WARC-Concurrent-To", identity)]
    return response + record("request", date, request_fields, http + "request", sent, is_compressed)[1]


def record(
    kind: str,
    date: str,
    fields: Iterable[tuple[str, str]],
    content_type: str,
    content: bytes,
    is_compressed: bool,
    seed: bytes = b"",
) -> tuple[str, bytes]:
    """Return a record's WARC-Record-ID and its bytes.

    With a `seed` the ID is made of it, so that equal input gives equal bytes. White space in a value becomes one space:
    with its line ends, ("A", "1\r\nB: 2") would write two fields. Fields without a value are left out.
    """
    identity = identity_of(seed)
    pairs = [("WARC-Type", kind), ("WARC-Record-ID", identity), ("WARC-Date", date), *fields]
    pairs += [("WARC-Block-Digest", digest(content)), ("Content-Type", content_type)]
    pairs.append(("Content-Length", str(len(content))))
    head = "".join(f"{name}: {' '.join(value.split())}\r\n" for name, value in pairs if value)
    data = b"WARC/1.1\r\n" + head.encode("utf-8", "replace") + b"\r\n" + content + b"\r\n\r\n"
    if not is_compressed:
        return identity, data
    packer = zlib.compressobj(wbits=31)
    return identity, packer.compress(data) + packer.flush()


def identity_of(seed: bytes = b"") -> str:
    """Return a WARC-Record-ID made of the seed, or a random one."""
    import uuid

    number = uuid.UUID(bytes=hashlib.sha256(seed).digest()[:16], version=5) if seed else uuid.uuid4()
    return f"<urn:uuid:{number}>"


def digest(data: bytes) -> str:
    """Return the SHA-1 of some bytes as WARC fields have it."""
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode("ascii")


def _split(message: bytes) -> tuple[bytes, bytes, bytes]:
    match = END_OF_HEAD.search(message)
    return (message[: match.start()], match[0], message[match.end() :]) if match else (message, b"", b"")


def _without_credentials(sent: bytes) -> bytes:
    head, gap, body = _split(sent)
    first, *lines = head.split(b"\r\n")
    kept = [line for line in lines if line.partition(b":")[0].strip().lower() in _WRITTEN_FIELDS]
    return b"\r\n".join([first, *kept]) + gap + body


def _blanked(message: bytes) -> bytes:
    """Return the message with the secrets in its head replaced: `Set-Cookie: ***`, `Location: /?token=***`."""
    head, gap, body = _split(message)
    parts = [_blanked_field(lines, is_start_line=number == 0) for number, lines in enumerate(_fields(head))]
    return b"".join(parts) + gap + body


def _fields(head: bytes) -> list[list[bytes]]:
    r"""Return the lines of each field, with their line ends; the start line comes first.

    A folded line belongs to the field before it (RFC 9112 section 5.2), and so does a line after a CR alone:
    "A: 1\r\n 2\r\nB: 3\rC: 4\n" -> [["A: 1\r\n", " 2\r\n"], ["B: 3\r", "C: 4\n"]].
    """
    fields: list[list[bytes]] = []
    for line in head.splitlines(keepends=True):
        if fields and (line[:1] in (b" ", b"\t") or not fields[-1][-1].endswith(b"\n")):
            fields[-1].append(line)
        else:
            fields.append([line])
    return fields


def _blanked_field(lines: list[bytes], *, is_start_line: bool) -> bytes:
    """Return the lines of one field, or the start line with lines that continue it, without secrets.

    "|" stands for a line end in these examples:
    Location: /?token=a    -> Location: /?token=***  a secret inside one line
    Set-Cookie: a | b      -> Set-Cookie: *** | ***  a field that is secret, with all its lines
    Location: /?tok | en=a -> Location: *** | ***    a secret that begins in one line and ends in the next
    """
    texts = [line.rstrip(b"\r\n") for line in lines]
    whole = b"".join(text.strip() for text in texts)
    readable = [_redacted(text) for text in texts]
    is_split = len(lines) > 1 and _redacted(whole) != b"".join(text.strip() for text in readable)
    # A name may be folded ("Set-Cookie", " : a") or follow a CR alone ("Foo: 1", "Set-Cookie: a").
    if is_split or any(map(_is_secret_field, texts[1:] if is_start_line else [whole, *texts])):
        start = readable[0] if is_start_line else texts[0].partition(b":")[0] + b": ***"
        readable = [start, *(b" ***" for _ in lines[1:])]
    return b"".join(text + line[len(line.rstrip(b"\r\n")) :] for text, line in zip(readable, lines))


def _is_secret_field(field: bytes) -> bool:
    return _SECRET_FIELD.fullmatch(field.partition(b":")[0].strip(_NOT_IN_NAMES)) is not None


def _redacted(text: bytes) -> bytes:
    return urls.redact_for_archive(text.decode("latin-1")).encode("latin-1")


def _without_informational(received: bytes) -> bytes:
    """Return the response without the informational ones (1xx) before it (RFC 9110 section 15.2)."""
    while _INFORMATIONAL.match(received):
        received = _split(received)[2]  # b"" if the connection broke in or after it
    return received


_HINT = "Name another file with --warc (WEBTOOL_WARC)."
_MAX_INFLATED = 1 << 20  # bytes of a member that are decompressed at once
_MAX_WAIT = 10.0  # seconds to wait for another process that is writing to the file


class Recorder:
    """The open file. Thread-safe. Raises InvalidArgument if the file cannot be written."""

    def __init__(self, path: str, *, respects_robots: bool = True, keeps_secrets: bool = False) -> None:
        self._path = path
        self.keeps_secrets = keeps_secrets
        self._is_compressed = path.endswith(".gz")
        self._lock = allocate_lock()
        try:
            self._fd = open_to_append(path)
        except (OSError, ValueError) as exc:
            raise _unusable(path, exc) from exc
        info = warcinfo(os.path.basename(path), time.time(), self._is_compressed, respects_robots)
        try:
            self._prepare(info)
        except InvalidArgument:
            os.close(self._fd)
            raise

    def tap(self, connection: Any, url: urls.Url) -> Tap:
        """Wrap the connection so that one exchange is recorded."""
        return Tap(self, connection, url.without_fragment)

    def record(self, exchange: Exchange) -> None:
        self._write(exchange_records(exchange, self._is_compressed))

    def close(self) -> None:
        with self._lock:
            os.close(self._fd)

    def _prepare(self, info: bytes) -> None:
        """Write the first record of a new file, or cut off what a killed run left at the end of an existing one."""
        with self._lock:
            self._lock_file()
            try:
                if os.fstat(self._fd).st_size:
                    self._cut_torn_record()
                else:
                    write_all(self._fd, info)
            except (CannotWrite, OSError) as exc:  # a file that can be written, and not read, cannot be continued
                raise _unusable(self._path, exc) from exc
            finally:
                unlock(self._fd)

    def _write(self, data: bytes) -> None:
        """Write records while no other thread or process has the file."""
        with self._lock:
            self._lock_file()
            try:
                write_all(self._fd, data)
            except (CannotWrite, OSError) as exc:
                raise _unusable(self._path, exc) from exc
            finally:
                unlock(self._fd)

    def _lock_file(self) -> None:
        if not lock(self._fd, _MAX_WAIT):
            problem = f"Another process has been writing to {self._path} for over {_MAX_WAIT:.0f} s"
            raise InvalidArgument(problem, hint=_HINT)

    def _cut_torn_record(self) -> None:
        """Cut the file after its last whole record. Raises InvalidArgument for a file of another kind."""
        try:
            end, is_compressed = _end_of_records(self._path)
        except UnsupportedContent as exc:
            problem = f"{self._path} exists and is not a WARC file; it was not changed"
            raise InvalidArgument(problem, hint=_HINT) from exc
        if is_compressed != self._is_compressed:
            state = "compressed" if is_compressed else "not compressed"
            raise InvalidArgument(f"{self._path} is {state}, which contradicts its name", hint=_HINT)
        if end < os.fstat(self._fd).st_size:
            os.ftruncate(self._fd, end)


def _end_of_records(path: str) -> tuple[int, bool]:
    with open(path, "rb") as file:
        is_compressed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        last = None
        for record in reader.records(file):
            last = record
        if last is None:
            raise UnsupportedContent("It has no whole record")
        if not is_compressed:
            return last.offset + last.size, False
        return _end_of_members(file, last.offset), True


def _end_of_members(file: BinaryIO, start: int) -> int:
    """Return where the last whole gzip member ends; the member at `start` is whole. What follows is torn or damaged.

    Some programs write a record in several members: then the last record's first member is not the last of the file.
    """
    file.seek(start)
    end, data = start, b""
    while True:
        inflate, size = zlib.decompressobj(wbits=31), 0
        while not inflate.eof:
            data = data or file.read(65536)
            if not data:
                return end
            try:
                inflate.decompress(data, _MAX_INFLATED)
            except zlib.error:
                return end
            rest = inflate.unconsumed_tail or inflate.unused_data  # the first until the member ends, then the second
            size += len(data) - len(rest)
            data = rest
        end += size


class Tap:
    """A connection that collects the bytes sent and received."""

    def __init__(self, recorder: Recorder, connection: Any, url: str) -> None:
        self._recorder = recorder
        self._connection = connection
        self._url = url
        self._sent = bytearray()
        self._received = bytearray()
        self._started_at = time.time()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def send(self, data: bytes) -> int:
        count: int = self._connection.send(data)
        self._sent += data[:count]
        return count

    def recv(self, size: int) -> bytes:
        data: bytes = self._connection.recv(size)
        self._received += data
        return data

    def end(self, outcome: Response | BaseException) -> None:
        """Write the records of the exchange, if an HTTP response arrived. `outcome` is the response or the error."""
        received = _without_informational(bytes(self._received).lstrip(b"\r\n"))
        if not received.startswith(b"HTTP/"):
            return
        facts = (self._started_at, self._address(), _why_truncated(outcome), self._recorder.keeps_secrets)
        self._recorder.record(Exchange(self._url, bytes(self._sent), received, *facts))

    def _address(self) -> str:
        try:
            return str(self._connection.getpeername()[0]).partition("%")[0]
        except (OSError, AttributeError, IndexError, TypeError):
            return ""


def _why_truncated(outcome: Response | BaseException) -> str:
    """Return the value of WARC-Truncated, "" for a whole response."""
    if isinstance(outcome, FetchTimeout):
        return "time"
    if isinstance(outcome, FetchTooLarge):
        return "length"
    if isinstance(outcome, BaseException):
        return "disconnect"
    is_partial = outcome.status == 206  # the answer to a range that was asked for: whole, though `truncated` is set
    return "length" if outcome.truncated and not is_partial else ""


def _unusable(path: str, exc: BaseException) -> InvalidArgument:
    return InvalidArgument(f"{path} cannot be written: {getattr(exc, 'strerror', None) or exc}", hint=_HINT)
