"""Computing on the caller's own thread, where no process can be had. In: a Job. Out: what its function returns.

Its time is kept by an exception that the watchdog raises in this thread (PyThreadState_SetAsyncExc, CPython only; on
another Python the client's own deadline is all there is): that ends Python code at its next step, but not a long call
into C, and it bounds no memory.
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


_ON_ITS_WAY = 0.1  # seconds; it comes with the next step of this thread, or on other Pythons never


class Job(NamedTuple):
    """A call that is to be made somewhere else, or here."""

    target: str
    """The function, as "module:function"."""
    arguments: tuple[object, ...]
    ends_at: float
    """A reading of the monotonic clock."""
    is_cancelled: Callable[[], bool]
    memory: int
    answer: Callable[[object], object] | None
    """What answers the function's own questions, None where it has none."""


class _Interrupted(BaseException):
    """Raised in the thread whose time is over; nothing in between catches it."""


def resolve(target: str) -> Callable[..., object]:
    """The function that a job names."""
    module, _, name = target.partition(":")
    found: Callable[..., object] = getattr(load(module), name)
    return found


def call(watchdog: Watchdog, job: Job) -> object:
    """What the function returns. Raises what it raises, FetchTimeout and Cancelled."""
    from webtool.running.threads import raise_in

    function, ident = resolve(job.target), _thread.get_ident()
    extra = (job.answer,) if job.answer else ()
    watch = watchdog.watch(lambda: raise_in(ident, _Interrupted), job.ends_at, job.is_cancelled)
    try:
        try:
            return function(*job.arguments, *extra)
        finally:
            watch.close()
            if watch.error is not None:  # the exception is on its way and must not come later than here
                time.sleep(_ON_ITS_WAY)
    except _Interrupted:
        assert watch.error is not None
        raise watch.error from None
