"""Choose which page of a site is opened next. In: addresses that pages and sitemaps list. Out: the next one. Pure.

Addresses are keys of webtool.bulk.scope. Plain pages come first, in the order in which they were found. Indexes, and
addresses with a query or a date, come last: a calendar or a list with filters may have more pages than the rest of the
site. With a limit of depth, all pages of one depth come before those of the next, so that a page's depth is the least
number of links that lead to it.
Tests: tests/bulk/test_site.py
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from webtool.bulk import scope as scopes
from webtool.bulk.scope import Scope
from webtool.lean.records import NamedTuple

# Steps within a series (a calendar, one list with other queries), each found on the page before it: /cal/2026/05 ->
# /cal/2026/06 -> ... ends after this many. Pages of a series that the rest of the site links to have no limit.
MAX_STEPS = 20
_MAX_CHARACTERS = 20 << 20  # of all addresses that are remembered; further ones are not followed


class _Known(NamedTuple):
    """How an address was found."""

    depth: int  # links from the start page
    steps: int  # pages of its own series that lead to it, one after the other


class Frontier:
    """The addresses of one crawl. `endless` counts those that are given up: MAX_STEPS, or too many in all."""

    def __init__(self, scope: Scope, max_depth: int | None) -> None:
        self.scope = scope
        self._max_depth = max_depth
        self._known: dict[str, _Known] = {}
        self._listed: set[str] = set()  # keys that new_links() has returned
        self._plain: deque[str] = deque()
        self._late: deque[str] = deque()  # with a limit of depth: the pages of the next depth
        self._characters = 0
        self.endless = 0

    def __contains__(self, key: str) -> bool:
        return key in self._known

    def depth_of(self, key: str) -> int:
        """Return how many links lead from the start page to a known page."""
        return self._known[key].depth

    def waiting(self) -> list[str]:
        """Return the pages that are still to be opened."""
        return [*self._plain, *self._late]

    def skip(self, key: str, depth: int = 0) -> None:
        """Remember a page that need not be opened: it is open, or an earlier run has it."""
        self._known.setdefault(key, _Known(depth, 0))

    def revisit(self, depths: dict[str, int]) -> None:
        """Queue pages that an earlier run saved, with their depths, unless they are known."""
        for key, depth in depths.items():
            if key not in self._known and self.scope.key(key) == key and self.scope.follows(key):
                self._known[key] = _Known(depth, 0)
                self._plain.append(key)

    def redirect(self, key: str, target: str) -> bool:
        """Let a page be known under the address that it redirects to; return False if that one is known already."""
        if target in self._known:
            return False
        self._known[target] = self._known[key]
        return True

    def new_links(self, key: str, links: Iterable[str]) -> list[str]:
        """Return the links of a page that no page before it has listed; [] at the limit of depth."""
        if self._max_depth is not None and self._known[key].depth >= self._max_depth:
            return []
        new = []
        for link in dict.fromkeys(links):
            if link and link != key and link not in self._listed and self.scope.follows(link) and self._has_room(link):
                self._listed.add(link)
                new.append(link)
        return new

    def follow(self, key: str, links: Iterable[str]) -> list[str]:
        """Queue the links of a page, or of a sitemap, whose key is "". Return those that are new."""
        depth, steps = self._known.get(key, _Known(0, 0))
        if self._max_depth is not None and depth >= self._max_depth:
            return []
        queued = []
        series = scopes.series_of(key)
        for link in links:
            if link in self._known or not self.scope.follows(link):
                continue
            its_series = scopes.series_of(link)
            if its_series == series and series:
                its_steps = steps + 1
            else:  # a calendar that links to a list keeps its count: one endless series must not begin the next
                its_steps = steps if its_series and series else 0
            if its_steps > MAX_STEPS:
                self.endless += 1
            elif self._has_room(link):
                self._known[link] = _Known(depth + 1, its_steps)
                is_late = self._max_depth is not None or scopes.is_late(link)
                (self._late if is_late else self._plain).append(link)
                queued.append(link)
        return queued

    def next(self, *, is_idle: bool) -> str:
        """Return the next page to open, "" if none waits now. `is_idle` says that no page is being opened."""
        if not self._plain and self._max_depth is not None and is_idle:
            self._plain, self._late = self._late, self._plain
        if self._plain:
            return self._plain.popleft()
        return self._late.popleft() if self._late and self._max_depth is None else ""

    def _has_room(self, key: str) -> bool:
        """Count an address that is to be remembered; return False if there are too many."""
        if key in self._known or key in self._listed:
            return True
        if self._characters > _MAX_CHARACTERS:
            self.endless += 1
            return False
        self._characters += len(key)
        return True
