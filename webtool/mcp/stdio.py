"""The server's loop: lines from stdin, lines to stdout, requests in parallel. In: words. Out: the exit status.

The thread that reads never does the work of a request, so a cancellation is felt while calls are running. The real
stdout is set aside at the start and file descriptor 1 made to point to stderr: whatever prints by mistake cannot break
the protocol. End of input, a closed stdout, SIGINT and SIGTERM end the process within a second.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque

from webtool import settings
from webtool.context import Context
from webtool.errors import WebtoolError
from webtool.mcp import logs, messages
from webtool.mcp.protocol import BATCH_VERSIONS, INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR, RpcError
from webtool.mcp.server import Call, Server
from webtool.output import is_terminal, write_all, write_error
from webtool.parallel import make_imports_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from webtool.mcp.messages import Message

MAX_LINE = 64 * 1024 * 1024
"""Longest message in bytes: the HTML of a large page, for web_extract."""
MAX_THREADS = 64
MAX_WAITING = 5000
"""Requests that may wait for a thread; further ones are refused."""
_READ_BYTES = 1 << 16
_GRACE = 0.65  # seconds that running calls get to answer once the input has ended
_LAST = 0.15  # seconds that cancelled calls get to put away what they hold


def main(words: list[str]) -> int:
    """Serve until the input ends; or, with --print-config HOST, print settings for that host."""
    try:
        if words[:1] == ["--print-config"] or (words and words[0].startswith("--print-config=")):
            return _print_config(words)
        if words:
            return _usage(words)
        return _serve(settings.from_environ(os.environ))
    except WebtoolError as error:
        write_error(f"webtool: {error.code}: {error.message}\n" + (f"  {error.hint}\n" if error.hint else ""))
        return error.exit_status


_USAGE = """webtool mcp: serve the web tools to an MCP host over stdin and stdout

  webtool mcp                                run the server (a host does this)
  webtool mcp --print-config HOST            print the settings to paste into HOST:
                                             claude-code, claude-desktop, cursor or vscode

Settings come from the environment (WEBTOOL_...) and from config.json, as for every command.
"""


def _usage(words: list[str]) -> int:
    if words[0] in ("--help", "-h"):
        write_all(1, _USAGE.encode())
        return 0
    write_error(f"webtool: INVALID_ARGUMENT: mcp takes no {words[0]!r}\n  See webtool mcp --help.\n")
    return 2


def _print_config(words: list[str]) -> int:
    import json

    from webtool.mcp import configs

    host = words[0].partition("=")[2] or "".join(words[1:2])
    text = json.dumps(configs.config(host), indent=2, ensure_ascii=False)
    write_error(f"Put this into {configs.HOSTS[host][2]}:\n")
    write_all(1, text.encode() + b"\n")
    return 0


def _serve(current: settings.Settings) -> int:
    if is_terminal(0):
        write_error("webtool: waiting for an MCP client on stdin (Ctrl-D ends it; see --print-config)\n")
    # Copies that child processes do not inherit; 0 and 1 are left to whoever reads or prints by mistake.
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    _heed_signals()
    loop = Loop(Context(current, environ=os.environ, warn=_warn), sink)
    try:
        for line in lines(source):
            loop.take(line)
    except (KeyboardInterrupt, OSError):
        pass  # interrupted, or the other side is gone
    loop.finish()
    return 0


def _heed_signals() -> None:
    """SIGTERM ends the loop as SIGINT does; a closed stdout is an error of writing, not a silent death."""
    try:
        import _signal as signal  # type: ignore[import-not-found]
    except ImportError:
        import signal  # type: ignore[no-redef]

    def stop(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    try:
        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
    except ValueError:
        pass  # not the main thread: a test, or a program that uses webtool as a library


def _warn(message: str) -> None:
    from webtool import urls
    from webtool.cache import dates

    logs.write({"ts": dates.iso(time.time()), "level": "warning", "message": urls.redact(message)})


def lines(source: int) -> Iterator[bytes | None]:
    """Lines of a file descriptor, without their ends, until it ends; None for one that was too long to keep."""
    parts: list[bytes] = []
    size = 0
    while True:
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


class _Batch:
    """Answers of a JSON-RPC batch, sent together when the last one is there (2025-03-26 and before)."""

    def __init__(self, loop: Loop, size: int) -> None:
        self._loop = loop
        self._left = size
        self._answers: list[object] = []
        self._lock = threading.Lock()

    def answer(self, message: object) -> None:
        """Take one answer, None where there is none to send."""
        with self._lock:
            self._left -= 1
            if message is not None:
                self._answers.append(message)
            is_last = self._left == 0
        if is_last and self._answers:
            self._loop.send(self._answers)


class Loop:
    """Takes lines, runs requests on threads, writes answers as they come."""

    def __init__(self, ctx: Context, sink: int) -> None:
        self._ctx = ctx
        self._sink = sink
        self._write_lock = threading.Lock()
        self._state = threading.Condition()
        self._calls: dict[tuple[type, object], Call] = {}
        self._waiting: deque[tuple[Call, _Batch | None]] = deque()
        self._threads = 0
        self._is_closed = False
        self.server = Server(self._context_for)
        make_imports_whole()

    def take(self, line: bytes | None) -> None:
        """Handle one line. Raises BrokenPipeError when nobody reads the answers any more."""
        if self._is_closed:
            raise BrokenPipeError
        if line is None:
            self.send(messages.error(None, PARSE_ERROR, f"Parse error: a message may have {MAX_LINE} bytes"))
            return
        if not line.strip():
            return
        found = messages.decode(line)
        if found.is_batch and self.server.version not in BATCH_VERSIONS:
            text = f"Invalid Request: no batches in protocol {self.server.version or '2025-06-18 and later'}"
            self.send(messages.error(None, INVALID_REQUEST, text))
            return
        due = sum(1 for message in found.messages if message.is_request or message.fault)
        batch = _Batch(self, due) if found.is_batch else None
        for message in found.messages:
            self._take(message, batch)

    def _take(self, message: Message, batch: _Batch | None) -> None:
        if message.fault is not None:
            self._reply(message.fault, batch)
        elif message.is_request:
            self._begin(message, batch)
        elif message.method == "notifications/cancelled":
            self._cancel(message.params.get("requestId"))

    def _begin(self, message: Message, batch: _Batch | None) -> None:
        try:
            call = Call(message, self.server.version_of(message), self.send)
        except RpcError as error:
            self._reply(messages.error(message.id, error.code, error.message, error.data), batch)
            return
        if self.server.is_quick(message):
            self._reply(self._answer(call), batch)
            return
        key = (type(message.id), message.id)
        with self._state:
            is_double, is_full = key in self._calls, len(self._waiting) >= MAX_WAITING
            if not is_double and not is_full:
                self._calls[key] = call
                self._waiting.append((call, batch))
                needs_thread = self._threads < MAX_THREADS
                self._threads += needs_thread
        if is_double:
            self._reply(messages.error(message.id, INVALID_REQUEST, "Invalid Request: this id is in use"), batch)
        elif is_full:
            self._reply(messages.error(message.id, INTERNAL_ERROR, "Too many requests are waiting"), batch)
        elif needs_thread:
            threading.Thread(target=self._work, name="mcp-call", daemon=True).start()

    def _work(self) -> None:
        """A thread's life: requests, until none is waiting."""
        while True:
            with self._state:
                if not self._waiting:
                    self._threads -= 1
                    self._state.notify_all()
                    return
                call, batch = self._waiting.popleft()
            response = None if call.is_cancelled else self._answer(call)
            with self._state:  # before the answer is out: the client may use the id again as soon as it has it
                self._calls.pop((type(call.message.id), call.message.id), None)
            # What was cancelled gets no answer, even where it succeeded at the last moment.
            self._reply(None if call.is_cancelled else response, batch)

    def _answer(self, call: Call) -> dict[str, object]:
        number = call.message.id
        try:
            return messages.result(number, self.server.answer(call))
        except RpcError as error:
            return messages.error(number, error.code, error.message, error.data)
        except Exception as exc:
            if self._ctx.settings.debug:
                import traceback

                traceback.print_exc()
            return messages.error(number, INTERNAL_ERROR, f"Internal error: {type(exc).__name__}: {exc}")

    def _cancel(self, number: object) -> None:
        if isinstance(number, (str, int, float)) and not isinstance(number, bool):
            with self._state:
                call = self._calls.get((type(number), number))
                if call is not None:
                    call.is_cancelled = True

    def _context_for(self, call: Call) -> Context:
        return self._ctx.derive(
            deadline=time.monotonic() + self._ctx.settings.deadline,
            progress=call.progress,
            is_cancelled=lambda: call.is_cancelled,
        )

    def _reply(self, message: object, batch: _Batch | None) -> None:
        if batch is not None:
            batch.answer(message)
        elif message is not None:
            self.send(message)

    def send(self, message: object) -> None:
        """Write one message; whole lines only, whatever the number of threads."""
        data = messages.encode(message)
        with self._write_lock:
            if self._is_closed:
                return
            try:
                write_all(self._sink, data)
            except OSError:
                self._is_closed = True  # nobody reads: the reading thread stops at its next line

    def finish(self) -> None:
        """Give running calls a moment to answer, then cancel them, and put everything away."""
        self._wait(_GRACE)
        with self._state:
            for call in self._calls.values():
                call.is_cancelled = True
            self._waiting.clear()
        self._wait(_LAST)
        # On a thread of its own: neither a locked cache file nor a browser may keep the process from ending.
        closing = threading.Thread(target=self._ctx.close, name="mcp-close", daemon=True)
        closing.start()
        closing.join(_LAST)

    def _wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        with self._state:
            while self._threads and not self._is_closed and (left := end - time.monotonic()) > 0:
                self._state.wait(min(left, 0.05))
