"""Answer requests: the methods of MCP. In: a Call and its revision. Out: a result, or RpcError.

_METHODS lists which method each protocol family has and which function answers it. The loop gives a Context for each
call and runs the threads. Between requests a Server remembers only what a handshake client set: version and log level.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from webtool.lean import dates
from webtool.lean.imports import load
from webtool.mcp.messages import (
    HANDSHAKE_VERSIONS,
    INSTRUCTIONS,
    INVALID_PARAMS,
    LOG_LEVELS,
    META_LOG_LEVEL,
    META_VERSION,
    METHOD_NOT_FOUND,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
    RpcError,
    cacheable,
    capabilities,
    complete,
    server_info,
    stateless_version,
    without_later_members,
)
from webtool.output import write_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.context import Context
    from webtool.mcp.messages import Call, Message

_LIST_SECONDS = 3600  # how long clients may cache the lists of tools and prompts, which only a new version changes


class Server:
    """The methods of the protocol. `context_for` returns a Context for each call."""

    def __init__(self, context_for: Callable[[Call], Context]) -> None:
        self._context_for = context_for
        self.version = ""  # of a handshake client, after `initialize`
        self._log_level = ""

    def version_of(self, message: Message) -> str:
        """Return the revision in which to answer a request. Raises RpcError if none is known."""
        oldest, newest = HANDSHAKE_VERSIONS[0], HANDSHAKE_VERSIONS[-1]
        meta = message.params.get("_meta")
        if isinstance(meta, dict) and META_VERSION in meta:
            return stateless_version(meta)
        if message.method == "initialize":
            version = str(message.params.get("protocolVersion"))
            return version if version in HANDSHAKE_VERSIONS else newest
        if self.version:
            return self.version
        if message.method == "ping":
            return oldest  # before initialize: any version will do, as the answer is {} in all
        raise RpcError(
            INVALID_PARAMS,
            f"_meta lacks {META_VERSION} (clients of {newest} and before send initialize first)",
            {"supported": list(SUPPORTED_VERSIONS)},
        )

    def answer(self, call: Call) -> dict[str, object]:
        """Return the result of a request. Raises RpcError."""
        in_handshake, in_stateless, function = _METHODS.get(call.message.method, _UNKNOWN)
        if not (in_stateless if call.version in STATELESS_VERSIONS else in_handshake):
            raise RpcError(METHOD_NOT_FOUND, f"Method not found: {call.message.method[:80]}")
        return complete(function(self, call), call.version)

    def initialize(self, call: Call) -> dict[str, object]:
        """Begin a handshake session: remember its version."""
        if not isinstance(call.message.params.get("protocolVersion"), str):
            raise RpcError(INVALID_PARAMS, "protocolVersion is a string")
        self.version = call.version
        return {
            "protocolVersion": call.version,
            "capabilities": capabilities(call.version),
            "serverInfo": without_later_members(server_info(), call.version),
            "instructions": INSTRUCTIONS,
        }

    def discover(self, call: Call) -> dict[str, object]:
        """Describe the server to a stateless client."""
        description: dict[str, object] = {
            "supportedVersions": list(SUPPORTED_VERSIONS),
            "capabilities": capabilities(call.version),
            "serverInfo": server_info(),
            "instructions": INSTRUCTIONS,
        }
        return cacheable(description, _LIST_SECONDS, "public")

    def ping(self, _call: Call) -> dict[str, object]:
        """Show that the server is alive."""
        return {}

    def list_all(self, call: Call) -> dict[str, object]:
        """Return a list that fits into one answer: tools, prompts or URI templates."""
        module, function, name = _LISTS[call.message.method]
        if call.message.params.get("cursor") is not None:
            raise RpcError(INVALID_PARAMS, "Invalid cursor")
        return cacheable({name: getattr(load(module), function)(call.version)}, _LIST_SECONDS, "public")

    def call_tool(self, call: Call) -> dict[str, object]:
        """Run a tool and log the call."""
        from webtool.mcp import tools

        params = call.message.params
        ctx = self._context_for(call)
        started = time.monotonic()
        try:
            return tools.call(ctx, params.get("name"), params.get("arguments"), call.version)
        except RpcError:
            ctx.report["error_code"] = "INVALID_REQUEST"
            raise
        finally:
            self._log(call, ctx, int((time.monotonic() - started) * 1000))

    def resources(self, call: Call) -> dict[str, object]:
        """Return the list of stored pages, or one of them."""
        from webtool.mcp import resources

        ctx, params = self._context_for(call), call.message.params
        if call.message.method == "resources/read":
            answer = resources.read(ctx, params.get("uri"), call.version)
        else:
            answer = resources.list_pages(ctx, params.get("cursor"), call.version)
        return cacheable(answer, 0, "private")

    def get_prompt(self, call: Call) -> dict[str, object]:
        """Return a prompt with its arguments filled in."""
        from webtool.mcp import resources

        return resources.get_prompt(call.message.params.get("name"), call.message.params.get("arguments"))

    def complete_argument(self, call: Call) -> dict[str, object]:
        """Suggest values for an argument of a prompt or URI template."""
        from webtool.mcp import resources

        return resources.completed(self._context_for(call), call.message.params)

    def set_level(self, call: Call) -> dict[str, object]:
        """Set the least severe level of log messages that the client wants."""
        level = call.message.params.get("level")
        if level not in LOG_LEVELS:
            raise RpcError(INVALID_PARAMS, f"level is one of {', '.join(LOG_LEVELS)}")
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
        level = "warning" if record["error_code"] else "info"
        min_level = call.meta.get(META_LOG_LEVEL) if call.version in STATELESS_VERSIONS else self._log_level
        if min_level in LOG_LEVELS and LOG_LEVELS.index(level) >= LOG_LEVELS.index(str(min_level)):
            call.notify("notifications/message", {"level": level, "logger": "webtool", "data": record})


def write_log(record: dict[str, object]) -> None:
    """Write one line of JSON to stderr."""
    import json

    write_error(json.dumps(record, ensure_ascii=False) + "\n")


# Method: (module, function, member of the result)
_LISTS = {
    "tools/list": ("webtool.mcp.tools", "listing", "tools"),
    "prompts/list": ("webtool.mcp.resources", "list_prompts", "prompts"),
    "resources/templates/list": ("webtool.mcp.resources", "templates", "resourceTemplates"),
}
# Method: (is in the handshake family, is in the stateless family, function that answers it)
_METHODS: dict[str, tuple[bool, bool, Callable[[Server, Call], dict[str, object]]]] = {
    "initialize": (True, False, Server.initialize),
    "ping": (True, False, Server.ping),
    "server/discover": (False, True, Server.discover),
    "tools/list": (True, True, Server.list_all),
    "tools/call": (True, True, Server.call_tool),
    "resources/list": (True, True, Server.resources),
    "resources/templates/list": (True, True, Server.list_all),
    "resources/read": (True, True, Server.resources),
    "prompts/list": (True, True, Server.list_all),
    "prompts/get": (True, True, Server.get_prompt),
    "completion/complete": (True, True, Server.complete_argument),
    "logging/setLevel": (True, False, Server.set_level),
}
_UNKNOWN = (False, False, Server.ping)
# Methods that the reading thread answers itself, so that they keep their order and never wait for a slow call.
QUICK = frozenset(("initialize", "ping", "server/discover", "logging/setLevel", "prompts/list", "prompts/get"))
