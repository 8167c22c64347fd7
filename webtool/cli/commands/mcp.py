"""mcp with words: serve over HTTP, or change or print the settings of MCP hosts. Without words, mcp.stdio serves.

In: the command's words. Out: a report or settings on stdout, and the exit status.
Tests: tests/setup/test_mcp_entries.py
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from webtool import settings, urls
from webtool.cli import flags
from webtool.errors import InvalidArgument
from webtool.output import write_all, write_error
from webtool.setup import mcp_entries, mcp_hosts, tool_links

_ACTIONS = ("install", "uninstall", "print_config")


def main(parsed: flags.Words) -> int:
    """Do what the words say. Returns 0. Raises InvalidArgument."""
    hosts, switches = parsed.plain, parsed.options
    if [*switches] == ["http"] and not hosts:
        from webtool.mcp import http_server

        return http_server.serve(switches["http"], flags.settings_of(parsed))
    actions = [name for name in _ACTIONS if name in switches]
    if len(actions) != 1 or parsed.settings:
        hint = "Give one of --http, --install, --uninstall, --print-config; see webtool mcp --help."
        raise InvalidArgument("mcp does one thing at a time", hint=hint)
    action = actions[0]
    if not hosts or (len(hosts) > 1 and action == "print_config"):
        number = "one MCP host" if action == "print_config" else "one MCP host or more"
        hint = f"Use: {', '.join(mcp_hosts.HOSTS)}."
        raise InvalidArgument(f"--{action.replace('_', '-')} takes the name of {number}", hint=hint)
    for host in hosts:
        mcp_hosts.host_named(host)
    url = _url(switches.get("http", ""))
    if action != "uninstall" and not url:
        tool_links.refuse_temporary()
    env = dict(_variable(text) for text in switches.get("env", "").split("\0") if text)
    if action == "print_config":
        place, text = mcp_entries.printed(hosts[0], env, url)
        write_error(place)
        write_all(1, text.encode("utf-8", "replace"))
        return 0
    if "no_env" not in switches:
        names = (mcp_hosts.TOKEN,) if url else mcp_hosts.provider_variables()
        env = {**{name: os.environ[name] for name in names if os.environ.get(name)}, **env}
    for host in hosts:
        project = os.getcwd() if "project" in switches else ""
        change = mcp_entries.Change(host, env, "dry_run" in switches, project, url)
        if action == "install":
            report = mcp_entries.install(change) + ("" if url else _not_copied(env))
        else:
            report = mcp_entries.uninstall(change)
        write_all(1, report.encode("utf-8", "replace"))
    return 0


def _url(place: str) -> str:
    """Return the address of a server for `[HOST:]PORT` or a URL, "" for "". Raises InvalidArgument."""
    if not place or place.startswith(("http://", "https://")):
        return urls.normalise(place) if place else ""
    from webtool.mcp.http_request import parse_address

    host, port = parse_address(place)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/mcp"


def _not_copied(env: Mapping[str, str]) -> str:
    """Return a line that names the settings of this environment that the host's settings do not get, or ""."""
    known = {*settings.ALIASES, *(f"WEBTOOL_{name.upper()}" for name in settings.Settings._fields)}
    names = sorted(name for name in os.environ if name in known and name not in env)
    return f"  not copied: {', '.join(names)} (use --env NAME, or config.json)\n" if names else ""


def _variable(text: str) -> tuple[str, str]:
    """Return name and value of `NAME=VALUE`, or of `NAME` with its value here. Raises InvalidArgument."""
    name, equals, value = text.partition("=")
    value = value if equals else os.environ.get(name, "")
    if not name or not value:
        raise InvalidArgument(f"--env {name} has no value", hint="Write --env NAME=VALUE, or set NAME first.")
    return name, value
