"""Install webtool into other programs: settings of MCP hosts, -tool links, bytecode for an archive.

In: a host's name or a folder. Out: files that are written, printed or found. mcp_hosts.py is the table of hosts;
mcp_entries.py edits their settings with settings_text.py (JSON) and toml_tables.py, which are pure; tool_links.py
installs the -tool names and finds the webtool that runs; bytecode.py compiles an archive for one Python; zip_archive.py
and distributions.py are parts of build.py. Words of commands are read by webtool.cli.commands.
Tests: tests/setup/test_mcp_entries.py
"""
