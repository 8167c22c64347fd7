"""One table of a TOML file set or taken out, and nothing else of its text. In: text, the table's name, its members.
Out: text. Strings, arrays of strings and tables of strings are what a server's entry is made of.

Only tables under a header of their own are found: `servers = {webtool = {...}}` is refused, as a second definition
would break the file. What else was not understood the caller learns by reading the result, where this Python has
tomllib. Specification: https://toml.io/en/v1.0.0.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.lean import patterns

_HEADER = patterns.compile(r"\s*\[\[?([^\]\n]+)\]\]?\s*(?:#.*)?")
_DEFINED = patterns.compile(r"(?m)^[ \t]*[\"']?([A-Za-z0-9_-]+)[\"']?[ \t]*[=.]")
_QUOTES = ('"""', "'''")


def put(text: str, name: tuple[str, ...], members: Mapping[str, object]) -> str:
    """The text with the table set; it stands where it stood, or at the end. Raises ValueError."""
    if name[0] in _DEFINED.findall(text):
        raise ValueError(f"{name[0]} is written in a way that webtool does not understand")
    block = "\n".join([f"[{'.'.join(name)}]", *[f"{key} = {_value(value)}" for key, value in members.items()]]) + "\n"
    head, tail = _without(text, name)
    if tail is None:
        return f"{head.rstrip()}\n\n{block}" if head.strip() else block
    return f"{head}{block}{'' if not tail.strip() else chr(10)}{tail.lstrip(chr(10))}"


def take_out(text: str, name: tuple[str, ...]) -> str:
    """The text without the table and the tables below it; unchanged where there is none."""
    head, tail = _without(text, name)
    if tail is None:
        return text
    return f"{head.rstrip()}\n\n{tail.lstrip(chr(10))}" if head.strip() and tail.strip() else head + tail


def _without(text: str, name: tuple[str, ...]) -> tuple[str, str | None]:
    """What stands before the table, and behind it; None where it is not there."""
    lines = text.splitlines(keepends=True)
    kept: list[str] = []
    place = None
    is_ours, quote = False, ""
    for line in lines:
        header = None if quote else _HEADER.fullmatch(line.rstrip("\r\n"))
        quote = _open_quote(line, quote)
        if header:
            is_ours = tuple(part.strip().strip("\"'") for part in header[1].split("."))[: len(name)] == name
            place = len(kept) if is_ours and place is None else place
        if not is_ours:
            kept.append(line)
    if place is None:
        return text, None
    return "".join(kept[:place]), "".join(kept[place:])


def _open_quote(line: str, quote: str) -> str:
    """The quotes of the string that goes on in the next line, "" for none."""
    position = 0
    while True:
        if quote:
            position = line.find(quote, position)
            if position < 0:
                return quote
            position, quote = position + 3, ""
        found = sorted((line.find(mark, position), mark) for mark in _QUOTES if line.find(mark, position) >= 0)
        if not found or "#" in line[position : found[0][0]]:
            return ""
        position, quote = found[0][0] + 3, found[0][1]


def _value(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(name)} = {_value(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (int, float)) else _string(str(value))


_BARE = patterns.compile(r"[A-Za-z0-9_-]+")


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _string(name)


def _string(text: str) -> str:
    """A basic string: what JSON writes is one, but for the delete character."""
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
