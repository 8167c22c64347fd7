"""Hold the tools, one module each, named as the tool. In: a Context and checked arguments. Out: a Result.

SCHEMA describes a tool's arguments; run() does the work. registry.call() checks the arguments and reports errors; the
command line, the MCP server and the library all call tools through it.

Tests: tests/tools/test_parts.py
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from webtool.context import Context, Result

    class Tool(Protocol):
        """The members of a tool's module. All except SCHEMA and run() have a default in DEFAULTS."""

        SCHEMA: Mapping[str, Any]  # name, description and parameters, as agent hosts read them
        HOST_MEMBERS: tuple[str, ...]  # parameters that --schema lists; () lists all
        UNLISTED: Mapping[str, Any]
        """Parameters that run() accepts but no schema lists: names that models carry over from other tools."""
        CLAMPED: tuple[str, ...]  # parameters whose numbers are moved into their range instead of being refused
        TITLE: str
        ANNOTATIONS: Mapping[str, bool]
        OUTPUT_SCHEMA: Mapping[str, Any]
        FLAG_HELP: Mapping[str, str]  # parameter: the help text of its flag, in place of the schema's description
        FILE_MEMBER: str  # the parameter for which the command line also accepts a file; "" without one
        CLI_OPTIONS: Mapping[str, bool]
        """Options of the command that are not parameters: name, and whether a value follows."""
        CLI_HELP: Mapping[str, str]  # option: its line in the command's help

        def run(self, ctx: Context, /, **members: Any) -> Result:
            """Do the work of the tool. Raises WebtoolError."""

        def arrange_words(self, words: list[str]) -> list[str]:
            """Return the words of the command that are not flags in the order of the required members."""

        def prepare_command(
            self, options: dict[str, str], members: dict[str, object]
        ) -> tuple[dict[str, object], dict[str, object]]:
            """Return the arguments of run() and the settings as the command's options change them."""

        def after_command(self, ctx: Context, options: dict[str, str], members: Mapping[str, object]) -> None:
            """Do what the command's options ask for besides the answer."""


DEFAULTS: dict[str, object] = {
    "HOST_MEMBERS": (),
    "UNLISTED": {},
    "CLAMPED": (),
    "TITLE": "",
    "ANNOTATIONS": {},
    "OUTPUT_SCHEMA": {},
    "FLAG_HELP": {},
    "FILE_MEMBER": "",
    "CLI_OPTIONS": {},
    "CLI_HELP": {},
    "arrange_words": lambda words: words,
    "prepare_command": lambda _options, members: (members, {}),
    "after_command": lambda _ctx, _options, _members: None,
}
