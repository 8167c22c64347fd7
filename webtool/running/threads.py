"""Start threads, as many as the system allows; end work that passes its deadline or is cancelled.

One thread of a Watchdog checks all Watches every 0.05 seconds and calls the `end` function of those that are due. For
a worker this kills the process. The work itself may be deep in a parser that never looks at a clock.

run_here() is for a machine where no worker process can be started: it runs a Job on the caller's own thread, and `end`
raises an exception there (PyThreadState_SetAsyncExc). That interrupts Python code at its next step, but not a long call
into C, and memory is not limited. Pythons other than CPython cannot do it: there only the HTTP client's own deadline
applies.
Tests: tests/running/test_threads.py, tests/running/test_workers.py
"""

from __future__ import annotations

import threading
import time
from _thread import start_new_thread
from collections.abc import Callable

from webtool.errors import Cancelled, FetchTimeout, InternalError, WebtoolError, of_bug
from webtool.lean.imports import resolve
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

MAX_THREADS = 64  # threads for the calls of one server


def start_thread(work: Callable[[], None]) -> bool:
    """Start a daemon thread; return False if the system allows no more.

    Thread.start() of the module threading is not used: it waits for ever if the thread runs out of memory before it
    has begun.
    """
    try:
        start_new_thread(work, ())
    except (RuntimeError, MemoryError):
        return False
    return True


def raise_in(ident: int, kind: type[BaseException]) -> None:
    """Raise an exception in another thread at its next step. Does nothing on Pythons other than CPython."""
    try:
        from ctypes import c_ulong, py_object, pythonapi

        pythonapi.PyThreadState_SetAsyncExc(c_ulong(ident), py_object(kind))
    except (ImportError, AttributeError):
        pass


def attempt(work: Callable[[Any], object], item: object) -> object:
    """Return what work(item) returns, or the WebtoolError that it raises; a bug becomes an InternalError."""
    try:
        return work(item)
    except WebtoolError as error:
        return error
    except Exception as exc:
        return of_bug(exc)


def start_threads(run: Callable[[], None], count: int) -> None:
    """Start up to `count` threads, as many as the system allows. Raises InternalError if it allows none."""
    started = sum(start_thread(run) for _ in range(count))
    if count and not started:
        raise InternalError(
            "the system cannot start a thread", hint="Allow the process more memory or threads (ulimit)."
        )


_STEP = 0.05  # seconds between two checks of the Watchdog
_LINGER = 5.0  # seconds for which the Watchdog's thread waits for new work before it ends
_MAX_DELIVERY = 0.1  # seconds to wait for an exception that was raised from another thread


class Watch:
    """One piece of work under watch. `error` is why it was ended, None if it was not."""

    def __init__(self, end: Callable[[], object], deadline: float, is_cancelled: Callable[[], bool]) -> None:
        self._end = end
        self._deadline = deadline
        self._is_cancelled = is_cancelled
        self._lock = threading.Lock()
        self.is_over = False  # the work is done or was ended
        self.error: Cancelled | FetchTimeout | None = None

    def close(self) -> None:
        """Stop watching. After this returns, `end` is not called."""
        with self._lock:
            self.is_over = True

    def check(self, now: float) -> None:
        """End the work if its deadline has passed or it was cancelled. Never raises: one thread checks all work.

        If `is_cancelled` fails, the deadline still counts.
        """
        answer = attempt(lambda _: self._is_cancelled(), None)  # a WebtoolError if that fails
        cancelled = bool(answer) and not isinstance(answer, WebtoolError)
        if not cancelled and now <= self._deadline:
            return
        with self._lock:
            if not self.is_over:
                self.is_over = True
                self.error = Cancelled("the call was cancelled") if cancelled else deadline_passed()
                attempt(lambda _: self._end(), None)


def deadline_passed() -> FetchTimeout:
    """Return the error of work that was ended at its deadline."""
    return FetchTimeout("the deadline passed while the page was being converted")


class Watchdog:
    """Watches work in a thread that is started when needed. If no thread can be started, work is never ended."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._watches: set[Watch] = set()
        self._is_running = False

    def watch(self, end: Callable[[], object], deadline: float, is_cancelled: Callable[[], bool]) -> Watch:
        """Watch a piece of work until its Watch is closed; `end` is called at most once."""
        watch = Watch(end, deadline, is_cancelled)
        with self._changed:
            self._watches.add(watch)
            if self._is_running:
                self._changed.notify()
            else:
                self._is_running = start_thread(self._run)
        return watch

    def _run(self) -> None:
        """Check all watches every _STEP seconds; end after _LINGER seconds without any. The body of the thread."""
        while True:
            with self._changed:
                self._watches = {watch for watch in self._watches if not watch.is_over}
                if not self._watches and not self._changed.wait(_LINGER) and not self._watches:
                    self._is_running = False
                    return
                watches = list(self._watches)
            now = time.monotonic()
            for watch in watches:
                watch.check(now)
            time.sleep(_STEP)


class Job(NamedTuple):
    """A function call to run in a worker, or here."""

    target: str  # the function, as "module:function"
    arguments: tuple[object, ...]
    ends_at: float  # a reading of the monotonic clock
    is_cancelled: Callable[[], bool]
    memory: int  # bytes that the call may use
    answer: Callable[[object], object] | None  # answers the function's questions; None if it asks none


class _Interrupted(BaseException):
    """Raised in a thread whose time is over. A BaseException, so that no `except Exception` catches it."""


def run_here(watchdog: Watchdog, job: Job) -> object:
    """Run the job on this thread; return its result. Raises what the function raises, FetchTimeout and Cancelled."""
    function, ident = resolve(job.target), threading.get_ident()
    extra = (job.answer,) if job.answer else ()
    watch = watchdog.watch(lambda: raise_in(ident, _Interrupted), job.ends_at, job.is_cancelled)
    try:
        try:
            return function(*job.arguments, *extra)
        finally:
            watch.close()
            if watch.error is not None:  # _Interrupted is on its way: let it arrive here, not in the caller
                time.sleep(_MAX_DELIVERY)
    except _Interrupted:
        assert watch.error is not None
        raise watch.error from None
