"""mcp with words: our entry in the settings of MCP hosts. Without words, webtool.mcp serves.

In: words. Out: the exit status; what was done on stdout.
"""

from __future__ import annotations

import os

from webtool.cli import flags
from webtool.errors import InvalidArgument
from webtool.output import write_all, write_error
from webtool.setup import mcp_entries, mcp_hosts

USAGE = """webtool mcp: serve the web tools to an MCP host over stdin and stdout

  webtool mcp                          run the server (a host does this)
  webtool mcp --install HOST...        add it to the host's settings, with a copy of them as they were
      --dry-run                        show what would change, and change nothing
      --project                        the settings of the project in this folder, not yours
      --env NAME[=VALUE]               a variable that the host starts the server with
      --no-env                         without the keys that are in the environment now
  webtool mcp --uninstall HOST...      take it out again (--dry-run, --project)
  webtool mcp --print-config HOST      print the settings, to paste them yourself

HOST is claude-code, claude-desktop, cursor, vscode, windsurf, zed, gemini or codex. Keys that are in the environment
(BRAVE_API_KEY, ...) go into the settings, as hosts start servers without them.
Settings come from the environment (WEBTOOL_...) and from config.json, as for every command.

The server speaks every revision of the protocol from 2024-11-05 to 2026-07-28 over stdin and stdout. An answer has
12,000 tokens at most (WEBTOOL_MAX_ANSWER_TOKENS) unless a call asks for more with max_tokens; what does not fit goes
on at next_offset. All that pages and providers wrote stands between two markers, as data and not as instructions.

WEBTOOL_URL_RULE=seen opens only addresses that the user gave on the command line, a search returned, or an opened page
links to; and none with a long query or with one of your keys in it.
"""
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
        wanted = mcp_entries.Wanted(name, env, "dry_run" in switches, os.getcwd() if "project" in switches else "")
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
