"""Answer requests: the methods of MCP. In: a Call and its revision. Out: a result, or RpcError.

_METHODS lists which method each protocol family has and which function answers it. The loop gives a Context for each
call and runs the threads. Between requests a Server remembers only what a handshake client set: version and log level.
Tests: tests/mcp/test_server.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

from webtool.lean import dates
from webtool.lean.imports import resolve
from webtool.lean.records import NamedTuple
from webtool.mcp import messages
from webtool.mcp.messages import INVALID_PARAMS, META_VERSION, STATELESS_VERSIONS, RpcError
from webtool.output import write_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.context import Context
    from webtool.mcp.messages import Call, Message

_LIST_SECONDS = 3600  # how long clients may cache the lists of tools and prompts, which only a new version changes


class Server:
    """The methods of the protocol. `context_for` returns a Context for each call."""

    def __init__(self, context_for: Callable[[Call], Context]) -> None:
        self.context_for = context_for
        self.version = ""  # of a handshake client, after `initialize`
        self._log_level = ""

    def version_of(self, message: Message) -> str:
        """Return the revision in which to answer a request. Raises RpcError if none is known."""
        newest = messages.HANDSHAKE_VERSIONS[-1]
        meta = message.params.get("_meta")
        if isinstance(meta, dict) and META_VERSION in meta:
            return messages.stateless_version(meta)
        if message.method == "initialize":
            version = str(message.params.get("protocolVersion"))
            return version if version in messages.HANDSHAKE_VERSIONS else newest
        if self.version:
            return self.version
        if message.method == "ping":
            return newest  # before initialize: any version will do, as the answer is {} in all
        problem = f"_meta lacks {META_VERSION} (clients of {newest} and before send initialize first)"
        raise RpcError(INVALID_PARAMS, problem, {"supported": list(messages.SUPPORTED_VERSIONS)})

    def answer(self, call: Call) -> dict[str, object]:
        """Return the result of a request. Raises RpcError."""
        method = _METHODS.get(call.message.method)
        family = "stateless" if call.version in STATELESS_VERSIONS else "handshake"
        if method is None or method.family not in (family, "both"):
            raise RpcError(messages.METHOD_NOT_FOUND, f"Method not found: {call.message.method[:80]}")
        return messages.complete(method.answer(self, call), call.version)

    def initialize(self, call: Call) -> dict[str, object]:
        """Begin a handshake session: remember its version."""
        if not isinstance(call.message.params.get("protocolVersion"), str):
            raise RpcError(INVALID_PARAMS, "protocolVersion is a string")
        self.version = call.version
        server_info = messages.without_later_members(messages.server_info(), call.version)
        return {"protocolVersion": call.version, **_description(call), "serverInfo": server_info}

    def discover(self, call: Call) -> dict[str, object]:
        """Describe the server to a stateless client."""
        description = {"supportedVersions": list(messages.SUPPORTED_VERSIONS), **_description(call)}
        return messages.cacheable(description, _LIST_SECONDS, "public")

    def call_tool(self, call: Call) -> dict[str, object]:
        from webtool.mcp import tools

        params = call.message.params
        ctx = self.context_for(call)
        started = time.monotonic()
        try:
            return tools.call(ctx, params.get("name"), params.get("arguments"), call.version)
        except RpcError:
            ctx.report["error_code"] = "INVALID_REQUEST"
            raise
        finally:
            self._log(call, ctx, int((time.monotonic() - started) * 1000))

    def set_level(self, call: Call) -> dict[str, object]:
        """Set the least severe level of log messages that the client wants."""
        level = call.message.params.get("level")
        if level not in messages.LOG_LEVELS:
            raise RpcError(INVALID_PARAMS, f"level is one of {', '.join(messages.LOG_LEVELS)}")
        self._log_level = str(level)
        return {}

    def _log(self, call: Call, ctx: Context, ms: int) -> None:
        """Write one line to stderr, without secrets, and send it to a client that asked for messages of its level."""
        from webtool import urls

        params = call.message.params
        arguments = params.get("arguments")
        url = arguments.get("url") if isinstance(arguments, dict) else None
        if call.is_cancelled:
            ctx.report["error_code"] = "CANCELLED"
        record: dict[str, object] = {
            "ts": dates.iso(time.time()),
            "tool": str(params.get("name"))[:80],
            "url": urls.redact(url)[:2000] if isinstance(url, str) else None,
            "ms": ms,
            **{name: ctx.report.get(name) for name in ("cache_hit", "status", "error_code")},
        }
        write_log(record)
        levels, level = messages.LOG_LEVELS, "warning" if record["error_code"] else "info"
        is_stateless = call.version in STATELESS_VERSIONS
        min_level = call.meta.get(messages.META_LOG_LEVEL) if is_stateless else self._log_level
        if min_level in levels and levels.index(level) >= levels.index(str(min_level)):
            call.notify("notifications/message", {"level": level, "logger": "webtool", "data": record})


def write_log(record: dict[str, object]) -> None:
    """Write one line of JSON to stderr."""
    import json

    write_error(json.dumps(record, ensure_ascii=False) + "\n")


def _description(call: Call) -> dict[str, object]:
    """Return the members that describe the server to clients of both families."""
    offered = messages.capabilities(call.version)
    return {"capabilities": offered, "serverInfo": messages.server_info(), "instructions": messages.INSTRUCTIONS}


def _resource(name: str) -> Callable[[Server, Call], dict[str, object]]:
    """Return a method that a function of resources.py answers from the context, the params and the revision."""

    def answer(server: Server, call: Call) -> dict[str, object]:
        function: Callable[..., dict[str, object]] = resolve(f"webtool.mcp.resources:{name}")  # type: ignore[assignment]
        return function(server.context_for(call), call.message.params, call.version)

    return answer


def _whole_list(target: str, member: str) -> Callable[[Server, Call], dict[str, object]]:
    """Return a method that gives a list in one answer; the function `target`, "module:function", makes the list."""

    def answer(_server: Server, call: Call) -> dict[str, object]:
        if call.message.params.get("cursor") is not None:
            raise RpcError(INVALID_PARAMS, "Invalid cursor")
        return messages.cacheable({member: resolve(target)(call.version)}, _LIST_SECONDS, "public")

    return answer


class _Method(NamedTuple):
    """One method of the protocol."""

    family: str  # of revisions that have it: "handshake", "stateless" or "both"
    answer: Callable[[Server, Call], dict[str, object]]
    is_quick: bool = False
    """Whether the reading thread answers it itself, so that such answers keep their order and never wait."""


_METHODS = {
    "initialize": _Method("handshake", Server.initialize, is_quick=True),
    "ping": _Method("handshake", lambda _server, _call: {}, is_quick=True),
    "server/discover": _Method("stateless", Server.discover, is_quick=True),
    "tools/list": _Method("both", _whole_list("webtool.mcp.tools:listing", "tools")),
    "tools/call": _Method("both", Server.call_tool),
    "resources/list": _Method("both", _resource("list_pages")),
    "resources/templates/list": _Method("both", _whole_list("webtool.mcp.resources:templates", "resourceTemplates")),
    "resources/read": _Method("both", _resource("read")),
    "prompts/list": _Method("both", _whole_list("webtool.mcp.resources:list_prompts", "prompts"), is_quick=True),
    "prompts/get": _Method("both", _resource("get_prompt"), is_quick=True),
    "completion/complete": _Method("both", _resource("completed")),
    "logging/setLevel": _Method("handshake", Server.set_level, is_quick=True),
}


def is_quick(method: str) -> bool:
    """Return whether a method is answered at once, and not on another thread."""
    return method in _METHODS and _METHODS[method].is_quick
