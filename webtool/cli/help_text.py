"""What --help prints, made from the registry and the schemas, so that it cannot say less than there is."""

from __future__ import annotations

from webtool import registry
from webtool.cli import asking, flags, topics
from webtool.cli.topics import TOPICS
from webtool.lean.typing import Any
from webtool.output import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.tools import Tool

_EXAMPLES = """\
Examples:
  webtool fetch https://example.com/             a page as markdown
  webtool fetch https://example.com/ --mode readable -o page.md
  webtool open https://example.com/ --json       main content, kept in the cache
  webtool brave "python zipapp" --count 5        search (needs BRAVE_API_KEY)
  webtool google "python zipapp" --num 5         search (needs two settings, see doctor)
  webtool duckduckgo "python zipapp"             search without a key
  webtool search "python zipapp"                 search with what is set up
  webtool extract page.html                      main content of a file; - is stdin
  webtool fetch report.pdf                       a file as markdown: PDF, Office, epub, notebook, HTML
  webtool cache purge --older-than-days 30       what was fetched longer ago
  webtool batch urls.txt -o pages.ndjson         many pages, one JSON line each
  webtool cache get 3f9a6c                       a stored page, by its hash or the first digits of it
  webtool open https://example.com/ --query "who may use it"    the passages that answer
  webtool recall domain names                    search what was opened before
  webtool verify "for use in examples" https://example.com/     is the quote there?
  webtool open 3                                 the third result of the last search
  webtool fetch https://example.com/a.zip --save a.zip    what is not text
  webtool mcp --install claude-code              into the settings of an MCP host
  echo '{"url": "https://example.com/"}' | webtool fetch    JSON in, JSON out
"""


def print_overview() -> int:
    """All commands, a line each, and examples."""
    lines = ["webtool: the web for agents and people, in one file.", "", "Usage: webtool COMMAND [WORDS] [--FLAGS]", ""]
    lines.append("Tools:")
    lines += [f"  {command:<13}{entry[1]}" for command, entry in registry.TOOLS.items()]
    lines += ["", "Other commands:"]
    lines += [f"  {command:<13}{entry[1]}" for command, entry in registry.COMMANDS.items()]
    lines += ["  --version    Versions of webtool, Python and OpenSSL.", ""]
    lines.append("webtool COMMAND --help shows its flags; webtool COMMAND --schema its JSON schema.")
    lines.append("Every setting is a flag too (--deadline 10) or an environment variable (WEBTOOL_DEADLINE=10);")
    lines += ["webtool help settings lists them. More to read: webtool help TOPIC", ""]
    lines += [f"  {topic:<13}{text}" for topic, text in TOPICS.items()]
    lines += ["", ""]
    return _show("\n".join(lines) + _EXAMPLES)


def print_tool(command: str, tool: Tool) -> int:
    """One tool: its words, its flags from the schema, and the options of every tool."""
    parameters = tool.SCHEMA["parameters"]
    required = parameters.get("required", ())
    words = " ".join(name.upper() for name in required)
    shortened = flags.number_flag(parameters["properties"])
    lines = [
        f"Usage: webtool {command} {words} [--FLAGS]".replace("  ", " "),
        "",
        registry.TOOLS[command][1],
        "",
        "Flags:",
    ]
    for name, schema in parameters["properties"].items():
        lines += _flag(name, schema, tool.FLAG_HELP.get(name, ""))
    for name, text in {**(asking.HELP if "url" in required else {}), **tool.CLI_HELP}.items():
        lines.append(f"  {name:<28}{text}")
    lines += [
        f"  {'--json':<28}Print JSON instead of text",
        f"  {'-o, --output FILE':<28}Write to a file",
        f"  {'-q, --quiet':<28}No notes on stderr",
        *([f"  {'-n N':<28}The same as --{shortened}"] if shortened else []),
        "",
        "Every setting is a flag too, such as --deadline 10: webtool help settings lists them.",
        "",
    ]
    examples = [line for line in _EXAMPLES.splitlines() if f"webtool {command} " in line]
    lines += ["Examples:", *examples, ""] if examples else []
    return _show("\n".join(lines))


def print_group(first: str) -> int:
    """The commands that begin with one word, such as cache."""
    names = [name for name in registry.TOOLS if name.startswith(first + " ")]
    lines = [f"Usage: webtool {first} COMMAND [WORDS] [--FLAGS]", ""]
    lines += [f"  {name:<13}{registry.TOOLS[name][1]}" for name in names]
    return _show("\n".join([*lines, "", f"webtool {names[0]} --help shows the flags of the first, and so on.", ""]))


def print_topic(topic: str) -> int:
    """The text on one topic."""
    if topic != "settings":
        return _show(topics.text_of(topic))
    lines = ["Settings, each as a flag, a variable of the environment, or a member of config.json:", ""]
    for name, default, text in documented_settings():
        shown = {True: "on", False: "off"}.get(default, default) if isinstance(default, bool) else default
        lines.append(f"  --{name.replace('_', '-')}, WEBTOOL_{name.upper()}" + (f" (default {shown})" if shown else ""))
        lines.append(f"      {text}")
    lines += ["", "A flag wins over the environment, the environment over $XDG_CONFIG_HOME/webtool/config.json.", ""]
    return _show("\n".join(lines))


def documented_settings() -> list[tuple[str, object, str]]:
    """Name, default and text of every setting; the text stands behind the field, so it is read from the source."""
    import ast

    from webtool import settings

    source = settings.__loader__.get_source(settings.__name__)  # type: ignore[union-attr]
    tree = ast.parse(source)
    body: list[Any] = next(
        node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Settings"
    )
    documented = []
    for field, docstring in zip(body, body[1:]):
        if not isinstance(field, ast.AnnAssign):
            continue
        name = field.target.id  # type: ignore[union-attr]
        text = " ".join(docstring.value.value.split())
        choices = settings.choices_of(name)
        if not all(choice in text for choice in choices):
            number = "Any" if isinstance(settings.Settings._field_defaults[name], tuple) else "One"
            text += f" {number} of: {', '.join(choices)}."
        documented.append((name, ast.literal_eval(field.value), text))  # type: ignore[arg-type]
    return documented


def _flag(name: str, schema: dict[str, object], text: str) -> list[str]:
    """The lines of one flag; `text` stands in where the schema, which is kept short for models, has none."""
    kind = str(schema["type"])
    flag = "--" + name.replace("_", "-")
    left = f"{flag}, --no-{flag[2:]}" if kind == "boolean" else f"{flag} {_PLACEHOLDERS[kind]}"
    text = text or str(schema.get("description", ""))
    known = []
    if "enum" in schema and not all(str(choice) in text for choice in schema["enum"]):  # type: ignore[attr-defined]
        known.append(", ".join(map(str, schema["enum"])))  # type: ignore[call-overload]
    elif "minimum" in schema and "maximum" in schema:
        known.append(f"{schema['minimum']} to {schema['maximum']}")
    if "default" in schema and "default" not in text:
        known.append(f"default {_DEFAULTS.get(str(schema['default']), schema['default'])}")
    text += f" ({'; '.join(known)})" if known else ""
    return [f"  {left:<28}{text}"] if len(left) < 28 else [f"  {left}", f"  {'':<28}{text}"]


_DEFAULTS = {"True": "yes", "False": "no"}
_PLACEHOLDERS = {"string": "TEXT", "integer": "N", "number": "N", "array": "A,B", "object": "JSON"}


def _show(text: str) -> int:
    write_all(1, text.encode("utf-8"))
    return 0
