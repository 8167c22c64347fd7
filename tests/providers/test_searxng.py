"""Requests to a SearXNG instance, and its answers: results and errors."""

import pathlib
from urllib.parse import parse_qsl, urlsplit

import pytest
from fake_providers import received

from webtool.errors import WebtoolError
from webtool.providers import searxng
from webtool.providers.results import Account, Page, Query

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures"
NOW = 1795300000


def asked(query, position=1, endpoint="https://searx.example/"):
    request = searxng.request(query, Account(endpoint), position)
    parts = urlsplit(request.url)
    return f"{parts.scheme}://{parts.netloc}{parts.path}", dict(parse_qsl(parts.query))


def page(body, position=1):
    return searxng.results(received(body), Query("tides", 10), position, NOW)


@pytest.mark.parametrize(
    ("endpoint", "url"),
    [
        ("https://x.example", "https://x.example/search"),
        ("https://x.example/searx/", "https://x.example/searx/search"),
        ("https://x.example/search", "https://x.example/search"),
        ("https://x.example/searx/#top", "https://x.example/searx/search"),
        ("https://x.example/search?q=<query>", "https://x.example/search"),
        ("https://x.example/search?q=%s&format=html", "https://x.example/search"),
    ],
)
def test_the_setting_may_be_the_base_or_the_page(endpoint, url):
    address, sent = asked(Query("tides", 10), endpoint=endpoint)
    assert (address, sent["q"], sent["format"]) == (url, "tides", "json")
    assert searxng.request(Query("tides", 10), Account(endpoint), 1).url.count("q=") == 1


OPTIONS = [
    ({"freshness": "pd"}, {"time_range": "day"}),
    ({"freshness": "py"}, {"time_range": "year"}),
    ({"search_lang": "de"}, {"language": "de"}),
    ({"search_lang": "de", "country": "at"}, {"language": "de-AT"}),
    ({"search_lang": "en-gb", "country": "US"}, {"language": "en-GB"}),
    ({"search_lang": "zh-hans"}, {"language": "zh-CN"}),
    ({"search_lang": "zh-hant", "country": "hk"}, {"language": "zh-TW"}),
    ({"search_lang": "ja", "country": "ALL"}, {"language": "ja"}),
    ({"search_lang": "sr-latn"}, {"language": "sr"}),
    ({"search_lang": "jp"}, {"language": "ja"}),
    ({"country": "de"}, {}),
    ({"safesearch": "strict"}, {"safesearch": "2"}),
    ({"safesearch": "off"}, {"safesearch": "0"}),
]


@pytest.mark.parametrize(("options", "expected"), OPTIONS)
def test_options_become_parameters(options, expected):
    parameters = asked(Query("tides", 10, options=options))[1]
    assert {name: parameters[name] for name in list(parameters)[3:]} == expected


def test_the_query_of_the_base_url_is_kept():
    request = searxng.request(Query("tides", 10), Account("https://x.example/searx?token=a%20b"), 1)
    assert request.url == "https://x.example/searx/search?token=a%20b&q=tides&format=json&pageno=1"


def test_requests_pass_the_limiter_of_an_instance():
    query = Query("q", 10, options={"search_lang": "zh-hant"})
    headers = dict(searxng.request(query, Account("https://x.example"), 1).headers)
    assert "text/html" in headers["Accept"]
    assert headers["Accept-Language"] == "zh-TW, en;q=0.5"


def test_silent_engines_are_named_beside_results():
    silent = [["one", "timeout"], ["two", "CAPTCHA"]]
    assert page({"results": [{"url": "https://x.example/"}], "unresponsive_engines": silent}).notes == (
        "engines of the instance that did not answer: one: timeout, two: CAPTCHA",
    )


def test_a_country_without_a_language_is_reported_as_unused():
    assert searxng.unused({"country": "DE"}) == {"country": "it needs search_lang"}
    assert searxng.unused({"country": "DE", "search_lang": "de"}) == {}


def test_domain_lists_become_operators():
    assert asked(Query("tides", 10, ("a.example",), ("b.example",)))[1]["q"] == "tides site:a.example -site:b.example"


def test_offset_counts_pages():
    assert searxng.first(Query("tides", 10)) == 1
    assert searxng.first(Query("tides", 10, options={"offset": 2})) == 3


@pytest.mark.parametrize(
    ("query", "endpoint", "message"),
    [
        (Query("x" * 2001, 10), "https://x.example", "query has 2001 characters"),
        (Query("q", 10, options={"freshness": "2026-01-01to2026-01-02"}), "https://x.example", "no range of days"),
    ],
)
def test_options_that_are_not_supported_are_an_invalid_argument(query, endpoint, message):
    with pytest.raises(WebtoolError, match=message) as caught:
        searxng.request(query, Account(endpoint), 1)
    assert caught.value.code == "INVALID_ARGUMENT"


def test_results_are_read():
    found = page((FIXTURES / "searxng_results.json").read_bytes())
    first, second = found.results
    assert first.description == "if a<b and b>c then it floods"
    assert first.published_date == "2026-09-01T06:00:00Z"
    assert (second.description, second.published_date) == ("", None)
    assert found.next == 2


BOXES = [
    ({"answers": [{"answer": "10 USD = 9.2 EUR", "url": "https://x.example/rates"}]},
     [("", "https://x.example/rates", "10 USD = 9.2 EUR")]),
    ({"answers": ["3 + 4 = 7", "", None, 5]}, [("", "", "3 + 4 = 7")]),
    ({"answers": [{"answer": "a\u202eb", "url": "javascript:alert(1)"}]}, [("", "", "ab")]),
    ({"infoboxes": [{"infobox": "Tide", "id": "https://x.example/Tide", "content": "Rise and fall.", "engine": "w"}]},
     [("Tide", "https://x.example/Tide", "Rise and fall.")]),
    ({"infoboxes": [{"infobox": "Port", "attributes": [{"label": "Population", "value": "3,000"}, {"label": "Area"}]}]},
     [("Port", "", "Population: 3,000")]),
    ({"infoboxes": [{"infobox": "Port", "attributes": [{"label": "Flag", "image": {"src": "flag.png"}}]}]}, []),
    ({"infoboxes": [{"infobox": "Empty"}, 5], "answers": {}}, []),
    ({"answers": ["a"] * 9}, [("", "", "a")] * 5),
]  # fmt: skip


@pytest.mark.parametrize(("members", "boxes"), BOXES)
def test_direct_answers_and_boxes_are_read(members, boxes):
    answers = page({"results": [], **members}).answers
    assert [(box.title, box.url, box.description) for box in answers] == boxes


def test_an_empty_page_is_the_end():
    assert page({"results": []}, 4) == Page([])
    assert page({"results": [{"url": "ftp://x.example/"}]}, 4) == Page([], 5)  # not empty, though nothing is usable


def test_no_results_because_no_engine_answered_is_an_error():
    with pytest.raises(WebtoolError, match=r"one: timeout, two: access denied$") as caught:
        page({"results": [], "unresponsive_engines": [["one", "timeout"], ["two", "access denied"]]})
    assert (caught.value.code, caught.value.retryable) == ("API_ERROR", True)


@pytest.mark.parametrize("body", [b"<html>", b"[]", {"results": None}, {}])
def test_an_html_page_is_an_error_that_names_the_json_format(body):
    with pytest.raises(WebtoolError) as caught:
        page(body)
    assert caught.value.code == "API_ERROR"
    assert "search.formats" in caught.value.hint


@pytest.mark.parametrize(
    ("status", "ours"),
    [
        (400, "INVALID_ARGUMENT"),
        (401, "AUTH_INVALID"),
        (403, "BLOCKED"),
        (404, "API_ERROR"),
        (429, "RATE_LIMITED"),
        (302, "API_ERROR"),
        (500, "API_ERROR"),
    ],
)
def test_the_status_decides_the_error(status, ours):
    with pytest.raises(WebtoolError, match=str(status)) as caught:
        searxng.results(received(b"", status, [("Retry-After", "9")]), Query("q", 10), 1, NOW)
    assert caught.value.code == ours
    assert caught.value.hint
    assert caught.value.retry_after == (9.0 if status == 429 else None)
