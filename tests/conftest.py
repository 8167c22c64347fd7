"""Fixtures of every test: Hypothesis profiles, a clean environment, the built archive."""

import importlib.util
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import pytest
import two_cores
from fake_providers import Providers
from hypothesis import HealthCheck, settings

from webtool.context import Context
from webtool.settings import Settings

ROOT = pathlib.Path(__file__).resolve().parents[1]

# No deadlines: these machines are shared, and a slow moment is not a bug. The same examples each time, so that a red
# run means a change; WEBTOOL_TEST_PROFILE=nightly looks longer.
settings.register_profile(
    "normal", derandomize=True, deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("nightly", deadline=None, max_examples=5000, suppress_health_check=list(HealthCheck))
settings.load_profile(os.environ.get("WEBTOOL_TEST_PROFILE", "normal"))


def pytest_configure():
    """A shell starts what it puts in the background with SIGINT ignored, and the programs we start would inherit it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Skip a test whose peer is missing: `@pytest.mark.peers("lxml", "pandoc")` needs that package and that program."""
    for mark in item.iter_markers("peers"):
        for name in mark.args:
            if importlib.util.find_spec(name) is None and shutil.which(name) is None:
                pytest.skip(f"{name} is not installed (tests/peers.txt)")
    if item.get_closest_marker("browser") and os.environ.get("WEBTOOL_TEST_BROWSER") != "1":
        pytest.skip("browser tests run where WEBTOOL_TEST_BROWSER=1")


OURS = ("WEBTOOL_", "MCP_WEB_", "XDG_", "IKIGAI_", "BRAVE_", "GOOGLE_")
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch, tmp_path_factory):
    """No setting, key or proxy of the person who runs the tests reaches them, and nothing is written to their home."""
    for name in list(os.environ):
        if (name.startswith(OURS) and "_TEST_" not in name) or name.lower() in PROXIES:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path_factory.getbasetemp()))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """Take over from pytest's own loop, unless two_cores leaves the tests to it."""

    def prepare():
        if any("archive" in item.fixturenames for item in session.items):
            build_archive(session.config._tmp_path_factory)

    return two_cores.run(session, prepare)


BUILT = []  # the archive, after it was built


def build_archive(tmp_path_factory):
    """Build the archive from this checkout, once for all processes that run tests, with its names beside it."""
    if BUILT:
        return BUILT[0]
    target = tmp_path_factory.mktemp("tools")
    done = subprocess.run(
        [sys.executable, str(ROOT / "build.py"), "--install", str(target)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    BUILT.append(target / "webtool.pyz")
    return BUILT[0]


@pytest.fixture(scope="session")
def archive(tmp_path_factory):
    """The built archive with its names beside it."""
    return build_archive(tmp_path_factory)


@pytest.fixture
def providers():
    """The search providers, played on loopback."""
    with Providers() as running:
        yield running


@pytest.fixture
def make_context(tmp_path):
    """Contexts that share one cache file; keyword arguments are settings."""
    made = []

    def make(environ=None, now=None, **settings):
        settings.setdefault("cache_path", str(tmp_path / "cache.sqlite3"))
        current = Settings(allow_private_hosts=("127.0.0.1",), search_interval=0.0)._replace(**settings)
        options = {"now": now} if now else {}
        made.append(Context(current, environ={**os.environ, **(environ or {})}, **options))
        return made[-1]

    yield make
    for ctx in made:
        ctx.close()


@pytest.fixture
def ctx(make_context):
    return make_context()
