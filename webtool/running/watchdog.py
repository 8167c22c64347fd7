"""Ends work that outlives its deadline or was cancelled. In: how to end it, when. Out: why it was ended.

One thread looks after all that is watched. It ends a process by killing it and a thread by raising an exception in it;
both happen while that work may be deep in a parser that never looks at a clock.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from webtool.errors import Cancelled, FetchTimeout
from webtool.running.threads import start_thread

_STEP = 0.05  # seconds between two looks at the clock and at who was cancelled
_LINGER = 5.0  # seconds that the thread waits for more to watch before it ends


class Watch:
    """One piece of work under watch; `error` says why it was ended, None where it was not."""

    def __init__(self, end: Callable[[], object], deadline: float, is_cancelled: Callable[[], bool]) -> None:
        self._end = end
        self._deadline = deadline
        self._is_cancelled = is_cancelled
        self._lock = threading.Lock()
        self.is_over = False
        """Whether there is nothing left to watch."""
        self.error: Cancelled | FetchTimeout | None = None

    def close(self) -> None:
        """The work is over: it is not ended after this returns."""
        with self._lock:
            self.is_over = True

    def look(self, now: float) -> None:
        """End the work if it is due."""
        cancelled = self._is_cancelled()
        if not cancelled and now <= self._deadline:
            return
        with self._lock:
            if not self.is_over:
                self.is_over = True
                self.error = Cancelled("the call was cancelled") if cancelled else deadline_passed()
                self._end()


def deadline_passed() -> FetchTimeout:
    """The error of work that was ended for its time."""
    return FetchTimeout("the deadline passed while the page was being converted")


class Watchdog:
    """Starts its thread when there is something to watch; without threads nothing is ended, and nothing fails."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._watches: set[Watch] = set()
        self._is_running = False

    def watch(self, end: Callable[[], object], deadline: float, is_cancelled: Callable[[], bool]) -> Watch:
        """Look after a piece of work until its watch is closed; `end` is called at most once."""
        watch = Watch(end, deadline, is_cancelled)
        with self._changed:
            self._watches.add(watch)
            if self._is_running:
                self._changed.notify()
            else:
                self._is_running = start_thread(self._run)
        return watch

    def _run(self) -> None:
        while True:
            with self._changed:
                self._watches = {watch for watch in self._watches if not watch.is_over}
                if not self._watches and not self._changed.wait(_LINGER) and not self._watches:
                    self._is_running = False
                    return
                watches = list(self._watches)
            now = time.monotonic()
            for watch in watches:
                watch.look(now)
            time.sleep(_STEP)
