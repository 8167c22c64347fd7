"""web_search_google: a call as a host makes it, with both kinds of engine."""

import json

import pytest
from fake_providers import GOOGLE_KEY, VERTEX_ENGINE, Providers, run_tool

from webtool.errors import WebtoolError
from webtool.tools import web_search_google


def test_a_search_with_every_member():
    request = {
        "query": "high tide",
        "num": 3,
        "start": 11,
        "allowed_domains": ["example.org"],
        "blocked_domains": ["forum.example.org"],
    }
    with Providers() as providers:
        result = run_tool(providers, web_search_google, request)
        first = providers.sent("google")[0]
    assert first.parameters["q"] == "high tide -site:forum.example.org"
    assert (first.parameters["siteSearch"], first.parameters["siteSearchFilter"]) == ("example.org", "i")
    assert (first.parameters["num"], first.parameters["start"]) == ("3", "11")
    assert list(result.data) == ["success", "count", "results"]
    assert result.data["results"] == [
        {
            "title": "Neap or spring?",
            "url": "https://charts.example.org/neaps",
            "description": "Feb 3, 2025 ... Half as high, twice as calm.",
            "snippet": "Feb 3, 2025 ... Half as high, twice as calm.",
            "published_date": "2025-02-03T00:00:00Z",
        }
    ]


def test_an_engine_that_is_a_serving_config_is_asked_through_vertex():
    with Providers() as providers:
        request = {"query": "tides", "num": 2}
        result = run_tool(providers, web_search_google, request, GOOGLE_SEARCH_ENGINE_ID=VERTEX_ENGINE)
        (sent,) = providers.sent()
    assert sent.provider == "vertex"
    assert [one["title"] for one in result.data["results"]] == ["Tides", "Charts"]


@pytest.mark.parametrize(
    "request_", [{"query": "tides", "num": 11}, {"query": "tides", "start": 0}, {"query": "tides", "start": 92}]
)
def test_wrong_members_are_refused_before_anything_is_sent(request_):
    with Providers() as providers:
        with pytest.raises(WebtoolError) as caught:
            run_tool(providers, web_search_google, request_)
        assert caught.value.code == "INVALID_ARGUMENT"
        assert providers.sent() == []


@pytest.mark.parametrize("environ", [{}, {"GOOGLE_SEARCH_ENGINE_ID": VERTEX_ENGINE}])
@pytest.mark.parametrize("status", [0, 400, 500])
def test_the_key_in_the_url_never_shows(environ, status):
    with Providers() as providers:
        for provider in ("google", "vertex"):
            providers.answer(provider, status, {"error": {"message": f"?key={GOOGLE_KEY}&cx=1"}} if status else b"")
        with pytest.raises(WebtoolError) as caught:
            run_tool(providers, web_search_google, {"query": "tides"}, **environ)
        assert GOOGLE_KEY in providers.sent()[0].query
    assert GOOGLE_KEY not in json.dumps(caught.value.to_dict()) + str(caught.value) + repr(caught.value)
