"""Talk to the server process in bare lines: to send what no client library would, and to time its answers."""

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time

STATELESS = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


class ServerProcess:
    """A process that runs `webtool mcp` with these words. `errors` has the lines of its stderr."""

    def __init__(self, archive, *words, command=(), stdin=subprocess.PIPE, **environ):
        self.process = subprocess.Popen(
            [*(command or (sys.executable, "-I", "-S", str(archive), "mcp")), *words],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **environ},
        )
        self.errors = []
        self._readers = [threading.Thread(target=read) for read in (self._read, self._read_errors)]
        for reader in self._readers:
            reader.start()

    def _read(self):
        pass

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line.decode())

    def _stop(self):
        self.process.terminate()

    def end(self, seconds=30):
        """Ask the process to end, wait for it, and return the exit status."""
        if self.process.poll() is None:
            self._stop()
        status = self.process.wait(seconds)
        for reader in self._readers:
            reader.join()
        for file in (self.process.stdin, self.process.stdout, self.process.stderr):
            if file and not file.closed:
                with contextlib.suppress(OSError):
                    file.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        try:
            self.end()
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.end()
            raise


class Peer(ServerProcess):
    """A server on stdin and stdout. say() sends a message, hear() waits for the next one."""

    def __init__(self, archive, command=(), **environ):
        self._heard = queue.Queue()
        super().__init__(archive, command=command, **environ)

    def _read(self):
        for line in self.process.stdout:
            self._heard.put(json.loads(line))
        self._heard.put(None)

    def _stop(self):
        with contextlib.suppress(OSError):
            self.process.stdin.close()

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def say(self, message):
        self.write(json.dumps(message).encode() + b"\n")

    def hear(self, seconds=60):
        """Return the next message, or None if the server has closed its output."""
        return self._heard.get(timeout=seconds)

    def request(self, number, method, stateless=False, **params):
        if stateless:
            params["_meta"] = {**STATELESS, **params.get("_meta", {})}
        self.say({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def ask(self, number, method, stateless=False, **params):
        """Send a request and return its response; fail if another message comes first."""
        self.request(number, method, stateless, **params)
        answer = self.hear()
        assert answer["id"] == number, answer
        return answer

    def shake_hands(self, version="2025-11-25"):
        answer = self.ask(
            0, "initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "t", "version": "1"}
        )
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer["result"]

    def logged(self, text, seconds=60):
        """Wait until a line with this text is on stderr; return the seconds it took."""
        begun = time.monotonic()
        while not any(text in line for line in list(self.errors)):
            assert time.monotonic() - begun < seconds, self.errors
            time.sleep(0.01)
        return time.monotonic() - begun

    def call(self, number, tool, **arguments):
        """Call a tool and wait for its result."""
        return self.ask(number, "tools/call", name=tool, arguments=arguments)["result"]
