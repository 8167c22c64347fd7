"""Check arguments against a tool's schema. In: the schema's `parameters` and an object. Out: the known members.

It reads the subset of JSON Schema that tool schemas use: type, enum, items, nested properties, required, minimum,
maximum, minLength. Unknown members are ignored (aliases.py notes them); null counts as absent. Booleans are not
integers. 5.0 is an integer (JSON Schema 2020-12 validation, section 6.1.1: a number without a fraction), and so is
"5", as models often write it; "true" is a boolean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from webtool.errors import InvalidArgument, quoted
from webtool.lean import patterns

_FROM_TEXT = {
    "integer": patterns.compile(r"(?a)[+-]?\d{1,18}"),
    "number": patterns.compile(r"(?a)[+-]?\d{1,18}(?:\.\d{1,18})?"),
}
_BOOLEANS = {"true": True, "false": False}
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
    for name in schema.get("required", ()):  # type: ignore[attr-defined]
        if value.get(name) is None:
            raise _wrong(path + name, "is required", f"Give the member {path + name}: {_summary(properties[name])}.")
    checked: dict[str, object] = {}
    for name, member in value.items():
        if name not in properties or member is None:
            continue
        checked[name] = _value(properties[name], member, path + name, clamped)
    return checked


def _value(schema: Mapping[str, object], value: object, path: str, clamped: tuple[str, ...]) -> object:
    """Check a value: take text as the type that the schema wants, then check type, enum and range."""
    kind = str(schema["type"])
    if kind in _FROM_TEXT and isinstance(value, str) and _FROM_TEXT[kind].fullmatch(value):
        value = int(value) if kind == "integer" else float(value)
    elif kind == "boolean" and isinstance(value, str):
        value = _BOOLEANS.get(value.lower(), value)
    elif type(value) is int and path in _NUMBER_AS_TEXT:
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
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and number < low:  # type: ignore[operator]
        if path in clamped:
            return low
        raise _wrong(path, f"is {value}, below {low}", _range_hint(path, schema))
    if high is not None and number > high:  # type: ignore[operator]
        if path in clamped:
            return high
        raise _wrong(path, f"is {value}, above {high}", _range_hint(path, schema))
    return value


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
    return [_value(row_schema, row, f"{path}[{index}]", clamped) for index, row in enumerate(rows)]


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
    if isinstance(value, (int, float)):
        return f"the number {value}"
    return _TYPE_NOUNS.get(type(value), type(value).__name__)


_TYPE_NOUNS: dict[type, str] = {str: "a string", list: "an array", dict: "an object"}


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
