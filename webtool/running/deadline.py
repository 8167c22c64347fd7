"""Enforce the deadline of a one-shot command, parsing included, by a timer that raises FetchTimeout.

start() arms an interval timer (SIGALRM). On a platform without one (Windows) another thread raises the exception in the
thread that called start(): that interrupts Python code at its next step, but not a long call into C. stop() disarms
both. The process has one interval timer: start() replaces that of a program around webtool, if there is one.
Tests: tests/running/test_deadline.py
"""

from __future__ import annotations

import _thread
import time

from webtool.errors import FetchTimeout
from webtool.lean.imports import load
from webtool.lean.typing import Any

_REPEAT_SECONDS = 0.5  # FetchTimeout is raised again after this time, as some code may have swallowed the first one
_GRACE_SECONDS = 0.4  # from the deadline to the timer: the HTTP client ends at the deadline, with a better message
_HINT = "Try again, or raise WEBTOOL_DEADLINE (seconds)."


def _message(seconds: float) -> str:
    return f"the deadline of {seconds:g} s passed"


def start(seconds: float) -> float:
    """Arm the timer; return the deadline as a reading of the monotonic clock."""
    deadline = time.monotonic() + seconds

    def expired(_number: int, _frame: object) -> None:
        raise FetchTimeout(_message(seconds), hint=_HINT)

    signal = _module()
    if not hasattr(signal, "setitimer"):
        _raise_later(seconds)
        return deadline
    try:
        before = signal.signal(signal.SIGALRM, expired)
    except ValueError:  # not the main thread: a program that uses webtool as a library
        return deadline
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE_SECONDS, _REPEAT_SECONDS)
    _armed.append((signal, before))
    return deadline


_armed: list[Any] = []  # of each timer that start() armed, the module and the handler of SIGALRM before it
_timers: list[Any] = []  # one lock for each thread of _raise_later(); releasing it ends the thread
_raising = _thread.allocate_lock()  # held by a thread that raises, and by stop() while it empties `_timers`


def _raise_later(seconds: float) -> None:
    """Start a thread that raises FetchTimeout in this thread after `seconds`, and again until stop()."""

    class Expired(FetchTimeout):
        def __init__(self) -> None:
            super().__init__(_message(seconds), hint=_HINT)

    from webtool.running.threads import raise_in

    lock, ident = _thread.allocate_lock(), _thread.get_ident()
    lock.acquire()
    _timers.append(lock)

    def wait() -> None:
        left = seconds + _GRACE_SECONDS
        while not lock.acquire(timeout=left):
            left = _REPEAT_SECONDS
            with _raising:
                if lock not in _timers:  # stop() came between the end of the wait and this line
                    return
                raise_in(ident, Expired)

    _thread.start_new_thread(wait, ())


def stop() -> None:
    """Disarm what start() armed, before the answer is written, and give SIGALRM its handler back.

    Without start() this does nothing: a timer that another part of the process set goes on.
    """
    with _raising:  # from here on no thread raises
        ended = list(_timers)
        _timers.clear()
    for lock in ended:
        lock.release()
    while _armed:
        signal, before = _armed[-1]
        signal.setitimer(signal.ITIMER_REAL, 0)  # first: if it rings now, the next stop() finds it still to be disarmed
        if before is not None:  # None: a handler that is not Python's
            signal.signal(signal.SIGALRM, before)
        _armed.pop()


def _module() -> Any:
    """Return the module with signals, or None. `signal` takes 1 ms longer to import than _signal, for its enums."""
    for name in ("_signal", "signal"):
        try:
            return load(name)
        except ImportError:
            pass
    return None
