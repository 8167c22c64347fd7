"""CPU of one fetch of a 100 KB page from loopback, process start included, in pairs against floors and other tools.

    python3 tests/bench/network.py [--rounds N] [--python PYTHON] [--peer NAME=COMMAND ...]

Builds nothing: it measures dist/webtool.pyz as it is. Each round runs every contestant once, in turn, so that whatever
else the machine does hits all of them; the ratios of the medians are what counts. {url} in a peer's command is
replaced; a COMMAND that begins with "mcp:" is started as an MCP server on stdio and asked for the page with its tool
`fetch`.
"""

import argparse
import json
import os
import shlex
import subprocess
import tempfile

from costs import ARCHIVE, cost, cpu, in_turn, medians, need_archive
from servers import NOT_FOUND, Server, page

PARAGRAPH = "<p>Some words of a page, with <a href='/x'>a link</a> and <b>bold</b> ones, to be read.</p>\n"
BODY = f"<h1>T</h1>{PARAGRAPH * (100000 // len(PARAGRAPH))}"
PAGE = page(f"<html><head><title>T</title></head><body>{BODY}</body></html>")

BARE = """
import _socket, sys
s = _socket.socket()
s.connect(("127.0.0.1", int(sys.argv[1])))
s.send(b"GET /page HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
while s.recv(65536):
    pass
"""
SOCKET = BARE.replace("_socket", "socket")
CLIENT = """
import sys, time
sys.path.insert(0, sys.argv[2])
from webtool.net.client import Client
from webtool.net.messages import Request
from webtool.settings import Settings
client = Client(Settings(allow_private_hosts=("127.0.0.1",)), {})
body = client.fetch(Request(f"http://127.0.0.1:{sys.argv[1]}/page"), deadline=time.monotonic() + 10).body
assert len(body) > 90000
"""


def cpu_of(command, environ, text=None):
    """Milliseconds of user and system time of a command; it must succeed."""
    return cost(command, env=environ, input=text, capture_output=True)[1] * 1000


def mcp_cpu_of(command, url, environ):
    """Measure an MCP server: initialise, fetch once, end."""
    hello = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
    before = cpu()
    server = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ
    )

    def say(**message):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        server.stdin.flush()

    say(id=1, method="initialize", params=hello)
    server.stdout.readline()
    say(method="notifications/initialized")
    say(id=2, method="tools/call", params={"name": "fetch", "arguments": {"url": url, "max_length": 999999}})
    answer = json.loads(server.stdout.readline())
    assert not answer["result"].get("isError"), answer
    server.stdin.close()
    server.wait(30)
    server.stdout.close()
    return (cpu() - before) * 1000


def contestants(python, port, folder, peers):
    """Name to a function that runs it once and returns milliseconds of CPU."""
    environ = {
        **os.environ,
        "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1",
        "WEBTOOL_CACHE_PATH": f"{folder}/cache.sqlite3",
    }
    cold = {**environ, "WEBTOOL_CACHE": "off"}
    start = [python, "-I", "-S"]
    number = iter(range(10**9))

    def request():
        return json.dumps({"url": f"http://127.0.0.1:{port}/page?{next(number)}"}).encode()

    runs = {
        "python -I -S -c pass": lambda: cpu_of([*start, "-c", "pass"], environ),
        "bare _socket": lambda: cpu_of([*start, "-c", BARE, str(port)], environ),
        "bare socket": lambda: cpu_of([*start, "-c", SOCKET, str(port)], environ),
        "our client": lambda: cpu_of([*start, "-c", CLIENT, str(port), str(ARCHIVE)], environ),
        "webtool fetch": lambda: cpu_of([*start, str(ARCHIVE), "fetch"], environ, request()),
        "webtool fetch, no cache": lambda: cpu_of([*start, str(ARCHIVE), "fetch"], cold, request()),
    }
    for peer in peers:
        name, _, command = peer.partition("=")
        url = f"http://127.0.0.1:{port}/page"
        words = shlex.split(command.removeprefix("mcp:").replace("{url}", url))
        if command.startswith("mcp:"):
            runs[name] = lambda words=words, url=url: mcp_cpu_of(words, url, environ)
        else:
            runs[name] = lambda words=words: cpu_of(words, environ)
    return runs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--python", default="python3")
    parser.add_argument("--peer", action="append", default=[])
    options = parser.parse_args()
    need_archive()
    routes = {"*": PAGE, "/robots.txt": NOT_FOUND}
    with Server(routes) as server, tempfile.TemporaryDirectory() as folder:
        seconds = medians(in_turn(contestants(options.python, server.port, folder, options.peer), options.rounds))
    floor, ours = seconds["bare socket"], seconds["webtool fetch"]
    print(f"{'':32}{'CPU ms':>8}{'/ bare socket':>16}{'/ webtool fetch':>17}")
    for name, value in seconds.items():
        print(f"{name:32}{value:8.1f}{value / floor:16.2f}{value / ours:17.2f}")


if __name__ == "__main__":
    main()
