"""What the proxy reads and changes of HTTP messages. In: sockets and bytes of heads. Out: heads as sent on, or Refused.

Spec: RFC 9112 sections 3.2.2 (absolute form), 6 (message body length) and 9.6 (Connection: close), RFC 9110 section
7.6.1 (hop-by-hop fields).
"""

from __future__ import annotations

import _socket

from webtool.lean import patterns

MAX_HEAD = 256 * 1024
_CHUNK = 1 << 16
ABSOLUTE_FORM = patterns.compile(rb"[Hh][Tt][Tt][Pp]://([^/?]*)(.*)")
_HOP_HEADERS = (b"connection:", b"keep-alive:", b"proxy-connection:", b"proxy-authorization:", b"te:", b"upgrade:")


class Refused(Exception):
    """This connection ends here; nothing is sent on."""


def split_authority(text: bytes, default_port: int) -> tuple[str, int]:
    """(host, port) of `host:port`, `[v6]:port`; user info is dropped. Raises Refused for anything else."""
    authority = text.rpartition(b"@")[2].decode("ascii", "replace")
    host, colon, digits = authority.rpartition(":")
    if not colon or digits.endswith("]"):
        host, digits = authority, str(default_port)
    if not (digits.isdigit() and len(digits) <= 5 and 0 < int(digits) < 65536 and host) or not host.isascii():
        raise Refused
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    return host, int(digits)


def rewritten(head: bytes, target: bytes, fields: bytes = b"") -> bytes:
    """The request as sent on: another target, no hop-by-hop fields but `fields`, one request a connection."""
    first, *lines = head[:-4].split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith(_HOP_HEADERS)]
    method = first.split(b" ", 1)[0]
    start = method + b" " + target + b" HTTP/1.1"
    return b"\r\n".join([start, *kept, b"Connection: close", fields + b"\r\n"])


def body_length(head: bytes) -> int:
    """Bytes of the request's body. Raises Refused for chunked bodies, which browsers do not send by HTTP/1.1."""
    length = 0
    for line in head[:-4].split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"transfer-encoding":
            raise Refused
        if name.lower() == b"content-length":
            if not value.strip().isdigit():
                raise Refused
            length = int(value.strip()[:18])
    return length


def read_head(source: _socket.socket | _Pushback) -> tuple[bytes, bytes]:
    """One message head with its empty line, and the bytes that came after it. Raises Refused, OSError."""
    data = bytearray()
    end = -1
    while end < 0:
        searched = max(0, len(data) - 3)
        chunk = source.recv(_CHUNK)
        if not chunk or len(data) > MAX_HEAD:
            raise Refused
        data += chunk
        end = data.find(b"\r\n\r\n", searched)
    return bytes(data[: end + 4]), bytes(data[end + 4 :])


def final_head(server: _socket.socket) -> tuple[bytes, bytes]:
    """The head of the final response, saying that the connection closes, and what came after it."""
    pushed = _Pushback(server)
    for _ in range(10):
        head, rest = read_head(pushed)
        if not head.startswith(b"HTTP/1."):
            raise Refused
        if head[9:10] == b"1":  # 100 and 103 are for clients that can use them
            pushed.data = rest
            continue
        lines = head[:-4].split(b"\r\n")
        kept = [line for line in lines if not line.lower().startswith(_HOP_HEADERS)]
        return b"\r\n".join([*kept, b"Connection: close", b"", b""]), rest
    raise Refused


class _Pushback:
    """A socket to read from that gives back first what was read too far."""

    def __init__(self, server: _socket.socket) -> None:
        self._server = server
        self.data = b""

    def recv(self, size: int) -> bytes:
        data, self.data = self.data, b""
        return data or self._server.recv(size)


def send_body(client: _socket.socket, server: _socket.socket, rest: bytes, length: int) -> None:
    """Send on exactly `length` bytes of body, of which `rest` has come already."""
    data = rest[:length]
    while length > 0:
        if not data:
            raise Refused
        server.sendall(data)
        length -= len(data)
        data = client.recv(min(_CHUNK, length)) if length else b""


def request_line(head: bytes) -> tuple[bytes, bytes]:
    parts = head.partition(b"\r\n")[0].split(b" ")
    if len(parts) != 3 or not parts[2].startswith(b"HTTP/1."):
        raise Refused
    return parts[0], parts[1]
