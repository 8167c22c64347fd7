"""What a tool is given and what it gives back: Context and Result; open_context() builds the real client and cache.

Client and cache are opened on first use, so a tool that needs neither costs neither.
"""

from __future__ import annotations

import os
import sys
import time
from _thread import RLock  # threading costs 3 ms more and is not needed for a lock

from webtool import settings as settings_module
from webtool.lean.records import NamedTuple
from webtool.output import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from webtool.browser.session import Browser
    from webtool.cache.store import Cache
    from webtool.errors import CacheError
    from webtool.net.client import Client
    from webtool.robots.gate import RobotsGate
    from webtool.running.workers import Workers
    from webtool.settings import Settings


class Result(NamedTuple):
    """What a tool found: `text` for a reader, `data` the same as JSON."""

    text: str
    data: dict[str, object]


def add_notes(data: dict[str, object], notes: Iterable[str]) -> None:
    """Put notes into an answer's data, behind those that it has."""
    said = [str(data["note"])] if "note" in data else []
    if said := [*said, *notes]:
        data["note"] = "; ".join(said)


class LocalFile(NamedTuple):
    """A file on this machine that a tool reads in the place of its URL or HTML."""

    name: str
    """As it was given; "-" for standard input."""
    body: bytes


def _warn(message: str) -> None:
    """One short line for the user; stdout is for results only."""
    sys.stderr.write(f"webtool: {printable(message)}\n")


class Context:
    """One call's surroundings. `deadline` is a reading of the monotonic clock; `now` the wall clock in Unix seconds.

    Client, cache, robots and browser are those of the context from which this one was derived; thread-safe.
    """

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
        progress: Callable[[int, int, str], None] = lambda _done, _total, _message: None,
        is_cancelled: Callable[[], bool] = lambda: False,
        workers: Workers | None = None,
    ) -> None:
        self.settings = settings
        self.environ = os.environ if environ is None else environ
        self.now = now
        self.deadline = time.monotonic() + settings.deadline if deadline is None else deadline
        self.warn = warn
        self.progress = progress
        self.is_cancelled = is_cancelled
        self.workers = workers
        """Processes that compute, which a server and a batch have; None where this process does it all."""
        self.report: dict[str, object] = {}
        """What a log line tells of the call beside its result: cache_hit, status, provider."""
        self.local: LocalFile | None = None
        self.headers: tuple[tuple[str, str], ...] = ()
        """Header fields of the caller's for the page's own origin; what they bring is not kept."""
        self.is_person = False
        """The addresses are the words of a person at a command line, not of a model."""
        self._first = self
        self._lock = RLock()
        self._client = client
        self._cache = cache
        self._no_cache: CacheError | None = None
        self._robots: RobotsGate | None = None
        self._browser: Browser | None = None

    @property
    def client(self) -> Client:
        """The guarded HTTP client."""
        first = self._first
        with first._lock:
            if first._client is None:
                from webtool.net.client import Client

                client = Client(first.settings, first.environ)
                if first.settings.warc:
                    from webtool.bulk.warc.recorder import Recorder

                    client.recorder = Recorder(first.settings.warc, respects_robots=first.settings.respect_robots)
                first._client = client
            return first._client

    @property
    def cache(self) -> Cache | None:
        """The cache, or None where it is off or cannot be opened (one warning tells)."""
        first = self._first
        with first._lock:
            if first._cache is None and first._no_cache is None:
                first._no_cache = first._open_cache()
            return first._cache

    def _open_cache(self) -> CacheError | None:
        """Open the cache; why there is none."""
        from webtool.errors import CacheError

        if not self.settings.cache:
            return CacheError("There is no cache: it is off", hint="Set WEBTOOL_CACHE=on.")
        path = settings_module.cache_path(self.settings, self.environ)
        if not path:  # not a fault to tell of with every call; doctor and cache tools do
            return CacheError(
                "There is no cache: no home folder is known", hint="Name a file for it with WEBTOOL_CACHE_PATH."
            )
        from webtool.cache.store import open_cache

        try:
            self._cache = open_cache(path, self.settings, lambda text: self.warn(text), self.now)
        except CacheError as error:
            self.warn(f"no cache: {error.message}")
            return error
        return None

    def require_cache(self) -> Cache:
        """The cache. Raises CacheError that says why there is none."""
        cache, why = self.cache, self._first._no_cache
        if why is not None:
            raise why.with_traceback(None)
        assert cache is not None
        return cache

    @property
    def robots(self) -> RobotsGate:
        """What robots.txt says, remembered for the process where there is no cache."""
        first = self._first
        with first._lock:
            if first._robots is None:
                from webtool.robots.gate import RobotsGate

                first._robots = RobotsGate(first.client, first.settings, first.cache)
            return first._robots

    @property
    def browser(self) -> Browser:
        """The browser of rendered mode; not started before its first page."""
        first = self._first
        with first._lock:
            if first._browser is None:
                from webtool.browser.session import Browser

                first._browser = Browser(first.settings, first.environ)
            return first._browser

    def compute(
        self, target: str, *arguments: object, answer: Callable[[object], object] | None = None, memory: int = 0
    ) -> object:
        """What a pure function, named "module:function", returns: for all that takes long on a hostile text.

        In a worker, if there are any, it ends by the deadline, when the call is cancelled, and past `memory` bytes.
        `answer` is handed to the function as its last argument, wherever it runs. Raises WebtoolError.
        """
        if self.workers is None:
            from webtool.running.interrupting import resolve

            return resolve(target)(*arguments, *((answer,) if answer else ()))
        bounds: dict[str, Any] = {"deadline": self.deadline, "is_cancelled": self.is_cancelled}
        if memory:
            bounds["memory"] = memory
        return self.workers.call(target, *arguments, answer=answer, **bounds)

    def derive(self, **changes: object) -> Context:
        """A context for one call among many: client, cache and browser are shared; deadline, progress and
        cancellation may be its own."""
        derived = object.__new__(Context)
        current: Settings = changes.get("settings", self.settings)  # type: ignore[assignment]
        ends_at = time.monotonic() + current.deadline
        derived.__dict__.update({**self.__dict__, "report": {}, "local": None, "deadline": ends_at, **changes})
        return derived

    def close(self) -> None:
        """Close what was opened, for this context and all derived from it."""
        first = self._first
        for opened in (self.workers, first._browser, first._client, first._cache):
            if opened is not None:
                opened.close()


def open_context(environ: Mapping[str, str], settings: Settings | None = None) -> Context:
    """The context of this process. Raises InvalidArgument for a setting that cannot be used."""
    return Context(settings_module.from_environ(environ) if settings is None else settings, environ=environ)
