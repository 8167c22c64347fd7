"""Print help: texts of the manual, and the flags of a tool, which come from its schema. In: a command or topic.

Out: text on stdout and the exit status 0.

Tests: tests/cli/test_people.py
"""

from __future__ import annotations

from webtool import registry
from webtool.cli import flags, page_options, topics
from webtool.output import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.tools import Tool


def print_overview() -> int:
    """Print all commands, a line each, and examples."""
    return print_topic("overview")


def print_tool(command: str, tool: Tool) -> int:
    """Print the help of one tool: its words, its flags from the schema, the options of every tool, examples."""
    parameters = tool.SCHEMA["parameters"]
    required = parameters.get("required", ())
    words = " ".join(name.upper() for name in required)
    counted = flags.number_flag(parameters["properties"])
    lines = [
        f"Usage: webtool {command} {words} [--FLAGS]".replace("  ", " "),
        "",
        registry.TOOLS[command][1],
        "",
        "Flags:",
    ]
    for name, schema in parameters["properties"].items():
        lines += _flag(name, schema, tool.FLAG_HELP.get(name, ""))
    for name, text in {**(page_options.HELP if "url" in required else {}), **tool.CLI_HELP}.items():
        lines.append(f"  {name:<28}{text}")
    lines += [
        f"  {'--json':<28}Print JSON instead of text",
        f"  {'-o, --output FILE':<28}Write to a file",
        f"  {'-q, --quiet':<28}No notes on stderr",
        *([f"  {'-n N':<28}The same as --{counted}"] if counted else []),
        "",
        "Every setting is a flag too, such as --deadline 10: webtool help settings lists them.",
        "",
    ]
    examples = topics.raw_text("overview").partition("Examples:\n")[2].splitlines()
    examples = [line for line in examples if f"webtool {command} " in line]
    lines += ["Examples:", *examples, ""] if examples else []
    return _show("\n".join(lines))


def print_group(first: str) -> int:
    """Print the commands that begin with one word, such as cache."""
    names = [name for name in registry.TOOLS if name.startswith(first + " ")]
    lines = [f"Usage: webtool {first} COMMAND [WORDS] [--FLAGS]", ""]
    lines += [f"  {name:<13}{registry.TOOLS[name][1]}" for name in names]
    return _show("\n".join([*lines, "", f"webtool {names[0]} --help shows the flags of the first, and so on.", ""]))


def print_topic(topic: str) -> int:
    """Print the text on a topic or command."""
    return _show(topics.text_of(topic))


def _flag(name: str, schema: dict[str, object], text: str) -> list[str]:
    """Return the lines of one flag. `text` replaces the schema's description, which is kept short for models.

    `--mode TEXT    Which text (full, readable, raw; default full)`.
    """
    kind = str(schema["type"])
    flag = "--" + name.replace("_", "-")
    left = f"{flag}, --no-{flag[2:]}" if kind == "boolean" else f"{flag} {_PLACEHOLDERS[kind]}"
    text = text or str(schema.get("description", ""))
    limits = []
    if "enum" in schema and not all(str(choice) in text for choice in schema["enum"]):  # type: ignore[attr-defined]
        limits.append(", ".join(map(str, schema["enum"])))  # type: ignore[call-overload]
    elif "minimum" in schema and "maximum" in schema:
        limits.append(f"{schema['minimum']} to {schema['maximum']}")
    if "default" in schema and "default" not in text:
        limits.append(f"default {_DEFAULTS.get(str(schema['default']), schema['default'])}")
    if limits:
        text += f" ({'; '.join(limits)})"
    return [f"  {left:<28}{text}"] if len(left) < 28 else [f"  {left}", f"  {'':<28}{text}"]


_DEFAULTS = {"True": "yes", "False": "no"}
_PLACEHOLDERS = {"string": "TEXT", "integer": "N", "number": "N", "array": "A,B", "object": "JSON"}


def _show(text: str) -> int:
    write_all(1, text.encode("utf-8"))
    return 0
