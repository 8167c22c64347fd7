"""Serve the tools over MCP. In: JSON-RPC messages, one a line. Out: the responses.

messages.py, protocol.py and server.py turn messages into responses; stdio.py and loop.py have the streams and threads;
tools.py, resources.py and prompts.py answer what clients ask for, and framing.py marks what strangers wrote. What the
tools do is left to webtool.tools. Specification: Model Context Protocol 2024-11-05 to 2026-07-28.
"""
