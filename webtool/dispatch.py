"""Start the command that argv[0] or argv[1] names. In: argv. Out: the exit status.

--schema is answered here; for everything else the front end that is needed is imported: cli.host (JSON on stdin),
cli.main (people) or mcp.stdio. Almost nothing is imported before that, because agent hosts start every tool once just
to read its schema.
Tests: tests/test_dispatch.py
"""

from __future__ import annotations

import gc
import os
import sys

from webtool import registry
from webtool.output import CannotWrite, is_terminal, write_all, write_error

_SUFFIXES = (".pyz", ".py", ".exe", ".cmd")


def run(argv: list[str] | None = None) -> None:
    """Run main() and exit at once: the interpreter's normal clean-up takes longer than some commands."""
    _open_standard_files()
    try:
        status = main(sys.argv if argv is None else argv)
    except KeyboardInterrupt:
        status = 130
    except CannotWrite as exc:
        write_error(f"webtool: the answer cannot be written: {exc.strerror}\n")
        status = 1
    except BrokenPipeError:
        status = 141  # a shell reports this for a process that SIGPIPE ended
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            pass
    os._exit(status)


def main(argv: list[str]) -> int:
    """Run the command that argv names and return its exit status."""
    program = program_name(argv[0] if argv else "")
    if program in registry.EXECUTABLES:
        return _run_tool(registry.EXECUTABLES[program], argv[1:], program)
    command, arguments = _split_command(argv[1:])
    if command in registry.TOOLS:
        return _run_tool(command, arguments, "")
    if command == "mcp" and not arguments:
        from webtool.mcp import stdio

        return stdio.main()
    from webtool.cli.main import main as run_command

    return run_command(command, arguments)


def program_name(path: str) -> str:
    """Return the last part of argv[0] without .pyz, .py, .exe or .cmd; "\\" separates parts on Windows only."""
    name = path.rsplit("/", 1)[-1]
    if os.sep == "\\":
        name = name.rsplit("\\", 1)[-1]
    for suffix in _SUFFIXES:
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    return name


def _split_command(arguments: list[str]) -> tuple[str, list[str]]:
    """Return the command, which may be two words ("cache get"), and the arguments after it."""
    if not arguments:
        return "", []
    two_words = " ".join(arguments[:2])
    if two_words in registry.TOOLS:
        return two_words, arguments[2:]
    return arguments[0], arguments[1:]


def _run_tool(command: str, arguments: list[str], program: str) -> int:
    """Print a tool's schema, or run it as a host's tool or as a command; return the exit status."""
    is_host_name = program in registry.HOST_NAMES
    if arguments == ["--schema"] or arguments == ["--schema=full"]:
        text = registry.schema_text(command, full=arguments[0].endswith("=full"))
        write_all(1, text.encode("utf-8"))
        return 0
    if command != "batch":
        gc.disable()  # the process ends after one page; garbage collection would take a tenth of the run
    if not arguments and (is_host_name or not is_terminal(0)):
        from webtool.cli import host

        return host.main(command, is_host_name)
    from webtool.cli.main import main as run_command

    return run_command(command, arguments)


def _open_standard_files() -> None:
    """Open descriptors 0, 1 and 2 if they are closed.

    Otherwise the next file opened, such as the cache, would get one of these numbers and be overwritten as stdout.
    """
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
