"""Arguments that clients send as JSON text give what the values themselves give: over MCP, from hosts, in commands."""

import json
import os
import subprocess
import sys
import time

import pytest
from fake_providers import Providers
from mcp_peer import Peer
from servers import page, serving

from webtool import registry
from webtool.cli import help_text
from webtool.errors import InvalidArgument
from webtool.pages.answer import left_out_list
from webtool.tools import web_open

TEXT = "".join(
    f"<p>Paragraph {number} tells of the harbour, of its ferries, boats and berths.</p>" for number in range(30)
)
ASIDE = "<aside class=promo><h2>Offers</h2><p>Buy a boat now, and pay in spring.</p></aside>"
web = serving(
    {"/page": page(f"<title>T</title><main><h1>Harbour</h1>{TEXT}</main>{ASIDE}"), "/two": page("<p>Two</p>")}
)
# tool, arguments as values, the same as text
CALLS = [
    ("web_open", {"with": [1]}, {"with": "[1]"}),
    ("web_open", {"left_out": True, "max_tokens": 400}, {"left_out": "true", "max_tokens": "400"}),
    ("web_open", {"extract": {"char_threshold": 100}}, {"extract": '{"char_threshold": 100}'}),
    ("web_open", {"offset": 5}, {"offset": "5", "find": "", "max_tokens": "", "with": "null"}),
    ("web_open", {"find": "ferries", "context": 0}, {"find": "ferries", "context": "0"}),
    ("web_batch_open", {"items": [{"url": "WEB/page"}, {"url": "WEB/two"}]},
     {"items": '[{"url": "WEB/page"}, {"url": "WEB/two"}]', "concurrency": "2"}),
    ("web_open", {"mode": "full"}, {"mode": " Full"}),
    ("web_batch_open", {"items": [{"url": "WEB/page", "mode": "full"}]},
     {"items": '{"url": "WEB/page", "mode": "full"}'}),
    ("web_batch_open", {"items": [{"url": "WEB/two"}]}, {"items": ['{"url": "WEB/two"}']}),
    ("web_batch_open", {"items": [{"url": "WEB/two"}]}, {"items": "WEB/two"}),
]  # fmt: skip
SEARCHES = [
    {"domain_allowlist": ["a.example"]},
    {"domain_allowlist": '["a.example"]'},
    {"domain_allowlist": "a.example", "count": "10", "freshness": ""},
]


def filled(arguments, tool, web):
    """The arguments with the site's address; open gets its page."""
    members = json.loads(json.dumps(arguments).replace("WEB", web.url))
    return {"url": f"{web.url}/page", **members} if tool == "web_open" else members


def comparable(answer):
    """An answer without what differs from call to call."""
    changing = ("frame", "frame_end", "fetched_at", "stale")
    members = {name: value for name, value in answer.items() if name not in changing}
    members["items"] = [comparable(item) for item in answer.get("items", [])]
    text = members.get("markdown", "")
    if "---\n" in text:
        members["markdown"] = [line for line in text.splitlines() if "page text: data" not in line and ">>>" not in line
                               and not line.startswith("fetched_at: ")]  # fmt: skip
    return members


@pytest.fixture
def environ(tmp_path):
    return {"WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1", "HOME": str(tmp_path)}


def run(archive, environ, words, request=b""):
    done = subprocess.run(
        [sys.executable, archive, *words], input=request, capture_output=True, timeout=60, env={**os.environ, **environ}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_over_mcp(archive, web, environ):
    with Providers() as providers, Peer(archive, **environ, **providers.environ()) as peer:
        peer.shake_hands()
        for tool, *pair in CALLS:
            answers = [peer.call(1, tool, **filled(arguments, tool, web)) for arguments in pair]
            assert not answers[1]["isError"], answers[1]
            values, texts = (comparable(answer["structuredContent"]) for answer in answers)
            assert values == texts, tool
        urls = [f"https://{host}.example/" for host in ("a", "b")]
        providers.answer(
            "brave", 200, {"web": {"results": [{"title": url, "url": url, "description": "d"} for url in urls]}}
        )
        for arguments in SEARCHES:
            answer = peer.call(2, "web_search", query=f"tides {arguments}", **arguments)
            assert not answer["isError"], answer
            assert [row["url"] for row in answer["structuredContent"]["results"]] == urls[:1]


def test_from_hosts(archive, web, environ):
    for tool, *pair in CALLS:
        if tool == "web_open":  # the command batch reads a list of addresses
            requests = [json.dumps(filled(arguments, tool, web)).encode() for arguments in pair]
            values, texts = (comparable(run(archive, environ, ["open"], request)) for request in requests)
            assert values == texts, pair


def test_in_commands(archive, web, environ):
    words = ["open", f"{web.url}/page", "--json"]
    for flags, others in ((["--with", "[1]"], ["--with", "1"]), (["--left-out=true"], ["--left-out"])):
        values, texts = (comparable(run(archive, environ, [*words, *given])) for given in (flags, others))
        assert values == texts
    assert run(archive, environ, [*words, "--extract", '{"char_threshold": 100}'])["markdown"]


@pytest.mark.parametrize("name", ["max_tokens", "offset", "max_bytes", "timeout_ms"])
def test_a_zero_that_fills_a_member_is_refused_with_the_cure(ctx, name):
    for zero in (0, "0"):
        with pytest.raises(InvalidArgument) as caught:
            registry.call("open", ctx, {"url": "https://a.example/", name: zero})
        assert caught.value.hint == f"Give {name} of 1 or more, or leave it out."


@pytest.mark.parametrize(("seconds", "least", "most"), [(25.0, 15, 20), (60.0, 50, 60)])
def test_open_has_its_own_time_unless_the_user_chose_one(make_context, web, seconds, least, most):
    ctx = make_context(deadline=seconds)
    ctx.deadline = time.monotonic() + seconds
    registry.call("open", ctx, {"url": f"{web.url}/two"})
    assert least < ctx.deadline - time.monotonic() <= most
    assert web_open.SCHEMA["parameters"]["properties"]["timeout_ms"]["default"] == 20000


@pytest.mark.parametrize("command", sorted(registry.TOOLS))
def test_help_says_a_range_once(command, ctx, capfdbinary):
    help_text.print_tool(command, registry.load(command), ctx.settings)
    for line in capfdbinary.readouterr().out.decode().splitlines():
        assert line.count(" to 50") + line.count("1 to 10)") <= 1, line
        assert line.count("default") <= 1, line


def test_one_word_is_no_words():
    rows = [{"n": 1, "kind": "nav", "words": 1, "begins": "Menu"}, {"n": 2, "kind": "nav", "words": 2, "begins": "A b"}]
    shown = left_out_list({"left_out": rows})
    assert "1. nav, 1 word: Menu" in shown
    assert "2. nav, 2 words: A b" in shown


def test_batch_asks_every_page(archive, web, environ):
    for flags, member in ((["--find", "ferries"], "matches"), (["--query", "boats and berths"], "passages")):
        done = subprocess.run(
            [sys.executable, archive, "batch", f"{web.url}/page", f"{web.url}/two", *flags, "--max-tokens", "200"],
            capture_output=True, timeout=60, env={**os.environ, **environ}, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        assert (done.returncode, len(rows)) == (0, 2), done.stderr
        assert rows[0][member]
        assert len(json.dumps(rows[0][member])) < 1600
