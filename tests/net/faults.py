"""Table of server faults: name -> Fault, which holds the server's behaviour and the expected outcome of a fetch.

`expect` is "ok" (the page's text is returned), a set of error codes, or "any" (either, in time). Groups are named after
the part of the protocol that is violated: RFC 9112 framing, RFC 9110 codings and redirects, RFC 9309, TLS.
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
INCOMPLETE = "truncated"  # in the notes of an answer whose body may be cut
TIMEOUT = frozenset({"FETCH_TIMEOUT"})
NETWORK = frozenset({"NETWORK_ERROR"})
STATUS = frozenset({"HTTP_ERROR"})
SSRF = frozenset({"SSRF_BLOCKED"})
URL = frozenset({"INVALID_URL"})
TOO_LARGE = frozenset({"FETCH_TOO_LARGE"})
KIND = frozenset({"UNSUPPORTED_CONTENT"})
TLS = frozenset({"TLS_ERROR"})
ROBOTS = frozenset({"ROBOTS_DISALLOWED"})


class Fault(NamedTuple):
    """One row. `url` is a path, or a whole URL with {port} in it. `other` is a second server; its port is {other}."""

    serve: Callable
    expect: Union[str, frozenset] = "ok"
    robots: Optional[Callable] = None
    url: str = "/page"
    deadline: float = 10.0
    want: tuple = ()
    avoid: tuple = ()
    allow: tuple = ("127.0.0.1", "localhost")
    certificate: Optional[str] = None
    scheme: str = ""
    other: Optional["Fault"] = None
    host: str = "127.0.0.1"
    accepts: bool = True
    ragged: bool = False


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


def bomb(label, wrap):
    """A gigabyte of text in about a megabyte."""

    def serve(exchange):
        exchange.send(head("Content-Type: text/html", f"Content-Encoding: {label}", "Connection: close"))
        deflate = zlib.compressobj(9, wbits=wrap)
        for _ in range(1000):
            exchange.send(deflate.compress(b"<p>boom</p>" * 95000))
        exchange.send(deflate.flush())

    return serve


def double_bomb(exchange):
    """A hundred megabytes in a kilobyte."""
    deflate = zlib.compressobj(9, wbits=31)
    data = b"".join(deflate.compress(b"<p>boom</p>" * 95000) for _ in range(100)) + deflate.flush()
    exchange.send(message(gzip.compress(data), "Content-Encoding: gzip, gzip"))


def chunked_bomb(exchange):
    exchange.send(head("Content-Type: text/html", "Content-Encoding: gzip", "Transfer-Encoding: chunked"))
    deflate = zlib.compressobj(9, wbits=31)
    block = b"<p>boom</p>" * 95000
    while True:
        data = deflate.compress(block)
        if data:
            exchange.send(chunks(data, end=b""))


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
RAW = zlib.compress(PAGE)[2:-4]
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0" + os.urandom(2000)
PDF = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog>>\nendobj\n" + os.urandom(2000) + b"\n%%EOF\n"
ZIP = b"PK\x03\x04\x14\0\0\0\x08\0" + os.urandom(2000)
JUNK = random.Random(1).randbytes(65536) if hasattr(random.Random, "randbytes") else os.urandom(65536)
BINARY = bytes(range(256)) * 20
GARBLED = ("\ufffd\ufffd\ufffd\ufffd", "\x1f")
HAN, TRADITIONAL = "\u4e2d\u6587\u7f51\u9875\u9555", "\u7e41\u9ad4\u4e2d\u6587"
POLISH, FRENCH = (
    "Za\u017c\u00f3\u0142\u0107 g\u0119\u015bl\u0105 ja\u017a\u0144",
    "Caf\u00e9 \u00e0 Gen\u00e8ve, 5 \u00a3",
)
RUSSIAN, JAPANESE = (
    "\u0421\u044a\u0435\u0448\u044c \u0435\u0449\u0451",
    "\u65e5\u672c\u8a9e\u306e\u6587\u7ae0\u3067\u3059",
)
BIG = b"<html><body>" + b"<p>" + FIRST.encode() + b"</p>" + b"<p>word word word</p>\n" * 950000
ONE_LINE = b"word " * 1600000

TIMING = {
    "slow-ok": Fault(late),
    "drip-ok": Fault(drip_body),
    "headers-never": Fault(wait, TIMEOUT, deadline=1.2),
    "headers-drip": Fault(after(b"HTTP/1.1 200 OK\r\nX: ", b"a", 0.1), TIMEOUT, deadline=1.2),
    "header-line-drip": Fault(after(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", 0.1), TIMEOUT, deadline=1.2),
    "body-drip": Fault(after(CLOSED, b"a", 0.1), TIMEOUT, deadline=1.2),
    "chunk-drip": Fault(after(CHUNKED, b"1\r\na\r\n", 0.1), TIMEOUT, deadline=1.2),
    "gzip-drip": Fault(gzip_drip, TIMEOUT, deadline=1.2),
    "body-stall": Fault(stall, TIMEOUT, deadline=1.2),
    "never-accept": Fault(wait, TIMEOUT, deadline=1.2, accepts=False),
    "redirect-drip": Fault(slow_hops, TIMEOUT, deadline=1.2),
}

FRAMING = {
    "cl-short": Fault(say(head("Content-Length: 9000", "Content-Type: text/html") + PAGE), NETWORK),
    "cl-long": Fault(say(message() + b"<p>SMUGGLED</p>"), avoid=("SMUGGLED",)),
    "cl-zero-body": Fault(say(head("Content-Length: 0", "Content-Type: text/html") + PAGE), "any", avoid=(FIRST,)),
    "cl-negative": Fault(say(head("Content-Length: -1", "Content-Type: text/html") + PAGE), NETWORK),
    "cl-word": Fault(say(head("Content-Length: many", "Content-Type: text/html") + PAGE), NETWORK),
    "cl-two-same": Fault(page(f"Content-Length: {len(PAGE)}")),
    "cl-two-different": Fault(page("Content-Length: 20"), NETWORK),
    "cl-10gb": Fault(big_length, TOO_LARGE),
    "cl-digits": Fault(say(head("Content-Length: " + "9" * 10000, "Content-Type: text/html") + PAGE), NETWORK),
    "chunked-ok": Fault(say(CHUNKED + chunks(*(PAGE[i::1][:300] for i in range(0, len(PAGE), 300))))),
    "chunked-bytes": Fault(say(CHUNKED + chunks(*(PAGE[i : i + 1] for i in range(len(PAGE)))))),
    "chunked-ext-trailers": Fault(
        say(CHUNKED + b'%x;a=b; c="d;e"\r\n' % len(PAGE) + PAGE + b"\r\n0;last\r\nX-T: 1\r\nX-U: 2\r\n\r\n")
    ),
    "chunked-no-end": Fault(say(CHUNKED + chunks(PAGE, end=b"")), NETWORK),
    "chunked-cut-chunk": Fault(say(CHUNKED + b"%x\r\n" % len(PAGE) + PAGE[:700]), NETWORK),
    "chunked-bad-size": Fault(say(CHUNKED + b"zz\r\n" + PAGE + b"\r\n0\r\n\r\n"), NETWORK),
    "chunked-negative": Fault(say(CHUNKED + b"-5\r\n" + PAGE + b"\r\n0\r\n\r\n"), NETWORK),
    "chunked-0x": Fault(
        say(CHUNKED + b"0x10\r\n" + PAGE[:16] + b"\r\n1_0\r\n" + PAGE[:10] + b"\r\n0\r\n\r\n"), NETWORK
    ),
    "chunked-huge-size": Fault(say(CHUNKED + b"ffffffffffffffff\r\n" + PAGE[:1024]), NETWORK),
    "chunked-long-size-line": Fault(say(CHUNKED + b"1;" + b"a" * 20000000 + b"\r\nx\r\n0\r\n\r\n"), NETWORK),
    "chunked-long-chunk": Fault(say(CHUNKED + b"5\r\n" + PAGE + b"\r\n0\r\n\r\n"), NETWORK),
    "chunked-and-length": Fault(
        say(head("Content-Type: text/html", "Content-Length: 7", "Transfer-Encoding: chunked") + chunks(PAGE))
    ),
    "chunked-trailer-flood": Fault(after(CHUNKED + b"1\r\na\r\n0\r\n", b"X: y\r\n" * 1000), NETWORK),
    "te-unknown": Fault(say(head("Transfer-Encoding: foo", "Content-Type: text/html") + PAGE), NETWORK),
    "te-chunked-twice": Fault(
        say(head("Transfer-Encoding: chunked, chunked", "Content-Type: text/html") + chunks(PAGE)), NETWORK
    ),
    "te-gzip-chunked": Fault(
        say(head("Transfer-Encoding: gzip, chunked", "Content-Type: text/html") + chunks(GZIPPED)), avoid=GARBLED
    ),
    "close-delimited": Fault(say(CLOSED + PAGE)),
    "http10": Fault(say(head("Content-Type: text/html", version="HTTP/1.0") + PAGE)),
    "http09": Fault(say(PAGE), NETWORK),
    "empty-reply": Fault(lambda exchange: None, NETWORK),
    "half-headers": Fault(say(b"HTTP/1.1 200 OK\r\nContent-Ty"), NETWORK),
    "garbage": Fault(say(JUNK), NETWORK),
    "ssh-banner": Fault(say(b"SSH-2.0-OpenSSH_9.6\r\n"), NETWORK),
    "no-reason": Fault(page(status="200")),
    "icy": Fault(say(b"ICY 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE), NETWORK),
    "status-99": Fault(page(status="99 Low"), NETWORK),
    "status-5-digits": Fault(page(status="20000 OK"), NETWORK),
    "switching": Fault(say(head("Upgrade: x", status="101 Switching Protocols") + b"\0\0"), NETWORK),
    "lf-only": Fault(say(b"HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: %d\n\n" % len(PAGE) + PAGE)),
    "blank-first": Fault(say(b"\r\n" + message())),
    "obs-fold": Fault(page("X-Long: a", "  b", "\tc")),
    "header-no-colon": Fault(page("this is not a header")),
    "header-nul": Fault(page("X-Bad: a\0b\x80\xff"), avoid=("\0",)),
    "header-line-100k": Fault(page("X-Long: " + "a" * 100000)),
    "headers-10000": Fault(page(*(f"X-{n}: y" for n in range(10000))), NETWORK),
    "headers-90": Fault(page(*(f"X-{n}: " + "y" * 690 for n in range(90)))),
    "headers-150": Fault(page(*(f"X-{n}: y" for n in range(150)))),
    "headers-flood": Fault(after(b"HTTP/1.1 200 OK\r\n", b"X-Flood: y\r\n" * 1000), NETWORK),
    "header-line-flood": Fault(after(b"HTTP/1.1 200 OK\r\nX: ", b"a" * 10000), NETWORK),
    "continue-100": Fault(
        say(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + message())
    ),
    "continue-flood": Fault(after(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100), NETWORK),
    "reset-mid-body": Fault(reset_in_body, NETWORK),
    "reset-before-headers": Fault(reset, NETWORK),
    "reset-first-then-ok": Fault(then(reset, page())),
    "reset-twice-then-ok": Fault(then(reset, reset, page()), NETWORK),
    "keepalive-close": Fault(keep_alive_then_close),
    "two-responses": Fault(say(message() + message(b"<p>SMUGGLED</p>")), avoid=("SMUGGLED",)),
}

CODING = {
    "gzip": Fault(coded("gzip", GZIPPED)),
    "x-gzip": Fault(coded("x-gzip", GZIPPED)),
    "gzip-caps": Fault(coded("GZIP", GZIPPED)),
    "deflate-zlib": Fault(coded("deflate", zlib.compress(PAGE))),
    "deflate-raw": Fault(coded("deflate", RAW)),
    "deflate-cut": Fault(coded("deflate", RAW[:-20]), NETWORK),
    "gzip-members": Fault(coded("gzip", gzip.compress(PAGE[:700]) + gzip.compress(PAGE[700:]))),
    "gzip-trailing": Fault(coded("gzip", GZIPPED + b"\0\0\0trailing bytes")),
    "gzip-extra-header": Fault(coded("gzip", member(PAGE, b"name"))),
    "gzip-cut": Fault(coded("gzip", GZIPPED[:-60]), NETWORK, avoid=GARBLED),
    "gzip-bad-crc": Fault(coded("gzip", GZIPPED[:-8] + b"\1\2\3\4" + GZIPPED[-4:]), NETWORK, avoid=GARBLED),
    "gzip-corrupt": Fault(coded("gzip", corrupt(gzip.compress(PAGE + os.urandom(3000)))), NETWORK, avoid=GARBLED),
    "gzip-label-plain": Fault(coded("gzip", PAGE)),
    "gzip-unlabelled": Fault(coded("", GZIPPED), "any", avoid=GARBLED),
    "gzip-twice": Fault(coded("gzip, gzip", gzip.compress(GZIPPED))),
    "gzip-two-fields": Fault(say(message(gzip.compress(RAW), "Content-Encoding: deflate", "Content-Encoding: gzip"))),
    "gzip-twice-one-label": Fault(coded("gzip", gzip.compress(GZIPPED)), "any", avoid=GARBLED),
    "identity-label": Fault(coded("identity", PAGE)),
    "utf8-label": Fault(coded("utf-8", PAGE)),
    "empty-label": Fault(coded("", PAGE)),
    "br-unasked": Fault(coded("br", b"\x8b\x02\x80" + JUNK[:400]), NETWORK, avoid=GARBLED),
    "zstd-unasked": Fault(coded("zstd", b"\x28\xb5\x2f\xfd" + JUNK[:400]), NETWORK, avoid=GARBLED),
    "unknown-coding": Fault(coded("exi", JUNK[:400]), NETWORK, avoid=GARBLED),
    "gzip-empty": Fault(coded("gzip", b""), "any"),
    "bomb-gzip": Fault(bomb("gzip", 31), TOO_LARGE),
    "bomb-deflate": Fault(bomb("deflate", -15), TOO_LARGE),
    "bomb-twice": Fault(double_bomb, TOO_LARGE),
    "bomb-10": Fault(coded(", ".join(["gzip"] * 10), GZIPPED), NETWORK),
    "bomb-chunked": Fault(chunked_bomb, TOO_LARGE),
}

SIZE = {
    "big-20mb": Fault(say(message(BIG)), TOO_LARGE),
    "big-unknown": Fault(after(CLOSED, b"<p>more and more text</p>\n" * 1000), TOO_LARGE),
    "big-one-line": Fault(say(message(ONE_LINE)), TOO_LARGE),
    "event-stream": Fault(
        after(head("Content-Type: text/event-stream"), b"data: x\n\n" * 100, 0.05), TIMEOUT | KIND, deadline=1.5
    ),
    "mixed-replace": Fault(
        after(head("Content-Type: multipart/x-mixed-replace; boundary=b"), b"--b\r\n\r\nx\r\n", 0.05),
        TIMEOUT | KIND,
        deadline=1.5,
    ),
}

META = '<meta charset="{}">'
CHARSET = {
    "utf8-header": Fault(text(POLISH, "utf-8", "text/html; charset=utf-8"), want=(POLISH,)),
    "utf8-quoted": Fault(text(POLISH, "utf-8", 'text/html; charset="utf-8"'), want=(POLISH,)),
    "utf8-alias": Fault(text(POLISH, "utf-8", "text/html; charset=utf8"), want=(POLISH,)),
    "utf8-none": Fault(text(POLISH, "utf-8"), want=(POLISH,)),
    "utf8-notype": Fault(text(POLISH, "utf-8", ""), want=(POLISH,)),
    "utf8-meta": Fault(text(POLISH, "utf-8", before=META.format("utf-8")), want=(POLISH,)),
    "utf8-semicolons": Fault(text(POLISH, "utf-8", "text/html;; ;charset=utf-8;"), want=(POLISH,)),
    "utf8-bogus-label": Fault(text(POLISH, "utf-8", "text/html; charset=bogus"), want=(POLISH,)),
    "utf8-two-labels": Fault(text(POLISH, "utf-8", "text/html; charset=utf-8; charset=cp1250"), want=(POLISH,)),
    "utf8-wrong-header": Fault(text(POLISH, "utf-8", "text/html; charset=iso-8859-1"), want=("Za",)),
    "bom-beats-header": Fault(text(POLISH, "utf-8-sig", "text/html; charset=iso-8859-1"), want=(POLISH,)),
    "bom-not-in-text": Fault(text(POLISH, "utf-8-sig"), want=(POLISH,), avoid=("\ufeff",)),
    "latin1": Fault(text(FRENCH, "latin-1", "text/html; charset=iso-8859-1"), want=(FRENCH,)),
    "cp1252-as-latin1": Fault(
        text("\u201cquoted\u201d \u2014 10 \u20ac", "cp1252", "text/html; charset=iso-8859-1"),
        want=("\u201cquoted\u201d \u2014 10 \u20ac",),
    ),
    "cp1252-as-ascii": Fault(
        text("it\u2019s \u2026", "cp1252", "text/html; charset=us-ascii"), want=("it\u2019s \u2026",)
    ),
    "cp1252-undeclared": Fault(text("Caf\u00e9 \u201cparis\u201d", "cp1252"), want=("Caf\u00e9 \u201cparis\u201d",)),
    "cp1250": Fault(text(POLISH, "cp1250", "text/html; charset=windows-1250"), want=(POLISH,)),
    "latin2-meta": Fault(
        text(POLISH, "iso-8859-2", before='<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">'),
        want=(POLISH,),
    ),
    "cp1251": Fault(text(RUSSIAN, "cp1251", "text/html; charset=windows-1251"), want=(RUSSIAN,)),
    "koi8-r": Fault(text(RUSSIAN, "koi8-r", before=META.format("koi8-r")), want=(RUSSIAN,)),
    "cp1251-undeclared": Fault(text(RUSSIAN * 20, "cp1251"), "any"),
    "shift-jis": Fault(text(JAPANESE, "shift_jis", "text/html; charset=Shift_JIS"), want=(JAPANESE,)),
    "shift-jis-cp932": Fault(
        text("\u2460\u9ad9\u5cf6\u5c4b", "cp932", "text/html; charset=Shift_JIS"), want=("\u2460\u9ad9\u5cf6\u5c4b",)
    ),
    "euc-jp": Fault(text(JAPANESE, "euc-jp", before=META.format("euc-jp")), want=(JAPANESE,)),
    "iso-2022-jp": Fault(text(JAPANESE, "iso-2022-jp", "text/html; charset=iso-2022-jp"), want=(JAPANESE,)),
    "gb2312-gbk": Fault(text(HAN, "gbk", "text/html; charset=gb2312"), want=(HAN,)),
    "gb18030": Fault(
        text("\u4e2d\u6587\U00020000", "gb18030", "text/html; charset=gb18030"), want=("\u4e2d\u6587\U00020000",)
    ),
    "big5": Fault(text(TRADITIONAL, "big5", "text/html; charset=big5"), want=(TRADITIONAL,)),
    "euc-kr": Fault(text("\ud55c\uad6d\uc5b4", "cp949", "text/html; charset=euc-kr"), want=("\ud55c\uad6d\uc5b4",)),
    "utf16le-bom": Fault(text("\ufeff" + POLISH, "utf-16-le"), "any"),
    "utf16be-bom": Fault(text("\ufeff" + POLISH, "utf-16-be"), "any"),
    "utf16le-header": Fault(text(POLISH, "utf-16-le", "text/html; charset=utf-16le"), want=(POLISH,)),
    "utf16-meta-lie": Fault(text(POLISH, "utf-8", before=META.format("utf-16")), want=(POLISH,)),
    "utf7": Fault(
        text("+ADw-script+AD4-alert(1)", "ascii", "text/html; charset=utf-7"), want=("+ADw-script",),
        avoid=("<script>alert",),
    ),
    "meta-late": Fault(text(POLISH, "utf-8", before=f"<!--{'x' * 3000}-->" + META.format("utf-8")), want=(POLISH,)),
    "xml-decl": Fault(
        say(message(b'<?xml version="1.0" encoding="iso-8859-2"?>' + HTML.replace(FIRST, FIRST + POLISH).encode(
            "iso-8859-2"), kind="application/xhtml+xml")), want=(POLISH,),
    ),
    "utf8-invalid": Fault(
        say(message(HTML.replace("Line 1 of", "before BAD after").encode().replace(b"BAD", b"\xff\xc3\x28"))),
        want=("before", "after"),
    ),
    "nul-bytes": Fault(
        say(message(PAGE.replace(b"Line 1 ", b"Line\0 \x1b[0m\x08 1 "))), avoid=("\0", "\x1b", "\x08"),
    ),
    "bad-references": Fault(
        say(message(PAGE.replace(b"Line 1 ", b"&#xD800;&#0;&#x110000;&#128;&#99999999999; "))), want=("\u20ac",),
        avoid=("\ud800",),
    ),
}  # fmt: skip
for _name, _codec, _mark in (("utf16le-bom", "utf-16-le", b"\xff\xfe"), ("utf16be-bom", "utf-16-be", b"\xfe\xff")):
    _body = _mark + HTML.replace(FIRST, FIRST + POLISH).encode(_codec)
    CHARSET[_name] = Fault(say(message(_body, kind="text/html")), want=(POLISH,))

STATUS_ROWS = {
    "s204": Fault(say(head("Connection: close", status="204 No Content")), "any"),
    "s205": Fault(say(head("Content-Length: 0", status="205 Reset Content")), "any"),
    "s206-unasked": Fault(page("Content-Range: bytes 0-99/9999", status="206 Partial Content"), want=(INCOMPLETE,)),
    "s304-unasked": Fault(say(head(status="304 Not Modified")), NETWORK),
    "s503-retry": Fault(status("503 Busy", "Retry-After: 86400"), STATUS),
    "s429-retry-bad": Fault(status("429 Slow", "Retry-After: soon"), STATUS),
    "s503-then-ok": Fault(then(status("503 Busy", "Retry-After: 0"), page())),
    "s429-then-ok": Fault(then(status("429 Slow", "Retry-After: 0"), page())),
    "s503-twice": Fault(then(status("503 Busy", "Retry-After: 0"), status("503 B", "Retry-After: 0"), page()), STATUS),
    "s500-no-retry": Fault(then(status("500 Oops", "Retry-After: 0"), page()), STATUS),
    "s203": Fault(page(status="203 Non-Authoritative Information")),
    "s201": Fault(page(status="201 Created")),
    "s300": Fault(page(status="300 Multiple Choices")),
    "s302-no-location": Fault(page(status="302 Found"), STATUS),
    "s302-empty-location": Fault(page("Location: ", status="302 Found"), STATUS),
    "s305": Fault(redirect("http://127.0.0.1:{port}/", code="305 Use Proxy"), STATUS),
    "refresh-header": Fault(page("Refresh: 0;url=http://169.254.169.254/")),
    "content-location": Fault(page("Content-Location: http://other.example/")),
}
for _code in (400, 401, 402, 403, 404, 410, 418, 429, 451, 500, 502, 503, 600, 999):
    STATUS_ROWS[f"s{_code}"] = Fault(status(f"{_code} Said so"), STATUS)

REDIRECT = {f"r{_code}": Fault(redirect("/next", code=f"{_code} Moved")) for _code in (301, 302, 303, 307, 308)}
REDIRECT.update({
    "r-relative": Fault(redirect("next?x=1")),
    "r-dots": Fault(redirect("../a/./b/../next")),
    "r-fragment": Fault(redirect("/next#part")),
    "r-query-only": Fault(redirect("?y=1")),
    "r-scheme-relative": Fault(redirect("//127.0.0.1:{port}/next")),
    "r-spaces": Fault(redirect("/a next page")),
    "r-utf8": Fault(redirect("/caf\u00e9/\u65e5")),
    "r-leading-space": Fault(redirect("   /next   ")),
    "r-tab": Fault(redirect("/ne\txt")),
    "r-two-locations": Fault(redirect("/next", "Location: /other")),
    "r-self": Fault(hops(lambda n: "/page"), NETWORK),
    "r-pingpong": Fault(hops(lambda n: f"/{n % 2}"), NETWORK),
    "r-30": Fault(hops(lambda n: f"/{n}", 30), NETWORK),
    "r-growing": Fault(growing, NETWORK | URL),
    "r-5": Fault(hops(lambda n: f"/{n}", 5)),
    "r-6": Fault(hops(lambda n: f"/{n}", 6), NETWORK),
    "r-metadata": Fault(redirect("http://169.254.169.254/"), SSRF),
    "r-10-net": Fault(redirect("http://10.255.255.1/"), SSRF),
    "r-127-0-0-2": Fault(redirect("http://127.0.0.2:{port}/"), SSRF),
    "r-decimal": Fault(redirect("http://2130706434:{port}/"), SSRF),
    "r-v6": Fault(redirect("http://[::1]:{port}/"), SSRF),
    "r-file": Fault(redirect("file:///etc/passwd"), URL, avoid=("root:",)),
    "r-data": Fault(redirect("data:text/html,hi"), URL),
    "r-gopher": Fault(redirect("gopher://127.0.0.1:{port}/"), URL),
    "r-bad-port": Fault(redirect("http://127.0.0.1:99999/"), URL),
    "r-bad-url": Fault(redirect("http://[::1"), URL),
    "r-userinfo": Fault(redirect("http://u:s3cr3tpw@127.0.0.1:{port}/"), URL, avoid=("s3cr3tpw",)),
    "r-cookie": Fault(lambda exchange: exchange.send(
        message() if exchange.headers.get("cookie") == "a=b" else
        head("Location: /page", "Set-Cookie: a=b; Path=/", "Content-Length: 0", "Connection: close", status="302 F"))),
    "meta-refresh": Fault(say(message(PAGE.replace(b"<head>", b'<head><meta http-equiv=refresh content="0;url=/n">')))),
    "meta-refresh-private": Fault(say(message(PAGE.replace(
        b"<head>", b'<head><meta http-equiv=refresh content="0;url=http://169.254.169.254/">')))),
})  # fmt: skip

KINDS = {
    "t-xhtml": Fault(page(kind="application/xhtml+xml")),
    "t-none": Fault(page(kind="")),
    "t-caps": Fault(page(kind="TEXT/HTML; CHARSET=UTF-8")),
    "t-two": Fault(page(kind="text/html; charset=utf-8, text/html")),
    "t-malformed": Fault(page(kind="html")),
    "t-octet-html": Fault(page(kind="application/octet-stream"), "any"),
    "t-plain": Fault(
        say(message(f"{FIRST}\n<b>kept</b> & so on\n{LAST}".encode(), kind="text/plain")),
        want=("<b>kept</b> & so on",),
    ),
    "t-plain-html": Fault(page(kind="text/plain"), "any"),
    "t-markdown": Fault(say(message(f"# T\n\n{FIRST}\n\n{LAST}\n".encode(), kind="text/markdown"))),
    "t-json": Fault(say(message(f'{{"a": "{FIRST}", "z": "{LAST}"}}'.encode(), kind="application/json"))),
    "t-json-ld": Fault(say(message(f'{{"a": "{FIRST}", "z": "{LAST}"}}'.encode(), kind="application/ld+json"))),
    "t-xml": Fault(say(message(f"<r><a>{FIRST}</a><z>{LAST}</z></r>".encode(), kind="application/xml"))),
    "t-xxe": Fault(
        say(message(b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>', kind="application/xml")),
        "any", avoid=("root:x:",),
    ),
    "t-laughs": Fault(
        say(message(b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a0 "ha">' + b"".join(
            b'<!ENTITY a%d "%b">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 11)) + b"]><l>&a10;</l>",
            kind="application/xml")), "any",
    ),
    "t-rss": Fault(
        say(message(b'<rss version="2.0"><channel><title>T</title><item><title>I</title><link>http://a.example/1</link>'
                    b"</item></channel></rss>", kind="application/rss+xml")), "any",
    ),
    "t-png": Fault(say(message(PNG, kind="image/png")), KIND, avoid=("IHDR",)),
    "t-png-as-html": Fault(say(message(PNG, kind="text/html")), KIND, avoid=("IHDR",)),
    "t-pdf": Fault(say(message(PDF, kind="application/pdf")), KIND | frozenset({"EXTRACT_FAILED"})),
    "t-zip": Fault(say(message(ZIP, kind="application/zip")), KIND),
    "t-binary-none": Fault(say(message(BINARY, kind="")), KIND),
    "t-attachment": Fault(page('Content-Disposition: attachment; filename="x.html"')),
    "t-empty": Fault(say(message(b"")), "any"),
    "t-spaces": Fault(say(message(b" \n" * 100)), "any"),
    "t-nohtml": Fault(say(message(f"{FIRST} and {LAST}".encode()))),
    "t-nosniff": Fault(page("X-Content-Type-Options: nosniff", kind="text/plain")),
}  # fmt: skip

GOOD_TLS = {"certificate": "good", "scheme": "https"}
TLS_ROWS = {
    "tls-good": Fault(page(), **GOOD_TLS),
    "tls-good-name": Fault(page(), certificate="good", url="https://localhost:{port}/page"),
    "tls-self-signed": Fault(page(), TLS, certificate="selfsigned", scheme="https"),
    "tls-expired": Fault(page(), TLS, certificate="expired", scheme="https"),
    "tls-not-yet": Fault(page(), TLS, certificate="notyet", scheme="https"),
    "tls-wrong-host": Fault(page(), TLS, certificate="wronghost", scheme="https"),
    "tls-cn-only": Fault(page(), TLS, certificate="cnonly", scheme="https"),
    "tls-unknown-ca": Fault(page(), TLS, certificate="unknownca", scheme="https"),
    "tls-no-close-notify": Fault(say(CLOSED + PAGE), ragged=True, want=(INCOMPLETE,), **GOOD_TLS),
    "tls-close-notify": Fault(say(CLOSED + PAGE), **GOOD_TLS),
    "tls-ragged-with-length": Fault(page(), ragged=True, **GOOD_TLS),
    "https-to-http-port": Fault(page(), NETWORK, scheme="https"),
    "http-to-https-port": Fault(page(), NETWORK, certificate="good"),
    "tls-stall": Fault(wait, TIMEOUT, scheme="https", deadline=1.2, accepts=False),
    "r-to-bad-tls": Fault(redirect("https://127.0.0.1:{other}/x"), TLS, other=Fault(page(), certificate="selfsigned")),
    "r-downgrade": Fault(redirect("http://127.0.0.1:{other}/x"), other=Fault(page()), **GOOD_TLS),
}


def no_private_headers(exchange):
    return not {"cookie", "authorization", "referer", "from"} & exchange.headers.keys()


LONG = "a" * 9000
REQUEST = {
    "q-host": Fault(checked(lambda x: x.headers["host"] == f"127.0.0.1:{x.port}")),
    "q-ua": Fault(checked(lambda x: x.headers["user-agent"].startswith("webtool/"))),
    "q-accept-encoding": Fault(checked(lambda x: x.headers["accept-encoding"] == "gzip, deflate")),
    "q-no-cookie": Fault(checked(no_private_headers)),
    "q-accept": Fault(checked(lambda x: x.headers["accept"].startswith("text/markdown, text/html;q=0.9"))),
    "q-fragment": Fault(checked(lambda x: x.target == "/page"), url="/page#frag"),
    "q-space": Fault(checked(lambda x: x.target == "/a%20b"), url="/a b"),
    "q-utf8": Fault(checked(lambda x: x.target == "/caf%C3%A9?q=%E6%97%A5"), url="/caf\u00e9?q=\u65e5"),
    "q-encoded-kept": Fault(checked(lambda x: x.target == "/a%2Fb%3Fc?x=%26"), url="/a%2Fb%3Fc?x=%26"),
    "q-dots": Fault(checked(lambda x: x.target == "/c"), url="/a/../b/../c"),
    "q-crlf-encoded": Fault(
        checked(lambda x: x.target == "/page%0d%0aX-Inject:%201" and "x-inject" not in x.headers),
        url="/page%0d%0aX-Inject:%201",
    ),
    "q-crlf-raw": Fault(
        checked(lambda x: "x-inject" not in x.headers), url="/page HTTP/1.1\r\nX-Inject: 1\r\nX: ",
    ),
    "q-userinfo": Fault(page(), URL, url="http://user:s3cr3tpw@127.0.0.1:{port}/page", avoid=("s3cr3tpw",)),
    "q-long-url": Fault(checked(lambda x: x.target == f"/page?{LONG}"), url=f"/page?{LONG}"),
    "q-2mb-url": Fault(page(), URL, url="/page?" + "a" * 2000000),
}  # fmt: skip

DENY = "User-agent: *\nDisallow: /\n"
DENY_PAGE = "User-agent: *\nDisallow: /page\n"
ROBOTS_ROWS = {
    "rb-disallow-all": (robots_txt(DENY), ROBOTS),
    "rb-disallow-page": (robots_txt(DENY_PAGE), ROBOTS),
    "rb-other-agent": (robots_txt("User-agent: otherbot\nDisallow: /\n"), "ok"),
    "rb-our-agent": (robots_txt("User-agent: WebTool\nDisallow: /\n"), ROBOTS),
    "rb-allow-longer": (robots_txt("User-agent: *\nDisallow: /p\nAllow: /page\n"), "ok"),
    "rb-wildcard": (robots_txt("User-agent: *\nDisallow: /*.pdf$\nDisallow: /p*e\n"), ROBOTS),
    "rb-empty": (robots_txt(""), "ok"),
    "rb-html": (say(message()), "ok"),
    "rb-binary": (robots_txt(JUNK), "ok"),
    "rb-bom": (robots_txt("\ufeff" + DENY), ROBOTS),
    "rb-cr": (robots_txt(DENY.replace("\n", "\r")), ROBOTS),
    "rb-gzip": (robots_txt(gzip.compress(DENY.encode()), "Content-Encoding: gzip"), ROBOTS),
    "rb-latin1": (robots_txt(b"# caf\xe9\n" + DENY.encode()), ROBOTS),
    "rb-500k": (robots_txt(DENY + "# filler\n" * 330000), ROBOTS),
    "rb-bomb": (bomb("gzip", 31), "any"),
    "rb-infinite": (after(head("Content-Type: text/plain"), b"# and on and on\n" * 1000), ROBOTS),
    "rb-stall": (wait, TIMEOUT),
    "rb-many": (robots_txt("User-agent: *\n" + "Disallow: /d/0000\n" * 50000), "ok"),
    "rb-redirect": (
        lambda x: x.send(message(DENY.encode(), kind="text/plain")) if "two" in x.target else x.send(
            head("Location: /robots-one", "Content-Length: 0", "Connection: close", status="301 Moved")), ROBOTS,
    ),
    "rb-redirect-private": (redirect("http://169.254.169.254/"), "ok"),
    "rb-redirect-loop": (
        lambda x: x.send(head("Location: /robots.txt", "Content-Length: 0", "Connection: close", status="302 F")), "ok",
    ),
    "rb-broken": (say(b"no HTTP at all\n"), NETWORK),
}  # fmt: skip
ROBOTS_TXT = {
    name: Fault(page(), expect, robots=robots, deadline=1.2 if name == "rb-stall" else 10.0)
    for name, (robots, expect) in ROBOTS_ROWS.items()
}
for _code in (401, 403, 404, 410, 429):
    ROBOTS_TXT[f"rb-{_code}"] = Fault(page(), robots=status(f"{_code} Said so"))
for _code in (500, 503):
    ROBOTS_TXT[f"rb-{_code}"] = Fault(page(), ROBOTS, robots=status(f"{_code} Said so"))
ROBOTS_TXT["rb-none"] = ROBOTS_TXT["rb-404"]


def robots_hops(exchange):
    """/robots.txt redirects twice; the hops are ordinary pages to the server."""
    if exchange.target == "/robots-two":
        return exchange.send(message(DENY_PAGE.encode(), kind="text/plain"))
    if exchange.target == "/robots-one":
        return exchange.send(head("Location: /robots-two", "Content-Length: 0", "Connection: close", status="302 F"))
    return exchange.send(message())


ROBOTS_TXT.update({
    "rb-redirect": Fault(robots_hops, ROBOTS, robots=ROBOTS_ROWS["rb-redirect"][0]),
    "rb-redos": Fault(
        page(), robots=robots_txt("User-agent: *\n" + f"Disallow: /{'*a' * 60}b\n" * 40), url="/" + "a" * 3000
    ),
    "rb-itself": Fault(page(), robots=robots_txt(DENY), url="/robots.txt", want=("Disallow",)),
    "rb-hop": Fault(redirect("/secret"), ROBOTS, robots=robots_txt("User-agent: *\nDisallow: /secret\n")),
    "rb-hop-origin": Fault(
        redirect("http://127.0.0.1:{other}/x"), ROBOTS, other=Fault(page(), robots=robots_txt(DENY))
    ),
    "rb-encoded-bypass": Fault(page(), ROBOTS, robots=robots_txt(DENY_PAGE), url="/%70age"),
    "rb-dot-bypass": Fault(page(), ROBOTS, robots=robots_txt(DENY_PAGE), url="/x/../page"),
})  # fmt: skip

NETWORK_ROWS = {
    "refused": Fault(page(), NETWORK, url="http://127.0.0.1:{closed}/page"),
    "no-such-name": Fault(page(), NETWORK, url="http://no-such-name.invalid/page"),
    "v6-literal": Fault(page(), SSRF, url="http://[::1]:{port}/page"),
    "v6-allowed": Fault(page(), url="http://[::1]:{port}/page", allow=("::1",), host="::1"),
    "localhost-name": Fault(page(), url="http://localhost:{port}/page"),
    "not-allowed": Fault(page(), SSRF, allow=()),
    "allow-port-scope": Fault(redirect("http://127.0.0.1:{other}/x"), other=Fault(page())),
}

FAULTS = {
    **TIMING, **FRAMING, **CODING, **SIZE, **CHARSET, **STATUS_ROWS, **REDIRECT, **KINDS, **TLS_ROWS, **REQUEST,
    **ROBOTS_TXT, **NETWORK_ROWS,
}  # fmt: skip
