"""Set or remove a table in the text of a TOML file; comments, order and lines of others stay as they are.

put_table() and remove_table() take the name of a table, whose members are strings, arrays of strings and tables of
strings. Only tables with a header of their own are found: `servers = {webtool = {...}}` is refused, because a second
definition would break the file. Callers read the result with tomllib, if this Python has it, to notice other
misunderstandings. The language: https://toml.io/en/v1.0.0
Tests: tests/setup/test_mcp_entries.py
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from webtool.lean import patterns
from webtool.lean.records import NamedTuple

# `[servers.webtool]  # comment`, `[[products]]`
_HEADER = patterns.compile(r"\s*\[\[?(.+?)\]\]?\s*(?:#.*)?")
_NAME = patterns.compile(r"""\"([^"]*)\"|'([^']*)'|([^\s.]+)""")  # one name in a header
_LINE = patterns.compile(r".*\n|.+")  # str.splitlines() also ends a line at U+2028 and others, which strings may have
# The first name of a key at the beginning of a line: `servers = {...}`, `servers.webtool.command = "x"`.
_FIRST_NAME = patterns.compile(r"[ \t]*([\"']?)([A-Za-z0-9_-]+)\1[ \t]*[=.]")
# The tokens that open or close something on a line: quotes of a string of several lines, brackets of an array. Comments
# and strings of one line are matched as a whole, so that quotes and brackets in them do not count.
_TOKEN = patterns.compile(r"""\"{3}|'{3}|[\[\]]|#.*|"(?:[^"\\]|\\.?)*"?|'[^']*'?""")
# The rest of a string of several lines: \""" does not end it, and the last two of five quotes belong to it.
_ENDS = {
    '"""': patterns.compile(r'(?:[^"\\]|\\.|"(?!""))*"{3,5}'),
    "'''": patterns.compile(r"(?:[^']|'(?!''))*'{3,5}"),
}


def put_table(text: str, name: tuple[str, ...], members: Mapping[str, object], dropped: Iterable[str] = ()) -> str:
    """Return the text with these members in the table, without those `dropped`. Raises ValueError if it is inline.

    A new table comes at the end: `("servers", "webtool"), {"command": "x"}` -> `[servers.webtool]` and `command = "x"`.
    """
    rest = {key: f"{_toml_key(key)} = {_toml_value(value)}\n" for key, value in members.items()}
    gone = {*rest, *dropped} - {""}  # "" is the member of a header or a comment
    result: list[str] = []
    end = None  # number of lines before the place of further members: after the table's own
    is_kept = True
    for line in _lines(text):
        # Lines at the top and in [servers] may define servers.webtool without a header: `webtool = {...}`.
        depth = len(line.table)
        key = None if line.is_continued else _FIRST_NAME.match(line.text)
        if key and depth < len(name) and (*line.table, key[2]) == name[: depth + 1]:
            raise ValueError(f"{key[2]} is written in a way that webtool does not understand")
        if line.table[: len(name)] != name:
            result.append(line.text)
            continue
        is_own = depth == len(name)  # not in a table below it, such as [servers.webtool.env]
        if not line.is_continued:
            member = line.table[len(name)] if not is_own else key[2] if key else ""
            is_kept = member not in gone
            if is_own and member in rest:
                result.append(rest.pop(member))
        if is_kept:
            result.append(line.text.rstrip("\n") + "\n")
        if is_own and (line.is_continued or not _is_blank(line.text)):
            end = len(result)
    if end is None:
        before = "".join(result)
        before += "\n" * (0 if before[-2:] in ("", "\n\n") else 1 if before.endswith("\n") else 2)
        return before + f"[{'.'.join(map(_toml_key, name))}]\n" + "".join(rest.values())
    return "".join([*result[:end], *rest.values(), *result[end:]])


def remove_table(text: str, name: tuple[str, ...]) -> str:
    """Return the text without the table and the tables below it; unchanged if it is absent."""
    others: list[str] = []
    place = None  # number of lines before the table
    for line in _lines(text):
        if line.table[: len(name)] != name:
            others.append(line.text)
        elif place is None:
            place = len(others)
    if place is None:
        return text
    before, after = "".join(others[:place]), "".join(others[place:])
    if before.endswith("\n\n") or not before:  # one empty line suffices, and the end of the file needs none
        after = after.lstrip("\n")
        before = before if after else before[:-1]
    return before + after


class _Line(NamedTuple):
    """A line of a TOML file, with its line end."""

    text: str
    table: tuple[str, ...]
    """The table that it is in, () before the first header; that of a header is its own. Empty lines and comments above
    [a.b.c] are in [a.b] if that comes before them, else in no table, (), as they may be about what follows."""
    is_continued: bool = False  # a string or an array that began on an earlier line is still open


def _lines(text: str) -> Iterator[_Line]:
    """Yield the lines of a TOML file."""
    table: tuple[str, ...] = ()
    quote, depth = "", 0
    between: list[str] = []  # empty lines and comments, whose table the next line decides
    for line in _LINE.findall(text):
        is_continued = bool(quote or depth)
        if not is_continued and _is_blank(line):
            between.append(line)
            continue
        # In a string or an array of several lines, `["a"]` is not a header.
        header = None if is_continued else _HEADER.fullmatch(line.rstrip("\r\n"))
        quote, depth = _open_at_end(line, quote, depth)
        above = table
        if header:
            table = tuple("".join(quoted) for quoted in _NAME.findall(header[1]))
        owner = above if table[: len(above)] == above else ()
        yield from (_Line(blank, owner) for blank in between)
        between = []
        yield _Line(line, table, is_continued)
    yield from (_Line(blank, ()) for blank in between)


def _is_blank(line: str) -> bool:
    """Return whether a line is empty or a comment."""
    return not line.partition("#")[0].strip()


def _open_at_end(line: str, quote: str, depth: int) -> tuple[str, int]:
    """Return the quotes of the string that is open at the end of a line, "" without one, and the number of open arrays.

    `quote` and `depth` say what is open at its beginning: `a = ["b", '''c` -> `("'''", 1)`.
    """
    position = 0
    while True:
        if quote:
            end = _ENDS[quote].match(line, position)
            if end is None:
                return quote, depth
            position = end.end()
        token = _TOKEN.search(line, position)
        if token is None:
            return "", depth
        position = token.end()
        quote = token[0] if token[0] in _ENDS else ""
        depth = max(depth + {"[": 1, "]": -1}.get(token[0], 0), 0)


def _toml_value(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_toml_key(name)} = {_toml_value(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (int, float)) else _toml_string(str(value))


_BARE = patterns.compile(r"[A-Za-z0-9_-]+")


def _toml_key(name: str) -> str:
    """Return a key, in quotes if it needs them."""
    return name if _BARE.fullmatch(name) else _toml_string(name)


def _toml_string(text: str) -> str:
    """Return a basic string. JSON writes valid ones, except for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
