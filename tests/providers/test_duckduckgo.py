"""Requests to DuckDuckGo, and its pages: results, the puzzle, empty pages, errors."""

import pathlib
import time
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.errors import WebtoolError
from webtool.net.messages import Headers, Response
from webtool.providers import duckduckgo
from webtool.providers.results import Account, Page, Query

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures"
ACCOUNT = Account("https://html.duckduckgo.example/html/", headers=(("User-Agent", "UA"),))
FIRST = (("q", "tides"), ("b", ""), ("kl", "wt-wt"))
NOW = 1795300000


def response(body, status=200, headers=(("Content-Type", "text/html; charset=UTF-8"),)):
    data = body.encode() if isinstance(body, str) else body
    return Response(ACCOUNT.endpoint, status, "", Headers(headers), data)


def page(body, status=200, position=FIRST):
    return duckduckgo.results(response(body, status), Query("tides", 10), position, NOW)


def fixture(name):
    return (FIXTURES / name).read_bytes()


def test_the_form_is_posted_as_a_browser_posts_it():
    query = Query("high tide", 5)
    request = duckduckgo.request(query, ACCOUNT, duckduckgo.first(query))
    assert (request.method, request.url) == ("POST", ACCOUNT.endpoint)
    assert parse_qsl(request.body.decode(), keep_blank_values=True) == [("q", "high tide"), ("b", ""), ("kl", "wt-wt")]
    headers = dict(request.headers)
    assert headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert headers["Referer"] == "https://html.duckduckgo.example/"
    assert headers["Cookie"] == "kl=wt-wt"
    assert headers["User-Agent"] == "UA"
    assert headers["Accept-Language"]
    assert [headers[f"Sec-Fetch-{name}"] for name in ("Dest", "Mode", "Site", "User")] == [
        *("document", "navigate", "same-origin", "?1")
    ]


OPTIONS = [
    ({"freshness": "pw"}, {"kl": "wt-wt", "df": "w"}),
    ({"country": "DE"}, {"kl": "de-de"}),
    ({"country": "US"}, {"kl": "us-en"}),
    ({"country": "AT", "search_lang": "en"}, {"kl": "at-de"}),
    ({"country": "CA", "search_lang": "fr-CA"}, {"kl": "ca-fr"}),
    ({"country": "JP", "search_lang": "ja"}, {"kl": "jp-jp"}),
    ({"country": "TW", "search_lang": "zh-TW"}, {"kl": "tw-tzh"}),
    ({"country": "LU", "search_lang": "fr"}, {"kl": "wt-wt"}),
    ({"search_lang": "fr"}, {"kl": "wt-wt"}),
    ({"country": "de", "search_lang": "de"}, {"kl": "de-de"}),
    ({"country": "gb", "search_lang": "en-gb"}, {"kl": "uk-en"}),
    ({"country": "ALL"}, {"kl": "wt-wt"}),
]


UNUSED = [
    ({}, {}),
    ({"country": "ALL"}, {}),
    ({"country": "ch", "search_lang": "fr"}, {}),
    ({"search_lang": "fr"}, {"search_lang": "only its regions have languages"}),
    ({"country": "AT", "search_lang": "en"}, {"search_lang": "its region is at-de"}),
    ({"country": "LU"}, {"country": "it has no region LU"}),
    ({"country": "SL"}, {"country": "it has no region SL"}),
    ({"country": "SI"}, {}),
    (
        {"country": "LU", "search_lang": "fr"},
        {"country": "it has no region LU", "search_lang": "only its regions have languages"},
    ),
]


@pytest.mark.parametrize(("options", "reasons"), UNUSED)
def test_options_without_effect_are_named(options, reasons):
    assert duckduckgo.unused(options) == reasons


@pytest.mark.parametrize(("options", "expected"), OPTIONS)
def test_options_become_fields_and_cookies(options, expected):
    query = Query("tides", 5, options=options)
    position = duckduckgo.first(query)
    assert dict(position[2:]) == expected
    cookie = dict(duckduckgo.request(query, ACCOUNT, position).headers)["Cookie"]
    assert cookie == "; ".join(f"{name}={value}" for name, value in expected.items())


# A word after "!" sends the searcher to another site; quoted it is a word to search for.
COMMANDS = [
    ("!g tides", '"!g" tides'),
    ("tides !w", 'tides "!w"'),
    ("\\ tides", '"\\" tides'),
    ("what! no", "what! no"),
    ("a!b", "a!b"),
    ('!"x" y', '"!x" y'),
    ('"high !w tides" \\ low', '"high w tides" "\\" low'),
    ('"!w" tides', '"!w" tides'),
]


@pytest.mark.parametrize(("text", "sent"), COMMANDS)
def test_commands_are_quoted(text, sent):
    assert dict(duckduckgo.first(Query(text, 5)))["q"] == sent


def test_quoted_commands_leave_no_room_for_more_than_the_limit():
    for length in range(480, 494):
        query = Query("!w " + "x" * (length - 3), 5, ("a.example",))
        assert len(dict(duckduckgo.first(query))["q"]) <= duckduckgo.MAX_CHARACTERS
    with pytest.raises(WebtoolError, match="query has 500 characters"):
        duckduckgo.first(Query("!w " + "x" * 495, 5))


def test_domain_lists_become_operators():
    query = Query("tides", 5, ("a.example",), ("b.example",))
    assert dict(duckduckgo.first(query))["q"] == "tides site:a.example -site:b.example"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (Query("x" * 500, 5), "query has 500 characters"),
        (Query("tides", 5, options={"offset": 1}), "offset is 1"),
        (Query("tides", 5, options={"freshness": "2026-01-01to2026-01-02"}), "no range of days"),
    ],
)
def test_options_that_are_not_supported_are_an_invalid_argument(query, message):
    with pytest.raises(WebtoolError, match=message) as caught:
        duckduckgo.request(query, ACCOUNT, duckduckgo.first(query))
    assert caught.value.code == "INVALID_ARGUMENT"


def test_organic_results_are_read_and_advertisements_left_out():
    first, second, third = page(fixture("duckduckgo_results.html")).results
    assert first.title == "Tides & times"
    assert first.url == "https://harbour.example.com/tides?a=1&b=50%25+x&rut=mine"
    assert first.description == "High water at <noon>."
    assert first.published_date == "2026-06-07T00:00:00Z"
    assert second == ("Charts", "https://charts.example.org/direct", "", None, ())
    assert third.url == "https://library.example.net/"
    assert third.description == 'class="anomaly-modal__title" in the text is no puzzle.'


ORGANIC = '<div class="result web-result"><a class="result__a" href="https://a.example/">A</a></div>'
ADS = [
    '<div class="result result--ad"><a class="result__a" href="https://shop.example/">Buy</a></div>',
    '<div class="result result--ad--small web-result"><a class="result__a" href="https://shop.example/">Buy</a></div>',
    '<div class="result"><a class="result__a" href="//duckduckgo.com/y.js?ad_domain=shop.example">Buy</a></div>',
]


@pytest.mark.parametrize("ad", ADS)
def test_either_sign_alone_makes_an_advertisement(ad):
    answer = page(f'{ad}{ORGANIC}{ad}<a class="result__snippet">Cheap.</a>')
    assert answer.results == [("A", "https://a.example/", "", None, ())]


@pytest.mark.parametrize("sign", ['<div class="result result--no-result">x</div>', '<div class="no-results">x</div>'])
def test_either_sign_alone_means_nothing_found(sign):
    assert page(sign).results == []


END_ROW = '<div class="result"><a class="result__a" href="http://www.google.com/search?q=tides">EOF</a></div>'


def test_the_row_that_ends_a_list_is_no_result():
    row = '<div class="result"><a class="result__a" href="https://a.example/">A</a></div>'
    assert page(END_ROW) == Page([])
    assert [result.title for result in page(row + END_ROW).results] == ["A"]


def test_the_lite_page_is_read_too():
    answer = page(fixture("duckduckgo_lite.html"))
    assert [tuple(one[:4]) for one in answer.results] == [
        ("Harbour", "https://harbour.example.com/", "Where ships wait.", "2026-01-02T00:00:00Z"),
        ("Charts", "https://charts.example.org/", "", None),
    ]
    assert dict(answer.next)["vqd"] == "4-1"


def test_the_next_page_takes_every_hidden_field_of_its_form():
    following = page(fixture("duckduckgo_results.html")).next
    assert [name for name, _ in following] == ["q", "s", "nextParams", "v", "o", "dc", "api", "vqd", "kl"]
    assert dict(following)["vqd"] == "4-12345678901234567890"
    request = duckduckgo.request(Query("tides", 5), ACCOUNT, following)
    assert tuple(parse_qsl(request.body.decode(), keep_blank_values=True)) == following


def test_a_later_page_leads_to_the_page_after_it():
    here = (("q", "tides"), ("s", "10"), ("vqd", "4-1"))
    assert dict(page(fixture("duckduckgo_page2.html"), position=here).next)["s"] == "25"
    at_the_end = (("q", "tides"), ("s", "25"), ("vqd", "4-1"))
    assert page(fixture("duckduckgo_page2.html"), position=at_the_end).next is None


def test_without_vqd_no_later_page_is_asked_for():
    assert page(fixture("duckduckgo_results.html").replace(b"vqd", b"xqd")).next is None


@pytest.mark.parametrize("status", [202, 200])
def test_the_puzzle_is_a_block_that_is_not_retryable(status):
    with pytest.raises(WebtoolError) as caught:
        page(fixture("duckduckgo_puzzle.html"), status)
    error = caught.value
    assert (error.code, error.retryable, error.status_code, error.retry_after) == ("BLOCKED", False, status, None)
    assert "BRAVE_API_KEY" in error.hint


@pytest.mark.parametrize("status", [202, 200])
def test_results_win_over_the_signs_of_a_block(status):
    body = fixture("duckduckgo_results.html") + fixture("duckduckgo_puzzle.html")
    assert len(page(body, status).results) == 3


@pytest.mark.parametrize("status", [202, 200])
def test_no_results_are_an_empty_page(status):
    assert page(fixture("duckduckgo_empty.html"), status) == Page([])


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<html><title>challenge-form anomaly-modal__title no-results</title><p>hello</p>",
        '<input name="q" value="id=challenge-form class=no-results anomaly.js">',
        '<p>&lt;form id="challenge-form"&gt;</p>',
    ],
)
def test_a_page_of_another_kind_is_an_api_error(body):
    with pytest.raises(WebtoolError, match="layout may have changed") as caught:
        page(body)
    assert caught.value.code == "API_ERROR"


@pytest.mark.parametrize(
    ("status", "ours", "is_retryable"),
    [(403, "BLOCKED", False), (418, "API_ERROR", False), (429, "RATE_LIMITED", True), (503, "API_ERROR", True)],
)
def test_the_status_decides_the_error(status, ours, is_retryable):
    with pytest.raises(WebtoolError) as caught:
        page("<p>no</p>", status)
    assert (caught.value.code, caught.value.retryable) == (ours, is_retryable)
    assert caught.value.hint


@pytest.mark.parametrize("status", [301, 302, 303])
def test_a_redirect_is_an_empty_page(status):
    assert page("", status) == Page([])


def test_a_refused_later_page_is_the_end():
    assert page("", 403, (("q", "tides"), ("s", "10"))) == Page([])


TARGETS = [
    (
        "//duckduckgo.com/l/?uddg=https%3A%2F%2Fx.example%2F%3Fa%3D1%26rut%3Dmine&rut=0",
        "https://x.example/?a=1&rut=mine",
    ),
    ("https://duckduckgo.com/l/?rut=0&uddg=https%3A%2F%2Fx.example%2F%25E3%2582%25BF", "https://x.example/%E3%82%BF"),
    ("/l/?uddg=http%3A%2F%2Fx.example%3A8080%2F", "http://x.example:8080/"),
    ("https://x.example/a%20b?c#d", "https://x.example/a%20b?c#d"),
    ("https://X.example/A", "https://X.example/A"),
    ("//x.example/a", "https://x.example/a"),
    ("https://duckduckgo.com/about", "https://duckduckgo.com/about"),
    ("https://duckduckgo.com/y.js?ad_domain=a", ""),
    ("//duckduckgo.com/l/?uddg=https%3A%2F%2Fduckduckgo.com%2Fy.js%3Fad_domain%3Da", ""),
    ("//duckduckgo.com/l/?rut=0", ""),
    ("http://[", ""),
]


@pytest.mark.parametrize(("href", "url"), TARGETS)
def test_the_target_of_a_link_is_decoded_once(href, url):
    assert duckduckgo.target(href) == url


CLASSES = ["result", "result--ad", "result__a", "result__snippet", "result-link", "result-snippet", "timestamp", "x"]
TAGS = st.sampled_from(["div", "a", "span", "tr", "td", "form", "input", "b"])
PIECES = st.one_of(
    st.text(max_size=10),
    st.builds('<{} class="{}" href="https://x.example/">'.format, TAGS, st.sampled_from(CLASSES)),
    st.builds("</{}>".format, TAGS),
)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_any_page_is_results_or_a_coded_error(body):
    code, results = "", []
    try:
        results = page(body.encode("utf-8", "replace")).results
    except WebtoolError as error:
        code = error.code
    assert code in ("", "API_ERROR", "BLOCKED")
    assert all(one.url.startswith("http") and one.title for one in results)


@pytest.mark.parametrize(
    "piece",
    [
        '<div class="result web-result"><a class="result__a" href="https://x.example/">t',
        '<form><input type="hidden" name="s" value="1"><input type="hidden" name="vqd" value="1">',
        '<a class="result__snippet">',
        "<span>",
    ],
)
def test_a_hostile_page_is_read_in_linear_time(piece):
    begun = time.process_time()
    try:
        page(piece * 20000)
    except WebtoolError:
        pass
    assert time.process_time() - begun < 10
