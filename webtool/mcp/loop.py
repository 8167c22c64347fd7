"""Run requests in parallel: take messages, answer each request on a thread, hand out responses as they come.

A Pool has the threads, a Session the requests of one client, and Replies take what is to be sent. Loop joins them for
stdin and stdout, http_server.py for HTTP. The thread that reads never runs a slow request, so cancellations are noticed
while calls are running, and a response may overtake an earlier one. At most MAX_THREADS threads run; further calls wait
in a queue. Specification: JSON-RPC 2.0; cancellation as in the Model Context Protocol.
Tests: tests/mcp/test_stdio.py
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from webtool.context import Context
from webtool.errors import InternalError, of_bug
from webtool.lean.imports import make_whole
from webtool.lean.typing import Any
from webtool.mcp import messages
from webtool.mcp.messages import INTERNAL_ERROR, INVALID_REQUEST, Call, Line, Message, RpcError
from webtool.mcp.server import Server, is_quick
from webtool.output import write_all
from webtool.running.threads import MAX_THREADS, start_thread

MAX_LINE = 64 * 1024 * 1024  # bytes of a message; web_extract gets the HTML of large pages in one
MAX_LARGE = 4  # calls with large answers (Call.is_large) at the same time: each may take 150 MB while it is written
MAX_WAITING = 5000  # requests that wait for a thread; further ones are refused
MAX_FINISH = 0.65  # seconds that running calls get to answer after the input has ended
MAX_CLEANUP = 0.15  # seconds that cancelled calls get to release what they hold, and then the context


class Replies:
    """Takes what comes of one line: answer() gets each response, send() each notification, from any thread."""

    def __init__(self, write: Callable[[object], None]) -> None:
        self._write = write

    def answer(self, message: dict[str, Any] | None) -> None:
        """Take one response; None if its request was cancelled."""
        if message is not None:
            self._write(message)

    def send(self, message: object) -> None:
        """Take a notification."""
        self._write(message)


class _Batch(Replies):
    """Sends the responses to a JSON-RPC batch of `size` requests together, after the last one."""

    def __init__(self, write: Callable[[object], None], size: int) -> None:
        super().__init__(write)
        self._due = size
        self._answers: list[object] = []
        self._lock = threading.Lock()

    def answer(self, message: dict[str, Any] | None) -> None:
        with self._lock:
            self._due -= 1
            if message is not None:
                self._answers.append(message)
            is_last = self._due == 0
        if is_last and self._answers:
            self._write(self._answers)


class Pool:
    """Threads that run calls, at most MAX_THREADS, and MAX_LARGE large ones. Up to `max_waiting` further calls wait."""

    def __init__(self, max_waiting: int = MAX_WAITING) -> None:
        self.max_calls = max_waiting + MAX_THREADS
        self._max_waiting = max_waiting
        self._state = threading.Condition()
        self._waiting: deque[Callable[[], None]] = deque()
        self._large: deque[Callable[[], None]] = deque()  # waiting, too
        self._large_running = 0
        self._threads = 0
        make_whole()

    @property
    def is_busy(self) -> bool:
        """Whether a thread is running."""
        return self._threads > 0

    def submit(self, work: Callable[[], None], *, is_large: bool = False) -> bool:
        """Run `work`, which raises nothing, on a thread, else on this one. False if too many calls are waiting."""
        with self._state:
            if len(self._waiting) + len(self._large) >= self._max_waiting:
                return False
            (self._large if is_large else self._waiting).append(work)
            needs_thread = self._threads < MAX_THREADS
            if needs_thread:
                self._threads += 1
        if needs_thread and not start_thread(self._work):
            self._work_without_thread()
        return True

    def _work_without_thread(self) -> None:
        """Leave the calls to the threads that run or, without any, run them here: the system allows no more threads."""
        with self._state:
            has_others = self._threads > 1  # the one that could not be started is counted
            if has_others:
                self._threads -= 1
        if not has_others:
            self._work()

    def _work(self) -> None:
        """Run calls until no call may begin. This is what each thread does."""
        is_large = False
        while True:
            with self._state:
                if is_large:  # the call that this thread has just ended
                    self._large_running -= 1
                is_large = bool(self._large) and self._large_running < MAX_LARGE
                waiting = self._large if is_large else self._waiting
                if not waiting:
                    self._threads -= 1
                    self._state.notify_all()
                    return
                if is_large:
                    self._large_running += 1
                work = waiting.popleft()
            work()

    def wait(self, seconds: float) -> None:
        """Wait until all threads have ended, at most that many seconds."""
        with self._state:
            self._state.wait_for(lambda: not self._threads, seconds)

    def clear(self) -> None:
        with self._state:
            self._waiting.clear()
            self._large.clear()


class Session:
    """The requests of one client: their family's state, and which of them are under way."""

    def __init__(self, ctx: Context, pool: Pool) -> None:
        self._ctx = ctx
        self._pool = pool
        self._calls: dict[tuple[bool, object], Call] = {}
        self._lock = threading.Lock()
        self.server = Server(lambda call: ctx.derive(progress=call.progress, is_cancelled=lambda: call.is_cancelled))

    @property
    def is_busy(self) -> bool:
        """Whether a call is under way."""
        return bool(self._calls)

    def refusal(self, line: Line) -> str:
        """Return why the session's revision does not take this line, "" if it does."""
        if line.is_batch and self.server.version != messages.BATCH_VERSION:
            return f"Invalid Request: no batches in protocol {self.server.version or '2025-06-18 and later'}"
        return ""

    def take(self, message: Message, replies: Replies) -> None:
        if message.fault is not None:
            replies.answer(message.fault.response(message.id))
        elif message.is_request:
            self._begin(message, replies)
        elif message.method == "notifications/cancelled":
            self._cancel(message.params.get("requestId"))

    def _begin(self, message: Message, replies: Replies) -> None:
        """Answer a quick request at once; let a thread answer any other."""
        try:
            call = Call(message, self.server.version_of(message), replies.send)
        except RpcError as error:
            replies.answer(error.response(message.id))
            return
        if is_quick(message.method):
            replies.answer(self._answer(call))
            return
        with self._lock:
            is_new = self._calls.setdefault(call.key, call) is call
        if not is_new:
            replies.answer(messages.error(message.id, INVALID_REQUEST, "Invalid Request: this id is in use"))
        elif not self._pool.submit(lambda: self._run(call, replies), is_large=call.is_large):
            self._forget(call)
            text = f"Too many calls: at most {self._pool.max_calls} may be under way"
            replies.answer(messages.error(message.id, INTERNAL_ERROR, text))

    def _run(self, call: Call, replies: Replies) -> None:
        """Answer a request on a thread. Raises nothing."""
        try:
            response = None if call.is_cancelled else self._answer(call)
            self._forget(call)  # before the response is sent, after which the client may use the id again
            # A cancelled request gets no response, even if it succeeded at the last moment.
            replies.answer(None if call.is_cancelled else response)
        except Exception as exc:  # such as MemoryError
            try:
                self._forget(call)
                replies.answer(_bug(call, of_bug(exc)))
            except Exception:
                pass  # no response can be sent; go on with the next call

    def _forget(self, call: Call) -> None:
        with self._lock:
            if self._calls.get(call.key) is call:
                del self._calls[call.key]

    def _answer(self, call: Call) -> dict[str, object]:
        try:
            return messages.result(call.message.id, self.server.answer(call))
        except RpcError as error:
            return error.response(call.message.id)
        except Exception as exc:
            return _bug(call, of_bug(exc, self._ctx.settings.debug))

    def _cancel(self, number: object) -> None:
        if isinstance(number, (str, int, float)) and not isinstance(number, bool):
            with self._lock:
                call = self._calls.pop(messages.key_of(number), None)
            if call is not None:
                call.is_cancelled = True

    def cancel_all(self) -> None:
        with self._lock:
            for call in self._calls.values():
                call.is_cancelled = True


class Loop:
    """One session over lines: takes them, and writes responses to the file descriptor `sink`."""

    def __init__(self, ctx: Context, sink: int) -> None:
        self._ctx = ctx
        self._sink = sink
        self._write_lock = threading.Lock()
        self._is_closed = False
        self._pool = Pool()
        self.session = Session(ctx, self._pool)
        self._replies = Replies(self.send)

    def take(self, line: bytes | None) -> None:
        """Handle one line; None is a line that was too long. Raises BrokenPipeError if nobody reads the responses."""
        if self._is_closed:
            raise BrokenPipeError
        if line is None:
            text = f"Parse error: a message may have {MAX_LINE} bytes"
            self.send(messages.error(None, messages.PARSE_ERROR, text))
            return
        if not line.strip():
            return
        decoded = messages.decode(line)
        refusal = self.session.refusal(decoded)
        if refusal:
            self.send(messages.error(None, INVALID_REQUEST, refusal))
            return
        replies = _Batch(self.send, decoded.due) if decoded.is_batch else self._replies
        for message in decoded.messages:
            self.session.take(message, replies)

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
        if not self._is_closed:
            self._pool.wait(MAX_FINISH)
        self.session.cancel_all()
        self._pool.clear()
        self._pool.wait(MAX_CLEANUP)
        try_for(MAX_CLEANUP, self._ctx.close)


def try_for(seconds: float, work: Callable[[], None]) -> None:
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
    return messages.error(call.message.id, INTERNAL_ERROR, f"Internal error: {bug.message}")
