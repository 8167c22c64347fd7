"""Speak the DevTools protocol over the browser's two pipes: send commands, match answers, deliver events.

Spec: https://chromedevtools.github.io/devtools-protocol/ (flat sessions). A session is the address of a page, frame or
worker; "" is the browser. One thread reads all messages and calls the handler of each event's session, so a handler
must not wait for an answer. On a pipe each message, UTF-8 JSON, ends in NUL (--remote-debugging-pipe). A message that
is too long, or that the browser does not take before the deadline, breaks the pipe for good: nobody could find the
next message. SEND_WAIT limits how long sending a command may take, the caller's deadline how long it waits for the
answer.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable

from webtool.lean.typing import Any
from webtool.net.dial import ready

Handler = Callable[[str, str, dict[str, Any]], None]

_CHUNK = 1 << 16
SEND_WAIT = 5.0  # seconds for the browser to take one command
GONE = "webtool.gone"  # the event that tells handlers that no further event will come


class PipeBroken(Exception):
    """The browser has closed the pipe, does not read, or sent a message that is too long."""


class MessagePipe:
    """The two pipes. One thread reads, many may write. A message has at most `max_message` bytes."""

    def __init__(self, commands: int, answers: int, max_message: int) -> None:
        self._commands = commands
        self._answers = answers
        self._max_message = max_message
        self._parts: list[bytes] = []  # the message that is not complete yet
        self._size = 0  # bytes in _parts since the last message
        self._ready: list[bytes] = []  # complete messages, newest first: read() takes the last
        self._write_lock = threading.Lock()
        self._closed = False
        self._is_cut = False  # a part of a message was written, and the rest never will be
        if sys.platform != "win32":
            os.set_blocking(commands, False)

    def write(self, message: bytes, deadline: float) -> None:
        """Send one message. Raises PipeBroken."""
        data = memoryview(message + b"\0")
        if not self._write_lock.acquire(timeout=max(0.0, deadline - time.monotonic())):
            raise PipeBroken("the browser does not take commands")
        try:
            while data:
                if self._closed or self._is_cut:
                    raise PipeBroken("the pipe is closed")
                data = data[self._write_some(data, deadline) :]
        except OSError as exc:
            raise PipeBroken(f"the browser closed the pipe: {exc.strerror or exc}") from exc
        finally:
            self._is_cut = len(data) > 0
            self._write_lock.release()

    def _write_some(self, data: memoryview, deadline: float) -> int:
        try:
            return os.write(self._commands, data[:_CHUNK])
        except BlockingIOError:
            if not ready([self._commands], max(0.0, deadline - time.monotonic()), "POLLOUT"):
                raise PipeBroken("the browser does not take commands") from None
            return 0

    def read(self) -> bytes:
        """Return the next message. Blocks until there is one. Raises PipeBroken at the end."""
        while not self._ready:
            try:
                chunk = os.read(self._answers, _CHUNK)
            except OSError as exc:
                raise PipeBroken(f"the pipe is closed: {exc.strerror or exc}") from exc
            if not chunk:
                raise PipeBroken("the browser closed the pipe")
            self._take(chunk)
        return self._ready.pop()

    def _take(self, chunk: bytes) -> None:
        """Add bytes that were read. Only read() calls this, and only while no complete message is left."""
        *ends, rest = chunk.split(b"\0")
        for end in ends:
            self._parts.append(end)
            self._ready.append(b"".join(self._parts))
            self._parts.clear()
            self._size = 0
        self._ready.reverse()
        self._parts.append(rest)
        self._size += len(rest)
        if self._size > self._max_message:
            raise PipeBroken(f"the browser sent a message of more than {self._max_message} bytes")

    def close_commands(self) -> None:
        """Close our writing end. A healthy browser exits then."""
        with self._write_lock:
            if not self._closed:
                self._closed = True
                os.close(self._commands)

    def close_answers(self) -> None:
        """Close the reading end; only for the thread that reads."""
        os.close(self._answers)


class ProtocolError(Exception):
    """The browser refused a command."""


class NoAnswer(Exception):
    """The deadline passed before the answer came."""


class BrowserGone(Exception):
    """The connection has ended; the message says how."""


class Pending:
    """The answer to a command that was sent. `done` is set when it has come."""

    def __init__(self, method: str, on_done: Callable[[], None] | None = None) -> None:
        self.method = method
        self.done = threading.Event()
        self._on_done = on_done
        self._result: dict[str, Any] = {}
        self._failure: Exception | None = None

    def result(self, deadline: float) -> dict[str, Any]:
        """Wait for the answer. Raises ProtocolError, NoAnswer, BrowserGone."""
        if not self.done.wait(max(0.0, deadline - time.monotonic())):
            raise NoAnswer(f"no answer to {self.method}")
        if self._failure is not None:
            raise self._failure
        return self._result

    def settle(self, result: dict[str, Any], failure: Exception | None = None) -> None:
        """Set the outcome once and wake the thread that waits."""
        self._result = result
        self._failure = failure
        self.done.set()
        if self._on_done is not None:
            self._on_done()


class Connection:
    """One browser's protocol connection. Any thread may send commands."""

    def __init__(self, pipe: MessagePipe) -> None:
        self._pipe = pipe
        self._lock = threading.Lock()
        self._next_id = 0
        self._pending: dict[int, Pending] = {}
        self._handlers: dict[str, Handler] = {}
        self.end: str | None = None  # why the connection ended; None while it is open
        self._reader = threading.Thread(target=self._read_all, name="webtool-cdp", daemon=True)
        self._reader.start()

    def call(
        self, method: str, params: dict[str, Any] | None = None, session: str = "", *, deadline: float
    ) -> dict[str, Any]:
        """Send a command and return its result. Raises ProtocolError, NoAnswer, BrowserGone."""
        return self.start(method, params, session).result(deadline)

    def start(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        session: str = "",
        on_done: Callable[[], None] | None = None,
    ) -> Pending:
        """Send a command whose answer is waited for later. Raises BrowserGone.

        on_done() runs on the reading thread, or on the thread that ends the connection before the answer has come.
        """
        pending = Pending(method, on_done)
        self._write(self._number(pending), method, params, session)
        return pending

    def send(self, method: str, params: dict[str, Any] | None = None, session: str = "") -> None:
        """Send a command whose answer nobody needs. Raises BrowserGone."""
        self._write(self._number(), method, params, session)

    def subscribe(self, session: str, handler: Handler) -> None:
        """Call handler(session, method, params) for the session's events from now on."""
        with self._lock:
            self._handlers[session] = handler

    def unsubscribe(self, session: str) -> None:
        """Drop the session's events from now on."""
        with self._lock:
            self._handlers.pop(session, None)

    def close(self) -> None:
        """End the connection from our side. Calls that wait for an answer raise BrowserGone."""
        self._finish("the connection was closed")
        self._pipe.close_commands()

    def join(self, timeout: float) -> None:
        """Wait for the reading thread, which ends when the browser does."""
        if threading.current_thread() is not self._reader:
            self._reader.join(timeout)

    def _number(self, pending: Pending | None = None) -> int:
        with self._lock:
            if self.end is not None:
                raise BrowserGone(self.end)
            self._next_id += 1
            if pending is not None:
                self._pending[self._next_id] = pending
            return self._next_id

    def _write(self, number: int, method: str, params: dict[str, Any] | None, session: str) -> None:
        message: dict[str, Any] = {"id": number, "method": method}
        if params:
            message["params"] = params
        if session:
            message["sessionId"] = session
        try:
            self._pipe.write(json.dumps(message).encode(), time.monotonic() + SEND_WAIT)
        except PipeBroken as exc:
            self._finish(str(exc))
            raise BrowserGone(str(exc)) from exc

    def _read_all(self) -> None:
        try:
            while True:
                self._dispatch(json.loads(self._pipe.read()))
        except (PipeBroken, BrowserGone) as exc:
            self._finish(str(exc))
        except ValueError as exc:
            self._finish(f"the browser sent what is not a message: {exc}")
        except BaseException as exc:  # a bug in a handler must not leave callers waiting
            self._finish(f"a handler failed: {exc!r}")
            raise
        finally:
            self._pipe.close_answers()

    def _dispatch(self, message: dict[str, Any]) -> None:
        number: int = message.get("id", 0)  # ours begin with 1; events lack it
        session = message.get("sessionId", "")
        with self._lock:
            handler = None if number else self._handlers.get(session)
            pending = self._pending.pop(number, None)
        if handler is not None:
            handler(session, message.get("method", ""), message.get("params", {}))
        if pending is not None:
            error = message.get("error")
            failure = ProtocolError(f"{pending.method}: {error.get('message')}") if error else None
            pending.settle(message.get("result", {}), failure)

    def _finish(self, reason: str) -> None:
        with self._lock:
            if self.end is not None:
                return
            self.end = reason
            waiting = list(self._pending.values())
            self._pending.clear()
            handlers = list(self._handlers.items())
        for pending in waiting:
            pending.settle({}, BrowserGone(reason))
        for session, handler in handlers:
            handler(session, GONE, {"reason": reason})
