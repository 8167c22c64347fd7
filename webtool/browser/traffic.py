"""Follow the requests of one page. In: Network events and their times. Out: whether the network is quiet, the main
document's response, and errors of the project for Chromium's ("net::ERR_...", its net/base/net_error_list.h).

Pure: callers pass the time (seconds of any one clock). A request is in flight until it has finished or failed. A
loader id names one load of a document. All tables have a size limit. Spec: the DevTools protocol, domain Network.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from webtool.errors import FetchTimeout, InvalidUrl, NetworkError, RenderFailed, SsrfBlocked, TlsError, WebtoolError
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

MAX_IN_FLIGHT = 5000  # requests that are followed at a time; further ones are ignored
MAX_DOCUMENTS = 50  # rows of each table; the oldest is dropped
_MAX_URL = 2000  # characters; the rest of a URL is cut off, as callers show only its host

# Request types that never delay a page: connections that stay open by design, and reports.
_UNCOUNTED = frozenset(("EventSource", "WebSocket", "Ping", "CSPViolationReport", "Prefetch", "Manifest"))

# (prefixes of net error names, error class, message); the first row with a matching prefix is used.
_BY_PREFIX: tuple[tuple[tuple[str, ...], type[WebtoolError], str], ...] = (
    (("ERR_CERT_",), TlsError, "The server's certificate was refused: {}"),
    (("ERR_SSL_", "ERR_BAD_SSL_", "ERR_TLS_"), TlsError, "The TLS handshake failed: {}"),
    (("ERR_TIMED_OUT", "ERR_CONNECTION_TIMED_OUT"), FetchTimeout, "The server did not answer in time: {}"),
    (("ERR_UNSAFE_PORT",), SsrfBlocked, "The port is not one for web pages: {}"),
    (("ERR_INVALID_URL",), InvalidUrl, "The browser takes this for no URL: {}"),
    (("ERR_UNKNOWN_URL_SCHEME", "ERR_DISALLOWED_URL_SCHEME"), InvalidUrl, "The page led to no http(s) address: {}"),
    (("ERR_BLOCKED_BY_",), RenderFailed, "The browser refused the page: {}"),
    (("ERR_INSUFFICIENT_RESOURCES",), RenderFailed, "The browser ran out of memory or descriptors: {}"),
    (("ERR_OUT_OF_MEMORY",), RenderFailed, "The browser ran out of memory: {}"),
    (("ERR_TOO_MANY_REDIRECTS",), NetworkError, "Too many redirects: {}"),
    (("",), NetworkError, "The browser could not load the page: {}"),
)
_PERMANENT = ("ERR_TOO_MANY_REDIRECTS", "ERR_INVALID_RESPONSE", "ERR_INVALID_HTTP_RESPONSE")


class MainDocument(NamedTuple):
    """A main document's response. `content_type` is as sent; `media_type` is the browser's own guess."""

    url: str
    status: int
    content_type: str
    media_type: str
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()


class _Request(NamedTuple):
    """A request in flight."""

    session: str
    frame: str
    loader: str
    url: str


class Traffic:
    """The requests of one page and its frames; `main_frame` is the protocol's frame id."""

    def __init__(self, main_frame: str, now: float) -> None:
        self._main_frame = main_frame
        # A worker's script begins in one session and ends in another, so requests are known by their ids.
        self._in_flight: dict[str, _Request] = {}  # request id -> request
        self._documents: dict[str, MainDocument] = {}  # loader id -> response
        self._failures: dict[str, str] = {}  # loader id, which is the main document's request id -> net error
        self._frame_statuses: dict[str, int] = {}  # frame id -> HTTP status
        self._main_requests: dict[str, str] = {}  # request id of a main document -> URL
        self.count = 0  # requests so far
        # A socket, an event stream or a worker (noted by the tab) may bring data at any time.
        self.has_live_source = False
        self.last_change = now
        self.last_asked = ""  # URL of the newest request for a main document on the web

    def is_quiet(self, now: float, seconds: float) -> bool:
        """Return whether no request is in flight and nothing changed for `seconds`."""
        return not self._in_flight and now - self.last_change >= seconds

    def under_way(self) -> set[str]:
        """Return the URLs of the requests in flight, without the main document's."""
        return {request.url for request in self._in_flight.values() if request.url != self.last_asked}

    def document(self, loader: str) -> MainDocument | None:
        """Return the response of the main document with this loader id, or None."""
        return self._documents.get(loader)

    def failure(self, loader: str) -> str:
        """Return the net error of the main document with this loader id, or ""."""
        return self._failures.get(loader, "")

    def is_refusal(self, frame: str) -> bool:
        """Return whether a frame shows an error page of its server (status 400 and above)."""
        return self._frame_statuses.get(frame, 0) >= 400

    def latest(self) -> MainDocument | None:
        """Return the newest main document's response, even if the page does not show it yet."""
        documents = list(self._documents.values())  # a copy: another thread may add one meanwhile
        return documents[-1] if documents else None

    def take(self, session: str, method: str, params: dict[str, Any], now: float) -> None:
        """Note one Network event. Other events are ignored."""
        handler = _EVENTS.get(method)
        if handler is not None:
            handler(self, session, params)
            self.last_change = now

    def forget_session(self, session: str, now: float) -> None:
        """Drop the requests of a frame or worker that has ended."""
        self._forget(lambda request: request.session == session, now)

    def forget_frame(self, frame: str, now: float, loader: str = "") -> None:
        """Drop the requests of a frame that was removed, or that now shows the document `loader`.

        The browser reports no end for requests of its earlier documents.
        """
        self._forget(lambda request: request.frame == frame and request.loader != loader, now)

    def forget_worker(self, target: str, now: float) -> None:
        """Drop the request for the script of a worker that has ended. Its request id is the worker's target id."""
        if self._in_flight.pop(target, None) is not None:
            self.last_change = now

    def _forget(self, is_over: Callable[[_Request], bool], now: float) -> None:
        in_flight = self._in_flight.items()
        self._in_flight = {request_id: request for request_id, request in in_flight if not is_over(request)}
        self.last_change = now

    def _on_request(self, session: str, params: dict[str, Any]) -> None:
        request = params.get("requestId", "")
        self.count += 1
        self.has_live_source = self.has_live_source or params.get("type") == "EventSource"
        if params.get("type") not in _UNCOUNTED and len(self._in_flight) < MAX_IN_FLIGHT:
            url = str(params.get("request", {}).get("url", ""))[:_MAX_URL]
            self._in_flight[request] = _Request(session, params.get("frameId", ""), params.get("loaderId", ""), url)
        if self._is_main(params):
            url = str(params.get("request", {}).get("url", ""))
            if url.startswith(("http://", "https://")):  # not blob:, which a page makes itself
                self.last_asked = url
            _put(self._main_requests, request, url)

    def _on_socket(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        self.has_live_source = True

    def _on_response(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002 (one signature for the table)
        if self._is_main(params):
            _put(self._documents, params.get("loaderId", ""), _main_document(params.get("response", {})))
        elif params.get("type") == "Document":
            _put(self._frame_statuses, params.get("frameId", ""), int(params.get("response", {}).get("status", 0)))

    def _on_end(self, session: str, params: dict[str, Any]) -> None:  # noqa: ARG002
        self._in_flight.pop(params.get("requestId", ""), None)

    def _on_failure(self, session: str, params: dict[str, Any]) -> None:
        self._on_end(session, params)
        request = params.get("requestId", "")
        if request in self._main_requests:
            _put(self._failures, request, params.get("errorText", ""))

    def _is_main(self, params: dict[str, Any]) -> bool:
        return params.get("type") == "Document" and params.get("frameId") == self._main_frame


def _main_document(response: dict[str, Any]) -> MainDocument:
    headers = tuple((name, str(value)) for name, value in response.get("headers", {}).items())
    sent = next((value for name, value in headers if name.lower() == "content-type"), "")
    media_type = response.get("mimeType", "").lower()
    return MainDocument(
        url=response.get("url", ""),
        status=int(response.get("status", 0)),
        content_type=sent or media_type,
        media_type=media_type,
        reason=response.get("statusText", ""),
        headers=headers,
    )


def _put(table: dict[str, Any], key: str, value: object) -> None:
    """Set table[key] as its newest row, and drop the oldest row beyond MAX_DOCUMENTS."""
    table.pop(key, None)
    table[key] = value
    if len(table) > MAX_DOCUMENTS:
        del table[next(iter(table))]


_EVENTS = {
    "Network.webSocketCreated": Traffic._on_socket,
    "Network.requestWillBeSent": Traffic._on_request,
    "Network.responseReceived": Traffic._on_response,
    "Network.loadingFinished": Traffic._on_end,
    "Network.loadingFailed": Traffic._on_failure,
}


class ClickNavigatedAway(RenderFailed):
    """A click of ours made the page navigate. The page is then opened again without clicks."""


def from_net_error(text: str, url: str) -> WebtoolError:
    """Return the error for a net error name: a NetworkError for "net::ERR_CONNECTION_REFUSED"."""
    name = text.rpartition("::")[2] or "ERR_FAILED"
    _, kind, message = next(row for row in _BY_PREFIX if name.startswith(row[0]))
    return kind(message.format(name), url=url, retryable=False if name in _PERMANENT else None)


def with_url(error: WebtoolError, url: str) -> WebtoolError:
    """Return a copy of an error that names this URL. A copy, so that no error object is raised in two threads."""
    fresh = copy(error)
    fresh.url = url
    return fresh
