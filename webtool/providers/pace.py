"""No more than one query in this many seconds to one provider, from all processes together. In: a Context. Out: a wait.

The slots lie in the cache file, which all processes share; where there is none, this process keeps its own.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from webtool.context import Context
from webtool.errors import Cancelled, RateLimited

_STEP = 0.2  # seconds between two looks at the cancellation flag
# The threads of one process must not outrun each other either, whichever context they hold: so this is the process's.
_own_slots: dict[str, float] = {}
_lock = threading.Lock()


def wait(ctx: Context, provider: str) -> None:
    """Wait for the provider's next slot. Raises RateLimited where it lies past the deadline, and Cancelled."""
    interval = ctx.settings.search_interval
    if interval <= 0:
        return
    if ctx.cache is not None:
        seconds = ctx.cache.reserve_slot(f"search:{provider}", interval, ctx.deadline)
    else:
        seconds = _reserve(provider, interval, ctx.deadline)
    if seconds is None:
        raise RateLimited(
            f"too many searches with {provider} wait for their turn",
            retry_after=interval,
            hint=f"One query in {interval:g} s is sent (WEBTOOL_SEARCH_INTERVAL): search again later.",
        )
    pause(ctx, seconds)


def pause(ctx: Context, seconds: float, sleep: Callable[[float], None] = time.sleep) -> None:
    """Sleep in steps short enough for a cancellation to be felt. Raises Cancelled."""
    while seconds > 0:
        if ctx.is_cancelled():
            raise Cancelled("the search was cancelled while it waited for its turn with the provider")
        sleep(min(seconds, _STEP))
        seconds -= _STEP


def _reserve(provider: str, interval: float, deadline: float) -> float | None:
    with _lock:
        now = time.monotonic()
        slot = max(now, _own_slots.get(provider, now))
        if slot > deadline:
            return None
        _own_slots[provider] = slot + interval
        return slot - now
