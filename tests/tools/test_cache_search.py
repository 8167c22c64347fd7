"""cache_search and web_verify: stored pages searched, quotes checked; offline."""

import pytest
from servers import page, serving

from webtool import registry
from webtool.errors import CacheError, CacheMiss
from webtool.mcp import tools as mcp_tools
from webtool.tools import cache_search

TEXT = "".join(f"<p>The ferry of town {n} leaves at {n} o'clock from pier {n}.</p>" for n in range(40))
ROUTES = {
    "/ferries": page(
        f"<title>Ferries</title><article><h1>Ferries</h1>{TEXT}<p>The quagga is not admitted.</p></article>"
    ),
    "/trains": page(
        "<title>Trains</title><article><p>Trains leave hourly, also the night train to Turin.</p></article>"
    ),
}


site = serving(ROUTES)


@pytest.fixture
def opened(ctx, site):
    return [registry.call("open", ctx, {"url": f"{site.url}{path}"}).data for path in ("/ferries", "/trains")]


def test_stored_pages_are_found_with_a_passage_and_its_line(ctx, site, opened):
    site.asked.clear()
    data = registry.call("recall", ctx, {"query": "quagga ferry"}).data
    assert [one["title"] for one in data["results"]] == ["Ferries"]
    first = data["results"][0]
    assert first["hash"] == opened[0]["hash"]
    assert "The quagga is not admitted." in first["passage"]
    whole = registry.call("cache get", ctx, {"hash": first["hash"], "offset": first["first_line"]}).data
    assert "quagga" in whole["markdown"] or "ferry" in whole["markdown"]
    assert {"url", "fetched_at"} <= set(first)
    assert registry.call("recall", ctx, {"query": "night", "domain": "127.0.0.1"}).data["results"]
    assert registry.call("recall", ctx, {"query": "night", "domain": "other.example"}).data["results"] == []
    assert site.asked == []


def test_passages_keep_within_their_tokens(ctx, opened):
    for tokens in (1, 20, 50, 300):  # of two pages; 50 are too few for two passages
        data = registry.call("recall", ctx, {"query": "leave", "max_tokens": tokens}).data
        assert sum(len(one["passage"].encode()) for one in data["results"]) <= 4 * tokens
        assert len(data["results"]) == 2
        assert data["results"][0]["passage"]


def test_a_search_changes_no_stored_page(ctx, opened):
    assert cache_search.ANNOTATIONS["readOnlyHint"]
    stored = registry.call("cache list", ctx, {}).data
    assert registry.call("recall", ctx, {"query": "ferry"}).data["results"]
    assert registry.call("cache list", ctx, {}).data == stored
    assert registry.call("cache get", ctx, {"hash": opened[0]["hash"]}).data["markdown"] == opened[0]["markdown"]


def test_without_a_cache_the_error_says_so(make_context):
    with pytest.raises(CacheError, match="cache is off"):
        registry.call("recall", make_context(cache=False), {"query": "x"})


def test_an_mcp_client_gets_passages_in_a_frame(ctx, opened):
    result = mcp_tools.call(ctx, "cache_search", {"query": "quagga"}, "2025-06-18")
    assert not result["isError"]
    text = result["content"][0]["text"]
    assert text.startswith("<<<")
    assert "The quagga is not admitted." in text
    assert "quagga" in result["structuredContent"]["results"][0]["passage"]


def test_a_quote_is_looked_up_on_a_page_or_a_stored_one(ctx, site, opened):
    by_url = registry.call("verify", ctx, {"quote": "The quagga is not admitted.", "page": f"{site.url}/ferries"}).data
    assert (by_url["verdict"], by_url["url"]) == ("verbatim", f"{site.url}/ferries")
    by_hash = registry.call("verify", ctx, {"quote": "The quagga  is not", "page": opened[0]["hash"]}).data
    assert (by_hash["verdict"], by_hash["hash"]) == ("normalised", opened[0]["hash"])
    absent = registry.call("verify", ctx, {"quote": "The quagga is welcome", "page": opened[0]["hash"][:12]})
    assert absent.data["verdict"] == "absent"
    assert "not admitted" in absent.data["nearest"]
    assert absent.about.startswith("absent (nearest: line")
    with pytest.raises(CacheMiss):
        registry.call("verify", ctx, {"quote": "x", "page": "abcdef12"})
