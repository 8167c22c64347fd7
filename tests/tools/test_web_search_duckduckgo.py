"""web_search_duckduckgo: its schema, and a call as a host makes it."""

import json
import pathlib
import re

import pytest
from fake_providers import Providers, run_tool

from webtool.cli import host
from webtool.errors import WebtoolError
from webtool.schemas import printed
from webtool.tools import web_search_duckduckgo

SEEDS = pathlib.Path(__file__).resolve().parents[3] / "shared" / "seeds"


def test_a_search_needs_no_key_and_repeats_the_query():
    with Providers() as providers:
        result = run_tool(providers, web_search_duckduckgo, {"query": "high  tide"}, keys=False)
    assert list(result.data) == ["success", "query", "count", "results"]
    assert result.data["query"] == "high  tide"
    assert result.data["results"][0] == {
        "title": "Tides & times",
        "url": "https://harbour.example.com/tides?a=1&b=50%25+x&rut=mine",
        "description": "High water at <noon>.",
        "snippet": "High water at <noon>.",
        "published_date": "2026-06-07T00:00:00Z",
    }


def many(count):
    blocks = "".join(
        f'<div class="result web-result"><a class="result__a" href="https://x.example/{number}">T</a></div>'
        for number in range(count)
    )
    return f'<html><div id="links">{blocks}</div></html>'


@pytest.mark.parametrize(("max_results", "sent"), [(None, 5), (3, 3), (10, 10), (50, 10), (0, 1), (-7, 1), (4.0, 4)])
def test_max_results_is_moved_into_its_range(max_results, sent):
    request = {"query": "tides"} if max_results is None else {"query": "tides", "max_results": max_results}
    with Providers() as providers:
        providers.answer("duckduckgo", 200, many(30))
        assert run_tool(providers, web_search_duckduckgo, request, keys=False).data["count"] == sent


@pytest.mark.parametrize("wrong", ["five", True, 2.5, [5]])
def test_max_results_of_another_type_is_refused(wrong):
    with Providers() as providers, pytest.raises(WebtoolError, match=r"^max_results must be an integer"):
        run_tool(providers, web_search_duckduckgo, {"query": "tides", "max_results": wrong}, keys=False)


def test_lists_are_accepted_though_the_printed_schema_is_silent_about_them():
    with Providers() as providers:
        request = {"query": "tides", "blocked_domains": ["example.com"], "max_results": 2}
        result = run_tool(providers, web_search_duckduckgo, request, keys=False)
    assert [one["title"] for one in result.data["results"]] == ["Charts", "Telling a challenge-form from results"]


def test_errors_repeat_the_query_and_have_no_results():
    with Providers() as providers:
        providers.answer("duckduckgo", 202, "duckduckgo_puzzle.html")
        with pytest.raises(WebtoolError) as caught:
            run_tool(providers, web_search_duckduckgo, {"query": "tides"}, keys=False)
    caught.value.request = {"query": "tides"}
    error = host.error_object(caught.value, "duckduckgo")
    assert (error["success"], error["error_code"], error["query"], error["results"]) == (False, "BLOCKED", "tides", [])


def test_the_printed_parameters_are_the_seed_s_to_the_byte():
    seed = SEEDS / "promptkt-web-search-tool.md"
    if not seed.is_file():
        pytest.skip("../shared is not beside this checkout")
    block = re.findall(r"```json\n(.*?)```", seed.read_text(encoding="utf-8"), re.DOTALL)[0]
    lines = printed.schema_of(web_search_duckduckgo, full=False)
    assert list(json.loads(lines)["parameters"]["properties"]) == ["query", "max_results"]
    indented = block.rstrip("\n").replace("\n", "\n  ")
    assert f'"parameters": {indented}\n}}\n' in lines
