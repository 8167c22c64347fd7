"""What was asked for: argv[0] or argv[1] names the tool. Answers --schema itself; else imports the front end needed.

In: argv. Out: the exit status. Only os and sys are imported before the front end is known, because agent hosts start
every tool once just to read its schema.
"""

from __future__ import annotations

import gc
import os
import sys

from webtool import registry
from webtool.output import CannotWrite, is_terminal, write_all, write_error

_SUFFIXES = (".pyz", ".py", ".exe", ".cmd")


def run(argv: list[str] | None = None) -> None:
    """Run main() and leave the process at once: tearing down modules and trees takes longer than some commands."""
    _occupy_standard_files()
    try:
        status = main(sys.argv if argv is None else argv)
    except KeyboardInterrupt:
        status = 130
    except CannotWrite as exc:
        write_error(f"webtool: the answer cannot be written: {exc.strerror}\n")
        status = 1
    except BrokenPipeError:
        status = 141  # what a shell reports for a process that SIGPIPE ended
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
    """The last part of argv[0] without .pyz, .py, .exe or .cmd; Windows separators count there only."""
    name = path.rsplit("/", 1)[-1]
    if os.sep == "\\":
        name = name.rsplit("\\", 1)[-1]
    for suffix in _SUFFIXES:
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    return name


def _split_command(arguments: list[str]) -> tuple[str, list[str]]:
    if not arguments:
        return "", []
    both = " ".join(arguments[:2])
    if both in registry.TOOLS:
        return both, arguments[2:]
    return arguments[0], arguments[1:]


def _run_tool(command: str, arguments: list[str], program: str) -> int:
    is_host_name = program in registry.HOST_NAMES
    if arguments == ["--schema"] or arguments == ["--schema=full"]:
        text = registry.schema_text(command, full=arguments[0].endswith("=full"))
        write_all(1, text.encode("utf-8"))
        return 0
    if command != "batch":
        gc.disable()  # one page and out: looking for cycles in its tree would cost a tenth of the run
    if not arguments and (is_host_name or not is_terminal(0)):
        from webtool.cli import host

        return host.main(command, is_host_name)
    from webtool.cli.main import main as run_command

    return run_command(command, arguments)


def _occupy_standard_files() -> None:
    """Fill closed 0, 1 and 2: else the next file opened, say the cache, would be taken for stdout and written over."""
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
