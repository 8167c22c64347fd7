"""Serve the page of `fetch --demo` on loopback, which shows the whole pipeline without internet.

Out: the URL of the page, and the settings under which it can be fetched.
Tests: tests/test_readme.py
"""

from __future__ import annotations

import socket
import threading

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>webtool at work</title>
<style>.x { display: none }</style><script>document.write("not this")</script></head>
<body><nav><a href="/">Home</a> <a href="/about">About</a></nav>
<main><h1>webtool at work</h1>
<p>This page came over a socket, through the <em>guarded</em> client, the HTML parser and the <strong>markdown</strong>
writer. What a page hides <span class="x">(this)</span> is left out; <a href="/next?page=2">links</a> are
made absolute.</p>
<h2>A list, a table, some code</h2>
<ol start="3"><li>Lists keep their numbers,<ul><li>and their nesting.</li></ul></li>
<li>Snake_case and 2 * 3 stay.</li></ol>
<table><thead><tr><th>Engine</th><th align="right">Year</th></tr></thead>
<tbody><tr><td>Difference | Analytical</td><td align="right">1837</td></tr></tbody></table>
<pre><code class="language-python">def greet(name):
    return f"Hello, {name}!"
</code></pre>
<blockquote><p>Text first.</p></blockquote></main></body></html>
"""
# Settings under which the page can be fetched; it is not cached.
SETTINGS: dict[str, object] = {"allow_private_hosts": ("127.0.0.1",), "cache": False}
_ROBOTS = "User-agent: *\nAllow: /\n"
_MAX_REQUEST_BYTES = 65536


def start() -> str:
    """Serve the page from a thread that ends with the process. Returns its URL."""
    server = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=_serve, args=(server,), daemon=True).start()
    return f"http://127.0.0.1:{server.getsockname()[1]}/"


def _serve(server: socket.socket) -> None:
    while True:
        connection, _ = server.accept()
        with connection:
            connection.settimeout(5)
            try:
                _answer(connection)
            except OSError:
                pass  # the client closed the connection


def _answer(connection: socket.socket) -> None:
    request = b""
    while b"\r\n\r\n" not in request and len(request) < _MAX_REQUEST_BYTES:
        chunk = connection.recv(4096)
        if not chunk:
            return
        request += chunk
    is_robots = request.startswith(b"GET /robots.txt ")
    body = (_ROBOTS if is_robots else PAGE).encode("utf-8")
    media_type = "text/plain" if is_robots else "text/html; charset=utf-8"
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    connection.sendall(head.encode("ascii") + body)
