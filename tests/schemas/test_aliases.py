"""Arguments with other names, as models write them, and unknown arguments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool import registry
from webtool.errors import InvalidArgument
from webtool.schemas import aliases

TOOLS = {command: registry.load(command).SCHEMA["parameters"] for command in registry.TOOLS}
TOOLS["search"] = {
    **TOOLS["search"],
    "properties": {**TOOLS["search"]["properties"], **registry.load("search").UNLISTED},
}

# (tool, as it comes, as it is taken)
TAKEN = [
    # Claude: WebSearch, WebFetch, and the API's web_search and web_fetch
    ("search", {"query": "q", "allowed_domains": ["a.example"]}, {"query": "q", "domain_allowlist": ["a.example"]}),
    ("search", {"query": "q", "blocked_domains": ["a.example"]}, {"query": "q", "blocked_domains": ["a.example"]}),
    ("search", {"query": "q", "user_location": {"type": "approximate", "country": "DE"}},
     {"query": "q", "country": "DE"}),
    ("open", {"url": "u", "max_content_tokens": 500}, {"url": "u", "max_tokens": 500}),
    ("open", {"url": "u", "use_cache": False}, {"url": "u", "force_refresh": True}),
    # OpenAI: search, open, find, fetch; gpt-oss' browser
    ("search", {"q": "q", "recency": 3, "domains": ["a.example"]},
     {"query": "q", "freshness": "pw", "domain_allowlist": ["a.example"]}),
    ("open", {"ref_id": "https://a.example/", "lineno": 30}, {"url": "https://a.example/", "offset": 30}),
    ("open", {"id": "https://a.example/"}, {"url": "https://a.example/"}),
    ("fetch", {"url": "u", "loc": 5, "num_lines": 9}, {"url": "u", "offset": 5, "limit": 9}),
    ("search", {"query": "q", "topn": 4}, {"query": "q", "count": 4}),
    # Gemini: google_web_search, web_fetch
    ("open", {"prompt": "Summarise https://a.example/x?y=1, please"}, {"url": "https://a.example/x?y=1"}),
    ("open", {"prompt": "Read https://a.example/Mercury_(planet)."}, {"url": "https://a.example/Mercury_(planet)"}),
    ("open", {"prompt": "(see https://a.example/M_(x)/y)?"}, {"url": "https://a.example/M_(x)/y"}),
    ("open", {"prompt": "[it](https://a.example/x), 'https://b.example/'"}, {"url": "https://a.example/x"}),
    ("open", {"prompt": "open 'https://b.example/a' now"}, {"url": "https://b.example/a"}),
    # others' servers
    ("search", {"query": "q", "numResults": 3, "includeDomains": ["a.example"], "excludeDomains": ["b.example"]},
     {"query": "q", "count": 3, "domain_allowlist": ["a.example"], "blocked_domains": ["b.example"]}),
    ("search", {"search_query": "q", "time_range": "month", "language": "de"},
     {"query": "q", "freshness": "month", "search_lang": "de"}),
    ("google", {"q": "q", "limit": 3}, {"query": "q", "num": 3}),
    ("duckduckgo", {"q": "q", "count": 3}, {"query": "q", "max_results": 3}),
    ("brave", {"query": "q", "maxResults": 3, "site": "a.example"},
     {"query": "q", "count": 3, "allowed_domains": ["a.example"]}),
    ("open", {"link": "u", "maxTokens": 9}, {"url": "u", "max_tokens": 9}),
    ("batch", {"urls": ["u", "v"]}, {"items": [{"url": "u"}, {"url": "v"}]}),
    ("batch", {"items": ["u", {"link": "v", "mode": "raw"}]}, {"items": [{"url": "u"}, {"mode": "raw", "url": "v"}]}),
    ("cache get", {"id": "3f9a"}, {"hash": "3f9a"}),
    ("cache get", {"uri": "resource://cache/3f9a"}, {"hash": "resource://cache/3f9a"}),
    ("extract", {"content": "<p>x"}, {"html": "<p>x"}),
    ("extract", {"html": "<p>x", "url": "u"}, {"html": "<p>x", "base_url": "u"}),
    ("batch", {"url": "u"}, {"items": [{"url": "u"}]}),
    ("batch", {"items": {"link": "u"}}, {"items": [{"url": "u"}]}),
    # values as JSON text, under the schema's name and under others
    ("batch", {"items": '[{"link": "u"}]'}, {"items": [{"url": "u"}]}),
    ("batch", {"items": '{"url": "u"}'}, {"items": [{"url": "u"}]}),
    ("batch", {"items": ['{"link": "u"}', "v"]}, {"items": [{"url": "u"}, {"url": "v"}]}),
    ("batch", {"items": "https://a.example/"}, {"items": [{"url": "https://a.example/"}]}),
    ("batch", {"urls": '["u", "v"]'}, {"items": [{"url": "u"}, {"url": "v"}]}),
    ("batch", {"links": ' [{"url": "u", "mode": "raw"}] '}, {"items": [{"url": "u", "mode": "raw"}]}),
    ("batch", {"urls": "u"}, {"items": [{"url": "u"}]}),
    ("search", {"query": "q", "domains": '["a.example"]'}, {"query": "q", "domain_allowlist": ["a.example"]}),
    ("search", {"query": "q", "excludeDomains": "a.example"}, {"query": "q", "blocked_domains": ["a.example"]}),
    ("search", {"q": "q", "topn": "4"}, {"query": "q", "count": 4}),
    ("search", {"q": "q", "count": "", "n": 4}, {"query": "q", "count": 4}),
    ("search", {"q": "q", "recency": "3"}, {"query": "q", "freshness": "pw"}),
    ("search", {"q": "q", "freshness": 7}, {"query": "q", "freshness": "pw"}),
    ("search", {"q": "q", "freshness": "7"}, {"query": "q", "freshness": "7"}),
    ("search", {"q": "q", "freshness": ""}, {"query": "q", "freshness": ""}),
    ("search", {"q": "q", "country": {"country": "DE"}}, {"query": "q", "country": "DE"}),
    ("open", {"url": "u", "force_refresh": True}, {"url": "u", "force_refresh": True}),
    ("search", {"q": "q", "user_location": '{"country": "DE"}'}, {"query": "q", "country": "DE"}),
    ("open", {"url": "u", "use_cache": "false"}, {"url": "u", "force_refresh": True}),
    ("open", {"url": "u", "extract": '{"charThreshold": "5"}'}, {"url": "u", "extract": {"char_threshold": 5}}),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "request_", "taken"), TAKEN)
def test_other_names_are_taken(tool, request_, taken):
    renamed, notes = aliases.rename_arguments(TOOLS[tool], request_)
    assert renamed == taken
    assert [note for note in notes if "unknown" in note] == []


# (tool, request, what the note says)
UNKNOWN = [
    ("open", {"url": "u", "max_byte": 5}, "unknown argument max_byte was ignored. Did you mean max_bytes?"),
    ("open", {"url": "u", "colour": "red"}, "unknown argument colour was ignored"),
    ("search", {"query": "q", "safe_serch": "off"},
     "unknown argument safe_serch was ignored. Did you mean safesearch?"),
    ("search", {"query": "q", "q": "r"}, "argument q was not used, as query is given"),
    ("batch", {"items": [{"url": "u", "moode": "raw"}]},
     "unknown argument items[0].moode was ignored. Did you mean mode?"),
    ("open", {"url": "u", "extract": {"treshold": 1}}, "unknown argument extract.treshold was ignored"),
    ("fetch", {"url": "u", "count": 3}, "unknown argument count was ignored"),
    ("open", {"prompt": "See https://a.example/.", "link": "https://b.example/"},
     "unknown argument prompt was ignored. query finds passages"),
    *[("open", {name: "https://a.example/"}, f"unknown argument {name} was ignored")
      for name in ("referer", "user_agent", "proxy", "callback_url")],
]  # fmt: skip


@pytest.mark.parametrize(("tool", "request_", "note"), UNKNOWN)
def test_unknown_arguments_are_named_with_the_nearest_known_one(tool, request_, note):
    notes = aliases.rename_arguments(TOOLS[tool], request_)[1]
    assert [given_note.partition(". Did")[0] for given_note in notes] == [note.partition(". Did")[0]]
    assert notes[0].startswith(note)


def test_null_is_absent_under_any_name():
    request = {"query": "q", "colour": None, "topn": None}
    assert aliases.rename_arguments(TOOLS["search"], request) == ({"query": "q"}, [])


@pytest.mark.parametrize("name", ["older_than_day", "olderThanDays", "older", "days"])
def test_a_tool_that_deletes_refuses_unknown_arguments(name):
    with pytest.raises(InvalidArgument, match=f"unknown argument {name}; nothing was deleted") as caught:
        aliases.refuse_unknown(TOOLS["cache purge"], {name: 30})
    assert "older_than_days" in caught.value.hint


@given(st.dictionaries(st.text(max_size=12), st.none() | st.text() | st.integers() | st.lists(st.text()), max_size=6))
def test_any_request_is_spelled_and_twice_is_once(request_):
    for parameters in TOOLS.values():
        renamed, _ = aliases.rename_arguments(parameters, request_)
        assert set(renamed) <= set(parameters["properties"])
        assert aliases.rename_arguments(parameters, renamed) == (renamed, [])


def test_many_unknown_arguments_get_few_notes_and_cost_little(monkeypatch):
    asked = []
    monkeypatch.setattr(aliases, "nearest", lambda word, _known: asked.append(word) or "")
    unknown = {f"colour{number}": 1 for number in range(300)}
    _, notes = aliases.rename_arguments(TOOLS["batch"], {**unknown, "items": [{"url": "a", **unknown}] * 300})
    assert len(notes) == 20
    _, notes = aliases.rename_arguments(TOOLS["batch"], {"items": [{"url": "a", **unknown}] * 300})
    assert len(notes) == 5
    assert len(asked) <= 30
    renamed, _ = aliases.rename_arguments(TOOLS["open"], {**unknown, "prompt": "read https://a.example/"})
    assert renamed == {"url": "https://a.example/"}


def test_similar_names_are_looked_for_at_the_first_arguments_only_if_all_are_prose(monkeypatch):
    parameters = {"properties": {"url": {"type": "string"}}}
    words = []
    monkeypatch.setattr(aliases, "nearest", lambda word, known: words.append(word) or "")
    prose = {f"te{'_' * number}xt": "no address" for number in range(100)}
    arguments, notes = aliases.rename_arguments(parameters, {**prose, "prompt": "see https://a.example/x."})
    assert arguments == {"url": "https://a.example/x"}
    assert len(words) == len(notes) == 20
