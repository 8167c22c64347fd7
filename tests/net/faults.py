"""Misbehaving servers: functions that answer an Exchange (fault_server.py), and the row of a table of faults.

A behaviour is a function of an Exchange, such as wait(); most are made by a function, such as say(data). fault_rows.py
and fault_bodies.py have the tables.
"""

import gzip
import os
import random
import zlib
from typing import Callable, NamedTuple, Optional, Union

FIRST, LAST = "Sentinel paragraph alpha", "Sentinel paragraph omega"
FILLER = "".join(f"<p>Line {number} of the text between.</p>\n" for number in range(40))
HTML = (
    f"<!DOCTYPE html><html><head><title>Sentinel</title></head><body><h1>Sentinel</h1><p>{FIRST}</p>\n{FILLER}"
    f"<p>{LAST}</p></body></html>"
)
PAGE = HTML.encode()


def head(*fields, status="200 OK", version="HTTP/1.1"):
    """Status line and fields, each given as text."""
    return "".join(f"{line}\r\n" for line in (f"{version} {status}", *fields, "")).encode("latin-1")


def message(body=PAGE, *fields, status="200 OK", kind="text/html; charset=utf-8", length=True):
    """A complete, correct message."""
    lines = [f"Content-Type: {kind}"] if kind else []
    lines += [f"Content-Length: {len(body)}"] if length else []
    return head(*lines, *fields, "Connection: close", status=status) + body


def say(data):
    """Send these bytes, then close."""
    return lambda exchange: exchange.send(data)


def page(*fields, **named):
    return say(message(PAGE, *fields, **named))


def status(line, *fields, body=b"<html><body><p>An error page of the site.</p></body></html>"):
    return say(message(body, *fields, status=line))


def chunks(*bodies, end=b"0\r\n\r\n"):
    return b"".join(b"%x\r\n%b\r\n" % (len(body), body) for body in bodies) + end


CHUNKED = head("Content-Type: text/html", "Transfer-Encoding: chunked", "Connection: close")
CLOSED = head("Content-Type: text/html", "Connection: close")


def coded(label, data):
    return say(message(data, f"Content-Encoding: {label}") if label else message(data))


def then(*behaviours):
    """Use the first behaviour for the first request of a page, and so on; the last for all further ones."""
    return lambda exchange: behaviours[min(exchange.count, len(behaviours)) - 1](exchange)


def redirect(location, *fields, code="302 Found"):
    """Redirect to a Location, with {port} and {other} filled in; the second request gets the page."""

    def serve(exchange):
        if exchange.count > 1:
            return exchange.send(message())
        other = exchange.server.other_port
        place = location.replace("{port}", str(exchange.port)).replace("{other}", str(other))
        data = f"HTTP/1.1 {code}\r\nLocation: {place}\r\n".encode() + "".join(f"{line}\r\n" for line in fields).encode()
        return exchange.send(data + b"Content-Length: 0\r\nConnection: close\r\n\r\n")

    return serve


def hops(place, limit=1000):
    """Redirect after redirect; `place` gives the target of hop number n."""

    def serve(exchange):
        if exchange.count > limit:
            return exchange.send(message())
        return exchange.send(
            head("Content-Length: 0", f"Location: {place(exchange.count)}", "Connection: close", status="302 Found")
        )

    return serve


def growing(exchange):
    exchange.send(head("Content-Length: 0", f"Location: {exchange.target * 2}", "Connection: close", status="302 F"))


def wait(exchange):
    exchange.wait(30)


def after(start, data, pause=None):
    """Send the start, then the data without end: at once, or one piece per pause."""

    def serve(exchange):
        exchange.send(start)
        while True:
            exchange.send(data)
            if pause:
                exchange.wait(pause)

    return serve


def drip_body(exchange):
    exchange.send(head(f"Content-Length: {len(PAGE)}", "Content-Type: text/html", "Connection: close"))
    step = len(PAGE) // 20 + 1
    exchange.drip([PAGE[start : start + step] for start in range(0, len(PAGE), step)], 0.02)


def late(exchange):
    exchange.wait(0.5)
    exchange.send(message())


def gzip_drip(exchange):
    exchange.send(head("Content-Encoding: gzip", "Content-Type: text/html"))
    data = gzip.compress(os.urandom(4000))
    exchange.drip([data[position : position + 1] for position in range(len(data))], 0.1)


def stall(exchange):
    exchange.send(head(f"Content-Length: {len(PAGE)}", "Content-Type: text/html") + PAGE[: len(PAGE) // 2])
    exchange.wait(30)


def big_length(exchange):
    exchange.send(head("Content-Length: 10000000000", "Content-Type: text/html") + b"x" * 1024)
    exchange.wait(30)


def slow_hops(exchange):
    exchange.wait(0.4)
    exchange.send(head("Content-Length: 0", f"Location: /h{exchange.count}", "Connection: close", status="302 Found"))


def reset_in_body(exchange):
    exchange.send(head(f"Content-Length: {len(PAGE)}", "Content-Type: text/html") + PAGE[:500])
    exchange.wait(0.1)
    exchange.reset()


def reset(exchange):
    exchange.reset()


def keep_alive_then_close(exchange):
    if exchange.count > 1:
        return exchange.send(message())
    exchange.send(head("Content-Length: 0", "Location: /next", "Connection: keep-alive", status="302 Found"))
    return None


BOOM = b"<p>boom</p>" * 95000  # a megabyte


def boom(wrap):
    """Compressed BOOM, first with the stream's header and then without: the second part may be repeated without end."""
    deflate = zlib.compressobj(9, wbits=wrap)
    return [deflate.compress(BOOM) + deflate.flush(zlib.Z_FULL_FLUSH) for _ in range(2)]


def bomb(label, wrap):
    """A gigabyte of text in about a megabyte."""
    first, further = boom(wrap)
    start = head("Content-Type: text/html", f"Content-Encoding: {label}", "Connection: close")
    return say(start + first + further * 1000)


def chunked_bomb():
    first, further = boom(31)
    start = head("Content-Type: text/html", "Content-Encoding: gzip", "Transfer-Encoding: chunked")
    return after(start + chunks(first, end=b""), chunks(further, end=b""))


def checked(test):
    """Send the page if the request passes the check, else a status that no row expects."""

    def serve(exchange):
        return exchange.send(message() if test(exchange) else message(status="555 Wrong request"))

    return serve


def text(content, encoding, kind="text/html", before="", **named):
    """A page in some encoding."""
    body = f"<html><head>{before}<title>T</title></head><body><p>{FIRST}</p><p>{content}</p><p>{LAST}</p></body></html>"
    return say(message(body.encode(encoding, **named), kind=kind))


def robots_txt(body, *fields, line="200 OK"):
    data = body.encode() if isinstance(body, str) else body
    return say(message(data, *fields, status=line, kind="text/plain"))


def member(data, name):
    """A gzip member with extra field, file name and comment (RFC 1952 section 2.3)."""
    plain = gzip.compress(data)
    flags = bytes([plain[3] | 4 | 8 | 16])
    return plain[:3] + flags + plain[4:10] + b"\x04\x00abcd" + name + b"\0comment\0" + plain[10:]


def corrupt(data):
    middle = len(data) // 2
    return data[:middle] + bytes(255 - byte for byte in data[middle : middle + 40]) + data[middle + 40 :]


GZIPPED = gzip.compress(PAGE)
JUNK = random.Random(1).randbytes(65536) if hasattr(random.Random, "randbytes") else os.urandom(65536)
GARBLED = ("\ufffd\ufffd\ufffd\ufffd", "\x1f")

# Error codes that a fetch may end with.
TIMEOUT = frozenset({"FETCH_TIMEOUT"})
NETWORK = frozenset({"NETWORK_ERROR"})
STATUS = frozenset({"HTTP_ERROR"})
SSRF = frozenset({"SSRF_BLOCKED"})
URL = frozenset({"INVALID_URL"})
TOO_LARGE = frozenset({"FETCH_TOO_LARGE"})
KIND = frozenset({"UNSUPPORTED_CONTENT"})
TLS = frozenset({"TLS_ERROR"})
ROBOTS = frozenset({"ROBOTS_DISALLOWED"})
INCOMPLETE = "truncated"  # in the notes of an answer whose body may be cut


class Fault(NamedTuple):
    """A row of a table: how a server behaves, and what a fetch of its page gives."""

    serve: Callable  # behaviour for every request but robots.txt
    expect: Union[str, frozenset] = "ok"  # "ok" (the page's text), a set of error codes, or "any" (either, in time)
    robots: Optional[Callable] = None  # behaviour for robots.txt; None: the server answers 404
    url: str = "/page"  # a path, or a whole URL with {port}; {closed} is a port on which nobody listens
    deadline: float = 10.0  # seconds for the fetch
    want: tuple = ()  # texts that the answer has
    avoid: tuple = ()  # texts that the answer does not have
    allow: tuple = ("127.0.0.1", "localhost")  # the setting allow_private_hosts
    certificate: Optional[str] = None  # name of the server's certificate; None for a server without TLS
    scheme: str = ""  # scheme of the URL, if `url` is a path; "" is http
    other: Optional["Fault"] = None  # a second server; {other} is its port
    host: str = "127.0.0.1"  # address on which the server listens
    accepts: bool = True  # whether the server accepts connections at all
    ragged: bool = False  # whether TLS ends without close_notify
