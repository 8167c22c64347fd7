"""Requests to Brave, and its answers: results and errors."""

import json
import pathlib
from urllib.parse import parse_qsl, urlsplit

import pytest
from fake_providers import received
from hypothesis import given
from hypothesis import strategies as st

from webtool.errors import WebtoolError
from webtool.providers import brave
from webtool.providers.results import Account, Page, Query

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures"
ACCOUNT = Account("https://brave.example/search", "KEY")
NOW = 1795300000


def asked(query, position=0, account=ACCOUNT):
    request = brave.request(query, account, position)
    return request, parse_qsl(urlsplit(request.url).query, keep_blank_values=True)


def page(body, query=None, position=0):
    return brave.results(received(body), query or Query("tides", 10), position, NOW)


# (options, parameters sent)
OPTIONS = [
    ({"freshness": "pw"}, {"freshness": "pw"}),
    ({"freshness": "2026-01-01to2026-02-01"}, {"freshness": "2026-01-01to2026-02-01"}),
    ({"country": "de"}, {"country": "DE"}),
    ({"country": "ALL"}, {"country": "ALL"}),
    ({"search_lang": "ja"}, {"search_lang": "jp"}),
    ({"search_lang": "nn"}, {"search_lang": "nb"}),
    ({"search_lang": "zh"}, {"search_lang": "zh-hans"}),
    ({"search_lang": "PT"}, {"search_lang": "pt-pt"}),
    ({"search_lang": "en-gb"}, {"search_lang": "en-gb"}),
    ({"search_lang": "en-US"}, {"search_lang": "en"}),
    ({"search_lang": "ja-JP"}, {"search_lang": "jp"}),
    ({"search_lang": "pt-BR"}, {"search_lang": "pt-br"}),
    ({"search_lang": "zh-TW"}, {"search_lang": "zh-hant"}),
    ({"search_lang": "zh-hans-hk"}, {"search_lang": "zh-hans"}),
    ({"ui_lang": "de-DE"}, {"ui_lang": "de-DE"}),
    ({"safesearch": "strict"}, {"safesearch": "strict"}),
    ({"extra_snippets": True}, {"extra_snippets": "true"}),
    ({"extra_snippets": False}, {"extra_snippets": "false"}),
    ({"goggles": "https://goggles.example/a"}, {"goggles": "https://goggles.example/a"}),
    ({"offset": 3}, {}),
    ({"unknown": "x"}, {}),
]


@pytest.mark.parametrize(("options", "sent"), OPTIONS)
def test_options_become_parameters(options, sent):
    _, pairs = asked(Query("tides", 10, options=options))
    assert dict(pairs[5:]) == sent


def test_goggles_of_the_caller_and_of_domain_lists_are_both_sent():
    query = Query("tides", 10, ("a.example",), ("b.example", "c.example"), {"goggles": "$boost=2,site=d.example"})
    _, pairs = asked(query)
    assert [value for name, value in pairs if name == "goggles"] == [
        "$boost=2,site=d.example",
        "$discard\n$boost,site=a.example\n$discard,site=b.example\n$discard,site=c.example",
    ]


def test_blocking_alone_discards_nothing_else():
    assert brave.domain_rules((), ("b.example",)) == "$discard,site=b.example"
    assert brave.domain_rules((), ()) == ""


def test_many_domains_are_sent_in_a_body():
    allowed = tuple(f"site-number-{number}.example" for number in range(200))
    request = brave.request(Query("tides", 5, allowed, options={"extra_snippets": True}), ACCOUNT, 1)
    assert request.method == "POST"
    assert request.url == ACCOUNT.endpoint
    assert ("Content-Type", "application/json") in request.headers
    body = json.loads(request.body)
    assert body["q"] == "tides"
    assert (body["count"], body["offset"], body["extra_snippets"], body["text_decorations"]) == (5, 1, True, False)
    assert [rules.count("\n") for rules in body["goggles"]] == [200]
    # A query is text also if it is a word for a switch.
    assert json.loads(brave.request(Query("true", 5, allowed), ACCOUNT, 1).body)["q"] == "true"
    context = brave.context_request(Query("tides", 5, allowed), ACCOUNT, 0)
    assert (context.method, context.url) == ("POST", ACCOUNT.endpoint)
    assert json.loads(context.body)["maximum_number_of_urls"] == 5


def test_an_endpoint_with_a_query_keeps_it():
    request, pairs = asked(Query("tides", 10), account=Account("https://proxy.example/?to=brave", "KEY"))
    assert request.url.startswith("https://proxy.example/?to=brave&q=tides")
    assert pairs[0] == ("to", "brave")


def test_count_is_at_most_twenty():
    assert dict(asked(Query("tides", 50))[1])["count"] == "20"


@pytest.mark.parametrize("text", ["x" * 401, "w " * 51])
def test_a_query_that_brave_would_refuse_is_not_sent(text):
    with pytest.raises(WebtoolError, match=r"^query has") as caught:
        brave.request(Query(text.strip(), 10), ACCOUNT, 0)
    assert caught.value.code == "INVALID_ARGUMENT"
    assert "400 characters and 50 words" in caught.value.hint


def test_the_longest_query_is_sent():
    brave.request(Query("x" * 400, 10), ACCOUNT, 0)
    brave.request(Query("w " * 49 + "w", 10), ACCOUNT, 0)


def test_results_are_read():
    answer = page((FIXTURES / "brave_results.json").read_bytes())
    first, second, third, fourth, again, last = answer.results
    assert first.title == "Tide tables & how to read them"
    assert first.description == "High water comes about 50 minutes later each day — the moon's doing."
    assert first.published_date == "2026-10-02T08:15:30Z"
    assert first.extra_snippets == ("Springs follow the full moon.", "Neaps follow the quarters.")
    assert second.title == "What x < y means on a chart"
    assert second.description == "Depths are given below <chart datum>; heights above it."
    assert second.published_date == "2026-11-18T00:00:00Z"
    assert (third.title, third.description) == (third.url, "")
    assert fourth.url == "https://例え.テスト/潮"
    assert fourth.published_date is None
    assert again.url.endswith("#top")
    assert last.title == "Pilot book[31m, chapter 7"
    assert last.published_date is None
    assert answer.next == 1
    assert answer.altered == "tide tables & harbour"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"web": None},
        {"web": {}},
        {"web": {"results": []}},
        {"web": {"results": None}},
        {"web": []},
        {"query": {"more_results_available": True}},
    ],
)
def test_no_results_are_an_empty_page_and_the_last(body):
    assert page(body) == Page([])


@pytest.mark.parametrize(
    ("more", "position", "following"),
    [(True, 0, 1), (True, 8, 9), (True, 9, None), (False, 0, None), ("yes", 0, None), (None, 0, 1)],
)
def test_the_next_page_is_asked_for_while_brave_has_one(more, position, following):
    body = {"query": {"more_results_available": more}, "web": {"results": [{"url": "https://x.example/"}]}}
    if more is None:
        body["query"] = {}
    assert page(body, Query("tides", 1), position).next == following


def test_a_request_id_is_returned():
    body = {"web": {"results": []}}
    assert brave.results(received(body, headers=[("x-request-id", "r-1")]), Query("q", 1), 0, NOW).request_id == "r-1"


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=8), lambda inner: st.lists(inner)))
def test_members_of_any_type_are_read_without_a_crash(value):
    item = {"title": value, "url": "https://x.example/", "description": value, "page_age": value, "age": value}
    item["extra_snippets"] = value
    body = {"query": {"altered": value, "more_results_available": value}, "web": {"results": [item, value]}}
    answer = page(body)
    assert [one.url for one in answer.results] == ["https://x.example/"]
    page({"query": value, "web": value})
    page({"web": {"results": value}})


def error(status, body, headers=()):
    with pytest.raises(WebtoolError) as caught:
        brave.results(received(body, status, headers), Query("q", 10), 0, NOW)
    return caught.value


def failure(code, status, **meta):
    return {
        "type": "ErrorResponse",
        "error": {"id": "e-1", "code": code, "detail": "Said so.", "status": status, **meta},
    }


# (status, code in the body, our code)
ERRORS = [
    (422, "SUBSCRIPTION_TOKEN_INVALID", "AUTH_INVALID"),
    (401, "SUBSCRIPTION_TOKEN_MISSING", "AUTH_INVALID"),
    (404, "SUBSCRIPTION_NOT_FOUND", "AUTH_INVALID"),
    (400, "OPTION_NOT_IN_PLAN", "INVALID_ARGUMENT"),
    (422, "VALIDATION", "INVALID_ARGUMENT"),
    (429, "RATE_LIMITED", "RATE_LIMITED"),
    (429, "QUOTA_LIMITED", "QUOTA_EXCEEDED"),
    (402, "QUOTA_LIMITED", "QUOTA_EXCEEDED"),
    (401, None, "AUTH_INVALID"),
    (403, None, "AUTH_INVALID"),
    (422, None, "INVALID_ARGUMENT"),
    (429, None, "RATE_LIMITED"),
    (404, "NEW_CODE", "API_ERROR"),
    (400, None, "API_ERROR"),
    (500, None, "API_ERROR"),
    (301, None, "API_ERROR"),
    (204, None, "API_ERROR"),
]


@pytest.mark.parametrize(("status", "code", "ours"), ERRORS)
def test_the_code_decides_the_error_and_then_the_status(status, code, ours):
    raised = error(status, failure(code, status) if code else b"<html>")
    assert raised.code == ours
    assert raised.status_code == status
    assert raised.hint
    assert raised.exit_status == (2 if ours == "INVALID_ARGUMENT" else 5)
    assert raised.message.startswith("Brave: ")
    if code:
        assert raised.message == f"Brave: Said so. ({code})"
        assert raised.members == {"request_id": "e-1"}


def test_the_list_form_of_errors_is_read_too():
    assert error(422, {"errors": [{"code": "SUBSCRIPTION_TOKEN_INVALID"}]}).code == "AUTH_INVALID"


def test_errors_are_retryable_only_if_the_server_failed():
    assert error(503, b"").retryable is True
    assert error(404, b"").retryable is False
    assert error(422, failure("SUBSCRIPTION_TOKEN_INVALID", 422)).retryable is False
    assert error(429, failure("RATE_LIMITED", 429)).retryable is True


def test_a_validation_error_names_the_parameter():
    faults = [{"type": "t", "loc": ["query", "offset"], "msg": "Input should be less than or equal to 9"}]
    raised = error(422, failure("VALIDATION", 422, meta={"errors": faults}))
    assert raised.code == "INVALID_ARGUMENT"
    assert "offset: Input should be less than or equal to 9" in raised.message


def test_a_missing_key_header_is_an_auth_error():
    faults = [{"type": "missing", "loc": ["header", "x-subscription-token"], "msg": "Field required"}]
    assert error(422, failure("VALIDATION", 422, meta={"errors": faults})).code == "AUTH_INVALID"


# (headers, seconds)
WAITS = [
    ({}, 1.0),
    ({"x-ratelimit-reset": "1, 1419704"}, 1.0),
    ({"x-ratelimit-reset": "4, 1419704"}, 4.0),
    ({"x-ratelimit-reset": "0"}, 0.0),
    ({"x-ratelimit-reset": "soon"}, 1.0),
    ({"retry-after": "7", "x-ratelimit-reset": "1, 2"}, 7.0),
]


@pytest.mark.parametrize(("headers", "seconds"), WAITS)
def test_a_rate_limit_says_how_long_to_wait(headers, seconds):
    assert error(429, failure("RATE_LIMITED", 429), headers.items()).retry_after == seconds


def test_a_monthly_quota_reports_when_the_next_month_begins():
    assert error(429, failure("QUOTA_LIMITED", 429), [("x-ratelimit-reset", "1, 1419704")]).retry_after == 1419704
    assert error(429, failure("QUOTA_LIMITED", 429)).retry_after is None
