"""Add webtool's entry to the settings of an MCP host, remove it, print it, find it.

In: a Change (host, variables, options) and the environment. Out: the changed file, a backup beside it, and a report as
text. Only webtool's own entry is touched, and members that others added to it stay. The text is edited in place
(settings_text.py, toml_tables.py) and read back before it is written: a file that cannot be edited without loss is
refused.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping

from webtool.errors import InvalidArgument
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.output import replace_file
from webtool.settings import read_small
from webtool.setup import mcp_hosts, settings_text, toml_tables
from webtool.setup.mcp_hosts import Host

MAX_FILE = 64 * 1024 * 1024  # bytes; a larger file is refused. Claude Code keeps its history in the same file
MAX_SHOWN_LINE = 200  # characters of a line in a dry run: some hosts write everything on one line
# `"BRAVE_API_KEY": "abc"`, `token = 'abc'`; the end of the value may be cut off.
_SECRET = patterns.compile(
    r"""((?i:key|token|secret|password|auth\w*|_id)["']?\s*[:=]\s*)(?:"(?:[^"\\]|\\.)*"?|'[^']*'?)"""
)


class Change(NamedTuple):
    """One change to make."""

    host: str
    env: Mapping[str, str]  # variables of the entry
    is_dry: bool = False  # whether to show the change only
    project: str = ""  # folder of the project whose settings are changed; "" changes the user's
    url: str = ""  # address of a server over HTTP; "" lets the host start a server of its own

    def entry(self) -> dict[str, object]:
        """Return webtool's entry. Raises InvalidArgument if the host takes none over HTTP."""
        if self.url:
            return mcp_hosts.http_entry(self.host, self.url, self.env)
        return mcp_hosts.entry(self.host, self.env)


def printed(name: str, env: Mapping[str, str], url: str = "") -> tuple[str, str]:
    """Return where the settings belong, and the settings of a host that has no other server."""
    host = mcp_hosts.host_named(name)
    try:
        path = mcp_hosts.path_of(name, os.environ, sys.platform)
    except InvalidArgument:
        path = os.path.join(*host.file)
    further = f", or {host.project} in the project" if host.project else ""
    entry = Change(name, env, url=url).entry()
    option = f" --http {url}" if url else ""
    place = f"Put this into {path}{further}, or run: webtool mcp --install {name}{option}\n"
    if host.is_toml:
        return place, toml_tables.put_table("", (host.member, mcp_hosts.SERVER), entry)
    config = {host.member: {mcp_hosts.SERVER: entry}}
    return place, json.dumps(config, indent=2, ensure_ascii=False) + "\n"


def install(change: Change) -> str:
    """Add webtool's entry; return a report. Raises InvalidArgument."""
    host = mcp_hosts.host_named(change.host)
    entry = change.entry()
    report = _edit_file(change, lambda old: _with_entry(old, host, entry))
    if not report:
        return f"{change.host}: already there, nothing changed ({_path(change)})\n"
    if change.is_dry:
        return report
    keys = f"  with {', '.join(change.env)}\n" if change.env else ""
    return f"{change.host}: added to {report}\n{keys}  {host.restart}\n"


def uninstall(change: Change) -> str:
    """Remove webtool's entry; return a report. Raises InvalidArgument."""
    host = mcp_hosts.host_named(change.host)
    report = _edit_file(change, lambda old: _without_entry(old, host))
    if not report:
        return f"{change.host}: not there, nothing changed ({_path(change)})\n"
    return report if change.is_dry else f"{change.host}: removed from {report}\n"


def installed(environ: Mapping[str, str], platform: str) -> dict[str, str]:
    """Return the hosts whose settings have webtool's entry, each with the program that it starts."""
    programs = {}
    for name, host in mcp_hosts.HOSTS.items():
        try:
            text = _read(mcp_hosts.path_of(name, environ, platform))
            entry = _current_entry(text, host)
        except (InvalidArgument, ValueError):
            continue
        if entry:
            args = entry.get("args")
            paths = [arg for arg in args if isinstance(arg, str) and os.sep in arg] if isinstance(args, list) else []
            programs[name] = paths[0] if paths else str(entry.get("command") or entry.get(host.http[0], ""))
    return programs


def _path(change: Change) -> str:
    return mcp_hosts.path_of(change.host, os.environ, sys.platform, change.project)


def _edit_file(change: Change, edit: Callable[[str], str]) -> str:
    """Apply `edit` to the text of the host's settings. Returns "" if it changes nothing.

    Else returns the paths of the file and its backup or, in a dry run, the difference. Raises InvalidArgument.
    """
    path = _path(change)
    old = _read(path)
    mark = old[: old.startswith("\ufeff")]  # a byte order mark, which is kept; readers of TOML refuse it
    has_crlf = 0 < old.count("\n") == old.count("\r\n")  # all lines end as on Windows: new lines shall, too
    plain = old[len(mark) :].replace("\r\n", "\n") if has_crlf else old[len(mark) :]
    try:
        new = edit(plain)
    except ValueError as exc:
        hint = f"Nothing was changed. Correct it, or add what webtool mcp --print-config {change.host} prints by hand."
        raise InvalidArgument(f"{path} cannot be edited: {exc}", hint=hint) from exc
    if new == plain:
        return ""
    new = mark + (new.replace("\n", "\r\n") if has_crlf else new)
    if change.is_dry:
        return f"{change.host}: would change {path}:\n{_difference(old, new)}"
    backup = _write(path, old, new)
    return path + (f" (as it was: {backup})" if backup else "")


def _with_entry(old: str, host: Host, entry: dict[str, object]) -> str:
    """Return the text with webtool's entry; members that others added stay. Raises ValueError if that loses text."""
    current = _current_entry(old, host)
    dropped = host.http if "command" in entry else ("command", "args", "env", *dict(host.extra))
    merged = {**{name: value for name, value in current.items() if name not in dropped}, **entry}
    if "command" in entry and ("env" in current or "env" in entry):
        merged["env"] = {**_mapping(current.get("env")), **_mapping(entry.get("env"))}
    if current == merged:
        return old
    if host.is_toml:
        changed = {name: value for name, value in merged.items() if current.get(name) != value}
        new = toml_tables.put_table(old, (host.member, mcp_hosts.SERVER), changed, dropped)
    else:
        new = _put_members(old, (host.member,), {mcp_hosts.SERVER: current}, {mcp_hosts.SERVER: merged})
    expected = _members(old, host)
    if expected is not None:
        servers = expected.setdefault(host.member, {})
        if not isinstance(servers, dict):
            raise ValueError(f"{host.member} is not an object")
        servers[mcp_hosts.SERVER] = merged
        _require_members(new, host, expected)
    return new


def _put_members(text: str, path: tuple[str, ...], current: Mapping[str, object], members: Mapping[str, object]) -> str:
    """Return the text with `members` in the object at the path, which has `current`: comments between them stay."""
    for name in current:
        if name not in members:
            text = settings_text.remove(text, (*path, name))
    for name, value in members.items():
        present = _mapping(current.get(name))
        if present and isinstance(value, dict):
            text = _put_members(text, (*path, name), present, value)
        elif current.get(name) != value:
            text = settings_text.put(text, (*path, name), value)
    return text


def _without_entry(old: str, host: Host) -> str:
    """Return the text without webtool's entry. Raises ValueError if the text cannot be edited without loss."""
    place = (host.member, mcp_hosts.SERVER)
    new = toml_tables.remove_table(old, place) if host.is_toml else settings_text.remove(old, place)
    expected = _members(old, host)
    if expected is not None:
        servers = _mapping(expected.get(host.member))
        servers.pop(mcp_hosts.SERVER, None)
        if not servers and host.member not in (_members(new, host) or {}):
            expected.pop(host.member, None)  # [mcp_servers] existed only as part of [mcp_servers.webtool]
        _require_members(new, host, expected)
    return new


def _require_members(text: str, host: Host, expected: object) -> None:
    """Raise ValueError unless the text has the members `expected`."""
    if _members(text, host) != expected:
        raise ValueError(f"{host.member} is written in a way that webtool does not understand")


def _current_entry(text: str, host: Host) -> dict[str, object]:
    """Return webtool's entry in the text; {} without one, or if this Python cannot read TOML. Raises ValueError."""
    servers = _mapping((_members(text, host) or {}).get(host.member))
    return _mapping(servers.get(mcp_hosts.SERVER))


def _members(text: str, host: Host) -> dict[str, object] | None:
    """Return the members of the file, None if this Python cannot read TOML. Raises ValueError."""
    if not host.is_toml:
        return settings_text.loads(text)
    try:
        import tomllib  # type: ignore[import-not-found]
    except ImportError:  # before Python 3.11
        return None
    members: dict[str, object] = tomllib.loads(text.lstrip("\ufeff"))
    return members


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _read(path: str) -> str:
    """Return the text of a file, "" if it is absent. Raises InvalidArgument."""
    try:
        data = read_small(path, MAX_FILE + 1)
    except FileNotFoundError:
        return ""
    except OSError as exc:
        raise InvalidArgument(f"{path} cannot be read: {exc.strerror or exc}", hint="Check the file.") from exc
    if len(data) > MAX_FILE:
        raise InvalidArgument(f"{path} is larger than {MAX_FILE} bytes", hint="Edit it by hand.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as exc:
        raise InvalidArgument(f"{path} is not UTF-8", hint="Edit it by hand.") from exc


def _write(path: str, old: str, new: str) -> str:
    """Replace the file, and return the path of its backup, "" if the file is new. Raises InvalidArgument."""
    target = os.path.realpath(path)  # dotfiles are often links into another folder
    backup, mode = "", 0o600  # the file may contain keys
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.exists(target):
            mode = os.stat(target).st_mode & 0o777
            backup = f"{target}.{time.strftime('%Y%m%d-%H%M%S')}.bak"
            replace_file(backup, old.encode("utf-8"), mode)
        if _read(target) != old:
            hint = "Quit the host, then try again."
            raise InvalidArgument(f"{path} was changed by its host in the meantime", hint=hint)
        replace_file(target, new.encode("utf-8"), mode)
    except OSError as exc:
        hint = "Check the permissions of the folder, and the free space on its disk."
        raise InvalidArgument(f"{path} cannot be written: {exc.strerror or exc}", hint=hint) from exc
    return backup


def _difference(old: str, new: str) -> str:
    """Return the lines that would change, with *** for keys."""
    import difflib

    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "now", "then", lineterm="", n=0)
    return "".join(_SECRET.sub(lambda match: f'{match[1]}"***"', line[:MAX_SHOWN_LINE]) + "\n" for line in lines)
