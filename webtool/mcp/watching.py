"""What changes in the cache file, by any process. In: the file's path, hashes. Out: the rows that are new.

A connection of its own, so that the writes of this process are seen as those of others are: SQLite counts them for
every connection but the writing one (PRAGMA data_version). A look at an unchanged file reads one number.
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.cache import files
from webtool.errors import CacheError
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Connection, Union

Stamp = Union[tuple[object, ...], None]

_LIST = "SELECT count(*), max(rowid), max(fetched_at) FROM snapshots"
_ROW = "SELECT rowid, fetched_at, expires_at FROM snapshots WHERE hash = ?"


class Change(NamedTuple):
    """What is different since the last look."""

    hashes: frozenset[str] = frozenset()
    """Of those watched: stored anew, renewed or deleted."""
    is_list_changed: bool = False


class Watch:
    """One cache file under observation. Not thread-safe: its users take turns."""

    def __init__(self, path: str) -> None:
        """Raises CacheError or sqlite3.Error where the file cannot be read."""
        self._path = path
        self._connection: Connection | None = None
        self._rows: dict[str, Stamp] = {}
        self._open()
        self._seen: Stamp = self._version()
        self._list = self._ask(_LIST)

    def add(self, hashes: Iterable[str]) -> None:
        """Watch these rows too, from now on."""
        for key in hashes:
            if key not in self._rows:
                self._rows[key] = self._row(key)

    def keep(self, hashes: frozenset[str]) -> None:
        """Watch no others than these any more."""
        self._rows = {key: stamp for key, stamp in self._rows.items() if key in hashes}

    def look(self) -> Change:
        """What changed since the last look; nothing while the file cannot be read."""
        try:
            if self._connection is None or files.identity(self._path) != self._identity:
                self.close()
                self._open()
                self._seen = None  # versions of two connections cannot be compared
            version = self._version()
            if version == self._seen:
                return Change()
            rows = {key: self._row(key) for key in self._rows}
            listed = self._ask(_LIST)
        except (CacheError, files.Error, OSError):
            return Change()
        self._seen = version  # only now: what could not be read is read at the next look
        hashes = frozenset(key for key, stamp in rows.items() if stamp != self._rows[key])
        is_list_changed = listed != self._list
        self._rows, self._list = rows, listed
        return Change(hashes, is_list_changed)

    def close(self) -> None:
        """Let go of the file."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _open(self) -> None:
        self._identity = files.identity(self._path)
        self._connection = files.connect(self._path, lambda _message: None)

    def _version(self) -> Stamp:
        return self._ask("PRAGMA data_version")

    def _row(self, key: str) -> Stamp:
        return self._ask(_ROW, key)

    def _ask(self, statement: str, *values: str) -> Stamp:
        assert self._connection is not None
        # All rows, so that no statement stays open and holds the file's log back.
        rows: list[tuple[object, ...]] = self._connection.execute(statement, values).fetchall()
        return rows[0] if rows else None
