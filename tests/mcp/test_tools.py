"""What is added to a tool's answer on its way to a client."""

import json

from webtool.answers import tokens
from webtool.mcp import tools


def test_a_search_answer_that_is_too_long_loses_excerpts_first_and_then_results():
    def answer(results, excerpts):
        one = {"title": "t" * 500, "description": "d" * 2000, "extra_snippets": ["x" * 2000] * excerpts}
        return {"results": [dict(one, rank=rank) for rank in range(results)], "query": {}, "debug": {}}

    small = answer(3, 1)
    assert tools._search(small) == small
    for results, excerpts in ((20, 10), (200, 10)):
        cut = tools._search(answer(results, excerpts))
        assert tokens.estimate(json.dumps(cut)) <= tools.MAX_TOKENS
        assert [result["rank"] for result in cut["results"]] == list(range(len(cut["results"])))
        assert len(cut["results"]) >= 20
        assert all("extra_snippets" not in result for result in cut["results"][20:])


def test_the_schema_of_an_answer_is_that_of_a_result_or_of_an_error():
    for entry in tools.all_entries():
        either = entry["outputSchema"]["anyOf"]
        assert either[1] == {"required": ["error_code"]}
        assert set(either[0]["required"]) <= set(entry["outputSchema"]["properties"])
