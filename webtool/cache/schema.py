"""Create the tables of the cache file, and add what an older version or another program left out.

In: an open connection. Out: the same connection, with every table, column and index. SQLite's `user_version` is the
version of the tables; 0 means a new file, or one whose tables were made by another program of the same design.
Tests: tests/cache/test_files.py
"""

from __future__ import annotations

from webtool.cache.snapshot import Snapshot
from webtool.lean.typing import Connection

VERSION = 1

SNAPSHOT_COLUMNS = Snapshot._fields
# SQL type of a column by the type of its field in Snapshot.
_SQL_TYPES = {
    "str": "TEXT NOT NULL", "str | None": "TEXT", "int": "INTEGER NOT NULL DEFAULT 0", "int | None": "INTEGER",
    "bytes | None": "BLOB",
}  # fmt: skip
_COLUMN_TYPES = {name: _SQL_TYPES[kind] for name, kind in Snapshot.__annotations__.items()}
_COLUMN_TYPES["hash"] = "TEXT PRIMARY KEY"

_SNAPSHOT_COLUMNS = ", ".join(f"{name} {kind}" for name, kind in _COLUMN_TYPES.items())

_TABLES = f"""
CREATE TABLE IF NOT EXISTS snapshots ({_SNAPSHOT_COLUMNS});
CREATE TABLE IF NOT EXISTS search_cache (
  key_hash        TEXT PRIMARY KEY,
  query_json      TEXT NOT NULL,
  response_json   TEXT NOT NULL,
  fetched_at      TEXT NOT NULL,
  expires_at      TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS robots (
  origin          TEXT PRIMARY KEY,
  body            BLOB NOT NULL,
  status          INTEGER NOT NULL,
  fetched_at      REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS rate_slots (
  name            TEXT PRIMARY KEY,
  next_at         REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS counters (
  name            TEXT PRIMARY KEY,
  value           INTEGER NOT NULL
)
"""
_INDEXES = """
CREATE INDEX IF NOT EXISTS idx_snapshots_url ON snapshots(url);
CREATE INDEX IF NOT EXISTS idx_snapshots_fetched ON snapshots(fetched_at);
CREATE INDEX IF NOT EXISTS idx_snapshots_expires ON snapshots(expires_at)
"""


class UnusableSchema(Exception):
    """The file's tables cannot be upgraded without losing data."""


class Transaction:
    """`with Transaction(db):` commits all changes at its end, or none after an exception. Raises what SQLite raises.

    The write lock is taken at the beginning: SQLite does not wait for a lock in a transaction that has already read.
    """

    def __init__(self, db: Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._roll_back()  # an earlier transaction whose end failed
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._db.execute("COMMIT")
        finally:
            self._roll_back()

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")


def prepare(connection: Connection) -> None:
    """Create or upgrade the tables; a single statement if they are up to date. Raises UnusableSchema, files.Error."""
    if version_of(connection) >= VERSION:
        return  # newer versions only add columns
    with Transaction(connection):
        for statement in _TABLES.split(";"):
            connection.execute(statement)
        # Add missing columns to an older or foreign table; its rows stay.
        present = {row[1]: row for row in connection.execute("PRAGMA table_info(snapshots)")}
        if "hash" not in present or not present["hash"][5]:
            raise UnusableSchema("its table snapshots has no primary key `hash`")
        for name, kind in _COLUMN_TYPES.items():
            if name not in present:  # ADD COLUMN needs a default for a NOT NULL column
                default = " DEFAULT ''" if "NOT NULL" in kind and "DEFAULT" not in kind else ""
                connection.execute(f"ALTER TABLE snapshots ADD COLUMN {name} {kind}{default}")
        for statement in _INDEXES.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version={VERSION}")


def version_of(connection: Connection) -> int:
    """Return the version of the file's tables, 0 for a new file."""
    # fetchall, here and everywhere: on PyPy, a statement with unread rows prevents a commit.
    version: int = connection.execute("PRAGMA user_version").fetchall()[0][0]
    return version
