"""Requests to Google, and its answers: results and errors."""

import json
import pathlib
from urllib.parse import parse_qsl, urlsplit

import pytest
from fake_providers import received
from hypothesis import given
from hypothesis import strategies as st

from webtool.errors import WebtoolError
from webtool.net.messages import Response
from webtool.providers import google
from webtool.providers.results import Account, Page, Query

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures"
ACCOUNT = Account("https://google.example/v1", "K/E+Y", "engine:1")
NOW = 1795300000


def sent(query, position=1):
    request = google.request(query, ACCOUNT, position)
    assert request.method == "GET"
    return dict(parse_qsl(urlsplit(request.url).query, keep_blank_values=True))


def page(body, position=1):
    return google.results(received(body), Query("tides", 10), position, NOW)


# (allowed, blocked, query sent, site parameters sent)
LISTS = [
    (("a.example",), (), "tides", {"siteSearch": "a.example", "siteSearchFilter": "i"}),
    ((), ("b.example",), "tides", {"siteSearch": "b.example", "siteSearchFilter": "e"}),
    (("a.example", "b.example"), (), "tides (site:a.example OR site:b.example)", {}),
    ((), ("b.example", "c.example"), "tides -site:b.example -site:c.example", {}),
    (("a.example",), ("x.a.example",), "tides -site:x.a.example", {"siteSearch": "a.example", "siteSearchFilter": "i"}),
    ((), (), "tides", {}),
]


@pytest.mark.parametrize(("allowed", "blocked", "text", "site"), LISTS)
def test_one_site_is_a_parameter_and_more_are_operators(allowed, blocked, text, site):
    parameters = sent(Query("tides", 10, allowed, blocked))
    assert parameters["q"] == text
    assert {name: value for name, value in parameters.items() if name.startswith("site")} == site


OPTIONS = [
    ({"freshness": "pd"}, {"dateRestrict": "d1"}),
    ({"freshness": "py"}, {"dateRestrict": "y1"}),
    ({"freshness": "2026-01-02to2026-03-04"}, {"sort": "date:r:20260102:20260304"}),
    ({"search_lang": "en-gb"}, {"lr": "lang_en"}),
    ({"search_lang": "zh-hant"}, {"lr": "lang_zh-TW"}),
    ({"search_lang": "jp"}, {"lr": "lang_ja"}),
    ({"search_lang": "he"}, {"lr": "lang_iw"}),
    ({"search_lang": "nn-NO"}, {"lr": "lang_no"}),
    ({"country": "DE"}, {"gl": "de"}),
    ({"country": "ALL"}, {}),
    ({"ui_lang": "de-DE"}, {"hl": "de-DE"}),
    ({"safesearch": "off"}, {"safe": "off"}),
    ({"safesearch": "moderate"}, {"safe": "active"}),
]


@pytest.mark.parametrize(("options", "expected"), OPTIONS)
def test_options_become_parameters(options, expected):
    parameters = sent(Query("tides", 10, options=options))
    assert {name: parameters[name] for name in list(parameters)[5:]} == expected


# (options, limit, start)
STARTS = [
    ({}, 10, 1),
    ({"start": 21}, 10, 21),
    ({"start": 500}, 10, 91),
    ({"offset": 2}, 10, 21),
    ({"offset": 2}, 5, 11),
    ({"offset": 1}, 20, 21),  # the first page of 20 results takes two requests
    ({"offset": 9}, 20, 91),
]


@pytest.mark.parametrize(("options", "limit", "start"), STARTS)
def test_the_first_result_asked_for(options, limit, start):
    assert google.first(Query("tides", limit, options=options)) == start


def test_no_result_beyond_the_hundredth_is_asked_for():
    assert sent(Query("tides", 10), 91)["num"] == "10"
    assert sent(Query("tides", 10), 95)["num"] == "6"


def test_a_query_that_is_too_long_is_not_sent():
    with pytest.raises(WebtoolError, match=r"^query has 2049") as caught:
        google.request(Query("x" * 2049, 10), ACCOUNT, 1)
    assert caught.value.code == "INVALID_ARGUMENT"


def test_results_are_read():
    answer = page((FIXTURES / "google_results.json").read_bytes())
    first, second, third, fourth, fifth = answer.results
    assert first.title == "Tides & currents"
    assert first.description == "Tags like <b> are shown as text; so is &amp; here."
    assert first.published_date == "2026-03-28T23:30:00Z"
    assert second.published_date == "2025-02-03T00:00:00Z"
    assert third.published_date == "2000-01-01T04:59:59Z"
    assert fourth.published_date == "2023-07-04T00:00:00Z"
    assert (fifth.description, fifth.published_date) == ("", None)
    assert answer.next == 11


def test_no_items_is_an_empty_page_with_a_spelling():
    assert page({"kind": "customsearch#search", "spelling": {"correctedQuery": "tide"}}) == Page([], altered="tide")


@pytest.mark.parametrize(
    ("start_index", "position", "following"),
    [(11, 1, 11), (91, 81, 91), (101, 91, None), (1, 1, None), (None, 1, None), ("11", 1, None)],
)
def test_the_next_page_is_asked_for_while_google_gives_it(start_index, position, following):
    items = [{"title": "T", "link": "https://x.example/"}]
    body = {"items": items, "queries": {"nextPage": [{"startIndex": start_index}]}}
    assert page(body, position).next == following


# (pagemap, date)
PAGEMAPS = [
    ({"metatags": [{"article:published_time": "", "og:updated_time": "1795242612"}]}, "2026-11-21T06:30:12Z"),
    ({"metatags": [{"og:updated_time": "1795242612", "date": "2025-07-21"}]}, "2025-07-21T00:00:00Z"),
    ({"metatags": [{"moddate": "D:20220110090000Z", "creationdate": "D:20220109101500Z"}]}, "2022-01-09T10:15:00Z"),
    ({"article": [{"datepublished": "2020-02-29"}], "metatags": [{"dc.date": "x"}]}, "2020-02-29T00:00:00Z"),
    ({"metatags": [{"article:published_time": "not a date", "pubdate": "2019-02-30"}]}, None),
    ({"hcard": [{"fn": "A"}]}, None),
    ({"metatags": []}, None),
    ({"metatags": {"date": "2025-07-21"}}, None),
    ([], None),
    (None, None),
]


@pytest.mark.parametrize(("pagemap", "date"), PAGEMAPS)
def test_publication_wins_over_change_and_both_over_nonsense(pagemap, date):
    assert google.published_in(pagemap, NOW) == date


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=8), lambda inner: st.lists(inner)))
def test_members_of_any_type_are_read_without_a_crash(value):
    item = {"title": value, "link": "https://x.example/", "snippet": value, "pagemap": {"metatags": value, "x": value}}
    body = {"items": [item, value], "queries": {"nextPage": value}, "spelling": value}
    assert [one.url for one in page(body).results] == ["https://x.example/"]
    page({"items": value, "queries": value})


def error(status, body, headers=()):
    with pytest.raises(WebtoolError) as caught:
        google.results(received(body, status, headers), Query("q", 10), 1, NOW)
    return caught.value


def failure(code, message="Said so.", status=None, reason=None, details=()):
    error = {"code": code, "message": message, "details": list(details)}
    if reason:
        error["errors"] = [{"message": message, "domain": "global", "reason": reason}]
    if status:
        error["status"] = status
    return {"error": error}


KEY_INVALID = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
PER_DAY = {"reason": "RATE_LIMIT_EXCEEDED", "metadata": {"quota_limit": "DefaultPerDayPerProject"}}
PER_MINUTE = {"reason": "RATE_LIMIT_EXCEEDED", "metadata": {"quota_limit": "DefaultPerMinutePerProject"}}

# (body, our code)
ERRORS = [
    (failure(400, "API key not valid.", "INVALID_ARGUMENT", "badRequest", [KEY_INVALID]), "AUTH_INVALID"),
    (failure(400, "Invalid Value", "INVALID_ARGUMENT", "badRequest"), "INVALID_ARGUMENT"),
    (failure(403, "Daily Limit Exceeded.", None, "dailyLimitExceeded"), "QUOTA_EXCEEDED"),
    (failure(403, "Quota exceeded", None, "quotaExceeded"), "QUOTA_EXCEEDED"),
    (failure(403, "Slow down", None, "rateLimitExceeded"), "RATE_LIMITED"),
    (failure(403, "Not enabled", "PERMISSION_DENIED", "accessNotConfigured"), "AUTH_INVALID"),
    (failure(403, "No", "PERMISSION_DENIED", "forbidden"), "AUTH_INVALID"),
    (failure(429, "Queries", "RESOURCE_EXHAUSTED", "rateLimitExceeded", [PER_DAY]), "QUOTA_EXCEEDED"),
    (failure(429, "limit 'Queries per day'", "RESOURCE_EXHAUSTED", "rateLimitExceeded"), "QUOTA_EXCEEDED"),
    (failure(429, "limit 'Queries per minute'", "RESOURCE_EXHAUSTED", None, [PER_MINUTE]), "RATE_LIMITED"),
    (failure(401, "No key", "UNAUTHENTICATED"), "AUTH_INVALID"),
    (failure(404, "Not found", "NOT_FOUND"), "AUTH_INVALID"),
    (failure(500, "Backend", "INTERNAL"), "API_ERROR"),
    (failure(418, "Teapot"), "API_ERROR"),
]


@pytest.mark.parametrize(("body", "ours"), ERRORS)
def test_the_reason_decides_the_error_and_then_the_status(body, ours):
    raised = error(body["error"]["code"], body)
    assert raised.code == ours
    assert raised.message == f"Google: {body['error']['message']}"
    assert raised.status_code == body["error"]["code"]
    assert raised.hint


@pytest.mark.parametrize(
    ("status", "ours"),
    [
        (400, "INVALID_ARGUMENT"),
        (401, "AUTH_INVALID"),
        (403, "AUTH_INVALID"),
        (404, "AUTH_INVALID"),
        (410, "AUTH_INVALID"),
        (429, "RATE_LIMITED"),
        (500, "API_ERROR"),
        (302, "API_ERROR"),
        (503, "API_ERROR"),
    ],
)
def test_the_status_decides_for_a_proxy_error_without_json(status, ours):
    raised = error(status, b"<html>")
    assert raised.code == ours
    assert raised.retryable is (status >= 500 or status == 429)


def test_missing_access_names_the_end_of_the_api_and_its_replacement():
    message = "This project does not have the access to Custom Search JSON API."
    raised = error(403, failure(403, message, "PERMISSION_DENIED", "forbidden"))
    assert raised.code == "AUTH_INVALID"
    for part in (
        message,
        "2027-01-01",
        "closed",
        "new projects",
        "Vertex AI Search",
        "projects/.../servingConfigs/...",
    ):
        assert part in raised.message


def test_a_limit_per_minute_reports_how_long_to_wait():
    delay = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "31s"}
    body = failure(429, "per minute", "RESOURCE_EXHAUSTED", None, [PER_MINUTE, delay])
    assert error(429, body).retry_after == 31.0
    assert error(429, body, [("Retry-After", "2")]).retry_after == 2.0
    assert error(429, failure(429, "per minute", "RESOURCE_EXHAUSTED")).retry_after is None


@pytest.mark.parametrize(
    ("language", "restriction"),
    [
        ("zh", "lang_zh-CN"),
        ("zh-cn", "lang_zh-CN"),
        ("zh-TW", "lang_zh-TW"),
        ("zh-HK", "lang_zh-TW"),
        ("zh-hans-HK", "lang_zh-CN"),
    ],
)
def test_chinese_is_restricted_by_script(language, restriction):
    url = google.request(Query("tides", 5, options={"search_lang": language}), ACCOUNT, 1).url
    assert f"lr={restriction}" in url


@pytest.mark.parametrize("status", [403, 404])
def test_only_users_of_custom_search_hear_of_its_end(status):
    response = Response("https://x.example/", status, "", (), b"")
    assert google.ENDS_ON in google.error_for(response).hint
    assert google.ENDS_ON not in google.error_for(response, google.VERTEX_NAME).hint


def test_only_users_of_vertex_hear_of_search_lite():
    body = json.dumps(failure(400, "Precondition", "FAILED_PRECONDITION")).encode()
    response = Response("https://x.example/", 400, "", (), body)
    assert "searchLite" not in google.error_for(response).hint
    assert "searchLite" in google.error_for(response, google.VERTEX_NAME).hint
