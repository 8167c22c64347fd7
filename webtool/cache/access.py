"""Run operations on the cache file and survive its failures. In: an operation on a connection. Out: its result.

If the file fails (locked, full, forbidden), the caller gets a default instead, `warn` is called once, and the file is
not used for 30 seconds. A damaged file is renamed and a new one begun. With `strict` (the cache tools) each failure
raises a CacheError instead of returning the default. Thread-safe: operations run one at a time.
Tests: tests/cache/test_files.py
"""

from __future__ import annotations

import time
from _thread import RLock  # threading costs 3 ms more and is not needed for a lock

from webtool.cache import files
from webtool.cache.schema import Transaction
from webtool.errors import CacheError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection
    from typing import Any, TypeVar

    Value = TypeVar("Value")

_REST_SECONDS = 30.0  # after a failure the file is not used for this long, so that a lock is not waited for repeatedly
# Errors of the file, of the disk and of unsuitable values; TypeError: a column has a value of an unexpected type.
_FAILURES = (files.Error, files.UnusableSchema, OverflowError, UnicodeError, OSError, TypeError)
_DAMAGED_HINT = "Open the page again: it is stored anew."
_NEW_FILE_HINT = "The damaged file was renamed and an empty one was begun; open the pages again to store them."
_HINT = "Free some space, close the program that uses the file, or name another one with WEBTOOL_CACHE_PATH."


class Access:
    """One open cache file."""

    def __init__(self, path: str, connection: Connection, warn: Callable[[str], None]) -> None:
        self.path = path
        self._connection: Connection | None = connection
        self._identity = files.identity(path)
        self._warn = warn
        self._lock = RLock()
        self._warned = False
        self._rests_until = 0.0

    def close(self) -> None:
        """Close the file. Later calls return defaults and store nothing."""
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except files.Error as exc:
                self._complain(exc)

    def _write(self, operation: Callable[[Connection], Value], default: Value, strict: bool) -> Value:
        """Run the operation in a transaction; returns and raises as _do()."""

        def in_transaction(db: Connection) -> Value:
            with Transaction(db):
                return operation(db)

        return self._do(in_transaction, default, strict)

    def _do(self, operation: Callable[[Connection], Value], default: Value, strict: bool) -> Value:
        """Run the operation; return its result, or the default if the file fails. With `strict` raise CacheError."""
        with self._lock:
            if self._connection is None or (time.monotonic() < self._rests_until and not strict):
                if strict:
                    raise CacheError(f"The cache file {self.path} is closed", hint="Start webtool again.")
                return default
            try:
                return self._run(operation)
            except _FAILURES as exc:
                is_new = self._begin_anew(exc)
                if strict and is_new:
                    raise CacheError(f"The cache file {self.path} was damaged: {exc}", hint=_NEW_FILE_HINT) from exc
                if is_new:
                    return default
                if strict:
                    raise CacheError(f"The cache file {self.path} failed: {exc}", hint=_HINT) from exc
                self._complain(exc)
                return default

    def _run(self, operation: Callable[[Connection], Value]) -> Value:
        """Run the operation; if the file seems damaged, once more on a new connection.

        SQLite may call a sound file malformed after one read that failed.
        """
        assert self._connection is not None
        try:
            return operation(self._connection)
        except files.Error as exc:
            if not files.is_corruption(exc):
                raise
            reopened = files.reopen(self.path)
            self._connection.close()
            self._connection = reopened
            return operation(reopened)

    def _rows(self, query: str, values: tuple[object, ...], strict: bool = False) -> list[Any]:
        """Return all rows of a query. (On PyPy, a statement with unread rows prevents a commit.)"""
        no_rows: list[Any] = []
        return self._do(lambda db: db.execute(query, values).fetchall(), no_rows, strict)

    def _row(self, query: str, values: tuple[object, ...], strict: bool = False) -> Any:
        rows = self._rows(query, values, strict)
        return rows[0] if rows else None

    def _report_damaged_row(self, subject: str, strict: bool) -> None:
        """Warn once that a row is not one that webtool wrote; with `strict` raise CacheError."""
        if strict:
            raise CacheError(f"The cache file {self.path} has a damaged entry for {subject}", hint=_DAMAGED_HINT)
        self._complain(ValueError(f"the entry for {subject} is damaged"), "part of the cache is not used")

    def _begin_anew(self, exc: BaseException) -> bool:
        """After corruption, rename the file and open a new one; return False if `exc` is something else or this fails.

        If another process has renamed it already, only the new file is opened.
        """
        if not files.is_corruption(exc) or self._connection is None:
            return False
        self._connection.close()
        self._connection = None
        try:
            if files.identity(self.path) == self._identity:
                self._warn(f"the cache file was damaged ({exc}) and is now {files.set_aside(self.path)}")
            self._connection = files.connect(self.path, self._warn)
            self._identity = files.identity(self.path)
        except (CacheError, OSError) as failure:
            self._complain(failure)
        return self._connection is not None

    def _complain(self, exc: BaseException, consequence: str = "the cache is not used") -> None:
        """Warn, only the first time; after an operational error (such as a lock) let the file rest."""
        if isinstance(exc, files.OperationalError):
            self._rests_until = time.monotonic() + _REST_SECONDS
        if not self._warned:
            self._warned = True
            self._warn(f"{consequence}: {exc}")
