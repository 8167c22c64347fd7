"""Fetch many pages of many hosts on a few threads, politely. In: items, their hosts, a function for one item.

Out: outcomes. An outcome is what the function returned, or its WebtoolError; a failed item does not stop the others.
No wait is longer than `max_wait` seconds: items whose host asks for more fail with RATE_LIMITED. Outcomes come in the
items' order. Without `is_ordered`, a slow item holds back the outcomes of later items for five seconds at most. The
caller's thread waits in short steps, so that a cancellation or the deadline takes effect while an item hangs.
turns.py decides which item is next.
Tests: tests/bulk/test_crawl.py
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence

from webtool.bulk.turns import Turns
from webtool.errors import Cancelled, FetchTimeout, RateLimited, WebtoolError
from webtool.lean.imports import make_whole
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.running.threads import attempt, start_threads

MAX_HELD = 1024  # results in memory that wait for an earlier item; at this limit only that item may begin
_MAX_HOLD_SECONDS = 5.0  # for which a slow item holds back the outcomes of later ones, unless `is_ordered`
_MAX_THREAD_WAIT = 0.5  # seconds between two checks of the clock by an idle thread
_STEP = 0.1  # seconds between two checks of the cancellation flag
_MIN_SECONDS = 1.0  # that an item needs before the deadline; one whose turn comes later is refused
_BACKOFF = 1.0  # seconds before the first retry of an item; each further retry doubles it
_OVERLOADED = (429, 503)  # statuses of a host that gets too many requests
# Seconds between two items of an overloaded host that sends no Retry-After. With a deadline there is no time for them.
# An item that failed is tried again if it began before its host was slowed down.
_SLOW_DELAY = 1.0


class Manners(NamedTuple):
    """How hosts are treated."""

    concurrency: int = 4  # items at a time, of all hosts together
    per_host: int = 2  # items at a time, of one host
    delay: float = 0.0  # seconds between two items of one host
    retry: int = 0  # retries of an item that failed with a retryable error
    is_ordered: bool = True  # outcomes never come before those of earlier items
    hint: str = ""  # of the error for an item that would wait too long; "" gives "Ask for this page again in 90 s."
    max_wait: float = 60.0  # seconds; if a host asks for a longer wait before its next item, its items fail


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
        self._slow_hosts: set[Hashable] = set()  # hosts that answered with a status of _OVERLOADED
        self._begun_slowly: set[int] = set()  # items that began after their host had become slow
        self._outcomes: dict[int, object] = {}
        self._results_held = 0  # outcomes that are not errors; errors need little memory
        self._head = 0  # the first item whose outcome was not given out
        self._active = 0  # items that a thread works on
        self._is_stopped = False
        self._changed = threading.Condition()
        make_whole()  # imports are safe on several threads from here on
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
        yielded: set[int] = set()  # items from `_head` on whose outcome was given already
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
        """Wait for and return the outcome of the item `_head`; after a while, all finished outcomes instead."""
        hold_until = time.monotonic() + _MAX_HOLD_SECONDS
        while True:
            with self._changed:
                finished = self._finished(hold_until)
                if finished:
                    return finished
                wait = None if self._active else self._turns.wait(time.monotonic())
                self._changed.wait(_STEP)
            if wait is not None:
                self._on_wait(wait.host, wait.seconds)  # without the lock, as it may write to a slow terminal

    def _finished(self, hold_until: float) -> list[tuple[int, object]]:
        """Return what _ready() waits for, [] if it has to wait on. Raises Cancelled. Hold the lock."""
        if self._is_cancelled():
            raise Cancelled("the call was cancelled")
        if self._head in self._outcomes:
            outcome = self._outcomes.pop(self._head)
            self._results_held -= not isinstance(outcome, WebtoolError)
            return [(self._head, outcome)]
        if self._deadline is not None and time.monotonic() > self._deadline:
            late = FetchTimeout("the deadline passed", hint="Give fewer URLs, or open this one alone.")
            return [(self._head, late)]
        if self._manners.is_ordered or time.monotonic() <= hold_until:
            return []
        finished, self._outcomes, self._results_held = sorted(self._outcomes.items()), {}, 0
        return finished

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
                    if self._hosts[number] in self._slow_hosts:
                        self._begun_slowly.add(number)
                    return number
                wait = self._turns.wait(now)
                longest = _STEP if self._turns.unknown() else _MAX_THREAD_WAIT
                self._changed.wait(longest if wait is None else min(wait.seconds + 0.001, longest))
        return None

    def _learn(self, now: float) -> None:
        """Ask for the delay of hosts whose first item is under way: their other items need not wait until it ends.

        Hold the lock. `delay_of` must not wait: it returns what the site's robots.txt, if it was read, says.
        """
        for number in self._turns.unknown():
            delay = attempt(self._delay_of, self._items[number])
            if isinstance(delay, (int, float)):
                self._turns.learn(number, now, delay)

    def _end(self, number: int, outcome: object, delay: float) -> None:
        """Store an item's outcome or schedule a retry, and refuse what would wait for too long. Hold the lock."""
        tries, now = self._tries.get(number, 0), time.monotonic()
        pause, again = 0.0, False  # seconds for which the host gets no item; whether this item is tried again
        if isinstance(outcome, WebtoolError):
            pause = outcome.retry_after or 0.0
            may_retry = outcome.retryable and tries < self._manners.retry
            is_overloaded = outcome.retryable and outcome.status_code in _OVERLOADED and not pause
            if is_overloaded and self._deadline is None:
                delay = max(delay, _SLOW_DELAY)
                self._slow_hosts.add(self._hosts[number])
                may_retry = may_retry or number not in self._begun_slowly
            before_retry = pause or _BACKOFF * 2**tries
            again = may_retry and not self._is_stopped and now + before_retry <= self._latest(now)
            if again:
                pause = before_retry
        self._turns.end(number, now, delay=delay, pause=pause, again=again)
        self._refuse(number, now)
        if again:
            self._tries[number] = tries + 1
        else:
            self._tries.pop(number, None)
            self._outcomes[number] = outcome
            self._results_held += not isinstance(outcome, WebtoolError)

    def _latest(self, now: float) -> float:
        """Return the time after which no item is waited for."""
        latest = now + self._manners.max_wait
        return latest if self._deadline is None else min(latest, self._deadline - _MIN_SECONDS)

    def _refuse(self, number: int, now: float) -> None:
        """Fail the items of an item's host that would wait for too long. Hold the lock."""
        refused = self._turns.refuse(number, now, self._latest(now))
        if refused is None:
            return
        seconds = math.ceil(round(refused.seconds, 3))  # 7200.000000000004 is 7200
        why = "needs a pause between two pages (Crawl-delay, HTTP 429)"
        if refused.is_paused:
            why = "asks to be left alone (Retry-After)"
        when = f"the next page may be fetched in {seconds:,} s, and that is not waited for"
        message = f"{self._hosts[number]} {why}: {when}"
        hint = self._manners.hint or f"Ask for this page again in {seconds:,} s."
        for item in refused.items:
            self._outcomes[item] = RateLimited(message, hint=hint, retry_after=float(seconds))
