"""Set or remove one member in the text of a JSON file; comments, order and indentation stay as they are.

put() and remove() take the text of a settings file (with // and /* */ comments and trailing commas, as editors
write it) and a path of member names. They raise ValueError, with the line, if the text or a value on the path is not a
JSON object. Cost: one scan of the text for each name of the path.

    {"a": 1, // one            put(text, ("b",), 2)        {"a": 1, // one
    }                                                        "b": 2
                                                           }

Tests: tests/setup/test_mcp_entries.py
"""

from __future__ import annotations

import json

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
    if _after_space(text, 0) == len(text):  # only comments, or nothing
        text = f"{text.rstrip()}\n{{}}\n".lstrip()
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
    if _after_space(text, 0) == len(text):  # only comments, or nothing
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
