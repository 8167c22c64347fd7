"""Schedule items so that no host gets more requests than it allows. In: the host of each item. Out: items. Pure.

take() gives the next item that may be fetched now, end() reports that it is done. A host has a limit of items at a time
and may ask for a delay between two of them, or for a pause (Retry-After); other hosts do not wait meanwhile. Items of
one host are given in their order. The first item of a host is fetched alone until learn() or end() says its delay.
refuse() removes the items of a host that would have to wait for too long. A host
with waiting items is in one of three places: `_ready` if it may go now, `_later` until a time, or in neither while it
is at its limit. The caller supplies clock and lock.
Tests: tests/bulk/test_polite.py
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Hashable, Sequence

from webtool.lean.typing import Any

MAX_DELAY = 300.0  # seconds between two pages of a host that the caller may ask for


class _Host:
    """The items of one host."""

    __slots__ = ("active", "delay", "is_known", "is_paused", "is_queued", "ready_at", "waiting")

    def __init__(self, delay: float) -> None:
        self.waiting: deque[int] = deque()  # items not given out yet
        self.active = 0  # items given out and not ended
        self.delay = delay  # seconds from the end of one item to the next
        self.ready_at = 0.0  # when the next item may go
        self.is_known = False  # True once the host's own delay is known
        self.is_paused = False  # True: `ready_at` is the end of a pause, not of a delay
        self.is_queued = False  # the host is in `_ready` or `_later`


class Turns:
    """Gives out items by number: `per_host` at a time, `delay` seconds from the end of one to the next."""

    def __init__(self, hosts: Sequence[Hashable], per_host: int = 2, delay: float = 0.0) -> None:
        self._per_host = per_host
        self._delay = delay
        self._names = hosts
        self._hosts: dict[Hashable, _Host] = {}
        self._ready: list[tuple[int, Hashable]] = []  # heap of (first waiting item, host)
        self._later: list[tuple[float, Any]] = []  # heap of (time, host)
        self._first: set[int] = set()  # items being fetched of hosts whose delay is not known
        self.left = 0  # items that are still to be given out
        for number in range(len(hosts)):
            self.add(number, 0.0)

    def add(self, number: int, now: float) -> None:
        """Add an item, whose host has been appended to the sequence of hosts."""
        name = self._names[number]
        if name not in self._hosts:
            self._hosts[name] = _Host(self._delay)
        self._hosts[name].waiting.append(number)
        self.left += 1
        self._queue(name, now)

    def take(self, now: float, only: int | None = None) -> int | None:
        """Return the next item, or None if no item may go at `now`. With `only`, return that item or None."""
        while self._later and self._later[0][0] <= now:
            name = heapq.heappop(self._later)[1]
            self._hosts[name].is_queued = False
            self._queue(name, now)
        while self._ready and not self._hosts[self._ready[0][1]].waiting:  # refused in the meantime
            self._hosts[heapq.heappop(self._ready)[1]].is_queued = False
        while self._ready:
            first, name = self._ready[0]
            host = self._hosts[name]
            # An item that is given again comes before the one with which the host was queued, and the host may have
            # asked for a pause since then.
            is_changed = not host.waiting or host.waiting[0] != first or host.ready_at > now
            if only is not None and first != only and not is_changed:
                return None
            heapq.heappop(self._ready)
            host.is_queued = False
            if is_changed:
                self._queue(name, now)
                continue
            number = host.waiting.popleft()
            host.active += 1
            if not host.is_known:
                self._first.add(number)
            self.left -= 1
            self._queue(name, now)
            return number
        return None

    def wait(self, now: float) -> tuple[float, Any] | None:
        """Return the seconds until take() may give an item, and its host; None if an item must end first."""
        while self._later and not self._hosts[self._later[0][1]].waiting:  # refused in the meantime
            self._hosts[heapq.heappop(self._later)[1]].is_queued = False
        return (max(self._later[0][0] - now, 0.0), self._later[0][1]) if self._later else None

    def learn(self, number: int, now: float, delay: float) -> None:
        """Report the delay of an item's host, while the item is being fetched."""
        name = self._names[number]
        host = self._hosts[name]
        host.is_known = True
        host.delay = max(host.delay, delay)
        self._queue(name, now)

    def unknown(self) -> list[int]:
        """Return the first item of each host whose delay is not known and for which others wait."""
        hosts = ((number, self._hosts[self._names[number]]) for number in self._first)
        return [number for number, host in hosts if host.waiting and not host.is_known]

    def end(self, number: int, now: float, *, delay: float = 0.0, pause: float = 0.0, again: bool = False) -> None:
        """Report the end of an item. `delay` is the host's delay between items, `pause` its pause from now on.

        With `again`, the item is given out once more.
        """
        name = self._names[number]
        host = self._hosts[name]
        host.active -= 1
        host.is_known = True
        self._first.discard(number)
        host.delay = max(host.delay, delay)
        if now + pause > max(host.ready_at, now + host.delay):
            host.is_paused = True
        elif now + host.delay > host.ready_at:
            host.is_paused = False
        host.ready_at = max(host.ready_at, now + host.delay, now + pause)
        if again:
            host.waiting.appendleft(number)
            self.left += 1
        self._queue(name, now)

    def refuse(self, number: int, now: float, latest: float) -> tuple[list[int], float, bool]:
        """Remove the waiting items of an item's host if the next of them would have to wait until after `latest`.

        Return them, the seconds they would have to wait, and whether the host asked for a pause.
        """
        host = self._hosts[self._names[number]]
        if host.ready_at <= max(latest, now) or not host.waiting:
            return [], 0.0, False
        refused = list(host.waiting)
        host.waiting.clear()
        self.left -= len(refused)
        return refused, host.ready_at - now, host.is_paused

    def _queue(self, name: Hashable, now: float) -> None:
        """Put a host into `_ready` or `_later`, or nowhere if it is at its limit or has no items."""
        host = self._hosts[name]
        max_active = self._per_host if host.is_known and not host.delay else 1
        if host.is_queued or not host.waiting or host.active >= max_active:
            return
        host.is_queued = True
        if host.ready_at > now:
            heapq.heappush(self._later, (host.ready_at, name))
        else:
            heapq.heappush(self._ready, (host.waiting[0], name))
