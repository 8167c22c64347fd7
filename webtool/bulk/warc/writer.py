"""Write WARC 1.1 records. In: the bytes of a request and its response. Out: the bytes of records.

Request fields that may contain secrets (cookies, credentials, fields from the hosts file) are left out. A response is
written as it arrived, without informational responses (1xx), which readers would take for the response itself.
Spec: ISO 28500:2017, sections 5 and 6.
Tests: tests/bulk/warc/test_recorder.py
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable

from webtool import __version__
from webtool.lean import dates
from webtool.lean.optional import zlib
from webtool.lean.records import NamedTuple

# Request fields that are written; all others may be secrets.
_WRITTEN_FIELDS = frozenset(
    b"host user-agent accept accept-language accept-encoding connection referer if-none-match if-modified-since "
    b"content-type content-length cache-control range".split()
)
_CONFORMS = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"


class Exchange(NamedTuple):
    """One request and its response."""

    url: str
    sent: bytes
    received: bytes
    at: float  # Unix seconds of the request
    address: str = ""  # of the server
    truncated: str = ""  # why the response is incomplete: length, time, disconnect; "" if it is complete


def warcinfo(filename: str, now: float, is_compressed: bool, robots: bool) -> bytes:
    """Return the first record of a file: which software wrote it, and how."""
    fields = (
        ("software", f"webtool/{__version__}"),
        ("format", "WARC File Format 1.1"),
        ("conformsTo", _CONFORMS),
        ("robots", "obey" if robots else "ignore"),
    )
    content = "".join(f"{name}: {value}\r\n" for name, value in fields).encode("utf-8")
    name_field = (("WARC-Filename", " ".join(filename.split())),)
    return _record("warcinfo", now, name_field, "application/warc-fields", content, is_compressed)[1]


def exchange_records(exchange: Exchange, is_compressed: bool) -> bytes:
    """Return the two records of an exchange, each in its own gzip member if the file is compressed."""
    url, sent, received, at, address, truncated = exchange
    received = _without_informational(received)
    shared_fields = [("WARC-Target-URI", url)]
    if address:
        shared_fields.append(("WARC-IP-Address", address))
    payload = received.partition(b"\r\n\r\n")[2]
    response_fields = [*shared_fields, ("WARC-Payload-Digest", _digest(payload))]
    if truncated:
        response_fields.append(("WARC-Truncated", truncated))
    http = "application/http; msgtype="
    identity, response = _record("response", at, response_fields, http + "response", received, is_compressed)
    request_fields = [*shared_fields, ("WARC-Concurrent-To", identity)]
    content = _without_secrets(sent)
    return response + _record("request", at, request_fields, http + "request", content, is_compressed)[1]


def _record(
    kind: str, at: float, fields: Iterable[tuple[str, str]], content_type: str, content: bytes, is_compressed: bool
) -> tuple[str, bytes]:
    """Return a record's WARC-Record-ID and its bytes."""
    import uuid

    identity = f"<urn:uuid:{uuid.uuid4()}>"
    pairs = [("WARC-Type", kind), ("WARC-Record-ID", identity), ("WARC-Date", dates.iso(at)), *fields]
    pairs += [("WARC-Block-Digest", _digest(content)), ("Content-Type", content_type)]
    pairs.append(("Content-Length", str(len(content))))
    head = "".join(f"{name}: {value}\r\n" for name, value in pairs)
    data = b"WARC/1.1\r\n" + head.encode("utf-8") + b"\r\n" + content + b"\r\n\r\n"
    if not is_compressed:
        return identity, data
    packer = zlib.compressobj(wbits=31)
    return identity, packer.compress(data) + packer.flush()


def _digest(data: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode("ascii")


def _without_secrets(sent: bytes) -> bytes:
    """Return the request with the fields in _WRITTEN_FIELDS only."""
    head, gap, body = sent.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    kept = [line for line in lines if line.partition(b":")[0].strip().lower() in _WRITTEN_FIELDS]
    return b"\r\n".join([first, *kept]) + gap + body


def _without_informational(received: bytes) -> bytes:
    """Return the response without the informational ones (1xx) before it (RFC 9110 section 15.2)."""
    while received[:7] == b"HTTP/1." and received[8:10] == b" 1":
        end = received.find(b"\r\n\r\n")
        if end < 0:
            break
        received = received[end + 4 :]
    return received
