"""The server process: bad lines, batches, cancellation, parallel calls, the end of the input."""

import contextlib
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest
from mcp_peer import STATELESS, Peer
from terminals import open_terminal

from webtool.mcp import stdio

SOON = 8.0  # seconds: far below the deadline of a call, and enough for a loaded machine

BAD_LINES = [
    (b"{", -32700),
    (b"\xff\xfe", -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}', -32700),
    (b"[" * 100000, -32700),
    (b"1" * 5000, -32700),
    (b"[]", -32600),
    (b"[" + b"1," * 2000000 + b"1]", -32600),
    (b"3", -32600),
    (b'"text"', -32600),
    (b'{"id":7,"method":"ping"}', -32600),
    (b'{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":7,"method":3}', -32600),
    (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', -32600),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":7,"method":"no/such"}', -32601),
    (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"nope"}}', -32602),
    (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"web_open","arguments":[1]}}', -32602),
    (b'{"jsonrpc":"2.0","id":7,"method":"logging/setLevel","params":{"level":"loud"}}', -32602),
    (b'{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"x"}}', -32602),
    (b'{"jsonrpc":"2.0","id":7,"method":"resources/list","params":{"cursor":"-1"}}', -32602),
    (b'{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}', -32002),
    (b'{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"nope"}}', -32602),
    (b'{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"docs_summarize_for_coding"}}', -32602),
    (b'{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{}}', -32602),
    (
        b'{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":'
        b'{"ref":{"type":"ref/prompt","name":[]},"argument":{"name":"url","value":""}}}',
        -32602,
    ),
    (b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}', -32700),
    (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":null}', -32602),
    (b'{"jsonrpc":"2.0","id":7,"method":"initialize"}', -32602),
    (b'{"jsonrpc":"2.0","id":7,"method":"notifications/cancelled","params":{"requestId":7}}', -32601),
    (b'{"jsonrpc":"2.0","id":7,"method":"__init__"}', -32601),
    (b'{"jsonrpc":"2.0","id":7,"method":"' + b"m" * 3000000 + b'"}', -32601),
    (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":' + b'{"a":' * 100000 + b"1" + b"}" * 100001, -32700),
    (b'{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{}}', -32601),
]


def test_every_bad_line_is_answered_and_the_server_lives_on(legacy):
    for line, code in BAD_LINES:
        legacy.write(line + b"\n")
        answer = legacy.hear()
        assert answer["error"]["code"] == code, (line[:80], answer)
        assert answer["jsonrpc"] == "2.0"
    assert legacy.ask(99, "ping") == {"jsonrpc": "2.0", "id": 99, "result": {}}
    assert legacy.end() == 0


def test_empty_lines_responses_and_unknown_notifications_are_passed_over(legacy):
    legacy.write(b"\n  \r\n")
    legacy.say({"jsonrpc": "2.0", "id": 5, "result": {}})
    legacy.say({"jsonrpc": "2.0", "method": "notifications/whatever"})
    legacy.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "never seen"}})
    legacy.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": [1]}})
    assert legacy.ask(6, "ping")["result"] == {}


def test_a_line_longer_than_the_limit_is_dropped_with_an_error(legacy):
    legacy.write(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"')
    for _ in range(65):
        legacy.write(b"x" * (1 << 20))
    legacy.write(b'"}}\n')
    assert legacy.hear()["error"]["code"] == -32700
    assert legacy.ask(2, "ping")["result"] == {}


def test_ten_megabytes_are_one_message(legacy):
    legacy.write(b"\xfe garbage " * 1000000 + b"\n")
    assert legacy.hear()["error"]["code"] == -32700
    html = "<main><p>" + "The sea rises and falls. " * 400000 + "</main>"
    result = legacy.call(1, "web_extract", html=html)
    assert result["isError"] is False
    assert "The sea rises" in result["structuredContent"]["markdown"]
    assert len(result["content"][0]["text"]) <= 50000


def test_damaged_lines_never_break_the_server(legacy, site):
    """Every line gets at most one response, and all output is whole lines of JSON."""
    chance = random.Random(5)
    whole = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "web_open", "arguments": {"url": f"{site.url}/data.json", "mode": "raw"}},
        }
    ).encode()
    for _ in range(500):
        line = bytearray(whole)
        for _ in range(chance.randint(1, 6)):
            line[chance.randrange(len(line))] = chance.randrange(256)
        legacy.write(line.replace(b"\n", b" ") + b"\n")
    legacy.request("last", "resources/list")
    answers = 0
    while legacy.hear().get("id") != "last":
        answers += 1
    assert 0 < answers <= 500
    assert legacy.end() == 0


def test_two_hundred_slow_calls_end_with_the_input(legacy, site):
    for number in range(200):
        arguments = {"url": f"{site.url}/slow?{number}", "mode": "raw"}
        legacy.request(number, "tools/call", name="web_open", arguments=arguments)
    while not site.paths():  # the others wait for a connection to the same host
        time.sleep(0.01)
    legacy.process.stdin.close()
    begun = time.monotonic()
    assert legacy.process.wait(20) == 0
    assert time.monotonic() - begun < SOON
    assert legacy.hear() is None


def test_a_message_may_come_in_many_pieces(legacy):
    for byte in b'{"jsonrpc":"2.0","id":"p","method":"ping"}\n':
        legacy.write(bytes([byte]))
    assert legacy.hear() == {"jsonrpc": "2.0", "id": "p", "result": {}}


def test_batches_are_answered_together_in_revisions_that_have_them(peer):
    peer.shake_hands("2025-03-26")
    batch = [
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"id": 3},
    ]
    peer.say(batch)
    answers = peer.hear()
    assert {answer["id"]: "error" in answer for answer in answers} == {1: False, 2: False, 3: True}
    peer.say([{"jsonrpc": "2.0", "method": "notifications/initialized"}])
    assert peer.ask(4, "ping")["result"] == {}


def test_a_batch_is_refused_in_revisions_without_batches(legacy):
    legacy.say([{"jsonrpc": "2.0", "id": 1, "method": "ping"}])
    assert legacy.hear()["error"]["code"] == -32600


def test_the_error_for_a_request_before_the_handshake_names_what_is_missing(peer):
    answer = peer.ask(1, "tools/list")
    assert answer["error"]["code"] == -32602
    assert "initialize" in answer["error"]["message"]
    assert peer.ask(2, "ping")["result"] == {}


def test_the_same_id_twice_at_once_is_refused(legacy, site):
    legacy.request(1, "tools/call", name="web_open", arguments={"url": f"{site.url}/slow", "mode": "raw"})
    legacy.request(1, "tools/call", name="web_open", arguments={"url": f"{site.url}/data.json", "mode": "raw"})
    assert legacy.hear()["error"]["code"] == -32600
    site.release.set()
    assert legacy.hear()["result"]["isError"] is False


def test_answers_overtake_slow_calls(legacy, site):
    legacy.request("slow", "tools/call", name="web_open", arguments={"url": f"{site.url}/slow", "mode": "raw"})
    for number in range(20):
        assert legacy.ask(number, "ping")["id"] == number
    fast = legacy.call("fast", "web_open", url=f"{site.url}/data.json", mode="raw")
    assert fast["structuredContent"]["raw"] == '{"a": [1, 2], "b": "café"}'
    site.release.set()
    assert legacy.hear()["id"] == "slow"


def test_two_hundred_calls_at_once_are_all_answered(legacy, site):
    for number in range(200):
        mode = {"url": f"{site.url}/data.json?{number % 50}", "mode": "raw"}
        legacy.request(number, "tools/call", name="web_open", arguments=mode)
    answers = [legacy.hear(60) for _ in range(200)]
    assert {answer["id"] for answer in answers} == set(range(200))
    assert [answer for answer in answers if answer["result"]["isError"]] == []


class Stall:
    """A server that sends the beginning of a response and stops. `met` is set when it waits for the client to leave."""

    def __init__(self, stage):
        self.stage = stage
        self.met = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=0)
        self.host = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.fillers, self.accepting = [], None
        if stage == "connect":  # nobody accepts, and the queue of connections is full
            for _ in range(3):
                filler = socket.socket()
                filler.setblocking(False)
                filler.connect_ex(self.listener.getsockname())
                self.fillers.append(filler)
            self.met.set()
        else:
            self.accepting = threading.Thread(target=self.accept, daemon=True)
            self.accepting.start()

    def accept(self):
        while True:
            try:
                connection = self.listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection, contextlib.suppress(OSError):
            while True:
                request = connection.recv(65536)
                if b"GET /robots.txt" not in request or self.stage == "robots":
                    break
                connection.sendall(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
            connection.sendall(BEGINNINGS[self.stage])
            self.met.set()
            connection.recv(1)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        # A thread that waits on a closed listener would take connections of the next server with its descriptor.
        if self.accepting:
            with contextlib.suppress(OSError):
                self.listener.shutdown(socket.SHUT_RDWR)
            with contextlib.suppress(OSError):
                socket.create_connection(self.listener.getsockname(), 1).close()  # where shutdown() wakes nobody
            self.accepting.join(5)
        for one in (self.listener, *self.fillers):
            one.close()


BEGINNINGS = {
    "connect": b"",
    "handshake": b"",
    "robots": b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nUser-agent",
    "headers": b"HTTP/1.1 200 OK\r\nContent-Ty",
    "body": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>",
    "chunks": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n",
}


@pytest.mark.parametrize("tool", ["web_open", "web_batch_open"])
@pytest.mark.parametrize("stage", BEGINNINGS)
def test_a_call_can_be_cancelled_at_every_stage(legacy, stage, tool):
    if stage == "connect" and sys.platform != "linux":
        pytest.skip("other systems answer where nobody accepts")
    with Stall(stage) as stall:
        url = f"http{'s' * (stage == 'handshake')}://{stall.host}/x"
        arguments = {"url": url} if tool == "web_open" else {"items": [{"url": url}, {"url": url + "y"}]}
        legacy.request("slow", "tools/call", name=tool, arguments=arguments)
        assert stall.met.wait(20)
        time.sleep(0.2)
        legacy.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "slow"}})
        assert legacy.logged('"error_code": "CANCELLED"') < SOON
    assert legacy.ask("next", "ping")["id"] == "next"
    assert legacy.end() == 0
    assert legacy.hear() is None


def test_a_call_can_be_cancelled_while_a_name_is_looked_up(environ):
    script = (
        "import sys, time, _socket; sys.path.insert(0, '.')\n"
        "from webtool.mcp import stdio\n"
        "def look_up(*_):\n"
        "    print('looking', flush=True); time.sleep(60)\n"
        "_socket.getaddrinfo = look_up\n"
        "raise SystemExit(stdio.main())\n"
    )
    with Peer(None, [sys.executable, "-c", script], **environ) as peer:
        peer.shake_hands()
        peer.request("slow", "tools/call", name="web_open", arguments={"url": "https://slow.example/"})
        peer.logged("looking")
        peer.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "slow"}})
        assert peer.logged('"error_code": "CANCELLED"') < SOON
        begun = time.monotonic()
        peer.process.stdin.close()
        assert peer.process.wait(20) == 0
        assert time.monotonic() - begun < SOON  # the thread that resolves the name is abandoned
        assert peer.hear() is None


def test_a_system_without_threads_is_served_by_the_thread_that_reads(environ, site):
    script = (
        "import sys; sys.path.insert(0, '.')\n"
        "from webtool.running import threads\n"
        "from webtool.mcp import stdio\n"
        "def refuse(*_): raise RuntimeError('no more')\n"
        "threads.start_new_thread = refuse\n"
        "raise SystemExit(stdio.main())\n"
    )
    with Peer(None, [sys.executable, "-c", script], **environ) as peer:
        peer.shake_hands()
        assert not peer.call(1, "web_open", url=f"{site.url}/data.json", mode="raw").get("isError")
        assert peer.end() == 0
        assert "Traceback" not in "".join(peer.errors)


def test_a_page_that_is_being_converted_is_dropped(legacy, site):
    """A busy call cannot be interrupted, but its response is dropped, and other calls are served."""
    site.routes["/large"] = (200, {"Content-Type": "text/html"}, b"<table><tr><td>x<td><b>y</b>" * 180000)
    legacy.request("large", "tools/call", name="web_open", arguments={"url": f"{site.url}/large"})
    while "/large" not in site.paths():
        time.sleep(0.01)
    legacy.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "large"}})
    begun = time.monotonic()
    assert legacy.ask("next", "ping")["id"] == "next"
    assert time.monotonic() - begun < SOON
    begun = time.monotonic()
    assert legacy.end() == 0
    assert time.monotonic() - begun < SOON
    assert legacy.hear() is None


def test_a_number_and_a_text_are_different_ids(legacy, site):
    legacy.request(1, "tools/call", name="web_open", arguments={"url": f"{site.url}/slow", "mode": "raw"})
    while not site.paths():
        time.sleep(0.01)
    legacy.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "1"}})
    site.release.set()
    assert legacy.hear()["id"] == 1


def test_the_end_of_input_lets_quick_calls_answer_and_stops_slow_ones(archive, environ, site):
    with Peer(archive, **environ) as peer:
        peer.shake_hands()
        peer.request("slow", "tools/call", name="web_open", arguments={"url": f"{site.url}/slow", "mode": "raw"})
        while not site.paths():
            time.sleep(0.01)
        peer.request("quick", "tools/list")
        peer.process.stdin.close()
        begun = time.monotonic()
        assert peer.hear()["id"] == "quick"
        assert peer.process.wait(20) == 0
        assert time.monotonic() - begun < SOON
        assert peer.hear() is None


@pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_the_server_quietly(legacy, number):
    legacy.process.send_signal(number)
    assert legacy.process.wait(20) == 0
    assert "Traceback" not in "".join(legacy.errors)


def test_a_client_that_stops_reading_does_not_keep_the_server(archive, environ):
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(archive), "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environ},
    )
    process.stdout.close()
    for number in range(20):
        try:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping"}).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            break
        time.sleep(0.1)
    try:
        assert process.wait(20) == 0
        assert b"Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.stderr.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()


def test_a_client_that_leaves_answers_unread_does_not_keep_the_server(archive, environ):
    """The pipe is full and stays open; the end of the input still ends the process."""
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(archive), "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **environ},
    )
    try:
        for number in range(41):
            request = {"jsonrpc": "2.0", "id": number, "method": "tools/list", "params": {"_meta": STATELESS}}
            process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        time.sleep(1)
        process.stdin.close()
        begun = time.monotonic()
        assert process.wait(20) == 0
        assert time.monotonic() - begun < SOON
    finally:
        process.kill()
        process.stdout.close()


def test_prints_of_code_below_do_not_reach_the_protocol(environ):
    """Output that is written to descriptor 1 while the server runs goes to stderr."""
    script = (
        "import sys, os; sys.path.insert(0, '.')\n"
        "from webtool.mcp import stdio, server\n"
        "def noisy(self, call):\n"
        "    print('a stray line', flush=True); os.write(1, b'another\\n'); os.system('echo a third'); return {}\n"
        "server._METHODS['ping'] = server._METHODS['ping']._replace(answer=noisy)\n"
        "raise SystemExit(stdio.main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
        capture_output=True,
        env={**os.environ, **environ},
        timeout=30,
    )
    assert json.loads(done.stdout) == {"jsonrpc": "2.0", "id": 1, "result": {}}
    for text in (b"a stray line", b"another", b"a third"):
        assert text in done.stderr


@pytest.mark.parametrize("host", ["claude-code", "claude-desktop", "cursor", "vscode", "windsurf", "zed", "gemini"])
def test_printed_settings_start_a_server(archive, environ, host):
    command = [sys.executable, "-I", "-S", str(archive), "mcp", "--print-config", host]
    printed = subprocess.run(command, capture_output=True, check=True, timeout=30)
    servers = next(iter(json.loads(printed.stdout).values()))
    entry = servers["webtool"]
    assert all(os.path.isabs(part) for part in (entry["command"], entry["args"][-2]))
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": STATELESS}})
    done = subprocess.run(
        [entry["command"], *entry["args"]],
        input=request.encode() + b"\n",
        capture_output=True,
        env={**os.environ, **environ, **entry.get("env", {})},
        cwd="/",
        timeout=30,
    )
    assert len(json.loads(done.stdout)["result"]["tools"]) == 7


def test_an_unknown_host_or_word_is_an_error_that_names_the_known_ones(archive):
    for words, message in (
        (["--print-config", "emacs"], "claude-code"),
        (["--print-config"], "claude-code"),
        (["--print-config", "cursor", "vscode"], "one MCP host"),
        (["serve"], "--help"),
    ):
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(archive), "mcp", *words], capture_output=True, timeout=30
        )
        assert done.returncode == 2
        assert message.encode() in done.stderr
        assert done.stdout == b""


@pytest.mark.skipif(os.name == "nt", reason="terminals as POSIX has them")
def test_on_a_terminal_the_server_explains_that_it_waits_for_a_host(archive, environ):
    person, terminal = open_terminal()
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(archive), "mcp"],
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environ},
    )
    try:
        os.close(terminal)
        line = process.stderr.readline().decode()
        assert "waiting" in line
        assert "--print-config" in line
        os.write(person, b"\x04")  # Ctrl-D
        out, errors = process.communicate(timeout=20)
        assert (process.returncode, out, errors) == (0, b"", b"")
    finally:
        process.kill()
        process.wait()
        os.close(person)


def test_a_signal_that_ends_nothing_does_not_end_every_later_wait():
    source, writer = os.pipe()
    woken, waker = os.pipe()
    os.set_blocking(woken, False)
    os.write(waker, b"\x1c")
    taken = threading.Event()

    def answer_when_taken():
        end = time.monotonic() + SOON
        while select.select([woken], [], [], 0)[0] and time.monotonic() < end:
            time.sleep(0.01)
        if time.monotonic() < end:
            taken.set()
        os.write(writer, b"a\n")
        os.close(writer)

    thread = threading.Thread(target=answer_when_taken)
    thread.start()
    assert list(stdio.lines(source, [woken])) == [b"a"]
    thread.join()
    for one in (source, woken, waker):
        os.close(one)
    assert taken.is_set()
