"""One deadline over a whole fetch. In: a reading of the monotonic clock and a question "given up?". Out: how long the
next wait may take, or FetchTimeout/Cancelled. Every wait of this package asks here first."""

from __future__ import annotations

import time
from collections.abc import Callable

from webtool.errors import Cancelled, FetchTimeout
from webtool.lean.typing import Any

POLL = 0.25  # seconds between two looks at is_cancelled
_LONGEST = 3600.0  # seconds; longer waits overflow in some platforms' poll()


class Watch:
    """The deadline of one fetch, in seconds of time.monotonic()."""

    def __init__(self, deadline: float, is_cancelled: Callable[[], bool] | None = None) -> None:
        self.deadline = deadline
        self.is_cancelled = is_cancelled
        self._step = _LONGEST if is_cancelled is None else POLL
        self._begun = time.monotonic()

    def remaining(self, doing: str) -> float:
        """Seconds left, above zero. Raises Cancelled, or FetchTimeout, which says what did not happen in time."""
        if self.is_cancelled is not None and self.is_cancelled():
            raise Cancelled("the call was cancelled")
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise FetchTimeout(f"{doing} within {max(self.deadline - self._begun, 0):.1f} s")
        return left

    def step(self, doing: str) -> float:
        """Seconds that one wait may take before asking again."""
        return min(self.remaining(doing), self._step)

    def acquire(self, lock: Any, doing: str) -> None:
        """Wait for a lock of _thread's."""
        while not lock.acquire(timeout=self.step(doing)):
            pass

    def sleep(self, seconds: float, doing: str) -> None:
        """Wait without anything to wait for."""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, self.step(doing)))
