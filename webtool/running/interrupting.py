"""Run a Job on the caller's own thread, if no worker process can be started. In: a Job. Out: its function's result.

At the deadline the watchdog raises an exception in this thread (PyThreadState_SetAsyncExc). That interrupts Python code
at its next step, but not a long call into C, and memory is not limited. Pythons other than CPython cannot do it: there
only the HTTP client's own deadline applies.
Tests: tests/running/test_workers.py
"""

from __future__ import annotations

import _thread
import time

from webtool.lean.imports import load
from webtool.lean.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from webtool.running.watchdog import Watchdog


_MAX_DELIVERY = 0.1  # seconds to wait for an exception that was raised from another thread


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


def resolve(target: str) -> Callable[..., object]:
    """Import and return the function named "module:function"."""
    module, _, name = target.partition(":")
    function: Callable[..., object] = getattr(load(module), name)
    return function


def call(watchdog: Watchdog, job: Job) -> object:
    """Run the job here and return its result. Raises what the function raises, FetchTimeout and Cancelled."""
    from webtool.running.threads import raise_in

    function, ident = resolve(job.target), _thread.get_ident()
    extra = (job.answer,) if job.answer else ()
    watch = watchdog.watch(lambda: raise_in(ident, _Interrupted), job.ends_at, job.is_cancelled)
    try:
        try:
            return function(*job.arguments, *extra)
        finally:
            watch.close()
            if watch.error is not None:  # the exception was raised: let it arrive here, not in the caller
                time.sleep(_MAX_DELIVERY)
    except _Interrupted:
        assert watch.error is not None
        raise watch.error from None
