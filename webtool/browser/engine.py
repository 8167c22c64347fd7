"""Run one browser with its proxy, profile folder, memory watch and reaper. In: settings, environment, `dial`.

Out: a protocol connection. All parts start together and stop together: by stop(), by an exception, at the
interpreter's exit, or by the reaper if we are killed.

Tests: tests/browser/test_lifetime.py
"""

from __future__ import annotations

import atexit
import os
import sys
import time
from collections.abc import Mapping

from webtool.browser.cdp import BrowserGone, Connection, MessagePipe, NoAnswer, ProtocolError
from webtool.browser.launch import command_line, environment, find_browser, make_profile
from webtool.browser.memory import Watch, limit_data
from webtool.browser.process import Process, Reaper, remove_folder
from webtool.browser.proxy import Dial, Proxy
from webtool.errors import RenderFailed
from webtool.lean.typing import Any
from webtool.settings import Settings

START_WAIT = 30.0  # seconds for the browser's first answer; a cold start on a slow disk takes ten
EXIT_WAIT = 1.0  # seconds for the browser to end by itself before it is killed
MESSAGE_SLACK = 48 << 20  # bytes of a protocol message beyond the page itself: a screenshot, a long data: URL
TRAFFIC_FACTOR = 16  # one connection may carry this many times max_bytes, because many scripts can share one
_NO_SANDBOX_HINT = (
    "Root and some containers cannot use the browser's sandbox: run as another user, or set "
    "WEBTOOL_BROWSER_NO_SANDBOX=1 if you accept that pages run without it."
)


class Engine:
    """A browser process that answers. The constructor starts it, and raises RenderFailed if that fails."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], dial: Dial, deadline: float) -> None:
        path = find_browser(settings.browser, environ)
        if hasattr(os, "geteuid") and os.geteuid() == 0 and not settings.browser_no_sandbox:
            raise RenderFailed("A browser does not run as root with its sandbox", hint=_NO_SANDBOX_HINT)
        self._process: Process | None = None
        self._connection: Connection | None = None
        self.memory = Watch()
        self.proxy = _proxy(dial, settings.max_bytes * TRAFFIC_FACTOR)
        try:
            self._folder = make_profile(path, environ)
        except OSError as exc:
            self.proxy.close()
            message = f"A browser's profile cannot be stored: {exc.strerror or exc}"
            hint = "Make room in the folder for temporary files, or name another one in TMPDIR."
            raise RenderFailed(message, hint=hint) from exc
        self._reaper = Reaper(self._folder)
        atexit.register(self.stop)
        try:
            self._start(path, settings, environ)
            self.user_agent = self._wait_for_answer(deadline)
        except BaseException:
            self.stop()
            raise

    @property
    def connection(self) -> Connection:
        """The protocol connection, dead or alive."""
        assert self._connection is not None
        return self._connection

    @property
    def is_alive(self) -> bool:
        """Whether the protocol connection is open."""
        return self._connection is not None and self._connection.end is None

    @property
    def pid(self) -> int:
        """Process id of the browser, which leads its process group."""
        assert self._process is not None
        return self._process.pid

    def describe_end(self) -> str:
        """Return why the browser has ended and what it printed last, for an error message."""
        reason = self.connection.end or "it does not answer"
        words = self._process.last_words() if self._process and self._process.exit_status() is not None else ""
        return f"{reason}: {words}" if words else reason

    def stop(self) -> None:
        """End the browser and remove its files. Safe to call twice and after a crash."""
        atexit.unregister(self.stop)
        self.memory.close()
        if self._connection is not None:
            self._end_politely(self._connection)
        if self._process is not None:
            self._process.kill()
        if self._connection is not None:
            self._connection.join(EXIT_WAIT)
        self.proxy.close()
        remove_folder(self._folder)
        self._reaper.dismiss()

    def _start(self, path: str, settings: Settings, environ: Mapping[str, str]) -> None:
        argv = command_line(path, self._folder, self.proxy.port, settings)
        self._process = Process(argv, environment(environ, self._folder, sys.platform), self._reaper)
        limit_data(self._process.pid)
        self.memory.begin(self._process.pid)
        pipe = MessagePipe(self._process.commands, self._process.answers, settings.max_bytes * 6 + MESSAGE_SLACK)
        self._connection = Connection(pipe)

    def _wait_for_answer(self, deadline: float) -> str:
        """Wait for the browser's first answer and return its user agent. Raises RenderFailed."""
        waited_from = time.monotonic()
        try:
            until = min(deadline, waited_from + START_WAIT)
            self.connection.subscribe("", self._on_event)
            version = self.connection.call("Browser.getVersion", deadline=until)
            self.connection.call("Target.setDiscoverTargets", {"discover": True}, deadline=until)
        except NoAnswer as exc:
            seconds = time.monotonic() - waited_from
            raise RenderFailed(f"The browser did not answer within {seconds:.0f} s of its start") from exc
        except (BrowserGone, ProtocolError) as exc:
            if self._process is not None:
                self._process.wait(time.monotonic() + EXIT_WAIT)
            words = self.describe_end()
            raise RenderFailed(f"The browser ended at its start: {words}", hint=_hint(words)) from exc
        return str(version.get("userAgent", ""))

    def _on_event(self, session: str, method: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        """Close a window that a page opened in spite of our flags."""
        target = params.get("targetInfo", {})
        if method == "Target.targetCreated" and target.get("type") == "page" and target.get("openerId"):
            try:
                self.connection.send("Target.closeTarget", {"targetId": target["targetId"]})
            except BrowserGone:
                return

    def _end_politely(self, connection: Connection) -> None:
        """Ask the browser to close, so that it waits for its children, which in some containers stay as zombies."""
        try:
            connection.send("Browser.close")
        except BrowserGone:
            pass
        connection.close()
        if self._process is not None:
            self._process.wait(time.monotonic() + EXIT_WAIT)


def _proxy(dial: Dial, max_bytes: int) -> Proxy:
    try:
        return Proxy(dial, max_bytes=max_bytes)
    except OSError as exc:
        raise RenderFailed(f"No socket for the browser's proxy could be had: {exc.strerror or exc}") from exc


def _hint(last_words: str) -> str:
    if "/SingletonSocket" in last_words:  # its path is too long, and may have displaced the words "path too long"
        return "Name a folder with a shorter path in TMPDIR."
    if "sandbox" in last_words.lower():
        return _NO_SANDBOX_HINT
    return "Check that the browser runs by hand."
