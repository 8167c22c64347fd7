"""Set or remove one table in the text of a TOML file; the rest of the text stays as it is.

In: the text, the table's name, its members (strings, arrays of strings and tables of strings). Out: the changed text.
Only tables with a header of their own are found: `servers = {webtool = {...}}` is refused, because a second definition
would break the file. Callers read the result with tomllib, if this Python has it, to notice other misunderstandings.
Specification: https://toml.io/en/v1.0.0.

Tests: tests/setup/test_mcp_entries.py
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.lean import patterns

_HEADER = patterns.compile(r"\s*\[\[?([^\]\n]+)\]\]?\s*(?:#.*)?")
_DEFINED = patterns.compile(r"(?m)^[ \t]*[\"']?([A-Za-z0-9_-]+)[\"']?[ \t]*[=.]")
_QUOTES = ('"""', "'''")


def put(text: str, name: tuple[str, ...], members: Mapping[str, object]) -> str:
    """Return the text with the table, in its old place or at the end. Raises ValueError for an inline definition.

    `("servers", "webtool"), {"command": "x"}` -> `[servers.webtool]` and `command = "x"`.
    """
    if name[0] in _DEFINED.findall(text):
        raise ValueError(f"{name[0]} is written in a way that webtool does not understand")
    lines = [f"[{'.'.join(name)}]", *[f"{key} = {_value(value)}" for key, value in members.items()]]
    table = "\n".join(lines) + "\n"
    before, after = _without(text, name)
    if after is None:
        return f"{before.rstrip()}\n\n{table}" if before.strip() else table
    separator = "\n" if after.strip() else ""
    return f"{before}{table}{separator}{after.lstrip(chr(10))}"


def remove(text: str, name: tuple[str, ...]) -> str:
    """Return the text without the table and the tables below it; unchanged if it is absent."""
    before, after = _without(text, name)
    if after is None:
        return text
    if before.strip() and after.strip():
        return f"{before.rstrip()}\n\n{after.lstrip(chr(10))}"
    return before + after


def _without(text: str, name: tuple[str, ...]) -> tuple[str, str | None]:
    """Return the text before the table and the text after it; the whole text and None if no such table exists."""
    others: list[str] = []
    place = None  # number of lines before the table
    is_inside, quote = False, ""
    for line in text.splitlines(keepends=True):
        header = None if quote else _HEADER.fullmatch(line.rstrip("\r\n"))
        quote = _open_quote(line, quote)
        if header:
            names = tuple(part.strip().strip("\"'") for part in header[1].split("."))
            is_inside = names[: len(name)] == name
            if is_inside and place is None:
                place = len(others)
        if not is_inside:
            others.append(line)
    if place is None:
        return text, None
    return "".join(others[:place]), "".join(others[place:])


def _open_quote(line: str, quote: str) -> str:
    """Return the quotes of a multi-line string that is open at the end of the line, or "".

    `quote` is the same for the line before.
    """
    position = 0
    while True:
        if quote:
            position = line.find(quote, position)
            if position < 0:
                return quote
            position, quote = position + 3, ""
        starts = sorted((line.find(mark, position), mark) for mark in _QUOTES if line.find(mark, position) >= 0)
        if not starts or "#" in line[position : starts[0][0]]:  # a comment may contain quotes
            return ""
        position, quote = starts[0][0] + 3, starts[0][1]


def _value(value: object) -> str:
    """Return a value as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(name)} = {_value(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (int, float)) else _string(str(value))


_BARE = patterns.compile(r"[A-Za-z0-9_-]+")


def _key(name: str) -> str:
    """Return a key, in quotes if it needs them."""
    return name if _BARE.fullmatch(name) else _string(name)


def _string(text: str) -> str:
    """Return a basic string. JSON writes valid ones, except for the delete character."""
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
