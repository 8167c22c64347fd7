"""MCP hosts: where each keeps its settings, and what an entry for this server looks like there. Values only; nothing
is read or written here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

import webtool
from webtool.errors import InvalidArgument
from webtool.lean.records import NamedTuple
from webtool.providers.table import PROVIDERS

SERVER = "webtool"
"""Our name in a host's settings."""


class Host(NamedTuple):
    """One host. Paths begin with a name of _FOLDERS; `project` is below the project's folder, "" for none."""

    member: str
    file: tuple[str, ...]
    project: str = ""
    first: tuple[tuple[str, str], ...] = ()
    """Members that an entry has beside command, args and env."""
    restart: str = ""

    @property
    def is_toml(self) -> bool:
        """Whether the file is TOML and not JSON."""
        return self.file[-1].endswith(".toml")


_STDIO = (("type", "stdio"),)
HOSTS = {
    "claude-code": Host("mcpServers", ("CLAUDE_CONFIG_DIR", ".claude.json"), ".mcp.json", _STDIO),
    "claude-desktop": Host(
        "mcpServers", ("apps", "Claude", "claude_desktop_config.json"), restart="Quit Claude first."
    ),
    "cursor": Host("mcpServers", ("home", ".cursor", "mcp.json"), ".cursor/mcp.json"),
    "vscode": Host("servers", ("apps", "Code", "User", "mcp.json"), ".vscode/mcp.json", _STDIO),
    "windsurf": Host("mcpServers", ("home", ".codeium", "windsurf", "mcp_config.json")),
    "zed": Host("context_servers", ("zed", "settings.json"), ".zed/settings.json", (("source", "custom"),)),
    "gemini": Host("mcpServers", ("home", ".gemini", "settings.json"), ".gemini/settings.json"),
    "codex": Host("mcp_servers", ("CODEX_HOME", "config.toml"), ".codex/config.toml"),
}


def provider_variables() -> tuple[str, ...]:
    """Return the environment variables that set up search providers; hosts do not pass them on by themselves."""
    return tuple(variable for provider in PROVIDERS.values() for variable in provider.variables)


def host_named(name: str) -> Host:
    """The host. Raises InvalidArgument for an unknown one."""
    if name not in HOSTS:
        raise InvalidArgument(f"unknown MCP host {name[:40]!r}", hint=f"Use one of: {', '.join(HOSTS)}.")
    return HOSTS[name]


def path_of(name: str, environ: Mapping[str, str], platform: str, project: str = "") -> str:
    """The host's settings file, the user's or a project's. Raises InvalidArgument where there is none."""
    host = host_named(name)
    if project:
        if not host.project:
            raise InvalidArgument(f"{name} has no settings for a project", hint="Leave --project out.")
        return os.path.join(project, *host.project.split("/"))
    home = environ.get("HOME") or environ.get("USERPROFILE") or ""
    folder = _folder(host.file[0], environ, platform, home)
    if not folder:
        raise InvalidArgument(f"no home folder is known, so {name} has no settings", hint="Set HOME.")
    return os.path.join(folder, *host.file[1:])


def _folder(name: str, environ: Mapping[str, str], platform: str, home: str) -> str:
    """The folder that a path begins with; "" where no home is known."""
    config = environ.get("XDG_CONFIG_HOME") or (home and os.path.join(home, ".config"))
    roaming = environ.get("APPDATA") or (home and os.path.join(home, "AppData", "Roaming"))
    support = home and os.path.join(home, "Library", "Application Support")
    apps = {"darwin": support, "win32": roaming}.get(platform, config)
    folders = {
        "home": home,
        "apps": apps,
        "zed": os.path.join(roaming, "Zed") if platform == "win32" else config and os.path.join(config, "zed"),
        "CLAUDE_CONFIG_DIR": environ.get("CLAUDE_CONFIG_DIR") or home,
        "CODEX_HOME": environ.get("CODEX_HOME") or (home and os.path.join(home, ".codex")),
    }
    return folders[name]


def entry(name: str, env: Mapping[str, str]) -> dict[str, object]:
    """What stands under our name in the host's settings.

    Python and this very archive or checkout, both by absolute path: hosts start servers with a bare environment.
    """
    made: dict[str, object] = dict(host_named(name).first)
    home = os.path.dirname(os.path.dirname(os.path.abspath(webtool.__file__ or "")))
    archive = _archive_above(home)
    made["command"] = sys.executable or "python3"
    env = dict(env)
    if archive:
        made["args"] = ["-I", "-S", archive, "mcp"]
    else:
        made["args"] = ["-m", "webtool", "mcp"]
        env["PYTHONPATH"] = home
    return {**made, "env": env} if env else made


def _archive_above(path: str) -> str:
    """The file that a path leads into, as modules in an archive say where they lie; "" where it leads into none."""
    while not os.path.isfile(path):
        above = os.path.dirname(path)
        if above == path or os.path.isdir(path):
            return ""
        path = above
    return path
