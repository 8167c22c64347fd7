"""Our entry in a host's settings file: put in, taken out, printed, found. In: the host's name and the environment.
Out: the file changed, with a copy of it as it was; what was done, as text.

Only our own entry is touched, and what others wrote into it stays. The text is edited, not written anew, and read back
before anything is written: what cannot be edited without loss is refused.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping

from webtool.errors import InvalidArgument
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.output import replace_file
from webtool.settings import read_small
from webtool.setup import jsonc, mcp_hosts, toml_table
from webtool.setup.mcp_hosts import Host

_MAX_FILE = 64 * 1024 * 1024  # Claude Code keeps its history in the same file
_LONGEST_LINE = 200  # characters of a line that a dry run shows: some hosts write all on one


class Wanted(NamedTuple):
    """One change: the host, the variables of the entry, whether it is only shown, the project's folder or ""."""

    host: str
    env: Mapping[str, str]
    is_dry: bool = False
    project: str = ""


def printed(name: str, env: Mapping[str, str]) -> tuple[str, str]:
    """Where the settings belong, and the settings of a host that has no other server."""
    host = mcp_hosts.host_named(name)
    try:
        place = mcp_hosts.path_of(name, os.environ, sys.platform)
    except InvalidArgument:
        place = os.path.join(*host.file[1:])
    further = f", or {host.project} in the project" if host.project else ""
    where = f"Put this into {place}{further}, or run: webtool mcp --install {name}\n"
    if host.is_toml:
        return where, toml_table.put("", (host.member, mcp_hosts.SERVER), mcp_hosts.entry(name, env))
    config = {host.member: {mcp_hosts.SERVER: mcp_hosts.entry(name, env)}}
    return where, json.dumps(config, indent=2, ensure_ascii=False) + "\n"


def install(wanted: Wanted) -> str:
    """Put our entry in; what was done, as text. Raises InvalidArgument."""
    host = mcp_hosts.host_named(wanted.host)
    entry = mcp_hosts.entry(wanted.host, wanted.env)
    done = _change(wanted, lambda old: _with(old, host, entry))
    if not done:
        return f"{wanted.host}: already there, nothing changed ({_path(wanted)})\n"
    if wanted.is_dry:
        return done
    keys = f"  with {', '.join(wanted.env)}\n" if wanted.env else ""
    return f"{wanted.host}: added to {done}\n{keys}  {host.restart or 'Restart it, or reload its servers.'}\n"


def uninstall(wanted: Wanted) -> str:
    """Take our entry out; what was done, as text. Raises InvalidArgument."""
    host = mcp_hosts.host_named(wanted.host)
    done = _change(wanted, lambda old: _without(old, host))
    if not done:
        return f"{wanted.host}: not there, nothing changed ({_path(wanted)})\n"
    return done if wanted.is_dry else f"{wanted.host}: taken out of {done}\n"


def _path(wanted: Wanted) -> str:
    return mcp_hosts.path_of(wanted.host, os.environ, sys.platform, wanted.project)


def _change(wanted: Wanted, edit: Callable[[str], str]) -> str:
    """Edit one host's file: the file's path and that of its copy; or what would change; "" where nothing does."""
    path = _path(wanted)
    old = _read(path)
    try:
        new = edit(old)
    except ValueError as exc:
        hint = f"Nothing was changed. Correct it, or add what webtool mcp --print-config {wanted.host} prints by hand."
        raise InvalidArgument(f"{path} cannot be edited: {exc}", hint=hint) from exc
    if new == old:
        return ""
    if wanted.is_dry:
        return f"{wanted.host}: would change {path}:\n{_difference(old, new)}"
    backup = _write(path, old, new)
    return path + (f" (as it was: {backup})" if backup else "")


def _with(old: str, host: Host, entry: dict[str, object]) -> str:
    """The text with our entry. What others put into it, such as a list of allowed tools, stays. Raises ValueError."""
    place = (host.member, mcp_hosts.SERVER)
    there = _there(old, host)
    merged = {**there, **entry}
    if "env" in there or "env" in entry:
        merged["env"] = {**_mapping(there.get("env")), **_mapping(entry.get("env"))}
    if there == merged:
        return old
    new = toml_table.put(old, place, merged) if host.is_toml else jsonc.put(old, place, merged)
    wanted = _loads(old, host)
    if wanted is not None:
        servers = wanted.setdefault(host.member, {})
        if not isinstance(servers, dict):
            raise ValueError(f"{host.member} is not an object")
        servers[mcp_hosts.SERVER] = merged
        _require_same(new, host, wanted)
    return new


def _without(old: str, host: Host) -> str:
    """The text without our entry. Raises ValueError."""
    place = (host.member, mcp_hosts.SERVER)
    if not old.strip():
        return old
    new = toml_table.take_out(old, place) if host.is_toml else jsonc.take_out(old, place)
    wanted = _loads(old, host)
    if wanted is not None:
        servers = _mapping(wanted.get(host.member))
        servers.pop(mcp_hosts.SERVER, None)
        if not servers and host.is_toml:  # a table that stood only in our header is gone with it
            wanted.pop(host.member, None)
        _require_same(new, host, wanted)
    return new


def _require_same(text: str, host: Host, wanted: object) -> None:
    if _loads(text, host) != wanted:
        raise ValueError(f"{host.member} is written in a way that webtool does not understand")


def _there(text: str, host: Host) -> dict[str, object]:
    """Our entry as it is; empty where there is none, or this Python reads no TOML."""
    return _mapping(_mapping((_loads(text, host) or {}).get(host.member)).get(mcp_hosts.SERVER))


def _loads(text: str, host: Host) -> dict[str, object] | None:
    """The file's members; None where this Python cannot read the format. Raises ValueError."""
    if not host.is_toml:
        return jsonc.loads(text)
    try:
        import tomllib  # type: ignore[import-not-found]
    except ImportError:  # before Python 3.11
        return None
    members: dict[str, object] = tomllib.loads(text)
    return members


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _read(path: str) -> str:
    """The file's text, "" where there is none. Raises InvalidArgument."""
    try:
        data = read_small(path, _MAX_FILE + 1)
    except FileNotFoundError:
        return ""
    except OSError as exc:
        raise InvalidArgument(f"{path} cannot be read: {exc.strerror}", hint="Check the file.") from exc
    if len(data) > _MAX_FILE:
        raise InvalidArgument(f"{path} is larger than {_MAX_FILE} bytes", hint="Edit it by hand.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as exc:
        raise InvalidArgument(f"{path} is not UTF-8", hint="Edit it by hand.") from exc


def _write(path: str, old: str, new: str) -> str:
    """Write the file beside and rename it over; the path of the copy of the old one, "" where there was none."""
    target = os.path.realpath(path)  # dotfiles are often links into a folder of their own
    backup, mode = "", 0o600  # keys may stand in it
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.exists(target):
            mode = os.stat(target).st_mode & 0o777
            backup = f"{target}.{time.strftime('%Y%m%d-%H%M%S')}.bak"
            shutil.copy2(target, backup)
        if _read(target) != old:
            raise InvalidArgument(f"{path} was changed meanwhile by its host", hint="Quit the host, then try again.")
        replace_file(target, new.encode("utf-8"), mode)
    except OSError as exc:
        hint = "Check the folder's rights, and the room on its disk."
        raise InvalidArgument(f"{path} cannot be written: {exc.strerror}", hint=hint) from exc
    return backup


_SECRET = patterns.compile(r'((?i:key|token|secret|password|auth\w*|_id)"?\s*[:=]\s*)"[^"]*"')


def _difference(old: str, new: str) -> str:
    """What would change, without keys."""
    import difflib

    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "now", "then", lineterm="", n=0)
    return "".join(_SECRET.sub(r'\1"***"', line[:_LONGEST_LINE]) + "\n" for line in lines)


def installed(environ: Mapping[str, str], platform: str) -> dict[str, str]:
    """The hosts whose settings have our entry, each with the program that it starts."""
    found = {}
    for name, host in mcp_hosts.HOSTS.items():
        try:
            text = _read(mcp_hosts.path_of(name, environ, platform))
            there = _there(text, host)
        except (InvalidArgument, ValueError):
            continue
        if there:
            args = there.get("args")
            files = [arg for arg in args if isinstance(arg, str) and os.sep in arg] if isinstance(args, list) else []
            found[name] = files[0] if files else str(there.get("command", ""))
    return found
