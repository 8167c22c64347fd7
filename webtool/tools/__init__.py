"""The tools, one module each, named as the tool. In: a Context and checked arguments. Out: a Result (text and data).

SCHEMA says what a tool takes; run() does it. Checking arguments, writing answers and errors is left to the callers,
which all go through registry.call().
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from webtool.context import Context, Result

    class Tool(Protocol):
        """What the module of a tool holds. All but SCHEMA and run() may be left out: DEFAULTS stands in."""

        SCHEMA: Mapping[str, Any]
        """name, description and parameters, as hosts read them."""
        HOST_MEMBERS: tuple[str, ...]
        """Parameters that the plain --schema shows; () shows all."""
        UNLISTED: Mapping[str, Any]
        """Parameters that are taken and no schema shows, as models know them from elsewhere."""
        CLAMPED: tuple[str, ...]
        """Numbers that are brought into their range instead of refused."""
        TITLE: str
        ANNOTATIONS: Mapping[str, bool]
        OUTPUT_SCHEMA: Mapping[str, Any]
        FLAG_HELP: Mapping[str, str]
        """Parameter: what its flag's help says instead of the schema's description."""
        FILE_MEMBER: str
        """The parameter in whose place the command line takes a file; "" for none."""
        CLI_OPTIONS: Mapping[str, bool]
        """Further options of the command: does a value follow?"""
        CLI_HELP: Mapping[str, str]
        """Their lines in the command's help."""

        def run(self, ctx: Context, /, **members: Any) -> Result:
            """Do it. Raises WebtoolError."""

        def prepare_command(
            self, options: dict[str, str], members: dict[str, object]
        ) -> tuple[dict[str, object], dict[str, object]]:
            """What the options of the command line mean: the members, and the settings they change."""

        def after_command(self, ctx: Context, options: dict[str, str], members: Mapping[str, object]) -> None:
            """What the command line does beside the answer."""


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
    "prepare_command": lambda _options, members: (members, {}),
    "after_command": lambda _ctx, _options, _members: None,
}
