"""README against the code: commands, tools, errors, settings."""

import ast
import pathlib
import re
import shlex

import pytest

from webtool import errors, registry, settings
from webtool.cli import flags
from webtool.cli.mcp_hosts import known

ROOT = pathlib.Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def documented_settings():
    """(name, default, text) of every field of Settings, the text from the string behind it."""
    tree = ast.parse((ROOT / "webtool" / "settings.py").read_text(encoding="utf-8"))
    body = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Settings").body
    for field, text in zip(body, body[1:]):
        if isinstance(field, ast.AnnAssign):
            assert isinstance(text, ast.Expr), f"{field.target.id} has no text"
            yield field.target.id, ast.literal_eval(field.value), " ".join(text.value.value.split())


def row(name, default, text):
    shown = {True: "on", False: "off"}.get(default, default) if isinstance(default, bool) else default
    shown = " ".join(shown) if isinstance(shown, tuple) else shown
    return f"| `WEBTOOL_{name.upper()}` | {f'`{shown}`' if shown != '' else ''} | {text} |"


def test_the_settings_table_is_the_code():
    expected = [row(*one) for one in documented_settings()]
    found = re.findall(r"^\| `WEBTOOL_\w+` \|.*\|$", README, re.M)
    assert found == expected, "the table should be:\n" + "\n".join(expected)
    assert len(expected) == len(settings.Settings._fields)


def test_every_tool_has_its_row():
    for command, (name, text) in registry.TOOLS.items():
        assert f"| `{command}` | `{name}` | {text} |" in README


def error_classes(base=errors.WebtoolError):
    for error in base.__subclasses__():
        yield error
        yield from error_classes(error)


def test_the_error_table_is_the_code():
    table = {}
    for codes, status in re.findall(r"^\| ([A-Z_, ]+) \| (\d+) \|", README, re.M):
        table.update(dict.fromkeys(codes.split(", "), int(status)))
    expected = {error.code: error.exit_status for error in error_classes() if "code" in vars(error)}
    expected.pop("CANCELLED")  # MCP clients and Ctrl-C only: nobody is left to read it
    assert table == expected


def test_the_two_commands_are_there():
    blocks = re.findall(r"```sh\n(.*?)```", README, re.S)
    assert blocks[0].strip() == "python3 build.py && python3 dist/webtool.pyz fetch --demo"
    assert blocks[1].strip().endswith("python3 -m pytest")
    assert "tests/requirements.txt" in blocks[1]


def commands():
    """Every command of webtool in a shell block or between backquotes, without the program's name."""
    for block in re.findall(r"```sh\n(.*?)```", README, re.S):
        for line in block.splitlines():
            yield from re.findall(r"^dist/webtool\.pyz (.*?)(?:  +#.*)?$", line)
    yield from re.findall(r"`webtool ([^`]*)`", README)


@pytest.mark.parametrize("line", sorted(set(commands())))
def test_every_command_exists_with_its_flags(line):
    words = shlex.split(line)
    name = " ".join(words[:2]) if " ".join(words[:2]) in registry.TOOLS else words[0]
    rest = words[len(name.split()) :]
    if name in registry.TOOLS:
        tool = registry.load(name)
        options = {**flags.OPTIONS, **getattr(tool, "CLI_OPTIONS", {})}
        flags.parse(rest, tool.SCHEMA["parameters"], options)  # raises for an unknown flag
    elif name == "mcp" and rest:
        assert rest[1] in known.HOSTS
    else:
        assert name in (*registry.COMMANDS, "--help", "help")


def test_the_commands_are_found():
    assert len(set(commands())) >= 12


def test_the_library_does_what_is_shown(archive, monkeypatch):
    """Line by line, up to those that need the internet."""
    block = re.search(r"```python\n(.*?)```", README, re.S)[1]
    assert "webtool.pyz" in block
    names = {}
    for line in block.splitlines()[1:]:
        if "webtool.fetch(" in line or "webtool.search(" in line:
            continue
        exec(line, names)
    value, said = re.search(r"^(webtool\.to_markdown\(.*?\)) +# (.*)$", block, re.M).groups()
    assert eval(value, names) == ast.literal_eval(said)
    found = names["webtool"].extract(names["html"])
    for name in re.findall(r"\.(\w+)", re.search(r"# main content, with (.*)", block)[1]):
        assert hasattr(found, name)


def test_the_other_names_of_settings_are_the_code():
    assert set(re.findall(r"MCP_WEB_\w+", README)) == {*settings._ALIASES, "MCP_WEB_TIMEOUT_MS"}
    for alias, name in settings._ALIASES.items():
        assert alias.lower() == f"mcp_web_{name}" or f"`{alias}` ({name})" in " ".join(README.split())


@pytest.mark.parametrize("path", sorted(set(re.findall(r"(?:tests|webtool)/[\w/]+\.(?:py|md|bin|txt)", README))))
def test_every_file_it_names_exists(path):
    assert (ROOT / path).is_file()
