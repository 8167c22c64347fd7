"""Who wants to know when stored pages change. In: requests to listen or subscribe. Out: notifications.

The stateless family opens a stream with `subscriptions/listen`, which is answered when the server ends it; the
handshake family names single pages with `resources/subscribe`. What changes is the cache; the lists of tools and
prompts never do, so nobody is promised word of them. A thread looks at the file while somebody listens, and only then.
"""

from __future__ import annotations

import threading

from webtool.lean.records import NamedTuple
from webtool.mcp.protocol import INTERNAL_ERROR, INVALID_PARAMS, META_SUBSCRIPTION, RpcError
from webtool.mcp.resources import hash_of
from webtool.running.threads import start_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webtool.context import Context
    from webtool.mcp.messages import Call
    from webtool.mcp.watching import Change, Watch

MAX_STREAMS = 200
MAX_URIS = 1000
"""Pages that one stream may name."""
SECONDS = 0.5
"""Between two looks at the cache file."""


class Stream(NamedTuple):
    """One who listens."""

    call: Call
    uris: frozenset[str]
    wants_list: bool
    is_tagged: bool
    """Whether notifications name the request that asked for them."""


class Subscriptions:
    """All streams of one server; thread-safe."""

    def __init__(self) -> None:
        self._streams: list[Stream] = []
        self._watch: Watch | None = None
        self._is_looking = False
        self._lock = threading.Lock()

    def listen(self, call: Call, ctx: Context) -> None:
        """Open a stream and acknowledge it with what it will carry. Raises RpcError."""
        wanted = call.message.params.get("notifications")
        if not isinstance(wanted, dict):
            raise RpcError(INVALID_PARAMS, "notifications is an object")
        uris = _checked_uris(wanted.get("resourceSubscriptions", []))
        stream = Stream(call, frozenset(uris), wanted.get("resourcesListChanged") is True, is_tagged=True)
        if ctx.cache is None:
            stream = stream._replace(uris=frozenset(), wants_list=False)
        honoured: dict[str, object] = {"resourcesListChanged": True} if stream.wants_list else {}
        if stream.uris:
            honoured["resourceSubscriptions"] = [uri for uri in uris if uri in stream.uris]
        params = {"_meta": _tag(call), "notifications": honoured}
        self._add(stream, ctx, lambda: call.notify("notifications/subscriptions/acknowledged", params))

    def subscribe(self, call: Call, ctx: Context) -> None:
        """Tell of one page from now on, without being asked for each time. Raises RpcError."""
        uri = str(call.message.params["uri"])
        self.unsubscribe(uri)
        self._add(Stream(call, frozenset((uri,)), wants_list=False, is_tagged=False), ctx, lambda: None)

    def unsubscribe(self, uri: str) -> None:
        """Tell of this page no more."""
        with self._lock:
            self._streams = [one for one in self._streams if one.is_tagged or uri not in one.uris]

    def _add(self, stream: Stream, ctx: Context, acknowledge: Callable[[], None]) -> None:
        with self._lock:
            self._drop_ended()
            if len(self._streams) >= MAX_STREAMS:
                raise RpcError(INTERNAL_ERROR, f"Too many subscriptions: {MAX_STREAMS} are open")
            if ctx.cache is not None and (stream.uris or stream.wants_list):
                self._watch_for(stream, ctx.cache.path)
            if self._watch is not None and not self._is_looking:
                self._is_looking = start_thread(self._look)
                if not self._is_looking:
                    raise RpcError(INTERNAL_ERROR, "The system gives no thread to watch the cache file with")
            acknowledge()  # nothing may be said on the stream before this
            self._streams.append(stream)

    def _watch_for(self, stream: Stream, path: str) -> None:
        from webtool.cache.files import Error
        from webtool.errors import CacheError
        from webtool.mcp.watching import Watch

        try:
            self._watch = self._watch or Watch(path)
            self._watch.add(hash_of(uri) for uri in stream.uris)
        except (CacheError, Error) as error:
            raise RpcError(INTERNAL_ERROR, f"The cache file cannot be watched: {error}") from error

    def _drop_ended(self) -> None:
        self._streams = [one for one in self._streams if not one.call.is_cancelled]

    def _look(self) -> None:
        """A thread's life: looks, until nobody listens."""
        pause = threading.Event()
        while True:
            pause.wait(SECONDS)
            with self._lock:
                self._drop_ended()
                watch = self._watch
                if watch is None or not self._streams:
                    self._watch, self._is_looking = None, False
                    if watch is not None:
                        watch.close()
                    return
                watch.keep(frozenset(hash_of(uri) for one in self._streams for uri in one.uris))
                change, streams = watch.look(), self._streams
            for stream in streams:
                _tell(stream, change)


def _tell(stream: Stream, change: Change) -> None:
    meta: dict[str, object] = {"_meta": _tag(stream.call)} if stream.is_tagged else {}
    for uri in stream.uris:
        if hash_of(uri) in change.hashes:
            stream.call.notify("notifications/resources/updated", {**meta, "uri": uri})
    if change.is_list_changed and stream.wants_list:
        stream.call.notify("notifications/resources/list_changed", meta)


def _tag(call: Call) -> Mapping[str, object]:
    return {META_SUBSCRIPTION: call.message.id}


def _checked_uris(value: object) -> list[str]:
    """The URIs of stored pages among those named; others never change here, so they are not promised."""
    if not isinstance(value, list) or not all(isinstance(uri, str) for uri in value):
        raise RpcError(INVALID_PARAMS, "resourceSubscriptions is an array of strings")
    if len(value) > MAX_URIS:
        raise RpcError(INVALID_PARAMS, f"resourceSubscriptions may name {MAX_URIS} resources")
    return [uri for uri in dict.fromkeys(value) if hash_of(uri)]
