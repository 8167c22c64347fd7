"""The command line for people. In: the command and its words. Out: text or JSON on stdout, and the exit status.

Flags come from the tool's schema (flags.py), so a new member of a schema is a new flag. Errors go to stderr as two
lines, what happened and what to do next; with --json also to stdout as the error object.
"""

from __future__ import annotations

import os

from webtool import registry, settings
from webtool.answers import budget
from webtool.bulk import files
from webtool.cli import flags, host, page_options
from webtool.cli.waiting import Waiting
from webtool.context import Context, LocalFile, Result
from webtool.errors import AuthMissing, InvalidArgument, WebtoolError, of_bug
from webtool.lean.imports import load
from webtool.output import CannotWrite, is_terminal, one_line, write_all, write_error, write_file
from webtool.running import deadline
from webtool.schemas.aliases import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from webtool.settings import Settings
    from webtool.tools import Tool


def main(command: str, words: list[str]) -> int:
    """Run one command; the exit status tells success or the kind of failure."""
    if command in ("", "help", "-h", "--help"):
        return _help(words)
    try:
        if command in ("--version", "-V", "version") or words in (["--version"], ["-V"]):
            from webtool.cli.commands import version

            return version.main([] if words[:1] in (["--version"], ["-V"]) else [_text(word) for word in words])
        if command in registry.COMMANDS:
            return _run_module(registry.COMMANDS[command][0], words)
        if command == "batch" or (command == "extract" and _is_bulk(words)):
            return _run_module("batch" if command == "batch" else "extract_many", words)
        if command in registry.TOOLS:
            return _run_tool(command, words)
        if _below(command) and words in (["--help"], ["-h"]):
            return _help([command])
        raise _unknown(command, words)
    except WebtoolError as error:
        deadline.stop()
        return report(error, command, "--json" in words)
    except KeyboardInterrupt:
        deadline.stop()
        # Behind a line of progress and the ^C that the terminal shows.
        write_error(f"{chr(10) if is_terminal(2) else ''}webtool: interrupted\n")
        return 130
    except (BrokenPipeError, CannotWrite):
        raise
    except Exception as exc:
        deadline.stop()
        return report(of_bug(exc, settings.is_on(os.environ, "WEBTOOL_DEBUG")), command, "--json" in words)


def report(error: WebtoolError, command: str, as_json: bool) -> int:
    """Say what failed on stderr, as JSON on stdout too where JSON was asked for; returns the exit status."""
    write_error(f"webtool: {error.code}: {one_line(error.message, 1000)}\n")
    if error.hint:
        write_error(f"  {one_line(error.hint, 1000)}\n")
    if isinstance(error, AuthMissing) and error.event and is_terminal(2):
        write_error(f"\n{error.event['content']}\n")
    if as_json:
        write_all(1, budget.encode(host.error_object(error, command)))
    return error.exit_status


def _run_tool(command: str, words: list[str]) -> int:
    tool = registry.load(command)
    opens_pages = "url" in tool.SCHEMA["parameters"].get("required", ())
    options = {**flags.OPTIONS, **(page_options.OPTIONS if opens_pages else {}), **tool.CLI_OPTIONS}
    parsed = flags.parse([_text(word) for word in words], tool.SCHEMA["parameters"], options)
    current = flags.settings_of(parsed)
    if "help" in parsed.options:
        from webtool.cli import help_text

        return help_text.print_tool(command, tool)
    plain = _from_plain(parsed.plain, tool, command, parsed.members)
    members = {**parsed.members, **plain}
    local = _local(str(plain.get(tool.FILE_MEMBER, "")), tool, members)
    members, changes = tool.prepare_command(parsed.options, members)
    current = current._replace(**changes)  # type: ignore[arg-type]
    if "demo" in parsed.options:
        from webtool.cli import demo

        members = {**members, "url": demo.start()}
        current = current._replace(**demo.SETTINGS)  # type: ignore[arg-type]
    _require_words(command, tool.SCHEMA["parameters"].get("required", ()), members)
    if opens_pages and local is None:
        members, current = _addressed(members, current, parsed.options)
    ctx = Context(current, environ=os.environ, deadline=deadline.start(current.deadline))
    ctx.local, ctx.is_person = local, True
    ctx.headers = page_options.headers(parsed.options["header"]) if "header" in parsed.options else ()
    try:
        with Waiting("quiet" not in parsed.options):
            result = _result(command, ctx, members, parsed.options.get("save", ""))
            tool.after_command(ctx, parsed.options, members)
    finally:
        ctx.close()
    deadline.stop()
    page_options.remember(result, current)
    return _print(result, parsed.options)


def _addressed(
    members: dict[str, object], current: Settings, options: dict[str, str]
) -> tuple[dict[str, object], Settings]:
    """A number in the place of an address is a result of the last search; what -H brings is for this call alone."""
    word = str(members["url"])
    if word.isascii() and word.isdigit():
        members = {**members, "url": page_options.result_numbered(word, current)}
        if "quiet" not in options:
            write_error(f"webtool: {members['url']}\n")
    if "header" in options:
        page_options.refuse_rendered(members)
        current = current._replace(cache=False)
    return members, current


def _result(command: str, ctx: Context, members: dict[str, object], path: str) -> Result:
    if not path:
        return registry.call(command, ctx, members)
    if ctx.local is not None:
        raise InvalidArgument("--save keeps what a URL brings, and this is a file", hint="Use -o FILE for its text.")
    limit = members.get("max_bytes")
    return page_options.save(ctx, str(members["url"]), path, limit if type(limit) is int else None)


def _local(word: str, tool: Tool, members: dict[str, object]) -> LocalFile | None:
    """The file that a plain word names; where HTML is wanted, each does."""
    if not word or not (tool.FILE_MEMBER == "html" or files.is_file(word)):
        return None
    limit = members.get("max_bytes")
    return files.read(word, limit) if type(limit) is int else files.read(word)


def _require_words(command: str, required: Sequence[str], members: dict[str, object]) -> None:
    """The same refusal as for JSON, in the words of a command line."""
    missing = [name for name in required if name not in members]
    if missing:
        usage = f"webtool {command} {' '.join(name.upper() for name in required)}"
        raise InvalidArgument(f"{missing[0]} is required", hint=f"Use: {usage} [--FLAGS]; --help shows the flags.")


def _from_plain(plain: list[str], tool: Tool, command: str, members: dict[str, object]) -> dict[str, object]:
    """Plain words fill the required members in order; further words belong to the query of a search."""
    required = [name for name in tool.SCHEMA["parameters"].get("required", ()) if name not in members]
    if not plain:
        return {}
    if not required:
        raise InvalidArgument(f"{command} takes no word {plain[0]!r}", hint=f"See webtool {command} --help.")
    if required[0] == "query":
        return {"query": " ".join(plain)}
    if len(plain) > len(required):
        raise InvalidArgument(
            f"too many words: {' '.join(plain[len(required) :])!r}", hint=f"See webtool {command} --help."
        )
    values: dict[str, object] = dict(zip(required, plain))
    return values


def _print(result: Result, options: dict[str, str]) -> int:
    if "json" in options:
        data = budget.encode(result.data)
    else:
        data = (result.text.rstrip("\n") + "\n").encode("utf-8", "replace") if result.text else b""
    if options.get("output", "-") != "-":
        write_file(options["output"], data)
    else:
        write_all(1, data)
    note = result.data.get("note")
    if note and "quiet" not in options:
        write_error(f"webtool: {one_line(str(note), 2000)}\n")
    return 0


def _run_module(command: str, words: list[str]) -> int:
    """Run a command that is not a tool, or print its help. Returns the exit status."""
    if "--help" in words or "-h" in words:
        from webtool.cli import help_text

        return help_text.print_topic(command)
    status: int = load(f"webtool.cli.commands.{command}").main([_text(word) for word in words])
    return status


def _is_bulk(words: list[str]) -> bool:
    """Whether extract is asked for many pages: by its flag, or by what its first plain word names."""
    if "--batch" in words:
        return True
    from webtool.bulk import sources

    return any(sources.is_bulk(word) for word in words if not word.startswith("-"))


def _help(words: list[str]) -> int:
    from webtool.cli import help_text, topics

    both, first = " ".join(words[:2]), words[0] if words else ""
    command = both if both in registry.TOOLS else first
    if not command:
        return help_text.print_overview()
    if command == "batch" or command in registry.COMMANDS:
        return main(command, ["--help"])
    if command in topics.TOPICS:
        return help_text.print_topic(command)
    if _below(command):
        return help_text.print_group(command)
    if command in registry.TOOLS:
        return help_text.print_tool(command, registry.load(command))
    return report(InvalidArgument(f"unknown command {command!r}", hint=_suggest(command)), command, False)


def _below(command: str) -> list[str]:
    """Commands of two words that begin with this one."""
    return [name for name in registry.TOOLS if name.startswith(command + " ")] if command else []


def _unknown(command: str, words: list[str]) -> InvalidArgument:
    """The error for a command that is none, with what was meant."""
    below = _below(command)
    if not below:
        return InvalidArgument(f"unknown command {command!r}", hint=_suggest(command))
    if not words:
        return InvalidArgument(f"{command} is the first word of commands", hint=f"Use one of: {', '.join(below)}.")
    both = f"{command} {words[0]}"
    hint = " ".join(filter(None, (nearest(both, below), f"Use one of: {', '.join(below)}.")))
    return InvalidArgument(f"unknown command {both!r}", hint=hint)


def _suggest(command: str) -> str:
    if "://" in command or ("." in command and "/" not in command.partition(".")[0] and " " not in command):
        return f"To fetch a page: webtool fetch {command}"
    for name, (tool, _) in registry.TOOLS.items():
        if command.replace("-", "_").removesuffix("_tool") == tool:
            return f"Use: webtool {name}"
    known = [*registry.TOOLS, *registry.COMMANDS, "help", "--version"]
    from webtool.cli.topics import TOPICS

    if command in TOPICS:
        return f"Use: webtool help {command}"
    return nearest(command, known) or "webtool --help lists the commands."


def _text(word: str) -> str:
    """A word of argv as text: the locale may have been no help in decoding it, the bytes are UTF-8."""
    return os.fsencode(word).decode("utf-8", "replace")
