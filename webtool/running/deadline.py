"""A deadline that holds for everything a one-shot command does, parsing included: an interval timer that raises.

Where the platform has no such timer (Windows) a thread raises instead: that ends Python code at its next step, but no
long call into C.
"""

from __future__ import annotations

import _thread
import time

from webtool.errors import FetchTimeout
from webtool.lean.imports import load
from webtool.lean.typing import Any

# Where the first FetchTimeout was swallowed, it is raised again.
_REPEAT_SECONDS = 0.5
# The client stops by itself at the deadline with a better message; the timer is for the rest.
_GRACE_SECONDS = 0.4


_HINT = "Try again, or raise WEBTOOL_DEADLINE (seconds)."


def _message(seconds: float) -> str:
    return f"the deadline of {seconds:g} s passed"


def start(seconds: float) -> float:
    """Arm the timer; returns the deadline as a reading of the monotonic clock."""
    deadline = time.monotonic() + seconds

    def expired(_number: int, _frame: object) -> None:
        raise FetchTimeout(_message(seconds), hint=_HINT)

    signal = _module()
    if not hasattr(signal, "setitimer"):
        _raise_later(seconds)
        return deadline
    try:
        signal.signal(signal.SIGALRM, expired)
        signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE_SECONDS, _REPEAT_SECONDS)
    except ValueError:  # not the main thread: a program that uses webtool as a library
        pass
    return deadline


_timers: list[Any] = []
"""Locks of the threads that wait to raise; a lock that is released ends its thread."""


def _raise_later(seconds: float) -> None:
    """Let a thread raise FetchTimeout in this one, again and again until stop()."""

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
            raise_in(ident, Expired)

    _thread.start_new_thread(wait, ())


def stop() -> None:
    """Disarm the timer, before the answer is written."""
    while _timers:
        _timers.pop().release()
    signal = _module()
    if hasattr(signal, "setitimer"):
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        except ValueError:
            pass


def _module() -> Any:
    """What has signals here; the module `signal` costs 1 ms more than _signal, for its enums. None where neither is."""
    for name in ("_signal", "signal"):
        try:
            return load(name)
        except ImportError:
            pass
    return None
