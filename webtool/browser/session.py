"""Render web pages in a headless browser. In: a URL and settings. Out: a Rendered (HTML, status, notes), or an error.

One Browser serves a whole batch or server. It starts a browser process at the first page and another after a crash.
Up to MAX_PAGES pages run at a time, each in a browser context of its own. If a page's scripts make the browser fail,
the page is opened again without scripts. close() removes every process and file.

Tests: tests/browser/test_render.py
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from webtool import __version__, urls
from webtool.browser.behaviour import PageOptions, Rendered
from webtool.browser.engine import Engine
from webtool.browser.page import Page
from webtool.browser.proxy import Dial, Dialer
from webtool.browser.traffic import ClickNavigatedAway, MainDocument
from webtool.errors import Cancelled, FetchTimeout, FetchTooLarge, HttpError, RenderDisabled, RenderFailed
from webtool.net import statuses
from webtool.net.messages import Headers, Response
from webtool.net.request_headers import HostHeaders
from webtool.settings import Settings

MAX_PAGES = 4  # tabs at a time; each is a process of 50-100 MB
SNAPSHOT_WAIT = 10.0  # seconds to read a page that has loaded, in addition to the render deadline
STUCK_WAIT = 0.5  # seconds to read a page that had stopped answering at its deadline
MIN_RETRY_TIME = 3.0  # seconds before the deadline; with less, a failed page is not opened again
MAX_RETRY_TIME = 6.0  # seconds for a page that is opened again
RESERVE = 0.25  # share of the time left that is reserved for reading the page
STUCK_AFTER = 10.0  # seconds; a browser that opens no tab in that time is replaced
TICK = 0.1  # seconds between two checks of the clock and of cancellation


class Browser:
    """A browser for several pages. Threads may share it. Use it as a context manager, or call close()."""

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
        """The running browser process, or None."""
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
        """Render the page at an absolute http(s) URL. `deadline` is a time of the monotonic clock.

        `max_bytes` limits the HTML that the browser returns; None takes the setting. `headers` go to the URL's origin
        only. The hosts file adds its own to the hosts that it names. `check_hop(url)` is called before every main
        document, including the first, and may raise (robots.txt of another origin).

        Raises RenderDisabled, RenderFailed, FetchTimeout, HttpError (status 400 and above), NetworkError, TlsError,
        SsrfBlocked, InvalidUrl, FetchTooLarge, Cancelled.
        """
        started = time.monotonic()
        if self._settings.render == "off":
            hint = "Set WEBTOOL_RENDER=1 to let pages run in a browser."
            raise RenderDisabled("Rendered mode is off", hint=hint, url=urls.redact(url))
        page_url = urls.parse(url)
        urls.require_http(page_url)
        self._host_headers.for_url(page_url)  # raises here, on the caller's thread, if the hosts file is unusable

        def headers_for(text: str) -> list[tuple[str, str]]:
            target = urls.parse(text)
            page_headers = headers if target.origin == page_url.origin else ()
            return [*self._host_headers.for_url(target), *page_headers]

        max_size = max_bytes or self._settings.max_bytes
        with _held(self._slots, deadline, is_cancelled):
            engine = self._running_engine(deadline, is_cancelled)
            options = PageOptions(
                user_agent=self._user_agent(engine),
                max_bytes=max_size,
                max_redirects=self._settings.max_redirects,
                screenshot=screenshot,
                check_hop=check_hop,
                is_cancelled=is_cancelled,
                headers_for=headers_for,
                clicks=self._settings.render_clicks,
            )
            try:
                snapshot = self._snapshot(engine, options, url, deadline)
            except RenderFailed as failure:
                snapshot = self._retry(engine, options, url, deadline, failure)
        size = len(snapshot.html.encode())
        if size > max_size:
            message = f"The rendered page has {size} bytes, more than {max_size}"
            raise FetchTooLarge(message, hint="Raise WEBTOOL_MAX_BYTES.", url=urls.redact(url))
        return snapshot._replace(elapsed_ms=int((time.monotonic() - started) * 1000))

    def close(self) -> None:
        """End the browser. Pages that are being rendered fail. Safe to call twice."""
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

    def _retry(
        self, engine: Engine, options: PageOptions, url: str, deadline: float, failure: RenderFailed
    ) -> Rendered:
        """Render a page again after `failure`, without scripts; or without clicks, if one of them left the page.

        Raises `failure` if too little time is left, or if the page fails again.
        """
        if not engine.is_alive or deadline - time.monotonic() < MIN_RETRY_TIME:
            raise failure
        reduced, omitted = options._replace(with_scripts=False, clicks=False), "its scripts"
        if isinstance(failure, ClickNavigatedAway):
            reduced, omitted = options._replace(clicks=False), "clicks"
        why = f"{failure.code}: {failure.message}. This is the page without {omitted}"
        try:
            return self._snapshot(engine, reduced, url, min(deadline, time.monotonic() + MAX_RETRY_TIME), why)
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
        """End a browser that does not answer, so that the next page starts another."""
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
        """Return the user_agent setting, else the browser's own with our name added.

        Pages choose their scripts by the browser's name, and site owners see ours.
        """
        if self._settings.user_agent:
            return self._settings.user_agent
        contact = f" (+{self._settings.contact})" if self._settings.contact else ""
        return f"{engine.user_agent} webtool/{__version__}{contact}"


@contextlib.contextmanager
def _held(
    lock: threading.Lock | threading.BoundedSemaphore, deadline: float, is_cancelled: Callable[[], bool] | None
) -> Iterator[None]:
    """Hold a lock or semaphore. Raises FetchTimeout at the deadline, and Cancelled, while waiting for it."""
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
    """Return the error for a status of 400 and above, or for a bot wall that the page's scripts did not pass."""
    if document is None:
        return None
    body = snapshot.html.encode()
    headers = Headers(document.headers)
    response = Response(document.url or snapshot.final_url, document.status, document.reason, headers, body)
    return statuses.error_for(response) if document.status >= 400 else statuses.challenge_error(response)
