"""Fixtures of every test: Hypothesis profiles, a clean environment, the built archive."""

import functools
import gc
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


def pytest_sessionstart(session):
    config = session.config
    if config.args_source == config.ArgsSource.TESTPATHS and not config.option.collectonly and two_cores.cores() > 1:
        begin_build(config._tmp_path_factory)  # one core collects the tests meanwhile


def pytest_unconfigure():
    for process, _ in BUILDING:  # the run ended before a test needed the archive
        process.kill()
        process.communicate()


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect without the garbage collector, which would look at all collected tests again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@functools.cache
def is_installed(peer):
    return importlib.util.find_spec(peer) is not None or shutil.which(peer) is not None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Skip a test whose peer is missing: `@pytest.mark.peers("lxml", "pandoc")` needs that package and that program."""
    for mark in item.iter_markers("peers"):
        for name in mark.args:
            if not is_installed(name):
                pytest.skip(f"{name} is not installed (tests/peers.txt)")
    if item.get_closest_marker("browser") and os.environ.get("WEBTOOL_TEST_BROWSER") != "1":
        pytest.skip("browser tests run where WEBTOOL_TEST_BROWSER=1")
    clean_environment(str(item.config._tmp_path_factory.getbasetemp()))


OURS = ("WEBTOOL_", "MCP_WEB_", "XDG_", "IKIGAI_", "BRAVE_", "GOOGLE_")
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


def clean_environment(home):
    """No setting, key or proxy of the person who runs the tests reaches them, and nothing is written to their home.

    A fixture would take a tenth of a millisecond for each test.
    """
    for name in list(os.environ):
        if (name.startswith(OURS) and "_TEST_" not in name) or name.lower() in PROXIES:
            del os.environ[name]
    os.environ["HOME"] = home


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """Take over from pytest's own loop, unless two_cores leaves the tests to it."""

    def prepare():
        if any("archive" in item.fixturenames for item in session.items):
            build_archive(session.config._tmp_path_factory)

    return two_cores.run(session, prepare)


BUILDING = []  # the process that builds the archive and the folder that it installs into, until the archive is needed
BUILT = []  # the archive, after it was built


def begin_build(tmp_path_factory):
    """Start to build the archive from this checkout, with its names beside it."""
    target = tmp_path_factory.mktemp("tools")
    command = [sys.executable, str(ROOT / "build.py"), "--install", str(target)]
    BUILDING.append((subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True), target))


def build_archive(tmp_path_factory):
    """Return the archive, which is built once for all processes that run tests."""
    if not BUILT:
        if not BUILDING:
            begin_build(tmp_path_factory)
        process, target = BUILDING.pop()
        printed, _ = process.communicate(timeout=300)
        assert process.returncode == 0, printed
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
