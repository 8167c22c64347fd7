"""Keep idle connections for reuse, and limit how many are open to one origin at a time. Thread-safe.

take() gives an idle connection or the permission to open one, and waits while the origin has too many. Each take() is
followed by one give(), which returns the connection or reports it closed. Both are counted per key, so that a waiting
thread is woken by each give(). A connection is idle for at most 20 seconds, as servers close idle ones.
Tests: tests/net/test_client.py
"""

from __future__ import annotations

import _thread
import time

from webtool.lean.typing import Any, Protocol
from webtool.net.dial import Watch, is_readable


class Socket(Protocol):
    """The methods that plain, encrypted and tunnelled connections share."""

    def recv(self, size: int) -> bytes: ...
    def send(self, data: bytes) -> int: ...
    def settimeout(self, seconds: float | None) -> None: ...
    def fileno(self) -> int: ...
    def close(self) -> None: ...


Key = tuple[Any, ...]  # scheme, host, port, proxy

MAX_PER_ORIGIN = 6  # open connections, as in browsers; more requests to the origin wait. Client.widen() raises it.
MAX_IDLE = 64  # idle connections to all origins; when full, a connection is closed after use
MAX_IDLE_SECONDS = 20.0  # an older idle connection is closed instead of reused


class Pool:
    """Connections by key."""

    def __init__(self) -> None:
        self.per_origin = MAX_PER_ORIGIN
        self._lock = _thread.allocate_lock()
        self._idle: dict[Key, list[tuple[Socket, float]]] = {}
        self._open: dict[Key, int] = {}
        self._waiters: dict[Key, list[Any]] = {}
        self._is_closed = False

    def take(self, key: Key, watch: Watch) -> Socket | None:
        """Return an idle connection, or None: the caller may open one. Waits while the origin is at its limit."""
        while True:
            with self._lock:
                connection = self._pop(key)
                if connection is not None or self._open.get(key, 0) < self.per_origin:
                    self._open[key] = self._open.get(key, 0) + 1
                    return connection
                waiter = _thread.allocate_lock()
                waiter.acquire()
                self._waiters.setdefault(key, []).append(waiter)
            try:
                watch.acquire(waiter, "other requests to the same host were not done")
            except BaseException:
                self._forget(key, waiter)
                raise

    def give(self, key: Key, connection: Socket | None) -> None:
        """End one use: keep the connection for later; None means that it was closed or never opened."""
        with self._lock:
            count = self._open.get(key, 0) - 1
            if count > 0:
                self._open[key] = count
            else:
                self._open.pop(key, None)
            has_room = not self._is_closed and sum(map(len, self._idle.values())) < MAX_IDLE
            if connection is not None and has_room:
                self._idle.setdefault(key, []).append((connection, time.monotonic()))
                connection = None
            self._wake(key)
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """Close every idle connection; those in use are closed when they are given back."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, {}
        for connections in idle.values():
            for connection, _ in connections:
                connection.close()

    def _pop(self, key: Key) -> Socket | None:
        """Return the newest usable idle connection, or None. One with bytes to read was closed or is confused."""
        connections = self._idle.get(key, [])
        while connections:
            connection, since = connections.pop()
            if time.monotonic() - since < MAX_IDLE_SECONDS and not is_readable(connection.fileno()):
                return connection
            connection.close()
        self._idle.pop(key, None)
        return None

    def _wake(self, key: Key) -> None:
        """Wake the thread that has waited longest for this key. Call with the lock held."""
        waiters = self._waiters.get(key)
        if waiters:
            waiters.pop(0).release()
        if not waiters:
            self._waiters.pop(key, None)

    def _forget(self, key: Key, waiter: Any) -> None:
        """Remove a thread that gave up waiting; if it was woken already, wake the next one instead."""
        with self._lock:
            waiters = self._waiters.get(key, [])
            if waiter in waiters:
                waiters.remove(waiter)
            else:
                self._wake(key)
