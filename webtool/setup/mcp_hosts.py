"""The table of MCP hosts: where each keeps its settings, and what webtool's entry looks like there.

In: a host's name and the environment. Out: a path, an entry. Nothing is read or written here. To add a host, add a row
to HOSTS: help, completion, doctor and `mcp --install` read it.
Tests: tests/setup/test_mcp_entries.py
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from webtool import settings
from webtool.errors import InvalidArgument
from webtool.lean.records import NamedTuple
from webtool.providers.table import PROVIDERS
from webtool.setup import tool_links

SERVER = "webtool"  # the name of the entry in a host's settings


class Machine(NamedTuple):
    """Environment and platform, which decide where settings are. Folders are "" if no home folder is known."""

    environ: Mapping[str, str]
    platform: str  # as sys.platform

    @property
    def home(self) -> str:
        return settings.home_folder(self.environ)

    @property
    def config(self) -> str:
        """Folder of settings on Linux, and of programs that follow its rules elsewhere."""
        return settings.xdg_folder(self.environ, "XDG_CONFIG_HOME") or _below(self.home, ".config")

    @property
    def roaming(self) -> str:
        """Folder of settings on Windows."""
        return self.environ.get("APPDATA") or _below(self.home, "AppData", "Roaming")

    @property
    def apps(self) -> str:
        """Folder of settings of desktop programs on this platform."""
        if self.platform == "darwin":
            return _below(self.home, "Library", "Application Support")
        return self.roaming if self.platform == "win32" else self.config

    @property
    def claude(self) -> str:
        return self.environ.get("CLAUDE_CONFIG_DIR") or self.home

    @property
    def codex(self) -> str:
        return self.environ.get("CODEX_HOME") or _below(self.home, ".codex")

    @property
    def zed(self) -> str:
        return _below(self.roaming, "Zed") if self.platform == "win32" else _below(self.config, "zed")


def _below(folder: str, *names: str) -> str:
    return os.path.join(folder, *names) if folder else ""


class Host(NamedTuple):
    """One MCP host."""

    member: str  # member of its settings that holds the servers, by name
    folder: str  # the property of Machine that is the folder of the user's settings
    file: tuple[str, ...]  # path of the settings below that folder
    project: str = ""
    """Path of the settings of a project, with slashes, below the project's folder; "" if projects have no settings."""
    extra: tuple[tuple[str, str], ...] = ()  # members of an entry besides command, args and env
    http: tuple[str, str] = ("url", "headers")
    """Members of an entry that reaches a server over HTTP: its address, its headers; ("", "") without such entries."""
    http_extra: tuple[tuple[str, str], ...] = ()  # further members of an entry for a server over HTTP
    restart: str = "Restart it, or reload its servers."  # what the user does next, so that the change takes effect

    @property
    def is_toml(self) -> bool:
        return self.file[-1].endswith(".toml")


_STDIO = (("type", "stdio"),)
_HTTP = (("type", "http"),)
HOSTS = {
    "claude-code": Host("mcpServers", "claude", (".claude.json",), ".mcp.json", _STDIO, http_extra=_HTTP),
    "claude-desktop": Host(
        "mcpServers",
        "apps",
        ("Claude", "claude_desktop_config.json"),
        http=("", ""),
        restart="Quit Claude and start it again.",
    ),
    "cursor": Host("mcpServers", "home", (".cursor", "mcp.json"), ".cursor/mcp.json"),
    "vscode": Host("servers", "apps", ("Code", "User", "mcp.json"), ".vscode/mcp.json", _STDIO, http_extra=_HTTP),
    "windsurf": Host("mcpServers", "home", (".codeium", "windsurf", "mcp_config.json"), http=("serverUrl", "headers")),
    "zed": Host("context_servers", "zed", ("settings.json",), ".zed/settings.json", (("source", "custom"),)),
    "gemini": Host(
        "mcpServers", "home", (".gemini", "settings.json"), ".gemini/settings.json", http=("httpUrl", "headers")
    ),
    "codex": Host("mcp_servers", "codex", ("config.toml",), ".codex/config.toml", http=("url", "http_headers")),
}
TOKEN = "WEBTOOL_MCP_TOKEN"  # the variable with the token of a server over HTTP


def provider_variables() -> tuple[str, ...]:
    """Return the environment variables that set up search providers; hosts do not pass them on by themselves."""
    return tuple(variable for provider in PROVIDERS.values() for variable in provider.variables)


def host_named(name: str) -> Host:
    """Return the host's row. Raises InvalidArgument for an unknown name."""
    if name not in HOSTS:
        raise InvalidArgument(f"unknown MCP host {name[:40]!r}", hint=f"Use one of: {', '.join(HOSTS)}.")
    return HOSTS[name]


def path_of(name: str, environ: Mapping[str, str], platform: str, project: str = "") -> str:
    """Return the path of a host's settings, the user's or the project's. Raises InvalidArgument without one."""
    host = host_named(name)
    if project:
        if not host.project:
            raise InvalidArgument(f"{name} has no settings for a project", hint="Leave --project out.")
        return os.path.join(project, *host.project.split("/"))
    folder: str = getattr(Machine(environ, platform), host.folder)
    if not folder:
        raise InvalidArgument(f"no home folder is known, so {name} has no settings", hint="Set HOME.")
    return os.path.join(folder, *host.file)


def entry(name: str, env: Mapping[str, str]) -> dict[str, object]:
    """Return webtool's entry for a host's settings, with `env` as the variables that the server is started with.

    The command is this Python with this archive or checkout, both by absolute path, because hosts start servers with
    an almost empty environment. An embedded Python may not know its own path; then it is "python3".
    """
    members: dict[str, object] = dict(host_named(name).extra)
    folder = tool_links.package_folder()
    archive = _archive_above(folder)
    members["command"] = sys.executable or "python3"
    env = dict(env)
    if archive:
        members["args"] = ["-I", "-S", archive, "mcp"]
    else:
        members["args"] = ["-m", "webtool", "mcp"]
        env["PYTHONPATH"] = folder
    return {**members, "env": env} if env else members


def http_entry(name: str, url: str, env: Mapping[str, str]) -> dict[str, object]:
    """Return the entry for a server that runs at `url`; `env` may have its token. Raises InvalidArgument."""
    host = host_named(name)
    address, headers = host.http
    if not address:
        hint = "Leave --http out, and it starts a server of its own; or add the address in its own dialog."
        raise InvalidArgument(f"{name} has no settings for a server over HTTP", hint=hint)
    further = [variable for variable in env if variable != TOKEN]
    if further:
        hint = f"Set {', '.join(further)} where the server runs; its clients need {TOKEN} only."
        raise InvalidArgument(f"a server over HTTP gets no variables from {name}", hint=hint)
    members: dict[str, object] = {**dict(host.http_extra), address: url}
    return {**members, headers: {"Authorization": f"Bearer {env[TOKEN]}"}} if TOKEN in env else members


def _archive_above(path: str) -> str:
    """Return the file that a path is, or leads into: `/a/webtool.pyz/webtool` -> `/a/webtool.pyz`; "" without one."""
    while not os.path.isfile(path):
        above = os.path.dirname(path)
        if above == path or os.path.isdir(path):
            return ""
        path = above
    return path
