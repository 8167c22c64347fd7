"""One tab as it is spoken to and as its events show it. In: commands, events. Out: answers, what is known of the page.

Events come on the connection's thread and only note things; the thread that renders waits, decides and asks. Every wait
has a deadline. Spec: the DevTools protocol, domains Target, Page, Fetch, Runtime, Inspector.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from webtool import urls
from webtool.browser.behaviour import STUBS, PageOptions, is_icon, session_commands
from webtool.browser.cdp import GONE, BrowserGone, NoAnswer, Pending, ProtocolError
from webtool.browser.failures import LedAway
from webtool.browser.frames import MAX_FRAMES, Frames
from webtool.browser.memory import MOST
from webtool.browser.traffic import Traffic
from webtool.errors import Cancelled, NetworkError, RenderFailed, WebtoolError
from webtool.running.threads import start_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from webtool.browser.engine import Engine

TICK = 0.05  # seconds between looks at the clock and at cancellation
MAX_SESSIONS = 100  # frames and workers of one page that are looked after
MAX_FETCHES = 1000  # requests of a page's scripts; what it asks for beyond is refused
_PLAIN_HINT = "It may need more memory than there is; a plain fetch of the page may do."
_LED_AWAY = "A click led the page away"
_SAFE = ("GET", "HEAD", "OPTIONS")  # RFC 9110 section 9.2.1
_MAX_TOLD = 3  # hosts of frames that are named in a note


class Tab:
    """A tab's session, its traffic, its failures; Page opens it and reads it."""

    def __init__(self, engine: Engine, options: PageOptions) -> None:
        self._engine = engine
        self._connection = engine.connection
        self._options = options
        self._changed = threading.Condition()
        self._context = ""
        self._frame = ""
        self._session = ""
        self._sessions: set[str] = set()
        self._loader = ""
        self._world = ("", 0)  # loader and execution context of our isolated world
        self._is_loaded = False
        self._failure: WebtoolError | None = None
        self._hops: deque[tuple[str, str]] = deque()
        self._hop_count = 0
        self.unfinished = ""
        """Why the page is not read as it meant to be in the end; "" where it is."""
        self.is_stuck = False  # it did not answer when its time was over
        self.is_led_on = False  # a script led it to more documents than redirects are followed
        self._traffic = Traffic("", time.monotonic())
        self._frames = Frames("", "")
        self._named_frames = 0
        self._asked_frames = 0
        self._asked_by_scripts = 0
        self._refused_frames: dict[str, str] = {}  # host -> why
        self._clicked: Counter[tuple[str, str]] = Counter()  # of what kind, and what the label says
        self._is_ending = False  # its time is over: where it would be led then, no network is left
        self._is_held = False  # since a click of ours: it leads nowhere, and what a form holds is not sent
        self._held_back = 0  # what was tried all the same

    # Waiting, on the thread that renders.

    def _wait(self, is_done: Callable[[], bool], deadline: float) -> bool:
        """Until is_done() or the deadline, looking after redirects meanwhile. Raises what ends a page early."""
        while True:
            with self._changed:
                if not (self._hops or self._failure or is_done()):
                    self._changed.wait(max(0.0, min(TICK, deadline - time.monotonic())))
                failure = self._failure
            if failure is not None:
                raise failure
            if self._options.is_cancelled is not None and self._options.is_cancelled():
                raise Cancelled("The call was cancelled while the page was loading")
            if self._hops:
                self._check_hop(*self._hops.popleft())
            elif is_done():
                return True
            elif time.monotonic() >= deadline:
                return False

    def _check_hop(self, request: str, url: str) -> None:
        try:
            is_too_far = self._hop_count > self._options.max_redirects
            if self._loader and (is_too_far or self._is_ending):
                # A script leads it on and on, or when its time is over: what the page shows now is taken.
                self._let_stay(request, self._session)
                self.is_led_on = self.is_led_on or is_too_far
                return
            if is_too_far:
                raise self._led_on()
            self._hop_count += 1
            if self._options.check_hop is not None:
                self._options.check_hop(url)
        except WebtoolError:
            self._refuse(request, self._session)
            raise
        self._pass_on(request, url, {}, self._session)

    def _led_on(self) -> NetworkError:
        hint = "Raise WEBTOOL_MAX_REDIRECTS if the page means well."
        url = urls.redact(self._traffic.last_asked)
        return NetworkError(f"More than {self._options.max_redirects} redirects", hint=hint, url=url, retryable=False)

    def _refuse(self, request: str, session: str) -> None:
        self._send("Fetch.failRequest", {"requestId": request, "errorReason": "BlockedByClient"}, session)

    def _let_stay(self, request: str, session: str) -> None:
        """End a navigation as if the server had said "no content" (RFC 9110 section 15.3.5): no error page comes."""
        self._send("Fetch.fulfillRequest", {"requestId": request, "responseCode": 204}, session)

    def _pass_on(self, request: str, url: str, sent: dict[str, Any], session: str) -> None:
        """Let a request go, with the header fields that the user set for its host."""
        more = self._users_fields(url)
        params: dict[str, Any] = {"requestId": request}
        if more:
            names = {name.lower() for name, _ in more}
            fields = [*((name, value) for name, value in sent.items() if name.lower() not in names), *more]
            params["headers"] = [{"name": name, "value": value} for name, value in fields]
        self._send("Fetch.continueRequest", params, session)

    def _users_fields(self, url: str) -> Sequence[tuple[str, str]]:
        try:
            return self._options.headers_for(url) if self._options.headers_for is not None else ()
        except WebtoolError:
            return ()  # blob: and the like, which are no host's

    def _check_frame(self, request: str, url: str, sent: dict[str, Any], session: str) -> None:
        """robots.txt holds for a frame as for the page; asking for it may take a while, so a thread of its own does."""
        try:
            if self._options.check_hop is not None:
                self._options.check_hop(url)
        except WebtoolError as error:
            with self._changed:
                self._refused_frames.setdefault(urls.hostname(url), error.code)
            self._let_stay(request, session)
        else:
            self._pass_on(request, url, sent, session)

    def refused(self) -> Iterator[str]:
        """What was not asked for, in sentences."""
        with self._changed:
            told = [f"{host} ({code})" for host, code in self._refused_frames.items()]
        if told:
            more = f" and {len(told) - _MAX_TOLD} more" if len(told) > _MAX_TOLD else ""
            yield f"frames of other pages were left out: {', '.join(told[:_MAX_TOLD])}{more}"
        if self._asked_frames > MAX_FRAMES:
            yield f"the page has more than {MAX_FRAMES} frames, and the rest was left out"
        if self._asked_by_scripts > MAX_FETCHES:
            yield f"the page's scripts asked for more than {MAX_FETCHES} addresses, and the rest was refused"

    # Commands.

    def _call(self, method: str, params: dict[str, Any] | None, session: str, deadline: float) -> dict[str, Any]:
        return self._result(self._start(method, params, session), deadline)

    def _raw_call(self, method: str, params: dict[str, Any], deadline: float, session: str) -> dict[str, Any]:
        """A call that the page may hold up or spoil: NoAnswer and ProtocolError come through."""
        pending = self._start(method, params, session)
        self._wait(pending.done.is_set, deadline)
        try:
            return pending.result(0.0)
        except BrowserGone:
            raise self._gone() from None

    def _start(self, method: str, params: dict[str, Any] | None, session: str | None = None) -> Pending:
        try:
            return self._connection.start(method, params, self._session if session is None else session, self._wake)
        except BrowserGone:
            raise self._gone() from None

    def _result(self, pending: Pending, deadline: float) -> dict[str, Any]:
        try:
            return pending.result(deadline)
        except BrowserGone:
            raise self._gone() from None
        except NoAnswer:
            raise RenderFailed(f"The browser does not answer ({pending.method})", retryable=True) from None
        except ProtocolError as exc:
            raise RenderFailed(f"The browser refused a command: {exc}") from exc

    def _send(self, method: str, params: dict[str, Any] | None, session: str) -> None:
        try:
            self._connection.send(method, params, session)
        except BrowserGone:
            with self._changed:
                self._failure = self._failure or self._gone()

    def _gone(self) -> RenderFailed:
        message = f"The browser crashed or was ended: {self._engine.describe_end()}"
        return self._failed(message, "Try again: a new browser is started for the next page.", retryable=True)

    def _failed(self, message: str, hint: str | None = None, retryable: bool | None = None) -> RenderFailed:
        url = urls.redact(self._traffic.last_asked) or None
        return RenderFailed(message, hint=hint, url=url, retryable=retryable)

    # Events, on the connection's thread.

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _on_event(self, session: str, method: str, params: dict[str, Any]) -> None:
        with self._changed:
            self._traffic.take(session, method, params, time.monotonic())
            handler = _EVENTS.get(method)
            if handler is not None:
                handler(self, session, params)
            self._changed.notify_all()

    def _on_navigated(self, session: str, params: dict[str, Any]) -> None:
        frame = params.get("frame", {})
        if session == self._session and not frame.get("parentId"):
            self._loader = frame.get("loaderId", "")
            self._is_loaded = False
            if self._is_held:
                self._failure = self._failure or LedAway(_LED_AWAY, retryable=True)
        self._traffic.forget_frame(frame.get("id", ""), time.monotonic(), frame.get("loaderId", ""))

    def _on_load(self, session: str, params: dict[str, Any]) -> None:
        # A navigation that comes to nothing ends the loading without a load event.
        if session == self._session and params.get("frameId", self._frame) == self._frame:
            self._is_loaded = True

    def _on_paused(self, session: str, params: dict[str, Any]) -> None:
        request, kind = params.get("requestId", ""), params.get("resourceType")
        asked = params.get("request", {})
        if self._is_held and self._is_harm(kind, asked, is_main=params.get("frameId") == self._frame):
            self._held_back += 1
            (self._let_stay if kind == "Document" else self._refuse)(request, session)
        elif kind == "Document" and session == self._session and params.get("frameId") == self._frame:
            self._hops.append((request, asked.get("url", "")))
        elif kind == "Document":
            self._on_frame(request, asked, session)
        elif kind in ("XHR", "Fetch") or (kind == "Other" and not is_icon(asked)):
            self._asked_by_scripts += 1
            if self._asked_by_scripts > MAX_FETCHES:
                self._refuse(request, session)
            else:
                self._pass_on(request, asked.get("url", ""), asked.get("headers", {}), session)
        elif kind in STUBS:
            self._send("Fetch.fulfillRequest", {"requestId": request, **STUBS[kind]}, session)
        else:
            self._refuse(request, session)

    def _is_harm(self, kind: str | None, asked: dict[str, Any], *, is_main: bool) -> bool:
        """What may not be asked for after a click: another main document, a change by a form or in the user's name."""
        if kind == "Document" and is_main:
            return True
        if asked.get("method") in _SAFE:
            return False
        return kind == "Document" or bool(self._users_fields(asked.get("url", "")))

    def _on_frame(self, request: str, asked: dict[str, Any], session: str) -> None:
        url, sent = asked.get("url", ""), asked.get("headers", {})
        self._asked_frames += 1
        if self._asked_frames > MAX_FRAMES:
            self._let_stay(request, session)
        elif self._options.check_hop is None or not url.startswith(("http://", "https://")):
            self._pass_on(request, url, sent, session)
        elif not start_thread(partial(self._check_frame, request, url, sent, session)):
            self._let_stay(request, session)

    def _on_frame_detached(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        if params.get("reason") != "swap":  # to another process, where it goes on
            self._frames.detached(params.get("frameId", ""))
            self._traffic.forget_frame(params.get("frameId", ""), time.monotonic())

    def _on_attached(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        child = params.get("sessionId", "")
        kind = params.get("targetInfo", {}).get("type", "")
        if kind not in ("iframe", "worker") or len(self._sessions) >= MAX_SESSIONS:
            return  # it waits for a debugger that never comes: service workers, popups, the thousandth frame
        self._sessions.add(child)
        if kind == "iframe":
            self._frames.session_begins(params["targetInfo"].get("targetId", ""), child)
        else:
            self._traffic.is_fed = True
        self._connection.subscribe(child, self._on_event)
        for method, command in session_commands(kind, self._options):
            self._send(method, command, child)
        self._send("Runtime.runIfWaitingForDebugger", None, child)

    def _on_detached(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        child = params.get("sessionId", "")
        self._sessions.discard(child)
        self._frames.session_ends(child)
        self._connection.unsubscribe(child)
        self._traffic.forget_session(child, time.monotonic())

    def _on_crash(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        if session == self._session and self._failure is None:
            message = "The page crashed the browser's renderer"
            if self._engine.memory.has_killed:
                message = f"The page took more than {MOST >> 20} MB of memory"
            self._failure = self._failed(message, _PLAIN_HINT)

    def _on_gone(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        if self._failure is None:
            self._failure = self._gone()


_EVENTS: dict[str, Callable[[Tab, str, dict[str, Any]], None]] = {
    "Page.frameNavigated": Tab._on_navigated,
    "Page.frameAttached": lambda tab, _, p: tab._frames.attached(p.get("frameId", ""), p.get("parentFrameId", "")),
    "Page.frameDetached": Tab._on_frame_detached,
    "Page.loadEventFired": Tab._on_load,
    "Page.frameStoppedLoading": Tab._on_load,
    # "Leave the page?" is answered with yes, everything else is dismissed.
    "Page.javascriptDialogOpening": lambda tab, session, params: tab._send(
        "Page.handleJavaScriptDialog", {"accept": params.get("type") == "beforeunload"}, session
    ),
    "Fetch.requestPaused": Tab._on_paused,
    # Nobody is there to type a password: the page gets the answer that came with the challenge.
    "Fetch.authRequired": lambda tab, session, params: tab._send(
        "Fetch.continueWithAuth",
        {"requestId": params["requestId"], "authChallengeResponse": {"response": "CancelAuth"}},
        session,
    ),
    "Target.attachedToTarget": Tab._on_attached,
    "Target.detachedFromTarget": Tab._on_detached,
    "Target.targetDestroyed": lambda tab, _, p: tab._traffic.forget_worker(p.get("targetId", ""), time.monotonic()),
    "Inspector.targetCrashed": Tab._on_crash,
    GONE: Tab._on_gone,
}
