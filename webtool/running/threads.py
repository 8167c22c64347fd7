"""Start threads, as many as the system allows, and run work whose errors are returned instead of raised.

Tests: tests/running/test_threads.py
"""

from __future__ import annotations

from _thread import start_new_thread
from collections.abc import Callable

from webtool.errors import InternalError, WebtoolError, of_bug
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
