"""Decide which item is next, so that no host gets too many at a time or too soon. Pure: no clock, no threads.

In: the host of each item, the time, the delays and pauses that hosts ask for. Out: numbers of items.
A host's items keep their order, and those of different hosts are given out by number. The first item of a host goes
alone until learn() or end() has said which delay the host asks for.
Tests: tests/bulk/test_turns.py
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Hashable, Sequence

from webtool.lean.records import NamedTuple


class _Host:
    """The items of one host."""

    __slots__ = ("active", "delay", "is_known", "is_paused", "ready_at", "waiting")

    def __init__(self, delay: float) -> None:
        self.waiting: deque[int] = deque()  # items not given out yet
        self.active = 0  # items given out and not ended
        self.delay = delay  # seconds from the end of one item to the next
        self.is_known = False  # whether it is known if the host asks for a delay of its own
        self.ready_at = 0.0  # time from which the next item may go
        self.is_paused = False  # why the next item waits until `ready_at`: for a pause (True), or for a delay


class Wait(NamedTuple):
    """How long nothing can be given out, and the host that asks for the pause or delay."""

    seconds: float
    host: Hashable


class Refused(NamedTuple):
    """Items that would have to wait for too long."""

    items: list[int]
    seconds: float  # that the first of them would have to wait
    is_paused: bool  # the host asked for a pause (Retry-After); else its delay is that long


class Turns:
    """Gives out items by number: `per_host` at a time, or one at a time where a host asks for a delay."""

    def __init__(self, hosts: Sequence[Hashable], per_host: int = 2, delay: float = 0.0) -> None:
        """Begin with an item for each entry of `hosts`. The caller appends to it before add()."""
        self._per_host = per_host
        self._delay = delay
        self._host_names = hosts
        self._hosts: dict[Hashable, _Host] = {}
        # Heaps with the first waiting item of each host that is not at its limit. An entry becomes outdated when its
        # host changes: then the host has a newer one, and the old one is dropped when it comes to the top.
        self._ready: list[int] = []
        self._later: list[tuple[float, int]] = []  # (time from which the item may go, item)
        self._first_active: set[int] = set()  # items being fetched of hosts whose delay is not known
        self.left = 0  # items that are still to be given out
        for number in range(len(hosts)):
            self.add(number, 0.0)

    def _host_of(self, number: int) -> _Host:
        return self._hosts[self._host_names[number]]

    def add(self, number: int, now: float) -> None:
        """Add an item, whose host has been appended to the sequence of hosts."""
        name = self._host_names[number]
        if name not in self._hosts:
            self._hosts[name] = _Host(self._delay)
        self._hosts[name].waiting.append(number)
        self.left += 1
        if len(self._hosts[name].waiting) == 1:
            self._queue(self._hosts[name], now)

    def take(self, now: float, only: int | None = None) -> int | None:
        """Return the next item, or None if no item may go at `now`. With `only`, also None if another item is next."""
        while self._later and self._later[0][0] <= now:
            heapq.heappush(self._ready, heapq.heappop(self._later)[1])
        while self._ready:
            number = self._ready[0]
            host = self._host_of(number)
            is_first = bool(host.waiting) and host.waiting[0] == number
            may_go = is_first and host.ready_at <= now and not self._is_at_limit(host)
            if may_go and only not in (None, number):
                return None
            heapq.heappop(self._ready)  # it goes, or it is outdated
            if may_go:
                host.waiting.popleft()
                host.active += 1
                if not host.is_known:
                    self._first_active.add(number)
                self.left -= 1
                self._queue(host, now)
                return number
        return None

    def wait(self, now: float) -> Wait | None:
        """Return how long it takes until take() may give an item; None if an item must end first.

        Call it only after take() has returned None for the same `now`.
        """
        while self._later:
            ready_at, number = self._later[0]
            host = self._host_of(number)
            if host.waiting and host.waiting[0] == number and host.ready_at == ready_at:
                return Wait(max(ready_at - now, 0.0), self._host_names[number])
            heapq.heappop(self._later)
        return None

    def learn(self, number: int, now: float, delay: float) -> None:
        """Report the delay of an item's host, while the item is being fetched."""
        host = self._host_of(number)
        host.is_known = True
        host.delay = max(host.delay, delay)
        self._queue(host, now)

    def unknown(self) -> list[int]:
        """Return the active item of each host whose delay is not known and for which others wait."""
        hosts = ((number, self._host_of(number)) for number in self._first_active)
        return [number for number, host in hosts if host.waiting and not host.is_known]

    def end(self, number: int, now: float, *, delay: float = 0.0, pause: float = 0.0, again: bool = False) -> None:
        """Report the end of an item, with the host's delay and pause from now on. `again` gives it out once more."""
        host = self._host_of(number)
        host.active -= 1
        host.is_known = True
        self._first_active.discard(number)
        host.delay = max(host.delay, delay)
        # The latest of three times counts and gives the reason: the present one, the delay's end, the pause's end.
        for ready_at, is_pause in ((now + host.delay, False), (now + pause, True)):
            if ready_at > host.ready_at:
                host.ready_at, host.is_paused = ready_at, is_pause
        if again:
            host.waiting.appendleft(number)
            self.left += 1
        self._queue(host, now)

    def refuse(self, number: int, now: float, latest: float) -> Refused | None:
        """Remove the waiting items of an item's host if the next of them would have to wait until after `latest`."""
        host = self._host_of(number)
        if host.ready_at <= max(latest, now) or not host.waiting:
            return None
        refused = Refused(list(host.waiting), host.ready_at - now, host.is_paused)
        host.waiting.clear()
        self.left -= len(refused.items)
        return refused

    def _is_at_limit(self, host: _Host) -> bool:
        return host.active >= (self._per_host if host.is_known and not host.delay else 1)

    def _queue(self, host: _Host, now: float) -> None:
        """Put the first waiting item of a host into `_ready` or `_later`, if there is one and it may go."""
        if not host.waiting or self._is_at_limit(host):
            return
        if host.ready_at > now:
            heapq.heappush(self._later, (host.ready_at, host.waiting[0]))
        else:
            heapq.heappush(self._ready, host.waiting[0])
