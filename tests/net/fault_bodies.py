"""Tables of faults in a body: its coding (RFC 9110), its size, its character encoding, its media type and content."""

import gzip
import os
import zlib

from net.faults import (
    BOOM,
    CLOSED,
    FIRST,
    GARBLED,
    GZIPPED,
    HTML,
    JUNK,
    KIND,
    LAST,
    NETWORK,
    PAGE,
    TIMEOUT,
    TOO_LARGE,
    Fault,
    after,
    bomb,
    chunked_bomb,
    coded,
    corrupt,
    head,
    member,
    message,
    page,
    say,
    text,
)

RAW = zlib.compress(PAGE)[2:-4]
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0" + os.urandom(2000)
PDF = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog>>\nendobj\n" + os.urandom(2000) + b"\n%%EOF\n"
ZIP = b"PK\x03\x04\x14\0\0\0\x08\0" + os.urandom(2000)
BINARY = bytes(range(256)) * 20
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
    "bomb-twice": Fault(coded("gzip, gzip", gzip.compress(gzip.compress(BOOM) * 100)), TOO_LARGE),
    "bomb-10": Fault(coded(", ".join(["gzip"] * 10), GZIPPED), NETWORK),
    "bomb-chunked": Fault(chunked_bomb(), TOO_LARGE),
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
