"""What to write into an MCP host's settings. In: the host's name. Out: JSON with absolute paths."""

from __future__ import annotations

import os
import sys

import webtool
from webtool.errors import InvalidArgument

# Host: (the member that holds servers, whether an entry names its transport, the file it belongs into)
HOSTS = {
    "claude-code": (
        "mcpServers",
        True,
        ".mcp.json in the project, or: claude mcp add-json webtool '<the inner object>'",
    ),
    "claude-desktop": ("mcpServers", False, "claude_desktop_config.json (Settings, Developer, Edit Config)"),
    "cursor": ("mcpServers", False, "~/.cursor/mcp.json, or .cursor/mcp.json in the project"),
    "vscode": ("servers", True, ".vscode/mcp.json, or: MCP: Open User Configuration"),
}


def config(host: str) -> dict[str, object]:
    """The settings for one host. Raises InvalidArgument for an unknown one."""
    if host not in HOSTS:
        raise InvalidArgument(f"unknown MCP host {host[:40]!r}", hint=f"Use one of: {', '.join(HOSTS)}.")
    member, has_type, _ = HOSTS[host]
    entry: dict[str, object] = {"type": "stdio"} if has_type else {}
    entry.update(_command())
    return {member: {"webtool": entry}}


def _command() -> dict[str, object]:
    """Python and this very archive or checkout, both by absolute path: hosts start servers with a bare environment."""
    package = os.path.dirname(os.path.abspath(webtool.__file__ or ""))
    home = os.path.dirname(package)
    python = sys.executable or "python3"
    if os.path.isfile(home):  # the package lies in an archive
        return {"command": python, "args": ["-I", "-S", home, "mcp"]}
    return {"command": python, "args": ["-m", "webtool", "mcp"], "env": {"PYTHONPATH": home}}
