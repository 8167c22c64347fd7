"""The table of tools and commands, and functions to load and call a tool.

Imported for every command, so it imports almost nothing.
Tests: tests/test_dispatch.py
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from webtool.context import Context, Result
    from webtool.tools import Tool

# command: (name of the tool and of its module in webtool.tools, help line)
TOOLS: dict[str, tuple[str, str]] = {
    "brave": ("web_search_brave", "Search the web with the Brave Search API."),
    "google": ("web_search_google", "Search with Google (Custom Search or Vertex AI Search)."),
    "duckduckgo": ("web_search_duckduckgo", "Search with DuckDuckGo; needs no key."),
    "fetch": ("web_fetch", "Fetch a page as markdown, whole or by lines."),
    "search": ("web_search", "Search with whichever provider is set up."),
    "open": ("web_open", "Open a page: its main content, kept in the cache."),
    "batch": ("web_batch_open", "Open many pages at once."),
    "extract": ("web_extract", "Extract the main content of HTML at hand."),
    "cache get": ("cache_get", "Show a stored page by its hash."),
    "cache purge": ("cache_purge", "Delete expired pages, or those that the flags name."),
    "cache info": ("cache_info", "Show what the cache holds."),
    "cache list": ("cache_list", "List the stored pages, newest first."),
    "cache clear": ("cache_clear", "Empty the cache, after a question."),
    "recall": ("cache_search", "Search the pages opened before."),
    "verify": ("web_verify", "Check whether a page has a quote."),
}

# Executable name: command. Agent hosts find the names that end in -tool; the short ones are for people.
EXECUTABLES: dict[str, str] = {
    "web-search-brave-tool": "brave",
    "web-search-google-tool": "google",
    "web-search-duckduckgo-tool": "duckduckgo",
    "web-fetch-tool": "fetch",
    "brave": "brave",
    "google": "google",
    "duckduckgo": "duckduckgo",
    "fetch": "fetch",
}
HOST_NAMES = tuple(name for name in EXECUTABLES if name.endswith("-tool"))

# Fields of the answer that a tool repeats on errors, with their defaults. They are here so that a malformed request is
# refused without loading the tool.
ERROR_MEMBERS: dict[str, dict[str, object]] = {"duckduckgo": {"query": "", "results": []}}

# Commands other than tools: help line. webtool.cli.commands has what each runs.
COMMANDS: dict[str, str] = {
    "crawl": "Save the pages below a URL as files of a folder.",
    "cite": "Check a quote and print a citation that others can check.",
    "pack": "Write cited pages and their citations into one archive.",
    "mcp": "Serve the tools to an MCP host over stdio.",
    "tools": "List and check the -tool executables that an agent host finds.",
    "doctor": "Show what works here: Python, TLS, cache, keys, browser, proxies.",
    "config": "Show every setting and where it comes from.",
    "install": "Put the -tool names into a tools directory.",
    "completion": "Print a completion script for bash, zsh or fish.",
}


def load(command: str) -> Tool:
    """Import and return the module of a tool. Raises KeyError for an unknown command."""
    name = f"webtool.tools.{TOOLS[command][0]}"
    __import__(name)
    module = sys.modules[name]
    defaults = sys.modules["webtool.tools"].Tool
    for member in vars(defaults):
        if member[0] != "_":
            module.__dict__.setdefault(member, getattr(defaults, member))
    return module


def call(
    command: str, ctx: Context, request: Mapping[str, object], defaults: Mapping[str, object] | None = None
) -> Result:
    """Run a tool; every interface calls it through here. Raises only WebtoolError (and KeyboardInterrupt).

    The request is checked against the tool's schema first. `error.request` is the request; a bug is an InternalError.
    Unknown arguments are named in the answer's note; a tool that deletes refuses them. `defaults` are the interface's
    own values for arguments that the request leaves out.
    """
    from webtool.errors import WebtoolError, of_bug
    from webtool.schemas import arguments

    tool = load(command)
    parameters = tool.SCHEMA["parameters"]
    if tool.UNLISTED:
        parameters = {**parameters, "properties": {**parameters["properties"], **tool.UNLISTED}}
    notes: list[str] = []
    try:
        if not all(_is_plain(parameters["properties"].get(name), value) for name, value in request.items()):
            from webtool.schemas import aliases

            if tool.ANNOTATIONS.get("destructiveHint"):
                aliases.refuse_unknown(parameters, request)
            request, notes = aliases.rename_arguments(parameters, request)
        result = tool.run(ctx, **{**(defaults or {}), **arguments.check(parameters, request, tool.CLAMPED)})
    except WebtoolError as error:
        error.request = dict(request)
        raise
    except Exception as exc:
        raise of_bug(exc, ctx.settings.debug) from exc
    if notes:
        from webtool.context import add_notes

        add_notes(result.data, notes[:5])
    return result


def _is_plain(schema: Mapping[str, object] | None, value: object) -> bool:
    """Return whether aliases.py is not needed for an argument.

    It is needed if the schema lacks the name, if a list or an object is given or expected, and for a whole number in
    place of a text: `{"freshness": 7}`.
    """
    if schema is None or type(value) in (list, dict) or schema["type"] in ("array", "object"):
        return False
    return type(value) is not int or schema["type"] != "string"


def schema_text(command: str, full: bool = False) -> str:
    """Return the text that --schema prints. The archive contains it, written by build.py; a checkout computes it."""
    try:
        from webtool import _schemas
    except ImportError:
        from webtool.schemas.printed import schema_of

        return schema_of(load(command), full)
    return (_schemas.FULL if full else _schemas.PLAIN)[command]  # type: ignore[no-any-return]
