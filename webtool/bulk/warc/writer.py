"""Make WARC 1.1 records of requests and responses. In: bytes, fields. Out: bytes of records. Pure, except random IDs.

An archive may be handed to others. So request fields that may contain secrets (cookies, credentials, fields from the
hosts file) are left out, and cookies, tokens and secret query values are blanked in the heads and in the address,
unless `keeps_secrets` is set. Digests are those of the written bytes. Bodies are written as they are: those of requests
are search queries, as webtool posts nothing else.
Spec: ISO 28500:2017, sections 5 and 6.
Tests: tests/bulk/warc/test_writer.py
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable

from webtool import __version__, urls
from webtool.lean import dates, patterns
from webtool.lean.optional import zlib
from webtool.lean.records import NamedTuple
from webtool.net.messages import END_OF_HEAD

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
    name_field = (("WARC-Filename", filename),)
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
    response_fields = [*shared_fields, ("WARC-Payload-Digest", digest(split_head(received)[2]))]
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


def split_head(message: bytes) -> tuple[bytes, bytes, bytes]:
    """Return head, empty line and body of a message; the last two are b"" if it has no empty line."""
    match = END_OF_HEAD.search(message)
    return (message[: match.start()], match[0], message[match.end() :]) if match else (message, b"", b"")


def _without_credentials(sent: bytes) -> bytes:
    """Return a request with only those fields that cannot have a secret."""
    head, gap, body = split_head(sent)
    first, *lines = head.split(b"\r\n")
    kept = [line for line in lines if line.partition(b":")[0].strip().lower() in _WRITTEN_FIELDS]
    return b"\r\n".join([first, *kept]) + gap + body


def _blanked(message: bytes) -> bytes:
    """Return the message with the secrets in its head replaced: `Set-Cookie: ***`, `Location: /?token=***`."""
    head, gap, body = split_head(message)
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
    is_secret = any(map(_is_secret_field, texts[1:]))  # a name may follow a CR alone: "Foo: 1", "Set-Cookie: a"
    if not is_start_line:
        is_secret |= _is_secret_field(texts[0]) or _is_secret_field(whole)  # a name may be folded: "Set-Cookie", " : a"
    if is_split or is_secret:
        start = readable[0] if is_start_line else texts[0].partition(b":")[0] + b": ***"
        readable = [start, *(b" ***" for _ in lines[1:])]
    return b"".join(text + line[len(line.rstrip(b"\r\n")) :] for text, line in zip(readable, lines))


def _is_secret_field(field: bytes) -> bool:
    return _SECRET_FIELD.fullmatch(field.partition(b":")[0].strip(_NOT_IN_NAMES)) is not None


def _redacted(text: bytes) -> bytes:
    return urls.redact_for_archive(text.decode("latin-1")).encode("latin-1")
