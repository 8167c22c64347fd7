"""Write the text that --schema prints. In: a tool module. Out: JSON, indented by two spaces, each list on one line.

Tests: tests/test_dispatch.py
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.tools import Tool


def schema_of(tool: Tool, full: bool) -> str:
    """Return the schema with the parameters in the tool's HOST_MEMBERS, or with all (`full`). It ends in a line end."""
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
