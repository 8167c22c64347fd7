"""The targets: functions of bytes that may return or raise WebtoolError, and nothing else; each with its seeds."""

import json
import os
import shutil
import sqlite3
import tempfile
import time

from webtool import documents, html, robots, urls
from webtool.cache import freshness, tables
from webtool.cache.store import open_cache
from webtool.cache.tables import SNAPSHOT_COLUMNS, Snapshot
from webtool.errors import WebtoolError
from webtool.extraction import extract
from webtool.markdown import to_markdown
from webtool.net import decode, exchange, redirects
from webtool.net.messages import Headers, Request, Response
from webtool.pages import alternates
from webtool.settings import Settings
from webtool.siteconfig import rules as site_rules
from webtool.siteconfig.apply import apply

NOW = 1_780_000_000.0
PAGE = (
    "<html><head><title>T</title></head><body><nav>n</nav><div id=a class='b c'><h1>H</h1><p>one <i>two</i></p>"
    "<p>three <a href='/x?p=2' rel=next>next</a></p></div><div class=d><ul><li>1<li>2</ul></div></body></html>"
)


def answer(data):
    """A server's answer, in pieces whose size its first byte says."""
    size = (data[0] if data else 1) * 7 + 1
    reader, decoder, taken = exchange.ResponseReader("GET"), None, 0
    pieces = [data[at : at + size] for at in range(1, len(data), size)]
    for piece in [*pieces, None]:
        for event in (reader.eof(),) if piece is None else reader.feed(piece):
            if isinstance(event, exchange.Head):
                codings = [one for value in event.headers.get_all("content-encoding") for one in value.split(",")]
                decoder = decode.BodyDecoder(codings)
            elif isinstance(event, exchange.Data):
                for part in decoder.push(event.data):
                    taken += len(part)
                    if taken > 5_000_000:
                        return
            else:
                if decoder is not None:
                    decoder.finish()
                return


def fields(data):
    """Header fields as the cache and the redirects read them."""
    pairs = [tuple(line.split(":", 1)) for line in data.decode("latin-1").split("\n") if ":" in line]
    response = Response("https://e.example/a", 302, "", Headers(pairs), b"")
    redirects.next_request(Request("https://e.example/a"), response)
    alternates.refresh_target(response)
    sent = (("Accept", "*/*"),)
    kept = Snapshot("h", "https://e.example/", "https://e.example/", "readable", None, 200, "2026-01-01T00:00:00Z")
    kept = kept._replace(**freshness.columns(200, pairs, sent, NOW, 5))
    freshness.is_storable(200, pairs, sent)
    freshness.plan(kept, sent, NOW + 10)
    freshness.refreshed(kept, pairs, sent, NOW + 20, 5)
    freshness.may_serve_stale(kept, "500", NOW + 99)


def robots_file(data):
    parsed = robots.parse(data)
    for path in ("/", "/a/b?c=d", "/" + "a" * 300):
        parsed.allows("webtool", f"https://e.example{path}")


def site_file(data):
    """A file of site rules, applied."""
    rules = site_rules.parse(data.decode("utf-8", "replace"), "e.example")
    apply(rules, html.parse_html(PAGE), "https://e.example/a/b")


def url(data):
    text = data.decode("utf-8", "surrogateescape")
    urls.redact(text)
    urls.shortened(text)
    once = urls.normalise(text)
    assert urls.normalise(once) == once


def page(data):
    root = html.parse_html(data)
    to_markdown(root, "https://e.example/a/")
    extract(data, "https://e.example/a/")


def document(data):
    kind = documents.kind_of(data, None, "https://e.example/file")
    documents.convert(data, kind, None, "https://e.example/file", deadline=time.monotonic() + 5)


def row(data):
    """Columns of a stored page, as JSON lets them be."""
    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        return
    if not isinstance(values, dict):
        return
    snapshot = tables.snapshot([values.get(name) for name in SNAPSHOT_COLUMNS])
    if snapshot is not None:
        freshness.plan(snapshot, (), NOW)
        freshness.stored_headers(snapshot)


def cache_file(data):
    """A cache file with some of its bytes changed."""
    folder = tempfile.mkdtemp(prefix="webtool-fuzz-")
    try:
        path = os.path.join(folder, "c.sqlite3")
        with open(path, "wb") as file:
            file.write(data)
        cache = open_cache(path, Settings(), lambda text: None)
        if cache is not None:
            for key in ("k0", "k1", "none"):
                cache.get(key)
            cache.listing(10)
            cache.get_robots("https://e.example")
            cache.get_search("s", NOW)
            cache.purge(domain="e.example")
            cache.purge()
            cache.put(stored("new"))
            cache.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def stored(key):
    times = ("2026-01-01T00:00:00Z", "2036-01-01T00:00:00Z")
    whole = Snapshot(key, "https://e.example/", "https://e.example/", "readable", "text/html", 200, *times)
    return whole._replace(markdown="# m", links_json="[]", headers_json='{"etag": "x"}', extract_cfg_json="{}")


def cache_seed():
    folder = tempfile.mkdtemp(prefix="webtool-fuzz-")
    path = os.path.join(folder, "c.sqlite3")
    cache = open_cache(path, Settings(), print)
    for number in range(3):
        cache.put(stored(f"k{number}"))
    cache.put_robots("https://e.example", b"User-agent: *", 200, NOW)
    cache.close()
    sqlite3.connect(path).close()
    with open(path, "rb") as file:
        data = file.read()
    shutil.rmtree(folder, ignore_errors=True)
    return data


def example(name):
    folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fixtures")
    samples = []
    for base, _, files in os.walk(folder):
        for file in sorted(files):
            if file.endswith(name) and os.path.getsize(os.path.join(base, file)) < 60_000:
                with open(os.path.join(base, file), "rb") as opened:
                    data = opened.read()
                if b"/AESV3" not in data:  # its key takes thousands of rounds, which the tracer slows down to seconds
                    samples.append(data)
    return samples[:4]


HEAD = b"\x10HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
SEEDS = {
    answer: lambda: [
        HEAD + b"Content-Length: 5\r\n\r\nhello",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nTrailer: a\r\n\r\n",
        HEAD + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcbH\xcd\xc9\xc9\x07\x00",
        HEAD + b"Content-Encoding: deflate\r\nConnection: close\r\n\r\nx\x9c\xcbH\xcd\xc9\xc9\x07\x00\x06,\x02\x15",
        b"\x01HTTP/1.0 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 404 \r\n\r\n",
    ],
    fields: lambda: [
        b'Cache-Control: max-age=60, stale-if-error=5, private="x"\nETag: W/"a"\nVary: Accept, *\nAge: 5\n',
        b"Location: //user:pw@b.example:80/../x?y#z\nRefresh: 0; url='/next'\nExpires: Thu, 01 Jan 2026 00:00:00 GMT\n",
        b"Date: Thu, 01 Jan 2026 00:00:00 GMT\nLast-Modified: Thursday, 01-Jan-26 00:00:00 GMT\nConnection: x, y\n",
    ],
    robots_file: lambda: [
        b"User-agent: *\nDisallow: /a*b$\nAllow: /a/%62\nCrawl-delay: 2\n\nUser-agent: webtool\nDisallow:\n",
    ],
    site_file: lambda: [
        b"title: //h1\nbody: //div[@id='a' and contains(@class, 'b')]\nstrip: //nav | //ul/li[position() < last()]\n",
        b"body: //div[1]\nnext_page_link: //a[@rel='next']/@href\nreplace_string(one): <b>two</b>\nfind_string: a\n"
        b"replace_string: b\nstrip_id_or_class: d\nprune: no\nhttp_header(user-agent): x\ntest_url: https://e.example/\n",
        b"body: //p[string-length(normalize-space(translate(., 'abc', 'ABC'))) > 3][not(ancestor::ul)]\n",
    ],
    url: lambda: [
        b"https://user:pw@e.example:8443/a/../b;c?d=e&token=f#g", b"http://[::ffff:1.2.3.4]/", b"//x\xc3\xa9.example",
    ],
    page: lambda: [
        PAGE.encode(), b"<table><tr><td colspan=99><pre>a\n</pre><svg><use href=#a></svg><math><mi>x</mi></math>",
    ],
    document: lambda: [
        b'{"a": [1, {"b": null}]}',
        b"<?xml version='1.0'?><rss><channel><title>t</title><item><title>i</title><link>/x</link></item>"
        b"</channel></rss>",
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont"
        b"/Helvetica>>>>>>>>endobj\n4 0 obj<</Length 40>>stream\nBT /F1 12 Tf 10 10 Td (Hello) Tj ET\nendstream\n"
        b"endobj\n"
        b"trailer<</Root 1 0 R>>",
        *example(".docx"), *example(".xlsx"), *example(".odt"), *example(".ods"), *example(".epub"), *example(".pdf"),
    ],
    row: lambda: [json.dumps(dict(zip(SNAPSHOT_COLUMNS, stored("k")))).encode()],
    cache_file: lambda: [cache_seed()],
}  # fmt: skip
TARGETS = {target.__name__: target for target in SEEDS}
EXPECTED = (WebtoolError,)
