"""One search from beginning to end, through the real client, against providers on loopback."""

import json
import time

import pytest
from fake_providers import BRAVE_KEY, GOOGLE_ENGINE, GOOGLE_KEY, PLACES, VERTEX_ENGINE

from webtool import settings
from webtool.context import Context
from webtool.errors import Cancelled, InvalidArgument, WebtoolError
from webtool.lean.imports import load
from webtool.net.messages import Headers, Response
from webtool.providers import driver, results

ALL = ("brave", "google", "vertex", "duckduckgo", "searxng")


def context(providers, warnings=None, **environ):
    variables = providers.environ(**environ)
    warn = (warnings if warnings is not None else []).append
    return Context(settings.from_environ(variables), environ=variables, warn=warn)


def search(providers, provider, query="tides", count=10, *, environ=None, warnings=None, **options):
    environ = dict(environ or {})
    if provider == "vertex":
        environ["GOOGLE_SEARCH_ENGINE_ID"] = VERTEX_ENGINE
        provider = "google"
    ctx = context(providers, warnings, **environ)
    try:
        return driver.search(ctx, provider, query, count, **options)
    finally:
        ctx.close()


def failure(providers, provider, **options):
    with pytest.raises(WebtoolError) as caught:
        search(providers, provider, **options)
    return caught.value


def hosts(answer):
    return [result.url.partition("://")[2].partition("/")[0] for result in answer.results]


@pytest.mark.parametrize("provider", ALL)
def test_a_search_gives_results(providers, provider):
    answer = search(providers, provider)
    assert answer.provider == ("google" if provider == "vertex" else provider)
    assert answer.query == "tides"
    assert len(answer.results) >= 2
    assert answer.more_results_available is True
    assert len(providers.sent()) == (2 if provider == "searxng" else 1)


@pytest.mark.parametrize("provider", ALL)
def test_nothing_is_sent_while_offline(providers, provider):
    error = failure(providers, provider, environ={"WEBTOOL_OFFLINE": "1"})
    assert (error.code, providers.sent()) == ("CACHE_MISS", [])


def test_brave_is_sent_its_key_in_a_header(providers):
    search(providers, "brave", "high & low", 3, freshness="pw", offset=2, safesearch="off", extra_snippets=True)
    (sent,) = providers.sent("brave")
    assert (sent.method, sent.path, BRAVE_KEY in sent.query) == ("GET", "/res/v1/web/search", False)
    assert sent.headers["x-subscription-token"] == BRAVE_KEY
    assert sent.headers["accept"] == "application/json"
    assert "gzip" in sent.headers["accept-encoding"]
    assert sent.parameters == {
        "q": "high & low",
        "count": "3",
        "offset": "2",
        "freshness": "pw",
        "safesearch": "off",
        "extra_snippets": "true",
        "text_decorations": "false",
        "result_filter": "web",
    }


def test_google_is_sent_key_and_engine(providers):
    search(providers, "google", "high tide", 3, start=11)
    (sent,) = providers.sent("google")
    assert sent.method == "GET"
    assert sent.parameters == {"key": GOOGLE_KEY, "cx": GOOGLE_ENGINE, "q": "high tide", "num": "3", "start": "11"}


def test_an_engine_id_that_is_a_resource_name_goes_to_vertex(providers):
    search(providers, "vertex", "high tide", 3)
    (sent,) = providers.sent()
    assert (sent.provider, sent.method) == ("vertex", "POST")
    assert sent.path == f"/v1/{VERTEX_ENGINE}:searchLite"
    assert sent.parameters == {"key": GOOGLE_KEY}
    snippets = {"snippetSpec": {"returnSnippet": True}}
    assert sent.json == {"query": "high tide", "pageSize": 3, "contentSearchSpec": snippets}


def test_duckduckgo_is_sent_a_form_and_no_key(providers):
    search(providers, "duckduckgo", "high tide", 3)
    (sent,) = providers.sent()
    assert (sent.method, sent.path) == ("POST", "/html/")
    assert sent.parameters == {"q": "high tide", "b": "", "kl": "wt-wt"}
    assert sent.headers["user-agent"].startswith("Mozilla/5.0 (compatible; webtool/")
    assert sent.headers["referer"] == providers.origin + "/"
    assert BRAVE_KEY not in str(sent)
    assert GOOGLE_KEY not in str(sent)


def test_the_user_agent_of_the_settings_is_sent(providers):
    search(providers, "duckduckgo", environ={"WEBTOOL_USER_AGENT": "mine/1"})
    assert providers.sent()[0].headers["user-agent"] == "mine/1"


def test_searxng_is_sent_the_name_and_password_of_its_url_as_a_header(providers):
    url = providers.url("searxng").replace("://", "://us%40er:pa%3Ass@")
    search(providers, "searxng", environ={"WEBTOOL_SEARXNG_URL": url})
    sent = providers.sent()[0]
    assert sent.path == "/searxng/search"
    assert sent.headers["authorization"] == "Basic dXNAZXI6cGE6c3M="
    assert sent.parameters == {"q": "tides", "format": "json", "pageno": "1"}


def test_the_query_is_sent_without_invisible_characters(providers):
    answer = search(providers, "brave", "  high\u200b \n tide\x1b ")
    assert answer.query == "high tide"
    assert providers.sent()[0].parameters["q"] == "high tide"


def test_results_whose_urls_differ_in_the_fragment_only_are_duplicates(providers):
    answer = search(providers, "brave")
    assert len(answer.results) == 5
    assert [result.title for result in answer.results if "read them" in result.title] == [
        "Tide tables & how to read them"
    ]


def test_urls_that_differ_in_the_letters_of_a_query_are_two_pages():
    assert driver._page_key("https://A.example?q=A") == driver._page_key("https://a.example?q=A#part")
    assert driver._page_key("https://a.example?q=A") != driver._page_key("https://a.example?q=a")


@pytest.mark.parametrize("age", ["PD", "Day", "24H", "d"])
def test_an_age_may_be_written_in_capitals(providers, age):
    search(providers, "brave", freshness=age)
    assert providers.sent()[0].parameters["freshness"] == "pd"


def test_no_more_results_than_asked_for(providers):
    answer = search(providers, "google", count=2)
    assert len(answer.results) == 2
    assert answer.more_results_available is True


# Domain lists


@pytest.mark.parametrize("provider", ALL)
def test_domain_lists_are_applied_to_every_result(providers, provider):
    lists = {"allowed_domains": ["example.com", "example.org"], "blocked_domains": ["charts.example.org"]}
    answer = search(providers, provider, **lists)
    assert set(hosts(answer)) == {"harbour.example.com"} | ({"old.harbour.example.com:8080"} & set(hosts(answer)))


@pytest.mark.parametrize("empty", [[], None, ()])
def test_an_empty_list_does_not_filter(providers, empty):
    answer = search(providers, "brave", allowed_domains=empty, blocked_domains=empty)
    assert len(answer.results) == 5
    assert "goggles" not in providers.sent()[0].parameters


def brave_page(*urls, more=True):
    results = [{"title": "T", "url": url, "description": "D"} for url in urls]
    return {"query": {"more_results_available": more}, "web": {"results": results}}


def test_further_pages_replace_results_that_the_lists_refused(providers):
    providers.answers(
        "brave",
        (200, brave_page("https://a.example/1", "https://b.example/1")),
        (200, brave_page("https://b.example/2", "https://a.example/1")),
        (200, brave_page("https://a.example/3", "https://a.example/4", "https://a.example/5")),
    )
    answer = search(providers, "brave", count=3, allowed_domains=["a.example"])
    assert [result.url for result in answer.results] == [f"https://a.example/{number}" for number in (1, 3, 4)]
    assert [sent.parameters["offset"] for sent in providers.sent()] == ["0", "1", "2"]
    assert answer.more_results_available is True


def test_further_pages_are_asked_for_if_count_exceeds_one_page(providers):
    pages = [{"items": [{"title": "T", "link": f"https://{page}{n}.example/"} for n in range(10)]} for page in "ab"]
    pages[0]["queries"] = {"nextPage": [{"startIndex": 11}]}
    providers.answers("google", (200, pages[0]), (200, pages[1]))
    assert len(search(providers, "google", count=15).results) == 15
    assert [sent.parameters["start"] for sent in providers.sent()] == ["1", "11"]


def test_searxng_is_asked_for_pages_until_there_are_enough_or_nothing_new(providers):
    def page(*numbers):
        return {"results": [{"url": f"https://a.example/{number}", "title": "T"} for number in numbers]}

    providers.answers("searxng", (200, page(1, 2)), (200, page(2, 3)), (200, page(3, 4)), (200, page(4)))
    assert len(search(providers, "searxng", count=4).results) == 4
    assert [sent.parameters["pageno"] for sent in providers.sent()] == ["1", "2", "3"]
    assert len(search(providers, "searxng", count=4).results) == 1
    assert len(providers.sent()) == 5


def test_at_most_two_further_pages(providers):
    providers.answers("brave", *[(200, brave_page(f"https://b.example/{number}")) for number in range(5)])
    answer = search(providers, "brave", allowed_domains=["a.example"])
    assert answer.results == []
    assert len(providers.sent()) == 3


@pytest.mark.parametrize("provider", ["brave", "searxng"])
@pytest.mark.parametrize("blocked", ["b.example", "c.example"])
def test_a_page_that_is_repeated_is_the_last_one(providers, monkeypatch, provider, blocked):
    module = load(f"webtool.providers.{provider}")
    monkeypatch.setattr(module, "ENGINE", module.ENGINE._replace(further_pages=10))
    urls = ["https://a.example/", "https://b.example/", "https://c.example/"]
    results = [{"title": "T", "url": url, "description": "D"} for url in urls]
    providers.answer(provider, 200, brave_page(*urls) if provider == "brave" else {"results": results})
    assert len(search(providers, provider, count=9, blocked_domains=[blocked]).results) == 2
    assert len(providers.sent()) == 2


def test_no_further_page_is_asked_for_without_need(providers):
    providers.answer("brave", 200, brave_page("https://a.example/"))
    search(providers, "brave", count=5)
    assert len(providers.sent()) == 1
    search(providers, "brave", count=1, blocked_domains=["b.example"])
    assert len(providers.sent()) == 2
    providers.answer("brave", 200, brave_page("https://b.example/", more=False))
    search(providers, "brave", count=5, blocked_domains=["b.example"])
    assert len(providers.sent()) == 3


def test_the_next_duckduckgo_page_is_asked_for_with_the_fields_of_the_last(providers):
    providers.answers("duckduckgo", (200, None), (200, "duckduckgo_page2.html"))
    answer = search(providers, "duckduckgo", count=5, blocked_domains=["harbour.example.com", "library.example.net"])
    assert hosts(answer)[:2] == ["charts.example.org", "deep.charts.example.org"]
    first, second = providers.sent()[:2]
    assert first.parameters["q"] == "tides -site:harbour.example.com -site:library.example.net"
    assert second.parameters["s"] == "10"
    assert second.parameters["vqd"] == "4-12345678901234567890"
    assert first.headers["user-agent"] == second.headers["user-agent"]


def test_the_next_vertex_page_is_asked_for_with_its_token(providers):
    search(providers, "vertex", allowed_domains=["harbour.example.com"])
    assert [sent.json.get("pageToken") for sent in providers.sent()] == [None, "page-two-token"]


def test_a_failing_further_page_keeps_the_results_of_the_first(providers):
    providers.answers("brave", (200, brave_page("https://a.example/", "https://b.example/")), (500, {}))
    answer = search(providers, "brave", allowed_domains=["a.example"])
    assert [result.url for result in answer.results] == ["https://a.example/"]
    assert answer.notes == ("a further page of results is missing: Brave: it answered with status 500",)


def test_a_failing_further_page_is_an_error_without_earlier_results(providers):
    providers.answers("brave", (200, brave_page("https://b.example/")), (500, {}))
    assert failure(providers, "brave", allowed_domains=["a.example"]).code == "API_ERROR"


def test_no_further_page_is_asked_for_shortly_before_the_deadline(providers):
    providers.answer("brave", 200, brave_page("https://b.example/"))
    search(providers, "brave", environ={"WEBTOOL_DEADLINE": "0.9"}, allowed_domains=["a.example"])
    assert len(providers.sent()) == 1


def test_a_domain_cannot_inject_a_rule(providers):
    error = failure(providers, "brave", allowed_domains=["a.example\n$boost=9,site=evil.example"])
    assert error.code == "INVALID_ARGUMENT"
    assert "allowed_domains[0]" in error.message
    assert providers.sent() == []


# Errors


def test_no_request_follows_the_puzzle(providers):
    providers.answer("duckduckgo", 202, "duckduckgo_puzzle.html", {"Retry-After": "0"})
    error = failure(providers, "duckduckgo", allowed_domains=["a.example"])
    assert (error.code, error.retryable) == ("BLOCKED", False)
    assert len(providers.sent()) == 1


@pytest.mark.parametrize("provider", ALL)
def test_an_empty_answer_is_not_an_error(providers, provider):
    bodies = {"duckduckgo": "duckduckgo_empty.html", "searxng": {"results": []}}
    providers.answer(provider, 200, bodies.get(provider, {}))
    answer = search(providers, provider)
    assert (answer.results, answer.more_results_available) == ([], False)


@pytest.mark.parametrize("provider", ALL)
def test_a_dropped_connection_is_a_network_error_that_names_the_provider(providers, provider):
    providers.answer(provider, 0, b"")
    error = failure(providers, provider)
    assert error.code == "NETWORK_ERROR"
    assert " search failed: " in error.message
    assert "Failed to fetch" not in error.message


@pytest.mark.parametrize("provider", ALL)
def test_an_html_page_instead_of_json_is_an_api_error(providers, provider):
    providers.answer(provider, 200, "<html><title>Log in</title></html>")
    assert failure(providers, provider).code == "API_ERROR"


@pytest.mark.parametrize("provider", ALL)
def test_a_redirect_is_not_followed(providers, provider):
    providers.answer(provider, 302, "", {"Location": providers.url("searxng") + "/elsewhere"})
    if provider == "duckduckgo":
        assert search(providers, provider).results == []
    else:
        error = failure(providers, provider)
        assert error.code == "API_ERROR"
        assert f"leads to {providers.url('searxng')}/elsewhere" in error.message
        assert f"WEBTOOL_{provider.upper()}_URL" in error.hint
    assert len(providers.sent()) == 1


def test_a_redirect_to_an_unusable_address_is_an_api_error(providers):
    providers.answer("brave", 302, "", {"Location": "http://["})
    error = failure(providers, "brave")
    assert (error.code, error.status_code) == ("API_ERROR", 302)


NOTHING = [
    ({"freshness": "pw"}, "Brave found nothing; the last 7 days only; freshness any finds any age"),
    ({"country": "DE", "offset": 2}, "Brave found nothing; country DE; offset 2"),
    ({"allowed_domains": ["a.example"], "freshness": "2026-01-01to2026-01-31"},
     "Brave found nothing; pages of 2026-01-01to2026-01-31 only; freshness any finds any age; only from a.example"),
    ({"blocked_domains": ["b.example"]}, "Brave found nothing; nothing from b.example"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "note"), NOTHING)
def test_the_note_of_an_empty_answer_names_the_filters(providers, options, note):
    providers.answer("brave", 200, {})
    assert search(providers, "brave", **options).notes == (note,)


SECRETS = {"brave": BRAVE_KEY, "google": GOOGLE_KEY, "vertex": GOOGLE_KEY}


@pytest.mark.parametrize("provider", SECRETS)
@pytest.mark.parametrize("status", [0, 200, 302, 400, 401, 403, 404, 422, 429, 500])
def test_no_error_shows_the_key(providers, provider, status):
    key = SECRETS[provider]
    said = {"message": f"bad key {key} at ?key={key}", "detail": f"bad {key}", "code": 1, "id": key, "status": key}
    providers.answer(provider, status, b"" if status == 0 else {"error": said} if status != 200 else key)
    error = failure(providers, provider)
    everything = [json.dumps(error.to_dict()), str(error), repr(error), repr(error.args), repr(vars(error))]
    assert all(key not in text for text in everything)
    assert error.__cause__ is None
    assert error.__context__ is None


def test_no_error_shows_the_password_of_an_endpoint(providers):
    providers.answer("searxng", 0, b"")
    url = providers.url("searxng").replace("://", "://user:hunter2hunter2@")
    error = failure(providers, "searxng", environ={"WEBTOOL_SEARXNG_URL": url})
    assert "hunter2" not in json.dumps(error.to_dict())


@pytest.mark.parametrize(("provider", "variable"), [("brave", "BRAVE_API_KEY"), ("google", "GOOGLE_SEARCH_API_KEY")])
def test_without_a_key_nothing_is_sent(providers, provider, variable):
    error = failure(providers, provider, environ={variable: ""})
    assert error.code == "AUTH_MISSING"
    assert error.event["kind"] == "config_required"
    assert providers.sent() == []


def test_a_provider_that_does_not_answer_ends_at_the_deadline(providers):
    import socket

    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        begun = time.monotonic()
        error = failure(providers, "brave", environ={"WEBTOOL_BRAVE_URL": url, "WEBTOOL_DEADLINE": "0.3"})
    assert error.code == "FETCH_TIMEOUT"
    assert time.monotonic() - begun < 20


# Rate limits


class Sleeper:
    """Counts the seconds instead of sleeping them."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self, seconds):
        self.seconds += seconds


def test_a_short_rate_limit_is_waited_out_once(providers):
    providers.answers("brave", (429, "brave_rate_limited.json", {"X-RateLimit-Reset": "1, 3600"}), (200, None))
    sleep = Sleeper()
    assert len(search(providers, "brave", sleep=sleep).results) == 5
    assert 0.9 <= sleep.seconds <= 1.3
    first, second = providers.sent()
    assert first.query == second.query


def test_the_second_rate_limit_is_reported(providers):
    providers.answer("brave", 429, "brave_rate_limited.json", {"X-RateLimit-Reset": "1, 3600"})
    sleep = Sleeper()
    error = failure(providers, "brave", sleep=sleep)
    assert (error.code, error.retry_after, error.retryable) == ("RATE_LIMITED", 1.0, True)
    assert len(providers.sent()) == 2


@pytest.mark.parametrize("reset", ["60, 3600", "4, 3600"])
def test_a_long_rate_limit_is_reported_at_once(providers, reset):
    providers.answer("brave", 429, "brave_rate_limited.json", {"X-RateLimit-Reset": reset})
    sleep = Sleeper()
    assert failure(providers, "brave", sleep=sleep).retry_after == float(reset.partition(",")[0])
    assert (sleep.seconds, len(providers.sent())) == (0, 1)


def test_a_rate_limit_longer_than_the_deadline_is_reported_at_once(providers):
    providers.answer("brave", 429, "brave_rate_limited.json", {"X-RateLimit-Reset": "1, 3600"})
    assert failure(providers, "brave", environ={"WEBTOOL_DEADLINE": "1.5"}).code == "RATE_LIMITED"
    assert len(providers.sent()) == 1


def test_a_used_up_quota_is_not_waited_for(providers):
    body = {"type": "ErrorResponse", "error": {"code": "QUOTA_LIMITED", "detail": "No more.", "status": 429}}
    providers.answer("brave", 429, body, {"X-RateLimit-Reset": "0, 1"})
    assert failure(providers, "brave").code == "QUOTA_EXCEEDED"
    assert len(providers.sent()) == 1


def test_every_request_waits_for_its_turn(providers, monkeypatch):
    providers.answers("brave", (429, "brave_rate_limited.json", {"X-RateLimit-Reset": "0"}), (200, None))
    asked = []
    monkeypatch.setattr(driver, "wait_for_turn", lambda ctx, provider: asked.append((provider, len(providers.sent()))))
    search(providers, "brave")
    assert asked == [("brave", 0), ("brave", 1)]


def test_a_turn_after_the_deadline_is_not_waited_for(providers, monkeypatch):
    monkeypatch.setattr(driver, "_reserve_own_slot", lambda *_: None)
    sleep = Sleeper()
    ctx = context(providers, WEBTOOL_SEARCH_INTERVAL="1")
    with pytest.raises(WebtoolError) as caught:
        driver.search(ctx, "brave", "tides", sleep=sleep)
    assert (caught.value.code, sleep.seconds, providers.sent()) == ("RATE_LIMITED", 0.0, [])


def test_a_cancelled_wait_ends(providers):
    providers.answer("brave", 429, "brave_rate_limited.json", {"X-RateLimit-Reset": "1"})
    variables = providers.environ()
    ctx = Context(settings.from_environ(variables), environ=variables, is_cancelled=lambda: len(providers.sent()) > 0)
    with pytest.raises(Cancelled):
        driver.search(ctx, "brave", "tides", sleep=Sleeper())


# Arguments


@pytest.mark.parametrize("url", ["nonsense", "ftp://x.example/", "http://", "http://user:hunter2@/", "//x.example"])
@pytest.mark.parametrize("provider", ["brave", "google", "vertex", "duckduckgo", "searxng"])
def test_the_setting_of_an_unusable_endpoint_is_named(providers, provider, url):
    error = failure(providers, provider, environ={f"WEBTOOL_{provider.upper()}_URL": url})
    assert error.code == "INVALID_ARGUMENT"
    assert error.message == f"the setting {provider}_url is not an absolute http or https URL"
    assert "hunter2" not in json.dumps(error.to_dict())


def test_without_an_instance_searxng_cannot_be_asked(providers):
    error = failure(providers, "searxng", environ={"WEBTOOL_SEARXNG_URL": ""})
    assert (error.code, error.message) == ("INVALID_ARGUMENT", "the setting searxng_url is not set")


@pytest.mark.parametrize(
    ("age", "sent"),
    [
        ("any", None),
        ("ALL", None),
        ("none", None),
        (" ", None),
        ("week", "pw"),
        ("Day", "pd"),
        ("pm", "pm"),
        ("any time", None),
        ("past week", "pw"),
        ("last_month", "pm"),
        ("Past 24 hours", "pd"),
        ("7 days", "pw"),
        ("past 1 month", "pm"),
        ("365 days", "py"),
        ("2026-01-01 to 2026-01-31", "2026-01-01to2026-01-31"),
    ],
)
def test_ages_have_other_names(providers, age, sent):
    search(providers, "brave", freshness=age)
    assert providers.sent("brave")[0].parameters.get("freshness") == sent


def test_a_wrong_age_names_the_word_for_any_age(providers):
    with pytest.raises(WebtoolError) as caught:
        search(providers, "brave", freshness="yesterday")
    assert "any for pages of every age" in caught.value.hint


HIDDEN = [
    ("DuckDuckGo knows key=k and 'k'", "k", "DuckDuckGo knows key=*** and '***'"),
    ("a test of api:test, not of /tests", "test", "a test of api:***, not of /tests"),
    ("abcdefgh1", "abcdefgh", "***1"),
    ("nothing", "", "nothing"),
]


@pytest.mark.parametrize(("text", "secret", "shown"), HIDDEN)
def test_a_short_key_is_hidden_without_mangling_words(text, secret, shown):
    account = results.Account("https://x.example/", secret)
    assert driver._without_secrets(WebtoolError(text), "X", account).message == shown


def test_a_key_is_hidden_in_lists_and_objects_of_an_error():
    key = "abcdefghij"
    error = WebtoolError("x", tries=[{"url": f"https://x.example/?q={key}", "status": 403}, key], pair=(key, 1))
    members = driver._without_secrets(error, "X", results.Account("https://x.example/", key)).members
    assert members == {"tries": [{"url": "https://x.example/?q=***", "status": 403}, "***"], "pair": ["***", 1]}


def test_a_direct_answer_is_not_nothing(providers):
    providers.answer("searxng", 200, {"results": [], "answers": [{"answer": "10 USD = 9.2 EUR"}]})
    answer = search(providers, "searxng")
    assert answer.notes == ()
    assert results.members(answer)["answers"] == [{"text": "10 USD = 9.2 EUR"}]
    assert results.text(answer) == "Answer: 10 USD = 9.2 EUR"


WRONG = [
    ({"query": ""}, "query"),
    ({"query": " x "}, "query"),
    ({"query": "\u200b\u202e\x00"}, "query"),
    ({"freshness": "yesterday"}, "freshness"),
    ({"freshness": "2026-01-01to"}, "freshness"),
    ({"country": "US\r\nX: y"}, "country"),
    ({"search_lang": "en;q=1"}, "search_lang"),
    ({"ui_lang": "../"}, "ui_lang"),
    ({"safesearch": "maybe"}, "safesearch"),
    ({"allowed_domains": ["not a domain"]}, "allowed_domains"),
    ({"blocked_domains": [""]}, "blocked_domains"),
]


@pytest.mark.parametrize(("options", "member"), WRONG)
@pytest.mark.parametrize("provider", ["brave", "duckduckgo"])
def test_wrong_arguments_are_named_and_nothing_is_sent(providers, provider, options, member):
    error = failure(providers, provider, **options)
    assert error.code == "INVALID_ARGUMENT"
    assert error.message.startswith(member)
    assert error.hint
    assert providers.sent() == []


def test_an_unknown_provider_is_an_invalid_argument(providers):
    assert failure(providers, "altavista").code == "INVALID_ARGUMENT"


def test_options_without_effect_are_named_in_a_note(providers):
    answer = search(providers, "duckduckgo", freshness="pw", goggles="x", extra_snippets=True, country=None)
    assert answer.ignored == ("extra_snippets", "goggles")
    assert answer.notes == ("DuckDuckGo did not use goggles: it does not have this option",)
    assert search(providers, "brave", freshness="pw", goggles="x").ignored == ()


def test_the_library_function_searches(providers, monkeypatch):
    import webtool

    for name, value in providers.environ(BRAVE_API_KEY="").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("WEBTOOL_SEARCH_PROVIDERS", "brave,duckduckgo")
    found = webtool.search("tides", count=1)
    assert (found["success"], found["count"], found["provider"]) == (True, 1, "duckduckgo")
    assert webtool.search("tides", provider="searxng")["results"][0]["title"] == "Tides at the harbour"


# Endpoints


def test_endpoints_on_loopback_pass_although_pages_there_do_not(providers):
    ctx = context(providers, WEBTOOL_ALLOW_DOMAINS="docs.example.com")
    assert driver.search(ctx, "brave", "tides").results
    from webtool.net.messages import Request

    with pytest.raises(WebtoolError) as caught:
        ctx.client.fetch(Request(providers.url("brave")), deadline=time.monotonic() + 5)
    assert caught.value.code == "SSRF_BLOCKED"
    ctx.close()


def test_no_robots_txt_is_asked_for(providers):
    for provider in ("brave", "google", "duckduckgo", "searxng"):
        search(providers, provider)
    assert {sent.provider for sent in providers.sent()} == {"brave", "google", "duckduckgo", "searxng"}


def test_provider_modules_need_no_socket():
    """Provider modules work with a client that the test supplies."""

    class Client:
        def ask(self, request, **_):
            assert request.url.startswith("https://api.search.brave.com/res/v1/web/search?")
            return Response(request.url, 200, "OK", Headers(), b'{"web": {"results": [{"url": "https://x.example/"}]}}')

    ctx = Context(settings.Settings(), Client(), environ={"BRAVE_API_KEY": "k"}, now=lambda: 0.0)
    assert driver.search(ctx, "brave", "tides").results[0].url == "https://x.example/"


def test_the_server_knows_every_setting_of_an_endpoint():
    names = {name for name in settings.Settings._fields if name.endswith("_url")}
    assert {place.variable for place in PLACES.values()} == {f"WEBTOOL_{name.upper()}" for name in names}


@pytest.mark.parametrize(("name", "value"), [("offset", "x"), ("offset", -1), ("start", 1.5), ("start", True)])
def test_a_position_that_is_not_a_whole_number_is_refused(providers, name, value):
    with pytest.raises(InvalidArgument, match=name):
        search(providers, "google", **{name: value})


def test_a_count_that_is_not_a_number_is_refused(providers):
    with pytest.raises(InvalidArgument, match="count"):
        search(providers, "google", "tides", "many")
