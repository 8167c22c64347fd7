"""What a tool is given and what it gives back: Context and Result; open_context() builds the real client and cache.

Client and cache are opened on first use, so a tool that needs neither costs neither.
"""

from __future__ import annotations

import os
import sys
import time

from webtool import settings as settings_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import NamedTuple

    from webtool.cache.store import Cache
    from webtool.net.client import Client
    from webtool.settings import Settings
else:
    from webtool.records import NamedTuple


class Result(NamedTuple):
    """What a tool found: `text` for a reader, `data` the same as JSON."""

    text: str
    data: dict[str, object]


def _no_progress(done: int, total: int, message: str) -> None:
    """Nobody watches this call."""


def _warn(message: str) -> None:
    """One short line for the user; stdout is for results only."""
    sys.stderr.write(f"webtool: {message}\n")


class Context:
    """One call's surroundings. `deadline` is a reading of the monotonic clock; `now` the wall clock in Unix seconds."""

    def __init__(
        self,
        settings: Settings,
        client: Client | None = None,
        cache: Cache | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        now: Callable[[], float] = time.time,
        deadline: float | None = None,
        warn: Callable[[str], None] = _warn,
        progress: Callable[[int, int, str], None] = _no_progress,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        self.settings = settings
        self.environ = os.environ if environ is None else environ
        self.now = now
        self.deadline = time.monotonic() + settings.deadline if deadline is None else deadline
        self.warn = warn
        self.progress = progress
        self.is_cancelled = is_cancelled
        self.report: dict[str, object] = {}
        """What a log line tells of the call beside its result: cache_hit, status, provider."""
        self._client = client
        self._cache = cache
        self._cache_is_open = cache is not None or not settings.cache

    @property
    def client(self) -> Client:
        """The guarded HTTP client."""
        if self._client is None:
            from webtool.net.client import Client

            self._client = Client(self.settings, self.environ)
        return self._client

    @property
    def cache(self) -> Cache | None:
        """The cache, or None where it is off or cannot be opened (one warning tells)."""
        if not self._cache_is_open:
            from webtool.cache.store import open_cache

            self._cache_is_open = True
            self._cache = open_cache(settings_module.cache_path(self.settings, self.environ), self.settings, self.warn)
        return self._cache

    def derive(self, **changes: object) -> Context:
        """A context for one call among many: same client and cache, its own deadline, progress and cancellation."""
        arguments: dict[str, object] = {
            "settings": self.settings,
            "client": self.client,
            "cache": self.cache,
            "environ": self.environ,
            "now": self.now,
            "warn": self.warn,
            "progress": self.progress,
            "is_cancelled": self.is_cancelled,
        }
        arguments.update(changes)
        return Context(**arguments)  # type: ignore[arg-type]

    def close(self) -> None:
        """Close what was opened."""
        if self._client is not None:
            self._client.close()
        if self._cache is not None:
            self._cache.close()


def open_context(environ: Mapping[str, str], settings: Settings | None = None) -> Context:
    """The context of this process. Raises InvalidArgument for a setting that cannot be used."""
    return Context(settings_module.from_environ(environ) if settings is None else settings, environ=environ)
