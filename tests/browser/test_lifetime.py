"""However it ends, no process and no file of the browser stays. Linux only where /proc is looked at."""

import os
import pathlib
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time

import pytest

from webtool.browser import engine as engine_module
from webtool.browser import launch, session
from webtool.browser.session import Browser
from webtool.errors import RenderFailed
from webtool.settings import Settings

ROOT = pathlib.Path(__file__).resolve().parents[2]
WAIT = 60.0

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes in /proc")


def render(url, settings, environ, **options):
    with Browser(settings, environ) as browser:
        return browser.render(url, **options)


def folders():
    return {path.name for path in pathlib.Path(tempfile.gettempdir()).glob("webtool-????????")}


def processes_of(folder):
    """Live processes that were started with this profile, by command line or environment."""
    numbers = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            text = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
        except OSError:
            continue
        if folder.encode() in text:
            numbers.append(int(entry.name))
    return numbers


def assert_nothing_left(folder):
    until = time.monotonic() + WAIT
    while time.monotonic() < until and (processes_of(folder) or folder in folders()):
        time.sleep(0.05)
    assert processes_of(folder) == []
    assert folder not in folders()


def running(browser):
    """(folder, pid) of a browser that runs."""
    return os.path.basename(browser.engine._folder), browser.engine.pid


def test_closed_browser_leaves_nothing(site, settings, environ):
    before = folders()
    with Browser(settings, environ) as browser:
        browser.render(site.html("/", "<p>x"), deadline=time.monotonic() + 90)
        folder, _ = running(browser)
        assert len(processes_of(folder)) >= 3
        threads = [thread for thread in threading.enumerate() if thread.name.startswith("webtool-")]
        assert threads
    assert_nothing_left(folder)
    assert folders() <= before
    with pytest.raises(RenderFailed, match="closed"):
        browser.render(site.origin + "/", deadline=time.monotonic() + 90)


def test_browser_has_one_renderer_for_one_page(site, settings, environ, monkeypatch):
    """None waits for the next page, and no window is open before the first."""
    counts = []
    read = session.Page.snapshot

    def snapshot(page, deadline):
        found = [pathlib.Path(f"/proc/{number}/cmdline") for number in processes_of(page._engine._folder)]
        counts.append(sum(b"--type=renderer" in path.read_bytes() for path in found))
        return read(page, deadline)

    monkeypatch.setattr(session.Page, "snapshot", snapshot)
    render(site.html("/", "<p>One page"), settings, environ, deadline=time.monotonic() + 90)
    assert counts == [1]


def test_exception_while_rendering_leaves_nothing(site, settings, environ):
    def fail(url):
        raise ZeroDivisionError

    url = site.html("/", "<p>x")
    processes = []

    def work():
        with Browser(settings, environ) as browser:
            try:
                browser.render(url, deadline=time.monotonic() + 90, check_hop=fail)
            finally:
                processes.append(running(browser)[0])

    with pytest.raises(ZeroDivisionError):
        work()
    assert_nothing_left(processes[0])


def test_browser_killed_in_the_middle_is_reported_and_replaced(site, settings, environ):
    site.hang("/never")
    url = site.html("/", "<p>x<script>fetch('/never')</script>")
    with Browser(settings, environ) as browser:
        browser.render(site.html("/first", "<p>x"), deadline=time.monotonic() + 90)
        folder, pid = running(browser)

        def kill():
            while "/never" not in site.requests:
                time.sleep(0.02)
            os.kill(pid, signal.SIGKILL)

        thread = threading.Thread(target=kill)
        thread.start()
        started = time.monotonic()
        with pytest.raises(RenderFailed, match="crashed or was ended") as caught:
            browser.render(url, deadline=time.monotonic() + 90)
        assert caught.value.retryable
        assert time.monotonic() - started < 25
        thread.join()
        assert browser.render(site.html("/2", "<title>new"), deadline=time.monotonic() + 90).title == "new"
        assert_nothing_left(folder)
        folder, _ = running(browser)
    assert_nothing_left(folder)


def test_stopped_browser_does_not_hold_us_up(site, settings, environ, monkeypatch):
    """A browser that hangs as a whole: SIGSTOP to its main process."""
    monkeypatch.setattr(session, "STUCK_AFTER", 1.0)
    with Browser(settings, environ) as browser:
        browser.render(site.html("/", "<p>x"), deadline=time.monotonic() + 90)
        folder, pid = running(browser)
        os.kill(pid, signal.SIGSTOP)
        started = time.monotonic()
        with pytest.raises(RenderFailed, match="does not answer"):
            browser.render(site.origin + "/", deadline=time.monotonic() + 2)
        assert time.monotonic() - started < 20
        assert_nothing_left(folder)
        assert browser.render(site.html("/2", "<title>new"), deadline=time.monotonic() + 90).title == "new"


PROGRAM = """
import os, sys, time
sys.path.insert(0, {root!r})
from webtool.browser.session import Browser
from webtool.settings import Settings
browser = Browser(Settings(render="on", allow_private_hosts=("127.0.0.1",), browser={browser!r},
                           browser_no_sandbox={no_sandbox!r}), os.environ)
browser.render({url!r}, deadline=time.monotonic() + 90)
print(os.path.basename(browser.engine._folder), flush=True)
{end}
"""

ENDS = {
    "returns without closing": "",
    "fails": "raise ZeroDivisionError",
    "os._exit": "os._exit(0)",
    "SIGTERM": "time.sleep(300)",
    "SIGINT": "time.sleep(300)",
    "SIGKILL": "time.sleep(300)",
}


@pytest.fixture(scope="module")
def ended(site_at, settings, environ, at_once):
    """ended(end): the folder of a browser whose process ended so."""
    site = site_at()
    return at_once(lambda end: _end(site, settings, environ, end), ENDS)


def _end(site, settings, environ, end):
    code = PROGRAM.format(
        root=str(ROOT),
        browser=settings.browser,
        no_sandbox=settings.browser_no_sandbox,
        url=site.html("/", "<p>x"),
        end=ENDS[end],
    )
    command = [sys.executable, "-c", code]
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, env=environ, text=True, stdout=subprocess.PIPE, stderr=errors)
        folder = process.stdout.readline().strip()
        errors.seek(0)
        assert folder.startswith("webtool-"), errors.read()
    with process:
        try:
            if end.startswith("SIG"):
                assert processes_of(folder)
                process.send_signal(getattr(signal, end))
            process.wait(90)
        finally:
            process.kill()
    return folder


@pytest.mark.parametrize("end", ENDS)
def test_every_end_of_our_own_process_takes_the_browser_along(ended, end):
    assert_nothing_left(ended(end))


def fake_browser(tmp_path, script):
    path = tmp_path / "browser"
    path.write_text("#!/bin/sh\n" + script + "\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return Settings(render="on", browser=str(path), browser_no_sandbox=True)


FAKES = [
    ("echo 'cannot open display' >&2; exit 3", "ended at its start: .*cannot open display", 30.0),
    ("echo 'No usable sandbox! Update your kernel' >&2; exit 1", "No usable sandbox", 30.0),
    ("sleep 60", "did not answer within", 1.0),
    ("trap '' TERM HUP INT; sleep 60 3<&- 4>&-", "did not answer within", 1.0),
    ("printf 'garbage\\0' >&4; sleep 60", "not a message", 30.0),
    ("exec 4>&-; sleep 60", "closed the pipe", 30.0),
    ("head -c 300000000 /dev/zero | tr '\\0' a >&4; sleep 60", "more than .* bytes", 30.0),
]


@pytest.mark.parametrize(("script", "message", "seconds"), FAKES)
def test_program_that_is_no_browser_is_reported_with_its_reason(tmp_path, monkeypatch, script, message, seconds):
    monkeypatch.setattr(engine_module, "EXIT_WAIT", 0.1)
    before = folders()
    settings = fake_browser(tmp_path, script)
    started = time.monotonic()
    with pytest.raises(RenderFailed, match=message) as caught:
        render("http://127.0.0.1/", settings, {"PATH": os.environ["PATH"]}, deadline=started + seconds)
    assert time.monotonic() - started < 20
    assert folders() <= before
    if "sandbox" in message:
        assert "WEBTOOL_BROWSER_NO_SANDBOX" in caught.value.hint


def test_missing_browser_is_reported_with_what_to_do(tmp_path):
    settings = Settings(render="on", browser=str(tmp_path / "none"), browser_no_sandbox=True)
    with pytest.raises(RenderFailed, match="does not exist") as caught:
        render("http://127.0.0.1/", settings, {}, deadline=time.monotonic() + 60)
    assert "WEBTOOL_BROWSER" in caught.value.hint


def test_file_that_cannot_be_executed_is_reported(tmp_path):
    path = tmp_path / "browser"
    path.write_bytes(b"\x7fELF junk")
    path.chmod(0o755)
    settings = Settings(render="on", browser=str(path), browser_no_sandbox=True)
    with pytest.raises(RenderFailed, match=r"could not be started|ended at its start"):
        render("http://127.0.0.1/", settings, {}, deadline=time.monotonic() + 60)


def test_root_needs_the_setting_that_gives_up_the_sandbox(tmp_path, monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 0, raising=False)
    settings = fake_browser(tmp_path, "exit 0")._replace(browser_no_sandbox=False)
    with pytest.raises(RenderFailed, match="as root") as caught:
        render("http://127.0.0.1/", settings, {}, deadline=time.monotonic() + 60)
    assert "WEBTOOL_BROWSER_NO_SANDBOX=1" in caught.value.hint


def test_no_place_for_a_profile_is_reported_with_what_to_do(tmp_path, monkeypatch):
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    monkeypatch.setattr(launch, "SHORT_FOLDER", str(tmp_path / "missing"))
    settings = Settings(render="on", browser=str(program), browser_no_sandbox=True)
    with pytest.raises(RenderFailed, match="browser's profile cannot be stored") as caught:
        render("http://127.0.0.1/", settings, {}, deadline=time.monotonic() + 60)
    assert "TMPDIR" in caught.value.hint


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the browser does not use our TMPDIR")
@pytest.mark.parametrize("length", [45, 46, 200])
def test_folder_for_temporary_files_may_have_a_long_path(site, settings, environ, monkeypatch, length):
    """Chromium's socket must fit there; 45 bytes are the most that leave it its room."""
    short = tempfile.gettempdir()
    long = pathlib.Path(short, "x" * (length - len(short) - 1))
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    monkeypatch.setattr(launch, "SHORT_FOLDER", short)
    with Browser(settings, environ) as browser:
        page = browser.render(site.html("/", "<title>x</title>"), deadline=time.monotonic() + 90)
        used = os.path.dirname(browser.engine._folder)
    assert page.title == "x"
    assert used == (str(long) if length == 45 else short)
    assert list(long.iterdir()) == []


def test_path_that_is_too_long_with_no_other_place_is_reported_with_what_to_do(
    site, settings, environ, monkeypatch, tmp_path
):
    long = tmp_path / ("sandbox" * 20)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    monkeypatch.setattr(launch, "SHORT_FOLDER", str(tmp_path / "missing"))
    with pytest.raises(RenderFailed, match="SingletonSocket") as caught:
        render(site.origin + "/", settings, environ, deadline=time.monotonic() + 90)
    assert "TMPDIR" in caught.value.hint
    assert list(long.iterdir()) == []


def test_browser_gets_no_keys_of_ours(tmp_path):
    env_file = tmp_path / "env"
    settings = fake_browser(tmp_path, f"env > {env_file}; echo gone >&2; exit 1")
    environ = {
        "PATH": os.environ["PATH"],
        "BRAVE_API_KEY": "first-key",
        "LANG": "C.UTF-8",
        "https_proxy": "http://u:second-key@p",
    }
    with pytest.raises(RenderFailed):
        render("http://127.0.0.1/", settings, environ, deadline=time.monotonic() + 60)
    text = env_file.read_text()
    assert "LANG=C.UTF-8" in text
    assert "first-key" not in text
    assert "second-key" not in text
