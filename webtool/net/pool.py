"""Idle connections, kept for reuse, and how many may be open to one origin at a time. Thread-safe; holds no request."""

from __future__ import annotations

import _thread
import time

from webtool.lean.typing import Any, Protocol
from webtool.net.dial import is_readable
from webtool.net.watch import Watch


class Socket(Protocol):
    """What a plain, an encrypted and a tunnelled connection have in common."""

    def recv(self, size: int) -> bytes: ...
    def send(self, data: bytes) -> int: ...
    def settimeout(self, seconds: float | None) -> None: ...
    def fileno(self) -> int: ...
    def close(self) -> None: ...


Key = tuple[Any, ...]

MAX_PER_ORIGIN = 6  # open connections, as browsers do; a caller that wants more pages of a host at a time says so
MAX_IDLE = 64  # over all origins
MAX_IDLE_SECONDS = 20.0


class Pool:
    """Connections by key (scheme, host, port, proxy)."""

    def __init__(self) -> None:
        self.per_origin = MAX_PER_ORIGIN
        self._lock = _thread.allocate_lock()
        self._idle: dict[Key, list[tuple[Socket, float]]] = {}
        self._open: dict[Key, int] = {}
        self._waiters: dict[Key, list[Any]] = {}
        self._is_closed = False

    def take(self, key: Key, watch: Watch) -> Socket | None:
        """An idle connection, or None for leave to open one. Waits while the origin has as many as it may."""
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
        """End one use: keep the connection for later, or (None) say that it is gone."""
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
        """Close every idle connection; those in use are closed as they are given back."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, {}
        for connections in idle.values():
            for connection, _ in connections:
                connection.close()

    def _pop(self, key: Key) -> Socket | None:
        """The newest idle connection that is still good: one that was closed, or spoke unasked, is readable."""
        connections = self._idle.get(key, [])
        while connections:
            connection, since = connections.pop()
            if time.monotonic() - since < MAX_IDLE_SECONDS and not is_readable(connection.fileno()):
                return connection
            connection.close()
        self._idle.pop(key, None)
        return None

    def _wake(self, key: Key) -> None:
        waiters = self._waiters.get(key)
        if waiters:
            waiters.pop(0).release()
        if not waiters:
            self._waiters.pop(key, None)

    def _forget(self, key: Key, waiter: Any) -> None:
        with self._lock:
            waiters = self._waiters.get(key, [])
            if waiter in waiters:
                waiters.remove(waiter)
            else:
                self._wake(key)  # it was our turn already: pass it on
