"""Settings of MCP hosts. In: a host's name. Out: our entry in its settings file, put in, taken out, printed or found.

known: which hosts there are, where each keeps its settings. entries: the files. jsonc, toml_table: text edited in place
(pure). The words of the command are commands/mcp's.
"""
