"""The cache file's tables, and how a file of an older version or of another program comes to have them.

In: an open connection. Out: the same, with every table, column and index. The version is `user_version`; 0 is a new
file, or one whose tables some other program of the same design made.
"""

from __future__ import annotations

from webtool.cache.snapshot import Snapshot
from webtool.lean.typing import Connection

VERSION = 1

SNAPSHOT_COLUMNS = Snapshot._fields
# A field of Snapshot is a column; its type says which.
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
    """The file's tables cannot be brought to this version's form without losing what they mean."""


class Transaction:
    """with Transaction(db): a change that is made whole or not at all. Raises what SQLite raises.

    The write lock is taken at once: a transaction that reads first cannot wait for another one when it comes to write.
    """

    def __init__(self, db: Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._roll_back()  # an earlier one that could not be
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
    """Give the file its tables; one statement when it has them. Raises UnusableSchema, or what SQLite raises."""
    if version_of(connection) >= VERSION:
        return  # a newer version only ever adds
    with Transaction(connection):
        for statement in _TABLES.split(";"):
            connection.execute(statement)
        # An older or foreign table gets the columns it lacks; rows stay.
        present = {row[1]: row for row in connection.execute("PRAGMA table_info(snapshots)")}
        if "hash" not in present or not present["hash"][5]:
            raise UnusableSchema("its table snapshots has no primary key `hash`")
        for name, kind in _COLUMN_TYPES.items():
            if name not in present:  # ADD COLUMN asks for a default where the type says NOT NULL
                default = " DEFAULT ''" if "NOT NULL" in kind and "DEFAULT" not in kind else ""
                connection.execute(f"ALTER TABLE snapshots ADD COLUMN {name} {kind}{default}")
        for statement in _INDEXES.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version={VERSION}")


def version_of(connection: Connection) -> int:
    """The version that the file says; 0 for a new one."""
    # fetchall, here and everywhere: a statement with rows left keeps PyPy from committing.
    version: int = connection.execute("PRAGMA user_version").fetchall()[0][0]
    return version
