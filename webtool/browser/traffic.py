"""What a page's requests are doing. In: Network events. Out: is it quiet, and how did the main document fare.

No I/O and no clock: times are given. Spec: the DevTools protocol's Network domain. Everything kept has a bound.
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

MAX_IN_FLIGHT = 5000  # requests counted at a time; a page with more is not going to be quiet soon
MAX_DOCUMENTS = 50
_MAX_URL = 2000  # characters kept of one: enough for its host

# Connections that stay open by design, and reports that no page waits for.
_UNCOUNTED = frozenset(("EventSource", "WebSocket", "Ping", "CSPViolationReport", "Prefetch", "Manifest"))


class MainDocument(NamedTuple):
    """A main document's response. Content-Type is as sent, or the browser's own reading where none was."""

    url: str
    status: int
    content_type: str
    media_type: str
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()


class _Asked(NamedTuple):
    """A request that has not ended."""

    session: str
    frame: str
    loader: str
    url: str


class Traffic:
    """The requests of one page and its frames; `main_frame` is the protocol's frame id."""

    def __init__(self, main_frame: str, now: float) -> None:
        self._main_frame = main_frame
        # A worker's script begins in one session and ends in another, so requests are known by their ids.
        self._in_flight: dict[str, _Asked] = {}
        self._documents: dict[str, MainDocument] = {}
        self._failures: dict[str, str] = {}
        self._frame_statuses: dict[str, int] = {}
        self._asked: dict[str, str] = {}
        self.count = 0  # of requests
        self.is_fed = False  # by a socket or a worker, which send when they like
        self.last_change = now
        self.last_asked = ""  # URL of the newest request for a main document on the web

    def is_quiet(self, now: float, seconds: float) -> bool:
        """No request is under way and none was for that long."""
        return not self._in_flight and now - self.last_change >= seconds

    def under_way(self) -> set[str]:
        """URLs of the requests that have not ended, the main document's left out."""
        return {one.url for one in self._in_flight.values() if one.url != self.last_asked}

    def document(self, loader: str) -> MainDocument | None:
        """The response of the main document that this loader id stands for."""
        return self._documents.get(loader)

    def failure(self, loader: str) -> str:
        """The net error of that main document, "" where there is none."""
        return self._failures.get(loader, "")

    def is_refusal(self, frame: str) -> bool:
        """Whether a frame shows what a server says in the place of a document (status 400 and above)."""
        return self._frame_statuses.get(frame, 0) >= 400

    def latest(self) -> MainDocument | None:
        """The newest main document's response, committed or not."""
        return next(reversed(self._documents.values())) if self._documents else None

    def take(self, session: str, method: str, params: dict[str, Any], now: float) -> None:
        """Note one Network event; others are passed over."""
        handler = _EVENTS.get(method)
        if handler is not None:
            handler(self, session, params)
            self.last_change = now

    def forget_session(self, session: str, now: float) -> None:
        """A frame or worker is gone and its requests with it."""
        self._forget(lambda one: one.session == session, now)

    def forget_frame(self, frame: str, now: float, loader: str = "") -> None:
        """A frame is gone, or shows the document of this loader id: nobody tells how what it had asked for ends."""
        self._forget(lambda one: one.frame == frame and one.loader != loader, now)

    def forget_worker(self, target: str, now: float) -> None:
        """A worker is gone, whose own script is asked for under its target id."""
        if self._in_flight.pop(target, None) is not None:
            self.last_change = now

    def _forget(self, is_over: Callable[[_Asked], bool], now: float) -> None:
        self._in_flight = {request: one for request, one in self._in_flight.items() if not is_over(one)}
        self.last_change = now

    def _asks(self, session: str, params: dict[str, Any]) -> None:
        request = params.get("requestId", "")
        self.count += 1
        self.is_fed = self.is_fed or params.get("type") == "EventSource"
        if params.get("type") not in _UNCOUNTED and len(self._in_flight) < MAX_IN_FLIGHT:
            url = str(params.get("request", {}).get("url", ""))[:_MAX_URL]
            self._in_flight[request] = _Asked(session, params.get("frameId", ""), params.get("loaderId", ""), url)
        if self._is_main(params):
            url = str(params.get("request", {}).get("url", ""))
            if url.startswith(("http://", "https://")):  # blob: is what a page made itself
                self.last_asked = url
            _put(self._asked, request, url)

    def _feeds(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        self.is_fed = True

    def _answers(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002 (one signature for the table)
        if self._is_main(params):
            _put(self._documents, params.get("loaderId", ""), _main_document(params.get("response", {})))
        elif params.get("type") == "Document":
            _put(self._frame_statuses, params.get("frameId", ""), int(params.get("response", {}).get("status", 0)))

    def _ends(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        self._in_flight.pop(params.get("requestId", ""), None)

    def _fails(self, session: str, params: dict[str, Any]) -> None:
        self._ends(session, params)
        request = params.get("requestId", "")
        if request in self._asked:
            _put(self._failures, request, params.get("errorText", ""))

    def _is_main(self, params: dict[str, Any]) -> bool:
        return params.get("type") == "Document" and params.get("frameId") == self._main_frame


def _main_document(response: dict[str, Any]) -> MainDocument:
    headers = tuple((name, str(value)) for name, value in response.get("headers", {}).items())
    sent = next((value for name, value in headers if name.lower() == "content-type"), "")
    media_type = response.get("mimeType", "").lower()
    return MainDocument(
        response.get("url", ""),
        int(response.get("status", 0)),
        sent or media_type,
        media_type,
        response.get("statusText", ""),
        headers,
    )


def _put(table: dict[str, Any], key: str, value: object) -> None:
    table.pop(key, None)
    table[key] = value
    if len(table) > MAX_DOCUMENTS:
        del table[next(iter(table))]


_EVENTS = {
    "Network.webSocketCreated": Traffic._feeds,
    "Network.requestWillBeSent": Traffic._asks,
    "Network.responseReceived": Traffic._answers,
    "Network.loadingFinished": Traffic._ends,
    "Network.loadingFailed": Traffic._fails,
}
