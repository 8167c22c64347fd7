"""Whose turn it is, so that no host is asked more than it likes. In: the host of each item. Out: items.

Hosts take turns: one that is to be left alone for a while, by its delay or because it said so, keeps nobody else
waiting. Items of one host are given out in their order. Of a host nothing is known of, one item goes first. Pure: the
caller brings the clock and the lock.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Hashable, Sequence

from webtool.lean.typing import Any

LONGEST_DELAY = 300.0
"""Seconds that a host may ask for between two pages; some say a day where they mean never."""


class _Host:
    """The items of one host, and when the next may go."""

    __slots__ = ("active", "delay", "is_known", "is_queued", "ready_at", "waiting")

    def __init__(self, delay: float) -> None:
        self.waiting: deque[int] = deque()
        self.active = 0
        self.delay = delay
        self.ready_at = 0.0
        self.is_known = False
        self.is_queued = False


class Turns:
    """Items by number. `per_host` at the same time, `delay` seconds from the end of one to the next."""

    def __init__(self, hosts: Sequence[Hashable], per_host: int = 2, delay: float = 0.0) -> None:
        self._per_host = per_host
        self._names = hosts
        self._hosts: dict[Hashable, _Host] = {}
        self._ready: list[tuple[int, Hashable]] = []  # (first item waiting, host)
        self._later: list[tuple[float, Any]] = []  # (when, host)
        self.left = len(hosts)
        """Items that were not given out yet, or are to be given out again."""
        for number, name in enumerate(hosts):
            if name not in self._hosts:
                self._hosts[name] = _Host(delay)
            self._hosts[name].waiting.append(number)
        for name in self._hosts:
            self._queue(name, 0.0)

    def take(self, now: float, only: int | None = None) -> int | None:
        """The next item, None where none may go now; `only` gives that item or none. Seconds of one clock."""
        while self._later and self._later[0][0] <= now:
            name = heapq.heappop(self._later)[1]
            self._hosts[name].is_queued = False
            self._queue(name, now)
        if only is not None and (not self._ready or self._ready[0][0] != only):
            return None
        while self._ready:
            number, name = heapq.heappop(self._ready)
            host = self._hosts[name]
            host.is_queued = False
            if host.ready_at > now:  # a wait was asked for after it had been found ready
                self._queue(name, now)
                continue
            host.waiting.popleft()
            host.active += 1
            self.left -= 1
            self._queue(name, now)
            return number
        return None

    def wait(self, now: float) -> float | None:
        """Seconds after which take() may have something, None where only an item's end can change that."""
        return max(self._later[0][0] - now, 0.0) if self._later else None

    def end(self, number: int, now: float, *, delay: float = 0.0, pause: float = 0.0, again: bool = False) -> None:
        """An item is done. `delay` is what the host asks for between two, `pause` for how long it is to be left alone;
        with `again` the item is given out once more."""
        name = self._names[number]
        host = self._hosts[name]
        host.active -= 1
        host.is_known = True
        host.delay = max(host.delay, min(delay, LONGEST_DELAY))
        host.ready_at = max(host.ready_at, now + host.delay, now + pause)
        if again:
            host.waiting.appendleft(number)
            self.left += 1
        self._queue(name, now)

    def _queue(self, name: Hashable, now: float) -> None:
        """Put a host where it belongs: among the ready, among those for later, or nowhere."""
        host = self._hosts[name]
        most = self._per_host if host.is_known and not host.delay else 1
        if host.is_queued or not host.waiting or host.active >= most:
            return
        host.is_queued = True
        if host.ready_at > now:
            heapq.heappush(self._later, (host.ready_at, name))
        else:
            heapq.heappush(self._ready, (host.waiting[0], name))
