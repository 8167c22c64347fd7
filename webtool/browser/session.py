"""Rendered mode as callers see it. In: a URL and settings. Out: Rendered, or an error of the project's tree.

One Browser serves a batch or a server's whole life: it starts a browser at the first page, gives every page a context
of its own, several at a time, and starts anew after a crash. close() leaves no process and no file behind.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from webtool import __version__, urls
from webtool.browser.behaviour import PageOptions, Rendered
from webtool.browser.dialer import Dialer
from webtool.browser.engine import Engine
from webtool.browser.failures import ClickNavigatedAway
from webtool.browser.page import Page
from webtool.browser.proxy import Dial
from webtool.browser.traffic import MainDocument
from webtool.errors import Cancelled, FetchTimeout, FetchTooLarge, HttpError, RenderDisabled, RenderFailed
from webtool.net import statuses
from webtool.net.messages import Headers, Response
from webtool.net.request_headers import HostHeaders
from webtool.settings import Settings

MAX_PAGES = 4  # tabs at a time; each is a process of 50-100 MB
SNAPSHOT_WAIT = 10.0  # seconds to read a page that has loaded, in addition to the render deadline
STUCK_WAIT = 0.5  # the same where it did not answer any more when its time was over
MIN_RETRY_TIME = 3.0  # seconds that have to be left for a page to be opened anew
MAX_RETRY_TIME = 6.0  # seconds that it is given then
RESERVE = 0.25  # share of the time left that loading leaves for reading the page
STUCK_AFTER = 10.0  # seconds: a browser that made no tab in that time is ended, and the next page gets a new one
TICK = 0.1


class Browser:
    """A browser kept for several pages. Threads may share it. Use as a context manager, or call close()."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], dial: Dial | None = None) -> None:
        self._settings = settings
        self._environ = environ
        self._dial = dial or Dialer(settings, environ)
        self._engine: Engine | None = None
        self._starting = threading.Lock()
        self._slots = threading.BoundedSemaphore(MAX_PAGES)
        self._is_closed = False
        self._host_headers = HostHeaders(settings, environ)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def engine(self) -> Engine | None:
        """The running browser, if there is one."""
        return self._engine

    def render(
        self,
        url: str,
        *,
        deadline: float,
        max_bytes: int | None = None,
        is_cancelled: Callable[[], bool] | None = None,
        check_hop: Callable[[str], None] | None = None,
        headers: Sequence[tuple[str, str]] = (),
        screenshot: bool = False,
    ) -> Rendered:
        """The page at an absolute http(s) URL; `deadline` is a reading of the monotonic clock.

        `max_bytes` bounds the page as the browser holds it; None takes the setting. `headers` are sent to the URL's
        origin beside those of the hosts file, which go to the hosts that it names.

        `check_hop(url)` is asked before every main document, the first included, and may raise (robots.txt of another
        origin). Raises RenderDisabled, RenderFailed, FetchTimeout, HttpError (status 400 and above), NetworkError,
        TlsError, SsrfBlocked, InvalidUrl, FetchTooLarge, Cancelled.
        """
        started = time.monotonic()
        if self._settings.render == "off":
            raise RenderDisabled(
                "Rendered mode is off", hint="Set WEBTOOL_RENDER=1 to let pages run in a browser.", url=urls.redact(url)
            )
        asked = urls.parse(url)
        urls.require_http(asked)
        self._host_headers.for_url(asked)  # a hosts file that cannot be used is found here, not on another thread

        def headers_for(text: str) -> list[tuple[str, str]]:
            target = urls.parse(text)
            return [*self._host_headers.for_url(target), *(headers if target.origin == asked.origin else ())]

        most = max_bytes or self._settings.max_bytes
        with _held(self._slots, deadline, is_cancelled):
            engine = self._running_engine(deadline, is_cancelled)
            options = PageOptions(
                self._user_agent(engine),
                most,
                self._settings.max_redirects,
                screenshot,
                check_hop,
                is_cancelled,
                headers_for,
                clicks=self._settings.render_clicks,
            )
            try:
                snapshot = self._snapshot(engine, options, url, deadline)
            except RenderFailed as failure:
                snapshot = self._anew(engine, options, url, deadline, failure)
        size = len(snapshot.html.encode())
        if size > most:
            raise _too_large(size, most, url)
        return snapshot._replace(elapsed_ms=int((time.monotonic() - started) * 1000))

    def close(self) -> None:
        """End the browser; renderings under way fail. Safe to call twice."""
        self._is_closed = True
        with self._starting:
            engine, self._engine = self._engine, None
        if engine is not None:
            engine.stop()

    def _snapshot(
        self, engine: Engine, options: PageOptions, url: str, deadline: float, unfinished: str = ""
    ) -> Rendered:
        with Page(engine, options) as page:
            self._open(page, engine, deadline)
            page.unfinished = unfinished
            return self._render(page, url, deadline)

    def _anew(self, engine: Engine, options: PageOptions, url: str, deadline: float, failure: RenderFailed) -> Rendered:
        """What there is of a page whose scripts the browser did not survive: the page without them.

        One that a click took away is opened without clicks.
        """
        if not engine.is_alive or deadline - time.monotonic() < MIN_RETRY_TIME:
            raise failure
        less, what = options._replace(with_scripts=False, clicks=False), "its scripts"
        if isinstance(failure, ClickNavigatedAway):
            less, what = options._replace(clicks=False), "clicks"
        why = f"{failure.code}: {failure.message}. This is the page without {what}"
        try:
            return self._snapshot(engine, less, url, min(deadline, time.monotonic() + MAX_RETRY_TIME), why)
        except RenderFailed:
            raise failure from None

    def _open(self, page: Page, engine: Engine, deadline: float) -> None:
        started = time.monotonic()
        try:
            page.open(deadline)
        except RenderFailed:
            if time.monotonic() - started >= STUCK_AFTER:
                self._drop(engine)
            raise

    def _drop(self, engine: Engine) -> None:
        """End a browser that does not answer: trying again with the same one would be in vain."""
        with self._starting:
            is_ours = self._engine is engine
            if is_ours:
                self._engine = None
        if is_ours:
            engine.stop()

    def _render(self, page: Page, url: str, deadline: float) -> Rendered:
        left = deadline - time.monotonic()
        load_until = time.monotonic() + min(self._settings.render_deadline, left * (1 - RESERVE))
        is_html = page.load(url, load_until)
        read_until = min(deadline, time.monotonic() + (STUCK_WAIT if page.is_stuck else SNAPSHOT_WAIT))
        snapshot = page.snapshot(read_until) if is_html else page.bare_snapshot()
        error = _http_error(page.document(), snapshot)
        if error is not None:
            raise error
        return snapshot

    def _running_engine(self, deadline: float, is_cancelled: Callable[[], bool] | None) -> Engine:
        with _held(self._starting, deadline, is_cancelled):
            if self._is_closed:
                raise RenderFailed("The browser was closed")
            if self._engine is not None and not self._engine.is_alive:
                self._engine.stop()
                self._engine = None
            if self._engine is None:
                self._engine = Engine(self._settings, self._environ, self._dial, deadline)
            return self._engine

    def _user_agent(self, engine: Engine) -> str:
        """The setting, else the browser's own with our name: pages choose their scripts by it, owners see who came."""
        if self._settings.user_agent:
            return self._settings.user_agent
        contact = f" (+{self._settings.contact})" if self._settings.contact else ""
        return f"{engine.user_agent} webtool/{__version__}{contact}"


@contextlib.contextmanager
def _held(
    lock: threading.Lock | threading.BoundedSemaphore, deadline: float, is_cancelled: Callable[[], bool] | None
) -> Iterator[None]:
    """Hold a lock or semaphore, waiting for it no longer than the deadline and the caller's patience."""
    while not lock.acquire(timeout=TICK):
        if is_cancelled is not None and is_cancelled():
            raise Cancelled("The call was cancelled while it waited for the browser")
        if time.monotonic() >= deadline:
            raise FetchTimeout("The browser was busy with other pages until the deadline")
    try:
        yield
    finally:
        lock.release()


def _http_error(document: MainDocument | None, snapshot: Rendered) -> HttpError | None:
    """The error of a status of 400 and above, and of a bot wall's page that its scripts did not lead away from."""
    if document is None:
        return None
    body = snapshot.html.encode()
    headers = Headers(document.headers)
    response = Response(document.url or snapshot.final_url, document.status, document.reason, headers, body)
    return statuses.error_for(response) if document.status >= 400 else statuses.challenge_error(response)


def _too_large(size: int, limit: int, url: str) -> FetchTooLarge:
    message = f"The rendered page has {size} bytes, more than {limit}"
    return FetchTooLarge(message, hint="Raise WEBTOOL_MAX_BYTES.", url=urls.redact(url))
