"""What the server answers. In: a request, decided to be of one protocol family. Out: its result, or RpcError.

Knows neither threads nor files: the loop hands it messages, a Context for each call, and a way to send notifications.
The stateless family keeps nothing between requests; the handshake family keeps its version and log level here.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from webtool.lean import dates
from webtool.lean.imports import load
from webtool.mcp.protocol import (
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

_LIST_SECONDS = 3600  # the lists of tools and prompts change with the program only


class Server:
    """The methods of the protocol. `context_for` gives each tool call its own Context."""

    def __init__(self, context_for: Callable[[Call], Context]) -> None:
        self._context_for = context_for
        self.version = ""  # of the handshake family, once `initialize` came
        self._log_level = ""

    def version_of(self, message: Message) -> str:
        """The revision that a request is to be answered in. Raises RpcError."""
        meta = message.params.get("_meta")
        if isinstance(meta, dict) and META_VERSION in meta:
            return stateless_version(meta)
        if message.method == "initialize":
            wanted = str(message.params.get("protocolVersion"))
            return wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
        if self.version:
            return self.version
        if message.method == "ping":
            return HANDSHAKE_VERSIONS[0]
        raise RpcError(
            INVALID_PARAMS,
            f"_meta lacks {META_VERSION} (clients of {HANDSHAKE_VERSIONS[-1]} and before send initialize first)",
            {"supported": list(SUPPORTED_VERSIONS)},
        )

    def answer(self, call: Call) -> dict[str, object]:
        """The result of a request. Raises RpcError."""
        families = _METHODS.get(call.message.method)
        is_stateless = call.version in STATELESS_VERSIONS
        if families is None or not families[1 if is_stateless else 0]:
            raise RpcError(METHOD_NOT_FOUND, f"Method not found: {call.message.method[:80]}")
        return complete(families[2](self, call), call.version)

    def initialize(self, call: Call) -> dict[str, object]:
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
        found: dict[str, object] = {
            "supportedVersions": list(SUPPORTED_VERSIONS),
            "capabilities": capabilities(call.version),
            "serverInfo": server_info(),
            "instructions": INSTRUCTIONS,
        }
        return cacheable(found, _LIST_SECONDS, "public")

    def ping(self, _call: Call) -> dict[str, object]:
        return {}

    def list_all(self, call: Call) -> dict[str, object]:
        """A list that fits on one page."""
        module, function, name = _LISTS[call.message.method]
        if call.message.params.get("cursor") is not None:
            raise RpcError(INVALID_PARAMS, "Invalid cursor")
        return cacheable({name: getattr(load(module), function)(call.version)}, _LIST_SECONDS, "public")

    def call_tool(self, call: Call) -> dict[str, object]:
        from webtool.mcp import tools

        params = call.message.params
        ctx = self._context_for(call)
        begun = time.monotonic()
        try:
            return tools.call(ctx, params.get("name"), params.get("arguments"), call.version)
        finally:
            self._log(call, ctx, int((time.monotonic() - begun) * 1000))

    def resources(self, call: Call) -> dict[str, object]:
        """The list of stored pages, or one of them."""
        from webtool.mcp import resources

        is_one = call.message.method == "resources/read"
        find, member = (resources.read, "uri") if is_one else (resources.listing, "cursor")
        return cacheable(find(self._context_for(call), call.message.params.get(member), call.version), 0, "private")

    def get_prompt(self, call: Call) -> dict[str, object]:
        from webtool.mcp import prompts

        return prompts.get(call.message.params.get("name"), call.message.params.get("arguments"))

    def complete_argument(self, call: Call) -> dict[str, object]:
        from webtool.mcp import resources

        return resources.completed(self._context_for(call), call.message.params)

    def set_level(self, call: Call) -> dict[str, object]:
        level = call.message.params.get("level")
        if level not in LOG_LEVELS:
            raise RpcError(INVALID_PARAMS, f"level is one of {', '.join(LOG_LEVELS)}")
        self._log_level = str(level)
        return {}

    def _log(self, call: Call, ctx: Context, ms: int) -> None:
        """One line on stderr, without secrets, and a message to the client if it asked for such ones."""
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
        wanted = call.meta.get(META_LOG_LEVEL) if call.version in STATELESS_VERSIONS else self._log_level
        if wanted in LOG_LEVELS and LOG_LEVELS.index(level) >= LOG_LEVELS.index(str(wanted)):
            call.notify("notifications/message", {"level": level, "logger": "webtool", "data": record})


def write_log(record: dict[str, object]) -> None:
    """One line of JSON on stderr."""
    import json

    write_error(json.dumps(record, ensure_ascii=False) + "\n")


_LISTS = {
    "tools/list": ("webtool.mcp.tools", "listing", "tools"),
    "prompts/list": ("webtool.mcp.prompts", "listing", "prompts"),
    "resources/templates/list": ("webtool.mcp.resources", "templates", "resourceTemplates"),
}
# Method: (in the handshake family, in the stateless family, what answers it)
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
# Answered where they are read, so that they never wait behind a slow call and keep their order.
QUICK = frozenset(("initialize", "ping", "server/discover", "logging/setLevel", "prompts/list", "prompts/get"))
