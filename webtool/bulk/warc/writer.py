"""Records as bytes. In: what was sent and received. Out: the bytes of WARC 1.1 records that other programs read.

Values of request fields that may be secrets (cookies, credentials, whatever a user set for a host) are not written; a
response is written as it came, but for informational answers, which readers take for the answer itself.
Spec: ISO 28500:2017, sections 5 and 6.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable

from webtool import __version__
from webtool.lean import dates
from webtool.lean.optional import zlib
from webtool.lean.records import NamedTuple

_SHOWN = frozenset(
    b"host user-agent accept accept-language accept-encoding connection referer if-none-match if-modified-since "
    b"content-type content-length cache-control range".split()
)
_CONFORMS = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"


class Exchange(NamedTuple):
    """One request and what came of it. `truncated` is "" or why the answer ends early: length, time, disconnect."""

    url: str
    sent: bytes
    received: bytes
    at: float
    """Unix seconds of the request."""
    address: str = ""
    truncated: str = ""


def warcinfo(filename: str, now: float, is_compressed: bool, robots: bool) -> bytes:
    """The record that begins a file: who wrote it, and how."""
    fields = (
        ("software", f"webtool/{__version__}"),
        ("format", "WARC File Format 1.1"),
        ("conformsTo", _CONFORMS),
        ("robots", "obey" if robots else "ignore"),
    )
    content = "".join(f"{name}: {value}\r\n" for name, value in fields).encode("utf-8")
    named = (("WARC-Filename", " ".join(filename.split())),)
    return _record("warcinfo", now, named, "application/warc-fields", content, is_compressed)[1]


def exchange(found: Exchange, is_compressed: bool) -> bytes:
    """The two records of an exchange, each in a gzip member of its own where the file is compressed."""
    received = _final(found.received)
    shared = [("WARC-Target-URI", found.url)]
    if found.address:
        shared.append(("WARC-IP-Address", found.address))
    payload = received.partition(b"\r\n\r\n")[2]
    own = [*shared, ("WARC-Payload-Digest", _digest(payload))]
    if found.truncated:
        own.append(("WARC-Truncated", found.truncated))
    http = "application/http; msgtype="
    identity, response = _record("response", found.at, own, http + "response", received, is_compressed)
    request = [*shared, ("WARC-Concurrent-To", identity)]
    content = _without_secrets(found.sent)
    return response + _record("request", found.at, request, http + "request", content, is_compressed)[1]


def _record(
    kind: str, at: float, fields: Iterable[tuple[str, str]], content_type: str, content: bytes, is_compressed: bool
) -> tuple[str, bytes]:
    """(its identity, its bytes)."""
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
    head, gap, body = sent.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    kept = [line for line in lines if line.partition(b":")[0].strip().lower() in _SHOWN]
    return b"\r\n".join([first, *kept]) + gap + body


def _final(received: bytes) -> bytes:
    """The answer without the informational ones before it (RFC 9110 section 15.2)."""
    while received[:7] == b"HTTP/1." and received[8:10] == b" 1":
        end = received.find(b"\r\n\r\n")
        if end < 0:
            break
        received = received[end + 4 :]
    return received
