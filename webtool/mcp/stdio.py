"""The server as a process: lines from stdin, lines to stdout. Out: the exit status.

loop.py does the work. The real stdout is set aside at the start and file descriptor 1 made to point to stderr: whatever
prints by mistake cannot break the protocol. End of input, a closed stdout, SIGINT and SIGTERM end the process within a
second.
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

_READ_BYTES = 1 << 16
_WARM_SECONDS = 10.0
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
    woken = _heed_signals()
    if current.cache and not settings.cache_path(current, os.environ):
        _warn("no cache: no home folder is known; name a file with WEBTOOL_CACHE_PATH")
    workers = Workers()
    loop = Loop(Context(current, environ=os.environ, warn=_warn, workers=workers), sink)
    try:
        for number, line in enumerate(lines(source, woken)):
            if number == 1:  # the handshake is done, and the host goes on
                start_thread(lambda: _warm(workers))
            loop.take(line)
    except (KeyboardInterrupt, OSError):
        pass  # interrupted, or the other side is gone
    loop.finish()
    return 0


def _warm(workers: Workers) -> None:
    """Have one worker ready before the first page comes."""
    try:
        workers.call("webtool.pages.in_worker:warm", deadline=time.monotonic() + _WARM_SECONDS)
    except WebtoolError:
        pass  # the first call for a page reports it


def _heed_signals() -> list[int]:
    """SIGTERM ends the loop as SIGINT does; a closed stdout is an error of writing, not a silent death.

    Out: a descriptor that can be read once a signal has come, where the system can wait for it together with a pipe.
    """
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
        woken, waker = os.pipe()
        os.set_blocking(waker, False)
        signal.set_wakeup_fd(waker)
        return [woken]
    except ValueError:
        return []  # not the main thread: a test, or a program that uses webtool as a library


def _warn(message: str) -> None:
    from webtool import urls
    from webtool.lean import dates

    write_log({"ts": dates.iso(time.time()), "level": "warning", "message": urls.redact(message)})


def _wait(source: int, woken: list[int]) -> None:
    """Wait for input, or for what a signal's handler raises: one that comes right before read() does not end that."""
    while woken and source not in (ready := select.select([source, *woken], [], [])[0]):
        os.read(ready[0], _READ_BYTES)  # a signal that ended nothing: what it left would end every wait at once


def lines(source: int, woken: list[int]) -> Iterator[bytes | None]:
    """Lines of a file descriptor, without their ends, until it ends; None for one that was too long to keep."""
    parts: list[bytes] = []
    size = 0
    while True:
        _wait(source, woken)
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
            parts = []  # the rest of this line is read and dropped
    if size:
        yield None if size > MAX_LINE else b"".join(parts)
