"""Open the cache file, run operations on it and survive its failures.

connect() gives a SQLite connection with all tables, or CacheError with the reason. It creates the folder (0700) and the
file (0600). A corrupted file is renamed to NAME.corrupt-TIME, and a new one is begun. If two processes do this at the
same moment, one of them keeps working on the file that the other has renamed.

Access runs an operation on the connection. If the file fails (locked, full, forbidden), the caller gets a default
instead, `warn` is called once, and the file is not used for 30 seconds. With `strict` (the cache tools) each failure
raises a CacheError instead of returning the default. Thread-safe: operations run one at a time.
Tests: tests/cache/test_files.py
"""

from __future__ import annotations

import os
import sys
import time
from _thread import RLock  # threading costs 3 ms more and is not needed for a lock
from _thread import _count as other_threads
from collections.abc import Callable

from webtool.cache import tables
from webtool.cache.tables import Transaction, UnusableSchema
from webtool.errors import CacheError
from webtool.lean.typing import Any, Connection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Value = TypeVar("Value")


class _OnlyLruCache:
    """While active, the module functools has only lru_cache (in C), which is all that _sqlite3 imports from it.

    Without the rest of functools and the package collections, `open` takes 5 % fewer instructions. Does nothing if
    functools is loaded already or other threads run.
    """

    def __enter__(self) -> None:
        self._is_replaced = (
            "functools" not in sys.modules and not other_threads() and sys.implementation.name == "cpython"
        )
        if self._is_replaced:
            from _functools import _lru_cache_wrapper as wrapper  # type: ignore[import-not-found]

            functools: Any = type(sys)("functools")
            functools.lru_cache = lambda size: lambda function: wrapper(function, size, False, tuple)
            sys.modules["functools"] = functools

    def __exit__(self, *_error: object) -> None:
        if self._is_replaced:
            del sys.modules["functools"]


try:  # the package sqlite3 would add datetime adapters that are not used here, for 4-6 ms
    with _OnlyLruCache():
        import _sqlite3 as sqlite3
except ImportError:
    try:
        import sqlite3  # type: ignore[no-redef]
    except ImportError:
        from types import SimpleNamespace

        class _Missing(Exception):
            """Raised by every call on a Python without sqlite3."""

        def _refuse(*_values: object, **_named: object) -> None:
            raise _Missing("this Python was built without sqlite3")

        errors = dict.fromkeys(("Error", "DatabaseError", "OperationalError"), _Missing)
        sqlite3 = SimpleNamespace(connect=_refuse, **errors)  # type: ignore[assignment]

Error = sqlite3.Error
OperationalError = sqlite3.OperationalError

BUSY_MS = 5000  # milliseconds that one statement waits for other processes before it fails

_PRAGMAS = (
    f"PRAGMA busy_timeout={BUSY_MS}",  # first, as the next ones may have to wait already
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA foreign_keys=ON",
    "PRAGMA journal_size_limit=67108864",
)
_COMPANIONS = ("-wal", "-shm")  # endings of the names of files that SQLite keeps beside the cache file
# Parts of SQLite's messages for a file that is damaged or not a database.
_CORRUPT_WORDS = ("malformed", "not a database", "disk image", "file is encrypted")


def connect(path: str, warn: Callable[[str], None]) -> Connection:
    """Open the file, creating it if needed. A corrupted one is renamed, which `warn` reports.

    Raises CacheError naming the path and the reason.
    """
    try:
        try:
            return _open_or_retry(path)
        except (sqlite3.DatabaseError, UnusableSchema) as exc:
            if not is_corruption(exc):
                raise
            warn(f"the cache file was unusable ({exc}) and is now {set_aside(path)}; a new one was begun")
            return reopen(path)
    except (OSError, ValueError, sqlite3.Error, UnusableSchema) as exc:
        reason = getattr(exc, "strerror", None) or exc
        raise CacheError(f"The cache file {path} cannot be used: {reason}", hint=_HINT) from exc


_HINT = (
    "Free some space or make the folder writable, name another file with WEBTOOL_CACHE_PATH, or set WEBTOOL_CACHE=off."
)


def is_corruption(exc: BaseException) -> bool:
    """Return whether the error means a damaged or foreign file, not one that is locked, full or forbidden."""
    if isinstance(exc, UnusableSchema):
        return True
    return isinstance(exc, sqlite3.DatabaseError) and any(word in str(exc).lower() for word in _CORRUPT_WORDS)


def identity(path: str) -> tuple[int, int] | None:
    """Return device and inode, which differ if another file took the name; None without a file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def set_aside(path: str) -> str:
    """Rename the file and its log to a name with the current time; return the new name. Raises OSError."""
    base = f"{path}.corrupt-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}"
    target, number = base, 1
    while os.path.exists(target):
        number += 1
        target = f"{base}-{number}"
    os.rename(path, target)
    # The log of the old file must not be replayed into the new one.
    for suffix in _COMPANIONS:
        if os.path.exists(path + suffix):
            os.replace(path + suffix, target + suffix)
    return target


def _open_or_retry(path: str) -> Connection:
    """Open the file, a second time if it seems corrupt: SQLite calls a sound file corrupt after one failed read."""
    try:
        return reopen(path)
    except sqlite3.DatabaseError as exc:
        if not is_corruption(exc):
            raise
        return reopen(path)


def reopen(path: str) -> Connection:
    """Open the file, creating it if needed. Raises OSError, Error or UnusableSchema."""
    if not os.path.exists(path):  # create folder and file with these permissions before SQLite does with others
        os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    # One connection serves all threads of a process; the lock of Access lets one at a time use it.
    connection = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
    connection.text_factory = _text
    try:
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _text(data: bytes) -> str | bytes:
    """Decode a TEXT value. One that is not UTF-8 stays bytes, so that tables.py recognises the damage."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def _prepare(connection: Connection) -> None:
    """Set the pragmas and create the tables.

    Switching a new file to WAL mode does not wait for other processes as statements do, so it is repeated here.
    """
    give_up = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            if tables.version_of(connection) == 0:
                connection.execute("PRAGMA auto_vacuum=INCREMENTAL")  # has an effect before the first table only
            for pragma in _PRAGMAS:
                connection.execute(pragma).fetchall()
            return tables.prepare(connection)
        except sqlite3.OperationalError as exc:
            if "locked" not in str(exc) or time.monotonic() > give_up:
                raise
            time.sleep(0.02)


_REST_SECONDS = 30.0  # after a failure the file is not used for this long, so that a lock is not waited for repeatedly
# Errors of the file, of the disk and of unsuitable values; TypeError: a column has a value of an unexpected type.
_FAILURES = (Error, UnusableSchema, OverflowError, UnicodeError, OSError, TypeError)
_DAMAGED_HINT = "Open the page again: it is stored anew."
_NEW_FILE_HINT = "The damaged file was renamed and an empty one was begun; open the pages again to store them."
_FAILED_HINT = "Free some space, close the program that uses the file, or name another one with WEBTOOL_CACHE_PATH."


class Access:
    """One open cache file."""

    def __init__(self, path: str, connection: Connection, warn: Callable[[str], None]) -> None:
        self.path = path
        self._connection: Connection | None = connection
        self._identity = identity(path)
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
            except Error as exc:
                self._complain(exc)

    def _write(self, operation: Callable[[Connection], Value], default: Value, strict: bool) -> Value:
        """Run the operation in a transaction, as _do() runs one."""

        def in_transaction(db: Connection) -> Value:
            with Transaction(db):
                return operation(db)

        return self._do(in_transaction, default, strict)

    def _do(self, operation: Callable[[Connection], Value], default: Value, strict: bool) -> Value:
        """Run the operation; return its result, or the default if the file fails. With `strict` raise CacheError."""
        with self._lock:
            if self._connection is None and strict:
                raise CacheError(f"The cache file {self.path} is closed", hint="Start webtool again.")
            if self._connection is None or (time.monotonic() < self._rests_until and not strict):
                return default
            try:
                return self._run(operation)
            except _FAILURES as exc:
                is_new = self._begin_anew(exc)
                if strict:
                    problem, hint = ("was damaged", _NEW_FILE_HINT) if is_new else ("failed", _FAILED_HINT)
                    raise CacheError(f"The cache file {self.path} {problem}: {exc}", hint=hint) from exc
                if not is_new:
                    self._complain(exc)
                return default

    def _run(self, operation: Callable[[Connection], Value]) -> Value:
        """Run the operation; if the file seems damaged, once more on a new connection.

        SQLite may call a sound file malformed after one read that failed.
        """
        assert self._connection is not None
        try:
            return operation(self._connection)
        except Error as exc:
            if not is_corruption(exc):
                raise
            reopened = reopen(self.path)
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
        """If `exc` means corruption, rename the file and open a new one; return whether that was done.

        If another process has renamed it already, only the new file is opened.
        """
        if not is_corruption(exc) or self._connection is None:
            return False
        self._connection.close()
        self._connection = None
        try:
            if identity(self.path) == self._identity:
                self._warn(f"the cache file was damaged ({exc}) and is now {set_aside(self.path)}")
            self._connection = connect(self.path, self._warn)
            self._identity = identity(self.path)
        except (CacheError, OSError) as failure:
            self._complain(failure)
        return self._connection is not None

    def _complain(self, exc: BaseException, consequence: str = "the cache is not used") -> None:
        """Warn, only the first time; after an operational error (such as a lock) let the file rest."""
        if isinstance(exc, OperationalError):
            self._rests_until = time.monotonic() + _REST_SECONDS
        if not self._warned:
            self._warned = True
            self._warn(f"{consequence}: {exc}")
