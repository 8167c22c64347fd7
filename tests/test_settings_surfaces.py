"""Every setting takes effect through every surface that it concerns: environment, config.json and flag.

A row says what is asked and what must be true of the outcome under the setting; the same must not be true without it,
or the row proves nothing. Surfaces: the host protocol, the command line, MCP, the library; ways: the environment,
config.json, and a flag of the command line.
"""

import contextlib
import io
import json
import os
import sqlite3
import tempfile
import time
from typing import NamedTuple

import pytest
from fake_providers import Providers
from servers import Server, page

import webtool
from webtool import registry, settings
from webtool.cli import host, main
from webtool.context import Context
from webtool.errors import WebtoolError
from webtool.mcp.loop import Loop
from webtool.mcp.tools import COMMANDS

TEXT = "<title>Tides</title><main><h1>Tides</h1>" + "<p>The harbour has two tides a day, and more words.</p>" * 40
SURFACES = ("host", "cli", "mcp", "library")


class Case(NamedTuple):
    """One setting: the command and its requests, what surrounds them, what must come of it."""

    setting: str
    value: str
    check: object
    command: str = "fetch"
    requests: tuple = ({"url": "WEB/page"},)
    around: dict = {}  # noqa: RUF012
    surfaces: tuple = SURFACES


class Outcome(NamedTuple):
    """The last answer, what was written on stderr, the seconds it took, and where things lie."""

    data: dict
    stderr: str
    seconds: float
    world: object
    status: int = 0

    @property
    def code(self):
        return self.data.get("error_code")


class World:
    """The surroundings of a run: a server of pages, fake providers, a home folder."""

    def __init__(self, web, providers, folder):
        self.web, self.providers, self.folder = web, providers, folder
        web.asked.clear()
        providers._sent.clear()
        self.cache = folder / "cache" / "webtool" / "cache.sqlite3"

    def fill(self, value):
        """A value with the places of this run in it."""
        if isinstance(value, dict):
            return {name: self.fill(part) for name, part in value.items()}
        if not isinstance(value, str):
            return value
        for mark, text in (("WEB", self.web.url), ("ASK", self.providers.origin), ("HOME", str(self.folder))):
            value = value.replace(mark, text)
        return value


def header(name):
    return lambda o: o.world.web.asked[-1][1].get(name, "")


def asked(provider, path):
    return lambda o: any(one.path.startswith(path) for one in o.world.providers.sent(provider))


def rows_kept(o):
    with contextlib.closing(sqlite3.connect(o.world.cache)) as connection:
        return connection.execute("SELECT count(*) FROM snapshots").fetchone()[0]


def slow(handler):
    time.sleep(0.4)
    return page(TEXT)


def times_apart(o):
    return o.seconds >= 0.2


TRIES = 4
ROUTES = {
    "/page": page(TEXT), "/other": page(TEXT.replace("two tides", "two more tides")), "/slow": slow,
    "/hop": (302, {"Location": "/page"}, b""), "/private": page(TEXT),
    "/named": page('<main><h1>Menu</h1></main><div id="here">' + TEXT + '</div><p>Beside it.</p>'),
    "/robots.txt": (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /private\n"),
}  # fmt: skip
RENDERED = {"command": "open", "requests": ({"url": "WEB/page", "mode": "rendered"},)}
SEARCH = {"command": "search", "requests": ({"query": "tides"},)}
LOCAL = {"WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1,localhost"}

TABLE = [
    Case(
        "allow_private_hosts",
        "127.0.0.1",
        lambda o: "two tides" in str(o.data),
        around={"WEBTOOL_ALLOW_PRIVATE_HOSTS": ""},
    ),
    Case("allow_domains", "other.example", lambda o: o.code == "SSRF_BLOCKED"),
    Case(
        "deny_domains",
        "localhost",
        lambda o: o.code == "SSRF_BLOCKED",
        requests=({"url": "http://localhost:PORT/page"},),
    ),
    Case("deadline", "0.1", lambda o: o.code == "FETCH_TIMEOUT", requests=({"url": "WEB/slow"},)),
    Case("max_bytes", "500", lambda o: o.code == "FETCH_TOO_LARGE"),
    Case("url_rule", "seen", lambda o: "nobody gave it" in str(o.data), surfaces=("host", "mcp", "library")),
    Case("max_redirects", "0", lambda o: "redirect" in o.data.get("error", ""), requests=({"url": "WEB/hop"},)),
    Case("respect_robots", "off", lambda o: o.code is None, requests=({"url": "WEB/private"},)),
    Case("user_agent", "Probe/7", lambda o: header("User-Agent")(o) == "Probe/7"),
    Case("contact", "https://me.example/bot", lambda o: "https://me.example/bot" in header("User-Agent")(o)),
    Case("cache", "off", lambda o: not o.world.cache.exists()),
    Case("cache_path", "HOME/elsewhere.sqlite3", lambda o: (o.world.folder / "elsewhere.sqlite3").exists()),
    Case("cache_max_bytes", "1", lambda o: rows_kept(o) < 2, requests=({"url": "WEB/page"}, {"url": "WEB/other"})),
    Case("warc", "HOME/kept.warc", lambda o: (o.world.folder / "kept.warc").exists()),
    Case(
        "warc_secrets",
        "keep",
        lambda o: b"hunter2" in (o.world.folder / "kept.warc").read_bytes(),
        requests=({"url": "WEB/page?token=hunter2"},),
        around={"WEBTOOL_WARC": "HOME/kept.warc"},
    ),
    Case("offline", "on", lambda o: o.code == "CACHE_MISS"),
    Case("max_output_bytes", "700", lambda o: o.data.get("truncated"), surfaces=("host",)),
    Case("max_answer_tokens", "1000", lambda o: "next_offset" in o.data, command="open", surfaces=("mcp",)),
    Case("exit_zero", "on", lambda o: o.status == 0, requests=({"url": "ftp://x.example/"},), surfaces=("host",)),
    Case("render", "on", lambda o: o.code == "RENDER_FAILED", around={"WEBTOOL_BROWSER": "HOME/none"}, **RENDERED),
    Case(
        "browser",
        "HOME/no-such-browser",
        lambda o: "no-such-browser" in str(o.data),
        around={"WEBTOOL_RENDER": "on"},
        **RENDERED,
    ),
    Case(
        "browser_no_sandbox",
        "on",
        lambda o: "--no-sandbox" in said_to_browser(o),
        around={"WEBTOOL_RENDER": "on", "WEBTOOL_BROWSER": "HOME/browser"},
        **RENDERED,
    ),
    Case("search_provider", "searxng", lambda o: asked("searxng", "/searxng")(o), **SEARCH),
    Case("search_providers", "searxng,brave", lambda o: asked("searxng", "/searxng")(o), **SEARCH),
    Case("search_interval", "0.2", times_apart, command="search", requests=({"query": "tides"}, {"query": "harbour"})),
    Case(
        "search_interval",
        "0.2",
        times_apart,
        command="brave",
        requests=({"query": "tides"}, {"query": "harbour"}),
        surfaces=("host", "cli", "library"),
    ),
    Case(
        "searxng_url",
        "ASK/searxng/inner",
        lambda o: asked("searxng", "/searxng/inner")(o),
        around={"WEBTOOL_SEARCH_PROVIDER": "searxng"},
        **SEARCH,
    ),
    Case("brave_url", "ASK/res/v1/other", lambda o: asked("brave", "/res/v1/other")(o), **SEARCH),
    Case("brave_api", "context", lambda o: asked("brave", "/res/v1/llm")(o), **SEARCH),
    Case(
        "google_url",
        "ASK/customsearch/v1/other",
        lambda o: asked("google", "/customsearch/v1/other")(o),
        around={"WEBTOOL_SEARCH_PROVIDER": "google"},
        **SEARCH,
    ),
    Case(
        "vertex_url",
        "ASK/v1/other",
        lambda o: asked("vertex", "/v1/other")(o),
        around={"WEBTOOL_SEARCH_PROVIDER": "google", "GOOGLE_SEARCH_ENGINE_ID": "VERTEX"},
        **SEARCH,
    ),
    Case(
        "duckduckgo_url",
        "ASK/html/other",
        lambda o: asked("duckduckgo", "/html/other")(o),
        around={"WEBTOOL_SEARCH_PROVIDER": "duckduckgo"},
        **SEARCH,
    ),
    Case(
        "siteconfig_dir",
        "HOME/rules",
        lambda o: "siteconfig: localhost" in str(o.data),
        command="open",
        requests=({"url": "http://localhost:PORT/named"},),
    ),
    Case("hosts_file", "HOME/hosts.json", lambda o: header("X-Probe")(o) == "seen"),
    Case("debug", "on", lambda o: "Traceback" in o.stderr, command="open", around={"BREAK": "1"}),
]
# Settings with a test of their own, because they need a browser or a certificate.
ELSEWHERE = {
    "color": "tests/cli/terminal/test_screen.py",
    "mcp_hosts": "tests/mcp/test_http_server.py",
    "pager": "tests/cli/terminal/test_screen.py",
    "render_clicks": "tests/browser/test_clicks.py",
    "render_deadline": "tests/browser/test_render.py",
    "tls_relaxed": "tests/net/test_client.py",
}


def said_to_browser(o):
    path = o.world.folder / "arguments"
    return path.read_text() if path.exists() else ""


@pytest.fixture(scope="module")
def places():
    with Server(ROUTES) as web, Providers() as providers:
        yield web, providers


@pytest.fixture
def run(places, tmp_path, monkeypatch):
    """Do a case through one surface, with the setting given in one way, or not given at all."""

    def work(case, surface, way):
        folder = tmp_path / f"{surface}-{way}-{len(list(tmp_path.iterdir()))}"  # a case may be tried again
        world = World(*places, prepared(folder))
        environ = {**world.providers.environ(), **LOCAL, **world.fill(case.around)}
        if way != "nothing":
            environ.pop(f"WEBTOOL_{case.setting.upper()}", None)
        environ.update(
            {"XDG_CACHE_HOME": str(folder / "cache"), "XDG_CONFIG_HOME": str(folder / "config"), "HOME": str(folder)}
        )
        if environ.get("GOOGLE_SEARCH_ENGINE_ID") == "VERTEX":
            environ["GOOGLE_SEARCH_ENGINE_ID"] = "projects/p/locations/global/collections/c/engines/e/servingConfigs/s"
        value, flags = world.fill(case.value), []
        if way == "environment":
            environ[f"WEBTOOL_{case.setting.upper()}"] = value
        elif way == "file":
            (folder / "config" / "webtool").mkdir(parents=True)
            (folder / "config" / "webtool" / "config.json").write_text(json.dumps({case.setting: value}))
        elif way == "flag":
            flags = [f"--{case.setting.replace('_', '-')}={value}"]
        if environ.pop("BREAK", None):
            monkeypatch.setattr(registry.load(case.command), "run", lambda ctx, **members: 1 / 0)
        for name in list(os.environ):
            if name.startswith("WEBTOOL_") and "_TEST_" not in name:
                monkeypatch.delenv(name)
        for name, text in environ.items():
            monkeypatch.setenv(name, text) if text else monkeypatch.delenv(name, raising=False)
        begun = time.monotonic()
        for request in case.requests:
            request = {name: world.fill(part) for name, part in request.items()}
            if "url" in request:
                request["url"] = request["url"].replace("PORT", str(world.web.port))
            status, out, err = DO[surface](case.command, request, flags)
        return Outcome(json.loads(out) if out.strip() else {}, err, time.monotonic() - begun, world, status)

    return work


def prepared(folder):
    """A home folder with what the rows name."""
    (folder / "rules").mkdir(parents=True)
    (folder / "rules" / "localhost.txt").write_text("body: //div[@id='here']\n")
    (folder / "hosts.json").write_text('{"http://127.0.0.1": {"headers": {"X-Probe": "seen"}}}')
    (folder / "browser").write_text(f'#!/bin/sh\necho "$@" >> {folder}/arguments\nexit 1\n')
    (folder / "browser").chmod(0o755)
    return folder


def through_host(command, request, flags):
    return captured(lambda: host.main(command, True), json.dumps(request).encode())


def through_cli(command, request, flags):
    words = [request[name] for name in ("url", "query") if name in request]
    given = [(f"--{name}", str(value)) for name, value in request.items() if name not in ("url", "query")]
    return captured(lambda: main.main(command, [*words, *(word for pair in given for word in pair), "--json", *flags]))


def through_mcp(command, request, flags):
    name = next((tool for tool, known in COMMANDS.items() if known == command), "")
    if not name:  # web_fetch is not among the tools of the server: its page comes through web_open
        name, request = "web_open", {**{k: v for k, v in request.items() if k == "url"}, "force_refresh": True}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize",
         "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": name, "arguments": request}},
    ]  # fmt: skip

    def serve():
        loop = Loop(Context(settings.from_environ(os.environ), environ=os.environ), 1)
        for message in messages:
            loop.take(json.dumps(message).encode())
        loop._pool.wait(30)
        loop.finish()
        return 0

    status, out, err = captured(serve)
    answer = next(json.loads(line) for line in out.splitlines() if json.loads(line).get("id") == 2)
    return status, json.dumps(answer["result"]["structuredContent"]), err


def through_library(command, request, flags):
    def call():
        try:
            answer = webtool.run(command, request)
        except WebtoolError as error:
            answer = error.to_dict()
        os.write(1, json.dumps(answer).encode())
        return 0

    return captured(call)


DO = {"host": through_host, "cli": through_cli, "mcp": through_mcp, "library": through_library}


def captured(work, stdin=b""):
    """Run with files in the place of 0, 1 and 2; the status and what was written."""
    files = [tempfile.TemporaryFile() for _ in range(3)]  # noqa: SIM115 (closed below)
    files[0].write(stdin)
    files[0].seek(0)
    saved = [os.dup(fd) for fd in range(3)]
    errors = io.StringIO()
    try:
        for fd, file in enumerate(files):
            os.dup2(file.fileno(), fd)
        with contextlib.redirect_stderr(errors):
            status = work()
    finally:
        for fd, old in enumerate(saved):
            os.dup2(old, fd)
            os.close(old)
    texts = []
    for file in files[1:]:
        file.seek(0)
        texts.append(file.read().decode())
        file.close()
    files[0].close()
    return status, texts[0], texts[1] + errors.getvalue()


def test_every_setting_has_a_row():
    assert {case.setting for case in TABLE} | set(ELSEWHERE) == set(settings.Settings._fields)


def names(cases):
    return [f"{case.setting}-{case.command}" for case in cases]


@pytest.mark.parametrize("case", TABLE, ids=names(TABLE))
def test_a_setting_acts_through_every_surface(case, run):
    for surface in case.surfaces:
        for way in ("environment", "file", *(["flag"] if surface == "cli" else [])):
            outcome = run(case, surface, way)
            assert case.check(outcome), (surface, way, outcome.data, outcome.stderr, outcome.world.web.asked[-1:])
    surface = case.surfaces[0]
    without = [run(case, surface, "nothing")]
    while case.check(without[-1]) and len(without) < TRIES:  # what takes time may take it on a busy machine alone
        without.append(run(case, surface, "nothing"))
    assert not case.check(without[-1]), (surface, without[-1].data)
