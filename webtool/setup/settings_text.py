"""Set or remove one member in the text of a JSON or TOML file; comments, order and indentation stay as they are.

JSON: put() and remove() take the text of a settings file (with // and /* */ comments and trailing commas, as editors
write it) and a path of member names. They raise ValueError, with the line, if the text or a value on the path is not a
JSON object. Cost: one scan of the text for each name of the path.

    {"a": 1, // one            put(text, ("b",), 2)        {"a": 1, // one
    }                                                        "b": 2
                                                           }

TOML (https://toml.io/en/v1.0.0): put_table() and remove_table() take the name of a table, whose members are strings,
arrays of strings and tables of strings. Only tables with a header of their own are found: `servers = {webtool = {...}}`
is refused, because a second definition would break the file. Callers read the result with tomllib, if this Python has
it, to notice other misunderstandings.
Tests: tests/setup/test_mcp_entries.py
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.lean.records import NamedTuple

# White space and comments; then those that begin on the same line.
_SPACE = patterns.compile(r"(?:\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
_SPACE_OF_LINE = patterns.compile(r"(?:[ \t]+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
_STRING = patterns.compile(r'"(?:[^"\\\n]|\\.)*"')
_SCALAR = patterns.compile(r"[^\s,\[\]{}\"/]+")
# Both match strings, too, so that a // or a comma inside a string is not taken for a comment or a trailing comma.
_COMMENT = patterns.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/')
_TRAILING_COMMA = patterns.compile(r'"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])')


class _Member(NamedTuple):
    """A member of an object, and positions in the text."""

    name: str
    start: int  # where its name begins
    value: int  # where its value begins
    end: int  # where its value ends


class _Object(NamedTuple):
    """An object, and positions in the text."""

    members: list[_Member]
    open: int  # its "{"
    close: int  # its "}"
    has_trailing_comma: bool


def loads(text: str) -> dict[str, object]:
    """Return the object in the text, {} for an empty text. Raises ValueError."""
    plain = _TRAILING_COMMA.sub(_only_string, _COMMENT.sub(_only_string, text.lstrip("\ufeff")))
    try:
        value = json.loads(plain) if plain.strip() else {}
    except RecursionError as exc:
        raise ValueError("it is nested too deeply") from exc
    if not isinstance(value, dict):
        raise ValueError("it does not hold a JSON object")
    return value


def _only_string(match: Match[str]) -> str:
    """Return a matched string as it is, and a space for a comment or comma."""
    return match[0] if match[0].startswith('"') else " "


def put(text: str, path: tuple[str, ...], value: object) -> str:
    """Return the text with the member at the path set, and missing objects on the way added. Raises ValueError."""
    if not text.strip():
        text = "{}\n"
    parent = _object(text, _after_space(text, 0))
    for depth, name in enumerate(path):
        member = _named(parent, name)
        if member is None:
            for inner in reversed(path[depth + 1 :]):
                value = {inner: value}
            return _insert(text, parent, name, value, depth)
        if depth == len(path) - 1:
            return text[: member.value] + _encoded(text, value, depth + 1) + text[member.end :]
        parent = _object(text, member.value)
    raise ValueError("the path is empty")


def remove(text: str, path: tuple[str, ...]) -> str:
    """Return the text without the member at the path; unchanged if it is absent. Raises ValueError."""
    if not text.strip():
        return text
    parent = _object(text, _after_space(text, 0))
    for name in path[:-1]:
        member = _named(parent, name)
        if member is None:
            return text
        parent = _object(text, member.value)
    member = _named(parent, path[-1])
    if member is None:
        return text
    index = parent.members.index(member)
    if index + 1 < len(parent.members):  # comments around the comma after the member stay
        comma = _after_space(text, member.end)
        next_start = parent.members[index + 1].start
        comments = text[member.end : comma] + text[comma + 1 : next_start]
        return text[: member.start] + comments.lstrip() + text[next_start:]
    # The last member: the comma before it is removed too, except in an object that ends with a comma. Comments stay.
    start = _after_space(text, parent.members[index - 1].end) if index else parent.open + 1
    comments = text[start + bool(index) : member.start]
    start += bool(index and parent.has_trailing_comma)
    end = _after_space(text, member.end) + 1 if parent.has_trailing_comma else member.end
    if not index and not (comments + text[end : parent.close]).strip():
        return text[:start] + text[parent.close :]  # nothing is left: {}
    # A // comment needs the end of its line.
    comments = comments.rstrip() if text[end:].lstrip(" \t")[:1] == "\n" else comments.rstrip(" \t")
    return text[:start] + comments + text[end:]


def _named(parent: _Object, name: str) -> _Member | None:
    """Return the last member of that name, which is the one that JSON readers use; None if it is absent."""
    return next((member for member in reversed(parent.members) if member.name == name), None)


def _object(text: str, start: int) -> _Object:
    """Return the object that begins at this position. Raises ValueError."""
    if text[start : start + 1] != "{":
        raise ValueError(f"line {_line(text, start)}: an object was expected")
    members: list[_Member] = []
    position = _after_space(text, start + 1)
    has_comma = False
    while text[position : position + 1] != "}":
        name = _STRING.match(text, position)
        colon = _after_space(text, name.end()) if name else 0
        if name is None or text[colon : colon + 1] != ":":
            raise ValueError(f"line {_line(text, position)}: a member was expected")
        value = _after_space(text, colon + 1)
        end = _skip(text, value)
        members.append(_Member(json.loads(name[0]), position, value, end))
        position = _after_space(text, end)
        has_comma = text[position : position + 1] == ","
        position = _after_space(text, position + 1) if has_comma else position
        if not has_comma and text[position : position + 1] != "}":
            raise ValueError(f"line {_line(text, position)}: a comma or a closing brace was expected")
    return _Object(members, start, position, has_comma)


def _skip(text: str, position: int) -> int:
    """Return the position after the value that begins here. Only its brackets are checked. Raises ValueError."""
    depth = 0
    while True:
        character = text[position : position + 1]
        match = _STRING.match(text, position) if character == '"' else _SCALAR.match(text, position)
        if match:
            position = match.end()
        elif character and character in "{[":
            depth, position = depth + 1, position + 1
        elif character and character in "}]" and depth:
            depth, position = depth - 1, position + 1
        elif character == "," and depth:
            position += 1
        else:
            raise ValueError(f"line {_line(text, position)}: a value was expected")
        if not depth:
            return position
        position = _after_space(text, position)


def _after_space(text: str, position: int) -> int:
    """Return the position after white space and comments."""
    return _SPACE.match(text, position).end()  # type: ignore[union-attr]


def _line(text: str, position: int) -> int:
    """Return the number of the line at this position, from 1."""
    return text.count("\n", 0, position) + 1


def _insert(text: str, parent: _Object, name: str, value: object, depth: int) -> str:
    """Return the text with a new member at the end of an object, on a line of its own.

    Where the last member is followed by a comma, so is the new one.
    """
    step = _step(text)
    member = f"{json.dumps(name)}: {_encoded(text, value, depth + 1)}" + "," * parent.has_trailing_comma
    end = parent.members[-1].end if parent.members else parent.open + 1
    if parent.members and parent.has_trailing_comma:
        end = _after_space(text, end) + 1
    comma = "," if parent.members and not parent.has_trailing_comma else ""
    # A comment after the last member stays on its line.
    comment = _SPACE_OF_LINE.match(text, end)[0].rstrip() if parent.members else ""  # type: ignore[index]
    tail = text[end + len(comment) :]
    has_line_end = "\n" in text[end + len(comment) : parent.close]
    closing = "" if has_line_end else "\n" + step * depth
    return f"{text[:end]}{comma}{comment}\n{step * (depth + 1)}{member}{closing}{tail}"


def _encoded(text: str, value: object, depth: int) -> str:
    """Return the value as JSON, indented as the text is."""
    step = _step(text)
    return json.dumps(value, indent=step, ensure_ascii=False).replace("\n", "\n" + step * depth)


# The first "{", white space and comments, and the indentation of its first member.
_INDENT = patterns.compile(r'\{(?:\s|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*?\n([ \t]+)"')


def _step(text: str) -> str:
    """Return one level of the text's own indentation, two spaces if it is not indented."""
    match = _INDENT.search(text)
    return match[1] if match else "  "


# Tables of TOML.

# `[servers.webtool]  # comment`, `[[products]]`
_HEADER = patterns.compile(r"\s*\[\[?(.+?)\]\]?\s*(?:#.*)?")
# The first name of a key at the beginning of a line: `servers = {...}`, `servers.webtool.command = "x"`.
_FIRST_NAME = patterns.compile(r"[ \t]*[\"']?([A-Za-z0-9_-]+)[\"']?[ \t]*[=.]")
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
        if key and depth < len(name) and (*line.table, key[1]) == name[: depth + 1]:
            raise ValueError(f"{key[1]} is written in a way that webtool does not understand")
        if line.table[: len(name)] != name:
            result.append(line.text)
            continue
        is_own = depth == len(name)  # not in a table below it, such as [servers.webtool.env]
        if not line.is_continued:
            member = line.table[len(name)] if not is_own else key[1] if key else ""
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
    for line in text.splitlines(keepends=True):
        is_continued = bool(quote or depth)
        if not is_continued and _is_blank(line):
            between.append(line)
            continue
        # In a string or an array of several lines, `["a"]` is not a header.
        header = None if is_continued else _HEADER.fullmatch(line.rstrip("\r\n"))
        quote, depth = _open_at_end(line, quote, depth)
        above = table
        if header:
            table = tuple(part.strip().strip("\"'") for part in header[1].split("."))
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
