"""Check arguments against a tool's schema. In: the schema's `parameters` and an object. Out: the known members.

It reads the subset of JSON Schema that tool schemas use: type, enum, items, nested properties, required, minimum,
maximum, minLength. Unknown members are ignored (aliases.py notes them); null counts as absent. Booleans are not
integers. 5.0 is an integer (JSON Schema 2020-12 validation, section 6.1.1: a number without a fraction).

Many clients send every value as text. from_text() reads it by the schema:

    count: "5"              -> 5             items: "[{\"url\": \"https://a.example/\"}]"  -> [{"url": ...}]
    deep: "true"            -> true          domains: "a.example"                          -> ["a.example"]
    count: "", mode: ""     -> not given
Tests: tests/schemas/test_arguments.py, tests/schemas/test_as_text.py
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from webtool.errors import InvalidArgument, quoted
from webtool.lean import jsontext, patterns

_FROM_TEXT = {
    "integer": patterns.compile(r"(?a)[+-]?\d{1,18}"),
    "number": patterns.compile(r"(?a)[+-]?\d{1,18}(?:\.\d{1,18})?"),
}
_BOOLEANS = {"true": True, "false": False}
_NOT_GIVEN = ("", "null")  # texts that clients send for a member that they leave out
_MAX_DIGITS = 40  # characters of a number written as text; longer text is not a number
_MAX_NUMBER = 2**63 - 1  # a larger one, which means "no limit", counts as this one: SQLite and a clock take no larger
_NUMBER_AS_TEXT = ("section",)  # strings that may be given as a number: a section's line
_NOUNS = {
    "string": "a string", "integer": "an integer", "number": "a number", "boolean": "true or false",
    "array": "an array", "object": "an object",
}  # fmt: skip


def check(
    parameters: Mapping[str, object], request: Mapping[str, object], clamped: tuple[str, ...] = ()
) -> dict[str, object]:
    """Return the members of `request` that the schema knows, checked. Defaults are left to run().

    `clamped` names members whose numbers are moved into their range instead of being refused. Raises InvalidArgument,
    which names the member.
    """
    return _object(parameters, request, "", clamped)


def _object(
    schema: Mapping[str, object], value: Mapping[str, object], path: str, clamped: tuple[str, ...]
) -> dict[str, object]:
    """Check an object; `path` is where it is in the request: "" or "items[2]."."""
    properties: Mapping[str, Mapping[str, object]] = schema.get("properties", {})  # type: ignore[assignment]
    members = {name: from_text(properties[name], value[name]) for name in value if name in properties}
    for name in schema.get("required", ()):  # type: ignore[attr-defined]
        if members.get(name) is None:
            raise _wrong(path + name, "is required", f"Give the member {path + name}: {_summary(properties[name])}.")
    return {
        name: _value(properties[name], member, path + name, clamped)
        for name, member in members.items()
        if member is not None
    }


def from_text(schema: Mapping[str, object], value: object) -> object:
    """Return text as the value that the schema wants, None if the member counts as left out.

    An object where an array is wanted becomes an array of one. All else is returned unchanged.
    """
    kind = str(schema["type"])
    if not isinstance(value, str) or (kind == "string" and "enum" not in schema):
        return [value] if kind == "array" and isinstance(value, dict) else value
    text = value.strip()
    if text in _NOT_GIVEN:
        return None
    if kind in _FROM_TEXT:
        return _number_from(text, kind, value)
    if kind == "boolean":
        return _BOOLEANS.get(text.lower(), value)
    if kind == "string":
        return text.lower() if text.lower() in schema["enum"] else value  # type: ignore[operator]
    if text[0] not in "[{":
        return [value] if kind == "array" else value
    try:
        parsed = jsontext.loads(text)
    except (ValueError, RecursionError):
        return value
    if kind == "array" and isinstance(parsed, dict):
        return [parsed]
    return parsed if _IS[kind](parsed) else value


def _number_from(text: str, kind: str, otherwise: object) -> object:
    """Return the number that a text is, such as "+7", "007", "5.0" and "1e3"; `otherwise` for other text."""
    if _FROM_TEXT[kind].fullmatch(text):
        return int(text) if kind == "integer" else float(text)
    try:
        number = float(text) if len(text) <= _MAX_DIGITS else otherwise
    except ValueError:
        return otherwise
    return number if _IS[kind](number) else otherwise


def _value(schema: Mapping[str, object], value: object, path: str, clamped: tuple[str, ...]) -> object:
    """Check type, enum and range of a value."""
    kind = str(schema["type"])
    if type(value) is int and path in _NUMBER_AS_TEXT and abs(value) <= _MAX_NUMBER:
        value = str(value)
    if not _IS[kind](value):
        raise _wrong(path, f"must be {_NOUNS[kind]}, not {_describe(value)}", f"Give {path} as {_NOUNS[kind]}.")
    if kind == "integer":
        value = int(value)  # type: ignore[call-overload]
    if "enum" in schema and value not in schema["enum"]:  # type: ignore[operator]
        allowed = ", ".join(str(item) for item in schema["enum"])  # type: ignore[attr-defined]
        raise _wrong(path, f"is {quoted(value)}", f"Use one of: {allowed}.")
    check_range = _RANGE_CHECKS.get(kind)
    return check_range(schema, value, path, clamped) if check_range else value


# Each of these checks a value of the right type against the schema's limits and returns it.


def _number(schema: Mapping[str, object], value: object, path: str, clamped: tuple[str, ...]) -> object:
    number: float = value  # type: ignore[assignment]
    number = max(-_MAX_NUMBER, min(number, _MAX_NUMBER))
    shown = f"longer than {_MAX_DIGITS} digits" if _is_long(value) else value
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and number < low:  # type: ignore[operator]
        if path in clamped:
            return low
        is_filler = number == 0  # of clients that must give every member
        hint = _range_hint(path, schema)
        raise _wrong(path, f"is {shown}, below {low}", f"{hint[:-1]}, or leave it out." if is_filler else hint)
    if high is not None and number > high:  # type: ignore[operator]
        if path in clamped:
            return high
        raise _wrong(path, f"is {shown}, above {high}", _range_hint(path, schema))
    return number


def _string(schema: Mapping[str, object], value: object, path: str, _clamped: tuple[str, ...]) -> object:
    min_length: int = schema.get("minLength", 0)  # type: ignore[assignment]
    if len(value) < min_length:  # type: ignore[arg-type]
        raise _wrong(path, f"is shorter than {min_length} characters", f"Give at least {min_length} characters.")
    return value


def _array(schema: Mapping[str, object], value: object, path: str, clamped: tuple[str, ...]) -> object:
    row_schema: Mapping[str, object] | None = schema.get("items")  # type: ignore[assignment]
    if not row_schema:
        return value
    rows: list[object] = value  # type: ignore[assignment]
    return [
        _value(row_schema, from_text(row_schema, row), f"{path}[{index}]", clamped) for index, row in enumerate(rows)
    ]


def _nested(schema: Mapping[str, object], value: object, path: str, clamped: tuple[str, ...]) -> object:
    if "properties" not in schema:
        return value
    return _object(schema, value, path + ".", clamped)  # type: ignore[arg-type]


_RANGE_CHECKS: dict[str, Callable[..., object]] = {
    "integer": _number, "number": _number, "string": _string, "array": _array, "object": _nested,
}  # fmt: skip


def _is_number(value: object) -> bool:
    """Return whether a value is a finite number and no boolean."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value - value == 0


_IS: dict[str, Callable[[object], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: _is_number(value) and value == int(value),  # type: ignore[call-overload]
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def _describe(value: object) -> str:
    """Return what kind of value was given, for an error message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)) and not _is_long(value):
        return f"the number {value}"
    return next((noun for kind, noun in _NOUNS.items() if _IS[kind](value)), type(value).__name__)


def _is_long(value: object) -> bool:
    """Return whether a value is an integer too long for a message. Python refuses to write one of 4,301 digits."""
    return isinstance(value, int) and abs(value) >= 10**_MAX_DIGITS


def _summary(schema: Mapping[str, object]) -> str:
    """Return the schema's description as the end of a sentence, or its type."""
    text = str(schema.get("description", "")).strip().rstrip(".")
    return text[:1].lower() + text[1:] if text else _NOUNS[str(schema["type"])]


def _range_hint(path: str, schema: Mapping[str, object]) -> str:
    """Return a sentence that says which numbers are allowed."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if high is None:
        return f"Give {path} of {low} or more."
    if low is None:
        return f"Give {path} of {high} or less."
    return f"Give {path} from {low} to {high}."


def _wrong(path: str, what: str, hint: str) -> InvalidArgument:
    return InvalidArgument(f"{path} {what}", hint=hint)
