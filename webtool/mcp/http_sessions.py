"""The sessions of clients that begin with `initialize`. In: names that clients send back. Out: their sessions.

Newer clients send stateless requests, which have no session here. A session ends after SESSION_SECONDS without a
request, or for a further one if there are MAX_SESSIONS; one that still runs calls ("busy") does not end.
Specification: MCP, Streamable HTTP (session management).
Tests: tests/mcp/test_http_server.py
"""

from __future__ import annotations

import os
import time
from collections import OrderedDict

from webtool.mcp.http_access import SESSION_HEADER
from webtool.mcp.http_request import HttpError
from webtool.mcp.loop import Session

MAX_SESSIONS = 4096  # the one that was idle longest ends for a further one
SESSION_SECONDS = 3600.0  # for the next request of a session


class Sessions:
    """The open sessions of one server, by name."""

    def __init__(self) -> None:
        # Name -> session and the time of its last request, the longest idle one first.
        self._sessions: OrderedDict[str, tuple[Session, float]] = OrderedDict()

    def all(self) -> list[Session]:
        """Return all open sessions."""
        return [session for session, _ in self._sessions.values()]

    def named(self, key: str | None) -> Session:
        """Return the session that a request names. Raises HttpError."""
        if key is None:
            raise HttpError(400, f"Bad request: {SESSION_HEADER} is missing; initialize begins a session")
        self._forget_idle()
        if key not in self._sessions:
            ended = f"No such session: it ended, or was idle for {SESSION_SECONDS:g} s; initialize again"
            raise HttpError(404, ended)
        session, _ = self._sessions[key]
        self._touch(key, session)
        return session

    def add(self, session: Session) -> str:
        """Add a session, and return its name. Raises HttpError if there are too many and all are busy."""
        self._forget_idle()
        while len(self._sessions) >= MAX_SESSIONS:
            idle = next((key for key, (other, _) in self._sessions.items() if not other.is_busy), "")
            if not idle:
                raise HttpError(503, f"At most {MAX_SESSIONS} sessions may be open")
            del self._sessions[idle]
        key = os.urandom(16).hex()
        self._touch(key, session)
        return key

    def end(self, key: str | None) -> None:
        """Cancel the calls of a session, and forget it. Raises HttpError."""
        self.named(key).cancel_all()
        del self._sessions[key or ""]

    def _touch(self, key: str, session: Session) -> None:
        """Note that a session is used now."""
        self._sessions[key] = session, time.monotonic()
        self._sessions.move_to_end(key)

    def _forget_idle(self) -> None:
        """Forget the sessions that were idle for too long."""
        now = time.monotonic()
        while self._sessions:
            key, (session, used_at) = next(iter(self._sessions.items()))
            if now - used_at < SESSION_SECONDS:
                return
            if session.is_busy:
                self._touch(key, session)
            else:
                del self._sessions[key]
