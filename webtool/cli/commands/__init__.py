"""Run commands that are not tools. In: a command and its words. Out: the exit status.

COMMANDS has one row for each; its function gets the words sorted by flags.parse(). Help on a command is the text
webtool/help/NAME.md. Names and help lines are in webtool.registry.
Tests: tests/cli/commands/test_others.py
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.cli import flags
from webtool.errors import InvalidArgument
from webtool.lean.imports import resolve
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any


class Command(NamedTuple):
    """One command."""

    target: str  # "module:function" of this package; the function takes flags.Words and returns the exit status
    options: Mapping[str, bool | None]  # True: needs a value; False: a switch; None: a switch, --name=x is --name x
    schema: str = ""  # "module:function" that returns the schema of its further flags; "" without any
    usage: str = ""  # hint for a command that takes no plain words, if there are any; "" if it takes some

    def parameters(self) -> dict[str, Any]:
        """Return the schema of the command's further flags."""
        schema: dict[str, Any] = _function(self.schema)() if self.schema else {"properties": {}}
        return schema


_MANY = {"header": True, "output": True, "quiet": False, "json": False}
COMMANDS = {
    "batch": Command("batch:batch", _MANY, "batch:batch_parameters"),
    "crawl": Command("batch:crawl", _MANY, "batch:crawl_parameters"),
    "extract_many": Command(
        "extract_many:main", {"output": True, "quiet": False, "json": False, "batch": False, "full": False},
        "extract_many:parameters",
    ),
    "cite": Command("evidence:cite", {"note": True, "mode": True, "json": False, "quiet": False}),
    "pack": Command("evidence:pack", {"force": False, "quiet": False, "json": False}),
    "verify": Command("evidence:verify", {"json": False, "quiet": False}),
    "mcp": Command(
        "mcp:main",
        {"install": None, "uninstall": None, "print_config": None, "http": True, "dry_run": False, "project": False,
         "no_env": False, "env": True},
    ),
    "tools": Command("tools:list_tools", {"json": False}),
    "install": Command("tools:install", {"force": False}),
    "doctor": Command("doctor:main", {"json": False, "online": False}, usage="Use: webtool doctor [--online] [--json]"),
    "config": Command(
        "config:config", {"json": False, "quiet": False},
        usage="Use: webtool config [--json]; webtool help settings says what each setting does.",
    ),
    "version": Command("config:version", {"json": False}, usage="Use: webtool --version [--json]"),
    "completion": Command("completion:main", {}),
}  # fmt: skip


def run(name: str, words: list[str]) -> int:
    """Run a command, or print its help. Returns the exit status. Raises WebtoolError."""
    command = COMMANDS[name]
    parsed = flags.parse(words, command.parameters(), {**command.options, "help": False})
    if "help" in parsed.options:
        from webtool.cli import help_text

        return help_text.show(name, flags.settings_of(parsed))
    if command.usage and parsed.plain:
        raise InvalidArgument(f"{name} takes no word {parsed.plain[0]!r}", hint=command.usage)
    status: int = _function(command.target)(parsed)
    return status


def _function(target: str) -> Any:
    return resolve(f"webtool.cli.commands.{target}")
