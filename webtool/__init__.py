"""webtool: search, fetch, markdown, extraction, cache and an MCP server in one file, standard library only."""

__version__ = "0.1.0"
