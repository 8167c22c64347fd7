"""Tables of faults in what surrounds a body: timing, framing (RFC 9112), status, redirects, TLS, robots.txt (RFC 9309).

FAULTS has all rows, those of fault_bodies.py too: name -> Fault.
"""

import gzip

from net.fault_bodies import CHARSET, CODING, KINDS, SIZE
from net.faults import (
    CHUNKED,
    CLOSED,
    FIRST,
    GARBLED,
    GZIPPED,
    INCOMPLETE,
    JUNK,
    NETWORK,
    PAGE,
    ROBOTS,
    SSRF,
    STATUS,
    TIMEOUT,
    TLS,
    TOO_LARGE,
    URL,
    Fault,
    after,
    big_length,
    bomb,
    checked,
    chunks,
    drip_body,
    growing,
    gzip_drip,
    head,
    hops,
    keep_alive_then_close,
    late,
    message,
    page,
    redirect,
    reset,
    reset_in_body,
    robots_txt,
    say,
    slow_hops,
    stall,
    status,
    then,
    wait,
)

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
        say(head("Transfer-Encoding: chunked, chunked", "Content-Type: text/html") + chunks(PAGE))
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
