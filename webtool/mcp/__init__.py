"""Serve the tools over MCP. In: JSON-RPC messages, one a line or one a POST. Out: the responses.

messages.py and server.py turn messages into responses; loop.py has the threads, stdio.py the streams.
http_server.py knows the paths and the sessions, http_connection.py has the connections, http_request.py reads what they
send and decides who may send it, http_exchange.py has the answers.
tools.py and resources.py answer what clients ask for, and mark what strangers wrote. What the tools do is left to
webtool.tools. Specification: Model Context Protocol 2024-11-05 to 2026-07-28.
"""
