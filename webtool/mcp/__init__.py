"""The MCP server. In: JSON-RPC messages, one a line. Out: the answers, from the tools of webtool.tools.

messages.py, protocol.py and server.py are pure (a message in, a message out), stdio.py and loop.py have the streams
and threads. What the tools do is left to webtool.tools. Specification: Model Context Protocol 2025-11-25.
"""
