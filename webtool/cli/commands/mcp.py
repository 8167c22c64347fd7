"""mcp with words: our entry in the settings of MCP hosts. Without words, webtool.mcp serves.

In: words. Out: the exit status; what was done on stdout.
"""

from __future__ import annotations

import os

from webtool.cli.mcp_hosts import entries, known
from webtool.errors import InvalidArgument
from webtool.lean.records import NamedTuple
from webtool.output import write_all, write_error

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
_ACTIONS = ("--print-config", "--install", "--uninstall")
_SWITCHES = ("--dry-run", "--project", "--no-env")


class _Words(NamedTuple):
    action: str
    names: list[str]
    switches: set[str]
    env: dict[str, str]


def main(words: list[str]) -> int:
    """Do what the words say. Raises InvalidArgument."""
    asked = _sorted(words)
    if asked.action == "--print-config":
        where, text = entries.printed(asked.names[0], asked.env)
        write_error(where)
        write_all(1, text.encode("utf-8", "replace"))
        return 0
    keys = {name: os.environ[name] for name in known.KEYS if os.environ.get(name)}
    env = asked.env if "--no-env" in asked.switches else {**keys, **asked.env}
    for name in asked.names:
        wanted = entries.Wanted(
            name, env, "--dry-run" in asked.switches, os.getcwd() if "--project" in asked.switches else ""
        )
        listed = entries.install(wanted) if asked.action == "--install" else entries.uninstall(wanted)
        write_all(1, listed.encode("utf-8", "replace"))
    return 0


def _sorted(words: list[str]) -> _Words:
    """The action, the hosts, the switches and the variables given with --env."""
    actions: list[str] = []
    asked = _Words("", [], set(), {})
    rest = iter(words)
    for word in rest:
        flag, equals, value = word.partition("=")
        if flag in _ACTIONS:
            actions.append(flag)
            asked.names.extend([value] if equals else [])
        elif flag == "--env":
            _take_variable(asked.env, value if equals else next(rest, ""))
        elif word in _SWITCHES:
            asked.switches.add(word)
        elif word.startswith("-") or not actions:
            raise InvalidArgument(f"mcp takes no {word!r}", hint="See webtool mcp --help.")
        else:
            asked.names.append(word)
    if len(actions) != 1:
        raise InvalidArgument(f"mcp takes one of {', '.join(_ACTIONS)}", hint="See webtool mcp --help.")
    if not asked.names or (len(asked.names) > 1 and actions == ["--print-config"]):
        number = "one MCP host" if actions == ["--print-config"] else "one MCP host or more"
        raise InvalidArgument(f"{actions[0]} takes the name of {number}", hint=f"Use: {', '.join(known.HOSTS)}.")
    for name in asked.names:
        known.host_named(name)
    return asked._replace(action=actions[0])


def _take_variable(env: dict[str, str], text: str) -> None:
    name, equals, value = text.partition("=")
    env[name] = value if equals else os.environ.get(name, "")
    if not name or not env[name]:
        raise InvalidArgument(f"--env {name} has no value", hint="Write --env NAME=VALUE, or set NAME first.")
