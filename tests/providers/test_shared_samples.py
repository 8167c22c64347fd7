"""The sample answers beside the checkout, read by the engines: what each shows that the fixtures here do not."""

import pytest
from fake_providers import SHARED, shared

from webtool.net.messages import Headers, Response
from webtool.providers import brave, duckduckgo, google
from webtool.providers.results import Page, Query

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is not beside this checkout")

NOW = 1795291200  # 2026-11-21T20:00:00Z, about when the samples say they were taken
FIRST = {"brave": 0, "google": 1, "vertex": ("offset", 0), "duckduckgo": (("q", "asyncio"), ("b", ""), ("kl", "wt-wt"))}
ENGINES = {"brave": brave, "google": google, "vertex": google.VERTEX, "duckduckgo": duckduckgo}


def page(provider, name, status=200):
    path = shared(name)
    if path is None:
        pytest.skip(f"{name} is not in ../shared")
    response = Response("https://x.example/", status, "", Headers(), path.read_bytes())
    return ENGINES[provider].results(response, Query("asyncio", 10), FIRST[provider], NOW)


# (provider, file, results, dates in order)
PAGES = [
    ("brave", "brave_web_ok.json", 10,
     ["2026-11-03T09:41:27Z", "2026-11-19T16:05:00Z", None, "2024-03-06T16:41:05Z", "2025-07-21T00:00:00Z", None,
      "2022-01-09T00:00:00Z", "2026-11-21T06:30:12Z", "2026-05-30T11:00:00Z", None]),
    ("google", "google_ok.json", 10,
     [None, "2026-11-19T16:05:00Z", None, "2024-03-06T16:41:05Z", "2022-01-09T10:15:00Z", "2025-07-21T00:00:00Z", None,
      "2026-11-21T06:30:12Z", "2026-05-30T00:00:00Z", None]),
    ("vertex", "vertex_search_ok.json", 5, [None, "2026-11-19T16:05:00Z", None, None, "2025-07-21T00:00:00Z"]),
    ("duckduckgo", "ddg_html_ok.html", 12,
     [None, "2026-11-19T00:00:00Z", *[None] * 7, "2025-02-11T00:00:00Z", None, None]),
    ("duckduckgo", "ddg_lite_ok.html", 10, [None, "2026-11-19T00:00:00Z", *[None] * 8]),
]  # fmt: skip


@pytest.mark.parametrize(("provider", "name", "count", "dates"), PAGES)
def test_results_and_dates(provider, name, count, dates):
    answer = page(provider, name)
    assert len(answer.results) == count
    assert [result.published_date for result in answer.results] == dates
    assert answer.next
    for result in answer.results:
        for text in (result.title, result.description, *result.extra_snippets):
            assert "<b>" not in text
            assert "<strong>" not in text
            assert "&amp;" not in text
            assert "&#" not in text


def test_brave_texts():
    results = page("brave", "brave_web_ok.json").results
    assert results[0].title == "Coroutines & Tasks — Python 3.14 documentation"
    assert results[1].description.startswith("It doesn't. The ExceptionGroup holds every failure, but a bare \"except")
    assert "<after a failure>" in results[3].description
    assert (results[5].description, results[9].description) == ("", "")
    assert "40 000 sockets" in results[7].description
    assert [len(result.extra_snippets) for result in results] == [3, 0, 0, 0, 0, 0, 0, 2, 0, 0]


def test_google_shows_what_the_page_shows():
    results = page("google", "google_ok.json").results
    assert "<script>alert(1)</script> is shown as text." in results[8].description
    assert results[1].title == "TaskGroup errors & how to read them"


def test_vertex_texts():
    results = page("vertex", "vertex_search_ok.json").results
    assert results[0].description == "A TaskGroup waits for all children & raises an ExceptionGroup ..."
    assert (results[2].description, results[3].description) == ("", "")


def test_duckduckgo_texts_and_targets():
    results = page("duckduckgo", "ddg_html_ok.html").results
    assert results[1].url == "https://blog.example.com/2026/taskgroup-errors?ref=ddg&page=2"
    assert results[4].url == "https://ja.example.jp/asyncio/%E3%82%BF%E3%82%B9%E3%82%AF"
    assert results[9].url == "https://en.wiki.example.org/wiki/Task_group_(computing)?a=1%262&b=x+y#Cancellation"
    assert results[3].description == "gather keeps going <after a failure>; a group stops."
    assert results[8].description == ""
    assert "anomaly-modal" in results[10].description
    assert not any("ads.example" in result.url for result in results)


def test_nothing_found():
    assert page("google", "google_no_items.json") == Page([], altered="zxqv plimfort asyncio")
    assert page("duckduckgo", "ddg_no_results.html") == Page([])
