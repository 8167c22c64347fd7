"""Open the cache file. In: its path. Out: a SQLite connection with all tables, or CacheError with the reason.

Creates the folder (0700) and the file (0600). A corrupted file is renamed to NAME.corrupt-TIME, and a new one is begun.
Other processes may do this at the same moment; the loser of the race keeps working on the file it has open.
Tests: tests/cache/test_files.py
"""

from __future__ import annotations

import os
import sys
import time
from _thread import _count as other_threads
from collections.abc import Callable

from webtool.cache import schema
from webtool.errors import CacheError
from webtool.lean.typing import Any, Connection


class _OnlyLruCache:
    """While active, the module functools has only lru_cache (in C), which is all that _sqlite3 imports from it.

    Without the rest of functools and the package collections, `open` takes 5 % fewer instructions. Does nothing if
    functools is loaded already or other threads run.
    """

    def __enter__(self) -> None:
        self._stands_in = (
            "functools" not in sys.modules and not other_threads() and sys.implementation.name == "cpython"
        )
        if self._stands_in:
            from _functools import _lru_cache_wrapper as wrapper  # type: ignore[import-not-found]

            functools: Any = type(sys)("functools")
            functools.lru_cache = lambda size: lambda function: wrapper(function, size, False, tuple)
            sys.modules["functools"] = functools

    def __exit__(self, *_error: object) -> None:
        if self._stands_in:
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
UnusableSchema = schema.UnusableSchema

BUSY_MS = 5000  # milliseconds that one statement waits for other processes before it fails

_PRAGMAS = (
    f"PRAGMA busy_timeout={BUSY_MS}",  # first, as the next ones may have to wait already
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA foreign_keys=ON",
    "PRAGMA journal_size_limit=67108864",
)
_COMPANIONS = ("-wal", "-shm")  # endings of the files that SQLite keeps beside it
# Parts of SQLite's messages for a file that is damaged or not a database.
_CORRUPT_WORDS = ("malformed", "not a database", "disk image", "file is encrypted")


def connect(path: str, warn: Callable[[str], None]) -> Connection:
    """Open the file, creating it if needed. A corrupted one is renamed, which `warn` reports.

    Raises CacheError naming the path and the reason.
    """
    try:
        try:
            return _open_or_retry(path)
        except (sqlite3.DatabaseError, schema.UnusableSchema) as exc:
            if not is_corruption(exc):
                raise
            warn(f"the cache file was unusable ({exc}) and is now {set_aside(path)}; a new one was begun")
            return reopen(path)
    except (OSError, ValueError, sqlite3.Error, schema.UnusableSchema) as exc:
        reason = getattr(exc, "strerror", None) or exc
        raise CacheError(f"The cache file {path} cannot be used: {reason}", hint=_HINT) from exc


_HINT = (
    "Free some space or make the folder writable, name another file with WEBTOOL_CACHE_PATH, or set WEBTOOL_CACHE=off."
)


def is_corruption(exc: BaseException) -> bool:
    """Return whether the error means a damaged or foreign file, not one that is locked, full or forbidden."""
    if isinstance(exc, schema.UnusableSchema):
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
    # One connection serves all threads of a process; the lock in access.py lets one at a time use it.
    connection = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
    connection.text_factory = _text
    try:
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _text(data: bytes) -> str | bytes:
    """Decode a TEXT value. One that is not UTF-8 stays bytes, so that rows.py recognises the damage."""
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
            if schema.version_of(connection) == 0:
                connection.execute("PRAGMA auto_vacuum=INCREMENTAL")  # has an effect before the first table only
            for pragma in _PRAGMAS:
                connection.execute(pragma).fetchall()
            return schema.prepare(connection)
        except sqlite3.OperationalError as exc:
            if "locked" not in str(exc) or time.monotonic() > give_up:
                raise
            time.sleep(0.02)
