"""web_search_brave: its schema, and a call as a host makes it."""

import json

from fake_providers import Providers, run_tool

from webtool.tools import web_search_brave


def test_a_search_with_every_member():
    request = {
        "query": "high tide",
        "allowed_domains": ["example.com", "example.org"],
        "blocked_domains": ["old.harbour.example.com"],
        "count": 2,
        "offset": 1,
        "freshness": "pm",
        "country": "GB",
        "search_lang": "en-gb",
        "ui_lang": "en-GB",
        "safesearch": "strict",
        "extra_snippets": True,
        "goggles": "$boost,site=tides.example",
    }
    with Providers() as providers:
        result = run_tool(providers, web_search_brave, request)
        sent = providers.sent("brave")[0]
    assert [one["title"] for one in result.data["results"]] == [
        "Tide tables & how to read them",
        "What x < y means on a chart",
    ]
    assert result.data["results"][0]["extra_snippets"][0] == "Springs follow the full moon."
    assert result.data["success"] is True
    assert result.data["count"] == 2
    assert list(result.data) == ["success", "count", "results"]
    assert result.text.startswith("Searched for: tide tables & harbour\n\n1. Tide tables & how to read them\n")
    assert sent.parameters["offset"] == "1"
    assert [value for name, value in sent.pairs if name == "goggles"] == [
        "$boost,site=tides.example",
        "$discard\n$boost,site=example.com\n$boost,site=example.org\n$discard,site=old.harbour.example.com",
    ]


def test_the_plain_answer_has_the_known_members_only():
    with Providers() as providers:
        result = run_tool(providers, web_search_brave, {"query": "tides"})
    json.dumps(result.data)
    for one in result.data["results"]:
        assert list(one)[:4] == ["title", "url", "description", "snippet"]
        assert set(one) <= {"title", "url", "description", "snippet", "published_date"}
        assert one["description"] == one["snippet"]
