"""Write the text that --schema prints, and check such a text by the six rules of agent hosts.

In: a tool module; or what an executable printed. Out: JSON, indented by two spaces, each list on one line; or the name
and the problems. The rules: it is valid JSON; it has name, description and parameters; the name has only letters,
digits and underscores; parameters is an object schema with properties; every property has a valid type; required lists
only properties.

Tests: tests/schemas/test_printed.py, tests/test_dispatch.py
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.tools import Tool

TYPES = frozenset(("string", "integer", "number", "boolean", "array", "object"))
_MAX_DEPTH = 8  # levels of nested properties; deeper ones are not checked
_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


def schema_of(tool: Tool, full: bool) -> str:
    """Return the schema and a line end. Unless `full`, only the parameters in HOST_MEMBERS are listed, if it has any.

    HOST_MEMBERS names the parameters that an agent host should offer, all required ones among them.
    """
    schema = tool.SCHEMA
    names = tool.HOST_MEMBERS
    if names and not full:
        parameters = dict(schema["parameters"])
        parameters["properties"] = {name: parameters["properties"][name] for name in names}
        schema = {**schema, "parameters": parameters}
    return _dump(schema, "") + "\n"


def _dump(value: object, indent: str) -> str:
    """Return a value as JSON. It is recursive: schemas are small, and webtool's own."""
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    if not value:
        return "{}"
    inner = indent + "  "
    members = (f"{inner}{json.dumps(name)}: {_dump(member, inner)}" for name, member in value.items())
    return "{\n" + ",\n".join(members) + f"\n{indent}}}"


def check(output: bytes) -> tuple[str, list[str]]:
    """Return the tool's name ("" without one) and a sentence for each rule that it breaks."""
    try:
        schema = json.loads(output.decode("utf-8"))
    except (ValueError, RecursionError) as exc:
        return "", [f"--schema printed no valid JSON ({exc})"]
    if not isinstance(schema, dict):
        return "", ["--schema printed JSON that is not an object"]
    problems = [f"{name!r} is missing" for name in ("name", "description", "parameters") if name not in schema]
    name = schema.get("name")
    if "name" in schema and not (isinstance(name, str) and name and _NAME_CHARACTERS.issuperset(name)):
        problems.append(f"the name {name!r} is not alphanumeric and underscore")
        name = ""
    if "description" in schema and not isinstance(schema["description"], str):
        problems.append("the description is not a string")
    if "parameters" in schema:
        problems += _parameters(schema["parameters"], "parameters")
    return name or "", problems


def _parameters(parameters: object, path: str) -> list[str]:
    """Return the problems of an object schema; `path` names it in them."""
    if not isinstance(parameters, dict):
        return [f"{path} is not an object"]
    problems = []
    if parameters.get("type") != "object":
        problems.append(f"{path}: type is not 'object'")
    properties = parameters.get("properties")
    if not isinstance(properties, dict):
        return [*problems, f"{path}: properties is missing"]
    for name, schema in properties.items():
        problems += _property(schema, f"{path}.{name}")
    required = parameters.get("required", [])
    if not isinstance(required, list):
        return [*problems, f"{path}: required is not an array"]
    unknown = [str(name) for name in required if not isinstance(name, str) or name not in properties]
    return problems + [f"{path}: required lists {name!r}, which is not a property" for name in unknown]


def _property(schema: object, path: str) -> list[str]:
    """Return the problems of a property and of those nested in it, down to _MAX_DEPTH levels."""
    problems: list[str] = []
    level = [(path, schema)]
    for _ in range(_MAX_DEPTH):
        next_level: list[tuple[str, object]] = []
        for place, nested in level:
            if not isinstance(nested, dict) or not isinstance(nested.get("type"), str) or nested["type"] not in TYPES:
                problems.append(f"{place} has no valid type")
                continue
            if isinstance(nested.get("properties"), dict):
                next_level += [(f"{place}.{name}", inner) for name, inner in nested["properties"].items()]
            if "items" in nested:
                next_level.append((f"{place}[]", nested["items"]))
        level = next_level
    return problems
