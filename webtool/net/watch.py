"""Enforce one deadline over a whole fetch. In: the deadline (monotonic clock) and a function is_cancelled().

Out: how many seconds the next wait may take; or FetchTimeout, Cancelled. Every wait in this package asks a Watch first.
`waiting_for` is the beginning of the timeout's message, such as "no answer from DNS for a.example".
Tests: tests/net/test_watch.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

from webtool.errors import Cancelled, FetchTimeout
from webtool.lean.typing import Any

POLL = 0.25  # seconds between two calls of is_cancelled
_MAX_STEP = 3600.0  # seconds of one wait; a longer one overflows in poll() on some platforms


class Watch:
    """The deadline of one fetch, in seconds of time.monotonic()."""

    def __init__(self, deadline: float, is_cancelled: Callable[[], bool] | None = None) -> None:
        self.deadline = deadline
        self.is_cancelled = is_cancelled
        self._step = _MAX_STEP if is_cancelled is None else POLL
        self._started_at = time.monotonic()

    def remaining(self, waiting_for: str) -> float:
        """Return the seconds left, above zero. Raises Cancelled, or FetchTimeout saying what did not happen in time."""
        if self.is_cancelled is not None and self.is_cancelled():
            raise Cancelled("the call was cancelled")
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise FetchTimeout(f"{waiting_for} within {max(self.deadline - self._started_at, 0):.1f} s")
        return left

    def step(self, waiting_for: str) -> float:
        """Return the seconds that one wait may take before asking again. Raises as remaining()."""
        return min(self.remaining(waiting_for), self._step)

    def acquire(self, lock: Any, waiting_for: str) -> None:
        """Wait for a lock of the _thread module."""
        while not lock.acquire(timeout=self.step(waiting_for)):
            pass

    def sleep(self, seconds: float, waiting_for: str) -> None:
        """Sleep for that many seconds, unless the deadline or a cancellation comes first."""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, self.step(waiting_for)))
