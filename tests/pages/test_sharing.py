"""One stored body serves all modes: a page that open stored serves fetch and vice versa, offline too."""

import json
import time

import pytest
from servers import Server, page

from webtool import pages
from webtool.browser.behaviour import Rendered
from webtool.browser.session import Browser
from webtool.cache import freshness
from webtool.errors import CacheMiss, FetchTooLarge
from webtool.net.messages import Headers, Response
from webtool.pages.request import key_of
from webtool.tools import web_fetch, web_open

HTML = (
    "<title>Tides</title><nav><a href=/>Home</a></nav><main><h1>Tides</h1>"
    + "<p>The harbour has two tides a day, and more words than one would think.</p>" * 20
    + "</main><aside>Beside it.</aside>"
)


@pytest.fixture
def web():
    routes = {
        "/page": page(HTML),
        "/new": (200, {"Content-Type": "text/html", "Cache-Control": "no-store"}, HTML.encode()),
        "/old": (200, {"Content-Type": "text/html", "Cache-Control": "max-age=0"}, HTML.encode()),
        "/data": (200, {"Content-Type": "application/json"}, b'{"a": 1}'),
    }
    with Server(routes) as server:
        yield server


def asked(web, path):
    return [one for one in web.asked if one[0] == path]


@pytest.mark.parametrize("offline", [False, True])
@pytest.mark.parametrize("path", ["/page", "/data"])
def test_one_request_serves_both_tools_in_either_order(web, make_context, offline, path):
    opened = web_open.run(make_context(), url=f"{web.url}{path}").data
    fetched = web_fetch.run(make_context(offline=offline), url=f"{web.url}{path}").data
    assert len(asked(web, path)) == 1
    assert (
        web_open.run(make_context(offline=offline), url=f"{web.url}{path}", mode="full").data["fetched_at"]
        == opened["fetched_at"]
    )
    raw = web_open.run(make_context(offline=offline), url=f"{web.url}{path}", mode="raw").data["raw"]
    assert raw == (HTML if path == "/page" else '{"a": 1}')
    assert len(asked(web, path)) == 1
    if path == "/page":
        assert opened["markdown"].startswith("---\ntitle: Tides\n")
        assert fetched["content"].startswith("# Tides")


def test_fetch_serves_open(web, make_context):
    web_fetch.run(make_context(), url=f"{web.url}/page")
    opened = web_open.run(make_context(offline=True), url=f"{web.url}/page").data
    assert "two tides" in opened["markdown"]
    assert "stale" not in opened
    assert len(asked(web, "/page")) == 1


# Cache-Control and validator of a page; minutes between two calls; requests of the second call (None: no request).
FRESHNESS = [
    ({"ETag": '"v1"'}, 14, None),
    ({"ETag": '"v1"'}, 16, "If-None-Match"),
    ({"Last-Modified": "Wed, 01 Jan 2020 00:00:00 GMT"}, 14, None),
    ({"Last-Modified": "Wed, 01 Jan 2020 00:00:00 GMT"}, 16, "If-Modified-Since"),
    ({"ETag": '"v1"', "Cache-Control": "max-age=7200"}, 60, None),
    ({"ETag": '"v1"', "Cache-Control": "max-age=7200"}, 121, "If-None-Match"),
    ({"Cache-Control": "max-age=7200"}, 60, None),
]
CALLS = [(web_open, {}), (web_fetch, {}), (web_open, {"mode": "full"}), (web_fetch, {"mode": "readable"})]


@pytest.mark.parametrize(("headers", "minutes", "condition"), FRESHNESS)
@pytest.mark.parametrize("first", range(len(CALLS)))
@pytest.mark.parametrize("second", range(len(CALLS)))
def test_every_mode_has_one_freshness(make_context, headers, minutes, condition, first, second):
    clock, asked = [time.time()], []
    headers = {"Content-Type": "text/html", **headers}

    def fetch(request, **_):
        asked.append(dict(request.headers))
        status = 304 if condition in asked[-1] else 200
        return Response(request.url, status, "", Headers(headers.items()), b"" if status == 304 else HTML.encode())

    texts = []
    for tool, members in (CALLS[first], CALLS[second], CALLS[second]):
        ctx = make_context(now=lambda: clock[0], respect_robots=False)
        ctx.client.fetch = fetch
        texts.append(tool.run(ctx, url="https://127.0.0.1/page", **members).text)
        clock[0] += minutes * 60 if len(texts) == 1 else 1
    assert all("two tides" in text for text in texts)
    assert len(asked) == (1 if condition is None else 2)
    assert condition is None or condition in asked[1]


def test_a_page_that_changed_since_another_mode_stored_it_is_converted_anew(make_context):
    clock, bodies = [time.time()], iter([HTML, "<main><h1>New</h1><p>All is new in the harbour.</p></main>"])

    def fetch(request, **_):
        headers = Headers([("Content-Type", "text/html"), ("ETag", '"v1"')])
        return Response(request.url, 200, "", headers, next(bodies).encode())

    ctx = make_context(now=lambda: clock[0], respect_robots=False)
    ctx.client.fetch = fetch
    web_fetch.run(ctx, url="https://127.0.0.1/page")
    clock[0] += 1000
    assert "All is new" in web_open.run(ctx, url="https://127.0.0.1/page").text
    assert "All is new" in web_fetch.run(ctx, url="https://127.0.0.1/page").text  # the newer body of the other mode


def test_each_tool_keeps_its_own_idea_of_old(web, make_context):
    clock = [1_800_000_000.0]
    web_open.run(make_context(now=lambda: clock[0]), url=f"{web.url}/page")
    clock[0] += freshness.TTL_PARTS + 1
    web_fetch.run(make_context(now=lambda: clock[0]), url=f"{web.url}/page")
    assert len(asked(web, "/page")) == 2


@pytest.mark.parametrize("path", ["/new", "/old"])
def test_a_page_that_must_not_be_stored_is_requested_again(web, make_context, path):
    web_open.run(make_context(), url=f"{web.url}{path}")
    web_fetch.run(make_context(), url=f"{web.url}{path}")
    assert len(asked(web, path)) == 2


def test_the_second_part_of_a_page_is_not_called_stale(web, make_context):
    first = web_open.run(make_context(), url=f"{web.url}/old", max_tokens=50).data
    second = web_open.run(make_context(), url=f"{web.url}/old", offset=first["next_offset"]).data
    assert "stale" not in second
    assert len(asked(web, "/old")) == 1
    part = web_fetch.run(make_context(), url=f"{web.url}/old", offset=2).data
    assert part["lines_read"] > 0
    assert len(asked(web, "/old")) == 1


def test_a_refresh_asks_the_server(web, make_context):
    web_open.run(make_context(), url=f"{web.url}/page")
    web_open.run(make_context(), url=f"{web.url}/page", mode="full", force_refresh=True)
    assert len(asked(web, "/page")) == 2


def test_a_smaller_limit_is_the_limit(web, make_context):
    web_open.run(make_context(), url=f"{web.url}/page")
    with pytest.raises(FetchTooLarge):
        web_fetch.run(make_context(), url=f"{web.url}/page", max_bytes=100)


def test_a_rendered_page_has_no_body_for_other_modes(web, make_context):
    web_open.run(make_context(), url=f"{web.url}/page")
    with pytest.raises(CacheMiss):
        pages.open_page(make_context(offline=True), pages.PageRequest(f"{web.url}/page", "rendered"))


def test_a_page_that_a_browser_opened_further_is_another_than_the_page_as_it_came(make_context, monkeypatch):
    made = []

    def render(self, url, **_):
        made.append(self._settings.render_clicks)
        return Rendered(f"<p>The browser shows this. Clicks: {made[-1]}</p>", url, "", 200, "text/html", None)

    monkeypatch.setattr(Browser, "render", render)
    for clicks in (False, True, False, True):
        ctx = make_context(render="on", render_clicks=clicks, respect_robots=False)
        page = pages.open_page(ctx, pages.PageRequest("https://127.0.0.1/page", "rendered"))
        assert f"Clicks: {clicks}" in page.snapshot.markdown
    assert made == [False, True]
    plain, clicked = (key_of(pages.PageRequest("https://e.example/", "full"), is_on) for is_on in (False, True))
    assert plain == clicked  # only a browser clicks


def test_a_row_converted_from_another_mode_has_its_http_columns(web, make_context):
    ctx = make_context()
    opened = web_open.run(ctx, url=f"{web.url}/page").data
    web_fetch.run(ctx, url=f"{web.url}/page")
    rows = {row.mode: ctx.cache.get(row.hash) for row in ctx.cache.listing(10, 0)}
    assert rows.keys() == {"readable", "full"}
    assert rows["full"].fetched_at == rows["readable"].fetched_at == opened["fetched_at"]
    assert rows["full"].headers_json == rows["readable"].headers_json
    assert "strategy_used" not in json.loads(rows["full"].extract_cfg_json)
