"""One page from its URL to its final document. In: an Engine and a URL. Out: what the browser made of it.

Each page has a browser context of its own: no cookie, cache or storage is shared with another. Events come on the
connection's thread and only note things; the thread that renders waits, decides and asks. Every wait has a deadline.
Spec: the DevTools protocol, domains Target, Page, Network, Fetch, Runtime, Emulation, Browser.
"""

from __future__ import annotations

import threading
import time
from collections import deque

from webtool import urls
from webtool.browser import scripts
from webtool.browser.behaviour import PageOptions, Snapshot, is_icon, session_commands
from webtool.browser.cdp import GONE, BrowserGone, NoAnswer, ProtocolError
from webtool.browser.failures import from_net_error, with_url
from webtool.browser.flags import VIEWPORT
from webtool.browser.traffic import MainDocument, Traffic
from webtool.errors import Cancelled, FetchTimeout, FetchTooLarge, InvalidUrl, NetworkError, RenderFailed, WebtoolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from webtool.browser.cdp import Pending
    from webtool.browser.engine import Engine

QUIET_SECONDS = 0.5
TICK = 0.05  # seconds between looks at the clock and at cancellation
COMMAND_WAIT = 10.0  # seconds for what a browser that is well does at once
BUSY_SHARE = 0.6  # of the time for an answer: when it has passed, the page's own scripts are ended
SCROLL_SCREENS = 12
SCROLL_WAIT = 3.0
LAZY_WAIT = 4.0  # seconds that what scrolling set off may take to load
MAX_SESSIONS = 100  # frames and workers of one page that are looked after
MAX_SCREENSHOT_HEIGHT = 16000  # CSS pixels


class Page:
    """A tab of its own; use as a context manager."""

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
        self._traffic = Traffic("", time.monotonic())

    def __enter__(self) -> Page:
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
        self._connection.subscribe(self._session, self._on_event)
        denied = {"behavior": "deny", "browserContextId": self._context}
        self._call("Browser.setDownloadBehavior", denied, "", deadline)
        for pending in [self._start(method, params) for method, params in session_commands("page", self._options)]:
            self._result(pending, deadline)

    def load(self, url: str, deadline: float) -> bool:
        """Go there and wait until it is loaded and quiet, or for the deadline. False where the document is no HTML.

        Raises the error that kept the document away; what hangs after it came is no error.
        """
        self._traffic.last_asked = url
        navigation = self._start("Page.navigate", {"url": url})
        document = self._wait_for_document(navigation, url, deadline)
        if document is not None and not _is_html(document):
            return False
        self._wait(lambda: self._is_settled(QUIET_SECONDS), deadline)
        if self._is_settled(0.0) and deadline - time.monotonic() > QUIET_SECONDS:
            self._scroll(min(deadline, time.monotonic() + LAZY_WAIT))
        self._raise_failed_document()
        return True

    def snapshot(self, deadline: float) -> Snapshot:
        """The document as it stands now. Raises RenderFailed where the browser cannot be made to tell."""
        facts = self._evaluate(f"{scripts.SNAPSHOT}({self._options.max_characters})", deadline)
        document = self._document()
        if "html" not in facts:
            raise _too_large(facts.get("length", 0), self._options.max_characters, facts.get("url", ""))
        doctype = "" if facts["quirks"] else "<!DOCTYPE html>"
        return Snapshot(
            doctype + _well_formed(facts["html"]) if facts["html"] else "",
            facts["url"],
            _well_formed(facts["title"]),
            document.status if document else 0,
            document.content_type if document else facts["type"],
            self._screenshot(deadline) if self._options.screenshot else None,
        )

    def bare_snapshot(self) -> Snapshot:
        """What is known of a main document that is no HTML."""
        document = self._document() or MainDocument(self._traffic.last_asked, 0, "", "")
        return Snapshot("", document.url, "", document.status, document.content_type, None)

    def document(self) -> MainDocument | None:
        """The main document's response, None where none is known."""
        return self._document()

    def close(self) -> None:
        """Close the tab and everything that belongs to it."""
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
        return self._document()

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
            if self._hop_count > self._options.max_redirects:
                hint = "Raise WEBTOOL_MAX_REDIRECTS if the page means well."
                limit = self._options.max_redirects
                raise NetworkError(f"More than {limit} redirects", hint=hint, url=urls.redact(url), retryable=False)
            self._hop_count += 1
            if self._options.check_hop is not None:
                self._options.check_hop(url)
        except WebtoolError:
            self._send("Fetch.failRequest", {"requestId": request, "errorReason": "BlockedByClient"}, self._session)
            raise
        self._send("Fetch.continueRequest", {"requestId": request}, self._session)

    def _is_settled(self, quiet: float) -> bool:
        return bool(self._loader) and self._is_loaded and self._traffic.is_quiet(time.monotonic(), quiet)

    def _scroll(self, deadline: float) -> None:
        try:
            seen = self._evaluate(f"{scripts.SCROLL_DOWN}({SCROLL_SCREENS})", min(deadline, _soon(SCROLL_WAIT)))
        except RenderFailed:
            if not self._engine.is_alive:
                raise
            return  # a page that cannot be scrolled is taken as it stands
        if seen != 1:
            self._wait(lambda: self._is_settled(QUIET_SECONDS), deadline)

    def _evaluate(self, expression: str, deadline: float) -> Any:
        """The value of an expression in an isolated world. A busy page's scripts are ended once to get an answer."""
        is_ended = False
        while True:
            # Enough of the time is kept to ask again once the page's scripts have been ended.
            share = 1.0 if is_ended else BUSY_SHARE
            until = time.monotonic() + max(0.0, deadline - time.monotonic()) * share
            try:
                return self._evaluate_once(expression, until)
            except NoAnswer:
                if is_ended or time.monotonic() >= deadline:
                    raise self._failed("The page's scripts keep the browser busy") from None
                is_ended = True
                self._send("Runtime.terminateExecution", None, self._session)
            except ProtocolError as exc:  # the page moved on while it was asked: ask the new one
                self._world = ("", 0)
                if time.monotonic() + TICK >= deadline:
                    raise self._failed(f"The page could not be read: {exc}") from exc
                self._wait(lambda: False, _soon(TICK))

    def _evaluate_once(self, expression: str, deadline: float) -> Any:
        if self._world[0] != self._loader:
            self._world = ("", 0)
            loader, where = self._loader, {"frameId": self._frame, "worldName": "webtool"}
            world = self._raw_call("Page.createIsolatedWorld", where, deadline)
            self._world = (loader, world["executionContextId"])
        params = {
            "expression": expression,
            "contextId": self._world[1],
            "returnByValue": True,
            "awaitPromise": True,
        }
        answer = self._raw_call("Runtime.evaluate", params, deadline)
        if "exceptionDetails" in answer:
            raise ProtocolError(str(answer["exceptionDetails"].get("text", "a script failed")))
        return answer["result"].get("value")

    def _screenshot(self, deadline: float) -> bytes:
        import binascii

        size = self._call("Page.getLayoutMetrics", None, self._session, deadline).get("cssContentSize", {})
        width, height = (max(1, int(size.get(name, 0) or least)) for name, least in zip(("width", "height"), VIEWPORT))
        clip = {"x": 0, "y": 0, "width": min(width, 4 * VIEWPORT[0]), "height": min(height, MAX_SCREENSHOT_HEIGHT)}
        params = {"format": "png", "captureBeyondViewport": True, "clip": {**clip, "scale": 1}}
        return binascii.a2b_base64(self._call("Page.captureScreenshot", params, self._session, deadline)["data"])

    # What became of the main document.

    def _document(self) -> MainDocument | None:
        return self._traffic.document(self._loader) or (self._traffic.latest() if not self._loader else None)

    def _raise_failed_document(self) -> None:
        """A script may have led the page to where nothing could be loaded from."""
        failure = self._traffic.failure(self._loader)
        if failure and self._document() is None:
            raise self._load_error(failure)

    def _load_error(self, text: str) -> WebtoolError:
        shown = urls.redact(self._traffic.last_asked)
        try:
            url = urls.parse(self._traffic.last_asked)
            refusal = self._engine.proxy.refusal((url.host or "").strip("[]"), url.effective_port)
        except InvalidUrl:
            refusal = None
        return with_url(refusal, shown) if refusal is not None else from_net_error(text, shown)

    # Commands.

    def _call(self, method: str, params: dict[str, Any] | None, session: str, deadline: float) -> dict[str, Any]:
        pending = self._start(method, params, session)
        return self._result(pending, deadline)

    def _raw_call(self, method: str, params: dict[str, Any], deadline: float) -> dict[str, Any]:
        """A call that the page may hold up or spoil: NoAnswer and ProtocolError come through."""
        pending = self._start(method, params)
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
        self._traffic.last_change = time.monotonic()

    def _on_load(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        if session == self._session:
            self._is_loaded = True

    def _on_dialog(self, session: str, params: dict[str, Any]) -> None:
        # "Leave the page?" is answered with yes, everything else is dismissed.
        self._send("Page.handleJavaScriptDialog", {"accept": params.get("type") == "beforeunload"}, session)

    def _on_paused(self, session: str, params: dict[str, Any]) -> None:
        request, kind = params.get("requestId", ""), params.get("resourceType")
        asked = params.get("request", {})
        if kind == "Document" and session == self._session and params.get("frameId") == self._frame:
            self._hops.append((request, asked.get("url", "")))
        elif kind == "Document" or (kind == "Other" and not is_icon(asked)):
            self._send("Fetch.continueRequest", {"requestId": request}, session)
        else:
            self._send("Fetch.failRequest", {"requestId": request, "errorReason": "BlockedByClient"}, session)

    def _on_attached(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        child = params.get("sessionId", "")
        kind = params.get("targetInfo", {}).get("type", "")
        if kind not in ("iframe", "worker") or len(self._sessions) >= MAX_SESSIONS:
            return  # it waits for a debugger that never comes: service workers, popups, the thousandth frame
        self._sessions.add(child)
        self._connection.subscribe(child, self._on_event)
        for method, command in session_commands(kind, self._options):
            self._send(method, command, child)
        self._send("Runtime.runIfWaitingForDebugger", None, child)

    def _on_detached(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        child = params.get("sessionId", "")
        self._sessions.discard(child)
        self._connection.unsubscribe(child)
        self._traffic.forget_session(child, time.monotonic())

    def _on_crash(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        if session == self._session and self._failure is None:
            hint = "It may need more memory than there is; a plain fetch of the page may do."
            self._failure = self._failed("The page crashed the browser's renderer", hint)

    def _on_gone(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        if self._failure is None:
            self._failure = self._gone()


_EVENTS = {
    "Page.frameNavigated": Page._on_navigated,
    "Page.loadEventFired": Page._on_load,
    "Page.javascriptDialogOpening": Page._on_dialog,
    "Fetch.requestPaused": Page._on_paused,
    "Target.attachedToTarget": Page._on_attached,
    "Target.detachedFromTarget": Page._on_detached,
    "Inspector.targetCrashed": Page._on_crash,
    GONE: Page._on_gone,
}


def _is_html(document: MainDocument) -> bool:
    return document.media_type in ("text/html", "application/xhtml+xml")


def _soon(seconds: float) -> float:
    return time.monotonic() + seconds


def _too_large(length: int, limit: int, url: str) -> WebtoolError:
    message = f"The rendered page has {length} characters, more than {limit} bytes"
    return FetchTooLarge(message, hint="Raise WEBTOOL_MAX_BYTES.", url=urls.redact(url))


def _well_formed(text: str) -> str:
    """Scripts can leave half a surrogate pair, which no encoding takes: U+FFFD stands for it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
