"""Many pages of many hosts on a few threads, politely. In: items, their hosts, what to do with one. Out: outcomes.

Outcomes come in the items' order as long as that keeps nothing back for long: where an item's host makes it wait, what
has been done meanwhile is given out first, unless the caller insists on the order. An item that fails gives its error
as outcome and stops nothing. The caller's thread waits in short steps, so that a cancellation or the deadline is felt
even where an item does not come to an end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence

from webtool.bulk.polite import Turns
from webtool.errors import Cancelled, FetchTimeout, WebtoolError
from webtool.lean.imports import make_whole
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.running.threads import attempt, start_threads

HELD = 1024
"""Outcomes that may wait for their turn; they are memory."""
_PATIENCE = 5.0  # seconds that outcomes wait for an earlier one
_LONGEST_WAIT = 0.5  # seconds between two looks at the clock
_STEP = 0.1  # seconds between two looks at the cancellation flag
_BACKOFF = 1.0  # seconds before the first further try; each doubles it


class Manners(NamedTuple):
    """How hosts are treated."""

    concurrency: int = 4
    """Items at the same time, of all hosts together."""
    per_host: int = 2
    delay: float = 0.0
    """Seconds between two items of one host."""
    retry: int = 0
    """Further tries of an item that failed and may succeed another time."""
    is_ordered: bool = True
    """Whether outcomes never come before earlier ones."""


class Crawl:
    """Runs `work(item)` for every item; `delay_of(item)` says afterwards what its host asks for between two.

    Past `deadline` (time.monotonic) what has no outcome is a FetchTimeout.
    """

    def __init__(
        self,
        items: Sequence[Any],
        hosts: Sequence[Hashable],
        work: Callable[[Any], object],
        manners: Manners,
        delay_of: Callable[[Any], float] = lambda _item: 0.0,
        *,
        deadline: float | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        self._items = items
        self._work = work
        self._manners = manners
        self._delay_of = delay_of
        self._deadline = deadline
        self._is_cancelled = is_cancelled
        self._turns = Turns(hosts, manners.per_host, manners.delay)
        self._tries: dict[int, int] = {}
        self._outcomes: dict[int, object] = {}
        self._head = 0
        self._active = 0
        self._is_stopped = False
        self._changed = threading.Condition()
        make_whole()
        count = min(max(manners.concurrency, 1), len(items))
        start_threads(self._run, count)

    def outcomes(self) -> Iterator[tuple[int, object]]:
        """(number of the item, what work() returned or a WebtoolError) of every item. Raises Cancelled."""
        given: set[int] = set()
        try:
            while self._head < len(self._items):
                for number, outcome in self._ready():
                    if isinstance(outcome, Cancelled):
                        raise outcome
                    given.add(number)
                    yield number, outcome
                with self._changed:
                    while self._head in given:
                        given.discard(self._head)
                        self._head += 1
                    self._changed.notify_all()
        finally:
            with self._changed:
                self._is_stopped = True
                self._changed.notify_all()

    def _ready(self) -> list[tuple[int, object]]:
        """The outcome at the head; after a while, all that there are."""
        patience = time.monotonic() + _PATIENCE
        with self._changed:
            while self._head not in self._outcomes:
                if self._is_cancelled():
                    raise Cancelled("the call was cancelled")
                if self._deadline is not None and time.monotonic() > self._deadline:
                    late = FetchTimeout("the deadline passed", hint="Give fewer URLs, or open this one alone.")
                    return [(self._head, late)]
                if self._outcomes and not self._manners.is_ordered and time.monotonic() > patience:
                    found, self._outcomes = sorted(self._outcomes.items()), {}
                    return found
                self._changed.wait(_STEP)
            return [(self._head, self._outcomes.pop(self._head))]

    def _run(self) -> None:
        while True:
            number = self._take()
            if number is None:
                return
            outcome = attempt(self._work, self._items[number])
            delay = attempt(self._delay_of, self._items[number])  # an error here would take the outcome with it
            with self._changed:
                self._end(number, outcome, delay if isinstance(delay, float) else 0.0)
                self._active -= 1
                self._changed.notify_all()

    def _take(self) -> int | None:
        """The next item, None at the end."""
        with self._changed:
            while not self._is_stopped and (self._turns.left or self._active):
                now = time.monotonic()
                # Where too many outcomes wait, only what they wait for goes on.
                is_full = len(self._outcomes) + self._active >= HELD
                number = self._turns.take(now, self._head if is_full else None)
                if number is not None:
                    self._active += 1
                    return number
                wait = self._turns.wait(now)
                self._changed.wait(_LONGEST_WAIT if wait is None else min(wait + 0.001, _LONGEST_WAIT))
        return None

    def _end(self, number: int, outcome: object, delay: float) -> None:
        tries = self._tries.get(number, 0)
        is_retryable = isinstance(outcome, WebtoolError) and outcome.retryable and not self._is_stopped
        again = is_retryable and tries < self._manners.retry
        pause = 0.0
        if isinstance(outcome, WebtoolError):
            pause = outcome.retry_after or (_BACKOFF * 2**tries if again else 0.0)
        self._turns.end(number, time.monotonic(), delay=delay, pause=pause, again=again)
        if again:
            self._tries[number] = tries + 1
        else:
            self._tries.pop(number, None)
            self._outcomes[number] = outcome
