"""The methods of both protocol families, each with its own form of results."""

import json
import subprocess
import sys

import pytest

HANDSHAKES = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
LISTS = {"tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources"}


@pytest.mark.parametrize("version", HANDSHAKES)
def test_the_handshake_agrees_on_the_clients_version(peer, version):
    result = peer.shake_hands(version)
    assert result["protocolVersion"] == version
    assert result["serverInfo"]["name"] == "webtool"
    assert {"tools", "resources", "prompts", "logging"} <= set(result["capabilities"])
    assert ("completions" in result["capabilities"]) == (version != "2024-11-05")
    assert "resultType" not in result


@pytest.mark.parametrize("version", ["1999-01-01", "2026-07-28", ""])
def test_the_handshake_offers_its_newest_version_for_an_unknown_one(peer, version):
    assert peer.shake_hands(version)["protocolVersion"] == HANDSHAKES[-1]


@pytest.mark.parametrize("version", HANDSHAKES)
def test_members_of_later_versions_are_left_out(peer, site, version):
    peer.shake_hands(version)
    tool = peer.ask(1, "tools/list")["result"]["tools"][0]
    assert ("outputSchema" in tool) == ("title" in tool) == (version >= "2025-06-18")
    assert ("annotations" in tool) == (version >= "2025-03-26")
    result = peer.call(2, "web_open", url=f"{site.url}/data.json", mode="raw")
    assert ("structuredContent" in result) == (version >= "2025-06-18")
    for method in LISTS:
        assert not {"resultType", "ttlMs", "cacheScope", "_meta"} & set(peer.ask(method, method)["result"])


def test_the_stateless_family_needs_no_handshake(peer, site):
    result = peer.ask(1, "server/discover", stateless=True)["result"]
    assert result["supportedVersions"][0] == "2026-07-28"
    assert set(HANDSHAKES) < set(result["supportedVersions"])
    assert result["resultType"] == "complete"
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "webtool"
    for method, member in LISTS.items():
        result = peer.ask(method, method, stateless=True)["result"]
        assert isinstance(result[member], list)
        assert result["resultType"] == "complete"
        assert result["ttlMs"] >= 0
        assert result["cacheScope"] in ("public", "private")
    opened = peer.ask(
        2, "tools/call", stateless=True, name="web_open", arguments={"url": f"{site.url}/data.json", "mode": "raw"}
    )["result"]
    assert opened["resultType"] == "complete"
    assert opened["structuredContent"]["raw"].startswith("{")
    assert "ttlMs" not in opened


@pytest.mark.parametrize("method", ["ping", "logging/setLevel", "initialize", "initialize/x", "resources/subscribe"])
def test_methods_of_the_handshake_family_are_unknown_to_the_stateless_family(peer, method):
    assert peer.ask(1, method, stateless=True, level="info")["error"]["code"] == -32601


def test_the_error_for_an_unknown_version_lists_the_known_ones(peer):
    meta = {"io.modelcontextprotocol/protocolVersion": "2031-01-01", "io.modelcontextprotocol/clientCapabilities": {}}
    error = peer.ask(1, "tools/list", _meta=meta)["error"]
    assert error["code"] == -32022
    assert error["data"]["requested"] == "2031-01-01"
    assert "2026-07-28" in error["data"]["supported"]


@pytest.mark.parametrize(
    "meta",
    [
        {"io.modelcontextprotocol/protocolVersion": "2026-07-28"},
        {"io.modelcontextprotocol/protocolVersion": 3, "io.modelcontextprotocol/clientCapabilities": {}},
        {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": 1},
    ],
)
def test_a_stateless_request_without_its_required_members_is_refused(peer, meta):
    assert peer.ask(1, "tools/list", _meta=meta)["error"]["code"] == -32602


def test_both_families_are_served_by_one_process(peer):
    peer.shake_hands()
    assert "resultType" not in peer.ask(1, "tools/list")["result"]
    assert peer.ask(2, "tools/list", stateless=True)["result"]["resultType"] == "complete"
    assert "resultType" not in peer.ask(3, "tools/list")["result"]


def test_a_missing_resource_has_the_code_of_its_family(peer):
    uri = "resource://cache/" + "0" * 64
    peer.shake_hands()
    assert peer.ask(1, "resources/read", uri=uri)["error"]["code"] == -32002
    assert peer.ask(2, "resources/read", stateless=True, uri=uri)["error"]["code"] == -32602


def test_the_list_of_tools_is_short_and_always_the_same(legacy):
    first, second = (legacy.ask(number, "tools/list")["result"] for number in (1, 2))
    assert first == second
    assert len(json.dumps(first, ensure_ascii=False)) < 4 * 2900  # tokens
    assert [tool["name"] for tool in first["tools"]] == [
        "web_search", "web_open", "web_batch_open", "web_extract", "cache_get", "cache_purge",
        "cache_search",
    ]  # fmt: skip
    for tool in first["tools"]:
        assert tool["title"]
        assert tool["description"]
        assert tool["inputSchema"]["type"] == tool["outputSchema"]["type"] == "object"
        hints = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
        assert set(tool["annotations"]) == hints
    assert [tool["name"] for tool in first["tools"] if tool["annotations"]["destructiveHint"]] == ["cache_purge"]


def test_log_messages_come_at_the_level_asked_for(legacy, site):
    url = f"{site.url}/data.json?token=hunter2"
    legacy.call(1, "web_open", url=url, mode="raw")  # nobody asked: no message
    legacy.ask(2, "logging/setLevel", level="info")
    legacy.request(3, "tools/call", name="web_open", arguments={"url": url, "mode": "raw"})
    message, answer = legacy.hear(), legacy.hear()
    assert message["method"] == "notifications/message"
    assert message["params"]["level"] == "info"
    assert message["params"]["data"]["tool"] == "web_open"
    assert answer["id"] == 3
    legacy.ask(4, "logging/setLevel", level="error")
    legacy.call(5, "web_open", url=url, mode="raw")
    legacy.end()
    records = [json.loads(line) for line in legacy.errors]
    assert all(set(record) == {"ts", "tool", "url", "ms", "cache_hit", "status", "error_code"} for record in records)
    assert len(records) == 3
    assert "hunter2" not in "".join(legacy.errors)


def test_a_call_of_an_unknown_tool_is_logged_as_a_failure(legacy):
    legacy.ask(1, "logging/setLevel", level="warning")
    legacy.request(2, "tools/call", name="web_fly", arguments={})
    message = legacy.hear()
    assert message["params"]["level"] == "warning"
    assert message["params"]["data"]["error_code"] == "INVALID_REQUEST"
    assert legacy.hear()["error"]["code"] == -32602
    legacy.end()


def test_stateless_log_messages_come_for_requests_that_ask_only(peer, site):
    arguments = {"url": f"{site.url}/data.json", "mode": "raw"}
    level = {"io.modelcontextprotocol/logLevel": "debug"}
    peer.request(1, "tools/call", stateless=True, name="web_open", arguments=arguments, _meta=level)
    assert peer.hear()["method"] == "notifications/message"
    assert peer.hear()["id"] == 1
    peer.ask(2, "tools/call", stateless=True, name="web_open", arguments=arguments)


def test_progress_of_a_batch_rises_and_ends_before_the_answer(legacy, site):
    items = [{"url": f"{site.url}/data.json?{n}", "mode": "raw"} for n in range(6)]
    legacy.request(1, "tools/call", name="web_batch_open", arguments={"items": items}, _meta={"progressToken": "token"})
    heard = [legacy.hear() for _ in range(7)]
    notes = [message["params"] for message in heard[:-1]]
    assert [note["progress"] for note in notes] == sorted({note["progress"] for note in notes})
    assert all(note["progressToken"] == "token" and note["total"] == 6 for note in notes)
    assert heard[-1]["id"] == 1


@pytest.mark.parametrize("url", ["http://10.0.0.1/{}", "SITE/data.json?{}", "SITE/article?{}"])
def test_hundreds_of_items_stay_below_the_limit_of_an_answer(legacy, site, url):
    items = [{"url": url.replace("SITE", site.url).format(n)} for n in range(250)]
    first, answered = 0, 0
    for number in range(20):
        result = legacy.call(number, "web_batch_open", items=items[first:], concurrency=16)
        assert len(result["content"][0]["text"].encode()) < 50000
        content = result["structuredContent"]
        answered += len(content["items"]) + len(content["failed"])
        if "next_item" not in content:
            break
        first += content["next_item"] - 1
    assert answered == 250
    assert number > 1


def test_prompts_name_the_page_and_completion_knows_opened_ones(legacy, site):
    url = f"{site.url}/data.json"
    prompts = legacy.ask(1, "prompts/list")["result"]["prompts"]
    for prompt in prompts:
        got = legacy.ask(2, "prompts/get", name=prompt["name"], arguments={"url": url, "focus": "speed"})["result"]
        text = got["messages"][0]["content"]["text"]
        assert url in text
        assert "speed" in text
    reference = {"type": "ref/prompt", "name": prompts[0]["name"]}
    argument = {"name": "url", "value": "127.0.0.1"}
    assert (
        legacy.ask(3, "completion/complete", ref=reference, argument=argument)["result"]["completion"]["values"] == []
    )
    opened = legacy.call(4, "web_open", url=url, mode="raw")["structuredContent"]
    completion = legacy.ask(5, "completion/complete", ref=reference, argument=argument)["result"]["completion"]
    assert completion["values"] == [url]
    reference = {"type": "ref/resource", "uri": "resource://cache/{hash}"}
    argument = {"name": "hash", "value": opened["hash"][:3]}
    completion = legacy.ask(6, "completion/complete", ref=reference, argument=argument)["result"]["completion"]
    assert completion["values"] == [opened["hash"]]


def test_the_handshake_imports_nothing_that_costs(archive):
    """An agent's host waits for this answer at every start."""
    line = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}\n'
    start = "import sys; del sys.argv[0]; sys.path.insert(0, sys.argv[0]); import webtool.__main__"  # as its first line
    command = [sys.executable, "-I", "-S", "-X", "importtime", "-c", start, str(archive), "mcp"]
    done = subprocess.run(command, input=line, capture_output=True, timeout=60)
    assert json.loads(done.stdout)["result"]["protocolVersion"] == "2025-11-25"
    imported = {row.rpartition(b"|")[2].strip().decode() for row in done.stderr.splitlines() if b"|" in row}
    costly = {
        "typing", "dataclasses", "asyncio", "argparse", "logging", "ssl", "socket", "sqlite3", "_sqlite3", "subprocess",
        "pathlib", "urllib.parse", "html", "webtool.urls", "webtool.pages", "webtool.html", "webtool.net.client",
        "webtool.tools.web_open", "webtool.cache.store",
    }  # fmt: skip
    assert "webtool.mcp.server" in imported
    assert imported & costly == set()
