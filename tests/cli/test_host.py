"""The host protocol from outside: real processes over the built archive, as an agent host runs them.

Every error code, every shape of request and answer, one row each; pages and providers are played on loopback.
"""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import pytest
from fake_providers import BRAVE_KEY, GOOGLE_KEY, Providers
from servers import page, serving

ROOT = pathlib.Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="started through symlinks, as POSIX hosts do")

LONG = "<title>Long</title>" + "".join(f"<p>Paragraph {number} with some words.</p>" for number in range(1, 1001))
FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>
<item><title>First</title><link>https://example.com/1</link></item></channel></rss>"""
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(200)

ROUTES = {
    "/page": page("<title>A page</title><h1>Hello</h1><p>One <b>two</b>.</p><nav>menu</nav><script>x()</script>"),
    "/long": page(LONG),
    "/one-line": (200, {"Content-Type": "application/json"}, b'{"a": "' + b"x" * 100000 + b'"}'),
    "/txt": (200, {"Content-Type": "text/plain"}, b"plain <b>text</b>\n"),
    "/json": (200, {"Content-Type": "application/json"}, b'{"b": 1, "a": [2]}'),
    "/feed": (200, {"Content-Type": "application/rss+xml"}, FEED.encode()),
    "/png": (200, {"Content-Type": "image/png"}, PNG),
    "/empty": (200, {"Content-Type": "text/html", "Content-Length": "0"}, b""),
    "/hop": (302, {"Location": "/page"}, b""),
    "/loop": (302, {"Location": "/loop"}, b""),
    "/to-private": (302, {"Location": "http://10.0.0.1/"}, b""),
    "/refresh-private": page('<meta http-equiv="refresh" content="0; url=http://169.254.169.254/"><p>Moving'),
    "/refresh": page('<meta http-equiv="refresh" content="0; url=/page"><p>Moving'),
    "/to-file": (302, {"Location": "file:///etc/passwd"}, b""),
    "/busy": (429, {"Retry-After": "120"}, b""),
    "/large": (200, {"Content-Type": "text/plain"}, b"x" * 200000),
    "/damaged": (
        200,
        {"Content-Type": "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
        b"PK\x03\x04 not really",
    ),
    "/private/x": page("<p>secret</p>"),
    "/robots.txt": (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /private/\n"),
    "/slow": lambda request: time.sleep(8),
    "/reset": lambda request: None,
}


web = serving(ROUTES)


@pytest.fixture
def call(archive, web, tmp_path):
    """Start a tool as a host does: JSON on stdin, nothing else; returns (exit status, answer, stderr)."""

    def run(tool, request, environ=None, words=(), expand=True):
        if isinstance(request, dict):
            data = json.dumps(request)
            request = (data.replace("WEB", web.url) if expand else data).encode()
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1",
            **(environ or {}),
        }
        path = archive.parent / tool if tool.endswith("-tool") else archive
        command = [str(path)] if tool.endswith("-tool") else [str(path), *tool.split()]
        done = subprocess.run([*command, *words], input=request, capture_output=True, timeout=60, env=environment)
        assert b"Traceback" not in done.stderr, done.stderr
        for secret in (BRAVE_KEY, GOOGLE_KEY):
            assert secret.encode() not in done.stdout + done.stderr
        assert done.stdout.endswith(b"\n")
        assert done.stdout.count(b"\n") == 1, "one JSON object on one line"
        return done.returncode, json.loads(done.stdout), done.stderr.decode()

    return run


FETCH = "web-fetch-tool"

# name, request, exit status, error code, what else must hold of the answer
FAILURES = [
    ("empty stdin", b"", 2, "INVALID_REQUEST", {}),
    ("not JSON", b"{url}", 2, "INVALID_REQUEST", {}),
    ("an array", b"[]", 2, "INVALID_REQUEST", {}),
    ("not UTF-8", b'{"url": "\xff"}', 2, "INVALID_REQUEST", {}),
    ("NaN", b'{"url": "http://x.example/", "x": NaN}', 2, "INVALID_REQUEST", {}),
    ("deep nesting", b'{"url":' + b"[" * 100000, 2, "INVALID_REQUEST", {}),
    ("no url", {}, 2, "INVALID_ARGUMENT", {"error": "url is required"}),
    ("url is a number", {"url": 5}, 2, "INVALID_ARGUMENT", {"error": "url must be a string, not the number 5"}),
    ("offset 0", {"url": "WEB/page", "offset": 0}, 2, "INVALID_ARGUMENT", {"error": "offset is 0, below 1"}),
    ("unknown mode", {"url": "WEB/page", "mode": "x"}, 2, "INVALID_ARGUMENT", {}),
    ("file URL", {"url": "file:///etc/passwd"}, 2, "INVALID_URL", {}),
    ("empty URL", {"url": ""}, 2, "INVALID_URL", {}),
    ("private address", {"url": "http://10.0.0.1/"}, 4, "SSRF_BLOCKED", {}),
    ("redirect to private", {"url": "WEB/to-private"}, 4, "SSRF_BLOCKED", {}),
    ("refresh to private", {"url": "WEB/refresh-private"}, 4, "SSRF_BLOCKED", {}),
    ("robots", {"url": "WEB/private/x"}, 4, "ROBOTS_DISALLOWED", {"path": "/private/x"}),
    ("404", {"url": "WEB/nowhere"}, 5, "HTTP_ERROR", {"status_code": 404}),
    ("429", {"url": "WEB/busy"}, 5, "HTTP_ERROR", {"status_code": 429, "retry_after": 120}),
    ("redirect loop", {"url": "WEB/loop"}, 3, "NETWORK_ERROR", {}),
    ("closed without answer", {"url": "WEB/reset"}, 3, "NETWORK_ERROR", {}),
    ("unknown host", {"url": "http://no-such-host.invalid/"}, 3, "NETWORK_ERROR", {}),
    ("image", {"url": "WEB/png"}, 1, "UNSUPPORTED_CONTENT", {}),
    ("damaged document", {"url": "WEB/damaged"}, 1, "EXTRACT_FAILED", {}),
    ("too large", {"url": "WEB/large", "max_bytes": 1000}, 1, "FETCH_TOO_LARGE", {}),
    ("timeout", {"url": "WEB/slow", "timeout_ms": 700}, 6, "FETCH_TIMEOUT", {"retryable": True}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "request_", "status", "code", "members"), FAILURES, ids=[row[0] for row in FAILURES])
def test_fetch_fails_with_code_and_status(call, name, request_, status, code, members):
    found_status, answer, stderr = call(FETCH, request_)
    assert (answer["success"], answer["error_code"], found_status) == (False, code, status)
    assert answer["error"]
    assert {key: answer.get(key) for key in members} == members
    assert stderr.count("\n") == 1
    assert code in stderr
    if code != "HTTP_ERROR":
        assert answer.get("hint"), "every refusal says what to do next"


def test_a_redirect_off_http_is_refused(call):
    _, answer, _ = call(FETCH, {"url": "WEB/to-file"})
    assert answer["error_code"] in ("NETWORK_ERROR", "INVALID_URL")


# name, request, what must hold of the answer
SUCCESSES = [
    ("page", {"url": "WEB/page"}, {"title": "A page", "content": "# Hello\n\nOne **two**.", "total_lines": 3}),
    ("unknown members", {"url": "WEB/page", "more": 1, "x": None}, {"lines_read": 3}),
    ("redirect", {"url": "WEB/hop"}, {"url": "WEB/page"}),
    ("refresh", {"url": "WEB/refresh"}, {"url": "WEB/page"}),
    ("offset", {"url": "WEB/page", "offset": 3}, {"content": "One **two**.", "lines_read": 1}),
    ("limit", {"url": "WEB/page", "limit": 1}, {"content": "# Hello", "lines_read": 1, "next_offset": 2}),
    ("whole float", {"url": "WEB/page", "limit": 3.0}, {"lines_read": 3}),
    ("offset past the end", {"url": "WEB/page", "offset": 99}, {"content": "", "lines_read": 0, "total_lines": 3}),
    ("the note of it", {"url": "WEB/page", "offset": 99}, {"note": "offset 99 is past the end; there are 3 lines"}),
    ("limit past the end", {"url": "WEB/page", "offset": 2, "limit": 99}, {"lines_read": 2}),
    ("plain text", {"url": "WEB/txt"}, {"content": "plain <b>text</b>"}),
    ("JSON", {"url": "WEB/json"}, {"content": '{"b": 1, "a": [2]}'}),
    ("empty page", {"url": "WEB/empty"}, {"content": "", "lines_read": 0, "total_lines": 0}),
    ("readable", {"url": "WEB/page", "mode": "readable"}, {"title": "A page"}),
    ("raw", {"url": "WEB/txt", "mode": "raw"}, {"content": "plain <b>text</b>\n"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "request_", "members"), SUCCESSES, ids=[row[0] for row in SUCCESSES])
def test_fetch_succeeds(call, web, name, request_, members):
    status, answer, stderr = call(FETCH, request_)
    assert (status, answer["success"], stderr) == (0, True, "")
    for key, value in members.items():
        expected = value.replace("WEB", web.url) if key == "url" else value
        found = answer[key].rstrip("\n") if key == "content" and request_.get("mode") != "raw" else answer[key]
        assert found == expected, key
    if "next_offset" not in members:
        assert "next_offset" not in answer
    assert "truncated" not in answer


def test_a_feed_becomes_a_list_of_links(call):
    _, answer, _ = call(FETCH, {"url": "WEB/feed"})
    assert "[First](https://example.com/1)" in answer["content"]
    assert answer["title"] == "News"


def test_joined_parts_equal_the_page_and_cost_one_request(call, web):
    before = len(web.paths())
    parts, offset = [], 1
    while True:
        status, answer, _ = call(FETCH, {"url": "WEB/long", "offset": offset, "limit": 400})
        assert status == 0
        parts.append(answer["content"])
        if "next_offset" not in answer:
            break
        offset = answer["next_offset"]
    assert len(web.paths()) - before == 1
    _, whole, _ = call(FETCH, {"url": "WEB/long"}, {"WEBTOOL_MAX_OUTPUT_BYTES": "0"})
    assert "\n".join(parts) == whole["content"]
    assert whole["total_lines"] == whole["lines_read"] == 1999


def test_a_long_answer_is_cut_below_the_cap_and_can_be_continued(call):
    parts, offset = [], 1
    while True:
        status, answer, _ = call(FETCH, {"url": "WEB/long", "offset": offset}, {"WEBTOOL_MAX_OUTPUT_BYTES": "5000"})
        assert status == 0
        assert len(json.dumps(answer, ensure_ascii=False).encode()) < 5000
        parts.append(answer["content"])
        if "next_offset" not in answer:
            break
        assert answer["truncated"] is True
        offset = answer["next_offset"]
    _, whole, _ = call(FETCH, {"url": "WEB/long"}, {"WEBTOOL_MAX_OUTPUT_BYTES": "0"})
    assert len(parts) > 5
    assert "\n".join(parts) == whole["content"]


def test_the_default_cap_is_60000_and_only_for_tool_names(call):
    _, answer, _ = call(FETCH, {"url": "WEB/one-line"})
    assert answer["truncated"] is True
    assert 50000 < len(json.dumps(answer)) <= 60000
    _, answer, _ = call("fetch", {"url": "WEB/one-line"})
    assert len(answer["content"]) == 100009


def test_a_missing_scheme_means_https(call, web):
    status, answer, _ = call(FETCH, {"url": f"127.0.0.1:{web.port}/page"})
    assert (status, answer["error_code"]) == (3, "NETWORK_ERROR")
    assert "does not speak TLS" in answer["error"]


def test_the_deadline_ends_waiting_for_stdin(archive):
    process = subprocess.Popen(
        [str(archive.parent / FETCH)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "WEBTOOL_DEADLINE": "0.5"},
    )  # fmt: skip
    answer = json.loads(process.stdout.read())
    assert (process.wait(60), answer["error_code"]) == (6, "FETCH_TIMEOUT")
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


def test_refused_connection_is_a_network_error(call):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    status, answer, _ = call(FETCH, {"url": f"http://127.0.0.1:{port}/"})
    assert (status, answer["error_code"]) == (3, "NETWORK_ERROR")


def test_a_wrong_setting_is_named(call):
    for environ, expected in (({}, 2), (IKIGAI, 0)):
        status, answer, _ = call(FETCH, {"url": "WEB/page"}, {**environ, "WEBTOOL_MAX_BYTES": "lots"})
        assert (status, answer["error_code"]) == (expected, "INVALID_ARGUMENT")
        assert "WEBTOOL_MAX_BYTES" in answer["error"]


ON, IKIGAI = {"WEBTOOL_EXIT_ZERO": "1"}, {"IKIGAI_AGENT_ID": "7"}
# (tool, environment, exit status of a page that is not there): only the -tool names may say 0
EXITS = [
    (FETCH, ON, 0), ("fetch", ON, 5), (FETCH, IKIGAI, 0), ("fetch", IKIGAI, 5),
    (FETCH, {**IKIGAI, "WEBTOOL_EXIT_ZERO": "auto"}, 0), (FETCH, {**IKIGAI, "WEBTOOL_EXIT_ZERO": "off"}, 5),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "environ", "status"), EXITS)
def test_exit_zero_keeps_the_error_on_stdout(call, tool, environ, status):
    found, answer, stderr = call(tool, {"url": "WEB/nowhere"}, environ)
    assert (found, answer["error_code"], stderr.count("\n")) == (status, "HTTP_ERROR", 1)


@pytest.mark.parametrize("path", ["/page", "/nowhere", "/private/x"])
def test_user_information_of_a_url_appears_nowhere(call, web, tmp_path, path):
    _, answer, stderr = call(FETCH, {"url": f"http://someone:hunter2@127.0.0.1:{web.port}{path}"})
    assert "hunter2" not in json.dumps(answer) + stderr
    for file in tmp_path.rglob("*"):
        assert file.is_dir() or b"hunter2" not in file.read_bytes()


def test_offline_answers_from_the_cache_only(call, web):
    status, answer, _ = call(FETCH, {"url": "WEB/page"}, {"WEBTOOL_OFFLINE": "1"})
    assert (status, answer["error_code"]) == (1, "CACHE_MISS")
    call(FETCH, {"url": "WEB/page"})
    before = len(web.asked)
    status, answer, _ = call(FETCH, {"url": "WEB/page"}, {"WEBTOOL_OFFLINE": "1"})
    assert (status, answer["title"]) == (0, "A page")
    assert len(web.asked) == before


def test_a_broken_cache_never_fails_a_fetch(call, tmp_path):
    path = tmp_path / "cache.sqlite3"
    path.write_bytes(b"this is not a database" * 100)
    status, answer, stderr = call(FETCH, {"url": "WEB/page"}, {"WEBTOOL_CACHE_PATH": str(path)})
    assert (status, answer["title"]) == (0, "A page")
    assert stderr.count("\n") == 1


# Runs the archive as the tool of its first argument, with a bug in web_fetch.
WITH_A_BUG = """
import sys
sys.path.insert(0, sys.argv.pop(1))
del sys.argv[0]
import webtool.tools.web_fetch as web_fetch
web_fetch.run = lambda ctx, **arguments: 1 / 0
from webtool import dispatch
dispatch.run()
"""


def test_a_bug_is_an_internal_error_with_valid_json(archive):
    for debug in ("", "1"):
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", WITH_A_BUG, str(archive), FETCH], capture_output=True,
            input=b'{"url": "http://example.com/"}', env={"WEBTOOL_DEBUG": debug}, timeout=60,
        )  # fmt: skip
        answer = json.loads(done.stdout)
        assert (done.returncode, answer["error_code"]) == (70, "INTERNAL_ERROR")
        assert "ZeroDivisionError" in answer["error"]
        assert (b"Traceback" in done.stderr) == bool(debug)


def test_an_interrupt_is_quiet(archive, web):
    process = subprocess.Popen(
        [str(archive), "fetch", web.url + "/slow"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1", "WEBTOOL_CACHE": "off"},
    )  # fmt: skip
    before = len(web.paths())
    while len(web.paths()) == before and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (130, b"")
    assert b"Traceback" not in stderr


# Search: tool, request, provider, its answer (status, body), exit status, error code
BRAVE, GOOGLE, DUCK = "web-search-brave-tool", "web-search-google-tool", "web-search-duckduckgo-tool"

# tests/providers checks how answers are read; this checks the errors that a host receives from each tool.
SEARCH_FAILURES = [
    (BRAVE, {"query": "tides", "count": 21}, "brave", (200,), 2, "INVALID_ARGUMENT"),
    (BRAVE, {"query": "tides"}, "brave", (429, "brave_rate_limited.json"), 5, "RATE_LIMITED"),
    (GOOGLE, {"query": "tides"}, "google", (503, "{}"), 5, "API_ERROR"),
    (DUCK, {"query": "tides"}, "duckduckgo", (202, "duckduckgo_puzzle.html"), 5, "BLOCKED"),
    (DUCK, {"query": 5}, "duckduckgo", (200,), 2, "INVALID_ARGUMENT"),
]


@pytest.mark.parametrize(("tool", "request_", "provider", "reply", "status", "code"), SEARCH_FAILURES)
def test_search_fails_with_code_and_status(call, tool, request_, provider, reply, status, code):
    with Providers() as providers:
        providers.answer(provider, *reply)
        found_status, answer, stderr = call(tool, request_, providers.environ())
    assert (answer["success"], answer["error_code"], found_status) == (False, code, status)
    assert code in stderr
    if tool == DUCK:
        assert answer["results"] == []
        assert answer["query"] == (request_["query"] if isinstance(request_["query"], str) else "")


@pytest.mark.parametrize("tool", [BRAVE, GOOGLE, DUCK])
def test_search_succeeds(call, tool):
    with Providers() as providers:
        status, answer, stderr = call(tool, {"query": "tides"}, providers.environ())
    assert (status, answer["success"], stderr) == (0, True, "")
    assert answer["count"] == len(answer["results"]) > 1


@pytest.mark.parametrize(("tool", "seed"), [(BRAVE, "BRAVE_API_KEY not found"), (GOOGLE, "GOOGLE_SEARCH_API_KEY or")])
def test_a_missing_key_is_reported_to_agent_and_user(call, tool, seed):
    with Providers() as providers:
        status, answer, stderr = call(tool, {"query": "tides"}, providers.environ(keys=False))
        assert providers.sent() == []
    assert (status, answer["error_code"]) == (5, "AUTH_MISSING")
    assert answer["error"].startswith("Authentication required: " + seed)
    events = [json.loads(line) for line in stderr.splitlines() if line.startswith("{")]
    assert len(events) == 1
    assert events[0]["kind"] == "config_required"
    assert events[0]["content"].startswith("⚠ Configuration Required\n\n")
    assert json.loads(events[0]["data_json"])["tool"] == answer.get("tool", json.loads(events[0]["data_json"])["tool"])
    assert "_event" not in answer


def test_exit_zero_moves_the_event_into_the_answer(call):
    status, answer, stderr = call(BRAVE, {"query": "tides"}, {"WEBTOOL_EXIT_ZERO": "1"})
    assert (status, answer["error_code"]) == (0, "AUTH_MISSING")
    assert answer["_event"]["kind"] == "config_required"
    assert answer["_event"]["data"]["tool"] == "web_search_brave"
    assert not any(line.startswith("{") for line in stderr.splitlines())


@pytest.mark.skipif(os.name != "posix", reason="rights of files as POSIX has them")
def test_stderr_of_a_tool_name_is_ascii_and_the_event_comes_early(call, tmp_path):
    folder = tmp_path / "päth"
    folder.mkdir()
    (folder / "credentials.json").write_text("{}")
    (folder / "credentials.json").chmod(0o644)
    status, _, stderr = call(BRAVE, {"query": "tides"}, {"IKIGAI_CONFIG_DIR": str(folder)})
    assert (status, stderr.isascii()) == (5, True)
    assert len(stderr.partition("{")[0]) <= 240
    event, warning = stderr.splitlines()[1:]
    assert json.loads(event)["content"].startswith("⚠ Configuration Required")
    assert "can be read by others" in warning
    data = json.loads(json.loads(event)["data_json"])
    assert (data["credential"], data["variables"]) == ("api_key", ["BRAVE_API_KEY"])
    _, _, stderr = call(FETCH, {"url": "http://" + "ü" * 50 + ".invalid/" + "ö" * 500})
    assert stderr.isascii()
    assert len(stderr) <= 240


def test_google_names_both_credentials(call):
    _, _, stderr = call(GOOGLE, {"query": "tides"})
    data = json.loads(json.loads(stderr.splitlines()[1])["data_json"])
    assert data["credentials"] == ["api_key", "engine_id"]
    assert data["variables"] == ["GOOGLE_SEARCH_API_KEY", "GOOGLE_SEARCH_ENGINE_ID"]


@pytest.mark.parametrize(
    ("tool", "example"),
    [
        (BRAVE, '{"query": '),
        (FETCH, '{"url": '),
        ("batch", '{"items": '),
        ("cache get", '{"hash": '),
        ("verify", '{"quote": "...", "page": "https://..."}'),
    ],
)
def test_an_unreadable_request_is_answered_with_an_example(call, tool, example):
    _, answer, _ = call(tool, b"{")
    assert f"e.g. {example}" in answer["hint"]


def test_unknown_members_are_named_in_a_note(call):
    status, answer, _ = call(FETCH, {"link": "WEB/page", "offset": "1", "limit": None, "colour": 1})
    assert (status, answer["title"]) == (0, "A page")
    assert "unknown argument colour" in answer["note"]
    status, answer, _ = call("cache purge", {"older_than_day": 30})
    assert (status, answer["error_code"]) == (2, "INVALID_ARGUMENT")
    assert "older_than_days" in answer["hint"]


def test_an_unknown_hash_is_a_cache_miss(call):
    status, answer, _ = call("cache get", {"hash": "0" * 64})
    assert (status, answer["error_code"]) == (1, "CACHE_MISS")


def test_a_cache_that_cannot_be_used_is_a_cache_error(call, tmp_path):
    folder = tmp_path / "is-a-folder"
    folder.mkdir()
    status, answer, _ = call("cache get", {"hash": "0" * 64}, {"WEBTOOL_CACHE_PATH": str(folder)})
    assert (status, answer["error_code"]) == (1, "CACHE_ERROR")
