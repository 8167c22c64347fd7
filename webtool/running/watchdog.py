"""End work that passes its deadline or is cancelled. In: a function that ends the work, and a deadline. Out: why.

One thread checks all Watches every 0.05 seconds and calls the `end` function of those that are due. For a worker this
kills the process; for a job on a thread it raises an exception there. The work itself may be deep in a parser that
never looks at a clock.
Tests: tests/running/test_workers.py
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from webtool.errors import Cancelled, FetchTimeout
from webtool.running.threads import start_thread

_STEP = 0.05  # seconds between two checks
_LINGER = 5.0  # seconds for which the thread waits for new work before it ends


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
        """End the work if its deadline has passed or it was cancelled."""
        cancelled = self._is_cancelled()
        if not cancelled and now <= self._deadline:
            return
        with self._lock:
            if not self.is_over:
                self.is_over = True
                self.error = Cancelled("the call was cancelled") if cancelled else deadline_passed()
                self._end()


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
