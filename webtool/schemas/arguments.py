"""Check arguments against a tool's schema. In: the schema's `parameters` and an object. Out: the known members.

The subset of JSON Schema that tool schemas use: type, enum, items, nested properties, required, minimum, maximum,
minLength. Unknown members are ignored (webtool.schemas.aliases tells of them); null is absent. Booleans are not
integers; 5.0 is one (JSON Schema 2020-12 section 6.1.1 of the validation part counts any number without a fraction),
and so is "5", as models write it; "true" is a boolean.
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
_NAMED_BY_NUMBER = ("section",)  # text that may be a number: a section is also told by its line
_NOUNS = {
    "string": "a string", "integer": "an integer", "number": "a number", "boolean": "true or false",
    "array": "an array", "object": "an object",
}  # fmt: skip


def check(
    parameters: Mapping[str, object], request: Mapping[str, object], clamped: tuple[str, ...] = ()
) -> dict[str, object]:
    """The members of `request` that the schema knows, checked; defaults are left to run().

    `clamped` names members whose numbers are moved into minimum and maximum instead of refused.
    Raises InvalidArgument naming the member.
    """
    return _object(parameters, request, "", clamped)


def _object(
    schema: Mapping[str, object], value: Mapping[str, object], path: str, clamped: tuple[str, ...]
) -> dict[str, object]:
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
    kind = str(schema["type"])
    if kind in _FROM_TEXT and isinstance(value, str) and _FROM_TEXT[kind].fullmatch(value):
        value = int(value) if kind == "integer" else float(value)
    elif kind == "boolean" and isinstance(value, str):
        value = _BOOLEANS.get(value.lower(), value)
    elif type(value) is int and path in _NAMED_BY_NUMBER:
        value = str(value)
    if not _IS[kind](value):
        raise _wrong(path, f"must be {_NOUNS[kind]}, not {_describe(value)}", f"Give {path} as {_NOUNS[kind]}.")
    if kind == "integer":
        value = int(value)  # type: ignore[call-overload]
    if "enum" in schema and value not in schema["enum"]:  # type: ignore[operator]
        allowed = ", ".join(str(item) for item in schema["enum"])  # type: ignore[attr-defined]
        raise _wrong(path, f"is {quoted(value)}", f"Use one of: {allowed}.")
    return _BOUNDED[kind](schema, value, path, clamped) if kind in _BOUNDED else value


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
    shortest: int = schema.get("minLength", 0)  # type: ignore[assignment]
    if len(value) < shortest:  # type: ignore[arg-type]
        raise _wrong(path, f"is shorter than {shortest} characters", f"Give at least {shortest} characters.")
    return value


def _array(schema: Mapping[str, object], value: object, path: str, clamped: tuple[str, ...]) -> object:
    items: Mapping[str, object] | None = schema.get("items")  # type: ignore[assignment]
    if not items:
        return value
    rows: list[object] = value  # type: ignore[assignment]
    return [_value(items, item, f"{path}[{index}]", clamped) for index, item in enumerate(rows)]


def _nested(schema: Mapping[str, object], value: object, path: str, clamped: tuple[str, ...]) -> object:
    if "properties" not in schema:
        return value
    return _object(schema, value, path + ".", clamped)  # type: ignore[arg-type]


_BOUNDED: dict[str, Callable[..., object]] = {
    "integer": _number, "number": _number, "string": _string, "array": _array, "object": _nested,
}  # fmt: skip


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value - value == 0  # no NaN, no infinity


_IS: dict[str, Callable[[object], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: _is_number(value) and value == int(value),  # type: ignore[call-overload]
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def _describe(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    return _TYPE_NOUNS.get(type(value), type(value).__name__)


_TYPE_NOUNS: dict[type, str] = {str: "a string", list: "an array", dict: "an object"}


def _summary(schema: Mapping[str, object]) -> str:
    text = str(schema.get("description", "")).strip().rstrip(".")
    return text[:1].lower() + text[1:] if text else _NOUNS[str(schema["type"])]


def _range_hint(path: str, schema: Mapping[str, object]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f"Give {path} from {low} to {high}."
    return f"Give {path} of {low} or more." if low is not None else f"Give {path} of {high} or less."


def _wrong(path: str, what: str, hint: str) -> InvalidArgument:
    return InvalidArgument(f"{path} {what}", hint=hint)
