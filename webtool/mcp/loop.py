"""Run requests in parallel: take lines, answer each request on a thread, write responses as they come.

The thread that reads never runs a slow request, so cancellations are noticed while calls are running, and a response
may overtake an earlier one. At most MAX_THREADS threads run; further calls wait in a queue. Specification: JSON-RPC
2.0; cancellation as in the Model Context Protocol.

Tests: tests/mcp/test_stdio.py
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from webtool.context import Context
from webtool.errors import InternalError, of_bug
from webtool.lean.imports import make_whole
from webtool.mcp import messages
from webtool.mcp.messages import Call, Message, key_of
from webtool.mcp.protocol import BATCH_VERSIONS, INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR, RpcError
from webtool.mcp.server import QUICK, Server
from webtool.output import write_all
from webtool.running.threads import MAX_THREADS, start_thread

MAX_LINE = 64 * 1024 * 1024  # bytes of a message; web_extract gets the HTML of large pages in one
MAX_WAITING = 5000  # requests that wait for a thread; further ones are refused
_MAX_FINISH = 0.65  # seconds that running calls get to answer after the input has ended
_MAX_CLEANUP = 0.15  # seconds that cancelled calls get to release what they hold, and then the context


class _Batch:
    """Responses to a JSON-RPC batch of `size` messages, sent together after the last one (2025-03-26 and before)."""

    def __init__(self, loop: Loop, size: int) -> None:
        self._loop = loop
        self._due = size
        self._answers: list[object] = []
        self._lock = threading.Lock()

    def answer(self, message: object) -> None:
        """Take one response; None if its request was cancelled."""
        with self._lock:
            self._due -= 1
            if message is not None:
                self._answers.append(message)
            is_last = self._due == 0
        if is_last and self._answers:
            self._loop.send(self._answers)


class Loop:
    """Takes lines, runs requests on threads, writes responses to the file descriptor `sink`."""

    def __init__(self, ctx: Context, sink: int) -> None:
        self._ctx = ctx
        self._sink = sink
        self._write_lock = threading.Lock()
        self._state = threading.Condition()
        self._calls: dict[tuple[bool, object], Call] = {}
        self._waiting: deque[tuple[Call, _Batch | None]] = deque()
        self._threads = 0
        self._is_closed = False
        self.server = Server(self._context_for)
        make_whole()

    def take(self, line: bytes | None) -> None:
        """Handle one line; None is a line that was too long. Raises BrokenPipeError if nobody reads the responses."""
        if self._is_closed:
            raise BrokenPipeError
        if line is None:
            self.send(messages.error(None, PARSE_ERROR, f"Parse error: a message may have {MAX_LINE} bytes"))
            return
        if not line.strip():
            return
        decoded = messages.decode(line)
        if decoded.is_batch and self.server.version not in BATCH_VERSIONS:
            text = f"Invalid Request: no batches in protocol {self.server.version or '2025-06-18 and later'}"
            self.send(messages.error(None, INVALID_REQUEST, text))
            return
        due = sum(1 for message in decoded.messages if message.is_request or message.fault)
        batch = _Batch(self, due) if decoded.is_batch else None
        for message in decoded.messages:
            self._take(message, batch)

    def _take(self, message: Message, batch: _Batch | None) -> None:
        if message.fault is not None:
            self._reply(message.fault, batch)
        elif message.is_request:
            self._begin(message, batch)
        elif message.method == "notifications/cancelled":
            self._cancel(message.params.get("requestId"))

    def _begin(self, message: Message, batch: _Batch | None) -> None:
        """Answer a quick request at once; queue any other, with one more thread if allowed."""
        try:
            call = Call(message, self.server.version_of(message), self.send)
        except RpcError as error:
            self._reply(messages.error(message.id, error.code, error.message, error.data), batch)
            return
        if message.method in QUICK:
            self._reply(self._answer(call), batch)
            return
        refusal, needs_thread = self._enter(call, batch)
        if refusal is not None:
            self._reply(refusal, batch)
        elif needs_thread:
            self._start_thread()

    def _start_thread(self) -> None:
        """Start one more thread. If the system gives none, running threads take the work, or else this one does."""
        if not start_thread(self._work):
            with self._state:
                is_alone = self._threads == 1
                self._threads -= not is_alone
            if is_alone:
                self._work()

    def _enter(self, call: Call, batch: _Batch | None) -> tuple[dict[str, object] | None, bool]:
        """Queue a call. Returns the error that refuses it, if any, and whether to start one more thread."""
        number = call.message.id
        with self._state:
            if call.key in self._calls:
                return messages.error(number, INVALID_REQUEST, "Invalid Request: this id is in use"), False
            if len(self._waiting) >= MAX_WAITING:
                return messages.error(number, INTERNAL_ERROR, "Too many requests are waiting"), False
            self._calls[call.key] = call
            self._waiting.append((call, batch))
            needs_thread = self._threads < MAX_THREADS
            self._threads += needs_thread
        return None, needs_thread

    def _work(self) -> None:
        """Run requests until none is waiting. This is what each thread does."""
        while True:
            with self._state:
                if not self._waiting:
                    self._threads -= 1
                    self._state.notify_all()
                    return
                call, batch = self._waiting.popleft()
            try:
                self._do(call, batch)
            except Exception as exc:  # such as MemoryError
                try:
                    self._reply(_bug(call, of_bug(exc)), batch)
                except Exception:
                    pass  # no response can be sent; go on with the next call

    def _do(self, call: Call, batch: _Batch | None) -> None:
        response = None if call.is_cancelled else self._answer(call)
        with self._state:  # before the response is sent, after which the client may use the id again
            if self._calls.get(call.key) is call:
                del self._calls[call.key]
        # A cancelled request gets no response, even if it succeeded at the last moment.
        self._reply(None if call.is_cancelled else response, batch)

    def _answer(self, call: Call) -> dict[str, object]:
        number = call.message.id
        try:
            return messages.result(number, self.server.answer(call))
        except RpcError as error:
            return messages.error(number, error.code, error.message, error.data)
        except Exception as exc:
            return _bug(call, of_bug(exc, self._ctx.settings.debug))

    def _cancel(self, number: object) -> None:
        if isinstance(number, (str, int, float)) and not isinstance(number, bool):
            with self._state:
                call = self._calls.pop(key_of(number), None)
                if call is not None:
                    call.is_cancelled = True

    def _context_for(self, call: Call) -> Context:
        return self._ctx.derive(progress=call.progress, is_cancelled=lambda: call.is_cancelled)

    def _reply(self, message: object, batch: _Batch | None) -> None:
        if batch is not None:
            batch.answer(message)
        elif message is not None:
            self.send(message)

    def send(self, message: object) -> None:
        """Write one message as a whole line; threads take turns."""
        data = messages.encode(message)
        with self._write_lock:
            try:
                if not self._is_closed:
                    write_all(self._sink, data)
            except OSError:
                self._is_closed = True  # nobody reads, so the reading thread stops at its next line

    def finish(self) -> None:
        """Give running calls a moment to answer, then cancel them and close the context."""
        self._wait(_MAX_FINISH)
        with self._state:
            for call in self._calls.values():
                call.is_cancelled = True
            self._waiting.clear()
        self._wait(_MAX_CLEANUP)
        _try_for(_MAX_CLEANUP, self._ctx.close)

    def _wait(self, seconds: float) -> None:
        """Wait until all threads have ended, at most that many seconds."""
        end = time.monotonic() + seconds
        with self._state:
            while self._threads and not self._is_closed and (left := end - time.monotonic()) > 0:
                self._state.wait(min(left, 0.05))


def _try_for(seconds: float, work: Callable[[], None]) -> None:
    """Run `work` on a thread and wait at most that many seconds, so that nothing keeps the process from ending."""
    done = threading.Event()

    def run() -> None:
        try:
            work()
        finally:
            done.set()

    if start_thread(run):
        done.wait(seconds)


def _bug(call: Call, bug: InternalError) -> dict[str, object]:
    """Return the response to a request that met a bug."""
    return messages.error(call.message.id, INTERNAL_ERROR, f"Internal error: {bug.message}")
