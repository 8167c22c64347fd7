"""Print help: texts of the manual, and the flags of a tool, which come from its schema. In: a command or topic.

Out: text on stdout and the exit status 0; for an unknown command or topic an error that names the probable one.
Tests: tests/cli/test_people.py
"""

from __future__ import annotations

from webtool import registry
from webtool.cli import flags, page_options, topics
from webtool.errors import InvalidArgument
from webtool.output import is_terminal, write_all
from webtool.schemas.aliases import nearest
from webtool.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.tools import Tool

# Heading of a group of flags: the flags of any tool that belong to it. All others are under "Flags", as are those that
# a tool requires.
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


def main(command: str, words: list[str]) -> int:
    """Print the overview if `command` is empty, else help on what the words name. Raises InvalidArgument."""
    if not command:
        return print_text(topics.text_of("short"), Settings(pager=False))
    parsed = flags.parse(words, {}, flags.OPTIONS)
    first_two = " ".join(parsed.plain[:2])
    first = parsed.plain[0] if parsed.plain else ""
    name = first_two if first_two in registry.TOOLS else first
    return show(name, flags.settings_of(parsed))


def show(name: str, current: Settings) -> int:
    """Print help on a command, a group of commands or a topic. Raises InvalidArgument for an unknown one."""
    if name in ("", "all", "topics", "help", "version"):
        return print_text(topics.text_of("overview"), current)
    # `webtool extract` runs extract_many for several files. Nobody can type it as a command, but it has a help text.
    if name in topics.TOPICS or name in registry.COMMANDS or name == "extract_many":
        return print_text(topics.text_of(name), current)
    if commands_below(name):
        return _print_group(name, current)
    if name in registry.TOOLS:
        return print_tool(name, registry.load(name), current)
    raise InvalidArgument(f"unknown command or topic {name!r}", hint=_suggest(name, is_topic=True))


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
    number_flag = flags.number_flag(properties)
    output = {**(page_options.HELP if "url" in required else {}), **tool.CLI_HELP, **_OUTPUT}
    lines += ["", "Output:", *[line for flag, text in output.items() for line in _line(flag, text)]]
    lines += _line("-n N", f"The same as --{number_flag}") if number_flag else []
    lines += ["", "Every setting is a flag too, such as --deadline 10: webtool help settings lists them.", ""]
    examples = topics.raw_text("overview").partition("Examples:\n")[2].splitlines()
    examples = [line for line in examples if f"webtool {command} " in line]
    lines += ["Examples:", *examples, ""] if examples else []
    return print_text("\n".join(lines), current)


def _print_group(first: str, current: Settings) -> int:
    """Print the commands that begin with one word, such as cache."""
    names = commands_below(first)
    lines = [f"Usage: webtool {first} COMMAND [WORDS] [--FLAGS]", ""]
    lines += [f"  {name:<13}{registry.TOOLS[name][1]}" for name in names]
    lines += ["", f"webtool {names[0]} --help shows the flags of the first, and so on.", ""]
    return print_text("\n".join(lines), current)


def _flag(name: str, schema: dict[str, object], text: str) -> list[str]:
    """Return a flag's lines, such as `--mode {readable,full,raw}    Which text`; `text` replaces the description."""
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
    default = schema.get("default")
    if default is not None and not isinstance(default, bool) and "default" not in text:
        limits.append(f"default {default}")
    if limits:
        text += f" ({'; '.join(limits)})"
    return _line(left, text)


_PLACEHOLDERS = {"string": "TEXT", "integer": "N", "number": "N", "array": "A,B", "object": "JSON"}


def _line(left: str, text: str) -> list[str]:
    """Return a flag with its text, which is on a line of its own if the flag is long."""
    if len(left) < _WIDTH:
        return [f"  {left:<{_WIDTH}}{text}".rstrip()]
    return [f"  {left}", f"  {'':<{_WIDTH}}{text}"]


def print_text(text: str, current: Settings) -> int:
    """Write the text, laid out if stdout is a terminal. Returns 0."""
    if is_terminal(1) or current.color == "always":
        from webtool.cli.terminal import screen

        screen.show_manual(text, current)
    else:
        write_all(1, text.encode("utf-8"))
    return 0


def commands_below(command: str) -> list[str]:
    """Return the commands of two words that begin with this one: cache -> cache get, cache purge, cache info."""
    return [name for name in registry.TOOLS if name.startswith(command + " ")] if command else []


def unknown(command: str, words: list[str]) -> InvalidArgument:
    """Return the error for an unknown command, with the command that was probably meant."""
    known = commands_below(command)
    if command.startswith("-"):
        hint = f"Flags come after the command: webtool COMMAND ... {command}"
        return InvalidArgument(f"{command} is a flag, not a command", hint=hint)
    if not known:
        return InvalidArgument(f"unknown command {command!r}", hint=_suggest(command))
    hint = f"Use one of: {', '.join(known)}."
    if not words:
        return InvalidArgument(f"{command} needs a second word", hint=hint)
    both = f"{command} {words[0]}"
    return InvalidArgument(f"unknown command {both!r}", hint=" ".join(filter(None, (nearest(both, known), hint))))


# Parts of a page that people take for commands: a value to show with the flag.
_SAMPLES = {
    "section": '"TITLE"', "find": '"WORDS"', "query": '"A QUESTION"', "sql": '"SELECT * FROM t1"', "select": '"CSS"',
}  # fmt: skip


def _suggest(command: str, *, is_topic: bool = False) -> str:
    """Return the hint for an unknown command or help topic: what was probably meant, else where they are listed."""
    for name, (module_name, _) in registry.TOOLS.items():
        if command.replace("-", "_").removesuffix("_tool") == module_name:
            return f"Use: webtool {name}"
    if command in topics.TOPICS:
        return f"Use: webtool help {command}"
    member = command.lstrip("-").replace("-", "_")
    schema = registry.load("open").SCHEMA["parameters"]["properties"].get(member)
    if schema:
        value = "" if schema["type"] == "boolean" else " " + _SAMPLES.get(member, "VALUE")
        return f"It is a flag: webtool open URL --{member.replace('_', '-')}{value}"
    if not is_topic and (":" in command or "." in command):
        return f"To open a page: webtool open {command}"
    known = [*registry.TOOLS, *registry.COMMANDS]
    known += topics.TOPICS if is_topic else ["help", "--version"]
    listed = f"Topics: {', '.join(topics.TOPICS)}." if is_topic else "webtool --help lists the commands."
    return nearest(command, known) or listed
