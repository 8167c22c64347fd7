"""The -tool executables of agent hosts: list and check those in directories, put webtool's own into one.

    tools [DIR...]   list what a host would register, and why it would reject others. Without directories, those of the
                     agent host ikigai (system, user, project) are searched. A tool in a later directory overrides one
                     of the same name in an earlier one. Each candidate is run once with --schema, within the limits
                     that the host has too; webtool.schemas.printed checks what it printed.
    install DIR      put webtool's -tool names into a directory
Tests: tests/cli/commands/test_tools.py, tests/test_build.py
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time

from webtool.cli.flags import Words
from webtool.errors import InvalidArgument
from webtool.lean.records import NamedTuple
from webtool.output import is_terminal, write_all
from webtool.schemas import printed
from webtool.setup import tool_links

MAX_SECONDS = 1.0  # seconds that a tool may take to print its schema
MAX_BYTES = 8191  # bytes of a schema; ikigai reads into 8,192 bytes with an end mark
_SUFFIX = "-tool"


class Finding(NamedTuple):
    """One executable."""

    name: str  # the name of the tool
    path: str
    origin: str  # where its directory was named: system, user, project or given
    problem: str  # why it is rejected, "" if it is not
    overridden_by: str = ""  # path of a later tool of the same name, or ""


def install(parsed: Words) -> int:
    """Put the -tool names into the directory that is the only word. Returns the exit status. Raises InvalidArgument."""
    if len(parsed.plain) != 1 or not parsed.plain[0]:
        raise InvalidArgument("install takes one directory", hint="For ikigai: webtool install ~/.ikigai/tools")
    folder = os.path.expanduser(parsed.plain[0])
    return tool_links.install(tool_links.program_path(), folder, force="force" in parsed.options)


def list_tools(parsed: Words) -> int:
    """Print the table or, with --json, the findings. Returns 1 if a tool was rejected."""
    places = [(path, "given") for path in parsed.plain] or default_places()
    findings = find(places)
    text = _as_json(findings) if "json" in parsed.options else _as_table(findings, places)
    write_all(1, text.encode("utf-8", "surrogateescape"))
    return 1 if any(finding.problem for finding in findings) else 0


def default_places() -> list[tuple[str, str]]:
    """Return ikigai's directories as (path, origin), the system's first."""
    home = os.path.expanduser("~")
    prefixes = ["/usr", "/usr/local"] if os.sep == "/" else []
    system = [(os.path.join(prefix, "libexec", "ikigai"), "system") for prefix in prefixes]
    user = [(os.path.join(home, ".ikigai", "tools"), "user")] if home != "~" else []
    return [*system, *user, (os.path.join(".ikigai", "tools"), "project")]


def find(places: list[tuple[str, str]]) -> list[Finding]:
    """Check every candidate in the places, in order. A sound tool overrides an earlier tool of its name."""
    findings: list[Finding] = []
    registered: dict[str, int] = {}  # tool name: position in findings
    for folder, origin in places:
        for path in candidates(folder):
            name, problem = inspect(path)
            findings.append(Finding(name, path, origin, problem))
            if problem:
                continue
            if name in registered:
                earlier = registered[name]
                findings[earlier] = findings[earlier]._replace(overridden_by=path)
            registered[name] = len(findings) - 1
    return findings


def candidates(folder: str) -> list[str]:
    """Return the executables of a directory whose names end in -tool, [] if no such directory exists."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    paths = (os.path.join(folder, name) for name in names if _stem(name).endswith(_SUFFIX))
    return [path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)]


def inspect(path: str) -> tuple[str, str]:
    """Run a tool; return its name and why it is rejected, "" if it is not."""
    fallback = _stem(os.path.basename(path))[: -len(_SUFFIX)].replace("-", "_")
    output, problem = _schema_output(path)
    if problem:
        return fallback, problem
    name, problems = printed.check(output)
    return name or fallback, "; ".join(problems)


def _schema_output(path: str) -> tuple[bytes, str]:
    """Return what the tool prints for --schema, and "" or what went wrong."""
    try:
        process = subprocess.Popen(
            [os.path.abspath(path), "--schema"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as exc:
        return b"", f"cannot be started: {exc.strerror or exc}"
    end = time.monotonic() + MAX_SECONDS
    output, is_whole = _read(process, MAX_SECONDS)
    if len(output) > MAX_BYTES:
        _kill(process)
        return b"", f"--schema printed more than {MAX_BYTES} bytes"
    try:
        status = process.wait(max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        is_whole = False
    if not is_whole:
        _kill(process)
        return b"", f"--schema took longer than {MAX_SECONDS:g} s"
    return (output, "") if status == 0 else (b"", f"--schema ended with status {status}")


def _read(process: subprocess.Popen[bytes], seconds: float) -> tuple[bytes, bool]:
    """Return output up to one byte too many, and whether it ended in time; a setsid process may hold the pipe open."""
    outputs: list[bytes] = []
    pipe = process.stdout
    assert pipe is not None

    def read() -> None:
        with pipe:
            outputs.append(pipe.read(MAX_BYTES + 1))

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    reader.join(seconds)
    return (outputs[0], True) if outputs else (b"", False)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the tool and the processes of its group, and wait for its end."""
    try:
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except OSError:
        pass  # it has ended already
    process.wait()


def _stem(name: str) -> str:
    """Return the name without the extension of Windows executables; "" there for other files."""
    if os.name != "nt":
        return name
    stem, ending = os.path.splitext(name)
    return stem if ending.lower() in (".exe", ".cmd", ".bat") else ""


def _as_json(findings: list[Finding]) -> str:
    import json

    registered = [finding for finding in findings if not finding.problem and not finding.overridden_by]
    data = {
        "tools": [_row(finding) for finding in registered],
        "overridden": [{**_row(finding), "by": finding.overridden_by} for finding in findings if finding.overridden_by],
        "rejected": [{**_row(finding), "reason": finding.problem} for finding in findings if finding.problem],
    }
    return json.dumps(data, indent=2 if is_terminal(1) else None, ensure_ascii=False) + "\n"


def _row(finding: Finding) -> dict[str, str]:
    return {"name": finding.name, "path": finding.path, "origin": finding.origin}


def _as_table(findings: list[Finding], places: list[tuple[str, str]]) -> str:
    """Return the findings as a table or, without any, the places where webtool looked."""
    if not findings:
        searched = "\n".join(f"  {path} ({origin})" for path, origin in places)
        return f"No -tool executables found. Looked in:\n{searched}\nwebtool install DIR puts webtool's there.\n"
    width = max(len(finding.name) for finding in findings)
    lines = []
    for finding in findings:
        state = "registered"
        if finding.problem:
            state = f"rejected: {finding.problem}"
        elif finding.overridden_by:
            state = f"overridden by {finding.overridden_by}"
        lines.append(f"{finding.name:<{width}}  {finding.origin:<8}  {finding.path}  {state}")
    return "\n".join(lines) + "\n"
