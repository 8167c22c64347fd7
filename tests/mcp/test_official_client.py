"""The official Python client against the built archive, over stdio and HTTP, from tools to cancellation."""

import contextlib
import json
import re
import sys

import pytest
from mcp_http_peer import HttpPeer

anyio = pytest.importorskip("anyio", reason="mcp is not installed (tests/peers.txt)")
mcp = pytest.importorskip("mcp", reason="mcp is not installed (tests/peers.txt)")
jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed (tests/peers.txt)")

streamable_http_client = pytest.importorskip("mcp.client.streamable_http").streamable_http_client

pytestmark = pytest.mark.peers("mcp", "jsonschema")
MODES = ["legacy", "auto"]


@pytest.fixture(params=["stdio", "http"])
def run(request, archive, environ, tmp_path):
    """Run a coroutine function with a connected client; its answers are checked against the tools' output schemas."""

    @contextlib.contextmanager
    def over_stdio(variables):
        parameters = mcp.StdioServerParameters(
            command=sys.executable, args=["-I", "-S", str(archive), "mcp"], env={**environ, **variables}
        )
        with (tmp_path / "stderr").open("a") as errors:
            yield mcp.stdio_client(parameters, errlog=errors)

    @contextlib.contextmanager
    def over_http(variables):
        with HttpPeer(archive, **environ, **variables) as peer:
            yield streamable_http_client(peer.url)

    def start(work, mode="auto", client_options=None, **further):
        async def main():
            with (over_stdio if request.param == "stdio" else over_http)(further) as transport:
                async with mcp.Client(transport, mode=mode, **(client_options or {})) as client:
                    listed = await client.list_tools()
                    checked = Checked(client, {tool.name: tool.output_schema for tool in listed.tools})
                    await work(checked)

        anyio.run(main)

    return start


class Checked:
    """A client that checks every tool result against its schema, and its text against its object."""

    def __init__(self, client, schemas):
        self.client = client
        self.schemas = schemas

    async def call(self, name, **arguments):
        result = await self.client.call_tool(name, arguments)
        jsonschema.validate(result.structured_content, self.schemas[name])
        content, text = result.structured_content, result.content[0].text
        if result.is_error:
            assert json.loads(text) == content
        elif "frame" in content:
            assert text.count(content["frame"]) == 1
            assert text.endswith(content["frame_end"])
            names = list(content)
            assert not {"note", "verdict", "total_matches", "failed"} & set(names[names.index("frame") :])
            assert names[-1] == "frame_end"
        return result

    async def ok(self, name, **arguments):
        result = await self.call(name, **arguments)
        assert not result.is_error, result.structured_content
        return result.structured_content

    async def fails(self, name, **arguments):
        result = await self.call(name, **arguments)
        assert result.is_error
        return result.structured_content


@pytest.mark.parametrize("mode", MODES)
def test_a_session_from_search_to_purge(run, site, providers, mode):
    async def work(client):
        content = await client.ok("web_search", query="tides", extra_snippets=True)
        assert content["results"][0]["rank"] == 1
        assert {result["source"] for result in content["results"]} == {"brave"}
        assert content["query"]["original"] == "tides"

        url = f"{site.url}/article"
        page = await client.ok("web_open", url=url)
        assert page["url"] == page["final_url"] == url
        assert page["title"].startswith("Tide tables")
        assert page["markdown"].partition("\n")[2].startswith('---\ntitle: "Tide tables: how to')
        assert "Paragraph 12 says" in page["markdown"]
        assert {"text": "its own page", "href": f"{site.url}/town/3"} in page["links"]

        again = await client.ok("web_open", url=url)
        assert again["hash"] == page["hash"]
        assert site.paths() == ["/article"]

        kept = await client.ok("cache_get", hash=page["hash"])
        assert "Paragraph 12 says" in kept["markdown"]
        resource = (await client.client.read_resource(f"resource://cache/{page['hash']}")).contents[0]
        assert resource.mime_type == "text/markdown"
        assert "Paragraph 12 says" in resource.text
        meta = (await client.client.read_resource(f"resource://meta/{page['hash']}")).contents[0]
        assert json.loads(meta.text)["url"] == url
        listed = await client.client.list_resources()
        assert [entry.uri for entry in listed.resources] == [f"resource://cache/{page['hash']}"]
        assert len((await client.client.list_resource_templates()).resource_templates) == 2
        prompt = (await client.client.list_prompts()).prompts[0]
        got = await client.client.get_prompt(prompt.name, {"url": url})
        assert url in got.messages[0].content.text
        extracted = await client.ok("web_extract", html="<main><h1>Rivers</h1></main>")
        assert "# Rivers" in extracted["markdown"]

        batch = await client.ok(
            "web_batch_open", items=[{"url": url}, {"url": f"{site.url}/none"}, {"url": "ftp://x/"}]
        )
        assert [item["url"] for item in batch["items"]] == [url]
        assert [entry["error_code"] for entry in batch["failed"]] == ["HTTP_ERROR", "INVALID_URL"]

        assert (await client.ok("cache_purge", domain="127.0.0.1")) == {"deleted": 1}
        assert (await client.fails("cache_get", hash=page["hash"]))["error_code"] == "CACHE_MISS"

    run(work, mode, **providers.environ())


# (path, arguments, error code, further members)
FAILURES = [
    ("/none", {}, "HTTP_ERROR", {"status_code": 404}),
    ("/private", {}, "ROBOTS_DISALLOWED", {}),
    ("/article", {"mode": "rendered"}, "RENDER_DISABLED", {}),
    ("/long", {"max_bytes": 100}, "FETCH_TOO_LARGE", {}),
    ("/slow", {"timeout_ms": 300}, "FETCH_TIMEOUT", {"retryable": True}),
    ("/article", {"mode": "sideways"}, "INVALID_ARGUMENT", {}),
    ("/article", {"max_bytes": 0}, "INVALID_ARGUMENT", {}),
    ("/article", {"accept": "a\r\nX: y"}, "INVALID_ARGUMENT", {}),
]


def test_failures_are_results_with_a_hint(run, site):
    async def work(client):
        for path, arguments, code, members in FAILURES:
            error = await client.fails("web_open", url=site.url + path, **arguments)
            assert error["error_code"] == code, error
            assert error["error"]
            assert error["hint"]
            assert members.items() <= error.items()
        assert (await client.fails("web_open"))["error_code"] == "INVALID_ARGUMENT"
        for url, code in (("http://169.254.169.254/", "SSRF_BLOCKED"), ("http://[::1]/", "SSRF_BLOCKED")):
            assert (await client.fails("web_open", url=url))["error_code"] == code
        with pytest.raises(mcp.MCPError) as caught:
            await client.client.call_tool("web_fly", {})
        assert caught.value.code == -32602

    run(work)


def test_brave_errors_have_the_names_of_this_server(run, providers):
    async def work(client):
        providers.answer("brave", 429, "brave_rate_limited.json", {"X-RateLimit-Reset": "30, 3600"})
        assert (await client.fails("web_search", query="tides"))["error_code"] == "BRAVE_RATE_LIMITED"
        providers.answer("brave", 422, "brave_bad_key.json")
        assert (await client.fails("web_search", query="ebb"))["error_code"] == "BRAVE_AUTH_ERROR"

    run(work, **providers.environ(WEBTOOL_SEARCH_INTERVAL="0", WEBTOOL_SEARCH_PROVIDER="brave"))

    async def without_key(client):
        assert (await client.fails("web_search", query="tides"))["error_code"] == "BRAVE_AUTH_ERROR"

    run(without_key, **providers.environ(keys=False, WEBTOOL_SEARCH_PROVIDER="brave"))


def test_without_a_key_the_free_provider_answers_and_says_so(run, providers):
    async def work(client):
        content = await client.ok("web_search", query="tides", freshness="")
        assert {result["source"] for result in content["results"]} == {"duckduckgo"}

    run(work, **providers.environ(keys=False, WEBTOOL_SEARXNG_URL=""))


def test_a_long_page_comes_in_parts_that_make_the_whole(run, site):
    async def work(client):
        lines, offset, parts = [], 1, 0
        while offset:
            page = await client.ok("web_open", url=f"{site.url}/long", mode="raw", offset=offset)
            assert len(json.dumps(page)) < 4 * 25000
            lines += page["raw"].split("\n")
            offset, parts = page.get("next_offset"), parts + 1
        assert parts > 3
        assert lines == [f"line {n} of many" for n in range(1, 20001)] + [""]
        assert site.paths() == ["/long"]
        whole = await client.ok("web_open", url=f"{site.url}/long", mode="raw", max_tokens=1000000)
        assert "next_offset" not in whole
        assert whole["raw"] == "\n".join(lines)

    run(work)


def test_a_page_cannot_forge_the_end_of_its_frame(run, site):
    markers = set()

    async def work(client):
        for _ in range(3):
            page = await client.ok("web_open", url=f"{site.url}/article")
            begin, end = re.match(r"<<<([0-9a-f]{16}) .*\n---\n", page["markdown"]), page["markdown"].split("\n")[-1]
            assert end == f"{begin[1]}>>>"
            assert page["markdown"].count(begin[1]) == 2
            markers.add(begin[1])

    run(work)
    assert len(markers) == 3


def test_progress_and_parallel_calls(run, site):
    async def work(client):
        progress = []

        async def on_progress(done, total, message):
            progress.append((done, total))

        items = [{"url": f"{site.url}/data.json?{n}", "mode": "raw"} for n in range(8)]
        result = await client.client.call_tool("web_batch_open", {"items": items}, progress_callback=on_progress)
        assert [item["url"] for item in result.structured_content["items"]] == [item["url"] for item in items]
        await anyio.sleep(0)
        assert progress[-1] == (8, 8)
        results = []

        async def one(n):
            results.append(await client.ok("web_open", url=f"{site.url}/data.json?p{n}", mode="raw"))

        async with anyio.create_task_group() as group:
            for n in range(50):
                group.start_soon(one, n)
        assert len({page["hash"] for page in results}) == 50

    run(work)


def test_a_call_given_up_by_the_client_closes_its_connection(run, site):
    async def work(client):
        async with anyio.create_task_group() as group:
            group.start_soon(client.client.call_tool, "web_open", {"url": f"{site.url}/slow", "mode": "raw"})
            while not site.paths():
                await anyio.sleep(0.01)
            group.cancel_scope.cancel()
        assert await anyio.to_thread.run_sync(site.closed_early.wait, 3)

    run(work)


def test_without_a_cache_only_the_cache_tools_fail(run, site):
    async def work(client):
        page = await client.ok("web_open", url=f"{site.url}/data.json", mode="raw")
        assert (await client.fails("cache_get", hash=page["hash"]))["error_code"] == "CACHE_ERROR"
        assert (await client.fails("cache_purge"))["error_code"] == "CACHE_ERROR"

    run(work, WEBTOOL_CACHE="off")
