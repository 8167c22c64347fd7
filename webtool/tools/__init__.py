"""Hold the tools, one module each, named as the tool. In: a Context and checked arguments. Out: a Result.

SCHEMA describes a tool's arguments; run() does the work. registry.call() checks the arguments and reports errors; the
command line, the MCP server and the library all call tools through it.
Tests: tests/tools/test_parts.py
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Protocol

    from webtool.context import Context, Result
else:
    Protocol = object  # typing costs more than it gives here


class Tool(Protocol):
    """The members of a tool's module, and the values of those that a module leaves out (registry.load sets them)."""

    SCHEMA: Mapping[str, Any]  # name, description and parameters, as agent hosts read them
    HOST_MEMBERS: tuple[str, ...] = ()  # parameters that --schema lists; () lists all
    UNLISTED: Mapping[str, Any] = {}
    """Parameters that run() accepts but no schema lists: names that models carry over from other tools."""
    CLAMPED: tuple[str, ...] = ()  # parameters whose numbers are moved into their range instead of being refused
    TITLE: str = ""
    ANNOTATIONS: Mapping[str, bool] = {}
    OUTPUT_SCHEMA: Mapping[str, Any] = {}
    FLAG_HELP: Mapping[str, str] = {}  # parameter: the help text of its flag, in place of the schema's description
    FILE_MEMBER: str = ""  # the parameter for which the command line also accepts a file; "" without one
    CLI_OPTIONS: Mapping[str, bool] = {}
    """Options of the command that are not parameters: name, and whether a value follows."""
    CLI_HELP: Mapping[str, str] = {}  # option: its line in the command's help

    arrange_words: Callable[[list[str]], list[str]] = lambda words: words
    """Returns the words of the command that are not flags in the order of the required members."""
    prepare_command: Callable[[dict[str, str], dict[str, object]], tuple[dict[str, object], dict[str, object]]] = (
        lambda _options, members: (members, {})
    )
    """Returns the arguments of run() and the settings as the command's options change them."""
    after_command: Callable[[Context, dict[str, str], dict[str, object]], None] = lambda _ctx, _options, _members: None
    """Does what the command's options ask for besides the answer."""

    def run(self, ctx: Context, /, **members: Any) -> Result:
        """Do the work of the tool. Raises WebtoolError."""
        raise NotImplementedError
