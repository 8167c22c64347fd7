"""Run the server as a process: lines from stdin, lines to stdout. Returns the exit status.

loop.py runs the requests. At the start, the real stdout is moved to another file descriptor and descriptor 1 points to
stderr: code that prints by mistake cannot break the protocol. End of input, a closed stdout, SIGINT and SIGTERM end the
process within a second.
Tests: tests/mcp/test_stdio.py
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator

from webtool import settings
from webtool.context import Context
from webtool.errors import WebtoolError
from webtool.mcp.loop import MAX_LINE, Loop
from webtool.mcp.server import write_log
from webtool.output import is_terminal, take_streams, write_error
from webtool.running.threads import start_thread
from webtool.running.workers import Workers

_READ_BYTES = 1 << 16  # of one read
_MAX_WARM_SECONDS = 10.0  # for getting a worker ready
WAITING = (
    "webtool: this is an MCP server, waiting for an MCP host's JSON-RPC messages on stdin;"
    " webtool mcp --print-config HOST prints a host's settings; Ctrl-D ends it\n"
)


def main() -> int:
    """Serve until the input ends."""
    try:
        return _serve(settings.from_environ(os.environ))
    except WebtoolError as error:
        write_error(f"webtool: {error.code}: {error.message}\n" + (f"  {error.hint}\n" if error.hint else ""))
        return error.exit_status


def _serve(current: settings.Settings) -> int:
    if is_terminal(0):
        write_error(WAITING)
    source, sink = take_streams()
    wakeup = _handle_signals()
    if current.cache and not settings.cache_path(current, os.environ):
        warn("no cache: no home folder is known; name a file with WEBTOOL_CACHE_PATH")
    workers = Workers()
    loop = Loop(Context(current, environ=os.environ, warn=warn, workers=workers), sink)
    try:
        for number, line in enumerate(lines(source, wakeup)):
            if number == 1:  # the host's second message: it has accepted the server
                start_thread(lambda: warm(workers))
            loop.take(line)
    except (KeyboardInterrupt, OSError):
        pass  # interrupted, or the host is gone
    loop.finish()
    return 0


def warm(workers: Workers) -> None:
    """Get one worker ready before the first page is opened."""
    try:
        workers.call("webtool.pages.in_worker:warm", deadline=time.monotonic() + _MAX_WARM_SECONDS)
    except WebtoolError:
        pass  # the first call that opens a page reports the failure


def _handle_signals() -> list[int]:
    """Make SIGTERM act as SIGINT. Returns [a descriptor that is readable after a signal], [] on Windows."""
    try:
        import _signal as signal  # type: ignore[import-not-found]
    except ImportError:
        return []  # a Python without signals

    def stop(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    try:
        for name in ("SIGTERM", "SIGINT", "SIGBREAK"):  # the last is Ctrl-Break, on Windows
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), stop)
        if os.name == "nt":
            return []
        wakeup_source, wakeup_sink = os.pipe()
        os.set_blocking(wakeup_sink, False)
        signal.set_wakeup_fd(wakeup_sink)
        return [wakeup_source]
    except ValueError:
        return []  # not the main thread: a test, or a program that uses webtool as a library


def warn(message: str) -> None:
    """Log a warning to stderr, without secrets."""
    from webtool import urls
    from webtool.lean import dates

    write_log({"ts": dates.iso(time.time()), "level": "warning", "message": urls.redact(message)})


def _wait(source: int, wakeup: list[int]) -> None:
    """Wait for input. A signal ends the wait, so that its handler runs: right before read() it would go unnoticed."""
    while wakeup:
        ready = select.select([source, *wakeup], [], [])[0]
        if source in ready:
            break
        os.read(ready[0], _READ_BYTES)  # the handler did not raise: empty the pipe, else the next wait ends at once


def lines(source: int, wakeup: list[int]) -> Iterator[bytes | None]:
    """Yield the lines of a file descriptor without their ends; None for a line of more than MAX_LINE bytes."""
    parts: list[bytes] = []
    size = 0
    while True:
        _wait(source, wakeup)
        chunk = os.read(source, _READ_BYTES)
        if not chunk:
            break
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            yield None if size + len(piece) > MAX_LINE else b"".join((*parts, piece))
            parts, size = [], 0
        size += len(rest)
        if size <= MAX_LINE:
            parts.append(rest)
        else:
            parts = []  # too long: the line is read to its end but not kept
    if size:
        yield None if size > MAX_LINE else b"".join(parts)
