"""Read and rewrite HTTP/1.1 message heads for the proxy. In: sockets and bytes. Out: heads to send on, or Refused.

A head is a start line and header fields, with the empty line at its end. Spec: RFC 9112 sections 3.2.2 (absolute
form), 6 (message body length) and 9.6 (Connection: close), RFC 9110 section 7.6.1 (hop-by-hop fields).

Tests: tests/browser/test_proxy.py
"""

from __future__ import annotations

import _socket

from webtool.lean import patterns

MAX_HEAD = 256 * 1024  # bytes; a longer head is refused
MAX_INTERIM = 9  # interim responses before the final one; after more, the response is refused
_CHUNK = 1 << 16  # bytes read at once
ABSOLUTE_FORM = patterns.compile(rb"[Hh][Tt][Tt][Pp]://([^/?]*)(.*)")
_HOP_HEADERS = (b"connection:", b"keep-alive:", b"proxy-connection:", b"proxy-authorization:", b"te:", b"upgrade:")


class Refused(Exception):
    """The message is not one that the proxy serves. The connection is closed, and nothing is sent on."""


def split_authority(text: bytes, default_port: int) -> tuple[str, int]:
    """Return (host, port) of `host:port` or `[v6]:port`. User info is dropped. Raises Refused for anything else."""
    authority = text.rpartition(b"@")[2].decode("ascii", "replace")
    host, colon, digits = authority.rpartition(":")
    if not colon or digits.endswith("]"):
        host, digits = authority, str(default_port)
    is_port = digits.isdigit() and len(digits) <= 5 and 0 < int(digits) < 65536
    if not (is_port and host and host.isascii()):
        raise Refused
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    return host, int(digits)


def rewritten(head: bytes, target: bytes, fields: bytes = b"") -> bytes:
    """Return a request head with another target, and with `fields` and "Connection: close" for hop-by-hop fields."""
    first, *lines = head[:-4].split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith(_HOP_HEADERS)]
    method = first.split(b" ", 1)[0]
    start = method + b" " + target + b" HTTP/1.1"
    return b"\r\n".join([start, *kept, b"Connection: close", fields + b"\r\n"])


def body_length(head: bytes) -> int:
    """Return the length of the request's body in bytes.

    Raises Refused for chunked bodies, which browsers do not send over HTTP/1.1.
    """
    length = 0
    for line in head[:-4].split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"transfer-encoding":
            raise Refused
        if name.lower() == b"content-length":
            if not value.strip().isdigit():
                raise Refused
            length = int(value.strip()[:18])  # nobody sends more; int() refuses thousands of digits
    return length


def read_head(source: _socket.socket, begun: bytes = b"") -> tuple[bytes, bytes]:
    """Read one message head, of which `begun` was read already. Raises Refused, OSError.

    Return the head with its empty line, and the bytes after it.
    """
    data = bytearray(begun)
    end = data.find(b"\r\n\r\n")
    while end < 0:
        searched = max(0, len(data) - 3)
        chunk = source.recv(_CHUNK)
        if not chunk or len(data) > MAX_HEAD:
            raise Refused
        data += chunk
        end = data.find(b"\r\n\r\n", searched)
    return bytes(data[: end + 4]), bytes(data[end + 4 :])


def final_head(server: _socket.socket) -> tuple[bytes, bytes]:
    """Read the head of the final response. Return it with "Connection: close", and the bytes that came after it.

    Interim responses (100, 103) are dropped.
    """
    rest = b""
    for _ in range(MAX_INTERIM + 1):
        head, rest = read_head(server, rest)
        if not head.startswith(b"HTTP/1."):
            raise Refused
        is_interim = head[9:10] == b"1"  # status 1xx
        if not is_interim:
            lines = head[:-4].split(b"\r\n")
            kept = [line for line in lines if not line.lower().startswith(_HOP_HEADERS)]
            return b"\r\n".join([*kept, b"Connection: close", b"", b""]), rest
    raise Refused


def send_body(client: _socket.socket, server: _socket.socket, rest: bytes, length: int) -> None:
    """Send exactly `length` bytes of body from client to server, beginning with `rest`, which was read already."""
    data = rest[:length]
    while length > 0:
        if not data:
            raise Refused
        server.sendall(data)
        length -= len(data)
        data = client.recv(min(_CHUNK, length)) if length else b""


def request_line(head: bytes) -> tuple[bytes, bytes]:
    """Return (method, target) of a request head. Raises Refused if its first line is not an HTTP/1 request line."""
    parts = head.partition(b"\r\n")[0].split(b" ")
    if len(parts) != 3 or not parts[2].startswith(b"HTTP/1."):
        raise Refused
    return parts[0], parts[1]
