"""The server process over HTTP: both families, sessions, progress, cancellation, and every bound."""

import asyncio
import concurrent.futures
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from unittest import mock

import pytest
from mcp_http_peer import BOTH, JSON, HttpPeer, call, request, stateless
from processes import HAS_PROC

from webtool.mcp import http_connection, http_exchange, http_server
from webtool.mcp.http_request import Access
from webtool.mcp.loop import MAX_LARGE, Pool, Session
from webtool.mcp.messages import Call, Line, Message

TOKEN = "correct-horse-battery-staple"
SOON = 8.0  # seconds: far below the deadline of a call, and enough for a loaded machine
RAW = {"mode": "raw"}


@pytest.fixture
def http(archive, environ):
    with HttpPeer(archive, **environ) as peer:
        yield peer


@pytest.fixture(scope="module")
def shared(archive, tmp_path_factory):
    """A server for tests that open no pages and leave nothing behind."""
    with HttpPeer(archive, WEBTOOL_CACHE_PATH=str(tmp_path_factory.mktemp("shared") / "cache.sqlite3")) as peer:
        yield peer


@pytest.fixture
def guarded(archive, environ):
    with HttpPeer(
        archive, WEBTOOL_MCP_TOKEN=TOKEN, WEBTOOL_MCP_HOSTS="mcp.example, https://chat.example", **environ
    ) as peer:
        yield peer


def wait_until(check, seconds=SOON):
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("version", ["2025-03-26", "2025-06-18", "2025-11-25"])
def test_a_session_from_initialize_to_delete(http, site, version):
    session = http.open_session(version)
    tools = http.send(body=request(1, "tools/list"), headers=session).json["result"]["tools"]
    assert len(tools) == 7
    answer = http.send(body=call(2, "web_open", url=f"{site.url}/article"), headers=session)
    assert answer.headers["content-type"] == "application/json"
    assert "Paragraph 12" in answer.json["result"]["content"][0]["text"]
    assert http.send(body=request(3, "ping"), headers=session).json["result"] == {}
    assert http.send(body=request(4, "no/such"), headers=session).json["error"]["code"] == -32601
    assert http.send("DELETE", headers=session).status == 204
    gone = http.send(body=request(5, "ping"), headers=session)
    assert (gone.status, gone.json["id"]) == (404, 5)
    assert "initialize" in gone.json["error"]["message"]
    assert http.send("DELETE", headers=session).status == 404


def test_a_stateless_request_needs_no_session(http, site):
    message, headers = stateless(1, "tools/call", name="web_open", arguments={"url": f"{site.url}/data.json", **RAW})
    answer = http.send(body=message, headers=headers)
    assert answer.json["result"]["resultType"] == "complete"
    assert answer.json["result"]["structuredContent"]["raw"].startswith('{"a"')
    assert "mcp-session-id" not in answer.headers
    message, headers = stateless(1, "server/discover")
    assert http.send(body=message, headers={**headers, "Mcp-Session-Id": "ignored"}).status == 200
    for method, status in (("ping", 404), ("initialize", 404), ("no/such", 404)):
        message, headers = stateless("x", method)
        answer = http.send(body=message, headers=headers)
        assert (answer.status, answer.json["id"], answer.json["error"]["code"]) == (status, "x", -32601)
    message, headers = stateless(2, "tools/call", name="web_fly")
    answer = http.send(body=message, headers=headers)
    assert (answer.status, answer.json["error"]["code"]) == (200, -32602)
    message, headers = stateless(3, "tools/list")
    answer = http.send(body=message, headers={**headers, "Mcp-Method": "tools/call"})
    assert (answer.status, answer.json["error"]["code"], answer.json["id"]) == (400, -32020, 3)


def test_both_families_at_once_keep_their_ids_apart(http, site):
    """Two clients use the same id; each gets its own answer."""
    sessions = [http.open_session() for _ in range(2)]
    url = f"{site.url}/slow"
    message, headers = stateless(1, "tools/call", name="web_open", arguments={"url": f"{url}?c", **RAW})
    calls = [(call(1, "web_open", url=f"{url}?{n}", **RAW), session) for n, session in zip("ab", sessions)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(http.send, body=body, headers=head) for body, head in [*calls, (message, headers)]]
        wait_until(site.paths)
        again = http.send(body=calls[0][0], headers=sessions[0])
        assert "in use" in again.json["error"]["message"]
        site.release.set()
        urls = [future.result().json["result"]["structuredContent"]["url"] for future in futures]
    assert [answered[-1] for answered in urls] == ["a", "b", "c"]


def test_progress_comes_as_events_before_the_response(http, site):
    items = [{"url": f"{site.url}/data.json?{n}", **RAW} for n in range(5)]
    message = call(1, "web_batch_open", items=items)
    message["params"]["_meta"] = {"progressToken": "p"}
    modern, headers = stateless(
        1, "tools/call", name="web_batch_open", arguments={"items": items}, _meta={"progressToken": "p"}
    )
    for body, head in ((message, http.open_session()), (modern, headers)):
        answer = http.send(body=body, headers=head)
        assert answer.headers["content-type"] == "text/event-stream"
        assert answer.headers["x-accel-buffering"] == "no"
        *progress, response = answer.events
        assert progress
        assert {event["params"]["progressToken"] for event in progress} == {"p"}
        assert len(response["result"]["structuredContent"]["items"]) == 5
        plain = http.send(body=body, headers={**head, "Accept": "application/json"})
        assert "result" in plain.json  # a client without event streams gets no progress
        only = http.send(body=body, headers={**head, "Accept": "text/event-stream"})
        assert "result" in only.events[-1]
        refused = http.send(body=body, headers={**head, "Accept": "*/*, text/event-stream;q=0"})
        assert "result" in refused.json


def test_log_messages_of_the_level_that_a_client_sets(http, site):
    session = http.open_session()
    assert http.send(body=request(1, "logging/setLevel", level="info"), headers=session).json["result"] == {}
    log, response = http.send(body=call(2, "web_extract", html="<p>x</p>"), headers=session).events
    assert (log["method"], response["id"]) == ("notifications/message", 2)
    other = http.open_session()
    assert http.send(body=call(2, "web_extract", html="<p>x</p>"), headers=other).json["id"] == 2


def test_batches_exist_in_2025_03_26_only(shared):
    batch = [request(1, "ping"), {"jsonrpc": "2.0", "method": "notifications/x"}, request(2, "tools/list"), {"id": 3}]
    old = shared.open_session("2025-03-26")
    answers = shared.send(body=batch, headers=old).json
    assert {answer["id"]: "error" in answer for answer in answers} == {1: False, 2: False, 3: True}
    assert shared.send(body=batch[1:2], headers=old).status == 202
    assert shared.send(body=[], headers=old).status == 400
    for headers in (
        shared.open_session("2025-06-18"),
        shared.open_session("2025-11-25"),
        stateless(1, "ping")[1],
        BOTH,
    ):
        answer = shared.send(body=batch, headers=headers)
        assert (answer.status, "error" in answer.json) == (400, True)


def test_a_notification_cancels_a_call_of_its_session_only(http, site):
    session, other = http.open_session(), http.open_session()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        future = pool.submit(http.send, body=call(7, "web_open", url=f"{site.url}/slow", **RAW), headers=session)
        wait_until(site.paths)
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
        assert http.send(body=cancel, headers=other).status == 202
        time.sleep(0.3)
        assert not site.closed_early.is_set()
        assert http.send(body=cancel, headers=session).status == 202
        assert site.closed_early.wait(SOON)
        answer = future.result(SOON)
    assert (answer.status, answer.body) == (202, b"")
    assert http.send(body=call(7, "web_extract", html="<p>x</p>"), headers=session).json["id"] == 7


def test_closing_the_connection_cancels_a_stateless_call(http, site):
    message, headers = stateless(1, "tools/call", name="web_open", arguments={"url": f"{site.url}/slow", **RAW})
    with leaving(http, message, headers):
        wait_until(site.paths)
    assert site.closed_early.wait(SOON)


def test_closing_the_connection_does_not_cancel_a_call_of_a_session(http, site):
    session = http.open_session()
    with leaving(http, call(1, "web_open", url=f"{site.url}/slow", **RAW), session):
        wait_until(site.paths)
    assert not site.closed_early.wait(0.5)
    assert http.send("DELETE", headers=session).status == 204  # the end of the session does
    assert site.closed_early.wait(SOON)


def test_a_client_that_closes_its_side_only_gets_its_answer(http, site):
    """`nc -N` does so, and some clients of HTTP/1.0."""
    for number, (message, headers) in enumerate(
        [(call(1, "web_open", url=f"{site.url}/slow", **RAW), http.open_session()), stateless(1, "tools/list")]
    ):
        with leaving(http, message, headers) as connection:
            connection.shutdown(socket.SHUT_WR)
            if not number:
                wait_until(site.paths)
                time.sleep(0.3)
                site.release.set()
            received = connection.makefile("rb").read()
        assert received.startswith(b"HTTP/1.1 200 OK"), received
        assert b'"result"' in received


def test_idle_sessions_are_forgotten(monkeypatch):
    monkeypatch.setattr(http_server, "SESSION_SECONDS", 0.0)
    sessions = http_server.Sessions()
    keys = [sessions.add(Session(None, None)) for _ in range(20)]
    assert len(set(keys)) == 20
    (busy,) = sessions.all()
    busy._calls[False, 1] = object()
    monkeypatch.setattr(http_server, "SESSION_SECONDS", 1e-9)
    assert sessions.named(keys[-1]) is busy
    assert sessions.all() == [busy]


@contextlib.contextmanager
def leaving(http, message, headers):
    """Send a message and close the connection at the end of the block, without reading."""
    body = json.dumps(message).encode()
    fields = {**headers, "Host": "localhost", "Content-Length": len(body)}
    with http.connect() as connection:
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        connection.sendall(f"POST /mcp HTTP/1.1\r\n{head}\r\n".encode() + body)
        yield connection


# (method, path, headers, status, text of the error)
REFUSED = [
    ("GET", "/mcp", {}, 405, "opens no stream"),
    ("PUT", "/mcp", {}, 405, ""),
    ("DELETE", "/mcp", {}, 400, "Mcp-Session-Id"),
    ("GET", "/", {}, 404, "/mcp"),
    ("GET", "/../etc/passwd", {}, 404, ""),
    ("GET", "/mcp%2f", {}, 404, ""),
    ("POST", "/health", BOTH, 404, ""),
    ("POST", "/mcp", {}, 415, "application/json"),
    ("POST", "/mcp", {"Content-Type": "text/plain"}, 415, ""),
    ("POST", "/mcp", {"Content-Type": "application/jsonx"}, 415, ""),
    ("POST", "/mcp", {**JSON, "Accept": "text/html"}, 406, ""),
    ("POST", "/mcp", {**JSON, "Accept": "application/json;q=0, text/event-stream; Q=0.000"}, 406, ""),
    ("POST", "/mcp", {**JSON, "Accept": "application/jsonl"}, 406, ""),
    ("POST", "/mcp", {**JSON, "Expect": "tea"}, 417, ""),
    ("POST", "/mcp", {**BOTH, "Mcp-Session-Id": "0" * 32}, 404, "initialize"),
    ("POST", "/mcp", BOTH, 400, "Mcp-Session-Id"),
    ("POST", "/mcp", {**BOTH, "MCP-Protocol-Version": "1999-01-01"}, 400, "version"),
    ("POST", "/mcp", {**BOTH, "Host": "evil.example"}, 403, "WEBTOOL_MCP_HOSTS"),
    ("POST", "/mcp", {**BOTH, "Origin": "https://evil.example"}, 403, "WEBTOOL_MCP_HOSTS"),
    ("POST", "/mcp", {**BOTH, "Origin": "null"}, 403, ""),
    ("GET", "/health", {"Host": "evil.example"}, 403, ""),
    ("OPTIONS", "/mcp", {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}, 403, ""),
]


def test_each_refusal_says_why(shared):
    for method, path, headers, status, text in REFUSED:
        body = request(9, "tools/list") if method == "POST" else None
        answer = shared.send(method, path, body, headers)
        assert answer.status == status, (method, path, headers, answer)
        assert text in answer.json["error"]["message"]
        assert "access-control-allow-origin" not in answer.headers
    assert shared.send("GET", "/mcp", headers={}).headers["allow"] == "POST, DELETE"


def test_bodies_that_are_no_message(shared):
    session = shared.open_session()
    for body, code in (
        (b"{", -32700),
        (b"\xff", -32700),
        (b"", -32700),
        (b"[" * 100000, -32700),
        (b"3", -32600),
        (b'{"id":7}', -32600),
    ):
        answer = shared.send(body=body, headers=session)
        assert (answer.status, answer.json["error"]["code"]) == (400, code), body[:20]
    assert shared.send(body={"jsonrpc": "2.0", "id": 5, "result": {}}, headers=session).status == 202
    assert shared.send(body=request(1, "initialize"), headers=BOTH).json["error"]["code"] == -32602


def test_health_needs_no_token_and_the_rest_does(guarded):
    for method in ("GET", "HEAD"):
        answer = guarded.send(method, "/health", headers={})
        assert (answer.status, answer.headers["content-length"]) == (200, "16")
    assert guarded.send("GET", "/health", headers={}).json == {"status": "ok"}
    for method in ("POST", "GET", "DELETE"):
        for field in (None, "Bearer wrong", f"Basic {TOKEN}", TOKEN):
            body = request(1, "ping") if method == "POST" else None
            answer = guarded.send(method, body=body, headers={**BOTH, **({"Authorization": field} if field else {})})
            assert answer.status == 401
            assert answer.headers["www-authenticate"].startswith("Bearer ")
            assert TOKEN not in answer.body.decode()
    authorized = {"Authorization": f"Bearer {TOKEN}"}
    session = guarded.open_session(**authorized)
    assert guarded.send(body=request(1, "ping"), headers=session).status == 200
    without = {name: value for name, value in session.items() if name != "Authorization"}
    assert guarded.send(body=request(1, "ping"), headers=without).status == 401
    assert TOKEN not in "".join(guarded.errors)


def test_pages_of_allowed_origins_may_use_the_server(guarded):
    for origin in ("http://localhost:6274", "https://chat.example", "https://mcp.example"):
        asks = {
            "Origin": origin,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "mcp-method",
        }
        answer = guarded.send("OPTIONS", headers=asks)
        assert (answer.status, answer.body) == (204, b"")
        assert answer.headers["access-control-allow-origin"] == origin
        assert "POST" in answer.headers["access-control-allow-methods"]
        for name in (
            "authorization",
            "content-type",
            "mcp-session-id",
            "mcp-protocol-version",
            "mcp-method",
            "mcp-name",
        ):
            assert name in answer.headers["access-control-allow-headers"].lower()
        refused = guarded.send(body=request(1, "ping"), headers={**BOTH, "Origin": origin})
        assert (refused.status, refused.headers["access-control-allow-origin"]) == (401, origin)
        session = guarded.open_session(Authorization=f"Bearer {TOKEN}", Origin=origin)
        assert (
            "mcp-session-id"
            in guarded.send(body=request(1, "ping"), headers=session).headers["access-control-expose-headers"].lower()
        )
    session = guarded.open_session(Authorization=f"Bearer {TOKEN}", Host="mcp.example")
    assert guarded.send(body=request(1, "ping"), headers=session).status == 200


def run(archive, *words, **environ):
    return subprocess.run(
        [sys.executable, "-I", "-S", str(archive), "mcp", *words],
        capture_output=True,
        timeout=30,
        env={**os.environ, **environ},
    )


def test_without_a_token_it_serves_loopback_only(archive, environ):
    for address in ("0.0.0.0:0", "[::]:0"):
        done = run(archive, "--http", address, **environ)
        assert done.returncode == 2
        assert b"WEBTOOL_MCP_TOKEN" in done.stderr
    done = run(archive, "--http", "0.0.0.0:0", WEBTOOL_MCP_TOKEN="two words", **environ)
    assert (done.returncode, done.stdout) == (2, b"")
    with HttpPeer(archive, "0.0.0.0:0", WEBTOOL_MCP_TOKEN=TOKEN, **environ) as peer:
        assert peer.send(body=request(1, "ping")).status == 401
        assert peer.open_session(Authorization=f"Bearer {TOKEN}")


def test_a_wrong_address_is_an_error(archive, environ):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for words in (
            ["--http"],
            ["--http", "host"],
            ["--http", str(port)],
            ["--http", "99999"],
            ["--http", f"{'a' * 64}:0"],  # a label of a name has at most 63 letters
            ["--http", "8000", "cursor"],
        ):
            done = run(archive, *words, **environ)
            assert (done.returncode, done.stdout) == (2, b""), done
            assert done.stderr.count(b"\n") == 2, done.stderr


SMUGGLED = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
START = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
# (bytes before a second request, status)
FRAMINGS = [
    (START + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    (START + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", 400),
    (START + b"Content-Length: 0\r\nContent-Length: 100\r\n\r\n", 400),
    (START + b"Content-Length: 0\r\n Content-Length: 100\r\n\r\n", 400),
    (START + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n", 501),
    (START + b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n", 400),
    (START + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400),
    (START + b"Transfer-Encoding: chunked\r\n\r\n0\n\n", 400),
    (START + b"Transfer-Encoding: chunked\r\n\r\n2;\n{}\r\n0\r\n\r\n", 400),
    (START + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n\r\n", 400),
    (START.replace(b"\r\n", b"\n") + b"Content-Length: 0\n\n", 400),
    (START + b"X: a\nContent-Length: 40\r\n\r\n", 400),
    (START + b"Host: evil.example\r\nContent-Length: 2\r\n\r\n{}", 403),
    (START + b"X: " + b"a" * 20000 + b"\r\n\r\n", 431),
    (START + b"X: a\r\n" * 3000 + b"\r\n", 431),
    (b"GET http://evil.example/mcp HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    (b"GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n", 400),
    (b"GET /health\r\n\r\n", 400),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
]


@pytest.mark.parametrize(("data", "status"), FRAMINGS)
def test_a_request_with_an_unclear_end_gets_one_error_and_the_connection_ends(shared, data, status):
    received = shared.raw(data + SMUGGLED)
    assert received.startswith(b"HTTP/1.1 %d " % status), received[:200]
    assert received.count(b"HTTP/1.1 ") == 1
    assert b"\r\nConnection: close\r\n" in received


def test_requests_on_one_connection_and_in_chunks(shared):
    health = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    body = json.dumps(request(1, "ping")).encode()
    session = shared.open_session()["Mcp-Session-Id"].encode()
    chunks = b"".join(b"%x\r\n%b\r\n" % (1, body[n : n + 1]) for n in range(len(body))) + b"0\r\n\r\n"
    ping = START + b"Mcp-Session-Id: " + session + b"\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
    last = health.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    received = shared.raw(health + b"\r\n" + ping + health + last + health)
    assert received.count(b"HTTP/1.1 200 OK") == 4
    assert b'"result":{}' in received
    old = shared.raw(b"GET /health HTTP/1.0\r\n\r\n")
    assert old.startswith(b"HTTP/1.1 200 OK")


def test_a_large_body_waits_for_100_continue(shared):
    body = json.dumps(call(1, "web_extract", html="<p>" + "x" * 900000)).encode()
    session = shared.open_session()["Mcp-Session-Id"].encode()
    with shared.connect() as connection:
        head = START + b"Mcp-Session-Id: %b\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n" % (
            session,
            len(body),
        )
        connection.sendall(head)
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        assert connection.recv(100).startswith(b"HTTP/1.1 200 OK")


def test_a_message_above_the_limit_is_refused_before_it_is_sent(shared):
    head = START + b"Expect: 100-continue\r\nContent-Length: 8388609\r\n\r\n"
    received = shared.raw(head)
    assert received.startswith(b"HTTP/1.1 413 ")
    assert b"8388608 bytes" in received
    chunks = START + b"Transfer-Encoding: chunked\r\n\r\n" + b"100000\r\n" + b"x" * 0x100000 + b"\r\n"
    received = shared.raw(chunks + (b"100000\r\n" + b"x" * 0x100000 + b"\r\n") * 9)
    assert b"8388608 bytes" in received


def test_local_files_are_not_opened(http, tmp_path):
    secret = tmp_path / "secret.html"
    secret.write_text("<p>the secret of this machine</p>")
    session = http.open_session()
    for number, url in enumerate(
        (str(secret), f"file://{secret}", f"FILE:///{secret}", secret.name, "-", "file:secret.html")
    ):
        for tool, arguments in (
            ("web_open", {"url": url}), ("web_batch_open", {"items": [{"url": url}]}), ("web_extract", {"html": url}),
            ("cache_get", {"hash": url}),
        ):  # fmt: skip
            answer = http.send(body=call(number, tool, **arguments), headers=session)
            assert b"secret of" not in answer.body


def test_a_signal_ends_the_server_and_its_calls(http, site):
    session = http.open_session()
    with leaving(http, call(1, "web_open", url=f"{site.url}/slow", **RAW), session):
        wait_until(site.paths)
        begun = time.monotonic()
        assert http.end() == 0
        assert time.monotonic() - begun < SOON
    assert "Traceback" not in "".join(http.errors)
    assert "never" not in "".join(http.errors)


def test_a_connection_ends_when_its_answer_and_the_end_of_the_server_come_together():
    """wait_for() of Python 3.9 to 3.11 forgets a cancellation if what it waits for has just happened."""

    async def run():
        service, tasks, exchanges = http_server.Service(None, Access("", frozenset())), [], []

        async def connect(reader, writer):
            tasks.append(asyncio.current_task())
            await service.connect(reader, writer)

        async def answer(request, connection):
            exchanges.append(http_exchange.Exchange(Line([Message("x", {}, 1)]), False, connection))
            await http_exchange.respond(exchanges[0], request, {})

        service.answer = answer
        server = await asyncio.start_server(connect, "127.0.0.1", 0)
        _, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
        writer.write(b"GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while not exchanges:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        await service.finish()
        exchanges[0].answer(None)
        exchanges[0].changed.set()
        tasks[0].cancel()
        _, pending = await asyncio.wait(tasks, timeout=SOON)
        writer.close()
        server.close()
        return pending

    assert not asyncio.run(run())


def test_refused_connections_are_few_while_they_read_why():
    """All places are taken by requests under way; of the further clients the last ones are sent an error."""

    async def run():
        service, tasks, busy = http_server.Service(None, Access("", frozenset()), 2), set(), []

        async def connect(reader, writer):
            tasks.add(asyncio.current_task())
            await service.connect(reader, writer)
            tasks.discard(asyncio.current_task())

        async def answer(request, connection):
            connection.waits_since = None
            busy.append(connection)
            await asyncio.sleep(SOON)

        service.answer = answer
        server = await asyncio.start_server(connect, "127.0.0.1", 0)
        address = server.sockets[0].getsockname()[:2]
        streams = []
        for number in range(2 + 3 * http_connection.MAX_REFUSED):
            streams.append(await asyncio.open_connection(*address))
            if number < 2:
                streams[-1][1].write(b"GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n")
                while len(busy) <= number:
                    await asyncio.sleep(0.01)
        last = await asyncio.wait_for(streams[-1][0].readline(), SOON)
        await asyncio.sleep(0.1)
        count = len(tasks)
        for task in tasks:
            task.cancel()
        for _, writer in streams:
            writer.close()
        server.close()
        return last, count, len(service.connections)

    last, count, held = asyncio.run(run())
    assert last.startswith(b"HTTP/1.1 503 ")
    assert (count, held) == (2 + http_connection.MAX_REFUSED, 2)


@pytest.mark.parametrize("accept", ["text/event-stream", "application/json"])
def test_notifications_that_were_sent_or_dropped_are_not_held(accept):
    async def run():
        service, held = http_server.Service(None, Access("", frozenset())), []

        async def answer(request, connection):
            exchange = http_exchange.Exchange(Line([Message("x", {}, 1)]), False, connection)
            for _ in range(9):
                exchange.send({"text": "x" * 10_000})
            exchange.answer({"id": 1})
            await http_exchange.respond(exchange, request, {})
            held.append(service.held)

        service.answer = answer
        server = await asyncio.start_server(service.connect, "127.0.0.1", 0)
        _, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
        writer.write(f"GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\n\r\n".encode())
        while not held:
            await asyncio.sleep(0.01)
        writer.close()
        server.close()
        return held[0]

    assert asyncio.run(run()) < 100


@pytest.mark.skipif(not HAS_PROC, reason="needs /proc to see threads and memory")
class TestLoad:
    """Many clients at once, and clients that do not behave; at the end memory and threads are what they were."""

    @pytest.fixture
    def quiet(self, http):
        """The server after its first call; checks afterwards that nothing is left."""
        session = http.open_session()
        http.send(body=call(1, "web_extract", html="<p>x</p>"), headers=session)
        before, memory = http.threads(), http.memory()
        yield http
        wait_until(lambda: http.threads() <= before, 40)
        assert http.memory() < memory + 120 * 1024 * 1024
        assert http.send(body=request(1, "ping"), headers=http.open_session()).status == 200
        assert "bug" not in "".join(http.errors)
        assert "Traceback" not in "".join(http.errors)

    def test_two_hundred_sessions_and_a_thousand_calls(self, quiet, site):
        sessions = [quiet.open_session() for _ in range(200)]

        def use(session):
            return [
                quiet.send(body=call(n, "web_open", url=f"{site.url}/data.json?{n}", **RAW), headers=session).json
                for n in range(5)
            ]

        with concurrent.futures.ThreadPoolExecutor(200) as pool:
            answers = [answer for part in pool.map(use, sessions) for answer in part]
        assert len(answers) == 1000
        assert not any(answer["result"]["isError"] for answer in answers)

    def test_a_storm_of_cancelled_calls(self, quiet, site):
        session = quiet.open_session()
        for number in range(100):
            message, headers = stateless(
                number, "tools/call", name="web_open", arguments={"url": f"{site.url}/slow?{number}"}
            )
            with leaving(quiet, message, headers):
                pass
            with leaving(quiet, call(number, "web_open", url=f"{site.url}/slow?s{number}"), session):
                time.sleep(0.002)
            cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}
            assert quiet.send(body=cancel, headers=session).status == 202

    def test_silent_and_slow_clients_do_not_keep_others_out(self, quiet):
        session = quiet.open_session()
        with contextlib.ExitStack() as stack:
            for number in range(1200):  # more than may be open
                connection = stack.enter_context(quiet.connect())
                connection.sendall((b"", b"P", START, START + b"Content-Length: 9\r\n\r\n{")[number % 4])
            assert quiet.send(body=request(1, "ping"), headers=session).status == 200

    def test_a_client_that_does_not_read_is_dropped(self, quiet, site):
        """Fifty answers of a megabyte each are left unread."""
        session = quiet.open_session()
        site.routes["/large"] = (200, {"Content-Type": "text/plain"}, b"line of a large text\n" * 50000)
        with contextlib.ExitStack() as stack:
            for number in range(50):
                body = call(number, "web_open", url=f"{site.url}/large", max_tokens=1000000, **RAW)
                stack.enter_context(leaving(quiet, body, session))
            time.sleep(3)
            assert quiet.send(body=request("x", "ping"), headers=session).status == 200

    def test_bytes_beyond_a_request_are_not_read_before_the_answer(self, quiet, site):
        before = quiet.memory()
        body = call(1, "web_open", url=f"{site.url}/slow", **RAW)
        with leaving(quiet, body, quiet.open_session()) as connection:
            wait_until(site.paths)
            connection.settimeout(0.2)
            with contextlib.suppress(socket.timeout):
                for _ in range(1000):
                    connection.sendall(b"x" * 65536)
            assert quiet.memory() < before + 8 * 1024 * 1024
            site.release.set()
            connection.settimeout(30)
            received = connection.makefile("rb").read()
        assert received.startswith(b"HTTP/1.1 200 OK")
        assert received.count(b"HTTP/1.1 ") == 2
        assert b"HTTP/1.1 431 " in received

    def test_calls_under_way_are_limited(self, quiet, site):
        """One batch asks for more calls than may be under way; each further one gets an error that names the limit."""
        session = quiet.open_session("2025-03-26")
        batch = [call(n, "web_open", url=f"{site.url}/slow?{n}", **RAW) for n in range(600)]
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            future = pool.submit(quiet.send, body=batch, headers=session)
            wait_until(site.paths)
            site.release.set()
            answers = future.result().json
        refused = [answer["error"]["message"] for answer in answers if "error" in answer]
        assert len(answers) == 600
        assert 0 < len(refused) < 300  # 88, and more while calls of other sessions are under way
        assert all("at most 512" in message for message in refused)


@pytest.mark.skipif(not HAS_PROC, reason="needs /proc to see memory")
def test_large_answers_wait_for_each_other(http, site):
    """Thirty answers of 5 MB are asked for at once; those that do not fit into memory are refused."""
    site.routes["/large"] = (200, {"Content-Type": "text/plain"}, b"line of a large text\n" * 240000)
    before, peak, done = http.memory(), [0], threading.Event()

    def watch():
        while not done.wait(0.02):
            peak.append(http.memory())

    watching = threading.Thread(target=watch)
    watching.start()
    batch = [call(n, "web_open", url=f"{site.url}/large", max_tokens=10**7, **RAW) for n in range(30)]
    answers = http.send(body=batch, headers={**http.open_session("2025-03-26"), "Accept": "application/json"}).json
    done.set()
    watching.join()
    refused = [answer["error"]["message"] for answer in answers if "error" in answer]
    assert 0 < len(refused) < 30
    assert all("100663296 bytes" in message for message in refused)
    assert max(peak) < before + 600 * 1024 * 1024


def test_few_large_calls_run_at_once_and_small_ones_pass_them():
    pool, gate, running, ended = Pool(), threading.Event(), [], threading.Event()

    def large():
        running.append(1)
        gate.wait(SOON)

    for _ in range(20):
        assert pool.submit(large, is_large=True)
    assert pool.submit(ended.set)
    assert ended.wait(SOON)
    assert len(running) <= MAX_LARGE
    gate.set()
    pool.wait(SOON)
    assert len(running) == 20
    assert not pool.is_busy


@pytest.mark.parametrize(
    ("arguments", "is_large"),
    [
        ({}, False),
        ({"max_tokens": 20000}, False),
        ({"max_tokens": 10**6}, True),
        ({"max_tokens": "1000000"}, True),
        ({"max_tokens": None, "max_bytes": 5 << 20}, False),
        ({"max_bytes": 1e9}, True),
        ({"max_tokens": [7]}, False),
        ({"max_tokens": "many"}, False),
        ([], False),
    ],
)
def test_a_call_is_large_by_what_it_asks_for(arguments, is_large):
    message = Message("tools/call", {"name": "web_open", "arguments": arguments}, 1)
    assert Call(message, "2025-11-25", print).is_large is is_large


def test_a_port_is_printed_and_nothing_else(http):
    assert re.fullmatch(r"webtool: MCP server at http://127\.0\.0\.1:\d+/mcp\n", http.errors[0])
    assert http.end() == 0


def test_answers_count_before_the_event_loop_takes_them(monkeypatch):
    monkeypatch.setattr(http_connection, "MAX_HELD", 1000)
    monkeypatch.setattr(http_exchange, "MAX_SMALL", 200)

    async def run():
        service = http_server.Service(None, Access("", frozenset()))
        connection = http_connection.Connection(service, None, mock.MagicMock())
        exchange = http_exchange.Exchange(Line([Message("x", {}, number) for number in range(8)]), False, connection)
        answers = [{"jsonrpc": "2.0", "id": number, "result": "x" * 550} for number in range(8)]
        threads = [threading.Thread(target=exchange.answer, args=(answer,)) for answer in answers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        sizes = [len(data) for data, _ in exchange.arrived]
        held = service.held
        exchange.end()
        connection.release()
        exchange.answer(answers[0])
        return sizes, held, service.held

    sizes, held, after = asyncio.run(run())
    assert [size for size in sizes if size > 550] == [max(sizes)]
    assert held == sum(sizes)
    assert after == 0


def test_an_answer_that_is_never_sent_is_not_held(monkeypatch):
    monkeypatch.setattr(http_server, "MAX_SESSIONS", 0)

    async def run():
        service = http_server.Service(None, Access("", frozenset()))
        server = await asyncio.start_server(service.connect, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
        head = f"Host: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"POST /mcp HTTP/1.1\r\n{head}\r\n".encode() + body)
        answer = await reader.readline()
        writer.close()
        end = time.monotonic() + SOON
        while service.connections and time.monotonic() < end:
            await asyncio.sleep(0.01)
        server.close()
        return answer, service.held

    assert asyncio.run(run()) == (b"HTTP/1.1 503 Service Unavailable\r\n", 0)
