"""List and call the tools over MCP. In: a name and arguments. Out: the list of tools, or the result of a call.

The tools know nothing of the protocol. This module adds a default limit on an answer's length, the error codes that
this server's clients know, and the list; framing.py writes the answer.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping

from webtool import registry
from webtool.context import Context
from webtool.errors import WebtoolError
from webtool.mcp import framing
from webtool.mcp.protocol import INVALID_PARAMS, RpcError, without_later_members
from webtool.providers.table import PROVIDERS
from webtool.schemas import aliases, surfaces

COMMANDS = {
    "web_search": "search", "web_open": "open", "web_batch_open": "batch", "web_extract": "extract",
    "cache_get": "cache get", "cache_purge": "cache purge", "cache_search": "recall",
}  # fmt: skip
_ABOUT_TOKENS = 700  # of an answer, besides the page's text: addresses, times, notes, links, frames
# Claude Code passes answers of up to this many characters on to the model; it puts a longer one into a file. Its own
# default is 50,000, less than a call with a large max_tokens gives.
_META = {"anthropic/maxResultSizeChars": 200000}


def listing(version: str) -> list[dict[str, object]]:
    """Return every tool with its schemas, in a fixed order. The built file has the list, so no tool is imported."""
    try:
        from webtool import _schemas
    except ImportError:
        entries = all_entries()
    else:
        entries = _schemas.MCP
    if version < "2025-06-18":  # results always had a _meta, tools only since then
        entries = [{name: value for name, value in entry.items() if name != "_meta"} for entry in entries]
    return [without_later_members(entry, version) for entry in entries]


def all_entries() -> list[dict[str, object]]:
    """Return the tools as the newest revision lists them, from their modules."""
    return [_entry(command) for command in COMMANDS.values()]


def _entry(command: str) -> dict[str, object]:
    tool = registry.load(command)
    schema = tool.SCHEMA
    has_limit = "max_tokens" in schema["parameters"]["properties"]
    return {
        "name": schema["name"],
        "title": tool.TITLE,
        "description": schema["description"],
        "inputSchema": schema["parameters"],
        "outputSchema": _or_error(tool.OUTPUT_SCHEMA),
        "annotations": tool.ANNOTATIONS,
        **({"_meta": _META} if has_limit else {}),
    }


def _or_error(schema: Mapping[str, object]) -> dict[str, object]:
    without_required = {name: value for name, value in schema.items() if name != "required"}
    return {**without_required, "anyOf": [{"required": schema["required"]}, {"required": ["error_code"]}]}


def call(ctx: Context, name: object, arguments: object, version: str) -> dict[str, object]:
    """Run a tool; an error of the tool is a result too. Raises RpcError for an unknown tool or a malformed call."""
    if not isinstance(name, str) or name not in COMMANDS:
        known = ", ".join(COMMANDS)
        raise RpcError(INVALID_PARAMS, f"Unknown tool: {str(name)[:80]}", {"tools": known})
    if arguments is not None and not isinstance(arguments, dict):
        raise RpcError(INVALID_PARAMS, "arguments is an object")
    try:
        result = _run(ctx, name, arguments or {})
    except WebtoolError as error:
        result = {**_failed(error, ctx), "isError": True}
    return without_later_members({"isError": False, **result}, version)


def _run(ctx: Context, name: str, arguments: Mapping[str, object]) -> dict[str, object]:
    """Run a tool with a limit on its answer: max_tokens if the call has it, else the setting max_answer_tokens."""
    parameters = registry.load(COMMANDS[name]).SCHEMA["parameters"]
    members, _ = aliases.spelled(parameters, arguments)  # other names than the schema's, and numbers as text
    max_tokens, timeout = members.get("max_tokens"), members.get("timeout_ms")
    answer_tokens = ctx.settings.max_answer_tokens
    defaults: dict[str, object] = {}
    if isinstance(max_tokens, (int, float)) and max_tokens - max_tokens == 0:  # neither NaN nor infinite
        answer_tokens = int(max_tokens) + _ABOUT_TOKENS
    elif max_tokens is None and not members.get("query") and "max_tokens" in parameters["properties"]:
        defaults["max_tokens"] = max(answer_tokens - _ABOUT_TOKENS, 1)
    if isinstance(timeout, (int, float)):  # a call may ask for more time than the setting deadline
        ctx.deadline = max(ctx.deadline, time.monotonic() + timeout / 1000)
    result = registry.call(COMMANDS[name], ctx, arguments, defaults)
    return framing.as_result(result._replace(data=surfaces.members_of("mcp", result.data)), answer_tokens)


def _failed(error: WebtoolError, ctx: Context) -> dict[str, object]:
    data = surfaces.members_of("mcp", error.to_dict())
    provider = PROVIDERS.get(str(ctx.report.get("provider")))
    if provider is not None:
        data["error_code"] = provider.mcp_codes.get(error.code, error.code)
    ctx.report["error_code"] = data["error_code"]
    if error.status_code is not None:
        ctx.report["status"] = error.status_code
    text = json.dumps(data, ensure_ascii=False)  # short, and in webtool's own words: no frame
    return {"content": [{"type": "text", "text": text}], "structuredContent": data}
