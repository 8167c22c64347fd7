"""Title, links, media type and addresses of a page are limited, and so is its text."""

import json

import pytest

from webtool.cache.store import open_cache
from webtool.context import Context
from webtool.net.messages import Headers, Response
from webtool.pages import PageRequest, conversion, in_worker, open_page
from webtool.pages.request import Source
from webtool.settings import Settings


def test_titles_and_links_are_bounded():
    links = json.dumps([{"text": "x" * 100, "href": "https://e.example/" + "y" * 300}] * 20000)
    columns, notes = in_worker.limit_columns({"title": "t" * 10**6, "links_json": links, "markdown": "m"})
    assert len(columns["title"]) == in_worker.MAX_TITLE
    assert columns["title"].endswith("…")
    assert len(columns["links_json"]) <= in_worker.MAX_LINKS
    kept = len(json.loads(columns["links_json"]))
    assert notes == (f"only the first {kept} of 20000 links are listed",)
    assert columns["markdown"] == "m"
    assert in_worker.limit_columns({"title": None, "links_json": "[]"}) == ({"title": None, "links_json": "[]"}, ())


def test_an_address_that_a_page_gave_itself_is_bounded():
    asked = "https://e.example/asked"
    assert in_worker.limit_address("https://e.example/a?b#c", asked) == "https://e.example/a?b#c"
    assert in_worker.limit_address("https://e.example/a?" + "b" * 10**6, asked) == "https://e.example/a"
    assert in_worker.limit_address("https://e.example/a#" + "b" * 10**6, asked) == "https://e.example/a"
    assert in_worker.limit_address("https://e.example/" + "a" * 10**6, asked) == asked


class Client:
    def fetch(self, request, **_bounds):
        headers = [
            ("Content-Type", "text/html; x=" + "y" * 5000), ("X-Auth-Token", "s3cret"), ("X-API-Key", "s3cret"),
            ("Authorization", "s3cret"), ("Set-Cookie", "a=s3cret"), ("Set-Cookie2", "a=s3cret"),
            ("Link", "<https://e.example/?api_key=s3cret>; rel=next"), ("X-Long", "l" * 5000), ("X-Kept", "kept"),
            ("X-CSRF-Token", "s3cret"), ("ETag", '"e"'), ("X-Author", "somebody"),
        ]  # fmt: skip
        body = b"<title>" + b"t" * 100000 + b"</title><p>Words enough to be a page that is worth reading.</p>"
        return Response(request.url, 200, "OK", Headers(headers), body)


def test_types_and_headers_are_bounded_and_hold_no_secret(tmp_path):
    cache = open_cache(str(tmp_path / "c.sqlite3"), Settings(), print)
    ctx = Context(Settings(respect_robots=False), Client(), cache)
    snapshot = open_page(ctx, PageRequest("https://e.example/", "readable")).snapshot
    kept = cache.get(snapshot.hash)
    cache.close()
    assert len(kept.content_type) == in_worker.MAX_TYPE
    assert len(kept.title) <= in_worker.MAX_TITLE
    assert "s3cret" not in str(kept)
    headers = json.loads(kept.headers_json)
    assert headers["x-kept"] == "kept"
    assert headers["x-author"] == "somebody"
    assert headers["etag"] == '"e"'
    assert "x-long" not in headers


def links_below_a_long_base(count):
    links = "".join(f"<p>Some words about <a href=x{i}>page {i}</a> of it." for i in range(count))
    return f"<base href='https://e.example/{'a' * 1500}/'><article>{links}</article>"


@pytest.mark.parametrize("fields", [{"mode": "full"}, {"mode": "readable"}, {"select": "article", "mode": "readable"}])
@pytest.mark.parametrize(("max_bytes", "is_cut"), [(10_000, True), (100_000, False)])
def test_the_text_of_a_page_is_bounded_by_what_may_be_fetched(fields, max_bytes, is_cut):
    page = links_below_a_long_base(150)
    assert len(page) < 10_000
    ctx = Context(Settings(max_bytes=max_bytes), None, None)
    made = conversion.convert_html(
        ctx, PageRequest("https://e.example/", **fields), Source(page, None, "https://e.example/")
    )
    text = made.columns["markdown"]
    assert ("The text was cut" in text) == is_cut
    assert len(text) < 8 * max_bytes
    assert ("page 149" in text) != is_cut


@pytest.mark.parametrize("fields", [{"mode": "full"}, {}, {"select": "div"}])
def test_a_page_that_scripts_fill_is_a_shell_in_every_mode(fields):
    page = "<div id=root></div><script src=/static/js/main.3f2a.js></script><noscript>Enable JavaScript.</noscript>"
    ctx = Context(Settings(), None, None)
    request = PageRequest("https://e.example/", **{"mode": "readable", **fields})
    made = conversion.convert_html(ctx, request, Source(page, None, "https://e.example/"))
    assert made.shell
    assert "seems to need a browser" in made.notes[0]


def test_a_body_longer_than_what_may_be_fetched_is_written_whole():
    page = "<article>" + "<p>Words of a page that is long." * 1000 + "</article>"
    ctx = Context(Settings(max_bytes=100), None, None)
    made = conversion.convert_html(ctx, PageRequest("https://e.example/"), Source(page, None, "https://e.example/"))
    assert made.columns["markdown"].count("Words") == 1000
