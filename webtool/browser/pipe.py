"""Send and receive messages over the browser's two pipes. In and out: the bytes of one message, UTF-8 JSON.

On the pipe, each message ends in NUL (--remote-debugging-pipe of the DevTools protocol). A message that is too long,
or that the browser does not take before the deadline, breaks the pipe for good: nobody could find the next message.

Tests: tests/browser/test_cdp.py
"""

from __future__ import annotations

import os
import sys
import threading
import time

from webtool.net.dial import ready

_CHUNK = 1 << 16


class PipeBroken(Exception):
    """The browser has closed the pipe, does not read, or sent a message that is too long."""


class MessagePipe:
    """The two pipes. One thread reads, many may write. A message has at most `max_message` bytes."""

    def __init__(self, commands: int, answers: int, max_message: int) -> None:
        self._commands = commands
        self._answers = answers
        self._max_message = max_message
        self._parts: list[bytes] = []  # of the message that is not complete yet
        self._size = 0  # bytes of these parts
        self._ready: list[bytes] = []  # complete messages, newest first: read() takes the last
        self._write_lock = threading.Lock()
        self._closed = False
        if sys.platform != "win32":
            os.set_blocking(commands, False)

    def write(self, message: bytes, deadline: float) -> None:
        """Send one message. Raises PipeBroken."""
        data = memoryview(message + b"\0")
        if not self._write_lock.acquire(timeout=max(0.0, deadline - time.monotonic())):
            raise PipeBroken("the browser does not take commands")
        try:
            while data:
                if self._closed:
                    raise PipeBroken("the pipe is closed")
                data = data[self._write_some(data, deadline) :]
        except OSError as exc:
            raise PipeBroken(f"the browser closed the pipe: {exc.strerror or exc}") from exc
        finally:
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
