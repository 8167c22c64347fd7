"""Delete snapshots by criteria or to make room, and describe the cache. In: an open connection. Out: counts.

If the file grows past its limit, expired snapshots are deleted first, then the oldest. Freed database pages are
returned to the file system in steps of 8 MiB, so that no single fetch waits for gigabytes.
Tests: tests/cache/test_purging.py
"""

from __future__ import annotations

from webtool import urls
from webtool.cache import full_text
from webtool.cache.freshness import TTL_OPEN, TTL_PARTS
from webtool.cache.full_text import Index
from webtool.cache.tables import Transaction
from webtool.lean import dates
from webtool.lean.typing import Connection

_LOW_WATER = 0.9  # share of the size limit down to which snapshots are deleted, so that not every fetch has to delete
_BATCH = 64  # rows deleted in one transaction
_STEP_PAGES = 2048  # database pages freed in one step: 8 MiB, about 10 ms
_EXPIRED = "SELECT hash FROM snapshots WHERE expires_at <= ? ORDER BY expires_at LIMIT ?"
_OLDEST = "SELECT hash FROM snapshots WHERE fetched_at <= ? ORDER BY fetched_at LIMIT ?"
# An expired snapshot stays while it is useful: for TTL_PARTS as it supplies the later parts of a page, and for TTL_OPEN
# if it has a validator, with which a server can confirm it.
_DELETE_EXPIRED = """
DELETE FROM snapshots WHERE expires_at <= ? AND fetched_at <= ?
AND (fetched_at <= ? OR (etag IS NULL AND last_modified IS NULL))
"""


def purge(
    db: Connection, now: float, older_than_days: float | None, domain: str | None, max_entries: int | None
) -> int:
    """Delete the snapshots that meet every criterion except None; if all are None, the expired ones.

    Return their number. `max_entries` of the newest snapshots stay. Runs inside the caller's transaction.
    """
    if older_than_days is None and domain is None and max_entries is None:
        db.execute("DELETE FROM search_cache WHERE expires_at <= ?", (dates.iso(now),))
        limits = (dates.iso(now), dates.iso(now - TTL_PARTS), dates.iso(now - TTL_OPEN))
        return db.execute(_DELETE_EXPIRED, limits).rowcount
    select = "SELECT hash, url, final_url, fetched_at FROM snapshots ORDER BY fetched_at DESC"
    rows = [row for row in db.execute(select).fetchall() if all(isinstance(value, str) for value in row)]
    if domain is not None:
        rows = [row for row in rows if urls.matches_domain(row[1], domain) or urls.matches_domain(row[2], domain)]
    if max_entries is not None:
        rows = rows[max(max_entries, 0) :]
    if older_than_days is not None:
        limit = dates.iso(now - older_than_days * 86400)
        rows = [row for row in rows if row[3] <= limit]
    db.executemany("DELETE FROM snapshots WHERE hash = ?", [(row[0],) for row in rows])
    return len(rows)


def clear(db: Connection) -> int:
    """Delete every page, search, robots.txt and counter; return the number of pages.

    Rate slots stay: they keep the promised distance between requests. Runs inside the caller's transaction.
    """
    pages = db.execute("DELETE FROM snapshots").rowcount
    for table in ("search_cache", "robots", "counters"):
        db.execute(f"DELETE FROM {table}")
    return pages


def keep_below(db: Connection, max_bytes: int, now: float, index: Index) -> int:
    """Delete snapshots if the file is larger than `max_bytes` (0: unlimited); return how many were deleted."""
    if not max_bytes or _used_bytes(db) <= max_bytes:
        return 0
    deleted = 0
    for select in (_EXPIRED, _OLDEST):
        while _used_bytes(db) > max_bytes * _LOW_WATER:
            batch = db.execute(select, (dates.iso(now), _BATCH)).fetchall()
            if not batch:
                break
            deleted += _delete(db, batch, max_bytes, index)
    give_back(db)
    return deleted


def give_back(db: Connection) -> None:
    """Return free database pages to the file system, one step at a time."""
    if _number(db, "PRAGMA auto_vacuum") != 2:
        return
    while _number(db, "PRAGMA freelist_count"):
        before = _pages(db)
        db.execute(f"PRAGMA incremental_vacuum({_STEP_PAGES})").fetchall()
        if _pages(db) >= before:
            break


def describe(db: Connection) -> dict[str, object]:
    """Return size in bytes, numbers of rows, times of the oldest and newest snapshot, and counters."""
    totals = "SELECT count(*), min(fetched_at), max(fetched_at) FROM snapshots"
    snapshots, oldest, newest = db.execute(totals).fetchall()[0]
    return {
        "size_bytes": _pages(db) * _number(db, "PRAGMA page_size"),
        "snapshots": snapshots,
        "searches": _number(db, "SELECT count(*) FROM search_cache"),
        "robots": _number(db, "SELECT count(*) FROM robots"),
        "oldest": oldest,
        "newest": newest,
        "counters": dict(db.execute("SELECT name, value FROM counters ORDER BY name").fetchall()),
    }


def _delete(db: Connection, batch: list[tuple[str]], max_bytes: int, index: Index) -> int:
    """Delete a batch in one transaction; stop early when the file is small enough. Return how many were deleted."""
    deleted = 0
    with Transaction(db):
        for row in batch:
            index.change(db, full_text.forget, [row[0]])
            deleted += db.execute("DELETE FROM snapshots WHERE hash = ?", row).rowcount
            if _used_bytes(db) <= max_bytes * _LOW_WATER:
                break
    return deleted


def _used_bytes(db: Connection) -> int:
    return (_pages(db) - _number(db, "PRAGMA freelist_count")) * _number(db, "PRAGMA page_size")


def _pages(db: Connection) -> int:
    return _number(db, "PRAGMA page_count")


def _number(db: Connection, query: str) -> int:
    number: int = db.execute(query).fetchall()[0][0]
    return number
