"""The cache file on disk. In: its path. Out: a SQLite connection, ready; or CacheError saying why there is none.

Creates the folder (0700) and the file (0600), sets a corrupted file aside and begins anew. Other processes may do the
same at the same moment: the loser of a race keeps working on what it has open.
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
    """While it lasts, functools has only what _sqlite3 asks of it, which is in C too: without the rest, and the package
    collections behind that, an open takes 5 % fewer instructions."""

    def __enter__(self) -> None:
        self._stands_in = (
            "functools" not in sys.modules and not other_threads() and sys.implementation.name == "cpython"
        )
        if self._stands_in:
            from _functools import _lru_cache_wrapper as wrapper  # type: ignore[import-not-found]

            functools: Any = type(sys)("functools")
            functools.lru_cache = lambda size: lambda made: wrapper(made, size, False, tuple)
            sys.modules["functools"] = functools

    def __exit__(self, *_error: object) -> None:
        if self._stands_in:
            del sys.modules["functools"]


try:  # the package adds datetime adapters that nobody here uses, for 4-6 ms
    with _OnlyLruCache():
        import _sqlite3 as sqlite3
except ImportError:
    try:
        import sqlite3  # type: ignore[no-redef]
    except ImportError:
        from types import SimpleNamespace

        class _Missing(Exception):
            """What a Python without the module raises: no database opens."""

        def _refuse(*_values: object, **_named: object) -> None:
            raise _Missing("this Python was built without sqlite3")

        errors = dict.fromkeys(("Error", "DatabaseError", "OperationalError"), _Missing)
        sqlite3 = SimpleNamespace(connect=_refuse, **errors)  # type: ignore[assignment]

Error = sqlite3.Error
OperationalError = sqlite3.OperationalError
UnusableSchema = schema.UnusableSchema

BUSY_MS = 5000
"""How long one statement waits for other processes, in milliseconds."""

_PRAGMAS = (
    f"PRAGMA busy_timeout={BUSY_MS}",  # first: the others may have to wait already
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA foreign_keys=ON",
    "PRAGMA journal_size_limit=67108864",
)
_COMPANIONS = ("-wal", "-shm")
_CORRUPT_WORDS = ("malformed", "not a database", "disk image", "file is encrypted")


def connect(path: str, warn: Callable[[str], None]) -> Connection:
    """Open the file, new if need be. A corrupted one is renamed with a suffix, which `warn` reports.

    Raises CacheError naming the path and the reason.
    """
    try:
        try:
            return _open_at_last(path)
        except (sqlite3.DatabaseError, schema.UnusableSchema) as exc:
            if not is_corruption(exc):
                raise
            warn(f"the cache file was unusable ({exc}) and is now {set_aside(path)}; a new one was begun")
            return reopen(path)
    except (OSError, ValueError, sqlite3.Error, schema.UnusableSchema) as exc:
        reason = getattr(exc, "strerror", None) or exc
        raise CacheError(f"The cache file {path} cannot be used: {reason}", hint=_HINT) from exc


_HINT = "Make room or the folder writable, name another file with WEBTOOL_CACHE_PATH, or set WEBTOOL_CACHE=off."


def is_corruption(exc: BaseException) -> bool:
    """Whether the file itself is damaged or foreign, in contrast to locked, full or forbidden."""
    if isinstance(exc, schema.UnusableSchema):
        return True
    return isinstance(exc, sqlite3.DatabaseError) and any(word in str(exc).lower() for word in _CORRUPT_WORDS)


def identity(path: str) -> tuple[int, int] | None:
    """What tells this file from another one of the same name."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def set_aside(path: str) -> str:
    """Rename the file, with its log, to a name that says when; the new name. Raises OSError."""
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


def _open_at_last(path: str) -> Connection:
    """Open it, once more if need be: after one read that failed SQLite may call a sound file malformed."""
    try:
        return reopen(path)
    except sqlite3.DatabaseError as exc:
        if not is_corruption(exc):
            raise
        return reopen(path)


def reopen(path: str) -> Connection:
    """Open the file, new if need be. Raises OSError, Error or UnusableSchema."""
    if not os.path.exists(path):  # folder and file with their permissions, before SQLite makes them with others
        os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    # One connection serves all threads of a process; the store's lock puts them in line.
    connection = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
    connection.text_factory = _text
    try:
        _settle(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _text(data: bytes) -> str | bytes:
    """A value of type TEXT; where it is not UTF-8, its bytes, which no column of ours may hold."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def _settle(connection: Connection) -> None:
    """Pragmas and tables. Turning a new file to WAL does not wait for others as statements do, so it is tried again."""
    give_up = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            if schema.version_of(connection) == 0:
                connection.execute("PRAGMA auto_vacuum=INCREMENTAL")  # counts only before the first table
            for pragma in _PRAGMAS:
                connection.execute(pragma).fetchall()
            return schema.prepare(connection)
        except sqlite3.OperationalError as exc:
            if "locked" not in str(exc) or time.monotonic() > give_up:
                raise
            time.sleep(0.02)
