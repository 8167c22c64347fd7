"""web_search_google: a call as a host makes it, with both kinds of engine."""

from fake_providers import Providers, run_tool

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
