"""The index of stored pages, kept in step with them. In: an open connection, inside the transaction that changes them.

recall.py has the statements; here is what may go wrong: a build of SQLite without FTS5, an index that is damaged.
Neither costs a page: what could not be indexed is, when pages are next searched for.
"""

from __future__ import annotations

import time

from webtool.cache import files
from webtool.cache.schema import Transaction
from webtool.lean.optional import HAS_ZLIB, zlib
from webtool.lean.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from types import ModuleType

    from webtool.cache.recall import Hit

_BATCH = 20  # pages indexed in one transaction, so that nobody else waits for long
_MOST_AT_ONCE = 100_000


class Found(NamedTuple):
    """What a search of the stored pages gave."""

    hits: list[Hit]
    pending: int = 0
    """Stored pages that are not indexed yet."""
    is_indexed: bool = True
    """False where this build of SQLite has no FTS5, and the newest pages were read through instead."""


def _recall() -> ModuleType:
    """The module with the statements; a fetch that stores nothing does without it."""
    from webtool.cache import recall

    return recall


class Index:
    """Whether there is an index, and the changes to it."""

    def __init__(self) -> None:
        self._is_ready: bool | None = None  # False: there is none here, or it failed

    def change(self, db: Connection, name: str, *values: object) -> None:
        """Make one of recall's changes (add, touch, forget, forget_gone); where the index fails, the pages are stored
        all the same."""
        recall = _recall()
        if self._is_ready is None:
            self._is_ready = HAS_ZLIB and recall.is_available(db)
        if not self._is_ready:
            return
        db.execute("SAVEPOINT recall")
        try:
            recall.prepare(db)
            getattr(recall, name)(db, *values)
        except (files.Error, ValueError, zlib.error):  # ValueError: a text that cannot be taken apart again
            self._is_ready = False
            db.execute("ROLLBACK TO recall")
        db.execute("RELEASE recall")

    def search(self, db: Connection, query: str, limit: int, domain: str, until: float) -> Found:
        """Search; pages that are not indexed yet are, newest first, until that monotonic time.

        Raises what SQLite raises.
        """
        recall = _recall()
        if not recall.is_available(db):
            return Found(recall.search_slowly(db, query, limit, domain), is_indexed=False)
        recall.prepare(db)
        pending = self._catch_up(db, until) if not recall.is_in_step(db) else 0
        return Found(recall.search(db, query, limit, domain), pending)

    def _catch_up(self, db: Connection, until: float) -> int:
        """Bring the index up to date; the number of pages that time did not suffice for."""
        recall = _recall()
        with Transaction(db):
            recall.forget_gone(db)
        keys = recall.missing(db, _MOST_AT_ONCE)
        done = 0
        while done < len(keys) and time.monotonic() < until:
            batch = keys[done : done + _BATCH]
            with Transaction(db):
                recall.add_stored(db, batch)
            done += len(batch)
        return len(keys) - done
