"""The cache file as its users see it: snapshots, searches, robots.txt, rate slots, counters.

In: values. Out: values; never an exception on the way of a fetch. A file that is broken, locked, full or forbidden is
reported once through `warn` and then behaves as if it were empty; with `strict=True` (the cache tools) the same
failure is a CacheError. All methods may be called from any thread; other processes may use the file as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from webtool.cache import files, full_text, purging, rows
from webtool.cache.access import Access
from webtool.cache.freshness import SKEW
from webtool.cache.full_text import Found, Index
from webtool.cache.schema import SNAPSHOT_COLUMNS
from webtool.cache.snapshot import Snapshot
from webtool.lean import dates
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Connection
from webtool.settings import Settings

_COLUMNS = ", ".join(SNAPSHOT_COLUMNS)
_SELECT = f"SELECT {_COLUMNS} FROM snapshots WHERE hash = ?"
_UPSERT = f"INSERT OR REPLACE INTO snapshots ({_COLUMNS}) VALUES ({', '.join('?' * len(SNAPSHOT_COLUMNS))})"
# What a 304 can change; the body and what was made of it stay where they are.
_TOUCHED = ("final_url", "fetched_at", "expires_at", "etag", "last_modified", "headers_json", "fetch_ms")
_TOUCH = f"UPDATE snapshots SET {', '.join(name + ' = ?' for name in _TOUCHED)} WHERE hash = ?"
_UPSERT_SEARCH = "INSERT OR REPLACE INTO search_cache VALUES (?, ?, ?, ?, ?)"
_COUNT = "INSERT INTO counters VALUES (?, ?) ON CONFLICT(name) DO UPDATE SET value = value + excluded.value"
_SLOT_HORIZON = 3600.0  # a slot farther ahead than this comes from a clock that was set back


class Row(NamedTuple):
    """One snapshot in a listing."""

    hash: str
    url: str
    title: str | None
    mode: str
    content_type: str | None
    fetched_at: str
    size: int
    """Characters of markdown, or bytes of the raw body."""


class Kept(NamedTuple):
    """One row of `search_cache`."""

    response_json: str
    fetched_at: str
    expires_at: str


def open_cache(
    path: str, settings: Settings, warn: Callable[[str], None], now: Callable[[], float] = time.time
) -> Cache:
    """The cache in this file, made new where there is none. Raises CacheError where it cannot be used."""
    return Cache(path, files.connect(path, warn), settings.cache_max_bytes, warn, now)


class Cache(Access):
    """See the module's first lines. `max_bytes` is the size past which old rows go, `now` the wall clock."""

    def __init__(
        self,
        path: str,
        connection: Connection,
        max_bytes: int,
        warn: Callable[[str], None],
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(path, connection, warn)
        self._max_bytes = max_bytes
        self._now = now
        self._index = Index()
        self._counts: dict[str, int] = {}

    # Snapshots

    def get(self, key: str, *, strict: bool = False) -> Snapshot | None:
        """The snapshot under this hash; a damaged row is none."""
        row = self._row(_SELECT, (key,), strict)
        found = None if row is None else rows.snapshot(row)
        self.count("misses" if found is None else "hits")
        if row is not None and found is None:
            self._tell_of_damage(f"the page {key[:12]}", strict)
        return found

    def put(self, snapshot: Snapshot, *, strict: bool = False) -> None:
        """Keep the snapshot, in place of an earlier one under its hash; past the size limit old ones go."""
        self.count("stores")
        row = snapshot._replace(raw_bytes=rows.packed(snapshot.raw_bytes))

        def keep(db: Connection) -> None:
            db.execute(_UPSERT, row)
            text = (snapshot.text if snapshot.mode == "raw" else snapshot.markdown) or ""
            page = (snapshot.hash, snapshot.url, snapshot.title, snapshot.fetched_at, text)
            self._index.change(db, full_text.add, page)

        def keep_below(db: Connection) -> int:
            return purging.keep_below(db, self._max_bytes, self._now(), self._index)

        self._write(keep, None, strict)
        self._do(keep_below, 0, strict)

    def touch(self, snapshot: Snapshot) -> None:
        """Renew what a 304 renews (times, validators, header fields); the body is not written again."""
        self.count("revalidations")
        values = [getattr(snapshot, name) for name in _TOUCHED]

        def renew(db: Connection) -> None:
            db.execute(_TOUCH, (*values, snapshot.hash))
            self._index.change(db, full_text.touch, snapshot.hash, snapshot.fetched_at)

        self._write(renew, None, False)

    def delete(self, key: str) -> bool:
        """Forget the snapshot; whether there was one."""

        def forget(db: Connection) -> bool:
            self._index.change(db, full_text.forget, [key])
            return db.execute("DELETE FROM snapshots WHERE hash = ?", (key,)).rowcount > 0

        return self._write(forget, False, False)

    def listing(self, limit: int, after: int = 0) -> list[Row]:
        """Snapshots, newest first: `limit` of them from position `after`."""
        size = f"length(markdown), length(raw_bytes), substr(raw_bytes, 1, {rows.HEAD})"
        select = f"SELECT hash, url, title, mode, content_type, fetched_at, {size} FROM snapshots"
        order = " ORDER BY fetched_at DESC, hash LIMIT ? OFFSET ?"
        found = self._rows(select + order, (limit, after))
        return [Row(*row) for row in map(rows.listed, found) if row is not None]

    def hashes(self, prefix: str, limit: int) -> list[str]:
        """Hashes that begin with these hexadecimal digits."""
        select = "SELECT hash FROM snapshots WHERE hash >= ? AND hash < ? ORDER BY hash LIMIT ?"
        return [row[0] for row in self._rows(select, (prefix, prefix + "g", limit)) if isinstance(row[0], str)]

    def recall(self, query: str, limit: int, domain: str, until: float) -> Found:
        """Full-text search over the pages; those not indexed yet are, until that monotonic time. Raises CacheError."""
        return self._do(lambda db: self._index.search(db, query, limit, domain, until), Found([]), True)

    def texts_with(self, text: str) -> list[str]:
        """What pages and searches that are kept say, where this text occurs in it; 200 of each at most."""
        page = " || ' ' || ".join(f"coalesce({name}, '')" for name in ("url", "final_url", "links_json", "markdown"))
        pages = f"SELECT {page} FROM snapshots WHERE instr({page}, ?) > 0 LIMIT 200"
        searches = "SELECT response_json FROM search_cache WHERE instr(response_json, ?) > 0 LIMIT 200"
        found = [*self._rows(searches, (text,)), *self._rows(pages, (text,))]
        return [row[0] for row in found if isinstance(row[0], str)]

    # Searches

    def get_search(self, key: str, now: float) -> Kept | None:
        """The kept answer of a search, while it is fresh."""
        select = "SELECT response_json, fetched_at, expires_at FROM search_cache WHERE key_hash = ?"
        select += " AND expires_at > ? AND fetched_at <= ?"
        row = self._row(select, (key, dates.iso(now), dates.iso(now + SKEW)))
        is_whole = row is not None and all(isinstance(value, str) for value in row)
        self.count("search_hits" if is_whole else "search_misses")
        return Kept(*row) if row is not None and is_whole else None

    def put_search(self, key: str, query_json: str, response_json: str, now: float, ttl: float) -> None:
        """Keep the answer of a search for `ttl` seconds."""
        row = (key, query_json, response_json, dates.iso(now), dates.iso(now + ttl))
        self._write(lambda db: db.execute(_UPSERT_SEARCH, row), None, False)

    # robots.txt

    def get_robots(self, origin: str) -> tuple[bytes, int, float] | None:
        """Body, status and time of fetching (Unix seconds) of an origin's robots.txt."""
        select = "SELECT body, status, fetched_at FROM robots WHERE origin = ?"
        row = self._row(select, (origin,))
        return None if row is None else rows.robots(row)

    def put_robots(self, origin: str, body: bytes, status: int, fetched_at: float) -> None:
        """Keep an origin's robots.txt."""
        row = (origin, body, status, fetched_at)
        self._write(lambda db: db.execute("INSERT OR REPLACE INTO robots VALUES (?, ?, ?, ?)", row), None, False)

    # Rate slots

    def reserve_slot(self, name: str, interval: float, deadline: float) -> float | None:
        """Take the next slot of a series shared by all processes; the seconds to wait for it.

        Slots are `interval` seconds apart. None, and none taken, where it would come after `deadline` (monotonic).
        """

        def reserve(db: Connection) -> float | None:
            now = self._now()
            found = db.execute("SELECT next_at FROM rate_slots WHERE name = ?", (name,)).fetchall()
            free = found[0][0] if found and isinstance(found[0][0], (int, float)) else now
            slot = max(now, free) if free < now + _SLOT_HORIZON else now
            if slot - now > deadline - time.monotonic():
                return None
            db.execute("INSERT OR REPLACE INTO rate_slots VALUES (?, ?)", (name, slot + interval))
            return slot - now

        nothing: float | None = 0.0
        return self._write(reserve, nothing, False)

    # The whole file

    def purge(
        self,
        older_than_days: float | None = None,
        domain: str | None = None,
        max_entries: int | None = None,
        *,
        strict: bool = False,
    ) -> int:
        """Delete snapshots that meet every given criterion; without any, the expired ones. How many went.

        `domain` means the host of the URL or one of its parents; `max_entries` keeps that many of the newest.
        """
        criteria = purging.Criteria(older_than_days, domain, max_entries)

        def purge(db: Connection) -> int:
            gone = purging.purge(db, criteria, self._now())
            if gone:
                self._index.change(db, full_text.forget_gone)
            return gone

        deleted = self._write(purge, 0, strict)
        self._do(purging.give_back, None, strict)
        return deleted

    def info(self, *, strict: bool = False) -> dict[str, object]:
        """Path, size in bytes, numbers of rows, oldest and newest snapshot, counters of all processes so far."""
        self.flush()
        found: dict[str, object] = {"path": self.path}
        nothing: dict[str, object] = {}
        found.update(self._do(purging.describe, nothing, strict))
        found["full_text"] = self._do(full_text.is_available, False, strict)
        return found

    def count(self, name: str, amount: int = 1) -> None:
        """Add to a counter; it reaches the file when the cache is closed or described."""
        with self._lock:
            self._counts[name] = self._counts.get(name, 0) + amount

    def flush(self) -> None:
        """Write the counters: all that a process has to do that ends at once (closing costs it 15 ms for nothing)."""
        with self._lock:
            counts, self._counts = self._counts, {}
        if counts:
            self._write(lambda db: db.executemany(_COUNT, list(counts.items())), None, False)

    def close(self) -> None:
        """Write the counters and close the file. Calls after this find nothing and keep nothing."""
        with self._lock:
            self.flush()
            super().close()
