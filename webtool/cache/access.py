"""How every call of the cache reaches its file. In: an operation on a connection. Out: its result, or a default.

A file that fails is reported once through `warn` and then left alone for a while; a damaged one is set aside and begun
anew; with `strict` the failure is a CacheError instead. Any thread may call, one at a time gets through.
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

    Found = TypeVar("Found")

_REST = 30.0  # seconds for which a file that failed is left alone, so that a lock is not waited for again and again
# What a file, a disk or a value that does not fit can do; TypeError: a column holds what it should not (rows.py).
_FAILURES = (files.Error, files.UnusableSchema, OverflowError, UnicodeError, OSError, TypeError)
_DAMAGED_HINT = "Open the page again: it is stored anew."
_NEW_FILE_HINT = "The damaged file was renamed and an empty one was begun; open the pages again to store them."
_HINT = "Free some space or close what holds the file, or name another one with WEBTOOL_CACHE_PATH."


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
        """Close the file. Calls after this find nothing and keep nothing."""
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except files.Error as exc:
                self._complain(exc)

    def _write(self, operation: Callable[[Connection], Found], default: Found, strict: bool) -> Found:
        def work(db: Connection) -> Found:
            with Transaction(db):
                return operation(db)

        return self._do(work, default, strict)

    def _do(self, operation: Callable[[Connection], Found], default: Found, strict: bool) -> Found:
        with self._lock:
            if self._connection is None or (time.monotonic() < self._rests_until and not strict):
                if strict:
                    raise CacheError(f"The cache file {self.path} is closed", hint="Start webtool again.")
                return default
            try:
                return self._tried(operation)
            except _FAILURES as exc:
                is_new = self._began_anew(exc)
                if strict and is_new:
                    raise CacheError(f"The cache file {self.path} was damaged: {exc}", hint=_NEW_FILE_HINT) from exc
                if is_new:
                    return default
                if strict:
                    raise CacheError(f"The cache file {self.path} failed: {exc}", hint=_HINT) from exc
                self._complain(exc)
                return default

    def _tried(self, operation: Callable[[Connection], Found]) -> Found:
        """The operation; once more on a new connection where the file seems damaged, as one failed read may do that."""
        assert self._connection is not None
        try:
            return operation(self._connection)
        except files.Error as exc:
            if not files.is_corruption(exc):
                raise
            again = files.reopen(self.path)
            self._connection.close()
            self._connection = again
            return operation(again)

    def _rows(self, query: str, values: tuple[object, ...], strict: bool = False) -> list[Any]:
        """The rows of a query. All are fetched: a statement with rows left keeps PyPy from committing."""
        nothing: list[Any] = []
        return self._do(lambda db: db.execute(query, values).fetchall(), nothing, strict)

    def _row(self, query: str, values: tuple[object, ...], strict: bool = False) -> Any:
        """The first row of a query, or None."""
        found = self._rows(query, values, strict)
        return found[0] if found else None

    def _tell_of_damage(self, what: str, strict: bool) -> None:
        """A row is not what webtool writes."""
        if strict:
            raise CacheError(f"What the cache file {self.path} holds of {what} is damaged", hint=_DAMAGED_HINT)
        self._complain(ValueError(f"what it holds of {what} is damaged"), "part of the cache is not used")

    def _began_anew(self, exc: BaseException) -> bool:
        """After corruption: set the file aside, unless another process did so already, and go on with a new one."""
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

    def _complain(self, exc: BaseException, what: str = "the cache is not used") -> None:
        if isinstance(exc, files.OperationalError):
            self._rests_until = time.monotonic() + _REST
        if not self._warned:
            self._warned = True
            self._warn(f"{what}: {exc}")
