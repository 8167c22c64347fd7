"""Load one URL in a browser tab until the page is at rest. In: an Engine and a URL. Out: a tab that can be read.

Each page has a browser context of its own, so it shares no cookie, cache or storage with another. load() navigates,
waits, refuses consent, scrolls down, and clicks "show more". Then it ends the page's scripts, so that nothing
disturbs reading it. A page is settled if it is loaded, no request is open, and its document does not change.
`before_page.js` reports timers and changes in `webtoolRest`. At the last call, shortly before the deadline, requests
that hang are failed (_hurry). Spec: the DevTools protocol, domains Target, Page, Runtime, Browser.

Tests: tests/browser/test_rest.py
"""

from __future__ import annotations

import json
import time

from webtool import urls
from webtool.browser import scripts
from webtool.browser.behaviour import CONDITIONS, session_commands
from webtool.browser.cdp import BrowserGone, NoAnswer, Pending, ProtocolError
from webtool.browser.clicks import Clicker
from webtool.browser.frames import Frames
from webtool.browser.memory import CROWDED_MEMORY
from webtool.browser.tab import TICK
from webtool.browser.traffic import MainDocument, Traffic, from_net_error, with_url
from webtool.errors import FetchTimeout, InvalidUrl, RenderFailed, WebtoolError
from webtool.lean.records import NamedTuple

SHORT_QUIET = 0.12  # seconds without a request or a change of the document, after which a page may count as settled
# Seconds without a request; enough for a page with a worker, a socket, or endless timers or changes.
QUIET_SECONDS = 0.5
LAST_CALL, LAST_SHARE = 1.5, 0.25  # seconds before the deadline (at most this share of the time) at which _hurry begins
REST_ANSWER = 0.5  # seconds for a page to report its timers and changes
MAX_TIMER = 1.3  # seconds; every short timer (of 1.2 s at most: SHORT in before_page.js) is due within it
RESTLESS, CHANGING = 2.6, 1.0  # most seconds that timers, or changes of the document, delay a page without requests
BUSY_ANSWER = 0.4  # seconds after which a page that does not answer is busy, and its running script is ended
MAX_ENDED_SCRIPTS = 6  # scripts that are ended one after the other, before the page counts as stuck
PARSE_WAIT = 0.3  # seconds for the parser to read on after the script that blocked it was ended
MAX_OFFLINE_REQUESTS = 200  # requests after the network was switched off; with more, the page is read at once
MAX_REQUESTS = 5000  # requests of one page; with more, it is read in its present state
COMMAND_WAIT = 30.0  # seconds to open a tab: a healthy browser needs none, one on a starved machine ten
SCROLL_SCREENS = 12  # viewports to scroll down; images and lists further down are not loaded
SCROLL_WAIT = 14.0  # most seconds for scrolling; scroll_down.js may spend SCROLL_SHARE of them, on pages that move
SCROLL_SHARE = 0.55
MIN_SCROLL = 2.0  # seconds; with less of SCROLL_WAIT left, a feed that grew is not scrolled on
LAZY_WAIT = 4.0  # seconds for loading what came into view
MAX_LATE = 3.2  # most seconds that a page which looks unfinished is waited for: a later timer, a worker, a socket
RECENT = 0.4  # seconds; a document that changed less long ago may go on changing


class Page(Clicker):
    """One tab for one page. Use it as a context manager: the tab is closed at the end.

    Attributes that are not set here are those of Tab (_loader, _traffic ...) and of Reader (moving, unfinished ...).
    """

    is_stuck = False  # the page did not answer any more at its deadline
    _context = ""  # the browser context
    _timer_due_in = 0.0  # seconds until the first of the page's long timers fires, 0 without one
    _timers_until = 0.0  # reading of time.monotonic() at which waiting for long timers ends; 0 before it begins
    _unchanged_for = 0.0  # seconds since the last change of a document

    def __enter__(self) -> Page:
        self._engine.memory.page_opens()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def open(self, deadline: float) -> None:
        """Create the browser context, tab and session, and configure them. Raises RenderFailed."""
        deadline = min(deadline, time.monotonic() + COMMAND_WAIT)
        context = self._call("Target.createBrowserContext", {"disposeOnDetach": True}, "", deadline)
        self._context = context["browserContextId"]
        target = {"url": "about:blank", "browserContextId": self._context}
        self._frame = self._call("Target.createTarget", target, "", deadline)["targetId"]
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
        """Navigate to the URL and wait until the page is settled or the deadline comes. Return False if it is not HTML.

        Raises the error that prevented the main document. If only other requests hang, that is not an error.
        """
        self._traffic.last_asked = url
        self._begun = time.monotonic()
        navigation = self._start("Page.navigate", {"url": url})
        document = self._wait_for_document(navigation, url, deadline)
        if document is not None and document.media_type not in ("text/html", "application/xhtml+xml"):
            return False
        last_call = deadline - min(LAST_CALL, (deadline - time.monotonic()) * LAST_SHARE)
        # Without scripts no timer runs, not even those of scroll_down.js.
        can_scroll = self._options.with_scripts and not _forbids_scripts(document)
        settle = self._wait_until_settled
        is_settled = (
            settle(last_call)
            and self._refuse_consent(settle, last_call)
            and (not can_scroll or self._scroll(last_call))
            and self._show_more(settle, last_call)
        )
        if not is_settled:
            self._hurry(deadline)
        # From here on no script of the page runs, only ours: nothing delays reading it.
        self._disable_scripts()
        self.is_stuck = not self._end_scripts(deadline)
        if not is_settled:
            self._wait(lambda: self._is_loaded, _soon(PARSE_WAIT))
        failure = self._traffic.failure(self._loader)
        if failure and self.document() is None:  # a script navigated to a URL that could not be loaded
            raise self._load_error(failure)
        return True

    def _wait_until_settled(self, deadline: float) -> bool:
        """Wait until the page is settled. Return False at the deadline, and if the page exceeds a limit (_excess).

        For a page with a socket, a worker or endless timers it is enough that its network is quiet for QUIET_SECONDS.
        A page that looks unfinished gets up to MAX_LATE seconds more.
        """
        spent = 0.0  # seconds waited for timers and changes
        while self._wait(lambda: self._is_settled(SHORT_QUIET) or bool(self._excess()), deadline):
            if self._excess():
                return False
            if self._traffic.has_live_source:
                pause, is_patient = TICK, False  # what a worker or socket does next is unknown
            else:
                pause, patience = self._restless_for(deadline)
                is_patient = spent < patience
            has_rested = pause <= 0 or (not is_patient and self._is_settled(QUIET_SECONDS))
            if has_rested and not self._is_worth_waiting(deadline):
                return True
            wait = max(pause, TICK)
            self._wait(lambda: False, min(deadline, _soon(wait)))
            spent += wait if pause > 0 else 0.0  # what a page at rest is worth waiting for has a limit of its own
        return False

    def _is_worth_waiting(self, deadline: float) -> bool:
        """Return whether something is on its way to a page that looks unfinished, and MAX_LATE is not spent.

        Notes what is not waited for.
        """
        has_live_source = self._traffic.has_live_source
        self.not_awaited = ""
        level = self._unfinished_level(deadline) if has_live_source or self._timer_due_in > 0 else 0
        if not level:
            return False
        self._timers_until = self._timers_until or time.monotonic() + MAX_LATE
        due = _soon(0.0 if has_live_source else self._timer_due_in)
        is_in_time = due < min(self._timers_until, deadline)
        source = "a worker or connection" if has_live_source else f"a timer that is due in {self._timer_due_in:.1f} s"
        if level == 2 and not is_in_time:
            self.not_awaited = f"the page seems unfinished, and {source} was not waited for"
        return is_in_time

    def _unfinished_level(self, deadline: float) -> int:
        """Return what unfinished.js says: 2 for a page that is loading, 1 for one with little text, else 0."""
        try:
            return int(self._evaluate(scripts.UNFINISHED, min(deadline, _soon(REST_ANSWER))))
        except RenderFailed:
            if not self._engine.is_alive:
                raise
            return 0

    def _restless_for(self, deadline: float) -> tuple[float, float]:
        """Return the seconds to wait before the next check, 0 if the page is at rest; and how long to be patient.

        That is the most seconds to wait altogether, for timers (RESTLESS) or changes (CHANGING).
        """
        query = {"expression": "webtoolRest", "returnByValue": True}
        sessions = (self._session, *self._frames.sessions())
        pending = [self._start("Runtime.evaluate", query, session) for session in sessions]
        self._wait(lambda: all(answer.done.is_set() for answer in pending), min(deadline, _soon(REST_ANSWER)))
        # A page that does not answer counts as restless. A frame that does not answer is ignored.
        rests = [_rest(pending[0]) or _Rest(QUIET_SECONDS, 0.0, 0.0)]
        rests += [rest for answer in pending[1:] if (rest := _rest(answer))]
        self._timer_due_in = min((rest.late for rest in rests if rest.late > 0), default=0.0)
        due = max(rest.due for rest in rests)
        self._unchanged_for = min(rest.still for rest in rests)
        if 0 < due <= MAX_TIMER:
            return due + TICK / 2, RESTLESS
        return max(0.0, SHORT_QUIET - self._unchanged_for), CHANGING

    def _excess(self) -> str:
        """Return a sentence about the limit that the page exceeds (memory or requests), or ""."""
        if self._engine.memory.is_crowded:
            return f"RENDER_FAILED: the page takes more than {CROWDED_MEMORY >> 20} MB of memory"
        if self._traffic.count > MAX_REQUESTS:
            return f"RENDER_FAILED: the page asks for more than {MAX_REQUESTS} addresses"
        return ""

    def _hurry(self, deadline: float) -> None:
        """Fail open requests and end running scripts, so that an unfinished page can be read. Notes why."""
        seconds = f"{time.monotonic() - self._begun:.0f} s"
        excess = self._excess()
        why = excess or f"the page was still loading after {seconds}"
        self.unfinished = self.unfinished or f"{why}, and this is how far it came"
        self._is_ending = True
        if excess:
            self._disable_scripts()
        with self._changed:
            open_urls = self._traffic.under_way()
        for session in (self._session, *tuple(self._sessions)):
            self._send("Network.emulateNetworkConditions", {**CONDITIONS, "offline": True}, session)
        self._engine.proxy.hang_up({place for url in open_urls if (place := _place_of(url)) is not None})
        self._end_scripts(deadline)
        if not excess:
            max_count = self._traffic.count + MAX_OFFLINE_REQUESTS
            self._wait(lambda: self._is_settled(0.1) or self._traffic.count > max_count, deadline - BUSY_ANSWER)

    def _disable_scripts(self) -> None:
        for session in (self._session, *tuple(self._sessions)):
            self._send("Emulation.setScriptExecutionDisabled", {"value": True}, session)

    def _end_scripts(self, deadline: float) -> bool:
        """End scripts until the page answers. Return False if it does not answer before the deadline."""
        pending = self._start("Runtime.evaluate", {"expression": "1"})
        for _ in range(MAX_ENDED_SCRIPTS):
            if self._wait(pending.done.is_set, min(deadline, _soon(BUSY_ANSWER))):
                return True
            self._send("Runtime.terminateExecution", None, self._session)
        return self._wait(pending.done.is_set, deadline)

    def close(self) -> None:
        """Close the tab and its browser context, without waiting for it."""
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

    # Waiting, on the rendering thread.

    def _wait_for_document(self, navigation: Pending, url: str, deadline: float) -> MainDocument | None:
        """Wait until the main document has come and return its response. Raises FetchTimeout or the load error."""
        self._wait(navigation.done.is_set, deadline)
        if not navigation.done.is_set():
            hint = "Try again, or raise WEBTOOL_RENDER_DEADLINE (seconds)."
            raise FetchTimeout("The page did not answer before the render deadline", hint=hint, url=urls.redact(url))
        answer = self._result(navigation, deadline)
        if answer.get("errorText"):
            latest = self._traffic.latest()
            if latest is None:
                raise self._load_error(answer["errorText"])
            # A file that the browser does not show counts as not HTML (""). The status tells an error.
            return latest._replace(media_type="") if latest.status < 400 else latest
        self._wait(lambda: bool(self._loader), deadline)
        return self.document()

    def _is_settled(self, quiet: float) -> bool:
        """Return whether the document is loaded, leads to no other, and its network is quiet for `quiet` seconds."""
        is_loaded = bool(self._loader) and self._is_loaded and not self._hops
        return is_loaded and self._traffic.is_quiet(time.monotonic(), quiet)

    def _scroll(self, deadline: float) -> bool:
        """Scroll down, so that lazy parts load. Return False if they still load at the deadline or after LAZY_WAIT.

        A feed that grew at its end is scrolled on from there, until SCROLL_SCREENS are passed or SCROLL_WAIT is spent.
        """
        until = min(deadline, _soon(SCROLL_WAIT))
        screens, start = SCROLL_SCREENS, 0
        while screens > 1:  # each round passes at least one screen, or `end` is 0
            wait = max(0.0, until - time.monotonic())
            if start and wait < MIN_SCROLL:
                break
            options = {"screens": screens, "time": int(1000 * wait * SCROLL_SHARE), "start": start}
            options["isRestless"] = self._unchanged_for < RECENT
            try:
                passed = self._evaluate(f"{scripts.SCROLL_DOWN}({json.dumps(options)})", _soon(wait))
            except RenderFailed:
                if not self._engine.is_alive:
                    raise
                return False  # a page that cannot be scrolled is read in its present state
            self.moving = max(self.moving, passed["moving"])
            self.texts_taken_out += passed["gone"]
            seen_at_once = 0 if start else 1  # the first screen, for which nothing has to move
            has_moved = passed["screens"] > seen_at_once or passed["sideways"] > 0
            screens, start = screens - passed["screens"], passed["end"]
            if has_moved and not self._wait_until_settled(min(deadline, _soon(LAZY_WAIT))):
                return False
            if not start:
                break
        return True

    def _load_error(self, text: str) -> WebtoolError:
        """Return why the main document did not load: the proxy's refusal, else the browser's net error `text`."""
        shown, place = urls.redact(self._traffic.last_asked), _place_of(self._traffic.last_asked)
        refusal = self._engine.proxy.refusal(*place) if place else None
        return with_url(refusal, shown) if refusal is not None else from_net_error(text, shown)


class _Rest(NamedTuple):
    """A report of before_page.js on a document, in seconds. A timer is short if it is set for at most 1.2 s."""

    due: float  # until the last of its short timers fires, 0 without one
    still: float  # since its last change
    late: float  # until the first of its longer timers fires, 0 without one


def _rest(pending: Pending) -> _Rest | None:
    """Return the value of webtoolRest, "DUE STILL LATE" in milliseconds. None if the page did not answer."""
    try:
        due, still, late = str(pending.result(0.0).get("result", {}).get("value", "")).split()
        return _Rest(float(due) / 1000, float(still) / 1000, float(late) / 1000)
    except (NoAnswer, ProtocolError, BrowserGone, ValueError):
        return None


def _forbids_scripts(document: MainDocument | None) -> bool:
    """Return whether a document came with "Content-Security-Policy: sandbox" and without "allow-scripts" (Jenkins)."""
    headers = document.headers if document else ()
    policies = ";".join(value.lower() for name, value in headers if name.lower() == "content-security-policy")
    rules = [rule.split() for rule in policies.replace(",", ";").split(";")]
    return any(rule[:1] == ["sandbox"] and "allow-scripts" not in rule for rule in rules)


def _place_of(url: str) -> tuple[str, int] | None:
    """Return (host, port) of a URL, by which the proxy knows connections."""
    try:
        parsed = urls.parse(url)
    except InvalidUrl:
        return None
    return (parsed.host or "").strip("[]").lower(), parsed.effective_port


def _soon(seconds: float) -> float:
    return time.monotonic() + seconds
