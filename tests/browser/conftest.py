"""A loopback site to render, a trap that nothing may reach, and one real browser for the whole run."""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
import shutil
import socket
import tempfile
import threading
import time

import pytest
from servers import Server

from webtool.browser.launch import SHORT_FOLDER, find_browser
from webtool.browser.session import Browser
from webtool.errors import RenderFailed
from webtool.settings import Settings

HERE = pathlib.Path(__file__).parent
SITE = "127.0.0.1"  # the settings of these tests let it through
TRAP = "127.0.0.2"  # loopback too, and not let through


class Site(Server):
    """A web server on loopback; `routes` maps a path to (status, content type or headers, body) or a function."""

    def __init__(self, address=SITE):
        self.held = threading.Event()
        super().__init__({}, address)
        self.origin = self.url

    @property
    def requests(self):
        """The paths asked for."""
        return [path for path, _ in self.asked]

    @property
    def headers(self):
        """By path, the last request's header fields under their names as they came and in lower case."""
        return {path: {**sent, **{name.lower(): value for name, value in sent.items()}} for path, sent in self.asked}

    def html(self, path, body, status=200):
        self.routes[path] = (status, "text/html; charset=utf-8", body)
        return self.origin + path

    def hang(self, path):
        """A path that accepts the request and never answers."""
        self.routes[path] = lambda handler: self.held.wait(60) and None

    def close(self):
        self.held.set()
        super().close()


class Trap:
    """Listens on TCP and UDP and keeps what arrives; `arrivals` must stay empty."""

    def __init__(self, address=TRAP):
        self.address = address
        self._tcp = socket.create_server((address, 0))
        self.port = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind((address, self.port))
        self.arrivals = []
        self._is_closed = False
        for target in (self._accept, self._receive):
            threading.Thread(target=target, daemon=True).start()

    @property
    def origin(self):
        return f"http://{self.address}:{self.port}"

    def _accept(self):
        while True:
            try:
                connection, _ = self._tcp.accept()
            except OSError:
                return
            if self._is_closed:
                connection.close()
                return
            connection.settimeout(1.0)
            try:
                data = connection.recv(200)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret")
            except OSError:
                data = b""
            self.arrivals.append(("tcp", data))
            connection.close()

    def _receive(self):
        while True:
            try:
                data, _ = self._udp.recvfrom(2000)
            except OSError:
                return
            if self._is_closed:
                return
            self.arrivals.append(("udp", data))

    def close(self):
        self._is_closed = True
        socket.create_connection((self.address, self.port), 1.0).close()
        self._udp.sendto(b"", (self.address, self.port))
        self._tcp.close()
        self._udp.close()


@pytest.fixture(scope="session")
def short_folder():
    """A folder for temporary files that no other run of these tests uses, short enough for the browser's socket."""
    above = SHORT_FOLDER if os.access(SHORT_FOLDER, os.W_OK | os.X_OK) else None
    with tempfile.TemporaryDirectory(prefix="wt", dir=above) as folder:
        yield folder


@pytest.fixture(autouse=True)
def _own_folder_for_temporary_files(short_folder, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", short_folder)
    monkeypatch.setenv("TMPDIR", short_folder)


@pytest.fixture
def site():
    site = Site()
    yield site
    site.close()


@pytest.fixture(scope="module")
def site_at():
    """site_at(address): one more site, for as long as the module's tests run."""
    made = []

    def make(address=SITE):
        made.append(Site(address))
        return made[-1]

    yield make
    for site in made:
        site.close()


@pytest.fixture
def trap():
    trap = Trap()
    yield trap
    trap.close()


def browser_settings(**changes):
    values = {
        "render": "on",
        "allow_private_hosts": (SITE,),
        "browser_no_sandbox": hasattr(os, "geteuid") and os.geteuid() == 0,
        "browser": os.environ.get("WEBTOOL_BROWSER", ""),
        "max_bytes": 1 << 20,
    }
    values.update(changes)
    return Settings(**values)


def no_proxies():
    return {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark the tests that start a browser: they use `settings`, some by way of other fixtures."""
    for item in items:
        if item.path.parent == HERE and "settings" in item.fixturenames:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def settings():
    """Settings that find and allow a browser."""
    settings = browser_settings()
    try:
        find_browser(settings.browser, os.environ)
    except RenderFailed as exc:
        pytest.fail(f"WEBTOOL_TEST_BROWSER=1 and {exc.message}")
    return settings


@pytest.fixture(scope="session")
def environ(short_folder):
    return {**no_proxies(), "TMPDIR": short_folder}


@pytest.fixture(scope="session")
def browser(settings, environ):
    """One browser for all tests that do not end it."""
    with Browser(settings, environ) as browser:
        yield browser


@pytest.fixture
def render(browser):
    """render(url, seconds=90, **options) with the shared browser."""

    def call(url, seconds=90.0, **options):
        return browser.render(url, deadline=time.monotonic() + seconds, **options)

    return call


@pytest.fixture(scope="session")
def at_once():
    """at_once(work, names): get(name) is what work(name) returned or raised; four at a time, as a browser has tabs."""

    def call(work, names, tabs=4):
        def outcome(name):
            try:
                return work(name), None
            except Exception as error:
                return None, error

        def get(name):
            page, error = found[name]
            if error is not None:
                raise error
            return page

        with concurrent.futures.ThreadPoolExecutor(tabs) as pool:
            found = dict(zip(names, pool.map(outcome, names)))
        return get

    return call


@pytest.fixture
def openssl():
    path = shutil.which("openssl")
    if path is None:
        pytest.skip("no openssl program to make a certificate with")
    return path
