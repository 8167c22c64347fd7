"""One search with several providers: the order, the fallback, and notes on failures."""

import json
import socket
import time

import pytest
from fake_providers import BRAVE_KEY

from webtool import settings
from webtool.context import Context
from webtool.errors import WebtoolError
from webtool.providers import chain
from webtool.tools import web_search

QUOTA = {"type": "ErrorResponse", "error": {"code": "QUOTA_LIMITED", "detail": "No more.", "status": 429}}


def context(providers, keys=True, **environ):
    quiet = {"WEBTOOL_SEARCH_INTERVAL": "0", "WEBTOOL_CACHE": "off"}
    variables = providers.environ(keys=keys, **{**quiet, **environ})
    return Context(settings.from_environ(variables), environ=variables)


def found(providers, query="tides", **environ):
    members = environ.pop("members", {})
    ctx = context(providers, **environ)
    try:
        return web_search.run(ctx, query=query, **members).data
    finally:
        ctx.close()


# (environment, who is asked, in order)
CHAINS = [
    ({}, ("brave", "google", "searxng", "duckduckgo")),
    ({"BRAVE_API_KEY": ""}, ("google", "searxng", "duckduckgo")),
    ({"GOOGLE_SEARCH_ENGINE_ID": ""}, ("brave", "searxng", "duckduckgo")),
    ({"BRAVE_API_KEY": "", "GOOGLE_SEARCH_API_KEY": ""}, ("searxng", "duckduckgo")),
    ({"BRAVE_API_KEY": "", "GOOGLE_SEARCH_API_KEY": "", "WEBTOOL_SEARXNG_URL": ""}, ("duckduckgo",)),
    ({"WEBTOOL_SEARCH_PROVIDER": "google"}, ("google",)),
    ({"WEBTOOL_SEARCH_PROVIDERS": "searxng, brave"}, ("searxng", "brave")),
    ({"WEBTOOL_SEARCH_PROVIDER": "brave", "WEBTOOL_SEARCH_PROVIDERS": "searxng"}, ("brave",)),
]


@pytest.mark.parametrize(("environ", "names"), CHAINS)
def test_providers_that_are_set_up_are_asked_in_order(providers, environ, names):
    ctx = context(providers, **environ)
    assert chain.providers(ctx) == names
    assert chain.providers(ctx, "google") == ("google",)


def test_an_unknown_provider_in_the_chain_is_named():
    with pytest.raises(WebtoolError, match=r"WEBTOOL_SEARCH_PROVIDERS is 'altavista'"):
        settings.from_environ({"WEBTOOL_SEARCH_PROVIDERS": "brave,altavista"})


FAILURES = [
    ((429, "brave_rate_limited.json", {"X-RateLimit-Reset": "60, 3600"}), "RATE_LIMITED"),
    ((429, QUOTA), "QUOTA_EXCEEDED"),
    ((422, "brave_bad_key.json"), "AUTH_INVALID"),
    ((503, {}), "API_ERROR"),
    ((200, "<html>Log in</html>"), "API_ERROR"),
    ((0, b""), "NETWORK_ERROR"),
]


@pytest.mark.parametrize(("answer", "code"), FAILURES)
def test_the_next_provider_answers_if_one_fails_and_a_note_says_so(providers, answer, code):
    providers.answers("brave", answer)
    data = found(providers)
    assert data["source"] == "google"
    assert {result["source"] for result in data["results"]} == {"google"}
    assert data["note"].startswith("brave did not answer: ")
    assert f"({code})" in data["note"]
    assert BRAVE_KEY not in json.dumps(data)


def test_a_blocked_provider_is_skipped(providers):
    providers.answer("duckduckgo", 202, "duckduckgo_puzzle.html")
    data = found(providers, WEBTOOL_SEARCH_PROVIDERS="duckduckgo,searxng")
    assert (data["source"], "(BLOCKED)" in data["note"]) == ("searxng", True)


def test_a_provider_without_support_for_an_option_is_skipped(providers):
    data = found(providers, WEBTOOL_SEARCH_PROVIDERS="searxng,brave", members={"freshness": "2026-01-01to2026-01-31"})
    assert data["source"] == "brave"
    assert "takes no range of days" in data["note"]


@pytest.mark.alone
def test_a_hanging_provider_leaves_time_for_the_next(providers, monkeypatch):
    monkeypatch.setattr(chain, "MIN_SECONDS", 0.5)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/res/v1/web/search"
        begun = time.monotonic()
        data = found(providers, WEBTOOL_BRAVE_URL=url, WEBTOOL_DEADLINE="2")
    assert (data["source"], "(FETCH_TIMEOUT)" in data["note"]) == ("google", True)
    assert time.monotonic() - begun < 2


def test_every_failure_is_listed_if_all_fail(providers):
    providers.answer("brave", 429, QUOTA)
    providers.answer("google", 429, {"error": {"code": 429, "message": "slow", "status": "RESOURCE_EXHAUSTED"}})
    providers.answer("searxng", 500, "")
    providers.answer("duckduckgo", 202, "duckduckgo_puzzle.html")
    with pytest.raises(WebtoolError) as caught:
        found(providers)
    error = caught.value.to_dict()
    assert error["error_code"] == "QUOTA_EXCEEDED"
    assert [(one["provider"], one["error_code"]) for one in error["failures"]] == [
        ("brave", "QUOTA_EXCEEDED"),
        ("google", "RATE_LIMITED"),
        ("searxng", "API_ERROR"),
        ("duckduckgo", "BLOCKED"),
    ]
    assert all(f"{one['provider']}: " in error["error"] for one in error["failures"])
    assert error["retryable"] is True


def test_the_error_of_a_single_provider_is_not_changed(providers):
    providers.answer("brave", 429, QUOTA)
    with pytest.raises(WebtoolError) as caught:
        found(providers, WEBTOOL_SEARCH_PROVIDER="brave")
    assert "failures" not in caught.value.to_dict()
    assert caught.value.message.startswith("Brave: No more.")


def test_an_invalid_argument_is_not_a_failure_of_one_provider(providers):
    with pytest.raises(WebtoolError, match="freshness") as caught:
        found(providers, members={"freshness": "yesterday"})
    assert "failures" not in caught.value.to_dict()
    assert providers.sent() == []


def test_an_empty_answer_is_an_answer_and_names_the_filters(providers):
    providers.answer("brave", 200, {})
    data = found(providers)
    assert (data["source"], data["results"]) == ("brave", [])
    assert data["note"] == "Brave found nothing; the last 7 days only; freshness any finds any age"


def test_searxng_is_asked_for_any_age_unless_one_is_given(providers):
    data = found(providers, WEBTOOL_SEARCH_PROVIDER="searxng")
    assert "time_range" not in providers.sent()[0].parameters
    assert "pages of any age" in data["note"]
    found(providers, WEBTOOL_SEARCH_PROVIDER="searxng", members={"freshness": "pw"})
    assert providers.sent()[-1].parameters["time_range"] == "week"


def test_an_answer_is_cached_without_the_notes_on_earlier_failures(providers, tmp_path):
    providers.answers("brave", (503, {}))
    environ = {"WEBTOOL_CACHE": "on", "WEBTOOL_CACHE_PATH": str(tmp_path / "cache.sqlite3")}
    assert "did not answer" in found(providers, **environ)["note"]
    again = found(providers, **environ)
    assert (again["source"], again["debug"]["cache_hit"]) == ("google", True)
    assert "did not answer" not in again.get("note", "")
    assert len(providers.sent("brave")) == 1


def test_a_provider_that_is_set_up_later_is_asked_in_spite_of_a_cached_answer(providers, tmp_path):
    environ = {"WEBTOOL_CACHE": "on", "WEBTOOL_CACHE_PATH": str(tmp_path / "cache.sqlite3")}
    assert found(providers, keys=False, **environ)["source"] != "brave"
    assert found(providers, **environ)["source"] == "brave"


CONTEXT = {
    "grounding": {
        "generic": [
            {"url": "https://a.example/tides", "title": "Tides", "snippets": ["High at six.", "", "Low at noon."]},
            {"url": "https://b.example/", "snippets": []},
            {"url": "magnet:?xt=1", "snippets": ["x"]},
        ]
    },
    "sources": {
        "https://a.example/tides": {"age": ["Friday, October 02, 2026", "2026-10-02", "51 days ago"]},
        "https://b.example/": {"title": "B"},
    },
}


def test_llm_context_gives_passages_with_the_same_key(providers):
    providers.answer("brave", 200, CONTEXT)
    data = found(providers, WEBTOOL_BRAVE_API="context", WEBTOOL_SEARCH_PROVIDER="brave")
    (sent,) = providers.sent()
    assert sent.path == "/res/v1/llm/context"
    assert sent.headers["x-subscription-token"] == BRAVE_KEY
    assert sent.parameters == {"q": "tides", "maximum_number_of_urls": "10", "freshness": "pw"}
    first, second = data["results"]
    assert (first["description"], first["extra_snippets"]) == ("High at six.", ["Low at noon."])
    assert first["published_date"].startswith("2026-10-02")
    assert (second["title"], second["description"]) == ("B", "")


def test_an_error_of_llm_context_names_it(providers):
    providers.answer("brave", 429, QUOTA)
    with pytest.raises(WebtoolError, match=r"^Brave LLM Context: No more\."):
        found(providers, WEBTOOL_BRAVE_API="context", WEBTOOL_SEARCH_PROVIDER="brave")


def test_a_plan_without_llm_context_falls_back_to_the_next_provider(providers):
    body = {"error": {"code": "OPTION_NOT_IN_PLAN", "detail": "Not in plan.", "status": 400}}
    providers.answer("brave", 400, body)
    assert found(providers, WEBTOOL_BRAVE_API="context")["source"] == "google"
