"""The tools as the protocol sees them. In: a name and arguments. Out: the list of tools, the result of a call.

The tools know nothing of the protocol. Added here: the limit on an answer's length, error codes as this server's
clients know them; webtool.mcp.answers writes the answer.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping

from webtool import registry
from webtool.context import Context
from webtool.errors import WebtoolError
from webtool.mcp import answers
from webtool.mcp.protocol import INVALID_PARAMS, RpcError, without_later_members
from webtool.providers.table import PROVIDERS
from webtool.schemas import aliases

COMMANDS = {
    "web_search": "search", "web_open": "open", "web_batch_open": "batch", "web_extract": "extract",
    "cache_get": "cache get", "cache_purge": "cache purge", "cache_search": "recall",
}  # fmt: skip
_ABOUT_TOKENS = 700  # of an answer, beside the page's text: addresses, times, notes, links, frames
# Characters up to which Claude Code passes a tool's answer on to the model; longer ones it puts into a file. The
# default is 50,000, which a call with a larger max_tokens goes past.
_META = {"anthropic/maxResultSizeChars": 200000}


def listing(version: str) -> list[dict[str, object]]:
    """Every tool with its schemas, always in the same order. build.py wrote it down, so that no tool is imported."""
    try:
        from webtool import _schemas
    except ImportError:
        entries = all_entries()
    else:
        entries = _schemas.MCP
    # Results had a _meta from the beginning, tools only later.
    left_out = ("_meta",) if version < "2025-06-18" else ()
    named = [{name: value for name, value in entry.items() if name not in left_out} for entry in entries]
    return [without_later_members(entry, version) for entry in named]


def all_entries() -> list[dict[str, object]]:
    """The tools as the newest revision lists them, from their modules."""
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
    """The schema of a result, which in a failed call is the error object."""
    wanted = {name: value for name, value in schema.items() if name != "required"}
    return {**wanted, "anyOf": [{"required": schema["required"]}, {"required": ["error_code"]}]}


def call(ctx: Context, name: object, given: object, version: str) -> dict[str, object]:
    """Run a tool; what it finds wrong is a result too. Raises RpcError for an unknown tool or a malformed call."""
    if not isinstance(name, str) or name not in COMMANDS:
        known = ", ".join(COMMANDS)
        raise RpcError(INVALID_PARAMS, f"Unknown tool: {str(name)[:80]}", {"tools": known})
    if given is not None and not isinstance(given, dict):
        raise RpcError(INVALID_PARAMS, "arguments is an object")
    try:
        result = _run(ctx, name, given or {})
    except WebtoolError as error:
        result = {**_failed(error, ctx), "isError": True}
    return without_later_members({"isError": False, **result}, version)


def _run(ctx: Context, name: str, given: Mapping[str, object]) -> dict[str, object]:
    parameters = registry.load(COMMANDS[name]).SCHEMA["parameters"]
    members, _ = aliases.spelled(parameters, given)  # the names that limits have here
    asked, timeout = members.get("max_tokens"), members.get("timeout_ms")
    budget = ctx.settings.max_answer_tokens
    defaults: dict[str, object] = {}
    if isinstance(asked, (int, float)) and asked - asked == 0:
        budget = int(asked) + _ABOUT_TOKENS
    elif asked is None and not members.get("query") and "max_tokens" in parameters["properties"]:
        defaults["max_tokens"] = max(budget - _ABOUT_TOKENS, 1)
    if isinstance(timeout, (int, float)):  # a time asked for in this many words may be longer than the usual one
        ctx.deadline = max(ctx.deadline, time.monotonic() + timeout / 1000)
    return answers.as_result(registry.call(COMMANDS[name], ctx, given, defaults), budget)


def _failed(error: WebtoolError, ctx: Context) -> dict[str, object]:
    data = error.to_dict()
    provider = PROVIDERS.get(str(ctx.report.get("provider")))
    if provider is not None:
        data["error_code"] = provider.mcp_codes.get(error.code, error.code)
    ctx.report["error_code"] = data["error_code"]
    if error.status_code is not None:
        ctx.report["status"] = error.status_code
    text = json.dumps(data, ensure_ascii=False)  # webtool's own words, and short: no frame
    return {"content": [{"type": "text", "text": text}], "structuredContent": data}
