"""The six rules by which a host accepts a tool's schema. In: what --schema printed. Out: the name and what is wrong.

Rules: valid JSON; name, description and parameters present; the name alphanumeric and underscore; parameters an object
schema with properties; every property of a valid type; required lists only defined properties.
"""

from __future__ import annotations

import json

TYPES = frozenset(("string", "integer", "number", "boolean", "array", "object"))
_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


def check(output: bytes) -> tuple[str, list[str]]:
    """The tool's name ("" when it has none) and the rules it breaks, in words."""
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
    """One property; nested ones too, a few levels deep as schemas go (deeper ones are left to the host)."""
    problems: list[str] = []
    level = [(path, schema)]
    for _ in range(8):
        deeper: list[tuple[str, object]] = []
        for place, one in level:
            if not isinstance(one, dict) or not isinstance(one.get("type"), str) or one["type"] not in TYPES:
                problems.append(f"{place} has no valid type")
                continue
            if isinstance(one.get("properties"), dict):
                deeper += [(f"{place}.{name}", inner) for name, inner in one["properties"].items()]
            if "items" in one:
                deeper.append((f"{place}[]", one["items"]))
        level = deeper
    return problems
