"""webtool mcp --install, --uninstall, --print-config: our entry in a host's settings file. In: words. Out: the file
changed, with a copy of it as it was; what was done on stdout.

Only our own entry is touched, and what others wrote into it stays. The text is edited, not written anew, and read back
before anything is written: what cannot be edited without loss is refused.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time

from webtool import patterns
from webtool.errors import InvalidArgument
from webtool.mcp import hosts, jsonc, toml_table
from webtool.output import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from webtool.mcp.hosts import Host

_MAX_FILE = 64 * 1024 * 1024  # Claude Code keeps its history in the same file
_LONGEST_LINE = 200  # characters of a line that a dry run shows: some hosts write all on one
ACTIONS = ("--print-config", "--install", "--uninstall")
_SWITCHES = ("--dry-run", "--project", "--no-env")


def main(words: list[str]) -> int:
    """Do what the words say. Raises InvalidArgument."""
    action, names, switches, given = _sorted(words)
    env = given if action == "--print-config" else _env(given, "--no-env" in switches)
    for name in names:
        hosts.host_named(name)
    for name in names:
        if action == "--print-config":
            _print(name, env)
        else:
            write_all(1, _change(action, name, env, switches).encode("utf-8", "replace"))
    return 0


def _sorted(words: list[str]) -> tuple[str, list[str], set[str], dict[str, str]]:
    """The action, the hosts, the switches and the variables given with --env."""
    action, names, switches, env = "", [], set(), {}
    rest = iter(words)
    for word in rest:
        flag, equals, value = word.partition("=")
        if flag in ACTIONS:
            if action:
                raise InvalidArgument(f"{action} and {flag} are two things", hint="Give one of them.")
            action = flag
            names += [value] if equals else []
        elif flag == "--env":
            name, equals, value = (value if equals else next(rest, "")).partition("=")
            env[name] = value if equals else os.environ.get(name, "")
            if not name or not env[name]:
                raise InvalidArgument(f"--env {name} has no value", hint="Write --env NAME=VALUE, or set NAME first.")
        elif word in _SWITCHES:
            switches.add(word)
        elif word.startswith("-"):
            raise InvalidArgument(f"mcp takes no {word!r}", hint="See webtool mcp --help.")
        else:
            names.append(word)
    if not names:
        raise InvalidArgument(
            f"{action} takes the name of an MCP host", hint=f"Use one or more of: {', '.join(hosts.HOSTS)}."
        )
    return action, names, switches, env


def _env(given: Mapping[str, str], is_bare: bool) -> dict[str, str]:
    """The variables of an entry: those given, and the keys of this environment, which the host does not pass on."""
    keys = {} if is_bare else {name: os.environ[name] for name in hosts.KEYS if os.environ.get(name)}
    return {**keys, **given}


def _print(name: str, env: Mapping[str, str]) -> None:
    from webtool.output import write_error

    host = hosts.host_named(name)
    try:
        place = hosts.path_of(name, os.environ, sys.platform)
    except InvalidArgument:
        place = os.path.join(*host.file[1:])
    further = f", or {host.project} in the project" if host.project else ""
    write_error(f"Put this into {place}{further}, or run: webtool mcp --install {name}\n")
    config = hosts.config(name, env)
    if host.is_toml:
        text = toml_table.put("", (host.member, hosts.SERVER), hosts.entry(name, env))
    else:
        text = json.dumps(config, indent=2, ensure_ascii=False) + "\n"
    write_all(1, text.encode("utf-8", "replace"))


def _change(action: str, name: str, env: Mapping[str, str], switches: set[str]) -> str:
    """Change one host's file; what was done, as a line or two."""
    host = hosts.host_named(name)
    path = hosts.path_of(name, os.environ, sys.platform, os.getcwd() if "--project" in switches else "")
    old = _read(path)
    try:
        new = _without(old, host) if action == "--uninstall" else _with(old, host, hosts.entry(name, env))
    except ValueError as exc:
        raise InvalidArgument(
            f"{path} cannot be edited: {exc}",
            hint=f"Nothing was changed. Correct it, or add by hand what webtool mcp --print-config {name} prints.",
        ) from exc
    if new == old:
        state = "already there" if action == "--install" else "not there"
        return f"{name}: {state}, nothing changed ({path})\n"
    if "--dry-run" in switches:
        return f"{name}: would change {path}:\n{_difference(old, new)}"
    backup = _write(path, old, new)
    what = "added to" if action == "--install" else "taken out of"
    lines = [f"{name}: {what} {path}" + (f" (as it was: {backup})" if backup else "")]
    if action == "--install" and env:
        lines.append(f"  with {', '.join(env)} from the environment")
    return "\n".join([*lines, f"  {host.restart or 'Restart it, or reload its servers.'}", ""])


def _with(old: str, host: Host, entry: dict[str, object]) -> str:
    """The text with our entry. What others put into it, such as a list of allowed tools, stays. Raises ValueError."""
    place = (host.member, hosts.SERVER)
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
            raise ValueError(f"{host.member} is no object")
        servers[hosts.SERVER] = merged
        _require_same(new, host, wanted)
    return new


def _without(old: str, host: Host) -> str:
    """The text without our entry. Raises ValueError."""
    place = (host.member, hosts.SERVER)
    if not old.strip():
        return old
    new = toml_table.take_out(old, place) if host.is_toml else jsonc.take_out(old, place)
    wanted = _loads(old, host)
    if wanted is not None:
        servers = _mapping(wanted.get(host.member))
        servers.pop(hosts.SERVER, None)
        if not servers and host.is_toml:  # a table that stood only in our header is gone with it
            wanted.pop(host.member, None)
        _require_same(new, host, wanted)
    return new


def _require_same(text: str, host: Host, wanted: object) -> None:
    if _loads(text, host) != wanted:
        raise ValueError(f"{host.member} is written in a way that webtool does not understand")


def _there(text: str, host: Host) -> dict[str, object]:
    """Our entry as it is; empty where there is none, or this Python reads no TOML."""
    return _mapping(_mapping((_loads(text, host) or {}).get(host.member)).get(hosts.SERVER))


def _loads(text: str, host: Host) -> dict[str, object] | None:
    """The file's members; None where this Python cannot read the format. Raises ValueError."""
    if not host.is_toml:
        return jsonc.loads(text)
    try:
        import tomllib
    except ImportError:  # before Python 3.11
        return None
    return tomllib.loads(text)


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _read(path: str) -> str:
    """The file's text, "" where there is none. Raises InvalidArgument."""
    try:
        with open(path, "rb") as file:
            data = file.read(_MAX_FILE + 1)
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
        partial = f"{target}.{os.getpid()}.part"
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
        with open(descriptor, "wb") as file:
            file.write(new.encode("utf-8"))
        os.chmod(partial, mode)
        if _read(target) != old:
            os.unlink(partial)
            raise InvalidArgument(f"{path} was changed meanwhile by its host", hint="Quit the host, then try again.")
        os.replace(partial, target)
    except OSError as exc:
        raise InvalidArgument(f"{path} cannot be written: {exc.strerror}", hint="Check the folder's rights.") from exc
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
    for name, host in hosts.HOSTS.items():
        try:
            text = _read(hosts.path_of(name, environ, platform))
            there = _there(text, host)
        except (InvalidArgument, ValueError):
            continue
        if there:
            args = there.get("args")
            files = [arg for arg in args if isinstance(arg, str) and os.sep in arg] if isinstance(args, list) else []
            found[name] = files[0] if files else str(there.get("command", ""))
    return found
