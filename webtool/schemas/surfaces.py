"""Write hints and notes in the names of the surface that shows them. In: a surface and a text, or members. Out: both.

Tools write their hints once, in the names of tools and arguments: "Raise max_bytes", "go on with offset 201". Surfaces:

    command    commands and flags: "Raise --max-bytes", "go on with --offset 201", "webtool open"
    host       commands, with JSON members: "webtool open", "max_bytes"
    mcp        MCP's tools and arguments: "web_open", "max_bytes"

Quoted words, addresses, headings, and the words of a query in the note "not on the page: ..." are not names, and stay.
Tests: tests/schemas/test_surfaces.py
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.providers.table import PROVIDERS

# Commands named by the tools that do their work.
_COMMANDS = {
    "web_open": "webtool open", "web_fetch": "webtool fetch", "web_verify": "webtool verify",
    "web_batch_open": "webtool batch", "web_search": "webtool search", "web_extract": "webtool extract",
    "cache_get": "webtool cache get", "cache_purge": "webtool cache purge", "cache_search": "webtool recall",
}  # fmt: skip
_OF_ONE_PROVIDER = [row for row in PROVIDERS.values() if row.tool]
# Surface: names and phrases of the hints as they are written, and what they become there. Plain words, such as find and
# mode, are names only in these phrases.
_NAMES: dict[str, dict[str, str]] = {
    "mcp": {
        "web_fetch": "web_open", "web_verify": "web_open with verify", "webtool recall": "cache_search",
        **{row.tool: f"{row.title} (WEBTOOL_SEARCH_PROVIDER={row.name})" for row in _OF_ONE_PROVIDER},
    },
    "host": _COMMANDS,
    "command": {
        **_COMMANDS,
        **{row.tool: f"webtool {row.name}" for row in _OF_ONE_PROVIDER},
        **{name: "--" + name.replace("_", "-") for name in (
            "max_bytes", "max_tokens", "timeout_ms", "force_refresh", "siteconfig_id", "left_out", "use_siteconfig",
            "domain_allowlist", "allowed_domains", "blocked_domains", "search_lang", "extra_snippets",
        )},
        "next_offset": "--offset",
        "use_siteconfig false": "--no-use-siteconfig",
        "outline: true": "--outline",
        "query or find": "--query or --find",
        "find and section reach": "--find and --section reach",
        "left_out and with are": "--left-out and --with are",
        "leave out section": "leave out --section",
        **{f"{name} {verb}": f"--{name} {verb}" for name, verb in (
            ("outline", "lists"), ("sql", "searches"), ("sql", "takes"), ("sql", "with"), ("find", "takes"),
            ("mode", "readable"), ("mode", "full"), ("mode", "raw"), ("mode", "rendered"),
        )},
    },
}  # fmt: skip
# What is not changed: quoted words, addresses, and what follows these words.
_NOT_NAMES = (
    r"""(?<!\w)'[^']*'|"[^"]*"|https?://\S+|(?:not on the page:|unknown argument) [^;]*"""
    r"""|(?:The nearest:|Give a path or the line:|The sections) .*"""
)
_LINE = r"\boffset (?P<line>\d+)"  # on the command line: "offset 201" -> "--offset 201"
_SETTING = (
    r"(?<![a-z-])--[a-z-]+ \((?P<setting>WEBTOOL_\w+)\)"  # elsewhere: "--offline (WEBTOOL_OFFLINE)" -> the latter
)
_PATTERNS = {
    surface: patterns.compile(
        f"(?:{_NOT_NAMES})|(?<![\\w-])(?P<name>{'|'.join(sorted(names, key=len, reverse=True))})(?![\\w])"
        f"|{_LINE if surface == 'command' else _SETTING}"
    )
    for surface, names in _NAMES.items()
}


def in_words_of(surface: str, text: str) -> str:
    """Return a hint or note in the names of "command", "host" or "mcp"."""

    def renamed(match: Match[str]) -> str:
        groups = match.groupdict()
        if groups["name"]:
            return _NAMES[surface][groups["name"]]
        if groups.get("line"):
            return f"--offset {groups['line']}"
        return groups.get("setting") or match[0]

    return _PATTERNS[surface].sub(renamed, text)


def members_of(surface: str, data: Mapping[str, object]) -> dict[str, object]:
    """Return the members of an answer with hint and note in the surface's names, also those of pages in a batch."""
    members = dict(data)
    for name in ("hint", "note"):
        if isinstance(members.get(name), str):
            members[name] = in_words_of(surface, str(members[name]))
    for name in ("items", "failed"):
        rows = members.get(name)
        if isinstance(rows, list):
            members[name] = [members_of(surface, row) if isinstance(row, dict) else row for row in rows]
    return members
