"""The cache's interface: store and read snapshots, searches, robots.txt, rate slots and counters.

In: values. Out: values. A fetch never fails because of the cache: a file that is broken, locked, full or forbidden is
reported once through `warn` and then acts as if it were empty. With `strict=True` (the cache tools) such a failure
raises CacheError. All methods are thread-safe; other processes may use the file at the same time.
Tests: tests/cache/test_store.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

from webtool.cache import full_text, purging, tables
from webtool.cache.files import Access, connect
from webtool.cache.freshness import MAX_SKEW
from webtool.cache.full_text import Found, Index
from webtool.cache.tables import SNAPSHOT_COLUMNS, Snapshot
from webtool.lean import dates
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Connection
from webtool.settings import Settings

_COLUMNS = ", ".join(SNAPSHOT_COLUMNS)
_SELECT = f"SELECT {_COLUMNS} FROM snapshots WHERE hash = ?"
_STORED = "SELECT 1 FROM snapshots WHERE hash = ?"
_UPSERT = f"INSERT OR REPLACE INTO snapshots ({_COLUMNS}) VALUES ({', '.join('?' * len(SNAPSHOT_COLUMNS))})"
# Columns that a 304 changes; the body and its markdown stay.
_TOUCHED = ("final_url", "fetched_at", "expires_at", "etag", "last_modified", "headers_json", "fetch_ms")
_TOUCH = f"UPDATE snapshots SET {', '.join(name + ' = ?' for name in _TOUCHED)} WHERE hash = ?"
_UPSERT_SEARCH = "INSERT OR REPLACE INTO search_cache VALUES (?, ?, ?, ?, ?)"
_COUNT = "INSERT INTO counters VALUES (?, ?) ON CONFLICT(name) DO UPDATE SET value = value + excluded.value"
_MAX_SLOT_AHEAD = 3600.0  # seconds; a slot further ahead was reserved before the clock was set back, and is ignored


class Row(NamedTuple):
    """One snapshot in a listing."""

    hash: str
    url: str
    title: str | None
    mode: str
    content_type: str | None
    fetched_at: str
    size: int  # characters of markdown, or bytes of the raw body


class StoredSearch(NamedTuple):
    """One row of `search_cache`."""

    response_json: str
    fetched_at: str
    expires_at: str


def open_cache(
    path: str, settings: Settings, warn: Callable[[str], None], now: Callable[[], float] = time.time
) -> Cache:
    """Open the cache in this file, creating it if needed. Raises CacheError if it cannot be used."""
    return Cache(path, connect(path, warn), settings.cache_max_bytes, warn, now)


class Cache(Access):
    """The open cache. `max_bytes` is the file size past which old snapshots are deleted; `now` is the wall clock."""

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
        # False in a process that ends after one page: the next search indexes the page, and opening it takes 4 % less.
        self.indexes_at_once = True
        self._counts: dict[str, int] = {}

    # Snapshots

    def get(self, key: str, *, strict: bool = False) -> Snapshot | None:
        """Return the snapshot with this hash, or None if it is missing or damaged."""
        row = self._row(_SELECT, (key,), strict)
        snapshot = None if row is None else tables.snapshot(row)
        self.count("misses" if snapshot is None else "hits")
        if row is not None and snapshot is None:
            self._report_damaged_row(f"the page {key[:12]}", strict)
        return snapshot

    def put(self, snapshot: Snapshot, *, strict: bool = False) -> None:
        """Store the snapshot, replacing one with the same hash; past the size limit, delete old ones."""
        self.count("stores")
        row = snapshot._replace(raw_bytes=tables.packed(snapshot.raw_bytes))

        def insert(db: Connection) -> None:
            # The next search adds the pages that the index lacks. It would not find out that a text has changed.
            is_indexed_now = self.indexes_at_once or bool(db.execute(_STORED, (snapshot.hash,)).fetchall())
            db.execute(_UPSERT, row)
            if not is_indexed_now:
                return
            text = (snapshot.text if snapshot.mode == "raw" else snapshot.markdown) or ""
            page = (snapshot.hash, snapshot.url, snapshot.title, snapshot.fetched_at, text)
            self._index.change(db, full_text.add, page)

        def make_room(db: Connection) -> int:
            return purging.keep_below(db, self._max_bytes, self._now(), self._index)

        self._write(insert, None, strict)
        self._do(make_room, 0, strict)

    def touch(self, snapshot: Snapshot) -> None:
        """Update what a 304 changes (times, validators, header fields); the body is not written again."""
        self.count("revalidations")
        values = [getattr(snapshot, name) for name in _TOUCHED]

        def update(db: Connection) -> None:
            db.execute(_TOUCH, (*values, snapshot.hash))
            self._index.change(db, full_text.touch, snapshot.hash, snapshot.fetched_at)

        self._write(update, None, False)

    def delete(self, key: str) -> bool:
        """Delete the snapshot; return whether it existed."""

        def forget(db: Connection) -> bool:
            self._index.change(db, full_text.forget, [key])
            return db.execute("DELETE FROM snapshots WHERE hash = ?", (key,)).rowcount > 0

        return self._write(forget, False, False)

    def listing(self, limit: int, after: int = 0) -> list[Row]:
        """Return `limit` snapshots, newest first, from position `after` on."""
        measures = f"length(markdown), length(raw_bytes), substr(raw_bytes, 1, {tables.HEAD})"  # listed(): Row.size
        select = f"SELECT hash, url, title, mode, content_type, fetched_at, {measures} FROM snapshots"
        order = " ORDER BY fetched_at DESC, hash LIMIT ? OFFSET ?"
        stored_rows = self._rows(select + order, (limit, after))
        return [Row(*row) for row in map(tables.listed, stored_rows) if row is not None]

    def hashes(self, prefix: str, limit: int) -> list[str]:
        """Return up to `limit` hashes that begin with these hexadecimal digits."""
        select = "SELECT hash FROM snapshots WHERE hash >= ? AND hash < ? ORDER BY hash LIMIT ?"
        return [row[0] for row in self._rows(select, (prefix, prefix + "g", limit)) if isinstance(row[0], str)]

    def recall(self, query: str, limit: int, domain: str, until: float) -> Found:
        """Search the pages' text, after indexing missing pages until that monotonic time. Raises CacheError."""
        return self._do(lambda db: self._index.search(db, query, limit, domain, until), Found([]), True)

    def texts_with(self, text: str) -> list[str]:
        """Return the stored pages and search answers that contain this text, at most 200 of each, as text."""
        page = " || ' ' || ".join(f"coalesce({name}, '')" for name in ("url", "final_url", "links_json", "markdown"))
        pages = f"SELECT {page} FROM snapshots WHERE instr({page}, ?) > 0 LIMIT 200"
        searches = "SELECT response_json FROM search_cache WHERE instr(response_json, ?) > 0 LIMIT 200"
        matching_rows = [*self._rows(searches, (text,)), *self._rows(pages, (text,))]
        return [row[0] for row in matching_rows if isinstance(row[0], str)]

    # Searches

    def get_search(self, key: str, now: float) -> StoredSearch | None:
        """Return the stored answer of a search while it is fresh, else None."""
        select = "SELECT response_json, fetched_at, expires_at FROM search_cache WHERE key_hash = ?"
        select += " AND expires_at > ? AND fetched_at <= ?"
        row = self._row(select, (key, dates.iso(now), dates.iso(now + MAX_SKEW)))
        is_whole = row is not None and all(isinstance(value, str) for value in row)
        self.count("search_hits" if is_whole else "search_misses")
        return StoredSearch(*row) if row is not None and is_whole else None

    def put_search(self, key: str, query_json: str, response_json: str, now: float, ttl: float) -> None:
        """Store the answer of a search for `ttl` seconds."""
        row = (key, query_json, response_json, dates.iso(now), dates.iso(now + ttl))
        self._write(lambda db: db.execute(_UPSERT_SEARCH, row), None, False)

    # robots.txt

    def get_robots(self, origin: str) -> tuple[bytes, int, float] | None:
        """Return body, status and fetch time (Unix seconds) of an origin's robots.txt, or None."""
        select = "SELECT body, status, fetched_at FROM robots WHERE origin = ?"
        row = self._row(select, (origin,))
        return None if row is None else tables.robots(row)

    def put_robots(self, origin: str, body: bytes, status: int, fetched_at: float) -> None:
        """Store an origin's robots.txt."""
        row = (origin, body, status, fetched_at)
        self._write(lambda db: db.execute("INSERT OR REPLACE INTO robots VALUES (?, ?, ?, ?)", row), None, False)

    # Rate slots

    def reserve_slot(self, name: str, interval: float, deadline: float) -> float | None:
        """Reserve the next slot of a series shared by all processes; return the seconds to wait for it.

        Slots are `interval` seconds apart. If the next one comes after `deadline` (monotonic), reserve nothing and
        return None.
        """

        def reserve(db: Connection) -> float | None:
            now = self._now()
            slots = db.execute("SELECT next_at FROM rate_slots WHERE name = ?", (name,)).fetchall()
            next_at = slots[0][0] if slots and isinstance(slots[0][0], (int, float)) else now
            slot = max(now, next_at) if next_at < now + _MAX_SLOT_AHEAD else now
            if slot - now > deadline - time.monotonic():
                return None
            db.execute("INSERT OR REPLACE INTO rate_slots VALUES (?, ?)", (name, slot + interval))
            return slot - now

        no_wait: float | None = 0.0
        return self._write(reserve, no_wait, False)

    # The whole file

    def purge(
        self,
        older_than_days: float | None = None,
        domain: str | None = None,
        max_entries: int | None = None,
        *,
        strict: bool = False,
    ) -> int:
        """Delete the snapshots that meet every criterion; if none is given, the expired ones. Return their number.

        `domain` is the host of the URL or one of its parent domains; `max_entries` of the newest snapshots stay.
        """
        criteria = (older_than_days, domain, max_entries)
        return self._delete(lambda db: purging.purge(db, self._now(), *criteria), strict)

    def clear(self) -> int:
        """Delete every page, search and robots.txt; return the number of pages. Raises CacheError."""
        return self._delete(purging.clear, True)

    def _delete(self, delete: Callable[[Connection], int], strict: bool) -> int:
        """Delete snapshots and what the index has of them, and make the file smaller; return their number."""

        def in_transaction(db: Connection) -> int:
            deleted = delete(db)
            self._index.change(db, full_text.forget_gone)  # also the pages that another program deleted before
            return deleted

        deleted = self._write(in_transaction, 0, strict)
        self._do(purging.give_back, None, strict)
        return deleted

    def info(self, *, strict: bool = False) -> dict[str, object]:
        """Return path, size in bytes, numbers of rows, oldest and newest snapshot, and counters of all processes."""
        self.flush()
        info: dict[str, object] = {"path": self.path}
        nothing: dict[str, object] = {}
        info.update(self._do(purging.describe, nothing, strict))
        info["full_text"] = self._do(full_text.is_available, False, strict)
        return info

    def count(self, name: str, amount: int = 1) -> None:
        """Add to a counter; counters are written by flush()."""
        with self._lock:
            self._counts[name] = self._counts.get(name, 0) + amount

    def flush(self) -> None:
        """Write the counters. A process that is about to exit calls only this, as closing the file takes 15 ms."""
        with self._lock:
            counts, self._counts = self._counts, {}
        if not counts:
            return

        def add(db: Connection) -> bool:
            db.executemany(_COUNT, list(counts.items()))
            return True

        if not self._write(add, False, False):  # the next flush() tries again
            for name, amount in counts.items():
                self.count(name, amount)

    def close(self) -> None:
        """Write the counters and close the file. Later calls return defaults and store nothing."""
        with self._lock:
            self.flush()
            super().close()
