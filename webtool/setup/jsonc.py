"""One member of a JSON file changed, and nothing else of its text: comments, order and indentation stay as they are.

In: the text of a settings file (JSON with // and /* */ comments and commas before a closing bracket, as editors write
it) and a path of member names. Out: the text with the member set or taken out. ValueError where the text is not JSON
object, or something on the path is none. Cost: one scan of the text for each name of the path.

    {"a": 1, // one            set(..., ("b",), 2)         {"a": 1, // one
    }                                                        "b": 2
                                                           }
"""

from __future__ import annotations

import json

from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.lean.records import NamedTuple

_SPACE = patterns.compile(r"(?:[\s\ufeff]+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
_STRING = patterns.compile(r'"(?:[^"\\\n]|\\.)*"')
_SCALAR = patterns.compile(r"[^\s,\[\]{}\"/]+")
_COMMENT = patterns.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/')
_LAST_COMMA = patterns.compile(r'"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])')


class _Member(NamedTuple):
    name: str
    start: int
    value: int
    end: int


class _Object(NamedTuple):
    members: list[_Member]
    open: int
    close: int
    has_last_comma: bool


def loads(text: str) -> dict[str, object]:
    """The object in the text; an empty text is an empty object. Raises ValueError."""
    plain = _LAST_COMMA.sub(_kept, _COMMENT.sub(_kept, text.lstrip("\ufeff")))
    value = json.loads(plain) if plain.strip() else {}
    if not isinstance(value, dict):
        raise ValueError("it does not hold a JSON object")
    return value


def _kept(match: Match[str]) -> str:
    return match[0] if match[0].startswith('"') else " "


def put(text: str, path: tuple[str, ...], value: object) -> str:
    """The text with the member at the path set to the value; objects on the way are made where they are missing."""
    if not text.strip("\ufeff \t\r\n"):
        text = "{}\n"
    found = _object(text, _after_space(text, 0))
    for depth, name in enumerate(path):
        member = _named(found, name)
        if member is None:
            for inner in reversed(path[depth + 1 :]):
                value = {inner: value}
            return _insert(text, found, name, value, depth)
        if depth == len(path) - 1:
            return text[: member.value] + _written(text, value, depth + 1) + text[member.end :]
        found = _object(text, member.value)
    raise ValueError("no path")


def take_out(text: str, path: tuple[str, ...]) -> str:
    """The text without the member at the path; unchanged where there is none."""
    found = _object(text, _after_space(text, 0))
    for name in path[:-1]:
        member = _named(found, name)
        if member is None:
            return text
        found = _object(text, member.value)
    member = _named(found, path[-1])
    if member is None:
        return text
    index = found.members.index(member)
    if index + 1 < len(found.members):
        return text[: member.start] + text[found.members[index + 1].start :]
    # The last one: the comma before it goes too; comments before and behind it stay.
    start = _after_space(text, found.members[index - 1].end) if index else found.open + 1
    between = text[start + bool(index) : member.start]
    end = _after_space(text, member.end) + 1 if found.has_last_comma else member.end
    # A comment to the end of the line needs that end.
    kept = between.rstrip() if text[end:].lstrip(" \t")[:1] == "\n" else between.rstrip(" \t")
    return text[:start] + kept + text[end:]


def _named(found: _Object, name: str) -> _Member | None:
    """The last member of that name: it is the one that counts."""
    return next((member for member in reversed(found.members) if member.name == name), None)


def _object(text: str, start: int) -> _Object:
    """The members of the object that begins here. Raises ValueError."""
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
    """Where the value that begins here ends; nothing is asked of it but that its brackets close."""
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
    return _SPACE.match(text, position).end()  # type: ignore[union-attr]


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _insert(text: str, found: _Object, name: str, value: object, depth: int) -> str:
    """A new member at the end of an object, on a line of its own."""
    step = _step(text)
    member = f"{json.dumps(name)}: {_written(text, value, depth + 1)}"
    end = found.members[-1].end if found.members else found.open + 1
    if found.members and found.has_last_comma:
        end = _after_space(text, end) + 1
    comma = "," if found.members and not found.has_last_comma else ""
    tail = text[end:]
    closing = "" if "\n" in text[end : found.close] else "\n" + step * depth
    # A comment behind the last member stays on its line.
    rest, line_end, below = tail.partition("\n")
    if found.members and line_end and rest.strip() and end + len(rest) < found.close:
        return f"{text[:end]}{comma}{rest}\n{step * (depth + 1)}{member}\n{below}"
    return f"{text[:end]}{comma}\n{step * (depth + 1)}{member}{closing}{tail}"


def _written(text: str, value: object, depth: int) -> str:
    step = _step(text)
    return json.dumps(value, indent=step, ensure_ascii=False).replace("\n", "\n" + step * depth)


_INDENT = patterns.compile(r'\{[^\n{}"]*\n([ \t]+)"')


def _step(text: str) -> str:
    """One level of the text's own indentation, two spaces where it shows none."""
    match = _INDENT.search(text)
    return match[1] if match else "  "
