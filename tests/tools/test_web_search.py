"""web_search: which provider is asked, how long answers are cached, one query a second for all processes."""

import json
import time

import pytest

from webtool import registry, urls
from webtool.answers import budget
from webtool.errors import AuthMissing, CacheMiss, Cancelled, InvalidArgument, RateLimited
from webtool.settings import from_environ
from webtool.tools import web_search


@pytest.fixture
def search_context(make_context, providers):
    """Make a context whose providers are fakes on loopback."""

    def make(keys=True, now=None, **settings):
        environ = providers.environ(keys=keys)
        read = from_environ(environ)
        given = {name: getattr(read, name) for name in read._fields if name.endswith("_url")}
        if not keys:
            given["searxng_url"] = ""
        return make_context(environ, now, **{**given, **settings})

    return make


def test_brave_is_asked_if_there_is_a_key(search_context, providers):
    data = web_search.run(search_context(), query="tides").data
    assert {result["source"] for result in data["results"]} == {"brave"}
    assert [result["rank"] for result in data["results"]] == list(range(1, len(data["results"]) + 1))
    sent = providers.sent("brave")[0].parameters
    expected = {
        "q": "tides",
        "count": "10",
        "offset": "0",
        "freshness": "pw",
        "safesearch": "moderate",
        "extra_snippets": "true",
    }
    assert expected.items() <= sent.items()
    assert any("extra_snippets" in result for result in data["results"])


def test_direct_answers_come_with_the_results_and_from_the_cache(search_context, providers, tmp_path):
    providers.answer("searxng", 200, {"results": [], "answers": ["7"]})
    ctx = search_context(search_provider="searxng")
    for hit in (False, True):
        result = web_search.run(ctx, query="3 + 4")
        assert result.data["answers"] == [{"text": "7"}]
        assert (result.text, result.data["debug"]["cache_hit"]) == ("Answer: 7", hit)


@pytest.mark.parametrize("provider", ["google", "duckduckgo", "searxng"])
def test_the_setting_names_the_provider(search_context, provider):
    data = web_search.run(search_context(search_provider=provider), query="tides").data
    assert {result["source"] for result in data["results"]} == {provider}


def test_without_a_key_the_free_provider_is_asked_unless_brave_was_named(search_context):
    data = web_search.run(search_context(keys=False), query="tides").data
    assert {result["source"] for result in data["results"]} == {"duckduckgo"}
    with pytest.raises(AuthMissing):
        web_search.run(search_context(keys=False, search_provider="brave"), query="tides")


def test_the_allow_list_is_applied(search_context):
    everything = web_search.run(search_context(), query="tides").data["results"]
    host = everything[0]["url"].split("/")[2]
    data = web_search.run(search_context(), query="tides", domain_allowlist=[host]).data
    assert data["results"]
    assert all(urls.matches_domain(result["url"], host) for result in data["results"])


def test_the_age_of_the_pages_may_be_a_number_of_days(search_context, providers):
    registry.call("search", search_context(), {"query": "tides", "freshness": 31})
    assert providers.sent("brave")[0].parameters["freshness"] == "pm"


# (freshness, seconds for which the answer is cached)
TTLS = [
    ("pd", 3600),
    ("pw", 6 * 3600),
    ("pm", 12 * 3600),
    ("py", 24 * 3600),
    ("2026-01-01to2026-02-01", 6 * 3600),
    ("", 6 * 3600),
]


@pytest.mark.parametrize(("freshness", "seconds"), TTLS)
def test_the_same_question_is_not_asked_twice_while_its_answer_is_fresh(search_context, providers, freshness, seconds):
    clock = [1_800_000_000.0]
    first = web_search.run(search_context(now=lambda: clock[0]), query="tides", freshness=freshness).data
    clock[0] += seconds - 1
    again = web_search.run(search_context(now=lambda: clock[0]), query="tides", freshness=freshness).data
    assert again["results"] == first["results"]
    assert again["query"] == first["query"]
    assert (first["debug"]["cache_hit"], again["debug"]["cache_hit"]) == (False, True)
    clock[0] += 1
    web_search.run(search_context(now=lambda: clock[0]), query="tides", freshness=freshness)
    assert len(providers.sent("brave")) == 2


# Each of these has a cache key of its own.
OTHERS = [
    {"query": "Tides"}, {"count": 9}, {"offset": 1}, {"freshness": "pd"}, {"country": "DE"}, {"search_lang": "de"},
    {"ui_lang": "de-DE"}, {"safesearch": "off"}, {"extra_snippets": False}, {"goggles": "$discard"},
    {"domain_allowlist": ["e.example"]},
]  # fmt: skip


def test_every_member_makes_another_question(search_context, providers):
    web_search.run(search_context(), query="tides")
    for number, other in enumerate(OTHERS):
        before = len(providers.sent("brave"))
        web_search.run(search_context(), **{"query": "tides", **other})
        assert len(providers.sent("brave")) > before, (number, other)


def test_no_key_is_in_the_cache_file(search_context, providers, tmp_path):
    ctx = search_context()
    web_search.run(ctx, query="tides")
    ctx.close()
    key = providers.environ()["BRAVE_API_KEY"].encode()
    assert not any(key in path.read_bytes() for path in tmp_path.iterdir())


def test_offline_gives_cached_answers_only(search_context):
    web_search.run(search_context(), query="tides")
    offline = search_context(offline=True)
    assert web_search.run(offline, query="tides").data["results"]
    with pytest.raises(CacheMiss):
        web_search.run(offline, query="other tides")


@pytest.mark.parametrize("cache", [True, False])
def test_queries_are_an_interval_apart(search_context, cache):
    ctx = search_context(search_interval=0.3, cache=cache)
    begun = time.monotonic()
    for query in ("one", "two", "three"):
        web_search.run(ctx.derive(), query=f"{query} {cache}")
    assert time.monotonic() - begun >= 0.59


@pytest.mark.parametrize("cache", [True, False])
def test_a_turn_past_the_deadline_is_a_rate_limit_and_a_cancelled_wait_ends(search_context, cache):
    ctx = search_context(search_interval=30.0, cache=cache, search_provider="searxng")
    web_search.run(ctx, query=f"first {cache}")
    with pytest.raises(RateLimited) as caught:
        web_search.run(ctx.derive(deadline=time.monotonic() + 1), query=f"second {cache}")
    assert caught.value.retry_after == 30
    with pytest.raises(Cancelled):
        web_search.run(ctx.derive(deadline=time.monotonic() + 60, is_cancelled=lambda: True), query=f"third {cache}")


# (command, arguments that make a valid request invalid)
WRONG = [
    *(("search", member) for member in ({"freshness": "yesterday"}, {"country": "Germany!"}, {"query": "x"})),
    *(("brave", member) for member in (
        {"query": None}, {"query": 5}, {"query": "x"}, {"count": 0}, {"count": 21}, {"count": True}, {"offset": 10},
        {"allowed_domains": 7}, {"allowed_domains": [5]}, {"safesearch": "maybe"},
    )),
    ("search", {"domain_allowlist": ["a b"]}),
    *(("google", member) for member in ({"num": 11}, {"start": 0}, {"start": 92})),
]  # fmt: skip


@pytest.mark.parametrize(("command", "member"), WRONG)
def test_wrong_members_are_named_before_anything_is_sent(search_context, providers, command, member):
    with pytest.raises(InvalidArgument) as caught:
        registry.call(command, search_context(), {"query": "tides", **member})
    assert next(iter(member)) in caught.value.message
    assert providers.sent() == []


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"results": [1]}', '{"results": 5, "provider": "brave"}', "null"])
def test_a_damaged_cached_answer_is_ignored(damage):
    assert web_search._from_json(damage) is None


@pytest.mark.parametrize("command", ["search", "brave", "google", "duckduckgo"])
def test_max_tokens_cuts_a_search_and_says_so(search_context, command):
    whole = registry.call(command, search_context(), {"query": "tides"})
    short = registry.call(command, search_context(), {"query": "tides", "max_tokens": 120})
    assert budget.estimate_tokens(json.dumps(short.data, ensure_ascii=False)) < 200
    assert len(short.data["results"]) < len(whole.data["results"])
    assert short.data.get("count", len(short.data["results"])) == len(short.data["results"])
    assert "cut to fit 120 tokens" in short.data["note"]
    assert whole.text.startswith(short.text)
