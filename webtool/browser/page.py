"""One page from its URL to its final document. In: an Engine and a URL. Out: what the browser made of it.

Each page has a browser context of its own: no cookie, cache or storage is shared with another. How the tab is spoken
to is in tab.py. Spec: the DevTools protocol, domains Target, Page, Runtime, Browser.
"""

from __future__ import annotations

import time

from webtool import urls
from webtool.browser import scripts
from webtool.browser.behaviour import CONDITIONS, session_commands
from webtool.browser.cdp import BrowserGone, NoAnswer, Pending, ProtocolError
from webtool.browser.clicks import Clicker
from webtool.browser.failures import from_net_error, with_url
from webtool.browser.frames import Frames
from webtool.browser.memory import CROWDED_MEMORY
from webtool.browser.tab import TICK
from webtool.browser.traffic import MainDocument, Traffic
from webtool.errors import FetchTimeout, InvalidUrl, RenderFailed, WebtoolError

QUIET_SECONDS = 0.5  # without a request, where the page does not tell what it waits for
SHORT_QUIET = 0.12  # without a request and without a change of the document, where it does
LAST_CALL, LAST_SHARE = 1.5, 0.25  # seconds, or the share of the time, left for a page that hangs to come to an end
REST_ANSWER, MAX_TIMER = 0.5, 1.3  # seconds for the page to tell; timers that are waited for
RESTLESS, CHANGING = 2.6, 1.0  # seconds that a page without requests is given for its timers, and for other changes
BUSY_ANSWER, MAX_ENDED_SCRIPTS = (
    0.4,
    6,
)  # seconds for an answer of a page whose scripts rest; scripts that are ended in turn
PARSE_WAIT = 0.3  # seconds
MAX_OFFLINE_REQUESTS = 200  # requests that a page makes when it has no network any more, before it is not waited for
MAX_REQUESTS = 5000  # of one page; after them it is read as it stands
COMMAND_WAIT = 30.0  # seconds for what a browser that is well does at once, and one on a starved machine in ten
SCROLL_SCREENS = 12
SCROLL_WAIT = 3.0
LAZY_WAIT = 4.0  # seconds that what scrolling set off may take to load


class Page(Clicker):
    """A tab of its own; use as a context manager."""

    def __enter__(self) -> Page:
        self._engine.memory.page_opens()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def open(self, deadline: float) -> None:
        """Make context, tab and session, and tell them how to behave. Raises RenderFailed."""
        deadline = min(deadline, time.monotonic() + COMMAND_WAIT)
        context = self._call("Target.createBrowserContext", {"disposeOnDetach": True}, "", deadline)
        self._context = context["browserContextId"]
        where = {"url": "about:blank", "browserContextId": self._context}
        self._frame = self._call("Target.createTarget", where, "", deadline)["targetId"]
        attach = {"targetId": self._frame, "flatten": True}
        self._session = self._call("Target.attachToTarget", attach, "", deadline)["sessionId"]
        self._traffic = Traffic(self._frame, time.monotonic())
        self._frames = Frames(self._frame, self._session)
        self._connection.subscribe(self._session, self._on_event)
        denied = {"behavior": "deny", "browserContextId": self._context}
        self._call("Browser.setDownloadBehavior", denied, "", deadline)
        for pending in [self._start(method, params) for method, params in session_commands("page", self._options)]:
            self._result(pending, deadline)

    def load(self, url: str, deadline: float) -> bool:
        """Go there and wait until it is loaded and quiet, or for the deadline. False where the document is not HTML.

        Raises the error that kept the document away; what hangs after it came is not an error.
        """
        self._traffic.last_asked = url
        self._begun = time.monotonic()
        navigation = self._start("Page.navigate", {"url": url})
        document = self._wait_for_document(navigation, url, deadline)
        if document is not None and document.media_type not in ("text/html", "application/xhtml+xml"):
            return False
        last_call = deadline - min(LAST_CALL, (deadline - time.monotonic()) * LAST_SHARE)
        settle = self._wait_until_settled
        is_settled = (
            settle(last_call)
            and self._refuse_consent(settle, last_call)
            and self._scroll(min(last_call, time.monotonic() + LAZY_WAIT))
            and self._show_more(settle, last_call)
        )
        if not is_settled:
            self._hurry(deadline)
        # No script of the page runs any more, so that nothing holds up reading it; ours do.
        self._disable_scripts()
        self.is_stuck = not self._end_scripts(deadline)
        if not is_settled:
            self._wait(lambda: self._is_loaded, _soon(PARSE_WAIT))  # what follows the script that was ended
        failure = self._traffic.failure(self._loader)
        if failure and self.document() is None:  # a script led the page to where nothing could be loaded from
            raise self._load_error(failure)
        return True

    def _wait_until_settled(self, deadline: float) -> bool:
        """Until the page is loaded and at rest: no request under way, no short timer due, no change of the document.

        False at the deadline, and where it takes more than it may. A page with a socket, a worker or timers that never
        end is waited for until its network was quiet for QUIET_SECONDS.
        """
        spent = 0.0
        while self._wait(lambda: self._is_settled(SHORT_QUIET) or bool(self._excess()), deadline):
            if self._excess():
                return False
            left, most = (TICK, RESTLESS) if self._traffic.is_fed else self._restless_for(deadline)
            if left <= 0 or (self._is_settled(QUIET_SECONDS) and (self._traffic.is_fed or spent >= most)):
                return True
            self._wait(lambda: False, min(deadline, _soon(left)))
            spent += left
        return False

    def _restless_for(self, deadline: float) -> tuple[float, float]:
        """Seconds until the page may be at rest, 0 where it is; and how many it is given altogether."""
        asked = {"expression": "webtoolRest", "returnByValue": True}
        pending = [self._start("Runtime.evaluate", asked, one) for one in (self._session, *self._frames.sessions())]
        self._wait(lambda: all(one.done.is_set() for one in pending), min(deadline, _soon(REST_ANSWER)))
        # A page that does not answer is not at rest; a frame that does not is not waited for.
        rests = [_pair(pending[0]) or (QUIET_SECONDS, 0.0), *(rest for one in pending[1:] if (rest := _pair(one)))]
        due, still = max(rest[0] for rest in rests), min(rest[1] for rest in rests)
        if 0 < due <= MAX_TIMER:
            return due + TICK / 2, RESTLESS
        return max(0.0, SHORT_QUIET - still), CHANGING

    def _excess(self) -> str:
        """What the page takes too much of, in words; "" where it keeps to its bounds."""
        if self._engine.memory.is_crowded:
            return f"RENDER_FAILED: the page takes more than {CROWDED_MEMORY >> 20} MB of memory"
        if self._traffic.count > MAX_REQUESTS:
            return f"RENDER_FAILED: the page asks for more than {MAX_REQUESTS} addresses"
        return ""

    def _hurry(self, deadline: float) -> None:
        """The time is nearly over: requests that hang are failed and scripts that go on are ended, so that the page
        can be read as far as it came."""
        seconds = f"{time.monotonic() - self._begun:.0f} s"
        excess = self._excess()
        why = excess or f"the page was still loading after {seconds}"
        self.unfinished = self.unfinished or f"{why}, and this is how far it came"
        self._is_ending = True
        if excess:
            self._disable_scripts()
        with self._changed:
            waited_for = self._traffic.under_way()
        for session in (self._session, *tuple(self._sessions)):
            self._send("Network.emulateNetworkConditions", {**CONDITIONS, "offline": True}, session)
        self._engine.proxy.hang_up({place for url in waited_for if (place := _place_of(url)) is not None})
        self._end_scripts(deadline)
        if not excess:
            most = self._traffic.count + MAX_OFFLINE_REQUESTS
            self._wait(lambda: self._is_settled(0.1) or self._traffic.count > most, deadline - BUSY_ANSWER)

    def _disable_scripts(self) -> None:
        for session in (self._session, *tuple(self._sessions)):
            self._send("Emulation.setScriptExecutionDisabled", {"value": True}, session)

    def _end_scripts(self, deadline: float) -> bool:
        """End scripts that keep the page from answering; False if it does not all the same."""
        pending = self._start("Runtime.evaluate", {"expression": "1"})
        for _ in range(MAX_ENDED_SCRIPTS):
            if self._wait(pending.done.is_set, min(deadline, _soon(BUSY_ANSWER))):
                return True
            self._send("Runtime.terminateExecution", None, self._session)
        return self._wait(pending.done.is_set, deadline)

    def close(self) -> None:
        """Close the tab and everything that belongs to it."""
        self._engine.memory.page_closes()
        with self._changed:
            sessions = {self._session, *self._sessions}
        for session in sessions:
            self._connection.unsubscribe(session)
        if self._context:
            try:
                self._connection.send("Target.disposeBrowserContext", {"browserContextId": self._context})
            except BrowserGone:
                return

    # Waiting, on the thread that renders.

    def _wait_for_document(self, navigation: Pending, url: str, deadline: float) -> MainDocument | None:
        self._wait(navigation.done.is_set, deadline)
        if not navigation.done.is_set():
            raise FetchTimeout(
                "The page did not answer before the render deadline",
                hint="Try again, or raise WEBTOOL_RENDER_DEADLINE (seconds).",
                url=urls.redact(url),
            )
        answer = self._result(navigation, deadline)
        if answer.get("errorText"):
            latest = self._traffic.latest()
            if latest is None:
                raise self._load_error(answer["errorText"])
            return latest._replace(media_type="") if latest.status < 400 else latest
        self._wait(lambda: bool(self._loader), deadline)
        return self.document()

    def _is_settled(self, quiet: float) -> bool:
        return bool(self._loader) and self._is_loaded and self._traffic.is_quiet(time.monotonic(), quiet)

    def _scroll(self, deadline: float) -> bool:
        """Bring into view what loads only then. False if it was still loading at the deadline."""
        try:
            seen = self._evaluate(f"{scripts.SCROLL_DOWN}({SCROLL_SCREENS})", min(deadline, _soon(SCROLL_WAIT)))
        except RenderFailed:
            if not self._engine.is_alive:
                raise
            return False  # a page that cannot be scrolled is taken as it stands
        return seen == 1 or self._wait_until_settled(deadline)

    def _load_error(self, text: str) -> WebtoolError:
        """What kept the main document away."""
        shown, place = urls.redact(self._traffic.last_asked), _place_of(self._traffic.last_asked)
        refusal = self._engine.proxy.refusal(*place) if place else None
        return with_url(refusal, shown) if refusal is not None else from_net_error(text, shown)


def _pair(pending: Pending) -> tuple[float, float] | None:
    """Two numbers of milliseconds, as seconds."""
    try:
        due, still = str(pending.result(0.0).get("result", {}).get("value", "")).split()
        return float(due) / 1000, float(still) / 1000
    except (NoAnswer, ProtocolError, BrowserGone, ValueError):
        return None


def _place_of(url: str) -> tuple[str, int] | None:
    try:
        parsed = urls.parse(url)
    except InvalidUrl:
        return None
    return (parsed.host or "").strip("[]").lower(), parsed.effective_port


def _soon(seconds: float) -> float:
    return time.monotonic() + seconds
