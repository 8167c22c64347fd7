"""Content-Signal and Content-Usage are shown on every answer, and heeded when many pages are opened."""

import pytest
from servers import Server, page, serving

from webtool import registry

BODY = "<title>S</title><article><p>A page whose server says what it may be used for, at some length.</p></article>"
NO = {"Content-Signal": "search=yes, ai-input=no, ai-train=no"}
ROUTES = {
    "/no": page(BODY, **NO),
    "/usage": page(BODY, **{"Content-Usage": "train-ai=n;x, ai-input=n"}),
    "/yes": page(BODY, **{"Content-Signal": "ai-input=yes, ai-train=no"}),
    "/silent": page(BODY),
}


site = serving(ROUTES)


@pytest.mark.parametrize(("path", "name"), [("/no", "content_signal"), ("/usage", "content_usage")])
def test_a_click_of_ones_own_shows_the_signal_and_the_page(ctx, site, path, name):
    url = f"{site.url}{path}"
    opened = registry.call("open", ctx, {"url": url}).data
    assert "at some length" in opened["markdown"]
    for data in (
        opened,
        registry.call("fetch", ctx, {"url": url}).data,
        registry.call("cache get", ctx, {"hash": opened["hash"]}).data,
        registry.call("open", ctx, {"url": url, "outline": True}).data,
    ):
        assert "ai-input=n" in data[name]
    assert "content_signal" not in registry.call("open", ctx, {"url": f"{site.url}/silent"}).data


def test_a_batch_heeds_it(ctx, site):
    items = [{"url": f"{site.url}{path}"} for path in ROUTES]
    data = registry.call("batch", ctx, {"items": items}).data
    assert [entry["url"].rpartition("/")[2] for entry in data["failed"]] == ["no", "usage"]
    assert {entry["error_code"] for entry in data["failed"]} == {"ROBOTS_DISALLOWED"}
    assert "ai-input=no" in data["failed"][0]["error"]
    assert len(data["items"]) == 2


def test_a_batch_heeds_the_signal_of_robots_txt(ctx):
    robots = "User-agent: *\nContent-Signal: search=yes, ai-input=no\nAllow: /\n"
    with Server({"/page": page(BODY), "/robots.txt": (200, "text/plain", robots)}) as site:
        data = registry.call("batch", ctx, {"items": [{"url": f"{site.url}/page"}]}).data
        assert "Content-Signal of robots.txt" in data["failed"][0]["error"]
        assert registry.call("open", ctx, {"url": f"{site.url}/page"}).data["markdown"]
