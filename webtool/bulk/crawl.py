"""Fetch many pages of many hosts on a few threads, politely. In: items, their hosts, a function for one item.

Out: outcomes. An outcome is what the function returned, or its WebtoolError; a failed item does not stop the others.
No wait is longer than `max_wait` seconds: items whose host asks for more fail with RATE_LIMITED. Outcomes come in the
items' order; unless `is_ordered`, those that have waited for an earlier item for five seconds overtake it. The caller's
thread waits in short steps, so that a cancellation or the deadline takes effect while an item hangs.
Turns decides which item goes next; it is pure.
Tests: tests/bulk/test_crawl.py, tests/bulk/test_polite.py
"""

from __future__ import annotations

import heapq
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence

from webtool.errors import Cancelled, FetchTimeout, RateLimited, WebtoolError
from webtool.lean.imports import make_whole
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.running.threads import attempt, start_threads

MAX_HELD = 1024  # results in memory that wait for their turn; at this limit only the awaited item goes on
_MAX_HOLD_SECONDS = 5.0  # for which outcomes wait for an earlier one, unless the order is required
_MAX_THREAD_WAIT = 0.5  # seconds between two checks of the clock by an idle thread
_STEP = 0.1  # seconds between two checks of the cancellation flag
_MIN_SECONDS = 1.0  # before the deadline in which a page may still be fetched
_BACKOFF = 1.0  # seconds before the first retry of an item; each further retry doubles it


class Manners(NamedTuple):
    """How hosts are treated."""

    concurrency: int = 4  # items at a time, of all hosts together
    per_host: int = 2  # items at a time, of one host
    delay: float = 0.0  # seconds between two items of one host
    retry: int = 0  # retries of an item that failed with a retryable error
    is_ordered: bool = True  # outcomes never come before those of earlier items
    hint: str = ""  # of the error for items that are refused; "": one that says when to ask again
    max_wait: float = 60.0  # seconds to wait for a host before its next item; with longer waits its items fail


class Crawl:
    """Runs `work(item)` for every item on threads. With `grows`, items may be added while outcomes() is read.

    `delay_of(item)` gives the seconds that the item's host asks for, None if that is unknown yet. After `deadline`
    (time.monotonic) the other items get a FetchTimeout. `on_wait(host, seconds)` is called while all wait for a host.
    """

    def __init__(
        self,
        items: Sequence[Any],
        hosts: Sequence[Hashable],
        work: Callable[[Any], object],
        manners: Manners,
        delay_of: Callable[[Any], float | None] = lambda _item: 0.0,
        *,
        deadline: float | None = None,
        on_wait: Callable[[Any, float], None] = lambda _host, _seconds: None,
        is_cancelled: Callable[[], bool] = lambda: False,
        grows: bool = False,
    ) -> None:
        self._items = list(items)
        self._hosts = list(hosts)
        self._grows = grows
        self._work = work
        self._manners = manners
        self._delay_of = delay_of
        self._deadline = deadline
        self._on_wait = on_wait
        self._is_cancelled = is_cancelled
        self._turns = Turns(self._hosts, manners.per_host, manners.delay)
        self._tries: dict[int, int] = {}
        self._outcomes: dict[int, object] = {}
        self._results_held = 0  # outcomes that are not errors; errors need little memory
        self._head = 0  # first item whose outcome was not given out
        self._active = 0
        self._is_stopped = False
        self._changed = threading.Condition()
        make_whole()
        count = max(manners.concurrency, 1)
        start_threads(self._run, count if grows else min(count, len(items)))

    def add(self, item: Any, host: Hashable) -> None:
        """Add an item, which outcomes() will give too."""
        with self._changed:
            number, now = len(self._items), time.monotonic()
            self._items.append(item)
            self._hosts.append(host)
            self._turns.add(number, now)
            self._refuse(number, now)
            self._changed.notify_all()

    def outcomes(self) -> Iterator[tuple[int, object]]:
        """Yield (number of the item, outcome) for every item. Raises Cancelled."""
        yielded: set[int] = set()  # items from `_head` on whose outcome was given
        try:
            while self._head < len(self._items):
                for number, outcome in self._ready():
                    if isinstance(outcome, Cancelled):
                        raise outcome
                    yielded.add(number)
                    yield number, outcome
                with self._changed:
                    while self._head in yielded:
                        yielded.remove(self._head)
                        self._head += 1
                    self._changed.notify_all()
        finally:
            with self._changed:
                self._is_stopped = True
                self._changed.notify_all()

    def _ready(self) -> list[tuple[int, object]]:
        """Return the outcome of the item `_head`; after a while, all finished outcomes instead."""
        hold_until = time.monotonic() + _MAX_HOLD_SECONDS
        with self._changed:
            while self._head not in self._outcomes:
                if self._is_cancelled():
                    raise Cancelled("the call was cancelled")
                if self._deadline is not None and time.monotonic() > self._deadline:
                    late = FetchTimeout("the deadline passed", hint="Give fewer URLs, or open this one alone.")
                    return [(self._head, late)]
                if self._outcomes and not self._manners.is_ordered and time.monotonic() > hold_until:
                    finished, self._outcomes = sorted(self._outcomes.items()), {}
                    self._results_held = 0
                    return finished
                wait = None if self._active else self._turns.wait(time.monotonic())
                if wait is not None:
                    self._on_wait(wait[1], wait[0])
                self._changed.wait(_STEP)
            outcome = self._outcomes.pop(self._head)
            self._results_held -= not isinstance(outcome, WebtoolError)
            return [(self._head, outcome)]

    def _run(self) -> None:
        while (number := self._take()) is not None:
            outcome = attempt(self._work, self._items[number])
            delay = attempt(self._delay_of, self._items[number]) or 0.0  # an error here must not lose the outcome
            with self._changed:
                self._end(number, outcome, delay if isinstance(delay, (int, float)) else 0.0)
                self._active -= 1
                self._changed.notify_all()

    def _take(self) -> int | None:
        """Wait for and return the next item; None at the end."""
        with self._changed:
            while not self._is_stopped and (self._grows or self._turns.left or self._active):
                now = time.monotonic()
                self._learn(now)
                # If too many results are held, only the item they wait for may start.
                is_full = self._results_held + self._active >= MAX_HELD
                number = self._turns.take(now, self._head if is_full else None)
                if number is not None:
                    self._active += 1
                    return number
                wait = self._turns.wait(now)
                longest = _STEP if self._turns.unknown() else _MAX_THREAD_WAIT
                self._changed.wait(longest if wait is None else min(wait[0] + 0.001, longest))
        return None

    def _learn(self, now: float) -> None:
        """Ask for the delay of hosts whose first item is under way, so that their others need not wait for its end."""
        for number in self._turns.unknown():
            delay = attempt(self._delay_of, self._items[number])
            if isinstance(delay, (int, float)):
                self._turns.learn(number, now, delay)

    def _end(self, number: int, outcome: object, delay: float) -> None:
        """Store an item's outcome or schedule a retry, and refuse what would wait for too long. Hold the lock."""
        tries = self._tries.get(number, 0)
        is_retryable = isinstance(outcome, WebtoolError) and outcome.retryable and not self._is_stopped
        again = is_retryable and tries < self._manners.retry
        pause, now = 0.0, time.monotonic()
        if isinstance(outcome, WebtoolError):
            backoff = _BACKOFF * 2**tries if again else 0.0
            again = again and now + (outcome.retry_after or backoff) <= self._latest(now)
            pause = outcome.retry_after or (backoff if again else 0.0)  # a host does not wait for a retry given up
        self._turns.end(number, now, delay=delay, pause=pause, again=again)
        self._refuse(number, now)
        if again:
            self._tries[number] = tries + 1
        else:
            self._tries.pop(number, None)
            self._outcomes[number] = outcome
            self._results_held += not isinstance(outcome, WebtoolError)

    def _latest(self, now: float) -> float:
        latest = now + self._manners.max_wait
        return latest if self._deadline is None else min(latest, self._deadline - _MIN_SECONDS)

    def _refuse(self, number: int, now: float) -> None:
        """Fail the items of an item's host that would wait for too long. Hold the lock."""
        refused, seconds, is_paused = self._turns.refuse(number, now, self._latest(now))
        if refused:
            self._outcomes.update(dict.fromkeys(refused, self._rate_limited(number, seconds, is_paused)))

    def _rate_limited(self, number: int, seconds: float, is_paused: bool) -> RateLimited:
        """Return the error for items of a host that would have to wait for `seconds`."""
        seconds = math.ceil(round(seconds, 3))  # 7200.000000000004 is 7200
        why = "asks to be left alone (Retry-After)" if is_paused else "asks for a pause between two pages (Crawl-delay)"
        return RateLimited(
            f"{self._hosts[number]} {why}: the next page may be fetched in {seconds:,} s, and that is not waited for",
            hint=self._manners.hint or f"Ask for this page again in {seconds:,} s.",
            retry_after=float(seconds),
        )


# Whose turn it is.


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
    """Gives out items by number: `per_host` at a time, `delay` seconds from the end of one to the next.

    A host's items keep their order; the first goes alone until learn() or end() says the host's delay. A host with
    waiting items is in `_ready` if it may go now, in `_later` until a time, in neither while it is at its limit.
    """

    def __init__(self, hosts: Sequence[Hashable], per_host: int = 2, delay: float = 0.0) -> None:
        self._per_host = per_host
        self._delay = delay
        self._names = hosts
        self._hosts: dict[Hashable, _Host] = {}
        self._ready: list[tuple[int, Hashable]] = []  # heap of (first waiting item, host)
        self._later: list[tuple[float, int, Any]] = []  # heap of (time, first waiting item, host)
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
            name = heapq.heappop(self._later)[2]
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
        while self._later and not self._hosts[self._later[0][2]].waiting:  # refused in the meantime
            self._hosts[heapq.heappop(self._later)[2]].is_queued = False
        return (max(self._later[0][0] - now, 0.0), self._later[0][2]) if self._later else None

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
        """Report the end of an item, with the host's delay and pause from now on. `again` gives it out once more."""
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
        # No two hosts in a heap have the same item, so hosts, which may be of several types, are never compared.
        if host.ready_at > now:
            heapq.heappush(self._later, (host.ready_at, host.waiting[0], name))
        else:
            heapq.heappush(self._ready, (host.waiting[0], name))
