"""Drive one browser tab over the DevTools protocol. In: commands and protocol events. Out: answers, the tab's state.

Two threads meet here. The connection's thread delivers events: `_on_*` methods record them and answer paused requests.
The rendering thread sends commands, waits, and checks each redirect, which may take a network request. Short threads
of their own check the addresses of frames (_check_frame). All of them may call _send(). `_changed` guards what they
share. Every wait has a deadline. Spec: domains Target, Page, Fetch, Runtime and Inspector.

Words used here: a session is the protocol's address of a page, frame or worker. A loader is the id of one load of a
document. A hop is a request for a main document: the first one, a redirect, or a navigation by a script. The page is
held after a click of ours: from then on it may not navigate, and forms may not send.

Tests: tests/browser/test_render.py
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from functools import partial

from webtool import urls
from webtool.browser.behaviour import STUBS, PageOptions, is_icon, session_commands
from webtool.browser.cdp import GONE, BrowserGone, NoAnswer, Pending, ProtocolError
from webtool.browser.frames import MAX_FRAMES, Frames
from webtool.browser.memory import MAX_PROCESS_MEMORY
from webtool.browser.traffic import ClickNavigatedAway, Traffic
from webtool.errors import Cancelled, NetworkError, RenderFailed, WebtoolError, of_bug
from webtool.lean.typing import Any
from webtool.running.threads import start_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.browser.engine import Engine

TICK = 0.05  # seconds between two checks of the clock and of cancellation
MAX_SESSIONS = 100  # frames and workers of one page that may run; further ones stay paused
MAX_FETCHES = 1000  # requests by a page's scripts; further ones are refused
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")  # RFC 9110 section 9.2.1


class Tab:
    """The state of a tab, and its commands and event handlers. Reader, Clicker and Page build on it."""

    def __init__(self, engine: Engine, options: PageOptions) -> None:
        self._engine = engine
        self._connection = engine.connection
        self._options = options
        self._changed = threading.Condition()
        self._failure: WebtoolError | None = None  # set by events, raised by the next _wait()
        self._traffic = Traffic("", time.monotonic())
        # The page and its frames, set by Page.open().
        self._frame = ""  # id of the main frame
        self._session = ""  # the page's session
        self._sessions: set[str] = set()  # the sessions of frames and workers
        self._frames = Frames("", "")
        # The main document.
        self._loader = ""  # "" before the first document has come
        self._is_loaded = False
        self._hops: deque[tuple[str, str, dict[str, Any]]] = deque()  # request id, URL, header fields: not checked yet
        self._hop_count = 0  # hops that were checked
        self.has_too_many_documents = False  # scripts led the page to more documents than max_redirects
        self._is_ending = False  # the page's time is over and its network off: further hops are ended
        # Counts of requests, and what was refused.
        self._frame_requests = 0
        self._script_requests = 0
        self._refused_frames: dict[str, str] = {}  # host -> error code of the refusal
        # Clicks of ours.
        self._clicked: Counter[tuple[str, str]] = Counter()  # (task, label) -> clicks
        self._is_held = False  # a control was clicked: the page may not navigate or send forms any more
        self._held_back = 0  # requests that were refused because the page is held

    # Waiting, on the rendering thread.

    def _wait(self, is_done: Callable[[], bool], deadline: float) -> bool:
        """Wait until is_done() (True) or the deadline (False), and check hops meanwhile.

        Queued hops come first; those still queued at the deadline wait for the next call. is_done() is asked under
        _changed. Raises the tab's failure, the error of a refused hop, or Cancelled.
        """
        while True:
            with self._changed:
                if not (self._hops or self._failure or is_done()):
                    self._changed.wait(max(0.0, min(TICK, deadline - time.monotonic())))
                failure, has_ended = self._failure, not self._hops and is_done()
            if failure is not None:
                raise failure
            if self._options.is_cancelled is not None and self._options.is_cancelled():
                raise Cancelled("The call was cancelled while the page was loading")
            if self._hops:
                self._check_hop(*self._hops.popleft())
            elif has_ended:
                return True
            if time.monotonic() >= deadline:
                with self._changed:
                    return is_done()

    def _check_hop(self, request: str, url: str, headers: dict[str, Any]) -> None:
        """Let a paused main request go if it may be fetched. Raises what refuses it, after failing the request."""
        try:
            has_too_many_hops = self._hop_count > self._options.max_redirects
            if self._loader and (has_too_many_hops or self._is_ending or self._is_held):
                # A script leads away from a document that is shown: after too many hops, after the page's time, or by a
                # hop that was queued just before a click of ours. End this navigation and keep the document.
                self._end_navigation(request, self._session)
                self.has_too_many_documents = self.has_too_many_documents or has_too_many_hops
                return
            if has_too_many_hops:
                raise self._redirect_error()
            self._hop_count += 1
            if self._options.check_hop is not None:
                self._options.check_hop(url)
            self._pass_on(request, url, headers, self._session)
        except Exception:
            self._refuse(request, self._session)
            raise

    def _redirect_error(self) -> NetworkError:
        hint = "Raise WEBTOOL_MAX_REDIRECTS if the page means well."
        url = urls.redact(self._traffic.last_asked)
        return NetworkError(f"More than {self._options.max_redirects} redirects", hint=hint, url=url, retryable=False)

    def _refuse(self, request: str, session: str) -> None:
        self._send("Fetch.failRequest", {"requestId": request, "errorReason": "BlockedByClient"}, session)

    def _end_navigation(self, request: str, session: str) -> None:
        """End a navigation by a 204 response (RFC 9110 section 15.3.5): the document stays, without an error page."""
        self._send("Fetch.fulfillRequest", {"requestId": request, "responseCode": 204}, session)

    def _pass_on(self, request: str, url: str, headers: dict[str, Any], session: str) -> None:
        """Let a paused request go. Header fields that the user set for its host replace those of the browser."""
        user_fields = self._user_fields(url)
        params: dict[str, Any] = {"requestId": request}
        if user_fields:
            names = {name.lower() for name, _ in user_fields}
            browser_fields = [(name, value) for name, value in headers.items() if name.lower() not in names]
            params["headers"] = [{"name": name, "value": value} for name, value in [*browser_fields, *user_fields]]
        self._send("Fetch.continueRequest", params, session)

    def _user_fields(self, url: str) -> Sequence[tuple[str, str]]:
        """Return the header fields that the user set for the URL's host."""
        try:
            return self._options.headers_for(url) if self._options.headers_for is not None else ()
        except WebtoolError:
            return ()  # blob: and other URLs without a host

    def _check_frame(self, request: str, url: str, headers: dict[str, Any], session: str) -> None:
        """Let a frame's document be fetched if robots.txt allows it, else leave it empty. Runs on its own thread."""
        try:
            if self._options.check_hop is not None:
                self._options.check_hop(url)
            self._pass_on(request, url, headers, session)
        except Exception as exc:  # whatever it is: a paused request would keep the page from loading
            error = exc if isinstance(exc, WebtoolError) else of_bug(exc)
            self._end_navigation(request, session)
            with self._changed:
                self._refused_frames.setdefault(urls.hostname(url), error.code)

    # Commands, on the rendering thread; _send on any. All raise RenderFailed if the browser is gone, except _send.

    def _call(self, method: str, params: dict[str, Any] | None, session: str, deadline: float) -> dict[str, Any]:
        """Send a command that the browser answers at once, whatever the page does, and return its result.

        It takes so little time that hops and cancellation are not looked at meanwhile. Raises RenderFailed if the
        browser refuses the command or is late.
        """
        return self._result(self._start(method, params, session), deadline)

    def _start(self, method: str, params: dict[str, Any] | None, session: str | None = None) -> Pending:
        """Send a command, by default to the page's session, and return the pending answer."""
        try:
            return self._connection.start(method, params, self._session if session is None else session, self._wake)
        except BrowserGone:
            raise self._browser_gone() from None

    def _result(self, pending: Pending, deadline: float) -> dict[str, Any]:
        try:
            return pending.result(deadline)
        except BrowserGone:
            raise self._browser_gone() from None
        except NoAnswer:
            raise RenderFailed(f"The browser does not answer ({pending.method})", retryable=True) from None
        except ProtocolError as exc:
            raise RenderFailed(f"The browser refused a command: {exc}") from exc

    def _send(self, method: str, params: dict[str, Any] | None, session: str) -> None:
        """Send a command without waiting for its answer, from any thread. A lost browser is noted as the failure."""
        try:
            self._connection.send(method, params, session)
        except BrowserGone:
            self._fail(self._browser_gone())

    def _fail(self, failure: WebtoolError) -> None:
        """Let the next _wait() raise this failure, or an earlier one."""
        with self._changed:
            self._failure = self._failure or failure

    def _browser_gone(self) -> RenderFailed:
        hint = "Try again: a new browser is started for the next page."
        return self._failed(f"The browser crashed or was ended: {self._engine.describe_end()}", hint, retryable=True)

    def _failed(self, message: str, hint: str | None = None, retryable: bool | None = None) -> RenderFailed:
        url = urls.redact(self._traffic.last_asked) or None
        return RenderFailed(message, hint=hint, url=url, retryable=retryable)

    # Events, on the connection's thread. _on_event() holds _changed while a handler runs, so no handler may wait.

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
                self._fail(ClickNavigatedAway("A click led the page away", retryable=True))
        self._traffic.forget_frame(frame.get("id", ""), time.monotonic(), frame.get("loaderId", ""))

    def _on_load(self, session: str, params: dict[str, Any]) -> None:
        """Note that the page has loaded: its load event (without frameId), or its main frame stopped (it failed)."""
        if session == self._session and params.get("frameId", self._frame) == self._frame:
            self._is_loaded = True

    def _on_paused(self, session: str, params: dict[str, Any]) -> None:
        """Decide on a request that the browser has paused. session_commands() says which kinds it pauses.

        harmful (_is_harmful)     refused, while the page is held
        the main document         queued as a hop
        documents of frames       see _on_frame_request
        XHR, Fetch, Other         passed on, up to MAX_FETCHES; icons are refused
        images, fonts             answered by a stub
        media, pings              refused
        """
        request_id, kind = params.get("requestId", ""), params.get("resourceType")
        request = params.get("request", {})
        is_main_frame = params.get("frameId") == self._frame
        if self._is_held and self._is_harmful(kind, request, is_main_frame=is_main_frame):
            self._held_back += 1
            end_request = self._end_navigation if kind == "Document" else self._refuse
            end_request(request_id, session)
        elif kind == "Document" and session == self._session and is_main_frame:
            self._hops.append((request_id, request.get("url", ""), request.get("headers", {})))
        elif kind == "Document":
            self._on_frame_request(request_id, request, session, is_redirect="redirectedRequestId" in params)
        elif kind in ("XHR", "Fetch") or (kind == "Other" and not is_icon(request)):
            self._script_requests += 1
            if self._script_requests > MAX_FETCHES:
                self._refuse(request_id, session)
            else:
                self._pass_on(request_id, request.get("url", ""), request.get("headers", {}), session)
        elif kind in STUBS:
            self._send("Fetch.fulfillRequest", {"requestId": request_id, **STUBS[kind]}, session)
        else:
            self._refuse(request_id, session)

    def _is_harmful(self, kind: str | None, request: dict[str, Any], *, is_main_frame: bool) -> bool:
        """Return whether a request is forbidden after a click of ours.

        Forbidden are a new main document, and unsafe methods (POST ...) by a form or with the user's header fields.
        """
        if kind == "Document" and is_main_frame:
            return True
        if request.get("method") in _SAFE_METHODS:
            return False
        return kind == "Document" or bool(self._user_fields(request.get("url", "")))

    def _on_frame_request(self, request_id: str, request: dict[str, Any], session: str, *, is_redirect: bool) -> None:
        """Pass on a frame's request for its document, if the frame is among the first MAX_FRAMES and may be fetched.

        A redirect continues the request of a frame that was passed on, so it does not count.
        """
        url, headers = request.get("url", ""), request.get("headers", {})
        self._frame_requests += not is_redirect
        if self._frame_requests > MAX_FRAMES and not is_redirect:
            self._end_navigation(request_id, session)
        elif self._options.check_hop is None or not url.startswith(("http://", "https://")):
            self._pass_on(request_id, url, headers, session)
        elif not start_thread(partial(self._check_frame, request_id, url, headers, session)):
            self._end_navigation(request_id, session)

    def _on_frame_detached(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        if params.get("reason") != "swap":  # "swap": the frame moves to another process and lives on
            self._frames.detached(params.get("frameId", ""))
            self._traffic.forget_frame(params.get("frameId", ""), time.monotonic())

    def _on_attached(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        """Set up the session of a new frame or worker, then let it run."""
        child = params.get("sessionId", "")
        kind = params.get("targetInfo", {}).get("type", "")
        if kind not in ("iframe", "worker") or len(self._sessions) >= MAX_SESSIONS:
            return  # the browser has paused it, and nobody lets it run: a service worker, a popup, one beyond the limit
        self._sessions.add(child)
        if kind == "iframe":
            self._frames.session_begins(params["targetInfo"].get("targetId", ""), child)
        else:
            self._traffic.has_live_source = True  # not all requests of a worker are reported
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
        if session == self._session:
            message = "The page crashed the browser's renderer"
            if self._engine.memory.has_killed:
                message = f"The page took more than {MAX_PROCESS_MEMORY >> 20} MB of memory"
            self._fail(self._failed(message, "It may need more memory than there is; a plain fetch may do."))


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
    GONE: lambda tab, _session, _params: tab._fail(tab._browser_gone()),
}
