"""Print help: texts of the manual, and the flags of a tool, which come from its schema. In: a command or topic.

Out: text on stdout and the exit status 0.

Tests: tests/cli/test_people.py
"""

from __future__ import annotations

from webtool import registry, settings
from webtool.cli import flags, page_options, topics
from webtool.output import is_terminal, write_all
from webtool.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.tools import Tool

# Heading of a group of flags: the flags of any tool that belong to it. All others are under "Flags".
_GROUPS = {
    "Part of the page": (
        "outline", "section", "find", "context", "query", "verify", "sql", "offset", "limit", "max_tokens",
        "left_out", "with",
    ),
    "How it is written": ("links", "images", "select", "drop"),
    "How it is fetched": (
        "accept", "header", "force_refresh", "max_bytes", "timeout_ms", "use_siteconfig", "siteconfig_id", "extract",
    ),
}  # fmt: skip
_OUTPUT = {
    "--json": "Print JSON instead of text",
    "-o, --output FILE": "Write to a file",
    "-q, --quiet": "No notes on stderr",
    "--color {auto,always,never}": "Colour on a terminal (default auto)",
    "--no-pager": "Show long texts without a pager",
}
_WIDTH = 28  # columns of a flag


def print_tool(command: str, tool: Tool, current: Settings) -> int:
    """Print the help of one tool: its words, its flags from the schema in groups, examples."""
    parameters = tool.SCHEMA["parameters"]
    required = parameters.get("required", ())
    words = " ".join(name.upper() for name in required)
    lines = [f"Usage: webtool {command} {words} [--FLAGS]".replace("  ", " "), "", registry.TOOLS[command][1]]
    properties = parameters["properties"]
    grouped = {name: group for group, names in _GROUPS.items() for name in names if name not in required}
    for group in ("Flags", *_GROUPS):
        flagged = [name for name in properties if grouped.get(name, "Flags") == group]
        texts = [line for name in flagged for line in _flag(name, properties[name], tool.FLAG_HELP.get(name, ""))]
        lines += ["", f"{group}:", *texts] if texts else []
    counted = flags.number_flag(properties)
    output = {**(page_options.HELP if "url" in required else {}), **tool.CLI_HELP, **_OUTPUT}
    lines += ["", "Output:", *[line for flag, text in output.items() for line in _line(flag, text)]]
    lines += _line("-n N", f"The same as --{counted}") if counted else []
    lines += ["", "Every setting is a flag too, such as --deadline 10: webtool help settings lists them.", ""]
    examples = topics.raw_text("overview").partition("Examples:\n")[2].splitlines()
    examples = [line for line in examples if f"webtool {command} " in line]
    lines += ["Examples:", *examples, ""] if examples else []
    return _show("\n".join(lines), current)


def print_group(first: str, current: Settings) -> int:
    """Print the commands that begin with one word, such as cache."""
    names = [name for name in registry.TOOLS if name.startswith(first + " ")]
    lines = [f"Usage: webtool {first} COMMAND [WORDS] [--FLAGS]", ""]
    lines += [f"  {name:<13}{registry.TOOLS[name][1]}" for name in names]
    lines += ["", f"webtool {names[0]} --help shows the flags of the first, and so on.", ""]
    return _show("\n".join(lines), current)


def print_topic(topic: str, current: Settings | None = None) -> int:
    """Print the text on a topic or command."""
    return _show(topics.text_of(topic), current or settings.Settings())


def _flag(name: str, schema: dict[str, object], text: str) -> list[str]:
    """Return the lines of one flag. `text` replaces the schema's description, which is kept short for models.

    `--mode {readable,full,raw}    Which text (default readable)`.
    """
    kind = str(schema["type"])
    flag = "--" + name.replace("_", "-")
    if kind == "boolean":
        left = f"--[no-]{flag[2:]}" if schema.get("default") else flag
    elif "enum" in schema:
        left = f"{flag} {{{','.join(map(str, schema['enum']))}}}"  # type: ignore[call-overload]
    else:
        left = f"{flag} {_PLACEHOLDERS[kind]}"
    text = text or str(schema.get("description", ""))
    limits = []
    if "minimum" in schema and "maximum" in schema and f"{schema['minimum']} to" not in text:
        limits.append(f"{schema['minimum']} to {schema['maximum']}")
    if schema.get("default") not in (None, False, True) and "default" not in text:
        limits.append(f"default {schema['default']}")
    if limits:
        text += f" ({'; '.join(limits)})"
    return _line(left, text)


_PLACEHOLDERS = {"string": "TEXT", "integer": "N", "number": "N", "array": "A,B", "object": "JSON"}


def _line(left: str, text: str) -> list[str]:
    """Return a flag with its text, which is on a line of its own if the flag is long."""
    if len(left) < _WIDTH:
        return [f"  {left:<{_WIDTH}}{text}".rstrip()]
    return [f"  {left}", f"  {'':<{_WIDTH}}{text}"]


def _show(text: str, current: Settings) -> int:
    """Write the text, laid out if stdout is a terminal. Returns 0."""
    if is_terminal(1) or current.color == "always":
        from webtool.cli.terminal import screen

        screen.show_manual(text, current)
    else:
        write_all(1, text.encode("utf-8"))
    return 0
