"""webtool in other programs: entries in the settings of MCP hosts, -tool links, bytecode for an archive.

In: a host's name, or a folder. Out: files written, printed or found. mcp_hosts.py lists the hosts and where each keeps
its settings; mcp_entries.py edits those files, jsonc.py and toml_table.py their text (pure); tool_links.py installs the
-tool names; bytecode.py compiles an archive for one Python. The words of the commands are left to cli/commands.
"""
