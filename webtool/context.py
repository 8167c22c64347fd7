"""The surroundings of one tool call (Context) and its answer (Result); open_context() builds the real ones.

A tool is `run(ctx, **arguments) -> Result`. Client, cache, robots.txt and browser are opened on first use, so that a
tool pays only for what it needs. derive() makes a context for one call among many: it shares what is open with the
first context (`_first`) and has its own deadline and report.
Tests: tests/cache/test_files.py
"""

from __future__ import annotations

import os
import time
from _thread import RLock  # threading costs 3 ms more and is not needed for a lock

from webtool import settings as settings_module
from webtool.lean.records import NamedTuple
from webtool.output import write_error

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
    """A tool's answer: `text` for a reader, and the same facts in `data` as JSON."""

    text: str
    data: dict[str, object]
    about: str = ""
    """Webtool's own words in place of a text or before it: a verdict, "no line matches", failures of a batch."""


def add_notes(data: dict[str, object], notes: Iterable[str]) -> None:
    """Append notes to the field `note` of an answer's data."""
    all_notes = [str(data["note"])] if "note" in data else []
    all_notes += notes
    if all_notes:
        data["note"] = "; ".join(all_notes)


class LocalFile(NamedTuple):
    """A file on this machine that a tool reads instead of a URL or HTML."""

    name: str  # as it was given; "-" for standard input
    body: bytes


def _warn(message: str) -> None:
    """Write one line to stderr, as stdout is for results only."""
    write_error(f"webtool: {message}\n")


class Context:
    """The surroundings of one call. Thread-safe.

    `deadline` is a reading of the monotonic clock, `now` the wall clock in Unix seconds. A derived context uses the
    client, cache, robots and browser of the context from which it was derived.
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
        self.workers = workers  # processes that convert pages, in servers and batches; None: this process does
        self.report: dict[str, object] = {}  # further fields of the call's log line: cache_hit, status, provider
        self.local: LocalFile | None = None  # the file to read instead of a URL
        self.headers: tuple[tuple[str, str], ...] = ()  # the caller's, for the page's origin; such pages are not cached
        self.check_hop: Callable[[str], None] | None = None  # raises for a URL that redirects must not lead to
        self.is_person = False  # the arguments were typed by a person at a command line, not written by a model
        self._first = self  # the context that owns what is open
        self._lock = RLock()
        self._client = client
        self._cache = cache
        self._no_cache: CacheError | None = None  # why the cache cannot be used, once that is known
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

                    client.recorder = Recorder(
                        first.settings.warc,
                        respects_robots=first.settings.respect_robots,
                        keeps_secrets=first.settings.warc_secrets == "keep",
                    )
                first._client = client
            return first._client

    @property
    def cache(self) -> Cache | None:
        """The cache, or None if it is off or cannot be opened (then `warn` is called once)."""
        first = self._first
        with first._lock:
            if first._cache is None and first._no_cache is None:
                first._no_cache = first._open_cache()
            return first._cache

    def _open_cache(self) -> CacheError | None:
        """Open the cache. Return None on success, else the error that says why not."""
        from webtool.errors import CacheError

        if not self.settings.cache:
            return CacheError("The cache is off", hint="Set WEBTOOL_CACHE=on.")
        path = settings_module.cache_path(self.settings, self.environ)
        if not path:  # no warning, as it would come with every call; doctor and the cache tools report it
            return CacheError(
                "The cache is off, since no home folder is known", hint="Name a file for it with WEBTOOL_CACHE_PATH."
            )
        from webtool.cache.store import open_cache

        try:
            self._cache = open_cache(path, self.settings, self.warn, self.now)
            self._cache.indexes_at_once = self.workers is not None
        except CacheError as error:
            self.warn(f"no cache: {error.message}")
            return error
        return None

    def require_cache(self) -> Cache:
        """Return the cache. Raises CacheError saying why it cannot be opened."""
        cache, why = self.cache, self._first._no_cache
        if why is not None:
            raise why.with_traceback(None)
        assert cache is not None
        return cache

    @property
    def robots(self) -> RobotsGate:
        """The rules of robots.txt files; without a cache they are remembered in this process."""
        first = self._first
        with first._lock:
            if first._robots is None:
                from webtool.robots.gate import RobotsGate

                first._robots = RobotsGate(first.client, first.settings, first.cache)
            return first._robots

    @property
    def browser(self) -> Browser:
        """The browser of rendered mode; it starts with its first page."""
        first = self._first
        with first._lock:
            if first._browser is None:
                from webtool.browser.session import Browser

                first._browser = Browser(first.settings, first.environ)
            return first._browser

    def compute(
        self, target: str, *arguments: object, answer: Callable[[object], object] | None = None, memory: int = 0
    ) -> object:
        """Run a pure function, named "module:function", in a worker; without workers, run it here.

        Use it for work that may take long on a hostile page. A worker is ended at the deadline, when the call is
        cancelled, and past `memory` bytes (0: the default limit). A function that has questions while it runs gets a
        last argument to ask them with, ask(question), which returns answer(question). Raises WebtoolError.
        """
        if self.workers is None:
            from webtool.lean.imports import resolve

            return resolve(target)(*arguments, *((answer,) if answer else ()))
        bounds: dict[str, Any] = {"deadline": self.deadline, "is_cancelled": self.is_cancelled}
        if memory:
            bounds["memory"] = memory
        return self.workers.call(target, *arguments, answer=answer, **bounds)

    def derive(self, **changes: object) -> Context:
        """Return a context for one call among many, with these attributes changed.

        The deadline starts now, and report and local file are empty, unless they are given. All else is inherited.
        """
        derived = object.__new__(Context)
        current: Settings = changes.get("settings", self.settings)  # type: ignore[assignment]
        ends_at = time.monotonic() + current.deadline
        derived.__dict__.update({**self.__dict__, "report": {}, "local": None, "deadline": ends_at, **changes})
        return derived

    def close(self) -> None:
        """Close everything that was opened, for this context and all derived from it."""
        first = self._first
        for opened in (self.workers, first._browser, first._client, first._cache):
            if opened is not None:
                opened.close()


def open_context(environ: Mapping[str, str], settings: Settings | None = None) -> Context:
    """Return the context of this process. Raises InvalidArgument for an invalid setting."""
    return Context(settings_module.from_environ(environ) if settings is None else settings, environ=environ)
