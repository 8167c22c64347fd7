"""An answer gets a frame and a budget on its way to an MCP client."""

import json
import time

import pytest

from webtool.answers import budget
from webtool.context import Context, Result
from webtool.mcp import tools
from webtool.settings import Settings


def result(data, text="text"):
    return tools.as_result(Result(text, data), 12000)


def test_a_search_answer_that_is_too_long_loses_excerpts_first_and_then_results():
    def answer(results, excerpts):
        one = {"title": "t" * 500, "description": "d" * 2000, "extra_snippets": ["x" * 2000] * excerpts}
        return {"results": [dict(one, rank=rank) for rank in range(results)], "query": {}, "debug": {}}

    small = answer(3, 1)
    assert budget.fit_tokens(small, 12000) == small
    for results, excerpts in ((10, 10), (200, 10)):
        cut = budget.fit_tokens(answer(results, excerpts), 12000)
        assert budget.estimate_tokens(json.dumps(cut)) <= 12000
        assert [one["rank"] for one in cut["results"]] == list(range(len(cut["results"])))
        assert len(cut["results"]) >= 10
        assert all("extra_snippets" not in one for one in cut["results"][10:])
        assert "cut to fit" in cut["note"]


HOSTILE = [
    {"markdown": "x" * 1000000, "title": "T", "links": [{"text": "l", "href": "h"}] * 5000, "note": "n"},
    {"markdown": "x" * 3000, "final_url": "https://a.example/" + "y" * 1000000, "title": "t" * 1000000},
    {"raw": '"' * 500000},
    {"items": [{"markdown": "x" * 20000}] * 40, "failed": []},
    {"note": "n" * 1000000, "headers": {"a": "b"}},
]


@pytest.mark.parametrize("data", HOSTILE)
def test_an_answer_has_at_most_its_budget_whatever_is_in_it(data):
    answer = result(data, str(data.get("markdown", "")))
    assert budget.estimate_tokens(json.dumps(answer["structuredContent"])) <= 12000
    assert budget.estimate_tokens(answer["content"][0]["text"]) <= 12000
    assert len(answer["content"][0]["text"]) <= 50000


def test_all_that_strangers_wrote_is_between_the_markers():
    data = {
        "title": "SEEN",
        "url": "https://SEEN.example/",
        "markdown": "# SEEN\n\n| a |",
        "hash": "3f9a",
        "note": "ours",
        "verdict": "absent",
    }
    answer = result(data, data["markdown"])
    assert list(answer["structuredContent"]) == [
        *("hash", "note", "verdict"),
        *("frame", "title", "url", "markdown", "frame_end"),
    ]
    text = answer["content"][0]["text"]
    assert text.startswith("hash: 3f9a\nnote: ours\n<<<")
    before, _, rest = text.partition("<<<")
    assert "SEEN" not in before
    assert rest.partition("\n")[2].startswith("# SEEN\n\n| a |\n")
    whole = json.dumps(answer["structuredContent"])
    assert "SEEN" not in whole.partition("instructions")[0]
    assert whole.endswith('>>>"}')


def test_an_answer_without_strangers_words_has_no_frame():
    assert result({"deleted": 3}, "deleted: 3") == {
        "content": [{"type": "text", "text": "deleted: 3"}],
        "structuredContent": {"deleted": 3},
    }


def test_tools_with_long_answers_raise_the_limit_of_claude_code():
    marked = [entry["name"] for entry in tools.all_entries() if "_meta" in entry]
    assert {"web_open", "web_batch_open", "cache_get"} <= set(marked)
    assert all(
        entry["_meta"] == {"anthropic/maxResultSizeChars": 200000} for entry in tools.all_entries() if "_meta" in entry
    )
    assert all("_meta" not in entry for entry in tools.listing("2025-03-26"))


def test_the_schema_of_an_answer_is_that_of_a_result_or_of_an_error():
    for entry in tools.all_entries():
        either = entry["outputSchema"]["anyOf"]
        assert either[1] == {"required": ["error_code"]}
        assert set(either[0]["required"]) <= set(entry["outputSchema"]["properties"])


@pytest.mark.parametrize("timeout", [2**53 - 1, 10**400, 1e308])
def test_a_call_may_wait_for_a_day_at_most(timeout):
    ctx = Context(Settings(cache=False), environ={})
    ctx.deadline = time.monotonic()
    answer = tools.call(ctx, "web_open", {"url": "http://127.0.0.1:1/", "timeout_ms": timeout}, "2025-11-25")
    assert answer["structuredContent"]["error_code"] == "SSRF_BLOCKED"
    assert ctx.deadline <= time.monotonic() + 86400
