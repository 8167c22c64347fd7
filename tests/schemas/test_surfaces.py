"""Hints and notes name commands and flags on the command line, members in a host's JSON, and MCP's tools over MCP."""

import ast
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import pytest
from growing import growth
from mcp_peer import Peer
from servers import page, serving

from webtool import registry
from webtool.mcp import tools
from webtool.schemas.surfaces import in_words_of, members_of

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "webtool"
TOOL_NAMES = {name for name, _ in registry.TOOLS.values()}
MEMBERS = {name for command in registry.TOOLS for name in registry.load(command).SCHEMA["parameters"]["properties"]}


@pytest.mark.parametrize(
    ("text", "command", "host", "mcp"),
    [
        ("Raise max_bytes, or use web_fetch.", "Raise --max-bytes, or use webtool fetch.",
         "Raise max_bytes, or use webtool fetch.", "Raise max_bytes, or use web_open."),
        ("lines 1 to 9 of 20: go on with offset 10", "lines 1 to 9 of 20: go on with --offset 10", None, None),
        ("mode full gives all, left_out lists the rest", "--mode full gives all, --left-out lists the rest", None,
         None),
        ("Ask with query or find.", "Ask with --query or --find.", None, None),
        ("Call again without --offline (WEBTOOL_OFFLINE).", None, "Call again without WEBTOOL_OFFLINE.",
         "Call again without WEBTOOL_OFFLINE."),
        ("search with web_search_duckduckgo, now", "search with webtool duckduckgo, now", None,
         "search with DuckDuckGo (WEBTOOL_SEARCH_PROVIDER=duckduckgo), now"),
        ("webtool recall shows hashes", None, None, "cache_search shows hashes"),
        ("Call again with use_siteconfig false.", "Call again with --no-use-siteconfig.", None, None),
        ("not on the page: max_bytes; see web_open", "not on the page: max_bytes; see webtool open",
         "not on the page: max_bytes; see webtool open", None),
        ("The nearest: The web_fetch tool (line 3); max_tokens (line 9).", None, None, None),
        ("redirected to https://a.example/web_fetch/max_bytes", None, None, None),
        ("the line 'max_bytes = 3' in max_bytes_of", None, None, None),
        ("no word of the query is on the page: this is its beginning", None, None, None),
    ],
)  # fmt: skip
def test_each_surface_has_its_own_names(text, command, host, mcp):
    for surface, expected in (("command", command), ("host", host), ("mcp", mcp)):
        assert in_words_of(surface, text) == (expected or text)


@pytest.mark.parametrize("text", ["-", "--a-", "--a (", "'a", '"', "https://", "unknown argument "])
def test_long_notes_take_linear_time(text):
    def seconds(size):
        begin = time.process_time()
        for surface in ("command", "host", "mcp"):
            in_words_of(surface, text * size)
        return time.process_time() - begin

    assert growth(seconds, 20_000) == ""


def test_pages_of_a_batch_are_written_too_and_nothing_else_is():
    data = {
        "note": "see web_fetch",
        "markdown": "web_fetch",
        "failed": [{"hint": "use web_fetch", "error": "web_fetch"}],
    }
    assert members_of("mcp", data) == {
        "note": "see web_open", "markdown": "web_fetch", "failed": [{"hint": "use web_open", "error": "web_fetch"}]
    }  # fmt: skip


def foreign_names(surface, text):
    """Names in a hint or note that its surface does not have. Commands after the word webtool exist on each."""
    text = re.sub(r"webtool [a-z]+[^.;:,()]*|A person at a terminal [^.]*", "", text)
    words = set(re.findall(r"(?<![\w-])(?:--)?[a-z]+(?:[_-][a-z]+)*", text))
    flags = {word for word in words if word.startswith("--")}
    if surface == "command":
        return {word for word in words & (MEMBERS | TOOL_NAMES) if "_" in word}
    known = set(tools.COMMANDS) if surface == "mcp" else set()
    return flags | ((words & TOOL_NAMES) - known)


def hints():
    """Each text that a module of a tool's way gives as a hint: (module, text)."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).parts[0] in ("cli", "bulk", "setup", "mcp"):
            continue  # these have one surface, and the words of it
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            value = node.value if isinstance(node, (ast.keyword, ast.Assign)) else None
            names = [node.arg] if isinstance(node, ast.keyword) else []
            if isinstance(node, ast.Assign):
                names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            if value is not None and any("hint" in str(name).lower() for name in names):
                parts = [part.value for part in ast.walk(value) if isinstance(part, ast.Constant)]
                yield path.name, " ".join(part for part in parts if isinstance(part, str))


def test_no_hint_names_what_a_surface_does_not_have():
    texts = list(hints())
    assert len(texts) > 100
    for surface in ("command", "host", "mcp"):
        for module, text in texts:
            # -H and --save, --yes, --screenshot are used on the command line only, where these hints appear.
            names = foreign_names(surface, in_words_of(surface, text)) - {"--save", "--yes", "--screenshot"}
            assert not names, (surface, module, text)


LONG = "".join(
    f"<p>Paragraph {number} tells of the harbour and its ferries, of boats and berths.</p>" for number in range(90)
)
TABLE = "<table><tr><th>Port<th>Berths</tr>" + "".join(f"<tr><td>P{n}<td>{n}</tr>" for n in range(300)) + "</table>"
ROUTES = {
    "/long": page(
        f"<title>L</title><main><h1>Ports</h1>{LONG}<h2>Fees</h2>{TABLE}</main><aside>{'menu ' * 900}</aside>"
    ),
    "/large": (200, {"Content-Type": "text/plain"}, b"x" * 90000),
    "/busy": (503, {"Content-Type": "text/plain"}, b"later"),
    "/plain": (200, {"Content-Type": "text/plain"}, b"one\ntwo\n"),
}
CALLS = [
    {"url": "WEB/long", "max_tokens": 100},
    {"url": "WEB/long", "find": "zeppelin"},
    {"url": "WEB/long", "find": "/(?=a)/"},
    {"url": "WEB/long", "find": "harbour", "max_tokens": 60},
    {"url": "WEB/long", "query": "how many berths has P7", "max_tokens": 60},
    {"url": "WEB/long", "query": "max_bytes zeppelin"},
    {"url": "WEB/long", "section": "Charges"},
    {"url": "WEB/long", "section": "9999"},
    {"url": "WEB/long", "sql": "select Berths || 'x' from t1, t1, t1"},
    {"url": "WEB/long", "sql": "drop table t1"},
    {"url": "WEB/plain", "sql": "select 1"},
    {"url": "WEB/plain", "section": "x"},
    {"url": "WEB/plain", "left_out": True},
    {"url": "WEB/plain", "offset": 99},
    {"url": "WEB/large", "max_bytes": 500},
    {"url": "WEB/busy"},
    {"url": "WEB/none"},
    {"url": "http://10.0.0.1/"},
]
web = serving(ROUTES)


def said(answer):
    """The hints and notes of an answer, also of pages in it."""
    rows = [answer, *answer.get("items", []), *answer.get("failed", [])]
    return [str(row[name]) for row in rows for name in ("hint", "note") if name in row]


def environment(tmp_path):
    return {**os.environ, "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1", "HOME": str(tmp_path)}


def with_address(call, web):
    return {name: value.replace("WEB", web.url) if name == "url" else value for name, value in call.items()}


def flags_of(call):
    words = [
        f"--{name.replace('_', '-')}={value}" for name, value in call.items() if name != "url" and value is not True
    ]
    return [call["url"], *words, *(f"--{name.replace('_', '-')}" for name, value in call.items() if value is True)]


def test_answers_on_the_command_line(archive, web, tmp_path):
    heard = []
    for call in CALLS:
        words = flags_of(with_address(call, web))
        for extra in ([], ["--json"]):
            done = subprocess.run(
                [sys.executable, archive, "open", *words, *extra],
                capture_output=True, text=True, timeout=60, env=environment(tmp_path), stdin=subprocess.DEVNULL,
            )  # fmt: skip
            heard += [done.stderr.replace("max_bytes zeppelin", ""), *(said(json.loads(done.stdout)) if extra else [])]
    assert len(" ".join(heard)) > 3000
    assert not [line for line in heard if foreign_names("command", re.sub("not on the page: [^;]*", "", line))]


def test_answers_in_json_for_hosts(archive, web, tmp_path):
    heard = []
    for tool in ([archive, "open"], [archive.parent / "web-fetch-tool"]):
        for call in CALLS:
            done = subprocess.run(
                [sys.executable, *map(str, tool)] if len(tool) > 1 else [str(tool[0])],
                input=json.dumps(with_address(call, web)).encode(),
                capture_output=True, timeout=60, env=environment(tmp_path),
            )  # fmt: skip
            heard += said(json.loads(done.stdout))
    assert len(heard) > 20
    assert not [text for text in heard if foreign_names("host", text)]


def test_answers_over_mcp(archive, web, tmp_path):
    variables = {name: environment(tmp_path)[name] for name in ("WEBTOOL_ALLOW_PRIVATE_HOSTS", "HOME")}
    calls = [with_address(call, web) for call in CALLS]
    with Peer(archive, **variables) as peer:
        peer.shake_hands()
        answers = [peer.call(number, "web_open", **call) for number, call in enumerate(calls, 1)]
        answers.append(peer.call(90, "web_batch_open", items=[{"url": call["url"]} for call in calls], max_tokens=9000))
        answers += [peer.call(91, "cache_get", hash="19"), peer.call(92, "cache_get", hash="0" * 64)]
        answers.append(peer.call(93, "cache_search", query="harbour", limit=1))
    heard = [text for answer in answers for text in said(answer["structuredContent"])]
    assert len(heard) > 20
    assert not [text for text in heard if foreign_names("mcp", text)]


def test_rows_of_batch(archive, web, tmp_path):
    addresses = list(dict.fromkeys(with_address(call, web)["url"] for call in CALLS))
    done = subprocess.run(
        [sys.executable, archive, "batch", *addresses, "--max-bytes", "600"],
        capture_output=True, text=True, timeout=60, env=environment(tmp_path), stdin=subprocess.DEVNULL,
    )  # fmt: skip
    heard = [text for line in done.stdout.splitlines() for text in said(json.loads(line))]
    assert any("--max-bytes" in text for text in heard)
    assert not [text for text in heard if foreign_names("command", text)]


@pytest.mark.parametrize("path", ["/long", "/plain"])
def test_open_and_fetch_number_lines_alike(ctx, web, path):
    """Neither the header block of open nor the line end of the last line counts as a line."""

    def both(**members):
        url = f"{web.url}{path}"
        return (
            registry.call("fetch", ctx, {"url": url, **members}).data,
            registry.call("open", ctx, {"url": url, "mode": "full", **members}).data,
        )

    whole, opened = both()
    total = whole["total_lines"]
    assert opened["markdown"].endswith(f"\n---\n{whole['content']}\n")
    for offset in (1, 2, total - 1, total, total + 1, total + 2):
        fetched, opened = both(offset=offset)
        assert opened["markdown"].partition("\n---\n")[2].rstrip("\n") == fetched["content"].rstrip("\n"), offset
        assert opened.get("note") == fetched.get("note"), offset
    for answer in both(max_tokens=40) if path == "/long" else ():
        assert f" of {total}: go on with offset" in answer["note"]
    for members in ({"outline": True}, {"find": "o"}, {"verify": "two"}, {"verify": "P7"}, {"query": "two P7"}):
        fetched, opened = both(**members)
        for name in ("outline", "tables", "matches", "verdict", "lines", "passages", "nearest"):
            assert fetched.get(name) == opened.get(name), (members, name)
    if path == "/long":
        fetched, opened = both(section="Fees")
        assert fetched["section"] == opened["section"]
        line = opened["section"]["first_line"]
        assert whole["content"].split("\n")[line - 1] == "## Fees"
        assert both(offset=line)[1]["markdown"].partition("\n---\n")[2].startswith("## Fees\n")
