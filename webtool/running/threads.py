"""Threads, as many as the system gives, and jobs whose errors are outcomes."""

from __future__ import annotations

from _thread import start_new_thread
from collections.abc import Callable

from webtool.errors import InternalError, WebtoolError, of_bug
from webtool.lean.typing import Any

MAX_THREADS = 64


def start_thread(work: Callable[[], None]) -> bool:
    """Start a thread that does not keep the process; False where the system gives no more.

    Thread.start() would wait for ever for one that dies of a lack of memory before it has begun.
    """
    try:
        start_new_thread(work, ())
    except (RuntimeError, MemoryError):
        return False
    return True


def raise_in(ident: int, kind: type[BaseException]) -> None:
    """Raise an exception in another thread at its next step; other Pythons than CPython have no such door."""
    try:
        from ctypes import c_ulong, py_object, pythonapi

        pythonapi.PyThreadState_SetAsyncExc(c_ulong(ident), py_object(kind))
    except (ImportError, AttributeError):
        pass


def attempt(work: Callable[[Any], object], item: object) -> object:
    """What work(item) returned, or the WebtoolError that it ended in."""
    try:
        return work(item)
    except WebtoolError as error:
        return error
    except Exception as exc:
        return of_bug(exc)


def start_threads(run: Callable[[], None], count: int) -> None:
    """As many threads as the system gives, at most `count`. Raises InternalError where it gives none."""
    started = sum(start_thread(run) for _ in range(count))
    if count and not started:
        raise InternalError("the system gives no thread", hint="Allow the process more memory or threads (ulimit).")
