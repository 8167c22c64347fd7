"""Run a command for a person. In: the command and its words. Out: text or JSON on stdout, and the exit status.

Flags come from the tool's schema (flags.py), so a new member of a schema is a new flag. An error is two lines on
stderr, what happened and what to do next; with --json, stdout gets the error object too.
Tests: tests/cli/test_people.py
"""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence

from webtool import registry, settings
from webtool.answers import budget
from webtool.bulk import files
from webtool.cli import flags, host, page_options
from webtool.cli.waiting import Waiting
from webtool.context import Context, LocalFile, Result
from webtool.errors import AuthMissing, InvalidArgument, WebtoolError, of_bug
from webtool.output import CannotWrite, is_terminal, one_line, write_all, write_error, write_file
from webtool.running import deadline
from webtool.schemas import surfaces
from webtool.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.tools import Tool


def main(command: str, words: list[str]) -> int:
    """Run one command. Returns the exit status, which says whether it succeeded or how it failed."""
    try:
        return _run(command, [os.fsencode(word).decode("utf-8", "replace") for word in words])
    except WebtoolError as error:
        deadline.stop()
        return report(error, command, words)
    except KeyboardInterrupt:
        deadline.stop()
        line_end = "\n" if is_terminal(2) else ""  # ends the line on which the progress or the terminal's ^C is
        write_error(f"{line_end}webtool: interrupted\n")
        return 130
    except (BrokenPipeError, CannotWrite):
        raise
    except Exception as exc:
        deadline.stop()
        return report(of_bug(exc, settings.is_on(os.environ, "WEBTOOL_DEBUG")), command, words)


def _run(command: str, words: list[str]) -> int:
    """Run a command, or print a version or help; return the exit status. `words` are UTF-8. Raises WebtoolError."""
    is_version = words in (["--version"], ["-V"])  # webtool open --version
    other = "version" if is_version or command in ("--version", "-V", "version") else _other_command(command, words)
    if other:
        from webtool.cli import commands

        return commands.run(other, [] if is_version else words)
    if command in registry.TOOLS:
        return _run_tool(command, words)
    if _is_address(command):
        gc.disable()  # as dispatch does for every command that opens one page
        return _run_tool("open", [command, *words])
    from webtool.cli import help_text

    if command in ("", "help", "-h", "--help"):
        return help_text.main(command, words)
    if words in (["--help"], ["-h"]) and help_text.commands_below(command):
        return help_text.main("help", [command])
    raise help_text.unknown(command, words)


def _other_command(command: str, words: list[str]) -> str:
    """Return the name in cli.commands of a command that is not a tool, "" for a tool.

    `extract` of many pages and `verify` of an archive are not tools.
    """
    if command in registry.COMMANDS or command == "batch":
        return command
    if command == "extract" and _is_bulk(words):
        return "extract_many"
    return "verify" if command == "verify" and _is_archive(words) else ""


def report(error: WebtoolError, command: str, words: list[str]) -> int:
    """Write an error as _report() does, or in one line if the memory does not suffice for that."""
    try:
        return _report(error, command, words)
    except MemoryError:
        write_error(f"webtool: {error.code}: {error.message}\n")
        return error.exit_status


def _report(error: WebtoolError, command: str, words: list[str]) -> int:
    """Write the error to stderr and, with --json among the words, as JSON to stdout. Returns the exit status."""
    color = ""
    # The style module is loaded only where colour is possible: on a terminal, or with "always" somewhere.
    asks_for_color = any("always" in word for word in (*words, os.environ.get("WEBTOOL_COLOR", "")))
    if asks_for_color or is_terminal(2):
        from webtool.cli.terminal import style

        color = style.choice_of(words)
    hint = surfaces.in_words_of("command", error.hint) if error.hint else ""
    if error.code == "ROBOTS_DISALLOWED" and (command in ("open", "fetch") or _is_address(command)) and is_terminal(2):
        hint += " To open it all the same, add --ignore-robots."
    _say(f"webtool: {error.code}:", f" {one_line(error.message, 1000)}", color, is_error=True)
    if hint:
        _say("  ", one_line(hint, 1000), color, is_error=True)
    if isinstance(error, AuthMissing) and error.event and is_terminal(2):
        write_error(f"\n{error.event['content']}\n")
    if "--json" in words:
        write_all(1, budget.encode(host.error_object(error, command, "command")))
    return error.exit_status


def _say(head: str, text: str, color: str, *, is_error: bool = False) -> None:
    """Write a sentence to stderr, on a terminal wrapped and in colour. `color` is the setting, "" for never."""
    if color == "always" or (color and is_terminal(2)):
        from webtool.cli.terminal import stderr

        stderr.write(head, text, color, is_error=is_error)
    else:
        write_error(f"{head}{text}\n")


def _run_tool(command: str, words: list[str]) -> int:
    """Run a tool with the words of its command, or print its help. Returns the exit status. Raises WebtoolError."""
    tool = registry.load(command)
    opens_pages = "url" in tool.SCHEMA["parameters"].get("required", ())
    options = {**flags.OPTIONS, **(page_options.OPTIONS if opens_pages else {}), **tool.CLI_OPTIONS}
    parsed = flags.parse(words, tool.SCHEMA["parameters"], options)
    current = flags.settings_of(parsed)  # before help: a wrong setting is an error there too
    if "help" in parsed.options:
        from webtool.cli import help_text

        return help_text.print_tool(command, tool, current)
    members, current, local = _prepared(command, tool, parsed, current)
    if "save" in parsed.options:
        page_options.require_new(parsed.options["save"], is_forced="force" in parsed.options)
    if opens_pages and local is None:
        members, current = _with_address(members, current, parsed.options)
    ctx = Context(current, environ=os.environ, deadline=deadline.start(current.deadline))
    ctx.local, ctx.is_person = local, True
    ctx.headers = page_options.headers(parsed.options["header"]) if "header" in parsed.options else ()
    try:
        with Waiting("quiet" not in parsed.options):
            result = _result(command, ctx, members, parsed.options)
            tool.after_command(ctx, parsed.options, members)
    finally:
        ctx.close()
    deadline.stop()
    page_options.remember(result, current)
    return _print(result, parsed.options, current)


def _prepared(
    command: str, tool: Tool, parsed: flags.Words, current: Settings
) -> tuple[dict[str, object], Settings, LocalFile | None]:
    """Return the members of the request, the settings and the local file, if a word names one. Raises WebtoolError."""
    plain = _members_from_plain(tool.arrange_words(parsed.plain), tool, command, parsed.members)
    members = {**parsed.members, **plain}
    local = _local_file(str(plain.get(tool.FILE_MEMBER, "")), tool, members)
    members, changes = tool.prepare_command(parsed.options, members)
    if "ignore_robots" in parsed.options:
        page_options.require_person("--ignore-robots")
        changes = {**changes, "respect_robots": False}
    current = current._replace(**changes)  # type: ignore[arg-type]
    if "demo" in parsed.options:
        from webtool.cli import demo

        members = {**members, "url": demo.start()}
        current = current._replace(**demo.SETTINGS)  # type: ignore[arg-type]
    _require_words(command, tool.SCHEMA["parameters"].get("required", ()), members)
    return members, current, local


def _with_address(
    members: dict[str, object], current: Settings, options: dict[str, str]
) -> tuple[dict[str, object], Settings]:
    """Replace a result's number by its address; with -H, turn the cache off. Raises InvalidArgument."""
    word = str(members["url"])
    if word.isascii() and word.isdigit():
        members = {**members, "url": page_options.result_numbered(word, current)}
        if "quiet" not in options:
            write_error(f"webtool: {members['url']}\n")
    if "header" in options:
        page_options.refuse_rendered(members)
        current = current._replace(cache=False)
    return members, current


def _result(command: str, ctx: Context, members: dict[str, object], options: dict[str, str]) -> Result:
    """Call the tool, or save the page's body if --save is among the options. Raises WebtoolError."""
    if "save" not in options:
        if command == "open" and ctx.local is None and "#" in str(members["url"]):
            from webtool.cli import fragment

            return fragment.open_at(ctx, members)
        return registry.call(command, ctx, members)
    if ctx.local is not None:
        raise InvalidArgument("--save needs a URL, and this is a file", hint="Use -o FILE for its text.")
    limit = members.get("max_bytes")
    return page_options.save(ctx, str(members["url"]), options["save"], limit if type(limit) is int else None)


def _local_file(word: str, tool: Tool, members: dict[str, object]) -> LocalFile | None:
    """Return the file that a word names, else None; if FILE_MEMBER is html, the word is always a path."""
    if not word or not (tool.FILE_MEMBER == "html" or files.is_file(word)):
        return None
    limit = members.get("max_bytes")
    return files.read(word, limit) if type(limit) is int else files.read(word)


def _require_words(command: str, required: Sequence[str], members: dict[str, object]) -> None:
    """Raise InvalidArgument if a required member is missing, in terms of the command line."""
    missing = [name for name in required if name not in members]
    if missing:
        usage = f"webtool {command} {' '.join(name.upper() for name in required)}"
        raise InvalidArgument(f"{missing[0]} is required", hint=f"Use: {usage} [--FLAGS]; --help shows the flags.")


def _members_from_plain(plain: list[str], tool: Tool, command: str, members: dict[str, object]) -> dict[str, object]:
    """Return the required members that words without a flag fill, in order.

    All words of a search are its query: `tidal power` -> `{"query": "tidal power"}`. Raises InvalidArgument for words
    that are left over.
    """
    required = [name for name in tool.SCHEMA["parameters"].get("required", ()) if name not in members]
    if not plain:
        return {}
    hint = f"See webtool {command} --help."
    if not required:
        raise InvalidArgument(f"{command} takes no word {plain[0]!r}", hint=hint)
    if required[0] == "query":
        return {"query": " ".join(plain)}
    if len(plain) > len(required):
        raise InvalidArgument(f"too many words: {' '.join(plain[len(required) :])!r}", hint=hint)
    values: dict[str, object] = dict(zip(required, plain))
    return values


def _print(result: Result, options: dict[str, str], current: Settings) -> int:
    """Write the result to stdout or -o, its note to stderr. Returns the exit status: 1 if a search finds nothing."""
    text = "\n".join(filter(None, (result.about, result.text)))
    result = result._replace(text=text, data=surfaces.members_of("command", result.data))
    finds_nothing = result.data.get("verdict") == "absent" or result.data.get("matches") == []
    is_failure = finds_nothing and "json" not in options
    if is_failure:
        for number, line in enumerate(result.text.strip().split("\n")):
            _say("  " if number else "webtool: ", line, current.color, is_error=True)
    elif options.get("output", "-") != "-":
        data = _printed(result, options)
        write_file(options["output"], data)
        if "quiet" not in options:
            _say("webtool: ", f"wrote {options['output']}, {len(data):,} bytes", current.color)
    elif is_terminal(1) or current.color == "always":
        from webtool.cli.terminal import screen

        screen.show_result(result, current, as_json="json" in options)
    else:
        write_all(1, _printed(result, options))
    note = result.data.get("note")
    if note and "quiet" not in options:
        _say("webtool: ", one_line(str(note), 2000), current.color)
    return 1 if is_failure else 0


def _printed(result: Result, options: dict[str, str]) -> bytes:
    if "json" in options:
        return budget.encode(result.data)
    return (result.text.rstrip("\n") + "\n").encode("utf-8", "replace") if result.text else b""


def _is_bulk(words: list[str]) -> bool:
    """Return whether extract gets many pages: --batch is given, or a word names an archive or a folder."""
    if "--batch" in words:
        return True
    from webtool.bulk import file_kinds

    if not any(file_kinds.is_bulk(word) for word in words if not word.startswith("-")):
        return False
    from webtool.cli import commands

    # Such a word may be the value of a flag: the folder docs in `extract page.html --section docs`.
    tool, command = registry.load("extract"), commands.COMMANDS["extract_many"]
    properties = {**command.parameters()["properties"], **tool.SCHEMA["parameters"]["properties"]}
    options = {**page_options.OPTIONS, **tool.CLI_OPTIONS, **flags.OPTIONS, **command.options}
    try:
        parsed = flags.parse(words, {"properties": properties}, options)
    except InvalidArgument:  # the command for many pages says what is wrong
        return True
    return any(file_kinds.is_bulk(word) for word in parsed.plain)


def _is_archive(words: list[str]) -> bool:
    """Return whether verify gets an archive: its only word besides flags names a file."""
    parameters = registry.load("verify").SCHEMA["parameters"]
    plain = flags.parse(words, parameters, flags.OPTIONS).plain
    is_file = len(plain) == 1 and "://" not in plain[0]
    return is_file and (".warc" in plain[0].lower() or os.path.isfile(plain[0]))


def _is_address(word: str) -> bool:
    """Return whether a word is a page to open: `example.com/page`, `127.0.0.1:8000`; not `serach`, `v1.2`, `a.b c`."""
    if word.startswith("-"):
        return False
    if "://" in word:
        return True
    host = word.partition("/")[0].partition("?")[0].partition("#")[0].partition(":")[0]
    labels = host.split(".")
    if len(labels) < 2 or not all(label.replace("-", "").isalnum() for label in labels):
        return False
    return (labels[-1].isalpha() and len(labels[-1]) > 1) or (len(labels) == 4 and "".join(labels).isdigit())
