"""Talk to the MCP server over HTTP in bare bytes: to send what no client library would, and to see each answer."""

import contextlib
import http.client
import json
import os
import re
import socket
import subprocess
import threading
from typing import NamedTuple

from mcp_peer import STATELESS, ServerProcess

JSON = {"Content-Type": "application/json"}
BOTH = {**JSON, "Accept": "application/json, text/event-stream"}


class Answer(NamedTuple):
    """A whole response."""

    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def events(self):
        """The messages of an event stream."""
        return [json.loads(line[6:]) for line in self.body.decode().split("\r\n") if line.startswith("data: ")]


class HttpPeer(ServerProcess):
    """A process that runs `webtool mcp --http`."""

    def __init__(self, archive, address="127.0.0.1:0", command=(), **environ):
        self.port = 0
        self._is_ready = threading.Event()
        super().__init__(archive, "--http", address, command=command, stdin=subprocess.DEVNULL, **environ)
        assert self._is_ready.wait(30), self.errors
        assert self.port, self.errors

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line.decode())
            match = re.search(r"http://\S+:(\d+)/mcp", self.errors[-1])
            if match and not self.port:
                self.port = int(match[1])
                self._is_ready.set()
        self._is_ready.set()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/mcp"

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port), 30)
        connection.settimeout(30)
        return connection

    def send(self, method="POST", path="/mcp", body=None, headers=BOTH):
        """Send one request and return the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(connection):
            data = json.dumps(body).encode() if isinstance(body, (dict, list)) else body
            connection.request(method, path, data, headers)
            response = connection.getresponse()
            return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())

    def raw(self, data):
        """Send bytes, and return all bytes that come until the server closes the connection."""
        with self.connect() as connection:
            connection.sendall(data)
            received = b""
            with contextlib.suppress(ConnectionResetError):
                while part := connection.recv(65536):
                    received += part
            return received

    def open_session(self, version="2025-11-25", **headers):
        """Initialize; return the headers of the session's further requests."""
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        answer = self.send(body=request(0, "initialize", **params), headers={**BOTH, **headers})
        assert answer.status == 200, answer
        session = {**BOTH, **headers, "Mcp-Session-Id": answer.headers["mcp-session-id"]}
        if version >= "2025-06-18":
            session["MCP-Protocol-Version"] = version
        done = self.send(body={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=session)
        assert (done.status, done.body) == (202, b"")
        return session

    def threads(self):
        """The number of threads of the process (Linux)."""
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def memory(self):
        """Resident bytes of the process (Linux)."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def request(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def stateless(number, method, **params):
    """A request of 2026-07-28, and its headers."""
    params["_meta"] = {**STATELESS, **params.get("_meta", {})}
    headers = {**BOTH, "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
    if "name" in params or "uri" in params:
        headers["Mcp-Name"] = params.get("name", params.get("uri"))
    return request(number, method, **params), headers


def call(number, tool, **arguments):
    return request(number, "tools/call", name=tool, arguments=arguments)
