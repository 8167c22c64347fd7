"""Many jobs on a few threads. In: items, what to do with one. Out: outcomes, in the items' order.

A job that fails gives its error as outcome and stops nothing. The caller's thread waits in short steps, so that a
cancellation or the deadline is felt even where a job does not come back.
"""

from __future__ import annotations

import threading
import time
from _thread import start_new_thread

from webtool.errors import Cancelled, FetchTimeout, InternalError, WebtoolError, of_bug
from webtool.lean.imports import make_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

_STEP = 0.1  # seconds between two looks at the cancellation flag
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


class Jobs:
    """Runs `work(item)` for every item, at most `ahead` of them further than what in_order() has given out."""

    def __init__(
        self,
        items: Sequence[object],
        work: Callable[[object], object],
        concurrency: int,
        *,
        deadline: float | None = None,
        ahead: int = 10000,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        self._items = items
        self._work = work
        self._deadline = deadline
        self._is_cancelled = is_cancelled
        self._outcomes: dict[int, object] = {}
        self._next = 0
        self._taken = 0
        self._ahead = ahead
        self._stopped = False
        self._changed = threading.Condition()
        self.done = 0
        make_whole()
        count = min(max(concurrency, 1), len(items), MAX_THREADS)
        start_threads(self._run, count)

    def in_order(self) -> Iterator[tuple[int, object]]:
        """Outcomes in the items' order: what work() returned, or a WebtoolError. Raises Cancelled."""
        try:
            for index in range(len(self._items)):
                outcome = self._wait_for(index)
                with self._changed:
                    self._taken = index + 1
                    self._changed.notify_all()
                yield index, outcome
        finally:
            with self._changed:
                self._stopped = True
                self._changed.notify_all()

    def _wait_for(self, index: int) -> object:
        with self._changed:
            while index not in self._outcomes:
                if self._is_cancelled():
                    raise Cancelled("the call was cancelled")
                if self._deadline is not None and time.monotonic() > self._deadline:
                    return FetchTimeout("the deadline passed", hint="Give fewer URLs, or open this one alone.")
                self._changed.wait(_STEP)
            outcome = self._outcomes.pop(index)
        if isinstance(outcome, Cancelled):  # the job felt it before we did, and it is not a failure of this one
            raise outcome
        return outcome

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._stopped and self._next >= self._taken + self._ahead:
                    self._changed.wait()  # outcomes nobody has taken yet are memory
                if self._stopped or self._next >= len(self._items):
                    return
                index = self._next
                self._next += 1
            outcome = attempt(self._work, self._items[index])
            with self._changed:
                self._outcomes[index] = outcome
                self.done += 1
                self._changed.notify_all()


def attempt(work: Callable[[Any], object], item: object) -> object:
    """What work(item) returned, or the WebtoolError that it ended in."""
    try:
        return work(item)
    except WebtoolError as error:
        return error
    except Exception as exc:
        return of_bug(exc, False)


def start_threads(run: Callable[[], None], count: int) -> None:
    """As many threads as the system gives, at most `count`. Raises InternalError where it gives none."""
    started = sum(start_thread(run) for _ in range(count))
    if count and not started:
        raise InternalError("the system gives no thread", hint="Allow the process more memory or threads (ulimit).")
