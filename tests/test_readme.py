"""README against the code: commands, tools, errors, settings."""

import ast
import pathlib
import re

from webtool import errors, registry, settings

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
    for command, (_, name, text) in registry.TOOLS.items():
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
