"""mcp with words: our entry in the settings of MCP hosts. Without words, webtool.mcp serves.

In: words. Out: the exit status; what was done on stdout.
"""

from __future__ import annotations

import os

from webtool.cli import flags
from webtool.errors import InvalidArgument
from webtool.output import write_all, write_error
from webtool.setup import mcp_entries, mcp_hosts

_ACTIONS = {"print_config": False, "install": False, "uninstall": False}
_WITH_NAME = ("--print-config=", "--install=", "--uninstall=")
_OPTIONS = {**_ACTIONS, "dry_run": False, "project": False, "no_env": False, "env": True}


def main(words: list[str]) -> int:
    """Do what the words say. Raises InvalidArgument."""
    apart = (word.split("=", 1) if word.startswith(_WITH_NAME) else [word] for word in words)
    asked = flags.parse([one for pair in apart for one in pair], {}, _OPTIONS)
    names, switches = asked.plain, asked.options
    given = [name for name in _ACTIONS if name in switches]
    if len(given) != 1 or asked.settings:
        raise InvalidArgument("mcp takes one of --install, --uninstall, --print-config", hint="See webtool mcp --help.")
    if not names or (len(names) > 1 and given == ["print_config"]):
        number = "one MCP host" if given == ["print_config"] else "one MCP host or more"
        known_hosts = f"Use: {', '.join(mcp_hosts.HOSTS)}."
        raise InvalidArgument(f"--{given[0].replace('_', '-')} takes the name of {number}", hint=known_hosts)
    for name in names:
        mcp_hosts.host_named(name)
    env = dict(map(_variable, filter(None, switches.get("env", "").split("\0"))))
    if given == ["print_config"]:
        where, text = mcp_entries.printed(names[0], env)
        write_error(where)
        write_all(1, text.encode("utf-8", "replace"))
        return 0
    if "no_env" not in switches:
        env = {**{name: os.environ[name] for name in mcp_hosts.provider_variables() if os.environ.get(name)}, **env}
    for name in names:
        wanted = mcp_entries.Change(name, env, "dry_run" in switches, os.getcwd() if "project" in switches else "")
        listed = mcp_entries.install(wanted) if given == ["install"] else mcp_entries.uninstall(wanted)
        write_all(1, listed.encode("utf-8", "replace"))
    return 0


def _variable(text: str) -> tuple[str, str]:
    """NAME=VALUE, or a name of the environment."""
    name, equals, value = text.partition("=")
    value = value if equals else os.environ.get(name, "")
    if not name or not value:
        raise InvalidArgument(f"--env {name} has no value", hint="Write --env NAME=VALUE, or set NAME first.")
    return name, value
