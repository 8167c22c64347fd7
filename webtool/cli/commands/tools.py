"""tools [DIR...]: which -tool executables an agent host would register, from where, and why others are rejected.

Without directories, ikigai's three: system, user, project; a later one overrides an earlier one. Each candidate runs
once with --schema and has one second and 8,191 bytes, as the host allows; host_rules.py judges what it printed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading

from webtool.cli import flags
from webtool.lean.records import NamedTuple
from webtool.output import is_terminal, write_all
from webtool.schemas import host_rules

SECONDS = 1.0
MAX_BYTES = 8191
_SUFFIX = "-tool"


class Finding(NamedTuple):
    """One executable: its tool name, path, and "" or the reason why it is not registered."""

    name: str
    path: str
    origin: str
    problem: str
    overridden_by: str = ""


def main(words: list[str]) -> int:
    """Print the table or, with --json, the findings; exit 1 where a tool was rejected."""
    parsed = flags.parse(words, {}, {"json": False})
    places = [(path, "given") for path in parsed.plain] or default_places()
    findings = find(places)
    text = _as_json(findings) if "json" in parsed.options else _as_table(findings, places)
    write_all(1, text.encode("utf-8", "surrogateescape"))
    return 1 if any(finding.problem for finding in findings) else 0


def default_places() -> list[tuple[str, str]]:
    """ikigai's directories: (path, origin), the system's first."""
    home = os.path.expanduser("~")
    prefixes = ["/usr", "/usr/local"] if os.sep == "/" else []
    system = [(os.path.join(prefix, "libexec", "ikigai"), "system") for prefix in prefixes]
    user = [(os.path.join(home, ".ikigai", "tools"), "user")] if home != "~" else []
    return [*system, *user, (os.path.join(".ikigai", "tools"), "project")]


def find(places: list[tuple[str, str]]) -> list[Finding]:
    """Every candidate in the places, in order; a good one overrides an earlier one of the same tool name."""
    findings: list[Finding] = []
    winner: dict[str, int] = {}
    for folder, origin in places:
        for path in candidates(folder):
            name, problem = inspect(path)
            findings.append(Finding(name, path, origin, problem))
            if problem:
                continue
            if name in winner:
                earlier = winner[name]
                findings[earlier] = findings[earlier]._replace(overridden_by=path)
            winner[name] = len(findings) - 1
    return findings


def candidates(folder: str) -> list[str]:
    """The executables of a directory whose name ends in -tool; none where there is no such directory."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    paths = (os.path.join(folder, name) for name in names if _stem(name).endswith(_SUFFIX))
    return [path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)]


def inspect(path: str) -> tuple[str, str]:
    """The tool's name and why it is rejected ("" when it is not)."""
    fallback = _stem(os.path.basename(path))[: -len(_SUFFIX)].replace("-", "_")
    output, problem = _schema_output(path)
    if problem:
        return fallback, problem
    name, problems = host_rules.check(output)
    return name or fallback, "; ".join(problems)


def _schema_output(path: str) -> tuple[bytes, str]:
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
    timer = threading.Timer(SECONDS, _kill, (process,))
    timer.start()
    assert process.stdout is not None
    with process.stdout:
        output = process.stdout.read(MAX_BYTES + 1)
    if len(output) > MAX_BYTES:
        _kill(process)
    status = process.wait()
    in_time = timer.is_alive()
    timer.cancel()
    if len(output) > MAX_BYTES:
        return b"", f"--schema printed more than {MAX_BYTES} bytes"
    if not in_time:
        return b"", f"--schema took longer than {SECONDS:g} s"
    return (output, "") if status == 0 else (b"", f"--schema ended with status {status}")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the tool and what it started: a child that holds the pipe open would keep us waiting."""
    try:
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except OSError:
        pass  # it ended by itself


def _stem(name: str) -> str:
    """The name without the ending that Windows needs to start a file; "" there for one that it cannot start."""
    if os.name != "nt":
        return name
    stem, ending = os.path.splitext(name)
    return stem if ending.lower() in (".exe", ".cmd", ".bat") else ""


def _as_json(findings: list[Finding]) -> str:
    import json

    registered = [finding for finding in findings if not finding.problem and not finding.overridden_by]
    data = {
        "tools": [_row(one) for one in registered],
        "overridden": [{**_row(one), "by": one.overridden_by} for one in findings if one.overridden_by],
        "rejected": [{**_row(one), "reason": one.problem} for one in findings if one.problem],
    }
    return json.dumps(data, indent=2 if is_terminal(1) else None, ensure_ascii=False) + "\n"


def _row(one: Finding) -> dict[str, str]:
    return {"name": one.name, "path": one.path, "origin": one.origin}


def _as_table(findings: list[Finding], places: list[tuple[str, str]]) -> str:
    if not findings:
        looked = "\n".join(f"  {path} ({origin})" for path, origin in places)
        return f"No -tool executables found. Looked in:\n{looked}\nwebtool install DIR puts webtool's there.\n"
    width = max(len(finding.name) for finding in findings)
    lines = []
    for one in findings:
        state = f"overridden by {one.overridden_by}" if one.overridden_by else "registered"
        state = f"rejected: {one.problem}" if one.problem else state
        lines.append(f"{one.name:<{width}}  {one.origin:<8}  {one.path}  {state}")
    return "\n".join(lines) + "\n"
