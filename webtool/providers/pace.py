"""Keep the distance between two queries to one provider, among all processes. In: a Context. Out: a wait.

Each query reserves a slot, a point in time. The slots are in the cache file, which all processes share; without a
cache, this process has its own.

Tests: tests/providers/test_driver.py
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from webtool.context import Context
from webtool.errors import Cancelled, RateLimited

_STEP = 0.2  # seconds between two checks for cancellation
# Provider: the next free slot, a reading of the monotonic clock. Shared by all threads of the process.
_own_slots: dict[str, float] = {}
_lock = threading.Lock()


def wait(ctx: Context, provider: str) -> None:
    """Wait for the provider's next slot. Raises RateLimited if it is after the deadline, and Cancelled."""
    interval = ctx.settings.search_interval
    if interval <= 0:
        return
    if ctx.cache is not None:
        seconds = ctx.cache.reserve_slot(f"search:{provider}", interval, ctx.deadline)
    else:
        seconds = _reserve(provider, interval, ctx.deadline)
    if seconds is None:
        raise RateLimited(
            f"too many searches with {provider} are waiting for their turn",
            retry_after=interval,
            hint=f"One query is sent every {interval:g} s (WEBTOOL_SEARCH_INTERVAL): search again later.",
        )
    pause(ctx, seconds)


def pause(ctx: Context, seconds: float, sleep: Callable[[float], None] = time.sleep) -> None:
    """Sleep in short steps, so that a cancellation takes effect. Raises Cancelled."""
    while seconds > 0:
        if ctx.is_cancelled():
            raise Cancelled("the search was cancelled while it waited for its turn with the provider")
        sleep(min(seconds, _STEP))
        seconds -= _STEP


def _reserve(provider: str, interval: float, deadline: float) -> float | None:
    """Reserve a slot of this process: the seconds until it begins, or None if it is after the deadline."""
    with _lock:
        now = time.monotonic()
        slot = max(now, _own_slots.get(provider, now))
        if slot > deadline:
            return None
        _own_slots[provider] = slot + interval
        return slot - now
