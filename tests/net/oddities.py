"""Unusual messages, as a table like that of faults.py: what the RFCs allow and nobody sends, and what only an attacker
sends. Each row was made from the text of the standard that its group names."""

import gzip
import zlib

from net.faults import (
    CHUNKED,
    GZIPPED,
    NETWORK,
    PAGE,
    SSRF,
    STATUS,
    URL,
    Fault,
    after,
    chunks,
    coded,
    head,
    hops,
    message,
    page,
    redirect,
    say,
    status,
    then,
    wait,
)

SMUGGLED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n<p>SMUGGLED</p>"


def framed(*fields, body=PAGE):
    """A head with these fields, and a body as it is."""
    return say(head("Content-Type: text/html", *fields, "Connection: close") + body)


def lines(*fields, body=PAGE):
    """A head whose lines are bytes as given, line ends included."""
    return say(b"HTTP/1.1 200 OK\r\n" + b"".join(fields) + b"\r\n" + body)


LENGTH = b"Content-Length: %d\r\n" % len(PAGE)
KIND = b"Content-Type: text/html\r\n"

# RFC 9112 sections 6 and 7.
BODIES = {
    "chunk-size-zeros": Fault(say(CHUNKED + b"0" * 30 + chunks(PAGE))),
    "chunk-size-blanks": Fault(say(CHUNKED + b"%x \t\r\n" % len(PAGE) + PAGE + b"\r\n0 \r\n\r\n")),
    "chunk-size-capitals": Fault(say(CHUNKED + b"%X\r\n" % len(PAGE) + PAGE + b"\r\n0\r\n\r\n")),
    "chunk-size-blank-first": Fault(say(CHUNKED + b" %x\r\n" % len(PAGE) + PAGE + b"\r\n0\r\n\r\n"), NETWORK),
    "chunk-size-none": Fault(say(CHUNKED + b";a=b\r\n" + PAGE + b"\r\n0\r\n\r\n"), NETWORK),
    "chunk-size-16-digits": Fault(say(CHUNKED + b"1000000000000000\r\n" + PAGE), NETWORK),
    "chunk-extension-4000": Fault(say(CHUNKED + b"%x;" % len(PAGE) + b"e" * 4000 + b"\r\n" + PAGE + b"\r\n0\r\n\r\n")),
    "chunk-extension-5000": Fault(say(CHUNKED + b"1;" + b"e" * 5000 + b"\r\na\r\n0\r\n\r\n"), NETWORK),
    "chunk-extension-quoted": Fault(
        say(CHUNKED + b'%x ; a = "b;\\"c" ;d\r\n' % len(PAGE) + PAGE + b"\r\n0;z\r\n\r\n")
    ),
    "chunk-last-zeros": Fault(say(CHUNKED + chunks(PAGE, end=b"0000;end\r\n\r\n"))),
    "chunk-lf-only": Fault(say(CHUNKED + b"%x\n" % len(PAGE) + PAGE + b"\n0\n\n")),
    "chunk-without-end-of-line": Fault(say(CHUNKED + b"4\r\nabcd4\r\nabcd\r\n0\r\n\r\n"), NETWORK),
    "trailers-forbidden": Fault(
        say(CHUNKED + chunks(PAGE, end=b"0\r\nContent-Length: 3\r\nTransfer-Encoding: x\r\nContent-Type: a/b\r\n\r\n"))
    ),
    "trailers-junk": Fault(say(CHUNKED + chunks(PAGE, end=b"0\r\nno colon\r\n folded\r\n\0\xff\r\n\r\n"))),
    "trailers-cut": Fault(say(CHUNKED + chunks(PAGE, end=b"0\r\nX: y\r\n")), NETWORK),
    "chunked-http-1.0": Fault(say(CHUNKED.replace(b"HTTP/1.1", b"HTTP/1.0") + chunks(PAGE))),
    "te-two-fields": Fault(framed("Transfer-Encoding: gzip", "Transfer-Encoding: chunked", body=chunks(GZIPPED))),
    "te-chunked-in-two-fields": Fault(
        framed("Transfer-Encoding: chunked", "Transfer-Encoding: chunked", body=chunks(PAGE)), NETWORK
    ),
    "te-empty-elements": Fault(framed("Transfer-Encoding: , chunked ,", body=chunks(PAGE))),
    "te-tab": Fault(framed("Transfer-Encoding:\tchunked\t", body=chunks(PAGE))),
    "te-deflate-chunked": Fault(framed("Transfer-Encoding: deflate, chunked", body=chunks(zlib.compress(PAGE)))),
    "te-gzip-to-the-end": Fault(framed("Transfer-Encoding: gzip", body=GZIPPED)),
    "te-gzip-and-ce-gzip": Fault(
        framed("Transfer-Encoding: gzip, chunked", "Content-Encoding: gzip", body=chunks(gzip.compress(GZIPPED)))
    ),
    "te-chunked-then-gzip": Fault(framed("Transfer-Encoding: chunked, gzip", body=chunks(GZIPPED)), NETWORK),
    "te-xchunked": Fault(framed("Transfer-Encoding: xchunked", body=chunks(PAGE)), NETWORK),
    "te-identity": Fault(framed("Transfer-Encoding: identity", f"Content-Length: {len(PAGE)}")),
    "te-and-a-bad-length": Fault(framed("Transfer-Encoding: chunked", "Content-Length: x", body=chunks(PAGE))),
    "cl-zeros": Fault(framed(f"Content-Length: {'0' * 30}{len(PAGE)}")),
    "cl-list": Fault(framed(f"Content-Length: {len(PAGE)} , {len(PAGE)}")),
    "cl-blank-inside": Fault(framed("Content-Length: 1 000"), NETWORK),
    "cl-folded": Fault(lines(KIND, b"Content-Length:\r\n %d\r\n" % len(PAGE))),
    "cl-blank-before-colon": Fault(lines(KIND, b"Content-Length \t: %d\r\n" % len(PAGE), body=PAGE + b"SMUGGLED"),
                                   avoid=("SMUGGLED",)),
    "cl-named-by-connection": Fault(lines(KIND, LENGTH, b"Connection: close, Content-Length\r\n")),
    "cl-with-nul": Fault(lines(KIND, b"Content-Length\0: 5\r\nContent-Length: %d\r\n" % len(PAGE))),
}  # fmt: skip

# RFC 9112 sections 2, 4 and 5.
HEADS = {
    "field-before-any": Fault(lines(b" Content-Length: 5\r\n", KIND)),
    "field-folded-before-any": Fault(lines(b"\tX: y\r\n", b" z\r\n", KIND, LENGTH)),
    "field-bare-cr": Fault(lines(KIND, b"X: a\rContent-Length: 5\r\n", LENGTH)),
    "field-cr-cr-lf": Fault(lines(b"Content-Type: text/html\r\r\n", LENGTH)),
    "field-nameless": Fault(lines(b": 5\r\n", KIND, LENGTH)),
    "field-long-name": Fault(lines(b"X" * 20000 + b": y\r\n", KIND, LENGTH)),
    "field-name-with-blank": Fault(lines(b"Content Length: 5\r\n", KIND, LENGTH)),
    "field-vertical-tab": Fault(lines(b"Content-Length\x0b: 5\r\n", KIND, LENGTH)),
    "fields-999": Fault(page(*(f"X-{n}: y" for n in range(990)))),
    "mixed-line-ends": Fault(say(b"HTTP/1.1 200 OK\nContent-Type: text/html\r\n" + LENGTH + b"\n" + PAGE)),
    "version-1.2": Fault(say(message().replace(b"HTTP/1.1", b"HTTP/1.2", 1))),
    "version-lower-case": Fault(say(message().replace(b"HTTP/1.1", b"http/1.1", 1)), NETWORK),
    "version-missing-digit": Fault(say(message().replace(b"HTTP/1.1", b"HTTP/1", 1)), NETWORK),
    "status-226": Fault(page(status="226 IM Used")),
    "status-299": Fault(page(status="299 Odd")),
    "reason-of-bytes": Fault(page(status="200 \xff\xfe\x01")),
    "reason-endless": Fault(page(status="200 " + "o" * 100000)),
    "blank-lines-three": Fault(say(b"\r\n\r\n\r\n" + message()), NETWORK),
    "informational-with-length": Fault(say(b"HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\n" + message())),
    "informational-16": Fault(say(b"HTTP/1.1 102 Processing\r\n\r\n" * 16 + message())),
    "informational-17": Fault(say(b"HTTP/1.1 199 Odd\r\nX: y\r\n\r\n" * 17 + message()), NETWORK),
    "informational-then-nothing": Fault(say(b"HTTP/1.1 103 Early Hints\r\n\r\n"), NETWORK),
    "no-content-with-body": Fault(say(head("Content-Length: 5", status="204 No Content") + SMUGGLED), "any",
                                  avoid=("SMUGGLED",)),
    "reset-content-chunked": Fault(say(CHUNKED.replace(b"200 OK", b"205 Reset") + chunks(PAGE))),
}  # fmt: skip


def smuggling(exchange):
    """A redirect with a second answer behind it; the connection stays open for the next use."""
    if exchange.count == 1:
        exchange.send(head("Location: /next", "Content-Length: 0", status="302 Found") + SMUGGLED)
        return True
    return exchange.send(message())


def long_redirect(body, *fields):
    """A redirect whose body is endless, broken or slow; nobody reads it."""
    start = head("Location: /next", "Content-Type: text/html", *fields, "Connection: close", status="302 Found")
    return then(lambda exchange: body(exchange, start), page())


def endless(exchange, start):
    after(start, b"<p>moved</p>" * 1000)(exchange)


def broken(exchange, start):
    exchange.send(start + b"\x1f\x8bno gzip at all")


def stalled(exchange, start):
    exchange.send(start + b"<p>moved")
    wait(exchange)


def big_failure(exchange):
    exchange.send(head("Content-Type: text/html", status="404 Not Found"))
    while True:
        exchange.send(b"<p>not here</p>" * 1000)


def stalled_failure(exchange):
    exchange.send(head("Content-Type: text/html", "Content-Length: 5000", status="404 Not Found") + b"<p>not")
    wait(exchange)


# RFC 9110 sections 8.4 and 15: what stands in the way of a status that says enough by itself.
PASSING = {
    "smuggled-behind-a-redirect": Fault(smuggling, avoid=("SMUGGLED",)),
    "redirect-with-endless-body": Fault(long_redirect(endless)),
    "redirect-with-broken-coding": Fault(long_redirect(broken, "Content-Encoding: gzip")),
    "redirect-with-unknown-coding": Fault(long_redirect(broken, "Content-Encoding: br")),
    "redirect-with-stalled-body": Fault(long_redirect(stalled, "Content-Length: 5000"), deadline=5.0),
    "redirect-with-20-gb": Fault(long_redirect(broken, "Content-Length: 20000000000")),
    "error-with-endless-body": Fault(big_failure, STATUS),
    "error-with-stalled-body": Fault(stalled_failure, STATUS, deadline=1.5),
    "error-with-broken-coding": Fault(status("404 Not Found", "Content-Encoding: gzip", body=b"\0\1\2"), STATUS),
    "error-with-unknown-coding": Fault(status("403 Forbidden", "Content-Encoding: br", body=b"\x8b\0"), STATUS),
    "error-cut-short": Fault(say(head("Content-Length: 5000", status="410 Gone") + b"<p>gone"), STATUS),
    "error-with-20-gb": Fault(say(head("Content-Length: 20000000000", status="500 Oops") + b"<p>oops"), STATUS),
    "robots-missing-endless": Fault(page(), robots=big_failure),
    "ce-with-identity": Fault(coded("gzip, identity", GZIPPED)),
    "ce-empty-elements": Fault(coded(", gzip,,", GZIPPED)),
    "ce-two-fields": Fault(say(message(gzip.compress(zlib.compress(PAGE)), "Content-Encoding: deflate",
                                       "Content-Encoding: x-gzip"))),
    "ce-three": Fault(coded("gzip, gzip, gzip", gzip.compress(gzip.compress(GZIPPED)))),
    "ce-wrong-order": Fault(coded("gzip, deflate", gzip.compress(zlib.compress(PAGE))), NETWORK),
    "ce-parameter": Fault(coded("gzip;q=1", GZIPPED), "any"),
    "ce-star": Fault(coded("*", PAGE), NETWORK),
    "ce-members-1000": Fault(coded("gzip", b"".join(gzip.compress(PAGE[at : at + 2])
                                                    for at in range(0, len(PAGE), 2)))),
}  # fmt: skip

# RFC 9110 section 10.2.2 and the URL Standard: where a Location leads.
LOCATIONS = {
    "l-upper-case": Fault(redirect("HTTP://127.0.0.1:{port}/next")),
    "l-scheme-and-path": Fault(redirect("http:/next")),
    "l-backslashes": Fault(redirect("\\next")),
    "l-short-address": Fault(redirect("http://127.1:{port}/next")),
    "l-hex-address": Fault(redirect("http://0x7f.0.0.1:{port}/next")),
    "l-encoded-address": Fault(redirect("http://%31%32%37.0.0.1:{port}/next")),
    "l-wide-digits": Fault(redirect("http://\uff11\uff12\uff17.0.0.1:{port}/next")),
    "l-empty-userinfo": Fault(redirect("http://@127.0.0.1:{port}/next")),
    "l-folded": Fault(redirect("/ne\r\n xt")),
    "l-latin-1": Fault(then(say(b"HTTP/1.1 302 F\r\nLocation: /caf\xe9\r\nContent-Length: 0\r\n\r\n"), page())),
    "l-fragment-alone": Fault(hops(lambda n: "#top"), NETWORK),
    "l-query-alone-again": Fault(hops(lambda n: "?a"), NETWORK),
    "l-empty-host": Fault(redirect("//"), URL),
    "l-nul-host": Fault(redirect("http://127.0.0.1%00.example/"), URL),
    "l-userinfo-encoded": Fault(redirect("http://%75:p@127.0.0.1:{port}/"), URL),
    "l-port-0": Fault(redirect("http://127.0.0.1:0/"), SSRF),
    "l-port-65536": Fault(redirect("http://127.0.0.1:65536/"), URL),
    "l-port-25": Fault(redirect("http://127.0.0.1:25/"), SSRF),
    "l-mapped": Fault(redirect("http://[::ffff:10.0.0.1]/"), SSRF),
    "l-nat64": Fault(redirect("http://[64:ff9b::10.0.0.1]/"), SSRF),
    "l-compatible": Fault(redirect("http://[::10.0.0.1]/"), SSRF),
    "l-zero": Fault(redirect("http://0/"), SSRF),
    "l-octal": Fault(redirect("http://012.1/"), SSRF),
    "l-localhost-below": Fault(redirect("http://x.localhost:{port}/"), SSRF),
    "l-javascript": Fault(redirect("javascript:alert(1)"), URL),
    "l-about": Fault(redirect("about:blank"), URL),
    "l-ws": Fault(redirect("ws://127.0.0.1:{port}/"), URL),
    "l-ftp": Fault(redirect("ftp://127.0.0.1:{port}/"), URL),
    "l-view-source": Fault(redirect("view-source:http://127.0.0.1:{port}/"), URL),
    "l-to-a-page-of-choices": Fault(page("Location: http://169.254.169.254/", status="300 Multiple Choices")),
    "l-with-a-page": Fault(page("Location: http://169.254.169.254/", status="201 Created")),
}

ODDITIES = {**BODIES, **HEADS, **PASSING, **LOCATIONS}
